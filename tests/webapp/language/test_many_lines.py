"""`--file` of `read` and `prior`: an instruction a line; and the table of a prior as text."""

import json
from io import StringIO

import pytest
from django.core.management import CommandError, call_command


def out(*args: str) -> list:
    stream = StringIO()
    call_command(*args, stdout=stream)
    return json.loads(stream.getvalue())


def test_every_line_has_its_reading_in_order(tmp_path):
    path = tmp_path / "lines.txt"
    path.write_text("bring me a plate\r\n\nwhat a lovely day\n", encoding="utf-8")
    found = out("read", "--game", "overcooked", "--file", str(path))
    assert [one["refused"] for one in found] == [False, True, True]
    assert [len(one["subgoals"]) for one in found] == [1, 0, 0]
    assert found[0]["text"] == "bring me a plate"


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["--file", "/no/such/file"], "can't be read: No such file"),
        (["--file", "9" * 5000], "9999… can't be read: File name too long"),
        (["--file", "{folder}/bytes"], "is no UTF-8 text"),
        (["--file", "{folder}/many"], "100,001 lines; 100,000 are read at most"),
        ([], "Give one instruction"),
        (["go on", "--file", "{folder}/many"], "Give one instruction"),
    ],
)
def test_what_is_no_list_of_lines_is_refused_with_a_sentence(tmp_path, arguments, sentence):
    (tmp_path / "bytes").write_bytes(b"\xff\xfe\x00")
    (tmp_path / "many").write_text("x\n" * 100_001)
    with pytest.raises(CommandError, match=sentence):
        out("read", "--game", "arena", *(one.format(folder=tmp_path) for one in arguments))


def test_a_prior_for_every_line(tmp_path):
    path = tmp_path / "lines.txt"
    path.write_text("If I tell you a colour, play those cards.\nwhat a lovely day\n", encoding="utf-8")
    found = out("prior", "--game", "hanabi", "--file", str(path))
    assert [(one["refused"], one["yes"], len(one["questions"])) for one in found] == [
        (False, 400, 3852),
        (True, 0, 0),
    ]
    with pytest.raises(CommandError, match="Give --instruction"):
        out("prior", "--game", "hanabi")


def test_the_table_is_drawn():
    stream = StringIO()
    call_command("prior", "--game", "hanabi", "--instruction", "discard your oldest card", stdout=stream)
    shown = stream.getvalue()
    assert "321 yes" in shown and "discard my card at position A" in shown
    assert sum(line.count("█") for line in shown.split("\n")) == 321
