"""A device that no machine lacks: tensors that say they are on "meta" and compute on the CPU.

As with a GPU, tensors here and there don't mix, and a tensor there has no `numpy`. So a training that passes
keeps everything that it computes with where it was told to, and moves it where it must. It doesn't show what
CUDA's own kernels would do, nor how fast.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from typing import Any

import torch
from torch.utils._python_dispatch import TorchDispatchMode, return_and_correct_aliasing
from torch.utils._pytree import tree_leaves, tree_map

from engine.learning.run import devices

THERE = torch.device("meta")
aten = torch.ops.aten
# What networks do; they do it there and nowhere else.
NETWORKS = {aten.mm.default, aten.addmm.default, aten.bmm.default, aten.addcdiv_.default}
MOVES = {aten.copy_.default, aten._to_copy.default}


class Distant(torch.Tensor):
    """A tensor there; what it holds is here."""

    held: torch.Tensor

    @staticmethod
    def __new__(cls, held: torch.Tensor) -> Distant:
        made = torch.Tensor._make_wrapper_subclass(
            cls,
            held.size(),
            strides=held.stride(),
            storage_offset=held.storage_offset(),
            dtype=held.dtype,
            device=THERE,
        )
        made.held = held
        return made

    __torch_function__ = torch._C._disabled_torch_function_impl  # type: ignore[assignment]

    @classmethod
    def __torch_dispatch__(cls, func, types, args=(), kwargs=None):
        return carry_out(func, args, kwargs or {}, [])


def carry_out(func: Any, args: Any, kwargs: dict[str, Any], networks: list[bool]) -> Any:
    """Do it as a device would; notes for each operation of a network whether it was there."""
    tensors = [one for one in tree_leaves((args, kwargs)) if isinstance(one, torch.Tensor)]
    there = [one for one in tensors if isinstance(one, Distant)]
    here = [one for one in tensors if not isinstance(one, Distant) and one.dim()]
    if there and here and func not in MOVES:
        raise AssertionError(f"{func} got tensors of two devices: {[tuple(one.shape) for one in here]} here.")
    if func in NETWORKS:
        networks.append(bool(there))
    wanted = kwargs.get("device")
    ends_there = bool(there) if wanted is None else torch.device(wanted) == THERE
    if func is aten.copy_.default:
        ends_there = isinstance(args[0], Distant)
    if wanted is not None:
        kwargs = {**kwargs, "device": torch.device("cpu") if ends_there else wanted}
    plain_args, plain_kwargs = tree_map(
        lambda one: one.held if isinstance(one, Distant) else one, (args, kwargs)
    )
    out = func(*plain_args, **plain_kwargs)
    if not ends_there:
        return out
    out = tree_map(lambda one: Distant(one) if isinstance(one, torch.Tensor) else one, out)
    return return_and_correct_aliasing(func, args, kwargs, out) if there else out


class Watch(TorchDispatchMode):
    """Makes tensors there where a program asks for that, and notes where networks compute."""

    def __init__(self) -> None:
        super().__init__()
        self.networks: list[bool] = []

    def __torch_dispatch__(self, func, types, args=(), kwargs=None):
        return carry_out(func, args, kwargs or {}, self.networks)


@contextlib.contextmanager
def configured(monkeypatch) -> Iterator[Watch]:
    """Trainings with the device "auto" compute there."""
    monkeypatch.setattr(devices, "chosen", lambda wanted: THERE)
    with Watch() as watch:
        yield watch
