"""The programs of a training round end to end on simulated games: reward model, agent, evaluation."""

import dataclasses
import json
import signal
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
import torch

from engine import games, language
from engine.agents import utility
from engine.agents.catalogue import load, read_card, write_agent
from engine.agents.features import inputs_for, reward_inputs_for
from engine.agents.network import PolicyValueNet
from engine.evaluation.annotators import Annotator
from engine.evaluation.reward_return import play_rewarded
from engine.evaluation.simulated_episodes import play_logs, write_snapshot
from engine.learning.algorithms import evaluate_round, ibt, ppo
from engine.learning.algorithms.ppo import Ppo
from engine.learning.parts.pulls import Pulls, steered
from engine.learning.run.reporting import Reporter
from tests import forks

PPO = {
    "game": "hanabi",
    "moves": 16 * 8 * 3,
    "envs": 16,
    "steps": 8,
    "minibatches": 2,
    "evaluation_games": 8,
    "evaluate_every": 1,
}


@pytest.fixture(scope="module")
def base(tmp_path_factory) -> str:
    """An untrained network as an agent."""
    folder = tmp_path_factory.mktemp("base") / "agent"
    torch.manual_seed(0)
    spec = games.spec("hanabi")
    inputs = inputs_for("hanabi")
    net = PolicyValueNet(inputs.size, [24], spec.num_actions(spec.validate({})))
    card = {"name": "base", "kind": "network", "game": "hanabi", "players": [2], "options": {}}
    card |= {"rules_version": spec.rules_version, "features_version": inputs.version}
    write_agent(folder, {key: value.numpy() for key, value in net.state_dict().items()}, card)
    return str(folder)


@pytest.fixture(scope="module")
def snapshot(tmp_path_factory) -> Path:
    folder = tmp_path_factory.mktemp("snapshot")
    logs = list(play_logs(load("hanabi/random"), 10, mistakes=0.0, seed=4))
    write_snapshot(folder, logs, [Annotator()])
    return folder


@pytest.fixture(scope="module")
def reward_model(snapshot, tmp_path_factory) -> Path:
    out = tmp_path_factory.mktemp("ibt")
    settings = ibt.Settings(
        dataset=str(snapshot), game="hanabi", steps=6, batch=4, hidden=12, simple_model=False
    )
    ibt.train(settings, out, Reporter())
    return out / "reward-model"


def lines(text: str) -> list[dict]:
    return [json.loads(line) for line in text.splitlines()]


def program(name: str, config: dict, out: Path) -> list[str]:
    out.mkdir(parents=True, exist_ok=True)
    (out / "config.json").write_text(json.dumps(config))
    return [
        sys.executable,
        "-m",
        f"engine.learning.{name}",
        "--config",
        str(out / "config.json"),
        "--out",
        str(out),
    ]


def test_the_reward_model_reports_itself_and_its_controls(snapshot, reward_model):
    card = json.loads((reward_model / "card.json").read_text())
    assert card["kind"] == "reward-model"
    assert set(card["held_out"]) == {"model", "simple", "shuffled", "clock", "untrained"}
    assert card["algorithm"] == "ibt" and not card["simple_model"]["used"]
    assert card["held_out"]["clock"]["pair_accuracy"]["value"] == 0.5
    assert card["data"]["simulated_marks"] == card["data"]["marks"] > 0
    model = utility.load(reward_model)
    assert model.skill == card["skill"] == max(0, 2 * card["held_out"]["model"]["delta_auc"]["value"] - 1)
    assert model.sizes["observation_size"] == reward_inputs_for("hanabi").size


@pytest.fixture(scope="module")
def by_one_tick(tmp_path_factory) -> Path:
    """Games of random players in which every card that fits or doesn't is marked."""
    folder = tmp_path_factory.mktemp("by-one-tick")
    write_snapshot(
        folder,
        list(play_logs(load("hanabi/random"), 24, mistakes=0.0, seed=4)),
        [Annotator("x", measure="sparse")],
    )
    return folder


def trained(snapshot: Path, out: Path, **given) -> dict:
    """What a training of few steps says in the end."""
    told: list[dict] = []
    reporter = Reporter()
    reporter.result = lambda **fields: told.append(fields)
    small = {"hidden": 12, "batch": 12, "held_out": 0.3, "controls": False, "lag": 0}
    ibt.train(ibt.Settings(dataset=str(snapshot), game="hanabi", **{**small, **given}), out, reporter)
    return told[0]


