"""Many games at once: the same games as one at a time, in the caller's arrays."""

from __future__ import annotations

import numpy as np
import pytest

from engine.games import make_batch, spec
from engine.refusal import Refusal
from engine.simulation.simulation import Simulation, state_digest


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_a_batch_plays_the_same_games_as_live_simulations(players: int) -> None:
    batch = make_batch("hanabi", 6, observations="packed", seed=3, players=players)
    games = [Simulation("hanabi", {"players": players}, deck=batch.spec.deck(row)) for row in batch.states]
    ended = 0
    for _ in range(60):
        actions = batch.choose_random().copy()
        for i, game in enumerate(games):
            seat = game.current
            assert seat == batch.seats[i]
            assert np.array_equal(batch.masks[i], game.legal(seat))
            assert np.array_equal(batch.observations[i], np.packbits(game.observe(seat)))
        batch.step(actions)
        for i, game in enumerate(games):
            assert game.act(game.current, int(actions[i])) == batch.rewards[i]
            assert bool(batch.dones[i]) == game.over
            if game.over:
                assert batch.scores[i] == game.score
                assert game.digest() == state_digest(batch.spec, batch.finals[i])
                games[i] = Simulation("hanabi", {"players": players}, deck=batch.spec.deck(batch.states[i]))
                ended += 1
            assert games[i].digest() == state_digest(batch.spec, batch.states[i])
    assert ended > 0


def test_float_and_packed_observations_hold_the_same_bits() -> None:
    floats, packed = (make_batch("hanabi", 32, observations=kind, seed=1) for kind in ("float", "packed"))
    floats.play_random(40)
    packed.play_random(40)
    assert floats.observations.dtype == np.float32
    assert np.array_equal(np.packbits(floats.observations.astype(np.uint8), axis=1), packed.observations)


def test_playing_random_in_one_call_or_step_by_step_is_the_same() -> None:
    one, many = (make_batch("hanabi", 64, observations="none", seed=5) for _ in range(2))
    one.play_random(50)
    for _ in range(50):
        many.step(many.choose_random())
    assert np.array_equal(one.states, many.states) and np.array_equal(one.masks, many.masks)
    ended = many.dones != 0
    assert ended.any() and np.array_equal(one.dones, many.dones)
    assert np.array_equal(one.finals[ended], many.finals[ended])


def test_every_game_of_a_batch_and_every_seed_has_another_deck() -> None:
    decks = [
        tuple(spec("hanabi").deck(row))
        for seed in (0, 1)
        for row in make_batch("hanabi", 50, seed=seed).states
    ]
    assert len(set(decks)) == 100


def test_a_batch_writes_into_torch_tensors() -> None:
    torch = pytest.importorskip("torch")
    buffer = torch.zeros(3, 8, 658)
    batch = make_batch("hanabi", 8)
    for tick in range(3):
        batch.bind(observations=buffer[tick].numpy())
        batch.step(batch.choose_random())
    assert batch.observations.sum() > 0 and np.shares_memory(batch.observations, buffer.numpy())
    assert all(buffer[tick].sum() > 0 for tick in range(3))


def test_an_illegal_action_changes_nothing() -> None:
    batch = make_batch("hanabi", 4)
    before = batch.states.copy()
    with pytest.raises(Refusal, match="game 2"):
        batch.step(np.where(np.arange(4) == 2, 0, 5))
    assert np.array_equal(batch.states, before)


def test_bad_requests_are_refused_with_a_sentence() -> None:
    with pytest.raises(Refusal, match="at least one game"):
        make_batch("hanabi", 0)
    with pytest.raises(Refusal, match="none, float, packed"):
        make_batch("hanabi", 1, observations="pixels")
    with pytest.raises(Refusal, match="'cpu' or 'cuda'"):
        make_batch("hanabi", 1, device="tpu")
    with pytest.raises(Refusal, match=r"float32 \(4, 658\)"):
        make_batch("hanabi", 4).bind(observations=np.zeros((4, 658)))
