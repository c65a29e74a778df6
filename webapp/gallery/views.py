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
from engine.refusal import Refusal
from webapp.accounts.models import User
from webapp.accounts.roles import role_required
from webapp.agents import cards, files, promotion, verdicts
from webapp.agents.models import Agent, Alias, Promotion
from webapp.agents.resolve import badges, get_agent_for, in_words, layout_of
from webapp.annotation.access import episodes_for, marked_blindly
from webapp.annotation.views.browse import keeps_a_secret
from webapp.common.inputs import whole
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
    for agent in agents:
        by_game.setdefault(agent.game, []).append(agent)
    shown = []
    open_to = set(playable(request.user).values_list("pk", flat=True))
    for game, members in by_game.items():
        worn = badges(game)
        for agent in members:
            agent.badges = worn.get(agent.ref, [])
            agent.said_kind = KINDS.get(agent.kind, agent.kind)
            agent.score, agent.people = cards.self_play(agent.card), cards.people(agent.card)
            agent.playable = agent.pk in open_to
            agent.layout_scores = cards.scores_by_layout(agent)
        members.sort(key=lambda member: -(member.score["mean"] if member.score else -1.0))
        shown.append({"game": game, "groups": _by_layout(members), "tree": lineage.tree(members)})
    context = {"games": shown, "known": known, "asked": asked if asked in known else ""}
    return render(request, "agents/gallery.html", context)


@require_GET
def agent(request: HttpRequest, game: str, name: str) -> HttpResponse:
    shown = get_agent_for(game, name)
    layout, names = layout_of(shown), dict(Agent.objects.filter(game=game).values_list("ref", "name"))
    against = cards.evaluation_of(shown.card).get("against", {})
    instructed = cards.instructed(shown.card, whole(request.GET.get("told")) or 0)
    moved = (
        Promotion.objects.filter(game=game, layout=layout) if layout else Promotion.objects.filter(game=game)
    )
    context = {
        "agent": shown,
        "playable": playable(request.user).filter(pk=shown.pk).exists(),
        "badges": badges(game).get(shown.ref, []),
        "layout": layout,
        "tellable": game in language.games(),
        "score_note": pages(game).score_note,
        "example": pages(game).example,
        "obeys": cards.obeys(shown),
        "watched": _watched(request.user, shown),
        "with_people": with_people(game, (cards.people(shown.card) or {}).get("mean")),
        "evaluations": cards.evaluations(shown, names),
        "verdicts": [] if shown.kind == PEOPLE else verdicts.of(game, against),
        "champion_then": cards.called(against.get("champion", ""), names),
        "held_out": cards.held_out(shown.card.get("held_out")),
        "here": company.with_people(shown),
        "kind": KINDS.get(shown.kind, shown.kind),
        "curves": [curve] if (curve := cards.training_curve(shown)) else [],
        "matrix": cards.action_matrix(shown.card),
        "shares": cards.shares(game, {"untold": shown.card.get("evaluation", {}).get("counts", {})}),
        "instructed": instructed,
        "moments": moments.moments(shown, instructed["chosen"]["number"]) if instructed else [],
        "policy_table": shown.card.get("evaluation", {}).get("policy_table"),
        "facts": cards.facts(shown.card),
        "hyperparameters": cards.hyperparameters(shown.card),
        "explanation": cards.explanation(shown.card),
        "tree": lineage.around(shown),
        "behind": lineage.behind(shown),
        "promotions": moved.select_related("before", "after", "user")[:20],
        "champion_of": champion_of(shown),
        "files": files.names(shown),
    }
    return render(request, "agents/agent.html", context)


