"""Two agents on the same deals, move by move: what one does more or less often than the other, and some of
their games to watch side by side.

Counted are a game's `habits` (engine.evaluation.habits), as shares, and the events that its steps report, by
kind and per game (in games that report no kinds: the moves in words). Both have intervals over deals that
both played. Not for scores, which need many more games (engine.evaluation.self_play).
"""

from __future__ import annotations

import json
import uuid
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from types import MappingProxyType
from typing import Any

import numpy as np

from engine import brings, games
from engine.agents.files import write_atomically
from engine.agents.policy import Policy
from engine.evaluation.counted import Habits, Shares, add, nothing_yet
from engine.evaluation.episodes import Logged, play_on
from engine.evaluation.intervals import Z, around, standard_error
from engine.language import Reading, standings
from engine.simulation.log import EpisodeLog, encode_line, resimulate, walk
from engine.simulation.pictures import png, write_gif
from engine.simulation.simulation import Simulation
from engine.simulation.spoken import last_move

_NAMESPACE = uuid.UUID("5f4b7f0a-2a6e-4c6b-9c86-6d6f5e6f3b1d")
LONGEST = 20_000  # ticks; no game is longer
SHOWN = 3  # games of each that are kept to be watched: those of the first deals, whatever became of them
PICTURED = 6  # differences that get a picture of a moment
WIDTH = 320  # pixels of a picture
CLIP, FRAMES, TURN = 10, 5, 0.8  # seconds of a clip, its pictures a second, and seconds for a move in turns
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
    habits: Shares = field(default_factory=nothing_yet)
    first: dict[str, int] = field(default_factory=dict)
    good: dict[str, int] = field(default_factory=dict)


@dataclass(eq=False, kw_only=True)
class Watching(Logged):
    """A game of which is counted what the seats in `mine` do."""

    mine: set[int]
    watched: Watched = field(init=False)
    habits: Habits | None = field(init=False)

    def __post_init__(self) -> None:
        self.watched = Watched(self.log, 0)
        module = None if self.sim.spec.heads else brings.Habits.brought(self.sim.game)
        self.habits = module.habits if module else None

    def step(self) -> None:
        sim, before, moving = self.sim, self.sim.state.copy(), sorted(self.mine & set(self.movers))
        super().step()
        reported = list(happened(sim, self.mine))
        if not reported and self.habits is None and not sim.spec.heads:
            reported = [(sim.spec.action_text(before, seat, int(self.chosen[seat])), 0) for seat in moving]
        for name, good in reported:
            self.watched.events[name] += 1
            self.watched.good[name] = good
            self.watched.first.setdefault(name, sim.tick)
        for seat in moving if self.habits else ():
            add(self.watched.habits, self.habits(before, seat, int(self.chosen[seat]), sim.state))

    def tell(self, seat: int, reading: Reading) -> None:
        """Give a seat its instruction, from the next seat of its side. Raises ValueError if there is none."""
        speakers = [other % self.sim.seats for other in range(seat + 1, seat + self.sim.seats)]
        speaker = next((speaker for speaker in speakers if seat in self.told.audience(speaker, None)), None)
        if speaker is None:
            raise ValueError(f"Nobody can tell seat {seat + 1} anything: it has no one on its side.")
        self.give(reading, speaker, seat, f"told-{seat}")


def watch(
    table: Sequence[Policy],
    policy: Policy,
    options: dict[str, Any],
    seed: int,
    check: Check,
    heard: Mapping[int, Reading] = NOBODY,
) -> Watched:
    """One game of these policies by seat, and what the seats of `own` did. `heard`: instructions that seats
    get at the start, from another seat of their side; they are settled and ended as in a match, and stand in
    the log. `check` is called before every tick and may raise, to stop.
    """
    sim = Simulation(policy.game, options, seed=seed)
    mine = {seat for seat, player in enumerate(table) if player is policy}
    how: dict[str, Any] = {"until": LONGEST, "look_every": standings.LOOK_EVERY}
    name = episode_id(table, sim.options, seed, heard)
    game = Watching.begun(sim, table, name, mine=mine, **how)
    for seat, reading in sorted(heard.items()):
        game.tell(seat, reading)
    play_on([game], np.random.default_rng(seed), check)
    game.finish()
    game.watched.score = int(sim.score)
    return game.watched


