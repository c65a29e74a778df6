"""What a player may be told of their squad in words: no more than their own snapshots show."""

import numpy as np
import pytest

from engine.games.arena import protocol, telling
from engine.games.arena import state as s
from engine.games.arena.sight import FORGOTTEN
from engine.simulation.simulation import Simulation

ME, MATE, ENEMY = 0, 1, 2


@pytest.fixture
def state() -> np.ndarray:
    record = Simulation(
        "arena", {"teams": 2, "team_size": 2, "map_seed": 3, "monsters": 0}, seed=9
    ).state.copy()
    record[s.TICK] = 400
    record[s.MEMORY : s.MEMORY + 3 * s.MAX_TEAMS * s.MAX_SEATS : 3] = 400 - FORGOTTEN
    return record


def sees(state: np.ndarray, seat: int, looks: bool = True) -> None:
    """A seat has the enemy in sight, and its team knows where."""
    at = int(s.player(seat))
    state[at + s.SIGHT] |= 1 << ENEMY
    state[at + s.SEES] |= looks << ENEMY
    remember(state, int(state[s.TICK]))


def remember(state: np.ndarray, tick: int) -> None:
    entry = s.MEMORY + 3 * ENEMY
    at = int(s.player(ENEMY))
    state[entry : entry + 3] = tick, state[at + s.X], state[at + s.Y]


def told(state: np.ndarray, reader: int, seat: int, seen: np.ndarray | None = None) -> dict:
    seen = protocol.new_seen() if seen is None else seen
    protocol.note_sight(state, seen)
    return telling.spoken_to((state, seen), (state, seen), reader, seat)


def test_what_only_a_mate_sees_is_not_told(state):
    sees(state, MATE)
    mine = told(state, ME, ME)
    assert "I know of no enemy nearby" in mine["sees"]
    assert ("Distance with nearest enemy", "Extreme Far") in mine["details"]
    assert "I know of no enemy nearby" in told(state, ME, MATE)["sees"]
    assert "I see the enemy Player 3" in told(state, MATE, MATE)["sees"]


def test_that_a_mate_sees_an_enemy_is_told_who_has_them_in_sight_too(state):
    sees(state, MATE)
    sees(state, ME, looks=False)
    assert "I see the enemy Player 3" in told(state, ME, MATE)["sees"]
    assert "A teammate sees the enemy Player 3" in told(state, ME, ME)["sees"]


def test_one_remembers_whom_one_has_seen_oneself(state):
    remember(state, 300)
    seen = protocol.new_seen()
    assert "I know of no enemy nearby" in told(state, ME, ME, seen)["sees"]
    seen[ME, ENEMY] = 300
    assert "The enemy Player 3 was seen" in told(state, ME, ME, seen)["sees"]
    remember(state, 350)  # a mate saw them later, somewhere else
    assert "I know of no enemy nearby" in told(state, ME, ME, seen)["sees"]


def test_of_a_mate_one_is_told_what_they_look_like(state):
    mine, theirs = told(state, ME, ME), told(state, ME, MATE)
    assert "I have a loaded pistol in my hands, bullets to spare" in mine["sees"]
    assert "I have a pistol in my hands." in theirs["sees"]
    for word in ("bullet", "kit", "lies", "just been hit"):
        assert word not in theirs["sees"]
    assert (len(mine["details"]) > 20, theirs["details"]) == (True, [])
    state[s.player(MATE) + s.RELOAD] = 3
    assert "and am busy." in told(state, ME, MATE)["sees"]


def test_the_record_itself_is_left_alone(state):
    sees(state, MATE)
    before = state.copy()
    told(state, ME, MATE)
    assert np.array_equal(state, before)


def test_no_enemy_is_told_of_whom_ones_snapshots_never_had():
    """A match in which all run in circles, a mate among the enemies, far from the other."""
    sim = Simulation("arena", {"teams": 2, "team_size": 2, "map_seed": 3, "monsters": 0}, seed=9)
    mate, enemy = int(s.player(MATE)), int(s.player(ENEMY))
    sim._state[mate + s.X : mate + s.Z + 1] = sim._state[enemy + s.X : enemy + s.Z + 1]
    sim._state[mate + s.X] += 6 * s.UNIT
    seen = protocol.new_seen()
    had: list[set[int]] = [set() for _ in range(4)]
    for tick in range(40):
        turn = tick * 3000 & 0xFFFF
        sim.step(
            [[0, 0, 1, s.B_RUN, s.PICK, s.KEEP, turn + 9000 * seat & 0xFFFF, 0, tick] for seat in range(4)]
        )
        state = sim.state.copy()
        protocol.note_sight(state, seen)
        for reader in range(4):
            shown = protocol.unpack_snapshot(bytes(protocol.pack_snapshot(state, sim.world, reader, seen)))
            had[reader] |= set(shown.players["seat"].tolist())
            for seat in (reader, reader ^ 1):
                text = telling.spoken_to((state, seen), (state, seen), reader, seat)["sees"]
                named = {other for other in range(4) if f"enemy Player {other + 1}" in text}
                assert named <= had[reader]
    assert ENEMY in had[MATE] and ENEMY not in had[ME]
