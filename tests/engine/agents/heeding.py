"""Network agents for tests, made by hand: what they do depends on what they are told, and on nothing else."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from safetensors.numpy import load_file

from engine import language
from engine.agents import fresh
from engine.agents.catalogue import WEIGHTS, write_agent
from engine.agents.surgery import hearing

LOUD = 1000.0  # more than any prior on the logits


def heeding(
    game: str, options: dict[str, Any], folder: Path, untold: list[int], told: dict[str, list[int]]
) -> dict[str, Any]:
    """Write an agent that makes the choices `told[text]` (of each head one) as long as `text` is in force,
    and `untold` otherwise; returns its card.
    """
    card = fresh.fresh(game, options, folder, name=folder.name)
    first = load_file(folder / WEIGHTS)
    tensors, card = hearing(first, {**card, "acts": "best"})
    for value in tensors.values():
        value[...] = 0
    tensors["policy.bias"][untold] = LOUD
    for unit, (text, choices) in enumerate(told.items()):
        meant = language.features(game, language.read(game, text).program)
        tensors["hidden.0.weight"][unit, first["hidden.0.weight"].shape[1] :] = meant / (meant @ meant)
        tensors["hidden.1.weight"][unit, unit] = 1
        tensors["policy.weight"][choices, unit] = 3 * LOUD
    return write_agent(folder, tensors, card)
