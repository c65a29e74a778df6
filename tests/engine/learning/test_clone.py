"""Cloning: it learns, it stops at once, it goes on as if it never had, and it refuses bad settings."""

import json
import signal
import subprocess
import sys

import pytest

from engine.agents.catalogue import BadAgent, load, read_card
from engine.learning.clone import Cloning, Settings
from engine.learning.reporting import BadConfig

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
    with pytest.raises(BadConfig, match="other settings"):
        Cloning(settings(lr=0.1)).resume(tmp_path)


def test_an_unknown_teacher_is_refused():
    with pytest.raises(BadAgent, match="nobody"):
        Cloning(settings(teacher="nobody"))


def test_the_agent_that_it_writes_can_be_loaded(tmp_path):
    Cloning(settings()).write(tmp_path, {})
    assert load(str(tmp_path)).players == (2,)
    assert read_card(tmp_path)["hyperparameters"]["teacher"] == "hanabi/convention-bot"


@pytest.mark.slow
def test_the_program_stops_soon_leaves_a_checkpoint_and_another_run_finishes(tmp_path):
    config, out = tmp_path / "config.json", tmp_path / "out"
    config.write_text(json.dumps(SMALL | {"steps": 64 * 16 * 400}))
    running = subprocess.Popen(program(config, out), stdout=subprocess.PIPE, text=True)
    for line in running.stdout:
        if json.loads(line)["type"] == "progress":
            break
    running.send_signal(signal.SIGTERM)
    running.stdout.read()
    assert running.wait(60) == 143
    assert (out / "checkpoint.safetensors").exists()

    config.write_text(json.dumps(SMALL | {"steps": 64 * 16 * 3}))
    fresh = tmp_path / "fresh"
    done = subprocess.run(program(config, fresh), capture_output=True, text=True, check=True)
    result = json.loads(done.stdout.splitlines()[-1])
    assert result["type"] == "result" and result["self_play"]["episodes"] == 100
    again = subprocess.run(program(config, fresh), capture_output=True, text=True, check=True)
    assert json.loads(again.stdout.splitlines()[-1])["sha256"] == result["sha256"]


def test_a_bad_config_is_one_sentence_on_stderr(tmp_path):
    config = tmp_path / "config.json"
    config.write_text('{"game": "hanabi", "teacher": "nobody"}')
    done = subprocess.run(program(config, tmp_path / "out"), capture_output=True, text=True, check=False)
    assert done.returncode == 1
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
