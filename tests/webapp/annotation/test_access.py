"""Who sees which episode, which views of it, how late, and the list of replays."""

import html
import re
import uuid
from datetime import timedelta

import pytest
from django.http import Http404
from django.urls import reverse
from django.utils import timezone

from webapp.agents.models import Agent
from webapp.annotation.access import get_episode_for, replay_access
from webapp.annotation.models import Assignment, Mark
from webapp.common import pages
from webapp.episodes.models import Episode
from webapp.matches.models import Match, Seat
from webapp.studies.models import Study


def running(make_episode, player, ticks=20, **fields):
    """A running episode of a match in which `player` has seat 0."""
    game = fields.setdefault("game", "hanabi")
    episode = make_episode(player, ticks=ticks, status=Episode.RUNNING, score=None, game=game)
    match = Match.objects.create(seed=1, status=Match.PLAYING, episode=episode, **fields)
    Seat.objects.create(match=match, index=0, kind="person", user=player)
    Seat.objects.create(match=match, index=1, kind="agent", hidden=True)
    return episode


def sees(user, episode) -> bool:
    try:
        return get_episode_for(user, episode.pk) == episode
    except Http404:
        return False


def test_public_episodes_are_for_everybody_who_is_signed_in(make_episode, otto):
    assert sees(otto, make_episode())


def test_private_ones_are_for_players_admins_and_those_they_were_handed_to(
    make_episode, study, pia, otto, anna, adam
):
    episode = make_episode(pia, public=False)
    assert [sees(user, episode) for user in (pia, adam, otto, anna)] == [True, True, False, False]
    Assignment.objects.create(study=study, episode=episode, annotator=anna, expires_at=timezone.now())
    assert sees(anna, episode)


def test_a_copilot_sees_the_replay_of_the_game_once_it_is_over(make_episode, pia, otto):
    episode = running(make_episode, pia, open_to_watch=False)
    Episode.objects.filter(pk=episode.pk).update(public=False)
    Seat.objects.filter(match__episode=episode, index=1).update(copilot=otto)
    assert not sees(otto, episode)
    Episode.objects.filter(pk=episode.pk).update(status=Episode.FINISHED)
    for guest_of in (None, episode.pk, uuid.uuid4()):
        otto.guest_of = guest_of
        assert sees(otto, episode) == (guest_of in (None, episode.pk))


def test_signed_out_people_are_sent_to_sign_in(client, make_episode):
    for name in ("replay", "stream"):
        answer = client.get(reverse(f"replays:{name}", args=[make_episode().pk]))
        assert answer.status_code == 302
        assert "/accounts/login/" in answer.url


def test_a_running_game_is_delayed_for_watchers(make_episode, pia, otto):
    Study.objects.filter(game="overcooked").update(watch_delay=5)
    access = replay_access(otto, running(make_episode, pia, game="overcooked"))
    assert (access.last_tick, access.views, access.may_mark) == (15, ("0", "1", "open"), False)


@pytest.mark.parametrize("game", ["hanabi", "arena", "say_select"])
def test_a_running_game_that_hides_something_is_watched_at_its_table(make_episode, pia, otto, adam, game):
    episode = running(make_episode, pia, game=game)
    assert [sees(user, episode) for user in (pia, adam, otto)] == [True, True, False]
    Episode.objects.update(status=Episode.FINISHED)
    assert sees(otto, episode)


def test_a_player_never_sees_the_own_hand_while_playing(make_episode, pia):
    assert replay_access(pia, running(make_episode, pia)).views == ("0",)


def test_a_game_that_is_closed_to_watchers_is_not_found(make_episode, pia, otto, adam):
    episode = running(make_episode, pia, open_to_watch=False)
    assert [sees(user, episode) for user in (pia, adam, otto)] == [True, True, False]


def test_a_hidden_agent_stays_hidden_until_the_end(make_episode, pia, otto_client):
    episode = running(make_episode, pia)
    address = reverse("replays:replay", args=[episode.pk])
    assert "Convention bot" not in otto_client.get(address).content.decode()
    Episode.objects.update(status=Episode.FINISHED)
    assert "Convention bot" in otto_client.get(address).content.decode()


def test_other_people_are_shown_by_pseudonym(make_episode, pia, otto_client, pia_client):
    address = reverse("replays:replay", args=[make_episode(pia).pk])
    page = otto_client.get(address).content.decode()
    assert pia.pseudonym in page
    assert "pia@" not in page
    assert "You + Convention bot" in pia_client.get(address).content.decode()


@pytest.fixture
def library(make_episode, pia, otto):
    """Episodes that differ in everything one can filter by."""
    own = make_episode(pia, score=21, instruction="play what I hint")
    make_episode(otto, score=7, source="import")
    simulated = make_episode(source="simulated", score=25)
    Mark.objects.create(
        id="11111111-1111-4111-8111-111111111111", episode=simulated, annotator=pia, seat=1, tick=5, sign=1
    )
    make_episode(public=False)
    return {"own": own, "simulated": simulated}


@pytest.mark.parametrize(
    ("query", "count"),
    [
        ("", 3),
        ("player=me", 1),
        ("source=simulated", 1),
        ("score_min=20", 2),
        ("score_min=20&score_max=22", 1),
        ("instruction=HINT", 1),
        ("marked=me", 1),
        ("marked=no", 2),
        ("agent=convention-bot", 3),
        ("agent=nobody", 0),
        ("game=overcooked", 0),
        ("score_min=abc&page=99&after=99", 3),
    ],
)
def test_filters_stand_in_the_url(library, pia_client, query, count):
    said = {"name": "Convention bot", "game": "hanabi", "kind": "scripted"}
    bot, _ = Agent.objects.get_or_create(ref="hanabi/convention-bot", defaults=said)
    for episode in Episode.objects.all():
        episode.agents.add(bot)
    page = pia_client.get(f"{reverse('replays:list')}?{query}").content.decode()
    assert page.count('<li class="panel shown">') == count


def test_the_list_has_a_fixed_number_of_queries(make_episode, pia, pia_client, django_assert_num_queries):
    for _ in range(3):
        running(make_episode, pia)
        make_episode(pia)
    pia_client.get(reverse("replays:list"))
    with django_assert_num_queries(7):  # what is on one page isn't counted
        pia_client.get(reverse("replays:list"))
    for _ in range(40):
        make_episode()
    with django_assert_num_queries(8):
        page = pia_client.get(reverse("replays:list")).content.decode()
    assert "46 episodes" in page and "Oldest" in page and "Newest" not in page


@pytest.mark.parametrize("searched", ["instruction=eights", "format=csv", "kind=pairs"])
def test_a_search_of_texts_looks_through_some_episodes_and_leads_on_to_the_others(
    make_episode, pia_client, monkeypatch, searched
):
    monkeypatch.setattr(pages, "REACH", 3)
    oldest, *_ = [make_episode(started_at=timezone.now() - timedelta(days)) for days in (9, 5, 4, 3, 2)]
    oldest.instruction, oldest.origin = "hint eights", {"format": "csv", "kind": "pairs"}
    oldest.save()
    first = pia_client.get(f"{reverse('replays:list')}?{searched}").content.decode()
    assert "No episode matches these filters here" in first and "3 were looked" in first
    further = html.unescape(re.search(r'href="([^"]+)">Look at older ones', first)[1])
    assert str(oldest.pk) in pia_client.get(f"{reverse('replays:list')}{further}").content.decode()


def test_an_empty_list_says_what_to_do(pia_client):
    assert "Nobody has played yet" in pia_client.get(reverse("replays:list")).content.decode()
