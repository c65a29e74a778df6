"""The binary frames: read as they were written, refused with a sentence, and silent about what is hidden."""

import numpy as np
import pytest

from engine.games.arena import protocol, snapshot
from engine.games.arena import state as s
from engine.games.arena.protocol import Input
from engine.refusal import Refusal
from engine.simulation.simulation import Simulation

WALK = Input(seq=1, move=3, body=s.B_NONE, basic=7, switch=s.KEEP, yaw=70, pitch=-300, seen=0)


@pytest.fixture
def sim() -> Simulation:
    return Simulation("arena", {"teams": 5, "team_size": 4, "map_seed": 7}, seed=3)


def field(state: np.ndarray, seat: int, name: str) -> int:
    return int(state[s.player(seat) + getattr(s, name)])


def read(sim: Simulation, seat: int, seen: np.ndarray | None = None) -> protocol.Snapshot:
    return protocol.unpack_snapshot(bytes(protocol.pack_snapshot(sim.state, sim.world, seat, seen)))


def stand(sim: Simulation) -> None:
    sim.step([sim.idle(seat) for seat in range(sim.seats)])


def put(sim: Simulation, seat: int, **fields: int) -> None:
    for name, value in fields.items():
        sim._state[s.player(seat) + getattr(s, name)] = value


# --- Inputs ----------------------------------------------------------------------------------------------


def test_inputs_are_read_as_they_were_written():
    inputs = [WALK, WALK._replace(seq=2, yaw=65535, pitch=16384, seen=65535, basic=0, body=0, switch=0)]
    frame = protocol.pack_inputs(inputs)
    assert len(frame) == 3 + 2 * protocol.INPUT_SIZE
    assert protocol.unpack_inputs(frame) == inputs


@pytest.mark.parametrize(
    ("frame", "sentence"),
    [
        (b"", "at least 3 bytes"),
        (bytes([2, 1, 1]) + bytes(16), "kind 1"),
        (bytes([1, 9, 1]) + bytes(16), "version 1"),
        (bytes([1, 1, 0]), "1 to 3 inputs"),
        (bytes([1, 1, 4]) + bytes(64), "1 to 3 inputs"),
        (bytes([1, 1, 1]) + bytes(15), "18 bytes"),
        (bytes([1, 1, 1]) + bytes(17), "20 bytes"),
        (protocol.pack_inputs([WALK._replace(seq=0)]), "numbered from 1"),
        (protocol.pack_inputs([WALK._replace(move=16)]), "move of an input is 0 to 15"),
        (protocol.pack_inputs([WALK._replace(body=9)]), "body of an input is 0 to 8"),
        (protocol.pack_inputs([WALK._replace(basic=8)]), "basic of an input is 0 to 7"),
        (protocol.pack_inputs([WALK._replace(switch=3)]), "switch of an input is 0 to 2"),
        (protocol.pack_inputs([WALK._replace(pitch=16385)]), "pitch of an input"),
        (protocol.pack_inputs([WALK, WALK._replace(seq=3)]), "one after the other"),
        (protocol.pack_inputs([WALK])[:-1] + b"\1", "are 0"),
    ],
)
def test_what_is_no_input_frame_is_refused_with_a_sentence(frame, sentence):
    with pytest.raises(Refusal, match=sentence):
        protocol.unpack_inputs(frame)


def test_an_input_becomes_a_record_that_the_rules_take(sim):
    yaw = field(sim.state, 0, "YAW")
    record = protocol.to_record(sim.state, 0, WALK._replace(yaw=(yaw + 1000) & 0xFFFF, pitch=9000))
    assert record == [3, 2, 2, s.B_NONE, s.PICK, 0, (yaw + 1000) & 0xFFFF, 9000, 0]
    joint = [sim.idle(seat) for seat in range(sim.seats)]
    sim.step([record, *joint[1:]])
    assert (field(sim.state, 0, "YAW") & 0xFFFF, field(sim.state, 0, "PITCH")) == (record[6], 9000)


def test_turns_are_the_nearest_choices_of_the_heads(sim):
    yaw = field(sim.state, 0, "YAW")
    for turn, head in ((0, 0), (300, 1), (-300, 15), (9000, 7), (-9000, 8), (-250, 0)):
        record = protocol.to_record(sim.state, 0, WALK._replace(yaw=(yaw + turn) & 0xFFFF))
        assert record[s.TURN_HEAD] == head, turn


