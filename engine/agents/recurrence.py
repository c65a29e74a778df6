"""A GRU (Cho et al. 2014) over long sequences, with its backward pass written out.

torch's own GRU differentiates every step's slice of its input as if it were the whole input, which makes long
sequences of small batches slow. Here a step of either pass is one small product and a few operations;
everything that doesn't depend on the previous step is computed for all steps at once. Same parameters and
same numbers as `nn.GRU`. Not for packed sequences, several layers or two directions.
"""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor, nn
from torch.nn import functional as F


class Gru(nn.GRU):
    """x (B, T, I) and the memory (1, B, H) before it -> the memory at each step (B, T, H), and after the last
    one (1, B, H); zeros if no memory is given.
    """

    def __init__(self, input_size: int, hidden_size: int) -> None:
        super().__init__(input_size, hidden_size, batch_first=True)

    def forward(self, x: Tensor, memory: Tensor | None = None) -> tuple[Tensor, Tensor]:  # type: ignore[override]
        """As torch's."""
        start = x.new_zeros(len(x), self.hidden_size) if memory is None else memory[0]
        if not x.shape[1]:
            return x.new_zeros(len(x), 0, self.hidden_size), start[None]
        reading, recalling, heard_bias, own_bias = self.parameters()
        heard = F.linear(x, reading, heard_bias).transpose(0, 1)
        memories = Steps.apply(heard, start, recalling, own_bias)
        return memories.transpose(0, 1), memories[-1:]


class Steps(torch.autograd.Function):
    """Products of the inputs (T, B, 3H), the memory before (B, H), weights (3H, H) and bias (3H,) -> (T, B,
    H). Gates in torch's order: reset, keep, new.
    """

    @staticmethod
    def forward(ctx: Any, heard: Tensor, memory: Tensor, recalling: Tensor, bias: Tensor) -> Tensor:
        """h = n + z (h - n), with n = tanh(heard + r own)."""
        size, turned = memory.shape[1], recalling.t()
        memories, gates, news, owns = [memory], [], [], []
        both = (part.unbind(0) for part in heard.split((2 * size, size), 2))
        for heard_gates, heard_new in zip(*both, strict=True):
            recalled = torch.addmm(bias, memory, turned)
            gate = (heard_gates + recalled[:, : 2 * size]).sigmoid()
            new = torch.addcmul(heard_new, gate[:, :size], recalled[:, 2 * size :]).tanh()
            memory = torch.lerp(new, memory, gate[:, size:])
            memories.append(memory)
            gates.append(gate)
            news.append(new)
            owns.append(recalled[:, 2 * size :])
        every = torch.stack(memories)
        if any(ctx.needs_input_grad):
            ctx.save_for_backward(every, torch.stack(gates), torch.stack(news), torch.stack(owns), recalling)
        return every[1:]

    @staticmethod
    def backward(ctx: Any, *grads: Tensor) -> tuple[Tensor, ...]:
        """A gate's gradient is that of the memory times what no other step changes."""
        every, gates, new, recalled, recalling = ctx.saved_tensors
        before, size = every[:-1], new.shape[2]
        reset, keep = gates.split((size, size), 2)
        of_new = (1 - keep) * (1 - new * new)
        of_reset = of_new * recalled * reset * (1 - reset)
        of_keep = (before - new) * keep * (1 - keep)
        factors = torch.stack([of_reset, of_keep, of_new * reset], 2)  # (T, B, 3, H)
        now, owns, totals = grads[0][-1], [], []
        for step in range(len(new) - 1, -1, -1):
            totals.append(now)
            owns.append((now[:, None] * factors[step]).flatten(1))
            now = torch.addmm(now * keep[step], owns[-1], recalling)
            if step:
                now = now + grads[0][step - 1]
        own_grad, total = torch.stack(owns[::-1]), torch.stack(totals[::-1])
        heard_grad = torch.cat([own_grad[..., : 2 * size], total * of_new], 2)
        flat = own_grad.flatten(0, 1)
        return heard_grad, now, flat.t() @ before.flatten(0, 1), flat.sum(0)
