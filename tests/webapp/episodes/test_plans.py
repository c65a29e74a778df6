"""Plans in replays: what a log says of them, by tick, and how long each seat was at its steps."""

from __future__ import annotations

import pytest
from django.urls import reverse

from engine.simulation.log import EpisodeLog, header_of
from engine.simulation.simulation import Simulation
from webapp.episodes.models import Episode
from webapp.episodes.plans import asked_of, lanes_of, plans_of
from webapp.episodes.stores import log_store
from webapp.episodes.streams import build_stream

ON = {"type": "plan_edit", "tick": 0, "seat": 0, "side": 0, "do": "on"}


def step(name, seat, **more):
    program = {"game": "overcooked", "means": "fill what=onion"}
    about = {"id": name, "seat": seat, "program": program, "says": "I put an onion into a pot."}
    return about | {"after": [], "place": [2, 0], "ticks": 5.0, "by": None} | more


def plan(tick, *steps, **more):
    about = {"type": "plan", "tick": tick, "id": "1", "side": 0, "seat": None, "goal": "Soups."}
    return about | {"planner": "search", "why": "It begins.", "steps": list(steps)} | more


def state(tick, name, to, why=""):
    return {"type": "planned", "tick": tick, "id": name, "state": to, "why": why}


def log_of(*records) -> EpisodeLog:
    sim = Simulation("overcooked", {"layout": "cramped_room", "horizon": 20}, 1)
    header = header_of(sim, "0" * 32, [{"kind": "person", "name": "Pia"}, {"kind": "agent", "name": "Bo"}])
    steps = [{"type": "step", "tick": tick, "actions": [4, 4]} for tick in range(12)]
    return EpisodeLog(header, sorted([*steps, *records], key=lambda record: record["tick"]))


PLANNED = (
    ON,
    plan(1, step("0.1.0", 0), step("0.1.1", 1)),
    state(1, "0.1.0", "doing"),
    state(1, "0.1.1", "doing"),
    state(5, "0.1.1", "done"),
    state(8, "0.1.0", "failed", "{0} didn't get it done."),
)


def test_a_replay_has_each_change_of_a_plan_by_tick():
    rows = plans_of(log_of(*PLANNED), 20)
    assert [(row["tick"], row["on"], row["seats"]) for row in rows] == [
        (0, True, [0, 1]),
        (1, True, [0, 1]),
        (5, True, [0, 1]),
        (8, True, [0, 1]),
    ]
    states = [[one["state"] for one in row["plan"]["steps"]] for row in rows[1:]]
    assert states == [["doing", "doing"], ["doing", "done"], ["failed", "done"]]
    assert rows[3]["news"] == ["{0} didn't get it done."]


def test_a_row_of_the_strip_says_when_a_seat_was_at_a_step_and_whether_it_was_done():
    first, second = lanes_of(log_of(*PLANNED), 20)
    assert first["spans"] == [{"first": 1, "last": 7, "strong": False}]
    assert second["spans"] == [{"first": 1, "last": 4, "strong": True}]


def test_nothing_is_told_of_what_came_after_the_last_tick():
    log = log_of(*PLANNED)
    assert [row["tick"] for row in plans_of(log, 4)] == [0, 1]
    assert lanes_of(log, 4)[1]["spans"] == [{"first": 1, "last": 4, "strong": False}]


def test_the_stream_of_an_episode_without_plans_has_none():
    stream = build_stream(log_of(), ["0"], 12)
    assert (stream["plans"], stream["lanes"]) == ([], [])


def test_what_a_language_model_was_asked_is_kept_apart():
    asked = [{"prompt": "Plan.", "answer": "No."}]
    log = log_of(ON, plan(1, step("0.1.0", 0), planner="language", asked=asked))
    assert asked_of(log) == [{"tick": 1, "planner": "language", "prompt": "Plan.", "answer": "No."}]
    assert "Plan." not in str(plans_of(log, 20))


@pytest.mark.django_db
def test_an_admin_reads_what_a_model_was_asked_and_why_its_plan_was_not_used(
    settings, tmp_path, adam_client, pia_client
):
    settings.EPISODES_DIR = tmp_path
    costs = {"model": "scripted-1", "requests": 1, "tokens": 1000, "cost": 0.002, "seconds": 0.42}
    first = {"prompt": "Plan <it>.", "answer": "fly", "refused": "Step 0: there is no moon."} | costs
    second = {"prompt": "Once more.", "answer": "cook"} | costs
    log = log_of(ON, plan(1, step("0.1.0", 0), planner="language", asked=[first, second]))
    episode = Episode.objects.create(game="overcooked", status=Episode.FINISHED, ticks=12)
    log_store().append(episode.pk, [log.header, *log.records])
    address = reverse("replays:asked", args=[episode.pk])
    page = " ".join(adam_client.get(address).content.decode().split())
    assert page.count("not used") == 1 and "Step 0: there is no moon." in page
    assert page.count("scripted-1, 0.4 s, 1 request, 1,000 tokens, cost 0.002") == 2
    assert "Plan &lt;it&gt;." in page and page.index("fly") < page.index("Once more.") < page.index("cook")
    assert pia_client.get(address).status_code == 403
