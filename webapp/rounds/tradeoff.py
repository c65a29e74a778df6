"""The cost in points of weights of the reward model, and their gain in U: a round among the finished rounds
of the same game and options, each against its own base. Reads what evaluations reported; measures nothing.

Every round has a reward model of its own, so across rounds U is counted in spreads: standard deviations of
what the model gives the base for its games.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

from django.urls import reverse

from engine.learning.run.settings import Role
from webapp.agents import cards
from webapp.agents.models import Agent
from webapp.datasets.selection import Filters
from webapp.jobs.models import Job
from webapp.rounds import comparison, launch, programs
from webapp.rounds.models import Round

MOST = 40  # evaluations that are looked at, the newest
SAID = 6  # rounds that the form's line names
WIDTH, HEIGHT, MARGIN = 320, 200, 24  # of the plot, in its own units

UNTOLD = (
    "The base had no further training, so this is the effect of the weight and of the training "
    "together. The same round with utility weight 0 would separate them."
)


@dataclass(frozen=True)
class Traded:
    """A candidate less its base: `points` and `gain` of U, {"mean", "half": of the 95 % interval}; `spread`:
    that of U in the base's games.
    """

    round: Round
    weight: float
    points: dict[str, float]
    gain: dict[str, float]
    spread: float

    @property
    def spreads(self) -> float:
        """The gain of U in spreads."""
        return self.gain["mean"] / self.spread

    @property
    def weighed(self) -> str:
        """The weight, and that of the score where it isn't 1."""
        score = programs.value_of(self.round.settings, "agent", Role.SCORE_WEIGHT)
        return f"{self.weight:g}" if score in (None, 1) else f"{self.weight:g} to {score:g} of the score"


def traded(round_: Round, result: dict[str, Any]) -> Traded | None:
    """The figures of an evaluation; None if U had no weight, or too few games were played for intervals."""
    weight = programs.value_of(round_.settings, "agent", Role.UTILITY_WEIGHT)
    points = cards.interval(result.get("difference", {}).get("base"))
    ours, base = (cards.interval(result.get("reward_return", {}).get(side)) for side in ("candidate", "base"))
    if weight is None or not points or not ours or not base or not base["half"]:
        return None
    spread = base["stderr"] * math.sqrt(base.get("deals", base["episodes"]))
    gain = {"mean": ours["mean"] - base["mean"], "half": math.hypot(ours["half"], base["half"])}
    return Traded(round_, float(weight), points, gain, spread)


def measured(base: Agent) -> list[Traded]:
    """The finished rounds of the same game and options as an agent's, the newest first."""
    anything = Filters(game=base.game)
    wanted = launch.usable(base, anything)
    done = Job.objects.filter(kind="evaluation", state=Job.COMPLETED, round__game=base.game)
    members = list(done.select_related("round").order_by("-round__number")[:MOST])
    # Many rounds go on from one agent, whose card is long.
    bases = Agent.objects.in_bulk({job.round.base_agent_id for job in members if job.round is not None})
    alike = {pk for pk, agent in bases.items() if launch.usable(agent, anything) == wanted}
    rows = [
        traded(job.round, job.result)
        for job in members
        if job.round is not None and job.round.base_agent_id in alike
    ]
    return [row for row in rows if row is not None]


def of(round_: Round, members: list[Job]) -> dict[str, Any] | None:
    """What the round's page shows: {"sentence", "compared": with whom and why, "counted": how much of
    its weight U had, "kl": how far it could go, "plot"}; None where no U was weighed or nothing is evaluated
    yet.
    """
    mine = traded(round_, comparison.result_of(members, "evaluation"))
    if mine is None:
        return None
    others = [row for row in measured(round_.base_agent) if row.round.pk != round_.pk]
    alone = next((row for row in others if mine.weight and _without(row, mine)), None)
    points, whom, trained = mine.points, "its base", comparison.result_of(members, "agent")
    if alone is not None:
        half = math.hypot(points["half"], alone.points["half"])
        points = {"mean": points["mean"] - alone.points["mean"], "half": half}
        whom = f"with weight 0 (round {alone.round.number})"
    return {
        "sentence": f"At weight {mine.weighed} the candidate {_scored(points, whom)} and {_gained(mine)}.",
        "compared": "" if alone or not mine.weight else UNTOLD,
        "counted": _counted(mine, trained.get("counted", 1.0)),
        "kl": _far(trained.get("kl")),
        "plot": plot(mine, others),
    }


def _counted(mine: Traded, part: float) -> str:
    """How much of its weight U had beside a score (engine.learning.parts.earnings)."""
    if part == 1 or not mine.weight:
        return ""
    return (
        f"U had {part:.2f} of that weight, because the game has a score: this factor is how well the reward "
        "model separates held-out marks (2 AUC − 1). A model that learned nothing would make a good agent "
        "worse."
    )


