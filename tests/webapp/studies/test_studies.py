"""Studies: a first one exists, admins change them, nonsense is refused with a sentence."""

import pytest
from django.urls import reverse

from webapp.studies.models import Study

VALUES = {
    "name": "Second",
    "game": "hanabi",
    "active": "on",
    "overlap": 3,
    "lock_minutes": 20,
    "agreement_window": 2,
    "gold_every": 5,
    "editable_minutes": 30,
    "watch_delay": 4,
    "guidelines": "Look at discards too.",
}


def test_a_new_site_has_a_study_of_hanabi(db):
    assert Study.objects.get(game="hanabi").active


def test_an_admin_makes_and_changes_a_study(adam_client):
    assert adam_client.post(reverse("studies:new"), VALUES).status_code == 302
    study = Study.objects.get(name="Second")
    assert (study.overlap, study.gold_every, study.guidelines) == (3, 5, "Look at discards too.")
    adam_client.post(reverse("studies:edit", args=[study.pk]), VALUES | {"overlap": 4, "active": ""})
    study.refresh_from_db()
    assert (study.overlap, study.active) == (4, False)
    assert "Second" in adam_client.get(reverse("studies:list")).content.decode()


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ({"overlap": 0}, "0 is not possible here; choose 1 to 20."),
        ({"lock_minutes": 99999}, "99999 is not possible here; choose 1 to 1440."),
        ({"game": "chess"}, "There is no game &#x27;chess&#x27;"),
        ({"name": ""}, "This field is required."),
    ],
)
def test_nonsense_is_refused_and_what_was_typed_stays(adam_client, change, sentence):
    before = Study.objects.count()
    answer = adam_client.post(reverse("studies:new"), VALUES | change)
    assert answer.status_code == 422
    assert sentence in answer.content.decode()
    assert "Look at discards too." in answer.content.decode()
    assert Study.objects.count() == before


def test_only_admins_see_studies(pia_client, anna_client):
    for client in (pia_client, anna_client):
        assert client.get(reverse("studies:list")).status_code == 403
        assert client.post(reverse("studies:new"), VALUES).status_code == 403
