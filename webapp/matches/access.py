"""Who may see a match: everybody with a role, except what is closed to watch. 404 for the rest. And what
its links open.
"""

from __future__ import annotations

import uuid

from django.core.signing import BadSignature, Signer
from django.db.models import Exists, OuterRef, Q, QuerySet
from django.http import Http404

from engine import games
from webapp.accounts.models import User
from webapp.matches.models import COPILOTING, JOINING, Match, Seat


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


def match_of_link(token: str) -> Match:
    """The match whose free seats a link opens, or 404."""
    match = Match.objects.select_related("created_by").filter(pk=_read(JOINING, token)).first()
    if match is None:
        raise Http404("No such invitation.")
    return match


def seat_of_link(token: str) -> Seat:
    """The seat whose co-pilot a link makes, or 404: where there is none, or there can be none."""
    related = ("match__created_by", "agent")
    seat = Seat.objects.select_related(*related).filter(pk=_read(COPILOTING, token)).first()
    if seat is None or seat not in copilot_seats(seat.match):
        raise Http404("No such invitation.")
    return seat


def _read(signer: Signer, token: str) -> str | None:
    try:
        return signer.unsign(token)
    except BadSignature:
        return None


def copilot_seats(match: Match) -> list[Seat]:
    """The agents' seats that may have a co-pilot: those of a side for which people play, so that nobody
    steers the other side's agents; any where agents play among themselves. None where one moves at a time.
    """
    if match.is_first or games.spec(match.game).turn_based:
        return []
    seats = list(match.seats.all())
    sides = {side_of(match, seat.index) for seat in seats if seat.kind != Seat.AGENT}
    agents = [seat for seat in seats if seat.kind == Seat.AGENT]
    return [seat for seat in agents if not sides or side_of(match, seat.index) in sides]


def side_of(match: Match, seat: int) -> int:
    return games.spec(match.game).side_of(match.options, seat)


def stand(match: Match, seat: int, other: int | None) -> str:
    """Whether two seats play "with" or "against" each other; "" for one and the same, for nobody, and where
    all play together.
    """
    if other is None or seat == other or games.spec(match.game).side is None:
        return ""
    return "with" if side_of(match, seat) == side_of(match, other) else "against"


def seat_of(match: Match, user: User) -> int | None:
    """The seat in which this person sits, or None: a spectator or a co-pilot."""
    for seat in match.seats.all():
        if seat.user_id == user.pk:
            return seat.index
    return None


def has_left(match: Match, seat: int | None) -> bool:
    """Whether the person of this seat has left for good: the way back to the table is closed."""
    return any(other.index == seat and other.left_at is not None for other in match.seats.all())


def copilot_of(match: Match, user: User) -> int | None:
    """The seat of the agent whose co-pilot this person is, or None. Nobody with a seat is one."""
    if seat_of(match, user) is not None:
        return None
    for seat in match.seats.all():
        if seat.copilot_id == user.pk:
            return seat.index
    return None
