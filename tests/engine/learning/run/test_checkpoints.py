"""Checkpoints bring a training back exactly, and a damaged one is refused with a sentence."""

import numpy as np
import pytest
import torch

from engine.learning.run.checkpoints import (
    FILE,
    load_checkpoint,
    load_module,
    load_optimizer,
    load_random_state,
    module_tensors,
    optimizer_tensors,
    random_state,
    save_checkpoint,
)
from engine.refusal import Refusal


def build():
    torch.manual_seed(1)
    net = torch.nn.Linear(3, 2)
    return net, torch.optim.Adam(net.parameters(), lr=0.1)


def train(net, optimizer, steps):
    for _ in range(steps):
        loss = net(torch.randn(4, 3)).square().mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()


def test_a_resumed_training_ends_like_one_that_was_never_stopped(tmp_path):
    rng = np.random.default_rng(3)
    net, optimizer = build()
    train(net, optimizer, 3)
    tensors = module_tensors("net", net) | optimizer_tensors("adam", optimizer)
    save_checkpoint(tmp_path, tensors, {"step": 3, "random": random_state(rng)})
    train(net, optimizer, 3)
    drawn = rng.random()

    again, other_optimizer = build()
    checkpoint = load_checkpoint(tmp_path)
    load_module("net", again, checkpoint.tensors)
    load_optimizer("adam", other_optimizer, checkpoint.tensors)
    other_rng = np.random.default_rng(0)
    load_random_state(other_rng, checkpoint.meta["random"])
    train(again, other_optimizer, 3)

    assert checkpoint.meta["step"] == 3
    assert torch.equal(net.weight, again.weight)
    assert other_rng.random() == drawn


def test_there_is_none_before_the_first_save(tmp_path):
    assert load_checkpoint(tmp_path) is None


def test_a_damaged_file_is_refused_with_one_sentence(tmp_path):
    path = save_checkpoint(tmp_path, {"a": torch.zeros(3)}, {})
    path.write_bytes(path.read_bytes()[:20])
    with pytest.raises(Refusal, match="damaged"):
        load_checkpoint(tmp_path)


def test_saving_leaves_no_temporary_file(tmp_path):
    save_checkpoint(tmp_path, {"a": torch.zeros(3)}, {})
    assert [path.name for path in tmp_path.iterdir()] == [FILE]
