"""A small network agent and simulated episodes with marks: what tests of rounds, datasets and agents stand
on."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import numpy as np
from django.conf import settings

from engine import games
from engine.agents.catalogue import write_agent
from engine.agents.features import inputs_for
from webapp.agents.models import Agent
from webapp.episodes.models import Episode
from webapp.rounds import inline


def small_network(
    name: str = "little", seed: int = 0, game: str = "hanabi", trained: dict[str, Any] | None = None
) -> Agent:
    """An untrained network agent, by default for two-player Hanabi, as a folder and a row."""
    trained = trained or {"players": 2}
    rng = np.random.default_rng(seed)
    inputs = inputs_for(game, trained)
    spec = games.spec(game)
    options = spec.validate(trained)
    actions, hidden = spec.num_actions(options), 16
    tensors = {
        "hidden.0.weight": rng.normal(0, 0.05, (hidden, inputs.size)),
        "hidden.0.bias": np.zeros(hidden),
        "policy.weight": rng.normal(0, 0.5, (actions, hidden)),
        "policy.bias": np.zeros(actions),
        "value.weight": np.zeros((1, hidden)),
        "value.bias": np.zeros(1),
    }
    folder = f"{game}-{name}"
    card = write_agent(
        Path(settings.AGENTS_DIR) / folder,
        {key: value.astype(np.float32) for key, value in tensors.items()},
        {
            "game": game,
            "kind": "network",
            "name": name,
            "description": "An untrained network.",
            "options": trained,
            "rules_version": spec.rules_version,
            "features_version": inputs.version,
        },
    )
    return Agent.objects.create(
        ref=f"{game}/{name}",
        name=name.capitalize(),
        game=game,
        kind="network",
        folder=folder,
        sha256=card["sha256"],
        card=card,
    )


def simulated_episodes(agent: Agent, count: int = 4, seed: int = 1) -> list[Episode]:
    """Self-play episodes with marks of simulated annotators."""
    return inline.collect(agent, count, seed, lambda text: None)


def text_of(response: Any) -> str:
    """A page as it reads: white space is one space, and none stands beside tags."""
    return re.sub(r" ?(<[^>]*>) ?", r"\1", " ".join(response.content.decode().split()))
