"""PPO in self-play, from a base agent, on the game's score and a reward model's U, kept close to the base.

Sources: PPO (Schulman et al. 2017); reward r_t = U(x_t+1) - U(x_t) (IBT paper, eq. 2); the pull towards an
instruction's prior (instructRL paper, section 4, instructPPO). One policy plays all seats; the moves of a
game (of a seat, where all move at once) are one trajectory, and a move earns what its own seat's U gained by
it. The result is never far from the base (a penalty on KL(policy || base), steered to `target_kl`), and never
much worse: of the policies evaluated on the way, the base among them, the best is written.

    python -m engine.learning.ppo --config FILE --out FOLDER

leaves an agent in FOLDER/agent. Not for starting from nothing (engine.learning.clone, self_play).
"""

from __future__ import annotations

import dataclasses
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import torch
from safetensors.torch import load_file
from torch import Tensor, nn

from engine import games, language
from engine.agents.catalogue import WEIGHTS, folder_of, load, write_agent
from engine.agents.features import reward_inputs_for
from engine.agents.network import PolicyValueNet, from_tensors, masked
from engine.agents.policy import NetworkPolicy
from engine.evaluation.reward_return import play_both
from engine.learning import checkpoints, heads, utility
from engine.learning.reporting import BadConfig, Reporter, Stopped, run_program
from engine.learning.returns import gae
from engine.learning.rollouts import Collector, Rollout, View
from engine.learning.sides import against, round_options, sides_of
from engine.learning.utility import OnlineUtility, states_after


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
    moves: int = 200_000
    """moves to play, in all; joint steps where all move at once"""
    envs: int = 128
    """games played at once"""
    steps: int = 64
    """moves of each game between updates"""
    epochs: int = 2
    """passes over each rollout"""
    minibatches: int = 8
    """parts of a pass, one gradient step each"""
    lr: float = 3e-4
    """Adam's learning rate, falling to 0"""
    gamma: float = 0.99
    """discount per move"""
    gae_lambda: float = 0.95
    """lambda of generalised advantages"""
    clip: float = 0.2
    """how far the probability ratio counts"""
    entropy_weight: float = 0.003
    """weight of the entropy bonus"""
    value_weight: float = 0.02
    """weight of the squared error of the value, in points"""
    max_grad_norm: float = 0.5
    """gradients are cut to this norm"""
    value_warmup: int = 2
    """first updates that train the value alone, so that a base with a poor value is not spoiled"""
    target_kl: float = 0.05
    """KL(policy || base) per move, in nats, that the penalty steers to"""
    kl_weight: float = 1.0
    """weight of that penalty at the start"""
    score_weight: float = 1.0
    """weight of the game's score in the reward"""
    utility_weight: float = 0.5
    """weight of the reward model; its gains are first scaled to the spread of the score's"""
    base_partner: float = 0.25
    """share of games in which the frozen base plays one seat"""
    instruction: str = ""
    """an instruction that the agent learns to follow; empty: none"""
    instruction_weight: float = 0.05
    """weight of KL(policy || the instruction's prior) (lambda of instructPPO)"""
    evaluate_every: int = 4
    """updates between evaluations"""
    evaluation_games: int = 256
    """games of each evaluation, always the same deals"""
    allowed_drop: float = 0.3
    """points below the base's score from which on a policy is not written, whatever its utility"""
    threads: int = 1
    """threads for torch and for the compiled encoders"""
    seed: int = 0
    """seed of deals and sampling"""

    def __post_init__(self) -> None:
        for name in (
            "moves",
            "envs",
            "steps",
            "epochs",
            "minibatches",
            "evaluate_every",
            "evaluation_games",
        ):
            if getattr(self, name) < 1:
                raise BadConfig(f"The setting {name!r} must be at least 1, but is {getattr(self, name)}.")
        if not 0 <= self.base_partner <= 1:
            raise BadConfig(f"The setting 'base_partner' must be from 0 to 1, but is {self.base_partner}.")
        if self.target_kl <= 0:
            raise BadConfig(f"The setting 'target_kl' must be above 0, but is {self.target_kl}.")


