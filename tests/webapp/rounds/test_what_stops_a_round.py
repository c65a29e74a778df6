"""What is noticed in a round's jobs rather than before them: it stops with a sentence, and nothing half-made
is offered.
"""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from safetensors.numpy import load_file

from engine.agents.catalogue import WEIGHTS, read_card, write_agent
from engine.refusal import Refusal
from tests.webapp.cast import simulated_episodes, small_network
from webapp.agents.resolve import load_ref
from webapp.datasets.models import Snapshot
from webapp.jobs import jobs, runner
from webapp.jobs.models import Job
from webapp.rounds import candidates, launch, presets
from webapp.rounds import steps as rounds_steps
from webapp.rounds.models import Round

pytestmark = pytest.mark.django_db


@pytest.fixture
def one(adam, settings, tmp_path) -> Round:
    """A round that has started, with a snapshot of many marks."""
    settings.JOBS_DIR = tmp_path
    base = small_network()
    simulated_episodes(base, count=3)
    made = launch.create(
        base, {"data": {"simulated_episodes": True, "simulated_marks": True}, **presets.values("tiny")}, adam
    )
    counts = {"episodes": 9, "marks": 90, "progress": 60, "regression": 30}
    made.snapshot = Snapshot.objects.create(game="hanabi", folder="some", sha256="0" * 64, counts=counts)
    made.save()
    done(made, "snapshot", {"folder": "some"})
    return made


def done(one: Round, kind: str, result: dict) -> None:
    one.jobs.filter(kind=kind).update(state=Job.COMPLETED, result=result)


def reward_model(one: Round, folder, **card) -> None:
    """What the round's second job left."""
    folder.mkdir(exist_ok=True)
    (folder / "card.json").write_text(json.dumps({"kind": "reward-model", "sha256": "abc"} | card))
    done(one, "reward_model", {"folder": str(folder), "sha256": "abc"})


@pytest.mark.parametrize(
    ("counts", "sentence"),
    [
        ({"episodes": 0, "marks": 0, "progress": 0, "regression": 0}, "there is nothing to learn from"),
        ({"episodes": 1, "marks": 9, "progress": 5, "regression": 4}, "at least 2 are needed"),
        ({"episodes": 5, "marks": 9, "progress": 9, "regression": 0}, "No regression is marked"),
    ],
)
def test_marks_that_were_taken_back_stop_the_training_before_it_starts(one, counts, sentence):
    Snapshot.objects.update(counts=counts)
    job = one.jobs.get(kind="reward_model")
    claim = jobs.claim(job.pk, jobs.worker_name())
    assert claim is not None and runner.run(claim) == Job.REFUSED
    job.refresh_from_db()
    assert job.error.startswith("The training is not started.") and sentence in job.error
    assert not jobs.ready().filter(round=one).exists()
    one.refresh_from_db()
    assert one.candidate is None


def test_another_games_reward_model_is_refused(one, tmp_path):
    reward_model(one, tmp_path / "model", game="overcooked")
    done(one, "agent", {"folder": "some"})
    for config in (rounds_steps.agent_config, rounds_steps.evaluation_config):
        with pytest.raises(Refusal, match="is one of overcooked, but the round is one of hanabi"):
            config(one.jobs.get(kind="agent" if config is rounds_steps.agent_config else "evaluation"))


def test_a_reward_model_that_was_changed_or_is_gone_is_refused(one, tmp_path):
    reward_model(one, tmp_path / "model", game="hanabi", sha256="other")
    with pytest.raises(Refusal, match="is not the one that the round made"):
        rounds_steps.agent_config(one.jobs.get(kind="agent"))
    (tmp_path / "model" / "card.json").unlink()
    with pytest.raises(Refusal, match="is gone from"):
        rounds_steps.agent_config(one.jobs.get(kind="agent"))
    reward_model(one, tmp_path / "model", game="hanabi")
    assert rounds_steps.agent_config(one.jobs.get(kind="agent"))["reward_model"] == str(tmp_path / "model")


def test_weights_that_are_no_numbers_never_become_a_candidate(one, tmp_path):
    folder = Path(load_ref(one.base_agent))
    tensors = load_file(folder / WEIGHTS)
    tensors["policy.bias"][0] = np.nan
    write_agent(tmp_path / "agent", tensors, read_card(folder))
    with pytest.raises(Refusal, match="not finite"):
        candidates.build(tmp_path / "agent", {}, {}, tmp_path / "out")
