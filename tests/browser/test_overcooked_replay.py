"""The replay of a kitchen in Chromium: scrub, play at the game's own rate, mark both seats by key and by
mouse, see who was in control, submit in the queue.
"""

from __future__ import annotations

import re

import pytest
from django.urls import reverse
from playwright.sync_api import expect

from tests.webapp.episodes import kitchen
from webapp.annotation.models import Assignment, Mark
from webapp.annotation.queue import hand_out
from webapp.studies.models import Study

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
SAVED = "#save-state[data-state=saved]"


@pytest.fixture
def episode(settings, tmp_path, pia):
    settings.EPISODES_DIR = tmp_path
    return kitchen.cook(pia)


def address(episode, tick, seat=1):
    return reverse("replays:replay", args=[episode.pk]) + f"?tick={tick}&seat={seat}"


def stands_at(page, tick):
    page.wait_for_selector(f"#stage[data-tick='{tick}']")


def points(page):
    return int(page.text_content(".kitchen-points"))


def pointed(page, tick, episode):
    box = page.locator(".strip-thumbs").bounding_box()
    return box["x"] + (tick + 0.5) * box["width"] / (episode.ticks + 1), box["y"] + 10


def pixels(page):
    """A number that changes with what is drawn."""
    return page.evaluate(
        """() => {
          const canvas = document.querySelector("#stage > canvas");
          const { data } = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
          return data.reduce((sum, part) => (sum * 31 + part) % 1000000007, 0);
        }"""
    )


def test_scrubbing_shows_every_tick_at_once_and_time_beside_it(visit, episode, anna):
    page = visit(anna, address(episode, 9))
    stands_at(page, 9)
    assert page.text_content("#time-now") == "0:01"
    before = pixels(page)
    page.mouse.move(*pointed(page, kitchen.SERVED, episode))
    stands_at(page, kitchen.SERVED)
    assert points(page) == 20
    assert "serves" in page.text_content(".kitchen-sentence")
    assert pixels(page) != before
    page.mouse.move(5, 5)
    stands_at(page, 9)
    assert (points(page), pixels(page)) == (0, before), "the same tick is the same picture"
    page.keyboard.press("End")
    stands_at(page, episode.ticks)
    expect(page).to_have_url(re.compile(rf"\?tick={episode.ticks}&seat=1$"))


def test_the_keys_jump_to_words_takeovers_soups_and_deliveries(visit, episode, anna):
    page = visit(anna, address(episode, 0))
    stops = []
    for _ in range(6):
        page.keyboard.press("Alt+ArrowRight")
        stops.append(int(page.get_attribute("#stage", "data-tick")))
    taken, back = kitchen.COPILOT.start, kitchen.COPILOT.stop
    assert stops == [taken, taken + 1, back, back + 1, kitchen.READY, kitchen.SERVED]


def test_it_plays_at_the_games_own_rate_and_moves_between_ticks(visit, episode, anna):
    page = visit(anna, address(episode, 0))
    page.keyboard.press("1")  # a quarter of the rate: three ticks in two seconds
    page.keyboard.press("Space")
    at_tick = page.evaluate(
        """() => new Promise((done) => {
          const stage = document.querySelector("#stage");
          const canvas = document.querySelector("#stage > canvas");
          const seen = new Map();
          const look = () => {
            const key = stage.dataset.tick;
            if (!seen.has(key)) seen.set(key, new Set());
            seen.get(key).add(canvas.toDataURL());
            if (Number(key) < 4) requestAnimationFrame(look);
            else done([...seen.values()].map((pictures) => pictures.size));
          };
          look();
        })"""
    )
    assert max(at_tick) > 1, "chefs walk within a tick"
    page.keyboard.press("4")  # twice the rate: twelve ticks a second
    rate = page.evaluate(
        """() => new Promise((done) => {
          const now = () => Number(document.querySelector("#stage").dataset.tick);
          const from = { tick: now(), at: performance.now() };
          const look = () => {
            if (now() < 28) requestAnimationFrame(look);
            else done(1000 * (now() - from.tick) / (performance.now() - from.at));
          };
          look();
        })"""
    )
    assert 6 < rate < 18
    page.keyboard.press("Space")
    # Once what was drawn last is there, it stays: ten screens later it is the same tick.
    ticks = page.evaluate(
        """() => new Promise((done) => {
          const seen = [];
          const look = () => {
            seen.push(document.querySelector("#stage").dataset.tick);
            if (seen.length < 12) requestAnimationFrame(look);
            else done(seen.slice(2));
          };
          look();
        })"""
    )
    assert len(set(ticks)) == 1


