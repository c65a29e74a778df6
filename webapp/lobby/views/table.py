"""The table of one game, and what it asks over HTTP: its state while waiting, a ticket for the socket."""

from __future__ import annotations

import uuid

from django.core.exceptions import PermissionDenied
from django.db import transaction
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase, JsonResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET, require_POST

from engine import brings, games, language
from engine.games.pages import lasts, options_in_words, pages
from engine.refusal import Refusal
from webapp.accounts import guests
from webapp.accounts.keys import keys_of
from webapp.accounts.models import User
from webapp.accounts.roles import role_required
from webapp.host import tickets
from webapp.lobby.listing import called
from webapp.lobby.views.lobby import said_before
from webapp.matches import results
from webapp.matches.access import (
    copilot_of,
    copilot_seats,
    get_match_for,
    has_left,
    match_of_link,
    seat_of,
    side_of,
    stand,
)
from webapp.matches.models import Match, Seat
from webapp.matches.start import start_match

ROLES = ("player", "annotator", "admin")


@role_required(*ROLES)
@require_GET
def table(request: HttpRequest, match_id: uuid.UUID) -> HttpResponse:
    """The table; before the game a waiting room, after it the way to the result."""
    match = get_match_for(request.user, match_id)
    seat, copilot = seat_of(match, request.user), copilot_of(match, request.user)
    if match.status == Match.WAITING:
        page_words = pages(match.game)
        about = {
            "title": games.spec(match.game).title,
            "pages": page_words,
            "options": options_in_words(match.game, match.options),
            "lasts": lasts(match.game, match.options),
            "pace": match.ticks_per_second,
            "said": match.instructions.filter(user=request.user).order_by("-created_at").first(),
        }
        return render(request, "play/waiting.html", about | waiting_context(request, match))
    if match.status == Match.CLOSED:
        return render(request, "play/closed.html", status=410)
    if match.status in (Match.FINISHED, Match.ABANDONED):
        return redirect("play:after", match.pk)
    if has_left(match, seat):
        return render(request, "play/left.html", {"match": match})
    page = {
        "match": str(match.pk),
        "game": match.game,
        "title": games.spec(match.game).title,
        "pace": match.ticks_per_second,
        "tellable": match.game in language.games(),
        "seat": seat,
        "copilot": copilot,
        "ticket": reverse("play:ticket", args=[match.pk]),
        "after": reverse("play:after", args=[match.pk]),
        "read": reverse("play:read"),
        "ask": reverse("play:ask"),
        "lobby": reverse("play:lobby"),
        "said_before": [] if seat is None else said_before(request.user, match.game),
        "people": sum(seat.kind == Seat.PERSON for seat in match.seats.all()),
    }
    context = {
        "match": match,
        "title": page["title"],
        "pages": pages(match.game),
        "tellable": page["tellable"],
        "agents": sum(seat.kind == Seat.AGENT for seat in match.seats.all()),
        "plans": match.game in brings.Planning.games(),
        "seat": seat,
        "copilot": copilot,
        "people": page["people"],
        "turns": match.ticks_per_second == 0,
        "rotates": results.rotates(match, seat),
        "copilot_links": copilot_links(request, match),
        "page": page,
        "coach_keys": keys_of(match.game, request.user.own_keys) if match.is_first else {},
    }
    return render(request, [f"games/{match.game}/table.html", "play/general.html"], context)


def copilot_links(request: HttpRequest, match: Match) -> list[dict[str, str]]:
    """[{"name", "link"}] of the agents that may have a co-pilot, for those who may invite one: who plays, for
    the own side's, and who made the match.
    """
    own_seat = seat_of(match, request.user)
    if own_seat is None and match.created_by_id != request.user.pk:
        return []
    free = [seat for seat in copilot_seats(match) if seat.copilot_id is None]
    if own_seat is not None:
        free = [seat for seat in free if side_of(match, seat.index) == side_of(match, own_seat)]
    names = called(match)
    return [
        {
            "name": names[seat.index],
            "link": request.build_absolute_uri(reverse("play:copilot", args=[seat.copilot_token])),
        }
        for seat in free
    ]


def waiting_context(request: HttpRequest, match: Match) -> dict:
    names, copilot = called(match, request.user), copilot_of(match, request.user)
    own_seat = seat_of(match, request.user) if copilot is None else copilot
    seats = [
        {
            "index": seat.index,
            "label": names[seat.index],
            "stands": stand(match, seat.index, own_seat),
            "open": seat.kind == Seat.OPEN,
            "agent": seat.kind == Seat.AGENT,
        }
        for seat in match.seats.all()
    ]
    return {
        "match": match,
        "seats": seats,
        "sits": copilot is None and own_seat is not None,
        "pilots": next((row["label"] for row in seats if row["index"] == copilot), ""),
        "is_host": match.created_by_id == request.user.pk,
        "copilot_links": copilot_links(request, match),
        "link": request.build_absolute_uri(reverse("play:invitation", args=[match.join_token])),
    }


