"""What admins see of a study's annotators: agreement, gold results, marks; how gold episodes are made."""

from __future__ import annotations

import uuid

from django.contrib import messages
from django.db.models import Count, Q
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.views.decorators.http import require_GET, require_POST

from webapp.accounts.roles import role_required
from webapp.config.inputs import whole
from webapp.replays import gold
from webapp.replays.access import StillMarking, blind_spots, get_episode_for, look
from webapp.replays.agreement import disputed, study_agreement
from webapp.replays.models import Flag, Gold
from webapp.studies.models import Study

DISPUTED = 50  # episodes in the list


@role_required("admin")
@require_GET
def agreement(request: HttpRequest, study_id: int) -> HttpResponse:
    """Agreement of every pair, disputed episodes, everybody's gold results, flags, the state of the queue."""
    study = get_object_or_404(Study, pk=study_id)
    pairs, pooled = study_agreement(study, request.user)
    unseen = blind_spots(request.user)
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
        "disputed": disputed(study, request.user)[:DISPUTED],
        "states": states,
        "skips": study.assignments.filter(status="skipped")
        .exclude(episode__in=unseen)
        .select_related("annotator")
        .order_by("-closed_at")[:20],
        "gold_results": gold.results(study, request.user),
        "golds": Gold.objects.filter(study=study)
        .exclude(Q(episode__in=unseen) & ~Q(created_by=request.user))
        .select_related("episode"),
        "flags": Flag.objects.filter(resolved=False, episode__game=study.game)
        .exclude(episode__in=unseen)
        .select_related("user")[:20],
        "left_out": study.assignments.filter(status="submitted", episode__in=unseen)
        .values("episode")
        .distinct()
        .count(),
    }
    return render(request, "replays/agreement.html", context)


@role_required("admin")
@require_POST
def make_gold(request: HttpRequest, episode_id: uuid.UUID) -> HttpResponse:
    episode = get_episode_for(request.user, episode_id)
    study = get_object_or_404(Study, pk=whole(request.POST.get("study")) or 0, game=episode.game)
    try:
        made = gold.make_gold(study, episode, request.user, request.POST.get("note", "").strip()[:500])
    except ValueError as error:
        messages.error(request, str(error))
    else:
        messages.success(request, f"Gold episode with {len(made.marks)} marks added to {study.name}.")
    return redirect("replays:replay", episode.pk)


@role_required("admin")
@require_POST
def look_at_others(request: HttpRequest, episode_id: uuid.UUID) -> HttpResponse:
    """Show an admin others' marks from now on, which makes the own ones on this episode final."""
    episode = get_episode_for(request.user, episode_id)
    address = reverse("replays:replay", args=[episode.pk])
    try:
        look(request.user, [episode])
    except StillMarking as error:
        messages.error(request, str(error))
        return redirect(address)
    return redirect(f"{address}?others=1")
