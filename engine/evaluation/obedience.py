"""Does an agent follow an instruction? Moves of a seat with the instruction, and of the same seat without it.

A move is *asked* if the instruction prefers or forbids some legal move. It is *followed* if it is one of the
preferred moves (or, if moves are only forbidden, none of those). `judged(program, before, event)` in the
game's `events.py` in this room decides this from the game's log; otherwise the instruction's prior does,
which is also what moved the agent. The seat without the instruction is the control: an agent with the same
numbers in both ignores language. Games whose instructions are tasks bring their own `obedience.py` to this
room: PARTNER, `obedience(agent, partner, options, episodes, seed)` and `table(found)`.
"""

from __future__ import annotations

import json
import sys
from typing import Any

import numpy as np

from engine import command_line, games, language
from engine.agents.acting import act, asked
from engine.agents.catalogue import load
from engine.agents.policy import Policy
from engine.evaluation.self_play import summary
from engine.games import arguments
from engine.simulation.simulation import Simulation


def obedience(
    policy: Policy, instruction: str, episodes: int = 100, seed: int = 0, firmness: float = 1.0
) -> dict[str, Any]:
    """Self-play with `instruction` for seat 1, and without it, on the same deals. {"reading", "told":
    {"asked", "followed", "share", "score"}, "untold": the same}; raises ValueError for an instruction that
    can't be read.
    """
    reading = language.read(policy.game, instruction)
    if reading.refused or reading.program is None:
        raise ValueError(reading.sentence)
    found: dict[str, Any] = {"instruction": instruction, "reading": reading.sentence}
    for name, told in (("told", True), ("untold", False)):
        program = language.softened(policy.game, reading.program, firmness)
        found[name] = _play(policy, program, told, episodes, seed)
    return found


def _play(policy: Policy, program: dict[str, Any], told: bool, episodes: int, seed: int) -> dict[str, Any]:
    sims = [Simulation(policy.game, policy.card.get("options", {}), seed=seed + i) for i in range(episodes)]
    rng, count, followed = np.random.default_rng(seed), 0, 0
    while running := [sim for sim in sims if not sim.over]:
        seats = [sim.current or 0 for sim in running]
        programs = [[program] if seat == 1 else [] for seat in seats]
        chosen = act(policy, running, seats, rng, programs if told else None)
        for sim, seat, action in zip(running, seats, chosen, strict=True):
            before = sim.copy()
            sim.act(seat, action)
            did = _followed(program, before, sim, action) if seat == 1 else None
            count, followed = count + (did is not None), followed + bool(did)
    scores = np.array([sim.score for sim in sims])
    share = followed / count if count else None
    return {"asked": count, "followed": followed, "share": share, "score": summary(scores, sims[0].max_score)}


def _followed(program: dict[str, Any], before: Simulation, after: Simulation, action: int) -> bool | None:
    """Whether a move of seat 1 was what the program asks for; None if it asks for nothing."""
    events = games.part(before.game, "events", "evaluation")
    if events is not None:
        return events.judged(program, before.view(None), after.view(None)["last"])
    wanted = asked(before, 1, [program]).prior
    if wanted is None or not wanted.any():
        return None
    best, worst = wanted.max(), wanted.min()
    return bool(wanted[action] >= (best / 2 if best > -worst / 2 else 0))


def main(argv: list[str] | None = None) -> int:
    """One JSON object: `python -m engine.evaluation.obedience --agent REF --instruction TEXT` (games whose
    instructions are about moves), or `python -m engine.evaluation.obedience --game GAME --agent REF --partner
    REF`, with options of the game (games whose instructions are tasks), which prints a table first.
    """
    parser = command_line.Parser(prog="python -m engine.evaluation.obedience")
    name = command_line.name
    parser.add_argument("--game", type=arguments.game, default=games.DEFAULT, help=", ".join(games.names()))
    parser.add_argument("--agent", type=name, required=True, help="ref or folder")
    parser.add_argument("--instruction", help="what the agent is told, where moves are told")
    parser.add_argument("--partner", type=name, help="who else plays, where tasks are told")
    parser.add_argument("--episodes", type=command_line.whole(1, 100_000), default=50)
    parser.add_argument("--seed", type=command_line.seed, default=1)
    arguments.add(parser)
    args = parser.parse_args(argv)
    try:
        options, own = arguments.given(vars(args)), games.part(args.game, "obedience", "evaluation")
        agent = load(args.agent, args.game, options)
        if own is not None:
            partner = load(args.partner or own.PARTNER, args.game, options)
            found = own.obedience(agent, partner, options, args.episodes, args.seed)
            print(own.table(found))
        elif not args.instruction:
            raise ValueError("Say with --instruction what the agent is told.")
        else:
            found = obedience(agent, args.instruction, args.episodes, args.seed)
        print(json.dumps(found))
    except ValueError as problem:
        print(problem, file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
