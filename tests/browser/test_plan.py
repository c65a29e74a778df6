"""The plan strip of a kitchen in a real browser: on by a key, steps moved by mouse and keys, crossed out,
added in words, hidden, there again after a reload; nothing on the page moves by itself.
"""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from tests.browser import loop
from tests.browser.stack import Stack
from tests.browser.test_overcooked_table import cook, own

pytestmark = [pytest.mark.browser, pytest.mark.slow]

SHIFTS = """() => {
  window.shifts = [];
  new PerformanceObserver((list) => {
    for (const shift of list.getEntries())
      for (const { node } of shift.sources)
        if (node?.matches?.(".plan") || node?.closest?.(".kitchen-stage, .talk"))
          window.shifts.push(node.className);
  }).observe({ type: "layout-shift" });
}"""


REDRAWN = """() => {
  const [why, columns] = ["why", "columns"].map((name) => document.querySelector(`[data-plan-${name}]`));
  let heard = null;
  window.redrawn = null;
  new MutationObserver(() => {
    if (why.textContent.includes("changed the plan")) heard ??= performance.now();
  }).observe(why, { childList: true });
  new MutationObserver(() => {
    if (heard === null || window.redrawn) return;
    const left = [...columns.querySelectorAll("[data-step][tabindex='0']")];
    const moved = left.find((card) => card.ariaLabel.includes("put there by a player"));
    window.redrawn = { late: performance.now() - heard, ids: left.map((card) => card.dataset.step),
      to: moved?.closest("[data-seat]").dataset.seat, focus: moved === document.activeElement };
  }).observe(columns, { childList: true, subtree: true });
}"""
"""What the cards are like when they first show an edit, and how long (ms) after the page heard of it."""
FOCUSED = "() => document.querySelector('[data-plan-columns]').contains(document.activeElement)"


@pytest.fixture
def kitchen(stack: Stack, browser: Browser) -> Iterator[Page]:
    """A kitchen with the plan on and steps on it; a script error fails the test."""
    context = browser.new_context(viewport={"width": 1280, "height": 800})
    page, problems = context.new_page(), []
    page.on("pageerror", lambda error: problems.append(str(error)))
    stack.sign_in(page, "player")
    cook(page, stack, "agent:cook")
    page.keyboard.press("p")
    cards(page, 1).first.wait_for(timeout=loop.WELL)
    yield page
    context.close()
    assert problems == []


def cards(page: Page, seat: int) -> Locator:
    """The steps that a seat has left."""
    return page.locator(f'.plan-column[data-seat="{seat}"] .plan-card[tabindex="0"]')


def redrawn(page: Page) -> dict:
    """What `REDRAWN` saw: at once, as the hand that changed something waits for it."""
    page.wait_for_function("() => window.redrawn", timeout=loop.WELL)
    seen = page.evaluate("() => window.redrawn")
    assert seen["late"] < 1000
    return seen


def test_a_step_is_dragged_to_the_other_cook_and_the_chef_stays(kitchen):
    place, card = own(kitchen), cards(kitchen, 1).last
    card.hover(position={"x": 80, "y": 12})  # cards stay where they are while a hand is on them
    kitchen.mouse.down()
    goal = kitchen.locator('.plan-column[data-seat="0"]').bounding_box()
    kitchen.evaluate(REDRAWN)
    kitchen.mouse.move(goal["x"] + 80, goal["y"] + goal["height"] - 12, steps=6)
    expect(kitchen.locator(".plan-card.dragged")).to_have_count(1)
    kitchen.mouse.up()
    cards(kitchen, 1).first.dispatch_event("pointermove")  # the hand goes on
    assert redrawn(kitchen)["to"] == "0"
    assert own(kitchen) == place


def test_keys_on_a_card_move_it_and_not_the_chef(kitchen):
    place = own(kitchen)
    kitchen.evaluate(REDRAWN)
    cards(kitchen, 1).last.focus()
    kitchen.keyboard.press("ArrowLeft")
    seen = redrawn(kitchen)
    assert seen["to"] == "0" and seen["focus"]
    kitchen.keyboard.press("Escape")
    assert own(kitchen) == place and not kitchen.evaluate(FOCUSED)
    kitchen.keyboard.press("p")
    expect(kitchen.locator("[data-plan-columns]")).to_be_hidden()
    kitchen.keyboard.press("p")
    expect(kitchen.locator("[data-plan-columns]")).to_be_visible()


def test_keys_pressed_before_the_host_has_answered_move_the_card_on(kitchen):
    cards(kitchen, 1).last.evaluate("""(card) => {
      card.focus();
      for (const key of ["ArrowLeft", "ArrowRight"])
        card.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true }));
    }""")
    expect(kitchen.locator("[data-plan-why]")).to_contain_text("changed the plan", timeout=loop.WELL)
    placed = '.plan-column[data-seat="{}"] .plan-card[aria-label*="put there by a player"]'
    expect(kitchen.locator(placed.format(1))).to_have_count(1, timeout=loop.WELL)
    expect(kitchen.locator(placed.format(0))).to_have_count(0)


def test_a_step_is_crossed_out_by_key(kitchen):
    place = own(kitchen)
    kitchen.evaluate(REDRAWN)
    step = cards(kitchen, 1).last.evaluate("(card) => { card.focus(); return card.dataset.step; }")
    kitchen.keyboard.press("Delete")
    assert step not in redrawn(kitchen)["ids"]
    assert own(kitchen) == place


def test_a_click_on_the_plan_leaves_the_keys_to_the_chef(kitchen):
    kitchen.locator('.plan-column[data-seat="1"] .plan-name').click()
    assert not kitchen.evaluate(FOCUSED)
    kitchen.evaluate(REDRAWN)
    card = cards(kitchen, 1).last
    card.hover(position={"x": 80, "y": 12})
    kitchen.mouse.down()
    kitchen.mouse.up()
    assert not kitchen.evaluate(FOCUSED)
    step = card.get_attribute("data-step")
    card.locator(".plan-drop").click()
    assert step not in redrawn(kitchen)["ids"] and not kitchen.evaluate(FOCUSED)
    for key, facing in (("ArrowLeft", "west"), ("ArrowUp", "north")):
        kitchen.keyboard.press(key)
        kitchen.wait_for_function(f"() => window.seen.at(-1).own.endsWith('{facing}')", timeout=loop.WELL)


def test_a_typed_step_is_there_after_a_reload_and_nothing_moves_by_itself(kitchen):
    kitchen.locator("#plan-text").fill("get a plate")
    kitchen.locator("[data-plan-add] .reading-option").first.wait_for(timeout=loop.WELL)
    kitchen.locator("#plan-text").press("Enter")
    added = cards(kitchen, 1).filter(has_text="I fetch a plate")
    expect(added).not_to_have_count(0, timeout=loop.WELL)
    kitchen.reload(wait_until="networkidle")  # what comes late with the page has come
    cards(kitchen, 1).first.wait_for(timeout=loop.WELL)
    kitchen.evaluate(SHIFTS)
    kitchen.wait_for_timeout(3000)
    assert kitchen.evaluate("window.shifts") == []
    kitchen.get_by_role("button", name="Stop", exact=True).click()
    expect(kitchen.get_by_role("button", name="Plan together")).to_be_visible(timeout=loop.WELL)
