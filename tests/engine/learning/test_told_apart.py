"""One deal, told several things: the same cards, other words, and what can't be played."""

from __future__ import annotations

import io
import json

import pytest

from engine import language
from engine.learning.run.reporting import Reporter, Stopped
from engine.learning.told_apart import Settings, train
from engine.refusal import Refusal
from engine.simulation.log import read_lines

WORDS = ["only hint ranks", "Colour hints mean play"]


def played(tmp_path, **given) -> list[dict]:
    said = io.StringIO()
    settings = {"agent": "hanabi/convention-bot", "game": "hanabi", "instructions": WORDS} | given
    train(Settings(**settings), tmp_path, Reporter(said))
    return json.loads(said.getvalue().splitlines()[-1])["games"]


def test_the_same_deal_is_played_told_nothing_and_told_each(tmp_path):
    found = played(tmp_path, readings=[0, 1], seed=5)
    assert [one.get("instruction") for one in found] == [None, *WORDS]
    assert found[2]["reading"] == language.meant("hanabi", WORDS[1], 1).sentence
    logs = [read_lines((tmp_path / "games" / one["file"]).read_bytes()) for one in found]
    assert len({tuple(log.header["deck"]) for log in logs}) == 1
    assert len({one["episode"] for one in found}) == 3
    assert found[0]["events"]["hint color"] > 0 and "hint color" not in found[1]["events"]
    assert [len(log.instructions) for log in logs] == [0, 2, 2]
    assert all((tmp_path / "games" / one["picture"]).exists() for one in found)


def test_only_the_others_are_told_where_it_says_so(tmp_path):
    found = played(tmp_path, told="second", instructions=WORDS[:1])
    log = read_lines((tmp_path / "games" / found[1]["file"]).read_bytes())
    assert [record["target_seat"] for record in log.instructions] == [1]


@pytest.mark.parametrize(
    ("given", "sentence"),
    [
        ({"instructions": ["thanks"]}, "can't be followed"),
        ({"readings": [1]}, "every instruction has one reading"),
        ({"told": "everybody"}, "Who is told is both or second"),
        ({"readings": [7, 0]}, "has no reading 7"),
    ],
)
def test_what_can_not_be_played_is_refused_with_a_sentence(tmp_path, given, sentence):
    with pytest.raises(Refusal, match=sentence):
        played(tmp_path, **given)


def test_it_stops_when_asked(tmp_path):
    reporter = Reporter(io.StringIO())
    reporter.stopping = True
    with pytest.raises(Stopped):
        train(Settings(agent="hanabi/convention-bot", game="hanabi", instructions=WORDS), tmp_path, reporter)
