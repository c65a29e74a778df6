"""Arena over sockets: inputs, snapshots, agents, co-pilots, spectators, what is refused, another host."""

import asyncio
import uuid

import pytest
from asgiref.sync import sync_to_async

from engine.games.arena import protocol
from engine.games.arena import state as s
from engine.simulation.log import resimulate, verify
from tests.webapp.host.arena import STAND, change, live, new_arena, until_true
from webapp.episodes.models import Episode
from webapp.episodes.stores import log_store
from webapp.host import attendance, manager
from webapp.host.deciding import DECIDE_EVERY
from webapp.host.inputs import MOST_FASTER, WINDOW
from webapp.lobby.views.table import take_seat
from webapp.matches.models import Match, Seat
from webapp.studies import delays

pytestmark = pytest.mark.django_db(transaction=True)


def in_thread(function, *args, **kwargs):
    return sync_to_async(function)(*args, **kwargs)


@pytest.fixture
def duel(fight, pia, otto):
    """A function: (match, pia's page, otto's page), one against the other."""

    async def make(**kwargs):
        match = await in_thread(new_arena, pia, **kwargs)
        assert await in_thread(take_seat, match, otto)
        return match, await fight(match, pia), await fight(match, otto)

    return make


async def log_of(match):
    await manager.current_host().writer.flush()
    return await in_thread(log_store().read, match.pk)


async def test_two_people_play_and_the_log_gives_the_same_game_bit_for_bit(duel):
    match, pia, otto = await duel()
    assert pia.joined["pace"] == {"mode": "real_time", "ticks_per_second": 20}
    assert (pia.joined["map"]["seed"], pia.joined["protocol"]) == (7, 1)
    assert (pia.snapshot.seat, otto.snapshot.seat) == (0, 1)
    await pia.tick(1)
    at = pia.own("X"), pia.own("Y")
    for turn in range(8):
        number = await pia.act(body=s.B_RUN, yaw=turn * 1000, pitch=-turn)
    await otto.act(body=s.B_CROUCH, yaw=40_000)
    await pia.used(number)
    assert (pia.own("X"), pia.own("Y")) != at
    assert (pia.own("YAW"), pia.own("PITCH")) == (7000, -7)
    await otto.used(1)
    assert otto.own("STANCE") == s.CROUCH
    game = live(match)
    await pia.send("leave")
    await pia.until("control")
    await otto.send("leave")
    await otto.until("end")
    log = await log_of(match)
    assert verify(log) == []
    assert resimulate(log).digest() == game.sim.digest()
    words = [record["by"] for record in log.records if record["type"] == "step"]
    assert sorted({word[1] for word in words} - {"none", "late", "agent"}) == ["person"]
    assert (await in_thread(Episode.objects.get, pk=match.pk)).ticks == len(words)


async def test_inputs_are_used_one_a_tick_and_a_movement_goes_on_for_a_moment(duel):
    match, pia, _ = await duel()
    await pia.tick(1)
    await pia.act(body=s.B_RUN, yaw=5000)
    await pia.used(1)
    await pia.ticks(9)
    log = await log_of(match)
    steps = [record for record in log.records if record["type"] == "step"]
    first = next(at for at, record in enumerate(steps) if record["by"][0] == "person")
    mine = [(record["by"][0], record["actions"][0][s.BODY]) for record in steps[first:]]
    assert mine[:7] == [("person", s.B_RUN), *[("late", s.B_RUN)] * 5, ("none", s.B_STOP)]


async def test_a_jump_is_not_repeated(duel):
    match, pia, _ = await duel()
    await pia.tick(1)
    await pia.act(body=s.B_JUMP, basic=s.RELOADING)
    await pia.used(1)
    await pia.ticks(3)
    steps = [record["actions"][0] for record in (await log_of(match)).records if record["type"] == "step"]
    assert [step[s.BODY] for step in steps].count(s.B_JUMP) == 1
    assert [step[s.BASIC] for step in steps].count(s.RELOADING) == 1


