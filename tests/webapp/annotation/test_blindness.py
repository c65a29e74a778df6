"""Others' marks, gold and agreement stay hidden while one's own marks can change, and what counts is what
stood when it was submitted: in every game, on every page that is made of marks.
"""

from __future__ import annotations

import gzip
import json
import re
import uuid
from collections import Counter
from datetime import timedelta

import pytest
from django.urls import reverse
from django.utils import timezone

from tests.conftest import person
from tests.webapp.annotation.agreed import agreed, changed
from tests.webapp.episodes import battle, kitchen
from webapp.accounts.models import User
from webapp.agents.models import Agent
from webapp.annotation import gold
from webapp.annotation.access import replay_access
from webapp.annotation.counting import counted, place
from webapp.annotation.models import Assignment, Flag, Gold, Look, Mark
from webapp.annotation.queue import close, hand_out, submit_again
from webapp.datasets import selection
from webapp.datasets.models import Marked, Snapshot
from webapp.datasets.selection import Filters
from webapp.episodes.models import Episode
from webapp.matches.models import Match
from webapp.studies.models import Study


@pytest.fixture(params=["hanabi", "overcooked", "arena"])
def episode(request, db, make_episode) -> Episode:
    """A finished episode of each game: Hanabi with five seats, a kitchen with two, two squads of two."""
    if request.param == "hanabi":
        agent = {"kind": "agent", "name": "Convention bot", "agent": "hanabi/convention-bot"}
        return make_episode(seats=[agent] * 5)
    return kitchen.cook() if request.param == "overcooked" else battle.fight()


@pytest.fixture
def study(episode) -> Study:
    """The one study, of the episode's game."""
    Study.objects.all().delete()
    return Study.objects.create(name="The study", game=episode.game, overlap=3, agreement_window=1)


@pytest.fixture
def bert(db) -> User:
    return person("bert", "annotator")


def put(user: User, episode: Episode, *marks: tuple[int, int, int]) -> list[Mark]:
    """Marks (seat, tick, sign) of a person, as rows."""
    return [
        Mark.objects.create(id=uuid.uuid4(), episode=episode, annotator=user, seat=s, tick=t, sign=sign)
        for s, t, sign in marks
    ]


def post(client, user: User, episode: Episode, **fields) -> dict:
    """The server's answer about one mark that a browser posts."""
    mark = {"id": str(uuid.uuid4()), "episode": str(episode.pk), "seat": 1, "tick": 5, "sign": 1}
    body = {"person": str(user.pk), "marks": [mark | {"revision": 1, **fields}]}
    answer = client.post(reverse("replays:marks"), body, content_type="application/json")
    return answer.json()["results"][0]


def submitted(study: Study, user: User, episode: Episode, *marks: tuple[int, int, int]) -> Assignment:
    """What a person was handed, marked and submitted."""
    mine = Assignment.objects.create(
        study=study, episode=episode, annotator=user, expires_at=timezone.now() + timedelta(minutes=30)
    )
    put(user, episode, *marks)
    assert close(mine, Assignment.SUBMITTED)
    mine.refresh_from_db()
    return mine


def let_time_pass(*assignments: Assignment) -> None:
    """Until what was submitted can't be changed any more."""
    ids = [one.pk for one in assignments]
    Assignment.objects.filter(pk__in=ids).update(final_at=timezone.now() - timedelta(seconds=1))


def page_of(client, episode: Episode) -> str:
    return client.get(reverse("replays:replay", args=[episode.pk])).content.decode()


def others(client, episode: Episode) -> list[dict]:
    """Others' marks as the replay page got them."""
    found = re.search(r'id="replay-data" type="application/json">(.*?)</script>', page_of(client, episode))
    return json.loads(found[1])["others"]


def said_anywhere(client, episode: Episode, study: Study, snapshot: Snapshot, mark: Mark) -> str:
    """Everything that a browser gets from pages and endpoints that have to do with marks."""
    addresses = [
        reverse("replays:list"),
        reverse("replays:queue"),
        reverse("replays:replay", args=[episode.pk]),
        reverse("replays:stream", args=[episode.pk]),
        reverse("replays:clips", args=[episode.pk]),
        reverse("replays:mark", args=[mark.pk]),
        reverse("replays:agreement", args=[study.pk]),
        reverse("datasets:snapshot", args=[snapshot.pk]),
        reverse("datasets:list"),
        reverse("studies:list"),
    ]
    return "\n".join(client.get(address).content.decode() for address in addresses)


