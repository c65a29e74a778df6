"""A reward model's U on a replay: who may see it, what may be asked for, the worker's job, the command."""

from __future__ import annotations

import json
import uuid
from datetime import timedelta

import pytest
from django.core.management import call_command
from django.core.management.base import CommandError
from django.urls import reverse
from django.utils import timezone

from engine.agents.catalogue import load
from engine.evaluation.simulated_episodes import play_logs
from tests.webapp.annotation.models_of_rounds import round_with_model, write_model
from tests.webapp.episodes import battle, kitchen
from webapp.annotation import utility
from webapp.annotation.access import HIDDEN, STILL_RUNNING
from webapp.annotation.models import Assignment, Look
from webapp.annotation.queue import close
from webapp.episodes.models import Episode
from webapp.episodes.simulated import add_row
from webapp.episodes.stores import log_store
from webapp.jobs import steps
from webapp.jobs.models import Job, WorkerHeartbeat

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def own_folders(settings, tmp_path):
    settings.EPISODES_DIR = tmp_path / "episodes"
    settings.JOBS_DIR = tmp_path / "jobs"


def played(game: str = "hanabi", agent: str = "hanabi/random", told: tuple[str, ...] = (), **options):
    """A finished episode of agents alone; with `told` seat 0 has told the others one of it."""
    *_, log = play_logs(load(agent, game), 2, options, 0.2, told, seed=5)
    episode = uuid.uuid4()
    header = {**log.header, "episode": str(episode)}
    log_store().append(episode, [header, *log.records])
    return add_row(episode, header, log.records[-1])


@pytest.fixture
def episode() -> Episode:
    return played(told=("discard oldest",))


@pytest.fixture
def one(episode, tmp_path):
    return round_with_model(tmp_path, episode)


@pytest.fixture
def looked(adam, episode) -> None:
    """adam has asked to see others' marks, and with them U."""
    Look.objects.create(user=adam, episode=episode)


def ask(client, episode, **asked):
    body = {"round": 1, "seat": 1, "instruction": ""} | asked
    return client.post(
        reverse("replays:utility", args=[episode.pk]), json.dumps(body), content_type="application/json"
    )


def work(job: Job, capsys) -> dict:
    """What the job's program says, kept as a worker would keep it."""
    _, *arguments = steps.command(job)[1:]
    capsys.readouterr()
    call_command(*arguments)
    said = json.loads(capsys.readouterr().out.strip().splitlines()[-1])
    assert said.pop("type") == "result"
    Job.objects.filter(pk=job.pk).update(state=Job.COMPLETED, result=said)
    return said


# --- Who may see it --------------------------------------------------------------------------------------


def panel(client, episode) -> str:
    page = client.get(reverse("replays:replay", args=[episode.pk])).content.decode()
    return page.partition('id="utility"')[2].partition("</details>")[0]


def test_annotators_see_it_once_their_own_marks_are_final(episode, one, study, anna, anna_client):
    assert ask(anna_client, episode).json() == {"error": HIDDEN}
    mine = Assignment.objects.create(
        study=study, episode=episode, annotator=anna, expires_at=timezone.now() + timedelta(minutes=9)
    )
    assert ask(anna_client, episode).status_code == 403 and "once your own marks" in panel(
        anna_client, episode
    )
    assert close(mine, Assignment.SUBMITTED)
    assert ask(anna_client, episode).status_code == 403  # they may still change
    Assignment.objects.update(final_at=timezone.now())
    assert ask(anna_client, episode).status_code == 200 and "data-ask" in panel(anna_client, episode)


def test_admins_see_it_once_they_have_looked_and_players_never(episode, one, adam, adam_client, pia_client):
    assert ask(adam_client, episode).status_code == 403
    assert "Show other people" in panel(adam_client, episode)
    adam_client.post(reverse("replays:look", args=[episode.pk]))
    assert ask(adam_client, episode).status_code == 200
    assert ask(pia_client, episode).status_code == 403 and not panel(pia_client, episode)


def test_nobody_sees_it_while_the_game_runs_or_where_it_is_not_theirs(
    episode, one, looked, adam_client, anna_client
):
    Episode.objects.update(status=Episode.RUNNING)
    assert ask(adam_client, episode).json() == {"error": STILL_RUNNING}
    Episode.objects.update(status=Episode.FINISHED, public=False)
    assert ask(anna_client, episode).status_code == 404


