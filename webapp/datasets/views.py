"""Pages about snapshots: the list, one snapshot, its zip, taking in another's zip. Admins only. Packing and
taking in are jobs (transfers)."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from typing import Any

from django.contrib import messages
from django.core.paginator import Paginator
from django.http import FileResponse, Http404, HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.http import require_GET, require_POST

from engine.refusal import Refusal
from webapp.accounts.models import AuditEvent, User
from webapp.accounts.roles import role_required
from webapp.agents.models import Agent
from webapp.annotation.access import blind_spots, look
from webapp.common.pages import Stretch
from webapp.datasets import snapshots, transfers
from webapp.datasets.models import Snapshot
from webapp.episodes.models import Episode
from webapp.jobs import jobs
from webapp.jobs.broker import nudge
from webapp.jobs.models import Job

CHUNK = 1 << 18  # bytes of a download that are in memory
PER_PAGE, EPISODES_PER_PAGE, IMPORTS = 50, 100, 3


def get_snapshot_for(user: User, snapshot_id: str) -> Snapshot:
    """A snapshot, for admins; the decorator of each view has asked for the role already."""
    return get_object_or_404(Snapshot.objects.select_related("created_by"), pk=snapshot_id)


def filter_words(value: Any) -> str:
    """What a filter was set to, for people."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, dict):
        return ", ".join(f"{name} {one}" for name, one in value.items())
    return ", ".join(map(str, value)) if isinstance(value, list) else str(value)


@require_GET
@role_required("admin")
def listing(request: HttpRequest) -> HttpResponse:
    found = Snapshot.objects.prefetch_related("rounds").annotate(sample=snapshots.sample_of("pk"))
    if game := request.GET.get("game"):
        found = found.filter(game=game)
    page = Paginator(found, PER_PAGE).get_page(request.GET.get("page"))
    context = {
        "page": page,
        "snapshots": page.object_list,
        "query": request.GET,
        "games": Snapshot.objects.order_by("game").values_list("game", flat=True).distinct(),
        "imports": [transfers.shown(one) for one in transfers.imports()[:IMPORTS]],
    }
    return render(request, "datasets/list.html", context)


@require_GET
@role_required("admin")
def snapshot(request: HttpRequest, snapshot_id: str) -> HttpResponse:
    one = get_snapshot_for(request.user, snapshot_id)
    page = Stretch.of(request.GET, snapshots.episodes_of(one), EPISODES_PER_PAGE)
    episodes = Episode.objects.in_bulk([row.episode_id for row in page.object_list])
    shown = [episodes[row.episode_id] for row in page.object_list]
    hidden = blind_spots(request.user).order_by().values_list("pk", flat=True)
    unseen = set(hidden.filter(pk__in=[episode.pk for episode in shown]))
    marks = snapshots.marks_in(one, shown)
    for episode in shown:
        episode.in_snapshot = marks.get(episode.pk, 0)
    context = {
        "snapshot": one,
        "filters": [
            (name.replace("_", " "), filter_words(value))
            for name, value in one.filters.items()
            if value not in (None, "", [], {})
        ],
        "raters": snapshots.raters(one, request.user, set() if request.user.is_annotator else set(hidden)),
        "page": page,
        "episodes": shown,
        "told": any(episode.instruction for episode in shown),
        "unseen": unseen,
        "sources": snapshots.sources_of(one),
        "rounds": one.rounds.all(),
        "agents": Agent.objects.filter(round__snapshot=one),
        "folder": snapshots.folder_of(one),
        "zip": zipped.stat() if (zipped := snapshots.packed(one)) else None,
        "packing": transfers.shown(packing) if (packing := transfers.exports_of(one).first()) else None,
    }
    return render(request, "datasets/snapshot.html", context)


# --- Exports and imports ------------------------------------------------------------------------------------


class Download(FileResponse):
    """A file that leaves piece by piece: Django's own is read whole before its first byte leaves, where the
    server is asynchronous.
    """

    async def __aiter__(self) -> AsyncIterator[bytes]:
        while piece := await asyncio.to_thread(self.file_to_stream.read, CHUNK):
            yield piece


@require_GET
@role_required("admin")
def export(request: HttpRequest, snapshot_id: str) -> HttpResponseBase:
    """The zip, which holds everybody's marks: downloading it is a look at them (webapp.annotation.access)."""
    one = get_snapshot_for(request.user, snapshot_id)
    path = snapshots.packed(one)
    if path is None:
        raise Http404("The snapshot isn't packed yet; its page does that.")
    try:
        look(request.user, one.episodes.all())
    except Refusal as error:
        messages.error(request, str(error))
        return redirect("datasets:snapshot", one.pk)
    AuditEvent.objects.create(user=request.user, verb="dataset.export", detail={"sha256": one.sha256})
    name = f"coplay-{one.game}-{one.sha256[:12]}.zip"
    return Download(path.open("rb"), as_attachment=True, filename=name)


@require_POST
@role_required("admin")
def pack(request: HttpRequest, snapshot_id: str) -> HttpResponse:
    """Have a worker make the zip."""
    one = get_snapshot_for(request.user, snapshot_id)
    if not snapshots.packed(one):
        nudge(transfers.ask_export(one).pk)
    return redirect("datasets:snapshot", one.pk)


@require_POST
@role_required("admin")
def import_file(request: HttpRequest) -> HttpResponse:
    """Keep the file, and have a worker take it in."""
    upload = request.FILES.get("file")
    if upload is None:
        messages.error(request, "Choose the zip file of an export first.")
        return redirect("datasets:list")
    try:
        nudge(transfers.ask_import(upload, request.user).pk)
    except OSError as error:
        messages.error(request, f"Nothing was imported. The file can't be kept here: {error.strerror}.")
    return redirect("datasets:list")


def get_job_for(user: User, job_id: str) -> Job:
    """An export or import, for admins; the decorator of each view has asked for the role already."""
    return get_object_or_404(Job, pk=job_id, kind__in=transfers.KINDS)


@require_GET
@role_required("admin")
def job(request: HttpRequest, job_id: str) -> HttpResponse:
    """How far an export or import is: the fragment that looks again by itself."""
    one = get_job_for(request.user, job_id)
    return render(request, "datasets/fragments/job.html", transfers.shown(one))


@require_POST
@role_required("admin")
def change_job(request: HttpRequest, job_id: str, change: str) -> HttpResponse:
    """Cancel an export or import, or resume it: it goes on with what is there."""
    one = get_job_for(request.user, job_id)
    changes = {"cancel": jobs.cancel, "resume": jobs.resume}
    if change not in changes:
        raise Http404(f"There is no change {change!r}.")
    try:
        changes[change](one)
        nudge(one.pk)
    except Refusal as error:
        messages.error(request, str(error))
    if one.kind == transfers.EXPORT:
        return redirect("datasets:snapshot", one.settings["snapshot"])
    return redirect("datasets:list")
