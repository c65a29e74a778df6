"""Training to an instruction in a browser: what is read is shown back and confirmed before it starts."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.webapp.cast import small_network
from tests.webapp.readings_of import read_as
from tests.workers.worker import database_url
from webapp.jobs.models import Job
from webapp.rounds import inline
from webapp.rounds.models import Round

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.browser, pytest.mark.slow]
WORDS = "Colour hints mean play"


@pytest.fixture(autouse=True)
def read(monkeypatch):
    """WORDS has two readings."""
    one_way = "play cards=touched when=hint_color"
    read_as(monkeypatch, WORDS, (f"by=both {one_way}", one_way), 0.9)


def test_an_instruction_is_read_confirmed_and_trained(open_page, monkeypatch, settings, tmp_path):
    monkeypatch.setenv("COPLAY_DATABASE_URL", database_url())
    settings.JOBS_DIR = tmp_path
    small_network()
    small_network("cook", game="overcooked", trained={"layout": "cramped_room"})
    page = open_page("/rounds/new/told/?base=hanabi/little")
    box, train = page.locator("[data-instruction]"), page.get_by_role("button", name="Train it")
    reading, note = page.locator("[data-reading]"), page.locator("[data-told-note]")

    box.fill("hint Zorgle a card")
    expect(reading).to_contain_text("Not read.")
    train.click()
    expect(note).to_have_text("Nothing is trained to words that aren't read.")
    page.locator('[name="base"]').select_option("overcooked/cook")
    expect(page.get_by_role("button", name="You do onions")).to_be_visible()
    expect(page.locator("#parts")).to_contain_text("100,000 moves")
    page.locator('[name="base"]').select_option("hanabi/little")

    box.fill(WORDS)
    expect(page.locator(".reading-option")).to_have_count(2)
    train.click()
    expect(note).to_have_text("Say first whether the reading is right.")
    page.get_by_role("button", name="Not quite").click()
    expect(note).to_contain_text("Choose another reading")
    page.locator(".reading-option").nth(1).click()
    page.get_by_text("More settings").click()
    page.locator('[name="agent-moves"]').fill("0")
    page.get_by_text("Small").click()
    train.click()
    # Refused: what was typed, chosen and confirmed is there again.
    expect(page.locator("#parts")).to_contain_text("Moves is 0; it must be a whole number")
    expect(box).to_have_value(WORDS)
    expect(page.locator(".reading-option").nth(1)).to_have_attribute("aria-pressed", "true")
    page.locator('[name="agent-moves"]').fill("1024")
    page.evaluate("document.querySelector('[name=confirmed]').value = ''")
    page.evaluate("document.querySelector('#told-form').submit()")
    wrong = page.locator(".errorlist", has_text="Check the reading below and confirm it.")
    expect(wrong).to_be_visible()
    page.locator(".reading-option").nth(1).click()
    expect(wrong).to_have_count(0)
    train.click()
    expect(page.locator("h1")).to_have_text("Round 1")
    expect(page.locator("#from")).to_contain_text("When you hint a colour, I play the cards it touches.")
    expect(page.locator(".stage-title")).to_have_text(["Agent", "Evaluation", "Candidate"])

    one = Round.objects.get()
    few = {"episodes": 8, "counted": 2, "probes": 0, "watched": 1, "cross_play": False, "people": ""}
    job = one.jobs.get(kind="evaluation")
    job.settings |= few
    job.save()
    assert inline.finish(one, print)
    assert [job.state for job in one.jobs.all()] == [Job.COMPLETED] * 3
    expect(page.locator("#told-counts")).to_contain_text(f"What “{WORDS}” changes")
    expect(page.locator(".curve", has_text="obeyed")).to_be_visible()
    page.get_by_role("link", name="Give it other instructions").click()
    expect(page.locator("[data-instruction]").first).to_have_value(WORDS)


def test_three_things_are_typed_read_and_asked_for(open_page):
    small_network()
    page = open_page("/rounds/told/hanabi/little/", width=360)
    page.locator("[data-instruction]").first.fill(WORDS)
    expect(page.locator(".reading-option")).to_have_count(2)
    page.get_by_role("button", name="If I hint you a number, play it").click()
    expect(page.locator("[data-instruction]").nth(1)).to_have_value("If I hint you a number, play it")
    expect(page.locator("[data-reading]").nth(1)).to_contain_text("I play the cards")
    page.locator(".reading-option").nth(1).click()
    page.get_by_role("button", name="Play them").click()
    expect(page.locator("#told-games")).to_contain_text("Waiting for a worker")
    asked = Job.objects.get().settings["asked"]
    assert asked["instructions"] == [WORDS, "If I hint you a number, play it"] and asked["readings"] == [1, 0]
    expect(page.locator(".reading-option").nth(1)).to_have_attribute("aria-pressed", "true")
    assert page.evaluate("document.documentElement.scrollWidth") <= 360
    page.get_by_role("button", name="Cancel").click()
    expect(page.locator("#told-games")).to_contain_text("Cancelled.")
