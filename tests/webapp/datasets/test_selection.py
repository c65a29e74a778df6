"""Filters of a snapshot: each keeps what it says and nothing else."""

from __future__ import annotations

import uuid
from datetime import UTC, datetime

import pytest

from engine.refusal import Refusal
from webapp.agents.models import Agent
from webapp.annotation.models import Assignment, Mark
from webapp.annotation.queue import close
from webapp.annotation.simulated import simulated_person
from webapp.datasets import selection
from webapp.datasets.selection import Filters
from webapp.episodes.models import Episode

pytestmark = pytest.mark.django_db
OPTIONS = selection.options_of("hanabi", 2)


def episode(user=None, **fields) -> Episode:
    values = {
        "game": "hanabi",
        "rules_version": "1",
        "status": Episode.FINISHED,
        "options": OPTIONS,
        "ticks": 30,
    }
    one = Episode.objects.create(**values | fields)
    if user:
        one.players.add(user)
    return one


def mark(one: Episode, user, sign: int = 1, **fields) -> Mark:
    values = {"id": uuid.uuid4(), "episode": one, "annotator": user, "seat": 0, "tick": 3, "sign": sign}
    return Mark.objects.create(**values | fields)


def found(**given) -> set:
    filters = Filters(game="hanabi", **given)
    chosen = selection.episodes(filters)
    assert selection.counts(filters)["episodes"] == chosen.count()
    return set(chosen.values_list("pk", flat=True))


def test_running_unmarked_and_other_games_are_left_out(anna):
    marked = episode()
    mark(marked, anna)
    mark(episode(status=Episode.RUNNING), anna)
    mark(episode(game="overcooked"), anna)
    unmarked = episode()
    assert found() == {marked.pk}
    assert found(min_marks=0) == {marked.pk, unmarked.pk}
    assert found(min_marks=2) == set()


def test_an_episode_from_before_an_option_counts_as_its_default(anna):
    older = episode(options={name: value for name, value in OPTIONS.items() if name != "discard"})
    other = episode(options={**OPTIONS, "discard": "always"})
    for one in (older, other, now := episode()):
        mark(one, anna)
    assert found(seats=2) == {older.pk, now.pk}
    assert found(options={"discard": "always"}) == {other.pk}


def test_deleted_marks_do_not_count(anna):
    mark(episode(), anna, deleted=True)
    assert found() == set()


def test_simulated_data_is_left_out_unless_asked_for(anna):
    played, simulated = episode(), episode(source="simulated")
    careful = simulated_person("careful")
    mark(played, careful)
    mark(simulated, careful)
    mark(simulated, anna)
    assert found() == set()
    assert found(simulated_episodes=True) == {simulated.pk}
    assert found(simulated_marks=True) == {played.pk}

    def counts(**given):
        of = selection.counts(Filters.from_json({"game": "hanabi", **given}))
        return of["simulated_episodes"], of["simulated_marks"], of["marks"]

    assert counts(simulated_episodes=True) == (1, 0, 1), "people's marks on simulated games alone"
    assert counts(simulated_marks=True) == (0, 1, 1)
    assert counts(include_simulated=True) == (1, 2, 3), "as older rounds and snapshots say it"


def test_marks_that_nobody_asked_for_are_counted_apart_and_can_be_left_out(anna, otto, hand):
    free, asked = episode(), episode()
    mark(free, anna)
    close(hand(asked, otto), Assignment.SUBMITTED)
    assert found() == {free.pk, asked.pk}
    assert found(free_marks=False) == {asked.pk}, "nothing in it was worth a mark"
    mark(late := episode(), otto)
    close(hand(late, otto), Assignment.SUBMITTED)
    mark(free, simulated_person("careful"), tick=5)
    counts = selection.counts(Filters(game="hanabi", simulated_marks=True))
    assert (counts["marks"], counts["free_marks"]) == (3, 1)
    counts = selection.counts(Filters(game="hanabi", simulated_marks=True, free_marks=False))
    assert (counts["marks"], counts["free_marks"]) == (2, 0)


def test_each_filter_keeps_its_own(anna, pia, otto):
    agent = Agent.objects.create(ref="hanabi/bot", name="Bot", game="hanabi", kind="scripted")
    mine = episode(pia, instruction="Colours mean play", started_at=datetime(2026, 3, 5, tzinfo=UTC))
    mine.agents.add(agent)
    other = episode(otto, source="import", started_at=datetime(2026, 5, 5, tzinfo=UTC))
    mark(mine, anna)
    mark(other, otto, sign=-1)
    assert found() == {mine.pk, other.pk}
    assert found(players=[pia.pseudonym]) == {mine.pk}
    assert found(annotators=[otto.pseudonym]) == {other.pk}
    assert found(agents=["hanabi/bot"]) == {mine.pk}
    assert found(sources=["import"]) == {other.pk}
    assert found(since="2026-04-01") == {other.pk}
    assert found(until="2026-03-05") == {mine.pk}
    assert found(instructed="with") == {mine.pk}
    assert found(instructed="without") == {other.pk}
    assert found(instruction="colours") == {mine.pk}


