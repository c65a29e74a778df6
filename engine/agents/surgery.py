"""Weight surgery: a trained agent gets new inputs, new choices or maps, and does at first what it did before.

OpenContra, Appendix D (after Berner et al. 2019): worlds change while agents train, and what was learnt is to
be kept. New input columns and the columns that read maps begin at zero, so that they change nothing until
they have learnt something; a new choice begins so unlikely (NEW_CHOICE) that no probability changes by more
than 1e-6.

Pure functions over an agent's tensors, and a command that brings an agent of an earlier version up to the
inputs and choices that its game has now (its card names those that it was trained with):

    python -m engine.agents.surgery --agent FOLDER --out FOLDER

Not for training on: engine.learning does that with what comes out.
"""

from __future__ import annotations

import argparse
import importlib
import sys
from pathlib import Path
from typing import Any

import numpy as np
from safetensors.numpy import load_file

Tensors = dict[str, np.ndarray]
NEW_CHOICE = -20.0  # logits below the rest at which a new choice begins
PATCH = 8  # cells of a map that are read at once, squared
MAP_FILTERS, MAP_OUTPUTS = 16, 32


class BadSurgery(ValueError):
    """A change that can't be made; the message is one sentence."""


def _places(old: list[str], new: list[str], what: str) -> np.ndarray:
    """Where each old name is among the new ones."""
    if len(set(new)) != len(new) or len(set(old)) != len(old):
        raise BadSurgery(f"The names of {what} must differ from each other.")
    where = {name: index for index, name in enumerate(new)}
    lost = [name for name in old if name not in where]
    if lost:
        raise BadSurgery(f"Surgery adds {what}, but {lost[0]!r} would be lost.")
    return np.array([where[name] for name in old], np.int64)


def add_inputs(tensors: Tensors, old: list[str], new: list[str]) -> Tensors:
    """The agent that reads the inputs `new`, of which it knew `old`, in any order.

    The first layer's columns go with their names; columns of new names are zero. What it reads of maps stays
    behind the inputs. Raises BadSurgery where an old name is lost or `old` isn't what it reads.
    """
    weight = tensors["hidden.0.weight"]
    behind = MAP_OUTPUTS if "maps.conv.weight" in tensors else 0
    if weight.shape[1] - behind != len(old):
        raise BadSurgery(f"The agent reads {weight.shape[1] - behind} inputs, not {len(old)}.")
    places = _places(old, new, "inputs")
    wider = np.zeros((len(weight), len(new) + behind), weight.dtype)
    wider[:, places] = weight[:, : len(old)]
    wider[:, len(new) :] = weight[:, len(old) :]
    return {**tensors, "hidden.0.weight": wider}


def add_choices(tensors: Tensors, old: list[str], new: list[str]) -> Tensors:
    """The agent that has the choices `new`, of which it knew `old`; the logits of old ones stay as they are.

    Names carry their head ("body/jump"). A new choice has no weights and a bias NEW_CHOICE below the least
    bias. Raises BadSurgery where an old name is lost or `old` isn't what it chooses from.
    """
    weight, bias = tensors["policy.weight"], tensors["policy.bias"]
    if len(bias) != len(old):
        raise BadSurgery(f"The agent has {len(bias)} choices, not {len(old)}.")
    places = _places(old, new, "choices")
    rows = np.zeros((len(new), weight.shape[1]), weight.dtype)
    offsets = np.full(len(new), float(bias.min()) + NEW_CHOICE, bias.dtype)
    rows[places], offsets[places] = weight, bias
    return {**tensors, "policy.weight": rows, "policy.bias": offsets}


