"""PPO from scratch in games where all move at once: self-play, partners for strangers, best responses.

PPO (Schulman et al. 2017) with one policy for all seats, shaped rewards that fade out, and no memory. With
`partners` (a population as in FCP, Strouse et al. 2021: other seeds at several strengths) one seat of a share
of the games is played by one of them; with a single partner in every game the result is that partner's best
response. `random_starts` begins a share of the games anywhere (the lesson of OvercookedV2, Gessler et al.
2025). `keep` writes agents on the way, which makes a run a member of a population.

    python -m engine.learning.self_play --config FILE --out FOLDER

leaves an agent in FOLDER/agent, and those on the way in FOLDER/kept-<steps>. Not for going on with a reward
model or from marks (engine.learning.ppo).
"""

from __future__ import annotations

import dataclasses
import math
import sys
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import torch
from safetensors.torch import load_file
from torch import Tensor, nn

from engine import games
from engine.agents.catalogue import WEIGHTS, folder_of, load, write_agent
from engine.agents.network import PolicyValueNet, from_tensors, masked
from engine.agents.policy import Policy, check_fits, choose
from engine.evaluation.self_play import play
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
from engine.learning.reporting import BadConfig, Reporter, Stopped, run_program
from engine.learning.returns import gae
from engine.learning.rollouts import Collector, Rollout, View

CHECKPOINT_EVERY = 20  # updates


@dataclass(frozen=True)
class Settings:
    name: str = "self_play"
    """name of the agent on its card"""
    title: str = ""
    """name for people; empty: the name"""
    description: str = ""
    """one line about its character for people"""
    command: str = "python -m engine.learning.self_play --config FILE --out FOLDER"
    """the command that makes this agent, for its card"""
    game: str = "overcooked"
    """which game; one where all move at once"""
    options: dict[str, Any] = field(default_factory=dict)
    """the game's options, e.g. {"layout": "cramped_room"}"""
    base: str = ""
    """agent whose weights to begin with: ref or folder; empty: from scratch"""
    hidden: list[int] = field(default_factory=lambda: [128, 128])
    """widths of the hidden layers"""
    steps: int = 6_000_000
    """joint steps to play, in all"""
    envs: int = 128
    """games played at once"""
    rollout: int = 100
    """joint steps of each game between updates"""
    epochs: int = 4
    """passes over each rollout"""
    minibatches: int = 12
    """parts of a pass, one gradient step each"""
    lr: float = 1e-3
    """Adam's learning rate, falling to a tenth along a line"""
    gamma: float = 0.99
    """discount per tick"""
    gae_lambda: float = 0.98
    """lambda of generalised advantages"""
    clip: float = 0.2
    """how far the probability ratio counts"""
    entropy_start: float = 0.03
    """weight of the entropy bonus at the start"""
    entropy_end: float = 0.003
    """weight of the entropy bonus at the end"""
    value_weight: float = 0.5
    """weight of the squared error of the value"""
    max_grad_norm: float = 0.5
    """gradients are cut to this norm"""
    reward_scale: float = 0.1
    """points are multiplied by this, so that values stay near 1"""
    shaping_steps: int = 3_000_000
    """joint steps over which the shaped reward fades to 0"""
    random_starts: float = 0.5
    """share of the games that begin anywhere"""
    partners: list[str] = field(default_factory=list)
    """agents of a population: refs or folders"""
    partner_share: float = 0.75
    """share of the games in which one of them plays one seat; the rest is self-play"""
    partner_greedy: bool = False
    """whether networks among them take their best action instead of drawing one; scripted cooks always do"""
    keep: list[float] = field(default_factory=list)
    """shares of the steps after which the agent is also written to FOLDER/kept-<steps>"""
    evaluate_every: int = 40
    """updates between evaluations"""
    evaluation_episodes: int = 32
    """games of each evaluation, drawn from the policy"""
    threads: int = 1
    """threads for torch"""
    seed: int = 1
    """seed of everything"""

    def __post_init__(self) -> None:
        for name in (
            "steps",
            "envs",
            "rollout",
            "epochs",
            "minibatches",
            "evaluate_every",
            "evaluation_episodes",
        ):
            if getattr(self, name) < 1:
                raise BadConfig(f"The setting {name!r} must be at least 1, but is {getattr(self, name)}.")
        for name in ("random_starts", "partner_share"):
            if not 0 <= getattr(self, name) <= 1:
                raise BadConfig(f"The setting {name!r} is from 0 to 1, but is {getattr(self, name)}.")


