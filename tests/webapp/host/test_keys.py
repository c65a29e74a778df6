"""Keys between two ticks, frames to a slow browser: without a match."""

import asyncio
import json

import pytest

from tests.waiting import PATIENCE
from webapp.host import connection as connection_module
from webapp.host.connection import Connection, TokenBucket
from webapp.host.keys import Keys

NORTH, SOUTH, EAST, WEST, STAY, INTERACT = range(6)


def taken(keys):
    return keys.take()[0]


def test_the_last_press_counts_and_the_one_before_is_gone():
    keys = Keys()
    keys.press(NORTH, "page", 1)
    keys.press(EAST, "page", 2)
    assert keys.take() == (EAST, ("page", 2))
    assert keys.take() == (EAST, None), "still down"


def test_a_key_that_is_up_again_before_the_tick_acts_once():
    keys = Keys()
    keys.press(NORTH, "page", 1)
    keys.release(NORTH)
    assert [taken(keys), taken(keys)] == [NORTH, None]


def test_interact_acts_once_and_walking_goes_on():
    keys = Keys()
    keys.press(WEST, "page", 1)
    keys.press(INTERACT, "page", 2)
    assert [taken(keys), taken(keys), taken(keys)] == [INTERACT, WEST, WEST]


def test_letting_one_of_two_keys_go_walks_where_the_other_says():
    keys = Keys()
    keys.press(WEST, "page", 1)
    keys.press(NORTH, "page", 2)
    assert taken(keys) == NORTH
    keys.release(NORTH)
    keys.release(SOUTH)  # never went down
    assert taken(keys) == WEST
    keys.clear()
    assert taken(keys) is None


async def test_a_slow_browser_misses_states_and_nothing_else():
    gone, gate = [], asyncio.Event()

    async def send(text):
        await gate.wait()
        gone.append(json.loads(text))

    async def close(code):
        gone.append(code)

    connection = Connection(1, "pia", 0, "", send, close)
    for tick in range(5):
        connection.post(json.dumps({"type": "state", "tick": tick}), state=True)
        await asyncio.sleep(0)
    connection.post(json.dumps({"type": "notice"}))
    connection.post(json.dumps({"type": "state", "tick": 5}), state=True)
    connection.post(json.dumps({"type": "state", "tick": 6}), state=True)
    gate.set()
    while connection._sending:
        await asyncio.sleep(0.01)
    assert [one.get("tick", one["type"]) for one in gone] == [0, 4, "notice", 6]


async def test_a_frame_that_can_go_has_gone_when_it_is_posted():
    gone = []

    async def send(text):
        gone.append(text)

    async def close(code):
        gone.append(code)

    connection = Connection(1, "pia", 0, "", send, close)
    connection.post("notice")
    connection.post(b"state", state=True)
    assert gone == ["notice", b"state"] and connection._sending is None


async def test_closing_waits_for_all_that_a_slow_browser_was_sent():
    gone = []

    async def send(text):
        for _ in range(3):
            await asyncio.sleep(0)
        gone.append(text)

    async def close(code):
        gone.append(code)

    frames = [f"f{number}" for number in range(5)]
    connection = Connection(1, "pia", 0, "", send, close)
    for frame in frames:
        connection.post(frame)
    await connection.refuse("flood", "Too many.")
    assert json.loads(gone[-1])["code"] == "flood"
    connection.post("last")
    connection.post("state", state=True)
    await connection.drop(4008)
    assert [*gone[:5], *gone[6:]] == [*frames, "last", "state", 4008]


async def test_closing_does_not_wait_for_a_browser_that_does_not_read(monkeypatch):
    monkeypatch.setattr(connection_module, "CLOSE_TIMEOUT", 0.0)
    asked = []

    async def send(text):
        await asyncio.Event().wait()

    async def close(code):
        asked.append(code)
        await asyncio.Event().wait()

    connection = Connection(1, "pia", 0, "", send, close)
    connection.post("state", state=True)
    sending = connection._sending
    async with asyncio.timeout(PATIENCE):
        await connection.drop(4008)
    assert asked == [4008]
    sending.cancel()


@pytest.mark.parametrize("problem", [OSError("gone"), ValueError("a fault of ours")])
@pytest.mark.parametrize("waits", [False, True])
async def test_a_frame_that_can_not_be_sent_ends_its_socket_and_nothing_else(problem, waits):
    gone = []

    async def send(text):
        if waits:
            await asyncio.sleep(0)
        raise problem

    async def close(code):
        gone.append(code)

    connection = Connection(1, "pia", 0, "", send, close)
    connection.post("state", state=True)
    while connection._sending:
        await asyncio.sleep(0)
    assert gone == [1011]


def test_twenty_keys_a_second_are_within_the_limit():
    now = [0.0]
    bucket = TokenBucket(clock=lambda: now[0])
    for _ in range(2000):
        now[0] += 1 / 40  # a press and a release each
        assert bucket.take()
    assert not all(bucket.take() for _ in range(200))