def _without(row: Traded, mine: Traded) -> bool:
    """Whether a round is another one with weight 0."""

    def rest(round_: Round) -> Any:
        agent = {name: value for name, value in round_.settings["agent"].items() if name != "utility_weight"}
        return round_.base_agent_id, round_.settings.get("algorithms", {}).get("agent"), agent

    return row.weight == 0 and rest(row.round) == rest(mine.round)


def _signed(value: float, shape: str = "+.2f") -> str:
    """A number with a minus sign, as a sentence has it."""
    return f"{value:{shape}}".replace("-", "−")


def _scored(points: dict[str, float], whom: str) -> str:
    mean, half = points["mean"], points["half"]
    if abs(mean) <= half:
        return f"scored about as much as {whom} ({_signed(mean)} ± {half:.2f} points)"
    return f"scored {abs(mean):.2f} ± {half:.2f} points {'more' if mean > 0 else 'less'} than {whom}"


def _gained(mine: Traded) -> str:
    mean, half = mine.gain["mean"], mine.gain["half"]
    if abs(mean) <= half:
        return f"gained nothing clear in U over its base ({_signed(mean)} ± {half:.2f})"
    word = "gained" if mean > 0 else "lost"
    return (
        f"{word} {abs(mean):.2f} ± {half:.2f} in U over its base, {abs(mine.spreads):.1f} standard deviations"
    )


def _far(kl: dict[str, Any] | None) -> str:
    """How far from its base the agent's training came, and whether it was let (learning.parts.pulls)."""
    if not kl:
        return ""
    held = "which held it there" if kl["held"] else "so it wasn't held back"
    return f"KL to the base came to {kl['reached']:.2g} nats a move; target_kl is {kl['target']:g}, {held}."


def plot(mine: Traded, others: list[Traded]) -> dict[str, Any]:
    """Points against U, a point a round, for an SVG of WIDTH × HEIGHT: {"points": [{"x", "y", "whiskers": the
    "d" of a path, …}], "x", "y": where no change lies, "across", "up": what the edges are}. The current round
    comes last, so that it lies on top.
    """
    rows = [*others, mine]
    across = _range([row.spreads for row in rows])
    up = _range([row.points["mean"] for row in rows])

    def x(value: float) -> float:
        return _between(MARGIN, WIDTH - MARGIN, value, across)

    def y(value: float) -> float:
        return _between(HEIGHT - MARGIN, MARGIN, value, up)

    points = []
    for row in rows:
        score, gain = row.points, {"mean": row.spreads, "half": row.gain["half"] / row.spread}
        low, high = (gain["mean"] + sign * gain["half"] for sign in (-1, 1))
        worst, best = (score["mean"] + sign * score["half"] for sign in (-1, 1))
        right = x(gain["mean"]) < WIDTH / 2
        points.append(
            {
                "x": f"{x(gain['mean']):.1f}",
                "y": f"{y(score['mean']):.1f}",
                "whiskers": f"M{x(low):.1f} {y(score['mean']):.1f}H{x(high):.1f}"
                f"M{x(gain['mean']):.1f} {y(worst):.1f}V{y(best):.1f}",
                "label": f"{row.weight:g}",
                "label_x": f"{x(gain['mean']) + (8 if right else -8):.1f}",
                "label_y": f"{y(score['mean']) - 7:.1f}",
                "anchor": "start" if right else "end",
                "title": f"Round {row.round.number}, weight {row.weighed}: {_signed(score['mean'])} ± "
                f"{score['half']:.2f} points, {_signed(row.spreads)} ± {gain['half']:.2f} standard "
                "deviations of U",
                "url": reverse("rounds:round", args=[row.round.number]),
                "current": row is mine,
            }
        )
    return {
        "points": points,
        "x": f"{x(0):.1f}",
        "y": f"{y(0):.1f}",
        "across": [_signed(end, ".2g") for end in across],
        "up": [_signed(end, ".2g") for end in up],
        "width": WIDTH,
        "height": HEIGHT,
    }


def _range(values: list[float]) -> tuple[float, float]:
    """From the lowest to the highest of the values and 0, never empty."""
    low, high = min(0.0, *values), max(0.0, *values)
    return (low, high) if low < high else (-1.0, 1.0)


def _between(first: float, last: float, value: float, ends: tuple[float, float]) -> float:
    """Where a value lies on a line from `first` to `last` with these ends; nothing lies far beyond them."""
    share = (value - ends[0]) / (ends[1] - ends[0])
    return first + max(-0.1, min(1.1, share)) * (last - first)


def so_far(base: Agent) -> list[dict[str, Any]]:
    """What the newest rounds' weights cost, by weight, for the form's line: [{"text", "number"}]."""
    rows = sorted(measured(base)[:SAID], key=lambda row: row.weight)
    return [{"text": _briefly(row), "number": row.round.number} for row in rows]


def _briefly(row: Traded) -> str:
    mean, half = row.points["mean"], row.points["half"]
    word = "cost" if mean < 0 else "brought"
    clear = f"{word} {abs(mean):.1f} points" if abs(mean) > half else "cost nothing clear"
    return f"{row.weighed} {clear} for {_signed(row.spreads, '+.1f')} of U"
