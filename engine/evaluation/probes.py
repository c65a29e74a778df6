"""Scripted probe tasks: is the task done? An instruction that a person could type, a situation, a time limit,
and a success function that only evaluation knows.

Source: IBT paper (2022), section 6.3 ("Go", "Lift", "Position", …). A game brings `probes.py` to this room,
with PROBES. No agent is trained on `succeeded`. Simulated annotators, and the control with true progress, go
by `progress`, a separate measure. engine.evaluation.reward_return.play_rewarded plays the games; in them the
player in seat 0 gives the instruction to its side.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np

from engine import brings, games, language
from engine.agents.acting import manner
from engine.agents.policy import Policy, check_fits
from engine.evaluation.intervals import share_over_deals
from engine.evaluation.measures import Measure
from engine.evaluation.reward_return import play_rewarded, varied
from engine.evaluation.told_games import audience
from engine.simulation.batch import Batch

ASKED = "asked"
"""The measure of progress in what a seat was told, by the name that games give it in their MEASURES."""
IMPATIENT = -0.5
"""For as long as a probe's patience without getting further."""
EXACT = 1e-6  # of sums of thirds


@dataclass(frozen=True)
class Probe:
    """A task. `succeeded` sums to 1 or more for a seat that succeeds within `limit` ticks. `progress` sums to
    how far a seat has come, as simulated annotators see it. `arrange` may change the records (n, state_size)
    at which games begin. `able` says whether a seat in a record could do the task at all.
    """

    name: str
    text: str
    limit: int
    succeeded: Measure
    progress: Measure
    arrange: Callable[[np.ndarray], None] | None = None
    able: Callable[[np.ndarray, int], bool] = lambda state, seat: True


def climbing(
    level: Callable[[np.ndarray, np.ndarray, np.ndarray], np.ndarray], top: float, patience: int, memory: int
) -> Measure:
    """A measure of progress from the distance of each seat, `level(before, after, memory)` (n, seats): the
    rise of the level, so that loops add up to 0. A seat that stays below `top` without progress for
    `patience` ticks loses some, which no single record shows.
    """

    def gains(before: np.ndarray, after: np.ndarray, memory: np.ndarray) -> np.ndarray:
        new = level(before, after, memory[..., 3:])
        gained = np.where(memory[..., 2] > 0, new - memory[..., 0], 0.0)  # where it began is no merit
        waited = np.where((gained > 0) | (new >= top), 0, memory[..., 1] + 1)
        memory[..., 0], memory[..., 1] = new, np.where(waited >= patience, 0, waited)
        memory[..., 2] = 1
        return gained + IMPATIENT * (waited >= patience)

    return Measure(gains, memory + 3)


def asked(game: str, probes: Sequence[Probe]) -> Measure:
    """The probes' measures of progress as one: for each seat the measure of the probe whose instruction it
    has; 0 for other instructions or none.
    """

    @cache
    def known() -> np.ndarray:
        return np.stack(
            [language.features(game, language.meant(game, probe.text).program) for probe in probes]
        )

    def told(features: np.ndarray) -> np.ndarray:
        return (features[..., None, :] == known()).all(-1) @ np.arange(1, len(probes) + 1)

    def gains(before: np.ndarray, after: np.ndarray, memory: np.ndarray) -> np.ndarray:
        obeyed = np.zeros(memory.shape[:2])
        for number, probe in enumerate(probes, 1):
            mine = memory[..., 0] == number
            rows = np.flatnonzero(mine.any(1))
            if len(rows):
                remembered = memory[rows, :, 1 : 1 + probe.progress.memory]
                gained = probe.progress.gains(before[rows], after[rows], remembered)
                obeyed[rows] += gained * mine[rows]
                kept = np.where(
                    mine[rows][..., None], remembered, memory[rows, :, 1 : 1 + remembered.shape[2]]
                )
                memory[rows, :, 1 : 1 + remembered.shape[2]] = kept
        return obeyed

    return Measure(gains, 1 + max(probe.progress.memory for probe in probes), told)


