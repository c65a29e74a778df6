"""What a card says, made ready for pages: scores with intervals, cross-play, settings. Not for writing cards.

A card's "evaluation" holds {"self_play": {"mean", "stderr", "episodes"}, "cross_play": {ref: {"mean",
"stderr", "episodes"}}, "action_matrix": {"labels": […], "rows": [[…]]}}; whatever is missing is not shown.
"""

from __future__ import annotations

from webapp.agents.models import Agent
from webapp.agents.resolve import short
from webapp.agents.shipped import parent_refs

# Two-sided 95% of a normal distribution: means here are over hundreds of games or more.
Z = 1.96
# The part of the card that has its own place on the page, or is of no use to a reader.
ELSEWHERE = {
    "evaluation",
    "description",
    "explanation",
    "title",
    "name",
    "parents",
    "parent_sha256",
    "sha256",
    "files",
    "ref",
    "goal",
    "simulated_marks",
}
# Hyper-parameters that only say where things lay.
NAMING = {"name", "title", "description", "game", "base", "reward_model", "recorded_as"}
HIGHEST = {"hanabi": 25.0}


def interval(score: dict | None) -> dict | None:
    """Add the ends of the 95% interval to {"mean", "stderr", "episodes"}; None when there is no mean."""
    if not score or score.get("mean") is None:
        return None
    half = Z * (score.get("stderr") or 0.0)
    mean = score["mean"]
    return {**score, "low": mean - half, "high": mean + half, "half": half}


def self_play(card: dict) -> dict | None:
    return interval(card.get("evaluation", {}).get("self_play"))


def cross_play(card: dict) -> list[dict]:
    """One row a partner, best first: {"partner", "mean", "stderr", "low", "high"}."""
    rows = [
        {"partner": ref, **scored}
        for ref, score in card.get("evaluation", {}).get("cross_play", {}).items()
        if (scored := interval(score))
    ]
    return sorted(rows, key=lambda row: -row["mean"])


def bars(game: str, scores: list[tuple[str, dict | None]]) -> list[dict]:
    """Bars with whiskers in per cent of the game's highest score, for an SVG: [{"label", "x", "low", "high",
    …}]."""
    known = [(label, score) for label, score in scores if score]
    highest = HIGHEST.get(game) or max((score["high"] for _, score in known), default=1.0) or 1.0

    def share(value: float) -> float:
        return round(max(0.0, min(100.0, 100 * value / highest)), 2)

    return [
        {
            "label": label,
            "score": score,
            "x": share(score["mean"]),
            "low": share(score["low"]),
            "high": share(score["high"]),
            "highest": highest,
        }
        for label, score in known
    ]


def plots(agent: Agent) -> list[dict]:
    """Bars of self-play and of each partner in cross-play."""
    rows = [("self-play", self_play(agent.card))]
    rows += [(f"with {short(agent.game, row['partner'])}", row) for row in cross_play(agent.card)]
    return bars(agent.game, rows)


def explanation(card: dict) -> list[tuple[str, str]]:
    """How the agent plays, line by line as (term, text); a line without a term has an empty one."""
    parts = []
    for line in card.get("explanation", "").splitlines():
        term, colon, rest = line.partition(": ")
        parts.append((term, rest) if colon and len(term) < 40 else ("", line))
    return parts


def action_matrix(card: dict) -> dict | None:
    """P(own move | partner's last move) as {"labels", "rows": [{"label", "cells": [{"value", "level"}]}]}."""
    matrix = card.get("evaluation", {}).get("action_matrix")
    if not matrix:
        return None
    rows = [
        {"label": label, "cells": [{"value": value, "level": round(10 * value)} for value in values]}
        for label, values in zip(matrix["labels"], matrix["rows"], strict=True)
    ]
    return {"labels": matrix["labels"], "rows": rows}


def facts(card: dict) -> list[tuple[str, object]]:
    """What the card says in one word or sentence each, as (words, value)."""
    return [
        (key.replace("_", " "), text(value))
        for key, value in card.items()
        if key not in ELSEWHERE and value not in (None, "", []) and not isinstance(value, dict)
    ]


def hyperparameters(card: dict) -> list[tuple[str, object]]:
    """The settings that it was trained with, as (words, value)."""
    return [
        (key.replace("_", " "), text(value))
        for key, value in card.get("hyperparameters", {}).items()
        if key not in NAMING and value not in (None, "", []) and not isinstance(value, dict)
    ]


def text(value: object) -> object:
    return ", ".join(str(item) for item in value) if isinstance(value, list) else value


def comparison(agents: list[Agent]) -> list[dict]:
    """A table with one column an agent: the facts and scores that any of them has; rows that differ are
    marked."""
    columns = [dict(facts(agent.card) + hyperparameters(agent.card)) for agent in agents]
    for agent, column in zip(agents, columns, strict=True):
        column["parents"] = ", ".join(parent_refs(agent.card))
        column["round"] = agent.round.number if agent.round else ""
    labels = list(dict.fromkeys(label for column in columns for label in column))
    rows = [{"label": label, "values": [column.get(label, "") for column in columns]} for label in labels]
    return [
        {**row, "differs": len({str(v) for v in row["values"]}) > 1} for row in rows if any(row["values"])
    ]


def compared_plots(agents: list[Agent]) -> list[dict]:
    """Self-play of all, then each partner that at least two have played with, as groups of bars."""
    groups = [
        {"title": "Self-play", "bars": bars(agents[0].game, [(a.name, self_play(a.card)) for a in agents])}
    ]
    tables = [{row["partner"]: row for row in cross_play(agent.card)} for agent in agents]
    for partner in dict.fromkeys(ref for table in tables for ref in table):
        scores = [(agent.name, table.get(partner)) for agent, table in zip(agents, tables, strict=True)]
        if sum(score is not None for _, score in scores) > 1:
            groups.append(
                {"title": f"With {short(agents[0].game, partner)}", "bars": bars(agents[0].game, scores)}
            )
    return groups
