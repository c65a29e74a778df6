"""Guided first games as a newcomer walks them, in a real browser, to the mark that is saved.

`GAMES` has a function for each game: it takes the page of somebody who has begun it, and a function that is
called at every step (for pictures). Not for: starting the stack.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from playwright.sync_api import Page, expect

from tests.browser.loop import WELL

Seen = Callable[[Page], None]
# The own cook has moved, or so many ticks have passed that it would have.
PRESSED = """([own, tick]) => {
  const now = document.querySelector("[data-stage]").dataset;
  return now.own !== own || Number(now.tick) > tick + 4;
}"""


def begin(page: Page, address: str, game: str) -> None:
    """From the lobby to the table on which the coach says what to do."""
    page.goto(f"{address}/play/?game={game}")
    page.get_by_role("button", name=re.compile("Start the first game|Guided first game")).click()
    expect(page.locator(".coach-say")).to_be_visible(timeout=WELL)


def done(page: Page, count: int, seen: Seen) -> None:
    """Wait until the coach has seen that so many steps are done."""
    expect(page.locator(".coach-dots .done")).to_have_count(count, timeout=WELL)
    seen(page)


def my_turn(page: Page) -> None:
    page.wait_for_function("() => document.title.startsWith('●')", timeout=WELL)


def hanabi(page: Page, seen: Seen) -> None:
    """By keyboard alone."""
    my_turn(page)
    seen(page)
    page.keyboard.press("ArrowUp")
    page.keyboard.press("Space")
    done(page, 1, seen)
    my_turn(page)
    page.keyboard.press("o")
    done(page, 2, seen)
    page.keyboard.press("w")
    done(page, 3, seen)
    my_turn(page)
    page.keyboard.press("Escape")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("p")
    done(page, 4, seen)


def walk(page: Page, key: str, there: str) -> None:
    """Press a key until the own cook is where it should be, or looks there: "1,1,west".

    A press shows soon, or not at all where the other cook stands in the way: only then it is made again.
    """
    stage = page.locator("[data-stage]")
    for _ in range(40):
        before = [stage.get_attribute("data-own"), int(stage.get_attribute("data-tick") or 0)]
        if before[0] == there:
            return
        page.keyboard.press(key)
        page.wait_for_function(PRESSED, arg=before, timeout=WELL)
    raise AssertionError(f"the cook is at {stage.get_attribute('data-own')}, not {there}")


def overcooked(page: Page, seen: Seen) -> None:
    page.wait_for_function(
        "() => Number(document.querySelector('[data-stage]').dataset.tick) > 1", timeout=WELL
    )
    seen(page)
    walk(page, "ArrowUp", "1,1,north")
    walk(page, "ArrowLeft", "1,1,west")
    page.keyboard.press("Space")
    done(page, 1, seen)
    walk(page, "ArrowRight", "2,1,east")
    walk(page, "ArrowUp", "2,1,north")
    page.keyboard.press("Space")
    done(page, 2, seen)
    walk(page, "ArrowLeft", "1,1,west")
    walk(page, "ArrowDown", "1,2,south")
    page.keyboard.press("o")
    done(page, 4, seen)


def forward(page: Page, steps: int) -> None:
    """Walk straight on until the coach has seen so many steps."""
    page.keyboard.down("w")
    expect(page.locator(".coach-dots .done")).to_have_count(steps, timeout=WELL)
    page.keyboard.up("w")


def arena(page: Page, seen: Seen) -> None:
    """With the keyboard alone."""
    page.get_by_role("button", name="Play with the keyboard alone").click(timeout=WELL)
    seen(page)
    forward(page, 1)
    done(page, 1, seen)
    page.keyboard.press("o")
    done(page, 2, seen)
    forward(page, 3)
    done(page, 3, seen)
    page.keyboard.press("j")
    done(page, 4, seen)
    page.keyboard.press("o")
    done(page, 5, seen)


GAMES: dict[str, Callable[[Page, Seen], None]] = {"hanabi": hanabi, "overcooked": overcooked, "arena": arena}


def mark(page: Page, seen: Seen) -> None:
    """Stop, mark the move by key, and see that it is saved."""
    page.keyboard.press("o")
    page.wait_for_url("**/after/", timeout=WELL)
    expect(page.locator("body[data-ready]")).to_be_visible()
    seen(page)
    page.keyboard.press("+")
    expect(page.locator("[data-marks-state]")).to_have_text("Saved ✓", timeout=WELL)
    seen(page)
