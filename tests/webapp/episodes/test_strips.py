"""The strip of pictures of an episode in lists: from its start to its end, for who may open it, not while it
runs, and never made by the list.
"""

import io

import numpy as np
import pytest
from django.urls import reverse
from PIL import Image

from engine.simulation.log import resimulate
from webapp.episodes import simulated, strips
from webapp.episodes.models import Episode
from webapp.episodes.stores import log_store
from webapp.matches.models import Match

pytestmark = pytest.mark.django_db
AGENTS = {
    "hanabi": "hanabi/grounded-bot",
    "overcooked": "overcooked/greedy",
    "arena": "arena/weak",
    "say_select": "say_select/same-number",
}


@pytest.fixture(autouse=True)
def own_folder(settings, tmp_path):
    settings.EPISODES_DIR = tmp_path


def made(game: str = "hanabi") -> Episode:
    options = {"teams": 2, "team_size": 1, "pace": "short"} if game == "arena" else {}
    return simulated.simulate(game, 1, [AGENTS[game]], seed=3, options=options)[0]


def asked(client, episode):
    return client.get(reverse("replays:strip", args=[episode.pk]))


@pytest.mark.parametrize("game", AGENTS)
def test_every_game_has_a_strip_which_browsers_keep(game, pia_client):
    answer = asked(pia_client, made(game))
    assert answer["Content-Type"] == "image/webp" and "immutable" in answer["Cache-Control"]
    width, height = Image.open(io.BytesIO(answer.content)).size
    assert height <= strips.HEIGHT and strips.MOMENTS * 40 < width <= strips.MOMENTS * (strips.WIDEST + 6)


def test_it_goes_from_the_first_tick_to_the_last():
    episode = made()
    log = log_store().read(episode.pk)
    first, *_, last = pictures = strips.moments(log, episode.ticks)
    assert len(pictures) == strips.MOMENTS
    for picture, tick in ((first, 0), (last, episode.ticks)):
        assert np.array_equal(picture, resimulate(log, tick).picture(None, strips.DRAWN))


def test_an_episode_of_one_tick_has_each_picture_once():
    assert len(strips.moments(log_store().read(made().pk), 1)) == 2


def test_nobody_sees_it_while_the_game_runs_or_is_not_theirs(pia_client, otto_client):
    episode = made()
    Episode.objects.filter(pk=episode.pk).update(public=False)
    assert asked(otto_client, episode).status_code == 404
    Episode.objects.filter(pk=episode.pk).update(public=True, status=Episode.RUNNING)
    Match.objects.create(game="hanabi", seed=1, status=Match.PLAYING, episode=episode)
    assert asked(pia_client, episode).status_code == 404


def test_a_log_that_is_gone_has_none(pia_client):
    episode = made()
    log_store().delete(episode.pk)
    assert asked(pia_client, episode).status_code == 404


def test_the_list_asks_for_strips_and_simulates_nothing_itself(pia_client, monkeypatch):
    over, running = made(), made()
    Episode.objects.filter(pk=running.pk).update(status=Episode.RUNNING)
    monkeypatch.setattr(strips, "walk", None)
    page = pia_client.get(reverse("replays:list")).content.decode()
    assert page.count('loading="lazy"') == 1
    assert reverse("replays:strip", args=[over.pk]) in page
    assert reverse("replays:strip", args=[running.pk]) not in page


def test_filters_are_folded_until_one_is_active_and_say_how_many_are(pia_client):
    def opened(query: str) -> tuple[bool, str]:
        page = pia_client.get(f"{reverse('replays:list')}?{query}").content.decode()
        fold = page[page.index('<details class="panel folded"') :].partition("</summary>")[0]
        return "open" in fold.partition(">")[0], fold

    assert opened("") == (False, opened("page=1")[1])
    is_open, said = opened("game=hanabi&agent=&score_min=2")
    assert is_open and "2 active" in said


def test_games_layouts_and_agents_have_the_names_that_people_use(pia_client):
    made("overcooked")
    page = pia_client.get(reverse("replays:list")).content.decode()
    assert "Overcooked, Cramped room" in page and "2 × Greedy" in page
    assert "cramped_room" not in page and "overcooked/greedy" not in page