class Ppo:
    """The state of one training: networks, optimiser, games, and what evaluation has found so far."""

    def __init__(self, config: Settings, check: Callable[[], None] = lambda: None) -> None:
        policy = load(config.base, config.game)
        if not isinstance(policy, NetworkPolicy):
            raise BadConfig(f"{config.base} is a scripted bot; PPO goes on from a network.")
        self.program = None
        if config.instruction:
            reading = language.read(config.game, config.instruction)
            if reading.refused:
                raise BadConfig(f"The instruction can't be followed: {reading.sentence}")
            self.program = reading.program
        torch.set_num_threads(config.threads)
        torch.manual_seed(config.seed)
        tensors = load_file(folder_of(config.base, config.game) / WEIGHTS)
        self.config, self.base_policy = config, policy
        self.check = check  # called often; raises to stop
        self.net, self.base, self.best = (from_tensors(tensors) for _ in range(3))
        self.unit = value_unit(policy.card)
        self.optimizer = torch.optim.Adam(self.net.parameters(), lr=config.lr, eps=1e-5)
        spec = games.spec(config.game)
        if self.program is not None and spec.goal_size:
            raise BadConfig("Instructions are goals in this game, and rounds don't teach those yet.")
        self.options = round_options(config.game, policy.card)
        self.seats = spec.seats(self.options)
        self.sides = np.array(sides_of(config.game, self.options))
        self.collector = Collector(config.game, self.options, config.envs, config.seed, config.threads)
        self.rng = np.random.default_rng(config.seed)
        self.told = language.features(config.game, self.program)
        self.reward_model = utility.load(Path(config.reward_model)) if config.reward_model else None
        self.ended = np.ones(config.envs, bool)  # games that began anew since the last move
        self.given = np.zeros((config.envs, self.seats), bool)  # seats that the base plays in each game
        self.past: list[list[dict[str, Any]]] = [[] for _ in range(config.envs)]  # events, if told something
        self.utility: OnlineUtility | None = None
        if self.reward_model is not None:
            inputs = reward_inputs_for(config.game, self.options)
            if self.reward_model.sizes["observation_size"] != inputs.size:
                raise BadConfig("The reward model was trained on games with other options than the base's.")
            self.utility = OnlineUtility(
                self.reward_model, inputs, config.envs, self.seats, self.told, self.collector.world
            )
        self.update = 0
        self.updates = max(1, config.moves // (config.envs * config.steps))
        self.kl_weight = config.kl_weight
        self.scale = 0.0  # points that one unit of U is worth
        self.found: dict[str, dict[str, float]] = {}  # evaluation of the base and of the best so far

    @torch.no_grad()
    def act(self, view: View) -> dict[str, Tensor]:
        """A move for every row: the learner's, or the base's in the seats that it plays, with what it earns
        of U."""
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
        masks = torch.from_numpy(view.masks)
        logits, values = self.net(view.inputs)
        logits = masked(logits, masks)
        games_of = np.repeat(np.arange(batch.n), self.collector.rows)
        mine = torch.from_numpy(~self.given[games_of, view.seats])
        behaviour = torch.where(mine[:, None], logits, masked(self.base(view.inputs)[0], masks))
        parts = self.collector.spec.heads
        actions = heads.draw(behaviour, self.rng, parts)
        moves = actions.numpy().reshape(batch.actions.shape)
        after, self.ended = states_after(self.config.game, batch.states, moves, self.collector.world)
        gains = np.zeros(len(view.seats))
        if self.utility is not None:
            gained = self.utility.add(after, np.arange(batch.n))
            gains = gained[games_of, view.seats]
        acted = {
            "actions": actions,
            "logprobs": heads.chosen(heads.log_probs(logits, masks, parts), actions, parts),
            "values": values,
            "mine": mine,
            "gains": torch.from_numpy(gains.astype(np.float32)),
        }
        if self.program is not None:
            acted["priors"] = torch.from_numpy(self.priors(view))
            self.remember(after)
        return acted

    def priors(self, view: View) -> np.ndarray:
        """The instruction's prior for every row, (B, A)."""
        out = np.zeros(view.masks.shape, np.float32)
        game, program = self.config.game, self.program or {}
        for i, seat in enumerate(view.seats):
            past = self.past[i // self.collector.rows]
            position: Any = _Position(view.states[i], view.masks[i], past)
            out[i] = language.prior(game, program, position, int(seat))
        return out

    def remember(self, after: np.ndarray) -> None:
        """What happened in every game, for instructions that are done one day."""
        if self.collector.spec.events is not None:
            for past, state, ended in zip(self.past, after, self.ended, strict=True):
                past += self.collector.spec.events(state)
                if ended:
                    past.clear()

    def rewards(self, rollout: Rollout) -> Tensor:
        """(T, B): the score's change, and what the mover's U gained, in the value's unit; the base's moves
        earn no U."""
        gains = rollout.extras["gains"]
        if not self.scale:
            spread = gains.std().item()
            self.scale = rollout.rewards.std().item() / spread if spread > 0 else 1.0
        gains = gains * self.scale * rollout.extras["mine"]
        points = self.config.score_weight * rollout.rewards + self.config.utility_weight * gains
        return self.unit * points

    def learn(self, rollout: Rollout, warming_up: bool) -> dict[str, float]:
        """`epochs` passes over a rollout; returns what CleanRL measures, by its names, and the KL to the
        base."""
        config, extras = self.config, rollout.extras
        with torch.no_grad():
            bootstrap = self.net(rollout.last.inputs)[1]
        rewards, discounts = self.rewards(rollout), rollout.discounts(config.gamma)
        advantages = gae(rewards, extras["values"], discounts, bootstrap, config.gae_lambda)
        returns = (advantages + extras["values"]).flatten()
        inputs, masks = rollout.inputs.flatten(0, 1), rollout.masks.flatten(0, 1)
        parts = self.collector.spec.heads
        actions, old_logprobs = rollout.actions.flatten(0, 1), extras["logprobs"].flatten()
        mine = torch.nonzero(extras["mine"].flatten()).squeeze(1)
        advantages = advantages.flatten()
        advantages = (advantages - advantages[mine].mean()) / (advantages[mine].std() + 1e-8)
        with torch.no_grad():
            some = zip(inputs.split(4096), masks.split(4096), strict=True)
            base_logp = torch.cat([heads.log_probs(self.base(x)[0], m, parts) for x, m in some])
        sums: list[dict[str, float]] = []
        for _ in range(config.epochs):
            order = mine[torch.from_numpy(self.rng.permutation(len(mine)))]
            for chosen in order.chunk(config.minibatches):
                self.check()
                logits, values = self.net(inputs[chosen])
                logp = heads.log_probs(logits, masks[chosen], parts)
                logratio = heads.chosen(logp, actions[chosen], parts) - old_logprobs[chosen]
                ratio, advantage = logratio.exp(), advantages[chosen]
                clipped = ratio.clamp(1 - config.clip, 1 + config.clip)
                policy_loss = -torch.minimum(ratio * advantage, clipped * advantage).mean()
                value_loss = 0.5 * (values - returns[chosen]).square().mean()
                entropy = -(logp.exp() * logp).sum(1).mean()
                base_kl = kl(logp, base_logp[chosen])
                loss = config.value_weight * value_loss
                if not warming_up:
                    loss = loss + policy_loss - config.entropy_weight * entropy + self.kl_weight * base_kl
                    if self.program is not None:
                        prior = masked(extras["priors"].flatten(0, 1)[chosen], masks[chosen]).log_softmax(1)
                        loss = loss + config.instruction_weight * kl(logp, prior)  # instructPPO
                self.optimizer.zero_grad()
                loss.backward()
                if warming_up:
                    for name, parameter in self.net.named_parameters():
                        if not name.startswith("value."):
                            parameter.grad = None
                nn.utils.clip_grad_norm_(self.net.parameters(), config.max_grad_norm)
                self.optimizer.step()
                measured = {
                    "policy_loss": policy_loss,
                    "value_loss": value_loss,
                    "entropy": entropy,
                    "base_kl": base_kl,
                    "approx_kl": ((ratio - 1) - logratio).mean(),
                    "clipfrac": ((ratio - 1).abs() > config.clip).float().mean(),
                }
                sums.append({key: value.item() for key, value in measured.items()})
            if np.mean([row["approx_kl"] for row in sums[-config.minibatches :]]) > config.target_kl:
                break
        found = {key: float(np.mean([row[key] for row in sums])) for key in sums[0]}
        found["base_kl"] = float(np.mean([row["base_kl"] for row in sums[-config.minibatches :]]))
        return found | {"gains": extras["gains"].mean().item()}

    def step(self) -> dict[str, float]:
        """One update: a rollout, learning from it, and steering the penalty."""
        for group in self.optimizer.param_groups:
            group["lr"] = self.config.lr * (1.0 - self.update / self.updates)
        warming_up = self.update < min(self.config.value_warmup, self.updates - 1)
        rollout = self.collector.collect(self.config.steps, self.act)
        values = self.learn(rollout, warming_up)
        if not warming_up:
            self.kl_weight = steered(self.kl_weight, values["base_kl"], self.config.target_kl)
        self.update += 1
        if rollout.scores:
            values["training_score"] = float(np.mean(rollout.scores))
        return values | {"kl_weight": self.kl_weight}

    def evaluate(self, net: PolicyValueNet) -> dict[str, float]:
        """Mean score and mean gain of U per seat and game on deals kept for evaluation: in self-play, or
        against the base where sides play against each other.
        """
        policy = self.as_policy(net)
        played = play_both(
            against(self.config.game, self.options, policy, self.base_policy),
            self.config.game,
            self.options,
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
        """The reward of a whole game, by seat: what policies are ranked by."""
        utility = self.config.utility_weight * self.scale * self.seats * seen["utility"]
        return self.config.score_weight * seen["score"] + utility

    def as_policy(self, net: PolicyValueNet) -> NetworkPolicy:
        """A network as it will play."""
        tensors = {key: value.numpy().copy() for key, value in net.state_dict().items()}
        return NetworkPolicy(
            "learner", self.config.game, tensors, self.collector.inputs, self.base_policy.card
        )

    def save(self, out: Path) -> None:
        tensors = checkpoints.module_tensors("net", self.net) | checkpoints.module_tensors("best", self.best)
        tensors |= checkpoints.optimizer_tensors("adam", self.optimizer) | self.collector.tensors()
        meta = {
            "config": dataclasses.asdict(self.config),
            "update": self.update,
            "kl_weight": self.kl_weight,
            "scale": self.scale,
            "found": self.found,
            "random": checkpoints.random_state(self.rng),
        }
        checkpoints.save_checkpoint(out, tensors, meta)

    def resume(self, out: Path) -> bool:
        """Go on from the checkpoint in `out`, if there is one; raises BadConfig when it has other settings.

        Games in progress go on; the reward model looks at them as if they began there.
        """
        saved = checkpoints.load_checkpoint(out)
        if saved is None:
            return False
        if saved.meta["config"] != dataclasses.asdict(self.config):
            raise BadConfig(f"The folder {out} holds a training with other settings; choose another folder.")
        for name, module in (("net", self.net), ("best", self.best)):
            checkpoints.load_module(name, module, saved.tensors)
        checkpoints.load_optimizer("adam", self.optimizer, saved.tensors)
        self.collector.restore(saved.tensors)
        checkpoints.load_random_state(self.rng, saved.meta["random"])
        for name in ("update", "kl_weight", "scale", "found"):
            setattr(self, name, saved.meta[name])
        return True

    def write(self, folder: Path) -> dict[str, Any]:
        """Write the best network as an agent; returns its card, which says where the agent comes from."""
        card = self.base_policy.card
        kept = ("game", "players", "options", "rules_version", "features_version", "orders", "instructions")
        new = {
            "name": self.config.name,
            "kind": "network",
            **{key: card[key] for key in kept if key in card},
            "algorithm": "ppo",
            "description": f"Trained on from {self.base_policy.name}.",
            "parents": [self.base_policy.name],
            "parent_sha256": card.get("sha256"),
            "reward_scale": self.unit,
            "acts": self.base_policy.card.get("acts", "best"),
            "hyperparameters": dataclasses.asdict(self.config),
            "command": "python -m engine.learning.ppo --config FILE --out FOLDER",
            "evaluation": {"episodes": self.config.evaluation_games, **self.found},
        }
        return write_agent(folder, {key: value.numpy() for key, value in self.best.state_dict().items()}, new)


class _Position:
    """One game of a batch, with as much of a Simulation's face as an instruction's prior looks at."""

    def __init__(self, state: np.ndarray, mask: np.ndarray, events: list[dict[str, Any]]) -> None:
        self.state, self._mask, self.num_actions, self.over = state, mask, len(mask), False
        self.events, self.tick = events, events[-1]["tick"] if events else 0

    def legal(self, seat: int) -> np.ndarray:
        return self._mask


def value_unit(card: dict[str, Any]) -> float:
    """What an agent's value counts a point as: trainings from scratch may have scaled rewards."""
    return float(card.get("reward_scale") or card.get("hyperparameters", {}).get("reward_scale", 1.0))


def kl(logp: Tensor, logq: Tensor) -> Tensor:
    """Mean KL(p || q) of rows of log-probabilities, (n, A), where illegal moves have next to none."""
    return (logp.exp() * (logp - logq)).sum(1).mean()


def steered(weight: float, base_kl: float, target: float) -> float:
    """The KL penalty's next weight: up when the policy is further from the base than wanted, down when
    closer."""
    if base_kl > 1.5 * target:
        weight *= 1.5
    elif base_kl < target / 1.5:
        weight /= 1.5
    return float(np.clip(weight, 0.02, 200.0))


def train(config: Settings, out: Path, reporter: Reporter) -> None:
    """Run the whole training, or the rest of it, in `out`."""

    def check() -> None:
        if reporter.stopping:
            raise Stopped  # the checkpoint of the last whole update stands

    ppo = Ppo(config, check)
    if ppo.resume(out):
        reporter.log(f"Going on after update {ppo.update} of {ppo.updates}.")
    moves = config.envs * config.steps
    if not ppo.found:
        seen = ppo.evaluate(ppo.base)
        ppo.found = {"base": seen, "best": seen}
        reporter.log(f"The base scores {seen['score']:.2f} in {config.evaluation_games} games.")
        reporter.metrics(0, **seen)
        reporter.progress(0, ppo.updates * moves)
        ppo.save(out)
    while ppo.update < ppo.updates:
        values = ppo.step()
        if ppo.update % config.evaluate_every == 0 or ppo.update == ppo.updates:
            seen = ppo.evaluate(ppo.net)
            ppo.consider(seen)
            values |= seen
        ppo.save(out)
        reporter.metrics(ppo.update * moves, **values)
        reporter.progress(ppo.update * moves, ppo.updates * moves)
    if ppo.found["best"] == ppo.found["base"]:
        reporter.log(
            "No policy on the way was better than the base: the agent written is the base.", "warning"
        )
    card = ppo.write(out / "agent")
    reporter.result(folder=str(out / "agent"), sha256=card["sha256"], evaluation=card["evaluation"])


if __name__ == "__main__":
    sys.exit(run_program("ppo", Settings, train))