async def test_inputs_that_come_twice_are_used_once(duel):
    match, pia, _ = await duel()
    await pia.tick(1)
    three = [STAND._replace(seq=seq, yaw=seq) for seq in (1, 2, 3)]
    await pia.send_bytes(protocol.pack_inputs(three[:2]))
    await pia.send_bytes(protocol.pack_inputs(three))
    pia.number = 3
    await pia.used(3)
    await pia.ticks(2)
    steps = [record for record in (await log_of(match)).records if record["type"] == "step"]
    assert [one["actions"][0][s.ABS_YAW] for one in steps if one["by"][0] == "person"] == [1, 2, 3]


async def test_who_sends_faster_than_time_is_told_once_and_gains_nothing(duel, caplog):
    match, pia, _ = await duel()
    await pia.tick(1)
    began = live(match).sim.tick
    most = protocol.MOST_INPUTS
    for seq in range(1, int(20 * WINDOW * MOST_FASTER) + 10, most):
        frame = [STAND._replace(seq=seq + one, body=s.B_RUN) for one in range(most)]
        await pia.send_bytes(protocol.pack_inputs(frame))
        await asyncio.sleep(0.01)  # fewer frames than a flood
    refused = await pia.until("error")
    assert refused["code"] == "too_fast" and "faster than time" in refused["text"]
    await pia.ticks(8)
    assert [text for text in caplog.messages if "faster than time" in text] != []
    game = live(match)
    fresh = [by for by in (await log_of(match)).records if by["type"] == "step" and by["by"][0] == "person"]
    assert len(fresh) <= game.sim.tick - began + 1
    assert next(iter(game.connections)).refused.keys() <= {"too_fast"}
    assert max(one.refused["too_fast"] for one in game.connections) > 1


async def test_what_a_line_that_stood_still_lets_through_at_once_is_no_flood_and_the_newest_counts(duel):
    match, pia, _ = await duel()
    await pia.tick(1)
    (connection,) = [one for one in live(match).connections if one.seat == 0]
    now = connection.bucket.at
    connection.bucket.clock = connection.inputs.clock = lambda: now  # all at one moment
    for seq in range(1, 201):  # ten seconds of walking
        await pia.send_bytes(protocol.pack_inputs([STAND._replace(seq=seq, body=s.B_RUN)]))
    await pia.used(200)
    assert not connection.refused
    for seq in range(201, 600):
        await pia.send_bytes(protocol.pack_inputs([STAND._replace(seq=seq)]))
    assert (await pia.until("error"))["code"] in ("too_fast", "flood")
    assert await pia.closed_with() == 4008


@pytest.mark.parametrize(
    "frame",
    [
        b"\x01\x02\x01" + bytes(16),
        b"nonsense",
        b"",
        protocol.pack_inputs([STAND._replace(seq=1, move=99)]),
    ],
)
async def test_frames_that_mean_nothing_are_refused_once_with_a_sentence(duel, frame):
    match, pia, _ = await duel()
    for _ in range(3):
        await pia.send_bytes(frame)
    refused = await pia.until("error")
    assert refused["code"] == "malformed" and refused["text"].endswith(".")
    await pia.ticks(2)
    await pia.act(yaw=77)
    await pia.used(1)
    assert pia.own("YAW") == 77, "the game goes on"


async def test_keys_and_moves_of_other_games_are_refused(duel):
    _, pia, _ = await duel()
    await pia.send("press", action=1)
    assert await pia.refusal() == "stream"
    await pia.send("release", action=1)
    assert await pia.refusal() == "stream"
    await pia.send("move", tick=pia.snapshot.tick, action=1)
    assert await pia.refusal() in ("real_time", "stale")


async def test_before_joining_no_input_is_taken(fight, pia):
    match = await in_thread(new_arena, pia, ("me", "agent:idle"))
    page = await fight(match, pia, join=False)
    assert await page.line.connect()
    await page.act()
    assert (await page.receive())["code"] == "not_joined"


