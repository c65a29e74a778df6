"""Real games as somebody plays them to their end, in a real browser, and what stands after it.

`GAMES` has a function for each game: it takes the page of who is signed in, the address, and a function that
is called at every picture; it returns when the game is over. Not for: starting the stack, guided first games.
"""

from __future__ import annotations

from collections.abc import Callable

from playwright.sync_api import Page, expect

from tests.browser import kitchen_loop, loop
from tests.browser.first_games import Seen
from tests.browser.loop import WELL


def hanabi(page: Page, address: str, seen: Seen) -> None:
    loop.start_game(page, address)
    loop.play_to_the_end(page)
    seen(page)
    page.get_by_role("link", name="See how it went").click()


def overcooked(page: Page, address: str, seen: Seen) -> None:
    kitchen_loop.start_cooking(page, address)
    for key in (*["ArrowRight"] * 4, *["ArrowUp"] * 3):  # out of the other cook's way
        page.keyboard.press(key)
        page.wait_for_timeout(300)
    kitchen_loop.wait_for_tick(page, 190)
    seen(page)
    expect(page.locator("[data-over-bar]")).to_be_visible(timeout=WELL)
    seen(page)
    page.locator("[data-over-bar] a").click()


def arena(page: Page, address: str, seen: Seen) -> None:
    """A duel of squads in the quick version, in which the person walks ahead."""
    page.goto(f"{address}/play/?game=arena")
    page.locator('[data-preset][value="Duel of squads"]').check()
    page.locator('input[name="option_pace"][value="short"]').check()
    page.get_by_role("button", name="Start the game").click()
    page.locator("[data-stage]:not([aria-busy])").wait_for(timeout=WELL)
    page.get_by_role("button", name="Play with the keyboard alone").click(timeout=WELL)
    page.keyboard.press("v")
    page.wait_for_timeout(500)
    page.keyboard.press("1")
    page.wait_for_timeout(6000)
    seen(page)
    page.keyboard.down("w")
    page.locator(".arena-end:not([hidden])").wait_for(timeout=3 * WELL)
    page.keyboard.up("w")
    seen(page)
    page.locator(".arena-end").get_by_text("See how it went").click()


GAMES: dict[str, Callable[[Page, str, Seen], None]] = {
    "hanabi": hanabi,
    "overcooked": overcooked,
    "arena": arena,
}


def after(page: Page, seen: Seen) -> None:
    """Rate, see how it went, and its moments one after the other."""
    expect(page.locator("[data-ratings]")).to_be_visible(timeout=WELL)
    seen(page)
    for question in page.locator("[data-question]").all():
        question.locator("label").nth(4).click()
    expect(page.locator("[data-saved]")).to_contain_text("aved", timeout=WELL)
    page.get_by_role("button", name="See how it went").click()
    page.locator("body[data-ready]").wait_for(timeout=WELL)
    page.wait_for_timeout(1500)
    seen(page)
    for _ in range(2):
        page.keyboard.press("ArrowRight")
        seen(page)