def probes_of(game: str, name: str = "") -> list[Probe]:
    """A game's probes, or the one of a name; raises ValueError with a sentence if there is none."""
    brought: Sequence[Probe] = brings.Probes.of(game).PROBES
    probes = [probe for probe in brought if name in ("", probe.name)]
    if not probes:
        known = f"it has {', '.join(probe.name for probe in brought)}" if brought else "it has none"
        raise ValueError(f"{game} has no probe {name!r}; {known}." if name else f"{game} has no probes.")
    return probes


def probed(
    policy: Policy,
    probe: Probe,
    options: dict[str, Any] | None = None,
    episodes: int = 100,
    seed: int = 0,
    partner: Policy | None = None,
    told: bool = True,
    check: Callable[[], None] = lambda: None,
) -> dict[str, Any]:
    """How often seats with the instruction succeed: {"share", "interval" (95 %, over deals), "trials",
    "episodes"}. Without `told` nobody gives it, on the same deals. `partner` plays the seats without the
    instruction, otherwise the policy does. Raises ValueError if no seat can get it.
    """
    game = policy.game
    complete = games.spec(game).validate({**varied(game), **(options or {})})
    seats, arrange = audience(game, complete), probe.arrange or (lambda states: None)
    if not seats:
        raise ValueError("Nobody can be told anything: the player in seat 0 has no one on its side.")
    table = [
        policy if seat in seats or partner is None else partner
        for seat in range(games.spec(game).seats(complete))
    ]
    for player in table:
        check_fits(player, game, complete)
    first = Batch(games.spec(game), complete, episodes, observations="none", seed=seed).states
    arrange(first)
    able = np.array([[probe.able(state, seat) for seat in seats] for state in first])
    played = play_rewarded(
        *(table, game, complete, episodes, seed, probe.succeeded, check),
        told=probe.text if told else "",
        ticks=probe.limit,
        arrange=arrange,
    )
    done = (played.utilities[:, seats] >= 1 - EXACT) & able
    return {
        **share_over_deals(done.sum(1), able.sum(1)),
        "trials": int(able.sum()),
        "episodes": episodes,
    }


def evaluate_probes(
    policy: Policy,
    options: dict[str, Any] | None = None,
    episodes: int = 100,
    seed: int = 0,
    name: str = "",
    partner: Policy | None = None,
) -> dict[str, Any]:
    """Every probe of the policy's game, or the one of a name, with and without the instruction: {"probes":
    {name: {"text", "limit", "told", "untold": as `probed`}}, …}. Raises ValueError with a sentence.
    """
    results = {}
    for probe in probes_of(policy.game, name):
        both = {
            condition: probed(policy, probe, options, episodes, seed, partner, condition == "told")
            for condition in ("told", "untold")
        }
        results[probe.name] = {"text": probe.text, "limit": probe.limit, **both}
    return {
        "game": policy.game,
        "agent": policy.name,
        "with": partner.name if partner else policy.name,
        "acts": manner(policy),
        "options": games.spec(policy.game).validate(dict(options or {})),
        "episodes": episodes,
        "seed": seed,
        "probes": results,
    }


def table(results: dict[str, Any]) -> list[str]:
    """`evaluate_probes` as text: one row per probe."""
    lines = [
        f"{results['agent']}, {results['episodes']} games a probe; share that succeeds (95 % over deals)"
    ]
    lines.append(f"{'probe':<16}{'told':>20}{'untold':>20}   instruction, ticks")
    for name, probe in results["probes"].items():
        cells = "".join(f"{_cell(probe[condition]):>20}" for condition in ("told", "untold"))
        lines.append(f"{name:<16}{cells}   “{probe['text']}”, {probe['limit']}")
    return lines


def _cell(figure: dict[str, Any]) -> str:
    if figure["share"] is None:
        return "nobody able"
    low, high = figure["interval"]
    return f"{figure['share']:.0%} ({max(0.0, low):.0%} to {high:.0%})"