def episode_id(
    table: Sequence[Policy], options: dict[str, Any], seed: int, heard: Mapping[int, Reading] = NOBODY
) -> str:
    """The same id for the same game of the same agents with the same instructions, whenever it is played."""
    who: list[Any] = [[player.name, player.card.get("sha256")] for player in table]
    if heard:
        who.append([[seat, reading.text, reading.program] for seat, reading in sorted(heard.items())])
    return str(uuid.uuid5(_NAMESPACE, json.dumps([who, options, seed], sort_keys=True, default=str)))


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
    good = {name: sign for game in (*ours, *theirs) for name, sign in game.good.items()}
    rows = [_times(name, ours, theirs, good[name]) for name in _names(ours, theirs, "events")]
    rows += [_share(name, ours, theirs, rng) for name in _names(ours, theirs, "habits")]

    def order(row: dict[str, Any]) -> tuple[bool, bool, float]:
        size = abs(row["difference"]) / max(abs(row["ours"]), abs(row["theirs"]), 1e-9)
        return not row["clear"], not row["worse"], -size

    return sorted((row for row in rows if row is not None), key=order)


def _names(ours: Sequence[Watched], theirs: Sequence[Watched], kind: str) -> list[str]:
    return sorted({name for game in (*ours, *theirs) for name in getattr(game, kind)})


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
    mine, other = (np.array([game.events[name] for game in side], float) for side in (ours, theirs))
    if mine.sum() + other.sum() < RARE:
        return None
    apart = mine - other
    error = standard_error(apart)
    half = None if error is None else Z * error
    return _row(name, "a game", (float(mine.mean()), float(other.mean())), half, good)


def _share(
    name: str, ours: Sequence[Watched], theirs: Sequence[Watched], rng: np.random.Generator
) -> dict[str, Any] | None:
    counts = np.array([[game.habits.get(name, [0, 0]) for game in side] for side in (ours, theirs)], float)
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


def kept(watched: Watched, folder: Path, name: str) -> dict[str, Any]:
    """Write the log of a game and a picture of how it ended: {"file", "picture", "episode", "score",
    "ticks"}.
    """
    lines = "".join(encode_line(record) for record in [watched.log.header, *watched.log.records])
    write_atomically(folder / f"{name}.jsonl", lines.encode())
    write_atomically(folder / f"{name}.png", png(resimulate(watched.log).picture(None, WIDTH)))
    entry = {"file": f"{name}.jsonl", "picture": f"{name}.png", "episode": watched.log.header["episode"]}
    return {**entry, "score": watched.score, "ticks": len(watched.log.steps)}


def moving(watched: Watched, folder: Path, name: str, seat: int | None = None) -> str:
    """Write the beginning of a game, as a seat sees it, as a GIF into a folder; returns its name."""
    spec, header = games.spec(watched.log.header["game"]), watched.log.header
    clock = spec.clock(header["options"]) or spec.ticks_per_second or 1
    per_second = 1 / TURN if spec.turn_based else float(clock)
    each = max(1, round(per_second / FRAMES))
    moments = islice(walk(watched.log), 0, round(CLIP * per_second), each)
    write_gif(folder / f"{name}.gif", (sim.picture(seat, WIDTH) for sim in moments), per_second / each)
    return f"{name}.gif"


def illustrate(
    rows: list[dict[str, Any]], ours: Sequence[Watched], theirs: Sequence[Watched], folder: Path
) -> None:
    """Give the first differences in what happened a moment of the side that does it more, in a game that is
    kept: row["moment"] = {"episode", "tick", "picture"}, the picture drawn into a folder.
    """
    for number, row in enumerate([row for row in rows if row["difference"]][:PICTURED]):
        side = ours if row["difference"] > 0 else theirs
        game = next((one_game for one_game in side[:SHOWN] if row["name"] in one_game.first), None)
        if game is not None:
            tick, picture = game.first[row["name"]], f"moment-{number}.png"
            write_atomically(folder / picture, png(resimulate(game.log, tick).picture(None, WIDTH)))
            row["moment"] = {"episode": game.log.header["episode"], "tick": tick, "picture": picture}
