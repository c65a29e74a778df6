"""Links that come to the lobby with a choice made: what the form then says and what is played."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from webapp.matches.models import Match

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


@pytest.fixture
def page(live_server, browser, agents, pia, signed_in):
    """A page of pia's browser; fails the test when a script had an error."""
    context = browser.new_context(base_url=live_server.url)
    cookie = signed_in(pia).cookies["sessionid"].value
    context.add_cookies([{"name": "sessionid", "value": cookie, "url": live_server.url}])
    page = context.new_page()
    errors: list[str] = []
    page.on("pageerror", lambda error: errors.append(str(error)))
    yield page
    context.close()
    assert errors == []


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