def test_another_ones_curve_is_not_cancelled(
    episode, one, looked, adam, adam_client, anna, anna_client, study
):
    job = ask(adam_client, episode).json()["id"]
    Assignment.objects.create(
        study=study, episode=episode, annotator=anna, status="submitted", expires_at=timezone.now()
    )
    address = reverse("replays:utility-cancel", args=[episode.pk, job])
    assert anna_client.post(address).status_code == 404
    assert adam_client.post(address).json()["state"] == "cancelled"
    other = reverse("replays:utility-curve", args=[episode.pk, uuid.uuid4()])
    assert "ask for it again" in adam_client.get(other).json()["error"]


# --- What may be asked for -------------------------------------------------------------------------------


def test_without_a_reward_model_a_sentence_says_so(episode, looked, adam_client):
    found = adam_client.get(reverse("replays:utility", args=[episode.pk])).json()
    assert found == {"models": [], "none": "No round of this site has made a reward model for Hanabi yet."}
    assert ask(adam_client, episode).json()["error"] == found["none"]
    assert reverse("rounds:list") in panel(adam_client, episode)


@pytest.mark.parametrize(
    ("asked", "sentence"),
    [
        ({"round": "x"}, "Name the reward model by the number of its round."),
        ({"round": 7}, "Round 7 has no reward model for Hanabi; there are those of round-1."),
        ({"seat": 2}, "A seat is a number from 0 to 1 here."),
        ({"instruction": 5}, "An instruction is text."),
        ({"instruction": "x" * 501}, "An instruction has at most 500 characters."),
        ({"instruction": "the weather is nice today"}, "That is talk"),
    ],
)
def test_what_cannot_be_drawn_is_refused_with_a_sentence(episode, one, looked, adam_client, asked, sentence):
    answer = ask(adam_client, episode, **asked)
    assert answer.status_code == 400 and answer.json()["error"].startswith(sentence)
    assert not Job.objects.filter(kind="utility").exists()


def test_a_model_of_another_layout_or_number_of_players_says_so(tmp_path, adam, adam_client, pia):
    episode = kitchen.cook(pia)
    Look.objects.create(user=adam, episode=episode)
    one = round_with_model(tmp_path, episode, card={"options": {"layout": "coordination_ring"}})
    assert ask(adam_client, episode).json()["error"] == (
        "The reward model of round 1 was made for coordination ring, and this episode was played in "
        "cramped room."
    )
    one.base_agent.card = {}
    one.base_agent.save()
    one.settings = {"data": {"seats": 4}}
    one.save()
    models = adam_client.get(reverse("replays:utility", args=[episode.pk])).json()["models"]
    assert [row["why_not"] for row in models] == [
        "The reward model of round 1 was made for 4 seats, and this episode has 2."
    ]


# --- The job ---------------------------------------------------------------------------------------------


def test_a_curve_is_a_short_job_and_is_drawn_once(episode, one, looked, adam, adam_client, capsys):
    first = ask(adam_client, episode).json()
    assert (first["state"], first["recorded"], first["no_worker"]) == ("queued", None, True)
    assert ask(adam_client, episode).json()["id"] == first["id"]
    job = Job.objects.get(kind="utility")
    assert job.queue == Job.SHORT
    WorkerHeartbeat.objects.create(name="one")
    assert not ask(adam_client, episode).json()["no_worker"]
    said = work(job, capsys)
    again = ask(adam_client, episode).json()
    assert again["id"] == first["id"] and again["state"] == "completed"
    assert again["recorded"] == said["recorded"] and again["told"] is None
    assert again["recorded"]["ticks"] == list(range(episode.ticks + 1))
    Episode.objects.update(digest="another")
    assert ask(adam_client, episode).json()["id"] != first["id"]


def test_another_instruction_is_read_said_and_drawn_beside_what_was_said(
    episode, one, looked, adam_client, capsys
):
    asked = ask(adam_client, episode, instruction="never play").json()
    assert asked["reading"] and asked["instruction"] == "never play"
    said = work(Job.objects.get(kind="utility"), capsys)
    assert said["told"]["mean"] != said["recorded"]["mean"]


def test_a_curve_that_others_had_drawn_is_told_in_ones_own_words(episode, one, looked, adam_client, capsys):
    first = ask(adam_client, episode, instruction="never play").json()
    work(Job.objects.get(kind="utility"), capsys)
    again = ask(adam_client, episode, instruction="please never play").json()
    assert (again["id"], again["instruction"]) == (first["id"], "please never play")
    assert not again["unsure"] and again["told"]


