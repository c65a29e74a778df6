"""Reading a snapshot: which marks count, where they lie, which instruction was in force."""

import json

import numpy as np
import pytest

from engine.agents.catalogue import load
from engine.evaluation.annotators import Annotator
from engine.evaluation.simulated_episodes import play_logs, write_snapshot
from engine.language import features, read
from engine.learning.parts.marked import load as load_tracks
from engine.learning.parts.marked import observe
from engine.refusal import Refusal
from engine.simulation.log import encode_line


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
    (track,) = [one for one in load_tracks(folder, "hanabi") if one.marks]
    assert track.marks == 1
    assert (track.positive if rows[0]["sign"] > 0 else track.negative)[rows[0]["tick"]] == 1


def test_what_was_reviewed_and_not_marked_says_something_too(snapshot):
    folder, logs = snapshot
    every = load_tracks(folder, "hanabi")
    assert len(every) == len(logs) * 2 * 2
    (folder / "marks.jsonl").write_text((folder / "marks.jsonl").read_text().splitlines()[0] + "\n")
    found = load_tracks(folder, "hanabi")
    assert len(found) == len(every) and sum(track.marks for track in found) == 1
    assert all(track.simulated for track in found)
    (folder / "reviews.jsonl").unlink()  # a snapshot that was made before there were such
    assert len(load_tracks(folder, "hanabi")) == 1
    (folder / "reviews.jsonl").write_text('{"episode": "e"}\n')
    with pytest.raises(Refusal, match=r"Line 1 of .*reviews.jsonl is no review"):
        load_tracks(folder, "hanabi")


def test_the_instruction_is_seen_by_the_seat_that_got_it(snapshot):
    folder, _ = snapshot
    told = features("hanabi", read("hanabi", "discard oldest").program)
    seen = {(t.seat, bool(t.instructions.any())) for t in load_tracks(folder, "hanabi")}
    assert (0, True) not in seen
    assert (1, True) in seen
    track = next(t for t in load_tracks(folder, "hanabi") if t.instructions.any())
    assert np.array_equal(track.instructions[-1], told)


def test_all_that_is_in_force_is_seen_and_nothing_else(tmp_path):
    (log,) = play_logs(load("hanabi/random"), 1, mistakes=0.0, seed=3)
    one, two = "if I hint a colour, play those cards", "never discard fives"
    told = [(2, "a", one, "confirmed"), (4, "b", two, "read")]
    told += [(6, "b", two, "confirmed"), (9, "a", one, "withdrawn")]
    for tick, name, text, status in told:
        said = {"type": "instruction", "tick": tick, "seat": 0, "target_seat": None, "id": name, "text": text}
        steps = [i for i, row in enumerate(log.records) if row["type"] == "step" and row["tick"] >= tick]
        log.records.insert(steps[0], {**said, "status": status, "reading": read("hanabi", text).as_json()})
    _, seen = observe(log, [0, 1])[1]
    first, second = (features("hanabi", read("hanabi", text).program) for text in (one, two))
    assert not seen[:2].any()
    assert (seen[2:6] == first).all()
    assert (seen[6:9] == np.maximum(first, second)).all()
    assert (seen[9:] == second).all()
    assert not observe(log, [0])[0][1].any()


def test_what_is_missing_is_said(tmp_path, snapshot):
    with pytest.raises(Refusal, match="no marks.jsonl"):
        load_tracks(tmp_path / "nothing", "hanabi")
    folder, logs = snapshot
    with pytest.raises(Refusal, match="not of overcooked"):
        load_tracks(folder, "overcooked")
    (folder / "episodes" / f"{logs[0].header['episode']}.jsonl").unlink()
    with pytest.raises(Refusal, match="not its log"):
        load_tracks(folder, "hanabi")
    (folder / "marks.jsonl").write_text("{}\n")
    with pytest.raises(Refusal, match="no mark"):
        load_tracks(folder, "hanabi")
    (folder / "marks.jsonl").write_text("")
    (folder / "reviews.jsonl").unlink()
    with pytest.raises(Refusal, match="nothing|no marks"):
        load_tracks(folder, "hanabi")


def test_an_episode_of_other_rules_is_named(snapshot):
    folder, logs = snapshot
    log = logs[0]
    log.header["rules_version"] = 0
    lines = [encode_line(record) for record in [log.header, *log.records]]
    name = log.header["episode"]
    (folder / "episodes" / f"{name}.jsonl").write_text("".join(lines))
    with pytest.raises(Refusal, match=f"Episode {name} can't be learned from: .* version 0 of the rules"):
        load_tracks(folder, "hanabi")
