"""Where marks depend on what came before, agents that IBT trains gain more than those of memoryless models.

The shipped agent plays episodes, which simulated annotators mark by a style that no single move shows
(`styled`), as rarely, late and wrongly as people. Reward models learn from the same marks with as many steps,
on the agent's own observation or on the few numbers of `rated_many`: IBT, which learns from pairs and from
single ticks, its U read off the memory; single ticks alone, with the same memory and U, or with U as a sum;
this from three ticks, and from one. All arms start from the shipped agent and have as many moves: PPO on the
score and U, whose weight is the same however well a model tells marks. Controls: IBT on the same marks with
shuffled signs, the score alone, and the style itself.
"""

from __future__ import annotations

from typing import Any

from engine.experiments import parts
from engine.experiments.memory import MOVE
from engine.experiments.work import Work

MODELS: dict[str, dict[str, Any]] = {
    "IBT": {"level": True, "tick_weight": 1.0},
    "next mark": {"pairs": 0, "level": True},
    "next mark, sum": {"pairs": 0},
    "three ticks": {"pairs": 0, "reach": 3},
    "one tick": {"pairs": 0, "reach": 1},
}
MEMORYLESS = ("three ticks", "one tick")
SHUFFLED, TRUE, SCORE, BASE = "shuffled signs", "the style itself", "the score alone", "base"
SHARE, LEAST = 0.6, 0.4
"""Of what the style itself gains: what IBT has to gain, and what the interval has to lie above."""


def run(setting: dict[str, Any], seed: int, quick: bool, work: Work) -> dict[str, Any]:
    """{"arms": {name: parts.preferred with "kl"; BASE, TRUE, SCORE and "MODEL, INPUTS"}, "marks", "skills":
    {"MODEL, INPUTS": how well it tells held-out marks}} of one seed.
    """
    base, weight = setting["base"], setting["ppo"]["utility_weight"]
    raters = parts.people_like(setting["game"], setting["measure"], MOVE)
    marked = parts.marked_episodes(work, "marked", base, setting, setting["episodes"], seed, raters)
    dealt = parts.with_other_signs(work, "shuffled", marked, seed)
    sources, skills, marks = {TRUE: f"measure:{setting['measure']}"}, {}, 0
    for reads in setting["reads"]:
        for name, more in {**MODELS, SHUFFLED: MODELS["IBT"]}.items():
            arm = {**setting, "ibt": {**setting["ibt"], **more, "reads": reads}}
            snapshot = dealt if name == SHUFFLED else marked
            made = parts.model_of(work, f"model/{reads}/{name}", arm, snapshot, seed)
            arm_name, marks = f"{name}, {reads}", made["counts"]["marks"]
            skills[arm_name] = made["skill"]
            sources[arm_name] = parts.trusted(work, f"model/{reads}/{name}, trusted", made["folder"])
    judge = sources[f"IBT, {setting['reads'][0]}"]
    arms = {BASE: parts.preferred(work, BASE, base, setting, setting["evaluation"], seed, judge)}
    for name, source in sources.items():
        arms[name] = parts.weighed_arm(work, name, setting, seed, source, weight, judge)
    arms[SCORE] = parts.weighed_arm(work, SCORE, setting, seed, "", 0.0, judge)
    return {"arms": arms, "marks": marks, "skills": skills}


@parts.by_setting
def summary(name: str, rows: list[dict[str, Any]], quick: bool) -> tuple[dict[str, Any], list[str]]:
    """{"table", "settings": {name: {"liked": {arm}, "scores": {arm}, "inputs": {reads: {"ahead": of the best
    memoryless model, which is "best", "learned": above shuffled signs, "enough": above LEAST of what the
    style itself gains, "share": of that}}, "met"}}, "holds"}. It says nothing where the style itself gains
    nothing.
    """
    arms = list(rows[0]["arms"])
    liked = {arm: parts.spread(_liked(rows, arm)) for arm in arms}
    scores = {arm: parts.spread([row["arms"][arm]["score"] for row in rows]) for arm in arms}
    inputs = {reads: _compared(rows, reads) for reads in rows[0]["asked"]["reads"]}
    met = {TRUE: parts.above(_above(rows, TRUE, BASE), 0)}
    for reads, found in inputs.items():
        met[f"{reads}: above {found['best']}"] = parts.above(found["ahead"], 0)
        met[f"{reads}: above {SHUFFLED}"] = parts.above(found["learned"], 0)
        met[f"{reads}: share"] = found["share"] >= SHARE and parts.above(found["enough"], 0)
    table = [f"{name:<28}{'liked':>18}{'score':>18}"]
    for arm in arms:
        table.append(f"{arm:<28}{parts.cell(liked[arm], 3):>18}{parts.cell(scores[arm]):>18}")
    for reads, found in inputs.items():
        ahead, share = parts.cell(found["ahead"], 3), f"{found['share']:.2f}"
        table.append(f"{reads}: IBT above {found['best']} by {ahead}; of what the style itself gains {share}")
    return {"liked": liked, "scores": scores, "inputs": inputs, "met": met}, [*table, ""]


def _compared(rows: list[dict[str, Any]], reads: str) -> dict[str, Any]:
    """IBT against the best memoryless model, by the seeds' mean, and against the style itself."""
    ibt = f"IBT, {reads}"
    best = max(MEMORYLESS, key=lambda name: sum(_liked(rows, f"{name}, {reads}")))
    gain, most = _above(rows, ibt, BASE), _above(rows, TRUE, BASE)
    pairs = zip(gain["by_seed"], most["by_seed"], strict=True)
    return {
        "best": best,
        "ahead": _above(rows, ibt, f"{best}, {reads}"),
        "learned": _above(rows, ibt, f"{SHUFFLED}, {reads}"),
        "enough": parts.spread([one - LEAST * all_of_it for one, all_of_it in pairs]),
        "share": gain["mean"] / most["mean"] if most["mean"] > 0 else 0.0,
    }


def _liked(rows: list[dict[str, Any]], arm: str) -> list[float]:
    return [row["arms"][arm]["liked"] for row in rows]


def _above(rows: list[dict[str, Any]], arm: str, other: str) -> dict[str, Any]:
    """By how much more of what is judged is liked in an arm than in another, over seeds."""
    pairs = zip(_liked(rows, arm), _liked(rows, other), strict=True)
    return parts.spread([a - b for a, b in pairs])


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
