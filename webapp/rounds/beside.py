"""What a page draws beside a round's curves (static/js/rounds.js): other rounds, and target values. Not for:
the curves themselves, which the page fetches (`progress.live`).
"""

from __future__ import annotations

from typing import Any

from django.urls import reverse

from webapp.agents import cards
from webapp.agents.models import Agent
from webapp.rounds import comparison
from webapp.rounds.models import Round

MOST = 12  # rounds to choose from, the newest
SCORES = ("score", "training_score")  # metrics of trainings that are points of a game


def others(round_: Round) -> list[dict[str, Any]]:
    """The newest other rounds of the game: [{"number", "label", "alike": it differs by its seed alone,
    "url"}]; those alike come first.
    """
    alike = {other.pk for other in comparison.repeats(round_).values()}
    rows = [
        {
            "number": other.number,
            "label": _label(other, other.pk in alike),
            "alike": other.pk in alike,
            "url": reverse("rounds:live", args=[other.number]),
        }
        for other in Round.objects.filter(game=round_.game).exclude(pk=round_.pk)[:MOST]
    ]
    return sorted(rows, key=lambda row: not row["alike"])


def _label(other: Round, alike: bool) -> str:
    label = f"Round {other.number}{f': {other.goal}' if other.goal else ''}"
    return f"{label} (the same, another seed)" if alike else label


def targets(round_: Round, champion: Agent | None) -> dict[str, dict[str, list[dict[str, Any]]]]:
    """Values that a curve is to come to, by kind of job and metric: {"agent": {"score": [{"label",
    "value"}]}}: the champion's and the base's points in self-play, and the KL that a training steers to.
    """
    known = {"the base": round_.base_agent} | ({"the champion": champion} if champion else {})
    if champion == round_.base_agent:
        del known["the base"]
    scores = {who: cards.self_play(agent.card, round_.layout) for who, agent in known.items()}
    points = [{"label": who, "value": score["mean"]} for who, score in scores.items() if score]
    lines = dict.fromkeys(SCORES, points) if points else {}
    if kl := round_.settings.get("agent", {}).get("target_kl"):
        lines["base_kl"] = [{"label": "target_kl", "value": kl}]
    return {"agent": lines}
