"""Reading a snapshot: which marks count, where they lie, which instruction was in force."""

import numpy as np
import pytest

from engine.agents.catalogue import load
from engine.agents.features import reward_inputs_for
from engine.evaluation.annotators import Annotator
from engine.evaluation.simulated_episodes import play_logs, write_snapshot
from engine.language import features, read
from engine.learning.parts.marked import load as load_tracks
from engine.learning.parts.marked import observe
from engine.refusal import Refusal
from engine.simulation.log import encode_line
from engine.snapshots import Snapshot, write


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
    assert sum(t.marks for t in tracks) == len(Snapshot(folder).marks())
    lengths = {str(log.header["episode"]): len(log.steps) + 1 for log in logs}
    assert all(len(t.observations) == len(t.positive) == lengths[t.episode] for t in tracks)
    assert all(t.simulated for t in tracks)


@pytest.mark.parametrize("reads", ["rated", "observation", "features"])
def test_a_reward_model_reads_what_is_chosen(snapshot, reads):
    folder, _ = snapshot
    track = load_tracks(folder, "hanabi", reads=reads)[0]
    assert track.observations.shape[1] == reward_inputs_for("hanabi", reads=reads).size
    assert (
        len({reward_inputs_for("hanabi", reads=each).size for each in ("rated", "observation", "features")})
        == 3
    )


def changed(folder, logs=None, marks=None, reviews=None):
    """The snapshot with other rows."""
    one = Snapshot(folder)
    logs = [(name, one.written(name)) for name in one.episodes] if logs is None else logs
    marks, reviews = one.marks() if marks is None else marks, one.reviews() if reviews is None else reviews
    write(folder, logs, marks, reviews)


def test_what_was_reviewed_and_not_marked_says_something_too(snapshot):
    folder, logs = snapshot
    every = load_tracks(folder, "hanabi")
    assert len(every) == len(logs) * 2 * 2
    first = Snapshot(folder).marks()[0]
    changed(folder, marks=[first])
    found = load_tracks(folder, "hanabi")
    assert len(found) == len(every) and sum(track.marks for track in found) == 1
    assert all(track.simulated for track in found)
    (track,) = [one for one in found if one.marks]
    assert (track.positive if first["sign"] > 0 else track.negative)[first["tick"]] == 1
    changed(folder, reviews=[])
    assert len(load_tracks(folder, "hanabi")) == 1


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
    whole = Snapshot(folder)
    changed(folder, logs=[(name, whole.written(name)) for name in whole.episodes[1:]])
    with pytest.raises(Refusal, match=f"no log of episode {whole.episodes[0]}"):
        load_tracks(folder, "hanabi")
    changed(folder, marks=[], reviews=[])
    with pytest.raises(Refusal, match="no marks"):
        load_tracks(folder, "hanabi")
    (folder / "tables" / "marks.parquet").write_bytes(b"PAR1")
    with pytest.raises(Refusal, match="no table marks"):
        load_tracks(folder, "hanabi")


def test_an_episode_of_other_rules_is_named(snapshot):
    folder, logs = snapshot
    log = logs[0]
    log.header["rules_version"] = 0
    name = log.header["episode"]
    lines = "".join(encode_line(record) for record in [log.header, *log.records]).encode()
    whole = Snapshot(folder)
    changed(folder, logs=[(one, lines if one == name else whole.written(one)) for one in whole.episodes])
    with pytest.raises(Refusal, match=f"Episode {name} can't be learned from: .* version 0 of the rules"):
        load_tracks(folder, "hanabi")
