"""Marked episodes as a reward model needs them: one seat's observations, its instructions, each annotator's
marks.

Reads a snapshot (engine.snapshots). States come from re-simulating the logs. A mark at tick t is about the
move that led to state t: it lies between states t-1 and t. Nothing is trained here, and nothing is written.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

from engine import games, language
from engine.agents.features import RATED, reward_inputs_for
from engine.evaluation import measures
from engine.evaluation.annotators import Watched
from engine.language.standings import completed
from engine.refusal import Refusal
from engine.simulation.log import EpisodeLog, walk
from engine.simulation.told import changes
from engine.snapshots import Snapshot


@dataclass(frozen=True)
class Moves:
    """What a seat did at each entry of its track: `actions` int16 (T+1, heads); which choices `masks`, bool
    (T+1, choices of all heads), allowed; where it `moved`, bool (T+1,).
    """

    actions: np.ndarray
    masks: np.ndarray
    moved: np.ndarray


@dataclass(frozen=True)
class Track:
    """One seat of one episode as one rater marked it.

    `observations` float16 (T+1, D): what reward models read (engine.agents.features), `instructions` float32
    (T+1, F), `positive` and `negative` int16 (T+1,): marks at each tick; tick 0 has none. In games in which
    agents keep to a choice for some ticks, there is one entry for all of them: see `entry_of`. `moves`: what
    the seat did.
    """

    episode: str
    seat: int
    annotator: str
    simulated: bool
    observations: np.ndarray
    instructions: np.ndarray
    positive: np.ndarray
    negative: np.ndarray
    moves: Moves | None = None

    @property
    def marks(self) -> int:
        """How many marks the rater made on this seat."""
        return int(self.positive.sum() + self.negative.sum())

    @cached_property
    def asked(self) -> np.ndarray:
        """Whether anything was asked of the seat at each tick, bool (T+1,)."""
        return np.asarray(self.instructions.any(1))

    @cached_property
    def wishes(self) -> np.ndarray:
        """The different things that were asked of it, (n, F)."""
        return np.unique(self.instructions[self.asked], axis=0)


def load(
    folder: Path, game: str, check: Callable[[], None] = lambda: None, reads: str = RATED
) -> list[Track]:
    """All tracks of a snapshot, in a fixed order; raises Refusal if there is nothing to learn from. `reads`:
    which inputs (engine.agents.features).

    Episodes of another game, of another layout, or whose observations differ in size from the first one's,
    are refused. `check` is called before each episode and may raise, to stop.
    """
    by_episode: dict[str, list[dict[str, Any]]] = defaultdict(list)
    reviews: dict[str, list[dict[str, Any]]] = defaultdict(list)
    snapshot = Snapshot(folder)
    for row in snapshot.marks():
        by_episode[row["episode"]].append(row)
    for row in snapshot.reviews():
        reviews[row["episode"]].append(row)
    tracks: list[Track] = []
    width, layout = None, None
    for episode in sorted({*by_episode, *reviews}):
        check()
        log = snapshot.log(episode)
        if log.header["game"] != game:
            raise Refusal(f"Episode {episode} is a game of {log.header['game']}, not of {game}.")
        if games.spec(game).variant is not None:
            its_layout = log.header["options"]["layout"]
            if layout is not None and its_layout != layout:
                raise Refusal(
                    f"The snapshot mixes the layouts {named(layout)} and {named(its_layout)}, whose "
                    "observations don't mean the same; choose one layout."
                )
            layout = its_layout
        try:
            found_tracks = tracks_of(log, episode, by_episode[episode], reviews[episode], reads)
        except Refusal as error:
            raise Refusal(f"Episode {episode} can't be learned from: {error}") from None
        for track in found_tracks:
            if width is None:
                width = track.observations.shape[1]
            if track.observations.shape[1] != width:
                raise Refusal(
                    "The snapshot mixes games with different observations; choose one number of players."
                )
            tracks.append(track)
    if not any(track.marks for track in tracks):
        raise Refusal(f"The snapshot {folder} has no marks to learn from.")
    return tracks


def variant_of(folder: Path, game: str) -> str | None:
    """The layout that the episodes of a snapshot (`load` refuses several) were played in; None where the game
    has none.
    """
    variant, snapshot = games.spec(game).variant, Snapshot(folder)
    if variant is None or not snapshot.episodes:
        return None
    return variant(snapshot.log(snapshot.episodes[0]).header["options"])


def named(layout: str) -> str:
    """A layout's name; one that is given as text has none that says enough."""
    return "of its own text" if "\n" in layout else layout


