"""The lobby: start a game, join or watch one, take up an invitation."""

from __future__ import annotations

import json

from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_GET, require_POST

from engine import language
from webapp.accounts import guests
from webapp.accounts.roles import role_required
from webapp.agents.resolve import UnknownAgent
from webapp.play import lobby as content
from webapp.play.models import Match, Seat
from webapp.play.setup import LONGEST_INSTRUCTION, BadSetup, create_match, from_form, option_fields
from webapp.play.start import start_match

GAME = "hanabi"


@role_required("player", "annotator", "admin")
@require_GET
def lobby(request: HttpRequest) -> HttpResponse:
    return render(request, "play/lobby.html", lobby_context(request))


def lobby_context(request: HttpRequest, error: str = "", typed: dict | None = None) -> dict:
    """`typed` is what a refused form held, so that nothing is lost."""
    return {
        "game": GAME,
        "partners": content.partners(GAME),
        "options": option_fields(GAME),
        "matches": content.open_games(request.user),
        "last_games": content.last_games(request.user),
        "error": error,
        "typed": typed or {},
        "longest": LONGEST_INSTRUCTION,
    }


@role_required("player", "annotator", "admin")
@require_POST
def create(request: HttpRequest) -> HttpResponse:
    """A match from the form; it starts at once unless a seat waits for a friend."""
    try:
        match = create_match(from_form(request.POST), request.user)
    except BadSetup as error:
        typed = {"instruction": request.POST.get("instruction", "")}
        return render(request, "play/lobby.html", lobby_context(request, str(error), typed), status=422)
    if not match.seats.filter(kind=Seat.OPEN).exists():
        try:
            start_match(match)
        except UnknownAgent as error:
            match.delete()
            return render(request, "play/lobby.html", lobby_context(request, str(error)), status=422)
    return redirect("play:table", match.pk)


@role_required("player", "annotator", "admin")
@require_POST
def read_instruction(request: HttpRequest) -> JsonResponse:
    """{"game", "text"} → the reading as JSON, for showing it while one types. Stores nothing."""
    try:
        body = json.loads(request.body)
        game, text = str(body["game"]), str(body["text"])
    except (ValueError, KeyError, TypeError):
        return JsonResponse({"error": "Send game and text."}, status=400)
    if len(text) > LONGEST_INSTRUCTION:
        return JsonResponse({"error": f"That is longer than {LONGEST_INSTRUCTION} characters."}, status=400)
    if game not in language.games():
        return JsonResponse({"error": f"Instructions for {game!r} can't be read."}, status=400)
    return JsonResponse(language.read(game, text).as_json())


@role_required("player", "annotator", "admin")
@require_GET
def open_games(request: HttpRequest) -> HttpResponse:
    """The fragment that the lobby polls."""
    return render(request, "play/fragments/open_games.html", {"matches": content.open_games(request.user)})


@require_GET
def invitation(request: HttpRequest, token: str) -> HttpResponse:
    """The link that one sends to a friend: sign in or play as a guest, then take the free seat."""
    match = Match.objects.select_related("created_by").filter(join_token=token).first()
    if match is None:
        raise Http404("No such invitation.")
    if request.user.is_authenticated and match.seats.filter(user=request.user).exists():
        return redirect("play:table", match.pk)
    context = {
        "match": match,
        "free": match.status == Match.WAITING and match.seats.filter(kind=Seat.OPEN).exists(),
        "host": match.created_by.shown_name if match.created_by else "Somebody",
        "guests": guests.allowed(),
    }
    return render(request, "play/invitation.html", context)
