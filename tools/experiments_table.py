"""The first table of docs/experiments.md: of every experiment its claim, effects and what came out.

.venv/bin/python -m tools.experiments_table     # prints it; made of docs/results alone
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from engine import experiments
from engine.experiments.parts import cell
from engine.experiments.prove import RESULTS

HEAD = "| Claim, and where | What was measured | Effect | Seeds | |\n|---|---|---|---|---|"


def table() -> str:
    """All experiments that have a result, in Markdown."""
    return "\n".join([HEAD, *(line for name in experiments.names() for line in _lines(name))]) + "\n"


def _lines(name: str) -> Iterator[str]:
    path = RESULTS / f"{name}.json"
    if not path.exists():
        return
    result, experiment = json.loads(path.read_text()), experiments.find(name)
    claim = (experiment.__doc__ or "").splitlines()[0]
    yield f"| [{claim}](experiments/{name}.md) | | | | |"
    for setting, found in result["settings"].items():
        seeds = len({row["seed"] for row in result["rows"] if row["setting"] == setting})
        what, figure = experiment.effect(found)
        where = setting.replace("_", " ")
        effect = cell(figure, 1 if abs(figure["mean"]) >= 5 else 2)
        yield f"| {where} | {what} | {effect} | {seeds} | {_came_out(seeds, found)} |".replace(" -", " −")


def _came_out(seeds: int, found: dict[str, Any]) -> str:
    if seeds == 1:
        return "one seed shows nothing"
    if found["holds"]:
        return "holds"
    each = list(found["met"].values())
    texts = [(each.count(False), "misses"), (each.count(None), "can't measure")]
    return f"{', '.join(f'{text} {count}' for count, text in texts if count)} of {len(each)} bars"


if __name__ == "__main__":
    print(table(), end="")
