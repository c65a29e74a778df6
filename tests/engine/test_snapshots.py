"""A snapshot's folder as trainings read it: segments of logs, marks, reviews; and folders of before."""

from __future__ import annotations

import json

import pytest

from engine import snapshots
from engine.agents.catalogue import load
from engine.evaluation.simulated_episodes import play_logs
from engine.refusal import Refusal
from engine.simulation.log import encode_line
from engine.snapshots import Snapshot, write

SAID = {"annotator": "A-1", "simulated": False}
MARK = {"id": "m", "episode": "b", "seat": 1, "tick": 3, "sign": -1} | SAID
REVIEW = {"episode": "b", "seats": [0, 1]} | SAID


@pytest.fixture(scope="module")
def logs() -> list[tuple[str, bytes]]:
    """Three logs, in no order."""
    found = play_logs(load("hanabi/random"), 3, mistakes=0.0, seed=1)
    lines = ["".join(map(encode_line, (log.header, *log.records))).encode() for log in found]
    return list(zip(("b", "c", "a"), lines, strict=True))


def old(folder, logs, **rows) -> None:
    """As format 5 wrote it."""
    (folder / "episodes").mkdir(parents=True)
    for name, data in logs:
        (folder / "episodes" / f"{name}.jsonl").write_bytes(data)
    for name, lines in rows.items():
        (folder / f"{name}.jsonl").write_text("".join(json.dumps(row) + "\n" for row in lines))


def test_logs_come_back_byte_for_byte_from_however_many_segments(logs, tmp_path, monkeypatch):
    for size, count in ((1, 3), (len(logs[0][1]) + 1, 2), (1 << 30, 1)):
        monkeypatch.setattr(snapshots, "SEGMENT", size)
        folder = tmp_path / str(size)
        write(folder, logs, [MARK], [REVIEW])
        one = Snapshot(folder)
        assert one.episodes == ["a", "b", "c"] and len(list((folder / "episodes").iterdir())) == count
        assert [(name, one.written(name)) for name, _ in logs] == logs
        assert [name for name, _ in one.logs()] == one.episodes
        assert one.marks() == [MARK] and one.reviews() == [REVIEW | {"measure": None}]


def test_a_folder_of_before_reads_as_the_same(logs, tmp_path):
    old(tmp_path, logs, marks=[MARK | {"context": {}}, MARK | {"deleted": True}], reviews=[REVIEW])
    one = Snapshot(tmp_path)
    assert one.episodes == ["a", "b", "c"] and one.written("a") == dict(logs)["a"]
    assert one.marks() == [MARK | {"context": {}}] and one.reviews() == [REVIEW]
    (tmp_path / "reviews.jsonl").unlink()  # the first had none
    assert Snapshot(tmp_path).reviews() == []
    (tmp_path / "reviews.jsonl").write_text('{"episode": "e"}\n')
    with pytest.raises(Refusal, match=r"Line 1 of .*reviews.jsonl is no review"):
        Snapshot(tmp_path).reviews()
    (tmp_path / "marks.jsonl").write_text("{}\n")
    with pytest.raises(Refusal, match=r"Line 1 of .*marks.jsonl is no mark"):
        Snapshot(tmp_path).marks()


def test_what_is_damaged_is_named(logs, tmp_path):
    write(tmp_path, logs, [], [])
    segment = tmp_path / "episodes" / "00000.jsonl"
    segment.write_bytes(segment.read_bytes().replace(b"step", b"stop", 1))
    with pytest.raises(Refusal, match="Episode b: Line 2 of the log is damaged"):
        Snapshot(tmp_path).log("b")
    assert Snapshot(tmp_path).log("a").steps
    (tmp_path / "tables" / "marks.parquet").unlink()
    with pytest.raises(Refusal, match="no table marks"):
        Snapshot(tmp_path).marks()
    with pytest.raises(Refusal, match="no log of episode z"):
        Snapshot(tmp_path).log("z")


def test_a_snapshot_without_anything_is_one(tmp_path):
    write(tmp_path, [], [], [])
    one = Snapshot(tmp_path)
    assert (one.episodes, one.marks(), one.reviews()) == ([], [], [])
