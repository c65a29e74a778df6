"""Pages about agents: the gallery, one agent, a comparison of up to five, their files, rolling back."""

from __future__ import annotations

from django.contrib import messages
from django.http import FileResponse, Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.http import require_GET, require_POST

from engine import language
from engine.games.pages import pages
from webapp.accounts.models import User
from webapp.accounts.roles import role_required
from webapp.agents import cards, files, lineage, moments, promotion
from webapp.agents.models import Agent, Alias, Promotion
from webapp.agents.resolve import badges, in_words, layout_of
from webapp.play import company

COMPARED = range(2, 6)


def get_agent_for(user: User, game: str, name: str) -> Agent:
    """Everybody who may open the gallery may see every agent, retired ones too (old episodes lead to
    them)."""
    return get_object_or_404(Agent.objects.select_related("round"), ref=f"{game}/{name}")


@require_GET
def gallery(request: HttpRequest) -> HttpResponse:
    agents = Agent.objects.filter(retired=False).select_related("round").prefetch_related("parents")
    games: dict[str, list[Agent]] = {}
    for one in agents:
        games.setdefault(one.game, []).append(one)
    shown = []
    for game, members in games.items():
        worn = badges(game)
        for one in members:
            one.badges = worn.get(one.ref, [])
            one.layout = layout_of(one)
            one.score = cards.self_play(one.card)
            one.layout_scores = cards.scores_by_layout(one)
        members.sort(key=lambda one: -(one.score["mean"] if one.score else -1.0))
        groups: dict[str, list[Agent]] = {}
        for one in sorted(members, key=lambda one: one.layout):
            groups.setdefault(one.layout, []).append(one)
        shown.append({"game": game, "groups": list(groups.items()), "tree": lineage.tree(members)})
    return render(request, "agents/gallery.html", {"games": shown})


@require_GET
def agent(request: HttpRequest, game: str, name: str) -> HttpResponse:
    one = get_agent_for(request.user, game, name)
    layout = layout_of(one)
    instructed = cards.instructed(one.card, number_in(request.GET.get("told", "")))
    moved = (
        Promotion.objects.filter(game=game, layout=layout) if layout else Promotion.objects.filter(game=game)
    )
    context = {
        "agent": one,
        "badges": badges(game).get(one.ref, []),
        "layout": layout,
        "tellable": game in language.games(),
        "score_note": pages(game).score_note,
        "evaluations": cards.evaluations(one),
        "held_out": cards.held_out(one.card.get("held_out")),
        "here": company.with_people(one),
        "curve": cards.training_curve(one.card),
        "matrix": cards.action_matrix(one.card),
        "instructed": instructed,
        "moments": moments.moments(one, instructed["chosen"]["number"]) if instructed else [],
        "policy_table": one.card.get("evaluation", {}).get("policy_table"),
        "facts": cards.facts(one.card),
        "hyperparameters": cards.hyperparameters(one.card),
        "explanation": cards.explanation(one.card),
        "tree": lineage.around(one),
        "behind": lineage.behind(one),
        "promotions": moved.select_related("before", "after", "user")[:20],
        "champion_of": champion_of(one),
        "files": files.names(one),
    }
    return render(request, "agents/agent.html", context)


@require_GET
def told(request: HttpRequest, game: str, name: str, number: int) -> HttpResponse:
    """What one measured instruction changes, for the lobby to show beside it."""
    one = get_agent_for(request.user, game, name)
    measured = cards.instructed(one.card, number)
    if measured is None or measured["chosen"]["number"] != number:
        raise Http404(f"{one.ref} was measured under no instruction {number}.")
    context = {
        "agent": one,
        "number": number,
        "told": measured["chosen"],
        "moments": moments.moments(one, number),
        "before": cards.action_matrix(one.card),
        "after": measured["matrix"],
    }
    return render(request, "agents/fragments/told.html", context)


def number_in(text: str) -> int:
    """A number of an address; 0 for anything else."""
    return int(text) if text.isdecimal() and len(text) < 6 else 0


def champion_of(agent: Agent) -> list[tuple[str, str]]:
    """Where an agent is champion by a promotion that can be rolled back: [(layout, words)]."""
    places = Alias.objects.filter(game=agent.game, name=promotion.CHAMPION, agent=agent)
    layouts = places.order_by("layout").values_list("layout", flat=True)
    return [
        (layout, in_words(agent.game, layout) if layout else f"all of {in_words(agent.game)}")
        for layout in layouts
    ]


@require_GET
def download(request: HttpRequest, game: str, name: str, file: str) -> FileResponse:
    one = get_agent_for(request.user, game, name)
    if file not in files.names(one):
        raise Http404(f"{one.ref} has no file {file!r}.")
    return FileResponse((files.folder(one) / file).open("rb"), as_attachment=True, filename=f"{name}-{file}")


@require_GET
def compare(request: HttpRequest) -> HttpResponse:
    refs = list(dict.fromkeys(request.GET.getlist("agent")))
    found = {one.ref: one for one in Agent.objects.filter(ref__in=refs)}
    chosen = [found[ref] for ref in refs if ref in found]
    enough = len(chosen) in COMPARED and len({one.game for one in chosen}) == 1
    context = {
        "choices": [(one, layout_of(one)) for one in Agent.objects.filter(retired=False)],
        "mixed": len({one.game for one in chosen}) > 1,
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
    game, layout = request.POST.get("game", ""), request.POST.get("layout", "")
    reason = request.POST.get("reason", "")
    try:
        moved = promotion.roll_back(game, reason=reason, user=request.user, layout=layout)
    except promotion.Refused as error:
        messages.error(request, str(error))
    else:
        where = in_words(game, moved.layout)
        sentence = f"{moved.after.name} is champion of {where} again; new matches use it from now on."
        messages.success(request, sentence)
    return redirect("agents:gallery")
