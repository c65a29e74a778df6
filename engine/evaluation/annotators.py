"""Simulated annotators: marks made by a program from a scripted measure of progress, for tests and
demonstrations.

They are not people, and everything they make says so: the annotator's name begins with "simulated:" and each
mark has `simulated` set. Their parameters are the ways in which people differ from a perfect annotator (after
B-Pref, Lee et al. 2021): late, forgetful, imprecise, contrary, lazy, with a threshold of their own.
"""

from __future__ import annotations

import io
import uuid
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

from engine import brings, games, language
from engine.agents.files import write_atomically
from engine.evaluation import measures
from engine.language.standings import completed
from engine.simulation.log import EpisodeLog, walk
from engine.simulation.told import changes

Programs = list[dict[str, Any]]

PREFIX = "simulated:"
OBEYED = 0.5
"""What obeying for a move is worth in games that don't say."""
MOVES = 60
"""Moves that people make in five minutes of a game without a clock."""
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
    pace: float | None = None
    """Marks in five minutes that are made on average; of more, so many drawn at random. People make 14 (IBT
    paper, section 3.2). None: as many as there is reason for."""
    salience: float = 0.0
    """Where marks are kept to a pace: how much likelier larger changes are marked, as |change|^salience."""
    measure: str = measures.USUAL
    """What counts as progress (engine.evaluation.measures)."""

    @property
    def label(self) -> str:
        """The annotator's name as it stands in marks."""
        return PREFIX + self.name


class Watched:
    """An episode as annotators watch it. It is re-simulated once, for any number of annotators, seats and
    measures.
    """

    def __init__(self, log: EpisodeLog, kept: Path | None = None) -> None:
        """`kept`: the folder of a snapshot that keeps what costly measures counted."""
        self.log, self.kept = log, kept
        self._rated: dict[Any, np.ndarray] = {}

    @cached_property
    def completed(self) -> EpisodeLog:
        """The log with the records of what became of instructions, computed if it has none."""
        return completed(self.log)

    @cached_property
    def states(self) -> list[np.ndarray]:
        """The record at every tick."""
        return [sim.state.copy() for sim in walk(self.log)]

    def rated(self, measure: str, heard: Sequence[tuple[int, np.ndarray]] = ()) -> np.ndarray:
        """What a measure of the game counts, (T+1, seats), for seats with the instructions `heard`, as in
        engine.evaluation.measures.
        """
        key = measure, tuple((tick, features.tobytes()) for tick, features in heard)
        if key not in self._rated:
            each = measures.measure(self.log.header["game"], measure)
            if each.costly and self.kept:
                path = self.kept / "counted" / f"{self.log.header['episode']}-{measure}.npy"
                if not path.exists():
                    into = io.BytesIO()
                    np.save(into, self._count(each, heard))
                    write_atomically(path, into.getvalue())
                self._rated[key] = np.load(path)
            else:
                self._rated[key] = self._count(each, heard)
        return self._rated[key]

    def _count(self, each: measures.Measure, heard: Sequence[tuple[int, np.ndarray]]) -> np.ndarray:
        return measures.rated(each, self.states, len(self.log.header["seats"]), heard)

    def told(self, seat: int) -> list[tuple[int, Programs]]:
        """The instructions of a seat: which programs were in force from which ticks on."""
        return changes(self.completed, seat)

    def progress(
        self, seat: int, measure: str = measures.USUAL, told: list[tuple[int, Programs]] | None = None
    ) -> np.ndarray:
        """True progress phi (T+1,) of one seat, 0 at tick 0: what a measure counts, plus what obeying was
        worth, unless the measure itself depends on instructions. With `told`: as if the seat had had other
        instructions. OBEYED in the game's `progress.py` may say what obeying for one move is worth.
        """
        game, told = self.log.header["game"], self.told(seat) if told is None else told
        if measures.measure(game, measure).told:
            heard = [(tick, language.together(game, programs)) for tick, programs in told]
            return np.asarray(self.rated(measure, heard)[:, seat])
        phi = np.asarray(self.rated(measure)[:, seat])
        # Where instructions are goals, no move is what one asks for.
        if games.spec(game).goal_size or not any(programs for _, programs in told):
            return phi
        obeyed = brings.Progress.of(game).OBEYED
        worth = OBEYED if obeyed is None else obeyed
        return phi + worth * np.cumsum(self._obeyed(seat, told))

    def _obeyed(self, seat: int, told: list[tuple[int, Programs]]) -> list[int]:
        """By tick (T+1), the `obedience` of the move before it."""
        counts, coming, now, wanted = [0], list(told), [], None
        for sim in walk(self.log):
            if sim.tick:
                counts.append(0 if wanted is None else obedience(wanted, sim.actions[-1][seat]))
            while coming and coming[0][0] <= sim.tick:
                now = coming.pop(0)[1]
            wanted = None
            if now and not sim.over and sim.current in (None, seat):
                wanted = language.priors(sim.game, now, sim, seat)
        return counts


def obedience(wanted: np.ndarray, action: int) -> int:
    """1 if a move is what an instruction's prior (num_actions,) asks for, -1 if it is not, 0 if it asks for
    nothing."""
    best = float(wanted.max())
    if wanted[action] < 0 or (best > 0 and wanted[action] < best / 2):
        return -1
    return int(best > 0)


def annotate(
    watched: Watched, episode: str, seat: int, annotator: Annotator, seed: int = 0
) -> list[dict[str, Any]]:
    """The marks that `annotator` makes on a seat, as rows of a snapshot (engine.snapshots), by tick.

    The same annotator, episode, seat and seed always make the same marks with the same ids.
    """
    rng = np.random.default_rng([seed, seat, *uuid.uuid5(_NAMESPACE, episode + annotator.name).bytes])
    phi, game = watched.progress(seat, annotator.measure), watched.log.header["game"]
    last, since, placed, weights = len(phi) - 1, 0.0, [], []
    for tick in range(1, last + 1):
        change = phi[tick] - since
        if abs(change) >= annotator.threshold:
            since = phi[tick]
            late = max(0, round(rng.normal(annotator.delay_mean, annotator.delay_sd)))
            sign = int(np.sign(change)) * (-1 if rng.random() < annotator.flip else 1)
            if rng.random() >= annotator.miss:
                placed.append((min(last, tick + late), sign))
                weights.append(abs(change) ** annotator.salience)
        if rng.random() < annotator.false_marks:
            placed.append((tick, int(rng.choice([-1, 1]))))
            weights.append(annotator.threshold**annotator.salience)
    if annotator.pace is not None:
        per_second = games.spec(game).ticks_per_second
        most = rng.poisson(annotator.pace * last / (300 * per_second if per_second else MOVES))
        # The Gumbel-top-k draw: without replacement, by weight.
        kept = np.argsort(-(np.log(weights) + rng.gumbel(size=len(placed))))[:most]
        placed = [placed[i] for i in sorted(kept)]
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
        }
        for number, (tick, sign) in enumerate(placed)
    ]


def describe(annotator: Annotator) -> dict[str, Any]:
    """The annotator's parameters as JSON, with its label."""
    return {**asdict(annotator), "annotator": annotator.label, "simulated": True}
