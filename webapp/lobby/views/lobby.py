"""The lobby: start a game, join or watch one, take up an invitation."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_GET, require_POST

from engine import games, language
from engine.games import first as firsts
from engine.games.pages import AGENT, in_order, in_page_words, option_fields, pages
from engine.refusal import Refusal
from engine.shapes import Shape, checked
from webapp.accounts import guests
from webapp.accounts.models import User
from webapp.accounts.roles import role_required
from webapp.agents.resolve import short
from webapp.common.compiling import is_compiling
from webapp.common.inputs import json_object
from webapp.episodes import positions
from webapp.language.readings import LONGEST_INSTRUCTION, SAID_BEFORE
from webapp.lobby import listing as content
from webapp.lobby.setup import create_match, from_form
from webapp.lobby.views.first import offered
from webapp.matches.access import match_of_link, seat_of, stand
from webapp.matches.models import Instruction, Match, Seat
from webapp.matches.start import start_match
from webapp.studies.models import Study


@role_required("player", "annotator", "admin")
@require_GET
def lobby(request: HttpRequest) -> HttpResponse:
    """The lobby of a game: `?game=NAME`, else the one that was opened last."""
    game = request.GET.get("game") or request.session.get("lobby_game")
    first = in_order()[0]
    if game not in games.names():
        game = first
    if request.session.get("lobby_game", first) != game:
        request.session["lobby_game"] = game
    return render(request, templates(game), lobby_context(request, game, typed=asked_for(request, game)))


def templates(game: str) -> list[str]:
    """The lobby as the game has it, else as every game has it."""
    return [f"games/{game}/lobby.html", "play/lobby.html"]


def asked_for(request: HttpRequest, game: str) -> dict[str, list[str]]:
    """Choices that a link to the lobby makes, in the form's fields: ?agent= as partner, ?layout=."""
    chosen: dict[str, list[str]] = {}
    if layout := request.GET.get("layout"):
        chosen["option_layout"] = [layout]
    if agent := request.GET.get("agent"):
        partner = AGENT + short(game, agent)
        if any(row["value"] == partner for row in content.partners(game, asked_by_admin(request))):
            chosen |= {"seat": ["me", partner]}
    return chosen


def asked_by_admin(request: HttpRequest) -> str:
    """The agent that an admin's link asks for, whether players are offered it or not."""
    return request.GET.get("agent", "") if request.user.is_admin else ""


def lobby_context(
    request: HttpRequest, game: str, error: str = "", typed: dict[str, list[str]] | None = None
) -> dict[str, Any]:
    """`typed` is what a refused form held, so that nothing is lost."""
    spec, page, fields = games.spec(game), pages(game), option_fields(game)
    last_games = content.last_games(request.user, game)
    study = Study.objects.filter(game=game, active=True).order_by("pk").first()
    compiling, tabs = is_compiling(game), [(name, is_compiling(name)) for name in in_order()]
    return {
        "game": game,
        "title": spec.title,
        "pages": page,
        "compiling": compiling,
        "waits": any(waits for _, waits in tabs),
        "waited": compiling or "waited" in request.GET,
        "tabs": [(name, games.spec(name).title, waits) for name, waits in tabs],
        "turn_based": spec.turn_based,
        "has_pace": not spec.turn_based and not spec.heads and spec.ticks_per_second is not None,
        "first": firsts.of(game),
        "first_offer": offered(request.user, game, bool(last_games)),
        "has_tutorial": bool(positions.PLAYING.get(game)),
        "tellable": game in language.games(),
        "usual_seats": spec.seats(spec.validate({})),
        "seat_numbers": range(1, page.most_seats + 1),
        "partners": content.partners(game, asked_by_admin(request)),
        "layouts": page.layouts(),
        "options": [field for field in fields if not field["apart"]],
        "apart": {field["name"]: field for field in fields if field["apart"]},
        "presets": [asdict(preset) for preset in page.presets],
        "levels": [asdict(level) for level in page.levels],
        "audiences": Study._meta.get_field("opens").choices,
        "open_to": study.opens if study else Study.EVERYBODY,
        "matches": content.open_games(request.user),
        "last_games": last_games,
        "error": error,
        "typed": typed or {},
        "longest": LONGEST_INSTRUCTION,
        "said_before": said_before(request.user, game),
    }


def said_before(user: User, game: str) -> list[str]:
    """The last different instructions that somebody has given in a game, the latest first."""
    instructions = Instruction.objects.filter(user=user, match__game=game).order_by("-created_at")
    return list(dict.fromkeys(instructions.values_list("text", flat=True)[: 3 * SAID_BEFORE]))[:SAID_BEFORE]


@role_required("player", "annotator", "admin")
@require_POST
def create(request: HttpRequest) -> HttpResponse:
    """A match from the form; it starts at once unless a seat waits for a friend."""
    try:
        match = create_match(from_form(request.POST), request.user)
    except Refusal as error:
        return refused(request, str(error))
    if not match.seats.filter(kind=Seat.OPEN).exists():
        try:
            start_match(match)
        except Refusal as error:
            match.delete()
            return refused(request, str(error))
    return redirect("play:table", match.pk)


def refused(request: HttpRequest, error: str) -> HttpResponse:
    """The lobby again, with the sentence and everything that the form held."""
    asked = request.POST.get("game", "")
    game = asked if asked in games.names() else in_order()[0]
    typed = {name: values for name, values in request.POST.lists() if name != "csrfmiddlewaretoken"}
    return render(request, templates(game), lobby_context(request, game, error, typed), status=422)


class Layout(Shape):
    """A layout as it is typed in the lobby, and what its form says besides."""

    game: str
    text: str
    options: dict[str, Any] = {}


@role_required("player", "annotator", "admin")
@require_POST
def check_layout(request: HttpRequest) -> JsonResponse:
    """A `Layout` → {"rows": ["XXPXX", …], "players": 2, "name",
    "note"} of a typed layout that works, or {"error": one sentence with the line}. Stores nothing.
    """
    asked = checked(Layout, json_object(request))
    check = pages(asked.game).checked_layout if asked.game in games.names() else None
    if check is None:
        raise Refusal(f"There are no layouts of {asked.game[:40]!r}.")
    try:
        return JsonResponse(check(asked.text, asked.options))
    except Refusal as error:
        return JsonResponse({"error": in_page_words(asked.game, str(error))})


@role_required("player", "annotator", "admin")
@require_GET
def open_games(request: HttpRequest) -> HttpResponse:
    """The fragment that the lobby polls."""
    return render(request, "play/fragments/open_games.html", {"matches": content.open_games(request.user)})


@require_GET
def invitation(request: HttpRequest, token: str) -> HttpResponse:
    """The link that one sends to a friend: sign in or play as a guest, then take the free seat."""
    match = match_of_link(token)
    if request.user.is_authenticated and match.seats.filter(user=request.user).exists():
        return redirect("play:table", match.pk)
    host = match.created_by
    free = match.seats.filter(kind=Seat.OPEN).first() if match.status == Match.WAITING else None
    context = {
        "match": match,
        "title": games.spec(match.game).title,
        "stands": stand(match, free.index, seat_of(match, host)) if free and host else "",
        "seats": match.seats.count(),
        "invited": pages(match.game).invited,
        "free": free is not None,
        "host": host.shown_name if host else "Somebody",
        "guests": guests.friends_allowed() or guests.allowed(),
    }
    return render(request, "play/invitation.html", context)
