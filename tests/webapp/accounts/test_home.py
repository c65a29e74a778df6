"""Everybody lands where their work is."""

from __future__ import annotations

from django.test import Client


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
