"""Programs of squads, of this day and of older logs, told back."""

import pytest

from engine.games.arena.language import say
from engine.games.arena.language.programs import ALWAYS, KINDS, clause
from engine.games.arena.language.subgoals import goals

TOLD = [
    ("I follow you.", clause("follow", who="me")),
    ("I wait at the point that you show.", clause("hold", place="there")),
    ("I go to the point that you show.", clause("go", place="there", point=[9000, 12000])),
    ("I go to the north.", clause("go", place="north")),
    ("I go 30 metres to your left, running.", clause("go", place="left", metres=30, flags=["hurrying"])),
    ("I wait behind the nearest rock, crouched.", clause("hold", place="behind rock", flags=["crouched"])),
    ("Player 3 waits for 1 second.", clause("hold", to="player 3", seconds=1)),
    ("Player 2 attacks whoever shoots at us.", clause("attack", to="player 2", who="shooter")),
    ("I attack Player 7.", clause("attack", who=6)),
    ("We all go into the white circle.", clause("rotate", to="all")),
    ("One of us helps you up.", clause("rescue", to="one", who="me")),
    ("Two of us don't search for things.", clause("loot", to="two", negated=True)),
    ("I help you.", clause("help", who="me")),
    ("I attack your target.", clause("attack", who="mine")),
    ("I close in.", clause("go", place="enemy")),
    ("I keep away, far off.", clause("retreat", metres=45)),
    ("I follow you, far off.", clause("follow", who="me", metres=20)),
    ("I look to the north.", clause("look", place="north")),
    ("I look at the one that you look at.", clause("look", who="aim")),
    ("I don't go to the nearest house.", clause("go", place="house", negated=True)),
    ("I don't close in.", clause("go", place="enemy", negated=True)),
    ("I don't attack Player 6 to kill.", clause("attack", who=5, negated=True, result="kill")),
    ("I go to the nearest door, slowly.", clause("go", place="door", flags=["slowly"])),
]


def program(*clauses: dict, **more) -> dict:
    return {"game": "arena", "version": 1, "clauses": list(clauses), **more}


@pytest.mark.parametrize(("sentence", "one"), TOLD, ids=[sentence for sentence, _ in TOLD])
def test_the_sentence_says_what_the_agent_will_do(sentence, one):
    assert say.sentence(program(one)) == sentence


@pytest.mark.parametrize("kind", [*KINDS, *ALWAYS])
def test_every_kind_is_told_and_told_differently_where_it_is_to_end(kind):
    told = say.sentence(program(clause(kind)))
    assert told[0].isupper() and told.endswith(".")
    if kind not in ("attack", "hold_fire", "fire", "stand", "cancel"):  # "don't" is another kind for these
        assert say.sentence(program(clause(kind, negated=True))) != told


def test_one_thing_after_the_other_is_told_so():
    waits, attacks = clause("hold", seconds=10), clause("attack")
    assert say.sentence(program(waits, attacks)) == ("I wait for 10 seconds, then I attack.")
    others = clause("hold", to="player 2"), clause("follow", who="me", to="player 3")
    assert say.sentence(program(*others)) == "Player 2 waits; Player 3 follows you."


def test_sub_goals_of_older_logs_that_nobody_follows_are_told_so():
    north = goals("vw=North")
    alone = program(subgoals=north)
    assert say.sentence(alone) == "I understand: I look north. But I can't follow that yet."
    both = program(clause("follow", who="me"), subgoals={**north, **goals("dt=Nearby")})
    assert say.sentence(both) == "I follow you. I also understand, but can't follow yet: I look north."
