"""Obedience of squad mates: sub-goals are completed when they are asked for, and less often otherwise."""

from engine import language
from engine.agents.catalogue import load
from engine.evaluation.obedience import CONDITIONS
from engine.games.arena.evaluation import obedience as measure
from engine.games.arena.evaluation.obedience import TASKS, obedience, table
from engine.games.arena.language.subgoals import subgoals


def test_scripted_mates_complete_what_they_are_told(monkeypatch):
    monkeypatch.setattr(measure, "LONGEST", 400)
    monkeypatch.setattr(measure, "TASKS", TASKS[1:4])
    mate, others = load("arena/strong", "arena", {}), load("arena/idle", "arena", {})
    found = obedience(mate, others, episodes=2, seed=3)
    assert found["true"]["asked"] > 0
    assert found["true"]["completed"]["share"] > found["none"]["completed"]["share"]
    assert found["true"]["completed"]["share"] > found["opposite"]["completed"]["share"]
    assert all(name in "\n".join(table(found)) for name in (*CONDITIONS, "sub-goals completed", "hold here"))


def test_every_instruction_and_its_contrary_can_be_read():
    for task in TASKS:
        for text in (task.text, task.opposite):
            reading = language.read("arena", text)
            assert not reading.refused and isinstance(subgoals(reading.program), dict)
