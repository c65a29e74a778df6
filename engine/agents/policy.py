"""How agents act: one step for many seats at once, in NumPy, without torch.

A policy keeps nothing between calls: everything comes from the games, and from memories that its callers keep
(engine.agents.acting). `logits` is for live games, `logits_many` for batches of state records; both compute
the same. Not for loading agents (engine.agents.catalogue), nor for training networks (engine.agents.network).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np

from engine import games
from engine.agents.features import FEATURES, Inputs, by_world, complete_options, inputs_for
from engine.agents.layers import GATES, goal_layers, goal_size, memory_size
from engine.refusal import Refusal
from engine.simulation.simulation import Simulation

FLOOR = -60.0  # the least logit of a scripted bot's legal move
Worlds = np.ndarray | list[np.ndarray] | None


class Policy(Protocol):
    """An agent that acts. `card` is its metadata, `players` the numbers of seats that it can play with,
    `memory` the size of its memory for each seat.
    """

    name: str
    game: str
    players: tuple[int, ...]
    card: dict[str, Any]
    memory: int

    def logits(self, sims: list[Simulation], seats: list[int]) -> np.ndarray:
        """float32 (n, num_actions) for one seat of each game (games with the same options), with empty
        memory; illegal actions are -inf.
        """
        for sim in sims:
            check_fits(self, sim.game, sim.options)
        states = np.stack([sim.state for sim in sims])
        masks = np.stack([sim.legal(seat) for sim, seat in zip(sims, seats, strict=True)])
        worlds = [sim.world for sim in sims if sim.world is not None] or None
        return self.logits_many(states, np.asarray(seats, np.int32), masks, worlds)

    def logits_many(
        self,
        states: np.ndarray,
        seats: np.ndarray,
        masks: np.ndarray,
        worlds: Worlds = None,
        goals: np.ndarray | None = None,
        instructions: np.ndarray | None = None,
        memory: np.ndarray | None = None,
    ) -> np.ndarray:
        """The same from state records (n, state_size), seats (n,) and action masks (n, num_actions). Games
        with a shared world need `worlds`: one for all rows, or a list with one per row. `goals` (n,
        goal_size) are the goals of the seats, in games with goals. `told` (n, num_features) describes the
        instructions in force for them (engine.language.together), for networks that read it. `memory` (n, M)
        is read and updated; zeros at the beginning of a game.
        """
        ...


class ScriptedPolicy(Policy):
    """A compiled bot of engine.games.<game>.bots: `bot_many(states, values, actions)`; if all move at once
    `bot_many(states, seats, values, actions)`; if actions have heads `bot_many(states, world, seats, goals,
    values, actions)`; a bot with a memory (`REMEMBERS` of the same module, numbers per seat by bot) takes it
    as one more argument. Bots weigh moves in points. One point is one logit here, so that the prior of an
    instruction (a few logits) outweighs small preferences and not large ones.
    """

    def __init__(
        self, name: str, game: str, bot_many: Callable[..., None], card: dict[str, Any], memory: int = 0
    ) -> None:
        self.name, self.game, self.card, self.memory = name, game, card, memory
        self.players = tuple(card.get("players", (2, 3, 4, 5)))
        self._bot_many = bot_many
        self._spec = games.spec(game)

    def logits_many(
        self,
        states: np.ndarray,
        seats: np.ndarray,
        masks: np.ndarray,
        worlds: Worlds = None,
        goals: np.ndarray | None = None,
        instructions: np.ndarray | None = None,
        memory: np.ndarray | None = None,
    ) -> np.ndarray:
        if self._spec.heads:
            return self._heads(states, np.asarray(seats, np.int32), masks, worlds, goals, memory)
        values = np.zeros(masks.shape)
        actions = np.zeros(len(states), np.int32)
        if self._spec.turn_based:
            self._bot_many(states, values, actions)
        else:
            self._bot_many(states, np.asarray(seats, np.int32), values, actions)
        liked = values - values.max(axis=1, keepdims=True)
        logits = np.maximum(liked, FLOOR).astype(np.float32)
        return np.where(masks != 0, logits, -np.inf).astype(np.float32)

    def _heads(
        self,
        states: np.ndarray,
        seats: np.ndarray,
        masks: np.ndarray,
        worlds: Worlds,
        goals: np.ndarray | None,
        memory: np.ndarray | None,
    ) -> np.ndarray:
        values = np.zeros(masks.shape, np.float32)
        actions = np.zeros((len(states), len(self._spec.heads)), np.int32)
        if goals is None:
            goals = np.zeros((len(states), self._spec.goal_size), np.int16)
        if memory is None:
            memory = np.zeros((len(states), self.memory), np.float32)
        for rows, world in by_world(worlds, len(states)):
            here, acts, knows = values[rows], actions[rows], memory[rows]
            known = [knows] if self.memory else []
            self._bot_many(states[rows], world, seats[rows], goals[rows], here, acts, *known)
            values[rows], actions[rows], memory[rows] = here, acts, knows
        # A scripted player keeps to what it chose even where that does nothing now.
        return np.maximum(values, FLOOR).astype(np.float32)


class NetworkPolicy(Policy):
    """A network of engine.agents.network on the features of its game, computed in NumPy. Further inputs are
    the instructions of its seat. They have a matrix product of their own, so that the other numbers are the
    same to the last bit whether or not this seat, or another one of the batch, has an instruction. `orders`:
    the scripted player that acts for a seat while it has a goal, if the network doesn't do that itself (games
    with goals; the first number of a goal is 0 if there is none). `reads`: how many of its inputs it reads,
    the first ones; all if it is left out.
    """

    def __init__(
        self,
        name: str,
        game: str,
        tensors: dict[str, np.ndarray],
        inputs: Inputs,
        card: dict[str, Any],
        orders: ScriptedPolicy | None = None,
        reads: int | None = None,
    ) -> None:
        self.name, self.game, self.card = name, game, card
        self._orders = orders
        self.players = tuple(card.get("players", (2,)))
        self._inputs = inputs
        tensors = {key: value.astype(np.float32) for key, value in tensors.items()}
        self.memory = memory_size(tensors)
        self._gru = [tensors[key].T.copy() for key in GATES] if self.memory else []
        count = sum(key.startswith("hidden.") and key.endswith(".weight") for key in tensors)
        names = [*(f"hidden.{index}" for index in range(count)), "policy"]
        self._layers = [(tensors[f"{key}.weight"].T.copy(), tensors[f"{key}.bias"]) for key in names]
        self._goals, code = goal_size(tensors)
        self._goal = [tensors[key].T.copy() for key in goal_layers(tensors)]
        self._reads = len(self._layers[0][0]) if self._goals else inputs.size if reads is None else reads
        # What the layer that reads what a seat was told reads besides.
        self._hears, besides = 0, self._reads
        if self.memory:
            self._hears, besides = 1, len(self._layers[0][1]) + self.memory + code
        weight, bias = self._layers[self._hears]
        self._layers[self._hears], self._told = (weight[:besides], bias), weight[besides:]

    def logits_many(
        self,
        states: np.ndarray,
        seats: np.ndarray,
        masks: np.ndarray,
        worlds: Worlds = None,
        goals: np.ndarray | None = None,
        instructions: np.ndarray | None = None,
        memory: np.ndarray | None = None,
    ) -> np.ndarray:
        inputs = self._inputs(states, seats, worlds, goals)
        liked = inputs[:, : self._reads]
        for index, (weight, bias) in enumerate(self._layers):
            if index:
                liked = np.maximum(liked, 0.0)
            if index == 1 and self.memory:
                liked = np.concatenate([liked, self._remember(liked, memory)], axis=1)
            if index == 1 and self._goals:
                liked = np.concatenate([liked, self._encode(inputs[:, -self._goals :])], axis=1)
            liked = liked @ weight + bias
            if index == self._hears and instructions is not None and len(self._told):
                liked += instructions @ self._told
        if self._orders is not None and goals is not None and (asked := np.flatnonzero(goals[:, 0])).size:
            grounds = [worlds[row] for row in asked] if isinstance(worlds, list) else worlds
            ordered = states[asked], np.asarray(seats)[asked], masks[asked], grounds, goals[asked]
            liked[asked] = self._orders.logits_many(*ordered)
        return np.where(masks != 0, liked, -np.inf).astype(np.float32)

    def _encode(self, goals: np.ndarray) -> np.ndarray:
        """The code of goal vectors (n, G): a residual network (engine.agents.network)."""
        first, *blocks = self._goal
        x = np.maximum(goals @ first, 0.0)
        for inner, outer in zip(blocks[::2], blocks[1::2], strict=True):
            x += np.maximum(x @ inner, 0.0) @ outer
        return x

    def _remember(self, x: np.ndarray, memory: np.ndarray | None) -> np.ndarray:
        """The memory after x (n, H), also written into `memory` (n, M): torch's GRU (Cho et al. 2014)."""
        before = np.zeros((len(x), self.memory), np.float32) if memory is None else memory
        reads, keeps, read_bias, keep_bias = self._gru
        read = np.split(x @ reads + read_bias, 3, axis=1)
        kept = np.split(before @ keeps + keep_bias, 3, axis=1)
        reset, update = _sigmoid(read[0] + kept[0]), _sigmoid(read[1] + kept[1])
        new = np.tanh(read[2] + reset * kept[2])
        after = new + update * (before - new)
        if memory is not None:
            memory[...] = after
        return after


