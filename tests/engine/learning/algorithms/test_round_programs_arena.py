"""The programs of a training round on simulated matches of Arena: what differs where actions have heads,
agents keep to a choice for some ticks, and squads play against each other.
"""

import json
from pathlib import Path

import numpy as np
import pytest
import torch

from engine import games
from engine.agents import utility
from engine.agents.catalogue import load, write_agent
from engine.agents.features import inputs_for, reward_inputs_for
from engine.agents.network import PolicyValueNet
from engine.agents.utility import OnlineUtility
from engine.evaluation.annotators import Annotator, Watched, annotate
from engine.evaluation.simulated_episodes import play_logs, write_snapshot
from engine.games.arena import state as s
from engine.learning.algorithms import evaluate_round, ibt, ppo
from engine.learning.algorithms.ppo import Ppo
from engine.learning.parts import heads, marked, sides
from engine.learning.parts.rollouts import Collector
from engine.learning.run.reporting import Reporter
from engine.refusal import Refusal
from engine.simulation.log import walk
from engine.snapshots import Snapshot

DUEL = {"teams": 2, "team_size": 1, "monsters": 0, "map_seed": 3}
SPEC = games.spec("arena")
PPO = {"game": "arena", "moves": 2 * 8 * 2, "envs": 2, "steps": 8, "minibatches": 2}
PPO |= {"evaluation_games": 2, "evaluate_every": 2}


@pytest.fixture(scope="module")
def base(tmp_path_factory) -> str:
    """An untrained network for duels as an agent."""
    folder = tmp_path_factory.mktemp("base") / "agent"
    torch.manual_seed(0)
    inputs = inputs_for("arena", DUEL)
    net = PolicyValueNet(inputs.size, [16], sum(SPEC.heads))
    card = {"name": "base", "kind": "network", "game": "arena", "players": [2], "options": DUEL}
    card |= {"rules_version": SPEC.rules_version, "features_version": inputs.version, "acts": "sampled"}
    write_agent(folder, {key: value.numpy() for key, value in net.state_dict().items()}, card)
    return str(folder)


@pytest.fixture(scope="module")
def logs() -> list:
    strong = load("arena/strong", "arena")
    return list(play_logs(strong, 4, {**DUEL, "pace": "short"}, mistakes=0.05, seed=4))


@pytest.fixture(scope="module")
def snapshot(tmp_path_factory, logs) -> Path:
    folder = tmp_path_factory.mktemp("snapshot")
    assert write_snapshot(folder, logs, [Annotator()]) > 0
    return folder


@pytest.fixture(scope="module")
def reward_model(snapshot, tmp_path_factory) -> Path:
    out = tmp_path_factory.mktemp("ibt")
    settings = ibt.Settings(dataset=str(snapshot), game="arena", steps=3, batch=4, hidden=8, history=10)
    ibt.train(settings, out, Reporter())
    return out / "reward-model"


def test_whole_matches_are_logged_as_records(logs):
    for log in logs:
        assert all(len(record) == s.RECORD for joint in log.steps for record in joint)
        assert log.end["tick"] == len(log.steps)


def test_simulated_annotators_mark_what_happened(logs):
    phi = Watched(logs[0]).progress(0)
    knocks = [sim.tick for sim in walk(logs[0]) if sim.state[s.ROW + s.R_KNOCK] > 0]
    assert len(phi) == len(logs[0].steps) + 1
    for tick in knocks:
        assert phi[tick] - phi[tick - 1] > 0.3
    marks = [mark for seat in (0, 1) for mark in annotate(Watched(logs[0]), "e", seat, Annotator())]
    assert {mark["sign"] for mark in marks} == {1, -1}
    assert all(mark["simulated"] for mark in marks)


def test_a_track_has_one_entry_a_decision(snapshot, logs):
    each = SPEC.decision_ticks
    assert [marked.entry_of(tick, each) for tick in (0, 1, each, each + 1)] == [0, 1, 1, 2]
    track = marked.load(snapshot, "arena")[0]
    (log,) = (log for log in logs if log.header["episode"] == track.episode)
    assert len(track.observations) == marked.entry_of(len(log.steps), each) + 1
    rows = [
        row
        for row in Snapshot(snapshot).marks()
        if (row["episode"], row["seat"]) == (track.episode, track.seat)
    ]
    assert track.marks == len(rows)
    assert track.observations.shape[1] == reward_inputs_for("arena", DUEL).size


