"""The annotators' pages: queue, hand-out, submit, skip, flag, guidelines."""

from __future__ import annotations

import uuid
from datetime import timedelta
from urllib.parse import urlencode

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.template.loader import select_template
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_GET, require_POST

from engine import games
from engine.games.pages import in_order
from webapp.accounts.models import User
from webapp.accounts.roles import role_required
from webapp.annotation import gold
from webapp.annotation.access import TAKEN, clock, get_episode_for, is_final
from webapp.annotation.counting import marks_of
from webapp.annotation.models import Assignment, Flag, Mark
from webapp.annotation.queue import HandOut, close, hand_out, judged, left_for, submit_again
from webapp.annotation.views.practice import wants_tutorial
from webapp.common.inputs import whole
from webapp.episodes import positions
from webapp.studies.models import Study

RECENT = 10


def chosen_study(request: HttpRequest) -> Study | None:
    """The study named in the request, else the first active one, of ?game= where that has one."""
    active = Study.objects.filter(active=True).order_by("pk")
    asked = whole(request.GET.get("study") or request.POST.get("study"))
    named = active.filter(pk=asked).first() if asked is not None else None
    return named or active.filter(game=request.GET.get("game", "")).first() or active.first()


@role_required("annotator")
@require_GET
def queue_page(request: HttpRequest) -> HttpResponse:
    study = chosen_study(request)
    context = {
        "study": study,
        "studies": Study.objects.filter(active=True).order_by("pk"),
        "has_tutorial": study is None or study.game in positions.MARKING,
        "lessons": len(positions.MARKING.get(study.game, ())) if study else 0,
        "offer_tutorial": study is not None and wants_tutorial(request.user, "annotate", study.game),
    }
    context["answers"] = (
        Flag.objects.filter(user=request.user).exclude(answer="").order_by("-answered_at")[:5]
    )
    if study:
        mine = Assignment.objects.filter(study=study, annotator=request.user)
        recent = (
            mine.filter(status=Assignment.SUBMITTED)
            .select_related("episode", "study")
            .annotate(marks=marks_of(request.user, "episode"))
        )
        now = timezone.now()
        context |= {
            "left": (left := left_for(study, request.user)),
            "judged": bool(left) and judged(study, request.user),
            "elsewhere": [] if left else elsewhere(study, request.user),
            "held": mine.filter(status=Assignment.OPEN, expires_at__gt=now).first(),
            "done": mine.filter(status=Assignment.SUBMITTED).count(),
            "progress": progress(request.user),
            "recent": [
                (row, "" if is_final(row) else clock(row.final_at))
                for row in recent.order_by("-closed_at")[:RECENT]
            ],
            "gold": gold.results_of(study, request.user) if study.show_gold_results else None,
        }
    return render(request, "replays/queue.html", context)


def elsewhere(study: Study, user: User) -> list[tuple[Study, int]]:
    """The other studies that have something for this person, and how much."""
    others = Study.objects.filter(active=True).exclude(pk=study.pk).order_by("pk")
    return [(other, left) for other in others if (left := left_for(other, user))]


def progress(user: User) -> dict:
    """Today's episodes, marks, and marks per minute of work.

    Work is the time from each mark to the next one, pauses longer than five minutes left out.
    """
    midnight = timezone.now().replace(hour=0, minute=0, second=0, microsecond=0)
    made = list(
        Mark.objects.filter(annotator=user, deleted=False, created_at__gte=midnight)
        .order_by("created_at")
        .values_list("created_at", flat=True)
    )
    gaps = [later - earlier for earlier, later in zip(made, made[1:], strict=False)]
    worked = sum((gap for gap in gaps if gap < timedelta(minutes=5)), timedelta())
    minutes = worked.total_seconds() / 60
    submitted = Assignment.objects.filter(
        annotator=user, status=Assignment.SUBMITTED, closed_at__gte=midnight
    ).count()
    rate = round((len(made) - 1) / minutes, 1) if minutes > 0.1 else None
    return {"episodes": submitted, "marks": len(made), "rate": rate}


@role_required("annotator")
@require_POST
def next_episode(request: HttpRequest) -> HttpResponse:
    study = chosen_study(request)
    if study is None:
        messages.error(request, "No study is active. An admin can start one on the Studies page.")
        return redirect("replays:queue")
    return _to(request, study, hand_out(study, request.user))


def _to(request: HttpRequest, study: Study, handed: HandOut | None) -> HttpResponse:
    """To what was handed out, with the reason; to the queue, which knows of the other studies, where nothing
    was.
    """
    if handed is None:
        messages.info(request, "Nothing is left for you in this study. Thank you!")
        return redirect(f"{reverse('replays:queue')}?study={study.pk}")
    messages.info(request, f"Why this one: {handed.why}")
    return redirect("replays:replay", handed.assignment.episode_id)


