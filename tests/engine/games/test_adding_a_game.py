"""What docs/adding-a-game.md promises: a new folder is a game, with nothing else changed.

Pebbles (made_up/) is copied into a folder of its own and found there. A game of three lines shows what a
batch does where all move at once.
"""

from __future__ import annotations

import dataclasses
import json
import shutil
import sys
import zlib
from pathlib import Path

import numpy as np
import pytest
from pettingzoo.test import parallel_api_test

from engine import games
from engine.agents.catalogue import load
from engine.evaluation.card import action_labels
from engine.evaluation.self_play import play
from engine.evaluation.simulated_episodes import play_logs
from engine.games import names, spec
from engine.refusal import Refusal
from engine.simulation.batch import Batch
from engine.simulation.jit import rule
from engine.simulation.log import EpisodeLog, encode_line, header_of, read_lines, verify, walk
from engine.simulation.simulation import Simulation, state_digest
from tools.bench.env import bench_env

SEATS, ROUNDS = 3, 4


@rule(cache=False)
def new_game(state):
    state[0] = 0
    state[1] = 0


@rule(cache=False)
def legal(state, seat, out):
    """Seat s may choose anything but s."""
    for action in range(SEATS + 1):
        out[action] = 1 if action != seat else 0


@rule(cache=False)
def step(state, actions):
    """A point if the first two seats choose the same."""
    state[0] = int(state[0]) + 1
    point = 1 if int(actions[0]) == int(actions[1]) else 0
    state[1] = int(state[1]) + point
    return point


@rule(cache=False)
def current(state):
    return -1


@rule(cache=False)
def over(state):
    return 1 if int(state[0]) == ROUNDS else 0


@rule(cache=False)
def score(state):
    return int(state[1])


@rule(cache=False)
def encode(state, seat, out):
    out[0] = int(state[0])
    out[1] = seat


def _prepare(state: np.ndarray, options: dict, key_a: int, key_b: int) -> None:
    state[:] = 0


MATCHING = dataclasses.replace(
    spec("hanabi"),
    name=f"matching_{zlib.crc32(Path(__file__).read_bytes()):08x}",  # its cached kernels change with it
    title="Matching",
    turn_based=False,
    state_size=2,
    state_dtype=np.int32,
    validate=lambda options: options,
    seats=lambda options: SEATS,
    num_actions=lambda options: SEATS + 1,
    observation_size=lambda options: 2,
    prepare=_prepare,
    new_game=new_game,
    legal=legal,
    step=step,
    current=current,
    over=over,
    score=score,
    encode=encode,
    encode_packed=encode,
)


@pytest.fixture(scope="module")
def pebbles(tmp_path_factory):
    """The name of a game whose folder was made a moment ago."""
    sources = sorted((Path(__file__).parent / "made_up").glob("*.py"))
    mark = zlib.crc32(b"".join(path.read_bytes() for path in sources))  # its cached kernels change with it
    name, root = f"pebbles_{mark:08x}", tmp_path_factory.mktemp("games")
    assert name not in names()
    (root / name).mkdir()
    for path in sources:
        shutil.copy(path, root / name)
    games.__path__.append(str(root))
    yield name
    games.__path__.remove(str(root))
    for module in [one for one in sys.modules if one.startswith(f"engine.games.{name}")]:
        del sys.modules[module]


def test_games_are_found_by_their_folders(pebbles) -> None:
    assert {"arena", "frozen_lake_2", "hanabi", "overcooked", "say_select", pebbles} == set(names())
    assert all(spec(name).name == name for name in names())


def test_a_new_game_has_an_env(pebbles) -> None:
    parallel_api_test(games.make(pebbles, players=3), num_cycles=100)
    with pytest.raises(Refusal, match="Pebbles's option 'players' is one of 2, 3, not 7"):
        games.make(pebbles, players=7)


