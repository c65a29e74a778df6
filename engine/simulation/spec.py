"""What a game tells the simulation about itself: one `GameSpec`, exported as `SPEC` by the game's package.

Everything under `engine.simulation` runs any game through this record and knows no game by name. The rule
functions in it are scalar functions over one state record (see the game's rules), compiled by
`engine.simulation.jit.njit`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from types import ModuleType
from typing import Any

import numpy as np

from engine.refusal import Refusal


@dataclass(frozen=True)
class Option:
    """One setting of a game: its default (None: worked out from the others), what it may be, and what it
    means.
    """

    default: Any
    choices: tuple[Any, ...]
    help: str


# What is found in a game's modules.
RULES = ("new_game", "legal", "step", "current", "over", "score")
WORDS = ("why_illegal", "last_move_text", "observation_text", "action_text")
# A field that a game may leave out although it always has a value: `GameSpec` fills it in.
DEFAULT: Any = None


@dataclass(frozen=True, eq=False, kw_only=True)
class GameSpec:
    """A game, as the simulation, the env, the batch and the pages see it; what has a value here may be left
    out.

    Options are always a complete, validated dict as `validate` returns it, except in `validate` itself. What
    is named like a function (or RULES_VERSION) of the modules `rules` and `words` need not be given besides.
    """

    name: str
    title: str
    rules: ModuleType | None = None
    words: ModuleType | None = None
    rules_version: int = DEFAULT
    turn_based: bool = True
    ticks_per_second: float | None = None  # None: no clock, a tick is a move
    clock: Callable[[dict[str, Any]], float | None] = lambda options: None  # that options ask for instead
    options: dict[str, Option] = field(default_factory=dict)
    state_size: int
    state_dtype: Any = np.int64
    # Options -> facts.
    validate: Callable[[dict[str, Any]], dict[str, Any]] = DEFAULT  # raises Refusal; by `options` alone
    seats: Callable[[dict[str, Any]], int] = lambda options: options["players"]
    num_actions: Callable[[dict[str, Any]], int]
    observation_size: Callable[[dict[str, Any]], int]
    max_score: Callable[[dict[str, Any]], int]
    # Options -> a fresh record with a random stream; and a start from given hidden information (the deck),
    # for games that hide an order of cards. By default the record's first two numbers are the stream's key,
    # all others 0, and there is no deck.
    prepare: Callable[[np.ndarray, dict[str, Any], int, int], None] = (
        DEFAULT  # (state, options, key_a, key_b)
    )
    check_deck: Callable[[Any, dict[str, Any]], list[int]] = DEFAULT  # raises Refusal
    start_with_deck: Callable[..., None] = DEFAULT  # (state[, world], deck)
    deck: Callable[[np.ndarray], list[int]] = lambda state: []
    # A copy to digest, without what the past doesn't determine.
    canonical: Callable[[np.ndarray], np.ndarray] = np.copy
    # Rules over one record, scalar and compiled.
    new_game: Callable[..., None] = DEFAULT  # (state): the next episode of the record's stream
    legal: Callable[..., None] = DEFAULT  # (state, seat, out int8)
    # (state, action of the seat to move; not turn-based: all seats' actions) -> reward
    step: Callable[..., int] = DEFAULT
    current: Callable[..., int] = DEFAULT  # (state) -> seat to move, -1 when all move
    over: Callable[..., int] = DEFAULT  # (state) -> 0 while the game runs
    score: Callable[..., int] = DEFAULT
    encode: Callable[..., None]  # (state, seat, out): one number a bit
    # (state, seat, out uint8): eight bits a byte; by default `encode` again, a byte a number.
    encode_packed: Callable[..., None] = DEFAULT
    # For people: plain Python over one record.
    view: Callable[[np.ndarray, int | None], dict[str, Any]]  # JSON; None: the open view
    # (state, seat, action): a sentence, "" if legal or if there is nothing to say of it
    why_illegal: Callable[[np.ndarray, int, int], str] = DEFAULT
    last_move_text: Callable[[np.ndarray, int | None], str] = DEFAULT
    observation_text: Callable[[np.ndarray, int], str] = DEFAULT
    action_text: Callable[[np.ndarray, int, int], str] = DEFAULT  # (state, seat, action)
    # (state, seat or None, width) -> uint8 (height, width, 3); by default the view in lines of text
    picture: Callable[..., np.ndarray] = DEFAULT
    # What not every game has.
    observation_shape: Callable[[dict[str, Any]], tuple[int, ...]] | None = None  # None: flat
    observation_high: int = 1  # the largest number in an observation
    packed_size: Callable[[dict[str, Any]], int] | None = None  # bytes; None: eight numbers (bits) a byte
    shaped: Callable[..., int] | None = None  # (state, seat) -> shaped reward of the last step
    truncates: bool = False  # over means that the time is up, not that the game came to its end
    no_op: int | None = None  # the action of doing nothing; None: the last one
    variant: Callable[[dict[str, Any]], str] | None = None  # what learned agents are made for (a layout)
    events: Callable[[np.ndarray], list[dict[str, Any]]] | None = None  # what the last step did, as JSON
    observation_low: int = 0  # the smallest number in an observation
    seat_reward: Callable[[np.ndarray, int], float] | None = None  # of the last step, if it isn't shared
    # Games whose action has several parts ("heads"). Masks are one row of all heads' choices.
    heads: tuple[int, ...] = ()  # choices of each head; () for one action id
    record_size: int = 0  # numbers of a seat's logged action, heads first
    resolve: Callable[..., None] | None = None  # (state, world, seat, heads, out record)
    idle: Callable[[np.ndarray, int], list[int]] | None = None  # (state, seat) -> the record of doing nothing
    record_problem: Callable[[list[int]], str] | None = None  # why a record can't be taken, "" if it can
    # Games on shared, unchanging ground: options -> int8 (places, size). Every rule function takes the world
    # after the state then (legal, step, encode, new_game, …).
    world: Callable[[dict[str, Any]], np.ndarray] | None = None
    decision_ticks: int = 1  # ticks for which an agent keeps to a choice
    goal_size: int = 0  # numbers of a goal that policies take as an input; 0: none
    # (options, seat) -> the side that a seat plays for; None: all play together (`side_of`).
    side: Callable[[dict[str, Any], int], int] | None = None

    def __post_init__(self) -> None:
        def default(name: str, value: Any) -> None:
            if getattr(self, name) is None:
                object.__setattr__(self, name, value)

        default("rules_version", getattr(self.rules, "RULES_VERSION", None))
        for module, names in ((self.rules, RULES), (self.words, WORDS)):
            for name in names:
                default(name, getattr(module, name, None))
        default("why_illegal", lambda state, seat, action: "")
        if missing := [name for name in ("rules_version", *RULES, *WORDS) if getattr(self, name) is None]:
            raise TypeError(f"The spec of {self.name} has no {', '.join(missing)}.")
        default("validate", self._complete)
        default("prepare", _keys_alone)
        default("check_deck", self._no_deck)
        default("start_with_deck", lambda *ground_and_deck: self.new_game(*ground_and_deck[:-1]))
        default("picture", self._lines)
        if self.encode_packed is None:
            default("packed_size", self.observation_size)
        default("encode_packed", self.encode)

    def _complete(self, options: dict[str, Any]) -> dict[str, Any]:
        if unknown := sorted(set(options) - set(self.options)):
            known = ", ".join(self.options) or "none"
            raise Refusal(f"{self.title} has no option {unknown[0]!r}; its options are {known}.")
        complete = {name: options.get(name, option.default) for name, option in self.options.items()}
        for name, value in complete.items():
            if isinstance(value, bool) or value not in self.options[name].choices:
                allowed = ", ".join(str(choice) for choice in self.options[name].choices)
                raise Refusal(f"{self.title}'s option {name!r} is one of {allowed}, not {value!r}.")
        return complete

    def _no_deck(self, deck: Any, options: dict[str, Any]) -> list[int]:
        if list(deck):
            raise Refusal(f"{self.title} has no deck.")
        return []

    def _lines(self, state: np.ndarray, seat: int | None = None, width: int = 640) -> np.ndarray:
        from engine.simulation.lines import lines  # pygame takes a while to import, and few need it

        return lines(self.title, self.view(state, seat), width)

    def side_of(self, options: dict[str, Any], seat: int) -> int:
        """The side that a seat plays for, from 0 on; 0 where all play together."""
        return 0 if self.side is None else self.side(options, seat)


def _keys_alone(state: np.ndarray, options: dict[str, Any], key_a: int, key_b: int) -> None:
    state[:] = 0
    state[0], state[1] = key_a, key_b
