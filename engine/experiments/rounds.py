"""Round after round agents get better by marks, not by more training.

A weak agent's episodes are marked, a reward model learns from the marks, and PPO on it makes the agent of
round 1. Four arms continue from there with as many moves each: (i) the same model again; (ii) the same
episodes, marked again by others; (iii) new episodes of round 1's agent, marked; (iv) as iii, with the signs
of the new marks shuffled. Models learn from all marks so far. The claim holds only if the intervals of iii -
i and iii - iv exclude 0. A third round continues from iii. Cloning of the first episodes is below all of them
(IBT paper, figure 9). All agents are measured on deals that no training saw.
"""

from __future__ import annotations

from typing import Any

from engine.evaluation import measures
from engine.experiments import parts
from engine.experiments.work import Work

DECIDING = ("same model", "new, shuffled")
ROUNDS = ("cloning", "round 1", "new, marked", "round 3")


def run(setting: dict[str, Any], seed: int, quick: bool, work: Work) -> dict[str, Any]:
    """{"base", "arms": {name: {"score", "progress"}}, "marks": {name: number}} of one seed."""
    game, count, most = setting["game"], setting["evaluation"], setting["episodes"]
    raters = parts.people_like(game, setting.get("measure", measures.USUAL))
    others = parts.like(raters)
    base, chosen = parts.weak_base(work, setting, seed, quick)
    results = {"base": parts.measured_agent(work, "base", base, setting, count, seed)}
    marks: dict[str, int] = {}

    def marked(name: str, agent: str, number: int) -> str:
        instructions = setting.get("instructions", [])
        return parts.marked_episodes(
            *(work, f"marked/{name}", agent, setting, most, 100 * number + seed, raters),
            instructions=instructions,
        )

    def agent(name: str, begin: str, program: str, given: dict[str, Any]) -> str:
        known = {"game": game, "base": begin, "seed": seed, "name": name.replace(", ", "-").replace(" ", "-")}
        made = work.train(f"agents/{name}", program, **known, **given)
        results[name] = parts.measured_agent(work, name, made["folder"], setting, count, seed)
        return str(made["folder"])

    def trained(name: str, begin: str, *snapshots: str) -> tuple[str, str]:
        """(agent, its reward model) of an arm whose marks are in these."""
        whole = parts.together(work, f"data/{name}", snapshots) if len(snapshots) > 1 else snapshots[0]
        made = parts.model_of(work, f"models/{name}", setting, whole, seed)
        marks[name] = made["counts"]["marks"]
        return agent(name, begin, "ppo", parts.by_ppo(setting, made["folder"])), made["folder"]

    first = marked("first", base, 1)
    agent("cloning", base, "bcrl", parts.by_bcrl(setting, "", first))
    begin, model = trained("round 1", base, first)
    agent("same model", begin, "ppo", parts.by_ppo(setting, model))
    again = parts.marked_logs(work, "marked/again", parts.episodes_of(first), others, 100 + seed, 1)
    trained("marked again", begin, first, again)
    new = marked("new", begin, 2)
    second, _ = trained("new, marked", begin, first, new)
    trained("new, shuffled", begin, first, parts.with_other_signs(work, "marked/dealt", new, seed))
    trained("round 3", second, first, new, marked("third", second, 3))
    return {"base": chosen, "arms": results, "marks": marks}


@parts.by_setting
def summary(name: str, rows: list[dict[str, Any]], quick: bool) -> tuple[dict[str, Any], list[str]]:
    """{"table", "settings": {name: {"arms", "over", "steps", "met"}}, "holds"}."""
    table: list[str] = []
    scores = {arm: [row["arms"][arm]["score"] for row in rows] for arm in rows[0]["arms"]}

    def less(more: str, other: str, scores: dict[str, list[float]] = scores) -> dict[str, Any]:
        return parts.spread([a - b for a, b in zip(scores[more], scores[other], strict=True)])

    over = {arm: less("new, marked", arm) for arm in (*DECIDING, "marked again")}
    steps = {
        f"{later} - {earlier}": less(later, earlier)
        for earlier, later in zip(ROUNDS[:-1], ROUNDS[1:], strict=True)
    }
    met = {f"new, marked - {arm}": parts.above(over[arm], 0) for arm in DECIDING}
    met |= {step: figure["mean"] > 0 for step, figure in steps.items()}
    arms = {arm: parts.spread(values) for arm, values in scores.items()}
    result: dict[str, Any] = {"arms": arms, "over": over, "steps": steps, "met": met}
    table.append(f"{name}: score by arm")
    table += [f"  {arm:<18}{parts.cell(figure):>20}" for arm, figure in arms.items()]
    table += [f"  new, marked - {arm:<18}{parts.cell(figure):>20}" for arm, figure in over.items()]
    table += [f"  {step:<32}{parts.cell(figure):>20}" for step, figure in steps.items()]
    return result, table


def effect(found: dict[str, Any]) -> tuple[str, dict[str, Any]]:
    return "points of round 2 above those of the shuffled-sign control", found["over"]["new, shuffled"]


@parts.panels
def plot(result: dict[str, Any], axes: Any) -> None:
    """Scores by round and arm, one point per seed."""
    for place, values in enumerate(result["arms"].values()):
        axes.plot([place] * len(values["by_seed"]), values["by_seed"], "o", alpha=0.5)
        axes.plot([place - 0.3, place + 0.3], [values["mean"]] * 2, color="black")
    axes.set_xticks(range(len(result["arms"])), [*result["arms"]], rotation=60)
    axes.set_ylabel("score")