@role_required(*ROLES)
@require_GET
def waiting(request: HttpRequest, match_id: uuid.UUID) -> HttpResponse:
    """The polled part of the waiting room; once the game runs it sends the browser to the table."""
    match = get_match_for(request.user, match_id)
    if match.status != Match.WAITING:
        answer = HttpResponse()
        answer["HX-Redirect"] = reverse("play:table", args=[match.pk])
        return answer
    return render(request, "play/fragments/waiting.html", waiting_context(request, match))


@never_cache
@role_required(*ROLES)
@require_GET
def ticket(request: HttpRequest, match_id: uuid.UUID) -> JsonResponse:
    """Where the socket is and a ticket for it: {"url": "/play/…/socket/" or "wss://…", "ticket": "…"}.
    `?failed=`: the address at which the page found nobody a moment ago.
    """
    match = get_match_for(request.user, match_id)
    if match.status != Match.PLAYING:
        return JsonResponse(
            {"error": "This game isn't being played now.", "status": match.status}, status=409
        )
    try:
        url = tickets.socket_address(match, request.GET.get("failed", ""))
    except Refusal as error:
        return JsonResponse({"error": str(error)}, status=503)
    return JsonResponse(
        {"url": url, "ticket": tickets.issue(match, request.user, request.session.session_key)}
    )


@role_required(*ROLES)
@require_POST
def join(request: HttpRequest, match_id: uuid.UUID) -> HttpResponse:
    """Take a free seat: in a game that is open to join, or with the token of its link."""
    match = Match.objects.filter(pk=match_id).first()
    if match is None or not (match.open_to_join or request.POST.get("token") == match.join_token):
        raise Http404("No such match.")
    return sit_down(request, match)


def sit_down(request: HttpRequest, match: Match) -> HttpResponse:
    """Take a free seat and go to the table, or say that there is none."""
    if not take_seat(match, request.user):
        return render(request, "play/full.html", {"match": match}, status=409)
    return redirect("play:table", match.pk)


@require_POST
def take_seat_as_guest(request: HttpRequest, token: str) -> HttpResponseBase:
    """The link of a friend, without an account: a guest of this one game, who sits down at once. Somebody who
    was a guest of another game goes on as the same person.
    """
    match = match_of_link(token)
    user = request.user
    if not (guests.friends_allowed() or guests.allowed()):
        raise PermissionDenied("Guests may not play here; sign in to take the seat.")
    free = match.status == Match.WAITING and match.seats.filter(kind=Seat.OPEN).exists()
    if not free or (user.is_authenticated and not user.guest_of):
        return redirect("play:invitation", token)
    if limited := come_as_guest(request, match):
        return limited
    if not take_seat(match, request.user):
        return render(request, "play/full.html", {"match": match}, status=409)
    move_guest(request.user, match)
    return redirect("play:table", match.pk)


def come_as_guest(request: HttpRequest, match: Match) -> HttpResponse | None:
    """Sign a stranger in as a guest of this one game; an answer where there are too many."""
    return None if request.user.is_authenticated else guests.come_in(request, match.pk)


def move_guest(user: User, match: Match) -> None:
    """Send a guest of another game on to this one, once they have a place there: else they keep theirs."""
    User.objects.filter(pk=user.pk, guest_of__isnull=False).update(guest_of=match.pk)


def take_seat(match: Match, user: User) -> bool:
    """Sit down on the first free seat, and start when it was the last; False when there is none."""
    if match.seats.filter(user=user).exists():
        return True
    for seat in match.seats.filter(kind=Seat.OPEN):
        free = Seat.objects.filter(pk=seat.pk, kind=Seat.OPEN, match__status=Match.WAITING)
        with transaction.atomic():
            taken = free.update(kind=Seat.PERSON, user=user)
        if taken:
            if not match.seats.filter(kind=Seat.OPEN).exists():
                start_when_possible(match)
            return True
    return False


def start_when_possible(match: Match) -> None:
    """Start; a seat whose agent has gone meanwhile becomes free, so that somebody else can sit there."""
    try:
        start_match(match)
    except Refusal:
        Seat.objects.filter(match=match, kind=Seat.AGENT, agent=None).update(kind=Seat.OPEN, alias="")


@role_required(*ROLES)
@require_POST
def call_off(request: HttpRequest, match_id: uuid.UUID) -> HttpResponse:
    """Whoever made a waiting game may call it off; others leave their seat."""
    match = get_match_for(request.user, match_id)
    waiting_match = Match.objects.filter(pk=match.pk, status=Match.WAITING)
    if match.created_by_id == request.user.pk:
        waiting_match.delete()
    else:
        Seat.objects.filter(match__in=waiting_match, user=request.user).update(kind=Seat.OPEN, user=None)
    return redirect("play:lobby")
