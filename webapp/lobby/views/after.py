"""After a game: first the questions how it was to play together; when they are answered or skipped, the
result, the score beside earlier games, who the partners were, and play again.
"""

from __future__ import annotations

import logging
import uuid
from typing import Annotated, Literal

from django.contrib import messages
from django.db import transaction
from django.db.models import Q
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_GET, require_POST
from pydantic import AfterValidator, Field

from engine.games import stories
from engine.refusal import Refusal
from engine.shapes import Count, Shape, checked
from webapp.accounts.models import User
from webapp.accounts.roles import role_required
from webapp.annotation.access import get_episode_for, replay_access
from webapp.common.brought import stylesheet
from webapp.common.inputs import RefusedRequest, json_object
from webapp.lobby import ending as endings
from webapp.lobby import setup
from webapp.lobby.views import first
from webapp.lobby.views.table import sit_down
from webapp.matches import results
from webapp.matches.access import get_match_for, seat_of
from webapp.matches.models import Match, Rating, Seat
from webapp.matches.start import start_match

ROLES = ("player", "annotator", "admin")
SCALE = 1, 7
logger = logging.getLogger(__name__)


@role_required(*ROLES)
@require_GET
def after(request: HttpRequest, match_id: uuid.UUID) -> HttpResponse:
    match = get_match_for(request.user, match_id)
    if match.status in (Match.WAITING, Match.PLAYING) or match.episode is None:
        return redirect("play:table", match.pk)
    seat = seat_of(match, request.user)
    if is_blind(request.user, match, seat):
        return redirect("replays:replay", match.episode.pk)
    if match.is_first and seat is not None:
        return first.after(request, match, seat)
    base = {
        "match": match,
        "partners": [] if seat is None else results.partners(match, request.user, seat),
        "scale": range(SCALE[0], SCALE[1] + 1),
        "people": seat is not None and match.seats.filter(kind=Seat.PERSON).count() > 1,
        "rematches": [] if seat is None else rematches(match, request.user),
        "page": {"rate": reverse("play:rate", args=[match.pk])},
    }
    if seat is not None and results.unrevealed(match, seat):
        return render(request, "play/rate.html", {**base, "rates": True})
    history = {"is_best": False} if seat is None else results.own_history(match, request.user, seat)
    summary, advice = results.summary(match, seat)
    context = {
        **base,
        "seat": seat,
        "rotates": results.rotates(match, seat),
        "result": stories.result(match.episode.ending, seat),
        "summary": summary,
        "advice": advice,
        "history": history,
        "averages": [] if seat is None else results.averages(match, seat),
        "headline": results.headline(match, seat, history),
        "styles": stylesheet(match.game),
        "page": {"ending": reverse("play:ending", args=[match.pk]) if match.episode.ticks else ""},
    }
    return render(request, "play/after.html", context)


@role_required(*ROLES)
@require_GET
def ending(request: HttpRequest, match_id: uuid.UUID) -> JsonResponse:
    """The last state and the moments that decided the game (webapp.lobby.ending), once it may be told how it
    went.
    """
    match = get_match_for(request.user, match_id)
    if match.status in (Match.WAITING, Match.PLAYING) or match.episode is None:
        return JsonResponse({"error": "This game isn't over yet."}, status=409)
    get_episode_for(request.user, match.episode.pk)
    seat = seat_of(match, request.user)
    if is_blind(request.user, match, seat):
        raise Http404("You can't see the result yet, because you will mark this game blindly.")
    if seat is not None and results.unrevealed(match, seat):
        return JsonResponse({"error": "First rate how it was to play together."}, status=409)
    try:
        return JsonResponse(endings.ending(match, request.user, seat))
    except (Refusal, FileNotFoundError) as error:
        logger.warning("ending of %s: %s", match.pk, error)
        return JsonResponse({"error": str(error)}, status=409)


def is_blind(user: User, match: Match, seat: int | None) -> bool:
    """Whether somebody who didn't play marks the game and isn't to be told who did and how it went."""
    return seat is None and replay_access(user, match.episode).blind


def rematches(match: Match, user: User) -> list[Match]:
    """The same game once more, as others of its players have set it up, while a seat is free."""
    waiting = match.rematches.filter(status=Match.WAITING, seats__kind=Seat.OPEN).exclude(created_by=user)
    return list(waiting.select_related("created_by").distinct())


