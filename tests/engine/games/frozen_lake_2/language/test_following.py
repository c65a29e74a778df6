"""Instructions on the lake: what they ask of the next step, and when they are done."""

from __future__ import annotations

import numpy as np
import pytest

from engine import language
from engine.agents.acting import act
from engine.agents.catalogue import load
from engine.games.frozen_lake_2.language import reasons
from engine.language.following import following
from engine.simulation.life import State
from engine.simulation.simulation import Simulation
from tests.engine.games.frozen_lake_2.lakes_of import GAME, asked, go, lake, places, told


def prior(sim: Simulation, seat: int, *notations: str, since: int = 0) -> str:
    """What instructions of the other player ask a seat for."""
    programs = [told(notation, since, 1 - seat) for notation in notations]
    return asked(language.priors(GAME, programs, sim, seat))


def state(sim: Simulation, seat: int, notation: str) -> tuple[str, str]:
    (found,) = language.progresses(GAME, [told(notation, 0, 1 - seat)], sim, seat)
    return found["state"], found["text"]


@pytest.mark.parametrize(
    ("notation", "letters"),
    [
        ("go at=goal side=left", "LD"),
        ("go at=goal side=right", "RD"),
        ("go at=goal side=nearest", "LD"),
        ("go at=goal side=other", "RD"),
        ("go column=1 row=2", "LU"),
        ("go side=top", "U"),
        ("go side=right", "R"),
        ("go at=me", "LU"),
        ("go at=start", "RD"),
        ("step way=up", "U"),
        ("wait", "."),
        ("wait when=i_near", ""),
        ("by=me first", "."),
        ("first", "LRD"),
        ("by=both go at=goal side=left", "LD"),
        ("follow", "LU"),
        ("go at=goal side=left when=i_there", "."),
        ("go at=goal side=left unless=i_there", "LD"),
        ("by=me go at=goal side=left", ""),
        ("not go at=goal side=left", ""),
    ],
)
def test_what_is_asked_of_the_next_step(notation: str, letters: str) -> None:
    sim = lake("1FFFF", "FFFFF", "FFFFF", "FFF2F", "BFFFA")
    go(sim, ".L", ".U")  # player 2 stands in column 3, row 3
    assert set(prior(sim, 1, notation, since=2)) == set(letters)


def test_a_way_leads_round_holes_and_round_the_other_one() -> None:
    sim = lake("1FFB", "FHFF", "FF2A")
    assert prior(sim, 1, "go column=1 row=3") == "L"
    assert prior(sim, 0, "go column=1 row=3") == "D"
    sim = lake("12FB", "FHFF", "FFFA")
    assert prior(sim, 0, "go at=goal side=top") == "D", "there is a way round"
    sim = lake("12FB", "HHFA")
    assert prior(sim, 0, "go at=goal side=top") == "R", "there is none: it follows"


def test_what_can_not_be_done_is_said() -> None:
    sim = lake("1HFB", "2HFA")
    assert state(sim, 1, "go column=2 row=2") == (State.UNABLE, "there is a hole")
    assert state(sim, 1, "go column=7 row=2") == (State.UNABLE, "there is no such place")
    assert state(sim, 1, "go at=goal") == (State.UNABLE, "no way leads there")
    assert state(sim, 1, "step way=right") == (State.UNABLE, "there is a hole")
    assert state(sim, 1, "step way=left") == (State.UNABLE, "the lake ends there")
    assert prior(sim, 1, "step way=right") == ""


def test_an_instruction_is_done_when_its_checker_saw_it() -> None:
    sim = lake("1FFB", "2FFA")
    says = "go column=3 row=2"
    assert state(sim, 1, says) == (State.OBEYING, "go to column 3, row 2")
    go(sim, ".R", ".R")
    assert state(sim, 1, says)[0] == State.DONE
    go(sim, ".L")
    assert state(sim, 1, says)[0] == State.DONE, "it stays done"
    assert prior(sim, 1, says) == ""


