"""The browser's copies of Arena's rules do what the rules do, bit for bit: numbers, moves, hands, bytes."""

from __future__ import annotations

import base64
import json
import random
import subprocess
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from engine.games.arena import aim, angles, browser, options, protocol, rules, sight
from engine.games.arena import move as moving
from engine.games.arena import state as s
from engine.games.arena import world as worlds
from engine.simulation.rng import key_from_seed
from tests.services import NODE

pytestmark = pytest.mark.node
ROOT = Path(__file__).resolve().parents[4]
MAP_SEEDS = (3, 4, 5)
OWN = s.ACTED + 1


def twin(**given: Any) -> dict[str, Any]:
    """What Node says to these vectors."""
    command = [*NODE, str(ROOT / "tests/js/arena-twin.mjs")]
    done = subprocess.run(command, input=json.dumps(given), capture_output=True, text=True, timeout=600)
    assert done.returncode == 0, done.stderr[-3000:]
    return json.loads(done.stdout)


@pytest.fixture(scope="module")
def world() -> np.ndarray:
    return worlds.world_of(MAP_SEEDS)


@pytest.fixture(scope="module")
def maps(world: np.ndarray) -> list[str]:
    return [base64.b64encode(row.tobytes()).decode() for row in world]


def match(map_row: int, teams: int = 2, team_size: int = 1, monsters: int = 0, seed: int = 1) -> np.ndarray:
    """A match that has just begun on one of the maps."""
    complete = options.validate({"teams": teams, "team_size": team_size, "map_seed": 0, "monsters": monsters})
    state = np.zeros(s.STATE_SIZE, s.STATE_DTYPE)
    options.prepare(state, complete, *key_from_seed(seed))
    rules.new_game(state, worlds.world_of((MAP_SEEDS[map_row],)))
    return state


def own_of(state: np.ndarray) -> list[int]:
    at = s.player(0)
    return state[at : at + OWN].tolist()


def doors_of(state: np.ndarray) -> int:
    return sum(int(state[s.DOOR + door] != 0) << door for door in range(s.DOORS))


def begun(row: int, state: np.ndarray, fields: list[int]) -> dict[str, Any]:
    """A case that begins here, without steps."""
    return {"map": row, "own": own_of(state), "doors": doors_of(state), "steps": [], "fields": fields}


def an_input(draws: random.Random, before: protocol.Input | None, seq: int) -> protocol.Input:
    """What somebody might do next: often what they did before, with a turn of the view."""
    if before is None or draws.random() < 0.12:
        body = draws.choice([s.B_STOP, s.B_NONE, s.B_NONE, s.B_RUN, s.B_RUN, s.B_RUN])
        before = protocol.Input(seq, draws.randrange(16), body, 7, 2, draws.randrange(65536), 0, 0)
    body = draws.randrange(9) if draws.random() < 0.15 else before.body
    basic = draws.randrange(8) if draws.random() < 0.3 else 7
    switch = draws.choice([0, 1, 2, 2, 2, 2])
    yaw = (before.yaw + draws.randint(-3000, 3000)) & 0xFFFF
    return protocol.Input(seq, before.move, body, basic, switch, yaw, draws.randint(-16384, 16384), 0)


def put_somewhere(draws: random.Random, state: np.ndarray, world: np.ndarray, row: int) -> None:
    """Place player 0 anywhere but in the rock around the map: at doors, in water, above the ground."""
    at = s.player(0)
    if draws.random() < 0.4:
        door = draws.randrange(int(world[row, worlds.DOOR_COUNT]))
        spot = worlds.DOOR_SPOTS + 2 * door
        x, y = (int(world[row, spot + i]) * 256 + 128 + draws.randint(-500, 500) for i in range(2))
    else:
        x, y = (draws.randint(3 * 256, 125 * 256) for _ in range(2))
    ground = int(world[row, (y >> 8) * s.SIDE + (x >> 8)]) * worlds.STEP_HEIGHT
    state[at + s.X], state[at + s.Y] = x, y
    state[at + s.Z] = ground + draws.choice([0, 0, 0, 50, 700, 2500])


