"""PPO for squads: from a clone to a better player, against itself, earlier selves and scripted squads.

PPO (Schulman et al. 2017) over six masked heads, three value heads with discounts of their own (basic,
obstacle, goal: OpenContra, section 4.2 and Table 5), a critic that is also told of the nearest enemy out of
sight, and a pull towards the network that it began with, so that what it was taught to obey stays.

    python -m engine.learning.squad_ppo --config FILE --out FOLDER

leaves an agent in FOLDER/agent. Not for rounds, which train from marks (engine.learning.ppo).
"""

from __future__ import annotations

import copy
import dataclasses
import sys
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Annotated, Any

import numpy as np
import torch
from safetensors.torch import load_file
from torch import Tensor, nn

from engine.agents.acting import act_many
from engine.agents.catalogue import WEIGHTS, folder_of, load, write_agent
from engine.agents.network import PolicyValueNet, from_tensors
from engine.agents.policy import Policy, choose
from engine.games.arena import state as s
from engine.games.arena.observation_critic import SIZE as PRIVILEGED
from engine.games.arena.rewards import settings_from
from engine.learning import shell
from engine.learning.heads import chosen, log_probs
from engine.learning.proximal import Proximal, Pull, bf16
from engine.learning.reporting import BadConfig, run_program
from engine.learning.returns import gae
from engine.learning.settings import Device, Norm, Range, Rate, Seed, Share, Threads, Weight, Widths
from engine.learning.squad_clone import squad_card
from engine.learning.squad_games import GAME, GROUPS, Look, SquadGames

HEADS = s.HEADS
SELF, PAST = "self", "past"


MAKES = "agent"
FITS = ("heads",)
FOREMOST = ("updates", "envs", "lr", "anchor")
SIZES = {"tiny": {"updates": 2, "critic_updates": 1, "envs": 4, "rollout": 8, "minibatch": 256}}


@dataclass(frozen=True)
class Settings:
    name: str = "squad"
    """name of the agent on its card"""
    title: str = "Squad"
    """name for people"""
    description: str = "Cloned from the strong scripted squad, then trained against it, others and itself."
    """one line about its character for people"""
    command: str = "python -m engine.learning.squad_ppo --config FILE --out FOLDER"
    """the command that makes this agent, for its card"""
    base: str = "arena/squad-clone"
    """agent to begin with: ref or folder"""
    options: dict[str, Any] = field(default_factory=lambda: {"pace": "short"})
    """the game's options; matches of two squads of four unless they say otherwise"""
    opponents: Annotated[dict[str, float], Range(0, 1)] = field(
        default_factory=lambda: {SELF: 0.3, PAST: 0.2, "arena/strong": 0.3, "arena/middle": 0.2}
    )
    """whom the learner's squad meets, in which share of the matches"""
    rewards: dict[str, Any] = field(default_factory=lambda: {"goal": 0.06})
    """rows of Table 5 that are worth something else than there, and discounts (engine.games.arena.rewards); a
    goal is rewarded at every decision, so for less than once at its end"""
    reward_scale: Annotated[float, Range(0, 1000, above=True)] = 0.3
    """rewards are multiplied by this, so that values stay near 1"""
    critic: Widths = field(default_factory=lambda: [256, 256])
    """widths of the critic's hidden layers"""
    updates: Annotated[int, Range(1, 1_000_000)] = 300
    """rollouts to learn from"""
    critic_updates: Annotated[int, Range(0, 1_000_000)] = 10
    """updates at the start in which only the critic learns"""
    envs: Annotated[int, Range(1, 4096)] = 48
    """matches played at once"""
    rollout: Annotated[int, Range(1, 4096)] = 32
    """decisions of each match between updates"""
    epochs: Annotated[int, Range(1, 100)] = 3
    """passes over each rollout"""
    minibatch: Annotated[int, Range(1, 1_000_000)] = 2048
    """rows of a gradient step"""
    lr: Rate = 1e-4
    """Adam's learning rate, falling to a tenth along a line; the critic's is five times that"""
    gae_lambda: Share = 0.95
    """lambda of generalised advantages"""
    clip: Annotated[float, Range(0, 1, above=True)] = 0.2
    """how far the probability ratio counts"""
    entropy: Weight = 0.002
    """weight of the entropy bonus, summed over heads"""
    anchor: Weight = 0.05
    """weight of the divergence from the network that it began with, summed over heads"""
    max_grad_norm: Norm = 1.0
    """gradients are cut to this norm"""
    goal_share: Share = 0.25
    """share of the time for which a seat has a goal"""
    orders: str = ""
    """scripted player that plays for a seat which was asked for something; empty: the network does, too"""
    keep_past: Annotated[int, Range(1, 1_000_000)] = 10
    """updates between two earlier selves that are kept as opponents; the last five play"""
    bf16: bool = True
    """compute in bfloat16 where that is faster (weights stay float32)"""
    threads: Threads = 1
    """threads for torch"""
    device: Device = "auto"
    """where to compute: auto (a GPU where there is one), cpu, cuda, cuda:1"""
    seed: Seed = 1
    """seed of everything"""

    def __post_init__(self) -> None:
        if not self.opponents or abs(sum(self.opponents.values()) - 1) > 1e-6:
            raise BadConfig(f"The shares of the setting 'opponents' sum to 1, not {self.opponents}.")