def test_a_new_game_is_played_live_logged_and_replayed(pebbles, tmp_path) -> None:
    sim, rng = Simulation(pebbles, seed=5), np.random.default_rng(0)
    seats = [{"kind": "person", "name": "Ada"}, {"kind": "person", "name": "Bo"}]
    log = EpisodeLog(header_of(sim, "e1", seats))
    assert sim.why_illegal(1, 0) == "It is another's turn."
    while not sim.over:
        action = int(rng.choice(np.flatnonzero(sim.legal(sim.current))))
        tick = sim.tick
        sim.act(sim.current, action)
        log.append({"type": "step", "tick": tick, "actions": sim.actions[-1]})
    end = {"tick": sim.tick, "score": sim.score, "digest": sim.digest(), "reason": "finished"}
    log.append({"type": "end", **end})
    read = read_lines("".join(encode_line(record) for record in [log.header, *log.records]).encode())
    assert verify(read) == []
    heaps = [moment.view()["heap"] for moment in walk(read)]
    assert heaps[0] >= 8 and heaps[-1] == 0 and heaps == sorted(heaps, reverse=True)
    read.records[0]["actions"] = [2 if read.records[0]["actions"][0] != 2 else 1, 3]
    assert verify(read) != []


def test_a_new_game_runs_in_batches_as_it_does_alone(pebbles) -> None:
    batch = games.make_batch(pebbles, 16, observations="float", seed=3)
    sims = [Simulation.at(pebbles, {}, state) for state in batch.states]
    for _ in range(12):
        before = batch.states.copy()
        actions = batch.choose_random().copy()
        batch.step(actions)
        for sim, state, action, done, points in zip(
            sims, before, actions, batch.dones, batch.rewards, strict=True
        ):
            if not sim.over:
                assert np.array_equal(sim.state, state)
                assert sim.act(sim.current, int(action)) == points and sim.over == bool(done)
    assert all(sim.over for sim in sims)


def test_a_new_games_scripted_player_is_an_agent_like_any_other(pebbles, tmp_path) -> None:
    card = {"game": pebbles, "kind": "scripted", "bot": "even", "players": [2, 3]}
    (tmp_path / "card.json").write_text(json.dumps(card))
    even = load(str(tmp_path), pebbles)
    assert play([even], pebbles, {"players": 3}, episodes=30, seed=2).min() >= 4
    (log,) = play_logs(even, 1, {}, mistakes=0.0, seed=1)
    assert verify(log) == [] and log.header["game"] == pebbles


def test_what_a_new_game_leaves_out_has_a_default(pebbles, tmp_path) -> None:
    sim = Simulation(pebbles, seed=5)
    drawn = sim.picture(None, 200)
    assert drawn.shape[1:] == (200, 3) and drawn.dtype == np.uint8 and len(np.unique(drawn)) > 2
    sim.act(0, 0)
    assert not np.array_equal(sim.picture(None, 200), drawn)
    assert action_labels(pebbles, sim.options) == ["Take 1.", "Take 2.", "Take 3."]
    assert sim.deck == [] and sim.digest() == state_digest(sim.spec, sim.state.copy())
    with pytest.raises(Refusal, match="Pebbles has no option 'heap'; its options are players"):
        Simulation(pebbles, {"heap": 3})
    with pytest.raises(Refusal, match="Pebbles has no deck"):
        Simulation(pebbles, deck=[1])
    (tmp_path / "card.json").write_text(json.dumps({"game": pebbles, "kind": "scripted", "bot": "odd"}))
    with pytest.raises(Refusal, match=f"{pebbles} has no scripted bot 'odd'; there are even"):
        load(str(tmp_path), pebbles)


def test_a_new_game_is_measured(pebbles) -> None:
    found = bench_env(pebbles, batch=8, seconds=0.1)
    assert found["steps_per_second"] > 0 and found["unit"] == "game steps, uint8 observations"


def test_a_game_in_which_all_move_at_once_has_a_seat_axis() -> None:
    batch = Batch(MATCHING, {}, 5)
    assert batch.masks.shape == (5, 3, 4) and batch.observations.shape == (5, 3, 2)
    assert (batch.seats == -1).all()
    for tick in range(2 * ROUNDS):
        assert (batch.observations[:, :, 0] == tick % ROUNDS).all()
        assert (batch.observations[:, :, 1] == np.arange(3)).all()
        actions = np.tile([3 if tick % 2 else 2, 3 if tick % 2 else 0, 1], (5, 1))
        batch.step(actions)
        assert (batch.rewards == tick % 2).all()
        assert (batch.dones == (tick % ROUNDS == ROUNDS - 1)).all()
    assert (batch.scores == ROUNDS / 2).all()


def test_random_play_keeps_to_every_seats_mask() -> None:
    batch = Batch(MATCHING, {}, 50, observations="none")
    for _ in range(10):
        actions = batch.choose_random()
        assert (actions != np.arange(3)).all() and set(np.unique(actions)) == {0, 1, 2, 3}
        batch.step(actions)
