"""Pages about agents: the gallery, one agent, a comparison of up to five, their files, rolling back."""

from __future__ import annotations

from collections import Counter
from typing import Any
from urllib.parse import urlencode
from uuid import UUID

from django.contrib import messages
from django.db.models import Exists, OuterRef, QuerySet, Subquery, UUIDField
from django.http import FileResponse, Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_GET, require_POST

from engine import games, language
from engine.agents.people import KIND as PEOPLE
from engine.games.pages import in_order, pages
from webapp.accounts.models import User
from webapp.accounts.roles import role_required
from webapp.agents import cards, files, promotion, verdicts
from webapp.agents.models import Agent, Alias, Promotion
from webapp.agents.resolve import badges, get_agent_for, in_words, layout_of
from webapp.annotation.access import episodes_for, marked_blindly
from webapp.annotation.views.browse import keeps_a_secret
from webapp.episodes.models import Episode
from webapp.episodes.people import told_apart
from webapp.gallery import company, comparing, lineage, moments
from webapp.lobby.listing import with_people
from webapp.matches.models import Seat
from webapp.matches.start import offered

COMPARED = range(2, 6)
AT_ONCE, ROUNDS = 100, 3  # games of an agent that are looked at before all of them are
KINDS = {"scripted": "a program", "network": "learned", "people": "plays like people"}  # for readers


@require_GET
def gallery(request: HttpRequest) -> HttpResponse:
    agents = Agent.objects.filter(retired=False).select_related("round").prefetch_related("parents")
    played = set(agents.order_by().values_list("game", flat=True).distinct())
    known = [name for name in in_order() if name in played]
    asked = request.GET.get("game")
    if asked in known:
        agents = agents.filter(game=asked)
    agents = agents.annotate(sample=_newest_game(request.user))
    by_game: dict[str, list[Agent]] = {}
    for one in agents:
        by_game.setdefault(one.game, []).append(one)
    shown = []
    open_to = set(playable(request.user).values_list("pk", flat=True))
    for game, members in by_game.items():
        worn = badges(game)
        for one in members:
            one.badges = worn.get(one.ref, [])
            one.said_kind = KINDS.get(one.kind, one.kind)
            one.score, one.people = cards.self_play(one.card), cards.people(one.card)
            one.playable = one.pk in open_to
            one.layout_scores = cards.scores_by_layout(one)
        members.sort(key=lambda one: -(one.score["mean"] if one.score else -1.0))
        shown.append({"game": game, "groups": _by_layout(members), "tree": lineage.tree(members)})
    context = {"games": shown, "known": known, "asked": asked if asked in known else ""}
    return render(request, "agents/gallery.html", context)


