"""What an admin decides about a round's candidate: promote, discard, or go back. Moves aliases by
promotion.py."""

from __future__ import annotations

from django.db import transaction

from engine.refusal import Refusal
from webapp.accounts.models import AuditEvent, User
from webapp.agents import promotion
from webapp.agents.models import Alias
from webapp.rounds.models import Round

NOW = {
    promotion.CHAMPION: "new matches play with it at once",
    promotion.HUMAN: "evaluations measure agents with it from now on",
}


@transaction.atomic
def decide(one: Round, decision: str, reason: str, user: User | None) -> str:
    """ "promote", "discard" or "rollback" with a reason; returns what is true now, as a sentence. Raises
    Refusal."""
    reason = reason.strip()
    if not reason:
        raise Refusal("Say why: a decision needs a reason.")
    if one.candidate is None:
        raise Refusal(f"Round {one.number} has no candidate yet.")
    alias, game, layout = promotion.becomes(one.candidate), one.game, one.layout
    title, now = promotion.TITLES[alias], NOW[alias]
    is_it = promotion.current(game, alias, layout) == one.candidate
    if decision == "promote":
        promotion.promote(one.candidate, reason=reason, user=user, layout=layout)
        _set(one, "promoted", reason)
        return f"{one.candidate.name} is {title} of {one.said} now; {now}."
    if decision == "discard":
        if is_it:
            raise Refusal(f"{one.candidate.name} is the {title}; roll back first.")
        _set(one, "discarded", reason)
        AuditEvent.objects.create(
            user=user, verb="round.discard", detail={"round": one.number, "reason": reason}
        )
        return f"The candidate of round {one.number} is discarded; it stays in the gallery."
    if decision == "rollback":
        if not is_it:
            raise Refusal(f"{one.candidate.name} is not the {title}, so there is nothing to roll back.")
        moved = promotion.roll_back(game, reason=reason, user=user, layout=layout, alias=alias)
        _set(one, "rolled back", reason)
        return f"{moved.after.name} is {title} of {one.said} again; {now}."
    raise Refusal(f"The decision is {decision!r}; allowed are promote, discard, rollback.")


def _set(one: Round, decision: str, reason: str) -> None:
    """What is decided on is the game's candidate no more."""
    Alias.objects.filter(game=one.game, name=promotion.CANDIDATE, agent=one.candidate).delete()
    one.decision, one.decision_reason = decision, reason
    one.save(update_fields=["decision", "decision_reason"])
