"""The utility U(x_<=t) of reward models: their networks, their folder, and computing it online in many games.

`engine.learning.algorithms.ibt` trains them, and `engine.learning.algorithms.ar` the autoregressive one.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import torch
from safetensors.torch import load_file
from torch import Tensor, nn
from torch.nn.functional import linear, one_hot

from engine import games
from engine.agents.features import RATED, Inputs, reward_inputs_for
from engine.agents.files import sha256_of
from engine.agents.recurrence import Gru

CLASSES = 3  # nothing, progress, regression


class PerHead(nn.Module):
    """One output for each of K heads, from (…, K * W) numbers in K consecutive groups: (…, K)."""

    def __init__(self, heads: int, width: int) -> None:
        super().__init__()
        most = width**-0.5  # as torch begins a linear layer
        self.weight = nn.Parameter(torch.empty(heads, width).uniform_(-most, most))
        self.bias = nn.Parameter(torch.empty(heads).uniform_(-most, most))

    def forward(self, x: Tensor) -> Tensor:
        """(…, K * W) -> (…, K)."""
        return (x.unflatten(-1, self.weight.shape) * self.weight).sum(-1) + self.bias


class RewardModel(nn.Module):
    """U(x_<=t): a GRU over a seat's observations and its instruction at every tick. From its memory each
    step's gain is computed (U is the sum), or with `level` U itself (as in the IBT paper). K small heads on
    that memory, each trained on its own marks, are the members of an ensemble; U is their mean, and their
    spread is its uncertainty (Lakshminarayanan et al. 2017; Osband et al. 2016). In both cases r_t = U(x_t+1)
    - U(x_t) (IBT paper, eq. 2) is known at step t+1 from one observation and the memory, so it can be
    computed online.

    A level can't be collected by standing still or going in circles: whoever comes back to the same memory
    has gained nothing. But it doesn't rise beyond what it was in training, so agents that get further than
    the marked ones would earn nothing more. With a `span`, the memory therefore starts again after so many
    ticks, as in training, and the gains of the spans add up.

    With a `reach`, the same GRU starts anew at every tick and reads the last so many ticks alone: a network
    of the same size without memory, to be compared with.
    """

    variant: str | None = None  # the layout it was made for, where a game has some
    reads: str = RATED  # its inputs (engine.agents.features)
    skill: float = 1.0  # how well it tells held-out marks apart (parts.utilities), 1 if unknown

    def __init__(
        self,
        observation_size: int,
        instruction_size: int,
        hidden: int,
        heads: int = 1,
        level: bool = False,
        span: int = 0,
        reach: int = 0,
    ) -> None:
        super().__init__()
        self.level, self.span, self.reach = level, span, reach
        self.sizes = {
            "observation_size": observation_size,
            "instruction_size": instruction_size,
            "hidden": hidden,
            "heads": heads,
            **({"level": True} if level else {}),
            **({"span": span} if span else {}),
            **({"reach": reach} if reach else {}),
        }
        width = hidden if heads == 1 else max(1, hidden // 2)
        self.embed = nn.Linear(observation_size + instruction_size, hidden)
        self.memory = Gru(hidden, hidden)
        reads = hidden if level else 2 * hidden
        self.head = nn.Sequential(nn.Linear(reads, heads * width), nn.ReLU(), PerHead(heads, width))

    def read_as(self, other: RewardModel) -> None:
        """Take over how another one reads games."""
        self.embed.load_state_dict(other.embed.state_dict())
        self.memory.load_state_dict(other.memory.state_dict())

    @property
    def kept(self) -> int:
        """How many numbers `read` goes on with: its memory; with a reach, then, what it saw at the ticks that
        are still in reach."""
        return self.memory.hidden_size * max(1, self.reach)

    @property
    def memory_size(self) -> int:
        """How many numbers it remembers of a game, for each seat; with a span, last, for how long."""
        return self.kept + (self.span > 0)

    def read(
        self, observations: Tensor, instructions: Tensor, memory: Tensor | None = None
    ) -> tuple[Tensor, Tensor]:
        """What is seen at each tick and what is remembered then: (B, T, D) and (B, T, F) -> (B, T, 2H), and
        the memory (1, B, kept) to go on with."""
        seen, instructed = self.embed.weight.split([observations.shape[-1], instructions.shape[-1]], 1)
        x = torch.relu(linear(observations, seen, self.embed.bias) + linear(instructions, instructed))
        if self.reach:
            h, memory = self._in_reach(x, memory)
        else:
            h, memory = self.memory(x, memory)
        return torch.cat([x, h], -1), memory

    def _in_reach(self, x: Tensor, memory: Tensor | None) -> tuple[Tensor, Tensor]:
        """The GRU's output (B, T, H) at each tick from the last `reach` of x (B, T, H) alone, zeros before a
        game begins; and (1, B, kept)."""
        count, ticks, size = x.shape
        before = x.new_zeros(count, (self.reach - 1) * size) if memory is None else memory[0, :, size:]
        seen = torch.cat([before.unflatten(1, (-1, size)), x], 1) if self.reach > 1 else x
        windows = seen.unfold(1, self.reach, 1).transpose(2, 3).reshape(-1, self.reach, size)
        h = self.memory(windows)[0][:, -1].view(count, ticks, size)
        return h, torch.cat([h[:, -1], seen[:, ticks:].flatten(1)], 1)[None]

    @torch.no_grad()
    def remember(self, observations: Tensor, instructions: Tensor, lengths: Tensor) -> Tensor:
        """The memory (1, B, kept) after the first `lengths` (B,) ticks of (B, T, D) and (B, T, F); zeros
        where that is none.
        """
        if not len(lengths) or int(lengths.max()) == 0:
            return torch.zeros(1, len(lengths), self.kept, device=observations.device)
        read, _ = self.read(observations, instructions)
        rows, size = torch.arange(len(lengths), device=read.device), self.memory.hidden_size

        def back(ticks: int, part: slice) -> Tensor:
            at = lengths - ticks
            return read[rows, at.clamp(min=0), part] * (at >= 0)[:, None]

        seen = [back(ticks, slice(0, size)) for ticks in range(self.reach - 1, 0, -1)]
        return torch.cat([back(1, slice(size, 2 * size)), *seen], 1)[None]

    def gains(
        self, observations: Tensor, instructions: Tensor, memory: Tensor | None = None
    ) -> tuple[Tensor, Tensor]:
        """What each tick adds to U: (B, T, D) and (B, T, F) -> (B, T), and the memory (1, B,
        memory_size) to go on with."""
        gains, after = self._in_spans(observations, instructions, memory)
        return gains.mean(-1), after

    def _in_spans(
        self, observations: Tensor, instructions: Tensor, memory: Tensor | None
    ) -> tuple[Tensor, Tensor]:
        """What each tick adds to each member's U (B, T, K), and the memory (1, B, memory_size) afterwards."""
        if not self.span:
            read, after = self.read(observations, instructions, memory)
            return self.added(read, memory), after
        count, ticks, size = *observations.shape[:2], self.kept
        if memory is None:
            memory = observations.new_zeros(1, count, size + 1)
        h, ago, gains, begun = memory[..., :size].contiguous(), memory[0, :, size].clone(), [], 0
        while begun < ticks:
            part = slice(begun, begun + min(ticks - begun, int(self.span + 1 - ago.max())))
            read, after = self.read(observations[:, part], instructions[:, part], h)
            gains.append(self.added(read, h))
            h, begun = after.clone(), part.stop
            ago += part.stop - part.start
            if len(over := torch.nonzero(ago > self.span)[:, 0]):
                last = slice(begun - 1, begun)
                h[:, over] = self.read(observations[over, last], instructions[over, last])[1]
                ago[over] = 1
        return torch.cat(gains, 1), torch.cat([h, ago[None, :, None]], -1)

    def added(self, read: Tensor, memory: Tensor | None = None) -> Tensor:
        """What each tick adds to each member's U, (B, T, K), from what was read (B, T, 2H) and the memory
        (1, B, kept) before that.
        """
        if not self.level:
            return self.head(read)
        size = self.memory.hidden_size
        before = read.new_zeros(len(read), 1, size) if memory is None else memory[0][:, None, :size]
        levels = self.head(torch.cat([before, read[..., -size:]], 1))
        return levels[:, 1:] - levels[:, :-1]

    def members(self, observations: Tensor, instructions: Tensor, memory: Tensor | None = None) -> Tensor:
        """Each member's U at every tick: (B, T, D) and (B, T, F) -> (K, B, T). Their mean is U."""
        return self._in_spans(observations, instructions, memory)[0].cumsum(1).movedim(-1, 0)

    def forward(self, observations: Tensor, instructions: Tensor) -> Tensor:
        """U at every tick: (B, T, D) and (B, T, F) -> (B, T). Only differences mean anything."""
        return self.gains(observations, instructions)[0].cumsum(1)