def test_a_model_that_learned_less_than_a_linear_one_of_single_ticks_gives_way_to_it(
    by_one_tick, tmp_path, base
):
    result = trained(by_one_tick, tmp_path, steps=1)
    assert result["simple_model"]["used"] and result["simple_model"]["auc_above_trained"]["low"] > 0
    assert any("A simple model does better here" in note for note in result["notes"])
    found = result["held_out"]
    assert found["model"]["delta_auc"]["value"] > found["trained"]["delta_auc"]["value"] + 0.1
    assert result["skill"] == max(0, 2 * found["model"]["delta_auc"]["value"] - 1) > 0.5
    assert result["truth"]["model"]["sign_auc"]["value"] > 0.9
    card = json.loads((tmp_path / "reward-model" / "card.json").read_text())
    assert card["algorithm"] == "ridge" and card["sha256"] == result["sha256"]
    model = utility.load(tmp_path / "reward-model")
    assert isinstance(model, utility.TickModel) and model.skill == result["skill"]
    # And an agent can be trained on it.
    training = Ppo(ppo.Settings(base=base, reward_model=str(tmp_path / "reward-model"), **PPO))
    gains = training.collect().extras["gains"]
    assert torch.isfinite(gains).all() and gains.std() > 0
    assert np.isfinite(list(training.step().values())).all()


def test_the_trained_model_is_kept_where_that_is_asked_for_or_none_is_clearly_better(by_one_tick, tmp_path):
    kept = trained(by_one_tick, tmp_path / "kept", steps=1, simple_model=False)
    assert not kept["simple_model"]["used"] and "simple" in kept["held_out"]
    assert any("isn't used, because the setting says so" in note for note in kept["notes"])
    learned = trained(by_one_tick, tmp_path / "learned", steps=80, hidden=16)
    assert not learned["simple_model"]["used"]
    assert any("A simple model does as well here" in note for note in learned["notes"])
    for name in ("kept", "learned"):
        assert not isinstance(utility.load(tmp_path / name / "reward-model"), utility.TickModel)


def test_a_model_that_reads_no_instructions_is_not_used_where_there_are_some(tmp_path):
    told = list(
        play_logs(
            load("hanabi/random"), 24, mistakes=0.0, seed=4, instructions=["never discard"], always=True
        )
    )
    write_snapshot(tmp_path / "snapshot", told, [Annotator("x", measure="sparse")])
    result = trained(tmp_path / "snapshot", tmp_path / "out", steps=1)
    assert not result["simple_model"]["used"]
    assert any("it reads no instructions" in note for note in result["notes"])


def test_damaged_weights_are_refused(reward_model, tmp_path):
    for name in ("card.json", "weights.safetensors"):
        (tmp_path / name).write_bytes((reward_model / name).read_bytes())
    data = bytearray((tmp_path / "weights.safetensors").read_bytes())
    data[-1] ^= 1
    (tmp_path / "weights.safetensors").write_bytes(bytes(data))
    with pytest.raises(ValueError, match="not those that its card.json describes"):
        utility.load(tmp_path)


def test_a_stopped_reward_model_goes_on_and_ends_as_if_it_never_stopped(snapshot, tmp_path):
    config = {
        "dataset": str(snapshot),
        "game": "hanabi",
        "steps": 400,
        "batch": 4,
        "hidden": 8,
        "clone_steps": 30,
        "controls": False,
    }
    running = forks.Fork(program("ibt", config, tmp_path / "a"))
    for line in running.stdout:
        if '"progress"' in line and json.loads(line)["done"] >= 20:
            break
    running.send_signal(signal.SIGTERM)
    running.stdout.read()
    assert running.wait() == 143
    assert (tmp_path / "a" / "checkpoint.safetensors").exists()
    again = forks.run(program("ibt", config, tmp_path / "a"))
    assert "Going on after update" in again.stdout
    whole = subprocess.run(program("ibt", config, tmp_path / "b"), capture_output=True, text=True, check=True)
    assert lines(again.stdout)[-1]["sha256"] == lines(whole.stdout)[-1]["sha256"]


def test_a_whole_round_makes_an_agent_that_can_be_loaded(base, reward_model, tmp_path):
    settings = ppo.Settings(base=base, reward_model=str(reward_model), name="round-1", **PPO)
    ppo.train(settings, tmp_path, Reporter())
    card = read_card(tmp_path / "agent")
    assert (card["name"], card["algorithm"], card["players"]) == ("round-1", "ppo", [2])
    candidate = str(tmp_path / "agent")
    assert load(candidate).players == (2,)
    found = {}
    reporter = Reporter()
    reporter.result = lambda **result: found.update(result)
    evaluate_round.train(
        evaluate_round.Settings(
            candidate=candidate, base=base, game="hanabi", reward_model=str(reward_model), episodes=8
        ),
        tmp_path,
        reporter,
    )
    assert set(found["self_play"]) == set(found["reward_return"]) == {"candidate", "base", "champion"}
    assert {"base", "hanabi/convention-bot", "hanabi/random"} <= set(found["cross_play"])
    assert all(table["episodes"] == 8 for table in found["cross_play"].values())


