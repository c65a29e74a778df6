"""Another implementation of Hanabi, measured next to ours."""

from __future__ import annotations

import random
from typing import Any

from tools.peers import windows

HLE_STEPS = 500


def hle(options: dict[str, Any], observations: str, batch: int, seconds: float) -> float:
    """The Hanabi Learning Environment through its own Python layer; with observations, the seat to move
    encodes.
    """
    try:
        from hanabi_learning_environment import pyhanabi
    except ImportError:
        raise ImportError("the package hanabi-learning-environment isn't installed") from None
    game = pyhanabi.HanabiGame(
        {
            "players": options["players"],
            "colors": options["colors"],
            "ranks": options["ranks"],
            "hand_size": options["hand_size"],
            "max_information_tokens": options["information_tokens"],
            "max_life_tokens": options["lives"],
            "seed": 1,
        }
    )
    encoder = pyhanabi.ObservationEncoder(game, pyhanabi.ObservationEncoderType.CANONICAL)
    choose = random.Random(1).choice

    def run() -> None:
        state = game.new_initial_state()
        steps = 0
        while steps < HLE_STEPS:
            if state.is_terminal():
                state = game.new_initial_state()
            if state.cur_player() == pyhanabi.CHANCE_PLAYER_ID:
                state.deal_random_card()
                continue
            if observations != "none":
                encoder.encode(state.observation(state.cur_player()))
            state.apply_move(choose(state.legal_moves()))
            steps += 1

    return max(windows(run, HLE_STEPS, seconds))


PEERS = {"hle": hle}
