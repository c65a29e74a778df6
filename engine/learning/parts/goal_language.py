"""The language side of co-training: texts with the goals that they ask for, and the goal head in torch, which
learns them (OpenContra, section 4.3 and Appendix E). Not for reinforcement learning of it
(engine.learning.algorithms.cotrain), nor for using it (engine.language.goal_head).
"""

from __future__ import annotations

import io
import os
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn

from engine import brings
from engine.agents.files import write_atomically
from engine.language import goal_head
from engine.language.bank import ROOT
from engine.language.encoder import WIDTH
from engine.language.goal_head import GoalHead
from engine.language.model import FILE, FOLDER, own_file
from engine.simulation.life import TAKEN_BACK
from engine.simulation.told import told
from engine.snapshots import Snapshot

SETS = ("HI", "SI", "AI", "RI")
SIZES = {"SI": 1098, "AI": 1441, "RI": 1382}
"""Of the sets that are made, as many as in the paper (Appendix E); HI are all that are written."""
OF_PROGRAMS = 1500  # texts of HI that are taken from those with programs
MOST = 4  # sub-goals of a made goal
HELD_OUT = 10  # one in so many blocks of BLOCK written lines, which stand together by meaning, is held out
BLOCK = 4
EPOCHS, BATCH, RATE, DROPPED = 16, 64, 1e-3, 0.2


@dataclass
class Texts:
    """k texts of a set each, what they ask for (k, sub-goals), where they were said: what each sub-goal was
    (k, sub-goals); where they are from; which are held out, bool (k,).
    """

    texts: list[str]
    wanted: np.ndarray
    hand: np.ndarray
    sets: np.ndarray
    source: np.ndarray
    held_out: np.ndarray


@dataclass
class Windows:
    """Windows of agents who were asked for nothing: states in which they began (k, state_size), of which
    seats (k,), and what the sub-goals were then and in the end (k, sub-goals).
    """

    states: np.ndarray
    seats: np.ndarray
    began: np.ndarray
    ended: np.ndarray


Row = tuple[str, np.ndarray, int, str, str, bool]
"""A text, its vector, the number of the window where it is said, its set, its source, whether held out."""


def texts_of(
    game: str, options: dict[str, Any], windows: Windows, seed: int, most: int, snapshot: str = ""
) -> Texts:
    """The four sets: HI, written by people or a language model one by one, in any state; SI, for each value
    of each sub-goal in turn, as a change of a state's; AI, what windows came to; RI, goals at random. At
    most so many of each, 0: all. Sentences of the last three are the game's grammar's. With a snapshot, what
    people typed there is a set "people". Raises Refusal.
    """
    rng = np.random.default_rng(seed)
    rows = [*_written(game, options, windows, rng, most)]
    rows += _of_programs(game, options, windows, rng, "people", typed(snapshot, game) if snapshot else [])
    rows += _made(game, windows, rng, most)
    texts, vectors, at, sets, source, held_out = zip(*rows, strict=True)
    hand = windows.began[list(at)]
    return Texts(list(texts), np.array(vectors, np.int8), hand, *map(np.array, (sets, source, held_out)))


def _written(
    game: str, options: dict[str, Any], windows: Windows, rng: np.random.Generator, most: int
) -> Iterator[Row]:
    """HI: texts that were written with their sub-goals, and those with programs that ask for some."""
    words = brings.GoalTexts.of(game)
    written, spoken = words.written(), list(words.spoken())
    for number in _some(len(written), most, rng):
        text, row, source = written[number]
        apart = source == "written" and number // BLOCK % HELD_OUT == 0
        yield text, row, int(rng.integers(len(windows.seats))), "HI", source, apart
    chosen = [spoken[number] for number in _some(len(spoken), min(most or OF_PROGRAMS, OF_PROGRAMS), rng)]
    yield from (row for row in _of_programs(game, options, windows, rng, "HI", chosen) if row[1].max() >= 0)