def fields_before(draws: random.Random, state: np.ndarray) -> None:
    """Everything that moving reads, at random."""
    at = s.player(0)
    state[at + s.YAW] = draws.randint(-32768, 32767)
    state[at + s.LIFE] = draws.choice([s.UP, s.UP, s.UP, s.UP, s.DOWNED])
    state[at + s.STANCE] = s.DOWN if state[at + s.LIFE] == s.DOWNED else draws.choice([0, 0, 0, 1, 2, 3])
    state[at + s.STANCE_WAIT] = draws.choice([0, 0, 3])
    state[at + s.STAMINA] = draws.choice([0, 2, 45, 200, 400])
    state[at + s.MOVING] = draws.randrange(2)
    state[at + s.AIRBORNE] = draws.choice([0, 0, 0, 1])
    state[at + s.VZ] = draws.randint(-120, 59) if state[at + s.AIRBORNE] else 0
    state[at + s.FALL_FROM] = int(state[at + s.Z]) + draws.choice([0, 300, 2000])
    state[at + s.SLIDE] = draws.randint(1, 14) if state[at + s.STANCE] == s.SLIDING else 0
    state[at + s.SLIDE_YAW] = draws.randint(-32768, 32767)
    state[at + s.SLOW] = draws.choice([0, 0, 0, 1])
    for door in range(s.DOORS):
        state[s.DOOR + door] = draws.randrange(2)


def test_the_tables_in_the_browser_are_printed_from_the_rules():
    written = (ROOT / "engine/games/arena/static/js/games/arena/rules.js").read_text()
    assert written == browser.module(), (
        "python -m engine.games.arena.browser > engine/games/arena/static/js/games/arena/rules.js"
    )


def test_the_own_record_of_a_snapshot_is_in_the_order_of_the_fields():
    assert [getattr(s, name) for name in browser.PLAYER_FIELDS.split()] == list(range(OWN))
    assert protocol.OWN_FIELDS == OWN


def test_moving_is_the_same(world, maps):
    draws = random.Random(20)
    cases = []
    for number in range(240):
        row = number % len(MAP_SEEDS)
        state = match(row)
        put_somewhere(draws, state, world, row)
        fields_before(draws, state)
        case = {
            "map": row,
            "own": own_of(state),
            "doors": doors_of(state),
            "steps": [],
            "fields": list(range(OWN)),
        }
        here = world[row : row + 1]
        one = None
        for tick in range(30):
            one = an_input(draws, one, tick + 1)
            action = np.array(protocol.to_record(state, 0, one), np.int32)
            points = int(moving.move(state, here, 0, action))
            case["steps"].append([list(one[1:7]), own_of(state), case["doors"], points])
        cases.append(case)
    moves = [record for case in cases for _, record, _, _ in case["steps"]]
    assert {record[s.STANCE] for record in moves} == {s.STAND, s.CROUCH, s.PRONE, s.SLIDING, s.DOWN}
    assert any(record[s.AIRBORNE] for record in moves) and any(record[s.VX] == 0 for record in moves)
    assert any(points > 0 for case in cases for *_, points in case["steps"])
    assert twin(maps=maps, moves=cases) == {"wrong": []}


# What a whole tick does to one's own record and the browser can know. Not: what others do to it, what is
# seen, and what the browser has no use for (ACTED, STEPS, when one shot).
KNOWN = [
    field
    for field in range(OWN)
    if field not in (s.HIT_BY, s.HIT_TICK, s.HIT_YAW, s.SHOT_TICK, s.STEPS, s.ACTED, s.HELPED_BY)
    and not s.SIGHT <= field <= s.EVER_2
]


def armed(draws: random.Random, state: np.ndarray) -> None:
    at = s.player(0)
    for slot in range(2):
        weapon = draws.randrange(6)
        state[at + s.WEAPON + slot] = weapon
        state[at + s.MAGAZINE + slot] = draws.choice([0, 1, 5]) if weapon else 0
    state[at + s.SLOT] = draws.randrange(2)
    state[at + s.AMMO] = draws.choice([0, 3, 100])
    state[at + s.MEDKITS] = draws.randrange(3)
    state[at + s.HP] = draws.choice([20, 70, 100])
    state[at + s.TREAT] = draws.choice([0, 0, 57])
    state[at + s.RELOAD] = draws.choice([0, 0, 2]) if state[at + s.WEAPON + state[at + s.SLOT]] else 0
    state[at + s.RECOIL], state[at + s.BLOOM] = draws.randint(0, 1500), draws.randint(0, 900)
    state[at + s.FIRE_WAIT], state[at + s.HAND_WAIT] = draws.choice([0, 1, 9]), draws.choice([0, 1, 5])


