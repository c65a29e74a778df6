"""What agents remember of a game: the same wherever they act, and the same as where they learn."""

from __future__ import annotations

import numpy as np
import pytest
import torch
from safetensors.numpy import load_file

from engine import games, language
from engine.agents import acting, surgery
from engine.agents.acting import Player, act, remembered
from engine.agents.catalogue import WEIGHTS, folder_of, load, read_card, write_agent
from engine.agents.features import inputs_for
from engine.agents.live import LiveGames
from engine.agents.network import from_tensors
from engine.evaluation.reward_return import play_rewarded
from engine.evaluation.self_play import play
from engine.refusal import Refusal
from engine.simulation.batch import Batch
from engine.simulation.simulation import Simulation
from tests.engine.agents.remembering import GAMES, remembering

TURNS = ["hanabi", "say_select"]


def begun(game: str, steps: int, seed: int = 3) -> Simulation:
    """A game that has come so far by random moves."""
    sim, rng = Simulation(game, GAMES[game], seed), np.random.default_rng(seed)
    for _ in range(steps):
        step(sim, rng)
    return sim


def step(sim: Simulation, rng: np.random.Generator) -> None:
    """A joint move at random."""
    if sim.spec.heads:
        sim.step([[int(rng.integers(size)) for size in sim.spec.heads] for _ in range(sim.seats)])
    else:
        masks = [np.flatnonzero(sim.legal(seat)) for seat in range(sim.seats)]
        sim.step([int(rng.choice(legal)) for legal in masks])


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("hidden", [[16], [16, 10]], ids=["one layer", "two layers"])
def test_numpy_remembers_as_the_torch_network_does(game, hidden, tmp_path):
    net = remembering(game, tmp_path / "a", hidden)
    policy, sim = load(str(tmp_path / "a"), game), Simulation(game, GAMES[game], seed=1)
    assert policy.memory == net.memory_size == 12
    kept, ours = torch.zeros(1, 12), np.zeros((1, 12), np.float32)
    rng, seats = np.random.default_rng(0), np.zeros(1, np.int32)
    apart = []
    while not sim.over and sim.tick < 6:
        worlds = None if sim.world is None else [sim.world]
        seen = inputs_for(game, sim.options)(sim.state[None], seats, worlds)
        mask = sim.legal(0)[None]
        logits = policy.logits_many(sim.state[None], seats, mask, worlds, memory=ours)
        fresh = policy.logits_many(sim.state[None], seats, mask, worlds)
        with torch.no_grad():
            theirs, _, kept = net(torch.from_numpy(seen), kept)
        legal = mask[0] != 0
        np.testing.assert_allclose(logits[0][legal], theirs.numpy()[0][legal], atol=1e-4)
        np.testing.assert_allclose(ours, kept.numpy(), atol=1e-5)
        apart.append(np.abs(fresh[0][legal] - logits[0][legal]).max())
        step(sim, rng)
    assert apart[0] == 0 and (len(apart) == 1 or max(apart) > 0.01), "what was seen before counts"


def test_networks_with_memory_are_rebuilt_from_their_tensors(tmp_path):
    net = remembering("hanabi", tmp_path / "a", [16, 10])
    wider, _ = surgery.hearing(load_file(tmp_path / "a" / WEIGHTS), read_card(tmp_path / "a"))
    again = from_tensors(wider)
    told = language.num_features("hanabi")
    inputs, memory = torch.randn(3, net.reads), torch.randn(3, 12)
    with torch.no_grad():
        before = net(inputs, memory)
        after = again(torch.cat([inputs, torch.rand(3, told)], 1), memory)
    for one, other in zip(before, after, strict=True):
        assert torch.allclose(one, other, atol=1e-6)


def test_an_agent_is_given_a_memory_and_acts_as_before_until_it_is_trained_on(tmp_path):
    folder = folder_of("hanabi/learner-1")
    tensors, card = load_file(folder / WEIGHTS), read_card(folder)
    write_agent(tmp_path / "a", surgery.remembering(tensors, card, 8, seed=1), card)
    policy, sim = load(str(tmp_path / "a"), "hanabi"), Simulation("hanabi", seed=3)
    seen = sim.state[None], np.array([sim.current]), sim.legal(sim.current)[None]
    memory = np.zeros((1, 8), np.float32)
    before = load("hanabi/learner-1", "hanabi").logits_many(*seen)
    after = policy.logits_many(*seen, memory=memory)
    legal = seen[2] != 0
    assert np.abs(before[legal] - after[legal]).max() < 1e-4 and memory.any()
    assert surgery.remembering(tensors, card, 0, seed=1) is tensors
    with pytest.raises(Refusal, match="remembers already"):
        surgery.remembering(load_file(tmp_path / "a" / WEIGHTS), card, 8, seed=1)
    with pytest.raises(Refusal, match="reads what it is told already"):
        surgery.remembering(tensors, {**card, "told_version": 0}, 8, seed=1)


