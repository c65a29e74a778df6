"""What admins see of a study's annotators: agreement, gold results, marks; how gold episodes are made."""

from __future__ import annotations

import uuid
from collections.abc import Iterable
from functools import partial

from django.contrib import messages
from django.db.models import Q, QuerySet, Sum
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_GET, require_POST

from engine.refusal import Refusal
from webapp.accounts.models import User
from webapp.accounts.roles import role_required
from webapp.annotation import agreement as agreements
from webapp.annotation import gold, pace
from webapp.annotation.access import blind_spots, get_episode_for, is_held, look, told_of
from webapp.annotation.models import Assignment, Flag, Gold, Tally
from webapp.common.inputs import whole
from webapp.common.pages import COUNTED, UncountedPage
from webapp.episodes.models import Episode
from webapp.studies.models import Study

DISPUTED = 25  # episodes in the list
PAIRS = 25  # a page
AT_SIGHT = 20  # pairs that are compared when the page is opened; the others wait for the worker
LEFT_OUT = 10
SKIPS = FLAGS = 20


@role_required("admin")
@require_GET
def agreement(request: HttpRequest, study_id: int) -> HttpResponse:
    """Agreement of every pair, disputed episodes, everybody's gold results, flags, the state of the queue."""
    study = get_object_or_404(Study, pk=study_id)
    agreements.compare(study, AT_SIGHT)
    compared = agreements.compared(study, request.user)
    page = UncountedPage.of(request.GET.get("page"), PAIRS, partial(agreements.of_pairs, compared))
    pooled, sample = agreements.pooled(study, compared)
    open_to = told_of(request.user)
    states = dict(study.handed.values_list("status").annotate(Sum("number")))
    hidden = left_out_of(study, request.user)
    context = {
        "study": study,
        "page": page,
        "pooled": pooled,
        "sample": sample,
        "waiting": agreements.waiting(study)[: COUNTED + 1].count(),
        "disputed": agreements.disputed(compared, DISPUTED),
        "states": {state: states.get(state, 0) for state in ("open", "submitted", "skipped", "expired")},
        "skips": study.assignments.filter(open_to, status="skipped")
        .select_related("annotator")
        .order_by("-closed_at")[:SKIPS],
        "gold_results": gold.results(study, request.user),
        "golds": Gold.objects.filter(open_to | Q(created_by=request.user), study=study),
        "flags": Flag.objects.filter(open_to, resolved=False, episode__game=study.game).select_related(
            "user"
        )[:FLAGS],
        "left_out": why_left_out(request.user, hidden[:LEFT_OUT]),
        "left_out_count": hidden[: COUNTED + 1].count(),
        "paces": pace.paces(works := pace.works(study, request.user)),
        "latest": pace.LATEST if len(works) == pace.LATEST else None,
        "floods": pace.floods(study, works, request.user),
    }
    return render(request, "replays/agreement.html", context)


def left_out_of(study: Study, user: User) -> QuerySet[Episode]:
    """Submitted episodes that the agreement page tells this admin nothing of."""
    submitted = study.assignments.filter(status=Assignment.SUBMITTED)
    return blind_spots(user).filter(pk__in=submitted.values("episode")).order_by("pk")


def why_left_out(user: User, episodes: Iterable[Episode]) -> list[tuple[uuid.UUID, str]]:
    """The ids of such episodes, each with why."""
    hidden = [episode.pk for episode in episodes]
    mine = Assignment.objects.filter(annotator=user, episode__in=hidden)
    held = {assignment.episode_id for assignment in mine if is_held(assignment)}
    tallies = Tally.objects.filter(annotator=user, episode__in=hidden, standing__gt=0)
    marked = set(tallies.values_list("episode", flat=True))
    return [
        (
            pk,
            "you are marking it"
            if pk in held
            else "you have put marks on it, which can still change"
            if pk in marked
            else "you annotate, so you may still mark it",
        )
        for pk in hidden
    ]


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
    except Refusal as error:
        messages.error(request, str(error))
        return redirect(address)
    return redirect(f"{address}?others=1")