def test_reading_online_is_reading_the_whole_match(logs, reward_model):
    log, model = logs[0], utility.load(reward_model)
    each, world, states = SPEC.decision_ticks, None, []
    for sim in walk(log):
        world = sim.world
        if sim.tick % each == 0 or sim.tick == len(log.steps):
            states.append(sim.state.copy())
    told = np.zeros(model.sizes["instruction_size"])
    online = OnlineUtility(model, reward_inputs_for("arena", DUEL), 1, 2, told, world)
    kept = np.stack(states)
    online.begin(kept[:1], np.zeros(1, int))
    gained = [online.add(state[None], np.zeros(1, int))[0] for state in kept[1:]]
    seen, asked = marked.observe(log, [1])[1]
    whole = model(torch.from_numpy(seen[None].astype(np.float32)), torch.from_numpy(asked[None]))[0].detach()
    assert np.sum(gained, axis=0)[1] == pytest.approx(float(whole[-1] - whole[0]), abs=0.02)


def test_a_step_is_all_ticks_of_a_choice_and_earns_their_sum():
    collector = Collector("arena", {**DUEL, "pace": "short"}, 2, seed=1)
    actions = np.zeros((2, 2, len(SPEC.heads)), np.int32)
    actions[..., s.PITCH_HEAD], actions[..., s.BODY] = 1, s.B_NONE
    actions[..., s.BASIC], actions[..., s.SWITCH] = s.PICK, s.KEEP
    rewards, dones = collector.step(actions, [])
    assert np.array_equal(collector.reached, collector.batch.states)
    assert (collector.reached[:, s.TICK] == SPEC.decision_ticks).all()
    assert rewards.shape == (4, 3) and not dones.any()
    assert rewards[0, 0] != 0, "walking unseen is worth a little"


def test_log_probabilities_of_heads_add_up():
    torch.manual_seed(0)
    logits, masks = torch.randn(5, 54), torch.ones(5, 54)
    masks[:, 3] = 0
    logp = heads.log_probs(logits, masks, SPEC.heads)
    sums = [part.exp().sum(1) for part in logp.split(SPEC.heads, dim=1)]
    assert all(torch.allclose(one, torch.ones(5)) for one in sums)
    drawn = heads.draw(logits.masked_fill(masks == 0, -1e4), np.random.default_rng(0), SPEC.heads)
    assert drawn.shape == (5, 6) and (drawn[:, 0] != 3).all()
    assert torch.allclose(heads.chosen(logp, drawn, SPEC.heads)[0], sum(
        part[0, drawn[0, i]] for i, part in enumerate(logp.split(SPEC.heads, dim=1))
    ))  # fmt: skip


def test_sides_play_against_each_other():
    squads = SPEC.validate({"teams": 3, "team_size": 2})
    assert sides.sides_of("arena", squads) == [0, 0, 1, 1, 2, 2]
    assert sides.against("arena", squads, "a", "b") == ["a", "a", "b", "b", "b", "b"]
    kitchen = games.spec("overcooked").validate({})
    assert sides.against("overcooked", kitchen, "a", "b") == ["a", "a"]
    assert sides.round_options("arena", {"options": {"teams": 3}})["pace"] == "short"


def test_ppo_trains_on_from_a_network_with_the_reward_model(base, reward_model, tmp_path):
    config = ppo.Settings(base=base, reward_model=str(reward_model), base_partner=0.5, **PPO)
    learner = Ppo(config)
    before = {key: value.clone() for key, value in learner.net.state_dict().items()}
    learner.found = {"base": {"score": 50.0, "utility": 0.0}, "best": {"score": 50.0, "utility": 0.0}}
    values = [learner.step() for _ in range(learner.updates)]
    assert all(np.isfinite(list(row.values())).all() for row in values)
    assert any(not torch.equal(before[key], value) for key, value in learner.net.state_dict().items())
    assert 0 < values[-1]["entropy"] < sum(np.log(SPEC.heads))
    seen = learner.evaluate(learner.net)
    assert 0 <= seen["score"] <= 100
    learner.save(tmp_path)
    assert Ppo(config).resume(tmp_path)
    assert learner.write(tmp_path / "agent", learner.net)["acts"] == "sampled"
    assert load(str(tmp_path / "agent"), "arena").game == "arena"


def test_an_instruction_is_refused_with_a_sentence(base):
    with pytest.raises(Refusal, match="goals in this game"):
        Ppo(ppo.Settings(base=base, instruction="follow me", **PPO))


def test_the_evaluation_measures_squads_against_each_other(base, reward_model, tmp_path, capsys):
    settings = evaluate_round.Settings(
        candidate=base, base=base, game="arena", reward_model=str(reward_model), episodes=4, cross_play=False
    )
    evaluate_round.train(settings, tmp_path, Reporter())
    result = json.loads(capsys.readouterr().out.splitlines()[-1])
    assert set(result["self_play"]) == {"candidate", "base", "champion"}
    assert 0 <= result["self_play"]["candidate"]["mean"] <= 100
    assert result["acts"]["candidate"] == "sampled" and result["told"] == {}
