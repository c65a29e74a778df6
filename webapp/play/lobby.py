"""What the lobby shows: partners to choose from, games to join or watch, one's own last games.

Every function here costs a fixed number of queries, however many games there are.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any

from django.db.models import Exists, OuterRef, Q

from engine import games
from engine.agents import catalogue
from engine.simulation.spec import OptionError
from webapp.accounts.models import User
from webapp.agents.models import Agent, Alias
from webapp.agents.resolve import aliases, short
from webapp.play.models import Instruction, Match, Seat
from webapp.play.setup import AGENT_PREFIX, CUSTOM, LONGEST_LAYOUT
from webapp.play.start import SURPRISE

SHOWN = 12
LAST_GAMES = 8
MOST_SEATS = {"hanabi": 5, "overcooked": 4, "arena": 20}
# What a kitchen is like, in a line under its picture.
KITCHENS = {
    "cramped_room": ("Cramped room", "One pot, little room: mind each other's way."),
    "asymmetric_advantages": ("Asymmetric advantages", "Two sides, each close to something else."),
    "coordination_ring": ("Coordination ring", "A narrow ring: walk the same way round."),
    "forced_coordination": ("Forced coordination", "One has the onions, the other the pots."),
    "counter_circuit_o_1order": ("Counter circuit", "A long way round, or hand things over the middle."),
}
EXAMPLE = """XXXPXXX
O  1  D
X     X
X  2  S
XXXOXXX"""


def most_seats(game: str) -> int:
    return MOST_SEATS[game]


def layouts(game: str) -> list[dict[str, Any]]:
    """The kitchens to choose from: [{"value", "label", "text", "rows", "players"}], the own one last; [] for
    games without.
    """
    if games.spec(game).variant is None:
        return []
    plans = import_module(f"engine.games.{game}.layouts")
    rows = [
        {"value": name, "label": KITCHENS[name][0], "text": KITCHENS[name][1], **plan(plans.layout_of(name))}
        for name in plans.CLASSIC
    ]
    own = plan(plans.layout_of(EXAMPLE))
    own |= {"value": CUSTOM, "label": "Your own", "text": "Draw a kitchen with letters.", "example": EXAMPLE}
    return [*rows, own]


def plan(layout: Any) -> dict[str, Any]:
    """{"rows", "players", "name"}: the grid as text, with start cells as digits."""
    rows = [list(row) for row in layout.grid]
    for seat, (x, y) in enumerate(layout.starts):
        rows[y][x] = str(seat + 1)
    return {
        "rows": ["".join(row) for row in rows],
        "players": len(layout.starts),
        "name": layout.name,
    }


def checked_layout(game: str, text: str) -> dict[str, Any]:
    """The plan of a layout text. Raises OptionError with a sentence."""
    if len(text) > LONGEST_LAYOUT:
        raise OptionError(f"The kitchen is longer than {LONGEST_LAYOUT} characters; make it smaller.")
    if not text.strip():
        raise OptionError("Write the kitchen that you want to cook in.")
    options = games.spec(game).validate({"layout": text.replace("\r\n", "\n").strip("\n") + "\n"})
    return plan(import_module(f"engine.games.{game}.layouts").layout_of(options["layout"]))


def partners(game: str) -> list[dict[str, Any]]:
    """What a seat's select offers beside people: aliases first, then every agent, with what its card says."""
    agents = {agent.ref: agent for agent in Agent.objects.filter(game=game, retired=False).order_by("name")}
    if games.spec(game).variant is not None:
        return _partners_by_layout(game, agents)
    rows = []
    for alias, ref in aliases(game).items():
        if ref in agents:
            rows.append(_partner(agents[ref], alias, f"{alias.capitalize()} · {agents[ref].name}"))
    rows.sort(key=lambda row: row["value"] != f"{AGENT_PREFIX}champion")
    rows += [_partner(agent, short(game, agent.ref), agent.name) for agent in agents.values()]
    return [*rows, *_surprise(rows)]


def _surprise(rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    if not rows:
        return []
    surprise = {
        "value": SURPRISE,
        "label": "Surprise me",
        "players": [2, 3, 4, 5],
        "name": "Surprise me",
        "text": "One of the agents, drawn by lot. Its name is hidden until the end.",
    }
    return [surprise]


def _partners_by_layout(game: str, agents: dict[str, Agent]) -> list[dict[str, Any]]:
    """The champion of whatever layout is chosen, then every agent with the layout that it was trained for."""
    if not agents:
        return []
    champion = {
        "value": f"{AGENT_PREFIX}champion",
        "label": "Champion of this kitchen",
        "name": "Champion",
        "players": [2, 3, 4],
        "text": "The agent that is set to be played with in the kitchen that you choose.",
        "by_layout": champions(game, agents),
    }
    rows = [champion]
    for agent in agents.values():
        kitchen = layout_label(agent.card.get("options", {}).get("layout"))
        label = f"{agent.name} · {kitchen}" if kitchen else agent.name
        rows.append(_partner(agent, short(game, agent.ref), label))
    return [*rows, *_surprise(rows)]


def champions(game: str, agents: dict[str, Agent]) -> dict[str, str]:
    """Who "champion" means on each layout, by name; "" for every other layout."""
    shipped = catalogue.aliases()
    moved = dict(Alias.objects.filter(game=game, name="champion").values_list("layout", "agent__ref"))
    named = {}
    for layout in (*KITCHENS, ""):
        key = f"{game}/{layout}/champion" if layout else f"{game}/champion"
        ref = moved.get(layout) or shipped.get(key)
        if ref in agents:
            named[layout] = agents[ref].name
    return named


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
        match.kitchen = layout_label(match.options.get("layout"))
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


def layout_label(layout: str | None) -> str:
    """What the pages call a kitchen; "" for games without."""
    if not layout:
        return ""
    return KITCHENS[layout][0] if layout in KITCHENS else "a kitchen of one's own"


def last_games(user: User, game: str) -> list[Match]:
    """The person's own games that are over, newest first, with partners and the first instruction."""
    over = Match.objects.filter(seats__user=user, game=game, status__in=[Match.FINISHED, Match.ABANDONED])
    found = over.select_related("episode").prefetch_related("seats__user", "seats__agent", "instructions")
    matches = list(found.order_by("-finished_at")[:LAST_GAMES])
    for match in matches:
        others = [seat for seat in match.seats.all() if seat.user_id != user.pk]
        match.partners = ", ".join(seat.agent.name if seat.agent else seat_label(seat) for seat in others)
        said: list[Instruction] = list(match.instructions.all())
        match.said = said[0].text if said else ""
        match.kitchen = layout_label(match.options.get("layout"))
    return matches
