"""Candidate against champion, and the reward model against its controls, as a round's page shows them.

Reads the results that evaluation and reward-model jobs reported; measures nothing itself.
"""

from __future__ import annotations

from typing import Any

from webapp.agents import cards
from webapp.agents.resolve import short
from webapp.rounds.models import Job, Round

SIDES = ("candidate", "champion", "base")
UTILITIES = {
    "model": ("this model", "learned from the marks"),
    "shuffled": ("shuffled marks", "learned from the same marks with their signs dealt anew"),
    "clock": ("U = t", "says that later is always better"),
    "untrained": ("untrained", "the network before training"),
}

# Where sides play against each other, the words for "Self-play" and "Candidate in cross-play".
MATCHES = {"arena": ("Against the middle scripted squad", "Candidate's squad against others")}
SOUP = 20  # points of a soup in the classic kitchens
MEANING = {
    "arena": "Points are the share of matches that the own squad wins, from 0 to 100, in short matches of "
    "two squads of four.",
    "overcooked": "Points are the return of a game of 400 ticks, 20 for each soup. Networks draw their "
    "moves, or all games would be the same; with best moves only, as people meet them, games begin anywhere.",
}


def result_of(members: list[Job], kind: str) -> dict[str, Any]:
    return next((job.result for job in members if job.kind == kind and job.state == Job.COMPLETED), {})


def headline(members: list[Job]) -> dict[str, Any] | None:
    """Self-play of candidate and champion with intervals, for lists; None before the evaluation."""
    scores = result_of(members, "evaluation").get("self_play", {})
    found = {side: cards.interval(scores.get(side)) for side in SIDES}
    return found if found["candidate"] else None


def of(one: Round, members: list[Job]) -> dict[str, Any] | None:
    """Everything for the decision: {"plots": […], "verdict": sentence, "returns": […]}; None before the
    evaluation."""
    result = result_of(members, "evaluation")
    scores = headline(members)
    if not scores:
        return None
    alone, together = MATCHES.get(one.game, ("Self-play", "Candidate in cross-play"))
    plots = [{"title": alone, "bars": cards.bars(one.game, [(side, scores[side]) for side in SIDES])}]
    if greedy := result.get("greedy"):
        sides = [(side, cards.interval(greedy.get(side))) for side in SIDES]
        plots.append({"title": "Self-play, best moves only", "bars": cards.bars(one.game, sides)})
    partners = [
        (f"{'against' if one.game in MATCHES else 'with'} {short(one.game, name)}", cards.interval(score))
        for name, score in result.get("cross_play", {}).items()
    ]
    if partners:
        plots.append({"title": together, "bars": cards.bars(one.game, partners)})
    returns = [
        (side, f"{score['mean']:.2f} ± {score['half']:.2f}")
        for side in SIDES
        if (score := cards.interval(result.get("reward_return", {}).get(side)))
    ]
    return {
        "plots": plots,
        "verdict": verdict(scores, one.game),
        "returns": returns,
        "meaning": MEANING.get(one.game, ""),
    }


def verdict(scores: dict[str, Any], game: str) -> str:
    """One sentence on the self-play scores; intervals that overlap are said to be no clear difference."""
    candidate, champion = scores["candidate"], scores["champion"] or scores["base"]
    if champion is None:
        return ""
    gap = candidate["mean"] - champion["mean"]
    half = (candidate["half"] ** 2 + champion["half"] ** 2) ** 0.5
    where = "against the middle scripted squad" if game in MATCHES else "in self-play"
    if abs(gap) <= half:
        return f"No clear difference {where}: {gap:+.2f} ± {half:.2f} points."
    word = "better" if gap > 0 else "worse"
    soups = f", {abs(gap) / SOUP:.1f} soups a game" if game == "overcooked" else ""
    return f"The candidate is {word} {where} by {abs(gap):.2f} ± {half:.2f} points{soups}."


def reward_model(members: list[Job]) -> dict[str, Any] | None:
    """Held-out metrics of the model and its controls: {"columns": […], "rows": [{"title", "cells"}]}."""
    held_out = result_of(members, "reward_model").get("held_out")
    if not held_out:
        return None
    columns = list(held_out["model"])
    empty = {"value": None, "low": None, "high": None}
    rows = [
        {"title": title, "help": text, "cells": [held_out[name].get(column, empty) for column in columns]}
        for name, (title, text) in UTILITIES.items()
        if name in held_out
    ]
    return {"columns": [column.replace("_", " ") for column in columns], "rows": rows}
