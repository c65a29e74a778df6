"""What a program that makes networks says on their cards, whichever it is. Not for writing them
(engine.agents.catalogue.write_agent).
"""

from __future__ import annotations

import dataclasses
from typing import Any

from engine import brings, games, language
from engine.agents.acting import ANSWERS
from engine.agents.features import FEATURES, Inputs
from engine.learning.run.shell import Training

KEPT = ("game", "players", "options", "reads", "rules_version", "features_version", "told_version", "hears")
LISTENS = "Reads what it is told: no prior is added to its choice of moves."
WORDS = ("orders", "instructions", "inputs", "choices")


def first_card(game: str, options: dict[str, Any], inputs: Inputs, reads: str = FEATURES) -> dict[str, Any]:
    """What holds for every network that reads `inputs`, by the name `reads`, in games with these (complete)
    options.
    """
    spec = games.spec(game)
    card = {
        "kind": "network",
        "game": game,
        "players": [spec.seats(options)],
        "options": options,
        "reads": reads,
        "rules_version": spec.rules_version,
        "features_version": inputs.version,
        "instructions": "Adds the prior of an instruction to its logits, from its next move on.",
    }
    card_of = brings.Training.of(game).card
    return {**card, **(card_of(options, reads) if card_of else {})}


def listening(game: str) -> dict[str, Any]:
    """What the card of a network says that reads an instruction's answers, and hears it in no other way."""
    return {"told_version": language.features_version(game), "hears": ANSWERS, "instructions": LISTENS}


def later_card(card: dict[str, Any]) -> dict[str, Any]:
    """What holds for a network that was trained on from that of this card."""
    return {key: card[key] for key in (*KEPT, *WORDS) if key in card} | {"kind": "network"}


def with_orders(orders: str) -> dict[str, Any]:
    """What the card says where a scripted player obeys in the network's place; nothing for ""."""
    if not orders:
        return {}
    says = f"The scripted player {orders} plays for a seat that was asked for something, until it is done."
    return {"orders": orders, "instructions": says}


def trained(
    card: dict[str, Any], training: Training, algorithm: str, parents: list[str], by: str
) -> dict[str, Any]:
    """The card of what a training has made so far, from one of the two above; `by` is said of it where its
    settings have no description.
    """
    config = training.config
    return {
        **card,
        "name": config.name,
        "title": config.title or config.name,
        "algorithm": algorithm,
        "description": config.description or by,
        "parents": parents,
        "hyperparameters": dataclasses.asdict(config),
        "command": config.command,
        "training": {
            "moves": training.at(),
            "minutes": round(training.seconds / 60, 2),
            "threads": config.threads,
        },
    }
