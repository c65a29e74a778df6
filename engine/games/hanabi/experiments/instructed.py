"""The conventions of section 5.2 of the instructRL paper: see engine.experiments.instructed."""

from typing import Any

COLOUR = "Colour hints mean play, rank hints mean save"
RANK = "Rank hints mean play, colour hints mean save"


def hands(moves: int, episodes: int, envs: int = 256) -> dict[str, Any]:
    """Two players who only play what they know to fit, before."""
    return {
        "name": "hanabi",
        "seeds": 3,
        "options": {"players": 2},
        "arms": {"colour": COLOUR, "rank": RANK, "untold": ""},
        "kinds": {"colour": "hint_color", "rank": "hint_rank"},
        "program": "instruct_ppo",
        "training": {
            "base": "hanabi/grounded",
            "moves": moves,
            "envs": envs,
            "steps": 64,
            "lr": 5e-4,
            "entropy_weight": 0.004,
            "instruction_weight": 0.15,
            "instruction_left": 0.2,
            "reward_scale": 0.1,
            "evaluate_every": 1000,
            "evaluation_games": 64,
        },
        "episodes": episodes,
        "listener": "hanabi/told",
        "bars": {"self_play": 21.5, "apart": 0.5, "kind": 0.8, "listener": 1.0, "wrong": 3.0},
    }


def small(moves: int, imitated: int, episodes: int, envs: int = 256) -> dict[str, Any]:
    """Two colours and hands of three, by instructQ from an imitation of a bot that plays what it knows."""
    return {
        **hands(moves, episodes, envs),
        "name": "two-colours",
        "listener": "",
        "options": {"players": 2, "colors": 2, "hand_size": 3},
        "start": {"teacher": "grounded-bot", "reads": "public", "hidden": [128, 128], "steps": imitated},
        "program": "instruct_q",
        "training": {
            "memory": 64,
            "moves": moves,
            "envs": envs,
            "reward_scale": 0.1,
            "evaluate_every": 1000,
            "evaluation_games": 64,
        },
        "bars": {"apart": 0.5, "kind": 0.8},
    }


SETTINGS = [hands(8_000_000, 500), small(1_000_000, 1_500_000, 500)]
QUICK = [hands(16_384, 20, 32), small(16_384, 16_384, 20, 32)]
