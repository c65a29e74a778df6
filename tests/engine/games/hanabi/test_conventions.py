"""What a hint means by convention, in positions built card by card."""

import numpy as np
import pytest

from engine.games.hanabi import bots
from engine.games.hanabi import conventions as c
from engine.games.hanabi.lookahead import weigh
from engine.games.hanabi.options import COLOR_LETTERS, card_name, sorted_deck
from engine.games.hanabi.rules import key_at
from engine.simulation.simulation import Simulation


def card(name):
    return COLOR_LETTERS.index(name[0]) * 5 + int(name[1]) - 1


def table(mine, partners):
    """A game in which seat 0 holds `mine` and seat 1 `partners`, oldest first."""
    sim = Simulation("hanabi")
    deck = [card(name) for name in (mine + " " + partners).split()]
    rest = sorted_deck(sim.options)
    for one in deck:
        rest.remove(one)
    return Simulation("hanabi", deck=deck + rest)


def hint(sim, what):
    """Hint the other seat a colour letter or a rank."""
    color = what in COLOR_LETTERS
    sim.act(sim.current, 10 + COLOR_LETTERS.index(what) if color else 14 + int(what))


def meant(sim, seat, slot):
    """What the holder takes a card for, as names."""
    notes = np.zeros(c.NOTES_SIZE, np.int64)
    unseen = np.zeros(25, np.int64)
    c.take_notes(sim.state, notes, 0)
    c.count_unseen(sim.state, notes, -1, unseen)
    useless = c.played_mask(sim.state, notes) | c.dead_mask(sim.state, notes)
    mask = c.believed(notes, key_at(sim.state, seat, slot), c.unseen_mask(unseen), useless)
    return {card_name(one) for one in range(25) if mask >> one & 1}


def best(sim):
    return int(weigh(sim.state, 0, bots.CONVENTION_WEIGHTS, np.zeros(sim.num_actions)))


MINE = "W2 W3 W4 B2 B3"


def test_a_colour_hint_off_the_chop_means_play_the_newest_hinted_card():
    sim = table(MINE, "G3 R4 Y3 R1 G4")
    hint(sim, "R")
    assert meant(sim, 1, 3) == {"R1"}
    assert meant(sim, 1, 1) == {"R1", "R2", "R3", "R4", "R5"}
    assert best(sim) == 5 + 3


def test_a_colour_hint_on_the_chop_is_about_the_chop():
    sim = table(MINE, "R1 G3 Y3 R4 G4")
    hint(sim, "R")
    assert meant(sim, 1, 0) == {"R1"}
    assert meant(sim, 1, 3) == {"R1", "R2", "R3", "R4", "R5"}


def test_fives_on_the_chop_are_saved_and_not_played():
    sim = table(MINE, "R5 G3 Y3 R4 G4")
    hint(sim, "5")
    assert meant(sim, 1, 0) == {"R5", "Y5", "G5", "W5", "B5"}
    assert best(sim) != 5


def test_twos_on_the_chop_are_saved():
    sim = table(MINE, "R2 G3 Y3 R4 G4")
    hint(sim, "2")
    assert meant(sim, 1, 0) == {"R2", "Y2", "G2", "W2", "B2"}


def test_the_chop_is_the_oldest_card_that_no_hint_touched():
    sim = table(MINE, "R5 G3 Y3 R4 G4")
    notes = np.zeros(c.NOTES_SIZE, np.int64)
    hint(sim, "5")
    c.take_notes(sim.state, notes, 0)
    assert c.chop_slot(notes, 1) == 1
    assert c.chop_slot(notes, 0) == 0


def test_notes_follow_the_game_as_the_rules_do():
    sim = Simulation("hanabi", seed=4)
    notes = np.zeros(c.NOTES_SIZE, np.int64)
    values = np.zeros(sim.num_actions)
    while not sim.over:
        sim.act(sim.current, int(weigh(sim.state, 0, bots.CONVENTION_WEIGHTS, values)))
        c.take_notes(sim.state, notes, 0)
        view = sim.view(None)
        assert notes[c.N_INFORMATION] == view["information"] and notes[c.N_LIVES] == view["lives"]
        assert notes[c.N_FIREWORKS : c.N_FIREWORKS + 5].tolist() == view["fireworks"]
        for seat, hand in enumerate(view["hands"]):
            keys = [int(notes[c.N_HANDS + seat * 5 + slot]) for slot in range(notes[c.N_COUNTS + seat])]
            assert keys == [one["key"] for one in hand["cards"]]


@pytest.mark.parametrize("seed", range(5))
def test_promises_that_the_bot_makes_are_mostly_true(seed):
    sim = Simulation("hanabi", seed=seed)
    values = np.zeros(sim.num_actions)
    true = total = 0
    while not sim.over:
        seat = sim.current
        action = int(weigh(sim.state, 0, bots.CONVENTION_WEIGHTS, values))
        sim.act(seat, action)
        if action >= 10 and not sim.over:
            target = 1 - seat
            for slot, one in enumerate(sim.view(None)["hands"][target]["cards"]):
                if one["touched"]:
                    total += 1
                    true += card_name(one["card"]) in meant(sim, target, slot)
    assert true / total > 0.85
