"""Co-training: language and agent learn to fit each other, in turns (OpenContra, Algorithm 1).

OpenContra (arXiv 2401.00006, sections 4.3 and 4.4, Appendices E and K). The language side is the goal head:
of an instruction and the state at hand it makes a goal vector. It learns from texts with goals first. Then
updates take turns:

(a) RLAF: the agent plays goals that the language side draws, and agent feedback pays the language side: how
    much closer the agent came (eq. 7), for how long it kept the goal (eq. 8), less for pairs of state and
    goal that never occur (eq. 9, random network distillation), for keeping what the texts are known to ask
    for (eq. 10, examination), less for goals that contradict themselves. PPO on what was drawn. After
    `reset_every` such updates the language side goes back to what the texts taught it, so that the two don't
    agree on goals that are easy and aren't what was said.
(b) The agent learns by PPO with equation 3 on goals that the language side makes (ppo.py, parts/telling.py).

The paper's formulas are images, its code was never released: equations 7 to 10 follow its words. Format
rewards are for language models that write; a head can't misspell.

    python -m engine.learning.cotrain --config FILE --out FOLDER

leaves an agent in FOLDER/agent, with the language side in its folder `language`. Not for telling agents
anything in matches, nor for measuring it (`./manage.py evaluate texts`).
"""

from __future__ import annotations

import dataclasses
import sys
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Annotated, Any

import numpy as np
import torch
from torch import Tensor, nn

from engine import brings
from engine.agents.network import PolicyValueNet, masked
from engine.language import goal_head
from engine.learning.algorithms import ppo
from engine.learning.parts import goal_language, heads
from engine.learning.parts.goal_language import GoalNet, Texts, Windows
from engine.learning.parts.rollouts import Collector, View
from engine.learning.parts.sides import suiting
from engine.learning.parts.telling import Draw, Ended, Telling, by_dimensions
from engine.learning.run import shell
from engine.learning.run.reporting import Reporter, run_program
from engine.learning.run.settings import Base, CardText, PeoplesWords, Range, Rate, Share, Weight, Widths
from engine.learning.run.shared import Clipped, Company, Descent, Evaluation, Game, Named, Rollouts, Run
from engine.refusal import Refusal

MAKES = "agent"
FITS = ("heads",)
FOREMOST = ("moves", "reset_every", "examination", "language_lr", "lr")
SIZES = {
    "tiny": {"moves": 256, "envs": 4, "steps": 32, "texts": 40, "evaluation_games": 2},
    "thorough": {"moves": 2_000_000, "envs": 48},
}
CONTROLS = ("", "language", "agent", "apart", "no reset", "no examination", "shuffled")
EXAMINED = ("HI", "SI", "people")  # sets whose goals are known: the paper's is SI
HIDDEN = 256  # of the goal head
WINDOWS = 1200  # from which the texts' states are
WRITTEN = 3  # times that texts that were written for it count in what it is taught
FOLLOWED = 512  # texts over which the probabilities of sub-goals are followed
EPOCHS, BATCH = 4, 64  # of (a)
MOST_CHANGE = 3.0  # of a goal's log-probability, beyond which it isn't learned from
COUNTERS = ("is_taught", "lessons", "resets", "probabilities", "reading", "usual_error")
CODE = 32  # of random network distillation
LATELY = 0.1


