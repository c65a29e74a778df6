"""What admins see of a study's annotators: agreement, gold results; and how gold episodes are made."""

from __future__ import annotations

import uuid

from django.contrib import messages
from django.db.models import Count, Q
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.http import require_GET, require_POST

from webapp.accounts.roles import role_required
from webapp.replays import gold
from webapp.replays.access import get_episode_for
from webapp.replays.agreement import study_agreement
from webapp.replays.models import Flag, Gold
from webapp.studies.models import Study


@role_required("admin")
@require_GET
def agreement(request: HttpRequest, study_id: int) -> HttpResponse:
    """Agreement of every pair, gold results of every person, flags, and the state of the queue."""
    study = get_object_or_404(Study, pk=study_id)
    pairs, pooled = study_agreement(study)
    states = study.assignments.aggregate(
        **{
            status: Count("pk", filter=Q(status=status))
            for status in ("open", "submitted", "skipped", "expired")
        }
    )
    context = {
        "study": study,
        "pairs": pairs,
        "pooled": pooled,
        "states": states,
        "skips": study.assignments.filter(status="skipped")
        .select_related("annotator")
        .order_by("-closed_at")[:20],
        "gold_results": gold.results(study),
        "golds": Gold.objects.filter(study=study).select_related("episode"),
        "flags": Flag.objects.filter(resolved=False, episode__game=study.game).select_related("user")[:20],
    }
    return render(request, "replays/agreement.html", context)


@role_required("admin")
@require_POST
def make_gold(request: HttpRequest, episode_id: uuid.UUID) -> HttpResponse:
    episode = get_episode_for(request.user, episode_id)
    asked = request.POST.get("study", "")
    study = get_object_or_404(Study, pk=asked if asked.isdigit() else 0, game=episode.game)
    try:
        made = gold.make_gold(study, episode, request.user, request.POST.get("note", "").strip()[:500])
    except ValueError as error:
        messages.error(request, str(error))
    else:
        messages.success(request, f"Gold episode with {len(made.marks)} marks added to {study.name}.")
    return redirect("replays:replay", episode.pk)
