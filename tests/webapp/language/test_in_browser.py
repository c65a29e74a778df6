"""The settings of the language model in a browser: the button asks without leaving the page."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from webapp.language.models import LanguageModel

pytestmark = pytest.mark.browser


@pytest.fixture
def page(adam, page_of):
    return page_of(adam)


def test_an_admin_asks_three_questions_with_the_keyboard(page):
    page.goto("/settings/language/")
    page.get_by_label("Time limit in seconds").fill("12.5")
    page.keyboard.press("Enter")
    expect(page.get_by_text("The language model is saved.")).to_be_visible()
    assert LanguageModel.objects.get().seconds == 12.5
    page.get_by_role("button", name="Ask three questions").focus()
    page.keyboard.press("Enter")
    expect(page.locator("#result tbody tr")).to_have_count(3)
    expect(page.locator("#result")).to_contain_text("By embedded-5 in")
    expect(page.get_by_text("The language model is saved.")).to_be_visible()  # still the same page


def test_the_menu_leads_there(page):
    page.set_viewport_size({"width": 360, "height": 740})
    page.goto("/accounts/")
    page.locator("details.person summary").click()
    page.get_by_role("link", name="Language model").click()
    expect(page.get_by_role("heading", level=1)).to_have_text(
        "Choose who answers questions about instructions"
    )
    assert page.evaluate("document.documentElement.scrollWidth") <= 360
