"""The lobby's lists: partners to choose from, games to join or watch, the person's last games.

Every function here costs a fixed number of queries, however many games there are.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import timedelta
from types import MappingProxyType
from typing import Any

from django.db.models import Exists, OuterRef, Q, prefetch_related_objects
from django.utils import timezone

from engine import games
from engine.agents import catalogue
from engine.games.pages import AGENT, pages
from engine.games.stories import counted, result
from engine.refusal import Refusal
from webapp.accounts.models import User
from webapp.agents.cards import evaluation_of
from webapp.agents.models import Agent, Alias
from webapp.agents.resolve import aliases, place, resolve, short
from webapp.episodes.people import SURPRISE_NAME, listing, told_apart
from webapp.matches.models import Instruction, Match, Seat
from webapp.matches.results import partner_name, partner_seats
from webapp.matches.start import DULL, SURPRISE, offered, variant_of

SHOWN = 12
OWN = 3  # of these, games of one's own
JUST_BEGUN = timedelta(minutes=1)  # in which its players come to a new table
LAST_GAMES = 8


def partners(game: str, asked: str = "") -> list[dict[str, Any]]:
    """Who may sit in a seat beside people: what aliases mean first, then every agent that is offered, with
    what its card says. Each is a row of the seat's select and a card to choose from; `means` is the row whose
    agent an alias means (by layout, where the game has some: "" for every other layout). `asked`: the ref of
    one that an admin asks for, offered or not.
    """
    known = Agent.objects.filter(game=game, retired=False).order_by("name")
    agents = {agent.ref: agent for agent in known.filter(Q(pk__in=offered()) | Q(ref=asked))}
    entries = [_partner(agent, short(game, agent.ref)) for agent in agents.values()]
    if not entries:
        return []
    if games.spec(game).variant is not None:
        return [_champion_of_layouts(game, agents), *entries, SURPRISE_ROW]
    rows = []
    meant = aliases(game)
    for alias, ref in meant.items():
        # Who was promoted is the champion alone.
        if ref in agents and (alias == "champion" or ref != meant.get("champion")):
            label = f"{alias.capitalize()} · {agents[ref].name}"
            means = {"": AGENT + short(game, ref)}
            rows.append({**_partner(agents[ref], alias), "label": label, "alias": alias, "means": means})
    rows.sort(key=lambda row: row["alias"] != "champion")
    return [*rows, *entries, SURPRISE_ROW]


SURPRISE_ROW = {
    "value": SURPRISE,
    "label": "Surprise me",
    "players": [],
    "name": "Surprise me",
    "text": "One of the agents, drawn by lot. Its name is hidden until the end.",
}


def _champion_of_layouts(game: str, agents: dict[str, Agent]) -> dict[str, Any]:
    """The champion of whatever layout is chosen."""
    return {
        "value": f"{AGENT}champion",
        "label": "Champion",
        "name": "Champion",
        "alias": "champion",
        "players": sorted({number for agent in agents.values() for number in agent.card.get("players", [2])}),
        "text": "The agent that is set for this match.",
        "means": {layout: AGENT + short(game, ref) for layout, ref in champions(game, agents).items()},
    }


def champions(game: str, agents: dict[str, Agent]) -> dict[str, str]:
    """The ref that "champion" means on each layout; "" for every other layout."""
    shipped = catalogue.aliases()
    moved = dict(Alias.objects.filter(game=game, name="champion").values_list("layout", "agent__ref"))
    best = {}
    for layout in (*(layout["value"] for layout in pages(game).layouts()), ""):
        key = f"{game}/{layout}/champion" if layout else f"{game}/champion"
        ref = moved.get(layout) or shipped.get(key)
        if ref in agents:
            best[layout] = ref
    return best


def _partner(agent: Agent, name: str) -> dict[str, Any]:
    card = agent.card
    evaluation = evaluation_of(card)
    score, people = evaluation.get("self_play") or {}, evaluation.get("people") or {}
    where = place(agent.game, card.get("options", {}))
    return {
        "value": AGENT + name,
        "label": f"{agent.name} · {where}" if where else agent.name,
        "name": agent.name,
        "ref": agent.ref,
        # Not who one would want to play with first.
        "odd": agent.kind == "people" or short(agent.game, agent.ref).startswith(DULL),
        "players": card.get("players", [2]),
        "text": card.get("description", ""),
        "explanation": card.get("explanation", ""),
        "trained": card.get("algorithm", "scripted" if agent.kind == "scripted" else ""),
        "mean": score.get("mean"),
        "stderr": score.get("stderr"),
        "episodes": score.get("episodes"),
        "people": people.get("mean"),
        "with_people": with_people(agent.game, people.get("mean")),
        "url": f"/agents/{agent.ref}/",
        "layout": card.get("options", {}).get("layout", ""),
        "dynamics": card.get("options", {}).get("dynamics", ""),
    }


def with_people(game: str, mean: float | None) -> str:
    """An agent's score with the human proxy, in a few words; "" where it wasn't measured."""
    if mean is None:
        return ""
    if games.spec(game).side is not None:
        return f"Wins {mean:.0f} of 100 matches with a simulated person"
    return f"About {counted(round(mean), 'point')} with a simulated person"


def open_games(user: User) -> list[Match]:
    """Games that wait for somebody or may be watched, newest first, before them the person's own last ones.
    Where nobody has been for a while there is nothing to watch, and of own games a few are enough.
    """
    mine = Exists(Seat.objects.filter(Q(user=user) | Q(copilot=user), match=OuterRef("pk")))
    left = Exists(Seat.objects.filter(user=user, left_at__isnull=False, match=OuterRef("pk")))
    opened = Match.objects.filter(status__in=[Match.WAITING, Match.PLAYING]).exclude(left)
    opened = opened.annotate(is_mine=mine).select_related("episode", "created_by").order_by("-created_at")
    now = timezone.now()
    played = Q(lease_until__gt=now) | Q(lease_until=None, started_at__gt=now - JUST_BEGUN)
    waiting = Q(status=Match.WAITING, open_to_join=True)
    playing = Q(status=Match.PLAYING, open_to_watch=True) & played
    theirs = list(opened.filter(is_mine=True)[:OWN])
    matches = [*theirs, *opened.filter(waiting | playing, is_mine=False)[: SHOWN - len(theirs)]]
    prefetch_related_objects(matches, "seats__user", "seats__agent")
    names = wished_names(matches)
    for match in matches:
        seats = list(match.seats.all())
        match.title = games.spec(match.game).title
        match.place = place(match.game, match.options)
        match.free = sum(seat.kind == Seat.OPEN for seat in seats)
        match.who = listing([seat_label(seat, user, names) for seat in seats])
    return matches


def seat_label(seat: Seat, user: User | None = None, names: Mapping[str, str] = MappingProxyType({})) -> str:
    """The name of a seat before the end; `names`: those of agents by ref, where they aren't seated yet."""
    if seat.kind == Seat.OPEN:
        return "a free seat"
    if seat.hidden:
        return "a surprise agent"
    if seat.kind == Seat.AGENT:
        wished = f"{seat.match.game}/{seat.alias}"
        return seat.agent.name if seat.agent else names.get(wished, f"the {seat.alias}")
    if user is not None and seat.user_id == user.pk:
        return "you"
    return seat.user.shown_name if seat.user else "somebody"


