"""Co-training in a browser: what is counted, by keyboard and on a phone; clips side by side."""

from __future__ import annotations

import uuid

import numpy as np
import pytest
from playwright.sync_api import expect

from engine.simulation.pictures import png, write_gif
from webapp.jobs.models import Job
from webapp.rounds import cotrain, watched
from webapp.rounds.models import Round

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.browser, pytest.mark.slow]


def test_it_is_chosen_by_keyboard_and_a_refused_form_loses_nothing(open_page, fighter):
    page = open_page("/rounds/new/cotrain/", width=390)
    count = page.locator("#count")
    expect(count).to_contain_text(cotrain.NOBODY)
    page.locator("[name=words]").first.focus()
    page.keyboard.press("ArrowDown")
    expect(count).to_contain_text("only the sets that come with Coplay")
    page.get_by_text("More settings").focus()
    page.keyboard.press("Enter")
    page.locator("[name=agent-moves]").fill("0")
    page.locator("[name=goal]").fill("Obey")
    page.keyboard.press("Enter")
    expect(page.locator("#parts")).to_contain_text("Moves is 0; it must be a whole number")
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    page.locator("[name=agent-moves]").fill("512")
    expect(page.locator("[name=words]").nth(1)).to_be_checked()
    page.get_by_role("button", name="Co-train").click()
    expect(page.locator("h1")).to_have_text("Round 1: Obey")
    expect(page.locator(".stage-title")).to_have_text(["Agent", "Evaluation", "Told and untold", "Candidate"])
    expect(page.locator("#from")).to_contain_text("nobody's instructions are in it")
    settings = Round.objects.get().settings
    assert settings["words"] == {} and settings["agent"]["moves"] == 512


def test_clips_of_one_state_play_together_and_stop(open_page, fighter, settings, tmp_path):
    settings.JOBS_DIR = tmp_path
    asked = {"ref": fighter.ref, "asked": {"seed": 1}}
    job = Job.objects.create(kind="told", state=Job.COMPLETED, settings=asked)
    folder = tmp_path / str(job.pk) / "out" / watched.FOLDER
    folder.mkdir(parents=True)
    pictures = [np.full((8, 8, 3), shade, np.uint8) for shade in (0, 90, 200)]
    games = []
    for number, more in enumerate(({}, {"instruction": "loot", "reading": "I search for things."})):
        name = f"told-{number}"
        (folder / f"{name}.png").write_bytes(png(pictures[0]))
        write_gif(folder / f"{name}.gif", iter(pictures), 5)
        files = {"picture": f"{name}.png", "clip": f"{name}.gif", "episode": str(uuid.uuid4())}
        games.append({**files, **more, "score": 1, "ticks": 9, "events": {}})
    Job.objects.filter(pk=job.pk).update(result={"games": games})
    page = open_page(f"/rounds/told/arena/fighter/?job={job.pk}")
    button = page.get_by_role("button", name="Play the beginnings together")
    images = page.locator("[data-clip]")
    for kind, pressed in (("gif", "true"), ("png", "false")):
        button.focus()
        page.keyboard.press("Enter")
        expect(button).to_have_attribute("aria-pressed", pressed)
        for number in range(2):
            expect(images.nth(number)).to_have_attribute("src", f"/rounds/told/{job.pk}/told-{number}.{kind}")
