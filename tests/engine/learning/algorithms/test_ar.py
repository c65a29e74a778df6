"""The autoregressive reward model (IBT paper, appendix A.5): its loss, and reading it like any other."""

import numpy as np
import pytest
import torch

from engine.agents import utility
from engine.agents.utility import AnnotationModel
from engine.learning.algorithms import ar
from engine.learning.parts import marked
from engine.learning.run.reporting import Reporter
from tests.engine.learning.algorithms.test_ibt_loss import world


def test_the_loss_is_that_of_three_classes_at_every_tick():
    logits = torch.randn(2, 4, 3)
    positive = torch.tensor([[0, 1, 0, 2], [0, 0, 0, 0]])
    negative = torch.tensor([[0, 0, 1, 1], [0, 0, 0, 1]])
    valid = torch.tensor([[True] * 4, [True, True, False, False]])
    logp = logits.log_softmax(2)
    wanted = -(logp[0, 0, 0] + logp[0, 1, 1] + logp[0, 2, 2] + logp[0, 3, 1] + logp[1, :2, 0].sum()) / 6
    assert ar.ar_loss(logits, positive, negative, valid).item() == pytest.approx(wanted.item(), rel=1e-5)


def test_a_tick_knows_what_was_marked_before_it_and_not_what_is_marked_at_it():
    torch.manual_seed(0)
    model = AnnotationModel(5, 2, 8)
    read, before = torch.rand(1, 6, 16), torch.zeros(1, 6, dtype=torch.long)
    marked_earlier = before.clone()
    marked_earlier[0, 3] = 1  # at tick 2
    apart = (model.classify(read, before) - model.classify(read, marked_earlier)).abs().sum(2)[0]
    assert (apart[:3] == 0).all() and (apart[3:] > 0).all()


def test_what_it_draws_is_the_reward_and_games_can_be_read_tick_by_tick():
    torch.manual_seed(0)
    model = AnnotationModel(5, 2, 8)
    x, i = torch.rand(3, 40, 5), torch.rand(3, 40, 2)
    gains, memory = model.gains(x, i)
    assert set(gains.unique().tolist()) == {-1.0, 0.0, 1.0} and memory.shape == (1, 3, model.memory_size)
    assert torch.equal(gains, model.gains(x, i)[0]), "the same game is read alike"
    # Read in two parts with certain draws, the second goes on from the first.
    with torch.no_grad():
        model.head[0].weight *= 1e6
    whole, _ = model.gains(x, i)
    first, memory = model.gains(x[:, :15], i[:, :15])
    rest, _ = model.gains(x[:, 15:], i[:, 15:], memory)
    assert (torch.cat([first, rest], 1) == whole).float().mean() > 0.97


def test_it_learns_what_is_marked_and_is_loaded_by_what_its_card_says(tmp_path, monkeypatch):
    monkeypatch.setattr(marked, "load", lambda *_: world(40, seed=1))
    monkeypatch.setattr(marked, "truth", lambda _, tracks, *__: [None] * len(tracks))
    settings = {"steps": 150, "batch": 24, "hidden": 24, "lr": 1e-2, "swap": 0.0, "controls": False}
    ar.train(ar.Settings(dataset="", game="say_select", **settings), tmp_path, Reporter())
    model = utility.load(tmp_path / "reward-model")
    assert isinstance(model, AnnotationModel)
    right = []
    for track in world(10, seed=2):
        seen = torch.from_numpy(track.observations[None].astype(np.float32))
        with torch.no_grad():
            gains = model.gains(seen, torch.from_numpy(track.instructions[None]))[0][0].numpy()
        wanted = track.positive - track.negative
        right.append((gains[wanted != 0] == wanted[wanted != 0]).mean())
    assert np.mean(right) > 0.7
