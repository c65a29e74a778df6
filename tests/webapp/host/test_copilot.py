"""A second person watches through an agent's eyes, takes over its chef and hands it back."""

import pytest
from asgiref.sync import sync_to_async

from webapp.datasets.snapshot_files import nameless
from webapp.episodes.stores import log_store
from webapp.host import manager
from webapp.matches.models import Seat

pytestmark = pytest.mark.django_db(transaction=True)
NORTH, STAY = 0, 4


def in_thread(function, *args, **kwargs):
    return sync_to_async(function)(*args, **kwargs)


def sit_beside(match, user) -> None:
    Seat.objects.filter(match=match, index=1).update(copilot=user)


@pytest.fixture
def pair(make_kitchen, pia, otto, browse):
    """A function: (match, the player's socket, the co-pilot's socket)."""

    async def make(**fields):
        match = await in_thread(make_kitchen, pia, horizon=3000, **fields)
        await in_thread(sit_beside, match, otto)
        return match, await browse(match, pia), await browse(match, otto)

    return make


async def steps_of(match):
    await manager.current_host().writer.flush()
    return (await in_thread(log_store().read, match.pk)).records


async def test_a_copilot_takes_over_and_hands_back_and_every_tick_says_who_acted(pair, otto):
    match, player, copilot = await pair()
    assert (copilot.joined["role"], copilot.joined["seat"]) == ("copilot", 1)
    assert copilot.joined["seats"][1]["copilot"] == "otto"
    await copilot.ticks(2)
    assert copilot.view["seat"] == 1, "through the agent's eyes"
    await copilot.send("press", action=NORTH)
    assert await copilot.refusal() == "not_controlled"
    await copilot.send("take_control")
    told = await player.until("control")
    assert told["controls"] == ["person", "copilot"] and "otto takes over" in told["text"]
    await copilot.until("ack")
    seq = await copilot.send("press", action=NORTH)
    while copilot.state["key"] != seq:
        await copilot.ticks(1)
    assert copilot.state["view"]["last"]["actions"][1] == NORTH
    assert copilot.state["controls"] == ["person", "copilot"]
    await copilot.send("hand_back")
    assert (await player.until("control"))["controls"] == ["person", "agent"]
    await player.ticks(2)
    while player.state["late"]:
        await player.ticks(1)
    records = await steps_of(match)
    controls = [one["controller"] for one in records if one["type"] == "control"]
    assert controls[0] == {"kind": "copilot", "name": otto.pseudonym, "pseudonym": otto.pseudonym}
    kept = nameless({"type": "control", "tick": 3, "seat": 1, "controller": controls[0]})
    assert kept["controller"] == {"kind": "copilot", "pseudonym": otto.pseudonym}, "snapshots tell who it was"
    assert (controls[1]["kind"], controls[1]["agent"]) == ("agent", "overcooked/self_play-cramped_room")
    words = [one["by"][1] for one in records if one["type"] == "step"]
    assert "copilot" in words and words[-1] == "agent"
    held = [one["actions"][1] for one in records if one["type"] == "step" and one["by"][1] == "copilot"]
    assert NORTH in held and set(held) <= {NORTH, STAY}


async def test_losing_the_line_hands_the_chef_back(pair, browse, otto):
    match, player, copilot = await pair()
    await copilot.send("take_control")
    await copilot.until("ack")
    await copilot.close()
    while (await player.until("control"))["controls"] != ["person", "agent"]:
        pass
    again = await browse(match, otto)
    assert again.joined["controls"] == ["person", "agent"]


async def test_a_copilot_may_not_do_what_only_players_may(pair):
    _, player, copilot = await pair()
    for kind, fields in (("leave", {}), ("say", {"text": "hi"}), ("takeover", {"seat": 0})):
        await copilot.send(kind, **fields)
        assert await copilot.refusal() == "copilot"
    await copilot.send("hand_back")
    assert await copilot.refusal() == "not_controlled"
    await copilot.send("take_control")
    await copilot.until("ack")
    await copilot.send("take_control")
    assert await copilot.refusal() == "in_control"
    await player.send("take_control")
    assert await player.refusal() == "no_copilot"


async def test_after_a_change_of_host_the_agent_plays_again(pair, browse, pia):
    match, _, copilot = await pair()
    await copilot.send("take_control")
    await copilot.until("ack")
    await manager.current_host().stop()
    manager._host = None
    again = await browse(match, pia)
    assert again.joined["controls"] == ["person", "agent"]
    records = await steps_of(match)
    assert [one["controller"]["kind"] for one in records if one["type"] == "control"] == ["copilot", "agent"]


async def test_turn_by_turn_everybody_is_waited_for(pair, otto):
    match, player, copilot = await pair(pace="turns")
    assert player.joined["pace"] == {"mode": "turns", "ticks_per_second": 0}
    await player.send("press", action=NORTH)
    assert await player.refusal() == "turns"
    await player.send("move", tick=0, action=NORTH)
    assert (await player.tick(1))["view"]["last"]["actions"][0] == NORTH
    await copilot.send("take_control")
    await copilot.until("ack")
    await player.send("move", tick=1, action=0)
    await player.send("move", tick=1, action=STAY)
    while player.state["moved"] != [0]:
        await player.until("state")
    assert player.state["tick"] == 1, "the co-pilot hasn't moved"
    await copilot.send("move", tick=1, action=2)
    assert (await player.tick(2))["view"]["last"]["actions"] == [STAY, 2], "the last move counts"
    await copilot.send("move", tick=1, action=2)
    assert await copilot.refusal() == "stale"
    records = await steps_of(match)
    assert [one["by"] for one in records if one["type"] == "step"] == [
        ["person", "agent"],
        ["person", "copilot"],
    ]
