"""An instruction chooses which of many equally good conventions is learned.

Tables learn by Q-learning, with an instruction and without (instructRL paper, section 5.1, figure 3). All of
them may learn to play perfectly with themselves. What is measured is whether they follow the words of the
instruction in every situation; then somebody who knows these words can play with them at once.
"""

from __future__ import annotations

from typing import Any

from engine.experiments import parts
from engine.experiments.work import Work

ANNOTATORS = "none"

ARMS = {"told": {}, "untold": {"prior_weight": 0.0}}
BY_CHANCE = 0.2
"""The share of seeds in which what is learned without the instruction may be what its words say."""


def run(setting: dict[str, Any], seed: int, quick: bool, work: Work) -> dict[str, Any]:
    """{"arms": {name: {"score", "table": engine.evaluation.policy_table}}} of one seed."""
    results = {}
    for name, given in ARMS.items():
        asked = {"game": setting["game"], "options": setting["options"], "name": name, "seed": seed}
        made = work.train(name, "tabular_q", **asked, **setting["learning"], **given)
        evaluation = made["evaluation"]
        results[name] = {"score": evaluation["self_play"]["mean"], "table": evaluation["policy_table"]}
    return {"arms": results}


@parts.by_setting
def summary(name: str, rows: list[dict[str, Any]], quick: bool) -> tuple[dict[str, Any], list[str]]:
    """{"table", "settings": {name: {"arms": {name: {"score", "intuitive": in how many seeds}}, "met"}},
    "holds"}.
    """
    table: list[str] = []
    arms = {
        arm: {
            "score": parts.spread([row["arms"][arm]["score"] for row in rows]),
            "intuitive": sum(row["arms"][arm]["table"]["intuitive"] for row in rows),
        }
        for arm in ARMS
    }
    met = {
        "told": arms["told"]["intuitive"] == len(rows),
        "untold": arms["untold"]["intuitive"] <= BY_CHANCE * len(rows),
    }
    result: dict[str, Any] = {"arms": arms, "met": met}
    result["tables"] = {arm: [row["arms"][arm]["table"] for row in rows] for arm in ARMS}
    table.append(f"{name:<12}{'does what the words say':>28}{'score with itself':>24}")
    for arm, figure in arms.items():
        share = f"{figure['intuitive']} of {len(rows)} seeds"
        table.append(f"  {arm:<10}{share:>28}{parts.cell(figure['score'], 2):>24}")
    return result, table


def effect(found: dict[str, Any]) -> tuple[str, dict[str, Any]]:
    return "score with itself, told", found["arms"]["told"]["score"]


def plot(result: dict[str, Any], figure: Any) -> None:
    """Two tables learned without the instruction and one learned with it, as in figure 3."""
    shown = ((arm, number) for arm, number in (("untold", 0), ("untold", 1), ("told", 0)))
    games_ = list(result["settings"].values())
    for place, (arm, number) in enumerate(shown):
        for row, part in enumerate(games_):
            table = part["tables"][arm][number]
            axes = figure.add_subplot(len(games_), 3, 3 * row + place + 1)
            levels = [[cell["level"] for cell in line["cells"]] for line in table["rows"]]
            axes.imshow(levels, cmap="Blues", vmin=0, vmax=12)
            for y, line in enumerate(table["rows"]):
                for x, cell in enumerate(line["cells"]):
                    axes.text(x, y, cell["text"], ha="center", va="center", fontsize=8)
            axes.set_xticks(range(len(table["columns"])), table["columns"])
            axes.set_yticks(range(len(table["rows"])), [line["label"] for line in table["rows"]])
            axes.set_title(f"{arm}, seed {result['seeds'][number]}")
            axes.set_xlabel(table["corner"])
