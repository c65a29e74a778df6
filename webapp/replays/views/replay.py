"""The replay page of one episode and the stream that it fetches once."""

from __future__ import annotations

import gzip
import logging
import uuid

from django.contrib.auth.decorators import login_required
from django.core.cache import cache
from django.http import HttpRequest, HttpResponse, HttpResponseNotModified, JsonResponse
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.http import require_GET

from engine.simulation.log import LogError
from webapp.accounts.models import User
from webapp.replays.access import Access, get_episode_for, replay_access
from webapp.replays.marks import as_json
from webapp.replays.models import Assignment, Episode, Gold, Mark
from webapp.replays.people import is_own_seat, seat_names
from webapp.replays.stores import log_store
from webapp.replays.streams import build_stream, pack, stream_tag
from webapp.studies.models import Study

CACHED_SECONDS = 600
logger = logging.getLogger(__name__)


@login_required
@require_GET
def replay(request: HttpRequest, episode_id: uuid.UUID) -> HttpResponse:
    episode = get_episode_for(request.user, episode_id)
    access = replay_access(request.user, episode)
    names = seat_names(episode, request.user)
    queued = access.assignment if access.assignment and access.assignment.status == Assignment.OPEN else None
    context = {
        "episode": episode,
        "names": names,
        "access": access,
        "assignment": queued,
        "study": queued.study if queued else None,
        "gold_studies": Study.objects.filter(game=episode.game)
        if request.user.is_admin and not queued
        else [],
        "page": page_data(request.user, episode, access, names),
    }
    return render(request, "replays/replay.html", context)


def page_data(user: User, episode: Episode, access: Access, names: list[str]) -> dict:
    """What the page's module needs beside the stream: names, own marks, addresses, what is allowed."""
    own = Mark.objects.filter(episode=episode, annotator=user)
    seats = range(len(episode.seats))
    agents = [index for index in seats if episode.seats[index].get("kind") == "agent"]
    return {
        "episode": str(episode.pk),
        "game": episode.game,
        "status": episode.status,
        "names": names,
        "agents": agents,
        # One marks what the agent did: its seat is chosen at first, and its view shown.
        "seat": agents[0] if len(agents) < len(names) and agents else int(access.views[0]),
        "own_seats": [index for index in seats if is_own_seat(episode.seats[index], user)],
        "views": list(access.views),
        "may_mark": access.may_mark,
        "why_not": access.why_not,
        "person": str(user.pk),
        "marks": [as_json(mark) for mark in own],
        "others": others_marks(user, episode, access),
        "urls": {
            "stream": reverse("replays:stream", args=[episode.pk]),
            "marks": reverse("replays:marks"),
            "mark": reverse("replays:mark", args=[uuid.UUID(int=0)]),
            "flag": reverse("replays:flag", args=[episode.pk]),
            "guidelines": reverse("replays:guidelines"),
        },
    }


def others_marks(user: User, episode: Episode, access: Access) -> list[dict]:
    """Other people's marks by pseudonym, for admins and for those who have submitted theirs; gold marks to
    admins.
    """
    if not access.sees_others:
        return []
    marks = (
        Mark.objects.filter(episode=episode, deleted=False)
        .exclude(annotator=user)
        .select_related("annotator")
    )
    rows = [
        {"who": mark.annotator.pseudonym, "seat": mark.seat, "tick": mark.tick, "sign": mark.sign}
        for mark in marks.order_by("annotator_id", "tick")
    ]
    if user.is_admin:
        for gold in Gold.objects.filter(episode=episode).select_related("study"):
            rows += [{"who": f"gold of {gold.study.name}", **mark} for mark in gold.marks]
    return rows


@login_required
@require_GET
def stream(request: HttpRequest, episode_id: uuid.UUID) -> HttpResponse:
    """Everything that the replay shows, in one gzipped response; unchanged ones are answered with 304."""
    episode = get_episode_for(request.user, episode_id)
    access = replay_access(request.user, episode)
    tag = stream_tag(episode.pk, episode.digest, episode.status, access.last_tick, access.views)
    if request.headers.get("If-None-Match") == tag:
        response: HttpResponse = HttpResponseNotModified()
    else:
        packed = cache.get(f"stream:{tag}")
        if packed is None:
            try:
                log = log_store().read(episode.pk)
                packed = pack(build_stream(log, access.views, access.last_tick) | {"status": episode.status})
            except (LogError, FileNotFoundError) as error:
                logger.warning("replay of %s: %s", episode.pk, error)
                return JsonResponse({"error": str(error)}, status=409)
            cache.set(f"stream:{tag}", packed, CACHED_SECONDS)
        gzipped = "gzip" in request.headers.get("Accept-Encoding", "")
        response = HttpResponse(
            packed if gzipped else gzip.decompress(packed), content_type="application/json"
        )
        if gzipped:
            response["Content-Encoding"] = "gzip"
    response["ETag"] = tag
    response["Cache-Control"] = "private, no-cache"
    response["Vary"] = "Cookie, Accept-Encoding"
    return response
