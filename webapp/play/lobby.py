"""What the lobby shows: partners to choose from, games to join or watch, one's own last games.

Every function here costs a fixed number of queries, however many games there are.
"""

from __future__ import annotations

from collections import Counter
from typing import Any

from django.db.models import Exists, OuterRef, Q

from engine import games
from engine.agents import catalogue
from engine.games.pages import AGENT, pages
from engine.games.stories import result
from webapp.accounts.models import User
from webapp.agents.models import Agent, Alias
from webapp.agents.resolve import aliases, short
from webapp.play.host.frames import SURPRISE_NAME
from webapp.play.models import Instruction, Match, Seat
from webapp.play.results import partner_name, partner_seats
from webapp.play.start import SURPRISE

SHOWN = 12
LAST_GAMES = 8


def partners(game: str) -> list[dict[str, Any]]:
    """What a seat's select offers beside people: aliases first, then every agent, with what its card says."""
    agents = {agent.ref: agent for agent in Agent.objects.filter(game=game, retired=False).order_by("name")}
    if games.spec(game).variant is not None:
        return _partners_by_layout(game, agents)
    rows = []
    meant = aliases(game)
    for alias, ref in meant.items():
        # A candidate that was promoted is the champion alone.
        if ref in agents and (alias == "champion" or ref != meant.get("champion")):
            rows.append(_partner(agents[ref], alias, f"{alias.capitalize()} · {agents[ref].name}"))
    rows.sort(key=lambda row: row["value"] != f"{AGENT}champion")
    rows += [_partner(agent, short(game, agent.ref), agent.name) for agent in agents.values()]
    return [*rows, *_surprise(rows)]


def _surprise(rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    if not rows:
        return []
    surprise = {
        "value": SURPRISE,
        "label": "Surprise me",
        "players": [],
        "name": "Surprise me",
        "text": "One of the agents, drawn by lot. Its name is hidden until the end.",
    }
    return [surprise]


def _partners_by_layout(game: str, agents: dict[str, Agent]) -> list[dict[str, Any]]:
    """The champion of whatever layout is chosen, then every agent with the layout that it was trained for."""
    if not agents:
        return []
    champion = {
        "value": f"{AGENT}champion",
        "label": "Champion",
        "name": "Champion",
        "players": [2, 3, 4],
        "text": "The agent that is set to be played with there.",
        "by_layout": champions(game, agents),
    }
    rows = [champion]
    for agent in agents.values():
        place = layout_label(game, agent.card.get("options", {}))
        label = f"{agent.name} · {place}" if place else agent.name
        rows.append(_partner(agent, short(game, agent.ref), label))
    return [*rows, *_surprise(rows)]


def champions(game: str, agents: dict[str, Agent]) -> dict[str, str]:
    """Who "champion" means on each layout, by name; "" for every other layout."""
    shipped = catalogue.aliases()
    moved = dict(Alias.objects.filter(game=game, name="champion").values_list("layout", "agent__ref"))
    named = {}
    layouts = [one["value"] for one in pages(game).layouts()]
    for layout in (*layouts, ""):
        key = f"{game}/{layout}/champion" if layout else f"{game}/champion"
        ref = moved.get(layout) or shipped.get(key)
        if ref in agents:
            named[layout] = agents[ref].name
    return named


def _partner(agent: Agent, name: str, label: str) -> dict[str, Any]:
    card = agent.card
    score = card.get("evaluation", {}).get("self_play") or {}
    return {
        "value": AGENT + name,
        "label": label,
        "name": agent.name,
        "players": card.get("players", [2]),
        "text": card.get("description", ""),
        "explanation": card.get("explanation", ""),
        "trained": card.get("algorithm", "scripted" if agent.kind == "scripted" else ""),
        "mean": score.get("mean"),
        "stderr": score.get("stderr"),
        "episodes": score.get("episodes"),
        "url": f"/agents/{agent.ref}/",
        "layout": card.get("options", {}).get("layout", ""),
        "dynamics": card.get("options", {}).get("dynamics", ""),
    }


def open_games(user: User) -> list[Match]:
    """Games that wait for somebody or may be watched, newest first, the person's own among them."""
    mine = Exists(Seat.objects.filter(Q(user=user) | Q(copilot=user), match=OuterRef("pk")))
    waiting = Match.objects.filter(status=Match.WAITING, open_to_join=True)
    playing = Match.objects.filter(status=Match.PLAYING, open_to_watch=True)
    own = Match.objects.filter(mine, status__in=[Match.WAITING, Match.PLAYING])
    found = (waiting | playing | own).annotate(is_mine=mine).select_related("episode", "created_by")
    matches = list(
        found.prefetch_related("seats__user", "seats__agent").order_by("-is_mine", "-created_at")[:SHOWN]
    )
    for match in matches:
        seats = list(match.seats.all())
        match.title = games.spec(match.game).title
        match.place = layout_label(match.game, match.options)
        match.free = sum(seat.kind == Seat.OPEN for seat in seats)
        match.who = ", ".join(seat_label(seat, user) for seat in seats)
    return matches


def seat_label(seat: Seat, user: User | None = None) -> str:
    """What a seat is called before the end."""
    if seat.kind == Seat.OPEN:
        return "a free seat"
    if seat.hidden:
        return "a surprise agent"
    if seat.kind == Seat.AGENT:
        return seat.agent.name if seat.agent else seat.alias
    if user is not None and seat.user_id == user.pk:
        return "you"
    return seat.user.shown_name if seat.user else "somebody"


def layout_label(game: str, options: dict[str, Any]) -> str:
    """What the pages call the layout of some options; "" for games without, and where none is said."""
    if games.spec(game).variant is None or not options.get("layout"):
        return ""
    return pages(game).layout_label(options["layout"])


def last_games(user: User, game: str) -> list[Match]:
    """The person's own games that are over, newest first, with partners and the first instruction."""
    over = Match.objects.filter(seats__user=user, game=game, status__in=[Match.FINISHED, Match.ABANDONED])
    found = over.select_related("episode").prefetch_related("seats__user", "seats__agent", "instructions")
    matches = list(found.order_by("-finished_at")[:LAST_GAMES])
    for match in matches:
        seats = list(match.seats.all())
        own = next(seat.index for seat in seats if seat.user_id == user.pk)
        mates = [seats[index] for index in partner_seats(match, own)]
        secret = seats[own].revealed_at is None
        match.partners = listing(
            [SURPRISE_NAME if secret and seat.hidden else partner_name(seat) for seat in mates]
        )
        done = match.status == Match.FINISHED and match.episode is not None
        match.result = result(match.episode.ending, own) if done else ("–", "")
        said: list[Instruction] = list(match.instructions.all())
        match.said = said[0].text if said else ""
        match.place = layout_label(match.game, match.options)
    return matches


def listing(names: list[str]) -> str:
    """ "Ada, 3 × Squad", each name once."""
    return ", ".join(f"{n} × {name}" if n > 1 else name for name, n in Counter(names).items())
