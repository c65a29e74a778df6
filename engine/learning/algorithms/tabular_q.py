"""Q-learning in a table, for games that are small enough; with an instruction, instructQ.

Seats with the instruction take the best move by Q + lambda log p, and learn towards the value of that move,
where p is a language model's prior over moves in their situation (Hu and Sadigh 2023, sections 4 and 5.1).
The other seats learn as usual; without an instruction, or with a weight of 0, it is plain Q-learning. As in
the authors' program, the sum of all seats' values learns from the shared reward (VDN, Sunehag et al. 2018),
from replayed games, and a waiting seat knows its own last move.

    python -m engine.learning.tabular_q --config FILE --out FOLDER

leaves an agent in FOLDER/agent: a network with one hidden unit for each observation, which is on for that
observation alone, so that it returns the table's values. Not for games with too many situations to list.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, partial
from pathlib import Path
from typing import Annotated, Any

import numpy as np
import torch
from torch import Tensor

from engine import brings, games
from engine.agents.catalogue import load, write_agent
from engine.agents.features import OBSERVATION, inputs_for
from engine.evaluation.policy_table import policy_table
from engine.evaluation.self_play import self_play
from engine.language.decide import ask
from engine.learning.parts import made
from engine.learning.run import shell
from engine.learning.run.programs import SMALL, kinds_of
from engine.learning.run.reporting import run_program
from engine.learning.run.settings import AgentName, Base, CardText, Range, Rate, Seed, Share, Threads, Weight
from engine.learning.run.shared import Game, Named, Seeded
from engine.refusal import Refusal
from engine.simulation.batch import Batch
from engine.simulation.jit import njit
from engine.simulation.spec import GameSpec

MAKES = "agent"
FITS = ("small",)
FOREMOST = ("episodes", "convention")
SIZES = {"tiny": {"episodes": 1_280, "evaluation_games": 16}}

MOST = 20_000  # rows
EACH = 20  # updates between two points of curves


@dataclass(frozen=True, kw_only=True)
class Settings(Seeded, Named, Game):
    base: Base = ""
    """in a round: the agent that this one is compared with; a table starts empty, so nothing of it is used"""
    convention: str = ""
    """the instruction; empty: none"""
    told: list[Annotated[int, Range(0, 19)]] = field(default_factory=lambda: [1])
    """seats that have the instruction, counted from 0"""
    prior_weight: Weight = 0.25
    """lambda: points that one unit of the prior's log probability is worth"""
    beta: Weight = 3.0
    """sharpness of the prior: its logits, 1 for the language model's answer, are multiplied by this"""
    flipped: Share = 0.0
    """share of the prior's answers that are flipped (the paper's figure 10)"""
    epsilon: Share = 0.15
    """share of random moves"""
    lr: Rate = 0.25
    """learning rate at the start: the part of its mean error by which a value changes; falls to a tenth"""
    gamma: Share = 1.0
    """discount per move"""
    envs: Annotated[int, Range(1, 4096)] = 64
    """games played at once; as many learning steps follow"""
    batch: Annotated[int, Range(1, 4096)] = 64
    """replayed games in a step; a value learns from the mean over them"""
    replay: Annotated[int, Range(1, 1_000_000)] = 1_000
    """size of the replay: the latest games"""
    episodes: Annotated[int, Range(1, 1_000_000_000)] = 150_000
    """games to learn from"""
    evaluation_games: Annotated[int, Range(0, 1_000_000)] = 500
    """games of the final evaluation"""
    name: AgentName = "tabular-q"
    command: CardText = "python -m engine.learning.tabular_q --config FILE --out FOLDER"
    threads: Threads = 1
    """threads for torch"""
    seed: Seed = 1
    device = "cpu"  # no setting: a table is small


