"""Where marks arrive, and the page of one mark."""

from __future__ import annotations

import uuid

from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.views.decorators.http import require_GET, require_POST

from engine.refusal import Refusal
from webapp.accounts.models import User
from webapp.agents.models import Agent
from webapp.annotation.access import episodes_for, replay_access
from webapp.annotation.counting import stood
from webapp.annotation.marks import MAX_BATCH, REASONS, write_batch
from webapp.annotation.models import Mark
from webapp.common.inputs import RefusedRequest, json_items
from webapp.episodes.people import seat_names
from webapp.episodes.told import in_force_for_move

MAX_BODY = 512 * 1024


@require_POST
def post_marks(request: HttpRequest) -> JsonResponse:
    """Take a batch of marks; the answer, per mark, comes after the commit.

    {"person": "7", "marks": [{"id": "…", "episode": "…", "seat": 1, "tick": 31, "sign": -1, "revision": 1,
    "deleted": false, "note": "", "context": {"input": "key"}, "made_at": "2026-01-01T10:00:00Z"}]}

    answers {"results": [{"id", "status": "saved" | "stale" | "refused", "revision", "sentence", "mark",
    "displaced"}]}; `displaced` are the marks that stood where this one stands now.
    401 for nobody (webapp.accounts.roles) and 403 for somebody else than the outbox's person: the browser
    keeps the marks.
    """
    data, marks = json_items(request, "marks", MAX_BODY)
    if str(data.get("person")) != str(request.user.pk):
        sentence = "These marks were made by somebody else who uses this browser; they stay in it for them."
        raise RefusedRequest(sentence, 403)
    if len(marks) > MAX_BATCH:
        raise Refusal(f"A batch has at most {MAX_BATCH} marks.")
    return JsonResponse({"results": write_batch(request.user, marks)})


def get_mark_for(user: User, mark_id: uuid.UUID) -> Mark:
    """A mark of one's own, or any for admins; 404 otherwise."""
    marks = Mark.objects.select_related("episode", "annotator")
    mark = marks.filter(pk=mark_id).first()
    if mark is None or not (user.is_admin or mark.annotator_id == user.pk):
        raise Http404("No such mark.")
    return mark


@require_GET
def mark_page(request: HttpRequest, mark_id: uuid.UUID) -> HttpResponse:
    """A mark, and the agents that were trained with it. To an admin who may still mark the episode it says
    nothing before a look.
    """
    mark = get_mark_for(request.user, mark_id)
    is_own = mark.annotator_id == request.user.pk
    access = replay_access(request.user, mark.episode)
    rows = mark.episode.marked_in.filter(annotator=mark.annotator_id, snapshot__whole=True)
    frozen = [
        {"snapshot": row.snapshot, **said}
        for row in rows.select_related("snapshot").prefetch_related("snapshot__rounds")
        if (said := row.snapshot.mark(mark.pk))
    ]
    learned = [row["snapshot"].pk for row in frozen]
    agents = Agent.objects.filter(round__snapshot__in=learned).select_related("round")
    context = {
        "mark": mark,
        "counts": stood(mark),
        "reason": {key: label for key, label, _ in REASONS}.get(mark.context.get("reason")),
        "sees": is_own or access.sees_others,
        "seat_name": seat_names(mark.episode, request.user, access.blind)[mark.seat],
        "told": [span.text for span in in_force_for_move(mark.episode, mark.seat, mark.tick)],
        "snapshots": frozen,
        "agents": agents,
        "may_open": episodes_for(request.user).filter(pk=mark.episode_id).exists(),
    }
    return render(request, "replays/mark.html", context)
