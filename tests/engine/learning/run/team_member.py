"""One process that learns from its share of a rollout of PPO, alone or by torchrun:
`python -m tests.engine.learning.run.team_member FOLDER [GAMES]` writes
FOLDER/learned-<processes>-<rank>-<games>.
"""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
import torch
from safetensors.torch import load_file, save_file

from engine.learning.algorithms.ppo import Ppo, Settings
from engine.learning.parts.rollouts import COLUMNS, Cut, Rollout, View

GAMES = 8
SETTINGS = Settings(
    game="hanabi",
    base="hanabi/learner-1",
    envs=GAMES,
    steps=6,
    moves=480,
    epochs=2,
    minibatches=1,
    lr=0.01,
    target_kl=9.0,
    bf16=False,
)


def share(tensors: dict, rank: int, size: int) -> Rollout:
    """The columns of a process."""
    mine = slice(rank * GAMES // size, (rank + 1) * GAMES // size)
    kept = {key: value[:, mine] if key != "last" else value[mine] for key, value in tensors.items()}
    nothing, told = np.zeros(0), kept["privileged"][0]
    last = View(nothing, nothing, nothing, kept.pop("last"), told, kept["memory"][0], nothing)
    none = torch.zeros(0, dtype=torch.int64)
    no_numbers = torch.zeros(0, 0)
    cut = Cut(none, none, torch.zeros(0, tensors["inputs"].shape[-1]), no_numbers, no_numbers)
    return Rollout(**{key: kept.pop(key) for key in COLUMNS}, extras=kept, last=last, cut=cut, scores=[])


def main(folder: Path, games: int = GAMES) -> None:
    training = Ppo(SETTINGS)
    team = training.team
    rollout = share(load_file(folder / "rollout.safetensors"), team.rank, team.size * GAMES // games)
    told = training.learn_rows(training.rows_of(rollout))
    print(told)
    save_file(
        {key: value.contiguous() for key, value in training.net.state_dict().items()},
        folder / f"learned-{team.size}-{team.rank}-{games}.safetensors",
    )


if __name__ == "__main__":
    main(Path(sys.argv[1]), *map(int, sys.argv[2:]))
