"""Sub-goals of instructions as chips: what is asked for, how far it is, and what is left when one goes."""

import numpy as np
import pytest

from engine import language
from engine.agents.catalogue import load
from engine.games.arena import chips, goals, wanted
from engine.games.arena import state as s
from engine.games.arena.language import wants
from engine.games.arena.language.carried import carried
from engine.games.arena.language.declared import DECLARED
from engine.games.arena.subgoal_table import COUNT, INDEX, SUBGOALS
from engine.language import bank
from engine.language.declared import parse
from engine.refusal import Refusal
from engine.simulation.simulation import Simulation
from tests.engine.games.arena.language.test_following import match, metres, place, play, program, put

POINT, PRONE, CROUCH = "Distance with point", "Whether prone position", "Whether crouch position"


def asked(notation: str) -> list[tuple[int, str, str]]:
    found = wants.of_program(carried(parse(DECLARED, notation), None).program)
    return [(one["clause"], one["name"], one["value"]) for one in found]


def now(sim: Simulation, told: dict, seat: int = 1) -> dict[str, tuple[float, str]]:
    """{name: (share met, what is now)} of one instruction."""
    language.progresses("arena", [told], sim, seat)
    [found] = wants.now([told], sim, seat)
    return {one["name"]: tuple(far) for one, far in zip(found["subgoals"], found["far"], strict=True)}


def instead(told: dict, *kept: tuple[int, str, str]) -> dict:
    keys = ("clause", "name", "value")
    return wants.instead(told, [dict(zip(keys, one, strict=True)) for one in kept])


def test_what_is_typed_stands_as_its_sub_goals_before_there_is_a_match():
    assert asked("prone") == [(0, PRONE, "True")]
    assert asked("go at=house how=crouched then prone") == [
        (0, CROUCH, "True"),
        (0, POINT, "Touch"),
        (1, PRONE, "True"),
    ]
    assert asked("cancel") == []
    [one] = wants.of_program(carried(parse(DECLARED, "follow whom=me"), None).program)
    assert (one["label"], one["says"], one["values"][0]) == (
        "distance with you",
        "nearby",
        ["Touch", "touch"],
    )
    assert one["sentence"] == "I stay 2 to 10 metres from you."


def test_a_match_asks_for_the_same_as_networks_read():
    sim = match()
    told = program("take_cover how=quietly", sim)
    goal, out = language.goals("arena", [told], sim, 1), np.full(COUNT, -1, np.int8)
    wanted.wanted(sim.state, 1, goal, out)
    assert set(now(sim, told)) == {SUBGOALS[index].name for index in np.flatnonzero(out >= 0)}


def test_how_far_a_sub_goal_is_follows_the_match_and_mates_are_players():
    sim = match()
    lie = program("prone", sim)
    assert now(sim, lie) == {PRONE: (0.0, "no")}
    play(sim, load("arena/strong", "arena", sim.options), [lie], 60)
    assert now(sim, lie) == {PRONE: (1.0, "yes")}
    go = program("go at=north metres=40", sim)
    share, text = now(sim, go)[POINT]
    goal = language.goals("arena", [go], sim, 1)
    away = np.linalg.norm(goal[[goals.X, goals.Y]] - place(sim, 1)) / s.UNIT
    assert text == f"{round(away)} m" and 10 < away < 25
    # "Moderate", from 10 to 25 metres, is two of five steps from "Touch", and each metre of it counts.
    assert share == pytest.approx(1 - (2 + (away - 10) / 15) / 5, abs=0.01)
    follow = program("follow whom=me", sim)
    language.progresses("arena", [follow], sim, 2)
    [found] = wants.now([follow], sim, 2)
    assert found["subgoals"][0]["label"] == "distance with Player 1"
    assert found["far"][0][1] == f"{round(metres(sim, 0, 2))} m"


def test_what_is_done_has_no_chips():
    sim = match()
    told = program("heal", sim)
    put(sim, 1, hp=100)
    assert now(sim, told) == {}