def _sigmoid(x: np.ndarray) -> np.ndarray:
    return 0.5 + 0.5 * np.tanh(0.5 * x)


def check_fits(policy: Policy, game: str, options: dict[str, Any]) -> None:
    """Raise Refusal, with a sentence, if a policy can't play a game with these (complete) options."""
    if policy.game != game:
        raise Refusal(f"{policy.name} plays {policy.game}, not {game}.")
    problem = misfit(policy.name, policy.players, policy.card, options)
    if problem:
        raise Refusal(problem)
    if isinstance(policy, NetworkPolicy):
        size = inputs_for(game, options, policy.card.get("reads", FEATURES)).size
        if size != policy._inputs.size:
            reads = policy._inputs.size
            raise Refusal(
                f"{policy.name} was trained for other {game} options ({reads} numbers, not {size})."
            )


def misfit(name: str, players: tuple[int, ...], card: dict[str, Any], options: dict[str, Any]) -> str:
    """Why an agent that plays with `players` can't play its game with these (complete) options, in a
    sentence; "" if it can. In games with variants, an agent trained for some options plays only those.
    """
    spec = games.spec(card["game"])
    seats = spec.seats(options)
    if seats not in players:
        allowed = " or ".join(str(number) for number in players)
        return f"{name} plays with {allowed} players, not {seats}."
    trained = card.get("options", {})
    if spec.variant is None or not trained:
        return ""
    complete = complete_options(card["game"], trained)
    if all(complete[key] == options[key] for key in trained):
        return ""
    learned, asked = (
        ", ".join(f"{key} {_short(chosen[key])}" for key in trained) for chosen in (complete, options)
    )
    return f"{name} was trained for {learned} and can't play {asked}."


