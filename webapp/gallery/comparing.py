"""Two to five agents of one game beside each other: scores, differences with their intervals, and settings.
What one card says is read by `cards`. Not for a round's candidate (webapp.rounds.comparison).
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from webapp.agents import cards
from webapp.agents.models import Agent
from webapp.agents.resolve import layout_of
from webapp.agents.shipped import parent_refs

ROUND_ENDS = (1, 2, 5, 10)  # of an axis, times a power of ten


@dataclass(frozen=True)
class Measured:
    """What several agents were measured in alike: `scores` by agent as `cards.interval` has them, or None."""

    title: str
    layout: str
    scores: tuple[dict[str, Any] | None, ...]


def measured(agents: Sequence[Agent], names: Mapping[str, str]) -> list[Measured]:
    """With the human proxy, in self-play and with each partner, layout by layout: what at least two of the
    agents were measured in. `names`: those of partners by ref.
    """
    figures = []
    for layout in dict.fromkeys(layout for agent in agents for layout in _layouts(agent)):
        known = [agent.card if layout in _layouts(agent) else {} for agent in agents]
        rows = [
            ("With people (proxy)", [cards.people(card, layout) for card in known]),
            ("Self-play", [cards.self_play(card, layout) for card in known]),
        ]
        tables = [{row["partner"]: row for row in cards.cross_play(card, layout)} for card in known]
        for partner in dict.fromkeys(ref for table in tables for ref in table):
            title = f"With {cards.called(partner, names)}"
            rows.append((title, [table.get(partner) for table in tables]))
        figures += [Measured(title, layout, tuple(scores)) for title, scores in rows]
    return [row for row in figures if sum(score is not None for score in row.scores) > 1]


def _layouts(agent: Agent) -> list[str]:
    return list(agent.card.get("evaluation", {}).get("layouts", {})) or [layout_of(agent)]


def forest(rows: Sequence[Measured], names: Sequence[str]) -> list[dict[str, Any]]:
    """Each agent less the first one, in all that both were measured in, for an SVG that is 100 wide, with no
    difference in its middle: [{"name", "end": of the axis, "rows": [{"title", "layout", "mean", "low",
    "high", "known", "clear", "n": of both, "x", "from", "to", "said"}]}]; who shares nothing with the first
    is left out. `names`: by agent.
    """
    blocks = []
    for number, name in enumerate(names):
        drawn = [row for measured in rows if number and (row := _less(measured, number))]
        if not drawn:
            continue
        end = _round_end(max(max(abs(row["low"]), abs(row["high"])) for row in drawn))
        for row in drawn:
            places = {"x": row["mean"], "from": row["low"], "to": row["high"]}
            row |= {place: f"{50 + 48 * value / end:.2f}" for place, value in places.items()}
        blocks.append({"name": name, "end": end, "rows": drawn})
    return blocks


def _less(measured: Measured, number: int) -> dict[str, Any] | None:
    """What one agent made less what the first made: two means of games of their own."""
    first, other = measured.scores[0], measured.scores[number]
    if first is None or other is None:
        return None
    mean = other["mean"] - first["mean"]
    known = first["spread"] is not None and other["spread"] is not None
    half = math.hypot(first["spread"], other["spread"]) if known else 0.0
    clear = "" if not known else "more" if mean > half else "less" if mean < -half else "unclear"
    return {
        "title": measured.title,
        "layout": measured.layout,
        "mean": mean,
        "low": mean - half,
        "high": mean + half,
        "known": known,
        "clear": clear,
        "n": [other.get("episodes"), first.get("episodes")],
        "said": [_signed(value) for value in (mean, mean - half, mean + half)],
    }


def _signed(value: float) -> str:
    """ "+1.20", "−0.49", "0.00"."""
    text = f"{value:+.2f}"
    return "0.00" if text[1:] == "0.00" else text.replace("-", "−")


def _round_end(most: float) -> float:
    """The least round number that is as large."""
    if not most:
        return 1.0
    power = 10.0 ** math.floor(math.log10(most))
    return next(digit * power for digit in ROUND_ENDS if digit * power >= most * 0.999999)


def settings(agents: Sequence[Agent]) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    """What cards say, a row with one value an agent: (those that differ, those that are the same in all)."""
    columns = [dict(cards.facts(agent.card) + cards.hyperparameters(agent.card)) for agent in agents]
    for agent, column in zip(agents, columns, strict=True):
        column["parents"] = ", ".join(parent_refs(agent.card))
        column["round"] = agent.round.number if agent.round else ""
    labels = list(dict.fromkeys(label for column in columns for label in column))
    rows = [{"label": label, "values": [column.get(label, "") for column in columns]} for label in labels]
    rows = [row for row in rows if any(value not in ("", None) for value in row["values"])]
    same = [len({str(value) for value in row["values"]}) == 1 for row in rows]
    return (
        [row for row, alike in zip(rows, same, strict=True) if not alike],
        [row for row, alike in zip(rows, same, strict=True) if alike],
    )