class AnnotationModel(RewardModel):
    """The autoregressive reward model (IBT paper, appendix A.5): what an annotator would mark at each tick,
    given the marks before it. The mark that it draws, 1, -1 or 0, is what the tick adds to U; in games its
    own draws take the place of the marks. Its memory holds what was seen, and then what was marked.
    """

    def __init__(self, observation_size: int, instruction_size: int, hidden: int) -> None:
        super().__init__(observation_size, instruction_size, hidden)
        del self.sizes["heads"]
        self.recall = Gru(2 * hidden + CLASSES, hidden)
        self.head = nn.Sequential(nn.Linear(hidden, CLASSES))

    @property
    def memory_size(self) -> int:
        """Of what was seen, of what was marked, and what was drawn last."""
        return 2 * self.memory.hidden_size + 1

    def classify(self, read: Tensor, before: Tensor) -> Tensor:
        """Logits (B, T, CLASSES) of nothing, progress and regression at each tick, from what was read (B, T,
        2H) and what was marked at the tick `before` it, int64 (B, T)."""
        return self.head(self.recall(torch.cat([read, one_hot(before, CLASSES).to(read.dtype)], -1))[0])

    def gains(
        self, observations: Tensor, instructions: Tensor, memory: Tensor | None = None
    ) -> tuple[Tensor, Tensor]:
        """What is drawn at each tick: (B, T, D) and (B, T, F) -> (B, T), and the memory (1, B, memory_size)
        to go on with. Read from the beginning, a game is always read alike.
        """
        chance = torch.Generator().manual_seed(0) if memory is None else None
        size = self.memory.hidden_size
        before = memory if memory is not None else observations.new_zeros(1, len(observations), 2 * size + 1)
        seen, marked, last = (part.contiguous() for part in before.split([size, size, 1], 2))
        drawn, marks = last[0].long(), []
        read, seen = self.read(observations, instructions, seen)
        for tick in range(observations.shape[1]):
            now = torch.cat([read[:, tick : tick + 1], one_hot(drawn, CLASSES).to(read.dtype)], -1)
            h, marked = self.recall(now, marked)
            below = self.head(h[:, 0]).softmax(-1).cumsum(-1)
            at = torch.rand(len(below), 1, generator=chance).to(below.device)
            drawn = (at > below[:, :-1]).sum(1, keepdim=True)
            marks.append((drawn == 1).to(read.dtype) - (drawn == 2).to(read.dtype))
        return torch.cat(marks, 1), torch.cat([seen, marked, drawn[None].to(read.dtype)], 2)

    def members(self, observations: Tensor, instructions: Tensor, memory: Tensor | None = None) -> Tensor:
        """It is its only member: (1, B, T)."""
        return self.gains(observations, instructions, memory)[0].cumsum(1)[None]


