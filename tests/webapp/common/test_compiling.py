"""A first start opens while games are compiled: the matches of a game wait until it is."""

import re
from html import unescape

import pytest

from webapp.common import compiling
from webapp.matches.models import Match


@pytest.fixture
def left(settings, tmp_path):
    """Arena is left to be compiled."""
    settings.VAR_DIR = tmp_path
    (tmp_path / "compile-arena").touch()
    return tmp_path / "compile-arena"


def form(game: str, seats: int) -> dict:
    options = {"option_teams": "2", "option_team_size": "1"} if game == "arena" else {}
    return {"game": game, "seat": ["me", *["friend"] * (seats - 1)], "instruction": "hold here", **options}


def asked_again(page: str) -> str:
    """Where the notice looks again."""
    return unescape(re.search(r'id="compiling" hx-get="([^"]*)"', page)[1])


@pytest.mark.django_db
def test_its_lobby_says_so_and_notice_offer_and_tab_change_together(left, pia_client):
    page = pia_client.get("/play/?game=arena").content.decode()
    assert "Arena is being prepared" in page
    again = pia_client.get(asked_again(page)).content.decode()
    assert "is being prepared:" in again, "still"
    for part in re.search(r'hx-select-oob="([^"]*)"', page)[1].split(","):
        assert f'id="{part[1:]}"' in again, "the offer and the tabs come with the notice"
    compiling.compiled("arena")
    ready = pia_client.get(asked_again(again)).content.decode()
    assert "Arena is ready" in ready and "being prepared" not in ready
    assert "/play/arena/picture/" in ready and "Start the first game" in ready
    assert 'id="compiling" hx-get' not in ready, "nothing more to look for"


@pytest.mark.django_db
def test_the_lobby_of_another_game_hears_of_it_too(left, pia_client):
    page = pia_client.get("/play/?game=hanabi").content.decode()
    assert "is being prepared:" not in page and "being prepared</span>Arena" in page
    left.unlink()
    ready = pia_client.get(asked_again(page)).content.decode()
    assert "/play/arena/picture/" in ready and "is ready" not in ready, "this game always was"


@pytest.mark.django_db
def test_its_tab_and_its_first_game_say_so_instead_of_a_broken_picture_and_a_button(left, pia_client):
    for game in ("arena", "hanabi"):
        page = pia_client.get(f"/play/?game={game}").content.decode()
        assert "/play/arena/picture/" not in page and "being prepared</span>Arena" in page
        assert "/play/hanabi/picture/" in page
        assert ("It is being prepared, too." in page) == (game == "arena")
        assert ("Start the first game" in page) == (game != "arena")
    left.unlink()
    page = pia_client.get("/play/?game=arena").content.decode()
    assert "/play/arena/picture/" in page and "being prepared" not in page and "Start the first game" in page


@pytest.mark.django_db
def test_its_matches_are_refused_with_what_was_typed_kept(left, pia_client):
    refused = pia_client.post("/play/new/", form("arena", 2))
    assert refused.status_code == 422
    assert "still being compiled" in refused.content.decode() and "hold here" in refused.content.decode()
    assert not Match.objects.exists()
    assert pia_client.post("/play/new/", {**form("hanabi", 2), "instruction": ""}).status_code == 302
    left.unlink()
    assert pia_client.post("/play/new/", form("arena", 2)).status_code == 302