def test_a_whole_tick_of_one_who_is_alone_is_the_same(world, maps):
    draws = random.Random(21)
    cases = []
    for number in range(150):
        row = number % len(MAP_SEEDS)
        state = match(row)
        state[s.SUPPLY : s.MONSTER] = 0  # that something lies there only the server says
        put_somewhere(draws, state, world, row)
        at = s.player(0)
        state[at + s.FALL_FROM] = state[at + s.Z]
        armed(draws, state)
        for door in range(s.DOORS):
            state[s.DOOR + door] = draws.randrange(2)
        # No zone that hurts.
        state[s.BLUE_X], state[s.BLUE_Y], state[s.BLUE_R] = 64 * 256, 64 * 256, 32000
        case = begun(row, state, KNOWN)
        here = world[row : row + 1]
        one = None
        actions = np.zeros((2, s.RECORD), np.int32)
        for tick in range(40):
            one = an_input(draws, one, tick + 1)
            if one.basic in (s.PICK, s.ADJUST_FIRE):
                one = one._replace(basic=draws.choice([s.FIRE, s.TREATING]))
            actions[0] = protocol.to_record(state, 0, one)
            actions[1] = protocol.to_record(state, 1, protocol.Input(1, 0, s.B_STOP, 7, 2, 0, 0, 0))
            shots = int(state[at + s.SHOTS])
            weapon = int(state[at + s.WEAPON + int(state[at + s.SLOT])])
            health = int(state[at + s.HP])
            state[s.SUPPLY : s.MONSTER] = 0
            rules.step(state, here, actions)
            shot = weapon if state[at + s.SHOTS] > shots else 0
            if state[at + s.HP] < health or state[at + s.LIFE] != s.UP:
                break  # a fall or a shot hurt
            case["steps"].append([list(one[1:7]), own_of(state), doors_of(state), shot])
        cases.append(case)
    steps = [step for case in cases for step in case["steps"]]
    assert len(steps) > 3000
    assert sum(step[3] > 0 for step in steps) > 50
    assert any(step[1][s.TREAT] for step in steps) and any(step[1][s.SLOW] for step in steps)
    assert len({step[2] for step in steps}) > len(cases)  # doors were used
    assert twin(maps=maps, acts=cases) == {"wrong": []}


def test_angles_and_lengths_are_the_same():
    draws = random.Random(22)
    cases = []
    for _ in range(1500):
        angle = draws.randint(-200000, 200000)
        dx, dy = draws.choice(
            [(draws.randint(-40000, 40000), draws.randint(-40000, 40000)), (0, draws.randint(-9, 9))]
        )
        cases += [[name, [angle], int(getattr(angles, name)(angle))] for name in ("sine", "cosine", "wrap")]
        cases += [[name, [dx, dy], int(getattr(angles, name)(dx, dy))] for name in ("bearing", "length")]
        cases.append(["elevation", [abs(dx) + 1, dy], int(angles.elevation(abs(dx) + 1, dy))])
    assert twin(angles=cases) == {"wrong": []}


def test_the_map_is_read_the_same_way(world, maps):
    draws = random.Random(23)
    cells, rays, sights = [], [], []
    states = [match(row) for row in range(len(MAP_SEEDS))]
    for number in range(1200):
        row = number % len(MAP_SEEDS)
        state, here = states[row], world[row : row + 1]
        for door in range(s.DOORS):
            state[s.DOOR + door] = draws.randrange(2)
        doors = doors_of(state)
        x, y = draws.randrange(s.SIDE * 256), draws.randrange(s.SIDE * 256)
        cell = (y >> 8) * s.SIDE + (x >> 8)
        seen = [int(read(state, here, cell)) for read in (worlds.top, worlds.opaque)]
        cells.append([row, doors, cell, x, y, [*seen, int(worlds.kind_at(state, here, x, y))]])
        z = seen[0] + 400
        to = [
            min(32767, max(0, x + draws.randint(-9000, 9000))),
            min(32767, max(0, y + draws.randint(-9000, 9000))),
        ]
        to_z = draws.randint(0, 3000)
        args = [x, y, z, *to, to_z, max(abs(to[0] - x), abs(to[1] - y))]
        shot = number // 3 & 1
        got = int(sight.ray(state, here, *args, shot))
        rays.append([row, doors, args, shot, got])
        if not shot:
            sights.append([row, doors, args[:6], int(got >= args[6])])
    assert {expected for *_, expected in sights} == {0, 1}
    assert twin(maps=maps, cells=cells, rays=rays, sights=sights) == {"wrong": []}