def snapshot_of(*marks: Mark) -> Snapshot:
    made = Snapshot.objects.create(game=marks[0].episode.game, sha256="a" * 64, folder="nowhere")
    made.episodes.set({mark.episode for mark in marks})
    for (episode, who), count in Counter((mark.episode, mark.annotator) for mark in marks).items():
        Marked.objects.create(snapshot=made, episode=episode, annotator=who, marks=count)
    return made


def test_nobody_copies_what_they_see_after_submitting(study, episode, anna, anna_client, bert):
    """Submit nothing, look, copy, and agree by 100 %: neither is anything to see, nor does the copy count."""
    submitted(study, bert, episode, (1, 5, 1), (0, 9, -1))
    mine = submitted(study, anna, episode)
    assert others(anna_client, episode) == []
    assert bert.pseudonym not in page_of(anna_client, episode)
    assert post(anna_client, anna, episode)["status"] == "saved"
    assert agreed(study)[1].matched == 0, "it was not submitted"
    let_time_pass(mine)
    assert [(one["who"], one["tick"]) for one in others(anna_client, episode)] == [
        (bert.pseudonym, 5),
        (bert.pseudonym, 9),
    ]
    refused = post(anna_client, anna, episode, tick=9, seat=0, sign=-1)
    assert (refused["status"], "its marks are final" in refused["sentence"]) == ("refused", True)
    assert agreed(study)[1].matched == 0


def test_what_stood_when_it_was_submitted_is_what_agreement_and_snapshots_take(study, episode, anna, bert):
    submitted(study, bert, episode, (1, 5, 1))
    mine = submitted(study, anna, episode, (1, 5, 1), (0, 8, -1))
    changed(Mark.objects.get(annotator=anna, tick=5), tick=7, sign=-1)
    changed(Mark.objects.get(annotator=anna, tick=8), deleted=True)
    put(anna, episode, (1, 3, 1))
    assert sorted(map(place, counted([episode]).filter(annotator=anna))) == [
        (0, 8, -1),
        (1, 5, 1),
    ]
    pooled = agreed(study)[1]
    assert (pooled.marks_a + pooled.marks_b, pooled.matched) == (3, 1)
    counts = selection.counts(Filters(game=episode.game, simulated_episodes=True, simulated_marks=True))
    assert (counts["marks"], counts["progress"], counts["regression"]) == (3, 2, 1)
    assert submit_again(mine)
    assert sorted(map(place, counted([episode]).filter(annotator=anna))) == [
        (1, 3, 1),
        (1, 7, -1),
    ]
    counts = selection.counts(Filters(game=episode.game, simulated_episodes=True, simulated_marks=True))
    assert (counts["marks"], counts["progress"], counts["regression"]) == (3, 2, 1)
    assert agreed(study)[1].matched == 0


def test_submitting_again_gives_no_more_time_and_ends_with_it(study, episode, anna, anna_client):
    mine = submitted(study, anna, episode, (1, 5, 1))
    address = reverse("replays:submit", args=[mine.pk])
    put(anna, episode, (1, 7, 1))
    page = anna_client.post(address, {"again": "yes"}, follow=True).content.decode()
    assert "Submitted again" in page
    again = Assignment.objects.get(pk=mine.pk)
    assert (again.final_at, again.closed_at) == (mine.final_at, mine.closed_at)
    Study.objects.update(editable_minutes=10_000)
    let_time_pass(mine)
    put(anna, episode, (1, 8, 1))
    page = anna_client.post(address, {"again": "yes"}, follow=True).content.decode()
    assert "It is too late for that" in page
    assert counted(Episode.objects.all()).filter(annotator=anna).count() == 2
    assert post(anna_client, anna, episode, tick=6)["status"] == "refused", "a longer window reopens nothing"


