"""Rounds that have made a reward model, with its folder and without a training."""

from __future__ import annotations

import json
from pathlib import Path

import torch
from django.utils import timezone
from safetensors.torch import save

from engine import language
from engine.agents.features import reward_inputs_for
from engine.agents.files import sha256_of
from engine.agents.utility import RewardModel
from webapp.agents.models import Agent
from webapp.episodes.models import Episode
from webapp.jobs.models import Job
from webapp.rounds.models import Round


def write_model(folder: Path, game: str, options: dict, hidden: int = 8, heads: int = 1) -> str:
    """A reward model of chance for games with these options; returns its sha256."""
    torch.manual_seed(hidden)
    sizes = {
        "observation_size": reward_inputs_for(game, options).size,
        "instruction_size": language.num_features(game),
        "hidden": hidden,
        "heads": heads,
    }
    folder.mkdir(parents=True, exist_ok=True)
    weights = folder / "weights.safetensors"
    weights.write_bytes(save(RewardModel(**sizes).state_dict()))
    card = {"kind": "reward-model", "game": game, "network": sizes, "sha256": sha256_of(weights)}
    (folder / "card.json").write_text(json.dumps(card))
    return card["sha256"]


def round_with_model(folder: Path, episode: Episode, number: int = 1, heads: int = 1, **base) -> Round:
    """A round of an episode's game with a reward model for its options."""
    agent, _ = Agent.objects.get_or_create(
        ref=f"{episode.game}/base", defaults={"name": "Base", "game": episode.game, "kind": "network", **base}
    )
    one = Round.objects.create(number=number, game=episode.game, base_agent=agent, settings={"data": {}})
    made = folder / f"round-{number}" / "reward-model"
    sha256 = write_model(made, episode.game, dict(episode.options), hidden=7 + number, heads=heads)
    result = {"folder": str(made), "sha256": sha256}
    done = {"state": Job.COMPLETED, "finished_at": timezone.now(), "result": result}
    Job.objects.create(round=one, kind="reward_model", position=1, **done)
    return one
