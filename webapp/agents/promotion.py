"""Moving aliases: promote an agent to champion, roll back to the one before. Every move is a `Promotion` row.

New matches ask `webapp.agents.resolve` at their start, so a move holds from the next match on at once.
"""

from __future__ import annotations

from django.db import transaction
from django.utils import timezone

from webapp.accounts.models import AuditEvent, User
from webapp.agents.models import Agent, Alias, Promotion
from webapp.agents.resolve import UnknownAgent, alias_sets, layout_of, resolve

CHAMPION, CANDIDATE, PREVIOUS = "champion", "candidate", "previous"


class Refused(ValueError):
    """The alias can't be moved; the message is one sentence."""


def point(game: str, name: str, agent: Agent, layout: str | None = None) -> None:
    """Let the alias `name` mean `agent` from now on: in `layout`, by default the one it was made for."""
    layout = layout_of(agent) if layout is None else layout
    Alias.objects.update_or_create(
        game=game, layout=layout, name=name, defaults={"agent": agent, "changed_at": timezone.now()}
    )


@transaction.atomic
def promote(
    agent: Agent, *, reason: str, user: User | None, layout: str = "", kind: str = "promote"
) -> Promotion:
    """`agent` becomes champion and the champion becomes `previous`. Raises Refused with a sentence.

    An agent that was made for a layout is promoted in that one; others in `layout`, or in the whole game.
    """
    reason = reason.strip()
    own = layout_of(agent)
    if own and layout not in ("", own):
        raise Refused(f"{agent.name} was made for {own} and can't become champion of {layout}.")
    layout = layout or own
    if not reason:
        raise Refused("Say why: a promotion needs a reason.")
    if agent.retired:
        raise Refused(f"{agent.name} is retired and can't become champion.")
    before = current(agent.game, CHAMPION, layout)
    if before == agent:
        raise Refused(f"{agent.name} is the champion already.")
    if before:
        point(agent.game, PREVIOUS, before, layout)
    point(agent.game, CHAMPION, agent, layout)
    moved = Promotion.objects.create(
        game=agent.game, layout=layout, before=before, after=agent, kind=kind, reason=reason, user=user
    )
    detail = {
        "game": agent.game,
        "layout": layout,
        "before": before.ref if before else None,
        "after": agent.ref,
        "reason": reason,
    }
    AuditEvent.objects.create(user=user, verb=f"agent.{kind}", detail=detail)
    return moved


def roll_back(game: str, *, reason: str, user: User | None, layout: str = "") -> Promotion:
    """The champion of before the last move becomes champion again. Raises Refused when there is none."""
    known = PREVIOUS in alias_sets(game).get(layout, {})
    previous = current(game, PREVIOUS, layout) if known else None
    if previous is None:
        where = f"{game} on {layout}" if layout else game
        raise Refused(f"There is no earlier champion of {where} to roll back to.")
    return promote(previous, reason=reason, user=user, layout=layout, kind="rollback")


def current(game: str, alias: str, layout: str = "") -> Agent | None:
    """The agent that the alias means now, or None."""
    try:
        return resolve(game, alias, layout)
    except UnknownAgent:
        return None