def test_the_page_says_until_when_marks_may_change_and_what_is_not_submitted(
    study, episode, anna, anna_client
):
    mine = submitted(study, anna, episode, (1, 5, 1))
    page = page_of(anna_client, episode)
    until = f"You can change your marks until {mine.final_at:%H:%M} UTC; then you see how others marked it."
    if mine.final_at.date() == timezone.now().date():
        assert until in page
    assert "not submitted yet" not in page
    queue = anna_client.get(reverse("replays:queue")).content.decode()
    assert re.search(r"may be changed until [^<]*\d\d:\d\d UTC", queue)
    post(anna_client, anna, episode, tick=6)
    assert "1 change not submitted yet" in page_of(anna_client, episode)
    let_time_pass(mine)
    page = page_of(anna_client, episode)
    assert "its marks are final since" in page and "Submit again" not in page
    assert "final: see how others marked it" in anna_client.get(reverse("replays:queue")).content.decode()


@pytest.mark.parametrize("state", ["not handed", "open", "expired", "submitted"])
def test_an_admin_who_annotates_is_told_nothing_anywhere(study, episode, bert, signed_in, adam, state):
    both = person("both", "annotator", "admin")
    client = signed_in(both)
    known = [{"seat": 1, "tick": 13, "sign": -1}]
    Gold.objects.create(study=study, episode=episode, marks=known, note="the trap", created_by=adam)
    (secret,) = put(adam, episode, (1, 13, -1))
    carl = person("carl", "annotator")
    submitted(study, bert, episode, (1, 5, 1))
    submitted(study, carl, episode, (1, 5, 1))
    Flag.objects.create(episode=episode, user=bert, tick=5, note="what a move")
    if state != "not handed":
        mine = Assignment.objects.create(
            study=study, episode=episode, annotator=both, is_gold=True, expires_at=timezone.now()
        )
        Assignment.objects.filter(pk=mine.pk).update(status=state if state != "submitted" else "open")
        if state == "submitted":
            close(mine, Assignment.SUBMITTED)
    page = said_anywhere(client, episode, study, snapshot_of(secret), secret)
    words = [bert.pseudonym, carl.pseudonym, "the trap", "what a move", f"gold of {study.name}"]
    for word in (*words, "known marks"):
        assert word not in page
    assert not re.search(r"at tick 13|Tick</dt><dd>13", page)
    assert not replay_access(both, episode).sees_others
    assert "left out of this page" in page
    if state == "submitted":
        let_time_pass(mine)
        page = said_anywhere(client, episode, study, snapshot_of(secret), secret)
        for word in words:
            assert word in page
        assert "left out" not in page


def test_raters_never_see_what_gold_was_made_from(study, episode, adam, adam_client, anna, anna_client, bert):
    put(adam, episode, (1, 13, -1))
    made = adam_client.post(
        reverse("replays:make-gold", args=[episode.pk]), {"study": study.pk, "note": "the trap"}
    )
    assert made.status_code == 302 and Gold.objects.get().created_by == adam
    submitted(study, bert, episode, (1, 5, 1))
    mine = Assignment.objects.create(
        study=study, episode=episode, annotator=anna, is_gold=True, expires_at=timezone.now()
    )
    for act in (lambda: None, lambda: close(mine, Assignment.SUBMITTED), lambda: let_time_pass(mine)):
        act()
        page = page_of(anna_client, episode)
        assert adam.pseudonym not in page and "the trap" not in page
    assert [one["who"] for one in others(anna_client, episode)] == [bert.pseudonym]


def test_gold_results_are_those_of_what_was_submitted_and_no_oracle(study, episode, adam, anna):
    Study.objects.update(show_gold_results=True)
    known = [{"seat": 1, "tick": 5, "sign": 1}]
    Gold.objects.create(study=study, episode=episode, marks=known, created_by=adam)
    mine = submitted(study, anna, episode, (1, 15, -1))
    Assignment.objects.update(is_gold=True)
    put(anna, episode, (1, 5, 1))
    assert gold.results(study)[0].agreement.matched == 0
    assert gold.results_of(study, anna) is None, "she could try until it is 100 %"
    let_time_pass(mine)
    assert gold.results_of(study, anna).agreement.matched == 0


def test_who_made_gold_is_not_handed_it(study, episode, adam):
    adam.set_roles({"annotator", "admin"})
    Study.objects.update(gold_every=1)
    Gold.objects.create(study=study, episode=episode, marks=[], created_by=adam)
    values = {"rules_version": "1", "seats": episode.seats, "ticks": 20, "status": Episode.FINISHED}
    other = Episode.objects.create(game=episode.game, **values)
    assert hand_out(Study.objects.get(), adam).assignment.episode == other
    assert hand_out(Study.objects.get(), person("carl", "annotator")).assignment.is_gold


