"""Episode logs: written, torn, read, re-simulated and verified."""

from __future__ import annotations

import multiprocessing

import numpy as np
import pytest

from engine.refusal import Refusal
from engine.simulation import log
from engine.simulation.log import (
    EpisodeLog,
    FileLogStore,
    decode_line,
    encode_line,
    header_of,
    iterate,
    read_lines,
    resimulate,
    verify,
)
from engine.simulation.simulation import Simulation

SEATS = [{"kind": "person", "name": "Ann"}, {"kind": "agent", "name": "random", "agent": "hanabi/random"}]


def play(seed: int = 3, players: int = 2) -> tuple[Simulation, list[dict]]:
    """A finished random game and its records, header and end included."""
    simulation = Simulation("hanabi", {"players": players}, seed)
    records = [header_of(simulation, f"game-{seed}", SEATS)]
    random = np.random.default_rng(seed)
    while not simulation.over:
        tick = simulation.tick
        seat = simulation.current
        simulation.act(seat, int(random.choice(np.flatnonzero(simulation.legal(seat)))))
        records.append({"type": "step", "tick": tick, "actions": simulation.actions[-1]})
    digest = simulation.digest()
    records.append(
        {
            "type": "end",
            "tick": simulation.tick,
            "score": simulation.score,
            "digest": digest,
            "reason": "finished",
        }
    )
    return simulation, records


def log_of(records: list[dict]) -> EpisodeLog:
    return EpisodeLog(records[0], records[1:])


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_a_log_gives_every_state_again(players: int) -> None:
    simulation, records = play(players=players)
    log = read_lines("".join(map(encode_line, records)).encode())
    assert resimulate(log).digest() == simulation.digest()
    assert verify(log) == []
    ticks = list(iterate(log))
    assert [state.tick for state in ticks] == list(range(simulation.tick + 1))
    assert len({state.digest() for state in ticks}) == len(ticks)
    assert resimulate(log, 4).digest() == ticks[4].digest()


def test_a_line_survives_any_text_and_notices_any_change() -> None:
    record = {"type": "utterance", "tick": 0, "seat": 1, "text": 'a "quoted",\n line; ü ,"crc":"00000000"}'}
    line = encode_line(record)
    assert line.count("\n") == 1 and decode_line(line) == record
    for at in range(len(line) - 1):
        changed = line[:at] + chr(ord(line[at]) ^ 1) + line[at + 1 :]
        with pytest.raises(Refusal):
            decode_line(changed)


def test_a_torn_last_line_is_dropped_wherever_it_was_cut() -> None:
    _, records = play()
    lines = [encode_line(record).encode() for record in records[:4]]
    whole = b"".join(lines)
    for cut in range(len(lines[3])):
        log = read_lines(whole[: len(whole) - len(lines[3]) + cut])
        assert log.records == records[1:3]


def test_a_damaged_line_in_the_middle_is_refused() -> None:
    _, records = play()
    lines = [encode_line(record) for record in records]
    lines[2] = lines[2].replace('"tick":1', '"tick":7')
    with pytest.raises(Refusal, match="Line 3"):
        read_lines("".join(lines).encode())


def test_a_log_without_a_whole_header_is_refused() -> None:
    with pytest.raises(Refusal, match="header"):
        read_lines(b'{"type":"hea')


def test_a_changed_move_is_found() -> None:
    _, records = play()
    legal = Simulation("hanabi", {}, 3).legal(0)
    other = next(action for action in np.flatnonzero(legal) if action != records[1]["actions"][0])
    records[1] = records[1] | {"actions": [int(other), 20]}
    assert any("digest" in problem or "legal" in problem for problem in verify(log_of(records)))


def test_a_missing_step_and_a_missing_end_are_found() -> None:
    _, records = play()
    assert "tick 1 is due" in verify(log_of(records[:2] + records[3:]))[0]
    assert "no end record" in verify(log_of(records[:-1]))[0]
    assert verify(log_of(records[:-2])) == []


def test_another_rules_version_or_format_is_refused_by_name() -> None:
    _, records = play()
    old = [records[0] | {"rules_version": 0}, *records[1:]]
    assert "version 0 of the rules" in verify(log_of(old))[0]
    with pytest.raises(Refusal, match="format 9"):
        log_of([records[0] | {"format": 9}])


def test_a_tick_beyond_the_log_is_refused() -> None:
    simulation, records = play()
    with pytest.raises(Refusal, match="There is no tick"):
        resimulate(log_of(records), simulation.tick + 1)


def test_the_file_store_keeps_appends_and_cuts_off_a_torn_tail(tmp_path) -> None:
    store = FileLogStore(tmp_path / "logs")
    _, records = play()
    assert not store.exists("game-3")
    with pytest.raises(FileNotFoundError):
        store.read("game-3")
    store.append("game-3", records[:3])
    with store.path("game-3").open("ab") as file:
        file.write(encode_line(records[3]).encode()[:-7])
    assert store.read("game-3").records == records[1:3]
    store.append("game-3", records[3:])
    assert store.read("game-3").records == records[1:]
    assert verify(store.read("game-3")) == []
    store.delete("game-3")
    assert not store.exists("game-3")


def test_many_logs_are_appended_to_at_once_and_only_what_others_touched_is_looked_through(
    tmp_path, monkeypatch
) -> None:
    store, (_, records) = FileLogStore(tmp_path), play()
    looked, real = [], log._whole_length
    monkeypatch.setattr(log, "_whole_length", lambda file: looked.append(file) or real(file))
    names = [f"game-{number}" for number in range(70)]
    store.append_all({name: records[:2] for name in names})
    looked.clear()
    store.append_all({name: records[2:3] for name in names})
    assert looked == []
    with store.path("game-5").open("ab") as file:
        file.write(b"torn")
    store.append_all({name: records[3:] for name in names})
    assert len(looked) == 1
    assert all(store.read(name).records == records[1:] for name in names)


def test_nothing_is_appended_to_any_log_when_one_record_cannot_be_encoded(tmp_path) -> None:
    store, (_, records) = FileLogStore(tmp_path), play()
    with pytest.raises(TypeError):
        store.append_all({"good": records[:2], "bad": [{"type": "utterance", "text": {1}}]})
    assert not store.exists("good")


def test_the_file_store_refuses_an_id_that_is_a_path(tmp_path) -> None:
    with pytest.raises(ValueError, match="no episode id"):
        FileLogStore(tmp_path).append("../elsewhere", [])


def _append_many(folder, writer: int) -> None:
    store = FileLogStore(folder)
    for number in range(30):
        store.append("shared", [{"type": "utterance", "tick": number, "seat": writer, "text": "x" * 200}])


def test_readers_see_whole_records_while_two_writers_take_turns(tmp_path) -> None:
    store = FileLogStore(tmp_path)
    _, records = play()
    store.append("shared", records[:1])
    context = multiprocessing.get_context("spawn")
    writers = [context.Process(target=_append_many, args=(tmp_path, writer)) for writer in (0, 1)]
    for writer in writers:
        writer.start()
    seen = 0
    while any(writer.is_alive() for writer in writers):
        found = len(store.read("shared").records)
        assert found >= seen
        seen = found
    for writer in writers:
        writer.join()
    said = store.read("shared").records
    assert [r["tick"] for r in said if r["seat"] == 0] == list(range(30))
    assert [r["tick"] for r in said if r["seat"] == 1] == list(range(30))
