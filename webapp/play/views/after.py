"""After a game: the score beside one's history, what happened, ratings, play again."""

from __future__ import annotations

import json
import uuid

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_GET, require_POST

from webapp.accounts.roles import role_required
from webapp.play import results, setup
from webapp.play.access import get_match_for, seat_of
from webapp.play.models import Match, Rating, Seat
from webapp.play.start import start_match

ROLES = ("player", "annotator", "admin")
SCALE = range(1, 8)


@role_required(*ROLES)
@require_GET
def after(request: HttpRequest, match_id: uuid.UUID) -> HttpResponse:
    match = get_match_for(request.user, match_id)
    if match.status in (Match.WAITING, Match.PLAYING) or match.episode is None:
        return redirect("play:table", match.pk)
    seat = seat_of(match, request.user)
    if seat is None:
        return redirect("replays:replay", match.pk)
    history = results.own_history(match, request.user)
    context = {
        "match": match,
        "episode": match.episode,
        "summary": results.summary(match, seat),
        "history": history,
        "headline": results.headline(match, history),
        "partners": results.partners(match, request.user, seat),
        "scale": SCALE,
        "page": {"rate": reverse("play:rate", args=[match.pk])},
    }
    return render(request, "play/after.html", context)


@role_required(*ROLES)
@require_POST
def rate(request: HttpRequest, match_id: uuid.UUID) -> JsonResponse:
    """{"seat": 1, "question": "partner" | "followed" | "comment", "value": 1 … 7 or text}; the last one
    counts.
    """
    match = get_match_for(request.user, match_id)
    own = seat_of(match, request.user)
    if own is None or match.status in (Match.WAITING, Match.PLAYING):
        return JsonResponse({"error": "Only its players rate a game, when it is over."}, status=403)
    try:
        body = json.loads(request.body)
        seat, question, value = body["seat"], body["question"], body["value"]
    except (ValueError, KeyError, TypeError):
        return JsonResponse({"error": "Send seat, question and value."}, status=400)
    partners = [one.index for one in match.seats.all() if one.index != own]
    if isinstance(seat, bool) or seat not in partners:
        return JsonResponse({"error": "There is no such partner."}, status=400)
    if question == "comment" and isinstance(value, str):
        value = value.replace("\x00", "").strip()[:2000]  # PostgreSQL keeps no NUL
    elif question not in ("partner", "followed") or isinstance(value, bool) or value not in SCALE:
        return JsonResponse({"error": "Answer with a whole number from 1 to 7."}, status=400)
    Rating.objects.update_or_create(
        match=match, user=request.user, partner_seat=seat, defaults={question: value}
    )
    return JsonResponse({"saved": True})


@role_required(*ROLES)
@require_POST
def again(request: HttpRequest, match_id: uuid.UUID) -> HttpResponse:
    """The same game once more: same seats and options, a new deal; what was confirmed stays confirmed."""
    match = get_match_for(request.user, match_id)
    if seat_of(match, request.user) is None:
        return redirect("play:lobby")
    try:
        new = setup.create_match(setup.again(match, request.user), request.user)
    except setup.BadSetup:
        return redirect("play:lobby")
    if not new.seats.filter(kind=Seat.OPEN).exists():
        start_match(new)
    return redirect("play:table", new.pk)
