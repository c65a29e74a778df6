"""The counts that the database keeps are always those of the rows, whatever writes them."""

from __future__ import annotations

import uuid
from collections import Counter
from dataclasses import replace
from datetime import timedelta
from itertools import combinations

import pytest
from django.core.management import call_command
from django.db import connection, transaction
from django.db.models import Count, Q
from django.urls import reverse
from django.utils import timezone

from engine.evaluation.agreement import agree
from tests.webapp.annotation.agreed import changed
from webapp.agents.models import Agent
from webapp.annotation import agreement, kept
from webapp.annotation.counting import counted, freeze, place
from webapp.annotation.models import Assignment, ComparedPair, Handed, InQueue, Mark, Tally, Worth
from webapp.annotation.queue import close, submit_again
from webapp.annotation.worth import finished
from webapp.episodes.models import Collected, Episode, UnknownAgent
from webapp.studies.models import Study

TAKING = Q(assignments__status__in=("open", "submitted"), assignments__is_gold=False)


def tallies_by_hand() -> dict:
    """{(episode, annotator): [standing, progress, regression]} of all marks."""
    found = {
        (row["episode"], row["annotator"]): [row["n"], 0, 0]
        for row in Mark.objects.values("episode", "annotator").annotate(
            n=Count("pk", filter=Q(deleted=False))
        )
    }
    for mark in counted(Episode.objects.all()):
        found[mark.episode_id, mark.annotator_id][1 if place(mark)[2] == 1 else 2] += 1
    return found


def queues_by_hand() -> dict:
    """{(study, episode): [source, taken, judge, worth]} of all studies."""
    found = {}
    for study in Study.objects.all():
        taken = Count("assignments", filter=TAKING & Q(assignments__study=study))
        for one in finished(study.game).annotate(n=taken).select_related("worth"):
            worth = getattr(one, "worth", None)
            found[study.pk, one.pk] = [
                one.source,
                one.n,
                worth and worth.round,
                worth and worth.value,
            ]
    return found


def pairs_by_hand() -> dict:
    """{(study, episode, a, b): the sorted marks of both that were submitted, by (seat, tick, sign)}."""
    found = {}
    done = list(Assignment.objects.filter(status=Assignment.SUBMITTED).order_by("annotator"))
    stood = sorted(Mark.objects.filter(submitted__isnull=False), key=place)
    for a, b in combinations(done, 2):
        if (a.study_id, a.episode_id) == (b.study_id, b.episode_id):
            found[a.study_id, a.episode_id, a.annotator_id, b.annotator_id] = [
                [place(m) for m in stood if (m.episode_id, m.annotator_id) == (a.episode_id, who)]
                for who in (a.annotator_id, b.annotator_id)
            ]
    return found


def compare_all() -> None:
    for study in Study.objects.all():
        while agreement.compare(study, 2):
            pass


def check_pairs() -> None:
    """What isn't waiting is what the rows say."""
    wanted = pairs_by_hand()
    rows = {(row.study_id, row.episode_id, row.a_id, row.b_id): row for row in ComparedPair.objects.all()}
    assert rows.keys() == wanted.keys()
    for key, row in rows.items():
        if row.window is not None:
            a, b = wanted[key]
            agreed = agree([(row.episode.ticks, a, b)], row.window)
            assert (row.marks_a, row.marks_b, row.matched) == (len(a), len(b), agreed.matched)
            assert (row.expected, row.corrected) == (agreed.expected_matched, agreed.corrected)


def check_sums() -> None:
    """How far everybody is, and how many of people's games there are from where."""
    handed = Counter(Assignment.objects.values_list("study", "annotator", "status"))
    rows = Handed.objects.exclude(number=0)
    assert {(row.study_id, row.annotator_id, row.status): row.number for row in rows} == handed
    collected = Counter(
        (one.game, *map(one.origin.get, kept.TOLD)) for one in Episode.objects.filter(source="people")
    )
    assert {tuple(row.told): row.number for row in Collected.objects.exclude(number=0)} == collected
    known = set(Agent.objects.values_list("ref", flat=True))
    named = {
        (one.pk, seat.get("agent") or seat["name"])
        for one in Episode.objects.all()
        for seat in one.seats
        if seat["kind"] == "agent" and (seat.get("agent") or seat["name"])
    }
    linked = set(Episode.agents.through.objects.values_list("episode", "agent__ref"))
    rows = set(UnknownAgent.objects.values_list("episode", "ref"))
    # One that got its row later, too.
    assert {(pk, ref) for pk, ref in named if ref not in known} <= rows <= named - linked


def check() -> None:
    check_pairs()
    check_sums()
    rows = Tally.objects.all()
    assert {
        (row.episode_id, row.annotator_id): [row.standing, row.progress, row.regression] for row in rows
    } == tallies_by_hand()
    places = InQueue.objects.all()
    assert {
        (row.study_id, row.episode_id): [row.source, row.taken, row.judge, row.worth] for row in places
    } == queues_by_hand()


