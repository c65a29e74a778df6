"""Guided first games in a real browser: offered, walked through, marked, and seen whole on a phone."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Browser, Page, StorageState, expect

from tests.browser import first_games, loop
from tests.browser.stack import Stack

pytestmark = [pytest.mark.browser, pytest.mark.slow]


NEWCOMER = """
from webapp.accounts.models import User
User.objects.create_user("newcomer").set_roles({"player"})
"""


@pytest.fixture(scope="module")
def newcomer(stack: Stack, browser: Browser) -> StorageState:
    """A browser's storage: somebody is signed in who has played none of the games."""
    stack.manage("shell", "-v", "0", "-c", NEWCOMER)
    context = browser.new_context()
    page = context.new_page()
    stack.sign_in(page, "newcomer")
    page.evaluate(loop.PLAIN)
    state = context.storage_state()
    context.close()
    return state


@pytest.mark.parametrize("game", first_games.GAMES)
def test_a_newcomer_goes_through_it_and_marks_a_move(
    stack: Stack, browser: Browser, newcomer: StorageState, game: str
) -> None:
    context = browser.new_context(viewport={"width": 1280, "height": 800}, storage_state=newcomer)
    page = context.new_page()
    problems: list[str] = []
    page.on("pageerror", lambda error: problems.append(str(error)))
    page.goto(f"{stack.address}/play/?game={game}")
    expect(page.get_by_role("heading", name="First time? Two minutes, by doing")).to_be_visible()
    expect(page.get_by_role("button", name="Start the game")).to_be_in_viewport()
    first_games.begin(page, stack.address, game)

    def inside(page: Page) -> None:
        """The coach is in sight, and nothing makes the page wider than the window."""
        if page.locator(".coach").count():
            expect(page.locator(".coach-say")).to_be_in_viewport(ratio=1)
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")

    first_games.GAMES[game](page, inside)
    first_games.mark(page, inside)
    page.get_by_role("link", name="Play a real game").click()
    expect(page.get_by_role("heading", name="First time? Two minutes, by doing")).to_have_count(0)
    expect(page.get_by_role("button", name="Guided first game")).to_be_visible()
    assert problems == []
    context.close()


@pytest.mark.parametrize("game", first_games.GAMES)
def test_it_is_offered_to_fingers_and_fits_a_phone(
    stack: Stack, browser: Browser, newcomer: StorageState, game: str
) -> None:
    context = browser.new_context(
        viewport={"width": 360, "height": 740},
        has_touch=True,
        is_mobile=True,
        reduced_motion="reduce",
        storage_state=newcomer,
    )
    page = context.new_page()
    first_games.begin(page, stack.address, game)
    expect(page.locator(".coach-say")).to_be_in_viewport(ratio=1)
    assert not re.search(
        r"arrow keys|Space|press T|mouse|Click|click|W, A", page.locator(".coach-say").inner_text()
    )
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    context.close()
