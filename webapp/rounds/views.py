"""Pages about training rounds: the list, New round, one round live, decisions. Admins only."""

from __future__ import annotations

import io
import zipfile
from functools import partial
from typing import Any

from django.conf import settings
from django.contrib import messages
from django.core.exceptions import NON_FIELD_ERRORS
from django.db import transaction
from django.http import FileResponse, Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.views.decorators.http import require_GET, require_POST

from engine import games
from engine.refusal import Refusal
from webapp.accounts.models import User
from webapp.accounts.roles import role_required
from webapp.agents import cards, promotion
from webapp.agents.resolve import resolve
from webapp.common.inputs import whole
from webapp.datasets import selection
from webapp.datasets.snapshots import sample_of
from webapp.jobs import jobs
from webapp.jobs.broker import nudge
from webapp.jobs.models import Job
from webapp.jobs.progress import artefacts, job_json, no_worker
from webapp.rounds import (
    apart,
    beside,
    comparison,
    cotrain,
    decisions,
    doubts,
    kinds,
    launch,
    presets,
    programs,
    progress,
    tradeoff,
    watched,
)
from webapp.rounds.forms import RoundForm, learners, usual_variant, variant_of
from webapp.rounds.models import Round

SIMULATED = ("simulated_episodes", "simulated_marks")  # boxes of the form


def get_round_for(user: User, number: int) -> Round:
    """A round, for admins; the decorator of each view has asked for the role already."""
    return get_object_or_404(
        Round.objects.select_related("base_agent", "snapshot", "candidate"), number=number
    )


@require_GET
@role_required("admin")
def listing(request: HttpRequest) -> HttpResponse:
    rounds = Round.objects.select_related("base_agent", "snapshot", "candidate", "created_by")
    rounds = rounds.annotate(sample=sample_of("snapshot"))
    if game := request.GET.get("game"):
        rounds = rounds.filter(game=game)
    shown = []
    for round_ in rounds.prefetch_related("jobs")[:200]:
        members = list(round_.jobs.all())
        shown.append(
            {
                "round": round_,
                "state": progress.state(members, round_.decision),
                "results": comparison.headline(round_.game, members),
                "verdict": comparison.judged(comparison.result_of(members, "evaluation"), round_.game)[:1],
                "pictures": watched.first(comparison.result_of(members, "evaluation")),
                "sample": round_.sample,
            }
        )
    context = {
        "rounds": shown,
        "no_worker": no_worker(),
        "query": request.GET,
        "games": Round.objects.order_by("game").values_list("game", flat=True).distinct(),
    }
    return render(request, "rounds/list.html", context)


@role_required("admin")
def new(request: HttpRequest) -> HttpResponse:
    if request.method == "POST":
        form = RoundForm(request.POST)
        if form.is_valid() and (round_ := launched(form, request.user)):
            return redirect("rounds:round", round_.number)
    else:
        form = RoundForm(initial=_initial(request))
    context = {
        "form": form,
        "wrong": form.errors.keys() - {NON_FIELD_ERRORS},
        "parts": [
            {"name": name, "title": progress.TITLES[name], **form.part(name)} for name in programs.PARTS
        ],
        "presets": presets.buttons(form.game, form.algorithms),
        "weights": _weights(form),
        "no_worker": no_worker(),
    }
    return render(request, "rounds/new.html", context, status=400 if form.errors else 200)


