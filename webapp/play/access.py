"""Who may see a match: everybody with a role, except what is closed to watch. 404 for the rest."""

from __future__ import annotations

import uuid

from django.db.models import Exists, OuterRef, Q, QuerySet
from django.http import Http404

from webapp.accounts.models import User
from webapp.play.models import Match, Seat


def matches_for(user: User) -> QuerySet[Match]:
    """Matches that this person may open: their own (a co-pilot's too), and those that are open to join or to
    watch.
    """
    sits = Exists(Seat.objects.filter(Q(user=user) | Q(copilot=user), match=OuterRef("pk")))
    if user.guest_of:
        return Match.objects.filter(sits, pk=user.guest_of)
    waiting = Q(status=Match.WAITING, open_to_join=True)
    mine = sits | Q(created_by=user)
    return Match.objects.filter(mine | waiting | (~Q(status=Match.WAITING) & Q(open_to_watch=True)))


def get_match_for(user: User, match_id: uuid.UUID) -> Match:
    """The match with its seats, or 404 when there is none or it isn't this person's to see."""
    related = ("seats__user", "seats__agent")
    match = matches_for(user).select_related("episode").prefetch_related(*related).filter(pk=match_id).first()
    if match is None:
        raise Http404("No such match.")
    return match


def seat_of(match: Match, user: User) -> int | None:
    """The seat in which this person sits, or None: a spectator or a co-pilot."""
    for seat in match.seats.all():
        if seat.user_id == user.pk:
            return seat.index
    return None


def has_left(match: Match, seat: int | None) -> bool:
    """Whether the person of this seat has left for good: the way back to the table is closed."""
    return any(one.index == seat and one.left_at is not None for one in match.seats.all())


def copilot_of(match: Match, user: User) -> int | None:
    """The seat of the agent whose co-pilot this person is, or None. Whoever sits is nobody's co-pilot."""
    if seat_of(match, user) is not None:
        return None
    for seat in match.seats.all():
        if seat.copilot_id == user.pk:
            return seat.index
    return None
