"""One deal, three instructions: what is asked for, what is refused, and what is shown of it."""

from __future__ import annotations

import pytest
from django.urls import reverse

from engine.learning import told_apart
from engine.learning.run.reporting import config_from
from engine.simulation.told import told
from tests.webapp.cast import small_network
from webapp.agents.models import Agent
from webapp.episodes.models import Episode
from webapp.episodes.stores import log_store
from webapp.jobs import jobs, runner, steps
from webapp.jobs.models import Job
from webapp.rounds import apart
from webapp.rounds.steps import told_config

WORDS = ["If I hint you a colour, play it", "only hint ranks", "never discard"]


@pytest.fixture
def agent(db) -> Agent:
    return small_network()


@pytest.fixture
def url(agent) -> str:
    return reverse("rounds:told-apart", args=["hanabi", "little"])


def test_what_is_asked_for_becomes_a_short_job(agent, url, adam_client):
    page = adam_client.get(url).content.decode()
    assert "<h2>Instructions</h2>" in page and "Every seat has the instruction" in page
    answer = adam_client.post(
        url, {"instruction": [WORDS[0], " ", WORDS[1]], "choice": ["", "", ""], "seed": "7"}
    )
    job = Job.objects.get()
    assert answer.url == f"{url}?job={job.pk}" and (job.kind, job.queue) == ("told", Job.SHORT)
    asked = job.settings["asked"]
    assert asked["instructions"] == [WORDS[0], WORDS[1]] and asked["seed"] == 7 and asked["told"] == "both"
    assert config_from(told_apart.Settings, told_config(job)).instructions == [
        WORDS[0],
        WORDS[1],
    ]
    page = adam_client.get(answer.url).content.decode()
    assert "Waiting for a worker" in page and "No worker is running" in page and WORDS[1] in page
    adam_client.post(reverse("rounds:cancel", args=[job.pk]))
    page = adam_client.get(answer.url).content.decode()
    assert "Cancelled." in page and "Play them again" in page
    assert adam_client.post(reverse("rounds:resume", args=[job.pk])).url == answer.url


@pytest.mark.parametrize(
    ("given", "sentence"),
    [
        ({"instruction": ["", ""]}, "at least one instruction"),
        ({"instruction": [WORDS[0], "the weather is nice today"]}, "That is talk"),
        ({"instruction": [WORDS[0]], "seed": "many"}, "A deal is a whole number"),
        ({"instruction": [WORDS[0]], "choice": ["9"]}, "has no reading 9"),
    ],
)
def test_what_can_not_be_played_is_refused_and_kept(agent, url, adam_client, given, sentence):
    answer = adam_client.post(url, {"seed": "1", **given})
    page = answer.content.decode()
    assert answer.status_code == 400 and sentence in page
    assert all(text in page for text in given["instruction"])
    assert not Job.objects.exists()


def test_another_agents_games_are_not_shown(agent, url, adam_client):
    small_network("other", seed=3)
    job = apart.ask(agent, WORDS[:1], [0], "both", 1)
    other = reverse("rounds:told-apart", args=["hanabi", "other"])
    for wrong in (f"{other}?job={job.pk}", f"{url}?job=x", f"{url}?job={agent.pk}"):
        assert adam_client.get(wrong).context["job"] is None


def test_an_agent_that_can_not_be_told_anything_says_so(adam_client):
    small_network("ball", game="say_select", trained={})
    page = adam_client.get(reverse("rounds:told-apart", args=["say_select", "ball"])).content.decode()
    assert "can&#x27;t be told things in words yet" in page and "<h2>Instructions</h2>" not in page
    page = adam_client.get(reverse("agents:agent", args=["say_select", "ball"])).content.decode()
    assert "Tell it three things" not in page


@pytest.mark.slow
@pytest.mark.django_db(transaction=True)
def test_a_worker_plays_the_games_and_they_can_be_watched(
    agent, url, adam_client, settings, forked_jobs, tmp_path
):
    settings.JOBS_DIR = tmp_path
    job = apart.ask(agent, WORDS, [0, 0, 0], "both", 3)
    assert runner.run(jobs.claim(job.pk, jobs.worker_name())) == Job.COMPLETED
    page = adam_client.get(f"{url}?job={job.pk}")
    shown = page.context["shown"]
    assert [one["instruction"] for one in shown["games"]] == ["", *WORDS]
    assert all(adam_client.get(one["picture"]).status_code == 200 for one in shown["games"])
    assert all(adam_client.get(one["replay"]).status_code == 200 for one in shown["games"])
    assert Episode.objects.count() == 4 and not Episode.objects.filter(public=True).exists()
    job.refresh_from_db()
    logs = [log_store().read(row["episode"]) for row in job.result["games"]]
    assert len({tuple(log.header["deck"]) for log in logs}) == 1
    assert [len(told(log).spans) for log in logs] == [0, 2, 2, 2]
    counts = {row["name"]: row["counts"] for row in shown["events"]}
    assert counts["hint color"][2] < counts["hint color"][0]  # told to hint ranks only
    # Played again, it makes no second episodes.
    steps.register(job, job.result)
    assert Episode.objects.count() == 4