def test_hands_that_rest_a_switch_and_a_slot_without_weapon(sim):
    def basic_and_switch(**fields):
        return tuple(protocol.to_record(sim.state, 0, WALK._replace(**fields))[s.BASIC : s.SWITCH + 1])

    assert basic_and_switch() == (s.PICK, 0), "naming the slot in hand: hands rest"
    assert basic_and_switch(switch=0) == (s.PICK, 0)
    assert basic_and_switch(basic=s.FIRE, switch=0) == (s.FIRE, s.KEEP), "a switch to it stops nobody"
    assert basic_and_switch(switch=1) == (s.PICK, 0), "there is no second weapon"
    assert basic_and_switch(basic=s.FIRE, switch=1) == (s.FIRE, s.KEEP)
    put(sim, 0, WEAPON_2=s.RIFLE, MAGAZINE_2=5)
    assert basic_and_switch(switch=1) == (s.FIRE, 1)
    joint = [sim.idle(seat) for seat in range(sim.seats)]
    joint[0] = protocol.to_record(sim.state, 0, WALK._replace(switch=1))
    sim.step(joint)
    assert (field(sim.state, 0, "SLOT"), field(sim.state, 0, "MAGAZINE_2")) == (1, 5), "switched, not fired"


def test_the_tick_on_the_screen_is_found_again_and_limited(sim):
    sim._state[s.TICK] = 100
    for seen, tick in ((100, 100), (98, 98), (95, 95), (50, 95), (101, 100), (40000, 95)):
        assert protocol.to_record(sim.state, 0, WALK._replace(seen=seen))[s.SEEN] == tick
    sim._state[s.TICK] = 2
    assert protocol.to_record(sim.state, 0, WALK._replace(seen=65535))[s.SEEN] == 0


def test_what_is_done_once_is_not_repeated(sim):
    def again(**fields):
        one = protocol.again(sim.state, 0, WALK._replace(**fields))
        return one.body, one.basic, one.switch

    assert again(body=s.B_RUN, basic=s.FIRE, switch=1) == (s.B_RUN, 7, s.KEEP)
    assert again(body=s.B_RESCUE) == (s.B_RESCUE, 7, s.KEEP)
    assert again(basic=s.TREATING) == (s.B_NONE, s.TREATING, s.KEEP)
    assert again(body=s.B_JUMP) == (s.B_STOP, 7, s.KEEP)
    put(sim, 0, MOVING=1)
    assert again(body=s.B_DOOR) == (s.B_NONE, 7, s.KEEP)


# --- Snapshots -------------------------------------------------------------------------------------------


def test_a_snapshot_is_read_as_it_was_written(sim):
    stand(sim)
    frame = protocol.pack_snapshot(sim.state, sim.world, 6)
    stamped = protocol.stamp(frame, ack=70000, clock=2**33 + 5, late=99999, waiting=3, idle_agents=2)
    seen = protocol.unpack_snapshot(stamped)
    assert (seen.tick, seen.ack, seen.seat, seen.flags, seen.clock) == (1, 70000, 6, 0, 5)
    assert (seen.late, seen.waiting, seen.idle_agents) == (65535, 3, 2)
    assert (seen.teams_left, seen.players_left) == (5, 20)
    at = s.player(6)
    assert seen.own.tolist() == sim.state[at : at + protocol.OWN_FIELDS].tolist()
    assert {4, 5, 7} <= set(seen.players["seat"].tolist())
    mate = seen.players[seen.players["seat"] == 7][0]
    assert (mate["x"], mate["y"], mate["hp"]) == (field(sim.state, 7, "X"), field(sim.state, 7, "Y"), 100)
    assert mate["flags"] == snapshot.MATE
    assert (seen.zone.blue_x, seen.zone.white_r) == (sim.state[s.BLUE_X], sim.state[s.WHITE_R])
    assert protocol.unpack_snapshot(protocol.stamp(frame, other_seat=True)).flags == protocol.FLAG_OTHER_SEAT


def test_from_above_everybody_is_seen(sim):
    put(sim, 3, LIFE=s.OUT)
    seen = read(sim, protocol.FROM_ABOVE)
    assert set(seen.players["seat"].tolist()) == set(range(20)) - {3}
    assert (seen.players["hp"] == 100).all() and not seen.own.any()
    assert len(seen.monsters) == 4
    assert len(seen.supplies) == np.count_nonzero(sim.state[s.SUPPLY : s.MONSTER : 4])


