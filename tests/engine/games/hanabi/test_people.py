"""The recorded games of people that Hanabi ships, and rows that aren't what they say."""

from __future__ import annotations

from collections import Counter

import pytest

from engine import games
from engine.games import people
from engine.games.hanabi import rules
from engine.refusal import Refusal
from engine.simulation.simulation import Simulation

FORM = people.formats()["people-hanabi"][1]
ROWS = list(FORM.games_of(games.folder("hanabi") / people.SHIPPED))


def row(**changes):
    return {**ROWS[0], **changes}


def moved(number, move):
    moves = list(ROWS[0]["moves"])
    moves[number - 1] = move
    return row(moves=moves)


def test_twenty_games_with_each_agent_are_shipped_and_come_out_as_recorded():
    played = [people.replayed(FORM, one) for one in ROWS]
    assert Counter(one.kind for one in played) == {"outer": 20, "intentional": 20, "full": 20}
    assert all(one.simulation.over for one in played)
    assert len({(one.kind, one.seats[1]["name"]) for one in played}) == 60


def test_they_hold_discards_with_all_hints_there_which_the_printed_rules_refuse():
    unusual = next(one for one in ROWS if one["legal_moves"] < len(one["moves"]))
    assert FORM.played(unusual).simulation.options["discard"] == "always"
    usual = Simulation("hanabi", {"bomb": "keep"}, deck=unusual["deck"])
    recorded = FORM.played(unusual).simulation.actions
    for joint in recorded[: unusual["legal_moves"]]:
        usual.step(joint)
    refused = recorded[unusual["legal_moves"]][int(usual.state[rules.CURRENT])]
    assert "discarding isn't allowed" in usual.why_illegal(usual.current, refused)


def test_a_person_is_a_pseudonym_and_what_they_said_a_rating():
    said = next(one for one in ROWS if (one["survey"] or {}).get("like") == "vhate")
    played = FORM.played(said)
    assert played.seats[1]["name"].startswith("H-") and said["participant"] not in str(played.seats)
    assert [(r["seat"], r["partner_seat"], r["partner"]) for r in played.ratings] == [(1, 0, 1)]
    assert played.survey == said["survey"]


@pytest.mark.parametrize(
    ("bad", "why"),
    [
        (moved(1, [0, "rank", 0, None, 1]), "Move 1 is a hint to oneself"),
        (moved(1, [1, "play", 0, None, None]), "The seat to make move 1 is 0, where 1"),
        (moved(1, [0, "sing", 0, None, None]), "Move 1 isn't written"),
        (moved(1, [0, "play", 7, None, None]), "Move 1 is of a card"),
        (moved(1, [0, "play", True, None, None]), "Move 1 isn't written"),
        (moved(1, "play"), "Move 1 isn't written"),
        (row(score=ROWS[0]["score"] + 1), "The score is"),
        (row(end="lives" if ROWS[0]["end"] == "cards" else "cards"), "The end is"),
        (row(last_hands=[[0, 0, 0, 0, 0], None]), "The last hand of seat 0"),
        (row(deck=ROWS[0]["deck"][:-1]), "Its game can't be dealt"),
        (row(deck=None), "Its 'deck' is missing"),
        (row(moves=[]), "aren't of one length"),
        (row(ai="chess"), "Its 'ai' or"),
        (row(time="yesterday"), "no time"),
        (row(survey=[1]), "It isn't what the format says"),
        (row(moves=ROWS[0]["moves"][:-1], hints_left=ROWS[0]["hints_left"][:-1], shown=ROWS[0]["shown"][:-1]),
         "The end is not there"),
        (row(moves=[*ROWS[0]["moves"], ROWS[0]["moves"][0]], hints_left=[*ROWS[0]["hints_left"], None],
             shown=[*ROWS[0]["shown"], None]), "It goes on after its end"),
    ],
)  # fmt: skip
def test_a_row_that_is_not_what_it_says_is_refused_with_a_sentence(bad, why):
    with pytest.raises(Refusal, match=why):
        people.replayed(FORM, bad)


@pytest.mark.parametrize(("name", "wrong"), [("hints_left", 9), ("shown", [24, 1])])
def test_every_hint_count_and_every_card_is_held_against_the_record(name, wrong):
    at = next(i for i, value in enumerate(ROWS[0][name]) if value is not None)
    changed = list(ROWS[0][name])
    changed[at] = wrong
    with pytest.raises(Refusal, match=f"move {at + 1}"):
        FORM.played(row(**{name: changed}))
