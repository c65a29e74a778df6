"""What the queue's episodes are worth being marked: the worker's job and the command."""

from __future__ import annotations

import json
import uuid
from datetime import timedelta

import pytest
from django.core.management import call_command
from django.core.management.base import CommandError
from django.utils import timezone

from engine.agents.catalogue import load
from engine.evaluation.simulated_episodes import play_logs
from tests.conftest import person
from tests.webapp.annotation.models_of_rounds import round_with_model
from tests.webapp.episodes import battle, kitchen
from webapp.annotation import worth
from webapp.annotation.models import Assignment, Mark, Worth
from webapp.episodes.models import Episode
from webapp.episodes.simulated import add_row
from webapp.episodes.stores import log_store
from webapp.jobs import steps
from webapp.jobs.models import Job
from webapp.studies.models import Study
from workers import sweep

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def own_folders(settings, tmp_path):
    settings.EPISODES_DIR = tmp_path / "episodes"
    settings.JOBS_DIR = tmp_path / "jobs"


def played(seed: int = 5, game: str = "hanabi", agent: str = "hanabi/random", **options) -> Episode:
    """A finished episode of agents alone."""
    *_, log = play_logs(load(agent, game), 1, options, 0.2, (), seed=seed)
    episode = uuid.uuid4()
    header = {**log.header, "episode": str(episode)}
    log_store().append(episode, [header, *log.records])
    return add_row(episode, header, log.records[-1])


def ranked(capsys, game: str = "hanabi") -> dict[uuid.UUID, tuple]:
    """What the job that a worker makes of what is due has found, once it is registered."""
    job = worth.ask(game)
    assert job.queue == Job.SHORT
    _, *arguments = steps.command(job)[1:]
    capsys.readouterr()
    call_command(*arguments)
    said = json.loads(capsys.readouterr().out.strip().splitlines()[-1])
    assert said.pop("type") == "result"
    steps.register(job, said)
    Job.objects.filter(pk=job.pk).update(state=Job.COMPLETED)
    return {row.pk: (row.value, row.round) for row in Worth.objects.all()}


def test_a_short_job_ranks_all_that_is_due_and_only_then_is_there_one(study, tmp_path, capsys):
    first, second = played(1), played(2)
    sweep.rank()
    assert not Job.objects.exists(), "without a reward model there is nothing to ask"
    round_with_model(tmp_path, first, heads=3)
    found = ranked(capsys)
    assert found.keys() == {first.pk, second.pk} and {number for _, number in found.values()} == {1}
    assert found[first.pk][0] != found[second.pk][0] and all(value > 0 for value, _ in found.values())
    assert worth.ask("hanabi") is None
    played(3)
    sweep.rank()
    sweep.rank()
    assert Job.objects.filter(kind=worth.KIND, state=Job.QUEUED).count() == 1, "asked for once"


def test_a_newer_reward_model_ranks_them_again(tmp_path, capsys):
    episode = played()
    round_with_model(tmp_path, episode, heads=3)
    before = ranked(capsys)[episode.pk]
    round_with_model(tmp_path, episode, number=2, heads=3)
    after = ranked(capsys)[episode.pk]
    assert (before[1], after[1]) == (1, 2) and before[0] != after[0]


def test_what_the_newest_cannot_read_an_older_one_may(tmp_path, capsys):
    """Other players, one member, a folder that is gone: the newest that can read it says it, or none."""
    two, three = played(1), played(2, players=3)
    round_with_model(tmp_path, two, heads=3)
    round_with_model(tmp_path, three, number=2, heads=3)
    round_with_model(tmp_path, two, number=3)
    found = ranked(capsys)
    assert (found[two.pk][1], found[three.pk][1]) == (1, 2)
    for number in (1, 2):
        (tmp_path / f"round-{number}" / "reward-model" / "card.json").unlink()
    round_with_model(tmp_path, two, number=4)
    assert set(ranked(capsys).values()) == {(None, None)}
    assert worth.ask("hanabi") is None, "there is nothing more to find out"


def test_another_layout_has_no_worth(tmp_path, pia, capsys):
    episode = kitchen.cook(pia)
    round_with_model(tmp_path, episode, heads=3, card={"options": {"layout": "coordination_ring"}})
    assert ranked(capsys, "overcooked")[episode.pk] == (None, None)