def test_no_byte_changes_with_an_enemy_who_is_out_of_sight(sim):
    rng = np.random.default_rng(1)
    seen = protocol.new_seen()
    hidden = 0
    for tick in range(60):
        sim.step(
            [
                sim.resolve(seat, [int(rng.integers(size)) for size in sim.spec.heads])
                for seat in range(sim.seats)
            ]
        )
        protocol.note_sight(sim.state, seen)
        if tick % 10:
            continue
        for seat in (0, 7):
            before = bytes(protocol.pack_snapshot(sim.state, sim.world, seat, seen))
            shown = set(protocol.unpack_snapshot(before).players["seat"].tolist())
            twin = sim.copy()
            for other in set(range(sim.seats)) - shown - {seat}:
                hidden += 1
                # Within the noise that all may hear alike, which is rounded to 4 m.
                for name, change in (("YAW", 999), ("PITCH", -70), ("STANCE", 1), ("HP", 5), ("WEAPON", 2)):
                    twin._state[s.player(other) + getattr(s, name)] ^= change
                put(twin, other, X=128 * 128, Y=77, Z=1)
            assert bytes(protocol.pack_snapshot(twin.state, twin.world, seat, seen)) == before
    assert hidden > 50


def test_an_enemy_is_shown_for_a_moment_after_the_line_of_sight_broke(sim):
    enemy, seen = 19, protocol.new_seen()
    sim._state[s.player(0) + s.SIGHT] = sim._state[s.player(0) + s.SIGHT_2] = 0
    assert enemy not in read(sim, 0, seen).players["seat"]
    sim._state[s.player(0) + s.SIGHT_2] = 1 << 9
    protocol.note_sight(sim.state, seen)
    found = read(sim, 0, seen).players
    assert found[found["seat"] == enemy][0]["hp"] == 255, "how an enemy does is not told"
    sim._state[s.player(0) + s.SIGHT_2] = 0
    for tick, there in ((3, True), (4, False)):
        sim._state[s.TICK] = tick
        assert (enemy in read(sim, 0, seen).players["seat"]) is there


def test_events_are_told_as_far_as_they_are_noticed(sim):
    stand(sim)
    put(sim, 0, SEES_2=0, SIGHT_2=0)
    x = 3000 if field(sim.state, 0, "X") > 64 * 256 else 30000  # far away
    for victim in (1, 10):
        s.tell(sim._state, s.KILL, 18, victim, x, 6000, 700, 0)
    s.tell(sim._state, s.PICKED, 18, -1, x, 6000, 700, 1)
    kills = read(sim, 0).events
    assert kills["kind"].tolist() == [s.KILL, s.KILL]
    assert (kills[0]["x"], kills[0]["other"]) == (x, 1), "a mate's end is seen"
    assert (kills[1]["x"], kills[1]["seat"], kills[1]["other"]) == (0, 18, 10), "of others one is told"
    assert len(read(sim, protocol.FROM_ABOVE).events) == 3
    assert [event["other"] for event in protocol.announced(sim.state)] == [1, 10]


def test_plain_and_compiled_write_the_same(sim):
    stand(sim)
    seen = protocol.new_seen()
    for seat in (0, 13, protocol.FROM_ABOVE):
        plain, compiled = protocol.new_buffer(), protocol.new_buffer()
        length = snapshot.write_snapshot.py_func(sim.state, sim.world, seat, seen, plain)
        assert snapshot.write_snapshot(sim.state, sim.world, seat, seen, compiled) == length
        assert plain.tolist() == compiled.tolist()


@pytest.mark.parametrize("cut", [0, 19, 100, 117, 140, -30, -1])
def test_a_snapshot_that_ends_too_early_is_refused(sim, cut):
    frame = bytes(protocol.pack_snapshot(sim.state, sim.world, 0))
    with pytest.raises(Refusal):
        protocol.unpack_snapshot(frame[:cut])
    with pytest.raises(Refusal, match="after its end"):
        protocol.unpack_snapshot(frame + b"x")


def test_eyes_of_those_who_are_out(sim):
    assert protocol.eyes_of(sim.state, 0, 1) == (0, False), "who is in sees for themselves"
    put(sim, 0, LIFE=s.OUT)
    assert protocol.eyes_of(sim.state, 0, None) == (0, False)
    assert protocol.eyes_of(sim.state, 0, 2) == (2, False)
    assert protocol.eyes_of(sim.state, 0, 7) == (0, False), "an enemy's eyes would tell where they are"
    for mate in (1, 2, 3):
        put(sim, mate, LIFE=s.OUT)
    assert protocol.eyes_of(sim.state, 0, 7) == (7, True)
    assert protocol.eyes_of(sim.state, 0, None) == (protocol.FROM_ABOVE, True)
