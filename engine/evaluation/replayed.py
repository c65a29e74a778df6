"""Setter replay: what an agent does with instructions that people gave. A recorded episode is re-simulated
exactly up to each instruction. From there the agent plays the seats with the instruction, until the next
instruction of that person or the end, and a human proxy (engine.evaluation.people) plays all others.

Source: IBT paper (2022), section 5 ("setter replay") and 6.4. Here the person's own moves aren't replayed,
because they could not react to what the agent does. The result is compared with what was recorded: points,
progress by the usual measure, and whether the instruction was carried out. Not for episodes without
instructions.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from engine.agents.acting import manner
from engine.agents.policy import Policy, check_fits
from engine.evaluation.annotators import Watched
from engine.evaluation.episodes import Logged, play_on
from engine.evaluation.intervals import over_deals
from engine.language.standings import completed
from engine.refusal import Refusal
from engine.simulation.life import State
from engine.simulation.log import EpisodeLog, read_lines, verify, walk
from engine.simulation.simulation import Simulation
from engine.simulation.told import Span, Told, told
from engine.snapshots import Snapshot

NUMBERS = ("score", "progress", "done")


@dataclass(frozen=True)
class Segment:
    """One instruction of a log, its seats, in force from tick `start`; at tick `stop` the same person gives
    the next one, or the episode ends.
    """

    id: str
    text: str
    seats: tuple[int, ...]
    start: int
    stop: int


def segments(log: EpisodeLog) -> list[Segment]:
    """The instructions of a log that were in force for some seat for at least a tick."""
    by_id: dict[str, list[Span]] = {}
    for span in told(log).spans:
        by_id.setdefault(span.id, []).append(span)
    parts = []
    for name, spans in by_id.items():
        first = spans[0]
        later = [spans[0].start for spans in by_id.values() if spans[0].speaker == first.speaker]
        stop = min((tick for tick in later if tick > first.start), default=len(log.steps))
        if stop > first.start:
            seats = tuple(span.seat for span in spans)
            parts.append(Segment(name, first.text, seats, first.start, stop))
    return parts


def logs_in(folder: Path) -> tuple[list[EpisodeLog], list[str]]:
    """The episode logs of a snapshot, or of a folder of logs, by name; a sentence on each damaged one."""
    logs, damaged = [], []
    if (folder / "episodes").is_dir():
        snapshot = Snapshot(folder)
        written = ((episode, snapshot.written(episode)) for episode in snapshot.episodes)
    else:
        written = ((path.stem, path.read_bytes()) for path in sorted(folder.glob("*.jsonl")))
    for name, data in written:
        try:
            logs.append(read_lines(data))
        except Refusal as problem:
            damaged.append(f"{name}: {problem}")
    return logs, damaged


def played_on(
    log: EpisodeLog, sim: Simulation, segment: Segment, policy: Policy, person: Policy, seed: int
) -> EpisodeLog:
    """The log up to an instruction, and the result with the agent in the seats that have it."""
    steps = [number for number, record in enumerate(log.records) if record["type"] == "step"]
    out = EpisodeLog(log.header, log.records[: steps[segment.start]])
    known = Told(log.header)
    for record in out.records:
        known.note(record)
    cast = [policy if seat in segment.seats else person for seat in range(sim.seats)]
    episode = Logged(sim, cast, segment.stop, log=out, told=known)
    play_on([episode], np.random.default_rng([seed, segment.start]))
    return out


def outcome(log: EpisodeLog, segment: Segment, scores: Sequence[int]) -> dict[str, float]:
    """{"score", "progress" (mean over seats with the instruction), "done" (share of these seats that have
    carried it out)} of a log between an instruction and tick `stop`; `scores` at its ticks.
    """
    stop = min(segment.stop, len(log.steps))
    watched = Watched(log)
    phis = [watched.progress(seat) for seat in segment.seats]
    ends = {span.seat: span for span in told(log).spans if span.id == segment.id}
    done = [
        seat in ends and ends[seat].why == State.DONE and (ends[seat].end or 0) <= stop
        for seat in segment.seats
    ]
    return {
        "score": float(scores[stop] - scores[segment.start]),
        "progress": float(np.mean([phi[stop] - phi[segment.start] for phi in phis])),
        "done": float(np.mean(done)),
    }


def replayed(
    policy: Policy,
    person: Policy,
    logs: Sequence[EpisodeLog],
    seed: int = 0,
    check: Callable[[], None] = lambda: None,
    damaged: Sequence[str] = (),
) -> dict[str, Any]:
    """{"episodes", "segments": [{"episode", "tick", "ticks", "seats", "text", "agent": outcome, "recorded":
    outcome}], "agent", "recorded", "difference": {number: {"mean", "interval"}} over episodes, "skipped":
    sentences, first `damaged`}. Raises ValueError where there is no instruction to replay.
    """
    rows, skipped = [], list(damaged)
    for log in logs:
        check()
        name = str(log.header.get("episode"))
        if log.header["game"] != policy.game:
            raise ValueError(f"Episode {name} is a game of {log.header['game']}, not of {policy.game}.")
        if problems := verify(log):
            skipped.append(f"Episode {name}: {problems[0]}")
            continue
        log = completed(log)
        parts = segments(log)
        if not parts:
            continue
        for player in (policy, person):
            check_fits(player, policy.game, log.header["options"])
        sims: dict[int, Simulation] = {}
        starts = {segment.start for segment in parts}
        scores = []
        for sim in walk(log):
            scores.append(sim.score)
            if sim.tick in starts:
                sims[sim.tick] = sim.copy()
        for segment in parts:
            check()
            after = played_on(log, sims[segment.start].copy(), segment, policy, person, seed)
            again = [state.score for state in walk(after)]
            rows.append(
                {
                    "episode": name,
                    "tick": segment.start,
                    "ticks": segment.stop - segment.start,
                    "seats": list(segment.seats),
                    "text": segment.text,
                    "agent": outcome(after, segment, again),
                    "recorded": outcome(log, segment, scores),
                }
            )
    if not rows:
        raise ValueError(" ".join(["Nobody was told anything in these episodes.", *skipped[:1]]))
    return {
        "game": policy.game,
        "policy": policy.name,
        "acts": manner(policy),
        "proxy": person.name,
        "seed": seed,
        "episodes": len({row["episode"] for row in rows}),
        "segments": rows,
        **{who: {number: _over(rows, who, number) for number in NUMBERS} for who in ("agent", "recorded")},
        "difference": {number: _over(rows, "", number) for number in NUMBERS},
        "skipped": skipped,
    }


def _over(rows: Sequence[dict[str, Any]], who: str, number: str) -> dict[str, Any]:
    """The mean of an outcome over segments, for the agent, for the recording, or (None) for their difference;
    the interval is over episodes.
    """

    def value(row: dict[str, Any]) -> float:
        return row[who][number] if who else row["agent"][number] - row["recorded"][number]

    by_episode: dict[str, list[float]] = {}
    for row in rows:
        by_episode.setdefault(row["episode"], []).append(value(row))
    interval = over_deals(np.array([np.mean(values) for values in by_episode.values()]))
    return {"mean": interval["mean"], "interval": interval["interval"]}


def table(result: dict[str, Any]) -> list[str]:
    """`replayed` as text: one row per instruction, then the means."""
    lines = [
        f"{result['policy']} as it was told, with {result['proxy']}: {len(result['segments'])} instructions "
        f"of {result['episodes']} episodes; the agent / as recorded",
        f"{'points':>14}{'progress':>16}{'done':>14}   ticks, instruction",
    ]
    for row in result["segments"]:
        both = [(row["agent"][number], row["recorded"][number]) for number in NUMBERS]
        points, moved, done = (f"{a:.1f} / {b:.1f}" for a, b in both)
        lines.append(f"{points:>14}{moved:>16}{done:>14}   {row['ticks']} “{row['text']}”")
    for name in ("agent", "recorded", "difference"):
        cells = ", ".join(f"{number} {_cell(result[name][number])}" for number in NUMBERS)
        lines.append(f"{name}, mean of an episode: {cells}")
    return [*lines, *result["skipped"]]


def _cell(figure: dict[str, Any]) -> str:
    if figure["interval"] is None:
        return f"{figure['mean']:.2f}"
    return f"{figure['mean']:.2f} ({figure['interval'][0]:.2f} to {figure['interval'][1]:.2f})"
