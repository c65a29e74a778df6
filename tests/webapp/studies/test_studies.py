"""Studies: a first one exists, admins change them, nonsense is refused with a sentence."""

import pytest
from django.urls import reverse

from engine import games
from webapp.studies import first
from webapp.studies.models import Study

VALUES = {
    "name": "Second",
    "game": "hanabi",
    "active": "on",
    "overlap": 3,
    "lock_minutes": 20,
    "agreement_window": 2,
    "free_marks": "own",
    "opens": "yes",
    "gold_every": 5,
    "random_share": 40,
    "editable_minutes": 30,
    "watch_delay": 4,
    "ticks_per_second": 8,
    "guidelines": "Look at discards too.",
}


def test_a_new_site_has_a_study_of_each_game(db):
    first.ensure()
    for game in games.names():
        assert Study.objects.get(game=game).active
    Study.objects.update(active=False)
    assert first.ensure() == []


def test_the_clock_is_a_choice_of_games_in_real_time(adam_client):
    kitchens, cards = Study.objects.get(game="overcooked"), Study.objects.get(game="hanabi")
    page = adam_client.get(reverse("studies:edit", args=[kitchens.pk])).content.decode()
    assert "ticks_per_second" in page
    assert (
        "ticks_per_second" not in adam_client.get(reverse("studies:edit", args=[cards.pk])).content.decode()
    )
    values = VALUES | {"name": "Kitchens", "game": "overcooked", "ticks_per_second": 8}
    adam_client.post(reverse("studies:edit", args=[kitchens.pk]), values)
    kitchens.refresh_from_db()
    assert kitchens.ticks_per_second == 8
    assert "8 ticks/s" in adam_client.get(reverse("studies:list")).content.decode()
    adam_client.post(reverse("studies:edit", args=[kitchens.pk]), values | {"ticks_per_second": ""})
    kitchens.refresh_from_db()
    assert kitchens.ticks_per_second == 8


def test_an_admin_makes_and_changes_a_study(adam_client):
    assert adam_client.post(reverse("studies:new"), VALUES).status_code == 302
    study = Study.objects.get(name="Second")
    assert (study.overlap, study.gold_every, study.random_share) == (3, 5, 40)
    assert study.guidelines == "Look at discards too."
    adam_client.post(reverse("studies:edit", args=[study.pk]), VALUES | {"overlap": 4, "active": ""})
    study.refresh_from_db()
    assert (study.overlap, study.active) == (4, False)
    assert "Second" in adam_client.get(reverse("studies:list")).content.decode()


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ({"overlap": 0}, "0 is not possible here; choose 1 to 20."),
        ({"ticks_per_second": 3}, "3 is not possible here; choose 4 to 10."),
        ({"random_share": 101}, "101 is not possible here; choose 0 to 100."),
        ({"lock_minutes": 99999}, "99999 is not possible here; choose 1 to 1440."),
        ({"ticks_per_second": 60}, "60 is not possible here; choose 4 to 10."),
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
