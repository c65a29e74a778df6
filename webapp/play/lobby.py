"""What the lobby shows: partners to choose from, games to join or watch, one's own last games.

Every function here costs a fixed number of queries, however many games there are.
"""

from __future__ import annotations

from typing import Any

from django.db.models import Exists, OuterRef

from webapp.accounts.models import User
from webapp.agents.models import Agent
from webapp.agents.resolve import aliases, short
from webapp.play.models import Instruction, Match, Seat
from webapp.play.setup import AGENT_PREFIX
from webapp.play.start import SURPRISE

SHOWN = 12
LAST_GAMES = 8


def partners(game: str) -> list[dict[str, Any]]:
    """What a seat's select offers beside people: aliases first, then every agent, with what its card says."""
    agents = {agent.ref: agent for agent in Agent.objects.filter(game=game, retired=False).order_by("name")}
    rows = []
    for alias, ref in aliases(game).items():
        if ref in agents:
            rows.append(_partner(agents[ref], alias, f"{alias.capitalize()} · {agents[ref].name}"))
    rows.sort(key=lambda row: row["value"] != f"{AGENT_PREFIX}champion")
    rows += [_partner(agent, short(game, agent.ref), agent.name) for agent in agents.values()]
    if rows:
        surprise = {
            "value": SURPRISE,
            "label": "Surprise me",
            "players": [2, 3, 4, 5],
            "name": "Surprise me",
            "text": "One of the agents, drawn by lot. Its name is hidden until the end.",
        }
        rows.append(surprise)
    return rows


def _partner(agent: Agent, name: str, label: str) -> dict[str, Any]:
    card = agent.card
    score = card.get("evaluation", {}).get("self_play", {})
    return {
        "value": AGENT_PREFIX + name,
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
    }


def open_games(user: User) -> list[Match]:
    """Games that wait for somebody or may be watched, newest first, the person's own among them."""
    mine = Exists(Seat.objects.filter(match=OuterRef("pk"), user=user))
    waiting = Match.objects.filter(status=Match.WAITING, open_to_join=True)
    playing = Match.objects.filter(status=Match.PLAYING, open_to_watch=True)
    own = Match.objects.filter(mine, status__in=[Match.WAITING, Match.PLAYING])
    found = (waiting | playing | own).annotate(is_mine=mine).select_related("episode", "created_by")
    matches = list(
        found.prefetch_related("seats__user", "seats__agent").order_by("-is_mine", "-created_at")[:SHOWN]
    )
    for match in matches:
        seats = list(match.seats.all())
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


def last_games(user: User) -> list[Match]:
    """The person's own games that are over, newest first, with partners and the first instruction."""
    over = Match.objects.filter(seats__user=user, status__in=[Match.FINISHED, Match.ABANDONED])
    found = over.select_related("episode").prefetch_related("seats__user", "seats__agent", "instructions")
    matches = list(found.order_by("-finished_at")[:LAST_GAMES])
    for match in matches:
        others = [seat for seat in match.seats.all() if seat.user_id != user.pk]
        match.partners = ", ".join(seat.agent.name if seat.agent else seat_label(seat) for seat in others)
        said: list[Instruction] = list(match.instructions.all())
        match.said = said[0].text if said else ""
    return matches