@dataclass(frozen=True, kw_only=True)
class Own:
    """What this program alone has."""

    snapshot: PeoplesWords = ""
    """folder of a snapshot whose instructions are used besides those that ship; empty: those alone"""
    control: str = ""
    """a control with equal steps: "language" (that side alone), "agent" (that side alone), "apart" (the
    language side with the base, the agent on random goals), "no reset", "no examination", "shuffled" (each
    instruction is read as another one); empty: none"""
    texts: Annotated[int, Range(0, 100_000)] = 0
    """at most so many texts of each set; 0: all"""
    language_lr: Rate = 3e-4
    """Adam's learning rate of the language side"""
    reset_every: Annotated[int, Range(1, 1_000_000)] = 10
    """updates of the language side after which it is reset"""
    examination: Weight = 1.0
    """weight of the examination reward"""
    novelty: Weight = 0.1
    """weight of what is taken off for a goal in a state in which it never occurs"""
    contradiction: Weight = 1.0
    """what is taken off for a goal that contradicts itself"""
    goal_share: Share = 0.8
    """share of the time in which a seat has a goal"""
    critic: Widths = field(default_factory=lambda: [256, 256])
    """hidden layers of the agent's critic, which has a value for each group of rewards"""
    rewards: dict[str, Any] = field(default_factory=dict)
    """points of the game's events, if they differ from the game's own"""


@dataclass(frozen=True, kw_only=True)
class Settings(Own, Run, Evaluation, Company, Clipped, Descent, Rollouts, Named, Game):
    base: Base = field()
    """the agent to train further, a network that reads goal vectors: ref or folder"""
    command: CardText = "python -m engine.learning.cotrain --config FILE --out FOLDER"
    evaluate_every: Annotated[int, Range(1, 1_000_000)] = 1_000_000
    evaluation_games: Annotated[int, Range(1, 100_000)] = 12

    def __post_init__(self) -> None:
        if self.control not in CONTROLS:
            raise Refusal(f"There is no control {self.control!r}; there are {', '.join(CONTROLS[1:])}.")


@dataclass(frozen=True, kw_only=True)
class Whole(Own, ppo.Settings):
    """With PPO's."""


