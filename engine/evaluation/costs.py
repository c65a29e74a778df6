"""About how many points an instruction costs an agent, measured while somebody waits for it.

    python -m engine.evaluation.costs      # answers requests, a JSON object a line, until its input ends

A request {"agent", "game", "programs"} gets {"episodes", "untold": mean score, "points": for each program
{firmness: points that it costs}, or null where it can't be measured}: the agent plays with itself, once told
and once untold, in the same games of its card's settings. With compiled games this takes tenths of a second.
Not for what cards say (card.py), nor for the page (webapp.language.estimates).
"""

from __future__ import annotations

import json
import logging
import os
import sys
from functools import lru_cache
from typing import Any

import numpy as np

from engine import games, language
from engine.agents.catalogue import load
from engine.agents.policy import Policy
from engine.evaluation.reward_return import play_rewarded
from engine.language import Reading
from engine.refusal import Refusal

EPISODES, SEED = 48, 7
KEPT = 8
"""Agents that stay loaded."""


def costs(agent: str, game: str, program: dict[str, Any]) -> dict[str, float] | None:
    """{firmness: points} that a program costs; None where an agent can't play by it."""
    shares = language.FIRMNESS if language.has_firmness(game) else {"strict": 1.0}
    try:
        untold = _untold(agent, game)
        return {
            name: round(float(untold.mean() - _scores(agent, game, program, share).mean()), 1)
            for name, share in shares.items()
        }
    except (Refusal, ValueError) as problem:
        logging.info("no cost of an instruction for %s: %s", agent, problem)
        return None


def _scores(agent: str, game: str, program: dict[str, Any] | None, firmness: float = 1.0) -> np.ndarray:
    policy = _agent(agent, game)
    spec = games.spec(game)
    options = spec.validate(policy.card.get("options") or {})
    seats = spec.seats(options)
    how: dict[str, Any] = {}
    if program:
        told = Reading("", False, "", 1.0, program)
        how = {"told": told, "hearers": range(seats), "firmness": firmness}
    return play_rewarded([policy] * seats, game, options, EPISODES, SEED, **how).scores


@lru_cache(maxsize=KEPT)
def _agent(agent: str, game: str) -> Policy:
    return load(agent, game)


@lru_cache(maxsize=KEPT)
def _untold(agent: str, game: str) -> np.ndarray:
    return _scores(agent, game, None)


def main() -> None:
    for line in sys.stdin:
        asked = json.loads(line)
        points = [costs(asked["agent"], asked["game"], program) for program in asked["programs"]]
        untold = float(_untold(asked["agent"], asked["game"]).mean()) if any(points) else None
        print(json.dumps({"episodes": EPISODES, "untold": untold, "points": points}), flush=True)


if __name__ == "__main__":
    logging.basicConfig(level=logging.INFO, stream=sys.stderr)
    os.nice(10)  # matches come first
    main()
