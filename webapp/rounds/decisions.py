"""Decisions on a round's candidate: promote, discard, or roll back. Aliases are moved by promotion.py."""

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
def decide(round_: Round, decision: str, reason: str, user: User | None) -> str:
    """ "promote", "discard" or "rollback" with a reason; returns what is true now, as a sentence. Raises
    Refusal."""
    reason = reason.strip()
    if not reason:
        raise Refusal("Say why: a decision needs a reason.")
    if round_.candidate is None:
        raise Refusal(f"Round {round_.number} has no candidate yet.")
    alias, game, layout = promotion.becomes(round_.candidate), round_.game, round_.layout
    title, now = promotion.TITLES[alias], NOW[alias]
    is_it = promotion.current(game, alias, layout) == round_.candidate
    if decision == "promote":
        promotion.promote(round_.candidate, reason=reason, user=user, layout=layout)
        _set(round_, "promoted", reason)
        return f"{round_.candidate.name} is {title} of {round_.variant_name} now; {now}."
    if decision == "discard":
        if is_it:
            raise Refusal(f"{round_.candidate.name} is the {title}; roll back first.")
        _set(round_, "discarded", reason)
        AuditEvent.objects.create(
            user=user, verb="round.discard", detail={"round": round_.number, "reason": reason}
        )
        return f"The candidate of round {round_.number} is discarded; it stays in the gallery."
    if decision == "rollback":
        if not is_it:
            raise Refusal(f"{round_.candidate.name} is not the {title}, so there is nothing to roll back.")
        moved = promotion.roll_back(game, reason=reason, user=user, layout=layout, alias=alias)
        _set(round_, "rolled back", reason)
        return f"{moved.after.name} is {title} of {round_.variant_name} again; {now}."
    raise Refusal(f"The decision is {decision!r}; allowed are promote, discard, rollback.")


def _set(round_: Round, decision: str, reason: str) -> None:
    """Store the decision; the agent is no longer the game's candidate."""
    Alias.objects.filter(game=round_.game, name=promotion.CANDIDATE, agent=round_.candidate).delete()
    round_.decision, round_.decision_reason = decision, reason
    round_.save(update_fields=["decision", "decision_reason"])
