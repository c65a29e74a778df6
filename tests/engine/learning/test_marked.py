"""Reading a snapshot: which marks count, where they lie, which instruction was in force."""

import json

import numpy as np
import pytest

from engine.agents.catalogue import load
from engine.evaluation.annotators import Annotator
from engine.evaluation.simulated_episodes import play_logs, write_snapshot
from engine.language import features, read
from engine.learning.marked import BadSnapshot, programs
from engine.learning.marked import load as load_tracks
from engine.simulation.log import EpisodeLog


@pytest.fixture
def snapshot(tmp_path):
    logs = list(play_logs(load("hanabi/random"), 4, mistakes=0.0, instructions=["discard oldest"], seed=1))
    write_snapshot(tmp_path, logs, [Annotator("a"), Annotator("b", miss=0.2)], per_seat=2)
    return tmp_path, logs


def test_one_track_for_each_seat_and_annotator(snapshot):
    folder, logs = snapshot
    tracks = load_tracks(folder, "hanabi")
    assert len({(t.episode, t.seat, t.annotator) for t in tracks}) == len(tracks)
    assert {t.annotator for t in tracks} == {"simulated:a", "simulated:b"}
    rows = [json.loads(line) for line in (folder / "marks.jsonl").read_text().splitlines()]
    assert sum(t.marks for t in tracks) == len(rows)
    lengths = {str(log.header["episode"]): len(log.steps) + 1 for log in logs}
    assert all(len(t.observations) == len(t.positive) == lengths[t.episode] for t in tracks)
    assert all(t.simulated for t in tracks)


def test_deleted_marks_do_not_count(snapshot):
    folder, _ = snapshot
    rows = [json.loads(line) for line in (folder / "marks.jsonl").read_text().splitlines()]
    for row in rows[1:]:
        row["deleted"] = True
    (folder / "marks.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    (track,) = load_tracks(folder, "hanabi")
    assert track.marks == 1
    assert (track.positive if rows[0]["sign"] > 0 else track.negative)[rows[0]["tick"]] == 1


def test_the_instruction_is_seen_by_the_seat_that_got_it(snapshot):
    folder, _ = snapshot
    told = features("hanabi", read("hanabi", "discard oldest").program)
    seen = {(t.seat, bool(t.instructions.any())) for t in load_tracks(folder, "hanabi")}
    assert (0, True) not in seen
    assert (1, True) in seen
    track = next(t for t in load_tracks(folder, "hanabi") if t.instructions.any())
    assert np.array_equal(track.instructions[-1], told)


def test_an_instruction_is_in_force_from_its_confirmation_to_its_withdrawal(snapshot):
    _, logs = snapshot
    said = {"type": "instruction", "seat": 0, "id": "i", "text": "x", "reading": {"program": {"rules": []}}}
    log = EpisodeLog(logs[0].header)
    for tick, status in ((1, "read"), (3, "confirmed"), (7, "withdrawn")):
        log.append({**said, "tick": tick, "status": status})
    assert programs(log, 1, 2) == [(3, {"rules": []}), (7, None)]
    assert programs(log, 0, 2) == []


def test_what_is_missing_is_said(tmp_path, snapshot):
    with pytest.raises(BadSnapshot, match="no marks.jsonl"):
        load_tracks(tmp_path / "nothing", "hanabi")
    folder, logs = snapshot
    with pytest.raises(BadSnapshot, match="not of overcooked"):
        load_tracks(folder, "overcooked")
    (folder / "episodes" / f"{logs[0].header['episode']}.jsonl").unlink()
    with pytest.raises(BadSnapshot, match="not its log"):
        load_tracks(folder, "hanabi")
    (folder / "marks.jsonl").write_text("{}\n")
    with pytest.raises(BadSnapshot, match="no mark"):
        load_tracks(folder, "hanabi")
    (folder / "marks.jsonl").write_text("")
    with pytest.raises(BadSnapshot, match="nothing|no marks"):
        load_tracks(folder, "hanabi")