def _of_programs(
    game: str,
    options: dict[str, Any],
    windows: Windows,
    rng: np.random.Generator,
    name: str,
    texts: Sequence[tuple[str, dict[str, Any] | None]],
) -> Iterator[Row]:
    """Texts with what their programs come to in some window, nothing where there is no program."""
    words, size = brings.GoalTexts.of(game), windows.began.shape[1]
    for text, program in texts:
        at, row = int(rng.integers(len(windows.seats))), np.full(size, -1, np.int8)
        if program is not None:
            row = words.of_program(program, options, windows.states[at], int(windows.seats[at]))
        yield text, row, at, name, "program" if name == "HI" else "snapshot", False


def _made(game: str, windows: Windows, rng: np.random.Generator, most: int) -> Iterator[Row]:
    """SI, AI and RI, in sentences of the grammar."""
    space, words = brings.GoalSpace.of(game), brings.GoalTexts.of(game)
    sizes = [len(values) for _, values in space.SUBGOALS]
    every = [(index, value) for index, size in enumerate(sizes) for value in range(size)]

    def few(row: np.ndarray, can: np.ndarray, count: int) -> np.ndarray:
        chosen = rng.permutation(np.flatnonzero(can))[:count]
        out = np.full_like(row, -1)
        out[chosen] = row[chosen]
        return out

    def of_state(number: int, at: int) -> np.ndarray:
        index, value = every[number % len(every)]
        came = windows.ended[int(rng.integers(len(windows.seats)))]
        row = few(came, came != windows.began[at], int(rng.integers(0, 2)))
        row[index] = value
        return row

    def of_agent(number: int, at: int) -> np.ndarray:
        can = (windows.ended[at] != windows.began[at]) & (windows.ended[at] >= 0)
        return few(windows.ended[at], can, int(rng.integers(1, MOST + 1)))

    def at_random(number: int, at: int) -> np.ndarray:
        row = rng.integers(sizes).astype(np.int8)
        return few(row, row >= 0, int(rng.integers(1, MOST + 1)))

    for name, wanted in (("SI", of_state), ("AI", of_agent), ("RI", at_random)):
        count = min(most or SIZES[name], SIZES[name])
        for number in range(4 * count):
            at = int(rng.integers(len(windows.seats)))
            row = wanted(number, at)
            text = "" if space.contradicts(row[None])[0] else words.said(row, rng)
            if text:
                yield text, row, at, name, "grammar", False
                count -= 1
            if not count:
                break


def typed(snapshot: str, game: str) -> list[tuple[str, dict[str, Any] | None]]:
    """The instructions that people gave in a snapshot's games, once each, with the program as which it was
    confirmed: None where it was taken back, where its player said "no" to what was done, or, if they said
    nothing, where that was marked down more often than up.
    """
    source = Snapshot(snapshot)
    marks: dict[str, list[dict[str, Any]]] = {}
    for mark in source.marks():
        marks.setdefault(mark["episode"], []).append(mark)
    found: dict[str, dict[str, Any] | None] = {}
    for episode, log in source.logs():
        answers = {record["id"]: record["sign"] for record in log.records if record["type"] == "judged"}
        for span in told(log).spans if log.header["game"] == game else ():
            own = (mark for mark in marks.get(episode, ()) if mark["seat"] == span.seat)
            sign = answers.get(span.id) or sum(mark["sign"] for mark in own if span.holds(mark["tick"]))
            good = span.why not in TAKEN_BACK and sign >= 0
            found[span.text] = span.program if good else found.get(span.text)
    return [(text, program) for text, program in sorted(found.items()) if text.strip()]


def _some(count: int, most: int, rng: np.random.Generator) -> np.ndarray:
    """Numbers of at most so many of `count`, 0: of all."""
    return np.sort(rng.permutation(count)[: most or count])