def tracks_of(
    log: EpisodeLog,
    episode: str,
    marks: list[dict[str, Any]],
    reviews: list[dict[str, Any]],
    reads: str = RATED,
) -> list[Track]:
    """The tracks of one episode: one for each (seat, annotator) that marked or reviewed it."""
    groups: dict[tuple[int, str], list[dict[str, Any]]] = defaultdict(list)
    reviewed = {(seat, row["annotator"]): row for row in reviews for seat in row["seats"]}
    for who in reviewed:
        groups[who] = []
    for row in marks:
        groups[row["seat"], row["annotator"]].append(row)
    seats = sorted({seat for seat, _ in groups})
    seen = watch(log, seats, reads)
    tracks = []
    for (seat, annotator), rows in sorted(groups.items()):
        observations, instructions, moves = seen[seat]
        positive, negative = np.zeros((2, len(observations)), np.int16)
        each = games.spec(log.header["game"]).decision_ticks
        for row in rows:
            entry = entry_of(row["tick"], each)
            if 1 <= entry < len(observations):
                (positive if row["sign"] > 0 else negative)[entry] += 1
        review = reviewed.get((seat, annotator))
        simulated = all(row.get("simulated") for row in rows or [review or {}])
        if review is not None or positive.any() or negative.any():
            tracks.append(
                Track(
                    episode, seat, annotator, simulated, observations, instructions, positive, negative, moves
                )
            )
    return tracks


def entry_of(tick: int, each: int) -> int:
    """Where a tick stands in a track: decisions come every `each` ticks, and what is between two of them
    counts for the later one.
    """
    return -(-tick // each)


def observe(
    log: EpisodeLog, seats: list[int], reads: str = RATED
) -> dict[int, tuple[np.ndarray, np.ndarray]]:
    """Per seat, what a reward model reads there at every tick, float16 (T+1, D), and what it was told that is
    in force, float32 (T+1, F)."""
    return {seat: (seen, instructions) for seat, (seen, instructions, _) in watch(log, seats, reads).items()}


def watch(
    log: EpisodeLog, seats: list[int], reads: str = RATED
) -> dict[int, tuple[np.ndarray, np.ndarray, Moves]]:
    """The same, and what the seat did at every tick."""
    game, log = log.header["game"], completed(log)
    inputs, spec = reward_inputs_for(game, log.header["options"], reads), games.spec(game)
    each, steps = spec.decision_ticks, log.steps
    last = len(steps)
    states, world = [], None
    did: dict[int, list[tuple[Any, np.ndarray, bool]]] = {seat: [] for seat in seats}
    for sim in walk(log):
        world = sim.world
        if sim.tick % each and sim.tick != last:
            continue
        states.append(sim.state.copy())
        for seat in seats:
            moved = sim.tick < last and sim.current in (None, seat)
            did[seat].append((steps[sim.tick][seat] if moved else 0, sim.legal(seat), moved))
    kept = np.stack(states)
    out = {}
    for seat in seats:
        observations = inputs(kept, np.full(len(kept), seat), world).astype(np.float16)
        instructions = np.zeros((len(observations), language.num_features(game)), np.float32)
        for tick, programs in changes(log, seat):
            instructions[entry_of(tick, each) :] = language.together(game, programs)
        actions = np.zeros((len(kept), max(1, len(spec.heads))), np.int16)
        for row, (action, _, moved) in zip(actions, did[seat], strict=True):
            row[:] = action[: len(row)] if moved and spec.heads else action
        masks = np.array([mask for _, mask, _ in did[seat]], bool)
        moves = Moves(actions, masks, np.array([moved for *_, moved in did[seat]]))
        out[seat] = observations, instructions, moves
    return out


@dataclass(frozen=True)
class Truth:
    """What simulated annotators went by: true progress (T+1,) at the entries of a track, and how much of it
    was for doing what was asked."""

    progress: np.ndarray
    obeyed: float


def truth(folder: Path, tracks: list[Track], check: Callable[[], None] = lambda: None) -> list[Truth | None]:
    """Of those tracks of a snapshot that simulated annotators marked, by the measure of progress that they
    went by; None for others: what people go by is not known. `check` is as in `load`.
    """
    snapshot = Snapshot(folder)
    going_by = {row["annotator"]: row.get("measure") or measures.USUAL for row in snapshot.reviews()}
    watched: dict[str, Watched] = {}
    truths: list[Truth | None] = []
    for track in tracks:
        if not track.simulated:
            truths.append(None)
            continue
        check()
        if track.episode not in watched:  # tracks of one episode follow each other
            watched = {track.episode: Watched(snapshot.log(track.episode), Path(folder))}
        game, by = watched[track.episode], going_by.get(track.annotator, measures.USUAL)
        spec = games.spec(game.log.header["game"])
        phi, obeyed = game.rated(by)[:, track.seat], 0.0
        if track.asked.any():
            progress = game.progress(track.seat, by)
            phi, obeyed = progress, float(progress[-1] - phi[-1])
        entries = np.minimum(np.arange(len(track.positive)) * spec.decision_ticks, len(phi) - 1)
        truths.append(Truth(phi[entries], obeyed))
    return truths
