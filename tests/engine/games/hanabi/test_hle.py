"""Hanabi against the Hanabi Learning Environment (HLE): the same deck, the same moves, no difference.

Compared before every move and after the last one: the observation of every seat (plain and packed), the seat
to move, every legal move, reward, tokens, lives, score and the end of the game.
"""

from __future__ import annotations

import random
from collections import Counter

import numpy as np
import pytest

from engine.games.hanabi import observation, options, rules

pyhanabi = pytest.importorskip(
    "hanabi_learning_environment.pyhanabi",
    reason="needs the package hanabi-learning-environment (built with cmake and g++)",
)
lib, ffi = pyhanabi.lib, pyhanabi.ffi

pytestmark = pytest.mark.hle


class Pair:
    """One game in both engines. HLE draws the cards; ours gets each as soon as HLE has dealt it."""

    def __init__(self, hle: object, encoder: object, complete: dict) -> None:
        self.hle = hle.new_initial_state()
        self.encoder = encoder._encoder
        self.players = complete["players"]
        self.state = np.zeros(rules.STATE_SIZE, rules.STATE_DTYPE)
        options.prepare(self.state, complete, 0, 0)
        self.dealt = 0
        self.deal_all()
        hands = [card for hand in self.hle.player_hands() for card in hand]
        for key, card in enumerate(hands):
            self.state[rules.DECK + key] = card.color() * 5 + card.rank()
        rules.deal(self.state)
        self.bits = np.zeros(int(observation.observation_size(self.state)), np.uint8)
        self.packed = np.zeros((len(self.bits) + 7) // 8, np.uint8)
        self.mask = np.zeros(int(rules.num_actions(self.state)), np.int8)

    def deal_all(self) -> None:
        while self.hle.cur_player() == pyhanabi.CHANCE_PLAYER_ID:
            self.hle.deal_random_card()

    def step(self, action: int, move: object) -> None:
        seat = int(self.state[rules.CURRENT])
        before = self.hle.score()
        self.hle.apply_move(move)
        self.deal_all()
        key = int(self.state[rules.DEALT])
        if key < self.state[rules.DECK_SIZE] and rules.action_kind(self.state, action) < rules.HINT_COLOR:
            card = self.hle.player_hands()[seat][-1]
            self.state[rules.DECK + key] = card.color() * 5 + card.rank()
        assert rules.step(self.state, action) == self.hle.score() - before

    def compare(self, moves: list) -> list[int]:
        """Compare everything; returns the legal actions."""
        state, hle = self.state, self.hle
        for seat in range(self.players):
            seen = hle.observation(seat)
            theirs = lib.EncodeObservation(self.encoder, seen.observation())
            expected = np.frombuffer(ffi.string(theirs), np.uint8)[::2] - ord("0")
            lib.DeleteString(theirs)
            observation.encode(state, seat, self.bits)
            observation.encode_packed(state, seat, self.packed)
            assert np.array_equal(self.bits, expected)
            assert np.array_equal(self.packed, np.packbits(expected))
        assert int(state[rules.INFORMATION]) == hle.information_tokens()
        assert int(state[rules.LIVES]) == hle.life_tokens()
        assert int(state[rules.SCORE]) == hle.score()
        assert bool(state[rules.OVER]) == hle.is_terminal()
        if state[rules.OVER]:
            return []
        assert int(state[rules.CURRENT]) == hle.cur_player()
        rules.legal(state, hle.cur_player(), self.mask)
        allowed = [action for action, move in enumerate(moves) if lib.MoveIsLegal(hle._state, move.c_move)]
        assert np.flatnonzero(self.mask).tolist() == allowed
        return allowed


def purposeful(state: np.ndarray, legal: list[int], draw: random.Random) -> int:
    """A good move by somebody who sees all cards: play, discard what is useless, hint, discard the oldest."""
    seat = int(state[rules.CURRENT])
    cards = [
        int(rules.card_of(state, rules.key_at(state, seat, slot)))
        for slot in range(int(rules.hand_size(state, seat)))
    ]
    for slot, card in enumerate(cards):
        if rules.is_playable(state, card):
            return int(rules.play_action(state, slot))
    useless = [
        slot
        for slot, card in enumerate(cards)
        if slot in legal and card % 5 < rules.firework(state, card // 5)
    ]
    hints = [action for action in legal if rules.action_kind(state, action) >= rules.HINT_COLOR]
    if useless and (draw.random() < 0.8 or not hints):
        return useless[0]
    return draw.choice(hints) if hints else 0


def play_games(games: int, seed: int, complete: dict, with_purpose: bool) -> Counter:
    """Play and compare; how often each end came."""
    game = pyhanabi.HanabiGame(
        {
            "players": complete["players"],
            "colors": complete["colors"],
            "ranks": complete["ranks"],
            "hand_size": complete["hand_size"],
            "max_information_tokens": complete["information_tokens"],
            "max_life_tokens": complete["lives"],
            "seed": seed,
        }
    )
    encoder = pyhanabi.ObservationEncoder(game, pyhanabi.ObservationEncoderType.CANONICAL)
    moves = [game.get_move(action) for action in range(game.max_moves())]
    assert game.max_moves() == options.num_actions(complete) - 1
    draw = random.Random(seed)
    ends: Counter = Counter()
    for _ in range(games):
        pair = Pair(game, encoder, complete)
        while legal := pair.compare(moves):
            action = purposeful(pair.state, legal, draw) if with_purpose else draw.choice(legal)
            pair.step(action, moves[action])
        ends[int(pair.state[rules.OVER])] += 1
    return ends


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_250_random_games_agree_in_everything(players: int) -> None:
    play_games(250, 100 + players, options.validate({"players": players}), with_purpose=False)


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_50_purposeful_games_agree_in_everything(players: int) -> None:
    ends = play_games(50, 200 + players, options.validate({"players": players}), with_purpose=True)
    assert ends[rules.COMPLETE] > 0 and ends[rules.OUT_OF_CARDS] + ends[rules.COMPLETE] == 50


@pytest.mark.parametrize(
    "given",
    [
        {"players": 2, "colors": 2, "ranks": 5, "hand_size": 2, "information_tokens": 3, "lives": 1},
        {"players": 3, "colors": 3, "ranks": 4, "hand_size": 3, "information_tokens": 5, "lives": 2},
        {"players": 5, "colors": 4, "ranks": 3, "hand_size": 4, "information_tokens": 8, "lives": 4},
        {"players": 2, "colors": 5, "ranks": 1, "hand_size": 5, "information_tokens": 8, "lives": 3},
        {"players": 4, "colors": 1, "ranks": 5, "hand_size": 1, "information_tokens": 1, "lives": 9},
    ],
)
def test_games_with_other_options_agree_in_everything(given: dict) -> None:
    complete = options.validate(given)
    play_games(10, 300, complete, with_purpose=False)
    play_games(10, 301, complete, with_purpose=True)
