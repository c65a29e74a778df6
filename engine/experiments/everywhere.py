"""One network plays in every place, also where nobody learned, and follows instructions there.

The network is compared with the program that obeyed before (a scripted player, pulled by the instruction's
prior): both get the same instructions at the same ticks, with the same partner. Sub-goals that were completed
are read off the game's events (the game's `obedience`). Seeds are of deals; the agents are the shipped ones.
"""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Any

from engine import brings
from engine.agents.catalogue import load
from engine.evaluation.reward_return import varied
from engine.evaluation.self_play import self_play
from engine.experiments import parts
from engine.experiments.parts import HELD
from engine.experiments.work import Work

ANNOTATORS = "none"
WHO = ("agent", "program")


def run(setting: dict[str, Any], seed: int, quick: bool, work: Work) -> dict[str, Any]:
    """{"known": {place: {who: {"told", "untold": {"completed", "score"}, "by": {text: share}, "alone"}}},
    "unseen": {place: {who: score of self-play}}} of one seed.
    """
    game, at = setting["game"], HELD + 1000 * seed
    players = {who: load(setting[who], game) for who in WHO}
    asked = {who: player.card.get("sha256", player.name) for who, player in players.items()}
    asked |= {"seed": at, "told": setting["told"], "episodes": setting["episodes"]}
    results: dict[str, Any] = {"known": {}, "unseen": {}}
    for place in setting["known"]:
        do = partial(_known, setting, players, place, at)
        results["known"][place] = work.step(f"known-{place}", {**asked, "place": place}, do)
    for place in setting["unseen"]:
        do = partial(_unseen, setting, players, place, at)
        results["unseen"][place] = work.step(f"unseen-{place}", {**asked, "place": place}, do)
    return results


def _known(
    setting: dict[str, Any], players: dict[str, Any], place: str, seed: int, _: Path
) -> dict[str, Any]:
    measured = brings.Obedience.of(setting["game"])
    options, result = {**setting["options"], setting["where"]: place}, {}
    for who, policy in players.items():
        seen = measured.obedience(policy, players["program"], options, setting["told"], seed)
        alone = self_play(policy, setting["game"], options | varied(policy.game), setting["episodes"], seed)
        result[who] = {
            **{
                how: {"completed": seen[name]["completed"], "score": seen[name]["return"]["mean"]}
                for how, name in (("told", "true"), ("untold", "none"))
            },
            "by": {text: figure["true"] for text, figure in seen["by_instruction"].items()},
            "alone": alone["mean"],
        }
    return result


def _unseen(
    setting: dict[str, Any], players: dict[str, Any], place: str, seed: int, _: Path
) -> dict[str, Any]:
    options = {**setting["options"], setting["where"]: place, **varied(setting["game"])}
    return {
        who: self_play(policy, setting["game"], options, setting["episodes"], seed)["mean"]
        for who, policy in players.items()
    }


@parts.by_setting
def summary(name: str, rows: list[dict[str, Any]], quick: bool) -> tuple[dict[str, Any], list[str]]:
    """{"table", "settings": {name: {"known": {place: {"share", "cost", "alone"}}, "unseen": {place: {who}},
    "obeyed", "cost", "alone", "elsewhere", "met"}}, "holds"}: `obeyed` is the share of the program's
    completed sub-goals that the network completes, `cost` the share of its points that it loses with an
    instruction, `alone` and `elsewhere` its points without a partner as a share of the program's, in known
    and in new places.
    """
    table: list[str] = []
    bars = rows[0]["asked"]["bars"]
    known = {place: _place(rows, place) for place in rows[0]["known"]}
    unseen = {
        place: {who: parts.spread([row["unseen"][place][who] for row in rows]) for who in WHO}
        for place in rows[0]["unseen"]
    }
    means = {
        what: parts.spread(
            [_mean([row[what]["by_seed"][place] for row in known.values()]) for place in range(len(rows))]
        )
        for what in ("obeyed", "cost", "alone")
    }
    totals = [
        {who: _mean([kitchen[who] for kitchen in row["unseen"].values()]) for who in WHO} for row in rows
    ]
    elsewhere = parts.spread([total["agent"] / total["program"] for total in totals])
    met = {
        "obeys": means["obeyed"]["mean"] >= bars["obeyed"],
        "costs little": means["cost"]["mean"] <= bars["cost"],
        "plays elsewhere": elsewhere["mean"] >= bars["elsewhere"],
    }
    result: dict[str, Any] = {
        "known": known,
        "unseen": unseen,
        **means,
        "elsewhere": elsewhere,
        "met": met,
    }
    table += _table(name, result)
    return result, table


def _place(rows: list[dict[str, Any]], place: str) -> dict[str, Any]:
    each = [row["known"][place] for row in rows]
    agent, program = ([row[who] for row in each] for who in WHO)
    pairs = list(zip(agent, program, strict=True))
    return {
        "obeyed": parts.spread([a["told"]["completed"] / b["told"]["completed"] for a, b in pairs]),
        "cost": parts.spread([1 - a["told"]["score"] / b["told"]["score"] for a, b in pairs]),
        "alone": parts.spread([a["alone"] / b["alone"] for a, b in pairs]),
        **{
            who: {
                "told": parts.spread([row["told"]["completed"] for row in some]),
                "untold": parts.spread([row["untold"]["completed"] for row in some]),
                "score": parts.spread([row["told"]["score"] for row in some]),
                "score untold": parts.spread([row["untold"]["score"] for row in some]),
                "alone": parts.spread([row["alone"] for row in some]),
                "by": {text: _mean([row["by"][text] for row in some]) for text in some[0]["by"]},
            }
            for who, some in zip(WHO, (agent, program), strict=True)
        },
    }


def _mean(values: list[float]) -> float:
    return sum(values) / len(values)


def _table(name: str, result: dict[str, Any]) -> list[str]:
    heads = ("told: done", "untold", "points told", "untold", "alone")
    lines = [f"{name:<40}" + "".join(f"{head:>16}" for head in heads)]
    for place, figure in result["known"].items():
        for who in WHO:
            each = figure[who]
            shares = "".join(f"{parts.cell(each[what], 2):>16}" for what in ("told", "untold"))
            points = "".join(f"{parts.cell(each[what]):>16}" for what in ("score", "score untold", "alone"))
            lines.append(f"  {place + ', ' + who:<38}{shares}{points}")
    for place, figure in result["unseen"].items():
        lines.append(f"  {place:<38}" + "".join(f"{who} {parts.cell(figure[who])}  " for who in WHO))
    for what in ("obeyed", "cost", "alone", "elsewhere"):
        lines.append(f"  {what}: {parts.cell(result[what], 2)}")
    return lines


def effect(found: dict[str, Any]) -> tuple[str, dict[str, Any]]:
    return "told sub-goals done, as a share of the scripted cook's", found["obeyed"]


@parts.panels
def plot(result: dict[str, Any], axes: Any) -> None:
    """The agent's points against the program's, one symbol per place, known and unseen."""
    known = [
        (each["program"]["alone"]["mean"], each["agent"]["alone"]["mean"])
        for each in result["known"].values()
    ]
    unseen = [(each["program"]["mean"], each["agent"]["mean"]) for each in result["unseen"].values()]
    for label, points, mark in (("known", known, "o"), ("never learned in", unseen, "^")):
        axes.plot(*zip(*points, strict=True), mark, label=label, alpha=0.8)
    most = max(max(pair) for pair in known + unseen)
    axes.plot([0, most], [0, most], ":", color="#888888")
    axes.set_xlabel("program's points")
    axes.set_ylabel("network's points")
    axes.legend(fontsize=7)
