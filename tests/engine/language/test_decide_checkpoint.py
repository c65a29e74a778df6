"""`ask` through a checkpoint in a local folder: the tiny model that the test server made."""

from __future__ import annotations

import json
import shutil
import sys

import numpy as np
import pytest

from engine.language import questions
from engine.language.decide import ask
from engine.language.decisions import questions as decisions
from engine.language.decisions.settings import Settings

CONTEXT = {"game": "hanabi", "instruction": "If I hint a color, play those cards, otherwise hint rank."}
ASKED = questions("hanabi")[5:700:37]
CHOICE = {"question": "Which colour is meant?", "choices": ["red", "green", "blue"]}
SCORE = {"question": "How urgent is it?", "low": 0, "high": 2}


@pytest.fixture
def folder(served, checkpoint, fresh_var, monkeypatch):
    # Random weights haven't learned to begin with an answer.
    monkeypatch.setattr(decisions, "LEAST_MASS", 0.0)
    return checkpoint


def test_a_checkpoint_that_would_rather_say_something_else_has_not_answered(served, checkpoint, fresh_var):
    decision = ask(CONTEXT, ASKED, Settings("checkpoint", str(checkpoint), seconds=300))
    assert "answered nonsense to 19 of 19" in decision.notice and decision.model == "embedded-5"


def test_a_checkpoint_answers_and_is_remembered(folder):
    asked = [*ASKED, CHOICE, SCORE]
    told = []
    first = ask(CONTEXT, asked, Settings("checkpoint", str(folder), seconds=300), lambda *t: told.append(t))
    assert first.notices == [] and first.model.startswith(folder.name)
    assert len(np.unique(first.probabilities[: len(ASKED)])) > 5
    assert sum(first.probabilities[-2].values()) == pytest.approx(1)
    assert 0 <= first.probabilities[-1]["expected"] <= 2
    assert first.usage.input_tokens > 1000
    assert (16, len(asked)) in told  # a batch
    again = ask(CONTEXT, asked, Settings("checkpoint", str(folder)))
    assert again.usage.requests == 0 and again.probabilities == first.probabilities
    assert "transformers" not in sys.modules


def test_a_checkpoint_that_is_slow_is_stood_in_for(folder):
    decision = ask(CONTEXT, ASKED, Settings("checkpoint", str(folder), seconds=0.2))
    assert "is slow: 0 of 19 questions" in decision.notice and decision.model == "embedded-5"


def test_only_safetensors_are_loaded(folder, tmp_path):
    other = tmp_path / "pickled"
    shutil.copytree(folder, other, ignore=shutil.ignore_patterns("*.safetensors"))
    (other / "pytorch_model.bin").write_bytes(b"not even a pickle")
    decision = ask(CONTEXT, ASKED, Settings("checkpoint", str(other)))
    assert "other kinds of weights aren't loaded" in decision.notice and decision.model == "embedded-5"


def test_a_folder_that_is_not_there_is_named(fresh_var):
    decision = ask(CONTEXT, ASKED, Settings("checkpoint", str(fresh_var / "nowhere")))
    assert "There is no folder" in decision.notice and "nowhere" in decision.notice


def test_code_in_the_folder_is_not_run_and_broken_weights_are_told(folder, tmp_path):
    other = tmp_path / "broken"
    shutil.copytree(folder, other)
    ran = tmp_path / "ran"
    (other / "code.py").write_text(f"open({str(ran)!r}, 'w')\nclass Config: pass\nclass Model: pass\n")
    config = json.loads((other / "config.json").read_text())
    config["auto_map"] = {"AutoConfig": "code.Config", "AutoModelForCausalLM": "code.Model"}
    (other / "config.json").write_text(json.dumps(config))
    (other / "model.safetensors").write_bytes(b"\0" * 100)
    decision = ask(CONTEXT, ASKED, Settings("checkpoint", str(other), seconds=300))
    assert "can't be asked" in decision.notice and decision.model == "embedded-5"
    assert not ran.exists()