def test_a_sub_goal_taken_away_leaves_the_order_that_is_left_or_a_goal_vector():
    sim = match()
    both = program("go at=house how=crouched then prone", sim)
    upright = instead(both, (0, POINT, "Touch"), (1, PRONE, "True"))
    goal = language.goals("arena", [upright], sim, 1)
    assert (goal[goals.KIND], goal[goals.FLAGS]) == (goals.GO, 0)
    assert upright["reading"] == "I stay less than 2 metres from the point, then I lie down."
    assert now(sim, upright).keys() == {POINT}

    crouch = instead(both, (0, CROUCH, "True"))  # its place goes, and its second part whole
    assert len(crouch["clauses"]) == 1 and crouch["reading"] == "I crouch."
    assert language.goals("arena", [crouch], sim, 1)[goals.KIND] == goals.CROUCH

    hide = program("take_cover", sim)
    unseen = instead(hide, (0, "Whether seen by enemy", "False"))
    goal = language.goals("arena", [unseen], sim, 1)
    vector = goal[goals.VECTOR : goals.VECTOR + COUNT]
    assert goal[goals.KIND] == goals.FREE
    assert {SUBGOALS[i].name: SUBGOALS[i].values[vector[i] - 1] for i in np.flatnonzero(vector)} == {
        "Whether seen by enemy": "False"
    }


def test_another_value_is_asked_of_every_mate_by_their_own_count():
    sim = match()
    near = program("follow whom=mate", sim) | {"from_seat": 2}
    near["clauses"] = [{**near["clauses"][0], "who": "me"}]
    close = instead(near, (0, "Distance with teammate 1", "Touch"))
    for seat, number in ((0, 2), (3, 3)):
        goal, out = language.goals("arena", [close], sim, seat), np.full(COUNT, -1, np.int8)
        wanted.wanted(sim.state, seat, goal, out)
        assert {SUBGOALS[i].name for i in np.flatnonzero(out >= 0)} == {f"Distance with teammate {number}"}
        assert out[INDEX[f"Distance with teammate {number}"]] == 0
        assert chips.of_goal(goal, sim, seat)[0]["label"] == "distance with Player 3"


def test_a_goal_vector_is_done_once_all_of_it_is_met_unless_it_lasts():
    sim = match()
    told = instead(program("attack", sim), (0, CROUCH, "True"), (0, "Whether hold a gun", "True"))
    progress = language.progress("arena", told, sim, 1)
    assert (progress["state"], progress["text"]) == ("obeying", "1 of 2 so far")
    alone = instead(program("attack", sim), (0, "Whether hold a gun", "True"))
    assert language.progress("arena", alone, sim, 1)["state"] == "done"
    lasts = instead(program("take_cover", sim), (0, "Whether hold a gun", "True"))
    assert language.progress("arena", lasts, sim, 1)["state"] == "obeying"


@pytest.mark.parametrize(
    ("kept", "why"),
    [
        ([], "Nothing would be left to do"),
        ([(0, "Whether happy", "True")], "There is no sub-goal 'Whether happy'"),
        ([(0, PRONE, "Perhaps")], "is one of True, False, not 'Perhaps'"),
        ([(0, PRONE, "True"), (0, CROUCH, "True")], "don’t go together"),
        ([(3, PRONE, "True")], "Part 4 of the instruction has no sub-goals"),
    ],
)
def test_what_cannot_be_asked_for_is_refused_with_a_sentence(kept, why):
    with pytest.raises(Refusal, match=why):
        instead(carried(parse(DECLARED, "prone"), None).program, *kept)


def test_every_chip_of_what_people_say_can_be_taken_away_alone():
    """Of the bank's programs each 50th: what is left is carried out, told and shown."""
    edits = 0
    for _, means, _ in list(bank.programs("arena"))[::50]:
        told = carried(parse(DECLARED, means.split("||")[0].strip()), None).program
        found = wants.of_program(told) if told else []
        for one in found if len(found) > 1 else []:
            left = wants.instead(told, [other for other in found if other is not one])
            assert len(wants.of_program(left)) >= len(found) - 1 and left["reading"].endswith(".")
            edits += 1
    assert edits > 100
