"""Agents trained on marks alone, without the score, win back most of what true progress would bring.

A weak agent (a checkpoint with about a given share of the shipped agent's strength) plays episodes. Simulated
annotators mark them as sparsely, late and wrongly as people do. All arms start from this agent and have as
many moves and gradient steps: PPO on the U of the marks, on the U of the same marks with shuffled signs, on U
= t, on true progress, and on the score (whose weight is 0 in the other arms); BC + RL on the U of the marks,
with which the IBT paper trains its agents; and imitation of the marked episodes.
"""

from __future__ import annotations

from typing import Any

from engine import brings, experiments
from engine.experiments import parts
from engine.experiments.work import Work

BARS = {"share": 0.7, "times": 1.5}
"""Of the gain by true progress, and of the base's score."""
CONTROLS = ("shuffled", "clock", "imitation")


def run(setting: dict[str, Any], seed: int, quick: bool, work: Work) -> dict[str, Any]:
    """{"base", "arms": {name: {"score", "progress"}}, "marks"} of one seed."""
    game, count = setting["game"], setting["evaluation"]
    base, chosen = parts.weak_base(work, setting, seed, quick)
    how = {"instructions": setting.get("instructions", []), "per_seat": setting.get("per_seat", 1)}
    marked = parts.marked_episodes(work, "marked", base, setting, setting["episodes"], seed, **how)
    snapshots = {"ibt": marked, "shuffled": parts.with_other_signs(work, "shuffled", marked, seed)}
    sources = {
        "clock": "measure:clock",
        "progress": f"measure:{setting.get('measure', 'progress')}",
        "score": "",
    }
    models: dict[str, Any] = {}
    for name, snapshot in snapshots.items():
        models[name] = parts.model_of(work, f"model-{name}", setting, snapshot, seed)
        sources[name] = models[name]["folder"]
    arms = {"base": parts.measured_agent(work, "base", base, setting, count, seed)}
    for name, source in sources.items():
        common = {"game": game, "base": base, "name": name, "seed": seed}
        made = work.train(f"arms/{name}", "ppo", **common, **parts.by_ppo(setting, source))
        arms[name] = parts.measured_agent(work, name, made["folder"], setting, count, seed)
    for name, source in (("bcrl", sources["ibt"]), ("imitation", "")):
        common = {"game": game, "base": base, "name": name, "seed": seed}
        made = work.train(f"arms/{name}", "bcrl", **common, **parts.by_bcrl(setting, source, marked))
        arms[name] = parts.measured_agent(work, name, made["folder"], setting, count, seed)
    return {
        "base": chosen,
        "arms": arms,
        "marks": models["ibt"]["counts"]["marks"],
        "held_out": models["ibt"]["held_out"],
    }


@parts.by_setting
def summary(name: str, rows: list[dict[str, Any]], quick: bool) -> tuple[dict[str, Any], list[str]]:
    """{"table", "settings": {name: {"arms", "by": the arm on U that decides, its "share", "times" and "over";
    "shares": by PPO and by BC + RL}}, "holds"}.
    """
    table: list[str] = []
    scores = {arm: [row["arms"][arm]["score"] for row in rows] for arm in rows[0]["arms"]}
    by = _judged(name, quick)
    base, ibt, true = scores["base"], scores[by], scores["progress"]
    shares = {arm: _share(scores[arm], base, true) for arm in ("ibt", "bcrl") if arm in scores}
    over = {
        arm: parts.spread([a - b for a, b in zip(ibt, scores[arm], strict=True)])
        for arm in ("base", *CONTROLS)
    }
    figures: dict[str, Any] = {
        "arms": {arm: parts.spread(values) for arm, values in scores.items()},
        "by": by,
        "share": parts.spread(shares[by]),
        "shares": {arm: parts.spread(values) for arm, values in shares.items()},
        "times": parts.spread([a / b if b else 0.0 for a, b in zip(ibt, base, strict=True)]),
        "over": over,
    }
    met = {bar: figures[bar]["mean"] >= least for bar, least in BARS.items()}
    figures["holds"] = all(met.values()) and all(parts.above(value, 0) for value in over.values())
    result: dict[str, Any] = {**figures, "met": met}
    table.append(f"{name}, by {by}: share of true progress' gain {parts.cell(figures['share'], 2)}, ")
    table[-1] += f"{parts.cell(figures['times'], 2)} times the base"
    table.append("seed    " + "".join(f"{arm:>16}" for arm in scores))
    for number, row in enumerate(rows):
        table.append(f"{row['seed']:<8}" + "".join(f"{scores[arm][number]:>16.1f}" for arm in scores))
    table.append("mean    " + "".join(f"{parts.cell(figures['arms'][arm]):>16}" for arm in scores))
    table += [f"{arm}'s share: {parts.cell(value, 2)}" for arm, value in figures["shares"].items()]
    for arm, value in over.items():
        table.append(f"{by} over {arm}: {parts.cell(value)}")
    return result, table


def _judged(name: str, quick: bool) -> str:
    """The arm on U that decides in a setting: BY in the game's file (chosen on the tuning seed), otherwise
    PPO's.
    """
    known = experiments.settings("lost-score", quick)
    game = next(setting["game"] for setting in known if setting["name"] == name)
    return brings.LostScore.of(game).BY


def _share(scores: list[float], base: list[float], true: list[float]) -> list[float]:
    """Of true progress' gain over the base, by seed."""
    return [(a - b) / (c - b) if c != b else 0.0 for a, b, c in zip(scores, base, true, strict=True)]


def effect(found: dict[str, Any]) -> tuple[str, dict[str, Any]]:
    return "share of what true progress gains", found["share"]


@parts.panels
def plot(result: dict[str, Any], axes: Any) -> None:
    """Scores by arm, one panel per setting, one point per seed."""
    arms = list(result["arms"])
    for place, arm in enumerate(arms):
        values = result["arms"][arm]["by_seed"]
        axes.plot([place] * len(values), values, "o", alpha=0.5, color=f"C{place}")
        axes.plot([place - 0.3, place + 0.3], [result["arms"][arm]["mean"]] * 2, color=f"C{place}")
    axes.set_xticks(range(len(arms)), arms, rotation=60)
    axes.set_ylabel("score")
