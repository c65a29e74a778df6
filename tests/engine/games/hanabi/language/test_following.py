"""What an instruction adds to the logits of an agent's moves, in real games."""

import numpy as np
import pytest

from engine.games.hanabi import rules
from engine.games.hanabi.language.carried import carried
from engine.games.hanabi.language.declared import DECLARED
from engine.language import prior
from engine.language.declared import parse
from engine.simulation.simulation import Simulation

# player_0 holds R1 R2 Y3 G4 B5, player_1 holds R1 Y1 G1 W2 B2; colour * 5 + rank.
DECK_TOP = [0, 1, 7, 13, 24, 0, 5, 10, 16, 21]
DISCARD, PLAY, COLOR, RANK = 0, 5, 10, 15
COLOR_PLAY, RANK_PLAY = "play cards=touched when=hint_color", "play cards=touched when=hint_rank"


def game() -> Simulation:
    deck = list(DECK_TOP)
    left = [c * 5 + r for c in range(5) for r in range(5) for _ in range((3, 2, 2, 2, 1)[r])]
    for card in deck:
        left.remove(card)
    return Simulation("hanabi", deck=deck + left)


def program(notation: str) -> dict:
    """The program of a notation that is carried out whole."""
    made = carried(parse(DECLARED, notation))
    assert made.program is not None and not made.left, made.left
    return made.program


def added(notation: str, sim: Simulation, seat: int) -> np.ndarray:
    logits = prior("hanabi", program(notation), sim, seat)
    assert logits.shape == (sim.num_actions,)
    assert logits.dtype == np.float32
    return logits


def test_a_hinted_card_is_played():
    sim = game()
    sim.act(0, COLOR + 2)  # green touches slot 2 of player_1
    logits = added(COLOR_PLAY, sim, 1)
    assert logits.argmax() == PLAY + 2
    assert np.count_nonzero(logits) == 1
    assert not added(RANK_PLAY, sim, 1).any()


def test_a_hint_stays_meant_until_the_card_is_played():
    sim = game()
    sim.act(0, RANK + 0)  # ones: slots 0, 1, 2
    for own, partner in ((PLAY + 0, RANK + 1), (PLAY + 0, RANK + 2)):
        wanted = np.flatnonzero(added(RANK_PLAY, sim, 1) > 0)
        assert PLAY + 0 in wanted
        sim.act(1, own)
        sim.act(0, PLAY + 0 if partner == RANK + 1 else DISCARD + 3)
    left = np.flatnonzero(added(RANK_PLAY, sim, 1) > 0)
    assert left.tolist() == [PLAY + 0]  # the third of the ones has moved to slot 0


def test_a_card_that_surely_does_not_fit_is_not_played_for_an_instruction():
    sim = game()
    sim.act(0, RANK + 1)  # twos: slots 3 and 4, and no firework has begun
    assert not added(RANK_PLAY, sim, 1).any()


def test_hints_are_given_for_what_the_partner_will_play():
    sim, hint = game(), "hint kind_of=color about=playable"
    logits = added(hint, sim, 0)
    assert logits[COLOR + 2] > 0  # green touches G1 alone
    assert logits[COLOR + 3] < 0  # white touches W2 alone, which would cost a life
    sim.act(0, COLOR + 2)
    sim.act(1, DISCARD + 4 if sim.legal(1)[DISCARD + 4] else RANK + 0)
    assert added(hint, sim, 0)[COLOR + 2] == 0  # not twice


def test_negations_hold_moves_back():
    sim = game()
    sim.act(0, COLOR + 2)
    assert added(f"not {COLOR_PLAY}", sim, 1)[PLAY + 2] < 0
    assert added("not discard cards=touched when=hint", sim, 1)[DISCARD + 2] < 0
    assert (added("not hint kind_of=rank", sim, 1)[RANK : RANK + 5] <= 0).all()


def test_habits_choose_among_moves_of_one_kind():
    sim = game()
    sim.act(0, COLOR + 2)
    newest = added("play cards=newest", sim, 1)
    assert newest.argmax() == PLAY + 4
    assert (newest[PLAY : PLAY + 4] < 0).all()
    oldest = added("discard cards=oldest", sim, 1)
    assert oldest.argmax() == DISCARD + 0
    assert (oldest[DISCARD + 1 : DISCARD + 5] < 0).all()
    assert oldest[PLAY:].any() == np.False_