async def test_a_page_that_comes_back_goes_on_with_new_numbers(duel, fight, pia):
    match, first, otto = await duel()
    await first.tick(1)
    for _ in range(3):
        await first.act(yaw=100)
    await first.used(3)
    second = await fight(match, pia)
    assert second.snapshot.ack == 0
    await second.act(yaw=200)
    await second.used(1)
    assert second.own("YAW") == 200
    await first.act(yaw=300)
    assert await first.refusal() == "another_page"
    await first.close()
    await second.act(yaw=400)
    await second.used(2)
    assert second.own("YAW") == 400
    assert live(match).present(0)


async def test_agents_decide_and_the_log_names_them(fight, pia):
    match = await in_thread(new_arena, pia, ("me", "agent:weak", "agent:middle", "agent:strong"), 2)
    page = await fight(match, pia)
    game = live(match)
    await until_true(lambda: len(game.thinker.moves) == 3, 150)  # the first thought takes its time

    def moves(steps, seat: int) -> set[tuple[int, ...]]:
        return {tuple(step["actions"][seat][:6]) for step in steps if step["by"][seat] == "agent"}

    for _ in range(60):  # how soon each changes its mind depends on the map
        await page.ticks(20)
        log = await log_of(match)
        steps = [record for record in log.records if record["type"] == "step"]
        if all(len(moves(steps, seat)) > 1 for seat in (1, 2, 3)):
            break
    for seat in (1, 2, 3):
        assert {step["by"][seat] for step in steps} <= {"agent", "late"}
        assert len(moves(steps, seat)) > 1, seat
    assert 1 in page.seats(), "a squad mate is always shown"
    assert resimulate(log).tick == len(steps)


async def test_a_late_agent_holds_its_decision_then_stands(fight, pia):
    match = await in_thread(new_arena, pia, ("me", "agent:middle"))
    page = await fight(match, pia)
    game = live(match)
    await until_true(lambda: game.thinker.moves and game.sim.tick > 3, 150)
    game.thinker.ask = lambda: None  # nothing is asked any more; an answer may be under way
    await until_true(lambda: not game.thinker._under_way)
    tick = game.sim.tick
    # Before its first decision came it was late, too.
    await until_true(lambda: not game.thinker.moves and game.late == [1])
    await page.ticks(1)
    assert page.snapshot.idle_agents == 1
    steps = [record for record in (await log_of(match)).records if record["type"] == "step"]
    held = [step for step in steps[tick:] if step["by"][1] == "agent"]
    assert len(held) <= 2 * DECIDE_EVERY, "a decision holds for the time of two"
    assert steps[-1]["by"][1] == "late" and steps[-1]["actions"][1][s.BODY] == s.B_STOP


async def test_a_copilot_takes_over_and_hands_back(fight, pia, otto):
    match = await in_thread(new_arena, pia, ("me", "agent:idle"))
    await in_thread(Seat.objects.filter(match=match, index=1).update, copilot=otto)
    page, copilot = await fight(match, pia), await fight(match, otto)
    assert (copilot.joined["role"], copilot.snapshot.seat) == ("copilot", 1)
    await copilot.tick(1)
    await copilot.act(yaw=123)
    assert await copilot.refusal() == "not_controlled"
    await copilot.send("take_control")
    await copilot.until("control")
    number = await copilot.act(yaw=456, body=s.B_RUN)
    await copilot.used(number)
    assert copilot.own("YAW") == 456
    await copilot.send("hand_back")
    assert (await copilot.until("control"))["controls"] == ["person", "agent"]
    await page.ticks(2)
    words = {record["by"][1] for record in (await log_of(match)).records if record["type"] == "step"}
    assert "copilot" in words


async def test_spectators_look_from_above_or_through_anybodys_eyes_and_late(duel, fight, adam, monkeypatch):
    monkeypatch.setattr(delays, "HIDING_DELAY", 0)
    match, pia, otto = await duel(open_to_watch=True)
    await pia.ticks(3)
    page = await fight(match, adam)
    assert (page.joined["role"], page.snapshot.seat) == ("spectator", protocol.FROM_ABOVE)
    await pia.ticks(3)
    await page.until("snapshot")
    assert page.seats() == [0, 1]
    assert page.snapshot.tick < live(match).sim.tick
    await page.send("watch", seat=1)
    while page.snapshot.seat != 1:
        await page.until("snapshot")
    assert page.snapshot.flags == protocol.FLAG_OTHER_SEAT
    await page.act(yaw=1)
    assert await page.refusal() == "spectator"
    await page.send("watch", seat=9)
    assert await page.refusal() == "malformed"