def test_the_marks_of_a_few_episodes_ask_what_was_handed_out_of_those_alone():
    one = uuid.uuid4()
    asked = str(selection.marks(Filters(game="hanabi"), [one]).query).replace("-", "")
    assert asked.count(one.hex) == 2, "else a database looks through all assignments, for each few anew"


def test_agents_that_the_site_has_no_row_of_are_found_by_what_episodes_call_them(anna):
    agent = Agent.objects.create(ref="hanabi/bot", name="Bot", game="hanabi", kind="scripted")
    mark(known := episode(), anna)
    known.agents.add(agent)
    strangers = [{"kind": "agent", "agent": ref, "name": "SPARTA"} for ref in ("hanabi/gone", None)]
    mark(theirs := episode(seats=strangers), anna)
    for name in ("hanabi/gone", "SPARTA"):
        assert found(agents=[name]) == {theirs.pk}
        assert found(agents=["hanabi/bot", name]) == {known.pk, theirs.pk}


def test_games_with_other_options_are_left_out_when_seats_are_named(anna):
    two, three = episode(), episode(options=selection.options_of("hanabi", 3))
    odd = episode(options={**OPTIONS, "ranks": 4})
    for one in (two, three, odd):
        mark(one, anna)
    assert found(seats=2) == {two.pk}
    assert found(seats=3) == {three.pk}
    assert found() == {two.pk, three.pk, odd.pk}


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"game": "chess"}, "chess"),
        (
            {"game": "hanabi", "sources": ["dream"]},
            "sources.0 is 'dream'; it must be play, simulated, import or people",
        ),
        ({"game": "hanabi", "since": "yesterday"}, "must be a day"),
        ({"game": "hanabi", "min_marks": -1}, "from 0 to"),
        ({"game": "hanabi", "min_marks": "3"}, "must be a whole number"),
        ({"game": "hanabi", "seats": True}, "must be a whole number or null"),
        ({"game": "hanabi", "sources": 5}, "must be a list of"),
        ({"game": "hanabi", "players": [1]}, "players.0 is 1; it must be a text"),
        ({"game": "hanabi", "since": None}, "must be a day"),
        ({"game": "hanabi", "options": []}, "must be an object"),
        ({"game": "hanabi", "include_simulated": "yes"}, "must be true or false"),
        ({}, "The filter game is missing"),
        ({"game": "hanabi", "colour": "red"}, "The filter colour isn't known; there are game, seats"),
    ],
)
def test_a_filter_that_makes_no_sense_is_refused_with_a_sentence(given, words):
    with pytest.raises(Refusal, match=words):
        Filters.from_json(given)


def test_of_many_episodes_an_estimate_is_made_unless_the_filters_find_few(anna, monkeypatch):
    """Ids are made by chance; here they are a hundred at equal distances."""
    monkeypatch.setattr(selection, "SAMPLE", 20)
    monkeypatch.setattr(selection, "FEWEST", 10)
    for number in range(100):
        text = "play the newest" if number % 50 == 0 else ""
        one = episode(id=uuid.UUID(int=(number << 128) // 100 + 1), instruction=text)
        mark(one, anna, sign=1 if number % 5 else -1)
    exact = selection.counts(Filters(game="hanabi"))
    assert selection.about(Filters(game="hanabi")) == selection.About(exact, [], 0, 20)
    few = Filters(game="hanabi", instructed="with")
    assert selection.about(few) == selection.About(selection.counts(few), [], 0)
    assert selection.about(few).counts["episodes"] == 2
    Mark.objects.filter(sign=-1, episode__lt=uuid.UUID(int=(20 << 128) // 100)).delete()
    rare = selection.about(Filters(game="hanabi"))
    assert (rare.sample, rare.counts["regression"]) == (None, 16), "none in the sample is not none at all"
    monkeypatch.setattr(selection, "SAMPLE", 50)
    assert selection.about(Filters(game="hanabi")).sample is None, "a hundred are no more than twice as many"
    assert [selection.rough(number) for number in (0, 7.4, 11_840.0, 295_041)] == [0, 7, 12000, 300000]