def test_it_says_when_a_curve_is_drawn_for_a_guess(episode, one, looked, adam_client):
    asked = ask(adam_client, episode, instruction="be careful with fives and whatnot").json()
    assert asked["unsure"] and asked["reading"]


def test_turning_to_another_seat_cancels_what_one_waited_for(episode, one, looked, adam_client):
    first = ask(adam_client, episode, seat=0).json()["id"]
    Job.objects.filter(pk=first).update(state=Job.RUNNING)
    second = ask(adam_client, episode, seat=1).json()["id"]
    assert Job.objects.get(pk=first).state == Job.CANCELLING
    assert Job.objects.get(pk=second).state == Job.QUEUED


def test_what_goes_wrong_in_the_worker_is_a_sentence_without_a_path(
    episode, one, looked, adam_client, tmp_path
):
    ask(adam_client, episode)
    _, *arguments = steps.command(Job.objects.get(kind="utility"))[1:]
    log = log_store().read(episode.pk)
    log_store().delete(episode.pk)
    log_store().append(episode.pk, [{**log.header, "rules_version": 0}, *log.records])
    with pytest.raises(CommandError, match="version 0 of the rules of hanabi"):
        call_command(*arguments)
    (tmp_path / "round-1" / "reward-model" / "card.json").unlink()
    with pytest.raises(CommandError, match="There is no reward model in its round's folder"):
        call_command(*arguments)


def test_only_so_many_are_kept(episode, one, looked, adam_client, monkeypatch):
    monkeypatch.setattr(utility, "MOST_KEPT", 1)
    for seat in (0, 1, 0):
        Job.objects.filter(kind="utility").update(state=Job.FAILED)
        ask(adam_client, episode, seat=seat)
    assert Job.objects.filter(kind="utility").count() == 2


@pytest.mark.parametrize("which", ["arena", "overcooked", "say_select"])
def test_every_game_has_it(which, tmp_path, adam, adam_client, capsys):
    """An episode of a person and agents, an imported one, and one of the smallest game."""
    if which == "say_select":
        episode = played("say_select", "same-number")
    else:
        episode = battle.fight() if which == "arena" else kitchen.cook(source="people")
    Look.objects.create(user=adam, episode=episode)
    round_with_model(tmp_path, episode)
    ask(adam_client, episode, seat=len(episode.seats) - 1)
    curve = work(Job.objects.get(kind="utility"), capsys)["recorded"]
    assert curve["ticks"][0] == 0 and curve["ticks"][-1] == episode.ticks
    assert len(curve["mean"]) == len(curve["ticks"]) and any(curve["mean"])


# --- The command -----------------------------------------------------------------------------------------


def test_the_command_prints_the_values_by_tick(episode, one, capsys):
    name = str(episode.pk)
    call_command("episodes", "utility", name, "--reward-model", "round-1", "--seat", "1")
    assert len(capsys.readouterr().out.splitlines()) == episode.ticks + 1
    asked = ("--reward-model", "1", "--instruction", "never play", "--json")
    call_command("episodes", "utility", name, *asked)
    found = json.loads(capsys.readouterr().out.splitlines()[-1])
    assert (found["seat"], found["instruction"]) == (0, "never play") and found["reading"]
    assert len(found["told"]["mean"]) == len(found["recorded"]["mean"]) == episode.ticks + 1


def test_the_command_takes_a_folder_and_refuses_in_sentences(episode, tmp_path, capsys):
    name = str(episode.pk)
    with pytest.raises(CommandError, match="Name a reward model"):
        call_command("episodes", "utility", name)
    with pytest.raises(CommandError, match="There is no reward model 'nowhere'"):
        call_command("episodes", "utility", name, "--reward-model", "nowhere")
    folder = tmp_path / "three"
    write_model(folder, "hanabi", {"players": 3})
    with pytest.raises(CommandError, match="made for another number of players or another layout"):
        call_command("episodes", "utility", name, "--reward-model", str(folder))
    write_model(folder, "hanabi", {})
    call_command("episodes", "utility", name, "--reward-model", str(folder), "--json")
    assert json.loads(capsys.readouterr().out.splitlines()[-1])["recorded"]["members"] == 1
