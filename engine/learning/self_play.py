"""PPO from scratch: self-play, partners for strangers, best responses.

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
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Annotated, Any

import numpy as np
import torch
from safetensors.torch import load_file
from torch import Tensor, nn

from engine import games
from engine.agents.acting import act_many
from engine.agents.catalogue import WEIGHTS, folder_of, load, write_agent
from engine.agents.features import READS
from engine.agents.network import PolicyValueNet, from_tensors, masked
from engine.agents.policy import Policy, check_fits
from engine.evaluation.self_play import play
from engine.learning import heads, shell
from engine.learning.proximal import Proximal, bf16
from engine.learning.reporting import BadConfig, run_program
from engine.learning.returns import gae
from engine.learning.rollouts import Collector, Rollout, View
from engine.learning.settings import Device, Norm, Range, Rate, Seed, Share, Threads, Weight, Widths

MAKES = "agent"
FITS = ("simultaneous",)
FOREMOST = ("steps", "envs", "lr", "shaping_steps")
SIZES = {
    "tiny": {"steps": 3200, "envs": 16, "rollout": 50, "evaluation_episodes": 2},
    "thorough": {"steps": 20_000_000},
}


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
    """which game"""
    options: dict[str, Any] = field(default_factory=dict)
    """the game's options, e.g. {"layout": "cramped_room"}"""
    base: str = ""
    """agent whose weights to begin with: ref or folder; empty: from scratch"""
    reads: str = "features"
    """what the network reads: "features", the game's own where it has any, or "observation", the canonical"""
    hidden: Widths = field(default_factory=lambda: [128, 128])
    """widths of the hidden layers"""
    steps: Annotated[int, Range(1, 1_000_000_000_000)] = 6_000_000
    """joint steps to play, in all"""
    envs: Annotated[int, Range(1, 16384)] = 128
    """games played at once"""
    rollout: Annotated[int, Range(1, 4096)] = 100
    """joint steps of each game between updates"""
    epochs: Annotated[int, Range(1, 100)] = 4
    """passes over each rollout"""
    minibatches: Annotated[int, Range(1, 1024)] = 12
    """parts of a pass, one gradient step each"""
    lr: Rate = 1e-3
    """Adam's learning rate, falling to a tenth along a line"""
    gamma: Share = 0.99
    """discount per tick"""
    gae_lambda: Share = 0.98
    """lambda of generalised advantages"""
    clip: Annotated[float, Range(0, 1, above=True)] = 0.2
    """how far the probability ratio counts"""
    entropy_start: Weight = 0.03
    """weight of the entropy bonus at the start"""
    entropy_end: Weight = 0.003
    """weight of the entropy bonus at the end"""
    value_weight: Weight = 0.5
    """weight of the squared error of the value"""
    max_grad_norm: Norm = 0.5
    """gradients are cut to this norm"""
    reward_scale: Annotated[float, Range(0, 1000, above=True)] = 0.1
    """points are multiplied by this, so that values stay near 1"""
    shaping_steps: Annotated[int, Range(0, 1_000_000_000_000)] = 3_000_000
    """joint steps over which the shaped reward fades to 0"""
    random_starts: Share = 0.5
    """share of the games that begin anywhere"""
    partners: list[str] = field(default_factory=list)
    """agents of a population: refs or folders"""
    partner_share: Share = 0.75
    """share of the games in which one of them plays one seat; the rest is self-play"""
    partner_greedy: bool = False
    """whether all of them take their best action, also those whose cards say that they draw"""
    keep: Annotated[list[float], Range(0, 1, above=True)] = field(default_factory=list)
    """shares of the steps after which the agent is also written to FOLDER/kept-<steps>"""
    evaluate_every: Annotated[int, Range(1, 1_000_000)] = 40
    """updates between evaluations"""
    evaluation_episodes: Annotated[int, Range(1, 100_000)] = 32
    """games of each evaluation, drawn from the policy"""
    bf16: bool = True
    """compute in bfloat16 where that is faster (weights stay float32)"""
    threads: Threads = 1
    """threads for torch"""
    device: Device = "auto"
    """where to compute: auto (a GPU where there is one), cpu, cuda, cuda:1"""
    seed: Seed = 1
    """seed of everything"""


