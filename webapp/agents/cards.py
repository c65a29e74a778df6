"""What a card says, made ready for pages: scores with intervals, cross-play, settings. Not for writing cards.

A card's "evaluation" holds {"people": {"mean", "interval", "proxy", "episodes"}, "self_play": {"mean",
"stderr", "episodes"}, "cross_play": {ref: {"mean", "stderr", "episodes"}}, "partners": {ref: the same with
"share"}, "action_matrix": {"labels": […], "rows": [[…]]}}; whatever is missing is not shown. An agent that
plays several layouts has {"layouts": {layout: {"self_play", …}}}. "training" may hold a "curve": [[joint
steps, return], …].
"""

from __future__ import annotations

from engine.games.pages import pages
from webapp.agents.models import Agent
from webapp.agents.resolve import layout_of, short
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
    """What was measured, in one layout of an agent that plays several."""
    found = card.get("evaluation", {})
    return found.get("layouts", {}).get(layout, {}) if layout in found.get("layouts", {}) else found


def self_play(card: dict, layout: str = "") -> dict | None:
    """Self-play; what the training measured at its end where nothing else was."""
    found = evaluation_of(card, layout)
    return interval(found.get("self_play") or found.get("greedy"))


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


def evaluations(agent: Agent) -> list[dict]:
    """What was measured, layout by layout: [{"layout", "score", "bars", "partners"}]; what is empty is left
    out.
    """
    layouts = list(agent.card.get("evaluation", {}).get("layouts", {})) or [""]
    shown = [
        {
            "layout": layout,
            "score": self_play(agent.card, layout),
            "bars": plots(agent, layout),
            "partners": partners(agent.card, layout),
        }
        for layout in layouts
    ]
    return [one for one in shown if one["bars"] or one["partners"]]


def training_curve(card: dict) -> dict | None:
    """The returns during training as an SVG path in a box of 100 × 40, with the ends of its axes; None
    without.
    """
    points = (card.get("training") or {}).get("curve") or []
    if len(points) < 2 or points[-1][0] <= 0:
        return None
    steps, returns = [point[0] for point in points], [point[1] for point in points]
    most = max(returns) or 1
    places = [
        f"{100 * step / steps[-1]:.2f} {40 - 40 * max(0, value) / most:.2f}"
        for step, value in zip(steps, returns, strict=True)
    ]
    return {"path": "M" + "L".join(places), "steps": text(steps[-1]), "most": most, "last": returns[-1]}


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
    """With a proxy of people, named as "proxy"."""
    return interval(evaluation_of(card, layout).get("people"))


def held_out(found: dict | None) -> list[dict]:
    """How well a proxy foretells people whom it never saw, from its card's "held_out": every action, people
    counted alike, then each kind of their games: [{"what", "of", "nats", "accuracy", …}]; [] without.
    """
    if not found:
        return []
    kinds = {kind.replace("_", " "): row for kind, row in found["by"].items() if kind}
    rows = [
        {"what": what, "of": f"{row['actions']:,} actions", **row}
        for what, row in {"every action": found, **kinds}.items()
    ]
    people = found["people"]
    rows.insert(1, {"what": "people counted alike", "of": f"{people['people']} people", **people})
    return rows


def plots(agent: Agent, layout: str = "") -> list[dict]:
    """Bars of how it does with people's proxy, in self-play and with each partner in cross-play."""
    rows = [("with people (proxy)", people(agent.card, layout)), ("self-play", self_play(agent.card, layout))]
    if told := evaluation_of(agent.card, layout).get("told"):
        rows.append((f"self-play, told “{told['instruction']}”", interval(told.get("self_play"))))
    rows += [(f"with {short(agent.game, row['partner'])}", row) for row in cross_play(agent.card, layout)]
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
    return _shaded(matrix["labels"], matrix["rows"]) if matrix else None


def _shaded(labels: list[str], rows: list[list[float]]) -> dict:
    shown = [
        {"label": label, "cells": [{"value": value, "level": round(10 * value)} for value in values]}
        for label, values in zip(labels, rows, strict=True)
    ]
    return {"labels": labels, "rows": shown}


def instructed(card: dict, chosen: int) -> dict | None:
    """What instructions cost and change that were measured, cheapest first: {"untold": score, "firmness":
    [name], "rows": [{"number", "text", "sentence", "costs": [points, by firmness]}], "chosen": the row of
    that number (the first one for a number that there isn't), "matrix": the action matrix under it}; None
    where nothing was measured.
    """
    evaluation = card.get("evaluation", {})
    found, matrix = evaluation.get("instructed"), evaluation.get("action_matrix")
    if not found or not found["instructions"]:
        return None
    untold = found["untold"]["mean"]
    names = list(found["instructions"][0]["scores"])
    rows = [
        {
            "number": number,
            "text": one["text"],
            "sentence": one["sentence"],
            "costs": [untold - one["scores"][name]["mean"] for name in names],
        }
        for number, one in enumerate(found["instructions"])
    ]
    shown = next((row for row in rows if row["number"] == chosen), rows[0])
    under = [[cell / 100 for cell in row] for row in found["instructions"][shown["number"]]["rows"]]
    return {
        "untold": interval(found["untold"]),
        "episodes": found["episodes"],
        "firmness": names,
        "rows": sorted(rows, key=lambda row: row["costs"][0]),
        "chosen": shown,
        "matrix": _shaded(matrix["labels"], under) if matrix else None,
    }


def facts(card: dict) -> list[tuple[str, object]]:
    """What the card says in one word or sentence each, as (words, value); its game's options and the numbers
    of its training among them.
    """
    said = {**card, **card.get("options", {}), **(card.get("training") or {})}
    return [
        (key.replace("_", " "), text(value))
        for key, value in said.items()
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
        {**row, "differs": len({str(value) for value in row["values"]}) > 1}
        for row in rows
        if any(value not in ("", None) for value in row["values"])
    ]


def compared_alone(agents: list[Agent]) -> list[dict]:
    """With people's proxy, then self-play, side by side: a group of each for each layout that one of them was
    measured on.
    """
    game = agents[0].game
    layouts = dict.fromkeys(
        layout
        for agent in agents
        for layout in agent.card.get("evaluation", {}).get("layouts", {}) or [layout_of(agent)]
    )
    groups = []
    for layout in layouts:
        known = [
            agent
            for agent in agents
            if layout in agent.card.get("evaluation", {}).get("layouts", {}) or layout == layout_of(agent)
        ]
        for title, score in (("With people (proxy)", people), ("Self-play", self_play)):
            measured = [(agent.name, score(agent.card, layout)) for agent in known]
            shown = bars(game, measured)
            groups.append({"title": f"{title} on {layout}" if layout else title, "bars": shown})
    return groups


def compared_plots(agents: list[Agent]) -> list[dict]:
    """All with people's proxy and in self-play, then each partner that at least two have played with, as
    groups of bars.
    """
    groups = compared_alone(agents)
    tables = [{row["partner"]: row for row in cross_play(agent.card)} for agent in agents]
    for partner in dict.fromkeys(ref for table in tables for ref in table):
        scores = [(agent.name, table.get(partner)) for agent, table in zip(agents, tables, strict=True)]
        if sum(score is not None for _, score in scores) > 1:
            groups.append(
                {"title": f"With {short(agents[0].game, partner)}", "bars": bars(agents[0].game, scores)}
            )
    return groups
