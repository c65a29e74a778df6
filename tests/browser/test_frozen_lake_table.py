"""The table of Frozen Lake in a real browser: by keys, by taps on a phone, with a partner told its goal."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser import loop
from tests.browser.stack import Stack

pytestmark = [pytest.mark.browser, pytest.mark.slow]


@pytest.fixture(params=[(1280, 800), (390, 844)], ids=["desk", "phone"])
def page(stack: Stack, browser: Browser, request: pytest.FixtureRequest) -> Iterator[Page]:
    width, height = request.param
    context = browser.new_context(viewport={"width": width, "height": height}, has_touch=width < 500)
    page = context.new_page()
    problems: list[str] = []
    page.on("pageerror", lambda error: problems.append(str(error)))
    page.on("console", lambda line: problems.append(line.text) if line.type == "error" else None)
    stack.sign_in(page, "player")
    page.goto(f"{stack.address}/play/?game=frozen_lake_2")
    page.get_by_role("button", name="Start the game").click()
    expect(page.locator("[data-turn]")).to_have_text("Your step.", timeout=loop.WELL)
    yield page
    context.close()
    assert problems == []


def test_both_reach_their_goals(page: Page) -> None:
    """The small lake: down, down, right, down to the left goal, and the partner to the right one."""
    left = page.locator("[data-left]")
    page.locator("[data-instruct-text]").fill("You take the right goal")
    page.locator("[data-instruct-form]").get_by_role("button", name="Tell").click()
    expect(page.locator("[data-instructions]")).to_contain_text("I go to the right goal.", timeout=loop.WELL)
    page.locator("[data-lake]").scroll_into_view_if_needed()
    touch = page.viewport_size is not None and page.viewport_size["width"] < 500
    if touch:
        assert page.evaluate("document.documentElement.scrollWidth") <= 390
        page.locator('.lake-cell[data-x="0"][data-y="1"]').tap()
    else:
        page.locator("body").press("ArrowDown")
    expect(left).to_have_text("· 99 steps left", timeout=loop.WELL)
    for count, (key, action) in enumerate((("ArrowDown", 1), ("ArrowRight", 2), ("ArrowDown", 1)), 2):
        if touch:
            page.locator(f'[data-step="{action}"]').tap()
        else:
            page.keyboard.press(key)
        expect(left).to_have_text(f"· {100 - count} steps left", timeout=loop.WELL)
    expect(page.locator("[data-score]")).to_have_text("1")
    # The partner may be there already, or need a step or two more.
    over, stay = page.locator("[data-over-bar]:visible"), page.locator('[data-step="4"]:enabled')
    for count in (5, 6):
        expect(over.or_(stay).first).to_be_visible()
        if over.count() == 0:
            stay.click()
            expect(over.or_(left.filter(has_text=f"· {100 - count} steps left")).first).to_be_visible()
    expect(page.locator("[data-over-bar]")).to_contain_text("Both goals are reached.", timeout=loop.WELL)
    expect(page.locator("[data-log]")).to_contain_text("You stepped onto the left goal.")
    page.goto(page.url.replace("/play/", "/replays/"))
    expect(page.locator("canvas.general-picture").first).to_be_visible(timeout=loop.WELL)