def test_an_admin_sees_others_marks_after_a_look_and_marks_no_more(study, episode, adam, adam_client, bert):
    adam.set_roles({"annotator", "admin"})
    submitted(study, bert, episode, (1, 5, 1))
    assert others(adam_client, episode) == [] and "Show other people's marks" in page_of(adam_client, episode)
    assert post(adam_client, adam, episode)["status"] == "saved"
    adam_client.post(reverse("replays:look", args=[episode.pk]))
    assert [one["who"] for one in others(adam_client, episode)] == [bert.pseudonym]
    refused = post(adam_client, adam, episode, tick=6)
    assert "You have looked at other people's marks on this episode" in refused["sentence"]
    assert hand_out(study, adam) is None


def test_nobody_looks_at_what_they_still_mark(study, episode, adam, adam_client, anna_client, bert):
    adam.set_roles({"annotator", "admin"})
    submitted(study, bert, episode, (1, 5, 1))
    mine = hand_out(study, adam).assignment
    address = reverse("replays:look", args=[episode.pk])
    assert anna_client.post(address).status_code == 403
    for act in (lambda: None, lambda: close(mine, Assignment.SUBMITTED)):
        act()
        assert "You are still marking this episode" in adam_client.post(address, follow=True).content.decode()
        assert not Look.objects.exists()
        assert others(adam_client, episode) == []


def test_whoever_downloads_a_snapshot_has_seen_its_marks(
    study, episode, adam, adam_client, bert, settings, tmp_path
):
    from webapp.datasets import snapshot_files, snapshots

    settings.SNAPSHOTS_DIR = tmp_path
    if episode.game == "hanabi":  # a row alone, without a log to put into a snapshot
        episode = kitchen.cook()
    put(bert, episode, (1, 5, 1))
    adam.set_roles({"annotator", "admin"})
    name = str(uuid.uuid4())
    filters = Filters(game=episode.game, simulated_episodes=True, simulated_marks=True)
    snapshot_files.write(filters, tmp_path / name, lambda done, total: None)
    snapshots.export(snapshots.register(name, adam))
    address = reverse("datasets:export", args=[name])
    mine = Assignment.objects.create(
        study=study, episode=episode, annotator=adam, expires_at=timezone.now() + timedelta(minutes=5)
    )
    answer = adam_client.get(address, follow=True)
    assert "You are still marking this episode" in answer.content.decode()
    close(mine, Assignment.SKIPPED, "done elsewhere")
    assert adam_client.get(address)["Content-Disposition"].startswith("attachment")
    assert Look.objects.get(episode=episode).user == adam


@pytest.mark.parametrize(
    ("state", "words"),
    [
        ("skipped", "You skipped this episode"),
        ("expired", "somebody else has it now"),
        ("final", "its marks are final since"),
    ],
)
def test_a_mark_on_what_is_closed_is_refused_and_the_rest_of_the_batch_saved(
    study, episode, make_episode, make_mark, anna, anna_client, bert, state, words
):
    Study.objects.update(overlap=1)
    study.refresh_from_db()
    mine = hand_out(study, anna).assignment
    if state == "skipped":
        close(mine, Assignment.SKIPPED, "too short")
    elif state == "expired":
        Assignment.objects.update(expires_at=timezone.now() - timedelta(seconds=1))
        assert hand_out(study, bert).assignment.episode == episode
    else:
        close(mine, Assignment.SUBMITTED)
        let_time_pass(mine)
    free = make_episode(anna)
    body = {"person": str(anna.pk), "marks": [make_mark(episode), make_mark(free)]}
    answer = anna_client.post(reverse("replays:marks"), body, content_type="application/json")
    closed, other = answer.json()["results"]
    assert (closed["status"], other["status"]) == ("refused", "saved")
    assert words in closed["sentence"]
    assert Mark.objects.get().episode == free
    assert closed["sentence"].replace("'", "&#x27;") in page_of(anna_client, episode)


def test_a_mark_whose_answer_was_lost_is_told_saved_even_when_it_is_too_late(
    study, episode, anna, anna_client
):
    mine = hand_out(study, anna).assignment
    sent = {"id": str(uuid.uuid4()), "tick": 4}
    assert post(anna_client, anna, episode, **sent)["status"] == "saved"
    close(mine, Assignment.SUBMITTED)
    let_time_pass(mine)
    assert post(anna_client, anna, episode, **sent)["status"] == "saved"
    assert post(anna_client, anna, episode, **sent | {"tick": 6, "revision": 2})["status"] == "refused"
    assert [mark.tick for mark in Mark.objects.all()] == [4]


