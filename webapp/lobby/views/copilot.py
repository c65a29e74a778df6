"""The link for a second person at an agent's seat: who watches through its eyes and may take over."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods

from engine.games.pages import pages
from webapp.accounts import guests
from webapp.accounts.keys import GENERAL_TABLE
from webapp.lobby.listing import called
from webapp.lobby.views.table import come_as_guest, move_guest
from webapp.matches.access import seat_of_link
from webapp.matches.models import Match, Seat


@require_http_methods(["GET", "POST"])
def invitation(request: HttpRequest, token: str) -> HttpResponse:
    """The page that explains what a co-pilot does, with the button that makes one; the first to press it
    becomes the co-pilot.
    """
    seat = seat_of_link(token)
    match, user = seat.match, request.user
    over = match.status not in (Match.WAITING, Match.PLAYING)
    sits = user.is_authenticated and match.seats.filter(user=user).exists()
    if user.is_authenticated and seat.copilot_id == user.pk and not over:
        return redirect("play:table", match.pk)
    stranger = not user.is_authenticated or bool(user.guest_of)
    may = not stranger or guests.friends_allowed() or guests.allowed()
    if request.method == "POST" and may and not over and not sits and seat.copilot_id is None:
        if limited := come_as_guest(request, match):
            return limited
        if Seat.objects.filter(pk=seat.pk, copilot=None).update(copilot=request.user):
            move_guest(request.user, match)
        seat.refresh_from_db(fields=["copilot"])
        if seat.copilot_id == request.user.pk:
            return redirect("play:table", match.pk)
    context = {
        "agent": called(match)[seat.index],
        "host": match.created_by.shown_name if match.created_by else "Somebody",
        "over": over,
        "sits": sits,
        "taken": seat.copilot_id is not None,
        "match": match,
        "may": may,
        "stranger": stranger,
        "key": copilot_key(match.game),
    }
    return render(request, "play/copilot.html", context)


def copilot_key(game: str) -> str:
    """The key by which one takes over at the game's table, unless it was bound to another."""
    keys = [key for key in (*pages(game).keys, *GENERAL_TABLE) if key.name.endswith(".copilot")]
    return keys[0].keys[0].removeprefix("Key").upper()
