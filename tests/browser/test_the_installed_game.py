"""A game that a package brings, with nothing but rules, words, a view and a picture (and a stylesheet and
guidelines of its own): from the lobby to a marked replay and on to a promoted agent, on the real stack.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, Route, expect

from tests.browser import loop
from tests.browser.stack import ROOT, Stack, start_stack
from tests.engine.games.packages import write_package

pytestmark = [pytest.mark.browser, pytest.mark.slow]

# Simulated episodes and marks (labelled so everywhere), so that there is enough to train on.
SEEDING = ("episodes", "simulate", "--game", "pebbles", "--count", "6", "--agents",
           "pebbles/beginner,pebbles/beginner", "--seed", "5", "--annotators", "simulated")  # fmt: skip
OVER = "!document.querySelector('[data-over-bar]').hidden"
BROUGHT = {
    "templates/games/pebbles/guidelines.html": "<p>An even heap left to a partner is progress.</p>",
    "static/css/pebbles.css": ".general-picture { border: 3px solid rgb(1, 2, 3); }",
}


@pytest.fixture
def stack(tmp_path: Path) -> Iterator[Stack]:
    write_package(tmp_path / "site", "pebbles", BROUGHT)
    path = os.pathsep.join(filter(None, [str(tmp_path / "site"), os.environ.get("PYTHONPATH")]))
    running = start_stack(tmp_path, COPLAY_AGENT_PAUSE_MS="0", COPLAY_WORKER_DEVICE="cpu", PYTHONPATH=path)
    yield running
    running.stop()


def set_up(page: Page, other: Page, address: str) -> None:
    """The lobby offers it with its options; the second seat is for whoever gets the link."""
    page.goto(f"{address}/play/")
    page.get_by_role("link", name="Pebbles").click()
    expect(page.get_by_role("heading", name="Play Pebbles with people and agents")).to_be_visible()
    expect(page.locator("#seat-2 option:checked")).to_have_text("A friend, by link")
    page.get_by_role("button", name="Start the game").click()
    other.goto(page.get_by_label("Link for a friend").input_value())
    other.get_by_role("button", name="Take the seat").click()


def turn(page: Page) -> bool:
    """Wait for one's turn; False when the game is over."""
    page.wait_for_function(f"() => document.title.startsWith('●') || {OVER}", timeout=loop.WELL)
    return not page.locator("[data-over-bar]").is_visible()


def play(pages: list[Page]) -> int:
    """By keyboard to the end: the first move with the arrows, the others with a number; how many moves."""
    for count in range(40):
        page = pages[count % 2]
        if not turn(page):
            return count
        if count:
            page.keyboard.press("1")
        else:
            page.keyboard.press("ArrowDown")
            expect(page.locator(".general-move").first).to_be_focused()
            page.keyboard.press("Enter")
        page.wait_for_function(f"() => !document.title.startsWith('●') || {OVER}", timeout=loop.WELL)
    raise AssertionError("the game has no end")


def test_a_package_brings_a_game_that_is_played_marked_and_learned(
    stack: Stack, browser: Browser, tmp_path: Path
) -> None:
    page, other = browser.new_context().new_page(), browser.new_context().new_page()
    problems: list[str] = []
    for one in (page, other):
        one.on("pageerror", lambda error: problems.append(str(error)))
        one.on("console", lambda line: problems.append(line.text))
    loop.sign_in(page, stack.links["player"])
    loop.sign_in(other, stack.links["admin"])
    set_up(page, other, stack.address)

    expect(page.locator("[data-turn]")).to_have_text("It is your turn.", timeout=loop.WELL)
    expect(page.locator("[data-picture]")).to_have_js_property("naturalWidth", 640)
    expect(page.locator("[data-sees]")).to_contain_text("pebbles.")
    expect(page.locator(".general-move")).to_have_text(["1Take 1.", "2Take 2.", "3Take 3."])
    expect(other.locator("[data-turn]")).to_contain_text("'s turn.", timeout=loop.WELL)
    expect(other.locator(".general-move")).to_have_count(0)
    moves = play([page, other])
    expect(page.locator("[data-log] li")).to_have_count(moves)

    late: list[Route] = []
    page.route("**/js/after*.js", lambda route: late.append(route))
    loop.open_result(page)
    page.locator('[data-question="partner"] label').nth(4).click()
    late.pop().continue_()
    expect(page.locator("[data-saved]")).to_contain_text("Saved")
    page.get_by_role("button", name="See how it went").click()
    page.get_by_role("link", name="Watch the replay").click()
    mark(page, moves)
    page.get_by_role("link", name="Guidelines").click()
    expect(page.get_by_text("An even heap left to a partner is progress.")).to_be_visible()

    add_beginner(stack, tmp_path / "site")
    loop.launch_round(other, stack.address, "pebbles")
    loop.watch_round(other)
    candidate = loop.promote(other)
    page.goto(f"{stack.address}/play/?game=pebbles")
    expect(page.locator("#seat-2 option:checked")).to_contain_text(re.compile(re.escape(candidate), re.I))
    assert problems == []


def add_beginner(stack: Stack, site: Path) -> None:
    """A first agent, which knows nothing yet, as docs/adding-a-game.md says, and games of its own."""
    folder = str(site / "pebbles" / "agents" / "beginner")
    command = [sys.executable, "-m", "engine.agents.fresh", "--game", "pebbles", "--out", folder]
    subprocess.run(command, cwd=ROOT, env=stack.env, check=True)
    stack.manage("agents", "sync")
    stack.manage(*SEEDING)


def mark(page: Page, moves: int) -> None:
    """Every tick has its picture, in the package's own style; a mark by key stays."""
    page.wait_for_selector("body[data-whole]", timeout=loop.WELL)
    expect(page.locator("#tick-last")).to_have_text(str(moves))
    expect(page.locator("#stage canvas")).to_have_css("border-top-color", "rgb(1, 2, 3)")
    first = shown(page)
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowRight")
    expect(page.locator("#tick-now")).to_have_text("2")
    expect(page.locator("#stage .general-last")).to_contain_text("were taken.")
    assert shown(page) != first
    page.keyboard.press("ArrowUp")
    expect(page.locator("#save-state")).to_contain_text("saved ✓ 1")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowDown")
    expect(page.locator("#save-state")).to_contain_text("saved ✓ 2")
    page.keyboard.press("End")
    assert shown(page) not in ("", first)
    page.reload()
    expect(page.locator("#save-state")).to_contain_text("saved ✓ 2")


def shown(page: Page) -> str:
    return page.locator("#stage canvas").evaluate("canvas => canvas.toDataURL()")
