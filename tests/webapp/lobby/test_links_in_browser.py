"""Links that come to the lobby with a choice made: what the form then says and what is played."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from engine.games.pages import pages
from webapp.matches.models import Match

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


@pytest.fixture
def page(agents, pia, page_of):
    return page_of(pia, console=False)  # the table looks for a socket, which this server hasn't


@pytest.mark.parametrize("agent", ["arena/mates", "arena/weak"])
def test_to_play_with_an_agent_is_to_have_it_as_all_mates_of_the_match_that_is_ticked(page, agent):
    page.goto(f"/play/?game=arena&agent={agent}")
    expect(page.locator("[data-preset]").first).to_be_checked()
    form = page.locator("[data-lobby]")
    expect(form).to_contain_text(f"You with 3 × {'Squad mates' if agent == 'arena/mates' else 'Weak squad'}")
    page.get_by_role("button", name="Start the game").click()
    page.wait_for_url("**/play/*-*/**")
    seats = Match.objects.get().seats.order_by("index")
    assert [seat.agent and seat.agent.ref for seat in seats[:4]] == [None, agent, agent, agent]
    others = {seat.agent.ref for seat in seats[4:]}
    assert seats.count() == 16 and others == {"arena/weak", "arena/middle"}


def test_how_hard_it_is_stays_from_match_to_match_and_who_is_recommended_is_chosen(page):
    page.goto("/play/?game=arena")
    note = page.locator("[data-start-note]")
    for preset in pages("arena").presets:
        page.locator(f'[data-preset][value="{preset.name}"]').check()
        expect(page.locator('[data-level][value="Even"]')).to_be_checked()
        card = page.locator("[data-mates] label:has(input:checked)")
        expect(card).to_contain_text("recommended")
        expect(note).to_contain_text("You with 3 × Strong squad")
    page.locator('[data-level][value="Easy"]').check()
    for preset in pages("arena").presets:
        page.locator(f'[data-preset][value="{preset.name}"]').check()
        expect(page.locator('[data-level][value="Easy"]')).to_be_checked()
        rivals = preset.options["teams"] - 1
        expect(note).to_contain_text(f"against {4 * rivals} × Weak squad in {rivals} squad")
    page.locator('[data-level][value="Hard"]').check()
    page.evaluate("() => { for (const more of document.querySelectorAll('details')) more.open = true; }")
    page.locator('[name="option_team_size"]').select_option("2")
    page.locator('[name="option_teams"]').select_option("7")
    expect(page.locator('[data-level][value="Hard"]')).to_be_checked()
    wishes = page.locator("[data-seat]:enabled").evaluate_all("all => all.map(({ value }) => value)")
    assert (
        wishes[2:]
        == [wish for grade in ("weak", *["middle"] * 3) * 2 for wish in [f"agent:{grade}"] * 2][:12]
    )
