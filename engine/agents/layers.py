"""A network's tensors by name: which there are, and which inputs each of them reads. Not for computing with
them (engine.agents.policy in NumPy, engine.agents.network in torch).

`hidden.0`, `hidden.1`, … are fully connected layers; `policy` and `value` follow the last of them. With
`memory.*`, a GRU (torch's names and order of gates) reads the output of `hidden.0`, and the next layer reads
both, in this order. The inputs for instructions enter at the first layer, or, if there is a memory, at the
layer behind it, so that the memory holds only what was seen.

With `goal.*`, the last inputs are a goal vector, which an encoder reads: `goal.0`, then residual blocks of
two layers each, none with a bias, so that an empty goal (zeros) encodes to zeros. The next layer reads the
code behind the rest. `hidden.0` then reads the first inputs, as many as it is wide, and not what else says
what was asked.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

MEMORY = "memory.weight_hh_l0"
GATES = ("memory.weight_ih_l0", MEMORY, "memory.bias_ih_l0", "memory.bias_hh_l0")


GOAL = "goal.0.weight"


def goal_size(tensors: Mapping[str, Any]) -> tuple[int, int]:
    """How many inputs the encoder of goals reads, and the size of its code; (0, 0) without one."""
    width, reads = tensors[GOAL].shape if GOAL in tensors else (0, 0)
    return reads, width


def goal_layers(tensors: Mapping[str, Any]) -> list[str]:
    """The weights of the encoder of goals, in their order."""
    return [f"goal.{index}.weight" for index in range(sum(key.startswith("goal.") for key in tensors))]


def memory_size(tensors: Mapping[str, Any]) -> int:
    """The size of a network's memory for each seat; 0 for none."""
    return tensors[MEMORY].shape[1] if MEMORY in tensors else 0


def told_layers(tensors: Mapping[str, Any]) -> list[str]:
    """The weights whose last columns read the instructions of a seat."""
    return behind(tensors) if MEMORY in tensors else ["hidden.0.weight"]


def behind(tensors: Mapping[str, Any]) -> list[str]:
    """The weights that read what the first layer says, and a memory or the code of a goal with it."""
    return ["hidden.1.weight"] if "hidden.1.weight" in tensors else ["policy.weight", "value.weight"]


def shape_problem(tensors: Mapping[str, Any], inputs: int, instruction_size: int, actions: int) -> str | None:
    """What is wrong with the names and shapes of a network's tensors, given `inputs` inputs and `told` inputs
    for instructions; None if they fit.
    """
    odd = [key for key in (MEMORY, GOAL) if key in tensors and tensors[key].ndim != 2]
    memory, (goals, code) = (0, (0, 0)) if odd else (memory_size(tensors), goal_size(tensors))
    size, index = inputs if MEMORY in tensors else inputs + instruction_size, 0
    wanted: dict[str, tuple[int, ...]] = {}
    if GOAL in tensors:
        names = goal_layers(tensors)
        first = tensors.get("hidden.0.weight")
        size = first.shape[1] if first is not None and first.ndim == 2 else 0
        if instruction_size or not len(names) % 2 or size + goals > inputs:
            return "its encoder of goals doesn't go with its other inputs"
        wanted = {name: (code, goals if number == 0 else code) for number, name in enumerate(names)}
    while (name := f"hidden.{index}.weight") in tensors:
        width = len(tensors[name])
        wanted |= {name: (width, size), f"hidden.{index}.bias": (width,)}
        size = width
        if index == 0 and MEMORY in tensors:
            gates = 3 * memory
            shapes = (gates, width), (gates, memory), (gates,), (gates,)
            wanted |= dict(zip(GATES, shapes, strict=True))
            size = width + memory + instruction_size
        size += code if index == 0 else 0
        index += 1
    wanted |= {"policy.weight": (actions, size), "policy.bias": (actions,)}
    wanted |= {"value.weight": (1, size), "value.bias": (1,)}
    for key, shape in wanted.items():
        if key not in tensors:
            return f"{key} is missing"
        if tensors[key].shape != shape:
            return f"{key} is {tensors[key].shape} and should be {shape}"
    return None
