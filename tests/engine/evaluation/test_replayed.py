"""Setter replay: exactly up to what was said, freely from there, beside what was recorded."""

from __future__ import annotations

import json

import numpy as np
import pytest

from engine import language
from engine.agents.catalogue import load
from engine.evaluation.episodes import Logged, play_on
from engine.evaluation.replayed import logs_in, played_on, replayed, segments, table
from engine.games import stories
from engine.language import standings
from engine.simulation.log import EpisodeLog, encode_line, header_of, resimulate
from engine.simulation.simulation import Simulation
from engine.simulation.told import Told

ROOM = {"layout": "cramped_room", "horizon": 90}
SAID = ((20, "put an onion on a counter"), (55, "get a plate and put it on a counter"))


@pytest.fixture(scope="module")
def log() -> EpisodeLog:
    """A cook who is told two things and never does anything."""
    sim = Simulation("overcooked", ROOM, seed=4)
    seats = [{"kind": "person", "name": "Pia"}, {"kind": "agent", "name": "it"}]
    out = EpisodeLog(header_of(sim, "spoken", seats))
    known, rng = Told(out.header), np.random.default_rng(1)
    cast = [load("overcooked/greedy", "overcooked", ROOM), load("overcooked/stay", "overcooked", ROOM)]
    for number, (tick, text) in enumerate(SAID):
        play_on([Logged(sim, cast, tick, log=out, told=known, obeys=False)], rng)
        said = {"tick": tick, "seat": 0, "target_seat": None, "id": f"said-{number}", "text": text}
        reading = language.read("overcooked", text).as_json()
        out.append({"type": "instruction", **said, "status": "confirmed", "reading": reading})
        known.note(out.records[-1])
        for record in standings.settled(known, sim):
            out.append(record)
    play_on([Logged(sim, cast, log=out, told=known, obeys=False)], rng)
    end = {"tick": sim.tick, "score": sim.score, "digest": sim.digest(), "reason": "finished"}
    out.append({"type": "end", **end, "outcomes": stories.outcomes(sim.game, sim.view(None))})
    return out


def test_a_segment_is_from_one_instruction_to_the_next(log):
    found = segments(log)
    assert [(one.start, one.stop, one.seats, one.text) for one in found] == [
        (20, 55, (1,), SAID[0][1]),
        (55, 90, (1,), SAID[1][1]),
    ]


def test_the_game_is_the_recorded_one_up_to_what_was_said_and_the_agents_from_there(log):
    one, cook = segments(log)[1], load("overcooked/greedy", "overcooked", ROOM)
    after = played_on(log, resimulate(log, one.start), one, cook, cook, 3)
    assert after.steps[:55] == log.steps[:55] and after.steps != log.steps
    assert resimulate(after, 55).digest() == resimulate(log, 55).digest()
    assert len(after.steps) == 90
    assert [record["id"] for record in after.instructions] == ["said-0", "said-1"]


def test_what_the_agent_does_stands_beside_what_was_recorded(log):
    greedy, stay = (load(f"overcooked/{name}", "overcooked", ROOM) for name in ("greedy", "stay"))
    stay.card = {**stay.card, "hears": "reading"}  # and it can't read
    found = replayed(greedy, stay, [log], seed=1)
    assert found["agent"]["done"]["mean"] == 1 and found["recorded"]["done"]["mean"] == 0
    assert found["difference"]["progress"]["mean"] > 0
    assert replayed(stay, stay, [log])["agent"]["done"]["mean"] == 0
    assert len(table(found)) >= 7 and SAID[1][1] in "\n".join(table(found))
    assert json.loads(json.dumps(found)) == found


def test_the_same_seed_does_the_same_again(log):
    cook = load("overcooked/self_play-cramped_room", "overcooked", ROOM)
    assert replayed(cook, cook, [log], seed=2) == replayed(cook, cook, [log], seed=2)


def test_an_episode_that_is_not_what_its_log_says_is_left_out_and_named(log):
    wrong = EpisodeLog(log.header, [*log.records[:-1], {**log.records[-1], "digest": "0" * 64}])
    cook = load("overcooked/stay", "overcooked", ROOM)
    found = replayed(cook, cook, [log, wrong])
    assert found["episodes"] == 1 and "digest" in found["skipped"][0]
    with pytest.raises(ValueError, match="digest"):
        replayed(cook, cook, [wrong])
    silent = EpisodeLog(log.header, [one for one in log.records if one["type"] in ("step", "end")])
    with pytest.raises(ValueError, match="Nobody was told anything"):
        replayed(cook, cook, [silent])


def test_logs_are_found_in_a_snapshot_and_in_a_folder(log, tmp_path):
    lines = "".join(encode_line(record) for record in (log.header, *log.records))
    (tmp_path / "episodes").mkdir()
    (tmp_path / "episodes" / "spoken.jsonl").write_text(lines)
    (tmp_path / "marks.jsonl").write_text("")
    (tmp_path / "episodes" / "damaged.jsonl").write_text(lines[:40] + lines)
    [inside], damaged = logs_in(tmp_path)
    [directly], _ = logs_in(tmp_path / "episodes")
    assert inside.records == directly.records == log.records
    assert len(damaged) == 1 and damaged[0].startswith("damaged: ")
    cook = load("overcooked/stay", "overcooked", ROOM)
    assert replayed(cook, cook, [log], damaged=damaged)["skipped"] == damaged
