"""A whole round with the real programs, small: from marks to a candidate that plays, and provenance both
ways."""

from __future__ import annotations

import json
import uuid
from pathlib import Path

import pytest
from django.conf import settings
from django.core.management import CommandError, call_command
from django.urls import reverse

from engine.agents import catalogue
from engine.games import people
from engine.simulation.jit import CACHE_FOLDER
from tests.engine import made_people
from tests.webapp.cast import small_network
from tests.workers.worker import database_url
from webapp.agents.models import Agent, Alias
from webapp.agents.resolve import load_ref, resolve
from webapp.datasets import snapshot_reading, snapshots
from webapp.replays import recorded
from webapp.replays.models import Episode, Mark
from webapp.rounds import launch
from webapp.rounds.models import Job, Round
from workers import steps

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.slow]
SMALL = [
    *("--set", "evaluation.episodes=10"),
    *("--set", "agent.moves=512", "--set", "agent.envs=8", "--set", "agent.steps=16"),
    *("--set", "agent.evaluation_games=8", "--set", "reward_model.steps=10"),
]


@pytest.fixture
def run(monkeypatch, capsys):
    """`manage.py rounds run` with children on the test's database; returns its JSON."""
    monkeypatch.setenv("COPLAY_DATABASE_URL", database_url())
    monkeypatch.setenv("COPLAY_VAR", str(settings.VAR_DIR))
    # What this process has compiled, children need not compile again.
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(CACHE_FOLDER))

    def command(*args: str, game: str = "hanabi", small: list[str] = SMALL) -> dict:
        call_command("rounds", "run", "--game", game, "--size", "tiny", "--json", *small, *args)
        return json.loads(capsys.readouterr().out.splitlines()[-1])

    return command


def test_a_round_makes_a_candidate_with_its_provenance(run, anna, adam_client):
    base = small_network()
    with pytest.raises(CommandError, match="nothing to learn from"):
        run("--base", "little")
    call_command("rounds", "list", "--json")
    said = run("--base", "little", "--annotators", "simulated", "--episodes", "4")
    one = Round.objects.get()
    candidate = resolve("hanabi", "candidate")

    assert said["candidate"] == candidate.ref == f"hanabi/round-{one.number}"
    assert [job.state for job in one.jobs.all()] == [Job.COMPLETED] * 5
    assert list(candidate.parents.all()) == [base]
    assert candidate.card["snapshot"]["sha256"] == one.snapshot.sha256
    assert candidate.card["simulated_marks"] is True
    assert candidate.card["parents"][0]["sha256"] == base.sha256
    assert "hanabi/little" in candidate.card["evaluation"]["cross_play"]
    assert catalogue.load(load_ref(candidate)).game == "hanabi"
    assert set(said["rounds"][0]["held_out"]) == {"model", "shuffled", "clock", "untrained"}
    for kind in ("reward_model", "agent"):
        assert list((steps.out(one.jobs.get(kind=kind)) / "events").glob("events.*")), kind

    page = adam_client.get(reverse("agents:agent", args=["hanabi", f"round-{one.number}"])).content.decode()
    assert one.snapshot.sha256[:12] in page and "simulated" in page
    assert Agent.objects.filter(round__snapshot__marks__mark=Mark.objects.first()).get() == candidate
    page = adam_client.get(reverse("rounds:round", args=[one.number]))
    assert page.context["comparison"]["verdict"]
    assert page.context["reward_model"]["rows"][0]["title"] == "this model"

    # The work of the last job is done once, however often it is registered.
    job = one.jobs.get(kind="candidate")
    before = candidate.sha256
    steps.register(job, job.result)
    assert Agent.objects.filter(round=one).count() == 1
    assert resolve("hanabi", "candidate").sha256 == before


def test_marks_of_people_are_in_the_snapshot_beside_simulated_ones(run, anna):
    small_network()
    run("--base", "little", "--annotators", "simulated", "--episodes", "3")
    episode = Episode.objects.first()
    mine = Mark.objects.create(id=uuid.uuid4(), episode=episode, annotator=anna, seat=0, tick=2, sign=-1)
    said = run("--base", "little", "--annotators", "simulated", "--episodes", "1")
    snapshot = Round.objects.get(number=2).snapshot
    assert snapshot.marks.filter(mark=mine).exists()
    assert said["rounds"][0]["snapshot"]["raters"] == 3
    rows = snapshot_reading.read_table(Path(snapshots.folder_of(snapshot)), "marks")
    assert {row["rater"]: row["simulated"] for row in rows}[anna.pseudonym] is False


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
    assert "Make it the proxy" in page and "Promote" not in page
    assert proxy.card["evaluation"]["people"]["proxy"] == f"{game}/human"

    assert "is proxy of people of" in decide("promote")
    assert Alias.objects.get(name="human").agent == proxy
    assert not Alias.objects.filter(name="champion").exists()
    again = launch.create(base, {"evaluation": {"episodes": 4}}, None)
    (tmp_path / "card.json").write_text('{"kind": "reward-model"}')
    for kind in ("reward_model", "agent"):
        again.jobs.filter(kind=kind).update(state=Job.COMPLETED, result={"folder": str(tmp_path)})
    evaluation = again.jobs.get(kind="evaluation")
    assert steps.evaluation_config(evaluation)["people"] == load_ref(proxy)
    options = [word for name, value in trained.items() for word in (f"--{name}", str(value))]
    call_command("evaluate", "people", "--game", game, "--agent", "base", "--episodes", "1", *options)
    assert capsys.readouterr().out.startswith("base with round-1: ")
    assert "is proxy of people of" in decide("rollback")
    assert steps.evaluation_config(evaluation)["people"] == f"{game}/human"
