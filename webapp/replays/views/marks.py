"""Where marks arrive, and the page of one mark."""

from __future__ import annotations

import json
import uuid

from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.views.decorators.http import require_GET, require_POST

from webapp.accounts.models import User
from webapp.agents.models import Agent
from webapp.replays.access import episodes_for
from webapp.replays.marks import MAX_BATCH, write_batch
from webapp.replays.models import Mark
from webapp.replays.people import seat_names

MAX_BODY = 512 * 1024


@require_POST
def post_marks(request: HttpRequest) -> JsonResponse:
    """Take a batch of marks; the answer, per mark, comes after the commit.

    {"person": "7", "marks": [{"id": "…", "episode": "…", "seat": 1, "tick": 31, "sign": -1, "revision": 1,
    "deleted": false, "note": "", "context": {"input": "key"}, "made_at": "2026-01-01T10:00:00Z"}]}

    answers {"results": [{"id", "status": "saved" | "stale" | "refused", "revision", "sentence", "mark"}]}.
    401 for nobody and 403 for somebody else than the outbox's person: the browser keeps the marks.
    """
    if not request.user.is_authenticated:
        return _refuse(
            401, "You are signed out. Your marks are kept in this browser; sign in again to save them."
        )
    if len(request.body) > MAX_BODY:
        return _refuse(413, f"A batch of marks may have {MAX_BODY // 1024} KiB.")
    try:
        data = json.loads(request.body)
    except ValueError:
        return _refuse(400, "The batch is not JSON.")
    if not isinstance(data, dict) or not isinstance(data.get("marks"), list):
        return _refuse(400, "A batch is an object with a list of marks.")
    if str(data.get("person")) != str(request.user.pk):
        return _refuse(
            403, "These marks were made by somebody else who uses this browser; they stay in it for them."
        )
    if len(data["marks"]) > MAX_BATCH:
        return _refuse(400, f"A batch has at most {MAX_BATCH} marks.")
    return JsonResponse({"results": write_batch(request.user, data["marks"])})


def _refuse(status: int, sentence: str) -> JsonResponse:
    return JsonResponse({"error": sentence}, status=status)


def get_mark_for(user: User, mark_id: uuid.UUID) -> Mark:
    """A mark of one's own, or any for admins; 404 otherwise."""
    marks = Mark.objects.select_related("episode", "annotator", "instruction")
    mark = marks.filter(pk=mark_id).first()
    if mark is None or not (user.is_admin or mark.annotator_id == user.pk):
        raise Http404("No such mark.")
    return mark


@login_required
@require_GET
def mark_page(request: HttpRequest, mark_id: uuid.UUID) -> HttpResponse:
    """What the mark says, and the agents that were trained from it."""
    mark = get_mark_for(request.user, mark_id)
    rows = mark.in_snapshots.select_related("snapshot").prefetch_related("snapshot__rounds")
    agents = Agent.objects.filter(round__snapshot__marks__mark=mark).select_related("round").distinct()
    context = {
        "mark": mark,
        "seat_name": seat_names(mark.episode, request.user)[mark.seat],
        "snapshots": rows,
        "agents": agents,
        "may_open": episodes_for(request.user).filter(pk=mark.episode_id).exists(),
    }
    return render(request, "replays/mark.html", context)
