"""Agents in games in which all move at once: the moves of all agents of many matches at one tick.

The game of a match is kept here and stepped with the moves that each request brings, so that a tick costs one
step and one row of a batch. `engine.agents.serve` documents requests and replies. Not for games played in
turns.
"""

from __future__ import annotations

import logging
import traceback
from collections import OrderedDict, defaultdict
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

import numpy as np

from engine import brings, language
from engine.agents.acting import Heard, Programs, act_many, asked, draws, hears, remembering, together
from engine.agents.pace import at_pace, tick_of
from engine.agents.policy import Drawn, Policy, check_fits
from engine.agents.reasons import kept_from, left_out, may_be_why
from engine.simulation.simulation import Simulation

logger = logging.getLogger(__name__)
Wish = dict[str, Any]  # a seat of a request (engine.agents.serve)
GAMES_KEPT = 256
EVENTS_KEPT = 1000  # of a game, the last ones


@dataclass
class LiveGame:
    """A game that is kept, the agents known to fit it, and each seat's instructions, with the inputs for
    them.
    """

    sim: Simulation
    tick_ms: float | None = None  # how long a tick is, where a clock runs
    fits: set[str] = field(default_factory=set)
    told: dict[int, Wish] = field(default_factory=dict)
    looked: dict[int, int] = field(default_factory=dict)  # when it was looked how far a seat has got
    _inputs: dict[int, tuple[Programs, np.ndarray]] = field(default_factory=dict)

    def whole(self, wish: Wish) -> Wish:
        """A wish with the seat's instructions, which requests bring only when they have changed; the same
        objects each time, so that whatever is made of them is made once.
        """
        known = self.told.get(wish["seat"], {})
        if "programs" in wish:
            brought = {"programs": wish["programs"], "default": wish.get("default", [])}
            if brought != known:
                known = self.told[wish["seat"]] = brought
                self.looked.pop(wish["seat"], None)
        return {**wish, **known}

    def looks(self, seat: int) -> bool:
        """Whether what people are shown of a seat's instructions is looked at now: how far it has got with
        each, and why it moves so. What it does follows them at every tick.
        """
        tick = self.sim.tick
        if 0 < tick - self.looked.get(seat, tick) < language.look_every(self.sim.game):
            return False
        self.looked[seat] = tick
        return True

    def inputs(self, seat: int, programs: Programs) -> np.ndarray:
        """The inputs for a seat's instructions: computed when they change, not at every tick."""
        known = self._inputs.get(seat)
        if known is None or known[0] != programs:
            known = self._inputs[seat] = programs, language.together(self.sim.game, programs)
        return known[1]


@dataclass
class Row:
    """A seat for which a move is requested, where its move goes, its instructions in each form, how far it
    has got with them if that is looked at, what it does without any, and its network's inputs for all that,
    if it has any.
    """

    reply: dict[str, Any]
    sim: Simulation
    seat: int
    instructions: list[dict[str, Any]]
    progresses: list[dict[str, Any]]
    default: Programs
    reads: bool
    heard: Heard

    def without(self, index: int) -> Heard:
        """What the seat would get without one of its instructions."""
        others = self.instructions[:index] + self.instructions[index + 1 :]
        rest = [*self.default, *(instruction["program"] for instruction in others)]
        reads = language.together(self.sim.game, rest) if self.reads and rest else None
        return asked(self.sim, self.seat, rest, reads)

    def say(self, index: int, reason: dict[str, Any] | None) -> None:
        """Note in the reply why the seat moves so, by one of its instructions, or doesn't."""
        if reason:
            about = {"seat": self.seat, "id": self.instructions[index]["id"]}
            self.reply["reasons"].append(about | reason)

    def questions(self) -> dict[int, Heard]:
        """What the seat would get without one of its instructions, by index, of those that may be why it
        moves as it does; what keeps it from others is noted.
        """
        found = {}
        try:
            for index, progress in enumerate(self.progresses):
                program = self.instructions[index]["program"]
                blocked = kept_from(self.sim, self.seat, program, progress)
                self.say(index, blocked)
                if not blocked and may_be_why(self.sim, progress):
                    found[index] = self.without(index)
        except Exception as error:
            unexplained(error)
        return found

    def answer(self, index: int, action: Any, instead: Any) -> None:
        """Note why the seat chose `action`, which without one of its instructions had chosen `instead`."""
        programs = [instruction["program"] for instruction in self.instructions]
        about = self.sim, self.seat, programs, index, self.progresses[index]
        self.say(index, left_out(*about, action, instead))


