"""Marked episodes as a reward model needs them: one seat's observations, its instructions, each rater's
marks.

Reads a snapshot: a folder with `episodes/<id>.jsonl` (episode logs), `marks.jsonl` (one mark a line:
{"id", "episode", "seat", "tick", "sign", "annotator", "simulated", "deleted", "context"}) and, in newer ones,
`reviews.jsonl` ({"episode", "annotator", "simulated", "seats"}: who has looked at a seat to its end, and so
says something with what was not marked). States come from
re-simulating the logs. A mark at tick t is about the move that led to state t: it lies between states t-1
and t. Nothing is trained here, and nothing is written.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from engine import games, language
from engine.agents.features import reward_inputs_for
from engine.language.standings import completed
from engine.simulation.log import EpisodeLog, LogError, read_lines, walk
from engine.simulation.told import changes


class BadSnapshot(ValueError):
    """A snapshot folder that can't be used; the message is one sentence."""


@dataclass(frozen=True)
class Track:
    """One seat of one episode as one rater marked it.

    `observations` float16 (T+1, D): what reward models read (engine.agents.features), `instructions` float32
    (T+1, F), `positive` and `negative` int16 (T+1,): marks at each tick; tick 0 has none. In games in which
    agents keep to a choice for some ticks, there is one entry for all of them: see `entry_of`.
    """

    episode: str
    seat: int
    annotator: str
    simulated: bool
    observations: np.ndarray
    instructions: np.ndarray
    positive: np.ndarray
    negative: np.ndarray

    @property
    def marks(self) -> int:
        """How many marks the rater made on this seat."""
        return int(self.positive.sum() + self.negative.sum())


def read_marks(folder: Path) -> list[dict[str, Any]]:
    """The marks of a snapshot, without those that were deleted."""
    path = folder / "marks.jsonl"
    if not path.exists():
        raise BadSnapshot(f"The snapshot {folder} has no marks.jsonl.")

    def mark(row: dict[str, Any]) -> dict[str, Any]:
        whole = {name: int(row[name]) for name in ("seat", "tick", "sign")}
        return {**row, **whole, "episode": str(row["episode"]), "annotator": str(row["annotator"])}

    rows = _rows(path, mark, "mark")
    return [row for row in rows if not row.get("deleted") and row["sign"] != 0]


def read_reviews(folder: Path) -> list[dict[str, Any]]:
    """Who has reviewed which seats of which episode; [] for a snapshot that doesn't say."""
    path = folder / "reviews.jsonl"

    def review(row: dict[str, Any]) -> dict[str, Any]:
        seats = [int(seat) for seat in row["seats"]]
        return {**row, "episode": str(row["episode"]), "annotator": str(row["annotator"]), "seats": seats}

    return _rows(path, review, "review") if path.exists() else []


def _rows(path: Path, row_of: Callable[[dict[str, Any]], dict[str, Any]], what: str) -> list[dict[str, Any]]:
    found = []
    for number, line in enumerate(path.read_text().splitlines(), 1):
        if not line.strip():
            continue
        try:
            found.append(row_of(json.loads(line)))
        except (ValueError, KeyError, TypeError):
            raise BadSnapshot(f"Line {number} of {path} is no {what}.") from None
    return found


def read_log(path: Path) -> EpisodeLog:
    """One episode log of a snapshot."""
    return read_lines(path.read_bytes())


