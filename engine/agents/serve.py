"""The process in which agents run: requests on standard input, answers on standard output, one JSON line
each.

    {"id": 7, "agent": ref or folder, "match": any name, "game", "options", "seed", "deck", "actions": [[…]],
     "seat": 1, "programs": [instruction program, …]}
    {"id": 7, "action": 12, "reasons": [why, in terms of the programs (engine.agents.reasons)]}
    {"id": 7, "error": "why, in words"}

If all move at once, one line per match and tick requests the moves of all its agents, and brings only what is
new:

    {"id": 8, "match": any name, "from": 12, "actions": [[0, 5]],
     "ask": [{"seat": 1, "agent": ref or folder, "programs": [{"id": of the instruction, "program": {…}}],
              "default": [the program of a seat that no instruction tells what to do]}],
     "watch": [{"seat": 0, "programs": […]}]}    # a seat without "programs" has those that it had before
    {"id": 8, "tick": 13, "actions": {"1": 3},
     "goals": {seat: {instruction: {"state", "text"}}},    # of seats that were looked at (LiveGame.looks)
     "reasons": [{"seat", "id": of the instruction, "kind", … (engine.agents.reasons.left_out)}],
     "errors": {seat: "why"}}
    {"id": 8, "forgotten": true}: the game isn't here at tick 12; send it from 0, with game, options, seed and
        deck, and with "tick_ms", the length of a tick, if a clock runs.

Requests that arrive while a batch is computed form the next batch; requests for one agent go through its
network together. Games are kept by match and stepped, so a request costs the new moves only. The process ends
when its input ends. Not for training and evaluation, which have whole batches of games
(engine.simulation.batch).
"""

from __future__ import annotations

import json
import logging
import os
import queue
import sys
import threading
from collections import OrderedDict, defaultdict
from typing import Any, TextIO

import numpy as np

from engine.agents.acting import act
from engine.agents.catalogue import load
from engine.agents.live import LiveGames, sentence_of
from engine.agents.policy import Policy
from engine.agents.reasons import reasons
from engine.simulation.simulation import Simulation

GAMES_KEPT = 256
AGENTS_KEPT = 16


class Server:
    """Loaded agents and games in progress; pure but for those two caches."""

    def __init__(self) -> None:
        self.policies: OrderedDict[tuple[str, str], Policy] = OrderedDict()
        self.games: OrderedDict[str, Simulation] = OrderedDict()
        self.live = LiveGames(self.policy)
        self.rng = np.random.default_rng()

    def answer(self, requests: list[dict[str, Any]]) -> list[dict[str, Any]]:
        """One reply a request, in any order; a request that fails doesn't touch the others."""
        replies = self.live.answer([request for request in requests if "ask" in request])
        # Games of one agent and one set of options go through its network together.
        batches: dict[tuple[str, str, str], list[tuple[dict[str, Any], Simulation]]] = defaultdict(list)
        for request in (asking for asking in requests if "ask" not in asking):
            try:
                game = self.game_of(request)
                self.policy(request["agent"], request["game"])
            except Exception as error:
                replies.append(self.failure(request, error))
            else:
                options = json.dumps(game.options, sort_keys=True)
                batches[request["agent"], request["game"], options].append((request, game))
        for (agent, name, _), batch in batches.items():
            try:
                replies += self.act(self.policy(agent, name), batch)
            except Exception as error:
                replies += [self.failure(request, error) for request, _ in batch]
        return replies

    def act(self, policy: Policy, batch: list[tuple[dict[str, Any], Simulation]]) -> list[dict[str, Any]]:
        """The moves of one policy in many games."""
        games, seats = [game for _, game in batch], [request["seat"] for request, _ in batch]
        programs = [request.get("programs", []) for request, _ in batch]
        chosen = act(policy, games, seats, self.rng, programs)
        return [
            {"id": request["id"], "action": action, "reasons": reasons(policy, game, seat, theirs, action)}
            for (request, game), seat, theirs, action in zip(batch, seats, programs, chosen, strict=True)
        ]

    def policy(self, agent: str, game: str) -> Policy:
        key = (agent, game)
        if key not in self.policies:
            self.policies[key] = load(agent, game)
            if len(self.policies) > AGENTS_KEPT:
                self.policies.popitem(last=False)
        self.policies.move_to_end(key)
        return self.policies[key]

    def game_of(self, request: dict[str, Any]) -> Simulation:
        """The game at the point of the request: the kept one stepped on, or simulated from its deal."""
        actions = request["actions"]
        sim = self.games.get(request["match"])
        if sim is None or sim.deck != request["deck"] or sim.actions != actions[: sim.tick]:
            sim = Simulation(request["game"], request["options"], request["seed"], request["deck"])
        for joint in actions[sim.tick :]:
            sim.step(joint)
        self.games[request["match"]] = sim
        self.games.move_to_end(request["match"])
        if len(self.games) > GAMES_KEPT:
            self.games.popitem(last=False)
        return sim.copy()

    @staticmethod
    def failure(request: dict[str, Any], error: Exception) -> dict[str, Any]:
        return {"id": request["id"], "error": sentence_of(error)}


def serve(source: TextIO, sink: TextIO) -> None:
    """Answer until `source` ends."""
    arrived: queue.Queue[dict[str, Any] | None] = queue.Queue()

    def read() -> None:
        for line in source:
            arrived.put(json.loads(line))
        arrived.put(None)

    threading.Thread(target=read, daemon=True).start()
    server = Server()
    while (first := arrived.get()) is not None:
        batch = [first]
        ended = False
        while not arrived.empty():
            request = arrived.get()
            if request is None:
                ended = True
                break
            batch.append(request)
        for reply in server.answer(batch):
            sink.write(json.dumps(reply) + "\n")
        sink.flush()
        if ended:
            return


if __name__ == "__main__":
    logging.basicConfig(level=logging.INFO, stream=sys.stderr)
    os.environ.setdefault("OMP_NUM_THREADS", "1")
    # Whatever a library prints must not land between the answers.
    answers = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)
    serve(sys.stdin, answers)
