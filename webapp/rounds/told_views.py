"""Pages for training a partner to an instruction, and for one deal played with three different instructions.
Admins only.
"""

from __future__ import annotations

from functools import partial
from uuid import UUID

from django.db import transaction
from django.http import FileResponse, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.views.decorators.http import require_GET

from engine.language import bank
from engine.refusal import Refusal
from webapp.accounts.roles import role_required
from webapp.agents import promotion
from webapp.agents.models import Agent
from webapp.agents.resolve import get_agent_for, resolve
from webapp.common.inputs import whole
from webapp.jobs.broker import nudge
from webapp.jobs.models import Job
from webapp.jobs.progress import no_worker
from webapp.rounds import apart as played
from webapp.rounds import watched
from webapp.rounds.budget_form import BudgetForm, able_of, left_out, usual_base
from webapp.rounds.told_form import ToldForm
from webapp.rounds.views import launched


@role_required("admin")
def new(request: HttpRequest) -> HttpResponse:
    games = {agent.game for agent in able_of(ToldForm.kind)}
    ready = {game: bank.ready(game) for game in sorted(games)}
    return budget_page(request, ToldForm, "rounds/told.html", {"ready": ready})


def budget_page(
    request: HttpRequest, form_class: type[BudgetForm], template: str, more: dict[str, object] | None = None
) -> HttpResponse:
    """A form of a round, and the round that it starts; with `more` for its template."""
    if request.method == "POST":
        form = form_class(request.POST)
        if form.is_valid() and (round_ := launched(form, request.user)):
            return redirect("rounds:round", round_.number)
    else:
        form = form_class(initial=_initial(request, form_class.kind))
    sentences = left_out(form.kind)
    context = {
        "form": form,
        "games": form.games,
        # Why a game that the address asks for isn't offered, foremost, and why others aren't.
        "instead": sentences.pop(request.GET.get("game", ""), ""),
        "left_out": sentences.values(),
        "no_worker": no_worker(),
        **(more or {}),
    }
    return render(request, template, context, status=400 if form.errors else 200)


def _initial(request: HttpRequest, kind: str) -> dict[str, str]:
    """The champion of ?game=, or of the last round's game, or what the address says; the page asks again with
    it where another agent or algorithm was chosen.
    """
    names = ("base", "algorithm", "instruction", "goal", "budget")
    given = {name: value for name in names if (value := request.GET.get(name))}
    base = given.get("base") or usual_base(kind, request.GET.get("game", ""))
    if "base" not in given and base:
        game = base.partition("/")[0]
        try:
            champion = resolve(game, promotion.CHAMPION)
            base = champion.ref if champion in able_of(kind) else base
        except Refusal:
            pass
    return {"budget": "medium", **given, "base": base}


@role_required("admin")
def apart(request: HttpRequest, game: str, name: str) -> HttpResponse:
    """One deal, played with up to three different instructions; ?job= shows the result or progress."""
    agent = get_agent_for(game, name)
    job = _asked_before(request, agent)
    asked = job.settings["asked"] if job else {}
    given = asked.get("instructions") or request.GET.getlist("instruction")[: played.MOST]
    numbers = asked.get("readings") or []
    who, seed = asked.get("told") or played.usually_told(agent.game), asked.get("seed", 1)
    problem, wrong = played.why_not(agent), {}
    if request.method == "POST":
        given = request.POST.getlist("instruction")[: played.MOST]
        numbers = [whole(value, high=99) or 0 for value in request.POST.getlist("choice")]
        who, seed = request.POST.get("told", who), whole(request.POST.get("seed"), high=2**31 - 1)
        try:
            if seed is None:
                raise Refusal("A deal is a whole number from 0 on.")
            job = played.ask(agent, given, [*numbers, *[0] * played.MOST], who, seed)
        except Refusal as error:
            problem, wrong = str(error), error.problems
        else:
            transaction.on_commit(partial(nudge, job.pk))
            return redirect(f"{reverse('rounds:told-apart', args=[game, name])}?job={job.pk}")
    boxes = [
        {
            "text": given[place] if place < len(given) else "",
            "choice": numbers[place] if place < len(numbers) and numbers[place] else "",
            "problem": wrong.get(place, ""),
        }
        for place in range(played.MOST)
    ]
    context = {
        "agent": agent,
        "boxes": boxes,
        "who": played.WHO.items(),
        "told": who,
        "seed": 1 if seed is None else seed,
        "ready": bank.ready(agent.game),
        "problem": problem,
        "able": not played.why_not(agent),
        "job": job,
        "of": 1 + len(asked.get("instructions", [])),
        "shown": played.shown(job) if job and job.state == Job.COMPLETED else None,
        "no_worker": None if job is None or job.is_over else no_worker(),
    }
    return render(request, "rounds/apart.html", context, status=400 if problem and job is None else 200)


def _asked_before(request: HttpRequest, agent: Agent) -> Job | None:
    """The job that ?job= names, if it is one of this agent."""
    try:
        number = UUID(request.GET.get("job", ""))
    except ValueError:
        return None
    return Job.objects.filter(pk=number, kind=played.KIND, settings__ref=agent.ref).first()


@require_GET
@role_required("admin")
def told_picture(request: HttpRequest, job_id: UUID, name: str, kind: str) -> FileResponse:
    """A picture of how one of the games ended, or a clip of how it began."""
    return watched.picture(get_object_or_404(Job, pk=job_id, kind=played.KIND), name, kind)
