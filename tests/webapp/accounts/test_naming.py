"""Names: nothing unseen in them, nobody else's part; older ones are shown without what can't be seen."""

from __future__ import annotations

import pytest

from engine.refusal import Refusal
from webapp.accounts import naming
from webapp.accounts.models import User
from webapp.studies.forms import StudyForm


@pytest.mark.parametrize(
    "name",
    ["Pia", "Jürgen Müller", "李小龙", "Мария", "أحمد", "O'Brien", "Ann-Marie 2", "J. R.", "Badminton Bo",
     "Rooted", "Pia the Player", "Agent Smith", "José", "Zoë 🎲", "Modest", "Hosta",
     "Anna Root", "J. Root", "علی\u200cرضا", "क्\u200dष", ""],
)  # fmt: skip
def test_names_that_people_have_are_taken(name):
    assert naming.checked(f"  {name}  ") == name


@pytest.mark.parametrize(
    "name",
    [
        "Pia\u202eaip",
        "Pia\u200b",
        "\u2066Pia\u2069",
        "P\u00adia",
        "\u3164",
        "a\u2800b",
        "Pia\ufe0f",
        "Pia\u200d",
        "a\U000e0041b",
        "Pi\u200ca",
        "Ad\u200dmin",
        "علی\u200c",
    ],
)
def test_what_cannot_be_seen_is_refused_and_not_shown(name):
    with pytest.raises(Refusal, match="can't be seen"):
        naming.checked(name)
    assert not set(naming.seen(name)) & set(
        "\u202e\u200b\u2066\u2069\u00ad\u3164\u2800\ufe0f\u200d\U000e0041"
    )


@pytest.mark.parametrize(
    "name",
    ["Admin", "admin", "ADMIN 2", "The Admin", "admin_1", "adm1n", "@dmin", "ADMlN", "Аdmin", "Ádmin",
     "\uff21\uff24\uff2d\uff29\uff2e", "Site Administrator", "Moderator", "Coplay", "System", "Host",
     "Player 1", "player2", "You", "Bot", "root", "R.o.o.t", "Ad-min", "Ad.min", "The ad_min 2", "Admın",
     "ɑdmin", "ᴀᴅᴍɪɴ", "A d m i n"],
)  # fmt: skip
def test_names_of_somebody_elses_part_are_refused(name):
    with pytest.raises(Refusal, match="somebody else's part"):
        naming.checked(name)


def test_only_signs_are_no_name():
    with pytest.raises(Refusal, match="at least one letter"):
        naming.checked("...")


def test_shown_names_are_checked_and_what_one_was_called_before_may_stay(pia, pia_client, adam, adam_client):
    page = pia_client.post("/accounts/", {"first_name": "Admin"}).content.decode()
    assert "sounds like somebody else" in page and User.objects.get(pk=pia.pk).first_name != "Admin"
    User.objects.filter(pk=pia.pk).update(first_name="Pia\u202e\u200b the Admin")
    assert User.objects.get(pk=pia.pk).shown_name == "Pia the Admin"
    assert pia_client.post("/accounts/", {"first_name": "Pia\u202e\u200b the Admin"}).status_code == 302
    assert adam_client.post("/accounts/", {"first_name": "Admin Adam"}).status_code == 302


def test_names_of_studies_are_checked():
    form = StudyForm({"name": "Hanabi\u202e", "game": "hanabi"})
    assert "right-to-left override" in form.errors["name"][0]