def load(folder: Path, game: str, check: Callable[[], None] = lambda: None) -> list[Track]:
    """All tracks of a snapshot, in a fixed order; raises BadSnapshot if there is nothing to learn from.

    Episodes of another game, of another layout, or whose observations differ in size from the first one's,
    are refused. `check` is called before each episode and may raise, to stop.
    """
    by_episode: dict[str, list[dict[str, Any]]] = defaultdict(list)
    reviews: dict[str, list[dict[str, Any]]] = defaultdict(list)
    for row in read_marks(folder):
        by_episode[row["episode"]].append(row)
    for row in read_reviews(folder):
        reviews[row["episode"]].append(row)
    tracks: list[Track] = []
    width, layout = None, None
    for episode in sorted({*by_episode, *reviews}):
        check()
        path = folder / "episodes" / f"{episode}.jsonl"
        if not path.exists():
            raise BadSnapshot(
                f"The snapshot {folder} has marks or reviews of episode {episode}, but not its log."
            )
        log = read_log(path)
        if log.header["game"] != game:
            raise BadSnapshot(f"Episode {episode} is a game of {log.header['game']}, not of {game}.")
        if games.spec(game).variant is not None:
            found = log.header["options"]["layout"]
            if layout is not None and found != layout:
                raise BadSnapshot(
                    f"The snapshot mixes the layouts {named(layout)} and {named(found)}, whose observations "
                    "don't mean the same; choose one layout."
                )
            layout = found
        try:
            found_tracks = tracks_of(log, episode, by_episode[episode], reviews[episode])
        except LogError as error:
            raise BadSnapshot(f"Episode {episode} can't be learned from: {error}") from None
        for track in found_tracks:
            if width is None:
                width = track.observations.shape[1]
            if track.observations.shape[1] != width:
                raise BadSnapshot(
                    "The snapshot mixes games with different observations; choose one number of players."
                )
            tracks.append(track)
    if not any(track.marks for track in tracks):
        raise BadSnapshot(f"The snapshot {folder} has no marks to learn from.")
    return tracks


def named(layout: str) -> str:
    """A layout's name; one that is given as text has none that says enough."""
    return "of its own text" if "\n" in layout else layout


def tracks_of(
    log: EpisodeLog, episode: str, marks: list[dict[str, Any]], reviews: list[dict[str, Any]]
) -> list[Track]:
    """The tracks of one episode: one for each (seat, annotator) that marked or reviewed it."""
    groups: dict[tuple[int, str], list[dict[str, Any]]] = defaultdict(list)
    reviewed = {(seat, row["annotator"]): row for row in reviews for seat in row["seats"]}
    for who in reviewed:
        groups[who] = []
    for row in marks:
        groups[row["seat"], row["annotator"]].append(row)
    seats = sorted({seat for seat, _ in groups})
    seen = observe(log, seats)
    found = []
    for (seat, annotator), rows in sorted(groups.items()):
        observations, instructions = seen[seat]
        positive, negative = np.zeros((2, len(observations)), np.int16)
        each = games.spec(log.header["game"]).decision_ticks
        for row in rows:
            entry = entry_of(row["tick"], each)
            if 1 <= entry < len(observations):
                (positive if row["sign"] > 0 else negative)[entry] += 1
        review = reviewed.get((seat, annotator))
        simulated = all(row.get("simulated") for row in rows or [review or {}])
        if review is not None or positive.any() or negative.any():
            found.append(
                Track(episode, seat, annotator, simulated, observations, instructions, positive, negative)
            )
    return found


def entry_of(tick: int, each: int) -> int:
    """Where a tick stands in a track: decisions come every `each` ticks, and what is between two of them
    counts for the later one.
    """
    return -(-tick // each)


def observe(log: EpisodeLog, seats: list[int]) -> dict[int, tuple[np.ndarray, np.ndarray]]:
    """Per seat, what a reward model reads there at every tick, float16 (T+1, D), and what it was told that is
    in force, float32 (T+1, F)."""
    game, log = log.header["game"], completed(log)
    inputs = reward_inputs_for(game, log.header["options"])
    each = games.spec(game).decision_ticks
    last = len(log.steps)
    states, world = [], None
    for sim in walk(log):
        world = sim.world
        if sim.tick % each == 0 or sim.tick == last:
            states.append(sim.state.copy())
    kept = np.stack(states)
    out = {}
    for seat in seats:
        observations = inputs(kept, np.full(len(kept), seat), world).astype(np.float16)
        instructions = np.zeros((len(observations), language.num_features(game)), np.float32)
        for tick, programs in changes(log, seat):
            instructions[entry_of(tick, each) :] = language.together(game, programs)
        out[seat] = observations, instructions
    return out
