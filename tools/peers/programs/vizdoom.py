"""ViZDoom in a process of its own: steps of random play a second, one JSON object a line.

Runs in another environment (no Coplay), as a script. Request and answer:

    {"do": "bench", "scenario": "deathmatch", "seconds": 2.5}     {"steps_per_second": 6000.0}

One player, 160 x 120 pixels, software rendering, a step is one tick of Doom and its frame; without a window
or sound.
"""

from __future__ import annotations

import json
import random
import sys
import time
from typing import Any

import vizdoom

WINDOW = 200  # steps


def bench(request: dict[str, Any]) -> dict[str, float]:
    """The best of several windows."""
    game = vizdoom.DoomGame()
    game.load_config(f"{vizdoom.scenarios_path}/{request['scenario']}.cfg")
    game.set_window_visible(False)
    game.set_screen_resolution(vizdoom.ScreenResolution.RES_160X120)
    game.set_mode(vizdoom.Mode.PLAYER)
    game.set_seed(1)
    game.init()
    buttons = game.get_available_buttons_size()
    choices = [[int(button == chosen) for button in range(buttons)] for chosen in range(buttons)]
    choose = random.Random(1).choice
    rates = []
    end = time.perf_counter() + float(request["seconds"])
    while len(rates) < 3 or time.perf_counter() < end:
        # The engine is another process, so wall-clock time counts here.
        started = time.perf_counter()
        for _ in range(WINDOW):
            if game.is_episode_finished():
                game.new_episode()
            game.make_action(choose(choices))
            game.get_state()
        rates.append(WINDOW / (time.perf_counter() - started))
    game.close()
    return {"steps_per_second": max(rates)}


if __name__ == "__main__":
    for line in sys.stdin:
        print(json.dumps(bench(json.loads(line))), flush=True)
