"""A card's content for pages: scores with intervals, cross-play, settings. Not for writing cards.

A card's "evaluation" holds {"people": {"mean", "interval", "proxy", "episodes"}, "self_play": {"mean",
"stderr", "episodes"}, "cross_play": {ref: {"mean", "stderr", "episodes"}}, "partners": {ref: the same with
"share"}, "against": {"champion": ref, "people", "self_play": what it makes more, as scores}, "action_matrix":
{"labels": […], "rows": [[…]]}, "counts": some of engine.evaluation.told's}; whatever is missing is not shown.
An agent that plays several layouts has {"layouts": {layout: {"self_play", …}}}. "training" may hold a
"curve": [[joint steps, return], …].
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from engine import brings, games, language
from engine.evaluation.intervals import Z
from engine.games.pages import pages
from webapp.agents.models import Agent

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
    "curve",
}
# Hyper-parameters that only say where things lay.
NAMING = {"name", "title", "description", "game", "base", "reward_model", "recorded_as"}


def interval(score: dict | float | None) -> dict | None:
    """Add the ends of the 95% interval to {"mean", "stderr", "episodes"}; None when there is no mean.
    "spread" is half of the interval, None where nobody measured it; 0.0 is a measurement.
    """
    if not isinstance(score, dict) or score.get("mean") is None:
        return None
    mean = score["mean"]
    half = Z * (score.get("stderr") or 0.0)
    if not half and score.get("interval"):  # over seeds
        half = (score["interval"][1] - score["interval"][0]) / 2
    known = score.get("stderr") is not None or bool(score.get("interval"))
    spread = half if known else None
    return {**score, "low": mean - half, "high": mean + half, "half": half, "spread": spread}


def evaluation_of(card: dict, layout: str = "") -> dict:
    """The evaluation in one layout, for an agent that plays several."""
    evaluation = card.get("evaluation", {})
    return evaluation.get("layouts", {}).get(layout, evaluation)


def self_play(card: dict, layout: str = "") -> dict | None:
    """Self-play; what the training measured at its end where nothing else was."""
    evaluation = evaluation_of(card, layout)
    return interval(evaluation.get("self_play") or evaluation.get("greedy"))


def scores_by_layout(agent: Agent) -> list[tuple[str, dict]]:
    """Self-play of an agent that plays several layouts, by layout: [(layout, score)]."""
    layouts = agent.card.get("evaluation", {}).get("layouts", {})
    return [(layout, score) for layout in layouts if (score := self_play(agent.card, layout))]


def cross_play(card: dict, layout: str = "", part: str = "cross_play") -> list[dict]:
    """One row a partner, best first: {"partner", "mean", "stderr", "low", "high"}."""
    rows = [
        {"partner": ref, **scored}
        for ref, score in evaluation_of(card, layout).get(part, {}).items()
        if (scored := interval(score))
    ]
    return sorted(rows, key=lambda row: -row["mean"])


def partners(card: dict, layout: str = "") -> list[dict]:
    """With partners that nobody trained with, best first: `cross_play`'s rows, "share" where it is known (of
    what a best response to that partner reaches; see engine.evaluation.partners).
    """
    return cross_play(card, layout, "partners")


def evaluations(agent: Agent, names: Mapping[str, str] = MappingProxyType({})) -> list[dict]:
    """What was measured, layout by layout: [{"layout", "score", "bars", "partners"}]; what is empty is left
    out. `names`: those of partners by ref.
    """
    layouts = list(agent.card.get("evaluation", {}).get("layouts", {})) or [""]
    shown = [
        {
            "layout": layout,
            "score": self_play(agent.card, layout),
            "bars": plots(agent, layout, names),
            "partners": [
                {**row, "partner": called(row["partner"], names)} for row in partners(agent.card, layout)
            ],
        }
        for layout in layouts
    ]
    return [row for row in shown if row["bars"] or row["partners"]]


def training_curve(agent: Agent) -> dict | None:
    """The returns during training as static/js/agent-curves.js draws them: {"name", "points": [[joint steps,
    return], …]}; None without.
    """
    points = (agent.card.get("training") or {}).get("curve") or []
    return {"name": agent.name, "points": points} if len(points) > 1 else None


def bars(game: str, scores: list[tuple[str, dict | None]]) -> list[dict]:
    """Bars with whiskers in per cent of the game's highest score, for an SVG: [{"label", "x", "low", "high",
    …}]."""
    known = [(label, score) for label, score in scores if score]
    highest = pages(game).highest or max((score["high"] for _, score in known), default=1.0) or 1.0

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


def people(card: dict, layout: str = "") -> dict | None:
    """With a human proxy, named as "proxy"."""
    return interval(evaluation_of(card, layout).get("people"))


def held_out(shares: dict | None) -> list[dict]:
    """How well a proxy predicts held-out people, from its card's "held_out": every action, people counted
    alike, then each kind of their games: [{"what", "of", "nats", "accuracy", …}]; [] without.
    """
    if not shares:
        return []
    kinds = {kind.replace("_", " "): row for kind, row in shares["by"].items() if kind}
    rows = [
        {"what": what, "of": f"{row['actions']:,} actions", **row}
        for what, row in {"every action": shares, **kinds}.items()
    ]
    people = shares["people"]
    rows.insert(1, {"what": "people counted alike", "of": f"{people['people']} people", **people})
    return rows


def plots(agent: Agent, layout: str = "", names: Mapping[str, str] = MappingProxyType({})) -> list[dict]:
    """Bars of how it does with the human proxy, in self-play and with each partner in cross-play; `names`:
    those of partners by ref.
    """
    rows = [("with people (proxy)", people(agent.card, layout)), ("self-play", self_play(agent.card, layout))]
    if measured := evaluation_of(agent.card, layout).get("told"):
        rows.append((f"self-play, with “{measured['instruction']}”", interval(measured.get("self_play"))))
    rows += [(f"with {called(row['partner'], names)}", row) for row in cross_play(agent.card, layout)]
    return bars(agent.game, rows)


def called(ref: str, names: Mapping[str, str]) -> str:
    """What an agent is called; its ref without the game, of one that isn't known any more."""
    return names.get(ref, ref.partition("/")[2] or ref)


