"""The product, end to end, on the real stack: a person's game and marks become the agent they play next.

Embedded, as `make up` starts it; test_the_kitchen_loop and test_the_arena_loop go the same way in production.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from engine.snapshots import Snapshot
from tests.browser import loop
from tests.browser.stack import Stack

pytestmark = [pytest.mark.browser, pytest.mark.slow]

# Simulated episodes and marks (labelled so everywhere), so that there is enough to train on.
SEEDING = ("episodes", "simulate", "--game", "hanabi", "--count", "12", "--agents",
           "hanabi/learner-1,hanabi/learner-1", "--seed", "5", "--annotators", "simulated")  # fmt: skip


def test_a_persons_marks_train_the_agent_that_they_play_next(stack: Stack, browser: Browser) -> None:
    stack.manage(*SEEDING)
    player, admin = browser.new_context(), browser.new_context()
    page, desk = player.new_page(), admin.new_page()
    problems: list[str] = []
    for one in (page, desk):
        one.on("pageerror", lambda error: problems.append(str(error)))
        one.on("console", lambda line: problems.append(line.text))

    stack.sign_in(page, "player")
    loop.start_game(page, stack.address)
    loop.play_to_the_end(page)
    loop.open_result(page)
    replay = loop.rate_and_open_replay(page)
    loop.mark_replay(page, player)

    stack.sign_in(desk, "admin")
    loop.launch_round(desk, stack.address)
    loop.watch_round(desk)
    episode = replay.rstrip("/").rsplit("/", 1)[1]
    assert marks_in_snapshot(stack, episode) == 3
    candidate = loop.promote(desk)

    page.goto(f"{stack.address}/play/?game=hanabi")
    champion = page.locator("#seat-2 option:checked")
    expect(champion).to_contain_text(re.compile(re.escape(candidate), re.I))
    loop.start_game(page, stack.address)
    expect(page.locator("[data-board]")).to_contain_text(candidate)
    assert [text for text in problems if "Content Security" in text or "Error" in text] == []


def marks_in_snapshot(stack: Stack, episode: str) -> int:
    """How many marks of this episode by a person (not a simulated one) the newest snapshot holds."""
    folders = (Path(stack.env["COPLAY_VAR"]) / "snapshots").iterdir()
    folder = max(folders, key=lambda path: path.stat().st_mtime)
    return sum(row["episode"] == episode and not row["simulated"] for row in Snapshot(folder).marks())
