"""Clients that are no browser, on the stack that the browsers use: the example bot, and the desktop client
without a screen.
"""

from __future__ import annotations

import asyncio
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

import pytest

from engine.client.example_bot import play
from tests.browser.stack import ROOT, Stack

pytestmark = pytest.mark.slow


def test_the_example_bot_plays(stack: Stack) -> None:
    link = stack.manage("signin", "player").split()[-1]
    with ThreadPoolExecutor() as pool:  # in this one, the browser of other tests has its event loop
        assert pool.submit(asyncio.run, play(stack.address, link, ticks=40)).result() == 40


def test_the_desktop_client_starts_a_match_and_plays(stack: Stack) -> None:
    env = {**stack.env, "SDL_VIDEODRIVER": "dummy", "SDL_AUDIODRIVER": "dummy"}
    done = subprocess.run(
        [sys.executable, "manage.py", "desktop", "--seconds", "4"],
        cwd=ROOT, env=env, capture_output=True, text=True, timeout=300,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr[-2000:]
