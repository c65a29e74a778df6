"""Which of the instructRL paper's questions a move answers: one number for the same thing in other games."""

import numpy as np
import pytest

from engine import language
from engine.games.hanabi.language import NUM_QUESTIONS, asked_about
from engine.learning.parts.instructions import Flipped
from engine.simulation.simulation import Simulation
from tests.engine.games.hanabi.language.test_following import program

DISCARD, PLAY, COLOUR, RANK = slice(0, 5), slice(5, 10), slice(10, 15), slice(15, 20)


def asked(*moves: int, seed: int = 1) -> np.ndarray:
    """The numbers of the questions that the next player's moves answer, after these."""
    sim = Simulation("hanabi", {"players": 2}, seed=seed)
    for move in moves:
        sim.act(sim.current, move)
    return asked_about(sim.state[None], np.array([sim.current]))[0]


def test_cards_are_asked_about_one_by_one_and_hints_by_kind():
    found = asked()
    assert found[20] == -1 and (found[:20] >= 0).all() and found.max() < NUM_QUESTIONS
    assert len(set(found[:20].tolist())) == 12
    assert len(set(found[COLOUR].tolist())) == len(set(found[RANK].tolist())) == 1


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_at_every_table_a_number_is_one_of_those_that_there_are(players):
    sim = Simulation("hanabi", {"players": players}, seed=1)
    rng = np.random.default_rng(players)
    while not sim.over:
        found = asked_about(sim.state[None], np.array([sim.current]))[0]
        assert found.shape == (sim.num_actions,) and found[-1] == -1
        assert ((found[:-1] >= 0) & (found[:-1] < NUM_QUESTIONS)).all()
        sim.act(sim.current, int(rng.choice(np.flatnonzero(sim.legal(sim.current)))))


def test_the_same_move_asks_the_same_and_another_one_something_else():
    assert asked(5).tolist() == asked(5, seed=2).tolist() != asked(6).tolist()
    assert not set(asked(5)[:20].tolist()) & set(asked(6)[:20].tolist())
    assert asked(5, 6, 7).tolist() == asked(7).tolist()  # what lies farther back isn't asked about


def test_hints_that_touch_other_cards_ask_something_else():
    sims = [Simulation("hanabi", {"players": 2}, seed=seed) for seed in range(40)]
    seen: dict[tuple[int, ...], int] = {}
    for sim in sims:
        hand = [card["card"] % 5 for card in sim.view(0)["hands"][1]["cards"]]
        touched = tuple(slot for slot, rank in enumerate(hand) if rank == 0)
        if touched:
            sim.act(0, 15)
            number = int(asked_about(sim.state[None], np.array([1]))[0, 0])
            assert seen.setdefault(touched, number) == number
    assert len(set(seen.values())) == len(seen) > 5


def test_a_share_of_the_answers_is_the_other_way_round_and_the_same_ones_in_every_game():
    sims = [Simulation("hanabi", {"players": 2}, seed=seed) for seed in range(30)]
    for sim in sims:
        sim.act(0, 5 + sim.seed % 5)
    states, seats = np.stack([sim.state for sim in sims]), np.ones(len(sims), int)
    told = program("hint kind_of=color")
    said = np.stack([language.prior("hanabi", told, sim, 1) for sim in sims])
    yes = language.asks("hanabi")
    flipped = Flipped("hanabi", 0.3, 1)(said, states, seats, yes)
    other = (flipped >= yes) != (said >= yes)
    numbers = asked_about(states, seats)[:, :20]
    assert 0.1 < other[:, :20].mean() < 0.5 and not other[:, 20].any()
    for number in np.unique(numbers):
        assert len(set(other[:, :20][numbers == number].tolist())) == 1
    assert (Flipped("hanabi", 0.0, 1)(said, states, seats, yes) == said).all()