class LiveGames:
    """The games in progress; `policy(agent, game)` loads an agent or raises with a sentence."""

    def __init__(self, policy: Callable[[str, str], Policy]) -> None:
        self.policy = policy
        self.games: OrderedDict[str, LiveGame] = OrderedDict()
        self.rng = np.random.default_rng()

    def answer(self, requests: list[dict[str, Any]]) -> list[dict[str, Any]]:
        """One reply a request; what fails for one seat doesn't touch the others."""
        replies = []
        batches: dict[tuple[str, str, float | None], list[Row]] = defaultdict(list)
        for request in requests:
            try:
                game = self.step_on(request)
            except Exception as error:
                replies.append({"id": request["id"], "error": sentence_of(error)})
                continue
            if game is None:
                replies.append({"id": request["id"], "forgotten": True})
                continue
            reply = {"id": request["id"], "tick": game.sim.tick}
            reply |= {"actions": {}, "goals": {}, "reasons": [], "errors": {}}
            replies.append(reply)
            for brought in (*request["ask"], *request.get("watch", ())):
                wish = game.whole(brought)
                try:
                    progresses = note_progress(reply, game, wish)
                    if "agent" not in wish:
                        continue
                    self.check(game, wish["agent"])
                    reads = hears(self.policy(wish["agent"], game.sim.game))
                    heard = obeyed(game, wish, reads)
                    told = wish["programs"], progresses, wish.get("default", [])
                    row = Row(reply, game.sim, wish["seat"], *told, reads, heard)
                    batches[wish["agent"], game.sim.game, game.tick_ms].append(row)
                except Exception as error:
                    reply["errors"][str(wish["seat"])] = sentence_of(error)
        for (agent, name, tick_ms), batch in batches.items():
            act(at_pace(self.policy(agent, name), tick_ms), batch, self.rng)
        return replies

    def step_on(self, request: dict[str, Any]) -> LiveGame | None:
        """The game after what the request brings; None when it isn't here at the request's first tick."""
        match, start = request["match"], request["from"]
        if "seed" in request:
            deck = request["deck"] or None
            sim = Simulation(request["game"], request["options"], request["seed"], deck)
            self.games[match] = LiveGame(sim, request.get("tick_ms") or tick_of(sim.game, sim.options))
            if len(self.games) > GAMES_KEPT:
                self.games.popitem(last=False)
        game = self.games.get(match)
        if game is None or game.sim.tick != start:
            return None
        self.games.move_to_end(match)
        for joint in request["actions"]:
            game.sim.step(joint)
        if game.sim.spec.heads:
            # Long games of many numbers would fill the memory; instructions ask what happened lately.
            game.sim.actions[start:] = [[]] * len(request["actions"])
            del game.sim.events[:-EVENTS_KEPT]
        return game

    def check(self, game: LiveGame, agent: str) -> None:
        """Raise Refusal, with a sentence, for an agent of another layout; looked at once a match."""
        if agent not in game.fits:
            check_fits(self.policy(agent, game.sim.game), game.sim.game, game.sim.options)
            game.fits.add(agent)


def obeyed(game: LiveGame, wish: dict[str, Any], reads: bool) -> Heard:
    """What a seat hears of its instructions, with what its network `reads` of them if it does."""
    seat = wish["seat"]
    programs = [*wish.get("default", ()), *(instruction["program"] for instruction in wish["programs"])]
    return asked(game.sim, seat, programs, game.inputs(seat, programs) if reads and programs else None)


