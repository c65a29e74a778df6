"""PPO for squads: from a clone to a better player, against itself, earlier selves and scripted squads.

PPO (Schulman et al. 2017) over six masked heads, three value heads with discounts of their own (basic,
obstacle, goal: OpenContra, section 4.2 and Table 5), a critic that is also told of the nearest enemy out of
sight, and a pull towards the network that it began with, so that what it was taught to obey stays.

    python -m engine.learning.squad_ppo --config FILE --out FOLDER

leaves an agent in FOLDER/agent. Not for rounds, which train from marks (engine.learning.ppo).
"""

from __future__ import annotations

import dataclasses
import sys
import time
from collections import deque
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import torch
from safetensors.torch import load_file
from torch import Tensor, nn

from engine.agents.catalogue import WEIGHTS, folder_of, load, write_agent
from engine.agents.network import PolicyValueNet, from_tensors
from engine.agents.policy import Policy, choose
from engine.games.arena import state as s
from engine.games.arena.observation_critic import SIZE as PRIVILEGED
from engine.games.arena.rewards import settings_from
from engine.learning.checkpoints import (
    load_checkpoint,
    load_module,
    load_optimizer,
    load_random_state,
    module_tensors,
    optimizer_tensors,
    random_state,
    save_checkpoint,
)
from engine.learning.heads import chosen, log_probs
from engine.learning.reporting import BadConfig, Reporter, Stopped, run_program
from engine.learning.returns import gae
from engine.learning.squad_clone import squad_card
from engine.learning.squad_games import GAME, GROUPS, Look, SquadGames

HEADS = s.HEADS
CHECKPOINT_EVERY = 20  # updates
SELF, PAST = "self", "past"


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
    opponents: dict[str, float] = field(
        default_factory=lambda: {SELF: 0.3, PAST: 0.2, "arena/strong": 0.3, "arena/middle": 0.2}
    )
    """whom the learner's squad meets, in which share of the matches"""
    rewards: dict[str, Any] = field(default_factory=lambda: {"goal": 0.06})
    """rows of Table 5 that are worth something else than there, and discounts (engine.games.arena.rewards); a
    goal is rewarded at every decision, so for less than once at its end"""
    reward_scale: float = 0.3
    """rewards are multiplied by this, so that values stay near 1"""
    critic: list[int] = field(default_factory=lambda: [256, 256])
    """widths of the critic's hidden layers"""
    updates: int = 300
    """rollouts to learn from"""
    critic_updates: int = 10
    """updates at the start in which only the critic learns"""
    envs: int = 48
    """matches played at once"""
    rollout: int = 32
    """decisions of each match between updates"""
    epochs: int = 3
    """passes over each rollout"""
    minibatch: int = 2048
    """rows of a gradient step"""
    lr: float = 1e-4
    """Adam's learning rate, falling to a tenth along a line; the critic's is five times that"""
    gae_lambda: float = 0.95
    """lambda of generalised advantages"""
    clip: float = 0.2
    """how far the probability ratio counts"""
    entropy: float = 0.002
    """weight of the entropy bonus, summed over heads"""
    anchor: float = 0.05
    """weight of the divergence from the network that it began with, summed over heads"""
    max_grad_norm: float = 1.0
    """gradients are cut to this norm"""
    goal_share: float = 0.25
    """share of the time for which a seat has a goal"""
    orders: str = ""
    """scripted player that plays for a seat which was asked for something; empty: the network does, too"""
    keep_past: int = 10
    """updates between two earlier selves that are kept as opponents; the last five play"""
    threads: int = 1
    """threads for torch"""
    seed: int = 1
    """seed of everything"""

    def __post_init__(self) -> None:
        for name in ("updates", "envs", "rollout", "epochs", "minibatch", "keep_past"):
            if getattr(self, name) < 1:
                raise BadConfig(f"The setting {name!r} must be at least 1, but is {getattr(self, name)}.")
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


