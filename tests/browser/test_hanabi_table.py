"""A table of Hanabi in a real browser: instructions that replace each other, as players and others see it."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator

import pytest
from django.contrib.staticfiles import finders
from playwright.sync_api import Browser, Page, expect

from engine.simulation.simulation import Simulation
from tests.browser import loop
from tests.browser.stack import Stack

pytestmark = [pytest.mark.browser, pytest.mark.slow]

PLAY, DISCARD = "if I hint you a colour, play those cards", "if I hint a colour, discard those cards"


@pytest.fixture(scope="module")
def player(stack: Stack, browser: Browser) -> Iterator[Page]:
    context = browser.new_context(viewport={"width": 1280, "height": 800})
    page = context.new_page()
    page.problems = []
    page.on("pageerror", lambda error: page.problems.append(str(error)))
    stack.sign_in(page, "player")
    yield page
    context.close()


def say(page: Page, text: str) -> None:
    """Tell the partner, whose reading is right."""
    page.locator("[data-instruct-text]").fill(text)
    page.locator("[data-instruct-text]").press("Enter")
    said = page.locator("[data-instructions] .instruction", has_text=text).first
    said.get_by_role("button", name="Right").click()
    expect(said).to_have_attribute("data-state", "confirmed", timeout=loop.WELL)


def test_what_contradicts_replaces_and_the_page_says_so(stack: Stack, player: Page, browser: Browser) -> None:
    page = player
    loop.start_game(page, stack.address, PLAY)
    rows = page.locator("[data-instructions] .instruction")
    expect(rows).to_have_count(1)
    expect(rows.first).to_have_attribute("data-state", "confirmed")
    expect(rows.first.get_by_role("button", name="Take it back")).to_be_visible()

    say(page, DISCARD)
    expect(rows).to_have_count(2)
    old = page.locator("[data-instructions] [data-state='replaced']")
    expect(old).to_contain_text(PLAY, timeout=loop.WELL)
    expect(old.locator(".status")).to_have_text(re.compile(f"^Replaced by “{DISCARD}” at \\d+$"))
    expect(old.get_by_role("button")).to_have_count(0)
    expect(page.locator("[data-log]")).to_contain_text(f"“{DISCARD}” replaces “{PLAY}”.")

    # Who comes back, and who watches, is told the same.
    page.reload()
    expect(old.locator(".status")).to_contain_text(f"Replaced by “{DISCARD}”", timeout=loop.WELL)
    watching = browser.new_context(viewport={"width": 1280, "height": 800})
    spectator = watching.new_page()
    stack.sign_in(spectator, "admin")
    spectator.goto(page.url)
    told = spectator.locator("[data-instructions] .instruction")
    expect(told).to_have_count(1, timeout=loop.WELL)
    expect(told.first).to_contain_text(DISCARD)
    expect(told.first.get_by_role("button")).to_have_count(0)

    page.get_by_role("button", name="Take it back").click()
    expect(page.locator("[data-instructions] [data-state='confirmed']")).to_have_count(0, timeout=loop.WELL)
    expect(old).to_be_visible()
    expect(told).to_have_count(0, timeout=loop.WELL)
    watching.close()
    assert page.problems == []


# A table as templates/games/hanabi/table.html has it, without a site behind it.
TABLE = """<!doctype html>
<link rel="stylesheet" href="/static/css/coplay.css"><link rel="stylesheet" href="/static/css/hanabi.css">
<link rel="stylesheet" href="/static/css/play.css">
<header class="site-header"><a class="brand" href="/">Coplay</a></header>
<main class="wide table-main"><div class="table-page">
  <div class="table-board"><div data-board></div>
    <details class="seen-words"><summary>Words</summary></details></div>
  <aside class="table-side"></aside>
</div></main>
<script type="module">
  import { render } from "/static/js/games/hanabi/hanabi.js";
  const view = %s, names = ["Pia", "Otto", "A learner of 40,000 games", "Bea", "Adam"];
  render(document.querySelector("[data-board]"), view, { seat: 0, names, interactive: true, onAction() {} });
</script>"""


def table_of_five(browser: Browser, width: int, height: int) -> Page:
    """The first player's table, drawn without a site."""
    view, static = Simulation("hanabi", {"players": 5}).view(0), "http://table/static/"
    page = browser.new_page(viewport={"width": width, "height": height})
    page.route(
        f"{static}**",
        lambda route: route.fulfill(path=finders.find(route.request.url.removeprefix(static))),
    )
    page.route(
        "http://table/", lambda route: route.fulfill(body=TABLE % json.dumps(view), content_type="text/html")
    )
    page.goto("http://table/")
    expect(page.locator(".hand")).to_have_count(5)
    return page


def test_a_table_of_five_fits_a_low_screen(browser: Browser) -> None:
    page = table_of_five(browser, 1280, 800)
    assert page.evaluate("document.documentElement.scrollHeight") <= 800
    page.close()


def test_on_a_phone_it_is_in_sight_that_it_is_ones_turn(browser: Browser) -> None:
    page = table_of_five(browser, 390, 844)
    expect(page.get_by_text("Your turn").locator("visible=true").first).to_be_in_viewport(ratio=1)
    expect(page.get_by_text("or one of the others' to hint")).to_be_visible()
    page.close()
