"""Games as hanab.live gives them out: made of games played here, refused where they aren't usual."""

from __future__ import annotations

import json

import pytest

from engine.agents.acting import act
from engine.agents.catalogue import load
from engine.games import people
from engine.games.hanabi import rules
from engine.games.hanabi.hanab_live import SUITS
from engine.games.people import BadRow
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
        ({"deck": [{"suitIndex": 5, "rank": 1}] * 50}, "five suits"),
        ({"players": ["Ann"]}, "can't be dealt"),
        ({"id": None}, "Its 'id' is missing"),
    ],
)
def test_a_game_that_is_not_usual_or_not_whole_is_refused_with_a_sentence(changes, why):
    with pytest.raises(BadRow, match=why):
        people.replayed(FORM, {**GAME, **changes})
