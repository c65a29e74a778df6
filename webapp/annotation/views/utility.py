"""A reward model's U over an episode: which reward models there are, one curve, whether it is there yet."""

from __future__ import annotations

import uuid
from functools import partial

from django.db import transaction
from django.http import HttpRequest, JsonResponse
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from engine import games
from webapp.annotation import utility
from webapp.annotation.access import get_episode_for, replay_access
from webapp.common.inputs import RefusedRequest, json_object
from webapp.episodes.models import Episode
from webapp.jobs import progress
from webapp.jobs.broker import nudge
from webapp.jobs.models import Job

NO_SUCH = "There is no such curve of this episode; ask for it again."


def episode_to_look_at(request: HttpRequest, episode_id: uuid.UUID) -> Episode:
    """The episode, for who may see U there. Raises RefusedRequest (403) with the reason, Http404."""
    episode = get_episode_for(request.user, episode_id)
    access = replay_access(request.user, episode)
    if access.utility_hidden:
        raise RefusedRequest(access.utility_hidden, 403)
    return episode


@require_http_methods(["GET", "POST"])
def curves(request: HttpRequest, episode_id: uuid.UUID) -> JsonResponse:
    """GET: {"models": [{"round", "title", "why_not"}], "none": sentence where there is none}. POST {"round",
    "seat", "instruction"}: ask for a curve: `as_json` with "instruction", as it was typed here, "reading",
    "unsure" and "unread" (utility.understood); what this person still waits for is cancelled.
    """
    episode = episode_to_look_at(request, episode_id)
    if request.method == "POST":
        given = json_object(request)
        settings = utility.checked(episode, given)
        with transaction.atomic():
            job, new = utility.asked(request.user, episode, settings)
            if new:
                transaction.on_commit(partial(nudge, job.pk))
        # A curve that is kept was drawn for others, who may have said the same in other words.
        words = {name: settings[name] for name in ("instruction", "reading", "unsure", "unread")}
        return JsonResponse(as_json(job) | words)
    models = utility.models_for(episode)
    rows = [{"round": model.number, "title": model.title, "why_not": model.why_not} for model in models]
    none = "" if rows else utility.NO_MODEL.format(title=games.spec(episode.game).title)
    return JsonResponse({"models": rows, "none": none})


@require_GET
def curve(request: HttpRequest, episode_id: uuid.UUID, curve_id: uuid.UUID) -> JsonResponse:
    """How far a curve is, and the curve once it is there."""
    job = _job(episode_to_look_at(request, episode_id), curve_id)
    return JsonResponse(as_json(job) if job else {"error": NO_SUCH}, status=200 if job else 404)


@require_POST
def cancel(request: HttpRequest, episode_id: uuid.UUID, curve_id: uuid.UUID) -> JsonResponse:
    """Stop drawing a curve that one asked for oneself; others' go on."""
    job = _job(episode_to_look_at(request, episode_id), curve_id)
    if job is None or job.settings["user"] != request.user.pk:
        return JsonResponse({"error": NO_SUCH}, status=404)
    utility.stop(job)
    job.refresh_from_db()
    return JsonResponse(as_json(job))


def _job(episode: Episode, curve_id: uuid.UUID) -> Job | None:
    mine = Job.objects.filter(pk=curve_id, kind=utility.KIND, settings__episode=str(episode.pk))
    return mine.first()


def as_json(job: Job) -> dict:
    """{"id", "state", "error", "round", "seat", "recorded", "told", "no_worker"}; the curves are None until
    it is completed.
    """
    done = job.state == Job.COMPLETED
    return {
        "id": str(job.pk),
        "state": job.state,
        "error": job.error,
        "round": job.settings["round"],
        "seat": job.settings["seat"],
        "recorded": job.result.get("recorded") if done else None,
        "told": job.result.get("told") if done else None,
        "no_worker": not job.is_over and progress.no_worker() is not None,
    }
