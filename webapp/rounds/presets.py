"""Sizes of a round that the form offers as buttons. Everything that a preset sets can be changed in the
form."""

from __future__ import annotations

from webapp.rounds import programs

PARTS = ("reward_model", "agent", "evaluation")

PRESETS: dict[str, dict] = {
    "tiny": {
        "title": "Tiny",
        "help": "Under a minute: to see the whole pipeline work. Nothing much is learned.",
        "values": {
            "reward_model-steps": 40,
            "reward_model-batch": 16,
            "reward_model-hidden": 32,
            "agent-moves": 4096,
            "agent-envs": 32,
            "agent-steps": 32,
            "agent-evaluation_games": 32,
            "evaluation-episodes": 60,
        },
    },
    "usual": {
        "title": "Usual",
        "help": "The defaults: some minutes on a CPU core.",
        "values": {},
    },
    "thorough": {
        "title": "Thorough",
        "help": "For a machine that has an hour: more marks seen, more moves played, narrower intervals.",
        "values": {
            "reward_model-steps": 1500,
            "reward_model-hidden": 128,
            "agent-moves": 2_000_000,
            "agent-envs": 256,
            "agent-evaluation_games": 1000,
            "evaluation-episodes": 5000,
        },
    },
}

# What differs in a game; "" is of every size. Overcooked has 400 ticks and brings points in twenties.
# Arena has a thousand decisions a match, and scores from 0 to 100: the share of matches that a squad wins.
GAMES: dict[str, dict[str, dict]] = {
    "arena": {
        "": {
            "reward_model-steps": 300,
            "reward_model-batch": 16,
            "reward_model-mark_window": 2,
            "agent-moves": 61_440,
            "agent-envs": 24,
            "agent-steps": 64,
            "agent-lr": 1e-4,
            "agent-gamma": 0.995,
            "agent-value_weight": 0.1,
            "agent-entropy_weight": 0.002,
            "agent-evaluation_games": 48,
            "agent-evaluate_every": 10,
            "agent-allowed_drop": 10.0,
            "evaluation-episodes": 200,
        },
        "tiny": {
            "reward_model-steps": 20,
            "agent-moves": 256,
            "agent-envs": 4,
            "agent-steps": 32,
            "agent-minibatches": 2,
            "agent-evaluation_games": 4,
            "evaluation-episodes": 4,
        },
        "thorough": {
            "reward_model-steps": 1500,
            "agent-moves": 1_000_000,
            "agent-envs": 48,
            "agent-evaluation_games": 200,
            "evaluation-episodes": 1000,
        },
    },
    "overcooked": {
        "": {
            "reward_model-steps": 200,
            "reward_model-mark_window": 2,
            "agent-moves": 51_200,
            "agent-envs": 64,
            "agent-steps": 100,
            "agent-lr": 2e-4,
            "agent-gae_lambda": 0.98,
            "agent-evaluation_games": 16,
            "agent-allowed_drop": 10.0,
            "evaluation-episodes": 24,
        },
        "tiny": {
            "reward_model-steps": 40,
            "agent-moves": 3200,
            "agent-envs": 16,
            "agent-steps": 50,
            "agent-evaluation_games": 8,
            "evaluation-episodes": 8,
        },
        "thorough": {
            "reward_model-steps": 1500,
            "agent-moves": 2_000_000,
            "agent-envs": 128,
            "agent-evaluation_games": 128,
            "evaluation-episodes": 400,
        },
    },
}


def fields(name: str, game: str) -> dict[str, object]:
    """A preset as values of the form's fields: what differs from the programs' defaults."""
    own = GAMES.get(game, {})
    return {**PRESETS[name]["values"], **own.get("", {}), **own.get(name, {})}


def values(name: str, game: str = "hanabi") -> dict[str, dict]:
    """A preset as round settings: {"reward_model": {"steps": …}, …}."""
    parts: dict[str, dict] = {}
    for key, value in fields(name, game).items():
        part, setting = key.split("-", 1)
        parts.setdefault(part, {})[setting] = value
    return parts


def buttons(games: list[str]) -> dict[str, dict]:
    """For the form's script: {name: {"title", "help", "values": {game: {field: value}}}}; every size sets the
    same fields, so that one undoes another.
    """
    touched = {key for name in PRESETS for game in games for key in fields(name, game)}
    usual = {
        f"{part}-{setting}": value
        for part in PARTS
        for setting, value in programs.defaults(part).items()
        if f"{part}-{setting}" in touched
    }
    return {
        name: {
            "title": preset["title"],
            "help": preset["help"],
            "values": {game: usual | fields(name, game) for game in games},
        }
        for name, preset in PRESETS.items()
    }