@pytest.mark.parametrize("hidden", [[16], [16, 10]], ids=["one layer", "two layers"])
def test_what_a_seat_is_told_counts_from_its_next_move_and_is_not_remembered(hidden, tmp_path):
    remembering("hanabi", tmp_path / "a", hidden)
    tensors, card = surgery.hearing(load_file(tmp_path / "a" / WEIGHTS), read_card(tmp_path / "a"))
    for name in surgery.told_layers(tensors):
        tensors[name][:, 28:] = np.random.default_rng(1).normal(size=tensors[name][:, 28:].shape)
    write_agent(tmp_path / "b", tensors, card)
    policy, sim = load(str(tmp_path / "b"), "hanabi"), begun("hanabi", 2)
    told = np.ones((1, language.num_features("hanabi")), np.float32)
    seen = sim.state[None], np.array([sim.current]), sim.legal(sim.current)[None]
    with_it, without = np.zeros((1, 12), np.float32), np.zeros((1, 12), np.float32)
    heard = policy.logits_many(*seen, instructions=told, memory=with_it)
    untold = policy.logits_many(*seen, memory=without)
    legal = seen[2][0] != 0
    assert np.abs(heard[0][legal] - untold[0][legal]).max() > 0.1
    assert np.array_equal(with_it, without) and with_it.any()


@pytest.mark.parametrize("game", ["hanabi", "overcooked", "arena"])
def test_memory_follows_from_the_log_whoever_played_and_however_often_it_is_asked(game, tmp_path):
    remembering(game, tmp_path / "a", [16])
    policy, sim, rng = (
        load(str(tmp_path / "a"), game),
        Simulation(game, GAMES[game], seed=3),
        np.random.default_rng(1),
    )
    while sim.tick < 9:
        decides = sim.tick % sim.spec.decision_ticks == 0 and sim.current in (None, 1)
        if decides and sim.tick not in (2, 3, 4):
            first = act(policy, [sim], [1])
            assert act(policy, [sim], [1]) == first
        step(sim, rng)
    again = remembered(policy, sim.copy(), 1)
    assert again.any()
    np.testing.assert_allclose(remembered(policy, sim, 1), again, atol=1e-6)
    other = load(str(tmp_path / "a"), game)
    np.testing.assert_allclose(remembered(other, sim, 1), again, atol=1e-6)


def test_a_game_is_not_simulated_again_for_what_was_seen_at_every_decision(tmp_path, monkeypatch):
    remembering("arena", tmp_path / "a", [16])
    policy, sim = load(str(tmp_path / "a"), "arena"), Simulation("arena", GAMES["arena"], seed=3)
    rng = np.random.default_rng(1)
    monkeypatch.setattr(acting, "_recalled", None)
    while sim.tick < 12:
        if sim.tick % sim.spec.decision_ticks == 0:
            act(policy, [sim], [1])
        step(sim, rng)
    assert remembered(policy, sim, 1).any()
    monkeypatch.undo()
    np.testing.assert_allclose(remembered(policy, sim, 1), remembered(policy, sim.copy(), 1), atol=1e-6)


def test_what_is_recalled_is_shown_as_what_is_played_is_so_that_nothing_is_compiled_again_for_it():
    class Noting:
        memory, seen = 1, []

        def logits_many(self, states, seats, masks, worlds=None, memory=None):
            self.seen.append(states.flags.writeable)

    remembered(noting := Noting(), begun("hanabi", 4), 1)
    assert set(noting.seen) == {True}, "numba takes arrays that can't be written to for another type"


@pytest.mark.parametrize("game", ["hanabi", "overcooked"])
def test_a_batch_remembers_as_single_games_do_and_forgets_at_the_end(game, tmp_path):
    remembering(game, tmp_path / "a", [16])
    policy, spec = load(str(tmp_path / "a"), game), games.spec(game)
    batch = Batch(spec, GAMES[game], 3, observations="none", seed=5)
    sims = [Simulation.at(game, GAMES[game], state) for state in batch.states]
    seats = spec.seats(batch.options)
    player, every = Player(policy, 3, seats), np.arange(3)
    for _ in range(7):
        joint = np.zeros_like(batch.actions)
        who = batch.seats[:, None] if spec.turn_based else np.tile(np.arange(seats), (3, 1))
        for column in range(who.shape[1]):
            moving = who[:, column].astype(np.int32)
            masks = batch.masks if spec.turn_based else batch.masks[:, column]
            chosen = player.act(every, batch.states, moving, masks)
            assert chosen == act(policy, sims, moving.tolist())
            joint[...] = chosen if spec.turn_based else joint
            if not spec.turn_based:
                joint[:, column] = chosen
        batch.step(joint)
        for sim, state in zip(sims, batch.states, strict=True):
            sim.follow(state)
    assert player.memory.any()
    player.begin(np.array([True, False, False]))
    assert not player.memory[0].any() and player.memory[1].any()


