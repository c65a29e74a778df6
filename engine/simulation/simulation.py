"""One live or re-simulated game, stepped by joint actions.

The rules underneath are the compiled scalar functions of the game's spec; nothing here is Hanabi or any other
game, nothing waits, stores or talks to anybody. Not for training: that is `engine.simulation.batch`.
"""

from __future__ import annotations

import hashlib
import operator
from collections.abc import Sequence
from typing import Any

import numpy as np

from engine.refusal import Refusal
from engine.simulation import registry
from engine.simulation.rng import key_from_seed


class Simulation:
    """A game in progress.

    `options` may be partial; a `deck` (hidden order of the cards, for games that have one) replaces the
    shuffle of `seed`. Raises `Refusal` for a game, option or deck that isn't one.
    """

    def __init__(
        self,
        game: str,
        options: dict[str, Any] | None = None,
        seed: int = 0,
        deck: Sequence[int] | None = None,
    ) -> None:
        self.spec = registry.spec(game)
        self.game = game
        self.options = self.spec.validate(dict(options or {}))
        self.seed = int(seed)
        self.rules_version = self.spec.rules_version
        self.seats = self.spec.seats(self.options)
        self.num_actions = self.spec.num_actions(self.options)
        self.observation_size = self.spec.observation_size(self.options)
        self.max_score = self.spec.max_score(self.options)
        self.actions: list[list[Any]] = []
        self.movers: list[int] = []  # whose move each step was; -1 where all moved at once
        self.events: list[dict[str, Any]] = []  # of games that tell them, since the start
        self._keep(np.zeros(self.spec.state_size, self.spec.state_dtype))
        self.spec.prepare(self._state, self.options, *key_from_seed(self.seed))
        # What every rule function takes: the record, and the ground where the game has one.
        self.world = self.spec.world(self.options) if self.spec.world else None
        if deck is None:
            self.spec.new_game(*self._ground)
        else:
            self.spec.start_with_deck(*self._ground, self.spec.check_deck(deck, self.options))
        self.deck = self.spec.deck(self._state)

    @classmethod
    def at(cls, game: str, options: dict[str, Any], state: np.ndarray) -> Simulation:
        """A game that begins where a record is, as one of a batch, which `follow` may go on with."""
        sim = cls(game, options)
        sim._state[...] = state
        sim.deck = sim.spec.deck(sim._state)
        return sim

    def follow(self, state: np.ndarray) -> None:
        """Take over the record after a step that was taken elsewhere; who did what is not known here."""
        self.movers.append(int(self.spec.current(self._state)))
        self._state[...] = state
        self.actions.append([])
        if self.spec.events is not None:
            self.events += self.spec.events(self._state)

    def _keep(self, state: np.ndarray) -> None:
        """Have this record, and one view of it for all who read it."""
        self._state, self._view = state, state.view()
        self._view.flags.writeable = False

    @property
    def state(self) -> np.ndarray:
        """The state record, for reading only."""
        return self._view

    @property
    def tick(self) -> int:
        """Joint steps taken."""
        return len(self.actions)

    @property
    def over(self) -> bool:
        """Whether the game has ended."""
        return bool(self.spec.over(self._state))

    @property
    def score(self) -> int:
        """Points so far."""
        return int(self.spec.score(self._state))

    @property
    def current(self) -> int | None:
        """The seat to move; None when all move at once or the game is over."""
        seat = int(self.spec.current(self._state))
        return None if seat < 0 or self.over else seat

    @property
    def _ground(self) -> tuple[np.ndarray, ...]:
        return (self._state,) if self.world is None else (self._state, self.world)

    @property
    def no_op(self) -> int:
        """The action id of doing nothing, in games whose actions are ids."""
        return self.num_actions - 1 if self.spec.no_op is None else self.spec.no_op

    def idle(self, seat: int) -> Any:
        """The action that does nothing: an action id, or the record of such an action."""
        return self.no_op if self.spec.idle is None else self.spec.idle(self._state, seat)

    def legal(self, seat: int) -> np.ndarray:
        """The action mask of a seat: int8 (num_actions,), 1 where the action is legal; of all heads in a row
        where actions have several.
        """
        mask = np.zeros(self.num_actions, np.int8)
        self.spec.legal(*self._ground, seat, mask)
        return mask

    def resolve(self, seat: int, heads: Sequence[int]) -> list[int]:
        """The record of what a seat does with these heads now, in games whose actions have several."""
        record = np.zeros(self.spec.record_size, np.int32)
        self.spec.resolve(*self._ground, seat, np.array(heads, np.int32), record)
        return record.tolist()

    def step(self, joint: Sequence[Any]) -> float:
        """Take one joint action and return the shared reward.

        A seat's action is an id, or in games with heads its heads or its record. Raises `Refusal` with
        a sentence, changing nothing, unless every seat's action is legal.
        """
        if self.over:
            raise Refusal("The game is over.")
        if len(joint) != self.seats:
            raise Refusal(f"A joint action has one action for each of the {self.seats} seats.")
        chosen: list[Any]
        if self.spec.heads:
            chosen = [self._record(seat, action) for seat, action in enumerate(joint)]
        else:
            chosen = [self._id(seat, action) for seat, action in enumerate(joint)]
            for seat, action in enumerate(chosen):
                if not 0 <= action < self.num_actions or not self.legal(seat)[action]:
                    raise Refusal(str(self.why_illegal(seat, action)))
        mover = int(self.spec.current(self._state))
        if self.spec.turn_based:
            reward = self.spec.step(self._state, chosen[mover])
        else:
            reward = self.spec.step(*self._ground, np.array(chosen, np.int32))
        self.actions.append(chosen)
        self.movers.append(mover)
        if self.spec.events is not None:
            self.events += self.spec.events(self._state)
        return float(reward)

    def _id(self, seat: int, action: Any) -> int:
        """An action id; raises `Refusal` for what is no whole number, as 1.5 or "1"."""
        try:
            return _whole(action)
        except TypeError:
            raise Refusal(
                f"The action of seat {seat} is {str(action)[:40]!r}, not a whole number from 0 to "
                f"{self.num_actions - 1}."
            ) from None

    def _record(self, seat: int, action: Sequence[int]) -> list[int]:
        """The record of a seat's action, given as record or as heads; raises `Refusal`."""
        sizes = self.spec.heads
        try:
            plain = {*map(type, action)} == {int}  # as almost always: told without a call for each number
            numbers = [*action] if plain else [_whole(number) for number in action]
        except TypeError:
            raise Refusal(f"The action of seat {seat} isn't a list of whole numbers.") from None
        if len(numbers) == self.spec.record_size and self.spec.record_problem:
            if problem := self.spec.record_problem(numbers):
                raise Refusal(f"The action of seat {seat} can't be taken: {problem}")
            return numbers
        if len(numbers) != len(sizes):
            raise Refusal(
                f"An action has {len(sizes)} heads, or {self.spec.record_size} numbers with what a hand adds,"
                f" and seat {seat} gave {len(numbers)}."
            )
        # A choice that the mask leaves out does nothing, so that choices can be kept for some ticks.
        for head, (number, size) in enumerate(zip(numbers, sizes, strict=True)):
            if not 0 <= number < size:
                raise Refusal(f"Choice {number} of head {head} isn't one: seat {seat} has 0 to {size - 1}.")
        return self.resolve(seat, numbers)

    def act(self, seat: int, action: int) -> float:
        """One seat's move in a turn-based game; the others do nothing. Raises `Refusal`."""
        joint = [self.no_op] * self.seats
        if 0 <= seat < self.seats:
            joint[seat] = self._id(seat, action)
            if why := self.why_illegal(seat, joint[seat]):
                raise Refusal(why)
            return self.step(joint)
        raise Refusal(f"There is no seat {seat}; the seats are 0 to {self.seats - 1}.")

    def why_illegal(self, seat: int, action: int) -> str | None:
        """Why a seat can't take an action now, in one sentence; None if it can."""
        if 0 <= action < self.num_actions and self.legal(seat)[action]:
            return None
        return self.spec.why_illegal(self._state, seat, action) or "This action isn't legal now."

    def observe(self, seat: int) -> np.ndarray:
        """What a seat sees: bytes (observation_size,), mostly 0 and 1; signed where the game says so."""
        bits = np.zeros(self.observation_size, np.int8 if self.spec.observation_low < 0 else np.uint8)
        self.spec.encode(*self._ground, seat, bits)
        return bits

    def view(self, seat: int | None = None) -> dict[str, Any]:
        """What a seat sees, as JSON for the browser (the contract of the game's `view`); None is the open
        view.
        """
        return self.spec.view(self._state, seat)

    def last_move_text(self, reader: int | None = None) -> str:
        """The last move in one sentence for a reader in this seat (None: anybody); "" before the first."""
        return self.spec.last_move_text(self._state, reader)

    def observation_text(self, seat: int) -> str:
        """What this seat saw last, in words for a language model."""
        return self.spec.observation_text(self._state, seat)

    def action_text(self, seat: int, action: int) -> str:
        """An action of this seat, in words for a language model."""
        return self.spec.action_text(self._state, seat, action)

    def picture(self, seat: int | None = None, width: int = 640) -> np.ndarray:
        """The state drawn: uint8 (height, width, 3)."""
        return self.spec.picture(self._state, seat, width)

    def digest(self) -> str:
        """SHA-256 (hex) of game, rules version and state; the same on every machine and device."""
        return state_digest(self.spec, self._state)

    def __getstate__(self) -> dict[str, Any]:
        """For pickle: all but what the game's name and options say."""
        return {
            name: value for name, value in self.__dict__.items() if name not in ("spec", "world", "_view")
        }

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        self.spec = registry.spec(self.game)
        self.world = self.spec.world(self.options) if self.spec.world else None
        self._keep(self._state)

    def copy(self) -> Simulation:
        """An independent game at the same point."""
        twin = object.__new__(Simulation)
        twin.__dict__.update(self.__dict__)
        twin._keep(self._state.copy())
        twin.actions = [list(joint) for joint in self.actions]
        twin.movers = list(self.movers)
        twin.events = list(self.events)
        return twin


def _whole(number: Any) -> int:
    """Python takes true for 1; as an action it is a mistake. Raises TypeError."""
    if isinstance(number, bool | np.bool_):
        raise TypeError
    return operator.index(number)


def state_digest(spec: Any, state: np.ndarray) -> str:
    """The digest of one state record, wherever it was computed."""
    head = f"{spec.name} {spec.rules_version}\0".encode()
    return hashlib.sha256(head + spec.canonical(state).astype("<i8").tobytes()).hexdigest()
