"""A whole round with the real programs, small: from marks to a candidate that plays, and provenance both
ways."""

from __future__ import annotations

import json
import threading
import uuid
from pathlib import Path

import pytest
from django.conf import settings
from django.core.management import CommandError, call_command
from django.db import connection
from django.urls import reverse

from engine.agents import catalogue
from engine.games import people
from engine.simulation.code_cache import CACHE_FOLDER
from tests.engine import made_people
from tests.waiting import eventually
from tests.webapp.cast import simulated_episodes, small_network
from tests.workers.worker import database_url
from webapp.agents.models import Agent, Alias
from webapp.agents.resolve import load_ref, resolve
from webapp.annotation.models import Mark
from webapp.datasets import recorded, snapshot_reading, snapshots
from webapp.episodes.models import Episode
from webapp.jobs import jobs, runner, steps
from webapp.jobs.models import Job, JobMetric
from webapp.rounds import launch
from webapp.rounds import steps as rounds_steps
from webapp.rounds import told as told_rounds
from webapp.rounds.models import Round

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.slow]
SMALL = [
    *("--set", "evaluation.episodes=10"),
    *("--set", "agent.moves=512", "--set", "agent.envs=8", "--set", "agent.steps=16"),
    *("--set", "agent.evaluation_games=8", "--set", "reward_model.steps=10"),
]


@pytest.fixture
def run(forked_jobs, capsys):
    """`manage.py rounds run`; returns its JSON."""

    def command(*args: str, game: str = "hanabi", small: list[str] = SMALL) -> dict:
        call_command("rounds", "run", "--game", game, "--size", "tiny", "--json", *small, *args)
        return json.loads(capsys.readouterr().out.splitlines()[-1])

    return command


def test_a_round_makes_a_candidate_with_its_provenance(run, anna, adam_client):
    base = small_network()
    with pytest.raises(CommandError, match="nothing to learn from"):
        run("--base", "little")
    call_command("rounds", "list", "--json")
    [episode] = simulated_episodes(base, count=1)
    mine = Mark.objects.create(id=uuid.uuid4(), episode=episode, annotator=anna, seat=0, tick=2, sign=-1)
    said = run("--base", "little", "--annotators", "simulated", "--episodes", "3")
    one = Round.objects.get()
    candidate = resolve("hanabi", "candidate")

    assert said["candidate"] == candidate.ref == f"hanabi/round-{one.number}"
    assert [job.state for job in one.jobs.all()] == [Job.COMPLETED] * 5
    assert list(candidate.parents.all()) == [base]
    assert candidate.card["snapshot"]["sha256"] == one.snapshot.sha256
    assert one.snapshot.mark(mine.pk) and said["rounds"][0]["snapshot"]["raters"] == 3
    rows = snapshot_reading.read_table(Path(snapshots.folder_of(one.snapshot)), "marks")
    assert {row["annotator"]: row["simulated"] for row in rows}[anna.pseudonym] is False
    assert candidate.card["simulated_marks"] is True
    assert candidate.card["parents"][0]["sha256"] == base.sha256
    assert "hanabi/little" in candidate.card["evaluation"]["cross_play"]
    assert catalogue.load(load_ref(candidate)).game == "hanabi"
    judged = set(said["rounds"][0]["held_out"])
    assert judged - {"simple", "trained"} == {"model", "shuffled", "clock", "untrained"}
    assert len(judged & {"simple", "trained"}) == 1
    for kind in ("reward_model", "agent"):
        assert list((steps.out(one.jobs.get(kind=kind)) / "events").glob("events.*")), kind

    page = adam_client.get(reverse("agents:agent", args=["hanabi", f"round-{one.number}"])).content.decode()
    assert one.snapshot.sha256[:12] in page and "simulated" in page
    page = adam_client.get(reverse("replays:mark", args=[mine.pk])).content.decode()
    assert candidate.name in page
    page = adam_client.get(reverse("rounds:round", args=[one.number]))
    assert page.context["comparison"]["verdicts"]
    assert page.context["reward_model"]["rows"][0]["title"] == "this model"

    # The work of the last job is done once, however often it is registered.
    job = one.jobs.get(kind="candidate")
    before = candidate.sha256
    steps.register(job, job.result)
    assert Agent.objects.filter(round=one).count() == 1
    assert resolve("hanabi", "candidate").sha256 == before


