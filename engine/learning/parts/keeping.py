"""What a training with a base does between updates: it evaluates now and then, keeps the best network, and
leaves it as an agent. Not for how it learns (engine.learning.algorithms.ppo).
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from engine.agents.catalogue import write_agent
from engine.agents.features import Inputs
from engine.agents.network import PolicyValueNet
from engine.agents.policy import NetworkPolicy, Policy
from engine.agents.utility import RewardModel
from engine.evaluation.measures import Measure
from engine.evaluation.reward_return import measured
from engine.learning.parts import made
from engine.learning.parts.earnings import Earnings
from engine.learning.parts.pulls import Pulls
from engine.learning.parts.seating import Seating
from engine.learning.parts.sides import against
from engine.learning.run import shell
from engine.learning.run.reporting import Reporter


class Keeping(shell.Training):
    """A training whose settings have the parts `Evaluation`, `Named` and `Rewards`, and which sets these:"""

    algorithm: str
    net: PolicyValueNet  # that learns
    base: PolicyValueNet  # that it began with
    best: PolicyValueNet  # of those that were evaluated
    base_policy: Policy
    card: dict[str, Any]  # of what comes out, as far as that is known at the start
    options: dict[str, Any]
    inputs: Inputs
    instruction: Any  # under which it is evaluated, "" for none
    reward_model: RewardModel | Measure | None
    earnings: Earnings
    pulls: Pulls
    seating: Seating
    rows: int  # that were learned from
    counters: tuple[str, ...] = ("found",)

    def __init__(self, config: Any, check: Any = shell.never) -> None:
        super().__init__(config, check)
        self.found: dict[str, dict[str, float]] = {}  # evaluation of the base and of the best so far

    def texts(self) -> list[str]:
        """The instructions that it learns to follow."""
        return [text for text in (self.config.instruction, *self.config.instructions) if text]

    def evaluate(self, net: PolicyValueNet) -> dict[str, float]:
        """Mean score and mean gain of U per seat and game on deals kept for evaluation, acting as it will in
        live play: in self-play, or against the base where sides play against each other.
        """
        policy, config = self.as_policy(net), self.config
        table = against(config.game, self.options, policy, self.base_policy)
        how = {"reward_model": self.reward_model, "check": self.check, "told": self.instruction}
        seed, count = config.seed + 10_000, config.evaluation_games
        return measured(policy, table, self.options, count, seed=seed, **how)

    def consider(self, seen: dict[str, float]) -> None:
        """Keep the network as the best if it is: by what it is trained on, unless its score fell too far."""
        enough = seen["score"] >= self.found["base"]["score"] - self.config.allowed_drop
        better = enough and self.earnings.of_a_game(seen) > self.earnings.of_a_game(self.found["best"])
        if better or not self.config.keep_best:
            self.found["best"] = seen
            self.best.load_state_dict(self.net.state_dict())

    def as_policy(self, net: PolicyValueNet) -> NetworkPolicy:
        """A network as it will play."""
        return NetworkPolicy("learner", self.config.game, shell.weights(net), self.inputs, self.card)

    def start(self, out: Path, reporter: Reporter) -> None:
        """Measure what it begins with, unless an earlier start did."""
        if self.found:
            return
        seen = self.evaluate(self.base)
        self.found = {"base": seen, "best": seen}
        what = "base" if self.config.base else "new network"
        reporter.log(f"The {what} scores {seen['score']:.2f} in {self.config.evaluation_games} games.")
        reporter.metrics(0, **seen)
        reporter.progress(0, self.updates * self.per_update)

    def look(self, out: Path) -> dict[str, float]:
        """Evaluate now and then, keep the best, and those who are to be members of a population."""
        config = self.config
        if self.update in {max(1, round(share * self.updates)) for share in config.keep}:
            self.write(out / f"kept-{self.at()}", self.net, f"{config.name}-{self.at()}")
        if self.update % config.evaluate_every and self.update < self.updates:
            return {}
        seen = self.evaluate(self.net)
        self.consider(seen)
        return seen

    def finish(self, out: Path) -> dict[str, Any]:
        """The best agent in `out`/agent, and how it was found to be the best."""
        config, card = self.config, self.write(out / "agent", self.best)
        stayed = config.base and config.keep_best and self.found["best"] == self.found["base"]
        note = "No policy on the way was better than the base: the agent written is the base."
        pulled: dict[str, Any] = {"kl": self.pulls.summary(), "counted": self.earnings.counted}
        pulled |= {"evaluation": card["evaluation"], "notes": [note] * bool(stayed) + self.pulls.notes()}
        return {"folder": str(out / "agent"), "sha256": card["sha256"], **pulled}

    def write(self, folder: Path, net: PolicyValueNet, name: str = "") -> dict[str, Any]:
        """Write a network as an agent; returns its card, which names other agents, not their folders."""
        config = self.config
        base = self.base_policy.name if config.base else ""
        partners = {self.seating.name_of(ref): share for ref, share in config.partners.items()}
        by = f"Trained on from {base}." if base else "Learned by playing."
        card = made.trained(self.card, self, self.algorithm, [base] if base else [], by) | {
            "parent_sha256": self.base_policy.card.get("sha256"),
            "reward_scale": self.earnings.unit,
            "evaluation": {"episodes": config.evaluation_games, **self.found},
            **made.with_orders(config.orders),
            **({"instructions": made.LISTENS} if self.texts() and "told_version" in self.card else {}),
            **({"name": name} if name else {}),
        }
        card["hyperparameters"] |= {"base": base, "partners": partners}
        card["training"]["decisions"] = self.rows
        return write_agent(folder, shell.weights(net), card)