def called(match: Match, user: User | None = None) -> list[str]:
    """The names of a match's seats before it begins: as at its table, twins with their numbers."""
    seats = list(match.seats.all())
    wished = {seat.alias for seat in seats if seat.kind == Seat.AGENT and not (seat.agent_id or seat.hidden)}
    names = {f"{match.game}/{alias}": _meant(match, alias) for alias in wished}
    labels = [seat_label(seat, user, names) for seat in seats]
    apart = told_apart(labels)
    return [labels[n] if seat.kind == Seat.OPEN else apart[n] for n, seat in enumerate(seats)]


def _meant(match: Match, alias: str) -> str:
    """The name of the agent that will be seated for an alias or a ref, as far as it is known."""
    try:
        return resolve(match.game, alias, variant_of(match.game, match.options), match.options).name
    except Refusal:
        return f"the {alias}"


def wished_names(matches: Iterable[Match]) -> dict[str, str]:
    """The names of agents that were asked for and aren't seated yet, by ref; one query."""
    wished = {
        f"{match.game}/{seat.alias}"
        for match in matches
        for seat in match.seats.all()
        if seat.kind == Seat.AGENT and seat.agent_id is None
    }
    return dict(Agent.objects.filter(ref__in=wished).values_list("ref", "name"))


def last_games(user: User, game: str) -> list[Match]:
    """The person's own games that are over, newest first, with partners and the first instruction."""
    done = [Match.FINISHED, Match.ABANDONED]
    over = Match.objects.filter(seats__user=user, game=game, is_first=False, status__in=done)
    ended = over.select_related("episode").prefetch_related("seats__user", "seats__agent", "instructions")
    matches = list(ended.order_by("-finished_at")[:LAST_GAMES])
    for match in matches:
        seats = list(match.seats.all())
        own_seat = next(seat.index for seat in seats if seat.user_id == user.pk)
        mates = [seats[index] for index in partner_seats(match, own_seat)]
        secret = seats[own_seat].revealed_at is None
        match.partners = listing(
            [SURPRISE_NAME if secret and seat.hidden else partner_name(seat) for seat in mates]
        )
        done = match.status == Match.FINISHED and match.episode is not None
        match.result = result(match.episode.ending, own_seat) if done else ("–", "")
        instructions: list[Instruction] = list(match.instructions.all())
        match.instruction = instructions[0].text if instructions else ""
        match.place = place(match.game, match.options)
    return matches
