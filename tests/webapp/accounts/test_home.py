"""Everybody lands where their work is."""

from __future__ import annotations

import pytest
from django.test import Client

from webapp.studies.models import Study


def test_a_player_lands_in_the_lobby(pia_client):
    assert pia_client.get("/")["Location"] == "/play/"


def test_an_annotator_lands_on_the_queue(anna_client):
    assert anna_client.get("/")["Location"].startswith("/replays/")


def test_an_admin_lands_on_the_rounds(adam_client):
    assert adam_client.get("/")["Location"] == "/rounds/"


def test_an_admin_who_also_plays_lands_on_the_rounds(adam, adam_client):
    adam.set_roles({"admin", "player", "annotator"})
    assert adam_client.get("/")["Location"] == "/rounds/"


def test_a_stranger_is_asked_to_sign_in(db):
    assert Client().get("/")["Location"].startswith("/accounts/login/")


def test_the_header_lights_annotate_where_one_learns_to_mark(anna_client, adam_client):
    def lit(client, path):
        return [name for name, _, here in client.get(path).context["navigation"] if here]

    assert lit(anna_client, "/replays/tutorial/?game=hanabi") == ["Annotate"]
    assert lit(anna_client, "/replays/guidelines/?game=hanabi") == ["Annotate"]
    assert lit(anna_client, "/replays/tutorial/play/?game=hanabi") == ["Play"]
    assert lit(adam_client, "/replays/guidelines/?game=hanabi") == ["Replays"], (
        "an admin isn't handed episodes"
    )


@pytest.mark.parametrize(
    ("path", "label"),
    [
        ("/play/", "Play"),
        ("/replays/", "Replays"),
        ("/rounds/new/", "Rounds"),
        ("/datasets/", "Rounds"),
        ("/datasets/instructions/", "Rounds"),
        ("/replays/agreement/{study}/", "Studies"),
        ("/accounts/", "Account"),
        ("/accounts/keys/", "Keys"),
        ("/accounts/people/", "People"),
        ("/settings/language/", "Language model"),
    ],
)
def test_the_header_lights_the_one_place_where_one_is(adam_client, path, label):
    answer = adam_client.get(path.format(study=Study.objects.first().pk))
    entries = [*answer.context["navigation"], *answer.context["person_menu"]]
    assert [name for name, _, here in entries if here] == [label]
    header = answer.content.decode().partition("</header>")[0]
    assert header.count("aria-current=") == 1
