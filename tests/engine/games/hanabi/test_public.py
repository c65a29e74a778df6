"""What hints and open cards say, counted: against a count card by card, and what a seat can't know."""

from __future__ import annotations

import numpy as np
import pytest

from engine import games
from engine.agents.features import PUBLIC, inputs_for
from engine.games.hanabi import public, rules
from engine.games.hanabi.observation import observation_size
from engine.simulation.simulation import Simulation


def played(players: int, seed: int, moves: int) -> Simulation:
    sim, rng = Simulation("hanabi", {"players": players}, seed=seed), np.random.default_rng(seed)
    for _ in range(moves):
        if not sim.over:
            legal = [
                a
                for a in np.flatnonzero(sim.legal(sim.current))
                if sim.state[rules.LIVES] > 1 or a >= 10 or a < 5
            ]
            sim.act(sim.current, int(rng.choice(legal)))
    return sim


def encoded(sim: Simulation, seat: int) -> np.ndarray:
    return inputs_for("hanabi", sim.options, PUBLIC)(np.array(sim.state)[None], np.array([seat]))[0]


def counted(sim: Simulation, seat: int, holder: int, slot: int) -> list[float]:
    """Shares of playable, useless and critical cards among what a holder's card may be, one card after the
    other; own cards by what the seat sees, others' by what everybody does.
    """
    state, key = np.array(sim.state), rules.key_at(np.array(sim.state), holder, slot)
    left: dict[int, int] = {}
    for card in range(25):
        copies = rules.copies(card % 5, 5)
        left[card] = (
            copies - int(state[rules.DISCARDED + card]) - (rules.firework(state, card // 5) > card % 5)
        )
    if holder == seat:
        for other in set(range(int(state[rules.PLAYERS]))) - {seat}:
            for place in range(rules.hand_size(state, other)):
                left[rules.card_of(state, rules.key_at(state, other, place))] -= 1
    total, found = 0, [0, 0, 0]
    for card, number in left.items():
        if not rules.plausible(state, key, card):
            continue
        height, rank = rules.firework(state, card // 5), card % 5
        below = [5 * (card // 5) + r for r in range(height, rank)]
        dead = rank < height or any(int(state[rules.DISCARDED + c]) == rules.copies(c % 5, 5) for c in below)
        last = int(state[rules.DISCARDED + card]) == rules.copies(rank, 5) - 1
        total += number
        for index, holds in enumerate((height == rank, dead, last and not dead)):
            found[index] += number * holds
    return [number / total for number in found]


@pytest.mark.parametrize(("players", "moves"), [(2, 0), (2, 30), (3, 25), (5, 20)])
def test_cards_are_counted_as_one_would_by_hand(players, moves):
    for seed in range(3):
        sim = played(players, seed, moves)
        for seat in range(players):
            numbers = encoded(sim, seat)[observation_size(np.array(sim.state)) :]
            cards = numbers[: players * 5 * public.HOLDS].reshape(players, 5, public.HOLDS)
            for offset in range(players):
                holder = (seat + offset) % players
                for slot in range(rules.hand_size(np.array(sim.state), holder)):
                    wanted = counted(sim, seat, holder, slot)
                    assert cards[offset, slot, :3] == pytest.approx(wanted, abs=1e-5), (
                        seed,
                        seat,
                        holder,
                        slot,
                    )


def test_nothing_of_it_is_what_a_seat_cannot_know():
    sim = played(2, 5, 24)
    state = np.array(sim.state)
    before = encoded(sim, 0)
    # Its own cards change places with those in the deck that its hints allow, too.
    changed = 0
    for slot in range(rules.hand_size(state, 0)):
        key = rules.key_at(state, 0, slot)
        for other in range(int(state[rules.DEALT]), int(state[rules.DECK_SIZE])):
            card = rules.card_of(state, other)
            if card != rules.card_of(state, key) and rules.plausible(state, key, card):
                state[[rules.DECK + key, rules.DECK + other]] = state[[rules.DECK + other, rules.DECK + key]]
                changed += 1
                break
    after = inputs_for("hanabi", sim.options, PUBLIC)(state[None], np.array([0]))[0]
    assert changed and np.array_equal(before, after)


def test_a_hint_that_makes_a_card_known_is_told_from_one_that_does_not():
    sim = Simulation("hanabi", {"players": 2}, seed=1)
    numbers = encoded(sim, 0)
    hints = numbers[-public.TABLE - 10 * public.TELLS : -public.TABLE].reshape(10, public.TELLS)
    ones = [card for card in sim.view(0)["hands"][1]["cards"] if card["card"] % 5 == 0]
    assert hints[5, 3] == pytest.approx(len(ones) / 5)  # at the start every 1 fits
    assert not hints[6:, 3].any() and not hints[:5, 3].any()


@pytest.mark.parametrize("options", [{"players": 2, "colors": 2, "ranks": 5}, {"players": 4}])
def test_other_sizes_are_numbers_between_0_and_1(options):
    complete = games.spec("hanabi").validate(options)
    sim = Simulation("hanabi", complete, seed=3)
    numbers = encoded(sim, 1)
    assert np.isfinite(numbers).all() and numbers.min() >= 0 and numbers.max() <= 1
