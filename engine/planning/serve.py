"""The process in which the plans of a host's matches are made: requests on standard input, answers on
standard output, one JSON line each.

    {"id": 7, "match": any name, "from": 12, "actions": [[0, 5]],
     "records": [of the log since the last request]}
    {"id": 7, "tick": 13, "records": [about plans, for the log (engine.simulation.planned)]}
    {"id": 7, "forgotten": true}: the game isn't here at tick 12; send it from 0, with its log's "header", the
        records from the beginning, and "planner", the name of the one that is to plan.
    {"id": 7, "error": "why, in words"}

The records that an answer brings aren't sent back. A late plan is of use still: it says what is left to do.
Not for agents (engine.agents.serve).
"""

from __future__ import annotations

import json
import logging
import os
import sys
from collections import OrderedDict
from typing import Any

from engine import games
from engine.planning.planners import DEFAULT
from engine.planning.running import Running
from engine.simulation.simulation import Simulation

GAMES_KEPT = 256
logger = logging.getLogger(__name__)


class Planning:
    """The plans of the matches of a host; pure but for that cache."""

    def __init__(self) -> None:
        self.games: OrderedDict[str, tuple[Simulation, list[Running]]] = OrderedDict()

    def answer(self, request: dict[str, Any]) -> dict[str, Any]:
        try:
            return {"id": request["id"], **self._answer(request)}
        except Exception as error:
            logger.exception("a plan couldn't be made")
            self.games.pop(request["match"], None)
            return {"id": request["id"], "error": str(error)}

    def _answer(self, request: dict[str, Any]) -> dict[str, Any]:
        if "header" in request:
            self._begin(request)
        sim, running = self.games.get(request["match"], (None, []))
        if sim is None or sim.tick != request["from"]:
            return {"forgotten": True}
        self.games.move_to_end(request["match"])
        for joint in request["actions"]:
            sim.step(joint)
        made = []
        for side in running:
            for record in request["records"]:
                side.note(record)
            made += side.look(sim)
        return {"tick": sim.tick, "records": made}

    def _begin(self, request: dict[str, Any]) -> None:
        header = request["header"]
        sim = Simulation(header["game"], header["options"], header["seed"], header.get("deck") or None)
        spec = games.spec(header["game"])
        seats = range(len(header["seats"]))
        sides = dict.fromkeys(spec.side_of(header["options"], seat) for seat in seats)
        name = request.get("planner", DEFAULT)
        self.games[request["match"]] = sim, [Running(header, side, name) for side in sides]
        if len(self.games) > GAMES_KEPT:
            self.games.popitem(last=False)


if __name__ == "__main__":
    logging.basicConfig(level=logging.INFO, stream=sys.stderr)
    os.environ.setdefault("OMP_NUM_THREADS", "1")
    # Whatever a library prints must not land between the answers.
    answers = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)
    planning = Planning()
    for line in sys.stdin:
        print(json.dumps(planning.answer(json.loads(line))), file=answers, flush=True)
