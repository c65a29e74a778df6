"""What a reward model reads of a Hanabi table: the last move and the table's counts, as raters see them."""

import numpy as np
import pytest

from engine.agents.features import reward_inputs_for
from engine.games.hanabi import features, rules
from engine.simulation.simulation import Simulation


@pytest.mark.parametrize("players", [2, 3, 5])
def test_the_last_move_and_what_became_of_it_are_there(players):
    rng = np.random.default_rng(players)
    sim = Simulation("hanabi", {"players": players}, seed=players)
    inputs = reward_inputs_for("hanabi", {"players": players})
    slots, mover = int(sim.state[rules.SLOTS]), None
    parts = np.cumsum([players, 4, 5, 5, slots, 4, 3, 5, 5])
    seen_kinds = set()
    while not sim.over:
        state, seat = sim.state, int(rng.integers(players))
        row = inputs(state[None], np.array([seat]))[0]
        assert row.size == features.rated_size(state) and row.min() >= 0 and row.max() <= 1
        who, kind, color, rank, slot, laid, hint, fireworks, table, own = np.split(row, parts)
        if mover is None:
            assert not row[: parts[6]].any()
        else:
            done = int(state[rules.LAST_KIND])
            seen_kinds.add(done)
            assert who.argmax() == (mover - seat) % players and kind.argmax() == done
            if done in (rules.PLAY, rules.DISCARD):
                card = int(state[rules.LAST_CARD])
                assert (color.argmax(), rank.argmax()) == divmod(card, 5)
                assert slot.argmax() == state[rules.LAST_SLOT] and not hint.any()
                assert laid[0] == state[rules.LAST_SCORED]
                assert laid[1] == rules.is_playable(state, card)
            else:
                assert (color if done == rules.HINT_COLOR else rank).argmax() == state[rules.LAST_VALUE]
                assert not laid.any() and not slot.any()
                assert round(hint[1] * slots) == int(state[rules.LAST_NEW]).bit_count()
                assert hint[2] <= hint[1] <= hint[0]
        assert [round(5 * one) for one in fireworks] == [rules.firework(state, one) for one in range(5)]
        fits = own.reshape(slots, 3)[:, 2]
        held = [
            rules.card_of(state, rules.key_at(state, seat, one))
            for one in range(rules.hand_size(state, seat))
        ]
        assert [bool(one) for one in fits[: len(held)]] == [rules.is_playable(state, card) for card in held]
        mover = sim.current
        sim.act(mover, int(rng.choice(np.flatnonzero(sim.legal(mover)))))
    assert len(seen_kinds) == 4
