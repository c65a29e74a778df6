"""Does an agent do as it is told? Moves of an instructed seat against what the instruction's prior asks for.

A move is *asked* where the prior prefers or forbids something, and *followed* if the move chosen is one that
it prefers (or, where it only forbids, one that it does not forbid). The same seat without the instruction is
the control: an agent whose numbers do not move ignores language.
"""

from __future__ import annotations

import argparse
import json
import sys
from typing import Any

import numpy as np

from engine import language
from engine.agents.catalogue import load
from engine.agents.policy import Policy, choose
from engine.evaluation.self_play import summary
from engine.simulation.simulation import Simulation


def obedience(policy: Policy, instruction: str, episodes: int = 100, seed: int = 0) -> dict[str, Any]:
    """Greedy self-play with `instruction` to seat 1, and without it, on the same decks.

    {"reading", "told": {"asked", "followed", "share", "score"}, "untold": the same}; raises ValueError for an
    instruction that can't be read.
    """
    reading = language.read(policy.game, instruction)
    if reading.refused or reading.program is None:
        raise ValueError(reading.sentence)
    found: dict[str, Any] = {"instruction": instruction, "reading": reading.sentence}
    for name, told in (("told", True), ("untold", False)):
        found[name] = _play(policy, reading.program, told, episodes, seed)
    return found


def _play(policy: Policy, program: dict[str, Any], told: bool, episodes: int, seed: int) -> dict[str, Any]:
    sims = [Simulation(policy.game, policy.card.get("options", {}), seed=seed + i) for i in range(episodes)]
    asked = followed = 0
    while running := [sim for sim in sims if not sim.over]:
        seats = [sim.current or 0 for sim in running]
        logits = policy.logits(running, seats)
        priors = np.zeros_like(logits)
        for row, (sim, seat) in enumerate(zip(running, seats, strict=True)):
            if seat == 1:
                priors[row] = language.prior(policy.game, program, sim, seat)
        for row, action in enumerate(choose(logits, priors if told else None)):
            wanted = priors[row]
            if wanted.any():
                asked += 1
                best, worst = wanted.max(), wanted.min()
                followed += int(wanted[action] >= (best / 2 if best > -worst / 2 else 0))
            running[row].act(seats[row], action)
    scores = np.array([sim.score for sim in sims])
    share = followed / asked if asked else None
    return {"asked": asked, "followed": followed, "share": share, "score": summary(scores, sims[0].max_score)}


def main(argv: list[str] | None = None) -> int:
    """`python -m engine.evaluation.obedience --agent REF --instruction TEXT`: one JSON object."""
    parser = argparse.ArgumentParser(prog="python -m engine.evaluation.obedience")
    parser.add_argument("--agent", required=True, help="ref or folder")
    parser.add_argument("--instruction", required=True)
    parser.add_argument("--episodes", type=int, default=50)
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args(argv)
    try:
        print(json.dumps(obedience(load(args.agent), args.instruction, args.episodes, args.seed)))
    except ValueError as problem:
        print(problem, file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
