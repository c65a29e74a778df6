"""The New round form in a browser: games and algorithms bring their own settings, sizes fill them in."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.webapp.cast import small_network

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.browser, pytest.mark.slow]


@pytest.fixture
def page(adam, page_of):
    return page_of(adam, console=False)


def test_a_game_brings_its_settings_and_a_size_stays(page, shaken):
    small_network()
    small_network("cook", game="overcooked", trained={"layout": "cramped_room"})
    page.goto("/rounds/new/?base=hanabi/little")
    algorithm, length = page.locator('[name="algorithm-agent"]'), page.locator('[name="agent-moves"]')
    shipped = ["ppo", "bcrl", "clone_people", "instruct_ppo", "instruct_q"]
    expect(algorithm.locator("option")).to_have_text([*shipped, "shaken"])
    expect(length).to_have_value("200000")
    page.get_by_role("button", name="Tiny").click()
    expect(length).to_have_value("4096")

    page.locator('[name="variant"]').select_option("overcooked/cramped_room")
    expect(page.locator('[name="base"]')).to_have_value("overcooked/cook")
    expect(algorithm.locator("option")).to_have_text(shipped)
    expect(length).to_have_value("3200")  # tiny, in this game
    page.get_by_role("button", name="Usual").click()
    expect(length).to_have_value("51200")
    expect(page.locator('[name="reward_model-steps"]')).to_have_value("600")


def test_an_algorithm_that_was_chosen_stays_when_a_round_is_refused(page, shaken):
    small_network()
    page.goto("/rounds/new/?base=hanabi/little")
    algorithm, shaking = page.locator('[name="algorithm-agent"]'), page.locator('[name="agent-shaking"]')
    page.get_by_role("button", name="Tiny").click()
    algorithm.select_option("shaken")
    expect(page.locator('[name="agent-moves"]')).to_have_count(0)
    expect(shaking).to_have_value("0.25")
    expect(page.locator("#parts")).to_contain_text("Standard deviation of the noise")
    page.get_by_role("button", name="Usual").click()
    expect(shaking).to_have_value("0.5")
    page.get_by_role("button", name="Launch the round").click()
    expect(page.locator("body")).to_contain_text("nothing to learn from")
    expect(algorithm).to_have_value("shaken")
    expect(shaking).to_have_value("0.5")


def test_what_weights_cost_stands_under_the_agents_settings_where_one_is_set(page):
    small_network()
    page.goto("/rounds/new/?base=hanabi/little")
    line = page.locator("#weights-so-far")
    expect(line).to_contain_text("No round has measured yet")
    page.locator('[name="algorithm-agent"]').select_option("clone_people")
    expect(line).to_be_hidden()
    page.locator('[name="algorithm-agent"]').select_option("bcrl")
    expect(line).to_be_visible()
