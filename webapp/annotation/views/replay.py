"""The replay page of one episode and the stream that it fetches once."""

from __future__ import annotations

import gzip
import logging
import uuid
from functools import partial

from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse, HttpResponseNotModified, JsonResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.utils.html import escape
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET

from engine import games
from engine.refusal import Refusal
from engine.simulation.log import EpisodeLog
from webapp.accounts.models import User
from webapp.annotation import agreement
from webapp.annotation.access import Access, clock, get_episode_for, replay_access
from webapp.annotation.counting import counted, place, unsubmitted
from webapp.annotation.marks import REASONS, as_json
from webapp.annotation.models import Assignment, Flag, Gold, Mark
from webapp.common.brought import replay_script, stylesheet
from webapp.common.made import cache
from webapp.episodes import clips
from webapp.episodes import frames as recordings
from webapp.episodes import pictures as drawings
from webapp.episodes.models import Episode
from webapp.episodes.people import blinded, hidden_seats, is_own_seat, nameless, seat_names
from webapp.episodes.plans import asked_of
from webapp.episodes.stores import log_store
from webapp.episodes.streams import build_stream, pack, stream_tag
from webapp.episodes.words import words_at
from webapp.matches.models import Seat
from webapp.studies.models import Study

CACHED_SECONDS = 600
logger = logging.getLogger(__name__)


@never_cache  # or Back would lead to the page as it was before one submitted
@require_GET
def replay(request: HttpRequest, episode_id: uuid.UUID) -> HttpResponse:
    episode = get_episode_for(request.user, episode_id)
    access = replay_access(request.user, episode)
    if episode.status != Episode.RUNNING:
        # Whoever played and watches it sees how it went: what they say of it afterwards is said too late.
        secret = Seat.objects.filter(match__episode=episode, user=request.user, revealed_at=None)
        secret.update(revealed_at=timezone.now())
    names = seat_names(episode, request.user, access.blind)
    held = access.assignment
    # One that ran out and that nobody has taken is taken up again by marking or submitting it.
    open_to = (Assignment.OPEN, Assignment.EXPIRED)
    queued = held if held and access.may_mark and held.status in open_to else None
    page = page_data(request.user, episode, access, names)
    context = {
        "episode": episode,
        "names": names,
        "access": access,
        "assignment": queued,
        "study": queued.study if queued else None,
        "until": clock(access.final_at) if access.final_at else "",
        "unsubmitted": unsubmitted(request.user, episode) if access.final_at else 0,
        "gold_studies": Study.objects.filter(game=episode.game)
        if request.user.is_admin and not queued
        else [],
        "page": page,
        "flags": Flag.objects.filter(episode=episode, user=request.user).order_by("pk"),
        "own": own_agreement(request.user, episode, access, page["others"]),
        "title": games.spec(episode.game).title,
        "styles": stylesheet(episode.game),
        "offsets": offsets(ticks_per_second(episode)),
        "reasons": REASONS,
        "clip_end": clips.usual_end(episode),
        "has_ffmpeg": clips.has_ffmpeg(),
    }
    return render(request, "replays/replay.html", context)


def ticks_per_second(episode: Episode) -> float:
    """The clock that an episode was played by: its match's, else that of its options, else its game's usual
    one; 0 without a clock.
    """
    match, spec = getattr(episode, "match", None), games.spec(episode.game)
    if match is not None and match.ticks_per_second is not None:
        return match.ticks_per_second
    return spec.clock(episode.options) or spec.ticks_per_second or 0