class TickModel(RewardModel):
    """The memoryless reward model (engine.learning.parts.ridge): what a tick adds to U is linear in what is
    seen at that tick alone, whatever came before and whatever the instruction is.
    """

    def __init__(self, observation_size: int, instruction_size: int, heads: int) -> None:
        nn.Module.__init__(self)
        self.sizes = {
            "observation_size": observation_size,
            "instruction_size": instruction_size,
            "heads": heads,
        }
        self.embed = nn.Linear(observation_size, heads)

    @property
    def memory_size(self) -> int:
        """It remembers nothing; but a memory has at least one number."""
        return 1

    def _in_spans(
        self, observations: Tensor, instructions: Tensor, memory: Tensor | None
    ) -> tuple[Tensor, Tensor]:
        return self.embed(observations), observations.new_zeros(1, len(observations), self.memory_size)


NETWORKS: dict[str, type[RewardModel]] = {"ar": AnnotationModel, "ridge": TickModel}
"""Of algorithms whose reward models are other networks than RewardModel."""


def load(folder: Path) -> RewardModel:
    """A reward model from its folder; raises ValueError if card and weights don't fit."""
    try:
        card = json.loads((folder / "card.json").read_text())
    except (OSError, json.JSONDecodeError) as error:
        raise ValueError(f"There is no reward model in {folder}.") from error
    weights = folder / "weights.safetensors"
    if card.get("kind") != "reward-model" or not weights.exists() or sha256_of(weights) != card.get("sha256"):
        raise ValueError(f"The weights in {folder} are not those that its card.json describes.")
    model = NETWORKS.get(card.get("algorithm"), RewardModel)(**card["network"])
    model.load_state_dict(load_file(weights))
    model.variant = card.get("variant")
    model.skill = card.get("skill", 1.0)
    model.reads = card.get("settings", {}).get("reads", RATED)
    return model.eval()


