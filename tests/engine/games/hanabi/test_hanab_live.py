"""Games as hanab.live gives them out: made of games played here, refused where they aren't usual."""

from __future__ import annotations

import gzip
import json

import pytest

from engine.agents.acting import act
from engine.agents.catalogue import load
from engine.games import people
from engine.games.hanabi import rules
from engine.games.hanabi.hanab_live import SUITS
from engine.refusal import Refusal
from engine.simulation.simulation import Simulation

FORM = people.formats()["hanab-live"][1]


def exported(players: int) -> tuple[dict, Simulation]:
    """A game of the convention bot as hanab.live would write it."""
    game = Simulation("hanabi", {"players": players}, seed=3)
    cards = [{"suitIndex": SUITS.index(card // 5), "rank": card % 5 + 1} for card in game.deck]
    bot, actions = load("hanabi/convention-bot"), []
    while not game.over:
        seat = game.current
        action = act(bot, [game], [seat])[0]
        kind = int(rules.action_kind(game.state, action))
        first, value = (int(one) for one in rules.action_detail(game.state, action))
        if kind in (rules.PLAY, rules.DISCARD):
            actions.append({"type": kind, "target": int(rules.key_at(game.state, seat, first)), "value": 0})
        else:
            said = SUITS.index(value) if kind == rules.HINT_COLOR else value + 1
            actions.append({"type": kind, "target": (seat + first) % players, "value": said})
        game.act(seat, action)
    row = {"id": 4321, "players": ["Ann", "Bob", "Cy"][:players], "deck": cards, "actions": actions}
    return row | {
        "options": {"variant": "No Variant", "numPlayers": players, "timed": True},
        "seed": "p2v0s1",
    }, game


GAME, PLAYED = exported(2)


@pytest.mark.parametrize("players", [2, 3])
def test_a_game_comes_out_as_it_was(players):
    row, game = exported(players)
    found = FORM.played(row)
    assert found.simulation.digest() == game.digest()
    assert found.url == "https://hanab.live/replay/4321"
    assert "Ann" not in str(found.seats) and all(seat["kind"] == "person" for seat in found.seats)


def test_a_file_holds_one_game_or_a_list_or_one_a_line(tmp_path):
    for text in (
        json.dumps(GAME, indent=1),
        json.dumps([GAME, GAME]),
        f"{json.dumps(GAME)}\n{json.dumps(GAME)}\n",
    ):
        (tmp_path / "games.json").write_text(text)
        found = list(FORM.games_of(tmp_path / "games.json"))
        assert found and all(row == GAME for row in found)


@pytest.mark.parametrize(
    ("changes", "why"),
    [
        ({"options": {"variant": "Rainbow (6 Suits)"}}, "other rules .variant"),
        ({"options": {"emptyClues": True}}, "other rules .emptyClues"),
        ({"options": {"startingPlayer": 1}}, "other rules .startingPlayer"),
        ({"actions": GAME["actions"][:9]}, "breaks off after 9"),
        (
            {"actions": [*GAME["actions"][:9], {"type": 4, "target": 0, "value": 4}]},
            "ended by hand at action 10",
        ),
        ({"actions": [*GAME["actions"], GAME["actions"][0]]}, "goes on after its end"),
        ({"actions": [{"type": 0, "target": 49}]}, "which isn't in the hand"),
        ({"actions": [{"type": 2, "target": 0, "value": 0}]}, "hint to oneself"),
        ({"actions": [{"type": 3, "target": 1, "value": 6}]}, "isn't one that hanab.live has"),
        ({"actions": [{"type": 1, "target": 0}]}, "Step 1 can't be played: All information tokens"),
        ({"actions": ["play"]}, "has no 'type'"),
        ({"deck": [{"suitIndex": 5, "rank": 1}] * 50}, "The suit of card 1 is 5, not"),
        ({"players": ["Ann"]}, "can't be dealt"),
    ],
)
def test_a_game_that_is_not_usual_or_not_whole_is_refused_with_a_sentence(changes, why):
    with pytest.raises(Refusal, match=why):
        people.replayed(FORM, {**GAME, **changes})


def until_nothing_is_left() -> dict:
    """A game in which every 1 is discarded, so that no card that is left can be played."""
    ones = [suit * 5 for suit in range(5) for _ in range(3)]
    others = [
        suit * 5 + rank
        for suit in range(5)
        for rank, many in ((1, 2), (2, 2), (3, 2), (4, 1))
        for _ in range(many)
    ]
    deck = [*ones[:10], *ones[10:], *others]
    simulation, actions = people.dealt("hanabi", {"players": 2}, deck), []
    while sum(int(simulation.state[rules.DISCARDED + suit * 5]) for suit in range(5)) < 15:
        state, seat = simulation.state, simulation.current
        hand = [int(rules.key_at(state, seat, slot)) for slot in range(5)]
        if len(actions) // 2 % 2 == 0:  # both hint, then both discard
            partner = 1 - seat
            card = int(rules.card_of(state, rules.key_at(state, partner, 0)))
            actions.append({"type": 3, "target": partner, "value": card % 5 + 1})
            action = int(rules.rank_action(state, 1, card % 5))
        else:
            slot = min(range(5), key=lambda slot: int(rules.card_of(state, hand[slot])) % 5)
            actions.append({"type": 1, "target": hand[slot], "value": 0})
            action = slot
        simulation.act(seat, action)
    cards = [{"suitIndex": SUITS.index(card // 5), "rank": card % 5 + 1} for card in deck]
    return {"players": ["Ann", "Bob"], "deck": cards, "actions": actions, "id": 7}


def test_a_game_that_ended_because_no_card_left_could_be_played_is_taken_with_that_reason():
    row = until_nothing_is_left()
    found = FORM.played(row)
    assert not found.simulation.over and found.ended == "no card that was left could be played"
    assert FORM.origin(found)["ended"] == found.ended and FORM.played(GAME).ended == ""
    with pytest.raises(Refusal, match="breaks off"):
        FORM.played(row | {"actions": row["actions"][:-1]})


def test_a_game_without_a_number_is_known_by_its_content():
    names = {people.identity_of(GAME | {"id": name}) for name in (0, "", None, True, "0", [])}
    assert len(names) == 1 and names.pop().startswith("content-")
    other = GAME | {"id": 0, "players": ["Di", "Ed"]}
    assert people.identity_of(other) != people.identity_of(GAME | {"id": 0})
    found = FORM.played(GAME | {"id": 0})
    assert found.url == "" and found.id.startswith("content-")


@pytest.mark.parametrize("packed", [False, True])
@pytest.mark.parametrize(
    ("text", "games", "said"),
    [
        (json.dumps(GAME, indent=4), 1, None),
        (json.dumps([GAME, 3, GAME], indent=4), 2, "1 of 3 that aren't"),
        (
            "a,b,c\n" * 3000,
            0,
            "This is no file of one JSON object a line: none of its first 101 lines is one.",
        ),
        ("\x00\x01 binary", 0, "Line 1 isn't a JSON object."),
        (f"{json.dumps(GAME)}\n" + "x\n" * 500, 1, "Line 2 isn't a JSON object, and 499 more lines aren't."),
        ("[" * 100_000, 0, "Line 1 isn't a JSON object."),
    ],
)
def test_a_file_of_something_else_gives_one_sentence(text, games, said, packed, tmp_path):
    data = text.encode()
    (tmp_path / "file").write_bytes(gzip.compress(data) if packed else data)
    told: list[str] = []
    assert len(list(FORM.games_of(tmp_path / "file", told.append))) == games
    assert len(told) == (said is not None) and (said is None or said in told[0])


@pytest.mark.parametrize("odd", [True, 1.0, -1, 5, "1", None, 10**400, float("nan"), [1], {}])
def test_numbers_of_another_kind_or_range_are_refused_with_a_sentence(odd):
    card, action = GAME["deck"][0], GAME["actions"][0]
    rows = [
        GAME | {"deck": [{**card, "suitIndex": odd}, *GAME["deck"][1:]]},
        GAME | {"deck": [{**card, "rank": 0 if odd == 1 or odd == 5 else odd}, *GAME["deck"][1:]]},
        GAME | {"actions": [{**action, "type": odd}, *GAME["actions"][1:]]},
        GAME | {"actions": [{**action, "target": 70 if odd == 1 or odd == 5 else odd}, *GAME["actions"][1:]]},
    ]
    for row in rows:
        with pytest.raises(Refusal) as why:
            people.replayed(FORM, row)
        assert str(why.value).endswith(".") and "Error" not in str(why.value)