@require_GET
def told(request: HttpRequest, game: str, name: str, number: int) -> HttpResponse:
    """What one measured instruction changes, for the lobby to show beside it."""
    agent = get_agent_for(game, name)
    measured = cards.instructed(agent.card, number)
    if measured is None or measured["chosen"]["number"] != number:
        raise Http404(f"{agent.ref} was measured under no instruction {number}.")
    context = {
        "agent": agent,
        "number": number,
        "told": measured["chosen"],
        "moments": moments.moments(agent, number),
        "before": cards.action_matrix(agent.card),
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
    episodes = episodes_for(user).filter(status=Episode.FINISHED).exclude(source="first")
    episodes = episodes.exclude(keeps_a_secret(user)).exclude(marked_blindly(user))
    played = Episode.agents.through.objects.filter(agent=agent).order_by("-pk").values_list("pk", "episode")
    for _ in range(ROUNDS):
        last: list[tuple[int, UUID]] = list(played[:AT_ONCE])
        if game := episodes.filter(pk__in=[episode for _, episode in last]).order_by("-started_at").first():
            return game
        if len(last) < AT_ONCE:
            return None
        played = played.filter(pk__lt=last[-1][0])
    return episodes.filter(agents=agent).order_by("-started_at").first()


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
    agent = get_agent_for(game, name)
    if file not in files.names(agent):
        raise Http404(f"{agent.ref} has no file {file!r}.")
    content = (files.folder(agent) / file).open("rb")
    return FileResponse(content, as_attachment=True, filename=f"{name}-{file}")


@require_GET
def compare(request: HttpRequest) -> HttpResponse:
    """A comparison within one game, which the chosen agents say where the address doesn't."""
    refs = list(dict.fromkeys(request.GET.getlist("agent")))
    known = list(Agent.objects.select_related("round").order_by("game", "name"))
    by_ref = {agent.ref: agent for agent in known}
    wanted = [by_ref[ref] for ref in refs if ref in by_ref]
    named = {agent.game for agent in wanted}
    game = request.GET.get("game", "") or (named.pop() if len(named) == 1 else "")
    open_to = [agent for agent in known if not agent.retired and agent.game in games.names()]
    if game not in {agent.game for agent in open_to + wanted}:
        game = ""
    context = {
        "game": game,
        "offered": _offered(open_to, wanted),
        "mixed": not game and len({agent.game for agent in wanted}) > 1,
        "missing": [ref for ref in refs if ref not in by_ref],
    }
    if game:
        context |= _compared(game, [agent for agent in wanted if agent.game == game], known)
        context["choices"] = _by_layout([agent for agent in open_to if agent.game == game])
    return render(request, "agents/compare.html", context)


def _offered(agents: list[Agent], wanted: list[Agent]) -> list[dict[str, Any]]:
    """The games to choose from, each with those of the chosen agents that play it."""
    counts = Counter(agent.game for agent in agents)
    offered = []
    for game in sorted(counts, key=lambda game: games.spec(game).title):
        chosen = [agent.ref for agent in wanted if agent.game == game]
        query = urlencode([("game", game), *(("agent", ref) for ref in chosen)])
        offered.append({"game": game, "count": counts[game], "chosen": len(chosen), "query": query})
    return offered


def _by_layout(agents: list[Agent]) -> list[tuple[str, list[Agent]]]:
    groups: dict[str, list[Agent]] = {}
    for agent in sorted(agents, key=layout_of):
        groups.setdefault(layout_of(agent), []).append(agent)
    return list(groups.items())


def _names(agents: list[Agent]) -> list[str]:
    """Their names, those that several have with the layout that each is made for."""
    twins = Counter(agent.name for agent in agents)
    return told_apart(
        [
            f"{agent.name}, {pages(agent.game).layout_label(layout)}"
            if twins[agent.name] > 1 and (layout := layout_of(agent))
            else agent.name
            for agent in agents
        ]
    )


def _compared(game: str, chosen: list[Agent], known: list[Agent]) -> dict[str, Any]:
    """What the page shows of these agents, where they are enough to be compared."""
    if len(chosen) not in COMPARED:
        return {"chosen": chosen, "enough": False}
    names = _names(chosen)
    measured = comparing.measured(chosen, {agent.ref: agent.name for agent in known})
    differing, alike = comparing.settings(chosen)
    curves = [
        {**curve, "name": name}
        for agent, name in zip(chosen, names, strict=True)
        if (curve := cards.training_curve(agent))
    ]
    return {
        "chosen": chosen,
        "enough": True,
        "names": names,
        "named": list(zip(chosen, names, strict=True)),
        "forest": comparing.forest(measured, names),
        "plots": [
            {
                "title": row.title,
                "layout": row.layout,
                "bars": cards.bars(game, list(zip(names, row.scores, strict=True))),
            }
            for row in measured
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
    except Refusal as error:
        messages.error(request, str(error))
    else:
        where = in_words(game, moved.layout)
        sentence = f"{moved.after.name} is champion of {where} again; new matches use it from now on."
        messages.success(request, sentence)
    return redirect("agents:gallery")
