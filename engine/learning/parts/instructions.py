"""Instructions under which games are learned: one in all of them, one drawn for each, or one after another.

Not for instructions that become goals (engine.learning.parts.rollouts draws those).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
import torch
from torch import Tensor

from engine import brings, games, language
from engine.agents.acting import answers
from engine.agents.network import masked
from engine.language.following import following
from engine.learning.parts.rollouts import Collector, View
from engine.planning.steps import carried
from engine.refusal import Refusal

TRIES = 3
"""How often an instruction is drawn for a seat until one makes sense there."""


class InForce:
    """An instruction in a collector's games, with its first reading or that of a `number`. Raises Refusal
    for an instruction that can't be read.
    """

    def __init__(self, collector: Collector, text: str, number: int = 0) -> None:
        game, batch = collector.game, collector.batch
        self.program, self.every = program(game, text, number), np.arange(batch.n)
        self.following = following(game, batch.options, batch.n)
        self.begin = self.following.begin

    def follow(self, states: np.ndarray) -> None:
        """See the next state of every game."""
        self.following.follow(states, self.every)

    def priors(self, view: View) -> np.ndarray:
        """Its preference in every row, float32 (B, A), in logit units."""
        rows = np.repeat(self.every, len(view.seats) // len(self.every))
        return self.following.asked([self.program], rows, view.seats)


class Flipped:
    """A `share` of the yes/no questions of a game, drawn by `seed`, whose answers are flipped (instructRL
    paper, appendix C.3). Raises Refusal if the game doesn't say which question a move answers.
    """

    def __init__(self, game: str, share: float, seed: int) -> None:
        reader = brings.Reader.of(game)
        if reader.asked_about is None:
            raise Refusal(f"In {game}, no answers can be 'flipped': its moves answer no questions.")
        self.asked_about = reader.asked_about
        self.wrong = np.random.default_rng([seed, 10]).random(reader.NUM_QUESTIONS) < share

    def __call__(self, priors: np.ndarray, states: np.ndarray, seats: np.ndarray, yes: float) -> np.ndarray:
        """Priors (n, A) of seats (n,) of games (n, state_size) with those answers; from `yes` on, a prior
        asks for a move.
        """
        number = self.asked_about(states, seats)
        wrong = (number >= 0) & self.wrong[number]
        return np.where(wrong, np.where(priors >= yes - 1e-4, 0.0, 2 * yes), priors).astype(np.float32)


class Drawn:
    """An instruction for each of a collector's games, drawn again for each new game; the seats that have it
    get it in both forms, prior and inputs. `nobody`: the share of games without an instruction; `alone`: of
    the others, the share in which only one seat has it; `firmness`: the weights, one of them in each game;
    `flipped`: answers that are flipped, if any. With `lasts`, an instruction is a step, as plans give them:
    each seat has its own, and gets the next when that is done, or after so many moves.

    `which` (n, seats) are the places in `programs` of the instructions in force, -1 for none, `since` the
    ticks at which they came; `priors` (B, A) is their prior over the moves in every row of the next view,
    `wished` (B, A) the part of it that asks for or forbids moves, without what only decides between others.
    """

    def __init__(
        self,
        collector: Collector,
        programs: Sequence[dict[str, Any]],
        nobody: float,
        alone: float,
        firmness: Sequence[float],
        rng: np.random.Generator,
        flipped: Flipped | None = None,
        lasts: int = 0,
    ) -> None:
        game, batch = collector.game, collector.batch
        self.collector, self.nobody, self.alone, self.rng = collector, nobody, alone, rng
        self.flipped, self.lasts = flipped, lasts
        self.programs = [
            language.softened(game, program, share) for share in firmness for program in programs
        ]
        self.bars = np.repeat(firmness, len(programs)) * language.asks(game)
        nothing = np.zeros(language.num_features(game), np.float32)
        self.features = np.stack([*(language.features(game, program) for program in self.programs), nothing])
        self.following = following(game, batch.options, batch.n)
        self.which = np.full((batch.n, collector.seats), -1)
        self.since, self.moves = np.zeros_like(self.which), np.zeros_like(self.which)
        self.knows = np.zeros(self.which.shape, bool)  # which seats get instructions in these games
        self.ends = {"done": 0, "late": 0}  # of steps, since that was asked last
        self.priors = np.zeros((batch.n * collector.rows, batch.masks.shape[-1]), np.float32)
        self.wished = self.priors.copy()

    def begin(self, states: np.ndarray, rows: np.ndarray) -> None:
        """Games `rows` begin, each with an instruction of its own."""
        self.following.begin(states, rows)
        count, seats = len(rows), self.which.shape[1]
        drawn = self.rng.integers(len(self.programs), size=count)
        drawn[self.rng.random(count) < self.nobody] = -1
        only = np.where(self.rng.random(count) < self.alone, self.rng.integers(seats, size=count), -1)
        knows = (only[:, None] < 0) | (only[:, None] == np.arange(seats))
        self.which[rows] = np.where(knows, drawn[:, None], -1)
        self.knows[rows] = self.which[rows] >= 0
        if self.lasts and count:
            places = np.nonzero(self.knows[rows])
            self._next(rows[places[0]], places[1])

    def follow(self, states: np.ndarray) -> np.ndarray:
        """See the next state of every game. Returns which seats have done their step now, bool (n, seats)."""
        self.following.follow(states, np.arange(len(states)))
        done = np.zeros(self.which.shape, bool)
        if self.lasts:
            self.moves += 1
            rows, seats = np.nonzero(self.which >= 0)
            done[rows, seats] = self._done(rows, seats)
            over = self.knows & (done | (self.moves >= self.lasts))
            self.ends["done"] += int(done.sum())
            self.ends["late"] += int((over & ~done & (self.which >= 0)).sum())
            self._next(*np.nonzero(over))
        return done

    def _next(self, rows: np.ndarray, seats: np.ndarray) -> None:
        """Each of these seats gets another step: one that asks for or forbids some move now, and isn't done
        already; none where no such one was drawn.
        """
        self.moves[rows, seats], self.since[rows, seats] = 0, self.following.ticks(rows)
        for _ in range(TRIES):
            self.which[rows, seats] = self.rng.integers(len(self.programs), size=len(rows))
            idle = ~self._asked(rows, seats).any(1) | self._done(rows, seats)
            rows, seats = rows[idle], seats[idle]
        self.which[rows, seats] = -1

    def _done(self, rows: np.ndarray, seats: np.ndarray) -> np.ndarray:
        """Which of these seats have done what they have been told, bool (n,)."""
        done = np.zeros(len(rows), bool)
        for at, program, _ in self._alike(rows, seats):
            done[at] = self.following.done(program, rows[at], seats[at])
        return done

    def _asked(self, rows: np.ndarray, seats: np.ndarray) -> np.ndarray:
        """The priors of these seats, float32 (n, A)."""
        priors = np.zeros((len(rows), self.priors.shape[1]), np.float32)
        for at, program, place in self._alike(rows, seats):
            asked = self.following.asked([program], rows[at], seats[at])
            if self.flipped is not None:
                states = self.collector.batch.states[rows[at]]
                asked = self.flipped(asked, states, seats[at], float(self.bars[place]))
            priors[at] = asked
        return priors

    def _alike(self, rows: np.ndarray, seats: np.ndarray) -> Iterator[tuple[np.ndarray, dict[str, Any], int]]:
        """Those that have been told the same at the same tick: (their indices, the program, its place)."""
        which, since = self.which[rows, seats], self.since[rows, seats]
        order = np.lexsort((since, which))
        order = order[np.searchsorted(which[order], 0) :]
        breaks = np.flatnonzero(np.diff(which[order]) | np.diff(since[order])) + 1
        for at in np.split(order, breaks) if len(order) else ():
            place, tick = int(which[at[0]]), int(since[at[0]])
            program = self.programs[place]
            yield at, {**program, "since_tick": tick} if tick else program, place

    def tell(self) -> None:
        """Say to the seats that move next what is asked of them."""
        collector, batch = self.collector, self.collector.batch
        rows = np.repeat(np.arange(batch.n), collector.rows)
        seats = batch.seats if collector.spec.turn_based else np.tile(np.arange(collector.seats), batch.n)
        which, self.priors[:] = self.which[rows, seats], self._asked(rows, seats)
        bars = np.where(which < 0, np.inf, self.bars[which])[:, None]
        self.wished[:] = np.where(np.abs(self.priors) >= bars - 1e-4, self.priors, 0.0)
        if collector.instructions.shape[2]:
            features = np.concatenate([self.features[which], answers(self.priors)], axis=1)
            collector.instructions[rows, seats] = features[:, : collector.instructions.shape[2]]


class Lessons:
    """What a learner is taught to follow, each game with one of these `texts` (the first by a reading of its
    own), and what it never tries; `config` has the settings `Taught` (engine.learning.run.shared) and a seed.

    instructPPO (Hu and Sadigh 2023, section 4.3): lambda E[-log p] of the policy's moves is lost, p the prior
    over moves of what an instruction asks for or forbids. The paper's KL(policy || p) is that less lambda
    times the entropy, which would blur moves of which nothing is asked.
    """

    def __init__(
        self, collector: Collector, texts: Sequence[str], config: Any, rng: np.random.Generator
    ) -> None:
        numbers = [config.reading, *[0] * len(texts)]
        programs = [program(collector.game, *pair) for pair in zip(texts, numbers, strict=False)]
        flipped = Flipped(collector.game, config.flipped, config.seed) if config.flipped else None
        how = config.nobody, config.alone, config.firmness, rng, flipped, config.instruction_moves
        if config.done_reward and not config.instruction_moves:
            raise Refusal("A 'done_reward' is for instructions that end: set 'instruction_moves' above 0.")
        self.config = config
        self.drawn = Drawn(collector, programs, *how) if programs else None
        self.never = InForce(collector, config.never) if config.never else None
        self.nothing = np.zeros((collector.batch.n, collector.seats), bool)

    def begin(self, states: np.ndarray, rows: np.ndarray) -> None:
        """Games `rows` begin."""
        for part in (self.never, self.drawn):
            if part is not None:
                part.begin(states, rows)

    def follow(self, states: np.ndarray) -> np.ndarray:
        """See the next state of every game. Returns the points that seats have earned by what they were told,
        float32 (n, seats).
        """
        if self.never is not None:
            self.never.follow(states)
        done = self.drawn.follow(states) if self.drawn is not None else self.nothing
        return self.config.done_reward * done.astype(np.float32)

    def tell(self) -> None:
        """Say to the seats that move next what is asked of them."""
        if self.drawn is not None:
            self.drawn.tell()

    def columns(self, view: View, masks: Tensor) -> dict[str, Tensor]:
        """Of every row: what is "wished" there (B, A), and what may be "tried" (B, A), all that is allowed
        where nothing else is left; of those only that there is.
        """
        columns = {}
        if self.drawn is not None:
            columns["wished"] = torch.from_numpy(self.drawn.wished.copy()).to(masks.device)
        if self.never is not None:
            tried = masks * torch.from_numpy(self.never.priors(view) >= 0).to(masks.device)
            columns["tried"] = torch.where(tried.any(1, keepdim=True), tried, masks)
        return columns

    def loss(self, rows: dict[str, Tensor], logp: Tensor, done: float) -> Tensor:
        """-log P of what is tried at all, which nothing that the learner does tells it to keep to; and lambda
        E[-log p] of its moves, less that of the best of them: 0 where nothing is asked.
        """
        loss = logp.new_zeros(())
        if "tried" in rows:
            loss = -logp.masked_fill(rows["tried"] == 0, -torch.inf).logsumexp(1).mean()
        if "wished" in rows:
            weight = self.config.instruction_weight * (1 - (1 - self.config.instruction_left) * done)
            liked = masked(rows["wished"], rows["masks"]).log_softmax(1)
            best = liked.amax(1, keepdim=True)
            apart = (logp.exp() * (best - liked)).masked_fill(rows["masks"] == 0, 0.0).sum(1)
            loss = loss + weight * apart.mean()
        return loss

    def obeyed(self, rows: dict[str, Tensor]) -> dict[str, float]:
        """To draw: the share of moves of which something was asked that did it, and the share of steps that
        were done, of those that ended since; nothing without wishes.
        """
        if self.drawn is None:
            return {}
        masks, wished = rows["masks"], rows["wished"]
        best = wished.masked_fill(masks == 0, -1e4).amax(1)
        asked = best > wished.masked_fill(masks == 0, 1e4).amin(1)
        did = wished.gather(1, rows["actions"][:, None]).squeeze(1) >= best
        figures = {"obeyed": did[asked].float().mean().item() if asked.any() else 0.0}
        ends, self.drawn.ends = self.drawn.ends, {"done": 0, "late": 0}
        if self.drawn.lasts:
            figures["steps_done"] = ends["done"] / max(1, sum(ends.values()))
        return figures


def program(game: str, text: str, number: int = 0) -> dict[str, Any]:
    """The program of an instruction, by its first reading or that of a `number`, or by its notation
    ("fill what=onion times=1"); raises Refusal if it can't be read.
    """
    if games.spec(game).goal_size:
        raise Refusal("Instructions are goals in this game; set goal_share to teach those.")
    if "=" in text:
        return carried(game, text)
    try:
        reading = language.meant(game, text, number)
    except ValueError as problem:
        raise Refusal(str(problem)) from None
    return reading.program or {}