def vectors(game: str, texts: list[str], check: Callable[[], None]) -> np.ndarray:
    """Texts as the reader's encoder has them, (k, WIDTH): 10 ms each the first time, kept from then on for as
    long as the reader's weights stay.
    """
    weights = own_file() if own_file().exists() else FOLDER / FILE
    path = Path(os.environ.get("COPLAY_VAR") or ROOT / "var") / "reader" / f"vectors-{game}.npz"
    mark, kept = f"{weights.stat().st_size} {weights.stat().st_mtime_ns}", dict[str, np.ndarray]()
    if path.is_file():
        with np.load(path, allow_pickle=False) as file:
            if str(file["weights"]) == mark:
                kept = dict(zip(file["texts"].tolist(), file["vectors"].astype(np.float32), strict=True))
    if new := sorted({*texts} - {*kept}):
        for text in new:
            check()
            kept[text] = goal_head.vector(game, text)
        names, rows = np.array(list(kept)), np.array(list(kept.values()), np.float16)
        path.parent.mkdir(parents=True, exist_ok=True)
        write_atomically(path, _npz({"weights": np.array(mark), "texts": names, "vectors": rows}))
    return np.array([kept[text] for text in texts], np.float16).astype(np.float32)


def _npz(arrays: dict[str, np.ndarray]) -> bytes:
    buffer = io.BytesIO()
    np.savez(buffer, **arrays)  # type: ignore[arg-type]
    return buffer.getvalue()


class GoalNet(nn.Module):
    """The goal head to train, with a value of what goals will earn, which is left behind."""

    def __init__(self, sizes: np.ndarray, hidden: int) -> None:
        super().__init__()
        self.sizes = sizes
        self.most = int(sizes.max()) + 1
        self.up = nn.Linear(WIDTH + 2 * len(sizes), hidden)
        self.places: Tensor
        self.register_buffer("places", torch.from_numpy(goal_head.spread(sizes)), persistent=False)
        self.down = nn.Linear(hidden, len(self.places))
        self.value = nn.Linear(hidden, 1)
        nn.init.zeros_(self.value.weight)

    def forward(self, rows: Tensor, dropped: float = 0.0) -> tuple[Tensor, Tensor]:
        """Log-probabilities (n, sub-goals, most choices) and values (n,) of inputs (n, I)."""
        x = nn.functional.dropout(rows, dropped, self.training)
        x = nn.functional.dropout(torch.relu(self.up(x)), dropped, self.training)
        wide = x.new_full((len(x), len(self.sizes) * self.most), -1e9)
        wide[:, self.places] = self.down(x)
        return wide.view(len(x), -1, self.most).log_softmax(2), self.value(x).squeeze(1)

    def arrays(self) -> dict[str, np.ndarray]:
        """As GoalHead takes it."""
        state = self.state_dict()
        return {name: state[name].cpu().numpy().copy() for name in goal_head.LAYERS} | {"sizes": self.sizes}

    def write(self, path: Path) -> None:
        path.parent.mkdir(parents=True, exist_ok=True)
        write_atomically(path, _npz(self.arrays()))


def logprob(odds: Tensor, wanted: Tensor) -> Tensor:
    """The log-probability of each sub-goal's choice (n, sub-goals)."""
    return odds.gather(2, (wanted.long() + 1).unsqueeze(2)).squeeze(2)


def supervised(
    net: GoalNet, rows: np.ndarray, wanted: np.ndarray, rng: np.random.Generator, check: Callable[[], None]
) -> None:
    """Teach a head what texts ask for: cross-entropy over all sub-goals, AdamW."""
    where = net.up.weight.device
    inputs, labels = (torch.from_numpy(one).to(where) for one in (rows, wanted))
    adam = torch.optim.AdamW(net.parameters(), RATE, weight_decay=1e-2)
    net.train()
    for _ in range(EPOCHS):
        for part in np.array_split(rng.permutation(len(rows)), max(1, len(rows) // BATCH)):
            check()
            at = torch.from_numpy(part).to(where)
            loss = -logprob(net(inputs[at], DROPPED)[0], labels[at]).sum(1).mean()
            adam.zero_grad()
            loss.backward()
            adam.step()
    net.eval()


def head_of(net: GoalNet) -> GoalHead:
    """The head as agents use it."""
    return GoalHead(net.arrays())
