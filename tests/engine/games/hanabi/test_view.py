"""What a seat of Hanabi is shown and told."""

from __future__ import annotations

import json

import numpy as np
import pytest

from engine.games.hanabi import rules, words
from engine.simulation.simulation import Simulation


def played(moves: int = 25, players: int = 3, seed: int = 4) -> Simulation:
    game = Simulation("hanabi", {"players": players, "lives": 9}, seed=seed)
    random = np.random.default_rng(seed)
    while game.tick < moves and not game.over:
        game.act(game.current, int(random.choice(np.flatnonzero(game.legal(game.current)))))
    return game


def test_a_view_is_plain_json_and_hides_only_ones_own_cards() -> None:
    game = played()
    for seat in (None, 0, 1, 2):
        view = json.loads(json.dumps(game.view(seat)))
        for hand in view["hands"]:
            hidden = hand["seat"] == seat
            assert all((card["card"] is None) is hidden for card in hand["cards"])
            assert all((card["playable"] is None) is hidden for card in hand["cards"])


@pytest.mark.parametrize("seat", [0, 1])
def test_a_view_does_not_depend_on_what_its_seat_cannot_see(seat: int) -> None:
    """Swap two hidden cards that nothing tells apart: the seat's view and observation stay the same."""
    game = Simulation("hanabi", seed=8)
    deck = list(game.deck)
    first = seat * 5
    deck[first], deck[49] = deck[49], deck[first]
    other = Simulation("hanabi", seed=8, deck=deck)
    assert game.deck != other.deck
    assert game.view(seat) == other.view(seat)
    assert np.array_equal(game.observe(seat), other.observe(seat))


def test_keys_name_the_same_card_through_the_whole_game() -> None:
    game = Simulation("hanabi", seed=3)
    seen: dict[int, int] = {}
    while not game.over and game.tick < 40:
        for hand in game.view(None)["hands"]:
            for card in hand["cards"]:
                assert seen.setdefault(card["key"], card["card"]) == card["card"]
        game.act(game.current, int(np.flatnonzero(game.legal(game.current))[0]))


def test_every_move_is_listed_with_a_reason_when_it_is_not_legal() -> None:
    game = played(moves=6)
    for seat in range(3):
        legal = game.legal(seat)
        moves = game.view(seat)["moves"]
        assert [move["action"] for move in moves] == list(range(game.num_actions - 1))
        for move in moves:
            assert move["legal"] is bool(legal[move["action"]])
            assert (move["why"] is None) is move["legal"]
    assert game.view(None)["moves"] == []


def test_the_last_copy_of_a_card_still_needed_is_critical() -> None:
    game = Simulation("hanabi", {"lives": 9}, deck=_deck_with_two_same_twos_first())
    card = game.view(1)["hands"][0]["cards"][1]
    assert card["card"] == 1 and not card["critical"]
    game.act(0, int(rules.play_action(game.state, 0)))
    card = game.view(1)["hands"][0]["cards"][0]
    assert card["card"] == 1 and card["critical"]


def _deck_with_two_same_twos_first() -> list[int]:
    deck = sorted(Simulation("hanabi").deck)
    for _ in range(2):
        deck.remove(1)
    return [1, 1, *deck]


def test_moves_are_told_in_words_to_each_reader() -> None:
    game = Simulation("hanabi", deck=[0, 1, 2, 3, 4, 0, 0, 6, 7, 8, *_rest([0, 1, 2, 3, 4, 0, 0, 6, 7, 8])])
    game.act(0, int(rules.rank_action(game.state, 1, 0)))
    assert game.last_move_text(0) == "You hinted that Player 2's 1st and 2nd cards are 1."
    assert game.last_move_text(1) == "Player 1 hinted that your 1st and 2nd cards are 1."
    assert game.observation_text(1) == "my partner told me that the rank of my 1st and 2nd cards is 1"
    assert game.action_text(1, 5) == "play my 1st card"
    game.act(1, 5)
    assert game.last_move_text(None) == "Player 2 played R1 (their 1st card)."
    assert game.observation_text(0) == "my partner played the red 1"
    assert game.action_text(0, 14) == "hint the color blue to my partner"
    game.act(0, 5)
    assert game.last_move_text(0) == "You played R1 (your 1st card), which didn't fit: a life is lost."


def _rest(first: list[int]) -> list[int]:
    deck = sorted(Simulation("hanabi").deck)
    for card in first:
        deck.remove(card)
    return deck


def test_what_is_known_of_a_card_is_told_in_words() -> None:
    state = Simulation("hanabi", seed=1)._state
    base = rules.CARDS
    assert words.knowledge_text(state, 0) == "unknown"
    state[base + rules.COLOR_MASK] = 0b00001
    assert words.knowledge_text(state, 0) == "red"
    state[base + rules.RANK_MASK] = 0b00110
    assert words.knowledge_text(state, 0) == "red 2 or 3"
    state[base + rules.COLOR_MASK] = 0b11011
    assert words.knowledge_text(state, 0) == "2 or 3, not green"


def test_a_picture_can_have_any_width_and_shows_the_hidden_hand_as_backs() -> None:
    game = played()
    assert game.picture(0, 320).shape[1] == 320
    assert not np.array_equal(game.picture(0), game.picture(None))
