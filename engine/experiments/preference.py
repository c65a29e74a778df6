"""Marks teach a preference that no score expresses, at a small price in points.

The shipped agent plays episodes, which simulated annotators mark by a preference alone. From the same agent,
with as many moves each: PPO on the score and the marks' U, on the score and the U of the same marks with
signs dealt anew, on the score and the preference itself, and on the score alone.
"""

from __future__ import annotations

from typing import Any

from engine.experiments import parts
from engine.experiments.work import Work

MOST_BY_CHANCE = 0.05
"""How far marks with other signs may move the agent, in the preference's own unit."""


def settings(quick: bool) -> list[dict[str, Any]]:
    """Every game's own."""
    return parts.settings_of("preference", quick)


def run(setting: dict[str, Any], seed: int, quick: bool, work: Work) -> dict[str, Any]:
    """{"arms": {name: {"score", "liked"}}, "marks"} of one seed."""
    game, count, base = setting["game"], setting["evaluation"], setting["base"]
    marked = parts.marked_episodes(work, "marked", base, setting, setting["episodes"], seed)
    sources = {"score": "", "true": f"measure:{setting['measure']}"}
    marks = 0
    for name, snapshot in (
        ("ibt", marked),
        ("shuffled", parts.with_other_signs(work, "shuffled", marked, seed)),
    ):
        settings_ = {"dataset": snapshot, "seed": seed, "controls": False, **setting["ibt"]}
        made = work.train(f"model-{name}", "ibt", game=game, **settings_)
        sources[name], marks = made["folder"], made["counts"]["marks"]
    arms = {"base": parts.preferred(work, "base", base, setting, count, seed)}
    for name, source in sources.items():
        common = {"game": game, "base": base, "name": name, "seed": seed, "reward_model": source}
        made = work.train(f"arms/{name}", "ppo", **common, **setting["ppo"])
        arms[name] = parts.preferred(work, name, made["folder"], setting, count, seed)
    return {"arms": arms, "marks": marks}


def summary(rows: list[dict[str, Any]], quick: bool) -> dict[str, Any]:
    """{"table", "settings": {name: {"liked", "scores", "loss", "moved"}}, "holds"}."""
    found: dict[str, Any] = {}
    table = []
    bars = {one["name"]: one for one in settings(quick)}
    for name in dict.fromkeys(row["setting"] for row in rows):
        own, bar = [row for row in rows if row["setting"] == name], bars[name]
        arms = list(own[0]["arms"])
        liked = {arm: parts.spread([row["arms"][arm]["liked"] for row in own]) for arm in arms}
        scores = {arm: parts.spread([row["arms"][arm]["score"] for row in own]) for arm in arms}
        loss = parts.spread([row["arms"]["base"]["score"] - row["arms"]["ibt"]["score"] for row in own])
        moved = parts.spread(
            [abs(row["arms"]["shuffled"]["liked"] - row["arms"]["base"]["liked"]) for row in own]
        )
        most = bar["loss"] * (scores["base"]["mean"] if bar["relative"] else 1.0)
        met = {
            "liked": liked["ibt"]["mean"] >= bar["liked"],
            "loss": loss["mean"] <= most,
            "shuffled": moved["mean"] < MOST_BY_CHANCE,
        }
        found[name] = {"arms": scores, "liked": liked, "loss": loss, "moved": moved, "met": met}
        found[name] |= {"holds": all(met.values()), "bars": {key: bar[key] for key in ("liked", "loss")}}
        table.append(f"{name}: what is liked is {bar['what']}")
        table.append("arm     " + "".join(f"{arm:>18}" for arm in arms))
        table.append("liked   " + "".join(f"{parts.cell(liked[arm], 2):>18}" for arm in arms))
        table.append("score   " + "".join(f"{parts.cell(scores[arm]):>18}" for arm in arms))
        table.append(
            f"loss {parts.cell(loss)} (at most {most:.1f}), shuffled moves it {parts.cell(moved, 2)}"
        )
    return {"table": table, "settings": found, "holds": all(one["holds"] for one in found.values())}


def plot(found: dict[str, Any], figure: Any) -> None:
    """The preference against the score, an arm a colour, a point a seed."""
    for number, (name, one) in enumerate(found["settings"].items(), 1):
        axes = figure.add_subplot(1, len(found["settings"]), number)
        for arm, scores in one["arms"].items():
            axes.plot(scores["by_seed"], one["liked"][arm]["by_seed"], "o", label=arm, alpha=0.7)
        axes.axhline(one["bars"]["liked"], color="grey", linestyle=":")
        axes.set_title(name)
        axes.set_xlabel("score")
        axes.set_ylabel("preference")
        axes.legend(fontsize=7)
