"""Refresh, a lost network, a server that is killed: the game goes on, and no move is lost."""

from __future__ import annotations

import os
import signal
import subprocess

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser import loop
from tests.browser.stack import Stack

pytestmark = [pytest.mark.browser, pytest.mark.slow]
# The log has words, too, as of a player who is away on a machine that is slow to come back.
MOVES = ", ".join(
    f"[data-log] li.is-{kind}" for kind in ("play", "misplay", "discard", "hint_color", "hint_rank")
)


def web_process(stack: Stack) -> int:
    """The process that serves pages and hosts matches."""
    children = ["pgrep", "-P", str(stack.processes[0].pid), "-f", "uvicorn"]
    return int(subprocess.run(children, capture_output=True, text=True, check=True).stdout.split()[0])


def my_turn(page: Page) -> None:
    page.wait_for_function("() => document.title.startsWith('●')", timeout=loop.WELL)


def hint(page: Page) -> int:
    """One hint and the agent's answer; returns how many moves the table then tells of."""
    my_turn(page)
    before = page.locator(MOVES).count()
    page.keyboard.press("Escape")
    page.keyboard.press("ArrowUp")
    page.keyboard.press("Space")
    page.wait_for_function(
        "([moves, n]) => document.querySelectorAll(moves).length >= n + 2",
        arg=[MOVES, before],
        timeout=loop.WELL,
    )
    return page.locator(MOVES).count()


def test_a_game_survives_refresh_lost_network_and_a_killed_server(stack: Stack, browser: Browser) -> None:
    context = browser.new_context()
    page = context.new_page()
    stack.sign_in(page, "player")
    loop.start_game(page, stack.address)
    log = page.locator(MOVES)

    made = hint(page)
    page.reload()
    expect(log).to_have_count(made)

    my_turn(page)
    context.set_offline(True)
    expect(page.locator("[data-connection-bar]")).to_be_visible(timeout=loop.WELL)
    context.set_offline(False)
    expect(page.locator("[data-connection-bar]")).to_be_hidden(timeout=loop.WELL)
    made = hint(page)

    first = web_process(stack)
    os.kill(first, signal.SIGKILL)
    expect(page.locator("[data-connection-bar]")).to_be_visible(timeout=loop.WELL)
    expect(page.locator("[data-connection-bar]")).to_be_hidden(timeout=loop.WELL)
    assert web_process(stack) != first
    expect(log).to_have_count(made)
    assert hint(page) == made + 2
    stack.manage("episodes", "verify")