def test_older_rules_and_logs_that_are_gone_are_no_obstacle(tmp_path, capsys):
    older, gone, whole = played(1), played(2), played(3)
    round_with_model(tmp_path, whole, heads=3)
    log = log_store().read(older.pk)
    log_store().delete(older.pk)
    log_store().append(older.pk, [{**log.header, "rules_version": 0}, *log.records])
    log_store().delete(gone.pk)
    found = ranked(capsys)
    assert found[older.pk] == found[gone.pk] == (None, None) and found[whole.pk][1] == 1


def test_what_has_marks_keeps_the_word_of_a_model_that_learned_none_of_them(study, tmp_path, capsys):
    """Whoever may still mark it learns nothing of what others marked, or that they found nothing to mark."""
    begun, marked, reviewed = played(1), played(2), played(3)
    rater = person("bert", "annotator")
    Assignment.objects.create(
        study=study, episode=reviewed, annotator=rater, status="submitted", expires_at=timezone.now()
    )
    Mark.objects.create(
        id=uuid.uuid4(), episode=marked, annotator=rater, seat=0, tick=3, sign=1, deleted=True
    )
    round_with_model(tmp_path, begun, heads=3)
    assert ranked(capsys).keys() == {begun.pk}
    Mark.objects.create(id=uuid.uuid4(), episode=begun, annotator=rater, seat=0, tick=3, sign=1)
    round_with_model(tmp_path, begun, number=2, heads=3)
    assert worth.ask("hanabi") is None and Worth.objects.get().round == 1


def test_a_job_goes_on_where_its_time_was_over(tmp_path, capsys, monkeypatch):
    monkeypatch.setattr(worth, "SECONDS", 0)
    episode = played(1)
    played(2)
    round_with_model(tmp_path, episode, heads=3)
    assert len(ranked(capsys)) == 1
    assert len(ranked(capsys)) == 2


def test_after_one_that_went_wrong_there_is_a_pause(tmp_path):
    round_with_model(tmp_path, played(), heads=3)
    job = worth.ask("hanabi")
    Job.objects.filter(pk=job.pk).update(state=Job.FAILED, finished_at=timezone.now())
    assert worth.ask("hanabi") is None
    Job.objects.filter(pk=job.pk).update(finished_at=timezone.now() - timedelta(hours=2))
    assert worth.ask("hanabi")


def test_what_was_deleted_meanwhile_is_left_out(tmp_path):
    gone = str(uuid.uuid4())
    seen = timezone.now().isoformat()
    worth.keep({"seen": seen, "found": [{"episode": gone, "value": 1.0, "round": 1}]})
    worth.keep({"seen": None, "found": []})
    assert not Worth.objects.exists()


@pytest.mark.parametrize("fields", [{"active": False}, {"random_share": 100}])
def test_games_without_an_active_study_that_goes_by_it_are_not_asked_about(fields, study, tmp_path):
    round_with_model(tmp_path, played(), heads=3)
    Study.objects.update(**fields)
    sweep.rank()
    assert not Job.objects.filter(kind=worth.KIND).exists()
    Study.objects.update(active=True, random_share=99)
    sweep.rank()
    assert Job.objects.filter(kind=worth.KIND).exists()


@pytest.mark.parametrize("which", ["arena", "overcooked", "say_select"])
def test_every_game_has_it(which, tmp_path, capsys):
    if which == "say_select":
        episode = played(5, "say_select", "same-number")
    else:
        episode = battle.fight() if which == "arena" else kitchen.cook(source="people")
    round_with_model(tmp_path, episode, heads=3)
    assert ranked(capsys, which)[episode.pk][1] == 1


def test_the_command_ranks_all_of_it_now(tmp_path, capsys, monkeypatch):
    monkeypatch.setattr(worth, "SECONDS", 0)
    with pytest.raises(CommandError, match="has made a reward model for Hanabi yet"):
        call_command("episodes", "rank", "--game", "hanabi")
    episode = played(1)
    played(2, players=3)
    round_with_model(tmp_path, episode, heads=3)
    call_command("episodes", "rank", "--game", "hanabi", "--json")
    found = json.loads(capsys.readouterr().out.splitlines()[-1])
    assert found == {"game": "hanabi", "ranked": 1, "unread": 1}
    call_command("episodes", "rank", "--game", "hanabi")
    assert "0 episodes ranked; 0 that no reward model can read." in capsys.readouterr().out
