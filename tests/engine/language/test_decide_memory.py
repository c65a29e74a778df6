"""What `decide` keeps on disk: by any number of processes at once, and never in the way."""

from __future__ import annotations

import multiprocessing

import pytest

from engine.language.decisions import prompt
from engine.language.decisions.answers import Usage
from engine.language.decisions.memory import Memory, key_of
from engine.language.decisions.questions import parse

CONTEXT = {"game": "hanabi", "instruction": "hint red"}
QUESTION = {"question": "Should I?"}


def write(number: int) -> None:
    kept = Memory()
    for i in range(20):
        kept.keep("model", [(f"{number} {i} {j}", [0.25, 0.75]) for j in range(10)])
    kept.close()


def test_two_processes_write_at_once(fresh_var):
    spawn = multiprocessing.get_context("spawn")
    writers = [spawn.Process(target=write, args=(i,)) for i in range(2)]
    for writer in writers:
        writer.start()
    for writer in writers:
        writer.join()
        assert writer.exitcode == 0
    kept = Memory()
    keys = [f"{n} {i} {j}" for n in range(2) for i in range(20) for j in range(10)]
    assert kept.answers([*keys, "unknown"]) == dict.fromkeys(keys, [0.25, 0.75])
    kept.close()


def test_a_broken_file_is_no_obstacle(fresh_var):
    (fresh_var / "language.sqlite3").write_bytes(
        b"this is no database, but it is as long as its header is" * 9
    )
    kept = Memory()
    kept.keep("model", [("a", [1.0, 0.0])])
    kept.keep_server("here", {"mode": "systemone"})
    assert kept.answers(["a"]) == {} and kept.server("here") is None
    kept.close()


def test_what_a_server_can_do_is_found_out_again_after_a_day(fresh_var, monkeypatch):
    kept = Memory()
    kept.keep_server("here", {"mode": "systemone"})
    assert kept.server("here") == {"mode": "systemone"}
    monkeypatch.setattr("engine.language.decisions.memory.KNOWN_SECONDS", -1)
    assert kept.server("here") is None
    kept.close()


@pytest.mark.parametrize(
    ("model", "context", "question"),
    [
        ("other", CONTEXT, QUESTION),
        ("model", CONTEXT | {"instruction": "hint blue"}, QUESTION),
        ("model", CONTEXT | {"state": 1}, QUESTION),
        ("model", CONTEXT, {"question": "Should I not?"}),
        ("model", CONTEXT, QUESTION | {"choices": ["yes", "no"]}),
    ],
)
def test_model_context_and_question_make_the_key(model, context, question):
    assert key_of(model, context, parse(question)) != key_of("model", CONTEXT, parse(QUESTION))
    assert key_of("model", CONTEXT, parse(QUESTION)) == key_of("model", dict(CONTEXT), parse(dict(QUESTION)))


def test_another_prompt_is_another_key(monkeypatch):
    before = key_of("model", CONTEXT, parse(QUESTION))
    monkeypatch.setattr(prompt, "VERSION", prompt.VERSION + 1)
    assert key_of("model", CONTEXT, parse(QUESTION)) != before


def test_what_asking_took_adds_up_by_day_and_model(fresh_var):
    kept = Memory()
    kept.spend("a", Usage(2, 100, 3, 0.5))
    kept.spend("a", Usage(1, 50, 0, 0.25, remembered=9))
    kept.spend("b", Usage(1))
    kept.spend("c", Usage(remembered=7))  # nobody was asked
    assert [(model, used) for _, model, used in kept.spent()] == [
        ("a", Usage(3, 150, 3, 0.75)),
        ("b", Usage(1)),
    ]
    kept.close()
