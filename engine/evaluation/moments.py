"""The moments that decided a game: where the usual measure of progress (engine.evaluation.measures) changed
most, with a picture and a sentence each, so that players can look at them again and mark them.

The measure is the game's own, or its score, and no reward model: a reward model is learned from marks, and
whoever marks a moment must not see from it where others put theirs.

A game may bring `moments.py` to this room, with any of

    weighed(before, after, gains)         what a step meant to each seat, (seats,), given the measure's gains
    effect(before, after, seat, change)   a sentence on what followed; by default the points

Not for: who may see them (webapp.lobby.ending), the story of a whole game (engine.games.stories).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from engine import brings, games
from engine.evaluation.measures import measure
from engine.games.stories import counted
from engine.refusal import Refusal
from engine.simulation.log import EpisodeLog, walk
from engine.simulation.spec import GameSpec

MOST = 3
WIDTH = 480  # pixels
LEAST = 0.05  # change of the measure
OTHERS = 0.2
"""What befalls another side, in parts of what befalls the own: what one did oneself comes first."""
SENTENCES = 2  # of what happened in one step


@dataclass(frozen=True)
class Moment:
    """The step that led to `tick`: what a seat did or what happened to it, how much that changed the measure,
    in words that call seats "Player 1", and what followed.
    """

    tick: int
    seat: int
    change: float
    text: str
    effect: str
    picture: np.ndarray  # uint8 (height, width, 3)


@dataclass(frozen=True)
class Step:
    """A step that changed the measure: the records before and after it, the seat it is about, and
    the change.
    """

    tick: int
    seat: int
    change: float
    before: np.ndarray
    after: np.ndarray


def decisive(log: EpisodeLog, seats: Sequence[int], most: int = MOST) -> tuple[list[Moment], np.ndarray]:
    """(the moments by tick, at most so many, the last record), for people in `seats`: what happened to other
    seats counts less. Raises Refusal.
    """
    spec = games.spec(log.header["game"])
    steps, last = changes(log, seats)
    ticks = chosen([(step.tick, step.seat, step.change) for step in steps], most)
    return [_moment(spec, step) for step in steps if step.tick in ticks], last


def changes(log: EpisodeLog, seats: Sequence[int]) -> tuple[list[Step], np.ndarray]:
    """(every step that changed the measure, the last record). A step is about the seat for which it changed
    most, with a smaller weight for seats other than `seats`; if several share the change, about the seat that
    moved.
    """
    game = log.header["game"]
    is_own = np.isin(np.arange(len(log.header["seats"])), list(seats))
    known, weighed = measure(game), brings.Moments.of(game).weighed
    memory = np.zeros((1, len(log.header["seats"]), known.memory))
    steps: list[Step] = []
    before = None
    for tick, (state, mover) in enumerate(_records(log)):
        after = state.copy()
        if before is not None:
            gains = known.gains(before[None], after[None], memory)[0].astype(float)
            gains = gains if weighed is None else weighed(before, after, gains)
            gains = np.where(is_own, gains, OTHERS * gains)
            sizes = np.abs(gains)
            if sizes.max() >= LEAST:
                best = np.flatnonzero(sizes == sizes.max()).tolist()
                seat = mover if mover in best else best[0]
                steps.append(Step(tick, seat, float(gains[seat]), before, after))
        before = after
    if before is None:
        raise Refusal("The log has no state.")
    return steps, before


def _records(log: EpisodeLog) -> Iterator[tuple[np.ndarray, int]]:
    """(the record, the seat that moved to it; -1: all or none) at every tick, as fast as the game allows."""
    quick = brings.Frames.of(log.header["game"]).states_of
    if quick is not None:
        yield from ((state, -1) for state in quick(log))
        return
    for sim in walk(log):
        yield sim.state, sim.movers[-1] if sim.movers else -1


def chosen(changes: Sequence[tuple[int, int, float]], most: int = MOST) -> dict[int, tuple[int, float]]:
    """{tick: (seat, change)} of the largest changes. Two of them are never neighbours. Of equal ones the last
    comes first, then whichever is farthest from those already chosen.
    """
    last = max((tick for tick, _, _ in changes), default=0)
    apart = max(2, min(3, last // 3), last // 10)
    left, kept = list(changes), {}
    while left and len(kept) < most:
        largest = max(round(abs(change), 3) for _, _, change in left)
        level = [step for step in left if round(abs(step[2]), 3) == largest]
        tick, seat, change = max(level, key=lambda step: (_distance(step[0], kept), step[0]))
        kept[tick] = seat, change
        left = [step for step in left if _distance(step[0], kept) >= apart]
    return kept


def _distance(tick: int, kept: dict[int, Any]) -> int:
    return min((abs(tick - other) for other in kept), default=0)


def _moment(spec: GameSpec, step: Step) -> Moment:
    effect = brings.Moments.of(spec.name).effect
    sentence = effect(step.before, step.after, step.seat, step.change) if effect else _points(spec, step)
    # Where everybody has a side, what somebody saw just before says more than the whole ground: it may be the
    # last that they saw.
    ground = (step.after, None) if spec.side is None else (step.before, step.seat)
    text = sentences(spec, step.after, step.seat)
    return Moment(step.tick, step.seat, step.change, text, sentence, spec.picture(*ground, WIDTH))


def sentences(spec: GameSpec, state: np.ndarray, seat: int) -> str:
    """What the last step did: of all events the one that names the seat; "" for none."""
    texts = re.split(r"(?<=[.!?])\s+", spec.last_move_text(state, None).strip())
    if spec.turn_based:
        return " ".join(texts)
    named = [text for text in texts if re.search(rf"\bplayer {seat + 1}\b", text, re.IGNORECASE)]
    return " ".join(named[-SENTENCES:])


def _points(spec: GameSpec, step: Step) -> str:
    now = int(spec.score(step.after))
    gained = now - int(spec.score(step.before))
    if not gained:
        return ""
    return f"{counted(abs(gained), 'point')} {'more' if gained > 0 else 'fewer'}: {now}."
