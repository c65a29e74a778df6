"""A convention by instruction comes out in other words, too, and with wrong answers among the prior's.

For each kind of convention one instruction is learned as it stands, and in variants: in other words; with a
share of the prior's answers flipped; or not learned at all, but added with a weight to the logits of one
fixed agent (instructRL paper, appendices C, D: table 6, figures 10 and 11). Each variant plays with the agent
that learned the instruction as it stands. A second seed of that agent shows the best result that can be
expected. A setting has "kinds" {kind: instruction}, and "variants" {name: what differs}: "words" {kind:
instruction}, "flipped" (a share), or a "weight" of the prior for a fixed "agent".
"""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Any

from engine import games, language
from engine.agents.catalogue import load
from engine.agents.policy import Policy
from engine.evaluation.self_play import play
from engine.evaluation.told import evaluate_told
from engine.experiments import parts
from engine.experiments.parts import HELD
from engine.experiments.work import Work

ANNOTATORS = "none"

SAME = "as it stands"
"""The variant that is the instruction itself, with another seed."""
ANOTHER = 100
"""The seeds of variants are by so much more than that of the instruction as it stands."""


def run(setting: dict[str, Any], seed: int, quick: bool, work: Work) -> dict[str, Any]:
    """{"kinds": {kind: {variant: {"itself", "met": score with the agent that learned the instruction as it
    stands, "reads": the variant's reading}}}} of one seed.
    """
    common = {**setting["training"], "game": setting["game"], "options": setting["options"]}

    def learned(name: str, text: str, mine: int, **more: Any) -> dict[str, Any]:
        given = {**common, setting["told"]: text, "name": name.replace(" ", "-"), "seed": mine, **more}
        return work.train(f"agents/{name}", setting["program"], **given)

    results: dict[str, Any] = {}
    for kind, text in setting["kinds"].items():
        clean = learned(kind, text, seed)
        results[kind] = {}
        for name, given in setting["variants"].items():
            words = given.get("words", {}).get(kind, text)
            reads = _reads(setting["game"], words)
            if "words" in given and reads == results[kind][SAME]["reads"]:
                results[kind][name] = results[kind][SAME]  # the same program, so the same agent
                continue
            if "weight" in given:
                folder, weight = given["agent"], given["weight"]
            else:
                more = {"flipped": given["flipped"]} if "flipped" in given else {}
                folder, weight = learned(f"{kind}, {name}", words, seed + ANOTHER, **more)["folder"], 0.0
            asked = {"folder": folder, "with": clean["sha256"], "weight": weight, "seed": seed}
            do = partial(_met, setting, folder, clean["folder"], words, weight, seed)
            measured = work.step(f"met/{kind}, {name}", {**asked, "episodes": setting["episodes"]}, do)
            results[kind][name] = {**measured, "reads": reads}
    return {"kinds": results}


def _met(
    setting: dict[str, Any], folder: str, other: str, text: str, weight: float, seed: int, _: Path
) -> dict[str, float]:
    """{"itself", "met"}: scores on the same deals; with the other agent in both seatings."""
    game, count = setting["game"], setting["episodes"]
    options = games.spec(game).validate(setting["options"])
    policy, clean = load(folder, game, options), load(other, game, options)

    def score(table: list[Policy]) -> float:
        if not weight:
            return float(play(table, game, options, count, HELD + seed).mean())
        whom = "both" if table[0] is table[1] else "first" if table[0] is policy else "second"
        given = (options, count, HELD + seed, table[1])
        return float(evaluate_told(table[0], text, "", whom, *given, firmness=weight)["mean"])

    both = ([policy, clean], [clean, policy])
    return {"itself": score([policy, policy]), "met": sum(map(score, both)) / 2}


def _reads(game: str, text: str) -> str:
    """The reading of an instruction; its words in games that have no reader."""
    reading = language.read(game, text)
    return text if reading.refused else reading.sentence


@parts.by_setting
def summary(name: str, rows: list[dict[str, Any]], quick: bool) -> tuple[dict[str, Any], list[str]]:
    """{"table", "settings": {name: {"kinds": {kind: {variant: {"itself", "met", "less": than SAME, or than
    the first variant}}}, "met"}}, "holds"}; "bars" names for each variant the largest difference allowed.
    """
    table: list[str] = []
    kinds: dict[str, Any] = {}
    table.append(f"{name:<28}{'with itself':>18}{'with the clean one':>20}{'less':>16}")
    for kind, variants in rows[0]["kinds"].items():
        same, kinds[kind] = SAME if SAME in variants else next(iter(variants)), {}
        for variant in variants:
            each = [row["kinds"][kind][variant] for row in rows]
            best = [row["kinds"][kind][same]["met"] for row in rows]
            figure = {what: parts.spread([seen[what] for seen in each]) for what in ("itself", "met")}
            figure["less"] = parts.spread([a - b["met"] for a, b in zip(best, each, strict=True)])
            kinds[kind][variant] = {**figure, "reads": each[0]["reads"]}
            cells = f"{parts.cell(figure['itself'], 2):>18}{parts.cell(figure['met'], 2):>20}"
            table.append(f"  {kind + ', ' + variant:<26}{cells}{parts.cell(figure['less'], 2):>16}")
    met = {
        f"{kind}, {variant}": kinds[kind][variant]["less"]["mean"] <= most
        for kind in kinds
        for variant, most in rows[0]["asked"]["bars"].items()
    }
    result: dict[str, Any] = {"kinds": kinds, "met": met}
    return result, table


def effect(found: dict[str, Any]) -> tuple[str, dict[str, Any]]:
    """Of the variants with a bar the one that loses most; of all where none has one."""
    lost = {
        f"{kind}, {variant}": row["less"]
        for kind, by in found["kinds"].items()
        for variant, row in by.items()
    }
    worst = max(found["met"] or lost, key=lambda name: lost[name]["mean"])
    return f"points lost, {worst}", lost[worst]


@parts.panels
def plot(result: dict[str, Any], axes: Any) -> None:
    """Scores by variant, one colour per kind: with the agent that learned the instruction as it stands, and
    with itself.
    """
    for number, (kind, variants) in enumerate(result["kinds"].items()):
        for what, line in (("met", "o-"), ("itself", "--")):
            label = kind if what == "met" else f"{kind}, with itself"
            axes.plot(
                range(len(variants)),
                [each[what]["mean"] for each in variants.values()],
                line,
                color=f"C{number}",
                label=label,
            )
        for at, each in enumerate(variants.values()):
            scores = each["met"]["by_seed"]
            axes.plot([at] * len(scores), scores, "o", color=f"C{number}", alpha=0.3)
    axes.set_xticks(range(len(variants)), list(variants), rotation=60)
    axes.set_ylabel("score")
    axes.legend(fontsize=7)
