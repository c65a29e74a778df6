"""Two agents on the same deals, move by move: what one does more or less often than the other, and some of
their games to watch side by side.

Counted are a game's `habits` (engine.evaluation.habits), as shares, and the events that its steps report, by
kind and per game (in games that report no kinds: the moves in words). Both have intervals over deals that
both played. Not for scores, which need many more games (engine.evaluation.self_play).
"""

from __future__ import annotations

import json
import uuid
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType
from typing import Any

import numpy as np

from engine import brings
from engine.agents.acting import act
from engine.agents.files import write_atomically
from engine.agents.policy import Policy
from engine.evaluation.intervals import Z, around, standard_error
from engine.games import stories
from engine.language import Reading, standings
from engine.simulation.log import EpisodeLog, encode_line, header_of, resimulate
from engine.simulation.pictures import png
from engine.simulation.simulation import Simulation
from engine.simulation.spoken import last_move
from engine.simulation.told import Told

_NAMESPACE = uuid.UUID("5f4b7f0a-2a6e-4c6b-9c86-6d6f5e6f3b1d")
LONGEST = 20_000  # ticks; no game is longer
SHOWN = 3  # games of each that are kept to be watched: those of the first deals, whatever became of them
PICTURED = 6  # differences that get a picture of a moment
WIDTH = 320  # pixels of a picture
RARE = 3  # times that something must have happened in all games to be told
DRAWS = 400  # of deals, for the intervals of shares
Check = Callable[[], None]
NOBODY: Mapping[int, Reading] = MappingProxyType({})  # is told anything


@dataclass
class Watched:
    """One game: its log, what happened how often in it (`events`, by kind), how often its `habits` were
    followed, of how many occasions, at which tick a thing happened first, and whether it is `good` (1), bad
    (-1) or neither (0).
    """

    log: EpisodeLog
    score: int
    events: Counter[str] = field(default_factory=Counter)
    habits: dict[str, list[int]] = field(default_factory=lambda: defaultdict(lambda: [0, 0]))
    first: dict[str, int] = field(default_factory=dict)
    good: dict[str, int] = field(default_factory=dict)


def watch(
    table: Sequence[Policy],
    own: Policy,
    options: dict[str, Any],
    seed: int,
    check: Check,
    heard: Mapping[int, Reading] = NOBODY,
) -> Watched:
    """One game of these policies by seat, and what the seats in `own` did. `heard`: instructions that seats
    get at the start, from another seat of their side; they are settled and ended as in a match, and stand in
    the log. `check` is called before every decision and may raise, to stop.
    """
    sim = Simulation(own.game, options, seed=seed)
    spec, rng = sim.spec, np.random.default_rng(seed)
    counted = None if spec.heads else brings.Habits.brought(own.game)
    habits = counted.habits if counted else None
    seats = [{"kind": "agent", "name": one.card.get("title") or one.name, "agent": one.name} for one in table]
    log = EpisodeLog(header_of(sim, episode_id(table, sim.options, seed, heard), seats))
    told = tell(log, sim, heard)
    found, mine = Watched(log, 0), {seat for seat, one in enumerate(table) if one is own}
    chosen: dict[int, Any] = {}
    while not sim.over and sim.tick < LONGEST:
        tick, before = sim.tick, sim.state.copy()
        if tick % spec.decision_ticks == 0:
            check()
            chosen = decide(sim, table, rng, told)
        joint = [sim.idle(seat) for seat in range(sim.seats)]
        for seat, action in chosen.items():
            joint[seat] = sim.resolve(seat, action) if spec.heads else action
        sim.step(joint)
        note(log, told, {"type": "step", "tick": tick, "actions": sim.actions[-1]})
        if heard and (spec.turn_based or sim.over or sim.tick % standings.LOOK_EVERY == 0):
            for record in standings.done(told, sim):
                log.append(record)
        reported = list(happened(sim, mine))
        if not reported and habits is None and not spec.heads:
            moved = sorted(mine & chosen.keys())
            reported = [(spec.action_text(before, seat, int(chosen[seat])), 0) for seat in moved]
        for name, good in reported:
            found.events[name] += 1
            found.good[name] = good
            found.first.setdefault(name, sim.tick)
        for seat in sorted(mine & chosen.keys()) if habits is not None else ():
            for name, followed in habits(before, seat, int(chosen[seat]), sim.state):
                found.habits[name][0] += bool(followed)
                found.habits[name][1] += 1
    end = {"type": "end", "tick": sim.tick, "score": sim.score, "digest": sim.digest()}
    log.append(end | {"reason": "finished", "outcomes": stories.outcomes(sim.game, sim.view(None))})
    found.score = int(sim.score)
    return found


