"""Reading files of recorded games: lines that are none, files that are torn, what is chosen to be shipped."""

from __future__ import annotations

import gzip
import json

import pytest

from engine import games
from engine.games import people
from engine.games.people import lines_of
from engine.refusal import Refusal


def test_a_line_that_is_no_object_is_named_and_the_rest_is_read(tmp_path):
    path, skipped = tmp_path / "rows.jsonl", []
    path.write_bytes(b'{"id": 1}\nnonsense\n[2]\n\n{"id": 3}\n\xff\n')
    assert [row["id"] for row in lines_of(path, skipped.append)] == [1, 3]
    assert skipped == ["Line 2 isn't a JSON object, and 2 more lines aren't."]
    with pytest.raises(Refusal, match="Line 2"):
        list(lines_of(path))


def test_a_torn_file_gives_what_is_whole_and_says_where_it_ends(tmp_path):
    packed = gzip.compress(
        "".join(json.dumps({"id": i, "x": str(hash(str(i)))}) + "\n" for i in range(4000)).encode()
    )
    path, skipped = tmp_path / "rows.jsonl.gz", []
    path.write_bytes(packed[: len(packed) // 2])
    rows = list(lines_of(path, skipped.append))
    assert rows and rows[0]["id"] == 0
    assert len(skipped) == 1 and skipped[0].startswith("The file is damaged after line")


@pytest.mark.parametrize("game", ["hanabi", "overcooked"])
def test_what_is_shipped_is_what_the_command_would_choose_of_it(game, tmp_path):
    path = games.folder(game) / people.SHIPPED
    form = next(form for owner, form in people.formats().values() if owner == game)
    count = 20 if game == "hanabi" else 2
    people.write(people.chosen(form, path, count), tmp_path / "again")
    assert (tmp_path / "again").read_bytes() == path.read_bytes()
    assert len(people.chosen(form, path, 1)) < len(list(form.games_of(path)))


def test_an_episode_of_a_game_has_the_same_id_wherever_it_is_imported():
    form = people.formats()["people-hanabi"][1]
    assert form.episode("003d9bcb9d27dacf") == form.episode("003d9bcb9d27dacf") != form.episode("other")
    assert str(form.episode("003d9bcb9d27dacf")) == "014c1967-5b3d-550f-b4bf-6e900f20ebf9"


def test_every_format_says_where_its_games_come_from():
    assert {"people-hanabi", "people-overcooked", "hanab-live"} <= set(people.formats())
    for _, form in people.formats().values():
        assert form.source.title and form.source.url and form.source.licence and form.source.attribution
