"""Rounds that train an agent and what reads its instructions together, on what people told agents here or on
the shipped sets alone. Not for the training (an algorithm), for starting one (launch), nor for its form.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.db.models import Count, F, Q, Sum
from django.db.models.functions import Coalesce

from engine import brings
from engine.language import bank
from engine.learning.run.settings import Role
from engine.simulation.life import State
from webapp.agents.models import Agent
from webapp.datasets import selection
from webapp.datasets.selection import Filters
from webapp.jobs.models import Job
from webapp.matches.models import Instruction, Rating
from webapp.rounds import apart, budgets, comparison, kinds, launch, programs
from webapp.rounds.models import Round

NOBODY = "Nobody has told anything yet: the shipped sets are used."
NONE_SUCH = "Nothing that people told agents passes these filters: the shipped sets are used."
PEOPLE, SHIPPED = "people", "shipped"  # whose words


def chosen(base: Agent, filters: Mapping[str, Any]) -> Filters:
    """The games with people's instructions that these filters let through. Raises Refusal."""
    return launch.with_words(base, Filters.from_json({**filters, "game": base.game}))


def said(filters: Filters) -> dict[str, int]:
    """What is found of `chosen` filters: games with instructions ("episodes"), confirmed instructions, the
    people who typed them, what their players said of what was done ("yes", "no"), ratings of how they were
    followed, and marks of people on these games.
    """
    episodes = selection.episodes(filters).order_by()
    told = Instruction.objects.filter(match__episode__in=episodes.values("pk"), status=State.CONFIRMED)
    rated = Rating.objects.filter(episode__in=episodes.values("pk"), followed__isnull=False)
    marks = selection.tallies(filters).filter(episode__in=episodes.values("pk"))
    return {
        "episodes": episodes.count(),
        **told.order_by().aggregate(
            instructions=Count("pk"),
            people=Count("user", distinct=True),
            yes=Count("pk", filter=Q(judged=1)),
            no=Count("pk", filter=Q(judged=-1)),
        ),
        "ratings": rated.count(),
        **marks.aggregate(marks=Coalesce(Sum(F("progress") + F("regression")), 0)),
    }


def nothing(filters: Filters) -> str:
    """That nothing is found of such filters, and what is used instead, in a sentence; "" if something
    is.
    """
    if selection.find(filters, 1):
        return ""
    anything = Filters(game=filters.game, min_marks=0, instructed="with")
    return NONE_SUCH if selection.find(anything, 1) else NOBODY


def settings_of(
    base: Agent,
    filters: Mapping[str, Any] | None,
    algorithm: str = "",
    budget: str = "medium",
    more: Mapping[str, Any] | None = None,
) -> dict[str, Any]:
    """Settings of a round for `launch.create`; `filters` of people's games, None: the shipped sets alone.
    Raises Refusal.
    """
    words: dict[str, Any] = {}
    if filters is not None:
        found = chosen(base, filters)
        words = {} if nothing(found) else found.to_json()
    return budgets.sized(base.game, {kinds.WORDS: words}, algorithm, budget, more)


def language_side(members: list[Job]) -> dict[str, Any] | None:
    """What became of the language side, as its training reports it: {"columns": moments, "rows": [{"name",
    "shares": in %, how likely a sub-goal is asked for at each}], "sets": [(name, texts)]}; None before that.
    """
    result = comparison.result_of(members, "agent")
    moments = result.get("probabilities")
    if not moments:
        return None
    resets = [f"reset {number + 1}" for number in range(int(result.get("resets", 0)))]
    moments = [*moments[: 1 + len(resets)], moments[-1]]
    rows = [{"name": name, "shares": [100 * moment[name] for moment in moments]} for name in moments[0]]
    return {
        "columns": ["before", *resets, "in the end"],
        "rows": sorted(rows, key=lambda row: -abs(row["shares"][-1] - row["shares"][0])),
        "sets": list(result.get("sets", {}).items()),
    }


def shown_config(round_: Round, agent: str) -> dict[str, Any]:
    """What is played to show the candidate told and untold: the first of the game's probes, which need
    nobody to point at something; without probes, the first of the texts that it offers.
    """
    game = round_.game
    texts = [probe.text for probe in brings.Probes.of(game).PROBES] or bank.ready(game)
    return {
        "agent": agent,
        "game": game,
        "instructions": texts[: apart.MOST],
        "told": apart.usually_told(game),
        "seed": programs.value_of(round_.settings, "evaluation", Role.SEED) or 1,
    }