class Critic(nn.Module):
    """Inputs and what only it is told (n, I + PRIVILEGED) -> values (n, GROUPS)."""

    def __init__(self, size: int, hidden: list[int]) -> None:
        super().__init__()
        sizes = [size + PRIVILEGED, *hidden]
        layers: list[nn.Module] = []
        for a, b in zip(sizes, sizes[1:], strict=False):
            layers += [nn.Linear(a, b), nn.ReLU()]
        self.layers = nn.Sequential(*layers, nn.Linear(sizes[-1], GROUPS))

    def forward(self, inputs: Tensor, privileged: Tensor) -> Tensor:
        return self.layers(torch.cat([inputs, privileged], 1))


class Training(shell.Training):
    """The state of one training: networks, optimiser, matches, earlier selves. Matches begin anew after a
    stop.
    """

    counters = ("rows",)

    def __init__(self, config: Settings, check: Callable[[], None] = shell.never) -> None:
        super().__init__(config, check)
        settings = settings_from(config.rewards)
        self.discounts = [float(gamma) for gamma in settings.discounts]
        weights = config.reward_scale * settings.weights()
        self.games = SquadGames(
            config.options, config.envs, config.seed, weights, settings.groups(), config.goal_share
        )
        self.base = load(config.base, GAME, self.games.options)
        tensors = load_file(folder_of(config.base, GAME) / WEIGHTS)
        self.net, self.first = (from_tensors(tensors).to(self.device) for _ in range(2))
        self.critic = Critic(self.games.inputs.size, config.critic).to(self.device)
        self.optimizer = torch.optim.Adam(
            [
                {"params": list(self.net.parameters()), "rate": 1.0},
                {"params": list(self.critic.parameters()), "rate": 5.0},
            ],
            lr=config.lr,
            eps=1e-5,
        )
        self.proximal = Proximal(
            self.forward,
            self.optimizer,
            HEADS,
            config.clip,
            value_weight=1.0,
            max_grad_norm=config.max_grad_norm,
            value_parameters=list(self.critic.parameters()),
            extra=self.own_value,
        )
        self.scripted: dict[str, Policy] = {
            ref: load(ref, GAME, self.games.options) for ref in config.opponents if ref not in (SELF, PAST)
        }
        self.past: deque[PolicyValueNet] = deque(maxlen=5)
        self.opponent, self.mine = self._cast()
        self.won: dict[str, deque[float]] = {ref: deque(maxlen=200) for ref in config.opponents}
        self.updates = config.updates
        self.rows = 0

    def parts(self) -> dict[str, Any]:
        past = {f"past{index}": twin for index, twin in enumerate(self.past)}
        return {"net": self.net, "critic": self.critic, "adam": self.optimizer, **past}

    def prepare(self, meta: dict[str, Any]) -> None:
        """The earlier selves that were kept after these updates."""
        kept = len(range(0, meta["update"], self.config.keep_past))
        self.past.extend(self._twin() for _ in range(min(kept, self.past.maxlen or kept)))

    def _twin(self) -> PolicyValueNet:
        """A network as it is now."""
        return copy.deepcopy(self.net)

    def _cast(self) -> tuple[list[str], np.ndarray]:
        """Whom the learner meets in each match, and which rows are the learner's; sides change evenly."""
        n, seats = self.games.n, self.games.seats
        names: list[str] = []
        for ref, share in self.config.opponents.items():
            names += [ref] * round(share * n)
        names = (names + [next(iter(self.config.opponents))] * n)[:n]
        mine = np.ones((n, seats), bool)
        teams = int(self.games.options["teams"])
        size = seats // teams
        for match, ref in enumerate(names):
            if ref != SELF:
                own = match % teams
                mine[match] = False
                mine[match, own * size : (own + 1) * size] = True
        return names, mine.reshape(-1)

    @torch.no_grad()
    def act(self, look: Look) -> tuple[Tensor, Tensor]:
        """Everybody's choices (rows, 6) and how likely the learner's were (rows,)."""
        inputs, masks = self.on_device(look.inputs), self.on_device(look.masks)
        logp = self.log_probs(self.net, inputs, masks)
        actions = self._drawn(logp)
        rows_of = np.repeat(np.array(self.opponent), self.games.seats)
        for ref, policy in self.scripted.items():
            rows = np.flatnonzero((rows_of == ref) & ~self.mine)
            if len(rows):
                seen = look.states[rows], look.seats[rows], look.masks[rows]
                chose = act_many(policy, *seen, self.rng, self.games.world)
                actions[self.on_device(rows)] = self.on_device(np.array(chose))
        rows = np.flatnonzero((rows_of == PAST) & ~self.mine)
        if len(rows) and self.past:
            net = self.past[self.update % len(self.past)]
            theirs = self.on_device(rows)
            actions[theirs] = self._drawn(self.log_probs(net, inputs[theirs], masks[theirs]))
        return actions, chosen(logp, actions, HEADS)

    def _drawn(self, logp: Tensor) -> Tensor:
        """Choices by these log-probabilities, (n, 6)."""
        drawn = choose(logp.cpu().numpy(), greedy=False, rng=self.rng, heads=HEADS)
        return self.on_device(np.array(drawn))

    def collect(self) -> dict[str, Tensor]:
        """A rollout: (T, rows, …) of what the learner needs, with advantages and value targets."""
        kept: dict[str, list[Tensor]] = {}
        seats = self.games.seats
        for _ in range(self.config.rollout):
            look = self.games.look()
            privileged = self.on_device(self.games.privileged())
            inputs = self.on_device(look.inputs)
            actions, logprobs = self.act(look)
            values = self.values(inputs, privileged)
            rewards, dones, winners = self.games.play(actions.cpu().numpy())
            life = self.games.states[:, s.PLAYERS + s.LIFE :][:, : s.PLAYER * seats : s.PLAYER]
            gone = (life == s.OUT).reshape(-1) | np.repeat(dones != 0, seats)
            row = {
                "inputs": inputs,
                "privileged": privileged,
                "masks": self.on_device(look.masks),
                "actions": actions,
                "logprobs": logprobs,
                "values": values,
                "rewards": self.on_device(rewards),
                "gone": self.on_device(gone),
                "use": self.on_device(look.alive & self.mine),
            }
            for key, value in row.items():
                kept.setdefault(key, []).append(value)
            self._count(dones, winners)
        look = self.games.look()
        seen = self.on_device(look.inputs), self.on_device(self.games.privileged())
        bootstrap = self.values(*seen)
        data = {key: torch.stack(parts) for key, parts in kept.items()}
        going = (~data["gone"]).float()
        found = [
            gae(
                data["rewards"][..., group],
                data["values"][..., group],
                gamma * going,
                bootstrap[:, group],
                self.config.gae_lambda,
            )
            for group, gamma in enumerate(self.discounts)
        ]
        data["returns"] = torch.stack(found, -1) + data["values"]
        data["advantages"] = torch.stack(found, -1).sum(-1)
        return data

    def _count(self, dones: np.ndarray, winners: np.ndarray) -> None:
        """Keep who won which match against whom."""
        size = self.games.seats // int(self.games.options["teams"])
        for match in np.flatnonzero(dones):
            ref = self.opponent[match]
            own = int(np.flatnonzero(self.mine.reshape(self.games.n, -1)[match])[0]) // size
            if ref != SELF:
                self.won[ref].append(1.0 if winners[match] == own else 0.5 if winners[match] < 0 else 0.0)

    def learn(self, data: dict[str, Tensor]) -> dict[str, float]:
        """`epochs` passes over the learner's rows; returns what CleanRL measures, by its names."""
        config = self.config
        use = data["use"].reshape(-1)
        rows = {key: value.flatten(0, 1)[use] for key, value in data.items() if key not in ("use", "gone")}
        parts = zip(rows["inputs"].split(4096), rows["masks"].split(4096), strict=True)
        rows["from_first"] = torch.cat([self.log_probs(self.first, *part) for part in parts])
        pulls = (Pull("from_first", config.anchor, from_other=True),)
        warm = self.update < config.critic_updates
        count = max(1, -(-len(rows["actions"]) // config.minibatch))
        return self.proximal.learn(rows, config.epochs, count, self.rng, config.entropy, pulls, warm)

    def forward(self, rows: dict[str, Tensor]) -> tuple[Tensor, Tensor]:
        """Logits (n, A), and the critic's values (n, GROUPS)."""
        with bf16(self.config.bf16, self.device):
            logits, self.own = self.net(rows["inputs"])
            return logits, self.critic(rows["inputs"], rows["privileged"])

    def own_value(self, rows: dict[str, Tensor]) -> Tensor:
        """The loss of the agent's own value, for those who train on without the critic."""
        return 0.05 * (self.own.float() - rows["returns"].sum(1)).square().mean()

    @torch.no_grad()
    def log_probs(self, net: PolicyValueNet, inputs: Tensor, masks: Tensor) -> Tensor:
        with bf16(self.config.bf16, self.device):
            logits = net(inputs)[0]
        return log_probs(logits.float(), masks, HEADS)

    @torch.no_grad()
    def values(self, inputs: Tensor, privileged: Tensor) -> Tensor:
        """(n, GROUPS) by the critic."""
        with bf16(self.config.bf16, self.device):
            return self.critic(inputs, privileged).float()

    def advance(self) -> dict[str, float]:
        """A rollout, and learning from it."""
        if self.update % self.config.keep_past == 0:
            self.past.append(self._twin())
        data = self.collect()
        values = self.learn(data)
        self.rows += int(data["use"].sum())
        values["reward"] = float(data["rewards"].sum(-1)[data["use"]].mean())
        for ref, results in self.won.items():
            if results:
                values[f"won_against_{ref.rpartition('/')[2]}"] = float(np.mean(results))
        return values

    def rates(self) -> dict[str, float]:
        played = self.update * self.config.rollout * self.games.n * self.games.seats * self.games.ticks
        return {
            "decisions_per_second": self.rows / self.seconds,
            "agent_steps_per_second": played / self.seconds,
        }

    def look(self, out: Path) -> dict[str, float]:
        """The agent as it is, from time to time."""
        if self.update % self.checkpoint_every == 0:
            self.write(out / "agent", {})
        return {}

    def finish(self, out: Path) -> dict[str, Any]:
        """The agent in `out`/agent, and against whom it won."""
        card = self.write(out / "agent", {})
        won = {ref: float(np.mean(results)) for ref, results in self.won.items() if results}
        return {"folder": str(out / "agent"), "sha256": card["sha256"], "won": won}

    def write(self, folder: Path, evaluation: dict[str, Any]) -> dict[str, Any]:
        """Write the network as an agent; returns its card, which names other agents, not their folders."""
        config = dataclasses.replace(self.config, base=self.base.name)
        card = squad_card(config, self.games, "PPO in self-play from a clone", [self.base.name], evaluation)
        card["training"] = {
            "decisions": self.rows,
            "minutes": round(self.seconds / 60, 2),
            "threads": config.threads,
        }
        return write_agent(folder, shell.weights(self.net), card)


train = partial(shell.run, Training)

if __name__ == "__main__":
    sys.exit(run_program("squad_ppo", Settings, train))
