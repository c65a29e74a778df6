"""For training in Overcooked: settings for games of 400 ticks, points in twenties; what scores mean."""

from typing import Any

from engine.games.overcooked.layouts import CLASSIC
from engine.games.overcooked.new_kitchens import FIRST_TO_LEARN

EPISODES = 24
"""Simulated ones that are collected for a round."""
MEANING = "Points are the return of a game of 400 ticks, 20 for each soup."
UNIT = (20, "soups a game")
"""Points of what people count in, and its name."""
SETTINGS: dict[str, dict[str, dict[str, Any]]] = {
    "ibt": {
        # Spans in which an agent that plays better than those who were marked still does what they did.
        "usual": {
            "level": True,
            "renew": True,
            "window": 40,
            "batch": 128,
            "no_mark_weight": 0.02,
            "steps": 600,
            "clone_steps": 200,
            "mark_window": 2,
        },
        "tiny": {"steps": 40, "clone_steps": 20, "batch": 32},
        "thorough": {"steps": 1500},
    },
    "ar": {
        "usual": {"steps": 250, "batch": 16, "clone_steps": 150, "mark_window": 2},
        "tiny": {"steps": 40, "clone_steps": 20},
        "thorough": {"steps": 1500},
    },
    "ppo": {
        "usual": {
            "moves": 51_200,
            "envs": 64,
            "steps": 100,
            "lr": 2e-4,
            "gae_lambda": 0.98,
            "evaluation_games": 16,
            "allowed_drop": 10.0,
        },
        "tiny": {"moves": 3200, "envs": 16, "steps": 50, "evaluation_games": 8},
        "thorough": {"moves": 2_000_000, "envs": 128, "evaluation_games": 128},
        "first": {
            "moves": 6_000_000,
            "envs": 128,
            "steps": 100,
            "epochs": 4,
            "minibatches": 12,
            "lr": 1e-3,
            "gae_lambda": 0.98,
            "clip_values": True,
            "value_weight": 0.5,
            "value_warmup": 0,
            "entropy_weight": 0.03,
            "entropy_left": 0.1,
            "reward_scale": 0.1,
            "shaping_moves": 3_000_000,
            "random_starts": 0.5,
            "kl_weight": 0.0,
            "base_partner": 0.0,
            "evaluate_every": 40,
            "evaluation_games": 32,
            "keep_best": False,
        },
    },
    "evaluate_round": {
        "usual": {"episodes": 24},
        "tiny": {"episodes": 8},
        "thorough": {"episodes": 400},
    },
}
"""By program and size of a round, where its own defaults don't suit; the usual ones count in every size.
"first" is no size, but what makes first agents, from nothing.
"""


def card(options: dict[str, Any], reads: str) -> dict[str, Any]:
    """What the card of every network says: it cooks in one kitchen, however long, wherever it starts; one
    that reads what any kitchen has cooks in all of them.
    """
    named = () if reads == "public" else ("layout", "dynamics")
    return {"options": {name: options[name] for name in named}}


def elsewhere(count: int) -> list[dict[str, Any]]:
    """Options of `count` kitchens to learn in: the classic ones, and new ones that nobody is judged in; every
    other one starts anywhere, and every eighth has the new dynamics.
    """
    names = [*CLASSIC, *(f"new {FIRST_TO_LEARN + number}" for number in range(max(0, count - len(CLASSIC))))]
    return [
        {
            "layout": name,
            "start": ("fixed", "random")[place % 2],
            "dynamics": "new" if place % 8 == 7 else "old",
        }
        for place, name in enumerate(names[:count])
    ]
