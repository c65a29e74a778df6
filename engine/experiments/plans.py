"""A plan makes a team of learned executors better than the same steps given by chance, and than no plan.

The same deals for each arm: the plan; its steps for seats by chance; the plan that gets least; none; a
planner that looks one step ahead. In known places also the ablations of SAMA: the goal as it is for each seat
(no decomposition), failures not noticed, seats that don't hear their steps (no grounding; none without a
manual, which only a language model reads); the scripted player, untold and with the plan; and the plan with a
human proxy, compared with today's partner for people. Seeds are of deals; the agents are the shipped ones.
"""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Any

from engine.agents.catalogue import load
from engine.evaluation.plans import WHOLE, evaluate_plans
from engine.experiments import parts
from engine.experiments.parts import HELD
from engine.experiments.work import Work

ANNOTATORS = "none"
ARMS: dict[str, dict[str, Any]] = {
    "plan": {},
    "by chance": {"plans": "random"},
    "none": {"plans": "none"},
    "opposite": {"plans": "opposite"},
    "one step ahead": {"plans": "greedy"},
}
KNOWN: dict[str, dict[str, Any]] = {
    **ARMS,
    "no decomposition": {"plans": "whole"},
    "no reflection": {"reflects": False},
    "not heard": {"hears": False},
    "script": {"plans": "none"},
    "script, plan": {},
}
WITH_PEOPLE = ("plan", "none", "partner")


def run(setting: dict[str, Any], seed: int, quick: bool, work: Work) -> dict[str, Any]:
    """{"places": {place: {"known": whether, arm: mean score, "done": {act: share}}}, "people": {place: {who:
    mean score}}} of one seed.
    """
    game, at = setting["game"], HELD + 1000 * seed
    agent = load(setting["agent"], game)
    asked = {"agent": agent.card.get("sha256", agent.name), "seed": at, "episodes": setting["episodes"]}
    places: dict[str, Any] = {}
    people: dict[str, Any] = {}
    for place in [*setting["known"], *setting["unseen"]]:
        known = place in setting["known"]
        measured = {}
        for arm in KNOWN if known else ARMS:
            do = partial(_played, setting, place, arm, at)
            measured[arm] = work.step(f"{place}/{arm}", {**asked, "place": place, "arm": arm}, do)
        places[place] = {"known": known, **{arm: row["mean"] for arm, row in measured.items()}}
        places[place]["done"] = measured["plan"]["done"]
        if known:
            people[place] = {
                who: work.step(
                    f"{place}/people, {who}",
                    {**asked, "place": place, "who": who},
                    partial(_with_people, setting, place, who, at),
                )["mean"]
                for who in WITH_PEOPLE
            }
    return {"places": places, "people": people}


def _played(setting: dict[str, Any], place: str, arm: str, seed: int, _: Path) -> dict[str, Any]:
    game, options = setting["game"], {**setting["options"], setting["where"]: place}
    cast = [load(setting["program" if arm.startswith("script") else "agent"], game)]
    how: dict[str, Any] = {"options": options, "episodes": setting["episodes"], "seed": seed, **KNOWN[arm]}
    if how.get("plans") == WHOLE:
        how["goal"] = setting["goal"]
    result = evaluate_plans(cast, game, **how)
    return {"mean": result["mean"], "done": result["done"], "steps": result["steps"]}


def _with_people(setting: dict[str, Any], place: str, who: str, seed: int, _: Path) -> dict[str, Any]:
    """The human proxy in either seat, the agent, or today's partner for people, in the other."""
    game, options = setting["game"], {**setting["options"], setting["where"]: place}
    human = load(setting["human"], game)
    other = load(setting["partner"].format(place=place) if who == "partner" else setting["agent"], game)
    means = []
    for seat in (0, 1):
        cast = [human, other] if seat == 0 else [other, human]
        plans = "search" if who == "plan" else "none"
        result = evaluate_plans(cast, game, plans, options, setting["episodes"], seed, people=[seat])
        means.append(result["mean"])
    return {"mean": sum(means) / len(means)}


@parts.by_setting
def summary(name: str, rows: list[dict[str, Any]], quick: bool) -> tuple[dict[str, Any], list[str]]:
    """{"places": {place: {arm: spread}}, "unseen": {arm: spread of its mean}, "more": {arm: spread of what
    the plan gains on it, as a share}, "people": {place: {who: spread}}, "met"}: the plan has to gain "more"
    on steps by chance and on none, the interval's end above 0, and with people to be as good as the partner
    in as many places as "people" says.
    """
    places = {
        place: {
            arm: parts.spread([row["places"][place][arm] for row in rows])
            for arm in first
            if arm not in ("known", "done")
        }
        for place, first in rows[0]["places"].items()
    }
    unseen = [place for place, row in rows[0]["places"].items() if not row["known"]]
    arms = [arm for arm in places[unseen[0]] if arm != "plan"]
    means = [
        {arm: sum(row["places"][place][arm] for place in unseen) / len(unseen) for arm in ("plan", *arms)}
        for row in rows
    ]
    elsewhere = {arm: parts.spread([mean[arm] for mean in means]) for arm in ("plan", *arms)}
    more = {arm: parts.spread([mean["plan"] / max(1.0, mean[arm]) - 1 for mean in means]) for arm in arms}
    people = {
        place: {who: parts.spread([row["people"][place][who] for row in rows]) for who in WITH_PEOPLE}
        for place in rows[0]["people"]
    }
    as_good = sum(row["plan"]["mean"] >= row["partner"]["mean"] for row in people.values())
    bars = rows[0]["asked"]["bars"]
    met = {
        f"more than {arm}": more[arm]["mean"] >= bars["more"] and parts.above(more[arm], 0)
        for arm in ("by chance", "none")
    }
    met["with people"] = as_good >= bars["people"]
    result = {"places": places, "unseen": elsewhere, "more": more, "people": people, "met": met}
    return result, _table(name, result)


def _table(name: str, result: dict[str, Any]) -> list[str]:
    arms = list(result["unseen"])
    lines = [name, f"{'':<26}" + "".join(f"{arm:>16}" for arm in arms)]
    for place, row in {**result["places"], "places nobody learned in": result["unseen"]}.items():
        cells = "".join(f"{parts.cell(row[arm], 0):>16}" if arm in row else f"{'':>16}" for arm in arms)
        lines.append(f"  {place:<24}{cells}")
    gains = "".join(f"{parts.cell(result['more'][arm], 2):>16}" for arm in arms if arm != "plan")
    lines.append(f"  {'the plan gains (share)':<24}{'':>16}{gains}")
    lines.append(f"  {'with a human proxy':<24}" + "".join(f"{who:>16}" for who in WITH_PEOPLE))
    for place, row in result["people"].items():
        lines.append(f"  {place:<24}" + "".join(f"{parts.cell(row[who], 0):>16}" for who in WITH_PEOPLE))
    return lines


def effect(found: dict[str, Any]) -> tuple[str, dict[str, Any]]:
    return "more points than by the same steps by chance, as a share", found["more"]["by chance"]


@parts.panels
def plot(result: dict[str, Any], axes: Any) -> None:
    """The mean score in places that nobody learned in, by arm, a point for each seed."""
    for at, (arm, row) in enumerate(result["unseen"].items()):
        axes.bar(at, row["mean"], color="C0" if arm == "plan" else "0.7")
        axes.plot([at] * len(row["by_seed"]), row["by_seed"], "o", color="black", alpha=0.4)
    axes.set_xticks(range(len(result["unseen"])), list(result["unseen"]), rotation=60)
    axes.set_ylabel("score")
