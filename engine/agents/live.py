"""Agents of games in which all move at once: the moves of all agents of many matches at one tick each.

A match's game stays here and is stepped on by what each request brings, so that a tick costs one step and one
row of a batch. `engine.agents.serve` says what requests and replies look like. Not for turn-based games.
"""

from __future__ import annotations

import logging
from collections import OrderedDict, defaultdict
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from engine import language
from engine.agents.acting import act_many, asked, together
from engine.agents.policy import Policy, check_fits
from engine.simulation.simulation import Simulation

logger = logging.getLogger(__name__)
GAMES_KEPT = 256


@dataclass
class LiveGame:
    """A game that is stepped on, and the agents that are known to fit it."""

    sim: Simulation
    fits: set[str] = field(default_factory=set)


@dataclass
class Row:
    """A seat for which a move is asked, where it goes, what the seat's instructions add to the logits, and
    the goal that they come to in games with goals.
    """

    reply: dict[str, Any]
    sim: Simulation
    seat: int
    prior: np.ndarray | None
    goal: np.ndarray | None


class LiveGames:
    """The games in progress; `policy(agent, game)` loads an agent or raises with a sentence."""

    def __init__(self, policy: Callable[[str, str], Policy]) -> None:
        self.policy = policy
        self.games: OrderedDict[str, LiveGame] = OrderedDict()
        self.rng = np.random.default_rng()

    def answer(self, requests: list[dict[str, Any]]) -> list[dict[str, Any]]:
        """One reply a request; what fails for one seat doesn't touch the others."""
        replies = []
        batches: dict[tuple[str, str], list[Row]] = defaultdict(list)
        for request in requests:
            try:
                game = self.step_on(request)
            except Exception as error:
                replies.append({"id": request["id"], "error": sentence_of(error)})
                continue
            if game is None:
                replies.append({"id": request["id"], "forgotten": True})
                continue
            reply = {"id": request["id"], "tick": game.sim.tick, "actions": {}, "goals": {}, "errors": {}}
            replies.append(reply)
            for wish in (*request["ask"], *request.get("watch", ())):
                try:
                    if "agent" not in wish:
                        note_progress(reply, game.sim, wish)
                        continue
                    self.check(game, wish["agent"])
                    row = Row(reply, game.sim, wish["seat"], *obeyed(reply, game.sim, wish))
                    batches[wish["agent"], game.sim.game].append(row)
                except Exception as error:
                    reply["errors"][str(wish["seat"])] = sentence_of(error)
        for (agent, name), batch in batches.items():
            act(self.policy(agent, name), batch, self.rng)
        return replies

    def step_on(self, request: dict[str, Any]) -> LiveGame | None:
        """The game after what the request brings; None when it isn't here at the request's first tick."""
        match, start = request["match"], request["from"]
        if "seed" in request:
            deck = request["deck"] or None
            sim = Simulation(request["game"], request["options"], request["seed"], deck)
            self.games[match] = LiveGame(sim)
            if len(self.games) > GAMES_KEPT:
                self.games.popitem(last=False)
        game = self.games.get(match)
        if game is None or game.sim.tick != start:
            return None
        self.games.move_to_end(match)
        for joint in request["actions"]:
            game.sim.step(joint)
        if game.sim.spec.heads:
            # Only the present is asked for here, and long games of many numbers would fill the memory.
            game.sim.actions[start:] = [[]] * len(request["actions"])
            game.sim.events.clear()
        return game

    def check(self, game: LiveGame, agent: str) -> None:
        """Raise Unsupported, with a sentence, for an agent of another layout; looked at once a match."""
        if agent not in game.fits:
            check_fits(self.policy(agent, game.sim.game), game.sim.game, game.sim.options)
            game.fits.add(agent)


def obeyed(
    reply: dict[str, Any], sim: Simulation, wish: dict[str, Any]
) -> tuple[np.ndarray | None, np.ndarray | None]:
    """What a seat's instructions add to its logits, (num_actions,), or in games with goals its goal,
    (goal_size,); the reply notes how far each has got.
    """
    programs = note_progress(reply, sim, wish)
    return asked(sim, wish["seat"], programs)


def note_progress(reply: dict[str, Any], sim: Simulation, wish: dict[str, Any]) -> list[dict[str, Any]]:
    """Note in the reply how far a seat has got with what it was told; its programs."""
    programs = [told["program"] for told in wish["programs"]]
    if programs:
        progresses = language.progresses(sim.game, programs, sim, wish["seat"])
        names = [told["id"] for told in wish["programs"]]
        reply["goals"][str(wish["seat"])] = dict(zip(names, progresses, strict=True))
    return programs


def act(policy: Policy, batch: list[Row], rng: np.random.Generator) -> None:
    """Write one policy's moves into the replies."""
    try:
        spec = batch[0].sim.spec
        states = np.stack([row.sim.state for row in batch])
        masks = np.stack([row.sim.legal(row.seat) for row in batch])
        seats = np.array([row.seat for row in batch], np.int32)
        worlds = [row.sim.world for row in batch if row.sim.world is not None] or None
        goals = together([row.goal for row in batch], spec.goal_size, np.int16)
        priors = together([row.prior for row in batch], masks.shape[1], np.float32)
        chosen = act_many(policy, states, seats, masks, rng, worlds, priors, goals)
        for row, action in zip(batch, chosen, strict=True):
            row.reply["actions"][str(row.seat)] = action
    except Exception as error:
        for row in batch:
            row.reply["errors"][str(row.seat)] = sentence_of(error)


def sentence_of(error: Exception) -> str:
    """Why an agent failed, in words; the log has where."""
    logger.exception("an agent failed", exc_info=error)
    return str(error).strip().rstrip(".") or type(error).__name__
