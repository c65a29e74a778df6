"""The GRU whose backward pass is written out, against torch's own."""

import pytest
import torch
from torch import nn

from engine.agents.recurrence import Gru


@pytest.mark.parametrize("remembers", [False, True])
def test_it_computes_what_torch_computes_forward_and_backward(remembers):
    torch.manual_seed(0)
    theirs, ours = nn.GRU(5, 7, batch_first=True), Gru(5, 7)
    ours.load_state_dict(theirs.state_dict())
    x = torch.rand(3, 9, 5, requires_grad=True)
    before = torch.rand(1, 3, 7, requires_grad=True) if remembers else None
    weights, found = torch.rand(3, 9, 7), []
    for gru in (theirs, ours):
        h, last = gru(x, before)
        loss = (h * weights).sum() + last.square().sum()
        read = [x, *([before] if before is not None else []), *gru.parameters()]
        found.append((h, last, *torch.autograd.grad(loss, read)))
    for one, other in zip(*found, strict=True):
        assert torch.allclose(one, other, atol=1e-5)


def test_an_empty_sequence_leaves_the_memory_as_it_was():
    memory = torch.rand(1, 2, 4)
    h, last = Gru(3, 4)(torch.zeros(2, 0, 3), memory)
    assert h.shape == (2, 0, 4) and torch.equal(last, memory)
