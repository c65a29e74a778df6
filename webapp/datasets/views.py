"""Pages about snapshots: the list, one snapshot, its zip, taking in another's zip. Admins only."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Any

from django.conf import settings
from django.contrib import messages
from django.core.paginator import Paginator
from django.db.models import Count, Q
from django.http import FileResponse, Http404, HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.http import require_GET, require_POST

from webapp.accounts.models import AuditEvent, User
from webapp.accounts.roles import role_required
from webapp.agents.models import Agent
from webapp.datasets import importing, snapshots
from webapp.datasets.models import Snapshot
from webapp.datasets.snapshot_reading import BadSnapshot
from webapp.replays.access import StillMarking, blind_spots, look
from webapp.replays.origins import sources
from webapp.rounds.models import Round

PER_PAGE, EPISODES_PER_PAGE = 50, 100


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
    }
    return render(request, "datasets/list.html", context)


@require_GET
@role_required("admin")
def snapshot(request: HttpRequest, snapshot_id: str) -> HttpResponse:
    one = get_snapshot_for(request.user, snapshot_id)
    unseen = blind_spots(request.user)
    told = Q(marks__in_snapshots__snapshot=one) & ~Q(marks__episode__in=unseen)
    raters = (
        User.objects.filter(marks__in_snapshots__snapshot=one)
        .annotate(
            count=Count("marks", filter=told),
            in_episodes=Count("marks__episode", distinct=True, filter=told),
        )
        .filter(count__gt=0)
        .order_by("-count")
    )
    episodes = one.episodes.annotate(
        in_snapshot=Count("marks", filter=Q(marks__in_snapshots__snapshot=one), distinct=True)
    ).order_by("started_at", "pk")
    page = Paginator(episodes, EPISODES_PER_PAGE).get_page(request.GET.get("page"))
    context = {
        "snapshot": one,
        "filters": [
            (name.replace("_", " "), filter_words(value))
            for name, value in one.filters.items()
            if value not in (None, "", [], {})
        ],
        "raters": raters,
        "page": page,
        "told": one.episodes.exclude(instruction="").exists(),
        "unseen": set(one.episodes.filter(pk__in=unseen).values_list("pk", flat=True)),
        "sources": sources(one.episodes.exclude(origin={}).values_list("origin", flat=True)),
        "rounds": Round.objects.filter(snapshot=one),
        "agents": Agent.objects.filter(round__snapshot=one),
        "folder": snapshots.folder_of(one),
    }
    return render(request, "datasets/snapshot.html", context)


@require_GET
@role_required("admin")
def export(request: HttpRequest, snapshot_id: str) -> HttpResponseBase:
    """The zip, which holds everybody's marks: downloading it is a look at them (webapp.replays.access)."""
    one = get_snapshot_for(request.user, snapshot_id)
    try:
        path = snapshots.export(one)
        look(request.user, one.episodes.all())
    except BadSnapshot as error:
        raise Http404(str(error)) from None
    except StillMarking as error:
        messages.error(request, str(error))
        return redirect("datasets:snapshot", one.pk)
    AuditEvent.objects.create(user=request.user, verb="dataset.export", detail={"sha256": one.sha256})
    return FileResponse(
        path.open("rb"), as_attachment=True, filename=f"coplay-{one.game}-{one.sha256[:12]}.zip"
    )


@require_POST
@role_required("admin")
def import_file(request: HttpRequest) -> HttpResponse:
    upload = request.FILES.get("file")
    if upload is None:
        messages.error(request, "Choose the zip file of an export first.")
        return redirect("datasets:list")
    try:
        with tempfile.NamedTemporaryFile(dir=settings.SNAPSHOTS_DIR, suffix=".upload") as file:
            for chunk in upload.chunks():
                file.write(chunk)
            file.flush()
            done = importing.import_zip(Path(file.name), request.user)
    except (BadSnapshot, OSError) as error:
        why = f"The file can't be kept here: {error.strerror}." if isinstance(error, OSError) else error
        messages.error(request, f"Nothing was imported. {why}")
        return redirect("datasets:list")
    messages.success(request, f"Imported {done['episodes']} new episodes and {done['marks']} new marks.")
    return redirect("datasets:snapshot", done["snapshot"])