def add_map_layers(tensors: Tensors, layers: int, seed: int = 0) -> Tensors:
    """The agent that reads maps (layers, 64, 64) as well, or more layers of them than before.

    The first time, filters begin at random and the columns of the first hidden layer that read them at zero;
    layers that come later begin with filters of zero. Raises BadSurgery when it reads more layers already.
    """
    if "maps.conv.weight" in tensors:
        before = tensors["maps.conv.weight"]
        if before.shape[1] > layers:
            raise BadSurgery(f"The agent reads {before.shape[1]} map layers already, more than {layers}.")
        wider = np.zeros((before.shape[0], layers, PATCH, PATCH), before.dtype)
        wider[:, : before.shape[1]] = before
        return {**tensors, "maps.conv.weight": wider}
    rng = np.random.default_rng(seed)
    patches = MAP_FILTERS * (64 // PATCH) ** 2
    first = tensors["hidden.0.weight"]

    def spread(*shape: int) -> np.ndarray:
        """He-normal weights."""
        return rng.normal(0.0, np.sqrt(2.0 / np.prod(shape[1:])), shape).astype(np.float32)

    return {
        **tensors,
        "maps.conv.weight": spread(MAP_FILTERS, layers, PATCH, PATCH),
        "maps.conv.bias": np.zeros(MAP_FILTERS, np.float32),
        "maps.out.weight": spread(MAP_OUTPUTS, patches),
        "maps.out.bias": np.zeros(MAP_OUTPUTS, np.float32),
        "hidden.0.weight": np.concatenate([first, np.zeros((len(first), MAP_OUTPUTS), first.dtype)], axis=1),
    }


def read_maps(tensors: Tensors, maps: np.ndarray) -> np.ndarray:
    """What an agent reads of maps uint8 (n, layers, 64, 64): float32 (n, MAP_OUTPUTS), in NumPy."""
    n, layers = maps.shape[:2]
    side = 64 // PATCH
    parts = maps.reshape(n, layers, side, PATCH, side, PATCH).astype(np.float32) / 255.0
    # Filters don't overlap, so that a convolution is one product of matrices.
    patches = parts.transpose(0, 2, 4, 1, 3, 5).reshape(n * side * side, layers * PATCH * PATCH)
    weight = tensors["maps.conv.weight"].reshape(MAP_FILTERS, -1)
    found = np.maximum(patches @ weight.T + tensors["maps.conv.bias"], 0.0)
    flat = found.reshape(n, side * side, MAP_FILTERS).transpose(0, 2, 1).reshape(n, -1)
    return np.maximum(flat @ tensors["maps.out.weight"].T + tensors["maps.out.bias"], 0.0)


def renew(tensors: Tensors, card: dict[str, Any]) -> tuple[Tensors, dict[str, Any]]:
    """The agent with the inputs and choices that its game has now, and its card. Raises BadSurgery."""
    module = importlib.import_module(f"engine.games.{card['game']}.features")
    if not hasattr(module, "INPUT_NAMES") or "inputs" not in card:
        raise BadSurgery(f"The card of {card['name']} doesn't name its inputs; nothing can be added to them.")
    inputs, choices = list(module.INPUT_NAMES), list(module.CHOICE_NAMES)
    changed = add_choices(add_inputs(tensors, card["inputs"], inputs), card["choices"], choices)
    version = module.FEATURES_VERSION
    return changed, {**card, "inputs": inputs, "choices": choices, "features_version": version}


def main(argv: list[str] | None = None) -> int:
    """The command; returns the exit status."""
    from engine.agents.catalogue import WEIGHTS, BadAgent, read_card, write_agent

    parser = argparse.ArgumentParser(prog="python -m engine.agents.surgery", description=__doc__)
    parser.add_argument("--agent", required=True, type=Path, help="folder of the agent as it is")
    parser.add_argument("--out", required=True, type=Path, help="folder for the agent as it will be")
    args = parser.parse_args(argv)
    try:
        card = read_card(args.agent)
        tensors, renewed = renew(load_file(args.agent / WEIGHTS), card)
        write_agent(args.out, tensors, renewed)
    except (BadSurgery, BadAgent, OSError) as error:
        print(" ".join(str(error).split()), file=sys.stderr)
        return 1
    more = len(renewed["inputs"]) - len(card["inputs"]), len(renewed["choices"]) - len(card["choices"])
    print(f"{args.out}: {more[0]} inputs and {more[1]} choices more.")
    return 0


if __name__ == "__main__":
    sys.exit(main())
