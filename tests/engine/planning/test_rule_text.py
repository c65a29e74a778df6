"""A game's rule text as a model reads it, beside what the game declares; the model is a rule of the test."""

from __future__ import annotations

import json
from typing import Any

import pytest

from engine.language.decisions import settings as who
from engine.planning import rule_text
from engine.refusal import Refusal

DRAWN = {
    "objects": ["hole", "goal"],
    "aims": ["stand on a goal each"],
    "acts": ["step one way, if there is lake", "go to a goal", "fly over a hole"],
}


def reads(body: dict[str, Any]) -> str:
    """Paragraphs about players are relevant; an act is the declared one that begins like it."""
    fields = body["response_format"]["json_schema"]["schema"]["properties"]
    if "decisions" not in fields:
        return json.dumps(DRAWN)
    asked = json.loads(body["messages"][-1]["content"])
    known = " ".join(asked["known"].values())
    labels = {}
    for name, question in asked["questions"].items():
        begins = {
            label for label, text in question["options"].items() if text.split(":")[0] == known.split()[0]
        }
        yes = "player" in known.lower() or "Is ice" in question["question"]
        options = list(question["options"])
        labels[name] = begins.pop() if begins else options[0 if yes else -1]
    return json.dumps({"decisions": labels})


def test_what_a_model_reads_is_compared_with_what_is_declared(chats) -> None:
    script = chats(reads, mode="structured")
    found = rule_text.compared("frozen_lake_2", who.from_environment())
    assert 0 < found.kept < found.paragraphs
    assert found.found == {"step": [DRAWN["acts"][0]], "go": [DRAWN["acts"][1]]}
    assert found.undeclared == ["fly over a hole"] and set(found.missing) == {"wait", "follow", "first"}
    assert (found.objects, found.aims) == (DRAWN["objects"], DRAWN["aims"]) and "hole" in found.things
    drawn = next(body for body in script.bodies if body["messages"][0]["content"] == rule_text.RULES)
    assert len(json.loads(drawn["messages"][1]["content"])) == found.kept


def test_the_rule_text_is_what_the_rules_and_the_pages_say() -> None:
    paragraphs = rule_text.rule_text("frozen_lake_2")
    assert any("FrozenLake-2" in one for one in paragraphs) and any(
        "Two players cross" in one for one in paragraphs
    )
    assert all(one == " ".join(one.split()) for one in paragraphs)


def test_a_model_that_writes_something_else_is_refused(chats) -> None:
    def answer(body: dict[str, Any]) -> str:
        fields = body["response_format"]["json_schema"]["schema"]["properties"]
        return reads(body) if "decisions" in fields else '{"acts": 3}'

    chats(answer, mode="structured")
    with pytest.raises(Refusal, match="“objects” of the answer must be a list of texts"):
        rule_text.compared("frozen_lake_2", who.from_environment())


def test_without_a_model_that_writes_the_command_says_where_to_set_one(
    monkeypatch, capsys, fresh_var
) -> None:
    monkeypatch.delenv("COPLAY_LANGUAGE_PROVIDER", raising=False)
    assert rule_text.main(["--game", "frozen_lake_2"]) == 1
    assert "set COPLAY_LANGUAGE_PROVIDER=endpoint" in capsys.readouterr().err
