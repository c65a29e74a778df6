"""`manage.py read` and `manage.py prior`: one JSON object each, and no database."""

import json
from io import StringIO

import pytest
from django.core.management import CommandError, call_command


def out(*args: str) -> dict:
    stream = StringIO()
    call_command(*args, stdout=stream)
    return json.loads(stream.getvalue().splitlines()[-1])


def test_read_tells_the_reading():
    found = out("read", "--game", "hanabi", "If I hint you a colour, play it", "--json")
    assert found["refused"] is False
    assert found["reading"] == "When you hint a colour, I play the cards it touches."
    assert found["program"]["rules"][0]["then"] == {"action": "play", "cards": "touched"}


def test_read_refuses_what_it_cannot_read():
    found = out("read", "--game", "hanabi", "the weather is nice today", "--json")
    assert found["refused"] is True
    assert found["reading"] is None
    assert found["sentence"].startswith("That is talk")


def test_read_tells_the_goals_of_a_kitchen_instruction():
    found = out("read", "--game", "overcooked", "bring me a plate", "--json")
    assert (found["refused"], found["reading"]) == (False, "I fetch a plate and bring it to you.")
    assert [(goal["intent"], goal["who"], goal["count"]) for goal in found["subgoals"]] == [
        ("fetch_dish", "you", 1)
    ]
    assert out("read", "--game", "overcooked", "what a lovely day", "--json")["subgoals"] == []


def test_read_tells_a_squad_instruction_in_the_words_of_table_7():
    found = out("read", "--game", "arena", "cover me while I reload", "--json")
    assert (found["refused"], found["reading"]) == (False, "I cover you when you reload.")
    assert found["goals"]["Length of distance from agent to teammate"] == "Nearby"
    goals = out("read", "--game", "arena", "go prone", "--json")["goals"]
    assert goals["Whether prone position"] == "True"
    assert set(goals) <= {"Whether prone position", "Length of distance moved"}
    assert out("read", "--game", "arena", "what a lovely day", "--json")["goals"] == {}


def test_prior_answers_every_question():
    text = "If my partner tells me the rank of some of my cards, I should play those specific cards."
    found = out("prior", "--game", "hanabi", "--instruction", text, "--json")
    assert (found["yes"], found["no"], len(found["questions"])) == (400, 3452, 3852)
    yes = next(q for q in found["questions"] if q["yes"])
    assert yes["observation_key"].startswith("hint_rank:1:A")
    assert yes["action_key"] == "play:A"


def test_prior_of_what_cannot_be_read_is_refused():
    found = out("prior", "--game", "hanabi", "--instruction", "thanks", "--json")
    assert found["refused"] is True
    assert found["questions"] == []


def test_an_unknown_game_is_one_sentence():
    with pytest.raises(CommandError, match="there is no 'chess'"):
        call_command("read", "--game", "chess", "play")
