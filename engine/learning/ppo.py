"""PPO in self-play, from a base agent, on the game's score and a reward model's U, kept close to the base.

Sources: PPO (Schulman et al. 2017); reward r_t = U(x_t+1) - U(x_t) (IBT paper, eq. 2); the pull towards an
instruction's prior (instructRL paper, section 4, instructPPO). One policy plays all seats; the moves of a
game are one trajectory, which earns what the seats' U gained on the mean; where all move at once, each seat's
are one, and earn what its own gained. The result is never far from the base (a penalty on
KL(policy || base), steered to `target_kl`), and never much worse: of the policies evaluated on the way, the
base among them, the best is written.

    python -m engine.learning.ppo --config FILE --out FOLDER

leaves an agent in FOLDER/agent. Not for starting from nothing (engine.learning.clone, self_play).
"""

from __future__ import annotations

import dataclasses
import math
import sys
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Annotated, Any

import numpy as np
import torch
from safetensors.torch import load_file
from torch import Tensor

from engine import games, language
from engine.agents import utility
from engine.agents.acting import manner
from engine.agents.catalogue import WEIGHTS, folder_of, load, write_agent
from engine.agents.features import FEATURES, reward_inputs_for
from engine.agents.network import PolicyValueNet, from_tensors, masked
from engine.agents.policy import NetworkPolicy
from engine.agents.utility import OnlineUtility
from engine.evaluation.reward_return import fair_options, play_rewarded
from engine.learning import heads, shell
from engine.learning.proximal import Proximal, Pull, bf16
from engine.learning.reporting import BadConfig, Reporter, run_program
from engine.learning.returns import gae
from engine.learning.rollouts import Collector, Rollout, View
from engine.learning.settings import Device, Norm, Range, Rate, Seed, Share, Threads, Weight
from engine.learning.sides import against, round_options, sides_of
from engine.simulation.simulation import Simulation

MAKES = "agent"
SLOWLY = 0.9  # how much the spreads by which U is scaled keep of themselves at each rollout
USUAL = True
FOREMOST = ("moves", "utility_weight", "score_weight", "target_kl", "lr", "instruction")
SIZES = {
    "tiny": {"moves": 4096, "envs": 32, "steps": 32, "evaluation_games": 32},
    "thorough": {"moves": 2_000_000, "envs": 256, "evaluation_games": 1000},
}


@dataclass(frozen=True)
class Settings:
    base: str
    """the agent to go on from (a network): ref or folder"""
    game: str = "hanabi"
    """which game; its options are those that the base was trained for"""
    reward_model: str = ""
    """folder of a reward model; empty: the game's score alone"""
    name: str = "candidate"
    """name of the agent that comes out"""
    moves: Annotated[int, Range(1, 1_000_000_000)] = 200_000
    """moves to play, in all; joint steps where all move at once"""
    envs: Annotated[int, Range(1, 4096)] = 128
    """games played at once"""
    steps: Annotated[int, Range(1, 4096)] = 64
    """moves of each game between updates"""
    epochs: Annotated[int, Range(1, 100)] = 2
    """passes over each rollout"""
    minibatches: Annotated[int, Range(1, 1024)] = 8
    """parts of a pass, one gradient step each"""
    lr: Rate = 3e-4
    """Adam's learning rate, falling to 0"""
    gamma: Share = 0.99
    """discount per move"""
    gae_lambda: Share = 0.95
    """lambda of generalised advantages"""
    clip: Annotated[float, Range(0, 1, above=True)] = 0.2
    """how far the probability ratio counts"""
    entropy_weight: Weight = 0.003
    """weight of the entropy bonus"""
    value_weight: Weight = 0.02
    """weight of the squared error of the value, in points"""
    max_grad_norm: Norm = 0.5
    """gradients are cut to this norm"""
    value_warmup: Annotated[int, Range(0, 1_000_000)] = 2
    """first updates that train the value alone, so that a base with a poor value is not spoiled"""
    target_kl: Annotated[float, Range(0, 100, above=True)] = 0.05
    """KL(policy || base) per move, in nats, that the penalty steers to"""
    kl_weight: Weight = 1.0
    """weight of that penalty at the start"""
    score_weight: Weight = 1.0
    """weight of the game's score in the reward"""
    utility_weight: Weight = 0.5
    """weight of the reward model; its gains are scaled to the spread of the score's first"""
    base_partner: Share = 0.25
    """share of games in which the frozen base plays one seat"""
    instruction: str = ""
    """an instruction that the agent learns to follow; empty: none"""
    instruction_weight: Weight = 0.05
    """weight of KL(policy || the instruction's prior) (lambda of instructPPO)"""
    evaluate_every: Annotated[int, Range(1, 1_000_000)] = 4
    """updates between evaluations"""
    evaluation_games: Annotated[int, Range(1, 100_000)] = 256
    """games of each evaluation, always the same deals"""
    allowed_drop: Annotated[float, Range(0, 1_000_000)] = 0.3
    """points below the base's score from which on a policy is not written, whatever its utility"""
    bf16: bool = True
    """compute in bfloat16 where that is faster (weights stay float32)"""
    threads: Threads = 1
    """threads for torch and for the compiled encoders"""
    device: Device = "auto"
    """where to compute: auto (a GPU where there is one), cpu, cuda, cuda:1"""
    seed: Seed = 0
    """seed of deals and sampling"""