def player_of(row: np.void) -> dict[str, Any]:
    look, flags = int(row["look"]), int(row["flags"])
    return {
        **{name: int(row[name]) for name in ("seat", "x", "y", "z", "yaw", "weapon", "hp")},
        "pitch": int(row["pitch"]) * 128,
        "life": look & 3,
        "stance": look >> 2 & 7,
        "fired": bool(look & 0x20),
        "running": bool(look & 0x40),
        "busy": bool(look & 0x80),
        "helped": bool(flags & 1),
        "mate": bool(flags & 2),
    }


def rows_of(rows: np.ndarray, *names: str) -> list[dict[str, int]]:
    return [{name: int(row[name]) for name in names} for row in rows]


def expected_of(frame: protocol.Snapshot) -> dict[str, Any]:
    """A snapshot as the browser has it."""
    monsters = rows_of(frame.monsters, "number", "x", "y", "z", "yaw", "hp")
    for monster in monsters:
        monster["yaw"] <<= 8
    zone = frame.zone
    return {
        "tick": frame.tick,
        "ack": frame.ack,
        "seat": frame.seat,
        "over": bool(frame.flags & protocol.FLAG_OVER),
        "watching": bool(frame.flags & protocol.FLAG_OTHER_SEAT),
        "teamsLeft": frame.teams_left,
        "playersLeft": frame.players_left,
        "clock": frame.clock / 10,
        "late": frame.late / 100,
        "waiting": frame.waiting,
        "idleAgents": frame.idle_agents,
        "own": frame.own.tolist(),
        "players": [player_of(row) for row in frame.players],
        "monsters": monsters,
        "zone": {
            "stage": zone.stage,
            "shrinking": bool(zone.shrinking),
            "left": zone.left,
            **{"blueX": zone.blue_x, "blueY": zone.blue_y, "blueR": zone.blue_r},
            **{"whiteX": zone.white_x, "whiteY": zone.white_y, "whiteR": zone.white_r},
        },
        "doors": frame.doors,
        "supplies": rows_of(frame.supplies, "number", "kind", "amount", "x", "y"),
        "events": rows_of(frame.events, "kind", "seat", "other", "x", "y", "z", "value", "tick"),
    }


def random_match(draws: random.Random, here: np.ndarray) -> list[tuple[np.ndarray, np.ndarray]]:
    """(state, seen) of moments of a match in which everybody does anything, close together."""
    state = match(0, teams=4, team_size=3, monsters=8, seed=9)
    seats = int(state[s.SEATS])
    for seat in range(seats):
        for field in (s.X, s.Y):
            state[s.player(seat) + field] = int(state[s.player(0) + field]) + 300 * (seat % 4)
    seen = protocol.new_seen()
    inputs: list[protocol.Input | None] = [None] * seats
    moments = []
    for tick in range(160):
        actions = np.zeros((seats, s.RECORD), np.int32)
        for seat in range(seats):
            one = an_input(draws, inputs[seat], tick + 1)
            inputs[seat] = one
            actions[seat] = protocol.to_record(state, seat, one._replace(pitch=draws.randint(-900, 900)))
        state[s.DOOR + tick % s.DOORS] ^= 1
        rules.step(state, here, actions)
        protocol.note_sight(state, seen)
        if tick % 4 == 0:
            moments.append((state.copy(), seen.copy()))
    return moments


