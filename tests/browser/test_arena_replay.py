"""The replay of an Arena match in Chromium: any tick at once, what a seat could not see, the strip with its
lanes, marks by seat. Drawn as a map: a scene needs a graphics card, or much patience.
"""

from __future__ import annotations

import re

import pytest
from django.urls import reverse
from playwright.sync_api import expect

from tests.webapp.episodes import battle
from webapp.annotation.models import Mark

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
SAVED = "#save-state[data-state=saved]"


@pytest.fixture
def episode(settings, tmp_path, pia):
    settings.EPISODES_DIR = tmp_path
    return battle.fight(pia)


def address(episode, tick, seat=1, view=""):
    return reverse("replays:replay", args=[episode.pk]) + f"?tick={tick}&seat={seat}{view}"


def opened(visit, user, path):
    """The page once every tick is here, drawn as a map: no test relies on a graphics card."""
    page = visit(user, path)
    page.wait_for_selector("body[data-whole]")
    page.click("[data-camera=map]")
    page.wait_for_selector("#stage canvas.arena-canvas:not([hidden])")
    return page


def stands_at(page, tick):
    page.wait_for_selector(f"#stage[data-tick='{tick}']")


def pixels(page):
    """A number that changes with what is drawn."""
    return page.evaluate(
        """() => {
          const canvas = document.querySelector("#stage canvas:not([hidden])");
          const { data } = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
          return data.reduce((sum, part) => (sum * 31 + part) % 1000000007, 0);
        }"""
    )


def test_any_tick_is_shown_at_once_and_the_same_tick_is_the_same_picture(visit, episode, anna):
    page = opened(visit, anna, address(episode, 150))
    stands_at(page, 150)
    assert page.text_content("#time-now") == "0:07"
    before = pixels(page)
    box = page.locator(".strip-thumbs").bounding_box()
    pointed = round(episode.ticks * 0.9)
    page.mouse.move(box["x"] + (pointed + 0.5) * box["width"] / (episode.ticks + 1), box["y"] + 10)
    stands_at(page, pointed)
    assert pixels(page) != before
    page.mouse.move(5, 5)
    stands_at(page, 150)
    assert pixels(page) == before
    page.keyboard.press("End")
    stands_at(page, episode.ticks)
    expect(page.locator(".arena-facts")).to_contain_text("The match is over")


def test_a_seats_view_shows_less_than_everything(visit, episode, anna):
    page = opened(visit, anna, address(episode, 20, seat=2))
    stands_at(page, 20)
    seat = pixels(page)
    page.keyboard.press("d")
    expect(page.locator("#open-view")).to_have_attribute("aria-pressed", "true")
    expect(page.locator("#open-view")).to_have_text("Everything")
    assert pixels(page) != seat
    expect(page.locator(".arena-own")).to_contain_text("health 100")


def test_the_strip_tells_shots_knock_downs_and_who_was_in_control(visit, episode, anna):
    page = opened(visit, anna, address(episode, 0))
    assert page.locator(".control-row:visible").count() == 1  # the chosen seat's, until one asks for all
    page.keyboard.press("l")
    assert page.locator(".control-row:visible").count() == 3
    legend = page.locator("#strip").inner_text()
    for word in ("Shots:", "Players knocked down:", "Players put out:", "Players helped up:", "The zone"):
        assert word in legend
    assert page.locator(".control-span.by-copilot").count() == 1
    page.keyboard.press("Alt+ArrowRight")
    stands_at(page, battle.ORDERED)
    expect(page.locator("#track [aria-current]")).to_contain_text(battle.INSTRUCTION)
    page.keyboard.press("Alt+ArrowRight")
    stands_at(page, battle.COPILOT.start)


def test_marks_go_to_the_chosen_seat(visit, episode, hand, anna):
    hand(episode, anna)
    page = opened(visit, anna, address(episode, 200, seat=1))
    stands_at(page, 200)
    page.keyboard.press("ArrowUp")
    page.keyboard.press("s")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowDown")
    expect(page.locator("#save-state")).to_have_text("saved ✓ 2")
    page.wait_for_selector(SAVED)
    found = Mark.objects.filter(episode=episode).order_by("tick").values_list("seat", "tick", "sign")
    assert list(found) == [(1, 200, 1), (2, 201, -1)]


def test_it_plays_at_twenty_ticks_a_second_and_says_so(visit, episode, anna):
    page = opened(visit, anna, address(episode, 100))
    page.keyboard.press("Space")
    expect(page.locator("#stage")).to_have_attribute("data-tick", re.compile(r"^(1[1-9]\d|[23]\d\d)$"))
    page.keyboard.press("Space")
    expect(page.locator("#time-now")).to_have_attribute("title", "Time since the start, at 20 ticks a second")
