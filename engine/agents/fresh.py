"""An untrained agent: a network with random weights, for a first round in a game without agents.

    python -m engine.agents.fresh --game GAME --out FOLDER

Its moves are drawn, each with nearly the same probability. Not for learning anything (engine.learning).
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import numpy as np

from engine import command_line, games
from engine.agents.catalogue import write_agent
from engine.agents.features import inputs_for
from engine.games import arguments
from engine.refusal import Refusal

HIDDEN = (64, 64)
QUIET = 0.01  # of the policy's and the value's weights, so that no move is much likelier at first


def fresh(
    game: str, options: dict[str, Any], folder: Path, name: str = "beginner", seed: int = 1
) -> dict[str, Any]:
    """Write an agent for these (partial) options, with two hidden layers of 64; returns its card. Raises
    Refusal.
    """
    spec, rng = games.spec(game), np.random.default_rng(seed)
    complete, inputs = spec.validate(dict(options)), inputs_for(game, options)
    tensors: dict[str, np.ndarray] = {}

    def layer(key: str, reads: int, writes: int, gain: float) -> None:
        weights = rng.normal(0.0, gain * np.sqrt(2.0 / reads), (writes, reads))
        tensors[f"{key}.weight"], tensors[f"{key}.bias"] = weights.astype(np.float32), np.zeros(writes, "f4")

    size = inputs.size
    for index, width in enumerate(HIDDEN):
        layer(f"hidden.{index}", size, width, 1.0)
        size = width
    layer("policy", size, spec.num_actions(complete), QUIET)
    layer("value", size, 1, QUIET)
    card = {
        "name": name,
        "title": name.replace("-", " ").capitalize(),
        "description": "Knows nothing yet: moves at random until a round has trained it.",
        "kind": "network",
        "game": game,
        "algorithm": "none",
        "parents": [],
        "players": [spec.seats(complete)],
        "options": options,
        "acts": "sampled",
        "rules_version": spec.rules_version,
        "features_version": inputs.version,
        "command": f"python -m engine.agents.fresh --game {game} --out FOLDER",
    }
    return write_agent(folder, tensors, card)


def main(argv: list[str] | None = None) -> int:
    """The command; returns the exit status."""
    parser = command_line.Parser(prog="python -m engine.agents.fresh", description=__doc__)
    parser.add_argument("--game", type=arguments.game, required=True, help=", ".join(games.names()))
    parser.add_argument("--out", required=True, type=command_line.new_folder, help="folder for the agent")
    parser.add_argument("--seed", type=command_line.seed, default=1)
    arguments.add(parser)
    args = parser.parse_args(argv)
    try:
        card = fresh(args.game, arguments.given(vars(args)), args.out, seed=args.seed)
    except Refusal as problem:
        print(problem, file=sys.stderr)
        return 1
    print(f"{args.out}: {card['name']} of {args.game}.")
    return 0


if __name__ == "__main__":
    sys.exit(main())
