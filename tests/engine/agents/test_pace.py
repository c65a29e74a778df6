"""Proxies of people whose game ticks faster or slower than those that people were recorded at."""

from __future__ import annotations

import numpy as np
import pytest

from engine.agents.acting import Player
from engine.agents.cards import Card
from engine.agents.catalogue import load
from engine.agents.pace import Paced, at_pace, tick_of
from engine.agents.people import PeoplePolicy
from engine.evaluation.self_play import play
from engine.games.overcooked import pace, rules
from engine.refusal import Refusal
from engine.shapes import checked
from engine.simulation.simulation import Simulation

ROOM = {"layout": "cramped_room", "horizon": 40}


class Cook:
    """Likes to go north with a probability, else waits; notes when it is asked."""

    name, game, players, memory = "cook", "overcooked", (2,), 1

    def __init__(self, moves: float) -> None:
        self.card = {"tick_ms": 150.0, "acts": "sampled"}
        self.moves, self.asked = moves, []

    def logits_many(self, states, seats, masks, worlds=None, goals=None, instructions=None, memory=None):
        memory[:, 0] += 1
        self.asked.append(memory[:, 0].copy())
        out = np.full(masks.shape, -np.inf, np.float32)
        out[:, 0], out[:, rules.STAY] = np.log(self.moves), np.log(1 - self.moves)
        return out


def paced(cook: Cook, tick_ms: float, ticks: int) -> list[np.ndarray]:
    """The probabilities (6,) of what a cook does in each of some ticks of this length."""
    policy, sim = at_pace(cook, tick_ms), Simulation("overcooked", ROOM)
    memory = np.zeros((1, policy.memory), np.float32)
    masks = np.ones((1, rules.NUM_ACTIONS), np.int8)
    found = [
        policy.logits_many(sim.state[None], np.zeros(1, np.int32), masks, memory=memory)[0]
        for _ in range(ticks)
    ]
    return [np.exp(row) / np.exp(row).sum() for row in found]


def test_it_is_itself_where_nobody_says_how_long_ticks_are_or_they_are_as_long_and_it_reacts_at_once():
    proxy = load("overcooked/human", "overcooked")
    assert proxy.card["tick_ms"] == proxy.card["reaction_ms"] == 150 and isinstance(proxy, PeoplePolicy)
    assert isinstance(load("overcooked/human", "overcooked", ROOM), PeoplePolicy)
    assert isinstance(late := load("overcooked/human", "overcooked", {**ROOM, "tick_length": 150}), Paced)
    assert at_pace(late, None) is late.policy and at_pace(late, 150.0) is late
    assert at_pace(cook := Cook(0.4), 150.0) is cook
    assert isinstance(load("overcooked/human", "overcooked", {**ROOM, "tick_length": 250}), Paced)
    assert not isinstance(load("overcooked/greedy", "overcooked", {**ROOM, "tick_length": 250}), Paced)
    assert tick_of("overcooked", Simulation("overcooked", ROOM).options) is None


def test_in_shorter_ticks_it_waits_where_no_decision_is_due():
    found = paced(cook := Cook(0.4), 100, 6)
    assert [round(float(row[0]), 3) for row in found] == [0.4, 0.4, 0, 0.4, 0.4, 0]
    assert len(cook.asked) == 4


def test_in_longer_ticks_it_waits_only_if_every_decision_were_to_wait():
    found = paced(Cook(0.4), 300, 3)
    assert [row[rules.STAY] for row in found] == pytest.approx([0.36] * 3, abs=1e-4)
    assert [row[0] for row in found] == pytest.approx([0.64] * 3, abs=1e-4)


@pytest.mark.parametrize("tick_ms", [100, 130, 167, 220, 250])
def test_it_decides_as_often_a_second_whatever_a_tick_is(tick_ms):
    cook = Cook(0.4)
    paced(cook, tick_ms, 3000 // tick_ms)
    policy = at_pace(cook, tick_ms)
    last = policy._due(np.array([3000 // tick_ms]))[0]
    assert abs(last - (3000 // tick_ms) * tick_ms / 150) <= 1


def test_what_it_did_between_its_decisions_is_remembered():
    proxy = load("overcooked/human", "overcooked")
    policy, sim = at_pace(proxy, 75.0), Simulation("overcooked", ROOM)
    memory = np.zeros((1, policy.memory), np.float32)
    masks = np.ones((1, rules.NUM_ACTIONS), np.int8)
    for action in (0, rules.STAY, 3, rules.STAY):
        policy.logits_many(sim.state[None], np.zeros(1, np.int32), masks, memory=memory)
        sim.step([action, rules.STAY])
    policy.logits_many(sim.state[None], np.zeros(1, np.int32), masks, memory=memory)
    from engine.games.overcooked import people_features as read

    assert memory[0, read.OWN_AT : read.OWN_AT + 2].tolist() == [4, 1], "newest first, no waiting between"
    assert pace.done(sim.state[None]).tolist() == [[rules.STAY, rules.STAY]]


def test_it_plays_and_memories_are_carried():
    options = {**ROOM, "tick_length": 100}
    policy = load("overcooked/human", "overcooked", options)
    assert Player(policy, 2, 2).memory.shape == (2, 2, policy.memory)
    assert len(play([policy], "overcooked", options, 2)) == 2


def test_what_the_other_does_and_how_long_pots_cook_is_known_a_moment_later_and_own_deeds_at_once():
    sim = Simulation("overcooked", ROOM)
    pot = int(sim.state[rules.POTS])
    proxy, seen = load("overcooked/human", "overcooked"), []
    late = at_pace(_noting(proxy, seen), 150.0)
    memory, masks = np.zeros((1, late.memory), np.float32), np.ones((1, rules.NUM_ACTIONS), np.int8)
    passed = []
    for joint in ((0, 3), (2, 3), (rules.STAY, 1), (2, 1)):
        passed.append(np.array(sim.state))
        passed[-1][rules.TIMER + pot] = 5 + sim.tick
        late.logits_many(passed[-1][None], np.zeros(1, np.int32), masks, memory=memory)
        sim.step(list(joint))
    for tick, then in ((0, 0), (1, 0), (2, 1), (3, 2)):
        for field in (rules.POSITION, rules.FACING, rules.HELD):
            assert seen[tick][field] == passed[tick][field]
            assert seen[tick][field + 1] == passed[then][field + 1]
        assert seen[tick][rules.TIMER + pot] == passed[then][rules.TIMER + pot]
    # A pot that is emptied is seen to be empty.
    late.logits_many(sim.state[None], np.zeros(1, np.int32), masks, memory=memory)
    assert seen[-1][rules.TIMER + pot] == rules.IDLE


@pytest.mark.parametrize(("field", "bad"), [("tick_ms", 0), ("tick_ms", "fast"), ("reaction_ms", -150)])
def test_a_card_with_a_clock_that_cannot_be_is_refused(field, bad):
    card = load("overcooked/human", "overcooked").card
    assert checked(Card, card)
    with pytest.raises(
        Refusal, match=f"{field} is .* must be a number from {int(field == 'tick_ms')} to 10,000"
    ):
        checked(Card, {**card, field: bad})


def _noting(proxy: PeoplePolicy, seen: list[np.ndarray]) -> PeoplePolicy:
    """The proxy; notes the records that it is shown."""
    read = proxy.logits_many

    def shown(states, *more, **others):
        seen.append(states[0].copy())
        return read(states, *more, **others)

    proxy.logits_many = shown
    return proxy
