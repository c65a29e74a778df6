"""The programs of a training round on simulated kitchens: what differs where all move at once."""

import json
from pathlib import Path

import numpy as np
import pytest
import torch

from engine import games
from engine.agents import utility
from engine.agents.catalogue import load, read_card, write_agent
from engine.agents.features import inputs_for, reward_inputs_for
from engine.agents.network import PolicyValueNet
from engine.agents.utility import OnlineUtility
from engine.evaluation.annotators import Annotator
from engine.evaluation.reward_return import fair_options, play_rewarded
from engine.evaluation.simulated_episodes import play_logs, write_snapshot
from engine.games.overcooked.rules import TICK
from engine.learning.algorithms import evaluate_round, ibt, ppo
from engine.learning.algorithms.ppo import Ppo
from engine.learning.parts import marked, utilities
from engine.learning.parts.rollouts import Collector
from engine.learning.run.reporting import Reporter
from engine.refusal import Refusal
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
    with pytest.raises(Refusal, match="mixes the layouts .*choose one layout"):
        marked.load(tmp_path, "overcooked")


def test_a_window_of_a_long_game_is_read_with_all_that_came_before_it(snapshot):
    """As U is read in games: or its memory would be in states in which it never was while it learned."""
    track = max(marked.load(snapshot, "overcooked"), key=lambda one: len(one.positive))
    settings = ibt.Settings(dataset="", game="overcooked", window=10, batch=16, swap=0.0)
    batch = utilities.make_batch([track], settings, np.random.default_rng(0))
    batch = {name: torch.from_numpy(value).float() for name, value in batch.items()}
    assert batch["observations"].shape[1] == 10 and batch["valid"].all()
    assert batch["lengths"].max() > 40 and batch["lengths"].min() < 10
    model = utility.RewardModel(track.observations.shape[1], track.instructions.shape[1], 12)
    memory = model.remember(batch["before"], batch["before_instructions"], batch["lengths"].long())
    (found,) = model.members(batch["observations"], batch["instructions"], memory)
    observed = torch.from_numpy(track.observations[None].astype(np.float32))
    whole = model(observed, torch.from_numpy(track.instructions[None]))[0]
    for row, start in zip(found, batch["lengths"].long().tolist(), strict=True):
        expected = whole[start : start + 10] - whole[start]
        assert torch.allclose(row - row[0], expected, atol=1e-4)
    assert found.requires_grad


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


def test_a_game_whose_time_is_up_is_cut_off_and_not_over():
    """What would have come counts: the value of the last state, which the next game has replaced."""
    collector = Collector("overcooked", {**LAYOUT, "horizon": 5}, 2, seed=0)
    west = torch.full((4,), 3)
    reached = []
    rollout = collector.collect(
        7, lambda view: {"actions": west}, lambda after, ended: reached.append(after.copy()) or {}
    )
    assert collector.batch.spec.truncates and rollout.dones[4].all()
    assert rollout.cut.steps.tolist() == [4] * 4 and rollout.cut.rows.tolist() == [0, 1, 2, 3]
    assert (reached[4][:, TICK] == 5).all() and (reached[5][:, TICK] == 1).all()
    assert not torch.equal(rollout.cut.inputs, rollout.inputs[5]), "not those of the next game"
    rewards = rollout.with_cut(rollout.rewards, [0.5], lambda cut: torch.full((len(cut.steps), 1), 8.0))
    assert (rewards[4] == rollout.rewards[4] + 4.0).all()
    others = torch.arange(7) != 4
    assert torch.equal(rewards[others], rollout.rewards[others])


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
    config = {"candidate": candidate, "base": base, "reward_model": str(reward_model), "episodes": 4}
    evaluate_round.train(evaluate_round.Settings(game="overcooked", **config), tmp_path, reporter)
    sides = {"candidate", "base", "champion"}
    assert set(found["self_play"]) == set(found["reward_return"]) == sides
    # The base takes its best moves, so games begin anywhere, or all would be the same.
    assert found["acts"]["candidate"] == "best" and found["options"] == {"start": "random"}
    assert {"base", "overcooked/greedy", "overcooked/zoo-lazy"} <= set(found["cross_play"])
    assert json.dumps(found)


def test_rows_are_seats_and_the_base_plays_one_of_a_game(base, reward_model):
    torch.manual_seed(0)
    training = Ppo(ppo.Settings(base=base, reward_model=str(reward_model), base_partner=1.0, **PPO))
    rollout = training.collect()
    mine = rollout.extras["mine"].reshape(10, 4, 2)
    assert (mine.sum(2) == 1).all()
    gains = rollout.extras["gains"].reshape(10, 4, 2)
    assert (gains[mine] != 0).all() and (gains[~mine] == 0).all(), "each seat's own; the base earns nothing"
    rewards = training.rewards(rollout)
    theirs = ~rollout.extras["mine"]
    assert (rewards[theirs] == 0.1 * rollout.rewards[theirs]).all()
    assert training.learn_rows(training.rows_of(rollout))["base_kl"] < 0.1


def test_an_instruction_pulls_a_cook(base):
    config = {**PPO, "base_partner": 0.0, "value_warmup": 0, "kl_weight": 0.0, "lr": 1e-2}
    training = Ppo(ppo.Settings(base=base, instruction="stop", instruction_weight=5.0, **config))

    def still() -> float:
        return float((training.collect().actions == 4).float().mean())

    before = still()
    for _ in range(8):
        training.learn_rows(training.rows_of(training.collect()))
    assert still() > before + 0.2


def test_games_differ_although_nothing_is_dealt(base):
    circuit = "counter_circuit_o_1order"
    drawn, greedy = (load(f"overcooked/{ref}", "overcooked") for ref in (f"partner-{circuit}", "greedy"))
    options = {"layout": circuit, "dynamics": "old", "horizon": 150}
    assert fair_options("overcooked", options, [drawn, drawn]) == options
    anywhere = fair_options("overcooked", options, [drawn, greedy])
    assert anywhere == {**options, "start": "random"}
    for table, start in (([drawn, drawn], options), ([greedy, greedy], anywhere)):
        scores = play_rewarded(table, "overcooked", start, 12, seed=1).scores
        assert (scores == play_rewarded(table, "overcooked", start, 12, seed=1).scores).all()
        assert len(set(scores)) > 1
    # From the usual start of a room where nobody meets, scripted cooks always do the same.
    room = {**LAYOUT, "horizon": 120}
    assert len(set(play_rewarded([greedy, greedy], "overcooked", room, 4, seed=1).scores)) == 1