class CoTrain(ppo.Ppo):
    """The state of one co-training: PPO's for the agent, and the language side's."""

    algorithm = "cotrain"
    counters = (*ppo.Ppo.counters, *COUNTERS)  # type: ignore[assignment]

    def __init__(self, config: Settings, check: Callable[[], None] = shell.never) -> None:
        self.config: Any
        kinds = {"random": 1.0}
        mine: dict[str, Any] = {"goals": kinds, "keep_best": False, "value_warmup": 6}
        super().__init__(Whole(**(dataclasses.asdict(config) | mine)), check)
        if not self.net.goals:
            raise Refusal(f"{config.base} reads no goal vectors; co-training goes on from one that does.")
        self.space = brings.GoalSpace.needed(config.game, "Agents and language are co-trained")
        self.sizes = np.array([len(values) for _, values in self.space.SUBGOALS])
        self.language, self.supervised = (GoalNet(self.sizes, HIDDEN).to(self.device) for _ in range(2))
        self.supervised.load_state_dict(self.language.state_dict())
        read = self.language.up.in_features
        self.judge, self.target = (
            nn.Sequential(nn.Linear(4 * len(self.sizes), CODE), nn.ReLU(), nn.Linear(CODE, CODE)).to(
                self.device
            )
            for _ in range(2)
        )
        speed = {"rate": config.language_lr / config.lr}
        learns = [*self.language.parameters(), *self.judge.parameters()]
        self.adam = torch.optim.Adam([{"params": learns, **speed}], lr=config.language_lr)
        self.feedback = self.games(config.seed + 1)
        shape = self.feedback.goals.shape[:2]
        told = (shape, config.goal_share, self.draw, read, self.rng)
        assert self.feedback.asking and self.collector.asking
        self.telling = Telling(config.game, self.feedback.asking, *told)
        self.feedback.asking = self.telling
        self.on_goals: Telling | None = None
        if config.control != "apart":
            self.on_goals = Telling(config.game, self.collector.asking, *told)
            self.collector.asking = self.on_goals
        self.is_taught, self.lessons, self.resets, self.usual_error = False, 0, 0, 0.0
        self.probabilities: list[dict[str, float]] = []  # before, at each reset, and in the end
        self.reading: dict[str, dict[str, float]] = {}  # of held-out texts, before co-training

    def games(self, seed: int) -> Collector:
        """Games as the agent learns in, others."""
        config, options = self.config, self.options
        where = (config.game, options, config.envs, seed, config.threads, self.device, self.inputs)
        return Collector(*where, 0.0, config, memory=self.net.memory_size)

    def parts(self) -> dict[str, Any]:
        sides = {"language": self.language, "supervised": self.supervised, "judge": self.judge}
        return {**super().parts(), **sides, "target": self.target, "adam_language": self.adam,
                "feedback": self.feedback}  # fmt: skip

    # --- Texts, and what the language side learns from them first ------------------------------------------

    def start(self, out: Path, reporter: Reporter) -> None:
        """Gather the texts, and teach the language side what they ask for, unless an earlier start did."""
        config = self.config
        known = self.gather()
        alone = "the shipped sets alone" if not self.peoples else f"{self.peoples} of people's, too"
        reporter.log(f"{len(self.said.texts)} instructions: {alone}.")
        if not self.is_taught:
            rng = np.random.default_rng([config.seed, 2])
            torch.manual_seed(config.seed)
            apart = self.said.held_out
            more = 1 + (WRITTEN - 1) * (self.said.source == "written")
            rows = np.repeat(np.arange(len(known)), more * ~apart)
            goal_language.supervised(self.language, known[rows], self.said.wanted[rows], rng, self.check)
            said = goal_language.head_of(self.language).odds(known[apart]).argmax(2) - 1
            self.reading["held out"] = goal_head.measured(said, self.said.wanted[apart])
            self.supervised.load_state_dict(self.language.state_dict())
            self.is_taught = True
        super().start(out, reporter)
        if not self.probabilities:
            self.follow_probabilities()

    def gather(self) -> np.ndarray:
        """The texts, always the same of one seed; returns what the language side reads of them (k, I)."""
        config = self.config
        games, rng = self.games(config.seed + 2), np.random.default_rng([config.seed, 1])
        games.asking = None  # nobody is asked for anything
        windows = self.untold(games, rng)
        how = config.game, self.options, windows, config.seed, config.texts
        self.said: Texts = goal_language.texts_of(*how, config.snapshot)
        self.peoples = int((self.said.sets == "people").sum())
        self.vectors = goal_language.vectors(config.game, self.said.texts, self.check)
        rows = goal_head.inputs(self.vectors, self.said.hand, self.sizes)
        mine = np.flatnonzero(~self.said.held_out)
        # Sets count alike, however many texts they have.
        share = {name: 1.0 / (self.said.sets[mine] == name).sum() for name in np.unique(self.said.sets[mine])}
        weights = np.array([share[name] for name in self.said.sets[mine]])
        self.pool, self.weights = mine, weights / weights.sum()
        self.heard = np.arange(len(self.said.texts))
        if config.control == "shuffled":
            self.heard[mine] = rng.permutation(mine)
        self.followed = rows[rng.choice(mine, min(FOLLOWED, len(mine)), replace=False)]
        return rows

    def untold(self, games: Collector, rng: np.random.Generator) -> Windows:
        """Windows of the base, a rollout each."""
        found: list[list[np.ndarray]] = []
        size, world = games.goals.shape[1], games.world
        assert world is not None
        most = min(WINDOWS, 2 * self.config.texts or WINDOWS)
        while sum(len(parts[1]) for parts in found) < most:
            before = games.batch.states.copy()
            rows, seats = (part.ravel().astype(np.int32) for part in np.indices((len(before), size)))
            nothing = np.full((len(rows), len(self.sizes)), -1, np.int8)
            asked = self.space.ask(before, world, rows, seats, nothing, 0)
            began = self.space.measured(before, world, rows, seats, asked)
            games.collect(self.config.steps, lambda view: self.play(self.base, view, rng))
            now = games.batch.states
            whole = self.space.over(now, asked.reshape(len(before), size, -1)).ravel() < 2
            ended = self.space.measured(now, world, rows, seats, asked)
            found.append([part[whole] for part in (before[rows], seats, began, ended)])
        return Windows(*(np.concatenate(parts) for parts in zip(*found, strict=True)))

    @torch.no_grad()
    def play(self, net: PolicyValueNet, view: View, rng: np.random.Generator) -> dict[str, Tensor]:
        """A move of every row, drawn by a network."""
        self.check()
        logits, memory = self.logits(net, view.inputs, view.memory)
        drawn = heads.draw(masked(logits, self.on_device(view.masks)), rng, self.spec.heads)
        return {"actions": drawn, "remembered": memory}

    # --- In turns ------------------------------------------------------------------------------------------

    @torch.no_grad()
    def draw(self, hand: np.ndarray) -> Draw:
        """Instructions, and the goals that the language side draws for them where `hand` holds."""
        text = self.rng.choice(self.pool, size=len(hand), p=self.weights)
        rows = goal_head.inputs(self.vectors[self.heard[text]], hand, self.sizes)
        odds = self.language(self.on_device(rows))[0].cpu()
        noise = torch.from_numpy(self.rng.gumbel(size=tuple(odds.shape)).astype(np.float32))
        wanted = (odds + noise).argmax(2) - 1
        logprob = goal_language.logprob(odds, wanted).sum(1)
        return Draw(text.astype(np.int32), rows, wanted.numpy().astype(np.int8), logprob.numpy())

    def advance(self) -> dict[str, float]:
        """One side's turn."""
        alone = {"language": True, "agent": False}
        if alone.get(self.config.control, self.update % 2 == 0):
            return self.learn_language()
        values = super().advance()
        return values | (by_dimensions(self.on_goals.take()) if self.on_goals else {})

    def learn_language(self) -> dict[str, float]:
        """(a): a rollout of the agent under goals that the language side draws, and PPO on these."""
        config, values = self.config, dict[str, float]()
        resets = config.control != "no reset" and self.lessons and self.lessons % config.reset_every == 0
        if resets:
            self.follow_probabilities()
            self.language.load_state_dict(self.supervised.state_dict())
            self.adam.state.clear()
            self.resets += 1
        frozen = config.control in ("apart", "language")
        net = self.base if frozen else self.net
        self.feedback.collect(config.steps, lambda view: self.play(net, view, self.rng))
        ended = self.telling.take()
        if len(ended.text):
            values = self.rlaf(ended) | by_dimensions(ended)
        self.lessons += 1
        if self.update >= self.updates - 2:
            self.follow_probabilities()
        if resets or self.update >= self.updates - 2:
            values |= {f"probability_{name}": value for name, value in self.probabilities[-1].items()}
        return values | {"resets": float(self.resets)}

    def rlaf(self, ended: Ended) -> dict[str, float]:
        """Reinforcement learning from agent feedback: PPO's clipped steps on whole goals."""
        config, examined = self.config, self.examine(ended)
        pairs = self.on_device(self.pairs(ended))
        with torch.no_grad():
            error = (self.judge(pairs) - self.target(pairs)).square().mean(1).cpu().numpy()
        self.usual_error += (LATELY if self.usual_error else 1.0) * (float(error.mean()) - self.usual_error)
        novelty = np.clip(error / max(1e-9, self.usual_error), 0, 2)
        clash = self.space.contradicts(ended.wanted)
        reward = ended.closer + ended.kept - config.novelty * novelty - config.contradiction * clash
        if config.control != "no examination":
            reward = reward + config.examination * np.nan_to_num(examined.reward)
        returns = self.on_device(reward.astype(np.float32))
        rows, wanted = self.on_device(ended.inputs), self.on_device(ended.wanted)
        before = self.on_device(ended.logprob)
        with torch.no_grad():
            gains = returns - self.language(rows)[1]
            gains = (gains - gains.mean()) / (gains.std() + 1e-6)
        for _ in range(EPOCHS):
            for part in np.array_split(self.rng.permutation(len(rows)), max(1, len(rows) // BATCH)):
                self.check()
                at = self.on_device(part)
                odds, worth = self.language(rows[at])
                change = goal_language.logprob(odds, wanted[at]).sum(1) - before[at]
                ratio = change.clamp(-MOST_CHANGE, MOST_CHANGE).exp()
                clipped = ratio.clamp(1 - config.clip, 1 + config.clip)
                loss = -torch.minimum(ratio * gains[at], clipped * gains[at]).mean()
                loss = loss + 0.5 * (worth - returns[at]).square().mean()
                loss = loss + (self.judge(pairs[at]) - self.target(pairs[at])).square().mean()
                self.adam.zero_grad()
                loss.backward()
                nn.utils.clip_grad_norm_(self.language.parameters(), config.max_grad_norm)
                self.adam.step()
        return {
            "language_reward": float(reward.mean()),
            "dimensions": float((ended.wanted >= 0).sum(1).mean()),
            "contradictions": float(clash.mean()),
            "novelty": float(novelty.mean()),
            **examined.figures(),
        }

    def examine(self, ended: Ended) -> Examined:
        """How far goals keep what their texts are known to ask for, eq. 10."""
        right = self.said.wanted[ended.text]
        asks = (right >= 0) & np.isin(self.said.sets[ended.text], EXAMINED)[:, None]
        kept = asks & (ended.wanted == right)
        reached = kept & (ended.values == right)
        count = asks.sum(1)
        with np.errstate(invalid="ignore", divide="ignore"):
            paid = (2.0 * kept.sum(1) - count + reached.sum(1)) / count
            return Examined(paid, kept.sum(1) / count)

    def pairs(self, ended: Ended) -> np.ndarray:
        """State and goal of windows as novelty is judged of them, (k, 4 * sub-goals)."""
        size = len(self.sizes)
        chosen = ended.wanted >= 0
        goal = np.where(chosen, 2.0 * ended.wanted / (self.sizes - 1) - 1.0, 0.0)
        return np.concatenate([ended.inputs[:, -2 * size :], goal, chosen], 1).astype(np.float32)

    def follow_probabilities(self) -> None:
        """Note how likely each tracked sub-goal is selected (the paper's Table 14)."""
        odds = goal_language.head_of(self.language).odds(self.followed)
        selected = 1.0 - np.exp(odds[:, :, 0]).mean(0)
        names = [name for name, _ in self.space.SUBGOALS]
        self.probabilities.append({name: float(selected[names.index(name)]) for name in self.space.TRACKED})

    # --- What is left --------------------------------------------------------------------------------------

    def write(self, folder: Path, net: PolicyValueNet, name: str = "") -> dict[str, Any]:
        """The agent, and its language side."""
        card = super().write(folder, net, name)
        self.language.write(folder / goal_head.FOLDER / goal_head.FILE)
        self.supervised.write(folder / goal_head.FOLDER / goal_head.SUPERVISED)
        return card

    def finish(self, out: Path) -> dict[str, Any]:
        found = super().finish(out)
        alone = "Nobody's instructions were used, the shipped sets alone."
        notes = [*found.pop("notes"), *([] if self.peoples else [alone])]
        sets, counts = np.unique(self.said.sets, return_counts=True)
        return {
            **found,
            "notes": notes,
            "shipped_only": not self.peoples,
            "instructions": self.peoples,
            "sets": dict(zip(sets.tolist(), counts.tolist(), strict=True)),
            "reading": self.reading,
            "probabilities": self.probabilities,
            "resets": self.resets,
            "control": self.config.control,
        }


@dataclass
class Examined:
    """The examination reward of windows (k,), NaN where a text isn't examined, and the share of what it asks
    for that is in its goal (k,).
    """

    reward: np.ndarray
    kept: np.ndarray

    def figures(self) -> dict[str, float]:
        return {} if np.isnan(self.kept).all() else {"examination": float(np.nanmean(self.kept))}


train = partial(shell.run, CoTrain)

if __name__ == "__main__":
    sys.exit(run_program("cotrain", Settings, train, suiting=partial(suiting, "cotrain")))