async def test_where_people_are_opponents_spectators_see_nothing_before_it_is_old(duel, fight, adam):
    match, pia, otto = await duel(open_to_watch=True)
    page = await fight(match, adam, join=False)
    await page.line.connect()
    await page.send_raw({"type": "join", "client": page.client})
    await page.until("joined")
    assert "5 seconds late" in (await page.until("paused"))["text"]
    await page.send("see", seat=1)
    assert await page.refusal() == "not_yours"
    live(match).past.extend([live(match).past[-1]] * live(match).past.maxlen)
    await page.until("resumed")
    await page.until("snapshot")


async def test_spectators_of_people_on_one_side_look_through_that_sides_eyes(fight, pia, adam):
    wishes = ("me", "agent:idle", "agent:idle", "agent:idle")
    match = await in_thread(new_arena, pia, wishes, 2, open_to_watch=True)
    player, page = await fight(match, pia), await fight(match, adam)
    await player.tick(1)
    assert page.snapshot.seat == 0
    await page.send("watch", seat=1)
    while page.snapshot.seat != 1:
        await page.until("snapshot")
    for enemy in (2, None):
        await page.send("watch", seat=enemy)
        await page.until("ack")
        await page.until("snapshot")
        assert page.snapshot.seat == 0
    await page.send("see", seat=1)
    await page.until("seen")
    await page.send("see", seat=2)
    assert await page.refusal() == "not_yours"
    game, watcher = live(match), next(one for one in live(match).connections if one.watches)
    words = [{"type": "utterance", "tick": 1, "seat": seat, "text": "here!"} for seat in range(4)]
    assert [game.hears(watcher, said) for said in words] == [True, True, False, False]
    game.people_sides = {0, 1}
    assert not any(game.hears(watcher, said) for said in words), "opponents' words are nobody else's"


async def test_who_is_out_watches_squad_mates_only(fight, pia, otto):
    wishes = ("me", "friend", "agent:idle", "agent:idle")
    match = await in_thread(new_arena, pia, wishes, 2)
    assert await in_thread(take_seat, match, otto)
    page, mate = await fight(match, pia), await fight(match, otto)
    await page.tick(1)
    await page.send("watch", seat=1)
    assert await page.refusal() == "not_yours", "who is in sees for themselves"
    change(match, 0, LIFE=s.OUT)
    await page.send("watch", seat=2)
    assert await page.refusal() == "not_yours", "an enemy's eyes would tell where they are"
    await page.send("watch", seat=1)
    while page.snapshot.seat != 1:
        await page.until("snapshot")
    assert page.snapshot.flags == protocol.FLAG_OTHER_SEAT
    change(match, 0, LIFE=s.UP)
    while page.snapshot.seat != 0:
        await page.until("snapshot")
    await mate.ticks(1)


async def test_the_last_of_a_squad_sees_where_it_went_out_for_a_moment_and_then_from_above(fight, pia):
    match = await in_thread(new_arena, pia, ("me", "agent:idle", "agent:idle"))
    page = await fight(match, pia)
    await page.tick(1)
    change(match, 0, LIFE=s.OUT)
    await until_true(lambda: live(match)._out_since)
    out = live(match)._out_since[0]
    last = out
    while page.snapshot.seat != protocol.FROM_ABOVE:
        last = max(last, page.snapshot.tick)
        await page.until("snapshot")
    assert out + 50 <= last <= out + protocol.GRIEF_TICKS, "as long as its page looks at who did it"
    assert page.snapshot.tick < last, "what is seen from above happened before"


