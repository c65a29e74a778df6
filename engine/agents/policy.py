"""How agents act: one step for many seats at once, in NumPy, without torch.

A policy keeps nothing between calls: everything comes from the games. `logits` is for live games,
`logits_many` for batches of state records; both are one computation. Not for loading agents
(engine.agents.catalogue), nor for training networks (engine.agents.network).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Protocol

import numpy as np

from engine import games
from engine.agents.features import Inputs, inputs_for
from engine.simulation.simulation import Simulation

FLOOR = -60.0  # the least logit of a scripted bot's legal move


class Unsupported(ValueError):
    """A game or option that an agent can't play; the message is one sentence."""


class Policy(Protocol):
    """An agent that acts; `card` is its metadata, `players` the numbers of seats that it can play with."""

    name: str
    game: str
    players: tuple[int, ...]
    card: dict[str, Any]

    def logits(self, sims: list[Simulation], seats: list[int]) -> np.ndarray:
        """float32 (n, num_actions) for one seat of each game (games of one option set); illegal is -inf."""
        ...

    def logits_many(self, states: np.ndarray, seats: np.ndarray, masks: np.ndarray) -> np.ndarray:
        """The same from state records (n, state_size), seats (n,) and action masks (n, num_actions)."""
        ...


class ScriptedPolicy:
    """A compiled bot of engine.games.<game>.bots.

    Bots weigh moves in points; one point is one logit here, so that the prior of an instruction (a few
    logits) wins over small preferences and not over large ones.
    """

    def __init__(
        self,
        name: str,
        game: str,
        bot_many: Callable[[np.ndarray, np.ndarray, np.ndarray], None],
        card: dict[str, Any],
    ) -> None:
        self.name, self.game, self.card = name, game, card
        self.players = tuple(card.get("players", (2, 3, 4, 5)))
        self._bot_many = bot_many

    def logits(self, sims: list[Simulation], seats: list[int]) -> np.ndarray:
        return _from_games(self, sims, seats)

    def logits_many(self, states: np.ndarray, seats: np.ndarray, masks: np.ndarray) -> np.ndarray:
        values = np.zeros(masks.shape)
        actions = np.zeros(len(states), np.int32)
        self._bot_many(states, values, actions)
        liked = values - values.max(axis=1, keepdims=True)
        logits = np.maximum(liked, FLOOR).astype(np.float32)
        return np.where(masks != 0, logits, -np.inf).astype(np.float32)


class NetworkPolicy:
    """A network of engine.agents.network on the features of its game, evaluated in NumPy."""

    def __init__(
        self, name: str, game: str, tensors: dict[str, np.ndarray], inputs: Inputs, card: dict[str, Any]
    ) -> None:
        self.name, self.game, self.card = name, game, card
        self.players = tuple(card.get("players", (2,)))
        self._inputs = inputs
        count = sum(key.startswith("hidden.") and key.endswith(".weight") for key in tensors)
        names = [*(f"hidden.{index}" for index in range(count)), "policy"]
        self._layers = [
            (
                np.ascontiguousarray(tensors[f"{key}.weight"].astype(np.float32).T),
                tensors[f"{key}.bias"].astype(np.float32),
            )
            for key in names
        ]

    def logits(self, sims: list[Simulation], seats: list[int]) -> np.ndarray:
        return _from_games(self, sims, seats)

    def logits_many(self, states: np.ndarray, seats: np.ndarray, masks: np.ndarray) -> np.ndarray:
        x = self._inputs(states, seats)
        for weight, bias in self._layers[:-1]:
            x = np.maximum(x @ weight + bias, 0.0)
        weight, bias = self._layers[-1]
        return np.where(masks != 0, x @ weight + bias, -np.inf).astype(np.float32)


def _from_games(policy: Policy, sims: list[Simulation], seats: list[int]) -> np.ndarray:
    for sim in sims:
        check_fits(policy, sim.game, sim.options)
    states = np.stack([sim.state for sim in sims])
    masks = np.stack([sim.legal(seat) for sim, seat in zip(sims, seats, strict=True)])
    return policy.logits_many(states, np.asarray(seats, np.int32), masks)


def check_fits(policy: Policy, game: str, options: dict[str, Any]) -> None:
    """Raise Unsupported, with a sentence, if a policy can't play a game with these (complete) options."""
    if policy.game != game:
        raise Unsupported(f"{policy.name} plays {policy.game}, not {game}.")
    seats = games.spec(game).seats(options)
    if seats not in policy.players:
        allowed = " or ".join(str(number) for number in policy.players)
        raise Unsupported(f"{policy.name} plays with {allowed} players, not {seats}.")
    if isinstance(policy, NetworkPolicy):
        size = inputs_for(game, options).size
        if size != policy._inputs.size:
            reads = policy._inputs.size
            raise Unsupported(
                f"{policy.name} was trained for other {game} options ({reads} numbers, not {size})."
            )


def choose(
    logits: np.ndarray,
    priors: np.ndarray | None = None,
    greedy: bool = True,
    rng: np.random.Generator | None = None,
) -> list[int]:
    """One action a row of (n, num_actions) logits; `priors` (same shape, logit units) is added first.

    Greedy takes the best (the lowest id among equals); else it samples from the softmax with `rng`.
    """
    total = logits if priors is None else logits + priors
    if greedy:
        return [int(action) for action in total.argmax(axis=1)]
    if rng is None:
        raise ValueError("Sampling needs a random generator.")
    noise = rng.gumbel(size=total.shape)
    return [int(action) for action in (total + noise).argmax(axis=1)]