class Training:
    """The state of one training: network, optimiser, games, partners, counters."""

    def __init__(self, config: Settings) -> None:
        spec = games.spec(config.game)
        if spec.turn_based:
            raise BadConfig(f"{spec.title} is played in turns; this trains for games where all move at once.")
        torch.set_num_threads(config.threads)
        torch.manual_seed(config.seed)
        self.config, self.spec = config, spec
        self.options = spec.validate(config.options)
        self.seats = spec.seats(self.options)
        self.collectors = self._collectors()
        size = self.collectors[0].inputs.size
        self.base_name = ""
        if config.base:
            self.base_name = load(config.base, config.game, self.options).name
            self.net = from_tensors(load_file(folder_of(config.base, config.game) / WEIGHTS))
            if self.net.hidden[0].in_features != size:
                raise BadConfig(f"{config.base} was trained for another kitchen than {config.options}.")
        else:
            self.net = PolicyValueNet(size, config.hidden, spec.num_actions(self.options))
            _begin_small(self.net)
        self.optimizer = torch.optim.Adam(self.net.parameters(), lr=config.lr, eps=1e-5)
        self.rng = np.random.default_rng(config.seed)
        self.partners: list[Policy] = [load(ref, config.game, self.options) for ref in config.partners]
        for partner in self.partners:
            check_fits(partner, config.game, self.options)
        self.update = 0
        self.updates = max(1, math.ceil(config.steps / (config.envs * config.rollout)))
        self.seconds = 0.0
        self.cast = [self._cast(collector) for collector in self.collectors]

    def _collectors(self) -> list[Collector]:
        config = self.config
        anywhere = round(config.random_starts * config.envs)
        parts = [(config.envs - anywhere, "fixed"), (anywhere, "random")]
        return [
            Collector(config.game, {**self.options, "start": start}, n, config.seed * 1000 + index)
            for index, (n, start) in enumerate(parts)
            if n
        ]

    def _cast(self, collector: Collector) -> np.ndarray:
        """Who plays each row of a collector: -1 the learner, else the index of a partner. The games of a
        rollout are dealt out evenly, and every partner gets every seat.
        """
        n = collector.batch.n
        cast = np.full((n, self.seats), -1)
        if self.partners:
            given = round(self.config.partner_share * n)
            for game in range(given):
                seat = (game // len(self.partners)) % self.seats
                cast[game, seat] = game % len(self.partners)
        return cast.reshape(-1)

    @property
    def done(self) -> int:
        """Joint steps played."""
        return self.update * self.config.envs * self.config.rollout

    @torch.no_grad()
    def act(self, view: View, cast: np.ndarray) -> dict[str, Tensor]:
        """Every row's action, drawn from the learner's policy or chosen by its partner."""
        logits, values = self.net(view.inputs)
        logits = masked(logits, torch.from_numpy(view.masks))
        noise = self.rng.gumbel(size=tuple(logits.shape)).astype(np.float32)
        actions = (logits + torch.from_numpy(noise)).argmax(1)
        for index, partner in enumerate(self.partners):
            rows = np.flatnonzero(cast == index)
            if len(rows):
                theirs = partner.logits_many(view.states[rows], view.seats[rows], view.masks[rows])
                best = self.config.partner_greedy or partner.card.get("kind") == "scripted"
                chosen = choose(theirs, greedy=best, rng=self.rng)
                actions[torch.from_numpy(rows)] = torch.tensor(chosen)
        logprobs = logits.log_softmax(1).gather(1, actions[:, None]).squeeze(1)
        return {"actions": actions, "logprobs": logprobs, "values": values}

    def advantages(self, rollout: Rollout) -> tuple[Tensor, Tensor]:
        """Advantages and value targets, (T, B), of score and shaping."""
        config = self.config
        fading = max(0.0, 1.0 - self.done / config.shaping_steps) if config.shaping_steps > 0 else 0.0
        rewards = config.reward_scale * (rollout.rewards + fading * rollout.shaped)
        with torch.no_grad():
            bootstrap = self.net(rollout.last.inputs)[1]
        values = rollout.extras["values"]
        found = gae(rewards, values, rollout.discounts(config.gamma), bootstrap, config.gae_lambda)
        return found, found + values

    def learn(self, rollouts: list[Rollout]) -> dict[str, float]:
        """`epochs` passes over the learner's rows; returns what CleanRL measures, by its names."""
        config, part = self.config, self.update / self.updates
        entropy_weight = config.entropy_start + part * (config.entropy_end - config.entropy_start)
        gathered: dict[str, list[Tensor]] = {}
        for rollout, cast in zip(rollouts, self.cast, strict=True):
            advantages, returns = self.advantages(rollout)
            mine = torch.from_numpy(np.flatnonzero(cast < 0))
            row = {
                "inputs": rollout.inputs,
                "masks": rollout.masks,
                "actions": rollout.actions,
                "logprobs": rollout.extras["logprobs"],
                "values": rollout.extras["values"],
                "advantages": advantages,
                "returns": returns,
            }
            for key, value in row.items():
                gathered.setdefault(key, []).append(value[:, mine].flatten(0, 1))
        data = {key: torch.cat(values) for key, values in gathered.items()}
        sums: list[list[float]] = []
        for _ in range(config.epochs):
            order = torch.from_numpy(self.rng.permutation(len(data["actions"])))
            for chosen in order.chunk(config.minibatches):
                logits, values = self.net(data["inputs"][chosen])
                logp = masked(logits, data["masks"][chosen]).log_softmax(1)
                logratio = logp.gather(1, data["actions"][chosen, None]).squeeze(1) - data["logprobs"][chosen]
                ratio, advantage = logratio.exp(), data["advantages"][chosen]
                advantage = (advantage - advantage.mean()) / (advantage.std() + 1e-8)
                clipped = ratio.clamp(1 - config.clip, 1 + config.clip)
                policy_loss = -torch.minimum(ratio * advantage, clipped * advantage).mean()
                old, target = data["values"][chosen], data["returns"][chosen]
                near = old + (values - old).clamp(-config.clip, config.clip)
                value_loss = 0.5 * torch.maximum((values - target).square(), (near - target).square()).mean()
                entropy = -(logp.exp() * logp).sum(1).mean()
                loss = policy_loss + config.value_weight * value_loss - entropy_weight * entropy
                self.optimizer.zero_grad()
                loss.backward()
                nn.utils.clip_grad_norm_(self.net.parameters(), config.max_grad_norm)
                self.optimizer.step()
                with torch.no_grad():
                    kl = ((ratio - 1) - logratio).mean()
                    clipfrac = ((ratio - 1).abs() > config.clip).float().mean()
                sums.append([x.item() for x in (policy_loss, value_loss, entropy, kl, clipfrac)])
        means = np.mean(sums, axis=0).tolist()
        names = ("policy_loss", "value_loss", "entropy", "approx_kl", "clipfrac")
        return dict(zip(names, means, strict=True))

    def collect(self) -> list[Rollout]:
        """A rollout of every collector, with the network as it is."""
        return [
            collector.collect(self.config.rollout, lambda view, cast=cast: self.act(view, cast))
            for collector, cast in zip(self.collectors, self.cast, strict=True)
        ]

    def step(self) -> dict[str, float]:
        """One update: a rollout of every collector, and learning from them."""
        started = time.perf_counter()
        for group in self.optimizer.param_groups:
            group["lr"] = self.config.lr * (1.0 - 0.9 * self.update / self.updates)
        rollouts = self.collect()
        values = self.learn(rollouts)
        self.update += 1
        self.seconds += time.perf_counter() - started
        if rollouts[0].scores:
            values["training_score"] = float(np.mean(rollouts[0].scores))
        values["steps_per_second"] = self.done / self.seconds
        return values

    def evaluate(self, folder: Path, episodes: int, seed: int, greedy: bool = False) -> dict[str, float]:
        """Return of self-play of the network as written to `folder`, in the layout's own start."""
        self.write(folder, {})
        policy = load(str(folder.resolve()), self.config.game, self.options)
        scores = play([policy], self.config.game, self.options, episodes, seed, greedy=greedy)
        return {"mean": float(scores.mean()), "std": float(scores.std())}

    def save(self, out: Path) -> None:
        tensors = module_tensors("net", self.net) | optimizer_tensors("adam", self.optimizer)
        for index, collector in enumerate(self.collectors):
            tensors |= {f"games.{index}.{key}": value for key, value in collector.tensors().items()}
        meta = {
            "config": dataclasses.asdict(self.config),
            "update": self.update,
            "seconds": self.seconds,
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
        load_optimizer("adam", self.optimizer, checkpoint.tensors)
        for index, collector in enumerate(self.collectors):
            head = f"games.{index}."
            own = {key.removeprefix(head): v for key, v in checkpoint.tensors.items() if key.startswith(head)}
            collector.restore(own)
        load_random_state(self.rng, checkpoint.meta["random"])
        self.update, self.seconds = checkpoint.meta["update"], checkpoint.meta["seconds"]
        return True

    def write(self, folder: Path, evaluation: dict[str, Any], name: str = "") -> dict[str, Any]:
        """Write the network as an agent; returns its card, which names other agents, not their folders."""
        config = self.config
        partners = [partner.name for partner in self.partners]
        algorithm = "self-play PPO"
        if config.partners:
            algorithm = "PPO with a population (FCP)" if len(config.partners) > 1 else "PPO best response"
        card = {
            "name": name or config.name,
            "title": config.title or config.name,
            "kind": "network",
            "game": config.game,
            "algorithm": algorithm,
            "description": config.description or "Learned by playing.",
            "parents": [self.base_name] if self.base_name else [],
            "players": [self.seats],
            "options": {key: self.options[key] for key in ("layout", "dynamics") if key in self.options},
            "rules_version": self.spec.rules_version,
            "features_version": self.collectors[0].inputs.version,
            "hyperparameters": {
                **dataclasses.asdict(config),
                "base": self.base_name,
                "partners": partners,
            },
            "command": config.command,
            "training": {
                "joint_steps": self.done,
                "minutes": round(self.seconds / 60, 2),
                "threads": config.threads,
            },
            "acts": "sampled",
            "instructions": "Adds the prior of an instruction to its logits, from its next tick on.",
            "evaluation": evaluation,
        }
        tensors = {key: value.numpy() for key, value in self.net.state_dict().items()}
        return write_agent(folder, tensors, card)


def _begin_small(net: PolicyValueNet) -> None:
    """Orthogonal weights, and a policy that begins close to uniform."""
    layers = [(layer, math.sqrt(2)) for layer in net.hidden] + [(net.policy, 0.01), (net.value, 1.0)]
    for layer, gain in layers:
        if isinstance(layer, nn.Linear):
            nn.init.orthogonal_(layer.weight, gain)
            nn.init.zeros_(layer.bias)


def train(config: Settings, out: Path, reporter: Reporter) -> None:
    """Run the whole training, or the rest of it, in `out`."""
    training = Training(config)
    if training.resume(out):
        reporter.log(f"Going on after update {training.update} of {training.updates}.")
    marks = sorted({max(1, round(share * training.updates)) for share in config.keep})
    while training.update < training.updates:
        if reporter.stopping:
            training.save(out)
            raise Stopped
        values = training.step()
        if training.update in marks:
            kept = out / f"kept-{training.done}"
            found = training.evaluate(kept, config.evaluation_episodes, config.seed)
            training.write(kept, {"sampled": found}, name=f"{config.name}-{training.done}")
        if training.update % CHECKPOINT_EVERY == 0 or training.update == training.updates:
            training.save(out)
        if training.update % config.evaluate_every == 0:
            values["self_play"] = training.evaluate(
                out / "agent", config.evaluation_episodes, config.seed + training.update
            )["mean"]
        reporter.metrics(training.done, **values)
        reporter.progress(training.done, training.updates * config.envs * config.rollout)
    found = training.evaluate(out / "agent", 4 * config.evaluation_episodes, config.seed)
    greedy = training.evaluate(out / "agent", 1, config.seed, greedy=True)
    card = training.write(out / "agent", {"sampled": found, "greedy": greedy})
    reporter.result(agent=str(out / "agent"), sha256=card["sha256"], self_play=found, greedy=greedy["mean"])


if __name__ == "__main__":
    sys.exit(run_program("self_play", Settings, train))
