"""What a reward model reads of a Hanabi table: what who rates a seat sees."""

import numpy as np
import pytest

from engine.agents.features import reward_inputs_for
from engine.games.hanabi import features, rules
from engine.simulation.simulation import Simulation


@pytest.mark.parametrize("players", [2, 3, 5])
def test_the_seats_own_cards_and_the_last_move_are_there(players):
    rng = np.random.default_rng(players)
    sim = Simulation("hanabi", {"players": players}, seed=players)
    inputs = reward_inputs_for("hanabi", {"players": players})
    slots, before = int(sim.state[rules.SLOTS]), None
    while not sim.over:
        seat = int(rng.integers(players))
        row = inputs(sim.state[None], np.array([seat]))[0]
        assert row.size == features.rated_size(sim.state)
        own, rest = np.split(row[features.observation_size(sim.state) :], [slots * 25])
        cards = own.reshape(slots, 25)
        for slot in range(rules.hand_size(sim.state, seat)):
            card = rules.card_of(sim.state, rules.key_at(sim.state, seat, slot))
            assert cards[slot].argmax() == card
            assert cards[slot].sum() == 1
        kinds, card, scored, fresh, who = np.split(rest, np.cumsum([4, 25, 1, slots]))
        if before is None:
            assert not rest.any()
        else:
            kind = int(sim.state[rules.LAST_KIND])
            assert kinds.argmax() == kind
            assert who.argmax() == (before - seat) % players
            laid = kind in (rules.PLAY, rules.DISCARD)
            assert (
                (card.argmax() == sim.state[rules.LAST_CARD] and card.sum() == 1) if laid else not card.any()
            )
            assert scored[0] == (laid and sim.state[rules.LAST_SCORED] > 0)
            assert fresh.any() == (not laid and sim.state[rules.LAST_NEW] > 0)
        before = sim.current
        sim.act(before, int(rng.choice(np.flatnonzero(sim.legal(before)))))
