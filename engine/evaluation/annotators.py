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

from engine import games, language
from engine.evaluation import measures
from engine.language.standings import completed
from engine.simulation.log import EpisodeLog, walk
from engine.simulation.told import changes

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


def progress(log: EpisodeLog, seat: int, measure: str = measures.USUAL) -> np.ndarray:
    """True progress phi (T+1,) of one seat, 0 at tick 0: what a measure of the game counts (see
    engine.evaluation.measures), and what obeying was worth, unless the measure itself goes by what was told.

    The game's `progress.py` may say by OBEYED what obeying for a move is worth.
    """
    game, each = log.header["game"], measures.measure(log.header["game"], measure)
    scripted = games.part(game, "progress", "evaluation")
    worth = getattr(scripted, "OBEYED", OBEYED)
    told, now = changes(completed(log), seat), []
    heard = [(tick, language.together(game, programs)) for tick, programs in told if each.told]
    obeyed, states, wanted = [0.0], [], None
    for sim in walk(log):
        if states:
            obeyed.append(0.0 if wanted is None else worth * obedience(wanted, sim.actions[-1][seat]))
        states.append(sim.state.copy())
        seats = sim.seats
        while told and told[0][0] <= sim.tick:
            now = told.pop(0)[1]
        wanted = None
        # Where instructions are goals, no move is what one asks for.
        if now and not each.told and not sim.spec.goal_size and not sim.over and sim.current in (None, seat):
            wanted = language.priors(game, now, sim, seat)
    return measures.rated(each, states, seats, heard)[:, seat] + np.cumsum(obeyed)


def obedience(wanted: np.ndarray, action: int) -> int:
    """1 if a move is what an instruction's prior (num_actions,) asks for, -1 if it is not, 0 if it asks for
    nothing."""
    best = float(wanted.max())
    if wanted[action] < 0 or (best > 0 and wanted[action] < best / 2):
        return -1
    return int(best > 0)


def annotate(
    log: EpisodeLog, episode: str, seat: int, annotator: Annotator, seed: int = 0
) -> list[dict[str, Any]]:
    """The marks that `annotator` makes on a seat, as rows of a snapshot's marks.jsonl, by tick.

    The same annotator, episode, seat and seed always make the same marks with the same ids.
    """
    rng = np.random.default_rng([seed, seat, *uuid.uuid5(_NAMESPACE, episode + annotator.name).bytes])
    phi = progress(log, seat, annotator.measure)
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
        per_second = games.spec(log.header["game"]).ticks_per_second
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
            "deleted": False,
        }
        for number, (tick, sign) in enumerate(placed)
    ]


def describe(annotator: Annotator) -> dict[str, Any]:
    """The annotator's knobs as JSON, with its label."""
    return {**asdict(annotator), "annotator": annotator.label, "simulated": True}