def tell(log: EpisodeLog, sim: Simulation, heard: Mapping[int, Reading]) -> Told:
    """Give each seat its instruction, from the next seat of its side, and write it into the log; returns the
    instructions of seats. Raises ValueError for a seat that has nobody on its side.
    """
    told = Told(log.header)
    for seat, reading in sorted(heard.items()):
        speakers = [one % sim.seats for one in range(seat + 1, seat + sim.seats)]
        speaker = next((one for one in speakers if seat in told.audience(one, None)), None)
        if speaker is None:
            raise ValueError(f"Nobody can tell seat {seat + 1} anything: it has no one on its side.")
        said = {"tick": 0, "seat": speaker, "target_seat": seat, "id": f"told-{seat}", "text": reading.text}
        status = {"status": "confirmed", "reading": reading.as_json()}
        note(log, told, {"type": "instruction", **said, **status})
    for record in standings.settled(told, sim):
        log.append(record)
    return told


def note(log: EpisodeLog, told: Told, record: dict[str, Any]) -> None:
    """Take the next record: for the log, and for the instructions in force."""
    log.append(record)
    told.note(record)


def episode_id(
    table: Sequence[Policy], options: dict[str, Any], seed: int, heard: Mapping[int, Reading] = NOBODY
) -> str:
    """The same id for the same game of the same agents with the same instructions, whenever it is played."""
    who: list[Any] = [[one.name, one.card.get("sha256")] for one in table]
    if heard:
        who.append([[seat, one.text, one.program] for seat, one in sorted(heard.items())])
    return str(uuid.uuid5(_NAMESPACE, json.dumps([who, options, seed], sort_keys=True, default=str)))


def decide(sim: Simulation, table: Sequence[Policy], rng: np.random.Generator, told: Told) -> dict[int, Any]:
    """The choices of every seat that is to move now."""
    movers = list(range(sim.seats)) if sim.current is None else [sim.current]
    chosen: dict[int, Any] = {}
    for policy in {id(one): one for one in table}.values():
        seats = [seat for seat in movers if table[seat] is policy]
        if seats:
            programs = [told.programs(seat) for seat in seats]
            chosen |= zip(seats, act(policy, [sim] * len(seats), seats, rng, programs), strict=True)
    return chosen


def happened(sim: Simulation, seats: set[int]) -> Iterator[tuple[str, int]]:
    """The events of these seats that the last step reports, each in a few words, and whether it is good (1),
    bad (-1) or neither (0).
    """
    last = last_move(sim)
    for event in last.get("events", [last] if last else []):
        if event.get("seat") not in seats or not event.get("kind"):
            continue
        item = event.get("item")
        thing = str(item.get("kind", "")) if isinstance(item, dict) else ""
        works = event.get("success")
        failed = "that fails" if works is False else ""
        good = int(np.sign(event.get("points") or 0)) if works is None else 1 if works else -1
        kind = str(event["kind"]).replace("_", " ") + (f": {thing}" if thing else "")
        yield f"{kind} {failed}".strip(), good


def differences(ours: Sequence[Watched], theirs: Sequence[Watched], seed: int = 0) -> list[dict[str, Any]]:
    """[{"name", "unit": "share" | "a game", "ours", "theirs", "difference", "interval" (95 %), "clear",
    "worse"}] of games on the same deals. Clear differences come first, among them those known to be worse,
    and then the largest.
    """
    rng = np.random.default_rng(seed)
    good = {name: sign for one in (*ours, *theirs) for name, sign in one.good.items()}
    rows = [_times(name, ours, theirs, good[name]) for name in _names(ours, theirs, "events")]
    rows += [_share(name, ours, theirs, rng) for name in _names(ours, theirs, "habits")]

    def order(row: dict[str, Any]) -> tuple[bool, bool, float]:
        size = abs(row["difference"]) / max(abs(row["ours"]), abs(row["theirs"]), 1e-9)
        return not row["clear"], not row["worse"], -size

    return sorted((row for row in rows if row is not None), key=order)


