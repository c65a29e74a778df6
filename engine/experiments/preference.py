"""Marks teach a preference that no score expresses, at a small price in points.

The shipped agent plays episodes, which simulated annotators mark by a preference alone. All arms start from
this agent and have as many moves: PPO on the score and the U of the marks, on the score and the U of the same
marks with shuffled signs, on the score and the preference itself, and on the score alone. Further arms have
the score and U at other weights. They show what a weight costs in points, and what it gains in U and in the
preference itself, which is a better test than a second model.
"""

from __future__ import annotations

from typing import Any

from engine import experiments
from engine.experiments import parts
from engine.experiments.work import Work

MOST_BY_CHANCE = 0.05
"""How far marks with other signs may move the agent, in the preference's own unit."""
WEIGHTS = (0.25, 4.0)
"""Of U, in parts of a setting's own, besides that and 0 (the score alone); quick runs have the first."""


def weighed(setting: dict[str, Any], quick: bool) -> dict[float, str]:
    """The arms on the U of the marks by its weight, in ascending order."""
    usual = setting["ppo"]["utility_weight"]
    others = {part * usual: f"ibt at {part * usual:g}" for part in WEIGHTS[: 1 if quick else None]}
    return dict(sorted({0.0: "score", usual: "ibt", **others}.items()))


def run(setting: dict[str, Any], seed: int, quick: bool, work: Work) -> dict[str, Any]:
    """{"arms": {name: {"score", "liked", "u": by the model from the marks, "kl"
    (engine.learning.parts.pulls)}}, "marks"} of one seed.
    """
    count, base = setting["evaluation"], setting["base"]
    marked = parts.marked_episodes(work, "marked", base, setting, setting["episodes"], seed)
    sources = {"score": "", "true": f"measure:{setting['measure']}"}
    marks = 0
    for name, snapshot in (
        ("ibt", marked),
        ("shuffled", parts.with_other_signs(work, "shuffled", marked, seed)),
    ):
        made = parts.model_of(work, f"model-{name}", setting, snapshot, seed)
        sources[name], marks = made["folder"], made["counts"]["marks"]
    model = sources["ibt"]
    arms: dict[str, Any] = {"base": parts.preferred(work, "base", base, setting, count, seed, model)}
    plans = {name: (source, setting["ppo"]["utility_weight"]) for name, source in sources.items()}
    plans = {name: (model, weight) for weight, name in weighed(setting, quick).items()} | plans
    for name, (source, weight) in plans.items():
        arms[name] = parts.weighed_arm(work, name, setting, seed, source, weight, model)
    return {"arms": arms, "marks": marks}


def traded(rows: list[dict[str, Any]], setting: dict[str, Any], quick: bool) -> list[dict[str, Any]]:
    """What each weight costs and gains: [{"weight", "cost": points less than on the score alone, "score",
    "liked", "u", "kl": distance from the base, None if nothing held the policy near it, "held": in how many
    seeds the target kept it there}].
    """
    weights = []
    for weight, arm in weighed(setting, quick).items():
        pairs = [(row["arms"][arm], row["arms"]["score"]) for row in rows]
        near = [row["kl"] for row, _ in pairs if row["kl"]]
        weights.append(
            {
                "weight": weight,
                "cost": parts.spread([alone["score"] - row["score"] for row, alone in pairs]),
                **{name: parts.spread([row[name] for row, _ in pairs]) for name in ("score", "liked", "u")},
                "kl": parts.known([row["reached"] for row in near]),
                "held": sum(row["held"] for row in near),
            }
        )
    return weights


@parts.by_setting
def summary(name: str, rows: list[dict[str, Any]], quick: bool) -> tuple[dict[str, Any], list[str]]:
    """{"table", "settings": {name: {"liked", "scores", "loss", "moved", "weights"}}, "holds"}."""
    table: list[str] = []
    bar = next(setting for setting in experiments.settings("preference", quick) if setting["name"] == name)
    weights = traded(rows, bar, quick)
    arms = [arm for arm in rows[0]["arms"] if not arm.startswith("ibt at")]
    liked = {arm: parts.spread([row["arms"][arm]["liked"] for row in rows]) for arm in arms}
    scores = {arm: parts.spread([row["arms"][arm]["score"] for row in rows]) for arm in arms}
    loss = parts.spread([row["arms"]["base"]["score"] - row["arms"]["ibt"]["score"] for row in rows])
    moved = parts.spread(
        [abs(row["arms"]["shuffled"]["liked"] - row["arms"]["base"]["liked"]) for row in rows]
    )
    most = bar["loss"] * (scores["base"]["mean"] if bar["relative"] else 1.0)
    met = {
        "liked": liked["ibt"]["mean"] >= bar["liked"],
        "loss": loss["mean"] <= most,
        "shuffled": moved["mean"] < MOST_BY_CHANCE,
    }
    result: dict[str, Any] = {"arms": scores, "liked": liked, "loss": loss, "moved": moved, "met": met}
    result |= {"bars": {key: bar[key] for key in ("liked", "loss")}, "weights": weights}
    table.append(f"{name}: what is liked is {bar['what']}")
    table.append("arm     " + "".join(f"{arm:>18}" for arm in arms))
    table.append("liked   " + "".join(f"{parts.cell(liked[arm], 2):>18}" for arm in arms))
    table.append("score   " + "".join(f"{parts.cell(scores[arm]):>18}" for arm in arms))
    table.append(f"loss {parts.cell(loss)} (at most {most:.1f}), shuffled moves it {parts.cell(moved, 2)}")
    table.append("U at    " + "".join(f"{weight['weight']:>18g}" for weight in weights))
    for of, digits in (("cost", 1), ("liked", 2), ("u", 2), ("kl", 2)):
        cells = [parts.cell(weight[of], digits) if weight[of] else "free" for weight in weights]
        table.append(f"{of:<8}" + "".join(f"{cell:>18}" for cell in cells))
    table.append("held    " + "".join(f"{weight['held']} of {len(rows)}".rjust(18) for weight in weights))
    return result, table


def effect(found: dict[str, Any]) -> tuple[str, dict[str, Any]]:
    before = parts.cell(found["liked"]["base"], 2)
    return f"what is preferred, a game (before: {before})", found["liked"]["ibt"]


@parts.panels
def plot(result: dict[str, Any], axes: Any) -> None:
    """The preference against the score: one colour per arm, one point per seed, and a line over the weights
    of U.
    """
    for arm, scores in result["arms"].items():
        axes.plot(scores["by_seed"], result["liked"][arm]["by_seed"], "o", label=arm, alpha=0.7)
    means = [[weight[of]["mean"] for weight in result["weights"]] for of in ("score", "liked")]
    axes.plot(*means, "k.-", label="score and U, by weight")
    for weight, *place in zip(result["weights"], *means, strict=True):
        axes.annotate(f"{weight['weight']:g}", place, xytext=(3, 3), textcoords="offset points")
    axes.axhline(result["bars"]["liked"], color="grey", linestyle=":")
    axes.set_xlabel("score")
    axes.set_ylabel("preference")
    axes.legend(fontsize=7)