async def test_an_enemy_behind_a_wall_is_not_sent(duel):
    match, pia, otto = await duel()
    await pia.tick(1)
    game = live(match)
    await pia.ticks(1)
    for _ in range(20):
        await pia.until("snapshot")
        hidden = not s.in_sight(game.sim.state, 0, 1)
        if hidden and game.seen[0, 1] < game.sim.tick - 10:
            break
    assert (1 in pia.seats()) == bool(s.in_sight(game.sim.state, 0, 1) or game.seen[0, 1] > 0)


async def test_another_host_goes_on_from_the_log(duel, fight, pia):
    match, page, otto = await duel()
    await page.tick(2)
    for turn in range(4):
        number = await page.act(body=s.B_RUN, yaw=turn)
    await page.used(number)
    await manager.current_host().writer.flush()
    before = live(match)
    await manager.current_host().stop()
    stopped = before.sim.tick
    manager._host = None
    again = await fight(match, pia, client=str(uuid.uuid4()))
    assert live(match) is not before
    assert live(match).sim.tick >= min(stopped, 4) and again.joined["tick"] == stopped
    await again.ticks(3)
    log = await log_of(match)
    assert resimulate(log).tick > stopped


async def test_alone_against_agents_to_the_end(fight, pia):
    """A person who does nothing at all against three who are good, in the quick version."""
    wishes = ("me", "agent:strong")
    match = await in_thread(new_arena, pia, wishes, options={"pace": "short"})
    page = await fight(match, pia)
    await page.tick(5)
    change(match, 0, HP=1)
    change(match, 0, LIFE=s.OUT)
    end = await page.until("end")
    assert end["reason"] == "finished"
    assert page.snapshot.flags & 1 or live(match).over
    assert (await in_thread(Match.objects.get, pk=match.pk)).status == Match.FINISHED


async def test_a_match_waits_until_whoever_plays_alone_is_ready(fight, pia, monkeypatch):
    monkeypatch.setattr(attendance, "START_PATIENCE", 0.1)
    monkeypatch.setattr(attendance, "READY_PATIENCE", 0.1)
    match = await in_thread(new_arena, pia, ("me", "agent:idle"))
    page = await fight(match, pia, join=False)
    assert await page.line.connect()
    await page.send_raw({"type": "join", "client": page.client, "waits": True})
    await page.until("joined")
    await asyncio.sleep(1)
    assert live(match).sim.tick == 0 and live(match).attendance.phase == attendance.WAITING
    await page.send("ready", on=1)
    assert (await page.until("error"))["code"] == "malformed"
    await page.send("ready", on=True)
    await page.until("countdown")


async def test_others_do_not_wait_for_one_pointer_for_ever(fight, pia, otto, monkeypatch):
    monkeypatch.setattr(attendance, "READY_PATIENCE", 0.1)
    monkeypatch.setattr(attendance, "START_PATIENCE", 0.1)
    match = await in_thread(new_arena, pia)
    assert await in_thread(take_seat, match, otto)
    page = await fight(match, pia, join=False)
    assert await page.line.connect()
    await page.send_raw({"type": "join", "client": page.client, "waits": True})
    await page.until("joined")
    await fight(match, otto)
    await page.until("countdown")


async def test_mates_say_what_they_see_to_their_own_squad_and_the_log_keeps_it(fight, pia):
    match = await in_thread(new_arena, pia, ("me", "agent:idle", "agent:idle", "agent:idle"), 2)
    page = await fight(match, pia)
    await page.tick(2)
    change(match, 1, LIFE=s.DOWNED, HP=100)
    change(match, 2, KNOCKS=1)  # of the other squad: nobody here hears of it
    heard = await page.until("utterance")
    assert (heard["seat"], heard["text"]) == (1, "I’m down. Help me up!")
    await page.ticks(30)
    assert [one for one in page.kept if one["type"] == "utterance" and one["seat"] > 1] == []
    records = [one for one in (await log_of(match)).records if one["type"] == "utterance"]
    assert {"type": "utterance", "tick": heard["tick"], "seat": 1, "text": heard["text"]} in records