def test_a_round_to_an_instruction_makes_a_candidate_without_marks(run, adam_client):
    base, words = small_network(), "If I hint you a colour, play it"
    small = [word for word in SMALL if word not in ("reward_model.steps=10",)][:-1]
    small += [
        "--set",
        "evaluation.counted=3",
        "--set",
        "evaluation.watched=2",
        "--set",
        "evaluation.probes=1",
    ]
    with pytest.raises(CommandError, match="can't be followed"):
        run("--base", "little", "--instruction", "thanks", small=small)
    said = run("--base", "little", "--instruction", words, small=small)
    one, candidate = Round.objects.get(), resolve("hanabi", "candidate")
    assert [job.state for job in one.jobs.all()] == [Job.COMPLETED] * 3 and one.snapshot is None
    assert said["rounds"][0]["told"]["instruction"] == words and said["candidate"] == candidate.ref
    assert list(candidate.parents.all()) == [base] and candidate.card["told"] == words
    assert candidate.card["evaluation"]["told"]["instruction"] == words
    assert candidate.card["simulated_marks"] is False and candidate.card["reward_model"] == {"sha256": None}
    assert catalogue.load(load_ref(candidate)).game == "hanabi"
    assert one.jobs.get(kind="agent").metrics.filter(values__has_key="obeyed").exists()
    told = one.jobs.get(kind="evaluation").result["told"]["counts"]
    assert {(side, who) for side in told for who in told[side]} == {
        (side, who) for side in ("candidate", "base") for who in ("both", "none")
    }
    page = adam_client.get(reverse("rounds:round", args=[one.number]))
    assert page.context["comparison"]["told"]["counts"] and page.context["side_by_side"]["games"]
    url = reverse("rounds:decide", args=[one.number])
    adam_client.post(url, {"decision": "promote", "reason": "Keeps to it"})
    assert resolve("hanabi", "champion") == candidate


def test_a_training_to_an_instruction_is_cancelled_midway_and_goes_on(monkeypatch, adam_client):
    monkeypatch.setenv("COPLAY_DATABASE_URL", database_url())
    monkeypatch.setenv("COPLAY_VAR", str(settings.VAR_DIR))
    # What this process has compiled, children need not compile again.
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(CACHE_FOLDER))
    base, words = small_network(), "If I hint you a colour, play it"
    more = {"moves": 40_000, "envs": 8, "steps": 16, "evaluation_games": 8}
    one = launch.create(base, told_rounds.settings_of("hanabi", words, budget="small", more=more), None)
    job = one.jobs.get(kind="agent")

    def cancel_midway() -> None:
        eventually(lambda: JobMetric.objects.filter(job=job, step__gte=1000).exists(), 300)
        jobs.cancel(job)
        connection.close()

    other = threading.Thread(target=cancel_midway)
    other.start()
    assert runner.run(jobs.claim(job.pk, jobs.worker_name())) == Job.CANCELLED
    other.join()
    done = JobMetric.objects.filter(job=job).latest("step").step
    assert 0 < done < 40_000 and not jobs.ready(Job.objects.filter(round=one)).exists()
    adam_client.post(reverse("rounds:resume", args=[job.pk]))
    # A worker that was killed while it had the job gives it up, too.
    lost = jobs.claim(job.pk, f"{jobs.place()}:999999999")
    assert lost is not None and jobs.reap() == 1
    assert runner.run(jobs.claim(job.pk, jobs.worker_name())) == Job.COMPLETED
    steps_seen = list(JobMetric.objects.filter(job=job).order_by("step").values_list("step", flat=True))
    assert len(steps_seen) == len(set(steps_seen)) and steps_seen[-1] >= 39_000
    assert JobMetric.objects.filter(job=job, step__lt=done).exists()  # nothing of before was lost


def test_a_round_of_one_layout_makes_a_candidate_for_that_layout(run, adam_client):
    base = small_network("cook", game="overcooked", trained={"layout": "cramped_room", "dynamics": "old"})
    small_network("far", game="overcooked", trained={"layout": "forced_coordination"})
    with pytest.raises(CommandError, match="trained for forced_coordination"):
        run("--base", "far", "--layout", "cramped_room", game="overcooked")
    small = [
        "--set",
        "evaluation.episodes=4",
        "--set",
        "evaluation.cross_play=0",
        "--annotators",
        "simulated",
    ]
    said = run("--base", "cook", "--episodes", "3", "--promote", *small, game="overcooked")
    one = Round.objects.get()
    assert said["rounds"][0]["layout"] == one.layout == "cramped_room"
    assert one.settings["data"]["layout"] == "cramped_room"
    candidate = resolve("overcooked", "champion", "cramped_room")
    assert candidate.ref == said["candidate"]
    assert list(candidate.parents.all()) == [base]
    assert candidate.card["options"]["layout"] == "cramped_room"
    moved = Alias.objects.filter(name="champion").values_list("layout", "agent__ref")
    assert list(moved) == [("cramped_room", candidate.ref)]
    page = adam_client.get(reverse("rounds:round", args=[one.number]))
    titles = [plot["title"] for plot in page.context["comparison"]["plots"]]
    assert titles == ["With people (proxy: human)", "Self-play"]
    assert "Champion of Overcooked, cramped room" in page.content.decode()


