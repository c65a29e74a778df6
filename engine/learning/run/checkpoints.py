"""Checkpoints of a training: modules, optimisers, random generators and counters in one safetensors file,
replaced atomically, never unpickled. Not for finished agents (engine.agents.catalogue.write_agent).
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import torch
from safetensors import SafetensorError, safe_open
from safetensors.torch import save

from engine.agents.files import write_atomically
from engine.refusal import Refusal

FILE = "checkpoint.safetensors"


@dataclass(frozen=True)
class Checkpoint:
    """Named tensors and the JSON `meta` that was saved with them (counters, settings, random state)."""

    tensors: dict[str, torch.Tensor]
    meta: dict[str, Any]


def save_checkpoint(
    folder: Path, tensors: dict[str, torch.Tensor], meta: dict[str, Any], name: str = FILE
) -> Path:
    """Write `folder/name` whole or not at all; `meta` must be JSON."""
    path = folder / name
    flat = {key: value.detach().cpu().contiguous().clone() for key, value in tensors.items()}
    write_atomically(path, save(flat, metadata={"meta": json.dumps(meta)}))
    return path


def load_checkpoint(folder: Path, name: str = FILE) -> Checkpoint | None:
    """The last checkpoint, or None when there is none; raises Refusal when the file is damaged."""
    path = folder / name
    if not path.exists():
        return None
    try:
        with safe_open(path, framework="pt") as file:
            meta = json.loads((file.metadata() or {})["meta"])
            return Checkpoint({key: file.get_tensor(key) for key in file.keys()}, meta)  # noqa: SIM118
    except (SafetensorError, KeyError, json.JSONDecodeError) as error:
        raise Refusal(f"The checkpoint {path} is damaged; delete it to start over.") from error


def module_tensors(prefix: str, module: torch.nn.Module) -> dict[str, torch.Tensor]:
    """The module's parameters and buffers under `prefix.`."""
    return {f"{prefix}.{key}": value for key, value in module.state_dict().items()}


def load_module(prefix: str, module: torch.nn.Module, tensors: dict[str, torch.Tensor]) -> None:
    """Inverse of `module_tensors`."""
    module.load_state_dict(under(prefix, tensors))


def optimizer_tensors(prefix: str, optimizer: torch.optim.Optimizer) -> dict[str, torch.Tensor]:
    """The optimiser's per-parameter state (Adam's moments and step) under `prefix.<parameter>.<name>`."""
    state = optimizer.state_dict()["state"]
    return {
        f"{prefix}.{parameter}.{key}": torch.as_tensor(value)
        for parameter, values in state.items()
        for key, value in values.items()
    }


def load_optimizer(prefix: str, optimizer: torch.optim.Optimizer, tensors: dict[str, torch.Tensor]) -> None:
    """Inverse of `optimizer_tensors`; the hyper-parameters are those that the optimiser was built with."""
    state: dict[int, dict[str, torch.Tensor]] = {}
    for key, value in under(prefix, tensors).items():
        parameter, name = key.split(".", 1)
        state.setdefault(int(parameter), {})[name] = value
    optimizer.load_state_dict({"state": state, "param_groups": optimizer.state_dict()["param_groups"]})


def random_state(rng: np.random.Generator) -> dict[str, Any]:
    """The state of a NumPy generator and of torch's CPU generator, as JSON."""
    return {"numpy": rng.bit_generator.state, "torch": torch.get_rng_state().numpy().tobytes().hex()}


def load_random_state(rng: np.random.Generator, state: dict[str, Any]) -> None:
    """Inverse of `random_state`."""
    rng.bit_generator.state = state["numpy"]
    torch.set_rng_state(torch.from_numpy(np.frombuffer(bytes.fromhex(state["torch"]), dtype=np.uint8).copy()))


def under(prefix: str, tensors: dict[str, torch.Tensor]) -> dict[str, torch.Tensor]:
    """The tensors whose names begin with `prefix.`, without that."""
    return {key[len(prefix) + 1 :]: value for key, value in tensors.items() if key.startswith(f"{prefix}.")}
