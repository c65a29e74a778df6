"""Weight surgery: outputs stay as they were to 1e-6, and training goes on with what was added."""

from pathlib import Path

import numpy as np
import pytest
import torch
from torch.nn.functional import cross_entropy

from engine.agents import surgery
from engine.agents.network import PolicyValueNet, from_tensors
from engine.agents.surgery import add_choices, add_inputs
from engine.refusal import Refusal

OLD_INPUTS = [f"field {index}" for index in range(20)]
OLD_CHOICES = ["body/stop", "body/run", "basic/fire", "basic/reload"]


@pytest.fixture
def trained():
    """An agent's tensors."""
    torch.manual_seed(3)
    net = PolicyValueNet(20, [32, 24], 4)
    return {key: value.numpy() for key, value in net.state_dict().items()}


def outputs(tensors, inputs):
    net = from_tensors({key: torch.from_numpy(np.array(value)) for key, value in tensors.items()})
    with torch.no_grad():
        logits, values, _ = net(torch.from_numpy(inputs))
    return logits.numpy(), values.numpy()


@pytest.fixture
def inputs():
    return np.random.default_rng(1).normal(size=(64, 20)).astype(np.float32)


def test_new_inputs_in_any_order_change_nothing(trained, inputs):
    new = ["history 0", *OLD_INPUTS[10:], "history 1", *OLD_INPUTS[:10]]
    more = add_inputs(trained, OLD_INPUTS, new)
    wide = np.random.default_rng(2).normal(size=(64, 22)).astype(np.float32)
    for column, name in enumerate(new):
        if name in OLD_INPUTS:
            wide[:, column] = inputs[:, OLD_INPUTS.index(name)]
    for before, after in zip(outputs(trained, inputs), outputs(more, wide), strict=True):
        assert np.abs(before - after).max() < 1e-6


def test_new_choices_leave_logits_and_probabilities(trained, inputs):
    new = ["body/stop", "body/slide", "body/run", "basic/fire", "basic/reload", "basic/throw"]
    more = add_choices(trained, OLD_CHOICES, new)
    before, values = outputs(trained, inputs)
    after, same = outputs(more, inputs)
    old = [new.index(name) for name in OLD_CHOICES]
    assert np.abs(after[:, old] - before).max() < 1e-6 and np.abs(values - same).max() < 1e-6
    body, basic = [0, 1, 2], [3, 4, 5]
    for was, now in (([0, 1], body), ([2, 3], basic)):
        first = torch.from_numpy(before[:, was]).softmax(1).numpy()
        then = torch.from_numpy(after[:, now]).softmax(1).numpy()
        kept = [index for index, column in enumerate(now) if column in old]
        assert np.abs(then[:, kept] - first).max() < 1e-6


def test_training_goes_on_with_what_was_added(trained, inputs):
    """A new choice that only two new inputs together announce is learnt."""
    tensors = add_inputs(trained, OLD_INPUTS, [*OLD_INPUTS, "signal", "bright"])
    tensors = add_choices(tensors, OLD_CHOICES, [*OLD_CHOICES, "basic/throw"])
    net = from_tensors({key: torch.from_numpy(np.array(value)) for key, value in tensors.items()})
    rng = np.random.default_rng(6)
    signal = rng.integers(0, 2, 64)
    bright = rng.integers(0, 2, 64)
    wide = torch.from_numpy(np.concatenate([inputs, np.stack([signal, bright], 1).astype(np.float32)], 1))
    labels = torch.from_numpy(np.where(signal & bright, 4, 0))
    optimizer = torch.optim.Adam(net.parameters(), lr=3e-3)
    losses = []
    for _ in range(150):
        loss = cross_entropy(net(wide)[0], labels)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
    right = (net(wide)[0].argmax(1) == labels).float().mean().item()
    assert losses[-1] < 0.3 * losses[0] and right > 0.9


def test_an_agent_of_an_earlier_version_is_brought_up_to_date(tmp_path):
    """It knew neither the last three inputs nor the last choice; it acts as it did, and loads."""
    from engine.agents.catalogue import load, read_card, write_agent
    from engine.games.arena.features import CHOICE_NAMES, FEATURES_VERSION, INPUT_NAMES
    from engine.simulation.simulation import Simulation

    torch.manual_seed(5)
    net = PolicyValueNet(len(INPUT_NAMES) - 3, [16], len(CHOICE_NAMES) - 1)
    old = {key: value.numpy() for key, value in net.state_dict().items()}
    card = {
        "name": "old", "kind": "network", "game": "arena", "players": [4], "rules_version": 1,
        "features_version": FEATURES_VERSION - 1,
        "inputs": list(INPUT_NAMES[:-3]), "choices": list(CHOICE_NAMES[:-1]),
    }  # fmt: skip
    write_agent(tmp_path / "old", old, card)
    assert surgery.main(["--agent", str(tmp_path / "old"), "--out", str(tmp_path / "new")]) == 0
    policy = load(str(tmp_path / "new"), "arena", {"team_size": 2})
    sim = Simulation("arena", {"team_size": 2, "map_seed": 3}, 1)
    after = policy.logits([sim], [0])[0]
    from engine.agents.features import inputs_for

    inputs = inputs_for("arena")(sim.state[None], np.zeros(1, np.int32), sim.world)
    before = outputs(old, inputs[:, :-3])[0][0]
    legal = sim.legal(0) != 0
    legal[-1] = False
    assert np.abs(after[legal] - before[legal[:-1]]).max() < 1e-5
    assert read_card(tmp_path / "new")["features_version"] == FEATURES_VERSION


def test_an_agent_whose_card_names_no_inputs_is_refused(capsys):
    shipped = Path("engine/games/hanabi/agents/learner-1")
    assert surgery.main(["--agent", str(shipped), "--out", "/nowhere"]) == 1
    assert "doesn't name its inputs" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        (lambda t: add_inputs(t, OLD_INPUTS[:-1], OLD_INPUTS), "reads 20 inputs, not 19"),
        (lambda t: add_inputs(t, OLD_INPUTS, OLD_INPUTS[1:]), "'field 0' would be lost"),
        (lambda t: add_inputs(t, OLD_INPUTS, [*OLD_INPUTS, "field 0"]), "must differ"),
        (lambda t: add_choices(t, OLD_CHOICES[:2], OLD_CHOICES), "has 4 choices, not 2"),
    ],
)
def test_what_can_not_be_done_is_said(trained, change, sentence):
    with pytest.raises(Refusal, match=sentence):
        change(trained)
