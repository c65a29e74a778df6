"""PPO: from a base agent or from nothing, alone, with others or against them, on points, marks and goals.

PPO (Schulman et al. 2017), one policy for all seats. Reward r_t = U(x_t+1) - U(x_t) (IBT paper, eq. 2); an
instruction or one for each game (instructPPO, engine.learning.parts.instructions); a population as partners
(FCP, Strouse et al. 2021); random starts (OvercookedV2, Gessler et al. 2025); several values, a critic that
sees more (OpenContra, section 4.2); teachers for games with some of the partners (kickstarting, Schmitt et
al. 2018).

It reads from here on: settings, acting, learning. Gradient steps and losses are in parts/proximal.py,
advantages in parts/returns.py, rollouts in parts/rollouts.py. What may be left out is composed with it, each
a small file of parts/: who else plays (seating), instructions, a privileged critic, several heads, what a
reward model pays (earnings), staying near a base (pulls), keeping the best policy (keeping).

The moves of a game in turns are one trajectory, which earns what the seats' U gained on the mean; where all
move at once, each seat's are one. With a base the result stays near it (a penalty on KL(policy || base),
steered to `target_kl`), and of the policies evaluated on the way, the base among them, the best is written.

    python -m engine.learning.ppo --config FILE --out FOLDER

leaves an agent in FOLDER/agent, and those to `keep` in FOLDER/kept-<moves>. What FILE leaves out is as the
game says (`SETTINGS` in its training.py), then as below.
"""

from __future__ import annotations

import copy
import math
import sys
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from typing import Annotated, Any

import numpy as np
import torch
from torch import Tensor

from engine import games, language
from engine.agents.acting import manner, told_size
from engine.agents.features import READS
from engine.agents.network import PolicyValueNet, masked
from engine.agents.policy import Policy
from engine.learning.parts import critic, heads, sequences
from engine.learning.parts.critic import critic_for
from engine.learning.parts.earnings import Earnings, reward_model_of, value_unit, watched
from engine.learning.parts.instructions import Lessons
from engine.learning.parts.keeping import Keeping
from engine.learning.parts.networks import Past, begin
from engine.learning.parts.proximal import Proximal, bf16
from engine.learning.parts.pulls import Pulls
from engine.learning.parts.returns import gae
from engine.learning.parts.rollouts import Collector, Cut, Rollout, View
from engine.learning.parts.seating import Forward, Seating
from engine.learning.parts.sides import suiting
from engine.learning.run import shell
from engine.learning.run.reporting import run_program
from engine.learning.run.settings import CardText, Range, Share, Weight, Widths
from engine.learning.run.shared import (
    Clipped,
    Company,
    Descent,
    Evaluation,
    Fresh,
    Game,
    Goals,
    Named,
    Network,
    Rewards,
    Rollouts,
    Run,
    Taught,
)
from engine.refusal import Refusal

MAKES = "agent"
USUAL = True
FOREMOST = ("moves", "utility_weight", "score_weight", "target_kl", "lr", "instruction")
SIZES = {
    "tiny": {"moves": 4096, "envs": 32, "steps": 32, "evaluation_games": 32},
    "thorough": {"moves": 2_000_000, "envs": 256, "evaluation_games": 1000},
}
BASE, PAST = "base", "past"  # who else may play: the network that it began with, and earlier selves
EXTRAS = ("base", "pulled", "tried", "wished")  # of rows, where there are such pulls


