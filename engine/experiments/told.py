"""One agent keeps to what it is told from its next move on, with nothing added to its logits.

It gets kinds of instructions that were in no training, and known kinds in new words. Moves are judged by the
game's log (engine.evaluation.obedience): of the moves that are against the instruction if the agent doesn't
have it, how many agree with it if this agent alone has it. Seeds are of deals; the agent is the shipped one.
"""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Any

from engine import language
from engine.agents.catalogue import load
from engine.evaluation.obedience import obedience
from engine.evaluation.people import HUMAN, proxy
from engine.evaluation.told import evaluate_told
from engine.experiments import parts
from engine.experiments.parts import HELD
from engine.experiments.work import Work

ANNOTATORS = "none"

GROUPS = ("kinds", "wordings")


def run(setting: dict[str, Any], seed: int, quick: bool, work: Work) -> dict[str, Any]:
    """{"untold": score, "told": {firmness: {group: {text: {"changed", "asked", "score", "reading"}}}},
    "people": {"agent": {text: score}, "alike": score untold}} on one seed's deals.
    """
    at, count = HELD + 1000 * seed, setting["episodes"]
    policy = load(setting["agent"], setting["game"], setting["options"])
    asked = {"agent": policy.card["sha256"], "episodes": count, "seed": at}
    play = partial(evaluate_told, options=setting["options"], episodes=count, seed=at)

    def untold(_: Path) -> dict[str, Any]:
        return {"score": play(policy, setting["kinds"][0], told="none")["mean"]}

    def one(text: str, share: float, _: Path) -> dict[str, Any]:
        alone = obedience(policy, text, count, at, share)
        both = play(policy, text, firmness=share)
        shares = [alone[name]["share"] for name in ("untold", "told")]
        right = None if None in shares or shares[0] == 1 else (shares[1] - shares[0]) / (1 - shares[0])
        return {
            "changed": right,
            "asked": alone["told"]["asked"],
            "score": both["mean"],
            "reading": alone["reading"],
        }

    def people(_: Path) -> dict[str, Any]:
        person = proxy(setting["game"], setting["options"])
        if person is None:
            return {}
        alike = load(setting["alike"], setting["game"], setting["options"])
        first = setting["people"][0]
        result = {
            text: play(policy, text, told="first", partner=person)["mean"] for text in setting["people"]
        }
        nothing = play(policy, first, told="none", partner=person)["mean"]
        other = play(alike, first, told="none", partner=person)["mean"]
        return {"agent": {"": nothing, **result}, "alike": other}

    instructed: dict[str, Any] = {}
    for name, share in language.FIRMNESS.items():
        instructed[name] = {
            group: {
                text: work.step(
                    f"{name}-{group}-{place}",
                    {**asked, "text": text, "share": share},
                    partial(one, text, share),
                )
                for place, text in enumerate(setting[group])
            }
            for group in GROUPS
        }
    with_people = {**asked, "who": HUMAN, "alike": setting["alike"], "texts": setting["people"]}
    return {
        "untold": work.step("untold", asked, untold)["score"],
        "told": instructed,
        "people": work.step("people", with_people, people),
    }


@parts.by_setting
def summary(name: str, rows: list[dict[str, Any]], quick: bool) -> tuple[dict[str, Any], list[str]]:
    """{"table", "settings": {name: {"untold", "told": {firmness: {group: {text: …}, "changed", "score"}},
    "people", "met"}}, "holds"}.
    """
    table: list[str] = []
    bars, instructed = rows[0]["asked"]["bars"], {}
    for firm in language.FIRMNESS:
        texts = {
            group: {
                text: {
                    "changed": parts.known([row["told"][firm][group][text]["changed"] for row in rows]),
                    "score": parts.spread([row["told"][firm][group][text]["score"] for row in rows]),
                    "reading": rows[0]["told"][firm][group][text]["reading"],
                }
                for text in rows[0]["told"][firm][group]
            }
            for group in GROUPS
        }
        instructed[firm] = {**texts, **_means(rows, firm)}
    people = _people(rows)
    met = {
        f"{firm}: {what}": parts.above(instructed[firm][what], bars[key])
        for firm in language.FIRMNESS
        for what, key in (("changed", "changed"), ("score", "told"))
        if instructed[firm][what] is not None
    }
    met["untold"] = parts.above(untold := parts.spread([row["untold"] for row in rows]), bars["untold"])
    if people:
        met["with people"] = people["untold"]["mean"] >= people["alike"]["mean"]
        met["with people, told"] = (
            people["more"]["interval"] is not None and people["more"]["interval"][0] > 0
        )
    result: dict[str, Any] = {
        "untold": untold,
        "told": instructed,
        "people": people,
        "met": met,
    }
    table += _table(name, result)
    return result, table


