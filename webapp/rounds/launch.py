"""Starting a round: its row and its five jobs, all at once. Not for running them (workers)."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from django.db import transaction
from django.db.models import Max

from engine import games
from webapp.accounts.models import AuditEvent, User
from webapp.agents.models import Agent
from webapp.datasets import selection
from webapp.datasets.selection import Filters
from webapp.rounds import programs
from webapp.rounds.models import Job, Round

PIPELINE = ("snapshot", "reward_model", "agent", "evaluation", "candidate")


class Refused(ValueError):
    """The round can't start; the message is one sentence."""


def seats_of(agent: Agent) -> int | None:
    """The number of seats that a network was trained for, as its card says; None: any."""
    players = agent.card.get("options", {}).get("players") or agent.card.get("players")
    if isinstance(players, list) and len(players) == 1:
        players = players[0]
    return players if isinstance(players, int) else None


def trained_layout(agent: Agent) -> str:
    """The layout (a name or a text) that a network was trained for; "" in games without layouts."""
    spec = games.spec(agent.game)
    if spec.variant is None or agent.kind != "network":
        return ""
    return str(spec.validate(dict(agent.card.get("options", {})))["layout"])


def check(base: Agent, settings: dict[str, Any]) -> dict[str, Any]:
    """Complete settings of a round: {"data", "reward_model", "agent", "evaluation"}. Raises Refused."""
    try:
        filters = Filters.from_json({"game": base.game, **settings.get("data", {})})
        parts = {part: programs.checked(part, settings.get(part, {})) for part in programs.PARTS}
    except (selection.BadFilter, programs.BadSetting) as error:
        raise Refused(str(error)) from None
    if filters.game != base.game:
        raise Refused(f"{base.name} plays {base.game}, but the episodes are of {filters.game}.")
    if base.kind != "network":
        raise Refused(f"{base.name} is a scripted bot; only a network can be trained on.")
    layout = trained_layout(base)
    if filters.layout not in ("", layout):
        raise Refused(f"{base.name} was trained for another layout than {filters.layout}; choose one layout.")
    filters = replace(filters, layout=layout)
    found = selection.counts(filters)
    if not found["marks"]:
        raise Refused("No mark passes the filters, so there is nothing to learn from.")
    if found["episodes"] < 2:
        raise Refused("One episode is not enough: some have to be held out.")
    return {"data": filters.to_json(), **parts}


@transaction.atomic
def create(base: Agent, settings: dict[str, Any], user: User | None, goal: str = "") -> Round:
    """The round and its jobs, queued; the caller nudges a worker after the commit. Raises Refused."""
    complete = check(base, settings)
    number = (Round.objects.aggregate(last=Max("number"))["last"] or 0) + 1
    one = Round.objects.create(
        number=number, game=base.game, goal=goal, base_agent=base, settings=complete, created_by=user
    )
    Job.objects.bulk_create(
        Job(
            round=one,
            kind=kind,
            position=position,
            settings=complete["data"] if kind == "snapshot" else complete.get(kind, {}),
        )
        for position, kind in enumerate(PIPELINE)
    )
    AuditEvent.objects.create(user=user, verb="round.launch", detail={"round": number, "base": base.ref})
    return one
