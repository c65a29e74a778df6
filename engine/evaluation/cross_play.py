"""Every agent with every other one: a table of mean scores. Not for one agent with itself
(engine.evaluation.self_play).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from engine import games
from engine.agents.acting import manner
from engine.agents.policy import Policy
from engine.evaluation.self_play import play, summary


def cross_play(
    policies: list[Policy],
    game: str = games.DEFAULT,
    options: dict[str, Any] | None = None,
    episodes: int = 1000,
    seed: int = 0,
    greedy: bool | None = None,
    told: Callable[[int, int], None] | None = None,
) -> dict[str, Any]:
    """`mean[i][j]`, `stderr` (over deals), `zeros` and `perfect` of games with agent i in seat 0 and agent j
    in the other seats. Each cell has one game of each deal; all cells have the same deals. `told(done,
    total)` is called after each cell.
    """
    if not policies:
        raise ValueError("Cross-play needs at least one agent.")
    spec = games.spec(game)
    complete = spec.validate(dict(options or {}))
    others = spec.seats(complete) - 1
    keys = ("mean", "stderr", "zeros", "perfect")
    size = len(policies)
    table: dict[str, list[list[float]]] = {key: [[0.0] * size for _ in range(size)] for key in keys}
    for i, first in enumerate(policies):
        for j, second in enumerate(policies):
            scores = play([first, *[second] * others], game, complete, episodes, seed, greedy)
            result = summary(scores, spec.max_score(complete))
            for key in keys:
                table[key][i][j] = result[key]
            if told is not None:
                told(i * size + j + 1, size * size)
    return {
        "agents": [policy.name for policy in policies],
        **table,
        "episodes": episodes,
        "deals": episodes,
        "game": game,
        "options": complete,
        "seed": seed,
        "acts": [manner(policy, greedy) for policy in policies],
    }
