"""Moving aliases: promote an agent to champion, roll back to the one before. Every move is a `Promotion` row.

New matches ask `webapp.agents.resolve` at their start, so a move takes effect with the next match. A human
proxy gets the alias `human` in the same way, never `champion`; evaluations measure agents with it.
"""

from __future__ import annotations

from django.db import transaction
from django.utils import timezone

from engine.agents.people import KIND
from engine.evaluation.people import HUMAN
from engine.refusal import Refusal
from webapp.accounts.models import AuditEvent, User
from webapp.agents.models import Agent, Alias, Promotion
from webapp.agents.resolve import alias_sets, layout_of, resolve

CHAMPION, CANDIDATE = "champion", "candidate"
PREVIOUS = {CHAMPION: "previous", HUMAN: "previous-human"}  # who was it before
TITLES = {CHAMPION: "champion", HUMAN: "human proxy"}


def becomes(agent: Agent) -> str:
    """The alias that an agent has once it is promoted."""
    return HUMAN if agent.kind == KIND else CHAMPION


def point(game: str, name: str, agent: Agent, layout: str | None = None) -> None:
    """Let the alias `name` mean `agent` from now on: in `layout`, by default the one it was made for."""
    layout = layout_of(agent) if layout is None else layout
    Alias.objects.update_or_create(
        game=game, layout=layout, name=name, defaults={"agent": agent, "changed_at": timezone.now()}
    )


@transaction.atomic
def promote(
    agent: Agent,
    *,
    reason: str,
    user: User | None,
    layout: str = "",
    kind: str = "promote",
    alias: str = "",
) -> Promotion:
    """`agent` becomes champion (a human proxy: `human`) or what `alias` says, and who was that becomes
    `previous`. Raises Refusal with a sentence.

    An agent that was made for a layout is promoted in that one; others in `layout`, or in the whole game.
    """
    reason, alias, agent_layout = reason.strip(), alias or becomes(agent), layout_of(agent)
    title = TITLES[alias]
    if agent_layout and layout not in ("", agent_layout):
        raise Refusal(f"{agent.name} was made for {agent_layout} and can't become {title} of {layout}.")
    layout = layout or agent_layout
    if not reason:
        raise Refusal("Say why: a promotion needs a reason.")
    if agent.retired:
        raise Refusal(f"{agent.name} is retired and can't become {title}.")
    before = current(agent.game, alias, layout)
    if before == agent:
        raise Refusal(f"{agent.name} is the {title} already.")
    if before:
        point(agent.game, PREVIOUS[alias], before, layout)
    point(agent.game, alias, agent, layout)
    moved = Promotion.objects.create(
        game=agent.game,
        layout=layout,
        alias=alias,
        before=before,
        after=agent,
        kind=kind,
        reason=reason,
        user=user,
    )
    detail = {
        "game": agent.game,
        "alias": alias,
        "layout": layout,
        "before": before.ref if before else None,
        "after": agent.ref,
        "reason": reason,
    }
    AuditEvent.objects.create(user=user, verb=f"agent.{kind}", detail=detail)
    return moved


def roll_back(
    game: str, *, reason: str, user: User | None, layout: str = "", alias: str = CHAMPION
) -> Promotion:
    """The champion (or `human`) of before the last move is it again. Raises Refusal when there is none."""
    known = PREVIOUS[alias] in alias_sets(game).get(layout, {})
    previous = current(game, PREVIOUS[alias], layout) if known else None
    if previous is None:
        where = f"{game} on {layout}" if layout else game
        raise Refusal(f"There is no earlier {TITLES[alias]} of {where} to roll back to.")
    return promote(previous, reason=reason, user=user, layout=layout, kind="rollback", alias=alias)


def current(game: str, alias: str, layout: str = "") -> Agent | None:
    """The agent that the alias means now, or None."""
    try:
        return resolve(game, alias, layout)
    except Refusal:
        return None
