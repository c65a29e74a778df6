"""Simulated annotators: marks made by a program from a scripted measure of progress, for tests and
demonstrations.

They are not people, and everything they make says so: the annotator's name begins with "simulated:" and each
mark has `simulated` set. The knobs are the ways in which people are known to differ from a perfect rater
(template: B-Pref, Lee et al. 2021): late, forgetful, sloppy, contrary, lazy, with a threshold of their own.
"""

from __future__ import annotations

import uuid
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from engine.evaluation import hanabi_progress
from engine.learning.marked import programs
from engine.simulation.log import EpisodeLog, iterate

PREFIX = "simulated:"
_GAINS = {"hanabi": hanabi_progress.gain}
_NAMESPACE = uuid.UUID("6f2f4c7e-8b8e-4a51-9a60-0c0c2b6c2b11")


@dataclass(frozen=True)
class Annotator:
    """One simulated person. Ticks are moves; probabilities are per mark, except `false_marks`."""

    name: str = "careful"
    threshold: float = 0.4
    """Marks once progress since the last mark has changed by this much."""
    delay_mean: float = 0.0
    delay_sd: float = 0.0
    """Ticks by which a mark comes late (never early, never after the end)."""
    miss: float = 0.0
    """Probability that a mark is not made."""
    false_marks: float = 0.0
    """Probability per tick of a mark of random sign about nothing."""
    flip: float = 0.0
    """Probability that a mark has the wrong sign."""
    most_marks: int | None = None
    """Laziness: stops after this many marks in an episode's seat."""

    @property
    def label(self) -> str:
        """The annotator's name as it stands in marks."""
        return PREFIX + self.name


def progress(log: EpisodeLog, seat: int) -> np.ndarray:
    """True progress phi (T+1,) of one seat: the summed gains of its own moves, 0 at tick 0."""
    game = log.header["game"]
    if game not in _GAINS:
        raise ValueError(f"Progress is scripted for {', '.join(sorted(_GAINS))}, not for {game}.")
    changes = programs(log, seat, len(log.header["seats"]))
    gains, before = [0.0], None
    for sim in iterate(log):
        if before is not None:
            moved = sim.actions[-1][seat] != sim.num_actions - 1
            program = next((p for tick, p in reversed(changes) if tick <= before.tick), None)
            gains.append(_GAINS[game](before, sim, program) if moved else 0.0)
        before = sim.copy()
    return np.cumsum(gains)


def annotate(
    log: EpisodeLog, episode: str, seat: int, annotator: Annotator, seed: int = 0
) -> list[dict[str, Any]]:
    """The marks that `annotator` makes on a seat, as rows of a snapshot's marks.jsonl, by tick.

    The same annotator, episode, seat and seed always make the same marks with the same ids.
    """
    rng = np.random.default_rng([seed, seat, *uuid.uuid5(_NAMESPACE, episode + annotator.name).bytes])
    phi = progress(log, seat)
    last, since, placed = len(phi) - 1, 0.0, []
    for tick in range(1, last + 1):
        change = phi[tick] - since
        if abs(change) >= annotator.threshold:
            since = phi[tick]
            late = max(0, round(rng.normal(annotator.delay_mean, annotator.delay_sd)))
            sign = int(np.sign(change)) * (-1 if rng.random() < annotator.flip else 1)
            if rng.random() >= annotator.miss:
                placed.append((min(last, tick + late), sign))
        if rng.random() < annotator.false_marks:
            placed.append((tick, int(rng.choice([-1, 1]))))
    placed = sorted(placed[: annotator.most_marks])
    return [
        {
            "id": str(uuid.uuid5(_NAMESPACE, f"{episode}/{seat}/{annotator.name}/{seed}/{number}")),
            "episode": episode,
            "seat": seat,
            "tick": tick,
            "sign": sign,
            "annotator": annotator.label,
            "simulated": True,
            "deleted": False,
        }
        for number, (tick, sign) in enumerate(placed)
    ]


def describe(annotator: Annotator) -> dict[str, Any]:
    """The annotator's knobs as JSON, with its label."""
    return {**asdict(annotator), "annotator": annotator.label, "simulated": True}
