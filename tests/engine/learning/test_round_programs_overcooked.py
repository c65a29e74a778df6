"""The programs of a training round on simulated kitchens: what differs where all move at once."""

import json
from pathlib import Path

import numpy as np
import pytest
import torch

from engine import games
from engine.agents.catalogue import load, read_card, write_agent
from engine.agents.features import inputs_for, reward_inputs_for
from engine.agents.network import PolicyValueNet
from engine.evaluation.annotators import Annotator
from engine.evaluation.reward_return import play_both, play_rewarded
from engine.evaluation.simulated_episodes import play_logs, write_snapshot
from engine.learning import evaluate_round, ibt, marked, ppo, utility
from engine.learning.ppo import Ppo
from engine.learning.reporting import Reporter
from engine.learning.utility import OnlineUtility, states_after
from engine.simulation.log import walk

LAYOUT = {"layout": "cramped_room", "dynamics": "old"}
SHORT = {**LAYOUT, "horizon": 40}
PPO = {
    "game": "overcooked",
    "moves": 4 * 10 * 2,
    "envs": 4,
    "steps": 10,
    "minibatches": 2,
    "evaluation_games": 2,
    "evaluate_every": 2,
}


@pytest.fixture(scope="module")
def base(tmp_path_factory) -> str:
    """An untrained network of a short game as an agent, whose value counts a point as a tenth."""
    folder = tmp_path_factory.mktemp("base") / "agent"
    torch.manual_seed(0)
    spec, inputs = games.spec("overcooked"), inputs_for("overcooked", SHORT)
    net = PolicyValueNet(inputs.size, [16], 6)
    card = {"name": "base", "kind": "network", "game": "overcooked", "players": [2], "options": SHORT}
    card |= {"rules_version": spec.rules_version, "features_version": inputs.version}
    card |= {"hyperparameters": {"reward_scale": 0.1}}
    write_agent(folder, {key: value.numpy() for key, value in net.state_dict().items()}, card)
    return str(folder)


def episodes(count: int, layout: str, seed: int) -> list:
    greedy = load("overcooked/greedy", "overcooked")
    options = {"layout": layout, "horizon": 60, "start": "random"}
    return list(play_logs(greedy, count, options, mistakes=0.3, seed=seed))


@pytest.fixture(scope="module")
def snapshot(tmp_path_factory) -> Path:
    folder = tmp_path_factory.mktemp("snapshot")
    write_snapshot(folder, episodes(5, "cramped_room", 4), [Annotator()])
    return folder


@pytest.fixture(scope="module")
def reward_model(snapshot, tmp_path_factory) -> Path:
    out = tmp_path_factory.mktemp("ibt")
    settings = ibt.Settings(dataset=str(snapshot), game="overcooked", steps=4, batch=4, hidden=8, history=10)
    ibt.train(settings, out, Reporter())
    return out / "reward-model"


def test_the_reward_model_reads_the_grid(snapshot, reward_model):
    model = utility.load(reward_model)
    size = reward_inputs_for("overcooked", LAYOUT).size
    assert model.sizes["observation_size"] == size != inputs_for("overcooked", LAYOUT).size
    track = marked.load(snapshot, "overcooked")[0]
    assert track.observations.shape == (61, size)
    assert (track.observations >= 0).all() and (track.observations <= 1).all()


def test_a_snapshot_of_two_layouts_is_refused_with_a_sentence(tmp_path):
    logs = [*episodes(1, "cramped_room", 1), *episodes(1, "coordination_ring", 2)]
    write_snapshot(tmp_path, logs, [Annotator()])
    with pytest.raises(marked.BadSnapshot, match="mixes the layouts .*choose one layout"):
        marked.load(tmp_path, "overcooked")


def test_a_window_of_a_long_game_is_read_with_the_history_before_it(snapshot):
    tracks = marked.load(snapshot, "overcooked")
    settings = ibt.Settings(dataset="", window=10, history=5, batch=64, swap=0.0)
    batch = ibt.make_batch(tracks, settings, np.random.default_rng(0))
    assert batch["observations"].shape[1] == 15
    assert (batch["valid"].sum(1) == 10).all()
    seen = {track.observations[t].tobytes() for track in tracks for t in range(61)}
    assert all(row.numpy().astype(np.float16).tobytes() in seen for row in batch["observations"][0][:10])


