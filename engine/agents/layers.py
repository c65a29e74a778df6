"""A network's tensors by name: which there are, and which numbers each of them reads. Not for computing with
them (engine.agents.policy in NumPy, engine.agents.network in torch).

`hidden.0`, `hidden.1`, … are fully connected layers, `policy` and `value` stand behind the last of them. With
`memory.*`, a GRU (torch's names and order of gates) reads what `hidden.0` puts out, and what follows reads
both, in this order. What a seat is told is read by the first layer, or where there is a memory, by what
follows it, so that what is remembered is what was seen.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

MEMORY = "memory.weight_hh_l0"
GATES = ("memory.weight_ih_l0", MEMORY, "memory.bias_ih_l0", "memory.bias_hh_l0")


def memory_size(tensors: Mapping[str, Any]) -> int:
    """How many numbers a network remembers of a game, for each seat; 0 for none."""
    return tensors[MEMORY].shape[1] if MEMORY in tensors else 0


def told_layers(tensors: Mapping[str, Any]) -> list[str]:
    """The weights that read what a seat is told, in their last columns."""
    if MEMORY not in tensors:
        return ["hidden.0.weight"]
    return ["hidden.1.weight"] if "hidden.1.weight" in tensors else ["policy.weight", "value.weight"]


def shape_problem(tensors: Mapping[str, Any], inputs: int, told: int, actions: int) -> str | None:
    """What is wrong with the names and shapes of a network's tensors, which reads `inputs` numbers and `told`
    ones of what its seat was told; None when they fit.
    """
    memory = memory_size(tensors) if MEMORY not in tensors or tensors[MEMORY].ndim == 2 else 0
    size, index = inputs if MEMORY in tensors else inputs + told, 0
    wanted: dict[str, tuple[int, ...]] = {}
    while (name := f"hidden.{index}.weight") in tensors:
        width = len(tensors[name])
        wanted |= {name: (width, size), f"hidden.{index}.bias": (width,)}
        size = width
        if index == 0 and MEMORY in tensors:
            gates = 3 * memory
            shapes = (gates, width), (gates, memory), (gates,), (gates,)
            wanted |= dict(zip(GATES, shapes, strict=True))
            size = width + memory + told
        index += 1
    wanted |= {"policy.weight": (actions, size), "policy.bias": (actions,)}
    wanted |= {"value.weight": (1, size), "value.bias": (1,)}
    for key, shape in wanted.items():
        if key not in tensors:
            return f"{key} is missing"
        if tensors[key].shape != shape:
            return f"{key} is {tensors[key].shape} and should be {shape}"
    return None