def _initial(request: HttpRequest) -> dict:
    """Defaults: the champion (or ?base=, or that of ?variant= or ?game=) in `usual_variant`, the usual size
    of its game for ?algorithm-agent= and so on, and simulated data only while there are no marks by people.
    """
    base = learners().filter(ref=request.GET.get("base", "")).first()
    if base and request.GET.get("variant", variant_of(base)) != variant_of(base):
        base = None  # another game was chosen since
    variant = (
        variant_of(base) if base else request.GET.get("variant") or usual_variant(request.GET.get("game", ""))
    )
    game, _, layout = variant.partition("/")
    try:
        base = base or resolve(game, promotion.CHAMPION, layout)
        by_people = base.kind != "network" or selection.find(
            launch.usable(base, selection.Filters.from_json({"game": game})), 2
        )
    except Refusal:
        game, variant = (game, variant) if game in games.names() else ("", "")
        by_people = False
    algorithms = {
        part: name
        for part in programs.PARTS
        if (name := request.GET.get(f"algorithm-{part}")) in kinds.fitting(part, kinds.MARKS, game)
    }
    return {
        "variant": variant,
        "base": base.ref if base else None,
        **dict.fromkeys(SIMULATED, not by_people),
        **{f"algorithm-{part}": name for part, name in algorithms.items()},
        **presets.fields(presets.USUAL, game, algorithms),
    }


def _weights(form: RoundForm) -> list[dict[str, Any]] | None:
    """The costs of U's weights in rounds of the chosen agent's games; None without such a weight."""
    base = form.chosen_base()
    return tradeoff.so_far(base) if base and "agent-utility_weight" in form.fields else None


def launched(form: Any, user: User) -> Round | None:
    """The round that a valid form asks for; None, and the form says why, where it is refused."""
    try:
        with transaction.atomic():
            base, goal = form.cleaned_data["base"], form.cleaned_data["goal"]
            round_ = launch.create(base, form.settings(), user, goal)
            transaction.on_commit(partial(nudge_first, round_))
    except Refusal as error:
        form.add_error(None, str(error))
        return None
    return round_


def nudge_first(round_: Round) -> None:
    """Tell a worker of a new round, after the commit."""
    first = round_.jobs.order_by("position").first()
    if first:
        nudge(first.pk)


@require_GET
@role_required("admin")
def count(request: HttpRequest) -> HttpResponse:
    """The fragment under the data part: what the filters find now, and how long the parts may take."""
    form = RoundForm(request.GET, counts_data=False)  # what there is is counted here, once
    valid = form.is_valid()
    context = {"problem": "Choose the agent to start from first: only episodes of its game count."}
    try:
        if filters := form.filters():
            about = selection.about(filters)
            counts = about.counts
            lacking = launch.lacking_people(filters.game, filters, form.settings())
            too_little = launch.too_little(counts)
            valid = valid and not too_little and not lacking[0]
            context = {
                "found": counts,
                "layouts": about.layouts,
                "sample": about.sample,
                "elsewhere": about.elsewhere,
                "base": form.cleaned_data.get("base"),
                "layout": filters.layout,
                "too_little": too_little,
                "untaken": [form.fields[name].label for name in SIMULATED if not request.GET.get(name)],
                "notes": [
                    *launch.notes(counts),
                    *filter(None, [launch.older(filters), lacking[0] or lacking[1]]),
                ],
            }
    except Refusal as error:
        context = {"problem": str(error)}
        valid = False
    if valid:
        context["estimates"] = progress.estimates(form.settings(), form.cleaned_data["base"].game)
    return render(request, "rounds/fragments/count.html", {**context, "weights": _weights(form)})


@require_GET
@role_required("admin")
def round_page(request: HttpRequest, number: int) -> HttpResponse:
    round_ = get_round_for(request.user, number)
    members = list(round_.jobs.order_by("position"))
    differences = progress.differences(round_)
    alias = promotion.becomes(round_.candidate) if round_.candidate else promotion.CHAMPION
    champion = promotion.current(round_.game, alias, round_.layout)
    compared = comparison.of(round_, members)
    shown = next((job for job in members if job.kind == apart.KIND and job.state == Job.COMPLETED), None)
    context = {
        "round": round_,
        "state": progress.state(members, round_.decision),
        "jobs": [
            {
                "job": job,
                "title": progress.TITLES.get(job.kind, job.kind),
                "artefacts": artefacts(job),
            }
            for job in members
        ],
        "comparison": compared,
        "obeyed": sum(row["clear"] for row in compared["probes"]) if compared else 0,
        "doubts": doubts.doubts(round_, members),
        "side_by_side": watched.shown(
            round_, next((job for job in members if job.kind == "evaluation"), None)
        ),
        "told_games": apart.shown(shown) if shown else None,
        "language_side": cotrain.language_side(members),
        "reward_model": comparison.reward_model(members),
        "tradeoff": tradeoff.of(round_, members),
        "before": progress.round_before(round_),
        "differences": differences,
        "changed": [row for row in differences if row["changed"]],
        "no_worker": None if all(job.is_over for job in members) else no_worker(),
        "jobs_dir": settings.JOBS_DIR,
        "title": promotion.TITLES[alias],
        "champion": champion,
        "beside": {"targets": beside.targets(round_, champion), "others": beside.others(round_)},
        "proxy": alias == promotion.HUMAN,
        "held_out": cards.held_out(comparison.result_of(members, "agent").get("held_out")),
    }
    return render(request, "rounds/round.html", context)