@dataclass(frozen=True, kw_only=True)
class Settings(
    Run, Evaluation, Company, Taught, Goals, Rewards, Clipped, Descent, Rollouts, Fresh, Network, Named, Game
):
    command: CardText = "python -m engine.learning.ppo --config FILE --out FOLDER"
    minibatches: Annotated[int, Range(1, 1024)] = 8
    gae_lambda: Share = 0.95
    """lambda of generalised advantages"""
    clip_values: bool = False
    """whether the change of values is clipped, too"""
    critic: Widths = field(default_factory=list)
    """hidden layers of a separate critic, which has a value for each group of rewards and further inputs;
    empty: the agent's own value head"""
    value_warmup: Annotated[int, Range(0, 1_000_000)] = 2
    """number of first updates that train only the value, so that a bad value head doesn't spoil the base's
    policy"""
    target_kl: Annotated[float, Range(0, 100, above=True)] = 0.05
    """Target of KL(policy || base) per move, in nats, to which `kl_weight` is adjusted; a pass that
    exceeds it is the last"""
    anchor: Weight = 0.0
    """fixed weight of KL(base || policy), summed over heads"""
    anchor_left: Share = 1.0
    """share of that weight that remains at the end"""
    teachers: dict[str, str] = field(default_factory=dict)
    """by the ref of a partner: the agent to which the policy is pulled in games with it, instead of the
    base"""
    rewards: dict[str, Any] = field(default_factory=dict)
    """points of the game's events, if they differ from the game's own"""
    shaping_moves: Annotated[int, Range(0, 1_000_000_000_000)] = 0
    """moves over which the game's shaped rewards fall to 0; 0: no shaped rewards"""
    base_partner: Share = 0.25
    """share of games in which the frozen base plays one seat, or all sides but one"""
    keep_past: Annotated[int, Range(1, 1_000_000)] = 10
    """updates between two saved versions of the network; as "past" the last five play"""
    orders: str = ""
    """scripted player that plays for a seat while it has a goal; empty: the network plays"""
    keep: list[Annotated[float, Range(0, 1, above=True)]] = field(default_factory=list)
    """shares of the moves after which the agent is also written to FOLDER/kept-<moves>"""
    bf16: bool = True
    """compute in bfloat16 where that is faster (weights stay float32)"""

    def __post_init__(self) -> None:
        if sum(self.shares.values()) > 1 + 1e-6:
            raise Refusal("The shares of 'base_partner' and 'partners' are more than 1 together.")
        if self.reads not in READS:
            raise Refusal(f"The setting 'reads' is {self.reads!r}; it must be {' or '.join(READS)}.")
        for ref in self.teachers:
            if ref not in self.partners or not self.anchor:
                raise Refusal(f"{ref} in 'teachers' needs a share in 'partners', and an 'anchor' above 0.")
        if self.memory and not self.hidden:
            raise Refusal("A network with a 'memory' needs at least one number in 'hidden'.")

    @property
    def shares(self) -> dict[str, float]:
        """Who else plays, by name, and in which share of the games."""
        return {BASE: self.base_partner if self.base else 0.0, **self.partners}