def _short(value: Any) -> str:
    """An option's value, if it is one word or number."""
    return "of its own text" if "\n" in str(value) else str(value)


@dataclass(frozen=True)
class Drawn:
    """The numbers that a generator drew for the rows of a batch (n, num_actions), to draw the same again."""

    numbers: np.ndarray

    def gumbel(self, size: Any) -> np.ndarray:
        return self.numbers


def choose(
    logits: np.ndarray,
    priors: np.ndarray | None = None,
    greedy: bool = True,
    rng: np.random.Generator | Drawn | None = None,
    heads: tuple[int, ...] = (),
) -> list[Any]:
    """One action per row of (n, num_actions) logits; `priors` (same shape, in logits) are added first. Greedy
    takes the best (the lowest id among equals); otherwise `rng` samples from the softmax. If an action has
    `heads`, returns one choice for each.
    """
    total = logits if priors is None else logits + priors
    if not greedy:
        if rng is None:
            raise ValueError("Sampling needs a random generator.")
        total = total + rng.gumbel(size=total.shape)
    if not heads:
        return [int(action) for action in total.argmax(axis=1)]
    parts = np.split(total, np.cumsum(heads)[:-1], axis=1)
    return np.stack([part.argmax(axis=1) for part in parts], axis=1).tolist()