@require_GET
@role_required("admin")
def live(request: HttpRequest, number: int) -> JsonResponse:
    """JSON for the page's script: `?metrics_after=ID&lines_after=ID`."""
    round_ = get_round_for(request.user, number)
    after = [whole(request.GET.get(name, 0), high=2**63 - 1) for name in ("metrics_after", "lines_after")]
    if None in after:
        raise Refusal("metrics_after and lines_after must be whole numbers, 0 or more.")
    return JsonResponse(progress.live(round_, *after))


@require_POST
@role_required("admin")
def cancel(request: HttpRequest, job_id: str) -> HttpResponse:
    job = get_object_or_404(Job.objects.select_related("round"), pk=job_id)
    return _change(request, job, partial(jobs.cancel, job))


@require_POST
@role_required("admin")
def resume(request: HttpRequest, job_id: str) -> HttpResponse:
    job = get_object_or_404(Job.objects.select_related("round"), pk=job_id)
    return _change(request, job, partial(jobs.resume, job), then=partial(nudge, job.pk))


def _change(request: HttpRequest, job: Job, change, then=None) -> HttpResponse:
    """Change a job's state; as JSON for the page's script, as a redirect without one."""
    try:
        change()
    except Refusal as error:
        if "json" in request.headers.get("Accept", ""):
            return JsonResponse({"error": str(error)}, status=409)
        messages.error(request, str(error))
    else:
        if then:
            transaction.on_commit(then)
    if "json" in request.headers.get("Accept", ""):
        job.refresh_from_db()
        return JsonResponse(job_json(job))
    if job.kind == "told" and not job.round:
        address = reverse("rounds:told-apart", args=job.settings["ref"].split("/", 1))
        return redirect(f"{address}?job={job.pk}")
    return redirect("rounds:round", job.round.number) if job.round else redirect("rounds:list")


@require_POST
@role_required("admin")
def decide(request: HttpRequest, number: int) -> HttpResponse:
    round_ = get_round_for(request.user, number)
    try:
        outcome = decisions.decide(
            round_, request.POST.get("decision", ""), request.POST.get("reason", ""), request.user
        )
    except Refusal as error:
        messages.error(request, str(error))
    else:
        messages.success(request, outcome)
    return redirect("rounds:round", number)


@require_GET
@role_required("admin")
def picture(request: HttpRequest, number: int, name: str) -> FileResponse:
    """A picture of a game that the round's evaluation has kept."""
    job = get_round_for(request.user, number).jobs.filter(kind="evaluation", state=Job.COMPLETED).first()
    return watched.picture(job, name)


@require_GET
@role_required("admin")
def events(request: HttpRequest, job_id: str) -> FileResponse:
    """The job's TensorBoard event files as a zip."""
    job = get_object_or_404(Job, pk=job_id)
    folder = settings.JOBS_DIR / str(job.pk) / "out" / "events"
    files = sorted(path for path in folder.rglob("*") if path.is_file())
    if not files:
        raise Http404("The job has written no TensorBoard events.")
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for path in files:
            archive.write(path, path.relative_to(folder).as_posix())
    packed.seek(0)
    return FileResponse(packed, as_attachment=True, filename=f"events-{job.kind}.zip")
