"""What agents gain grows with marked episodes, with annotators, and with which episodes are marked.

A weak agent plays a pool of episodes. Reward models learn from 25 to 1,600 of them; from 100 with one to six
annotators; and from 100 of which 75 were chosen from the pool with a model of the first 25: at random, where
the members of the ensemble disagree most, or where it is least sure of any change (the two criteria that a
queue can use). PPO on each model makes an agent, whose gain over the weak agent's score is reported.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from engine.agents import utility
from engine.evaluation import measures
from engine.experiments import parts
from engine.experiments.work import Work
from engine.learning.parts.worth import CHOICES, worth
from engine.snapshots import Snapshot

MARKED: dict[str, Any] = {"amounts": [25, 100, 400, 1600], "raters": [1, 2, 6], "begun": 25, "chosen": 100}
"""Episodes marked, beside one another; raters of the "chosen", beside one another; how many of the chosen a
model begins with, that ranks the rest."""
FEW_MARKED: dict[str, Any] = {"amounts": [8, 16], "raters": [1], "begun": 8, "chosen": 12}


def run(setting: dict[str, Any], seed: int, quick: bool, work: Work) -> dict[str, Any]:
    """{"base", "arms": {name: {"score", "progress", "marks"}}} of one seed."""
    game, count = setting["game"], setting["evaluation"]
    raters = parts.people_like(game, setting.get("measure", measures.USUAL))
    six = (*raters, *parts.like(raters))
    base, _ = parts.weak_base(work, setting, seed, quick)
    results: dict[str, Any] = {"base": parts.measured_agent(work, "base", base, setting, count, seed)}

    def arm(name: str, snapshot: str) -> None:
        made = parts.model_of(work, f"models/{name}", setting, snapshot, seed)
        common = {"game": game, "base": base, "name": name.replace(" ", "-"), "seed": seed}
        agent = work.train(f"agents/{name}", "ppo", **common, **parts.by_ppo(setting, made["folder"]))
        measured = parts.measured_agent(work, name, agent["folder"], setting, count, seed)
        results[name] = {**measured, "marks": made["counts"]["marks"]}

    whole = parts.marked_episodes(
        *(work, "pool", base, setting, max(setting["amounts"]), seed, raters),
        instructions=setting.get("instructions", []),
    )
    pool = Snapshot(whole)
    order = pool.episodes
    order = [order[i] for i in np.random.default_rng(seed).permutation(len(order))]
    for amount in setting["amounts"]:
        arm(f"{amount} episodes", parts.some_of(work, f"some/{amount}", whole, order[:amount]))
    chosen = setting["chosen"]
    logs = parts.episodes_of(parts.some_of(work, "some/chosen", whole, order[:chosen]))
    for number in setting["raters"]:
        by_some = parts.marked_logs(work, f"some/{number} raters", logs, six[:number], seed, 1)
        arm(f"{number} raters", by_some)
    begun = order[: setting["begun"]]
    snapshot = parts.some_of(work, "some/begun", whole, begun)
    first = parts.model_of(work, "models/begun", setting, snapshot, seed)

    def rank(_: Path) -> dict[str, dict[str, float]]:
        judge = utility.load(Path(first["folder"]))
        return {name: _worth(judge, pool, name, work) for name in order[len(begun) :]}

    ranked = work.step("ranked", {"model": first["sha256"], "of": len(order)}, rank)
    for name in CHOICES:
        best = sorted(ranked, key=lambda which: -ranked[which][name])[: chosen - len(begun)]
        arm(name, parts.some_of(work, f"some/{name}", whole, begun + best))
    return {"arms": results}


def _worth(judge: utility.RewardModel, pool: Snapshot, episode: str, work: Work) -> dict[str, float]:
    work.check()
    return worth(judge, pool.log(episode), *CHOICES)


@parts.by_setting
def summary(name: str, rows: list[dict[str, Any]], quick: bool) -> tuple[dict[str, Any], list[str]]:
    """{"table", "settings": {name: {"arms": gains, "marks"}}, "holds": whether more brings more}."""
    table: list[str] = []
    arms = {
        arm: parts.spread([row["arms"][arm]["score"] - row["arms"]["base"]["score"] for row in rows])
        for arm in rows[0]["arms"]
        if arm != "base"
    }
    marks = {arm: float(np.mean([row["arms"][arm]["marks"] for row in rows])) for arm in arms}
    amounts = [arm for arm in arms if arm.endswith("episodes")]
    met = {"more brings more": arms[amounts[-1]]["mean"] > arms[amounts[0]]["mean"]}
    result: dict[str, Any] = {"arms": arms, "marks": marks, "met": met}
    table.append(f"{name}: gain in score over the weak agent")
    table += [f"  {arm:<16}{marks[arm]:>8.0f} marks {parts.cell(figure):>22}" for arm, figure in arms.items()]
    return result, table


def effect(found: dict[str, Any]) -> tuple[str, dict[str, Any]]:
    most = [arm for arm in found["arms"] if arm.endswith("episodes")][-1]
    return f"points gained by marks on {most}", found["arms"][most]


def plot(result: dict[str, Any], figure: Any) -> None:
    """Gain against number of marks (log axis): amounts as a line, other arms as points; bars are 95 % over
    seeds.
    """
    colours: dict[str, str] = {}  # of an arm, in every panel
    for number, (name, row) in enumerate(result["settings"].items(), 1):
        axes = figure.add_subplot(1, len(result["settings"]), number)
        amounts = [arm for arm in row["arms"] if arm.endswith("episodes")]
        others = [arm for arm in row["arms"] if arm not in amounts]
        for arm in others:
            colours.setdefault(arm, f"C{len(colours)}")
        for arms, look in (
            (amounts, {"fmt": "o-", "color": "black", "label": "at random"}),
            *(([arm], {"fmt": "s", "color": colours[arm], "label": arm}) for arm in others),
        ):
            gains = [row["arms"][arm] for arm in arms]
            means = [gain["mean"] for gain in gains]
            half = [gain["interval"][1] - gain["mean"] if gain["interval"] else 0.0 for gain in gains]
            axes.errorbar([row["marks"][arm] for arm in arms], means, half, capsize=3, elinewidth=0.8, **look)
        axes.set_xscale("log")
        axes.xaxis.set_minor_formatter("")
        axes.set_title(name)
        axes.set_xlabel("marks")
        axes.set_ylabel("gain in score")
        axes.legend(fontsize=7)
