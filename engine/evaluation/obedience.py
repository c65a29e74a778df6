"""Does an agent do as it is told? Moves of an instructed seat against what the instruction's prior asks for.

A move is *asked* where the prior prefers or forbids something, and *followed* if the move chosen is one that
it prefers (or, where it only forbids, one that it does not forbid). The same seat without the instruction is
the control: an agent whose numbers do not move ignores language. For cooks, who are told what to get done
rather than which moves to prefer, see `overcooked_obedience`; for squad mates, who get a goal as an input,
`arena_obedience`.
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
from engine.evaluation import arena_obedience, overcooked_obedience
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
    """One JSON object, of either form:

    `python -m engine.evaluation.obedience --agent REF --instruction TEXT` (turn-based games);
    `python -m engine.evaluation.obedience --game overcooked --agent REF --layout L --partner REF` or
    `python -m engine.evaluation.obedience --game arena --agent REF --partner REF`, which print a table first.
    """
    parser = argparse.ArgumentParser(prog="python -m engine.evaluation.obedience")
    parser.add_argument("--game", default="hanabi", choices=("arena", "hanabi", "overcooked"))
    parser.add_argument("--agent", required=True, help="ref or folder")
    parser.add_argument("--instruction", help="what the agent is told (Hanabi)")
    parser.add_argument("--layout", default="cramped_room", help="the kitchen (Overcooked)")
    parser.add_argument("--dynamics", default="old", choices=("old", "new"), help="of the pots (Overcooked)")
    parser.add_argument("--partner", help="who gives instructions (Overcooked); and everybody else (Arena)")
    parser.add_argument("--episodes", type=int, default=50)
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args(argv)
    try:
        if args.game == "arena":
            agent, partner = (
                load(ref, args.game, {}) for ref in (args.agent, args.partner or "arena/strong")
            )
            found = arena_obedience.obedience(agent, partner, args.episodes, args.seed)
            print(arena_obedience.table(found))
        elif args.game == "overcooked":
            options = {"layout": args.layout, "dynamics": args.dynamics}
            partner_ref = args.partner or "overcooked/greedy"
            agent, partner = (load(ref, args.game, options) for ref in (args.agent, partner_ref))
            found = overcooked_obedience.obedience(
                agent, partner, args.layout, args.episodes, args.seed, args.dynamics
            )
            print(overcooked_obedience.table(found))
        elif not args.instruction:
            raise ValueError("Say with --instruction what the agent is told.")
        else:
            found = obedience(load(args.agent), args.instruction, args.episodes, args.seed)
        print(json.dumps(found))
    except ValueError as problem:
        print(problem, file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
