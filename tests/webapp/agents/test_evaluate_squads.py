"""`manage.py evaluate squads` as people and programs call it."""

import json
from io import StringIO

import pytest
from django.core.management import CommandError, call_command

SMALL = ("--team-size", "1", "--pace", "short", "--monsters", "0", "--matches", "2")


def evaluate(*args):
    out = StringIO()
    call_command("evaluate", "squads", *args, stdout=out)
    return out.getvalue()


@pytest.mark.django_db
def test_squads_are_compared_for_programs_and_for_people():
    args = ("--game", "arena", "--a", "arena/strong", "--b", "arena/idle", *SMALL)
    found = json.loads(evaluate(*args, "--json"))
    assert found["wins"] == 1 and found["matches"] == 2
    assert found["options"]["team_size"] == 1 and found["options"]["pace"] == "short"
    assert set(found["rates"]) == {"a", "b"} and "rescues" in found["rates"]["a"]
    assert "arena/strong beats arena/idle in 100.0% of 2 matches" in evaluate(*args)


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("args", "sentence"),
    [
        (("--a", "arena/strong", "--b", "arena/nobody"), "There is no agent"),
        (("--a", "arena/strong", "--b", "arena/idle", "--matches", "3"), "even number"),
        (("--a", "random", "--b", "random", "--game", "hanabi"), "not in hanabi"),
    ],
)
def test_a_mistake_is_one_sentence(args, sentence):
    with pytest.raises(CommandError, match=sentence):
        evaluate(*args)


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("args", "sentence"),
    [
        (("--level", "Nope"), "no level 'Nope'; there are Easy, Even, Hard"),
        (("--match", "War"), "no match 'War'"),
        (("--game", "hanabi"), "Squads are led in arena, not in hanabi"),
    ],
)
def test_what_cannot_be_led_is_one_sentence(args, sentence):
    with pytest.raises(CommandError, match=sentence):
        call_command("evaluate", "led", *args)


@pytest.mark.django_db
def test_goals_there_are_in_games_with_goals():
    with pytest.raises(CommandError, match="arena, not in hanabi"):
        call_command("evaluate", "goals", "--game", "hanabi", "--agent", "champion")
    out = StringIO()
    call_command("evaluate", "goals", "--agent", "arena/idle", "--episodes", "2", "--json", stdout=out)
    found = json.loads(out.getvalue())
    assert set(found["dimensions"]) == {"2", "3", "4"}
    assert {"told", "untold", "n"} <= set(found["orders"]["go"])