def _means(rows: list[dict[str, Any]], firm: str) -> dict[str, Any]:
    """For each seed, over all texts: the share of moves that change, and the score when both seats have the
    instruction.
    """
    each = [[figure for group in GROUPS for figure in row["told"][firm][group].values()] for row in rows]
    changed = [[text["changed"] for text in texts if text["changed"] is not None] for texts in each]
    return {
        "changed": parts.spread([sum(some) / len(some) for some in changed]) if all(changed) else None,
        "score": parts.spread([sum(text["score"] for text in texts) / len(texts) for texts in each]),
    }


def _people(rows: list[dict[str, Any]]) -> dict[str, Any]:
    """With the human proxy: scores without an instruction and with each text, and the score of the partner
    made for people; {} without a proxy.
    """
    if not all(row["people"] for row in rows):
        return {}
    agent = [row["people"]["agent"] for row in rows]
    best = max(agent[0], key=lambda text: sum(row[text] for row in agent) if text else 0.0)
    return {
        "untold": parts.spread([row[""] for row in agent]),
        "told": {text: parts.spread([row[text] for row in agent]) for text in agent[0] if text},
        "alike": parts.spread([row["people"]["alike"] for row in rows]),
        "more": parts.spread([row[best] - row[""] for row in agent]),
    }


def _table(name: str, result: dict[str, Any]) -> list[str]:
    lines = [f"{name}, untold {parts.cell(result['untold'])}"]
    for firm, row in result["told"].items():
        for group in GROUPS:
            for text, each in row[group].items():
                changed = parts.cell(each["changed"], 2) if each["changed"] else "nothing asked"
                lines.append(f"  {firm:<9}{text:<68}{changed:>14}{parts.cell(each['score']):>14}")
        changed = parts.cell(row["changed"], 2) if row["changed"] else "nothing asked"
        lines.append(f"  {firm:<9}{'mean':<68}{changed:>14}{parts.cell(row['score']):>14}")
    if people := result["people"]:
        lines.append(f"  with the human proxy: untold {parts.cell(people['untold'])}")
        lines += [f"    {text}: {parts.cell(figure)}" for text, figure in people["told"].items()]
        lines.append(f"    the partner made for people, untold: {parts.cell(people['alike'])}")
    return lines


def effect(found: dict[str, Any]) -> tuple[str, dict[str, Any]]:
    return "share of moves that follow, to the letter", found["told"]["strict"]["changed"]


@parts.panels
def plot(result: dict[str, Any], axes: Any) -> None:
    """What changed and what it costs, one point per instruction."""
    for firm, colour in (("strict", "#0f766e"), ("sensible", "#b45309")):
        texts = [each for group in GROUPS for each in result["told"][firm][group].values() if each["changed"]]
        axes.scatter(
            [each["changed"]["mean"] for each in texts],
            [each["score"]["mean"] for each in texts],
            label=firm,
            color=colour,
            s=14,
        )
    axes.axhline(result["untold"]["mean"], linestyle=":", color="#888888", label="untold")
    axes.set_xlabel("share of moves that change as told")
    axes.set_ylabel("score, both told")
    axes.legend(fontsize=7)
