"""The loop in Arena, end to end, on the real stack: agents fight, a person marks the replay, a squad is
trained from the marks, measured, promoted, and stands among the agents.

The base is an untrained network for duels, so that a round takes seconds. In production, where all parts are
apart; what a person plays live is tested with the table.
"""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
import torch
from playwright.sync_api import Browser, Page, expect

from engine import games
from engine.agents.catalogue import write_agent
from engine.agents.features import inputs_for
from engine.agents.network import PolicyValueNet
from tests.browser import loop
from tests.browser.stack import Stack
from tests.browser.test_the_loop import marks_in_snapshot

pytestmark = [
    pytest.mark.browser,
    pytest.mark.slow,
    pytest.mark.postgres,
    pytest.mark.redis,
    pytest.mark.xdist_group("stack"),
]

DUEL = {"teams": 2, "team_size": 1, "pace": "short", "monsters": 0, "map_seed": 3}
# Simulated episodes and marks (labelled so everywhere), so that there is enough to train on.
SEEDING = ("episodes", "simulate", "--game", "arena", "--count", "3", "--agents", "arena/strong,arena/weak",
           "--options", json.dumps(DUEL), "--seed", "5", "--annotators", "simulated", "--json")  # fmt: skip
ROW = """
import json, pathlib
from webapp.agents.models import Agent
card = json.loads(pathlib.Path({card!r}).read_text())
Agent.objects.create(ref="arena/rookie", name="Rookie", game="arena", kind="network", folder="arena-rookie",
                     sha256=card["sha256"], card=card)
"""


def add_rookie(stack: Stack) -> None:
    """An untrained network among the stack's agents, to train on from."""
    folder = Path(stack.env["COPLAY_VAR"]) / "agents" / "arena-rookie"
    torch.manual_seed(0)
    spec, inputs = games.spec("arena"), inputs_for("arena", DUEL)
    net = PolicyValueNet(inputs.size, [16], sum(spec.heads))
    card = {"name": "rookie", "title": "Rookie", "kind": "network", "game": "arena", "players": [2]}
    card |= {"options": DUEL, "rules_version": spec.rules_version, "features_version": inputs.version}
    write_agent(folder, {key: value.numpy() for key, value in net.state_dict().items()}, card)
    stack.manage("shell", "-c", ROW.format(card=str(folder / "card.json")))


def launch_round(page: Page, address: str) -> None:
    """A tiny round from the rookie on Arena's marks, simulated ones included."""
    page.goto(f"{address}/rounds/new/?base=arena/rookie")
    page.locator('[name="variant"]').select_option("arena")
    page.locator('[name="base"]').select_option("arena/rookie")
    page.get_by_label("Include simulated episodes").check()
    page.get_by_label("Include simulated annotators' marks").check()
    expect(page.locator("#count")).to_contain_text(re.compile(r"marks\s*\d+"))
    page.get_by_role("button", name="Tiny").click()
    page.get_by_role("button", name="Launch the round").click()
    expect(page).to_have_url(re.compile(r"/rounds/\d+/$"))


def test_a_persons_marks_train_the_squad_in_the_lobby(production: Stack, browser: Browser) -> None:
    add_rookie(production)
    production.manage(*SEEDING)
    annotator, admin = browser.new_context(), browser.new_context()
    page, desk = annotator.new_page(), admin.new_page()
    problems: list[str] = []
    for one in (page, desk):
        one.on("pageerror", lambda error: problems.append(str(error)))
        one.on("console", lambda line: problems.append(line.text))
    production.sign_in(page, "annotator")
    production.sign_in(desk, "admin")

    page.goto(f"{production.address}/replays/annotate/")
    page.get_by_role("link", name="Arena", exact=True).click()
    page.get_by_role("button", name="Next episode").click()
    page.wait_for_selector("body[data-whole]", timeout=loop.WELL)
    episode = page.url.partition("?")[0].rstrip("/").rsplit("/", 1)[-1]
    page.click("[data-camera=map]")
    expect(page.locator(".arena-own")).to_contain_text("health")
    loop.mark_replay(page, annotator)
    page.get_by_role("button", name="Submit and next").click()
    page.wait_for_url(lambda url: episode not in url)

    launch_round(desk, production.address)
    loop.watch_round(desk)
    assert marks_in_snapshot(production, episode) == 3
    expect(desk.locator("body")).to_contain_text("Against the middle scripted squad")
    candidate = loop.promote(desk)
    desk.goto(f"{production.address}/agents/?game=arena")
    expect(desk.get_by_text(candidate).first).to_be_visible()
    assert [text for text in problems if "Content Security" in text or "Error" in text] == []
