"""An agent's page: what it is like to play with comes first, what only researchers read is folded."""

from __future__ import annotations

import re
from datetime import timedelta
from html import escape

import pytest
from django.urls import reverse
from django.utils import timezone

from engine import games
from webapp.agents import cards, shipped
from webapp.agents.models import Agent
from webapp.annotation.models import Assignment
from webapp.annotation.queue import close
from webapp.episodes.models import Episode
from webapp.gallery import views
from webapp.matches.models import Rating
from webapp.studies.models import Study

pytestmark = pytest.mark.django_db


@pytest.fixture
def synced() -> None:
    shipped.sync()


def page_of(client, ref: str) -> str:
    return " ".join(client.get(reverse("agents:agent", args=ref.split("/", 1))).content.decode().split())


@pytest.mark.parametrize(
    "ref", ["hanabi/told", "overcooked/companion-cramped_room", "arena/squad", "say_select/plain-q"]
)
def test_it_leads_with_what_it_is_like_to_play_with(synced, pia_client, ref):
    page = page_of(pia_client, ref)
    assert re.findall(r"<h2>(.*?)</h2>", page)[:2] == ["What it is like to play with", "Scores"]
    assert escape(cards.obeys(Agent.objects.get(ref=ref))) in page


def test_hashes_commands_and_input_names_are_under_a_fold(synced, pia_client):
    agent = Agent.objects.get(ref="overcooked/companion-cramped_room")
    page = page_of(pia_client, agent.ref)
    fold = page[page.index("<summary>For researchers</summary>") :].partition("</details>")[0]
    for text in (agent.sha256, "manage.py evaluate", "engine.learning.ppo", "features version", "lr"):
        word = re.compile(rf"\b{re.escape(text)}\b")
        assert word.search(fold) and not word.search(page.replace(fold, "")), text
    assert "cramped_room" not in re.sub(r"<[^>]*>", "", page.replace(fold, ""))


def test_what_an_agent_obeys_is_said_in_every_game_without_words_of_the_trade(synced):
    for agent in Agent.objects.all():
        told = cards.obeys(agent)
        assert told.endswith(".") and "logits" not in told and " prior " not in told, agent.ref
    assert {agent.game for agent in Agent.objects.all()} == set(games.names())


def test_its_newest_game_stands_there_with_pictures_for_whoever_may_watch_it(synced, pia_client, otto):
    agent = Agent.objects.get(ref="hanabi/learner-1")
    assert "Watch this game" not in page_of(pia_client, agent.ref)
    common = {"game": "hanabi", "rules_version": "1", "status": Episode.FINISHED, "score": 18.0}
    episode = Episode.objects.create(**common)
    episode.agents.add(agent)
    page = page_of(pia_client, agent.ref)
    assert reverse("replays:strip", args=[episode.pk]) in page and "Watch this game: 18 points" in page
    Episode.objects.update(public=False)
    assert "Watch this game" not in page_of(pia_client, agent.ref)


def test_whoever_may_watch_few_of_its_games_waits_for_few_queries(
    synced, pia, monkeypatch, django_assert_num_queries
):
    monkeypatch.setattr(views, "AT_ONCE", 2)
    agent = Agent.objects.get(ref="hanabi/learner-1")
    common = {"game": "hanabi", "rules_version": "1", "status": Episode.FINISHED}
    games_of = [Episode.objects.create(**common, public=False) for _ in range(20)]
    for one in games_of:
        one.agents.add(agent)
    assert views._watched(pia, agent) is None, "the first time reads who they are as well"
    with django_assert_num_queries(2 * views.ROUNDS + 1):
        assert views._watched(pia, agent) is None
    Episode.objects.filter(pk=games_of[0].pk).update(public=True)
    with django_assert_num_queries(2 * views.ROUNDS + 1):
        assert views._watched(pia, agent) == games_of[0]
    Episode.objects.filter(pk=games_of[-1].pk).update(public=True)
    with django_assert_num_queries(2):
        assert views._watched(pia, agent) == games_of[-1]


def test_whoever_marks_a_game_blindly_doesnt_find_it_by_its_agent(synced, anna, anna_client):
    agent = Agent.objects.get(ref="hanabi/learner-1")
    common = {"game": "hanabi", "rules_version": "1", "status": Episode.FINISHED, "score": 18.0}
    episode = Episode.objects.create(**common)
    episode.agents.add(agent)
    strip, gallery = reverse("replays:strip", args=[episode.pk]), reverse("agents:gallery")
    study = Study.objects.create(name="Blind", game="hanabi", blind=True)
    held = Assignment.objects.create(
        study=study, episode=episode, annotator=anna, expires_at=timezone.now() + timedelta(minutes=5)
    )
    assert strip not in page_of(anna_client, agent.ref)
    assert str(episode.pk) not in anna_client.get(gallery).content.decode()
    assert close(held, Assignment.SUBMITTED)
    Assignment.objects.update(final_at=timezone.now())
    assert strip in page_of(anna_client, agent.ref)
    assert str(episode.pk) in anna_client.get(gallery).content.decode()


def test_scores_say_of_how_many_games_they_are(synced, pia_client):
    page = page_of(pia_client, "hanabi/learner-1")
    bars = re.findall(r'<span class="bar-value">(.*?)</span> </div>', page)
    assert bars and all("n " in bar for bar in bars)
    assert "with Convention bot" in page and "with convention-bot" not in page


def test_people_say_how_well_it_followed_them(synced, pia, pia_client):
    from webapp.matches.models import Match, Seat

    agent = Agent.objects.get(ref="hanabi/learner-1")
    common = {"game": "hanabi", "rules_version": "1", "status": Episode.FINISHED, "score": 18.0}
    episode = Episode.objects.create(**common)
    match = Match.objects.create(game="hanabi", seed=1, status=Match.FINISHED, episode=episode)
    Seat.objects.create(match=match, index=0, kind="person", user=pia)
    Seat.objects.create(match=match, index=1, kind="agent", agent=agent)
    Rating.objects.create(episode=episode, seat=0, user=pia, partner_seat=1, followed=6)
    page = page_of(pia_client, agent.ref)
    assert "rated how well it followed their instructions 6.0 of 7, in 1 rating." in page
    assert "As a partner" not in page