def test_snapshots_are_read_as_they_were_written(world):
    draws = random.Random(24)
    here = world[:1]
    cases = []
    for state, seen in random_match(draws, here):
        seat = draws.choice([0, 1, 5, 11, protocol.FROM_ABOVE])
        frame = protocol.stamp(
            protocol.pack_snapshot(state, here, seat, seen),
            ack=draws.randrange(2**32),
            other_seat=draws.random() < 0.5,
            clock=draws.randrange(2**32),
            late=draws.randrange(65536),
            waiting=draws.randrange(5),
            idle_agents=draws.randrange(9),
        )
        cases.append([base64.b64encode(frame).decode(), expected_of(protocol.unpack_snapshot(frame))])
    assert all(any(case[1][name] for case in cases) for name in ("players", "monsters", "supplies", "events"))
    assert twin(snapshots=cases) == {"wrong": []}


def test_inputs_are_written_as_they_are_read():
    draws = random.Random(25)
    given = []
    for number in range(1, 40):
        first = draws.randrange(1, 2**32 - 3)
        ranges = {"move": 16, "body": 9, "basic": 8, "switch": 3, "yaw": 65536, "seen": 65536}
        given.append(
            [
                {
                    "seq": first + i,
                    "pitch": draws.randint(-16384, 16384),
                    **{k: draws.randrange(v) for k, v in ranges.items()},
                }
                for i in range(1 + number % 3)
            ]
        )
    sent = twin(inputs=given)["inputs"]
    read = [[one._asdict() for one in protocol.unpack_inputs(base64.b64decode(message))] for message in sent]
    assert read == given


def test_aim_help_looks_where_agents_would(world):
    draws = random.Random(26)
    cases = []
    for state, _ in random_match(draws, world[:1]):
        at = s.player(0)
        if state[at + s.LIFE] == s.OUT:
            continue
        team = int(state[at + s.TEAM])
        visible = [q for q in range(int(state[s.SEATS])) if s.sees(state, 0, q)]
        rows = [state[s.player(q) : s.player(q) + s.PLAYER] for q in visible]
        assert all(row[s.TEAM] != team for row in rows)
        fields = {"x": s.X, "y": s.Y, "z": s.Z, "life": s.LIFE, "stance": s.STANCE}
        players = [{name: int(row[field]) for name, field in fields.items()} for row in rows]
        bodies = [state[s.MONSTER + s.MONSTER_SIZE * m :][: s.MONSTER_SIZE] for m in range(s.MONSTERS)]
        monsters = [dict(x=int(b[0]), y=int(b[1]), z=int(b[2])) for b in bodies if b[s.M_HP] > 0]
        target = int(aim.aim_target(state, 0))
        out = np.zeros(2, np.int32)
        if target >= 0:
            aim.aim_at(state, 0, target, out)
        cases.append(
            [own_of(state), int(state[at + s.YAW]), players, monsters, out.tolist() if target >= 0 else None]
        )
    assert sum(case[4] is not None for case in cases) > 5
    assert twin(aims=cases) == {"wrong": []}


def test_a_whole_match_is_predicted_but_for_what_others_do(world, maps):
    """Twelve who run about and shoot; what one's own inputs do is shown four ticks ahead of the snapshots."""
    draws = random.Random(27)
    here = world[:1]
    state = match(0, teams=4, team_size=3, monsters=8, seed=9)
    ticks = 240
    inputs: list[list[protocol.Input]] = []
    for _ in range(int(state[s.SEATS])):
        one = None
        inputs.append([one := an_input(draws, one, tick + 1) for tick in range(ticks)])
    seen = protocol.new_seen()
    snapshots = []
    for tick in range(ticks):
        frame = protocol.stamp(protocol.pack_snapshot(state, here, 0, seen), ack=tick)
        snapshots.append(base64.b64encode(frame).decode())
        joint = [protocol.to_record(state, seat, own[tick]) for seat, own in enumerate(inputs)]
        rules.step(state, here, np.array(joint, np.int32))
        protocol.note_sight(state, seen)
    mine = [list(one[1:7]) for one in inputs[0]]
    got = twin(maps=maps, match={"map": 0, "inputs": mine, "snapshots": snapshots, "late": 4})
    # Being knocked down, or a door that somebody else moves, can't be foreseen.
    assert len(got["corrections"]) <= 3
