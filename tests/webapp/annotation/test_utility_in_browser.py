"""A reward model's U on the strip, in a browser: drawn when it is there, under another instruction too, with
its jumps to look at and to go to.
"""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.conftest import PATIENCE_MS
from tests.waiting import eventually
from tests.webapp.annotation.models_of_rounds import round_with_model
from tests.webapp.episodes import kitchen
from webapp.annotation import utility
from webapp.annotation.models import Look
from webapp.episodes.simulated import simulate
from webapp.episodes.stores import log_store
from webapp.jobs.models import Job

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.browser]


@pytest.fixture
def episode(adam, settings, tmp_path):
    settings.EPISODES_DIR = tmp_path / "episodes"
    settings.JOBS_DIR = tmp_path / "jobs"
    made = kitchen.cook()
    Look.objects.create(user=adam, episode=made)
    return made


def work() -> Job:
    """What a worker would do with the job that the page has asked for."""
    job = eventually(lambda: Job.objects.filter(kind="utility", state=Job.QUEUED).first())
    log = log_store().read(job.settings["episode"])
    result = json.loads(json.dumps(utility.draw(log, job.settings)))
    Job.objects.filter(pk=job.pk).update(state=Job.COMPLETED, result=result)
    return job


def test_the_curve_is_drawn_changes_with_the_instruction_and_leads_to_its_jumps(
    visit, adam, episode, tmp_path: Path
):
    round_with_model(tmp_path, episode)
    page = visit(adam, f"/replays/{episode.pk}/")
    assert page.locator(".strip-utility").is_hidden()
    page.keyboard.press("u")
    page.get_by_text("No worker is running, so nothing is drawn").wait_for()
    assert work().settings["seat"] == 1
    drawn = page.locator("#utility[data-drawn='true']")
    drawn.wait_for()
    assert page.locator(".strip-utility").is_visible()
    assert "one network" in page.locator("[data-alone]").inner_text()
    jump = page.locator(".utility-jump").first
    tick = jump.locator("span").first.inner_text().removeprefix("tick ")
    jump.hover()
    page.wait_for_function("tick => document.querySelector('#stage').dataset.tick === tick", arg=tick)
    assert page.locator("[data-now]").inner_text().startswith(f"Tick {tick}: U ")
    jump.click()
    page.mouse.move(0, 0)
    assert page.locator("#tick-now").inner_text() == tick

    page.fill("#utility input[name=instruction]", "bring onions")
    page.keyboard.press("Enter")
    page.locator("[data-reading]", has_text="Read as:").wait_for()
    assert work().settings["instruction"] == "bring onions"
    drawn.wait_for()
    assert page.locator("[data-key-told]").is_visible()
    page.fill("#utility input[name=instruction]", "never mind the weather")
    page.keyboard.press("Enter")
    page.get_by_text("That is talk").wait_for(timeout=PATIENCE_MS)
    assert page.locator(".strip-utility").is_hidden()


def test_above_u_a_table_is_seen_whole_at_a_common_size(visit, adam, settings, tmp_path: Path):
    settings.EPISODES_DIR, settings.JOBS_DIR = tmp_path / "episodes", tmp_path / "jobs"
    (episode,) = simulate("hanabi", 1, ["hanabi/convention-bot"])
    Look.objects.create(user=adam, episode=episode)
    round_with_model(tmp_path, episode)
    page = visit(adam, f"/replays/{episode.pk}/")
    page.set_viewport_size({"width": 1280, "height": 800})
    page.keyboard.press("u")
    work()
    page.locator("#utility[data-drawn='true']").wait_for()
    bottom = """selector => Math.max(
      ...[...document.querySelectorAll(selector)].map((node) => node.getBoundingClientRect().bottom))"""
    for _ in range(6):
        hand, room = page.evaluate(bottom, "#stage .hand"), page.evaluate(bottom, ".stage-panel")
        assert hand <= room + 1, f"the lower hand ends {hand - room:.0f} pixels below what is in sight"
        page.keyboard.press("Shift+ArrowRight")
    assert page.evaluate(bottom, ".strip-utility") <= page.evaluate(bottom, "#utility"), (
        "nor is the curve cut"
    )


def test_another_seat_is_asked_for_at_once_and_closing_cancels(visit, adam, episode, tmp_path: Path):
    round_with_model(tmp_path, episode)
    page = visit(adam, f"/replays/{episode.pk}/")
    page.keyboard.press("u")
    first = eventually(lambda: Job.objects.filter(kind="utility", state=Job.QUEUED).first())
    page.keyboard.press("s")
    eventually(lambda: Job.objects.get(pk=first.pk).state == Job.CANCELLED)
    second = eventually(lambda: Job.objects.filter(kind="utility", state=Job.QUEUED).first())
    assert second.settings["seat"] == 0
    page.locator("#utility [data-status]", has_text="Waiting for a worker").wait_for()
    page.keyboard.press("u")
    eventually(lambda: Job.objects.get(pk=second.pk).state == Job.CANCELLED)


def test_without_a_reward_model_the_panel_says_what_to_do(visit, adam, episode):
    page = visit(adam, f"/replays/{episode.pk}/")
    page.keyboard.press("u")
    page.get_by_text("No round of this site has made a reward model for Overcooked yet.").wait_for()
    assert page.get_by_role("link", name="Rounds make them.").is_visible()
