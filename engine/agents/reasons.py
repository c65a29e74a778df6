"""Why an agent with an instruction moved as it did, from its own logits; no reason where they don't show one.

A reason names one instruction (its place in the list, oldest first) and a kind:

- "because": without this instruction, and with the others, the agent would have made another move
  (`instead`), and the instruction favours its move over that one; of several such ones the one that favours
  it most. An instruction that asks for the move goes before one that only speaks against the other. A network
  that reads instructions may move differently although none of them asks for it; then there is no reason.
- "only": the move is against the instruction, and so is every other legal move.
- "other": against it, and without another instruction (`by`) it would not have been.
- "own": against it, because the agent's own logits rated the move that was asked for lower than the
  instruction raised it.

This costs one or two more forward passes, for seats with instructions. For games whose readers say from how
many logits on a move counts as asked for (ASKS of engine.language.<game>), and for agents that take their
best move: what another draw would have chosen is unknown.

If all move at once, each move is chosen again without one of the instructions (`left_out`; for agents that
draw, with the same draws) wherever that could say something, and two more kinds say why an instruction isn't
followed:

- "blocked": it can't be followed now, as the game says (`why_not` of
  engine/games/<game>/language/reasons.py).
- "unmoved": the instruction, the only one, asks for another move, and without it the agent would have made
  the same move.

Not for deciding when a reason is shown, nor for its sentence (engine.language.reasons).
"""

from __future__ import annotations

from typing import Any

import numpy as np

from engine import brings, language
from engine.agents.acting import (
    Programs,
    act_many,
    asked,
    draws,
    hears,
    reads_alone,
    remembered,
    together,
)
from engine.agents.policy import Policy
from engine.simulation.life import State
from engine.simulation.simulation import Simulation


def reasons(
    policy: Policy, sim: Simulation, seat: int, programs: Programs, action: int
) -> list[dict[str, Any]]:
    """Why this seat chose `action`, just returned by `act`; [] for no reason."""
    asks = language.asks(sim.game)
    if not asks or not programs or draws(policy):
        return []
    legal = np.flatnonzero(sim.legal(seat))
    wishes = [language.prior(sim.game, program, sim, seat) for program in programs]
    explained = _because(_without_each(policy, sim, seat, programs), wishes, action)
    # What a network reads of its instructions is in its numbers already: they can't be taken apart.
    whole = None if hears(policy) or reads_alone(policy) else _untold(policy, sim, seat)
    explained += [
        reason
        for index in range(len(wishes))
        if (reason := _against(index, whole, legal, wishes, action, asks))
    ]
    return explained


def kept_from(
    sim: Simulation, seat: int, program: dict[str, Any], progress: dict[str, str]
) -> dict[str, Any] | None:
    """What keeps a seat from an instruction with this progress, as `left_out` says why; None for nothing."""
    brought = brings.Reasons.brought(sim.game)
    what, sure = brought.why_not(program, sim, seat, progress) if brought else ("", True)
    return {"kind": "blocked", "what": what, "sure": sure} if what else None


def may_be_why(sim: Simulation, progress: dict[str, str]) -> bool:
    """Whether `left_out` could say something of an instruction with this progress. Where instructions are
    goals, it explains moves only while it is obeyed.
    """
    return not sim.spec.goal_size or progress["state"] == State.OBEYING


def left_out(
    sim: Simulation,
    seat: int,
    programs: Programs,
    index: int,
    progress: dict[str, str],
    action: Any,
    instead: Any,
) -> dict[str, Any] | None:
    """Why a seat chose `action`, if without one of its instructions, with this progress, it would have chosen
    `instead`: {"kind", "what": words of the game, "sure": whether it is certain at once, "instead"}.
    """
    # A goal says where to, not which move; only a policy that got it can tell what it made of it.
    wish = None if sim.spec.goal_size else language.prior(sim.game, programs[index], sim, seat)
    if action != instead:
        is_asked = progress["state"] == State.OBEYING and (wish is None or wish[action] > wish[instead])
        because = {"kind": "because", "what": progress["text"], "sure": True, "instead": instead}
        return because if is_asked else None
    if wish is None or len(programs) > 1:
        return None  # the others may have moved it
    if wish[action] <= 0 < wish[np.flatnonzero(sim.legal(seat))].max():
        return {"kind": "unmoved", "what": "", "sure": False}
    return None


Position = tuple[np.ndarray, np.ndarray, np.ndarray, list[Any] | None, np.ndarray | None]


def _positions(policy: Policy, sim: Simulation, seat: int, count: int) -> Position:
    """States, seats, legal moves, worlds and memories of one seat's decision, so many times."""
    memory = np.stack([remembered(policy, sim, seat)] * count) if policy.memory else None
    worlds = None if sim.world is None else [sim.world] * count
    states, legal = np.stack([sim.state] * count), np.stack([sim.legal(seat)] * count)
    return states, np.full(count, seat, np.int32), legal, worlds, memory


def _untold(policy: Policy, sim: Simulation, seat: int) -> np.ndarray:
    """The agent's logits without any instruction, float32 (num_actions,)."""
    states, seats, legal, worlds, memory = _positions(policy, sim, seat, 1)
    return policy.logits_many(states, seats, legal, worlds, memory=memory)[0]


def _without_each(policy: Policy, sim: Simulation, seat: int, programs: Programs) -> list[int]:
    """The moves that the agent would make without one of the instructions, each in turn."""
    heard = []
    for index in range(len(programs)):
        others = [*programs[:index], *programs[index + 1 :]]
        reads = language.together(sim.game, others) if hears(policy) and others else None
        heard.append(asked(sim, seat, others, reads))
    states, seats, legal, worlds, memory = _positions(policy, sim, seat, len(programs))
    return [
        int(one)
        for one in act_many(policy, states, seats, legal, None, worlds, together(heard), None, memory)
    ]


def _because(without: list[int], wishes: list[np.ndarray], action: int) -> list[dict[str, Any]]:
    gains = [float(wish[action] - wish[instead]) for wish, instead in zip(wishes, without, strict=True)]
    speak = [index for index, gain in enumerate(gains) if gain > 0]  # 0 where the move is the same
    if not speak:
        return []
    best = max(speak, key=lambda index: (wishes[index][action] > 0, gains[index]))
    return [{"program": best, "kind": "because", "instead": without[best]}]


def _against(
    index: int,
    logits: np.ndarray | None,
    legal: np.ndarray,
    wishes: list[np.ndarray],
    action: int,
    asks: float,
) -> dict[str, Any] | None:
    """Why a move is against an instruction; None if it isn't, or if the reason isn't known."""
    wish = wishes[index]
    if wish[action] <= -asks and wish[legal].max() <= wish[action]:
        return {"program": index, "kind": "only"}
    is_against = wish[action] <= -asks or wish[legal].max() >= asks and wish[action] <= 0
    if not is_against or logits is None:
        return None
    total = logits + np.sum(wishes, axis=0)
    wanted = legal[wish[legal] == wish[legal].max()]
    best = int(wanted[total[wanted].argmax()])
    if total[best] > total[action]:
        return None  # chosen otherwise than by these numbers
    others = [other for other in range(len(wishes)) if other != index]
    tips = [other for other in others if (total - wishes[other])[best] > (total - wishes[other])[action]]
    if tips:
        strongest = max(tips, key=lambda other: float(wishes[other][action] - wishes[other][best]))
        return {"program": index, "kind": "other", "by": strongest}
    if logits[action] - logits[best] > wish[best] - wish[action]:
        return {"program": index, "kind": "own"}
    return None