def obeys(agent: Agent) -> str:
    """A sentence for players on how the agent follows instructions."""
    instructions = agent.card.get("instructions", "")
    if agent.game not in language.games():
        return "It takes no instructions while it plays."
    if agent.card.get("hears"):
        return "It reads instructions, and has learned how far to follow them."
    if games.spec(agent.game).goal_size and instructions:  # each does with goals what its own card says
        return instructions
    return "It leans towards the moves that you ask for, from its next move on."


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
    return _shaded(matrix["labels"], matrix["rows"]) if matrix else None


def _shaded(labels: list[str], rows: list[list[float]], names: list[str] | None = None) -> dict:
    """A row a name, or a label."""
    shown = [
        {"label": label, "cells": [{"value": value, "level": round(10 * value)} for value in values]}
        for label, values in zip(names or labels, rows, strict=True)
    ]
    return {"labels": labels, "rows": shown}


def shares(game: str, counted: dict[str, dict[str, Any]]) -> list[dict]:
    """What a game shows as shares of what was counted (engine.evaluation.told), by who did it: [{"title",
    "labels", "rows": as `action_matrix`}].
    """
    tables = []
    for name, title in brings.Told.of(game).SHARES.items():
        known = {who: counts[name] for who, counts in counted.items() if sum(counts.get(name, {}).values())}
        if known:
            labels = list(next(iter(known.values())))
            rows = [[row.get(kind, 0) / sum(row.values()) for kind in labels] for row in known.values()]
            tables.append({"title": title, **_shaded(labels, rows, list(known))})
    return tables


def instructed(card: dict, chosen: int) -> dict | None:
    """What instructions cost and change that were measured, cheapest first: {"untold": score, "firmness":
    [name], "rows": [{"number", "text", "sentence", "costs": [points, by firmness]}], "chosen": the row of
    that number (the first one for a number that there isn't), "matrix": the action matrix under it}; None
    where nothing was measured.
    """
    evaluation = card.get("evaluation", {})
    figures, matrix = evaluation.get("instructed"), evaluation.get("action_matrix")
    if not figures or not figures["instructions"]:
        return None
    untold = figures["untold"]["mean"]
    names = list(figures["instructions"][0]["scores"])
    rows = [
        {
            "number": number,
            "text": text["text"],
            "sentence": text["sentence"],
            "costs": [untold - text["scores"][name]["mean"] for name in names],
        }
        for number, text in enumerate(figures["instructions"])
    ]
    shown = next((row for row in rows if row["number"] == chosen), rows[0])
    under = [[cell / 100 for cell in row] for row in figures["instructions"][shown["number"]]["rows"]]
    return {
        "untold": interval(figures["untold"]),
        "episodes": figures["episodes"],
        "firmness": names,
        "rows": sorted(rows, key=lambda row: row["costs"][0]),
        "chosen": shown,
        "matrix": _shaded(matrix["labels"], under) if matrix else None,
    }


def facts(card: dict) -> list[tuple[str, object]]:
    """What the card says in one word or sentence each, as (words, value); its game's options and the numbers
    of its training among them.
    """
    known = {**card, **card.get("options", {}), **(card.get("training") or {})}
    return [
        (key.replace("_", " "), text(value))
        for key, value in known.items()
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
    """A value as a reader likes it: lists with commas, large numbers in groups of three digits."""
    if isinstance(value, int) and abs(value) >= 10_000:
        return f"{value:,}"
    return ", ".join(str(item) for item in value) if isinstance(value, list) else value