def test_marks_that_were_never_submitted_count_for_nothing(study, episode, anna, otto):
    put(anna, episode, (1, 5, 1))
    assert counted(Episode.objects.all()).count() == 1, "nobody asked her: it counts as it stands"
    mine = hand_out(study, anna).assignment
    assert counted(Episode.objects.all()).count() == 0
    close(mine, Assignment.SKIPPED, "too short")
    assert counted(Episode.objects.all()).count() == 0
    put(otto, episode, (1, 5, 1))
    assert [mark.annotator for mark in counted(Episode.objects.all())] == [otto]


def test_an_episode_is_handed_to_a_person_once_whatever_the_study(study, episode, anna):
    close(hand_out(study, anna).assignment, Assignment.SUBMITTED)
    second = Study.objects.create(name="Another", game=episode.game, overlap=3)
    assert hand_out(second, anna) is None


def test_who_no_longer_annotates_sees_and_marks_nothing_of_it(study, episode, anna, anna_client, bert):
    submitted(study, bert, episode, (1, 5, 1))
    let_time_pass(submitted(study, anna, episode))
    anna.set_roles({"player"})
    assert others(anna_client, episode) == []
    hers = Assignment.objects.get(annotator=anna)
    Assignment.objects.filter(pk=hers.pk).update(status=Assignment.OPEN)
    assert post(anna_client, anna, episode)["sentence"] == "Only annotators mark other people's games."


def test_who_marks_for_a_blind_study_learns_neither_agents_nor_score_nor_source(
    study, episode, anna, anna_client
):
    Episode.objects.filter(pk=episode.pk).update(source="simulated", score=17)
    episode.refresh_from_db()
    episode.agents.add(Agent.objects.create(ref=f"{episode.game}/a", name="A bot", game=episode.game))
    mine = hand_out(study, anna).assignment
    secrets = [seat["name"] for seat in episode.seats if seat["kind"] == "agent" and seat["name"]]
    secrets += [">simulated<", *({episode.result} - {"–"})]

    def told() -> set[str]:
        page = page_of(anna_client, episode)
        shown = re.sub(r'<section class="stage-panel.*?</section>', "", page, flags=re.S)
        listed = anna_client.get(reverse("replays:list")).content.decode()
        stream = anna_client.get(reverse("replays:stream", args=[episode.pk])).content
        stream = gzip.decompress(stream).decode() if stream[:2] == b"\x1f\x8b" else stream.decode()
        where = {"page": shown, "list": listed.split("</form>")[-1], "stream": stream}
        return {f"{name}: {secret}" for name, text in where.items() for secret in secrets if secret in text}

    def found_by() -> list[str]:
        """The questions that the list answers with this episode."""
        asked = ["agent=bot", "agent=greedy", "agent=brawler", "agent=a", "source=simulated", "score_min=3"]
        asked += ["score_max=30", "player=me", f"game={episode.game}", "marked=no"]
        list_of = {one: anna_client.get(f"{reverse('replays:list')}?{one}").context["page"] for one in asked}
        return [one for one, page in list_of.items() if episode in page.object_list]

    assert found_by() == [f"game={episode.game}", "marked=no"]
    assert told() == set()
    assert "Agent 2" in page_of(anna_client, episode)
    close(mine, Assignment.SUBMITTED)
    assert told() == set(), "what was submitted may still change"
    let_time_pass(mine)
    assert {one.partition(": ")[0] for one in told()} >= {"page", "list"}
    assert {"agent=a", "source=simulated", "score_min=3", "score_max=30"} <= set(found_by())
    Assignment.objects.update(status=Assignment.OPEN, final_at=None)
    match = Match.objects.create(
        seed=1, game=episode.game, status=Match.FINISHED, episode=episode, open_to_watch=True
    )
    answer = anna_client.get(reverse("play:after", args=[match.pk]))
    assert answer.url == reverse("replays:replay", args=[episode.pk]), "by its address, too"
    assert anna_client.get(reverse("play:ending", args=[match.pk])).status_code == 404
    Study.objects.update(blind=False)
    assert any(one.startswith("page") for one in told())
