"""Human proxies: networks that share weights among moves that are alike, have a memory for each seat, and
draw their moves.

Inputs and memory are the game's own (`people_features.py`: CONTEXT numbers, then EACH numbers for each of
ALIKE moves that are alike; EXTRAS other moves come after them; RELATED names the moves whose numbers a move
reads). If a game has none, or if they are for another number of seats, a proxy has the inputs of all learned
agents and acts as they do. For acting, in NumPy; `engine.learning.algorithms.clone_people` trains them.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from engine import brings, games
from engine.agents.features import Inputs, inputs_for
from engine.agents.policy import Policy, Worlds

KIND = "people"  # what a card says as its "kind"
SEATS = 2  # of the games that people's features are about
LAYERS = ("context", "item", "mixed", "pooled", "move", "extra")


@dataclass(frozen=True)
class Plain:
    """The inputs of a proxy without features of people: those of learned agents."""

    inputs: Inputs
    memory: int = 0
    personas: tuple[str, ...] = ()

    @property
    def size(self) -> int:
        """Numbers that the network reads."""
        return self.inputs.size

    def persona(self, survey: dict[str, str]) -> str:
        """Which of `personas` a person is: nobody asks."""
        return ""

    def read(
        self, states: np.ndarray, seats: np.ndarray, memory: np.ndarray | None, worlds: Worlds = None
    ) -> np.ndarray:
        """(n, size) float32: what each seat's network reads."""
        return self.inputs(states, seats, worlds)


@dataclass(frozen=True)
class Shape:
    """What a game's `people_features` define about the network that reads them."""

    game: str

    @property
    def module(self) -> brings.PeopleFeatures:
        return brings.PeopleFeatures.of(self.game)

    @property
    def size(self) -> int:
        """Numbers that the network reads."""
        return self.module.SIZE

    @property
    def memory(self) -> int:
        """Numbers that are remembered of a seat."""
        return self.module.MEMORY

    @property
    def personas(self) -> tuple[str, ...]:
        """Whom people may be."""
        return tuple(self.module.PERSONAS)

    def persona(self, survey: dict[str, str]) -> str:
        """Which of `personas` a person is by the answers to a survey; "" if nobody asked."""
        return self.module.persona(survey)

    @property
    def context(self) -> int:
        """Numbers that all moves read: the game's, and who is meant."""
        return self.module.CONTEXT + len(self.personas)

    @property
    def item(self) -> int:
        """Numbers that one move reads besides."""
        return self.module.EACH * len(self.module.RELATED)

    def read(
        self, states: np.ndarray, seats: np.ndarray, memory: np.ndarray | None, worlds: Worlds = None
    ) -> np.ndarray:
        """(n, size) float32: what each seat's network reads; brings memory (n, M) up to date."""
        if memory is None:
            memory = np.zeros((len(states), self.memory), np.float32)
        out = np.zeros((len(states), self.size), np.float32)
        self.module.encode_many(states, np.asarray(seats, np.int32), memory, out)
        return out

    def parts(self, inputs: Any, personas: Any, joined: Any) -> tuple[Any, Any]:
        """(context (n, C), items (n, ALIKE, I)) of inputs (n, SIZE) and personas (n, P), arrays or tensors;
        `joined` is np.concatenate or torch.cat.
        """
        module = self.module
        items = inputs[:, module.CONTEXT :].reshape(len(inputs), module.ALIKE, module.EACH)
        each = [items[:, place : place + 1] for place in range(module.ALIKE)]
        related = [
            sum(joined([each[place] for place in order], 1) for order in orders) for orders in module.RELATED
        ]
        return joined([inputs[:, : module.CONTEXT], personas], 1), joined(related, 2)


Reader = Shape | Plain


def reader_of(game: str, options: dict[str, Any]) -> Reader:
    """The inputs of human proxies in games with these (complete) options."""
    seats = games.spec(game).seats(options)
    if seats == SEATS and games.brings(game, "people_features"):
        return Shape(game)
    return Plain(inputs_for(game, options))


class PeoplePolicy(Policy):
    """A human proxy. Its card's `persona` is one of the game's PERSONAS, none if unknown."""

    def __init__(self, name: str, game: str, tensors: dict[str, np.ndarray], card: dict[str, Any]) -> None:
        self.name, self.game, self.card = name, game, card
        self.players = tuple(card.get("players", (SEATS,)))
        self.shape = Shape(game)
        self.memory = self.shape.memory
        self._weights = {key: value.astype(np.float32) for key, value in tensors.items()}
        self._persona = np.array([persona == card.get("persona") for persona in self.shape.personas], bool)

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
        inputs = self.shape.read(states, seats, memory)
        personas = np.repeat(self._persona.astype(np.float32)[None], len(states), 0)
        context, items = self.shape.parts(inputs, personas, np.concatenate)
        hidden = np.maximum(self._layer("context", context)[:, None] + self._layer("item", items), 0)
        pooled = self._layer("pooled", hidden.mean(1))
        hidden = np.maximum(self._layer("mixed", hidden) + pooled[:, None], 0)
        moves = self._layer("move", hidden)[..., 0]
        extra = self._layer("extra", np.concatenate([hidden.mean(1), hidden.max(1)], 1))
        liked = np.concatenate([moves, extra], 1)
        return np.where(masks != 0, liked, -np.inf).astype(np.float32)

    def _layer(self, name: str, x: np.ndarray) -> np.ndarray:
        return x @ self._weights[f"{name}.weight"].T + self._weights[f"{name}.bias"]


def problem_of(game: str, tensors: dict[str, np.ndarray]) -> str | None:
    """What is wrong with the names and shapes of a proxy's tensors; None if they fit."""
    shape = Shape(game)
    if missing := [
        key for name in LAYERS for key in (f"{name}.weight", f"{name}.bias") if key not in tensors
    ]:
        return f"{missing[0]} is missing"
    wide, mixed = (len(tensors[f"{name}.bias"]) for name in ("context", "mixed"))
    reads = {"context": shape.context, "item": shape.item, "mixed": wide, "pooled": wide, "move": mixed}
    gives = {"item": wide, "pooled": mixed, "move": 1, "extra": int(shape.module.EXTRAS)}
    for name in LAYERS:
        bias, weight = tensors[f"{name}.bias"].shape, tensors[f"{name}.weight"].shape
        wanted = (gives.get(name, bias[0] if bias else 0), reads.get(name, 2 * mixed))
        if weight != wanted or bias != wanted[:1]:
            return f"{name}.weight is {weight} and should be {wanted}"
    return None