@pytest.mark.parametrize("game", GAMES)
def test_evaluation_carries_memory_in_every_game(game, tmp_path):
    remembering(game, tmp_path / "a", [16])
    policy, options = load(str(tmp_path / "a"), game), GAMES[game]
    once = play([policy], game, options, 4, seed=2)
    assert np.array_equal(once, play([policy], game, options, 4, seed=2))
    seats = games.spec(game).seats(games.spec(game).validate(options))
    alone = [play_rewarded([policy] * seats, game, options, 2, seed=2).scores for _ in range(2)]
    assert np.array_equal(*alone)


@pytest.mark.parametrize("game", ["overcooked", "arena"])
def test_an_agent_that_takes_over_a_live_game_remembers_what_the_seat_saw(game, tmp_path):
    """Where actions have heads, the past isn't kept, and it remembers from there on."""
    remembering(game, tmp_path / "a", [16])
    folder, rng = str(tmp_path / "a"), np.random.default_rng(2)
    sim = Simulation(game, GAMES[game], seed=4)
    live, kept = LiveGames(load), {"id": 1, "match": "m"}
    first = {"game": game, "options": sim.options, "seed": 4, "deck": [], "from": 0, "actions": []}
    live.answer([{**kept, **first, "ask": []}])
    for tick in range(5):
        step(sim, rng)
        live.answer([{**kept, "from": tick, "actions": sim.actions[tick:], "ask": []}])
    policies = {}
    live.policy = lambda agent, name: policies.setdefault(agent, load(agent, name))
    ask = [{"seat": 1, "agent": folder, "programs": []}]
    (reply,) = live.answer([{**kept, "from": 5, "actions": [], "ask": ask}])
    (policy,) = policies.values()
    known = remembered(policy, live.games["m"].sim, 1)
    whole = remembered(load(folder, game), sim, 1)
    assert reply["errors"] == {} and list(reply["actions"]) == ["1"]
    if game == "arena":
        assert not known.any() and whole.any()
        step(sim, rng)
        live.answer([{**kept, "from": 5, "actions": sim.actions[5:], "ask": ask}])
        assert remembered(policy, live.games["m"].sim, 1).any()
    else:
        np.testing.assert_allclose(known, whole, atol=1e-6)


def test_what_a_seat_would_have_done_without_an_instruction_is_nothing_that_it_remembers(tmp_path):
    """Live play asks that with every move, in the same batch."""
    remembering("arena", tmp_path / "a", [16])
    folder, sim = str(tmp_path / "a"), Simulation("arena", seed=4)
    policy, own = load(folder, "arena"), {"since_tick": 0, "from_seat": 0}
    says = [{**language.read("arena", "follow me").program, **own}]
    told = {1: says, 2: [], 3: says}
    named = {seat: [{"id": "a", "program": one} for one in programs] for seat, programs in told.items()}
    ask = [{"seat": seat, "agent": folder, "programs": programs} for seat, programs in named.items()]
    live, kept = LiveGames(lambda agent, game: policy), {"id": 1, "match": "m"}
    first = {"game": "arena", "options": sim.options, "seed": 4, "deck": [], "from": 0, "actions": []}
    (reply,) = live.answer([{**kept, **first, "ask": ask}])
    assert {one["kind"] for one in reply["reasons"]} == {"because"}
    alone = load(folder, "arena")
    for seat, programs in told.items():
        assert act(alone, [sim], [seat], None, [programs]) == [reply["actions"][str(seat)]]
    step(sim, np.random.default_rng(2))
    live.answer([{**kept, "from": 0, "actions": sim.actions, "ask": []}])
    for seat in told:
        known = remembered(policy, live.games["m"].sim, seat)
        np.testing.assert_allclose(known, remembered(alone, sim, seat), atol=1e-6)


def test_weights_of_a_memory_that_do_not_fit_are_refused_with_a_sentence(tmp_path):
    remembering("hanabi", tmp_path / "a", [16])
    tensors, card = load_file(tmp_path / "a" / WEIGHTS), read_card(tmp_path / "a")
    del tensors["memory.bias_hh_l0"]
    write_agent(tmp_path / "b", tensors, card)
    with pytest.raises(Refusal, match=r"memory\.bias_hh_l0 is missing"):
        load(str(tmp_path / "b"), "hanabi")
    tensors["memory.bias_hh_l0"] = np.zeros(5, np.float32)
    write_agent(tmp_path / "b", tensors, card)
    with pytest.raises(Refusal, match=r"memory\.bias_hh_l0 is \(5,\) and should be \(36,\)"):
        load(str(tmp_path / "b"), "hanabi")