def test_reading_online_is_reading_the_whole_episode(snapshot, reward_model):
    (log,) = episodes(1, "cramped_room", 7)
    model, inputs = utility.load(reward_model), reward_inputs_for("overcooked", LAYOUT)
    online = OnlineUtility(model, inputs, 1, 2, np.zeros(model.sizes["instruction_size"]))
    states = np.stack([sim.state.copy() for sim in walk(log)])
    online.begin(states[:1], np.zeros(1, int))
    gained = [online.add(state[None], np.zeros(1, int))[0] for state in states[1:]]
    seen, told = marked.observe(log, [1])[1]
    whole = model(torch.from_numpy(seen[None].astype(np.float32)), torch.from_numpy(told[None]))[0].detach()
    found = np.sum(gained, axis=0)[1]
    assert found == pytest.approx(float(whole[-1] - whole[0]), abs=1e-2)


def test_the_state_after_a_joint_move_is_that_of_the_batch():
    batch = games.make_batch("overcooked", 3, observations="none", **LAYOUT)
    moves = np.array([[0, 1], [5, 5], [2, 3]], np.int32)
    before = batch.states.copy()
    after, ended = states_after("overcooked", batch.states, moves)
    assert (batch.states == before).all()
    batch.step(moves)
    assert (after == batch.states).all()
    assert not ended.any()


def test_a_whole_round_makes_a_cook_that_can_be_loaded(base, reward_model, tmp_path):
    settings = ppo.Settings(base=base, reward_model=str(reward_model), name="round-1", **PPO)
    ppo.train(settings, tmp_path, Reporter())
    card = read_card(tmp_path / "agent")
    assert card["options"] == SHORT
    assert card["reward_scale"] == 0.1  # or the next round would not know what its values mean
    candidate = str(tmp_path / "agent")
    found = {}
    reporter = Reporter()
    reporter.result = lambda **result: found.update(result)
    config = {"candidate": candidate, "base": base, "reward_model": str(reward_model), "episodes": 2}
    evaluate_round.train(evaluate_round.Settings(game="overcooked", **config), tmp_path, reporter)
    sides = {"candidate", "base", "champion"}
    assert set(found["self_play"]) == set(found["reward_return"]) == set(found["greedy"]) == sides
    assert {"base", "overcooked/greedy", "overcooked/zoo-lazy"} <= set(found["cross_play"])
    assert json.dumps(found)


def test_rows_are_seats_and_the_base_plays_one_of_a_game(base, reward_model):
    torch.manual_seed(0)
    training = Ppo(ppo.Settings(base=base, reward_model=str(reward_model), base_partner=1.0, **PPO))
    rollout = training.collector.collect(10, training.act)
    mine = rollout.extras["mine"].reshape(10, 4, 2)
    assert (mine.sum(2) == 1).all()
    gains = rollout.extras["gains"].reshape(10, 4, 2)
    assert (gains != 0).all()
    assert (gains[..., 0] != gains[..., 1]).any()
    rewards = training.rewards(rollout)
    theirs = ~rollout.extras["mine"]
    assert (rewards[theirs] == 0.1 * rollout.rewards[theirs]).all()
    assert training.learn(rollout, warming_up=False)["base_kl"] < 0.1


def test_an_instruction_pulls_a_cook(base):
    config = {**PPO, "base_partner": 0.0, "value_warmup": 0, "kl_weight": 0.0, "lr": 1e-2}
    training = Ppo(ppo.Settings(base=base, instruction="stop", instruction_weight=5.0, **config))

    def still() -> float:
        return float((training.collector.collect(10, training.act).actions == 4).float().mean())

    before = still()
    for _ in range(8):
        training.learn(training.collector.collect(10, training.act), warming_up=False)
    assert still() > before + 0.2


def test_games_differ_although_nothing_is_dealt(base):
    one, greedy = load(base, "overcooked"), load("overcooked/greedy", "overcooked")
    scores = play_rewarded([one, greedy], "overcooked", {**LAYOUT, "horizon": 120}, 8, seed=1).scores
    again = play_rewarded([one, greedy], "overcooked", {**LAYOUT, "horizon": 120}, 8, seed=1).scores
    assert (scores == again).all()
    both = play_both([greedy, greedy], "overcooked", {**LAYOUT, "horizon": 120}, 8, seed=1)
    assert len(both.scores) == 8
    assert len(set(both.scores[:4])) == 1  # from the usual start, scripted cooks always do the same
