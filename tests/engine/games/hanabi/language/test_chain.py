"""Things that are done once, one after another."""

from __future__ import annotations

import numpy as np
import pytest

from engine import language
from engine.games.hanabi.language import say
from engine.games.hanabi.language.chances import Following
from engine.games.hanabi.language.features import features
from engine.language import prior
from engine.simulation.life import State
from engine.simulation.simulation import Simulation
from tests.engine.games.hanabi.language.test_following import COLOR, DISCARD, PLAY, RANK, game, program


def told(notation: str, sim: Simulation) -> dict:
    """The program of an instruction that is given now."""
    return {**program(notation), "since_tick": sim.tick}


def play(sim: Simulation, *moves: int) -> None:
    """Moves of the seats in turn."""
    for move in moves:
        sim.act(sim.current, move)


def wanted(own: dict, sim: Simulation, seat: int = 0) -> list[int]:
    return np.flatnonzero(prior("hanabi", own, sim, seat) > 0).tolist()


def state(own: dict, sim: Simulation, seat: int = 0) -> str:
    return language.progresses("hanabi", [own], sim, seat)[0]["state"]


def test_each_thing_is_done_once_and_in_turn():
    sim = game()
    own = told("play slot=1 then hint color=blue then discard cards=oldest", sim)
    assert wanted(own, sim) == [PLAY + 0]
    play(sim, COLOR + 2, PLAY + 2)
    assert wanted(own, sim) == [PLAY + 0], "it has done something else yet"
    play(sim, PLAY + 0, COLOR + 1)
    assert wanted(own, sim) == [COLOR + 4]
    play(sim, COLOR + 4, COLOR + 1)
    assert wanted(own, sim) == [DISCARD + 0] and state(own, sim) == State.OBEYING
    play(sim, DISCARD + 0, COLOR + 1)
    assert wanted(own, sim) == [] and state(own, sim) == State.DONE


def test_many_games_and_one_agree_on_what_is_done():
    sim = game()
    own = told("play slot=1 then hint color=blue", sim)
    for moves in ((), (PLAY + 0, COLOR + 1), (COLOR + 4, COLOR + 1)):
        play(sim, *moves)
        following = Following(1)
        following.begin(np.array(sim.state)[None], np.array([0]))
        asked = following.asked([own], np.array([0]), np.array([0]))[0]
        assert np.array_equal(asked, prior("hanabi", own, sim, 0))
        done = following.done(own, np.array([0]), np.array([0]))[0]
        assert bool(done) == (state(own, sim) == State.DONE)
    assert state(own, sim) == State.DONE


def test_a_card_named_by_its_position_is_the_one_that_lay_there():
    sim = game()
    play(sim, COLOR + 2, COLOR + 1)
    own = told("discard slot=1 then discard slot=2", sim)
    assert wanted(own, sim) == [DISCARD + 0]
    play(sim, DISCARD + 0, COLOR + 1)
    assert wanted(own, sim) == [DISCARD + 0], "what was second is first now"
    play(sim, PLAY + 0, COLOR + 1)
    assert state(own, sim) == State.DONE, "it is gone"


def test_what_forbids_holds_from_its_place_on():
    sim = game()
    own = told("play slot=1 then not hint", sim)
    assert (prior("hanabi", own, sim, 0)[COLOR:] == 0).all()
    play(sim, PLAY + 0, COLOR + 1)
    assert (prior("hanabi", own, sim, 0)[COLOR:] <= 0).all() and wanted(own, sim) == []
    assert prior("hanabi", own, sim, 0)[COLOR:].any() and state(own, sim) == State.OBEYING


def test_a_chain_is_told_back_in_order():
    own = program("now play slot=2 then hint color=red ; not discard")
    told = "I play the card in position B; then I hint red; I do not discard cards."
    assert say.sentence(own) == told


def test_networks_have_a_chain_from_the_prior_alone():
    assert not features(program("play cards=newest then hint")).any()


def test_a_card_of_which_both_are_known_is_meant_by_both():
    sim = game()
    own, other = program("play color=green rank=1"), program("not play color=green rank=2")
    play(sim, COLOR + 2)
    assert wanted(own, sim, 1) == []
    play(sim, COLOR + 0, RANK + 0)
    assert wanted(own, sim, 1) == [PLAY + 2] and not prior("hanabi", other, sim, 1).any()


def test_what_nobody_needs_is_discarded_as_far_as_it_is_known():
    sim = game()
    own = program("discard cards=useless")
    play(sim, COLOR + 0, COLOR + 1, RANK + 0, COLOR + 1)
    assert not prior("hanabi", own, sim, 1).any(), "its red one is still needed"
    play(sim, PLAY + 0)
    assert wanted(own, sim, 1) == [DISCARD + 0]


@pytest.mark.parametrize(
    ("place", "moves"), [("oldest", [COLOR + 0, RANK + 0]), ("newest", [COLOR + 4, RANK + 1])]
)
def test_a_card_is_hinted_for_its_place_once(place, moves):
    sim = game()
    own = program(f"hint about={place}")
    assert wanted(own, sim) == moves
    assert (prior("hanabi", program(f"not hint about={place}"), sim, 0) < 0).sum() == 2
    play(sim, moves[0], COLOR + 1)
    assert wanted(own, sim) == []


def test_anything_new_is_told():
    sim = game()
    own = program("hint about=new")
    assert len(wanted(own, sim)) == sum(bool(sim.legal(0)[move]) for move in range(COLOR, RANK + 5))
    play(sim, COLOR + 0, COLOR + 0)
    assert COLOR + 0 not in wanted(own, sim) and RANK + 0 in wanted(own, sim)
