"""Where marks depend on what came before, agents that IBT trains gain more than those of memoryless models.

The shipped agent plays episodes, which simulated annotators mark by a style that no single move shows
(`styled`), as rarely, late and wrongly as people. Reward models learn from the same marks with the same
network and as many steps, on the agent's own observation or on the few numbers of `rated_many`: IBT; the
marks of single ticks instead of pairs with the same memory, from three ticks, from one. All arms start from
the shipped agent and have as many moves: PPO on the score and U. Controls: IBT on the same marks with
shuffled signs, and the style itself.
"""

from __future__ import annotations

from typing import Any

from engine.experiments import parts
from engine.experiments.memory import MOVE
from engine.experiments.work import Work

MODELS: dict[str, dict[str, Any]] = {
    "IBT": {"level": True, "tick_weight": 1.0},
    "next mark": {"pairs": 0, "level": True},
    "three ticks": {"pairs": 0, "reach": 3},
    "one tick": {"pairs": 0, "reach": 1},
}
MEMORYLESS = ("three ticks", "one tick")
SHUFFLED, TRUE, BASE = "shuffled signs", "the style itself", "base"
SHARE, LEAST = 0.6, 0.4
"""Of what the style itself gains: what IBT has to gain, and what the interval has to lie above."""


def run(setting: dict[str, Any], seed: int, quick: bool, work: Work) -> dict[str, Any]:
    """{"arms": {name: parts.preferred with "kl"; BASE, TRUE and "MODEL, INPUTS"}, "marks"} of one seed."""
    base, weight = setting["base"], setting["ppo"]["utility_weight"]
    raters = parts.people_like(setting["game"], setting["measure"], MOVE)
    marked = parts.marked_episodes(work, "marked", base, setting, setting["episodes"], seed, raters)
    dealt = parts.with_other_signs(work, "shuffled", marked, seed)
    sources, marks = {TRUE: f"measure:{setting['measure']}"}, 0
    for reads in setting["reads"]:
        for name, more in {**MODELS, SHUFFLED: MODELS["IBT"]}.items():
            arm = {**setting, "ibt": {**setting["ibt"], **more, "reads": reads}}
            snapshot = dealt if name == SHUFFLED else marked
            made = parts.model_of(work, f"model/{reads}/{name}", arm, snapshot, seed)
            sources[f"{name}, {reads}"], marks = made["folder"], made["counts"]["marks"]
    judge = sources[f"IBT, {setting['reads'][0]}"]
    arms = {BASE: parts.preferred(work, BASE, base, setting, setting["evaluation"], seed, judge)}
    for name, source in sources.items():
        arms[name] = parts.weighed_arm(work, name, setting, seed, source, weight, judge)
    return {"arms": arms, "marks": marks}


@parts.by_setting
def summary(name: str, rows: list[dict[str, Any]], quick: bool) -> tuple[dict[str, Any], list[str]]:
    """{"table", "settings": {name: {"liked": {arm}, "scores": {arm}, "inputs": {reads: {"ahead": of the best
    memoryless model, which is "best", "share"}}, "met"}}, "holds"}.
    """
    arms = list(rows[0]["arms"])
    liked = {arm: parts.spread([row["arms"][arm]["liked"] for row in rows]) for arm in arms}
    scores = {arm: parts.spread([row["arms"][arm]["score"] for row in rows]) for arm in arms}
    inputs = {reads: _compared(rows, reads) for reads in rows[0]["asked"]["reads"]}
    met = {}
    for reads, found in inputs.items():
        met[f"{reads}: above {found['best']}"] = parts.above(found["ahead"], 0)
        enough = found["share"]["mean"] >= SHARE and parts.above(found["share"], LEAST)
        met[f"{reads}: share"] = enough
    table = [f"{name:<28}{'liked':>18}{'score':>18}"]
    for arm in arms:
        table.append(f"{arm:<28}{parts.cell(liked[arm], 3):>18}{parts.cell(scores[arm]):>18}")
    for reads, found in inputs.items():
        ahead, share = parts.cell(found["ahead"], 3), parts.cell(found["share"], 2)
        table.append(f"{reads}: IBT above {found['best']} by {ahead}; of what the style itself gains {share}")
    return {"liked": liked, "scores": scores, "inputs": inputs, "met": met}, [*table, ""]


def _compared(rows: list[dict[str, Any]], reads: str) -> dict[str, Any]:
    """IBT against the best memoryless model, by the seeds' mean, and against the style itself."""

    def liked(arm: str) -> list[float]:
        return [row["arms"][arm]["liked"] for row in rows]

    ibt, base, true = liked(f"IBT, {reads}"), liked(BASE), liked(TRUE)
    best = max(MEMORYLESS, key=lambda name: sum(liked(f"{name}, {reads}")))
    other = liked(f"{best}, {reads}")
    return {
        "best": best,
        "ahead": parts.spread([a - b for a, b in zip(ibt, other, strict=True)]),
        "share": parts.spread([(a - b) / (c - b) for a, b, c in zip(ibt, base, true, strict=True)]),
    }


def effect(found: dict[str, Any]) -> tuple[str, dict[str, Any]]:
    reads, compared = next(iter(found["inputs"].items()))
    return f"what is liked, above that of {compared['best']} ({reads})", compared["ahead"]


@parts.panels
def plot(result: dict[str, Any], axes: Any) -> None:
    """What is liked by arm, a point per seed."""
    for number, figure in enumerate(result["liked"].values()):
        axes.plot(figure["by_seed"], [number] * len(figure["by_seed"]), "o", alpha=0.6)
        axes.plot([figure["mean"]], [number], "k|", markersize=14)
    axes.set_yticks(range(len(result["liked"])), list(result["liked"]))
    axes.invert_yaxis()
    axes.set_xlabel("share of judged moves that are liked")