def test_steps_are_counted_and_waits_too() -> None:
    sim = lake("1FFB", "2FFA")
    go(sim, ".R", ".L", ".R")
    assert state(sim, 1, "step way=right times=2")[0] == State.DONE
    assert state(sim, 1, "step way=right times=3")[0] == State.OBEYING
    assert state(sim, 1, "wait times=3")[0] == State.DONE
    assert state(sim, 1, "wait times=4")[0] == State.WAITING
    assert prior(sim, 1, "step way=left times=2", since=1) == "L"


def test_one_thing_comes_after_the_other() -> None:
    sim = lake("1FFB", "2FFA")
    says = "wait until=i_there then go at=goal then step way=left"
    assert prior(sim, 1, says) == "."
    go(sim, "R.", "R.")
    assert prior(sim, 1, says) == "."
    go(sim, "R.")
    assert prior(sim, 1, says) == "R"
    go(sim, "LR", ".R", "..")
    assert state(sim, 1, "wait until=i_there then go column=3 row=2")[0] == State.DONE
    sim = lake("1FFB", "2FFA")
    go(sim, "R.")
    assert prior(sim, 1, "wait until=i_move then go side=right") == "R"


def test_bans_and_claims_hold_beside_what_is_asked() -> None:
    sim = lake("1FFF", "F2FF", "BFFA")
    walker = load("walker", GAME)
    programs = [told("not go column=3", 0, 0)]
    while not sim.over:
        heard = [[], programs]
        sim.step([act(walker, [sim], [seat], programs=[heard[seat]])[0] for seat in range(2)])
        assert places(sim)[1][0] != 3
    sim = lake("1F2", "BFA")
    assert prior(sim, 1, "by=me go at=goal side=right ; go at=goal side=left") == "L"
    sim = lake("1FF", "B2A")
    row = language.priors(GAME, [told("by=me go at=goal side=left", 0, 0)], sim, 1)
    assert row[0] < 0 and (row[1:] == 0).all()


def test_a_later_instruction_replaces_what_an_earlier_one_asks_and_not_what_it_forbids() -> None:
    sim = lake("1FFB", "2FFA")
    first, second = told("go at=goal ; not go column=2"), told("wait")
    left = language.remaining(GAME, [first, second], sim, 1)
    assert left[0] is not None and [one["act"] for one in left[0]["clauses"]] == ["go"]
    assert left[0]["clauses"][0]["not"] and left[1] == second
    assert language.remaining(GAME, [told("go side=top"), second], sim, 1) == [None, second]
    assert language.remaining(GAME, left, sim, 1) == left
    ban, ask = told("not go at=goal side=top"), told("go at=goal side=top")
    assert language.remaining(GAME, [ban, ask], sim, 1) == [None, ask]
    assert language.remaining(GAME, [ask, ban], sim, 1) == [None, ban]


def test_rows_of_a_batch_hear_what_a_live_game_does() -> None:
    sim = lake("1FFB", "2FFA")
    many = following(GAME, sim.options, 2)
    rows, seats = np.array([0, 1]), np.array([0, 1])
    many.begin(np.stack([sim.state, sim.state]), rows)
    program = told("step way=right times=2 then wait")
    for letters in ("RR", "RR"):
        assert [asked(row) for row in many.asked([program], rows, seats)] == ["R", "R"]
        go(sim, letters)
        many.follow(np.stack([sim.state, sim.state]), rows)
    assert [asked(row) for row in many.asked([program], rows, seats)] == [".", "."]
    assert not many.done(program, rows, seats).any()
    assert many.done(told("step way=right"), rows, seats).all()


def test_who_is_told_does_it_and_why_not_is_said() -> None:
    sim = Simulation(GAME, {"layout": "4x4"})
    walker, programs = load("walker", GAME), [told("go at=goal side=left", 0, 0)]
    for _ in range(5):
        sim.step([4, act(walker, [sim], [1], programs=[programs])[0]])
    assert places(sim)[1] == (2, 4)
    sim = lake("12FB", "HHFA")
    progress = {"state": State.OBEYING, "text": ""}
    assert reasons.why_not(told("go at=goal"), sim, 0, progress) == ("somebody is in my way", False)
