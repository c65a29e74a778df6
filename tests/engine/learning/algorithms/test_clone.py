"""Cloning: it learns, it stops at once, it goes on as if it never had, and it refuses bad settings."""

import json
import signal
import subprocess
import sys

import pytest

from engine.agents.catalogue import load, read_card
from engine.agents.policy import check_fits
from engine.games import spec
from engine.games.overcooked.rules import GRID, MAX_CELLS
from engine.learning.algorithms.clone import Cloning, Settings
from engine.refusal import Refusal
from tests import forks

SMALL = {
    "game": "hanabi",
    "teacher": "convention-bot",
    "hidden": [32],
    "envs": 64,
    "rollout": 16,
    "minibatch": 256,
    "evaluation_episodes": 10,
}


def settings(**more):
    return Settings(**(SMALL | {"steps": 64 * 16 * 6} | more))


def program(config, out):
    return [sys.executable, "-m", "engine.learning.clone", "--config", str(config), "--out", str(out)]


def test_agreement_with_the_teacher_grows():
    cloning = Cloning(settings(lr=3e-3, steps=64 * 16 * 30))
    first = cloning.step()["agreement"]
    for _ in range(24):
        last = cloning.step()["agreement"]
    assert last > first + 0.15


def test_a_resumed_training_goes_on_as_if_it_was_never_stopped(tmp_path):
    whole = Cloning(settings())
    for _ in range(3):
        whole.step()
    whole.save(tmp_path)
    rest = Cloning(settings())
    assert rest.resume(tmp_path)
    assert whole.step() == rest.step()


def test_a_folder_with_other_settings_is_refused(tmp_path):
    Cloning(settings()).save(tmp_path)
    with pytest.raises(Refusal, match="other settings"):
        Cloning(settings(lr=0.1)).resume(tmp_path)


def test_an_unknown_teacher_is_refused():
    with pytest.raises(Refusal, match="nobody"):
        Cloning(settings(teacher="nobody"))


def test_the_agent_that_it_writes_can_be_loaded(tmp_path):
    Cloning(settings()).write(tmp_path, {})
    assert load(str(tmp_path)).players == (2,)
    assert read_card(tmp_path)["hyperparameters"]["teacher"] == "hanabi/convention-bot"


@pytest.mark.slow
def test_the_program_stops_soon_leaves_a_checkpoint_and_another_run_finishes(tmp_path):
    config, out = tmp_path / "config.json", tmp_path / "out"
    config.write_text(json.dumps(SMALL | {"steps": 64 * 16 * 400}))
    running = forks.Fork(program(config, out))
    for line in running.stdout:
        if json.loads(line)["type"] == "progress":
            break
    running.send_signal(signal.SIGTERM)
    running.stdout.read()
    assert running.wait() == 143
    assert (out / "checkpoint.safetensors").exists()

    config.write_text(json.dumps(SMALL | {"steps": 64 * 16 * 3}))
    fresh = tmp_path / "fresh"
    done = subprocess.run(program(config, fresh), capture_output=True, text=True, check=True)
    result = json.loads(done.stdout.splitlines()[-1])
    assert result["type"] == "result" and result["self_play"]["episodes"] == 100
    again = forks.run(program(config, fresh))
    assert json.loads(again.stdout.splitlines()[-1])["sha256"] == result["sha256"]


def test_a_bad_config_is_one_sentence_on_stderr(tmp_path):
    config = tmp_path / "config.json"
    config.write_text('{"game": "hanabi", "teacher": "nobody"}')
    done = subprocess.run(program(config, tmp_path / "out"), capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert done.stderr.count("\n") == 1 and "nobody" in done.stderr


def test_a_cook_can_be_cloned_too():
    small = {**SMALL, "envs": 16, "rollout": 20, "minibatch": 128, "lr": 3e-3}
    cloning = Cloning(Settings(**{**small, "game": "overcooked", "teacher": "greedy"}))
    rollout = cloning.collect()
    first = cloning.learn(rollout)
    for _ in range(10):
        last = cloning.learn(rollout)
    assert last["policy_loss"] < 0.8 * first["policy_loss"]
    assert last["agreement"] > first["agreement"]


COOK = {
    "game": "overcooked",
    "teacher": "greedy",
    "options": {"players": 2, "horizon": 50},
    "reads": "public",
    "elsewhere": 8,
    "instructions": ["stop", "you do onions"],
    "partners": {"overcooked/zoo-lazy": 0.3},
    "hidden": [32],
    "envs": 16,
    "rollout": 16,
    "steps": 16 * 16 * 4,
    "minibatch": 128,
    "evaluation_episodes": 0,
}


def test_one_network_learns_in_many_places_and_what_it_is_told(tmp_path):
    cloning = Cloning(Settings(**COOK))
    assert len({state[GRID : GRID + MAX_CELLS].tobytes() for state in cloning.collector.batch.states}) == 8
    rollout = cloning.collect()
    told = rollout.inputs[..., -6:]  # the answers for six actions
    asked = told.abs().amax(-1) > 0
    assert 0.2 < asked.float().mean() < 0.9
    agreeing = rollout.extras["answers"][asked] == told[asked].argmax(-1)
    assert agreeing[told[asked].amax(-1) > 0].float().mean() > 0.3  # several moves may be as good
    assert (told[asked].gather(1, rollout.extras["answers"][asked][:, None]) >= 0).all()
    card = cloning.write(tmp_path / "cook", {})
    assert card["options"] == {} and card["hears"] == "answers" and card["reads"] == "public"
    for layout in ("coordination_ring", "new 5"):
        check_fits(
            load(str(tmp_path / "cook"), "overcooked"),
            "overcooked",
            spec("overcooked").validate({"layout": layout}),
        )


def test_a_told_training_goes_on_after_a_stop(tmp_path):
    cloning = Cloning(Settings(**COOK))
    cloning.step()
    cloning.save(tmp_path)
    rest = Cloning(Settings(**COOK))
    assert rest.resume(tmp_path)
    assert (rest.collector.batch.states == cloning.collector.batch.states).all()
    assert rest.step()["policy_loss"] > 0


def test_elsewhere_is_refused_where_a_game_has_one_place():
    with pytest.raises(Refusal, match="one place"):
        Cloning(settings(elsewhere=4))


def test_an_instruction_that_is_not_understood_is_refused():
    with pytest.raises(Refusal, match="That is talk"):
        Cloning(Settings(**COOK | {"instructions": ["never mind the weather"]}))
