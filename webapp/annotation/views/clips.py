"""One's own clips of an episode: ask for one, look how far it is, cancel, try again, download, remove."""

from __future__ import annotations

import uuid
from functools import partial

from django.db import transaction
from django.http import FileResponse, Http404, HttpRequest, HttpResponseBase, JsonResponse
from django.urls import reverse
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from engine.refusal import Refusal
from webapp.accounts.models import User
from webapp.annotation.access import get_episode_for, replay_access
from webapp.common.inputs import json_object
from webapp.episodes import clips
from webapp.episodes.models import Episode
from webapp.episodes.people import seat_names
from webapp.jobs import jobs, progress, steps
from webapp.jobs.broker import nudge
from webapp.jobs.models import Job


def get_clip_for(user: User, episode: Episode, clip_id: uuid.UUID) -> Job:
    """This person's clip; 404 if it is somebody else's."""
    job = clips.of_user(user, episode).filter(pk=clip_id).first()
    if job is None:
        raise Http404("No such clip.")
    return job


@require_http_methods(["GET", "POST"])
def listing(request: HttpRequest, episode_id: uuid.UUID) -> JsonResponse:
    """GET: one's clips of the episode. POST {"first", "last", "view", "format"}: make another."""
    episode = get_episode_for(request.user, episode_id)
    if request.method == "POST":
        asked = json_object(request)
        settings = clips.checked(episode, replay_access(request.user, episode).views, asked)
        with transaction.atomic():
            job = clips.create(request.user, episode, settings)
            transaction.on_commit(partial(nudge, job.pk))
    return JsonResponse(told(request.user, episode))


def told(user: User, episode: Episode) -> dict:
    """The clips as the page's module shows them."""
    names = seat_names(episode, user, replay_access(user, episode).blind)
    rows = [as_json(episode, job, names) for job in clips.of_user(user, episode)]
    working = any(row["state"] in (Job.QUEUED, Job.RUNNING, Job.CANCELLING) for row in rows)
    return {"clips": rows, "no_worker": working and progress.no_worker()}


def as_json(episode: Episode, job: Job, names: list[str]) -> dict:
    view = job.settings["view"]

    def address(name: str) -> str:
        return reverse(f"replays:{name}", args=[episode.pk, job.pk])

    return {
        "id": str(job.pk),
        "first": job.settings["first"],
        "last": job.settings["last"],
        "format": job.settings["format"],
        "view": "everything" if view == "open" else names[int(view)],
        "state": job.state,
        "done": job.done,
        "total": job.total,
        "error": job.error,
        "can_retry": job.can_resume,
        "bytes": job.result.get("bytes"),
        "seconds": job.result.get("seconds"),
        "urls": {name: address(f"clip-{name}") for name in ("cancel", "retry", "remove", "file")},
    }


def _change(request: HttpRequest, episode_id: uuid.UUID, clip_id: uuid.UUID, change, then=None):
    """Do something to a clip, or say in a sentence why not."""
    episode = get_episode_for(request.user, episode_id)
    job = get_clip_for(request.user, episode, clip_id)
    try:
        change(job)
    except Refusal as error:
        return JsonResponse({"error": str(error)}, status=409)
    if then:
        transaction.on_commit(partial(then, job.pk))
    return JsonResponse(told(request.user, episode))


@require_POST
def cancel(request: HttpRequest, episode_id: uuid.UUID, clip_id: uuid.UUID) -> JsonResponse:
    return _change(request, episode_id, clip_id, jobs.cancel)


@require_POST
def retry(request: HttpRequest, episode_id: uuid.UUID, clip_id: uuid.UUID) -> JsonResponse:
    """Queue a cancelled or failed clip again."""
    return _change(request, episode_id, clip_id, jobs.resume, then=nudge)


@require_POST
def remove(request: HttpRequest, episode_id: uuid.UUID, clip_id: uuid.UUID) -> JsonResponse:
    return _change(request, episode_id, clip_id, lambda job: clips.remove(job, steps.folder(job)))


@require_GET
def file(request: HttpRequest, episode_id: uuid.UUID, clip_id: uuid.UUID) -> HttpResponseBase:
    """The clip itself."""
    episode = get_episode_for(request.user, episode_id)
    job = get_clip_for(request.user, episode, clip_id)
    kind = job.settings["format"]
    path = steps.out(job) / f"clip.{kind}"
    if job.state != Job.COMPLETED or not path.is_file():
        raise Http404("This clip is not there yet.")
    name = f"{episode.game}-{str(episode.pk)[:4]}-{job.settings['first']}-{job.settings['last']}.{kind}"
    return FileResponse(path.open("rb"), content_type=clips.FORMATS[kind], filename=name, as_attachment=True)