def _names(ours: Sequence[Watched], theirs: Sequence[Watched], kind: str) -> list[str]:
    return sorted({name for one in (*ours, *theirs) for name in getattr(one, kind)})


def _row(name: str, unit: str, both: tuple[float, float], half: float | None, good: int) -> dict[str, Any]:
    gap = both[0] - both[1]
    clear = half is not None and abs(gap) > half
    return {
        "name": name,
        "unit": unit,
        "ours": both[0],
        "theirs": both[1],
        "difference": gap,
        "interval": around(gap, half),
        "clear": clear,
        "worse": clear and gap * good < 0,
    }


def _times(name: str, ours: Sequence[Watched], theirs: Sequence[Watched], good: int) -> dict[str, Any] | None:
    mine, other = (np.array([one.events[name] for one in side], float) for side in (ours, theirs))
    if mine.sum() + other.sum() < RARE:
        return None
    apart = mine - other
    error = standard_error(apart)
    half = None if error is None else Z * error
    return _row(name, "a game", (float(mine.mean()), float(other.mean())), half, good)


def _share(
    name: str, ours: Sequence[Watched], theirs: Sequence[Watched], rng: np.random.Generator
) -> dict[str, Any] | None:
    counts = np.array([[one.habits.get(name, [0, 0]) for one in side] for side in (ours, theirs)], float)
    followed, of = counts.sum(1).T
    if (of < RARE).any():
        return None
    half = None
    if (deals := counts.shape[1]) > 1:
        # The same draws of deals for both: what a hard deal does to both isn't a difference.
        drawn = counts[:, rng.integers(deals, size=(DRAWS, deals))].sum(2)
        shares = drawn[..., 0] / np.maximum(1, drawn[..., 1])
        half = Z * float((shares[0] - shares[1]).std())
    return _row(name, "share", (float(followed[0] / of[0]), float(followed[1] / of[1])), half, 0)


def keep(ours: Sequence[Watched], theirs: Sequence[Watched], folder: Path) -> list[dict[str, Any]]:
    """Write the logs of the first games of both and a picture of how each ended into a folder: [{"deal",
    "ours": {"file", "picture", "episode", "score", "ticks"}, "theirs": …}].
    """
    return [
        {
            "deal": deal,
            "ours": kept(mine, folder, f"{deal}-ours"),
            "theirs": kept(other, folder, f"{deal}-theirs"),
        }
        for deal, (mine, other) in enumerate(zip(ours[:SHOWN], theirs[:SHOWN], strict=True))
    ]


def kept(one: Watched, folder: Path, name: str) -> dict[str, Any]:
    """Write the log of a game and a picture of how it ended: {"file", "picture", "episode", "score",
    "ticks"}.
    """
    lines = "".join(encode_line(record) for record in [one.log.header, *one.log.records])
    write_atomically(folder / f"{name}.jsonl", lines.encode())
    write_atomically(folder / f"{name}.png", png(resimulate(one.log).picture(None, WIDTH)))
    found = {"file": f"{name}.jsonl", "picture": f"{name}.png", "episode": one.log.header["episode"]}
    return {**found, "score": one.score, "ticks": len(one.log.steps)}


def illustrate(
    rows: list[dict[str, Any]], ours: Sequence[Watched], theirs: Sequence[Watched], folder: Path
) -> None:
    """Give the first differences in what happened a moment of the side that does it more, in a game that is
    kept: row["moment"] = {"episode", "tick", "picture"}, the picture drawn into a folder.
    """
    for number, row in enumerate([row for row in rows if row["difference"]][:PICTURED]):
        side = ours if row["difference"] > 0 else theirs
        one = next((one for one in side[:SHOWN] if row["name"] in one.first), None)
        if one is not None:
            tick, picture = one.first[row["name"]], f"moment-{number}.png"
            write_atomically(folder / picture, png(resimulate(one.log, tick).picture(None, WIDTH)))
            row["moment"] = {"episode": one.log.header["episode"], "tick": tick, "picture": picture}
