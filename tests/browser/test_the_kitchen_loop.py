"""The loop in a kitchen, end to end, on the real stack: cooked, taken over, marked, trained, cooked again.

In production, where all parts are apart; test_overcooked_table has the embedded stack's kitchen.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from engine.snapshots import Snapshot
from tests.browser import kitchen_loop, loop
from tests.browser.stack import Stack
from tests.browser.test_the_loop import marks_in_snapshot

pytestmark = [pytest.mark.browser, pytest.mark.slow, pytest.mark.postgres, pytest.mark.redis]

# Simulated episodes and marks (labelled so everywhere), so that there is enough to train on.
SEEDING = ("episodes", "simulate", "--game", "overcooked", "--count", "6", "--agents",
           "overcooked/greedy,overcooked/zoo-clumsy", "--options", '{"horizon": 100, "start": "random"}',
           "--seed", "5", "--annotators", "simulated")  # fmt: skip


def test_a_persons_marks_train_the_cook_that_they_meet_next(production: Stack, browser: Browser) -> None:
    production.manage(*SEEDING)
    player, friend, admin = (browser.new_context() for _ in range(3))
    page, copilot, desk = player.new_page(), friend.new_page(), admin.new_page()
    problems: list[str] = []
    for one in (page, copilot, desk):
        one.on("pageerror", lambda error: problems.append(str(error)))
        one.on("console", lambda line: problems.append(line.text))
    production.sign_in(page, "player")
    production.sign_in(copilot, "annotator")
    production.sign_in(desk, "admin")

    kitchen_loop.start_cooking(page, production.address)
    page.keyboard.press("1")
    expect(page.locator('.reading-chip[data-phase="obeying"]').first).to_be_visible(timeout=loop.WELL)
    kitchen_loop.fly(copilot, page, kitchen_loop.copilot_link(page))
    kitchen_loop.cook_to_the_end(page)
    replay = kitchen_loop.open_replay(page)
    loop.mark_replay(page, player)
    episode = replay.rstrip("/").rsplit("/", 1)[1]

    kitchen_loop.launch_round(desk, production.address)
    loop.watch_round(desk)
    assert marks_in_snapshot(production, episode) == 3
    assert controllers(production, episode) >= {"person", "agent", "copilot"}
    candidate = loop.promote(desk)

    page.goto(f"{production.address}/play/?game=overcooked")
    expect(page.locator("#seat-2 option:checked")).to_contain_text(re.compile(re.escape(candidate), re.I))
    kitchen_loop.start_cooking(page, production.address)
    expect(page.locator("[data-who]")).to_contain_text(candidate)
    assert [text for text in problems if "Content Security" in text or "Error" in text] == []


def controllers(stack: Stack, episode: str) -> set[str]:
    """Who was in control of a seat at some tick, by the episode's log in the newest snapshot."""
    folders = (Path(stack.env["COPLAY_VAR"]) / "snapshots").iterdir()
    folder = max(folders, key=lambda path: path.stat().st_mtime)
    records = Snapshot(folder).log(episode).records
    return {word for record in records if record["type"] == "step" for word in record["by"]}