def test_moves_of_the_base_are_not_learned_from_and_the_learner_stays_close(base, reward_model):
    torch.manual_seed(0)
    config = ppo.Settings(base=base, reward_model=str(reward_model), base_partner=1.0, value_warmup=0, **PPO)
    training = Ppo(config)
    rollout = training.collect()
    mine = rollout.extras["mine"]
    assert 0.3 < mine.float().mean() < 0.7
    before = [p.clone() for p in training.net.parameters()]
    values = training.learn_rows(training.rows_of(rollout))
    assert any((a != b).any() for a, b in zip(before, training.net.parameters(), strict=True))
    assert values["base_kl"] < 0.1


def test_warming_up_trains_the_value_alone(base):
    training = Ppo(ppo.Settings(base=base, **PPO))
    before = {name: p.clone() for name, p in training.net.named_parameters()}
    training.learn_rows(training.rows_of(training.collect()), warming_up=True)
    changed = {name for name, p in training.net.named_parameters() if (before[name] != p).any()}
    assert changed == {"value.weight", "value.bias"}


def test_the_last_move_of_a_game_earns_its_utility(base, reward_model):
    """A batch begins the next game at once; the state that the last move led to must still be seen."""
    training = Ppo(ppo.Settings(base=base, reward_model=str(reward_model), **PPO))
    for _ in range(6):
        rollout = training.collect()
        ends = rollout.dones.bool()
        if ends.any():
            break
    assert ends.any()
    assert (rollout.extras["gains"][ends] != 0).all()


def test_what_a_game_earns_of_u_is_its_end_less_its_beginning(base, reward_model):
    """Whoever moved: or U could rise in one's own moves and fall in the partner's for ever."""
    training = Ppo(ppo.Settings(base=base, reward_model=str(reward_model), **{**PPO, "base_partner": 0.5}))
    seen, over = [training.collector.batch.states.copy()], []

    def follow(reached, ended):
        seen.append(reached.copy())
        over.append(ended.copy())
        return training.follow(reached, ended)

    training.watch(np.arange(training.config.envs))
    rollout = training.collector.collect(100, training.act, follow)
    model, inputs = utility.load(reward_model), reward_inputs_for("hanabi")
    first = Ppo(ppo.Settings(base=base, reward_model=str(reward_model), **{**PPO, "base_partner": 0.5}))
    given = first.seating.given
    assert given.any() and not given.all()
    for game in range(training.config.envs):
        last = next(tick for tick, ended in enumerate(over) if ended[game])
        states = np.stack([state[game] for state in seen[: last + 2]])
        gained = []
        for seat in np.flatnonzero(~given[game]):
            observed = torch.from_numpy(inputs(states, np.full(len(states), seat)))[None]
            u = model(observed, torch.zeros(1, len(states), model.sizes["instruction_size"]))[0]
            gained.append((u[-1] - u[0]).item())
        found = float(rollout.extras["gains"][: last + 1, game].sum())
        assert found == pytest.approx(np.mean(gained), abs=1e-3)


def test_an_agent_that_never_scores_learns_from_marks_all_the_same(base, reward_model):
    """And what U is worth follows the spreads as they are, not as they were at first."""
    training = Ppo(ppo.Settings(base=base, reward_model=str(reward_model), **PPO))
    rollout = training.collect()
    never = dataclasses.replace(rollout, rewards=torch.zeros_like(rollout.rewards))
    assert training.rewards(never).abs().max() > 0
    at_first = training.earnings.scale
    gains = at_first * rollout.extras["gains"]
    assert gains.square().mean().sqrt().item() == pytest.approx(1.0, rel=0.01)
    extras = {**rollout.extras, "gains": 10 * rollout.extras["gains"]}
    for _ in range(30):
        training.rewards(dataclasses.replace(never, extras=extras))
    assert training.earnings.scale == pytest.approx(at_first / 10, rel=0.05)


class Clock(utility.RewardModel):
    """A utility that goes up by one with every tick."""

    def gains(self, observations, instructions, memory=None):
        return torch.ones(observations.shape[:2]), super().gains(observations, instructions, memory)[1]