class Ppo(shell.Training):
    """The state of one training: networks, optimiser, games, and what evaluation has found so far. Games in
    progress go on after a stop; the reward model looks at them as if they began there.
    """

    stops_within = in_teams = True
    checkpoint_every = 1
    counters = ("kl_weight", "spreads", "found")

    def __init__(self, config: Settings, check: Callable[[], None] = shell.never) -> None:
        policy = load(config.base, config.game)
        if not isinstance(policy, NetworkPolicy):
            raise BadConfig(f"{config.base} is a scripted bot; PPO goes on from a network.")
        self.program = None
        if config.instruction:
            reading = language.read(config.game, config.instruction)
            if reading.refused:
                raise BadConfig(f"The instruction can't be followed: {reading.sentence}")
            self.program = reading.program
        super().__init__(config, check)
        tensors = load_file(folder_of(config.base, config.game) / WEIGHTS)
        self.base_policy = policy
        self.net, self.base, self.best = (from_tensors(tensors).to(self.device) for _ in range(3))
        self.unit = value_unit(policy.card)
        self.optimizer = torch.optim.Adam(self.net.parameters(), lr=config.lr, eps=1e-5)
        self.proximal = Proximal(
            self.forward,
            self.optimizer,
            games.spec(config.game).heads,
            config.clip,
            value_weight=config.value_weight,
            max_grad_norm=config.max_grad_norm,
            value_parameters=list(self.net.value.parameters()),
            team=self.team,
            check=check,
        )
        spec = games.spec(config.game)
        if self.program is not None and spec.goal_size:
            raise BadConfig("Instructions are goals in this game, and rounds don't teach those yet.")
        self.options = round_options(config.game, policy.card)
        self.seats = spec.seats(self.options)
        self.sides = np.array(sides_of(config.game, self.options))
        self.collector = Collector(
            config.game,
            self.options,
            self.team.share(config.envs, "games at once"),
            self.seed,
            config.threads,
            self.device,
            policy.card.get("reads", FEATURES),
        )
        envs = self.collector.batch.n
        self.told = language.features(config.game, self.program)
        self.reward_model = utility.load(Path(config.reward_model)) if config.reward_model else None
        if self.reward_model is not None:
            self.reward_model.to(self.device)
        self.ended = np.ones(envs, bool)  # games that began anew since the last move
        self.given = np.zeros((envs, self.seats), bool)  # seats that the base plays in each game
        self.sims: list[Simulation] = []  # one a game beside the batch, if told something
        self.utility: OnlineUtility | None = None
        if self.reward_model is not None:
            inputs = reward_inputs_for(config.game, self.options)
            if self.reward_model.sizes["observation_size"] != inputs.size:
                raise BadConfig("The reward model was trained on games with other options than the base's.")
            self.utility = OnlineUtility(
                self.reward_model, inputs, envs, self.seats, self.told, self.collector.world
            )
        self.per_update = config.envs * config.steps
        self.updates = max(1, config.moves // self.per_update)
        self.kl_weight = config.kl_weight
        self.spreads: dict[str, float] = {}  # running variances of the score's and of U's gains
        self.found: dict[str, dict[str, float]] = {}  # evaluation of the base and of the best so far

    def parts(self) -> dict[str, Any]:
        return {"net": self.net, "best": self.best, "adam": self.optimizer, "games": self.collector}

    def rate(self, done: float) -> float:
        return 1.0 - done

    def forward(self, rows: dict[str, Tensor]) -> tuple[Tensor, Tensor]:
        with bf16(self.config.bf16, self.device):
            return self.net(rows["inputs"])

    @torch.no_grad()
    def act(self, view: View) -> dict[str, Tensor]:
        """A move for every row: the learner's, or the base's in the seats that it plays."""
        self.check()
        batch = self.collector.batch
        began = np.flatnonzero(self.ended)
        seats = self.rng.integers(self.seats, size=len(began))
        given = self.rng.random(len(began)) < self.config.base_partner
        # One seat; where sides play against each other, the whole side.
        theirs = (
            self.sides == self.sides[seats][:, None] if self.sides.any() else np.eye(self.seats)[seats] > 0
        )
        self.given[began] = theirs & given[:, None]
        if self.utility is not None:
            self.utility.begin(batch.states[began], began)
        if self.program is not None:
            self.begin(began)
        masks = self.on_device(view.masks)
        logits, values = self.outputs(self.net, view.inputs)
        logits = masked(logits, masks)
        games_of = np.repeat(np.arange(batch.n), self.collector.rows)
        mine = self.on_device(~self.given[games_of, view.seats])
        behaviour = torch.where(mine[:, None], logits, masked(self.outputs(self.base, view.inputs)[0], masks))
        parts = self.collector.spec.heads
        actions = heads.draw(behaviour, self.rng, parts)
        acted = {
            "actions": actions,
            "logprobs": heads.chosen(heads.log_probs(logits, masks, parts), actions, parts),
            "values": values,
            "mine": mine,
        }
        if self.program is not None:
            acted["priors"] = self.on_device(self.priors(view))
        return acted

    def follow(self, reached: np.ndarray, ended: np.ndarray) -> dict[str, Tensor]:
        """What a step added to U by row: of the row's seat where all move at once, else the mean over the
        learner's seats, whoever moved, so that a game's gains are U(T) - U(0). The base's seats earn none.
        """
        self.ended = ended
        for sim, state in zip(self.sims, reached, strict=bool(self.sims)):
            sim.follow(state)
        gains = np.zeros(self.given.shape)
        if self.utility is not None:
            gains = self.utility.add(reached, np.arange(len(reached))) * ~self.given
        if self.collector.spec.turn_based:
            gains = gains.sum(1) / np.maximum(1, (~self.given).sum(1))
        return {"gains": self.on_device(gains.astype(np.float32).reshape(-1))}

    def collect(self, steps: int) -> Rollout:
        """The next `steps` moves of every game, with the network as it is."""
        return self.collector.collect(steps, self.act, self.follow)

    def priors(self, view: View) -> np.ndarray:
        """The instruction's prior for every row, (B, A)."""
        out = np.zeros(view.masks.shape, np.float32)
        for i, seat in enumerate(view.seats):
            sim = self.sims[i // self.collector.rows]
            out[i] = language.prior(self.config.game, self.program or {}, sim, int(seat))
        return out

    def begin(self, rows: np.ndarray) -> None:
        """Games `rows` of the batch begin: an instruction looks at what happens from here on."""
        states = self.collector.batch.states
        self.sims = self.sims or [Simulation.at(self.config.game, self.options, state) for state in states]
        for row in rows:
            self.sims[row] = Simulation.at(self.config.game, self.options, states[row])

    def rewards(self, rollout: Rollout) -> Tensor:
        """(T, B): the score's change, and what U gained, in the value's unit; where time was up, with what
        would have come.
        """
        gains = rollout.extras["gains"]
        for name, found in (("score", rollout.rewards), ("utility", gains)):
            now = self.team.moments(found)[1] ** 2
            self.spreads[name] = SLOWLY * self.spreads.get(name, now) + (1 - SLOWLY) * now
        points = self.config.score_weight * rollout.rewards + self.config.utility_weight * self.scale * gains
        rewards = self.unit * points
        return rollout.with_cut(rewards, self.config.gamma, lambda inputs: self.outputs(self.net, inputs)[1])

    @property
    def scale(self) -> float:
        """Points that one unit of U is worth: so many that its gains spread as the score's do, or, as long as
        nothing is scored, by one in the value's unit.
        """
        score, utility = self.spreads.get("score", 0.0), self.spreads.get("utility", 0.0)
        points = math.sqrt(score) if score > 0 else 1 / self.unit
        return points / math.sqrt(utility) if utility > 0 else 0.0

    def learn(self, rollout: Rollout, warming_up: bool) -> dict[str, float]:
        """`epochs` passes over the learner's moves of a rollout; returns what CleanRL measures, by its names,
        and the KL to the base.
        """
        config, extras = self.config, rollout.extras
        bootstrap = self.outputs(self.net, rollout.last.inputs)[1]
        rewards, discounts = self.rewards(rollout), rollout.discounts(config.gamma)
        advantages = gae(rewards, extras["values"], discounts, bootstrap, config.gae_lambda)
        mine = extras["mine"].flatten()
        columns = {
            "inputs": rollout.inputs,
            "masks": rollout.masks,
            "actions": rollout.actions,
            "logprobs": extras["logprobs"],
            "advantages": advantages,
            "returns": advantages + extras["values"],
        }
        rows = {key: value.flatten(0, 1)[mine] for key, value in columns.items()}
        rows["base_kl"] = self.base_log_probs(rows)
        pulls = [Pull("base_kl", self.kl_weight)]
        if self.program is not None:
            prior = masked(extras["priors"].flatten(0, 1)[mine], rows["masks"])
            rows["prior_kl"] = prior.log_softmax(1)
            pulls.append(Pull("prior_kl", config.instruction_weight))  # instructPPO
        how = (config.entropy_weight, tuple(pulls), warming_up, config.target_kl)
        found = self.proximal.learn(rows, config.epochs, config.minibatches, self.rng, *how)
        return found | {"gains": extras["gains"].mean().item()}

    @torch.no_grad()
    def outputs(self, net: PolicyValueNet, inputs: Tensor) -> tuple[Tensor, Tensor]:
        """A network's logits (n, A), not masked, and values (n,)."""
        with bf16(self.config.bf16, self.device):
            logits, values = net(inputs)
        return logits.float(), values.float()

    def base_log_probs(self, rows: dict[str, Tensor]) -> Tensor:
        """(n, A) of the base: once a rollout, not in each pass."""
        parts = zip(rows["inputs"].split(4096), rows["masks"].split(4096), strict=True)
        heads_of = self.collector.spec.heads
        return torch.cat([heads.log_probs(self.outputs(self.base, x)[0], m, heads_of) for x, m in parts])

    def advance(self) -> dict[str, float]:
        """A rollout, learning from it, and steering the penalty."""
        warming_up = self.update < min(self.config.value_warmup, self.updates - 1)
        rollout = self.collect(self.config.steps)
        values = self.learn(rollout, warming_up)
        if not warming_up:
            self.kl_weight = steered(self.kl_weight, values["base_kl"], self.config.target_kl)
        if rollout.scores:
            values["training_score"] = float(np.mean(rollout.scores))
        return values | {"kl_weight": self.kl_weight}

    def evaluate(self, net: PolicyValueNet) -> dict[str, float]:
        """Mean score and mean gain of U per seat and game on deals kept for evaluation, acting as it will in
        live play: in self-play, or against the base where sides play against each other.
        """
        policy = self.as_policy(net)
        played = play_rewarded(
            against(self.config.game, self.options, policy, self.base_policy),
            self.config.game,
            fair_options(self.config.game, self.options, [policy]),
            self.config.evaluation_games,
            seed=self.config.seed + 10_000,
            reward_model=self.reward_model,
            instruction=self.told,
            check=self.check,
        )
        own = self.sides == 0
        return {"score": float(played.scores.mean()), "utility": float(played.utilities[:, own].mean())}

    def consider(self, seen: dict[str, float]) -> None:
        """Keep the network as the best if it is: by what it is trained on, unless its score fell too far."""
        if seen["score"] >= self.found["base"]["score"] - self.config.allowed_drop:
            if self.objective(seen) > self.objective(self.found["best"]):
                self.found["best"] = seen
                self.best.load_state_dict(self.net.state_dict())

    def objective(self, seen: dict[str, float]) -> float:
        """The reward of a whole game: what policies are ranked by."""
        utility = self.config.utility_weight * self.scale * seen["utility"]
        return self.config.score_weight * seen["score"] + utility

    def as_policy(self, net: PolicyValueNet) -> NetworkPolicy:
        """A network as it will play."""
        return NetworkPolicy(
            "learner", self.config.game, shell.weights(net), self.collector.inputs, self.base_policy.card
        )

    def start(self, out: Path, reporter: Reporter) -> None:
        """Measure the base, unless an earlier start did."""
        if self.found:
            return
        seen = self.evaluate(self.base)
        self.found = {"base": seen, "best": seen}
        reporter.log(f"The base scores {seen['score']:.2f} in {self.config.evaluation_games} games.")
        reporter.metrics(0, **seen)
        reporter.progress(0, self.updates * self.per_update)

    def look(self, out: Path) -> dict[str, float]:
        """Evaluate now and then, and keep the best."""
        if self.update % self.config.evaluate_every and self.update < self.updates:
            return {}
        seen = self.evaluate(self.net)
        self.consider(seen)
        return seen

    def finish(self, out: Path) -> dict[str, Any]:
        """The best agent in `out`/agent, and how it was found to be the best."""
        card = self.write(out / "agent")
        notes = []
        if self.found["best"] == self.found["base"]:
            notes.append("No policy on the way was better than the base: the agent written is the base.")
        made = {"folder": str(out / "agent"), "sha256": card["sha256"]}
        return {**made, "evaluation": card["evaluation"], "notes": notes}

    def write(self, folder: Path) -> dict[str, Any]:
        """Write the best network as an agent; returns its card, which says where the agent comes from."""
        card = self.base_policy.card
        kept = ["game", "players", "options", "reads", "rules_version", "features_version"]
        kept += ["orders", "instructions"]
        new = {
            "name": self.config.name,
            "kind": "network",
            **{key: card[key] for key in kept if key in card},
            "algorithm": "ppo",
            "description": f"Trained on from {self.base_policy.name}.",
            "parents": [self.base_policy.name],
            "parent_sha256": card.get("sha256"),
            "reward_scale": self.unit,
            "acts": manner(self.base_policy),
            "hyperparameters": dataclasses.asdict(self.config),
            "command": "python -m engine.learning.ppo --config FILE --out FOLDER",
            "evaluation": {"episodes": self.config.evaluation_games, **self.found},
        }
        return write_agent(folder, shell.weights(self.best), new)


def value_unit(card: dict[str, Any]) -> float:
    """What an agent's value counts a point as: trainings from scratch may have scaled rewards."""
    return float(card.get("reward_scale") or card.get("hyperparameters", {}).get("reward_scale", 1.0))


def steered(weight: float, base_kl: float, target: float) -> float:
    """The KL penalty's next weight: up when the policy is further from the base than wanted, down when
    closer."""
    if base_kl > 1.5 * target:
        weight *= 1.5
    elif base_kl < target / 1.5:
        weight /= 1.5
    return float(np.clip(weight, 0.02, 200.0))


train = partial(shell.run, Ppo)

if __name__ == "__main__":
    sys.exit(run_program("ppo", Settings, train))