class Ppo(Keeping):
    """The state of one training: networks, optimiser, games, and what evaluation has found so far. Games in
    progress go on after a stop; the reward model looks at them as if they began there.
    """

    stops_within = in_teams = True
    checkpoint_every = 1
    counters = ("found", "rows")
    algorithm = "ppo"

    def __init__(self, config: Settings, check: Callable[[], None] = shell.never) -> None:
        super().__init__(config, check)
        self.spec = games.spec(config.game)
        texts = self.texts()
        begun = begin(config, "PPO", hears=len(texts) > 1)
        self.options, self.inputs, self.card = begun.options, begun.inputs, begun.card
        self.card["acts"] = manner(begun.policy) if begun.policy else "sampled"
        self.net, self.base, self.best = (copy.deepcopy(begun.net).to(self.device) for _ in range(3))
        self.base_policy: Policy = begun.policy or self.as_policy(self.base)
        kl = config.kl_weight if config.base else 0.0
        self.pulls = Pulls(kl, config.target_kl, config.anchor)
        envs = self.team.share(config.envs, "games at once")
        where = (config.game, self.options, envs, self.seed, config.threads, self.device)
        starts = (config.random_starts, config, config.rewards, bool(config.critic))
        memory = self.net.memory_size * (2 if self.pulls.looks else 1)
        self.collector = Collector(*where, self.inputs, *starts, told_size(self.card), memory)
        self.collector.spread(config.elsewhere)
        self.critic, self.gammas = critic_for(config, self.collector)
        groups: list[dict[str, Any]] = [{"params": list(self.net.parameters())}]
        if self.critic is not None:
            groups.append({"params": list(self.critic.parameters()), "rate": critic.RATE})
        self.optimizer = torch.optim.Adam(groups, lr=config.lr, eps=1e-5)
        self.proximal = Proximal(
            self.forward,
            self.optimizer,
            self.spec.heads,
            config.clip,
            clip_values=config.clip_values,
            value_weight=config.value_weight,
            max_grad_norm=config.max_grad_norm,
            value_parameters=list((self.critic or self.net.value).parameters()),
            extra=self.besides,
            team=self.team,
            check=check,
        )
        self.taught = Lessons(self.collector, texts, config, self.rng)
        # Where one instruction holds in all games, evaluation and the reward model hear it, too.
        self.instruction: Any = ""
        if config.instruction and len(texts) == 1:
            self.instruction = language.meant(config.game, config.instruction, config.reading)
        heard = language.features(config.game, self.instruction.program if self.instruction else None)
        self.reward_model = reward_model_of(config.game, config.reward_model)
        self.earnings = Earnings(
            config.reward_scale or value_unit(begun.before),
            config.score_weight,
            config.utility_weight,
            self.critic is not None,
            self.team,
            watched(self.reward_model, self.collector, heard),
        )
        self.past = Past(self.net)
        networks: dict[str, Forward] = {
            BASE: partial(self.logits, self.base),
            PAST: lambda inputs, memory: self.logits(self.past.turn(self.update), inputs, memory),
        }
        self.seating = Seating(self.collector, networks, config.shares, self.rng, config.teachers)
        self.per_update = config.envs * config.steps
        self.updates = math.ceil(config.moves / self.per_update)
        self.rows = 0  # that were learned from
        self.watched = False  # whether what looks at whole games has seen those in progress

    def parts(self) -> dict[str, Any]:
        networks = {"net": self.net, "best": self.best, "past": self.past, "adam": self.optimizer}
        critic = {"critic": self.critic} if self.critic else {}
        games_ = {"games": self.collector, "seating": self.seating}
        return {**networks, **critic, **games_, "earnings": self.earnings, "pulls": self.pulls}

    # --- Acting ---------------------------------------------------------------------------------------

    @torch.no_grad()
    def act(self, view: View) -> dict[str, Tensor]:
        """A move for every row: the learner's, or that of whoever else plays its seat."""
        self.check()
        parts = self.spec.heads
        logits, values, memory = self.outputs(view)
        extras = self.taught.columns(view, self.on_device(view.masks))
        masks = extras.get("tried", self.on_device(view.masks))
        logits = masked(logits, masks)
        actions, mine = self.seating.draw(view, logits, memory, masks)
        logprobs = heads.chosen(heads.log_probs(logits, masks, parts), actions, parts)
        acted = {"actions": actions, "logprobs": logprobs, "values": values, "mine": mine}
        if self.pulls.looks:
            liked, judged = self.logits(self.base, view.inputs, view.memory[:, self.net.memory_size :])
            extras["base"] = self.seating.taught(view, heads.log_probs(liked, masks, parts), masks)
            memory = torch.cat([memory, judged], 1)
            if self.net.goals:  # near the base only where nothing is asked (OpenContra, equation 4)
                extras["pulled"] = (view.inputs[:, -self.net.goals :] == 0).all(1).float()
        return {**acted, **extras, "remembered": memory}

    def follow(self, reached: np.ndarray, ended: np.ndarray) -> dict[str, Tensor]:
        """What a step added to U by row, and what it earned by doing what was told, for what looks at whole
        games; and who plays in those that begin.
        """
        told = self.taught.follow(reached) * ~self.seating.given
        gains = self.earnings.gains(reached, self.seating.given, self.spec.turn_based)
        began = np.flatnonzero(ended)
        self.seating.begin(began)
        self.watch(began)
        self.taught.tell()
        told = told.sum(1) if self.spec.turn_based else told.reshape(-1)
        return {"gains": self.on_device(gains), "told": self.on_device(told)}

    def watch(self, rows: np.ndarray) -> None:
        """Games `rows` begin, for what looks at whole games."""
        states = self.collector.batch.states[rows]
        if self.earnings.utility is not None:
            self.earnings.utility.begin(states, rows)
        self.taught.begin(states, rows)

    def collect(self) -> Rollout:
        """The next moves of every game, with the network as it is."""
        if not self.watched:
            self.watch(np.arange(self.collector.batch.n))
            self.watched = True
            self.taught.tell()
        if PAST in self.seating.others and self.update % self.config.keep_past == 0:
            self.past.keep()
        return self.collector.collect(self.config.steps, self.act, self.follow)

    # --- Learning -------------------------------------------------------------------------------------

    def forward(self, rows: dict[str, Tensor]) -> tuple[Tensor, Tensor]:
        """Logits (n, A), not masked, and values (n, groups), as gradient steps need them."""
        with bf16(self.config.bf16, self.device):
            memory = rows["memory"][:, : self.net.memory_size]
            logits, self.own, self.remembered = self.net(rows["inputs"], memory, rows.get("sizes"))
            if self.critic is None:
                return logits, self.own[:, None]
            return logits, self.critic(rows["inputs"], rows["privileged"])

    def besides(self, rows: dict[str, Tensor], logp: Tensor) -> Tensor:
        """What else there is to lose: what instructions say, and the agent's own value beside a critic's, for
        those who train on without the critic.
        """
        loss = self.taught.loss(rows, logp, self.update / self.updates)
        if self.critic is not None:
            loss = loss + 0.05 * (self.own.float() - rows["returns"].sum(1)).square().mean()
        return loss

    @torch.no_grad()
    def outputs(self, moment: View | Cut) -> tuple[Tensor, Tensor, Tensor]:
        """The learner's logits (n, A), not masked, values (n, groups), and what it remembers then (n, M)."""
        logits, values = self.forward(vars(moment))
        return logits.float(), values.float(), self.remembered

    @torch.no_grad()
    def logits(self, net: PolicyValueNet, inputs: Tensor, memory: Tensor) -> tuple[Tensor, Tensor]:
        """Another network's logits (n, A), not masked, and what it remembers then (n, M)."""
        with bf16(self.config.bf16, self.device):
            logits, _, memory = net(inputs, memory)
        return logits.float(), memory

    def rewards(self, rollout: Rollout) -> Tensor:
        """(T, B, values) in the value's unit; where time was up, with what would have come."""
        lasts = self.config.shaping_moves
        shaping = max(0.0, 1.0 - self.at() / lasts) if lasts else 0.0
        earned = self.earnings.of(rollout, shaping)
        earned[..., 0] += self.earnings.unit * rollout.extras["told"]
        return rollout.with_cut(earned, self.gammas, lambda cut: self.outputs(cut)[1])

    def rows_of(self, rollout: Rollout) -> dict[str, Tensor]:
        """The learner's moves in a rollout (n, …), with advantages (n,) and value targets (n, groups)."""
        extras = rollout.extras
        values, rewards = extras["values"], self.rewards(rollout)
        bootstrap, discounts = self.outputs(rollout.last)[1], rollout.discounts(self.gammas)
        advantages = gae(rewards, values, discounts, bootstrap, self.config.gae_lambda)
        columns = {
            "inputs": rollout.inputs,
            "privileged": rollout.privileged,
            "memory": rollout.memory,
            "masks": rollout.masks,
            "actions": rollout.actions,
            "logprobs": extras["logprobs"],
            "values": values,
            "advantages": advantages.sum(-1),
            "returns": advantages + values,
        }
        columns |= {name: extras[name] for name in EXTRAS if name in extras}
        if self.net.memory_size:
            columns["sequences"] = sequences.numbered(rollout.seats, rollout.dones)
        mine = (extras["mine"] & rollout.playing).flatten().nonzero().squeeze(1)
        return sequences.rows_at({key: value.flatten(0, 1) for key, value in columns.items()}, mine)

    def learn_rows(self, rows: dict[str, Tensor], warming_up: bool = False) -> dict[str, float]:
        """`epochs` passes over rows; returns what CleanRL measures, by its names, and the KL to the base."""
        config, done = self.config, self.update / self.updates
        self.rows += len(rows["actions"])
        entropy = config.entropy_weight * (1 - (1 - config.entropy_left) * done)
        self.pulls.anchor = config.anchor * (1 - (1 - config.anchor_left) * done)
        how = (entropy, self.pulls.on(rows), warming_up, self.pulls.furthest)
        return self.proximal.learn(rows, config.epochs, config.minibatches, self.rng, *how)

    def advance(self) -> dict[str, float]:
        """A rollout, learning from it, and steering the penalty."""
        warming_up = self.update < min(self.config.value_warmup, self.updates - 1)
        rollout = self.collect()
        rows = self.rows_of(rollout)
        values = self.learn_rows(rows, warming_up) | self.taught.obeyed(rows)
        if self.earnings.utility is not None:
            values["gains"] = rollout.extras["gains"].mean().item()
        if self.pulls.kl > 0:
            values["kl_weight"] = self.pulls.kl if warming_up else self.pulls.steer(values)
        if rollout.scores:
            values["training_score"] = float(np.mean(rollout.scores))
        return values | self.collector.asked_figures()

    def rates(self) -> dict[str, float]:
        done = {"steps_per_second": self.at(), "decisions_per_second": self.rows}
        return {name: count / self.seconds for name, count in done.items()}


train = partial(shell.run, Ppo)

if __name__ == "__main__":
    sys.exit(run_program("ppo", Settings, train, suiting=partial(suiting, "ppo")))
