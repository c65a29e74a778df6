"""Account pages in a real browser: nothing violates the Content-Security-Policy, and keys are rebound."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from webapp.accounts.models import User

pytestmark = pytest.mark.browser


@pytest.fixture
def page(pia, page_of):
    return page_of(pia)


@pytest.mark.parametrize("address", ["", "keys/", "email/", "password/change/", "close/"])
def test_account_pages_violate_no_policy_and_fit_a_narrow_screen(page, address):
    page.set_viewport_size({"width": 360, "height": 740})
    page.goto(f"/accounts/{address}")
    assert page.evaluate("document.documentElement.scrollWidth") <= 360


def test_a_key_is_rebound_and_kept(page, pia):
    page.goto("/accounts/keys/")
    row = page.locator('[data-action="replay.play"]')
    row.get_by_role("button", name="Rebind").click()
    with page.expect_response("**/keys/save/"):
        page.keyboard.press("k")
    expect(row.locator("kbd")).to_have_text(["k"])
    assert User.objects.get(pk=pia.pk).key_bindings == {"replay.play": ["k"]}
    page.reload()
    expect(row.locator("kbd")).to_have_text(["k"])
    with page.expect_response("**/keys/save/"):
        row.get_by_role("button", name="Default").click()
    assert User.objects.get(pk=pia.pk).key_bindings == {}


def test_two_actions_on_one_key_get_a_warning(page):
    page.goto("/accounts/keys/")
    page.locator('[data-action="replay.play"]').get_by_role("button", name="Rebind").click()
    with page.expect_response("**/keys/save/"):
        page.keyboard.press("s")
    for action in ("replay.play", "replay.seat"):
        warning = page.locator(f'[data-action="{action}"] .errors')
        expect(warning).to_have_text(re.compile("s also does something else on this page$"))


def test_escape_leaves_a_key_as_it_was(page, pia):
    page.goto("/accounts/keys/")
    row = page.locator('[data-action="replay.play"]')
    row.get_by_role("button", name="Rebind").click()
    page.keyboard.press("Escape")
    expect(row.locator("kbd")).to_have_text(["Space"])
    assert User.objects.get(pk=pia.pk).key_bindings == {}


def test_keys_of_the_arena_are_places_and_may_be_shift_or_a_button_of_the_mouse(page, pia):
    page.goto("/accounts/keys/")
    run = page.locator('[data-action="arena.run"]')
    zoom = page.locator('[data-action="arena.zoom"]')
    expect(run.locator("kbd")).to_have_text(["Left Shift"])
    run.get_by_role("button", name="Rebind").click()
    with page.expect_response("**/keys/save/"):
        page.keyboard.press("ShiftRight")
    expect(run.locator("kbd")).to_have_text(["Right Shift"])
    zoom.get_by_role("button", name="Rebind").click()
    with page.expect_response("**/keys/save/"):
        zoom.locator("td").first.click(button="middle")
    expect(zoom.locator("kbd")).to_have_text(["Middle button"])
    kept = {"arena.run": ["ShiftRight"], "arena.zoom": ["Mouse1"]}
    assert User.objects.get(pk=pia.pk).key_bindings == kept
