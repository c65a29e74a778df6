"""The whole loop as a person walks it, in a real browser: play, mark, train, promote, play again.

Each function is one leg and takes a Playwright page of someone who is signed in. Not for: starting the stack.
"""

from __future__ import annotations

import re

from playwright.sync_api import BrowserContext, Page, expect

from tests.waiting import PATIENCE

INSTRUCTION = "if I hint you a colour, play those cards"
OVER = "!document.querySelector('[data-over-bar]').hidden"
# What draws in three dimensions without a graphics card.
WEBGL = ["--use-angle=swiftshader", "--enable-unsafe-swiftshader", "--ignore-gpu-blocklist"]
# Software draws a frame in a tenth of a second: the plain picture will do.
PLAIN = "() => localStorage.setItem('coplay-arena-view', JSON.stringify({ quality: 'low' }))"
WELL = 1000 * PATIENCE  # ms


def sign_in(page: Page, link: str) -> None:
    """A one-time link asks for one press, so that a mail scanner doesn't use it up."""
    page.goto(link)
    button = page.get_by_role("button", name=re.compile("sign in|continue", re.I))
    if button.count():
        button.first.click()
    expect(page.locator("details.person")).to_be_visible()


def start_game(page: Page, address: str, instruction: str = INSTRUCTION) -> None:
    """From the lobby to the table, with an instruction whose reading is confirmed."""
    page.goto(f"{address}/play/?game=hanabi")
    page.locator("[name=open_to_watch]").evaluate("field => { field.value = 'yes'; }")
    page.get_by_label("Tell your partner how to play").fill(instruction)
    page.get_by_role("button", name="Right").click()
    expect(page.locator("[data-reading]")).to_contain_text("I will play like this")
    page.get_by_role("button", name="Start the game").click()
    expect(page.locator("[data-board] .card").first).to_be_visible(timeout=WELL)


def play_to_the_end(page: Page) -> None:
    """By keyboard alone: a hint while there is one to give, else the newest card is played."""
    over = page.locator("[data-over-bar]")
    for turn in range(100):
        page.wait_for_function(f"() => document.title.startsWith('●') || {OVER}", timeout=WELL)
        if over.is_visible():
            break
        moves_before = page.locator("[data-log] li").count()
        if turn < 2:
            page.keyboard.press("ArrowUp")
            page.keyboard.press("Space")
        else:
            page.keyboard.press("Escape")
            page.keyboard.press("ArrowLeft")
            page.keyboard.press("p")
        page.wait_for_function(
            f"n => document.querySelectorAll('[data-log] li').length > n || {OVER}",
            arg=moves_before,
            timeout=WELL,
        )
    expect(over).to_be_visible()


def open_result(page: Page) -> None:
    page.get_by_role("link", name="See how it went").click()
    expect(page.locator("[data-ratings]")).to_be_visible()


def rate_and_open_replay(page: Page) -> str:
    """Answers the two questions and follows the link to the replay; returns its address."""
    page.locator('[data-question="partner"] label').nth(4).click()
    page.locator('[data-question="followed"] label').nth(5).click()
    expect(page.locator("[data-saved]")).to_contain_text("aved")
    page.get_by_role("button", name="See how it went").click()
    page.get_by_role("link", name="Watch the replay").click()
    expect(page.locator("#stage .card").first).to_be_visible(timeout=WELL)
    return page.url.split("?")[0]


def mark_replay(page: Page, context: BrowserContext) -> None:
    """One mark by key, one by mouse, one while offline; all three are saved in the end."""
    saved = page.locator("#save-state")
    page.keyboard.press("Home")
    for _ in range(2):
        page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowUp")
    expect(saved).to_contain_text("saved ✓ 1")
    page.keyboard.press("ArrowRight")
    page.get_by_role("button", name="regression").click()
    expect(saved).to_contain_text("saved ✓ 2")
    context.set_offline(True)
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowUp")
    expect(saved).to_contain_text("1")
    expect(saved).not_to_have_attribute("data-state", "saved")
    context.set_offline(False)
    expect(saved).to_contain_text("saved ✓ 3", timeout=WELL)
    page.reload()
    expect(saved).to_contain_text("saved ✓ 3")


def launch_round(page: Page, address: str, game: str = "hanabi") -> None:
    page.goto(f"{address}/rounds/new/")
    page.locator('[name="variant"]').select_option(game)
    page.get_by_label("Include simulated episodes").check()
    page.get_by_label("Include simulated annotators' marks").check()
    expect(page.locator("#count")).to_contain_text(re.compile(r"marks\s*\d+"))
    page.get_by_role("button", name="Tiny").click()
    page.get_by_role("button", name="Launch the round").click()
    expect(page).to_have_url(re.compile(r"/rounds/\d+/$"))


def watch_round(page: Page, milliseconds: int = 600_000) -> None:
    """Stays on the page until the last job is completed, without a reload."""
    page.wait_for_function(
        """() => {
          const states = [...document.querySelectorAll('.stage')].map(stage => stage.dataset.state);
          const ended = state => ["failed", "refused", "cancelled"].includes(state);
          return states.every(state => state === "completed") || states.some(ended);
        }""",
        timeout=milliseconds,
    )
    states = page.locator(".stage").evaluate_all("nodes => nodes.map(n => n.dataset.state)")
    assert states == ["completed"] * 5, page.locator(".job").all_text_contents()


def promote(page: Page) -> str:
    """Promotes the round's candidate; returns its name."""
    decision = page.locator("#decision")
    name = decision.get_by_text("Candidate:").locator("a").first.inner_text()
    decision.get_by_label("Reason").fill("It follows what I said.")
    decision.get_by_role("button", name="Promote").click()
    expect(page.locator("#decision .badge").first).to_contain_text("promoted")
    return name