def note_progress(reply: dict[str, Any], game: LiveGame, wish: dict[str, Any]) -> list[dict[str, Any]]:
    """Note in the reply how far a seat has got with each of its instructions, and return that; [] while it
    isn't looked at.
    """
    sim, seat = game.sim, wish["seat"]
    if not wish["programs"] or not game.looks(seat):
        return []
    programs = [instruction["program"] for instruction in wish["programs"]]
    progresses: list[dict[str, Any]] = [*language.progresses(sim.game, programs, sim, seat)]
    if wants := brings.Wants.brought(sim.game):
        chips = wants.now(programs, sim, seat)
        progresses = [progress | own for progress, own in zip(progresses, chips, strict=True)]
    names = [instruction["id"] for instruction in wish["programs"]]
    reply["goals"][str(seat)] = dict(zip(names, progresses, strict=True))
    return progresses


def act(policy: Policy, batch: list[Row], rng: np.random.Generator) -> None:
    """Write one policy's moves into the replies, and for seats that were told something why: behind its row
    of the batch, a seat has one for what it would do without each instruction that may be why. If these rows
    fail, the moves are chosen without them.
    """
    questions = [row.questions() for row in batch]
    try:
        try:
            chosen = choices(policy, batch, questions, rng)
        except Exception as error:
            if not any(questions):
                raise
            questions = [{} for _ in batch]
            chosen = choices(policy, batch, questions, rng)
            unexplained(error)
        for row, (own, *_) in zip(batch, chosen, strict=True):
            row.reply["actions"][str(row.seat)] = own
    except Exception as error:
        for row in batch:
            row.reply["errors"][str(row.seat)] = sentence_of(error)
        return
    for row, asked_too, (own, *others) in zip(batch, questions, chosen, strict=True):
        try:
            for index, instead in zip(asked_too, others, strict=True):
                row.answer(index, own, instead)
        except Exception as error:
            unexplained(error)


def choices(
    policy: Policy, batch: list[Row], questions: list[dict[int, Heard]], rng: np.random.Generator
) -> list[list[Any]]:
    """Each seat's move, and behind it what it would do for each of its questions, with the same draw."""
    heard = [one for row, more in zip(batch, questions, strict=True) for one in (row.heard, *more.values())]
    counts = [1 + len(more) for more in questions]
    which, own = np.repeat(np.arange(len(batch)), counts), np.cumsum([0, *counts[:-1]])
    every = [batch[at] for at in which]
    masks = np.stack([row.sim.legal(row.seat) for row in batch])
    numbers = rng.gumbel(size=masks.shape) if draws(policy) else np.zeros(masks.shape)
    states, seats = np.stack([row.sim.state for row in every]), np.array([row.seat for row in every])
    seen = states, seats, masks[which], Drawn(numbers[which]), worlds_of(every), together(heard)
    with remembering(policy, [row.sim for row in batch], [row.seat for row in batch]) as memory:
        memories = None if memory is None else memory[which]
        chosen = act_many(policy, *seen, memory=memories)
        if memory is not None and memories is not None:
            memory[...] = memories[own]
    return [chosen[at : at + count] for at, count in zip(own, counts, strict=True)]


@lru_cache(maxsize=64)
def _said(problem: str) -> None:
    logger.error("why agents moved so can't be said: %s", problem)


def unexplained(error: Exception) -> None:
    """Log what keeps agents from saying why they moved so: the moves stand, and come many times a second, so
    the same is logged once.
    """
    _said("".join(traceback.format_exception(error)))


def worlds_of(rows: list[Row]) -> list[np.ndarray] | None:
    return [row.sim.world for row in rows if row.sim.world is not None] or None


def sentence_of(error: Exception) -> str:
    """Why an agent failed, in words; the log has the details."""
    logger.exception("an agent failed", exc_info=error)
    return str(error).strip().rstrip(".") or type(error).__name__
