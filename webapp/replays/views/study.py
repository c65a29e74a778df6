"""What admins see of a study's annotators: agreement, gold results, marks; how gold episodes are made."""

from __future__ import annotations

import uuid

from django.contrib import messages
from django.core.paginator import Paginator
from django.db.models import Count, Q
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_GET, require_POST

from webapp.accounts.models import User
from webapp.accounts.roles import role_required
from webapp.config.inputs import whole
from webapp.replays import gold, pace
from webapp.replays.access import StillMarking, blind_spots, get_episode_for, is_held, look
from webapp.replays.agreement import compared, disputed, of_pairs
from webapp.replays.models import Assignment, Flag, Gold, Mark
from webapp.studies.models import Study

DISPUTED = 50  # episodes in the list
PAIRS = 50  # a page
LEFT_OUT = 10


@role_required("admin")
@require_GET
def agreement(request: HttpRequest, study_id: int) -> HttpResponse:
    """Agreement of every pair, disputed episodes, everybody's gold results, flags, the state of the queue."""
    study = get_object_or_404(Study, pk=study_id)
    episodes = compared(study, request.user)
    pairs, pooled = of_pairs(episodes)
    unseen = blind_spots(request.user)
    states = study.assignments.aggregate(
        **{
            status: Count("pk", filter=Q(status=status))
            for status in ("open", "submitted", "skipped", "expired")
        }
    )
    context = {
        "study": study,
        "page": (page := Paginator(pairs, PAIRS).get_page(request.GET.get("page"))),
        "pairs": page.object_list,
        "pooled": pooled,
        "disputed": disputed(episodes, DISPUTED),
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
        "left_out": (left_out := left_out_of(study, request.user))[:LEFT_OUT],
        "left_out_count": len(left_out),
        "paces": pace.paces(works := pace.works(study, request.user)),
        "floods": pace.floods(study, works, request.user),
    }
    return render(request, "replays/agreement.html", context)


def left_out_of(study: Study, user: User) -> list[tuple[uuid.UUID, str]]:
    """Submitted episodes that the agreement page tells this admin nothing of, each with why."""
    submitted = study.assignments.filter(status=Assignment.SUBMITTED)
    hidden = blind_spots(user).filter(pk__in=submitted.values("episode")).order_by("pk")
    mine = Assignment.objects.filter(annotator=user, episode__in=hidden)
    held = {one.episode_id for one in mine if is_held(one)}
    own = Mark.objects.filter(annotator=user, episode__in=hidden, deleted=False)
    marked = set(own.values_list("episode", flat=True))
    return [
        (
            pk,
            "you are marking it"
            if pk in held
            else "you have put marks on it, which can still change"
            if pk in marked
            else "you annotate, so you may still mark it",
        )
        for pk in hidden.values_list("pk", flat=True)
    ]


@role_required("admin")
@require_POST
def make_gold(request: HttpRequest, episode_id: uuid.UUID) -> HttpResponse:
    episode = get_episode_for(request.user, episode_id)
    study = get_object_or_404(Study, pk=whole(request.POST.get("study")) or 0, game=episode.game)
    try:
        made = gold.make_gold(study, episode, request.user, request.POST.get("note", "").strip()[:500])
    except (ValueError, StillMarking) as error:
        messages.error(request, str(error))
    else:
        known = f"{len(made.marks)} mark{'' if len(made.marks) == 1 else 's'}"
        messages.success(request, f"Gold episode with {known} added to {study.name}. They are final now.")
    return redirect("replays:replay", episode.pk)


@role_required("admin")
@require_POST
def answer_flag(request: HttpRequest, flag_id: int) -> HttpResponse:
    """Say what became of a flag: its maker reads it, and it is off the list."""
    flag = get_object_or_404(Flag, pk=flag_id)
    answer = request.POST.get("answer", "").strip()[:2000]
    flag.resolved, flag.answer, flag.answered_at = True, answer, timezone.now()
    flag.save(update_fields=["resolved", "answer", "answered_at"])
    messages.success(request, "Answered." if answer else "Resolved without an answer.")
    study = Study.objects.filter(pk=whole(request.POST.get("study")) or 0).first()
    return redirect("replays:agreement", study.pk) if study else redirect("replays:replay", flag.episode_id)


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
