"""Scripted measures: the same in many games at once and in one, what they remember, in place of U."""

import numpy as np
import pytest

from engine import games
from engine.agents.catalogue import load
from engine.evaluation import measures
from engine.evaluation.annotators import Annotator, Watched, annotate
from engine.evaluation.reward_return import play_rewarded
from engine.evaluation.simulated_episodes import play_logs
from engine.games.arena import state as s
from engine.games.overcooked import rules
from engine.simulation.log import walk
from engine.simulation.simulation import Simulation


def states_of(game: str, options: dict, moves: int) -> list[np.ndarray]:
    sim, rng = Simulation(game, options, seed=3), np.random.default_rng(3)
    states = [sim.state.copy()]
    while not sim.over and len(states) < moves:
        joint = [sim.idle(seat) for seat in range(sim.seats)]
        for seat in range(sim.seats) if sim.current is None else [sim.current]:
            if not sim.spec.heads:
                joint[seat] = int(rng.choice(np.flatnonzero(sim.legal(seat))))
        sim.step(joint)
        states.append(sim.state.copy())
    return states


@pytest.mark.parametrize("game", games.names())
def test_every_measure_adds_up_the_same_in_many_games_as_in_one(game):
    states = states_of(game, {}, 80)
    seats = games.spec(game).seats(games.spec(game).validate({}))
    for name, one in measures.measures(game).items():
        alone = measures.rated(one, states, seats)[-1]
        many = measures.MeasuredGames(one, 3, seats, states[0])
        rows = np.array([0, 2])
        many.begin(np.stack([states[0]] * 2), rows)
        total = np.zeros((2, seats))
        for state in states[1:]:
            many.tick(np.stack([state] * 2), rows)
            total += many.add(np.stack([state] * 2), rows)
        assert np.allclose(total, alone), name


def test_a_measure_that_a_game_does_not_have_is_named():
    with pytest.raises(ValueError, match=r"overcooked has no measure 'taste'; it has progress, score, clock"):
        measures.measure("overcooked", "taste")


def test_a_cook_who_gets_nothing_on_displeases_after_a_while():
    states = []
    sim = Simulation("overcooked", {})
    for _ in range(70):
        states.append(sim.state.copy())
        sim.step([4, 4])
    gained = np.diff(measures.rated(measures.measure("overcooked"), states, 2)[:, 0])
    assert (gained < 0).sum() == 1
    assert gained[59] < 0


def test_which_box_an_onion_is_from_counts():
    sim = Simulation("overcooked", {"layout": "cramped_room"})
    states = [sim.state.copy()]
    for joint in ([0, 0], [3, 2], [5, 5]):  # seat 0 to the left box, seat 1 to the right one
        sim.step(joint)
        states.append(sim.state.copy())
    assert (sim.state[rules.EVENT : rules.EVENT + 2] == rules.PICK).all()
    assert measures.rated(measures.measure("overcooked", "one-box"), states, 2)[-1].tolist() == [1, -1]


def test_a_cook_is_to_finish_one_soup_before_it_begins_the_next():
    known = measures.measure("overcooked", "styled")
    before = Simulation("overcooked", {"layout": "cramped_room"}).state.copy()
    memory, pot = np.zeros((1, 2, 1)), int(before[rules.POTS])

    def did(seat: int, event: int, in_pot: int = rules.NOTHING) -> list[float]:
        old, new = before.copy(), before.copy()
        old[rules.ITEM + pot] = in_pot
        new[rules.EVENT + seat], new[rules.EVENT_CELL + seat] = event, pot
        return known.gains(old[None], new[None], memory)[0].tolist()

    assert did(0, rules.PUT_POT) == [1, 0]
    assert did(0, rules.PUT_POT, rules.SOUP + 4) == [0, 0]  # the second onion begins nothing
    assert did(1, rules.DELIVER) == [0, -1]  # somebody else's soup
    assert did(0, rules.PUT_POT) == [-1, 0]  # and so it hasn't finished its own
    assert did(0, rules.DELIVER) == [1, 0]
    assert did(0, rules.PUT_POT) == [1, 0]