class Training:
    """The state of one training: networks, optimiser, matches, earlier selves, counters."""

    def __init__(self, config: Settings) -> None:
        torch.set_num_threads(config.threads)
        torch.manual_seed(config.seed)
        self.config = config
        settings = settings_from(config.rewards)
        self.discounts = [float(gamma) for gamma in settings.discounts]
        weights = config.reward_scale * settings.weights()
        self.games = SquadGames(
            config.options, config.envs, config.seed, weights, settings.groups(), config.goal_share
        )
        self.base = load(config.base, GAME, self.games.options)
        tensors = load_file(folder_of(config.base, GAME) / WEIGHTS)
        self.net, self.first = from_tensors(tensors), from_tensors(tensors)
        self.critic = Critic(self.games.inputs.size, config.critic)
        self.optimizer = torch.optim.Adam(
            [
                {"params": list(self.net.parameters()), "rate": 1.0},
                {"params": list(self.critic.parameters()), "rate": 5.0},
            ],
            lr=config.lr,
            eps=1e-5,
        )
        self.rng = np.random.default_rng(config.seed)
        self.scripted: dict[str, Policy] = {
            ref: load(ref, GAME, self.games.options) for ref in config.opponents if ref not in (SELF, PAST)
        }
        self.past: deque[PolicyValueNet] = deque(maxlen=5)
        self.opponent, self.mine = self._cast()
        self.won: dict[str, deque[float]] = {ref: deque(maxlen=200) for ref in config.opponents}
        self.update = 0
        self.rows = 0
        self.seconds = 0.0

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
        logp = log_probs(self.net(torch.from_numpy(look.inputs))[0], torch.from_numpy(look.masks), HEADS)
        actions = torch.tensor(choose(logp.numpy(), greedy=False, rng=self.rng, heads=HEADS))
        rows_of = np.repeat(np.array(self.opponent), self.games.seats)
        for ref, policy in self.scripted.items():
            rows = np.flatnonzero((rows_of == ref) & ~self.mine)
            if len(rows):
                logits = policy.logits_many(
                    look.states[rows], look.seats[rows], look.masks[rows], self.games.world
                )
                actions[torch.from_numpy(rows)] = torch.tensor(choose(logits, heads=HEADS))
        rows = np.flatnonzero((rows_of == PAST) & ~self.mine)
        if len(rows) and self.past:
            net = self.past[self.update % len(self.past)]
            theirs = log_probs(
                net(torch.from_numpy(look.inputs[rows]))[0], torch.from_numpy(look.masks[rows]), HEADS
            )
            drawn = choose(theirs.numpy(), greedy=False, rng=self.rng, heads=HEADS)
            actions[torch.from_numpy(rows)] = torch.tensor(drawn)
        return actions, chosen(logp, actions, HEADS)

    def collect(self) -> dict[str, Tensor]:
        """A rollout: (T, rows, …) of what the learner needs, with advantages and value targets."""
        kept: dict[str, list[Tensor]] = {}
        seats = self.games.seats
        for _ in range(self.config.rollout):
            look = self.games.look()
            privileged = torch.from_numpy(self.games.privileged())
            inputs = torch.from_numpy(look.inputs)
            actions, logprobs = self.act(look)
            with torch.no_grad():
                values = self.critic(inputs, privileged)
            rewards, dones, winners = self.games.play(actions.numpy())
            life = self.games.states[:, s.PLAYERS + s.LIFE :][:, : s.PLAYER * seats : s.PLAYER]
            gone = (life == s.OUT).reshape(-1) | np.repeat(dones != 0, seats)
            row = {
                "inputs": inputs,
                "privileged": privileged,
                "masks": torch.from_numpy(look.masks),
                "actions": actions,
                "logprobs": logprobs,
                "values": values,
                "rewards": torch.from_numpy(rewards),
                "gone": torch.from_numpy(gone),
                "use": torch.from_numpy(look.alive & self.mine),
            }
            for key, value in row.items():
                kept.setdefault(key, []).append(value)
            self._count(dones, winners)
        look = self.games.look()
        with torch.no_grad():
            bootstrap = self.critic(torch.from_numpy(look.inputs), torch.from_numpy(self.games.privileged()))
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
        flat = {key: value.flatten(0, 1)[use] for key, value in data.items() if key not in ("use", "gone")}
        warm = self.update < config.critic_updates
        sums: list[list[float]] = []
        for _ in range(config.epochs):
            for part in torch.from_numpy(self.rng.permutation(len(flat["actions"]))).split(config.minibatch):
                inputs, masks = flat["inputs"][part], flat["masks"][part]
                values = self.critic(inputs, flat["privileged"][part])
                value_loss = 0.5 * (values - flat["returns"][part]).square().sum(1).mean()
                loss, told = value_loss, [0.0] * 5
                if not warm:
                    logits, total = self.net(inputs)
                    logp = log_probs(logits, masks, HEADS)
                    logratio = chosen(logp, flat["actions"][part], HEADS) - flat["logprobs"][part]
                    ratio, advantage = logratio.exp(), flat["advantages"][part]
                    advantage = (advantage - advantage.mean()) / (advantage.std() + 1e-8)
                    clipped = ratio.clamp(1 - config.clip, 1 + config.clip)
                    policy_loss = -torch.minimum(ratio * advantage, clipped * advantage).mean()
                    entropy = -(logp.exp() * logp * (masks != 0)).sum(1).mean()
                    with torch.no_grad():
                        first = log_probs(self.first(inputs)[0], masks, HEADS)
                    apart = (first.exp() * (first - logp) * (masks != 0)).sum(1).mean()
                    # The agent's own value, for those who train on without the critic.
                    own = 0.05 * (total - flat["returns"][part].sum(1)).square().mean()
                    loss = loss + policy_loss - config.entropy * entropy + config.anchor * apart + own
                    kl = ((ratio - 1) - logratio).mean()
                    clipfrac = ((ratio - 1).abs() > config.clip).float().mean()
                    told = [x.item() for x in (policy_loss, entropy, apart, kl, clipfrac)]
                self.optimizer.zero_grad()
                loss.backward()
                nn.utils.clip_grad_norm_(self.net.parameters(), config.max_grad_norm)
                nn.utils.clip_grad_norm_(self.critic.parameters(), config.max_grad_norm)
                self.optimizer.step()
                sums.append([value_loss.item(), *told])
        names = ("value_loss", "policy_loss", "entropy", "from_first", "approx_kl", "clipfrac")
        return dict(zip(names, np.mean(sums, axis=0).tolist(), strict=True))

    def step(self) -> dict[str, float]:
        """One update: a rollout, and learning from it."""
        started = time.perf_counter()
        rate = self.config.lr * (1.0 - 0.9 * self.update / self.config.updates)
        for group in self.optimizer.param_groups:
            group["lr"] = rate * group["rate"]
        if self.update % self.config.keep_past == 0:
            twin = PolicyValueNet(self.games.inputs.size, self.net.hidden_sizes, sum(HEADS))
            twin.load_state_dict(self.net.state_dict())
            self.past.append(twin)
        data = self.collect()
        values = self.learn(data)
        self.update += 1
        self.rows += int(data["use"].sum())
        self.seconds += time.perf_counter() - started
        values["reward"] = float(data["rewards"].sum(-1)[data["use"]].mean())
        for ref, results in self.won.items():
            if results:
                values[f"won_against_{ref.rpartition('/')[2]}"] = float(np.mean(results))
        values["decisions_per_second"] = self.rows / self.seconds
        played = self.update * self.config.rollout * self.games.n * self.games.seats * self.games.ticks
        values["agent_steps_per_second"] = played / self.seconds
        return values

    def save(self, out: Path) -> None:
        """The checkpoint, with earlier selves; matches begin anew after a stop."""
        tensors = module_tensors("net", self.net) | module_tensors("critic", self.critic)
        tensors |= optimizer_tensors("adam", self.optimizer)
        for index, twin in enumerate(self.past):
            tensors |= module_tensors(f"past{index}", twin)
        meta = {
            "config": dataclasses.asdict(self.config),
            "update": self.update,
            "rows": self.rows,
            "seconds": self.seconds,
            "past": len(self.past),
            "random": random_state(self.rng),
        }
        save_checkpoint(out, tensors, meta)

    def resume(self, out: Path) -> bool:
        """Go on from the checkpoint in `out`, if any; raises BadConfig when it has other settings."""
        checkpoint = load_checkpoint(out)
        if checkpoint is None:
            return False
        if checkpoint.meta["config"] != dataclasses.asdict(self.config):
            raise BadConfig(f"The folder {out} holds a training with other settings; choose another folder.")
        load_module("net", self.net, checkpoint.tensors)
        load_module("critic", self.critic, checkpoint.tensors)
        load_optimizer("adam", self.optimizer, checkpoint.tensors)
        for index in range(checkpoint.meta["past"]):
            twin = PolicyValueNet(self.games.inputs.size, self.net.hidden_sizes, sum(HEADS))
            load_module(f"past{index}", twin, checkpoint.tensors)
            self.past.append(twin)
        load_random_state(self.rng, checkpoint.meta["random"])
        self.update, self.rows = checkpoint.meta["update"], checkpoint.meta["rows"]
        self.seconds = checkpoint.meta["seconds"]
        return True

    def write(self, folder: Path, evaluation: dict[str, Any]) -> dict[str, Any]:
        """Write the network as an agent; returns its card, which names other agents, not their folders."""
        config = dataclasses.replace(self.config, base=self.base.name)
        card = squad_card(config, self.games, "PPO in self-play from a clone", [self.base.name], evaluation)
        card["training"] = {
            "decisions": self.rows,
            "minutes": round(self.seconds / 60, 2),
            "threads": config.threads,
        }
        return write_agent(folder, {key: v.numpy() for key, v in self.net.state_dict().items()}, card)


def train(config: Settings, out: Path, reporter: Reporter) -> None:
    """Run the whole training, or the rest of it, in `out`."""
    training = Training(config)
    if training.resume(out):
        reporter.log(f"Going on after update {training.update} of {config.updates}.")
    while training.update < config.updates:
        if reporter.stopping:
            training.save(out)
            raise Stopped
        values = training.step()
        if training.update % CHECKPOINT_EVERY == 0 or training.update == config.updates:
            training.save(out)
            training.write(out / "agent", {})
        reporter.metrics(training.update, **values)
        reporter.progress(training.update, config.updates)
    card = training.write(out / "agent", {})
    won = {ref: float(np.mean(results)) for ref, results in training.won.items() if results}
    reporter.result(agent=str(out / "agent"), sha256=card["sha256"], won=won)


if __name__ == "__main__":
    sys.exit(run_program("squad_ppo", Settings, train))