def mark(episode, who, tick, **fields) -> Mark:
    values = {"seat": 1, "tick": tick, "sign": 1} | fields
    return Mark.objects.create(id=uuid.uuid4(), episode=episode, annotator=who, **values)


def assign(study, episode, who, status=Assignment.OPEN, **fields) -> Assignment:
    until = timezone.now() + timedelta(hours=1)
    return Assignment.objects.create(
        study=study, episode=episode, annotator=who, status=status, expires_at=until, **fields
    )


def test_kept_counts_equal_the_rows_whatever_is_written(make_episode, anna, otto):
    study = Study.objects.filter(game="hanabi").first()
    one, two, three = (make_episode(anna), make_episode(), make_episode(status=Episode.RUNNING, ticks=0))
    check()
    assert InQueue.objects.filter(study=study).count() == 2
    own = [mark(one, anna, tick, sign=-1 if tick == 2 else 1) for tick in (1, 2, 3)]
    mark(one, otto, 1)
    check()
    held = assign(study, one, anna)  # what was free counts no more until it is submitted
    check()
    freeze(anna, one)
    Assignment.objects.filter(pk=held.pk).update(status=Assignment.SUBMITTED)
    changed(own[0], deleted=True, sign=-1)
    check()
    assert Tally.objects.get(episode=one, annotator=anna).progress == 2  # as it was submitted
    Mark.objects.bulk_create(
        [Mark(id=uuid.uuid4(), episode=two, annotator=otto, seat=0, tick=t, sign=1) for t in (1, 2)],
        ignore_conflicts=True,
    )
    assign(study, two, anna, is_gold=True)
    assign(study, two, otto, status=Assignment.SKIPPED)
    check()
    Episode.objects.filter(pk=three.pk).update(status=Episode.FINISHED, ticks=4)
    check()
    Worth.objects.create(episode=two, value=0.5, round=3, seen=timezone.now())
    Worth.objects.filter(episode=two).update(value=0.7)
    check()
    more = Study.objects.create(name="More", game="hanabi", overlap=1)
    check()
    Study.objects.filter(pk=more.pk).update(game="overcooked")
    check()
    assert not InQueue.objects.filter(study=more).exists()
    Worth.objects.all().delete()
    Assignment.objects.filter(annotator=anna).delete()
    Mark.objects.filter(annotator=otto).delete()
    Episode.objects.filter(pk=two.pk).update(for_annotators=False)
    check()
    assert Tally.objects.count() == 1
    three.delete()
    check()


def test_what_is_submitted_while_it_is_compared_is_compared_again(make_episode, anna, otto, monkeypatch):
    study = Study.objects.filter(game="hanabi").first()
    episode = make_episode(ticks=9)
    held = [assign(study, episode, who) for who in (anna, otto)]
    mark(episode, anna, 3)
    assert all(close(one, Assignment.SUBMITTED) for one in held)

    def meanwhile(*given):
        monkeypatch.undo()
        mark(episode, otto, 3)
        assert submit_again(held[1])
        return agree(*given)

    monkeypatch.setattr(agreement, "agree", meanwhile)
    assert agreement.compare(study, 9) == 1
    assert agreement.waiting(study).count() == 1
    compare_all()
    check_pairs()
    assert ComparedPair.objects.get().matched == 1


def test_pairs_are_compared_once_and_anew_when_anything_of_theirs_changes(make_episode, anna, otto, adam):
    study = Study.objects.filter(game="hanabi").first()
    one, two = make_episode(ticks=9), make_episode(ticks=9)

    def submit(who, episode, *ticks):
        held = assign(study, episode, who)
        for tick in ticks:
            mark(episode, who, tick)
        assert close(held, Assignment.SUBMITTED)
        return held

    def waiting() -> int:
        check_pairs()
        return agreement.waiting(study).count()

    mine = submit(anna, one, 1, 5)
    assert waiting() == 0, "nobody else has submitted it"
    submit(otto, one, 2)
    submit(otto, two)
    assert waiting() == 1
    submit(adam, one, 8)
    submit(anna, two, 3)
    assert waiting() == 4
    compare_all()
    assert waiting() == 0 and ComparedPair.objects.count() == 4
    changed(Mark.objects.get(annotator=anna, tick=5), tick=6)
    assert waiting() == 0, "what was submitted is as it was"
    assert submit_again(mine)
    assert waiting() == 3, "of this episode"
    compare_all()
    study.agreement_window = study.window + 3
    study.save()
    assert waiting() == 4 and not agreement.compared(study).exists()
    compare_all()
    Assignment.objects.filter(annotator=otto, episode=one).update(status=Assignment.SKIPPED)
    assert waiting() == 0 and ComparedPair.objects.count() == 2
    Assignment.objects.filter(annotator=otto, episode=one).update(status=Assignment.SUBMITTED)
    assert waiting() == 2, "those of otto's"
    compare_all()
    Assignment.objects.filter(annotator=anna).delete()
    Mark.objects.filter(annotator=adam).delete()
    assert waiting() == 1
    compare_all()
    kept.refill()
    assert waiting() == 1


