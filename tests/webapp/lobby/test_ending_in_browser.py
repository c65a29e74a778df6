"""The page after a game in a browser: the score counts up, moments lead to the replay and take marks by one
key, cards have faces, a clip is made; in several games, at several widths.
"""

from __future__ import annotations

import re

import pytest
from django.utils import timezone

from tests.waiting import eventually
from tests.webapp import world
from webapp.agents import shipped
from webapp.annotation.models import Mark
from webapp.episodes import clips
from webapp.jobs import steps
from webapp.jobs.models import Job
from webapp.matches.models import Match

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.browser]


@pytest.fixture(autouse=True)
def agents(db, settings, tmp_path) -> None:
    shipped.sync()
    settings.EPISODES_DIR = tmp_path / "episodes"
    settings.JOBS_DIR = tmp_path / "jobs"


def over(pia, room: int = 0, friend=None) -> Match:
    match = world.new_match(*world.ROOMS[room], pia, told=0)
    world.bring(match, Match.FINISHED, friend or pia)
    match.seats.update(revealed_at=timezone.now())
    match.refresh_from_db()
    return match


def test_cards_moments_and_marks_by_one_key_in_hanabi(visit, pia) -> None:
    match = over(pia)
    page = visit(pia, f"/play/{match.pk}/after/")
    problems: list[str] = []
    page.on("pageerror", lambda error: problems.append(str(error)))
    page.wait_for_selector("[data-count][data-counted]")
    assert page.locator("[data-count]").inner_text() == f"{match.episode.score:g}"
    assert page.locator("[data-last] h2").inner_text() == "The cards, at last"
    hands = page.locator(".ending-hand")
    assert hands.count() == 3, "two hands and the fireworks"
    assert page.locator(".ending-cards .face .rank").count() > 4
    rows = page.locator(".moment")
    assert 1 <= rows.count() <= 3 and page.locator(".moment.waiting").count() == 0

    first, last = rows.first, rows.last
    assert "framed" in first.get_attribute("class")
    page.keyboard.press("+")
    eventually(lambda: Mark.objects.filter(deleted=False).first())
    kept = Mark.objects.get()
    assert (kept.tick, kept.seat, kept.sign) == (
        int(first.get_attribute("data-tick")),
        int(first.get_attribute("data-seat")),
        1,
    )
    page.get_by_text("Saved ✓").wait_for()
    assert first.locator("[data-sign='1'][type]").get_attribute("aria-pressed") == "true"
    page.keyboard.press("-")
    eventually(lambda: Mark.objects.get().sign == -1)
    page.keyboard.press("z")
    eventually(lambda: Mark.objects.get().sign == 1)
    page.keyboard.press("z")
    eventually(lambda: Mark.objects.get().deleted)

    for _ in range(rows.count() - 1):
        page.keyboard.press("ArrowRight")
    assert "framed" in last.get_attribute("class")
    tick, seat = last.get_attribute("data-tick"), last.get_attribute("data-seat")
    last.locator(".moment-picture").click()
    page.wait_for_url(re.compile(rf"/replays/{match.pk}/\?tick={tick}&seat={seat}"))
    page.wait_for_selector("body[data-ready]")
    assert page.locator("#tick-now").inner_text() == tick
    assert problems == []


@pytest.mark.parametrize("room", [2, 5])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_other_games_show_how_they_stood_at_phone_width(visit, pia, otto, room, scheme) -> None:
    """A kitchen and an Arena of squads; with reduced motion the score stands at once."""
    match = over(pia, room, otto)
    small = {"viewport": {"width": 360, "height": 740}, "color_scheme": scheme, "reduced_motion": "reduce"}
    page = visit(pia, f"/play/{match.pk}/after/", **small)
    assert page.locator("[data-count][data-counted]").count() == 0
    assert page.locator(".last-picture").evaluate("image => image.naturalWidth") > 200
    wide = page.evaluate("document.documentElement.scrollWidth")
    assert wide <= 360, "nothing is cut off or has to be scrolled sideways"
    for picture in page.locator(".moment-picture img").all():
        assert picture.evaluate("image => image.complete && image.naturalWidth") > 200


def test_a_clip_is_made_with_one_button_and_downloaded(visit, pia) -> None:
    match = over(pia)
    page = visit(pia, f"/play/{match.pk}/after/")
    page.get_by_role("button", name="Make the clip").click()
    page.get_by_text("No worker is running").wait_for()
    job = eventually(lambda: Job.objects.filter(kind=clips.KIND).first())
    assert job.settings["view"] == "open"
    seconds = (job.settings["last"] - job.settings["first"]) * clips.TURN_SECONDS
    whole = match.episode.ticks * clips.TURN_SECONDS <= clips.LONGEST
    said = page.locator("[data-clip-what]").inner_text()
    assert said.startswith("The whole game" if whole else "From ") and 0 < seconds <= clips.LONGEST
    Job.objects.filter(pk=job.pk).update(state=Job.RUNNING, done=5, total=20)
    page.get_by_text("Your clip: 25 %").wait_for()
    path = steps.out(job) / f"clip.{job.settings['format']}"
    path.parent.mkdir(parents=True)
    path.write_bytes(b"moving")
    Job.objects.filter(pk=job.pk).update(state=Job.COMPLETED, result={"bytes": 6, "seconds": 12.0})
    link = page.get_by_role("link", name="Download")
    link.wait_for()
    with page.expect_download() as download:
        link.click()
    assert download.value.path().read_bytes() == b"moving"
    page.reload()
    page.get_by_role("link", name="Download").wait_for()
