"""The list of replays, filtered by the URL's parameters, and the strip of pictures of each."""

from __future__ import annotations

import logging
import math
import uuid
from collections.abc import Iterable

from django.db.models import Exists, Model, OuterRef, Q, QuerySet
from django.http import Http404, HttpRequest, HttpResponse, QueryDict
from django.shortcuts import render
from django.views.decorators.http import require_GET

from engine.games.pages import in_order
from engine.refusal import Refusal
from webapp.accounts.models import User
from webapp.agents.models import Agent
from webapp.agents.resolve import place
from webapp.annotation.access import episodes_for, get_episode_for, marked_blindly
from webapp.annotation.counting import marks_of
from webapp.annotation.models import Tally
from webapp.common.pages import Stretch, different
from webapp.episodes import people, strips
from webapp.episodes.models import Episode, UnknownAgent
from webapp.matches.models import Seat

PER_PAGE = 25
KEPT_SECONDS = 24 * 3600  # by browsers: an episode that is over changes no more
FILTERS = ("game", "agent", "player", "score_min", "score_max", "instruction", "marked", "source")
FILTERS += ("format", "kind")  # of people's games, which links from their page set
UNINDEXED = ("format", "kind", "instruction")
UNTOLD = {"agent", "player", "score_min", "score_max", "source", "format", "kind"}  # while marking blindly
SOURCES = (
    ("play", "played"),
    ("simulated", "simulated"),
    ("import", "imported"),
    ("people", "games of people elsewhere"),
    ("first", "guided first games"),
)
logger = logging.getLogger(__name__)


def number(text: str) -> float | None:
    """A decimal number; None for anything else, NaN and infinity too."""
    try:
        value = float(text)
    except ValueError:
        return None
    return value if math.isfinite(value) else None


def filtered(episodes: QuerySet[Episode], query: QueryDict, user: User) -> QuerySet[Episode]:
    """Episodes that match the filters; a filter that makes no sense filters nothing.

    Nothing that a blind study keeps from this person is found by it.
    """
    if any(query.get(name, "").strip() for name in UNTOLD):
        episodes = episodes.exclude(marked_blindly(user))
    if game := query.get("game"):
        episodes = episodes.filter(game=game)
    if source := query.get("source"):
        episodes = episodes.filter(source=source)
    for name in ("format", "kind"):
        if value := query.get(name):
            episodes = episodes.filter(**{f"origin__{name}": value})
    if agent := query.get("agent", "").strip():
        # A running game is found by no name: it may be that of an agent which is hidden until the end.
        finished = episodes.exclude(status=Episode.RUNNING).exclude(keeps_a_secret(user))
        episodes = finished.filter(pk__in=_played_by(agent))
    if player := query.get("player", "").strip():
        people = User.objects.filter(pseudonym__icontains=player)
        known = [user] if player == "me" else people
        episodes = episodes.filter(pk__in=_with_any_of(Episode.players.through, "user", known))
    if (least := number(query.get("score_min", ""))) is not None:
        episodes = episodes.filter(score__gte=least)
    if (most := number(query.get("score_max", ""))) is not None:
        episodes = episodes.filter(score__lte=most)
    if text := query.get("instruction", "").strip():
        episodes = episodes.filter(instruction__icontains=text)
    if (marked := query.get("marked")) in ("me", "no"):
        mine = Exists(Tally.objects.filter(episode=OuterRef("pk"), annotator=user, standing__gt=0))
        episodes = episodes.filter(mine if marked == "me" else ~mine)
    return episodes


def _played_by(text: str) -> QuerySet:
    """The episodes of agents whose reference or name contains a text; those that have no row are found by
    what their episodes call them. As UNION ALL, so that the database may look a single episode up in both.
    """
    known = Agent.objects.filter(Q(ref__icontains=text) | Q(name__icontains=text))
    refs = [ref for ref in different(UnknownAgent, "ref") if text.casefold() in ref.casefold()]
    unknown = UnknownAgent.objects.filter(ref__in=refs).values("episode")
    found = _with_any_of(Episode.agents.through, "agent", known)
    return found.union(unknown, all=True) if refs else found


def _with_any_of(through: type[Model], name: str, those: Iterable[Model]) -> QuerySet:
    """The episodes in which any of those took part. They are looked up before: the database knows in how many
    episodes each was, and begins with these where they are few, with the newest episodes where they are many.
    """
    took_part = through._default_manager.filter(**{f"{name}__in": [one.pk for one in those]})
    return took_part.values("episode")


def keeps_a_secret(user: User) -> Exists:
    """Whether an episode's agents are hidden from one who played it and has still to say how it was."""
    secret = {"match__seats__user": user, "match__seats__revealed_at": None}
    return Exists(Seat.objects.filter(match__episode=OuterRef("pk"), hidden=True, **secret))


@require_GET
def replay_list(request: HttpRequest) -> HttpResponse:
    episodes = filtered(episodes_for(request.user), request.GET, request.user)
    in_the_list = ("-started_at", "pk")
    searched = any(request.GET.get(name, "").strip() for name in UNINDEXED)
    # A guest learns of one game alone, and not how many there are.
    limited = searched and not request.user.guest_of
    all_rows = Episode.objects.order_by(*in_the_list) if limited else None
    page = Stretch.of(request.GET, episodes.order_by(*in_the_list).only("pk"), PER_PAGE, all_rows)
    # What is said of each is looked up for those of this page alone.
    ids = [episode.pk for episode in page.object_list]
    shown = Episode.objects.filter(pk__in=ids).select_related("match").order_by(*in_the_list)
    shown = shown.annotate(my_marks=marks_of(request.user, "pk"), secret=keeps_a_secret(request.user))
    shown = shown.annotate(blind=marked_blindly(request.user))
    context = {
        "page": page,
        "rows": [
            (episode, place(episode.game, episode.options), listed_names(episode, request.user))
            for episode in shown
        ],
        "query": request.GET,
        "filtered": sum(bool(request.GET.get(name, "").strip()) for name in FILTERS),
        "agents": Agent.objects.order_by("name").values_list("name", flat=True).distinct(),
        "first_game": in_order()[0],
        "games": different(Episode, "game"),
        "sources": SOURCES,
    }
    return render(request, "replays/list.html", context)


@require_GET
def strip(request: HttpRequest, episode_id: uuid.UUID) -> HttpResponse:
    """Small pictures of an episode that is over, from its start to its end; 404 while it runs: not everybody
    who may open it then may see all of it.
    """
    episode = get_episode_for(request.user, episode_id)
    if episode.status == Episode.RUNNING:
        raise Http404("This game still runs.")
    try:
        picture = strips.strip(episode)
    except (Refusal, FileNotFoundError) as error:
        logger.warning("strip of %s: %s", episode.pk, error)
        raise Http404(str(error)) from None
    response = HttpResponse(picture, content_type="image/webp")
    response["Cache-Control"] = f"private, max-age={KEPT_SECONDS}, immutable"
    return response


def listed_names(episode: Episode, user: User) -> str:
    """Names without another query a row: agents of a running game, or that are hidden still, are not named in
    lists.
    """
    if episode.blind:
        return people.listing(people.seat_names(episode, user, blind=True))
    if episode.status != Episode.RUNNING and not episode.secret:
        return people.listing(people.names(episode, user))
    own_name = user.pseudonym
    return people.listing(
        ["You" if s.get("pseudonym") == own_name else s.get("kind", "seat") for s in episode.seats]
    )
