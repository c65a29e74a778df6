"""`manage.py signin NAME`."""

from __future__ import annotations

import io
import json

import pytest
from django.core.management import CommandError, call_command
from django.test import Client

from webapp.accounts.models import User


def signin(*arguments: str) -> str:
    out = io.StringIO()
    call_command("signin", *arguments, stdout=out)
    return out.getvalue().strip()


@pytest.mark.parametrize("role", ["player", "annotator", "admin"])
def test_the_people_of_the_start_are_made_when_missing(db, role):
    client = Client()
    client.post("/" + signin(role).split("/", 3)[3])
    assert User.objects.get(pk=client.session["_auth_user_id"]).roles == {role}


def test_roles_that_someone_changed_since_stay_changed(db):
    signin("player")
    User.objects.get(username="player").set_roles({"annotator"})
    signin("player")
    assert User.objects.get(username="player").roles == {"annotator"}


def test_anybody_by_user_name_as_json(pia):
    answer = json.loads(signin("pia", "--json"))
    assert answer["name"] == "pia" and "/accounts/link/" in answer["link"]


def test_nobody_of_that_name_is_said_in_a_sentence(db):
    with pytest.raises(CommandError, match="There is nobody called 'nobody'"):
        signin("nobody")