@pytest.mark.parametrize(("game", "options"), [("hanabi", {}), ("overcooked", {"horizon": 12})])
def test_the_evaluation_counts_u_over_the_whole_game(game, options):
    bot = load(f"{game}/{'random' if game == 'hanabi' else 'greedy'}", game)
    model = Clock(reward_inputs_for(game, options).size, language.num_features(game), 4)
    played = play_rewarded([bot, bot], game, options, 3, seed=3, reward_model=model)
    assert (played.utilities[:, 0] == played.utilities[:, 1]).all()
    assert (played.utilities == 12).all() if game == "overcooked" else (played.utilities >= 3).all()


def test_an_instruction_pulls_the_policy(base):
    config = {**PPO, "base_partner": 0.0, "value_warmup": 0, "kl_weight": 0.0, "lr": 3e-3}
    text = "never discard"
    training = Ppo(ppo.Settings(base=base, instruction=text, instruction_weight=5.0, **config))

    def discards() -> float:
        rollout = training.collector.collect(40, training.act, training.follow)
        return float((rollout.actions < 5).float().mean())

    before = discards()
    for _ in range(12):
        training.learn_rows(training.rows_of(training.collect()))
    assert discards() < 0.5 * before


def test_an_agent_that_falls_behind_the_base_is_not_written(base):
    training = Ppo(ppo.Settings(base=base, **PPO))
    training.found = {"base": {"score": 10.0, "utility": 0.0}, "best": {"score": 10.0, "utility": 0.0}}
    training.earnings.spreads = {"score": 1.0, "utility": 1.0}
    training.consider({"score": 9.0, "utility": 100.0})
    assert training.found["best"]["score"] == 10.0
    training.consider({"score": 9.9, "utility": 1.0})
    assert training.found["best"]["score"] == 9.9


def test_the_penalty_is_steered_to_the_target():
    assert steered(1.0, base_kl=0.1, target=0.03) > 1
    assert steered(1.0, base_kl=0.001, target=0.03) < 1
    assert steered(1.0, base_kl=0.03, target=0.03) == 1


def test_a_policy_that_its_target_holds_is_told_of(base):
    near, free = Pulls(1.0, 0.05, 0.0), Pulls(1.0, 5.0, 0.0)
    assert near.summary() is None and near.notes() == []
    for pulls in (near, free):
        pulls.steer({"base_kl": 0.06, "passes_cut": 0.0})
    again = Pulls(1.0, 0.05, 0.0)
    again.restore(near.tensors())
    assert again == near and again.summary()["held"] and not free.summary()["held"]
    assert "held at KL 0.06 a move from its base (target_kl is 0.05)" in near.notes()[0]
    assert free.notes() == []
    for _ in range(9):
        free.steer({"base_kl": 0.06, "passes_cut": 0.5})
    assert free.summary()["held"]  # a rollout's passes end before they have moved it


def test_passes_end_early_only_where_the_target_asks_for_it(base):
    training = Ppo(ppo.Settings(base=base, **{**PPO, "epochs": 4, "target_kl": 1e-9, "value_warmup": 0}))
    assert training.advance()["passes_cut"] == 0.75
    assert "passes_cut" not in Ppo(ppo.Settings(base=base, **{**PPO, "kl_weight": 0.0})).advance()


def test_a_stopped_training_goes_on_from_its_checkpoint(base, tmp_path):
    config = {**PPO, "base": base, "moves": 16 * 8 * 400}
    running = forks.Fork(program("ppo", config, tmp_path))
    for line in running.stdout:
        if '"progress"' in line and json.loads(line)["done"] >= 2 * 16 * 8:
            break
    running.send_signal(signal.SIGTERM)
    running.stdout.read()
    assert running.wait() == 143
    resumed = Ppo(ppo.Settings(**config))
    assert resumed.resume(tmp_path)
    assert resumed.update >= 2
    assert np.isfinite(list(resumed.step().values())).all()


@pytest.mark.parametrize(
    ("more", "sentence"),
    [
        ({"base": "hanabi/convention-bot"}, "is a scripted agent"),
        ({"instruction": "the weather is nice"}, "can't be followed"),
        ({"reward_model": "/nowhere"}, "no reward model"),
    ],
)
def test_settings_that_cannot_work_are_refused_with_a_sentence(base, more, sentence):
    with pytest.raises(ValueError, match=sentence):
        Ppo(ppo.Settings(**({"base": base} | PPO | more)))
