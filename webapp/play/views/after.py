"""After a game: first how it was to play together; then, once that is answered or skipped, how it went, the
score beside one's history, who the partners were, play again.
"""

from __future__ import annotations

import uuid

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_GET, require_POST

from engine.games import stories
from webapp.accounts.roles import role_required
from webapp.config.inputs import BadInput, is_whole, json_object
from webapp.play import results, setup
from webapp.play.access import get_match_for, seat_of
from webapp.play.models import Match, Rating, Seat
from webapp.play.start import start_match

ROLES = ("player", "annotator", "admin")
SCALE = 1, 7


@role_required(*ROLES)
@require_GET
def after(request: HttpRequest, match_id: uuid.UUID) -> HttpResponse:
    match = get_match_for(request.user, match_id)
    if match.status in (Match.WAITING, Match.PLAYING) or match.episode is None:
        return redirect("play:table", match.pk)
    seat = seat_of(match, request.user)
    if seat is None:
        return redirect("replays:replay", match.pk)
    base = {
        "match": match,
        "partners": results.partners(match, request.user, seat),
        "scale": range(SCALE[0], SCALE[1] + 1),
        "page": {"rate": reverse("play:rate", args=[match.pk])},
    }
    if results.unrevealed(match, seat):
        return render(request, "play/rate.html", base)
    history = results.own_history(match, request.user, seat)
    context = {
        **base,
        "result": stories.result(match.episode.ending, seat),
        "summary": results.summary(match, seat),
        "history": history,
        "averages": results.averages(match, seat),
        "headline": results.headline(match, seat, history),
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
    body = json_object(request)
    seat, question, value = body.get("seat"), body.get("question"), body.get("value")
    partners = results.partner_seats(match, own)
    if not is_whole(seat) or seat not in partners:
        raise BadInput("There is no such partner.")
    if not results.unrevealed(match, own):
        sentence = "You have seen how it went; your answers stay as you gave them before."
        return JsonResponse({"error": sentence}, status=409)
    if question == "comment" and isinstance(value, str):
        value = value.strip()[:2000]
    elif question not in ("partner", "followed") or not is_whole(value, *SCALE):
        raise BadInput("Answer the question partner or followed with a whole number from 1 to 7.")
    asked = results.asked_of(match, own).get(seat, [])
    if question == "followed" and not asked:
        raise BadInput("You told this partner nothing that it was to follow.")
    values = {question: value, "seat": own, "instructions": [one.id for one in asked]}
    Rating.objects.update_or_create(
        episode=match.episode, user=request.user, partner_seat=seat, defaults=values
    )
    return JsonResponse({"saved": True})


@role_required(*ROLES)
@require_POST
def reveal(request: HttpRequest, match_id: uuid.UUID) -> HttpResponse:
    """The person is done with rating, or skips it: from now on they see how it went and with whom."""
    match = get_match_for(request.user, match_id)
    own = seat_of(match, request.user)
    if own is not None and match.status not in (Match.WAITING, Match.PLAYING):
        match.seats.filter(index=own, revealed_at=None).update(revealed_at=timezone.now())
    return redirect("play:after", match.pk)


@role_required(*ROLES)
@require_POST
def again(request: HttpRequest, match_id: uuid.UUID) -> HttpResponse:
    """The same game once more: same seats and options, a new deal; what was confirmed stays confirmed."""
    match = get_match_for(request.user, match_id)
    if seat_of(match, request.user) is None:
        return redirect("play:lobby")
    if match.status in (Match.WAITING, Match.PLAYING):
        # The new table would tell which agents this one hides until its end.
        return redirect("play:table", match.pk)
    try:
        new = setup.create_match(setup.again(match, request.user), request.user)
    except setup.BadSetup:
        return redirect("play:lobby")
    if not new.seats.filter(kind=Seat.OPEN).exists():
        start_match(new)
    return redirect("play:table", new.pk)
