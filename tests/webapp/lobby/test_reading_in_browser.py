"""An instruction in the lobby, by keyboard: read while typed, chosen, said again another time."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from engine.simulation.life import State
from tests.engine.language import server
from tests.webapp.readings_of import read_as
from webapp.language.models import LanguageModel
from webapp.matches.models import Instruction

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


@pytest.fixture
def page(agents, pia, page_of):
    return page_of(pia)


def open_a_table(page):
    """Start with a free seat: the match waits, and its page opens no socket, which this server hasn't."""
    page.get_by_text("Who sits where").click()
    page.get_by_role("button", name="Add a seat").click()
    page.locator("[data-seat]").nth(2).select_option("friend")
    page.locator("button[type=submit].primary, form button.primary").last.click()
    page.wait_for_url("**/play/*-*/**")


def test_readings_are_chosen_and_said_again_with_the_keyboard(page, monkeypatch):
    read_as(monkeypatch, "play your newest card", ("play cards=newest", "play cards=untouched_newest"), 0.9)
    page.goto("/play/?game=hanabi")
    box, panel = page.locator("[data-instruction]"), page.locator("[data-reading]")
    box.fill("hint Zorgle <b>now</b>")
    expect(panel.locator(".unread-word")).to_contain_text(["Zorgle"])
    assert panel.locator("p b", has_text="now").count() == 0, "markup is text"

    box.fill("play your newest card")
    expect(panel.locator(".unread-word")).to_have_count(0)  # until then the last reading stays
    expect(panel).not_to_have_attribute("aria-busy", "true")
    options = panel.locator(".reading-option")
    expect(options.first).to_contain_text("newest card")
    assert options.count() in (2, 3)
    other = options.nth(1).locator(".option-text").inner_text()
    page.keyboard.press("Alt+2")
    expect(options.nth(1)).to_have_attribute("aria-pressed", "true")
    page.get_by_role("button", name="Not quite").click()
    expect(box).to_be_focused()
    page.keyboard.type("play your newest card, please")
    read = page.locator("[data-reading]:not([aria-busy])")
    expect(read).to_be_visible()
    page.keyboard.press("Alt+2")
    open_a_table(page)
    first, said = Instruction.objects.order_by("created_at")
    assert (first.text, first.status) == ("play your newest card", State.REWRITTEN)
    assert (said.status, said.replaces_id) == ("confirmed", first.pk)
    assert said.reading["sentence"] == f"{other.rstrip('.')}, where that costs little.", (
        "with sense, unless chosen"
    )

    page.goto("/play/?game=hanabi")
    box.focus()
    expect(panel.locator(".said-again")).to_have_count(2)
    page.keyboard.press("ArrowUp")
    expect(box).to_have_value("play your newest card, please")
    expect(read).to_be_visible()
    page.get_by_role("button", name="Right").click()
    expect(panel).to_contain_text("I will play like this")


def test_how_firmly_is_chosen_under_the_reading_with_what_that_costs(page):
    page.goto("/play/?game=hanabi&agent=hanabi/told")
    page.locator("[data-instruction]").fill("if I hint a rank, play those cards")
    dial = page.locator("[data-reading] .dial")
    expect(dial.get_by_label("With sense")).to_be_checked()
    expect(dial).to_contain_text("costs about")
    price = page.locator(".reading-cost")
    expect(price).to_contain_text("48 games, every seat told", timeout=300_000)
    sensibly = price.text_content()
    dial.get_by_label("To the letter").check()
    expect(price).not_to_have_text(sensibly)
    dial.get_by_label("With sense").check()
    page.get_by_role("button", name="Right").click()
    expect(page.locator("[data-reading]")).to_contain_text("I will play like this")
    open_a_table(page)
    said = Instruction.objects.get()
    assert (said.status, said.reading["firm"]) == ("confirmed", "sensible")
    assert said.reading["sentence"].endswith("where that costs little.")


UNCLEAR = "newest flim of the hinted colour blarg cards never mind play zorp zorp zorp"


def test_the_sites_language_model_is_asked_about_what_is_unclear(page, tmp_path, monkeypatch):
    monkeypatch.setenv("COPLAY_VAR", str(tmp_path))
    notations = "not play cards=newest", "play cards=touched_newest when=hint_color"
    read_as(monkeypatch, UNCLEAR, notations, 0.4)
    with server.running(tmp_path) as address:
        row = {"provider": "endpoint", "model": "tiny", "url": f"{address}/words/v1", "seconds": 20}
        LanguageModel.objects.update_or_create(pk=1, defaults=row)
        page.goto("/play/?game=hanabi")
        box, panel = page.locator("[data-instruction]"), page.locator("[data-reading]")
        box.fill(UNCLEAR)
        expect(panel.locator(".reading-option").first).to_contain_text("I do not play")
        expect(panel.locator(".reading-by")).to_have_text("Read by tiny.")
        options = panel.locator(".option-text")
        expect(options.first).to_have_text("When you hint a colour, I play the newest card it touches.")
        expect(options.nth(1)).to_contain_text("I do not play")  # what the embedded reader made of it
        page.get_by_role("button", name="Right").click()
        open_a_table(page)
    said = Instruction.objects.get()
    assert (said.status, said.reading["opinion"]["model"]) == ("confirmed", "tiny")
    told = "When you hint a colour, I play the newest card it touches, where that costs little."
    assert said.reading["sentence"] == told

    # The server is gone: the page says so, and the embedded reading stands.
    page.goto("/play/?game=hanabi")
    box.fill(UNCLEAR + " zorp")
    expect(panel.locator(".reading-by")).to_contain_text("doesn't answer now")
    expect(panel.locator(".option-text").first).to_contain_text("I do not play")