def test_what_everybody_sees_has_no_open_hands(visit, episode, anna):
    page = visit(anna, address(episode, 4))
    assert not page.locator("#open-view").is_visible()
    before = page.url
    page.keyboard.press("d")
    page.wait_for_timeout(300)
    assert page.url == before
    assert page.locator(".toast").count() == 0


def test_takeovers_and_late_agents_are_on_the_timeline(visit, episode, anna):
    page = visit(anna, address(episode, 4))
    spans = page.locator(".control-row[data-seats~='1'] .control-span")
    kinds = [re.search(r"by-(\w+)", spans.nth(i).get_attribute("class"))[1] for i in range(spans.count())]
    assert kinds == ["agent", "copilot", "agent"]
    copilot = spans.nth(1)
    assert f"ticks {kitchen.COPILOT.start + 1} to {kitchen.COPILOT.stop}" in copilot.get_attribute("title")
    image = "node => getComputedStyle(node).backgroundImage"
    patterns = {page.locator(f".by-{kind}").first.evaluate(image) for kind in ("person", "agent", "copilot")}
    assert len(patterns) == 3, "colour is not the only sign"
    assert page.locator(".control-late").count() == 1
    box = copilot.bounding_box()
    x, _ = pointed(page, kitchen.COPILOT.start + 1, episode)
    assert box["x"] <= x <= box["x"] + box["width"]
    track = page.text_content("#track")
    assert "now played by the co-pilot" in track and "in control again" in track
    assert kitchen.INSTRUCTION in track and "I bring onions" in track


def test_both_seats_are_marked_by_key_and_by_mouse(visit, episode, hand, anna):
    hand(episode, anna)
    page = visit(anna, address(episode, kitchen.FULL))
    page.keyboard.press("ArrowUp")
    page.wait_for_selector(f"{SAVED}:has-text('saved ✓ 1')")
    page.keyboard.press("s")
    page.mouse.click(*pointed(page, kitchen.TAKEN, episode))
    page.mouse.move(5, 5)
    page.click("[data-sign='-1']")
    page.wait_for_selector(f"{SAVED}:has-text('saved ✓ 2')")
    marks = sorted(Mark.objects.values_list("seat", "tick", "sign", "annotator"))
    assert marks == [(0, kitchen.TAKEN, -1, anna.pk), (1, kitchen.FULL, 1, anna.pk)]
    assert [mark.context["input"] for mark in Mark.objects.order_by("-seat")] == ["key", "mouse"]
    page.keyboard.press("z")
    page.wait_for_selector(f"{SAVED}:has-text('saved ✓ 1')")
    page.keyboard.press("Shift+z")
    page.wait_for_selector(f"{SAVED}:has-text('saved ✓ 2')")


def test_an_episode_is_submitted_from_the_queue(visit, episode, anna):
    study = Study.objects.filter(game="overcooked").first() or Study.objects.create(
        name="Kitchens", game="overcooked"
    )
    hand_out(study, anna)
    page = visit(anna, address(episode, kitchen.SERVED, seat=0))
    page.keyboard.press("ArrowUp")
    page.wait_for_selector(SAVED)
    page.keyboard.press("Enter")
    page.wait_for_url("**/replays/annotate/**")
    assert Assignment.objects.get().status == "submitted"
    assert Mark.objects.get().tick == kitchen.SERVED


@pytest.mark.parametrize("width", [360, 1280])
def test_it_fits_the_screen(visit, episode, anna, width):
    page = visit(anna, address(episode, 20), viewport={"width": width, "height": 800})
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    box = page.locator("#stage > canvas").bounding_box()
    assert box["x"] >= 0 and box["x"] + box["width"] <= width
    assert box["width"] > 0.6 * min(width, 600)
