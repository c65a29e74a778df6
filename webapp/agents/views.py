"""Pages about agents: the gallery, one agent, a comparison of up to five, their files, rolling back."""

from __future__ import annotations

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import FileResponse, Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.http import require_GET, require_POST

from webapp.accounts.models import User
from webapp.accounts.roles import role_required
from webapp.agents import cards, files, lineage, promotion
from webapp.agents.models import Agent, Promotion
from webapp.agents.resolve import aliases

COMPARED = range(2, 6)


def get_agent_for(user: User, game: str, name: str) -> Agent:
    """Everybody who may open the gallery may see every agent, retired ones too (old episodes lead to
    them)."""
    return get_object_or_404(Agent.objects.select_related("round"), ref=f"{game}/{name}")


@require_GET
@login_required
def gallery(request: HttpRequest) -> HttpResponse:
    agents = Agent.objects.filter(retired=False).select_related("round").prefetch_related("parents")
    games: dict[str, list[Agent]] = {}
    for one in agents:
        games.setdefault(one.game, []).append(one)
    shown = []
    for game, members in games.items():
        badges = aliases(game)
        for one in members:
            one.badges = sorted(alias for alias, ref in badges.items() if ref == one.ref)
            one.score = cards.self_play(one.card)
        members.sort(key=lambda one: -(one.score["mean"] if one.score else -1.0))
        shown.append({"game": game, "agents": members, "tree": lineage.tree(members)})
    return render(request, "agents/gallery.html", {"games": shown})


@require_GET
@login_required
def agent(request: HttpRequest, game: str, name: str) -> HttpResponse:
    one = get_agent_for(request.user, game, name)
    context = {
        "agent": one,
        "badges": sorted(alias for alias, ref in aliases(game).items() if ref == one.ref),
        "score": cards.self_play(one.card),
        "scores": cards.plots(one),
        "cross_play": cards.cross_play(one.card),
        "matrix": cards.action_matrix(one.card),
        "facts": cards.facts(one.card),
        "hyperparameters": cards.hyperparameters(one.card),
        "explanation": cards.explanation(one.card),
        "tree": lineage.around(one),
        "behind": lineage.behind(one),
        "promotions": Promotion.objects.filter(game=game).select_related("before", "after", "user")[:20],
        "files": files.names(one),
    }
    return render(request, "agents/agent.html", context)


@require_GET
@login_required
def download(request: HttpRequest, game: str, name: str, file: str) -> FileResponse:
    one = get_agent_for(request.user, game, name)
    if file not in files.names(one):
        raise Http404(f"{one.ref} has no file {file!r}.")
    return FileResponse((files.folder(one) / file).open("rb"), as_attachment=True, filename=f"{name}-{file}")


@require_GET
@login_required
def compare(request: HttpRequest) -> HttpResponse:
    refs = list(dict.fromkeys(request.GET.getlist("agent")))
    found = {one.ref: one for one in Agent.objects.filter(ref__in=refs)}
    chosen = [found[ref] for ref in refs if ref in found]
    enough = len(chosen) in COMPARED
    context = {
        "choices": Agent.objects.filter(retired=False),
        "chosen": chosen,
        "rows": cards.comparison(chosen) if enough else [],
        "plots": cards.compared_plots(chosen) if enough else [],
        "missing": [ref for ref in refs if ref not in found],
        "enough": enough,
    }
    return render(request, "agents/compare.html", context)


@require_POST
@role_required("admin")
def rollback(request: HttpRequest) -> HttpResponse:
    game = request.POST.get("game", "")
    try:
        moved = promotion.roll_back(game, reason=request.POST.get("reason", ""), user=request.user)
    except promotion.Refused as error:
        messages.error(request, str(error))
    else:
        messages.success(request, f"{moved.after.name} is champion again; new matches use it from now on.")
    return redirect("agents:gallery")