def test_the_last_life_is_not_spent_on_a_habit():
    sim = Simulation("hanabi", {"lives": 1}, seed=5)
    assert added("play cards=newest", sim, 0)[PLAY + 4] <= 0
    assert added("now play cards=newest", sim, 0)[PLAY + 4] > 0


def test_conditions_on_the_last_move_hold_for_one_turn():
    sim = game()
    notation = "hint kind_of=rank when=discard"
    assert not added(notation, sim, 0).any()
    sim.act(0, COLOR + 2)
    sim.act(1, DISCARD + 4)
    legal = sim.legal(0)[RANK : RANK + 5]
    assert ((added(notation, sim, 0)[RANK : RANK + 5] > 0) == legal).all()


def test_hints_from_before_the_instruction_are_not_taken_up():
    sim = game()
    sim.act(0, RANK + 0)
    sim.act(1, RANK + 0)
    sim.act(0, COLOR + 3)
    told = program("play cards=touched when=hint")
    assert prior("hanabi", {**told, "since_tick": 0}, sim, 1)[PLAY + 0] > 0
    assert prior("hanabi", {**told, "since_tick": 3}, sim, 1)[PLAY + 0] == 0


def test_a_five_is_kept_once_it_is_known_to_be_one():
    coloured = "discard cards=touched when=hint_color"
    sim = game()
    sim.act(0, COLOR + 2)
    sim.act(1, COLOR + 4)  # blue: the five in slot 4 of player_0
    assert np.flatnonzero(added(f"{coloured} except=5", sim, 0)).tolist() == [DISCARD + 4]
    sim.act(0, PLAY + 0)
    sim.act(1, RANK + 4)  # now it is known, in slot 3
    assert not added(f"{coloured} except=5", sim, 0).any()
    assert added(coloured, sim, 0)[DISCARD + 3] > 0


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_only_legal_moves_are_asked_for_in_whole_games(players):
    rng = np.random.default_rng(players)
    notations = [
        f"by=both {COLOR_PLAY} ; by=both keep cards=touched when=hint_rank",
        "play cards=newest",
        "discard cards=oldest",
        "hint rank=1",
        "not discard cards=touched when=hint",
    ]
    programs = [program(notation) for notation in notations]
    for seed in range(6):
        sim = Simulation("hanabi", {"players": players}, seed=seed)
        while not sim.over:
            seat = sim.current
            logits = sum(prior("hanabi", told, sim, seat) for told in programs)
            legal = sim.legal(seat).astype(bool)
            assert not logits[~legal].any()
            assert np.isfinite(logits).all()
            sim.act(seat, int(rng.choice(np.flatnonzero(legal))))
        assert not prior("hanabi", programs[0], sim, 0).any()


def test_nothing_hidden_is_used():
    """Two games that look the same to a seat give it the same prior, whatever its own cards are."""
    rng = np.random.default_rng(0)
    told = program(f"play cards=newest ; {RANK_PLAY} ; hint about=playable ; discard cards=oldest")
    for seed in range(10):
        sim = Simulation("hanabi", seed=seed)
        for _ in range(8):
            if sim.over:
                break
            sim.act(sim.current, int(rng.choice(np.flatnonzero(sim.legal(sim.current)))))
        if sim.over:
            continue
        seat, twin = sim.current, sim.copy()
        # Swap an unhinted card of the seat's own hand with the bottom of the deck, where hints allow both.
        state = twin._state
        for slot in range(rules.hand_size(state, seat)):
            key = rules.key_at(state, seat, slot)
            other = int(state[rules.DECK + 49])
            if rules.card_field(state, key, rules.FIRST_TOUCHED) < 0 and rules.plausible(state, key, other):
                state[rules.DECK + 49], state[rules.DECK + key] = state[rules.DECK + key], other
                break
        assert np.array_equal(sim.observe(seat), twin.observe(seat))
        assert np.array_equal(prior("hanabi", told, sim, seat), prior("hanabi", told, twin, seat))
