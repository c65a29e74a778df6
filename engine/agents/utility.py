"""The utility U(x_<=t) of the IBT reward model: its network, its folder, and reading it online in many games.

How it is trained is in `engine.learning.ibt`.
"""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import torch
from safetensors.torch import load_file
from torch import Tensor, nn

from engine.agents.features import Inputs
from engine.agents.files import sha256_of


class RewardModel(nn.Module):
    """U(x_<=t) as a sum of what each step added: a GRU over a seat's observations, and its instruction at
    every tick.

    The sum makes r_t = U(x_t+1) - U(x_t) (IBT paper, eq. 2) the network's output at step t+1, so it can be
    read online from one observation and the memory.
    """

    def __init__(self, observation_size: int, instruction_size: int, hidden: int) -> None:
        super().__init__()
        self.sizes = {
            "observation_size": observation_size,
            "instruction_size": instruction_size,
            "hidden": hidden,
        }
        self.embed = nn.Linear(observation_size + instruction_size, hidden)
        self.memory = nn.GRU(hidden, hidden, batch_first=True)
        self.head = nn.Sequential(nn.Linear(2 * hidden, hidden), nn.ReLU(), nn.Linear(hidden, 1))

    def gains(
        self, observations: Tensor, instructions: Tensor, memory: Tensor | None = None
    ) -> tuple[Tensor, Tensor]:
        """What each tick adds to U: (B, T, D) and (B, T, F) -> (B, T), and the memory (1, B, H) to go on
        with."""
        x = torch.relu(self.embed(torch.cat([observations, instructions], -1)))
        h, memory = self.memory(x, memory)
        return self.head(torch.cat([x, h], -1)).squeeze(-1), memory

    @torch.no_grad()
    def remember(self, observations: Tensor, instructions: Tensor, lengths: Tensor) -> Tensor:
        """The memory (1, B, H) after the first `lengths` (B,) ticks of (B, T, D) and (B, T, F); zeros where
        that is none.
        """
        if not len(lengths) or int(lengths.max()) == 0:
            return torch.zeros(1, len(lengths), self.memory.hidden_size, device=observations.device)
        x = torch.relu(self.embed(torch.cat([observations, instructions], -1)))
        rows = nn.utils.rnn.pack_padded_sequence(x, lengths.clamp(min=1).cpu(), True, enforce_sorted=False)
        return self.memory(rows)[1] * (lengths > 0)[None, :, None]

    def forward(self, observations: Tensor, instructions: Tensor) -> Tensor:
        """U at every tick: (B, T, D) and (B, T, F) -> (B, T). Only differences mean anything."""
        return self.gains(observations, instructions)[0].cumsum(1)

    def members(self, observations: Tensor, instructions: Tensor) -> Tensor:
        """U of each member of an ensemble, (K, B, T); one alone is K = 1, and says nothing of how sure it
        is.
        """
        return self.forward(observations, instructions)[None]


def load(folder: Path) -> RewardModel:
    """A reward model from its folder; raises ValueError when card and weights don't fit."""
    try:
        card = json.loads((folder / "card.json").read_text())
    except (OSError, json.JSONDecodeError) as error:
        raise ValueError(f"There is no reward model in {folder}.") from error
    weights = folder / "weights.safetensors"
    if card.get("kind") != "reward-model" or not weights.exists() or sha256_of(weights) != card.get("sha256"):
        raise ValueError(f"The weights in {folder} are not those that its card.json describes.")
    model = RewardModel(**card["network"])
    model.load_state_dict(load_file(weights))
    return model.eval()


class OnlineUtility:
    """The model's memory of n games from every seat. `instruction` (F,): its features, in force for all
    seats."""

    def __init__(
        self,
        model: RewardModel,
        inputs: Inputs,
        n: int,
        seats: int,
        instruction: np.ndarray,
        world: np.ndarray | None = None,
    ) -> None:
        self.model, self.inputs, self.seats, self.world = model, inputs, seats, world
        self.device = model.embed.weight.device
        self.instruction = torch.from_numpy(instruction.astype(np.float32)).to(self.device)
        self.memory = torch.zeros(n, seats, model.memory.hidden_size, device=self.device)

    def begin(self, states: np.ndarray, rows: np.ndarray) -> None:
        """Games `rows` (indices) begin at `states` (len(rows), state_size): forget the last game, see the
        state."""
        self.memory[rows] = 0
        self.add(states, rows)

    @torch.no_grad()
    def add(self, states: np.ndarray, rows: np.ndarray) -> np.ndarray:
        """See the next states of games `rows`; returns r = U(t+1) - U(t) of each seat, (len(rows), seats).

        IBT paper, eq. 2.
        """
        count = len(rows)
        if not count:
            return np.zeros((0, self.seats))
        seats = np.tile(np.arange(self.seats), count)
        inputs = self.inputs(np.repeat(states, self.seats, axis=0), seats, self.world)
        seen = torch.from_numpy(inputs).to(self.device)[:, None]
        told = self.instruction.expand(len(seats), 1, -1)
        memory = self.memory[rows].reshape(1, len(seats), -1).contiguous()
        gains, memory = self.model.gains(seen, told, memory)
        self.memory[rows] = memory.reshape(count, self.seats, -1)
        return gains.reshape(count, self.seats).cpu().numpy().astype(float)