def offsets(per_second: float) -> list[tuple[int, str]]:
    """How far back marks may go that are made while a replay plays: (ticks, words). People react late."""
    if not per_second:
        return [(1, "1 tick"), (2, "2 ticks"), (3, "3 ticks")]
    halves = [int(per_second + 1) // 2, round(per_second), round(2 * per_second)]
    return list(zip(halves, ("half a second", "1 second", "2 seconds"), strict=True))


def page_data(user: User, episode: Episode, access: Access, names: list[str]) -> dict:
    """The data that the page's module needs besides the stream: names, own marks, addresses, rights."""
    marks = Mark.objects.filter(episode=episode, annotator=user)
    seats = range(len(episode.seats))
    agents = [index for index in seats if episode.seats[index].get("kind") == "agent"]
    # One marks what the agent did, in people's games what they did: that seat is chosen at first.
    people = [index for index in seats if index not in agents]
    about = people if episode.origin else agents
    return {
        "episode": str(episode.pk),
        "game": episode.game,
        "module": replay_script(episode.game),
        "status": episode.status,
        "names": names,
        "turn_based": games.spec(episode.game).turn_based,
        "per_second": ticks_per_second(episode),
        "agents": agents,
        "seat": about[0] if 0 < len(about) < len(names) else int(access.views[0]),
        "own_seats": [index for index in seats if is_own_seat(episode.seats[index], user)],
        "views": list(access.views),
        "may_mark": access.may_mark,
        "why_not": access.why_not,
        "person": str(user.pk),
        "marks": [as_json(mark) for mark in marks],
        "others": others_marks(user, episode, access),
        "utility": utility_of(user, episode, access),
        "urls": {
            "stream": reverse("replays:stream", args=[episode.pk]),
            "frames": reverse("replays:frames", args=[episode.pk, "tag", 0]),
            "pictures": reverse("replays:pictures", args=[episode.pk, "view", 0]),
            "clips": reverse("replays:clips", args=[episode.pk]),
            "words": reverse("replays:words", args=[episode.pk, 0, 0]),
            "marks": reverse("replays:marks"),
            "mark": reverse("replays:mark", args=[uuid.UUID(int=0)]),
            "flag": reverse("replays:flag", args=[episode.pk]),
            "guidelines": f"{reverse('replays:guidelines')}?game={episode.game}",
        },
    }


def utility_of(user: User, episode: Episode, access: Access) -> dict | None:
    """What the panel with a reward model's U needs: why it is "hidden" from this person (""; it isn't), and
    its address; None for those who neither annotate nor run the site, and while the game runs.
    """
    if episode.status == Episode.RUNNING or not (user.is_admin or user.is_annotator):
        return None
    return {"hidden": access.utility_hidden, "url": reverse("replays:utility", args=[episode.pk])}


def others_marks(user: User, episode: Episode, access: Access) -> list[dict]:
    """Other people's marks that count, by pseudonym, for whom `access` lets see them; those of gold and what
    it was made from to admins alone, or annotators would learn which episodes are gold and tell others.
    """
    if not access.sees_others:
        return []
    marks = counted([episode]).exclude(annotator=user)
    marks = marks.select_related("annotator").prefetch_related("versions")
    golds = Gold.objects.filter(episode=episode).select_related("study")
    if not user.is_admin:
        marks = marks.exclude(annotator__in=golds.exclude(created_by=None).values("created_by"))
    rows = [
        {"who": labelled(mark.annotator), **dict(zip(("seat", "tick", "sign"), place(mark), strict=True))}
        for mark in marks.order_by("annotator_id", "tick")
    ]
    if user.is_admin:
        for gold in golds:
            rows += [{"who": f"gold of {gold.study.name}", **mark} for mark in gold.marks]
    return rows


def labelled(annotator: User) -> str:
    """How an annotator is called beside others: who is no person says so."""
    return f"{annotator.pseudonym} (simulated)" if annotator.is_simulated else annotator.pseudonym


def own_agreement(
    user: User, episode: Episode, access: Access, others: list[dict]
) -> list[agreement.Own] | None:
    """How what this person submitted agrees with what others did; None where they may not see it yet."""
    held = access.assignment
    if not (access.sees_others and held and held.status == Assignment.SUBMITTED):
        return None
    rows = Assignment.objects.filter(study=held.study, episode=episode, status=Assignment.SUBMITTED)
    rows = rows.exclude(annotator=user)
    if not user.is_admin:  # as in `others_marks`
        golds = Gold.objects.filter(episode=episode).exclude(created_by=None)
        rows = rows.exclude(annotator__in=golds.values("created_by"))
    return agreement.own(held, others, list(rows.values_list("annotator__pseudonym", flat=True)))


@require_GET
def stream(request: HttpRequest, episode_id: uuid.UUID) -> HttpResponse:
    """Everything that the replay shows, in one gzipped response; unchanged ones are answered with 304."""
    episode = get_episode_for(request.user, episode_id)
    access = replay_access(request.user, episode)
    tag = tag_of(episode, access)
    response: HttpResponse
    if request.headers.get("If-None-Match") == tag:
        response = HttpResponseNotModified()
    else:
        try:
            response = gzipped(request, _stream(episode, access, tag), "application/json")
        except Refusal as error:
            return JsonResponse({"error": str(error)}, status=409)
    response["ETag"] = tag
    response["Cache-Control"] = "private, no-cache"
    response["Vary"] = "Cookie, Accept-Encoding"
    return response


@require_GET
def frames(request: HttpRequest, episode_id: uuid.UUID, tag: str, number: int) -> HttpResponse:
    """One chunk of an episode's frames. Its address holds the stream's tag, so browsers may keep it."""
    episode = get_episode_for(request.user, episode_id)
    access = replay_access(request.user, episode)
    now = tag_of(episode, access)
    if now.strip('"') != tag:
        return JsonResponse({"error": "This replay has changed. Reload the page."}, status=409)
    try:
        chunks = packed_frames(episode, access, now)[1]
    except Refusal as error:
        return JsonResponse({"error": str(error)}, status=409)
    if number >= len(chunks):
        return JsonResponse({"error": f"There are {len(chunks)} chunks, from 0 on."}, status=404)
    response = gzipped(request, chunks[number], "application/octet-stream")
    response["Cache-Control"] = "private, max-age=86400, immutable"
    response["Vary"] = "Cookie, Accept-Encoding"
    return response


@require_GET
def pictures(request: HttpRequest, episode_id: uuid.UUID, view: str, number: int) -> JsonResponse:
    """{"pictures": […]} of some ticks of a view, as `webapp.episodes.pictures` makes them, for who may open
    it.
    """
    episode = get_episode_for(request.user, episode_id)
    access = replay_access(request.user, episode)
    if (
        view not in access.views
        or number * drawings.TICKS > access.last_tick
        or games.spec(episode.game).heads
    ):
        return JsonResponse({"error": "There are no such pictures that you may see now."}, status=404)
    tag = tag_of(episode, access)
    try:
        images = drawings.pictures(episode, view, number, access.last_tick, tag)
    except (Refusal, FileNotFoundError) as error:
        logger.warning("pictures of %s: %s", episode.pk, error)
        return JsonResponse({"error": str(error)}, status=409)
    return JsonResponse({"pictures": images})


@require_GET
def words(request: HttpRequest, episode_id: uuid.UUID, seat: int, tick: int) -> JsonResponse:
    """{"seat", "tick", "sees", "details"}: what a seat saw at a tick, in words, for who may open its view."""
    episode = get_episode_for(request.user, episode_id)
    access = replay_access(request.user, episode)
    if str(seat) not in access.views or tick > access.last_tick:
        return JsonResponse({"error": "There is no such seat and tick that you may see now."}, status=404)
    if episode.status == Episode.RUNNING and recordings.has_frames(episode.game):
        return JsonResponse({"error": recordings.RUNNING}, status=409)
    try:
        return JsonResponse({"seat": seat, "tick": tick, **words_at(episode, seat, tick)})
    except (Refusal, FileNotFoundError) as error:
        logger.warning("words of %s: %s", episode.pk, error)
        return JsonResponse({"error": str(error)}, status=409)


@require_GET
def asked(request: HttpRequest, episode_id: uuid.UUID) -> HttpResponse:
    """What a language model was asked for this episode's plans, and its answers: for admins."""
    episode = get_episode_for(request.user, episode_id)
    if not request.user.is_admin:
        raise PermissionDenied("What a language model was asked is for admins.")
    try:
        questions = asked_of(log_store().read(episode.pk))
    except (Refusal, FileNotFoundError) as error:
        return HttpResponse(escape(str(error)), status=409)
    return render(request, "replays/fragments/asked.html", {"questions": questions})


def tag_of(episode: Episode, access: Access) -> str:
    parts = (episode.status, access.last_tick, access.views, access.blind)
    return stream_tag(episode.pk, episode.digest, *parts)


def told_log(episode: Episode, access: Access) -> EpisodeLog:
    """The log as this person's replay tells it; raises Refusal and FileNotFoundError."""
    log = nameless(log_store().read(episode.pk), hidden_seats(episode))
    return blinded(log) if access.blind else log


def _stream(episode: Episode, access: Access, tag: str) -> bytes:
    """The gzipped stream; raises Refusal."""
    if recordings.has_frames(episode.game):
        return packed_frames(episode, access, tag)[0]
    packed = cache.get(f"stream:{tag}")
    if packed is None:
        try:
            log = told_log(episode, access)
            packed = pack(build_stream(log, access.views, access.last_tick) | {"status": episode.status})
        except (Refusal, FileNotFoundError) as error:
            logger.warning("replay of %s: %s", episode.pk, error)
            raise Refusal(str(error)) from None
        cache.set(f"stream:{tag}", packed, CACHED_SECONDS)
    return packed


def packed_frames(episode: Episode, access: Access, tag: str) -> tuple[bytes, list[bytes]]:
    """The gzipped stream and chunks of a game with frames. They hold what every seat saw, so they open when
    the match is over; raises Refusal before.
    """
    if episode.status == Episode.RUNNING:
        raise Refusal(recordings.RUNNING)
    try:
        return recordings.packed(episode, tag, partial(told_log, episode, access))
    except (Refusal, FileNotFoundError) as error:
        logger.warning("replay of %s: %s", episode.pk, error)
        raise Refusal(str(error)) from None


def gzipped(request: HttpRequest, packed: bytes, content_type: str) -> HttpResponse:
    """A response of gzipped bytes, unpacked for those who don't take them so."""
    if "gzip" not in request.headers.get("Accept-Encoding", ""):
        return HttpResponse(gzip.decompress(packed), content_type=content_type)
    response = HttpResponse(packed, content_type=content_type)
    response["Content-Encoding"] = "gzip"
    return response
