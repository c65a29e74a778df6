"""Sizes of a round that the form offers as buttons. Everything that a preset sets can be changed in the
form."""

from __future__ import annotations

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


def values(name: str) -> dict[str, dict]:
    """A preset as round settings: {"reward_model": {"steps": …}, …}."""
    parts: dict[str, dict] = {}
    for key, value in PRESETS[name]["values"].items():
        part, setting = key.split("-", 1)
        parts.setdefault(part, {})[setting] = value
    return parts