class Table:
    """Values of moves by situation: `keys` (rows,) of them, and of the shape (rows, actions) `values`, what
    is `legal`, and what is `liked`, lambda times the prior's log probabilities.
    """

    def __init__(self, size: int, actions: int) -> None:
        self.size = size
        self.keys, self._order = np.zeros(0, np.int64), np.zeros(0, np.int64)
        self.values, self.liked, self.legal = (np.zeros((0, actions)) for _ in range(3))

    def rows(
        self,
        observations: np.ndarray,
        moves: np.ndarray,
        last: np.ndarray,
        new: Callable[[int], tuple[np.ndarray, np.ndarray]],
    ) -> np.ndarray:
        """The rows of situations: `observations` (n, size) of 0 and 1, whether it `moves` and, where it
        doesn't, its `last` move (n,), -1 where there is none. `new(i)` says what is legal and what is liked
        in one that wasn't there before, (actions,) each. Raises Refusal where there are too many.
        """
        bits = observations.astype(np.int64) @ (np.int64(1) << np.arange(self.size))
        keys = bits + (np.where(moves, 1, 2 * (last + 1)) << self.size)
        places, known = self._found(keys)
        for i in np.flatnonzero(~known):
            if len(self.keys) == MOST:
                raise Refusal(f"More than {MOST:,} situations are too many for a table.")
            if keys[i] not in self.keys:
                legal, liked = new(int(i))
                self.keys = np.append(self.keys, keys[i])
                self.values = np.concatenate([self.values, np.zeros((1, len(legal)))])
                self.legal = np.concatenate([self.legal, legal[None]])
                self.liked = np.concatenate([self.liked, liked[None]])
                self._order = np.argsort(self.keys)
        return places if known.all() else self._found(keys)[0]

    def _found(self, keys: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """The rows of keys, and which of them are there."""
        at = np.searchsorted(self.keys, keys, sorter=self._order)
        rows = np.append(self._order, -1)[at]
        return rows, (rows >= 0) & (np.append(self.keys, -1)[rows] == keys)

    def network(self) -> dict[str, np.ndarray]:
        """What it does when it is to move, as a network (engine.agents.network) of observations: a hidden
        unit for each, which is 1 where that is seen and 0 where another one is.
        """
        mine = np.flatnonzero(self.keys >> self.size == 1)
        bits = ((self.keys[mine, None] >> np.arange(self.size)) & 1).astype(np.float32)
        best = np.where(self.legal[mine] != 0, self.values[mine] + self.liked[mine], 0.0)
        tensors = {
            "hidden.0.weight": 2 * bits - 1,
            "hidden.0.bias": 1 - bits.sum(1),
            "policy.weight": best.T.copy(),
            "policy.bias": np.zeros(best.shape[1]),
            "value.weight": self.values[mine].max(1)[None],
            "value.bias": np.zeros(1),
        }
        return {name: value.astype(np.float32) for name, value in tensors.items()}

    def tensors(self) -> dict[str, Tensor]:
        return {name: torch.from_numpy(getattr(self, name)) for name in ("keys", "values", "liked", "legal")}

    def restore(self, tensors: dict[str, Tensor]) -> None:
        for name, tensor in tensors.items():
            setattr(self, name, tensor.numpy().copy())
        self._order = np.argsort(self.keys)


class Replay:
    """The latest games: `length` (n,) of each in moves, and by move the `rows` of all seats, their `actions`
    (n, moves, seats; who waits does 0), what they `earned` (n, moves), and who was to `move`.
    """

    def __init__(self, most: int, seats: int) -> None:
        self.begun = 0
        self.length = np.zeros(most, np.int64)
        self.rows, self.actions = (np.zeros((most, 0, seats), np.int64) for _ in range(2))
        self.earned, self.move = np.zeros((most, 0)), np.zeros((most, 0), np.int64)

    def add(self, played: Sequence[tuple[np.ndarray, ...]], length: np.ndarray) -> None:
        """Games of `length` (n,) that were played together: by move, rows and actions (n, seats), what was
        earned and who moved (n,).
        """
        places = (self.begun + np.arange(len(length))) % len(self.length)
        self.begun, self.length[places] = self.begun + len(length), length
        for name, moves in zip(("rows", "actions", "earned", "move"), zip(*played, strict=True), strict=True):
            kept, new = getattr(self, name), np.stack(moves, axis=1)
            if new.shape[1] > kept.shape[1]:
                more = np.zeros_like(kept, shape=(len(kept), new.shape[1], *kept.shape[2:]))
                more[:, : kept.shape[1]] = kept
                kept = more
                setattr(self, name, kept)
            kept[places, : new.shape[1]] = new

    def tensors(self) -> dict[str, Tensor]:
        names = ("length", "rows", "actions", "earned", "move")
        return {name: torch.from_numpy(getattr(self, name)) for name in names} | {
            "begun": torch.tensor(self.begun)
        }

    def restore(self, tensors: dict[str, Tensor]) -> None:
        for name, tensor in tensors.items():
            setattr(self, name, int(tensor) if name == "begun" else tensor.numpy().copy())


@njit
def learn(table, chosen, games_, rate, gamma):
    """A step for each row of `chosen` (steps, batch), numbers of games, in place; `table` has values, liked
    and legal of a table, `games_` what a replay holds. A value goes `rate` of the way along the mean error of
    the moves that it had a part in: what was earned, and what all seats' values add up to at the next move,
    less what they add up to at this one. Returns the mean absolute error.
    """
    values, liked, legal = table
    length, rows, actions, earned, move = games_
    sums, counts = np.zeros_like(values), np.zeros_like(values)
    seats, total, number = rows.shape[2], 0.0, 0
    for step in range(chosen.shape[0]):
        sums[:], counts[:] = 0.0, 0.0
        for game in chosen[step]:
            for at in range(length[game]):
                error = earned[game, at]
                for seat in range(seats):
                    error -= values[rows[game, at, seat], actions[game, at, seat]]
                    if at + 1 < length[game]:
                        row, best = rows[game, at + 1, seat], 0
                        if seat == move[game, at + 1]:
                            most = -np.inf
                            for action in range(values.shape[1]):
                                here = values[row, action] + liked[row, action]
                                if legal[row, action] and here > most:
                                    most, best = here, action
                        error += gamma * values[row, best]
                for seat in range(seats):
                    row, action = rows[game, at, seat], actions[game, at, seat]
                    sums[row, action] += error
                    counts[row, action] += 1
                total += abs(error)
                number += 1
        for row in range(values.shape[0]):
            for action in range(values.shape[1]):
                if counts[row, action]:
                    values[row, action] += rate * sums[row, action] / counts[row, action]
    return total / number


class TabularQ(shell.Training):
    """The state of one training: an update is `envs` games, and as many steps of learning."""

    checkpoint_every = 500

    def __init__(self, config: Settings, check: Callable[[], None] = shell.never) -> None:
        super().__init__(config, check)
        self.spec: GameSpec = games.spec(config.game)
        complete = self.spec.validate(dict(config.options))
        self.inputs = inputs_for(config.game, complete, OBSERVATION)
        self.seats, actions = self.spec.seats(complete), self.spec.num_actions(complete)
        if "small" not in kinds_of(self.spec):
            raise Refusal(
                f"{self.spec.title} doesn't fit into a table, which takes games in which players move by "
                f"turns and see at most {SMALL} bits."
            )
        if wrong := [seat for seat in config.told if not 0 <= seat < self.seats]:
            raise Refusal(
                f"There is no seat {wrong[0]} to be told something; seats are 0 to {self.seats - 1}."
            )
        if config.replay < config.envs:
            raise Refusal(f"The replay ({config.replay}) must hold the games of an update ({config.envs}).")
        self.table, self.replay = Table(self.inputs.size, actions), Replay(config.replay, self.seats)
        self.batch = Batch(self.spec, complete, config.envs, "none", seed=self.seed)
        self.per_update = config.envs
        self.updates = -(-config.episodes // config.envs)

    def parts(self) -> Mapping[str, Any]:
        return {"table": self.table, "replay": self.replay, "games": _States(self.batch)}

    def liked(self, game: int) -> np.ndarray:
        """What the seat to move in a game is inclined to by what it was told: lambda log p, (actions,)."""
        batch, weight = self.batch, self.config.prior_weight
        seat = int(batch.seats[game])
        out = np.zeros(self.table.liked.shape[1])
        if self.config.convention and weight and seat in self.config.told:
            state, legal = batch.states[game], np.flatnonzero(batch.masks[game])
            question, answers = self._question(state, seat, legal.tolist())
            seen = self.spec.observation_text(state, seat)
            asked = self.config.convention, seen, question, answers
            flips = np.random.default_rng([self.config.seed, 10, len(self.table.keys)])
            wrong = tuple((flips.random(len(legal)) < self.config.flipped).tolist())
            out[legal] = weight * log_prior(*asked, self.config.beta, wrong)
        return out

    def _question(self, state: np.ndarray, seat: int, legal: list[int]) -> tuple[str, tuple[str, ...]]:
        """What a language model is asked, and an answer for each legal move: in the game's own words, if its
        words.py has a `question` for that.
        """
        game_question = brings.Words.of(self.config.game).question
        if game_question is not None:
            question, answer_of = game_question(seat)
            return question, tuple(answer_of(move) for move in legal)
        return "So I should", tuple(self.spec.action_text(state, seat, move) for move in legal)

    def situations(self, last: np.ndarray) -> np.ndarray:
        """The row of every game and seat (envs, seats), each after its `last` move (envs, seats)."""
        batch, seats = self.batch, self.seats
        each = np.tile(np.arange(seats, dtype=np.int32), batch.n)
        moves = each == np.repeat(batch.seats, seats)
        seen = self.inputs(np.repeat(batch.states, seats, axis=0), each)
        nothing = np.zeros(self.table.liked.shape[1])

        def new(i: int) -> tuple[np.ndarray, np.ndarray]:
            game = i // seats
            return (batch.masks[game].astype(float), self.liked(game)) if moves[i] else (nothing, nothing)

        return self.table.rows(seen, moves, last.ravel(), new).reshape(batch.n, seats)

    def play(self) -> float:
        """A game in every place, into the replay; their mean score."""
        batch, table, each = self.batch, self.table, np.arange(self.batch.n)
        batch.reset()
        last = np.full((batch.n, self.seats), -1)
        length, scores, played = np.zeros(batch.n, np.int64), np.zeros(batch.n), []
        while not length.all():
            self.check()
            rows, seats, legal = self.situations(last), batch.seats.copy(), batch.masks != 0
            rows_of = rows[each, seats]
            weighed = np.where(legal, table.values[rows_of] + table.liked[rows_of], -np.inf)
            # Equals are drawn from, or all seeds would begin with the same convention.
            best = (weighed + 1e-6 * self.rng.random(weighed.shape)).argmax(1)
            drawn = np.where(legal, self.rng.random(legal.shape), -1.0).argmax(1)
            actions = np.where(self.rng.random(batch.n) < self.config.epsilon, drawn, best)
            last[each, seats] = actions
            did = np.zeros_like(last)
            did[each, seats] = actions
            batch.step(actions)
            played.append((rows, did, batch.rewards.astype(float), seats.astype(np.int64)))
            ended = (batch.dones != 0) & (length == 0)
            length[ended], scores[ended] = len(played), batch.scores[ended]
        self.replay.add(played, length)
        return float(scores.mean())

    def advance(self) -> dict[str, float]:
        score, replay, table = self.play(), self.replay, self.table
        known = min(replay.begun, len(replay.length))
        chosen = self.rng.integers(known, size=(self.config.envs, self.config.batch))
        known_games = replay.length, replay.rows, replay.actions, replay.earned, replay.move
        of_moves = table.values, table.liked, table.legal
        rate = self.config.lr * self.rate(self.update / self.updates)
        error = learn(of_moves, chosen, known_games, rate, self.config.gamma)
        return {"score": score, "error": error} if self.update % EACH == 0 else {}

    def finish(self, out: Path) -> dict[str, Any]:
        config, complete = self.config, self.batch.options
        instructed = f", told “{config.convention}”" if config.convention and config.prior_weight else ""
        by = f"A table of {len(self.table.keys):,} situations, learned from its own games{instructed}."
        card = made.first_card(config.game, complete, self.inputs, OBSERVATION)
        card = made.trained(card, self, "instructQ" if instructed else "Q-learning", [], by)
        card["training"] = {"games": self.at(), "minutes": round(self.seconds / 60, 2)}
        card["instructions"] = "Keeps to what it learned: it can't be told anything while it plays."
        folder, tensors = out / "agent", self.table.network()
        write_agent(folder, tensors, card)
        policy, results = load(str(folder), config.game, complete), {}
        if config.evaluation_games:
            results = self_play(policy, config.game, complete, config.evaluation_games, seed=config.seed)
        card["evaluation"] = {"self_play": results or None, "policy_table": policy_table(policy, complete)}
        written = write_agent(folder, tensors, card)
        result = {"folder": str(folder), "name": config.name, "sha256": written["sha256"]}
        return {**result, "evaluation": card["evaluation"]}


class _States:
    """The games' records, for checkpoints."""

    def __init__(self, batch: Batch) -> None:
        self.batch = batch

    def tensors(self) -> dict[str, Tensor]:
        return {"states": torch.from_numpy(self.batch.states)}

    def restore(self, tensors: dict[str, Tensor]) -> None:
        self.batch.states[...] = tensors["states"].numpy()


@cache
def log_prior(
    instruction: str,
    seen: str,
    question: str,
    answers: tuple[str, ...],
    beta: float,
    wrong: tuple[bool, ...],
) -> np.ndarray:
    """log p of moves, (n,), the softmax of beta times logits that are 1 for what a language model answers,
    and 0 for the others of `answers`, one a move (instructRL paper, section 4.1); the other way round for
    those that are `wrong`.
    """
    asked = {"question": question, "choices": list(answers)}
    (share,) = ask({"instruction": instruction, "observation": seen}, [asked]).probabilities
    shares = np.array([share[answer] for answer in answers])
    logits = beta * ((shares == shares.max()) ^ np.array(wrong))
    return np.asarray(logits - np.log(np.exp(logits).sum()))


train = partial(shell.run, TabularQ)


if __name__ == "__main__":
    sys.exit(run_program("tabular_q", Settings, train))