PLAYED = {
    "overcooked": (made_people.overcooked, {"layout": "coordination_ring", "dynamics": "old"}),
    "hanabi": (made_people.hanabi_games, {"players": 2, "bomb": "keep", "discard": "always"}),
}


@pytest.mark.parametrize("game", PLAYED)
def test_a_round_makes_a_proxy_of_the_people_who_played_and_it_judges_the_next(
    game, run, anna, adam_client, tmp_path, capsys, monkeypatch
):
    made, trained = PLAYED[game]
    agents = tmp_path / "agents"  # no other test's first round
    agents.mkdir()
    monkeypatch.setattr(settings, "AGENTS_DIR", agents)
    call_command("agents", "sync")
    base = small_network("base", game=game, trained=trained)
    form = people.formats()[f"people-{game}"][1]
    layout = {"layout": trained["layout"]} if "layout" in trained else {}

    def play(tables: int) -> None:
        recorded.take(form, made(tmp_path / f"{tables}.gz", tables, **layout))
        Episode.objects.update(source="play")
        for episode in Episode.objects.filter(marks=None):
            for tick, sign in ((2, 1), (4, -1)):
                given = {"seat": 0, "tick": tick, "sign": sign}
                Mark.objects.create(id=uuid.uuid4(), episode=episode, annotator=anna, **given)

    def decide(what: str) -> str:
        url = reverse("rounds:decide", args=[one.number])
        page = adam_client.post(url, {"decision": what, "reason": "why not"}, follow=True)
        return next(str(message) for message in page.context["messages"])

    small = ["--base", "base", "--algorithm", "clone_people", "--set", "reward_model.steps=5"]
    for name, value in (("agent.updates", 1), ("agent.epochs", 1), ("evaluation.episodes", 4)):
        small += ["--set", f"{name}={value}"]
    small += ["--set", "evaluation.cross_play=0"]
    play(2)
    with pytest.raises(CommandError, match="3 people or pairs who never played together are needed.* are 2"):
        run(game=game, small=small)
    assert not Round.objects.exists()
    play(6)
    run(game=game, small=small)
    one, proxy = Round.objects.get(), Agent.objects.get(round__number=1)
    assert proxy.kind == proxy.card["kind"] == "people" and proxy.card["parents"] == []
    assert not proxy.parents.exists()
    assert proxy.card["people"] == 2 * proxy.card["held_out"]["people"]["people"]
    assert proxy.card["description"].startswith("Does what people did: cloned in round 1 with 12 marks on 6")
    for url in (reverse("agents:agent", args=[game, "round-1"]), reverse("rounds:round", args=[1])):
        page = adam_client.get(url).content.decode()
        assert "How well it foretells people" in page and "people counted alike" in page
    assert "Make it the human proxy" in page and "Promote" not in page
    assert proxy.card["evaluation"]["people"]["proxy"] == f"{game}/human"

    assert "is human proxy of" in decide("promote")
    assert Alias.objects.get(name="human").agent == proxy
    assert not Alias.objects.filter(name="champion").exists()
    again = launch.create(base, {"evaluation": {"episodes": 4}}, None)
    (tmp_path / "card.json").write_text('{"kind": "reward-model"}')
    for kind in ("reward_model", "agent"):
        again.jobs.filter(kind=kind).update(state=Job.COMPLETED, result={"folder": str(tmp_path)})
    evaluation = again.jobs.get(kind="evaluation")
    assert rounds_steps.evaluation_config(evaluation)["people"] == load_ref(proxy)
    options = [word for name, value in trained.items() for word in (f"--{name}", str(value))]
    call_command("evaluate", "people", "--game", game, "--agent", "base", "--episodes", "1", *options)
    assert capsys.readouterr().out.startswith("base with round-1: ")
    assert "is human proxy of" in decide("rollback")
    assert rounds_steps.evaluation_config(evaluation)["people"] == f"{game}/human"
