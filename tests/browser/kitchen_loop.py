"""The legs of the loop that are different in a kitchen: cooking in real time, a co-pilot, the replay.

Each takes Playwright pages of people who are signed in. Not for the legs that all games share (loop).
"""

from __future__ import annotations

import re

from playwright.sync_api import Page, expect

from tests.browser.loop import WELL

HORIZON = "100"


def start_cooking(page: Page, address: str) -> None:
    """From the lobby into the cramped room, with the champion in the second seat."""
    page.goto(f"{address}/play/?game=overcooked")
    page.get_by_label("Length").or_(page.locator("#option-horizon")).first.select_option(HORIZON)
    page.get_by_role("button", name="Start the game").click()
    page.locator("[data-stage]:not([aria-busy])").wait_for(timeout=WELL)
    wait_for_tick(page, 1)


def wait_for_tick(page: Page, least: int) -> None:
    page.wait_for_function(
        "n => Number(document.querySelector('[data-stage]').dataset.tick) >= n", arg=least, timeout=WELL
    )


def copilot_link(page: Page) -> str:
    """The link that the player sends to a co-pilot of the agent."""
    page.locator(".copilots summary").click()
    link = page.locator(".copilots input").first.input_value()
    page.locator(".copilots summary").click()
    return link


def fly(copilot: Page, page: Page, link: str) -> None:
    """Take the agent's chef over with one key, walk, hand it back.

    Without its player the game stands still: however slow the machine, the co-pilot comes in time.
    """
    table = page.url
    page.goto("about:blank")
    copilot.goto(link)
    copilot.get_by_role("button", name="Be the co-pilot").click()
    copilot.locator("[data-stage]:not([aria-busy])").wait_for(timeout=WELL)
    page.goto(table)
    page.locator("[data-stage]:not([aria-busy])").wait_for(timeout=WELL)
    banner = copilot.locator("[data-drives]")
    copilot.keyboard.press("c")
    expect(banner).to_contain_text(re.compile("you", re.I), timeout=WELL)
    for key in ("ArrowLeft", "ArrowUp", "ArrowRight"):
        copilot.keyboard.press(key)
        copilot.wait_for_timeout(250)
    copilot.keyboard.press("c")


def cook_to_the_end(page: Page) -> None:
    """Onions into the pot for as long as the game runs: west of the first start cell stands the crate."""
    over = page.locator("[data-over-bar]")
    for key in 200 * ("ArrowLeft", "Space", "ArrowUp", "Space"):
        if over.is_visible():
            break
        page.keyboard.press(key)
        page.wait_for_timeout(180)
    expect(over).to_be_visible(timeout=WELL)


def open_replay(page: Page) -> str:
    """Rates the partner and follows the link to the replay; returns its address."""
    page.locator("[data-over-bar] a").click()
    page.locator('[data-question="partner"] label').nth(4).click()
    expect(page.locator("[data-saved]")).to_contain_text("aved")
    page.get_by_role("button", name="See how it went").click()
    page.get_by_role("link", name="Watch the replay").click()
    page.locator("#stage[data-tick]").wait_for(timeout=WELL)
    return page.url.split("?")[0]


def launch_round(page: Page, address: str) -> None:
    """A tiny round on the cramped room's marks, simulated ones included."""
    page.goto(f"{address}/rounds/new/")
    page.locator('[name="variant"]').select_option("overcooked/cramped_room")
    page.get_by_label("Include simulated episodes").check()
    page.get_by_label("Include simulated annotators' marks").check()
    expect(page.locator("#count")).to_contain_text(re.compile(r"marks\s*\d+"))
    page.get_by_role("button", name="Tiny").click()
    page.get_by_role("button", name="Launch the round").click()
    expect(page).to_have_url(re.compile(r"/rounds/\d+/$"))
