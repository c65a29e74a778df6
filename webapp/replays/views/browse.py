"""The list of replays, filtered by what stands in the URL."""

from __future__ import annotations

import math

from django.core.paginator import Paginator
from django.db.models import Count, Exists, OuterRef, Q, QuerySet
from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import render
from django.views.decorators.http import require_GET

from engine.games.pages import in_order
from webapp.accounts.models import User
from webapp.play.models import Seat
from webapp.replays.access import episodes_for
from webapp.replays.models import Episode, Mark
from webapp.replays.people import seat_names

PER_PAGE = 25
SOURCES = (
    ("play", "played"),
    ("simulated", "simulated"),
    ("import", "imported"),
    ("people", "games of people elsewhere"),
    ("first", "guided first games"),
)


def number(text: str) -> float | None:
    """A decimal number; None for anything else, NaN and infinity too."""
    try:
        found = float(text)
    except ValueError:
        return None
    return found if math.isfinite(found) else None


def filtered(episodes: QuerySet[Episode], query: QueryDict, user: User) -> QuerySet[Episode]:
    """Episodes that match the filters; a filter that makes no sense filters nothing."""
    if game := query.get("game"):
        episodes = episodes.filter(game=game)
    if source := query.get("source"):
        episodes = episodes.filter(source=source)
    for name in ("format", "kind"):  # of people's games
        if value := query.get(name):
            episodes = episodes.filter(**{f"origin__{name}": value})
    if agent := query.get("agent", "").strip():
        named = Exists(
            Episode.agents.through.objects.filter(episode=OuterRef("pk"), agent__ref__icontains=agent)
        )
        # A running game is found by no name: it may be that of an agent which is hidden until the end.
        told = episodes.exclude(status=Episode.RUNNING).exclude(keeps_a_secret(user))
        episodes = told.filter(named | Q(seats__icontains=agent))
    if player := query.get("player", "").strip():
        if player == "me":
            played = Episode.players.through.objects.filter(episode=OuterRef("pk"), user=user)
        else:
            played = Episode.players.through.objects.filter(
                episode=OuterRef("pk"), user__pseudonym__icontains=player
            )
        episodes = episodes.filter(Exists(played))
    if (least := number(query.get("score_min", ""))) is not None:
        episodes = episodes.filter(score__gte=least)
    if (most := number(query.get("score_max", ""))) is not None:
        episodes = episodes.filter(score__lte=most)
    if text := query.get("instruction", "").strip():
        episodes = episodes.filter(instruction__icontains=text)
    if (marked := query.get("marked")) in ("me", "no"):
        mine = Exists(Mark.objects.filter(episode=OuterRef("pk"), annotator=user, deleted=False))
        episodes = episodes.filter(mine if marked == "me" else ~mine)
    return episodes


def keeps_a_secret(user: User) -> Exists:
    """Whether an episode's agents are hidden from one who played it and has still to say how it was."""
    own = {"match__seats__user": user, "match__seats__revealed_at": None}
    return Exists(Seat.objects.filter(match__episode=OuterRef("pk"), hidden=True, **own))


@require_GET
def replay_list(request: HttpRequest) -> HttpResponse:
    mine = Count("marks", filter=Q(marks__annotator=request.user, marks__deleted=False))
    episodes = filtered(episodes_for(request.user), request.GET, request.user)
    episodes = episodes.annotate(my_marks=mine, secret=keeps_a_secret(request.user))
    episodes = episodes.select_related("match").order_by("-started_at", "pk")
    page = Paginator(episodes, PER_PAGE).get_page(request.GET.get("page"))
    query = request.GET.copy()
    query.pop("page", None)
    context = {
        "page": page,
        "rows": [(episode, listed_names(episode, request.user)) for episode in page],
        "query": request.GET,
        "rest": query.urlencode(),
        "filtered": any(value for value in query.values()),
        "first_game": in_order()[0],
        "games": Episode.objects.order_by("game").values_list("game", flat=True).distinct(),
        "sources": SOURCES,
    }
    return render(request, "replays/list.html", context)


def listed_names(episode: Episode, user: User) -> list[str]:
    """Names without another query a row: agents of a running game, or that are hidden still, are not named in
    lists.
    """
    if episode.status != Episode.RUNNING and not episode.secret:
        return seat_names(episode, user)
    return ["You" if s.get("pseudonym") == user.pseudonym else s.get("kind", "seat") for s in episode.seats]