class Training(shell.Training):
    """The state of one training: network, optimiser, games, partners."""

    in_teams = True

    def __init__(self, config: Settings, check: Callable[[], None] = shell.never) -> None:
        spec = games.spec(config.game)
        if config.reads not in READS:
            raise BadConfig(f"The setting 'reads' is {config.reads!r}; it must be {' or '.join(READS)}.")
        super().__init__(config, check)
        self.spec = spec
        self.options = spec.validate(config.options)
        self.seats = spec.seats(self.options)
        self.collectors = self._collectors()
        size = self.collectors[0].inputs.size
        self.base_name = ""
        if config.base:
            self.base_name = load(config.base, config.game, self.options).name
            self.net = from_tensors(load_file(folder_of(config.base, config.game) / WEIGHTS))
            if self.net.hidden[0].in_features != size:
                raise BadConfig(f"{config.base} was trained for other options than {config.options}.")
        else:
            self.net = PolicyValueNet(size, config.hidden, spec.num_actions(self.options))
            _begin_small(self.net)
        self.net.to(self.device)
        self.optimizer = torch.optim.Adam(self.net.parameters(), lr=config.lr, eps=1e-5)
        self.proximal = Proximal(
            self.forward,
            self.optimizer,
            spec.heads,
            config.clip,
            clip_values=True,
            value_weight=config.value_weight,
            max_grad_norm=config.max_grad_norm,
            team=self.team,
        )
        self.partners: list[Policy] = [load(ref, config.game, self.options) for ref in config.partners]
        for partner in self.partners:
            check_fits(partner, config.game, self.options)
        self.per_update = config.envs * config.rollout
        self.updates = max(1, math.ceil(config.steps / self.per_update))
        self.cast = [self._cast(collector) for collector in self.collectors]

    def _collectors(self) -> list[Collector]:
        config = self.config
        envs = self.team.share(config.envs, "games at once")
        starts = {"start": "random"} if "start" in self.spec.options else {}
        anywhere = round(config.random_starts * envs) if starts else 0
        parts = [(envs - anywhere, self.options), (anywhere, {**self.options, **starts})]
        return [
            Collector(config.game, options, n, self.seed * 1000 + index, 1, self.device, config.reads)
            for index, (n, options) in enumerate(parts)
            if n
        ]

    def _cast(self, collector: Collector) -> np.ndarray:
        """Who plays each seat of a collector's games, (n, seats): -1 the learner, else the index of a
        partner. The games are dealt out evenly, and every partner gets every seat.
        """
        n = collector.batch.n
        cast = np.full((n, self.seats), -1)
        if self.partners:
            given = round(self.config.partner_share * n)
            for game in range(given):
                seat = (game // len(self.partners)) % self.seats
                cast[game, seat] = game % len(self.partners)
        return cast

    def parts(self) -> dict[str, Any]:
        collectors = {f"games.{index}": one for index, one in enumerate(self.collectors)}
        return {"net": self.net, "adam": self.optimizer, **collectors}

    def forward(self, rows: dict[str, Tensor]) -> tuple[Tensor, Tensor]:
        with bf16(self.config.bf16, self.device):
            return self.net(rows["inputs"])

    @torch.no_grad()
    def outputs(self, inputs: Tensor) -> tuple[Tensor, Tensor]:
        """The network's logits (n, A), not masked, and values (n,)."""
        logits, values = self.forward({"inputs": inputs})
        return logits.float(), values.float()

    @torch.no_grad()
    def act(self, view: View, collector: Collector, cast: np.ndarray) -> dict[str, Tensor]:
        """Every row's action, drawn from the learner's policy or chosen by its partner."""
        parts, masks = self.spec.heads, self.on_device(view.masks)
        logits, values = self.outputs(view.inputs)
        logits = masked(logits, masks)
        actions = heads.draw(logits, self.rng, parts)
        players = cast[np.repeat(np.arange(len(cast)), collector.rows), view.seats]
        for index, partner in enumerate(self.partners):
            rows = np.flatnonzero(players == index)
            if len(rows):
                seen = view.states[rows], view.seats[rows], view.masks[rows]
                greedy = self.config.partner_greedy or None
                theirs = act_many(partner, *seen, self.rng, collector.world, greedy=greedy)
                actions[self.on_device(rows)] = self.on_device(np.array(theirs))
        logprobs = heads.chosen(heads.log_probs(logits, masks, parts), actions, parts)
        mine = self.on_device(players < 0)
        return {"actions": actions, "logprobs": logprobs, "values": values, "mine": mine}

    def advantages(self, rollout: Rollout) -> tuple[Tensor, Tensor]:
        """Advantages and value targets, (T, B), of score and shaping."""
        config = self.config
        fading = max(0.0, 1.0 - self.at() / config.shaping_steps) if config.shaping_steps > 0 else 0.0
        rewards = config.reward_scale * (rollout.rewards + fading * rollout.shaped)
        rewards = rollout.with_cut(rewards, config.gamma, lambda inputs: self.outputs(inputs)[1])
        bootstrap = self.outputs(rollout.last.inputs)[1]
        values = rollout.extras["values"]
        found = gae(rewards, values, rollout.discounts(config.gamma), bootstrap, config.gae_lambda)
        return found, found + values

    def learn(self, rollouts: list[Rollout]) -> dict[str, float]:
        """`epochs` passes over the learner's rows; returns what CleanRL measures, by its names."""
        config, part = self.config, self.update / self.updates
        entropy_weight = config.entropy_start + part * (config.entropy_end - config.entropy_start)
        gathered: dict[str, list[Tensor]] = {}
        for rollout in rollouts:
            advantages, returns = self.advantages(rollout)
            mine = rollout.extras["mine"].flatten()
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
                gathered.setdefault(key, []).append(value.flatten(0, 1)[mine])
        rows = {key: torch.cat(values) for key, values in gathered.items()}
        return self.proximal.learn(rows, config.epochs, config.minibatches, self.rng, entropy_weight)

    def collect(self) -> list[Rollout]:
        """A rollout of every collector, with the network as it is."""
        return [
            collector.collect(self.config.rollout, partial(self.act, collector=collector, cast=cast))
            for collector, cast in zip(self.collectors, self.cast, strict=True)
        ]

    def advance(self) -> dict[str, float]:
        """A rollout of every collector, and learning from them."""
        rollouts = self.collect()
        values = self.learn(rollouts)
        if rollouts[0].scores:
            values["training_score"] = float(np.mean(rollouts[0].scores))
        return values

    def rates(self) -> dict[str, float]:
        return {"steps_per_second": self.at() / self.seconds}

    def look(self, out: Path) -> dict[str, float]:
        """Keep the agent if it is to be a member of a population; self-play now and then."""
        config = self.config
        if self.update in {max(1, round(share * self.updates)) for share in config.keep}:
            kept = out / f"kept-{self.at()}"
            found = self.evaluate(kept, config.evaluation_episodes, config.seed)
            self.write(kept, {"sampled": found}, name=f"{config.name}-{self.at()}")
        if self.update % config.evaluate_every:
            return {}
        found = self.evaluate(out / "agent", config.evaluation_episodes, config.seed + self.update)
        return {"self_play": found["mean"]}

    def finish(self, out: Path) -> dict[str, Any]:
        """The agent in `out`/agent, and how well it plays."""
        config, folder = self.config, out / "agent"
        found = self.evaluate(folder, 4 * config.evaluation_episodes, config.seed)
        greedy = self.evaluate(folder, 1, config.seed, greedy=True)
        card = self.write(folder, {"sampled": found, "greedy": greedy})
        made = {"folder": str(folder), "sha256": card["sha256"]}
        return {**made, "self_play": found, "greedy": greedy["mean"]}

    def evaluate(self, folder: Path, episodes: int, seed: int, greedy: bool = False) -> dict[str, float]:
        """Return of self-play of the network as written to `folder`, in the game's own start."""
        self.write(folder, {})
        policy = load(str(folder.resolve()), self.config.game, self.options)
        scores = play([policy], self.config.game, self.options, episodes, seed, greedy=greedy)
        return {"mean": float(scores.mean()), "std": float(scores.std())}

    def write(self, folder: Path, evaluation: dict[str, Any], name: str = "") -> dict[str, Any]:
        """Write the network as an agent; returns its card, which names other agents, not their folders."""
        config = self.config
        partners = [partner.name for partner in self.partners]
        algorithm = "self-play PPO"
        if config.partners:
            algorithm = "PPO with a population (FCP)" if len(config.partners) > 1 else "PPO best response"
        named = config.options
        if self.spec.variant is not None:  # the network plays this one, however long
            named = {key: self.options[key] for key in ("layout", "dynamics")}
        card = {
            "name": name or config.name,
            "title": config.title or config.name,
            "kind": "network",
            "game": config.game,
            "algorithm": algorithm,
            "description": config.description or "Learned by playing.",
            "parents": [self.base_name] if self.base_name else [],
            "players": [self.seats],
            "options": named,
            "rules_version": self.spec.rules_version,
            "reads": config.reads,
            "features_version": self.collectors[0].inputs.version,
            "hyperparameters": {
                **dataclasses.asdict(config),
                "base": self.base_name,
                "partners": partners,
            },
            "command": config.command,
            "training": {
                "joint_steps": self.at(),
                "minutes": round(self.seconds / 60, 2),
                "threads": config.threads,
            },
            "acts": "sampled",
            "instructions": "Adds the prior of an instruction to its logits, from its next tick on.",
            "evaluation": evaluation,
        }
        return write_agent(folder, shell.weights(self.net), card)


def _begin_small(net: PolicyValueNet) -> None:
    """Orthogonal weights, and a policy that begins close to uniform."""
    layers = [(layer, math.sqrt(2)) for layer in net.hidden] + [(net.policy, 0.01), (net.value, 1.0)]
    for layer, gain in layers:
        if isinstance(layer, nn.Linear):
            nn.init.orthogonal_(layer.weight, gain)
            nn.init.zeros_(layer.bias)


train = partial(shell.run, Training)

if __name__ == "__main__":
    sys.exit(run_program("self_play", Settings, train))