def test_a_squad_is_to_keep_together_before_it_fights():
    known = measures.measure("arena", "styled")
    state = Simulation("arena", {"teams": 2, "team_size": 2}, seed=1).state.copy()
    at = [s.PLAYERS + s.PLAYER * seat for seat in range(4)]
    for seat in range(4):
        state[at[seat] + s.X], state[at[seat] + s.Y], state[at[seat] + s.LIFE] = 0, 0, s.UP
    apart = state.copy()
    apart[at[3] + s.X] = 100 * s.UNIT
    shots = [row.copy() for row in (state, apart)]
    for row in shots:
        row[[s.ROW + s.R_DAMAGE + s.ROWS * seat for seat in (0, 2)]] = 10
    memory = np.zeros((1, 4, 2))
    assert known.gains(shots[0][None], shots[0][None], memory).tolist() == [[-1, 0, -1, 0]]  # at once
    for _ in range(200):
        assert not known.gains(state[None], state[None], memory).any()
    assert known.gains(state[None], shots[0][None], memory).tolist() == [[1, 0, 1, 0]]
    assert known.gains(state[None], shots[0][None], memory).tolist() == [[0, 0, 0, 0]]  # no pause in between
    for _ in range(60):
        known.gains(apart[None], apart[None], memory)
    assert known.gains(apart[None], shots[1][None], memory).tolist() == [[1, 0, -1, 0]]


def test_a_sparse_reward_has_two_numbers():
    sim, rng, values = Simulation("hanabi", seed=2), np.random.default_rng(2), set()
    states = [sim.state.copy()]
    while not sim.over:
        sim.act(sim.current, int(rng.choice(np.flatnonzero(sim.legal(sim.current)))))
        states.append(sim.state.copy())
    values = set(np.diff(measures.rated(measures.measure("hanabi", "sparse"), states, 2), axis=0).ravel())
    assert values == {-1.0, 0.0, 1.0}


def test_fighting_counts_in_three_values_and_remembers_what_came_before():
    before = Simulation("arena", {}, seed=1).state.copy()
    after = before.copy()
    after[s.ROW + s.R_DAMAGE] = 25
    known = measures.measure("arena", "fighting")
    memory = np.zeros((1, 8, 1))
    assert known.gains(before[None], after[None], memory)[0, 0] == 0
    assert known.gains(before[None], after[None], memory)[0, 0] == 1


def test_true_progress_stands_in_for_a_reward_model():
    policy = load("overcooked/greedy", "overcooked")
    played = play_rewarded([policy] * 2, "overcooked", {}, 1, 5, measures.measure("overcooked"))
    assert played.utilities.sum() > 5
    score = play_rewarded([policy] * 2, "overcooked", {}, 1, 5, measures.measure("overcooked", "score"))
    assert score.utilities[0].tolist() == [played.scores[0]] * 2
    both = [measures.measure("overcooked", name) for name in ("progress", "score")]
    apart = np.stack([played.utilities, score.utilities], axis=-1)
    assert np.array_equal(play_rewarded([policy] * 2, "overcooked", {}, 1, 5, both).utilities, apart)


def test_annotators_mark_at_the_pace_that_people_do():
    policy = load("overcooked/greedy", "overcooked")
    logs = list(play_logs(policy, 6, {"start": "random"}, seed=2))
    few = Annotator("few", pace=14.0)
    each = [len(annotate(Watched(log), str(number), 0, few)) for number, log in enumerate(logs)]
    per_second = games.spec("overcooked").ticks_per_second
    expected = 14 * 400 / (300 * per_second)
    assert 0 < np.mean(each) < 2 * expected
    assert np.mean([len(annotate(Watched(log), "x", 0, Annotator("all"))) for log in logs]) > 3 * expected


def test_progress_by_another_measure_is_what_is_marked():
    log = next(play_logs(load("hanabi/random", "hanabi"), 1, seed=4))
    liked = Watched(log).progress(0, "rank-hints")
    hints = [sim for sim in walk(log) if sim.tick and sim.state[25] == 0 and sim.state[26] in (2, 3)]
    assert len(np.flatnonzero(np.diff(liked))) == len(hints) > 0