def get_assignment_for(user: User, assignment_id: uuid.UUID) -> Assignment:
    """An assignment of this person's; 404 otherwise."""
    assignments = Assignment.objects.select_related("study").filter(annotator=user)
    return get_object_or_404(assignments, pk=assignment_id)


@role_required("annotator")
@require_POST
def submit(request: HttpRequest, assignment_id: uuid.UUID) -> HttpResponse:
    """Submit and go on to the next one; with `again`, submit what was changed since and stay."""
    assignment = get_assignment_for(request.user, assignment_id)
    if request.POST.get("again"):
        if submit_again(assignment):
            messages.success(request, "Submitted again. Your marks now count as they are.")
        else:
            messages.error(request, "It is too late for that. Your earlier submission counts.")
        return redirect("replays:replay", assignment.episode_id)
    if unseen := why_unseen(request, assignment):
        messages.error(request, unseen)
        return redirect("replays:replay", assignment.episode_id)
    if close(assignment, Assignment.SUBMITTED):
        messages.success(request, "Submitted.")
    else:
        messages.info(request, why_not_closed(assignment))
    return _next_of(request, assignment.study)


@role_required("annotator")
@require_POST
def skip(request: HttpRequest, assignment_id: uuid.UUID) -> HttpResponse:
    assignment = get_assignment_for(request.user, assignment_id)
    reason = request.POST.get("reason", "").strip()
    if not reason:
        messages.error(request, "Say why you skip it. One word is enough.")
        return redirect("replays:replay", assignment.episode_id)
    if not close(assignment, Assignment.SKIPPED, reason):
        messages.info(request, why_not_closed(assignment))
    return _next_of(request, assignment.study)


def why_unseen(request: HttpRequest, assignment: Assignment) -> str:
    """Why no mark isn't "reviewed, nothing to mark" here: nobody has looked at the episode to its end; ""
    where there is a mark, or somebody has.
    """
    episode, seen = assignment.episode, whole(request.POST.get("seen")) or 0
    closed = assignment.status in (Assignment.SUBMITTED, Assignment.SKIPPED)
    if closed or seen >= episode.ticks:
        return ""
    if episode.marks.filter(annotator=request.user, deleted=False).exists():
        return ""
    return (
        f"You have marked nothing, and seen it to tick {seen} of {episode.ticks}. Look at it to its end, mark"
        " something, or skip it with a reason."
    )


def why_not_closed(assignment: Assignment) -> str:
    """Why an assignment was neither submitted nor skipped just now."""
    assignment.refresh_from_db(fields=["status"])
    if assignment.status == Assignment.EXPIRED:
        return TAKEN
    was = "submitted" if assignment.status == Assignment.SUBMITTED else "skipped"
    return f"That episode was {was} before; nothing was changed."


def _next_of(request: HttpRequest, study: Study) -> HttpResponse:
    return _to(request, study, hand_out(study, request.user) if study.active else None)


@require_POST
def flag(request: HttpRequest, episode_id: uuid.UUID) -> HttpResponse:
    episode = get_episode_for(request.user, episode_id)
    note = request.POST.get("note", "").strip()[:2000]
    at = min(whole(request.POST.get("tick")) or 0, episode.ticks)
    if not note:
        messages.error(request, "A flag needs a note that says what is wrong.")
    else:
        Flag.objects.create(episode=episode, user=request.user, tick=at, note=note)
        messages.success(request, "Flagged. An admin will look at it.")
    # Back to where one was.
    place = {"tick": at} | {name: request.POST[name] for name in ("seat", "view") if request.POST.get(name)}
    return redirect(f"{reverse('replays:replay', args=[episode.pk])}?{urlencode(place)}")


@require_GET
def guidelines(request: HttpRequest) -> HttpResponse:
    """What counts as progress and regression in a game (?game=), with positions one can play; with ?part=1
    what is shown over a replay.
    """
    known = in_order()
    study = chosen_study(request)
    wanted = (request.GET.get("game"), study.game if study else None, *known)
    game = next(name for name in wanted if name in known)
    context = {
        "game": game,
        "games": known,
        "studies": Study.objects.filter(active=True, game=game).exclude(guidelines=""),
        "examples": positions.MARKING.get(game, ()),
        "words": select_template([f"games/{game}/guidelines.html", "replays/fragments/guidelines.html"]),
        "title": games.spec(game).title,
    }
    part = "replays/fragments/all_guidelines.html" if request.GET.get("part") else "replays/guidelines.html"
    return render(request, part, context)