@role_required(*ROLES)
@require_GET
def waiting_rematches(request: HttpRequest, match_id: uuid.UUID) -> HttpResponse:
    """The part of the pages after a game that asks whether somebody waits to play again; who hasn't rated yet
    takes the seat after that.
    """
    match = get_match_for(request.user, match_id)
    seat = seat_of(match, request.user)
    if seat is None:
        raise Http404("No such game of yours.")
    context = {"rematches": rematches(match, request.user), "rates": results.unrevealed(match, seat)}
    return render(request, "play/fragments/rematches.html", context)


class Rated(Shape):
    """How a partner was."""

    seat: Count
    question: Literal["partner", "followed"]
    value: Annotated[int, Field(ge=SCALE[0], le=SCALE[1])]


class Comment(Shape):
    """What somebody writes about a partner."""

    seat: Count
    question: Literal["comment"]
    value: Annotated[str, AfterValidator(lambda text: text.strip()[:2000])]


@role_required(*ROLES)
@require_POST
def rate(request: HttpRequest, match_id: uuid.UUID) -> JsonResponse:
    """{"seat": 1, "question": "partner" | "followed" | "comment", "value": 1 … 7 or text}; the last one
    counts. Of several partners who are one agent, one answer is kept, at the first of their seats.
    """
    match = get_match_for(request.user, match_id)
    own_seat = seat_of(match, request.user)
    if own_seat is None or match.status in (Match.WAITING, Match.PLAYING):
        return JsonResponse({"error": "Only its players rate a game, when it is over."}, status=403)
    answer = checked(Comment if (body := json_object(request)).get("question") == "comment" else Rated, body)
    question, value = answer.question, answer.value
    group = next((twins for twins in results.twins(match, own_seat) if answer.seat in twins), None)
    if group is None:
        raise Refusal("There is no such partner.")
    if not results.unrevealed(match, own_seat):
        raise RefusedRequest("You have seen the result; your answers can't be changed any more.", 409)
    spans = results.asked_of(match, own_seat)
    asked = list(dict.fromkeys(span.id for mate in group for span in spans.get(mate, [])))
    if question == "followed" and not asked:
        raise Refusal("You gave this partner no instruction to follow.")
    values = {question: value, "seat": own_seat, "instructions": asked}
    Rating.objects.update_or_create(
        episode=match.episode, user=request.user, partner_seat=group[0], defaults=values
    )
    return JsonResponse({"saved": True})


@role_required(*ROLES)
@require_POST
def reveal(request: HttpRequest, match_id: uuid.UUID) -> HttpResponse:
    """The person is done with rating, or skips it: from now on they see how it went and with whom."""
    match = get_match_for(request.user, match_id)
    own_seat = seat_of(match, request.user)
    if own_seat is not None and match.status not in (Match.WAITING, Match.PLAYING):
        match.seats.filter(index=own_seat, revealed_at=None).update(revealed_at=timezone.now())
    return redirect("play:after", match.pk)


@role_required(*ROLES)
@require_POST
def again(request: HttpRequest, match_id: uuid.UUID) -> HttpResponse:
    """The same game once more: same seats (`seats=rotated`: each player a seat on) and options, a new deal;
    what was confirmed stays confirmed. Where somebody waits already to play again, one sits down there.
    """
    match = get_match_for(request.user, match_id)
    if seat_of(match, request.user) is None:
        return redirect("play:lobby")
    if match.status in (Match.WAITING, Match.PLAYING):
        # The new table would tell which agents this one hides until its end.
        return redirect("play:table", match.pk)
    if table := table_again(match, request.user):
        return sit_down(request, table)
    rotated = request.POST.get("seats") == "rotated"
    try:
        new = setup.create_match(setup.again(match, request.user, rotated), request.user)
    except Refusal as why:
        messages.error(request, f"This can't be played again. {why}")
        return redirect(f"{reverse('play:lobby')}?game={match.game}")
    # Of two who press at once, one sets the table and the other sits down at it.
    with transaction.atomic():
        Match.objects.select_for_update().get(pk=match.pk)
        if table := table_again(match, request.user):
            new.delete()
        else:
            Match.objects.filter(pk=new.pk).update(again_of=match)
    if table:
        return sit_down(request, table)
    if not new.seats.filter(kind=Seat.OPEN).exists():
        start_match(new)
    return redirect("play:table", new.pk)


def table_again(match: Match, user: User) -> Match | None:
    """The same game once more where somebody waits already, with a seat that is free or this person's."""
    seat = Q(seats__kind=Seat.OPEN) | Q(seats__user=user)
    return match.rematches.filter(seat, status=Match.WAITING).order_by("created_at").first()