@require_GET
def agent(request: HttpRequest, game: str, name: str) -> HttpResponse:
    one = get_agent_for(game, name)
    layout, names = layout_of(one), dict(Agent.objects.filter(game=game).values_list("ref", "name"))
    against = cards.evaluation_of(one.card).get("against", {})
    instructed = cards.instructed(one.card, number_in(request.GET.get("told", "")))
    moved = (
        Promotion.objects.filter(game=game, layout=layout) if layout else Promotion.objects.filter(game=game)
    )
    context = {
        "agent": one,
        "playable": playable(request.user).filter(pk=one.pk).exists(),
        "badges": badges(game).get(one.ref, []),
        "layout": layout,
        "tellable": game in language.games(),
        "score_note": pages(game).score_note,
        "example": pages(game).example,
        "obeys": cards.obeys(one),
        "watched": _watched(request.user, one),
        "with_people": with_people(game, (cards.people(one.card) or {}).get("mean")),
        "evaluations": cards.evaluations(one, names),
        "verdicts": [] if one.kind == PEOPLE else verdicts.of(game, against),
        "champion_then": cards.called(against.get("champion", ""), names),
        "held_out": cards.held_out(one.card.get("held_out")),
        "here": company.with_people(one),
        "kind": KINDS.get(one.kind, one.kind),
        "curves": [curve] if (curve := cards.training_curve(one)) else [],
        "matrix": cards.action_matrix(one.card),
        "shares": cards.shares(game, {"untold": one.card.get("evaluation", {}).get("counts", {})}),
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
    one = get_agent_for(game, name)
    measured = cards.instructed(one.card, number)
    if measured is None or measured["chosen"]["number"] != number:
        raise Http404(f"{one.ref} was measured under no instruction {number}.")
    context = {
        "agent": one,
        "playable": playable(request.user).filter(pk=one.pk).exists(),
        "number": number,
        "told": measured["chosen"],
        "moments": moments.moments(one, number),
        "before": cards.action_matrix(one.card),
        "after": measured["matrix"],
    }
    return render(request, "agents/fragments/told.html", context)


def playable(user: User) -> QuerySet[Agent]:
    """Whom this person may play with by a link: admins those as well that players aren't offered."""
    return Agent.objects.filter(retired=False) if user.is_admin else offered()


def _newest_game(user: User) -> Subquery:
    """The id of the newest game of each agent that everybody may watch, without those in which it is still a
    secret to this person, or which they mark blindly; none for a friend's guest, who may watch one game.
    """
    hidden = Seat.objects.filter(match__episode=OuterRef("episode"), hidden=True, user=user, revealed_at=None)
    played = Episode.agents.through.objects.filter(agent=OuterRef("pk"), episode__status=Episode.FINISHED)
    if user.guest_of:
        played = played.none()
    shown = played.filter(episode__public=True).exclude(episode__source="first").exclude(Exists(hidden))
    shown = shown.exclude(marked_blindly(user, "episode"))
    return Subquery(shown.order_by("-pk").values("episode")[:1], output_field=UUIDField())


def _watched(user: User, agent: Agent) -> Episode | None:
    """The newest game that this person may watch and in which the agent is no secret to them: most often one
    of the last that it played.
    """
    told = episodes_for(user).filter(status=Episode.FINISHED).exclude(source="first")
    told = told.exclude(keeps_a_secret(user)).exclude(marked_blindly(user))
    played = Episode.agents.through.objects.filter(agent=agent).order_by("-pk").values_list("pk", "episode")
    for _ in range(ROUNDS):
        last: list[tuple[int, UUID]] = list(played[:AT_ONCE])
        if found := told.filter(pk__in=[episode for _, episode in last]).order_by("-started_at").first():
            return found
        if len(last) < AT_ONCE:
            return None
        played = played.filter(pk__lt=last[-1][0])
    return told.filter(agents=agent).order_by("-started_at").first()


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
    one = get_agent_for(game, name)
    if file not in files.names(one):
        raise Http404(f"{one.ref} has no file {file!r}.")
    return FileResponse((files.folder(one) / file).open("rb"), as_attachment=True, filename=f"{name}-{file}")


@require_GET
def compare(request: HttpRequest) -> HttpResponse:
    """A comparison within one game, which the chosen agents say where the address doesn't."""
    refs = list(dict.fromkeys(request.GET.getlist("agent")))
    known = list(Agent.objects.select_related("round").order_by("game", "name"))
    found = {one.ref: one for one in known}
    wanted = [found[ref] for ref in refs if ref in found]
    named = {one.game for one in wanted}
    game = request.GET.get("game", "") or (named.pop() if len(named) == 1 else "")
    open_to = [one for one in known if not one.retired and one.game in games.names()]
    if game not in {one.game for one in open_to + wanted}:
        game = ""
    context = {
        "game": game,
        "offered": _offered(open_to, wanted),
        "mixed": not game and len({one.game for one in wanted}) > 1,
        "missing": [ref for ref in refs if ref not in found],
    }
    if game:
        context |= _compared(game, [one for one in wanted if one.game == game], known)
        context["choices"] = _by_layout([one for one in open_to if one.game == game])
    return render(request, "agents/compare.html", context)


def _offered(agents: list[Agent], wanted: list[Agent]) -> list[dict[str, Any]]:
    """The games to choose from, each with those of the chosen agents that play it."""
    counts = Counter(one.game for one in agents)
    offered = []
    for game in sorted(counts, key=lambda game: games.spec(game).title):
        chosen = [one.ref for one in wanted if one.game == game]
        query = urlencode([("game", game), *(("agent", ref) for ref in chosen)])
        offered.append({"game": game, "count": counts[game], "chosen": len(chosen), "query": query})
    return offered


def _by_layout(agents: list[Agent]) -> list[tuple[str, list[Agent]]]:
    groups: dict[str, list[Agent]] = {}
    for one in sorted(agents, key=layout_of):
        groups.setdefault(layout_of(one), []).append(one)
    return list(groups.items())


def _names(agents: list[Agent]) -> list[str]:
    """Their names, those that several have with the layout that each is made for."""
    twins = Counter(one.name for one in agents)
    return told_apart(
        [
            f"{one.name}, {pages(one.game).layout_label(layout)}"
            if twins[one.name] > 1 and (layout := layout_of(one))
            else one.name
            for one in agents
        ]
    )


def _compared(game: str, chosen: list[Agent], known: list[Agent]) -> dict[str, Any]:
    """What the page shows of these agents, where they are enough to be compared."""
    if len(chosen) not in COMPARED:
        return {"chosen": chosen, "enough": False}
    names = _names(chosen)
    measured = comparing.measured(chosen, {one.ref: one.name for one in known})
    differing, alike = comparing.settings(chosen)
    curves = [
        {**curve, "name": name}
        for one, name in zip(chosen, names, strict=True)
        if (curve := cards.training_curve(one))
    ]
    return {
        "chosen": chosen,
        "enough": True,
        "names": names,
        "named": list(zip(chosen, names, strict=True)),
        "forest": comparing.forest(measured, names),
        "plots": [
            {
                "title": one.title,
                "layout": one.layout,
                "bars": cards.bars(game, list(zip(names, one.scores, strict=True))),
            }
            for one in measured
        ],
        "score_note": pages(game).score_note,
        "differing": differing,
        "alike": alike,
        "curves": curves,
    }


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
