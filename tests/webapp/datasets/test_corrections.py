"""`datasets corrections`: what players chose or said instead of the reading that they were offered first."""

import json
from io import StringIO

import pytest
from django.core.management import CommandError, call_command

from webapp.language.readings import choose, read
from webapp.matches.models import Instruction, Match

pytestmark = pytest.mark.django_db
TEXT = "bring me a dish"


@pytest.fixture
def say(pia):
    """A function that stores an instruction of pia's."""
    match = Match.objects.create(game="overcooked", seed=1, created_by=pia)

    whose = {"match": match, "user": pia, "seat": 0, "tick": 3, "status": "read"}

    def make(text: str, reading: dict, replaces: Instruction | None = None) -> Instruction:
        return Instruction.objects.create(**whose, text=text, reading=reading, replaces=replaces)

    return make


def exported(folder, *args: str) -> list[dict]:
    path = folder / "corrections.jsonl"
    stream = StringIO()
    call_command("datasets", "corrections", "--out", str(path), "--json", *args, stdout=stream)
    lines = path.read_text(encoding="utf-8").splitlines()
    assert json.loads(stream.getvalue())["corrections"] == len(lines)
    return [json.loads(line) for line in lines]


def test_a_reading_that_was_right_is_no_correction(say, tmp_path):
    say(TEXT, read("overcooked", TEXT))
    say(TEXT, choose(read("overcooked", TEXT), 0))
    assert exported(tmp_path) == []


def test_a_chosen_reading_stands_beside_the_one_that_was_offered(say, pia, tmp_path):
    first = read("overcooked", TEXT)
    say(TEXT, choose(first, 1))
    (row,) = exported(tmp_path)
    assert (row["kind"], row["text"], row["player"]) == ("chosen", TEXT, pia.pseudonym)
    assert row["offered"]["sentence"] == first["sentence"]
    assert row["meant"]["program"] == first["alternatives"][0]["program"]
    assert pia.email not in json.dumps(row)


def test_other_words_stand_beside_those_that_were_not_understood(say, tmp_path):
    typed = "gib mir 🍽 =1+1 <b>"
    first = say(typed, read("overcooked", typed))
    say(TEXT, read("overcooked", TEXT), replaces=first)
    (row,) = exported(tmp_path, "--game", "overcooked")
    assert (row["kind"], row["text"], row["meant_text"]) == ("rewritten", typed, TEXT)
    assert (row["offered"]["refused"], row["meant"]["refused"]) == (True, False)
    assert exported(tmp_path, "--game", "hanabi") == []


def test_a_file_that_cannot_be_written_is_said_to_be_so(tmp_path):
    with pytest.raises(CommandError, match="is a folder, not a file to write"):
        call_command("datasets", "corrections", "--out", str(tmp_path))
