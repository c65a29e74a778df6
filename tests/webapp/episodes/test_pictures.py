"""Pictures of an episode for replays that draw no game: those of every tick, for who may see them."""

import base64
import io

import numpy as np
import pytest
from django.urls import reverse
from PIL import Image

from engine.simulation.log import resimulate
from webapp.episodes import pictures, simulated
from webapp.episodes.models import Episode
from webapp.episodes.stores import log_store
from webapp.matches.models import Match, Seat

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def own_folder(settings, tmp_path):
    settings.EPISODES_DIR = tmp_path


@pytest.fixture
def episode(db):
    return simulated.simulate("hanabi", 1, ["hanabi/grounded-bot"], seed=3)[0]


def answer(client, episode, view="open", number=0):
    return client.get(reverse("replays:pictures", args=[episode.pk, view, number]))


def all_of(client, episode, view):
    """Every tick's picture, put together as the page does."""
    found = []
    for number in range(episode.ticks // pictures.TICKS + 1):
        for address in answer(client, episode, view, number).json()["pictures"]:
            found.append(found[-1] if address is None else decoded(address))
    return found


def decoded(address: str) -> np.ndarray:
    return np.asarray(Image.open(io.BytesIO(base64.b64decode(address.partition(",")[2]))))


@pytest.mark.parametrize("view", ["open", "1"])
def test_every_tick_has_its_picture(episode, pia_client, view):
    found = all_of(pia_client, episode, view)
    assert len(found) == episode.ticks + 1
    log = log_store().read(episode.pk)
    for tick in (0, 7, pictures.TICKS, episode.ticks):
        wanted = resimulate(log, tick).picture(None if view == "open" else int(view), pictures.WIDTH)
        assert np.array_equal(found[tick], wanted), tick


def test_what_one_may_not_see_has_none(episode, pia, pia_client):
    assert answer(pia_client, episode, "7").status_code == 404
    assert answer(pia_client, episode, "open", 9).status_code == 404
    Episode.objects.filter(pk=episode.pk).update(status=Episode.RUNNING, digest="")
    match = Match.objects.create(game="hanabi", seed=1, status=Match.PLAYING, episode=episode)
    Seat.objects.create(match=match, index=0, kind="person", user=pia)
    episode.players.add(pia)
    assert answer(pia_client, episode, "0").status_code == 200
    assert [answer(pia_client, episode, view).status_code for view in ("1", "open")] == [404, 404]


def test_a_log_that_is_gone_is_said(episode, pia_client):
    log_store().delete(episode.pk)
    found = answer(pia_client, episode)
    assert found.status_code == 409 and found.json()["error"]