def test_sums_follow_what_is_written_many_rows_at_once_too(make_episode, anna, otto):
    study = Study.objects.filter(game="hanabi").first()
    told = {"format": "x", "kind": "it's", "title": 'a "b"', "year": 2020}
    some = [make_episode(source="people", origin=told | {"id": str(n)}) for n in range(3)]
    other = make_episode(source="people", origin={"format": "y"})
    check_sums()
    assert sorted(Collected.objects.values_list("number", flat=True)) == [1, 3]
    Episode.objects.filter(pk=other.pk).update(origin=told)
    Episode.objects.filter(pk=some[0].pk).update(source="import")
    check_sums()
    assign(study, some[0], anna)
    until = timezone.now() + timedelta(hours=1)
    rows = [
        Assignment(study=study, episode=one, annotator=who, expires_at=until)
        for one in (*some, other)
        for who in (anna, otto)
    ]
    with transaction.atomic(), kept.once("replays_assignment", [one.pk for one in (*some, other)]):
        Assignment.objects.bulk_create(rows[1:])
    check_sums()
    Assignment.objects.filter(annotator=otto).update(status=Assignment.SUBMITTED)
    check_sums()
    Assignment.objects.filter(episode=some[1]).delete()
    other.assignments.all().delete()
    other.delete()
    check_sums()
    kept.refill()
    check_sums()


def test_what_episodes_call_agents_is_kept_where_the_site_has_none_of_that_name(make_episode, anna_client):
    """One that is taken in with its row, one that lies in a folder, one of which only a name is told."""
    Agent.objects.create(ref="hanabi/here", name="Here", game="hanabi", kind="scripted")
    seats = [("hanabi/here", "Here"), ("hanabi/gone", "Old friend"), (None, "SPARTA"), ("hanabi/gone", "")]
    given = [{"kind": "agent", "agent": ref, "name": name} for ref, name in seats]
    person = {"kind": "person", "agent": None, "name": "hanabi/nobody", "pseudonym": "hanabi/nobody"}
    first = make_episode(seats=[*given, person])
    make_episode(seats=[*given[:1], person])
    check_sums()
    assert set(UnknownAgent.objects.values_list("ref", flat=True)) == {"hanabi/gone", "SPARTA"}
    Agent.objects.create(ref="hanabi/gone-2", name="Gone", game="hanabi", kind="scripted").episodes.add(
        other := make_episode(seats=[person])
    )

    def found(name: str) -> set:
        page = anna_client.get(reverse("replays:list"), {"agent": name})
        return {episode.pk for episode, *_ in page.context["rows"]}

    assert found("gone") == {first.pk, other.pk}, "by what it is called, beside those that have rows"
    assert found("sparta") == {first.pk}
    assert found("nobody") == set()
    Agent.objects.create(ref="hanabi/gone", name="Back", game="hanabi", kind="scripted")
    kept.refill()
    check_sums()
    assert found("gone") == {first.pk, other.pk}, "though its row came later"
    first.delete()
    check_sums()


@pytest.mark.django_db
def test_refilling_changes_nothing_but_what_is_drawn(make_episode, anna):
    study = Study.objects.filter(game="hanabi").first()
    for n in range(3):
        mark(make_episode(), anna, n + 1)
    assign(study, make_episode(), anna)
    kept.refill()
    check()
    kept.remove()
    mark(make_episode(), anna, 1)
    kept.install()  # where a trigger was missing, all is counted again
    check()
    assert Tally.objects.count() == 4


@pytest.mark.django_db
def test_triggers_of_another_version_are_made_anew_by_a_migrate_that_has_nothing_else_to_do(
    make_episode, anna
):
    one = next(one for one in kept.TRIGGERS if one.stem == "keep_replays_mark_insert")
    other = replace(one, does=(kept.FORGET,))
    kept.remove()
    with connection.cursor() as cursor:
        for trigger in (other, *(each for each in kept.TRIGGERS if each is not one)):
            for statement in kept._made(trigger, connection.vendor)[1]:
                cursor.execute(statement)
    mark(make_episode(), anna, 1)
    assert not kept.is_current() and not Tally.objects.exists()
    call_command("migrate", verbosity=0)
    check()
    assert kept.is_current() and Tally.objects.count() == 1
    mark(make_episode(), anna, 2)
    check()


def test_what_a_trigger_says_is_in_its_name_and_is_said_to_older_sqlites_too():
    one = kept.Trigger("replays_mark", "INSERT", (kept.FORGET,))
    other = kept.Trigger("replays_mark", "INSERT", (kept.COUNT,))
    assert kept._made(one, "sqlite")[0] != kept._made(other, "sqlite")[0]
    assert not [one for one in kept.TRIGGERS if "->>" in kept._made(one, "sqlite")[1][0]]  # needs 3.38
