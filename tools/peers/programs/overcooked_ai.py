"""overcooked_ai in a process of its own: answers requests, one JSON object a line, about its own games.

Runs in another environment (numpy below 2, no Coplay), as a script. Requests and answers:

    {"do": "layouts"}                                      {"cramped_room": "{…text of the file…}", …}
    {"do": "play", "layout": {…}, "horizon": 150,
     "actions": [[0, 5], …]}                               {"steps": [[state, sparse, shaped, views], …]}
    {"do": "bench", "layout": {…}, "views": true}          {"steps_per_second": 9000.0}

`play` tells the start and every step: state as {"tick", "cooks": [[x, y, facing, thing]], "objects": [[x, y,
thing, ticks cooked]]}, a thing as "", "onion", "tomato", "dish" or "soup <onions> <tomatoes>"; the rewards by
cook; views as base64 of the zlib-compressed bytes (cooks, height, width, 26), "" where it has none.
"""

from __future__ import annotations

import base64
import json
import os
import random
import sys
import time
import zlib
from collections.abc import Callable
from contextlib import redirect_stdout
from typing import Any

import numpy as np
from overcooked_ai_py.mdp.actions import Action, Direction
from overcooked_ai_py.mdp.overcooked_mdp import OvercookedGridworld
from overcooked_ai_py.static import LAYOUTS_DIR

ACTIONS = [*Direction.ALL_DIRECTIONS, Action.STAY, Action.INTERACT]
BENCH_STEPS = 400


def kitchen(layout: dict[str, Any]) -> OvercookedGridworld:
    """The kitchen of a dictionary as in a `.layout` file; only one at a time, as its recipes are global."""
    given = dict(layout)
    rows = [row.strip() for row in given.pop("grid").split("\n")]
    return OvercookedGridworld.from_grid(rows, given)


def thing(item: Any) -> str:
    if item is None:
        return ""
    if item.name != "soup":
        return str(item.name)
    return f"soup {item.ingredients.count('onion')} {item.ingredients.count('tomato')}"


def told(state: Any) -> dict[str, Any]:
    cooks = [
        [*cook.position, Direction.DIRECTION_TO_INDEX[cook.orientation], thing(cook.held_object)]
        for cook in state.players
    ]
    objects = [
        [*at, thing(item), item._cooking_tick if item.name == "soup" else -1]
        for at, item in sorted(state.objects.items())
    ]
    return {"tick": state.timestep, "cooks": cooks, "objects": objects}


def views(mdp: OvercookedGridworld, state: Any, horizon: int) -> str:
    if len(state.players) != 2:
        return ""
    seen = np.array(mdp.lossless_state_encoding(state, horizon), np.uint8).transpose(0, 2, 1, 3)
    return base64.b64encode(zlib.compress(np.ascontiguousarray(seen).tobytes(), 1)).decode()


def play(layout: dict[str, Any], horizon: int, actions: list[list[int]]) -> dict[str, Any]:
    mdp = kitchen(layout)
    state = mdp.get_standard_start_state()
    steps = [[told(state), [], [], views(mdp, state, horizon)]]
    for joint in actions:
        state, infos = mdp.get_state_transition(state, [ACTIONS[action] for action in joint])
        rewards = infos["sparse_reward_by_agent"], infos["shaped_reward_by_agent"]
        steps.append([told(state), *rewards, views(mdp, state, horizon)])
    return {"steps": steps}


def layouts() -> dict[str, str]:
    layouts_of = {}
    for file in sorted(os.listdir(LAYOUTS_DIR)):
        if file.endswith(".layout"):
            with open(os.path.join(LAYOUTS_DIR, file)) as text:
                layouts_of[file[: -len(".layout")]] = text.read()
    return layouts_of


def bench(layout: dict[str, Any], views: bool) -> dict[str, Any]:
    """The best of some windows of random play, with or without both lossless views."""
    from overcooked_ai_py.mdp.overcooked_env import OvercookedEnv

    mdp = kitchen(layout)
    env = OvercookedEnv.from_mdp(mdp, horizon=BENCH_STEPS, info_level=0)
    draw = random.Random(1)
    best = 0.0
    for _ in range(5):
        env.reset()
        joints = [[draw.choice(ACTIONS) for _ in mdp.start_player_positions] for _ in range(BENCH_STEPS)]
        started = time.thread_time()
        for joint in joints:
            state, _, _, _ = env.step(joint)
            if views:
                mdp.lossless_state_encoding(state, BENCH_STEPS)
        best = max(best, BENCH_STEPS / (time.thread_time() - started))
    return {"steps_per_second": best}


if __name__ == "__main__":
    answers: dict[str, Callable[..., Any]] = {"layouts": layouts, "play": play, "bench": bench}
    for line in sys.stdin:
        request = json.loads(line)
        with redirect_stdout(sys.stderr):  # it tells of planners that it computes
            answer = answers[request.pop("do")](**request)
        print(json.dumps(answer), flush=True)
