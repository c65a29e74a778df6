"""Two processes learn as one does that has the rows of both; torchrun leaves one agent."""

from __future__ import annotations

import json
import os
import subprocess
import sys

import pytest
import torch
from safetensors.torch import load_file, save_file

from engine.agents.catalogue import read_card
from engine.learning.algorithms.ppo import Ppo
from engine.learning.parts.rollouts import COLUMNS
from engine.learning.run import checkpoints
from engine.learning.run.team import Team
from engine.refusal import Refusal
from tests.engine.learning.run import team_member
from tests.forks import Fork
from tests.services import free_port

MEMBER = ["-m", "tests.engine.learning.run.team_member"]


def torchrun(*arguments: str) -> subprocess.CompletedProcess:
    """Two processes."""
    command = [sys.executable, "-m", "torch.distributed.run", "--standalone", "--nproc-per-node", "2"]
    return subprocess.run([*command, *arguments], capture_output=True, text=True, check=False)


def team(*arguments: str) -> list[subprocess.CompletedProcess]:
    """Two processes as torchrun makes them, without the seconds that it takes."""
    place = {"MASTER_ADDR": "127.0.0.1", "MASTER_PORT": str(free_port()), "WORLD_SIZE": "2"}
    members = [
        Fork([sys.executable, *arguments], env=os.environ | place | {"RANK": rank, "LOCAL_RANK": rank})
        for rank in ("0", "1")
    ]
    said = [(member.stdout.read(), member.stderr.read()) for member in members]
    return [
        subprocess.CompletedProcess(arguments, member.wait(), *words)
        for member, words in zip(members, said, strict=True)
    ]


def apart(one: dict, other: dict) -> float:
    """The largest difference between two networks."""
    return max((one[key] - other[key]).abs().max().item() for key in one)


def test_a_team_of_one_agrees_with_itself():
    alone, values = Team(), torch.randn(50)
    assert alone.moments(values) == (values.mean().item(), values.std().item())
    assert alone.mean({"loss": 2.0}, 3) == {"loss": 2.0} and alone.any(True) and not alone.any(False)
    with pytest.raises(Refusal, match="9 games can't be dealt evenly to 2 processes"):
        Team(size=2).share(9, "games")


@pytest.mark.slow
def test_two_processes_learn_what_one_learns_from_twice_the_rows(tmp_path):
    training = Ppo(team_member.SETTINGS)
    before = {key: value.clone() for key, value in training.net.state_dict().items()}
    rollout = training.collect()
    tensors = {key: getattr(rollout, key) for key in COLUMNS} | rollout.extras | {"last": rollout.last.inputs}
    save_file({key: value.contiguous() for key, value in tensors.items()}, tmp_path / "rollout.safetensors")

    for ran in team(*MEMBER, str(tmp_path)):
        assert ran.returncode == 0, ran.stderr
    for games in (8, 4):
        team_member.main(tmp_path, games)
    both, other, whole, half = (
        load_file(tmp_path / f"learned-{name}.safetensors") for name in ("2-0-8", "2-1-8", "1-0-8", "1-0-4")
    )
    assert apart(both, other) == 0.0, "both processes have the same network"
    assert apart(both, whole) < 1e-3 * apart(whole, before)
    assert apart(half, whole) > 0.1 * apart(whole, before), "half of the rows teach something else"


@pytest.mark.slow
@pytest.mark.parametrize(
    ("program", "small"),
    [
        ("ppo", {"game": "overcooked", "steps": 4, "moves": 64, "hidden": [8], "options": {"horizon": 40}}),
        (
            "clone",
            {
                "game": "hanabi",
                "teacher": "convention-bot",
                "rollout": 4,
                "steps": 64,
                "hidden": [8],
                "evaluation_episodes": 2,
                "minibatch": 8,
            },
        ),
    ],
)
def test_a_training_of_two_reports_once_leaves_one_agent_and_goes_on(program, small, tmp_path):
    config, out = tmp_path / "config.json", tmp_path / "out"
    clone = {"evaluation_episodes": 2, "minibatch": 8}
    more = {"evaluation_games": 2} if program == "ppo" else clone
    config.write_text(json.dumps({**small, **more, "envs": 8, "device": "cpu"}))
    command = ["-m", f"engine.learning.{program}", "--config", str(config), "--out", str(out)]
    ran = [torchrun(*command)] if program == "ppo" else team(*command)
    assert not any(one.returncode for one in ran), ran
    lines = [line for one in ran for line in one.stdout.splitlines()]
    said = [json.loads(line) for line in lines if line.startswith("{")]
    assert [line["type"] for line in said].count("result") == 1
    assert [line["step"] for line in said if line["type"] == "metrics"][-2:] == [32, 64]
    assert read_card(out / "agent")["sha256"] == said[-1]["sha256"]
    one, other = (checkpoints.load_checkpoint(folder).tensors for folder in (out, out / "process-1"))
    assert apart(checkpoints.under("net", one), checkpoints.under("net", other)) == 0.0, "one network"
    games = [name for name in one if name.endswith("states")]
    assert sum(len(one[name]) for name in games) == 4, "half of the games each"
    assert not any(torch.equal(one[name], other[name]) for name in games), "games of one's own"
    if program != "ppo":
        return  # going on is the shell's, the same for all
    first, second = team(*command)
    assert "Going on after update 2 of 2" in first.stdout, first.stderr
    assert (second.returncode, second.stdout) == (0, ""), "one speaks"
    (out / "process-1" / checkpoints.FILE).unlink()
    for broken in team(*command):
        assert broken.returncode != 0 and "no checkpoints of these 2 processes" in broken.stderr