def can_read(model: RewardModel, game: str, options: dict[str, Any]) -> bool:
    """Whether a model was made for games with these options: their inputs have its size, and their layout is
    its layout.
    """
    spec = games.spec(game)
    variant = spec.variant(spec.validate(dict(options))) if spec.variant else None
    fits = model.sizes["observation_size"] == reward_inputs_for(game, options, model.reads).size
    return fits and model.variant in (None, variant)


class OnlineUtility:
    """The model's memory of n games for every seat. `instruction` (F,) or (n, seats, F): features of the
    instructions in force, for all seats or for each.
    """

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
        self.skill = model.skill
        self.device = model.embed.weight.device
        features = torch.from_numpy(instruction.astype(np.float32)).to(self.device)
        self.instructions = features.expand(n, seats, -1).clone()
        self.memory = torch.zeros(n, seats, model.memory_size, device=self.device)

    def begin(self, states: np.ndarray, rows: np.ndarray) -> None:
        """Games `rows` (indices) begin at `states` (len(rows), state_size): forget the last game, see the
        state."""
        self.memory[rows] = 0
        self.add(states, rows)

    def tell(self, rows: np.ndarray, instructions: np.ndarray) -> None:
        """The seats of games `rows` now have other instructions: features (len(rows), seats, F)."""
        self.instructions[rows] = torch.from_numpy(instructions.astype(np.float32)).to(self.device)

    def tick(self, states: np.ndarray, rows: np.ndarray) -> None:
        """Games `rows` have come to `states` between two decisions, at which it doesn't look."""

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
        instructions = self.instructions[rows].reshape(len(seats), 1, -1)
        memory = self.memory[rows].reshape(1, len(seats), -1).contiguous()
        gains, memory = self.model.gains(seen, instructions, memory)
        self.memory[rows] = memory.reshape(count, self.seats, -1)
        return gains.reshape(count, self.seats).cpu().numpy().astype(float)
