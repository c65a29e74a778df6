"""Wishes that take counting, and what can't be done at the moment."""

import numpy as np
import pytest

from engine import language
from engine.games.hanabi import rules
from engine.games.hanabi.language import chances
from engine.games.hanabi.view import is_critical
from engine.simulation.simulation import Simulation
from tests.engine.games.hanabi.language.test_following import program

RANDOM_MOVES = 24


def after_random_moves(players: int, seed: int) -> Simulation:
    sim, rng = Simulation("hanabi", {"players": players}, seed=seed), np.random.default_rng(seed)
    for _ in range(RANDOM_MOVES):
        hints = [
            move for move in np.flatnonzero(sim.legal(sim.current)) if move >= 2 * sim.state[rules.SLOTS]
        ]
        moves = hints or list(np.flatnonzero(sim.legal(sim.current)))
        sim.act(sim.current, int(rng.choice([one for one in moves if one < sim.num_actions - 1])))
        if sim.over:
            break
    return sim


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_the_least_likely_last_copy_goes_first_and_a_known_one_never(players):
    seen = 0
    for seed in range(12):
        sim = after_random_moves(players, seed)
        if sim.over:
            continue
        seat = sim.current
        risks = chances.critical_chances(sim.state, seat)
        prior = language.prior("hanabi", program("keep cards=critical"), sim, seat)[: len(risks)]
        assert prior.argmax() == np.argmin(risks)
        for slot, risk in enumerate(risks):
            card = int(rules.card_of(sim.state, int(rules.key_at(sim.state, seat, slot))))
            assert not (risk == 0 and is_critical(sim.state, card)) and (
                risk < 1 or is_critical(sim.state, card)
            )
            if risk == 1:
                seen += 1
                assert prior[slot] <= -16
    assert players != 3 or seen, "some cards were known to be the last"


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_fives_are_told_of_once_and_not_again(players):
    wish = program("hint rank=5 about=new")
    for seed in range(6):
        sim = Simulation("hanabi", {"players": players}, seed=seed)
        told_of = []
        while not sim.over and sim.state[rules.INFORMATION] > 0 and len(told_of) < 5:
            prior = language.prior("hanabi", wish, sim, sim.current)
            if not prior.any():
                break
            assert prior.min() == 0, "it forbids nothing"
            move = int(prior.argmax())
            assert rules.action_kind(sim.state, move) == rules.HINT_RANK
            sim.act(sim.current, move)
            told_of.append(move)
        last = sim.current
        prior = language.prior("hanabi", wish, sim, last)
        assert sim.state[rules.INFORMATION] == 0 or not prior.any()


@pytest.mark.parametrize("players", [2, 3, 5])
def test_what_cannot_be_done_is_said_of_the_seats_own_move_and_by_the_tokens_alone(players):
    sim = Simulation("hanabi", {"players": players}, seed=1)
    wishes = [
        program(one) for one in ("now discard cards=oldest", "hint rank=5 about=new", "not play cards=unsure")
    ]

    def states(seat: int) -> list[str]:
        return [one["text"] or one["state"] for one in language.progresses("hanabi", wishes, sim, seat)]

    nothing = ["nothing may be discarded while all hints are there", "obeying", "obeying"]
    assert states(0) == nothing, "it is the first seat's move, and all hints are there"
    assert states(1) == ["obeying"] * 3, "the first seat may hint before, and then it can be done"
    sim.act(0, int(np.flatnonzero(sim.legal(0))[-1]))
    assert sim.current == 1 and states(1) == ["obeying"] * 3, "as it did"
    while sim.state[rules.INFORMATION] > 0:
        sim.act(sim.current, int(np.flatnonzero(sim.legal(sim.current))[-1]))
    mover = sim.current
    assert states(mover) == ["obeying", "no hint is left", "obeying"]
    assert states((mover + 1) % players) == ["obeying"] * 3, "who moves before it may bring one back"
    once = program("discard cards=oldest when=hint_color")
    assert language.progress("hanabi", once, sim, mover)["state"] == "obeying", "its occasion comes later"
