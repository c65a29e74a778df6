"""A match of Arena that is over, told to whoever played in it or watched: squads, places, deeds.

A seat's result is its squad's, whoever of the squad is still on their feet. Not for single ticks (words.py).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from engine.games.arena import state as s
from engine.games.arena.teams import team_name

if TYPE_CHECKING:
    from engine.games.stories import Ending
    from engine.simulation.simulation import Simulation

# Matches compare by how many squads of which size there were.
ALIKE = ("teams", "team_size")
SOON = 60 * s.TICKS_PER_SECOND
"""Within this many ticks a match is lost at once."""


def outcomes(view: dict[str, Any]) -> list[int]:
    """The place of each seat's squad; 0 of one that is still in. Squads that go in one tick share theirs."""
    return [place for place in view["places"] for _ in range(view["team_size"])]


def headline(end: Ending, seat: int | None) -> str:
    """ "Your squad came in 2nd of 5" """
    size, teams = end.options["team_size"], end.options["teams"]
    if not end.outcomes:  # of a log that came from elsewhere
        return "The match is over"
    first = _first(end)
    if seat is None:
        return "A draw: nobody is left" if len(first) > 1 else f"The {team_name(first[0])} squad won"
    who = "Your squad" if size > 1 else "You"
    place = end.outcomes[seat]
    if place > 1:
        return f"{who} came in {ordinal(place)} of {teams}"
    if len(first) > 1:
        return "A draw: nobody is left"
    return f"{who} {'is' if size > 1 else 'are'} the last one standing"


def result(end: Ending, seat: int | None) -> tuple[str, str]:
    """("2nd", "of 5 squads"); for somebody who watched, ("Blue circle", "won")."""
    size, teams = end.options["team_size"], end.options["teams"]
    if not end.outcomes:
        return "–", ""
    first = _first(end)
    if seat is None:
        if not end.finished:
            return "–", ""
        name = team_name(first[0])
        return ("Draw", "") if len(first) > 1 else (f"{name[0].upper()}{name[1:]}", "won")
    of = f"of {teams} squads" if size > 1 else f"of {teams}"
    place = end.outcomes[seat]
    if not place:
        return "–", "still in"
    return ("Draw" if place == 1 and len(first) > 1 else ordinal(place)), of


def worth(end: Ending, seat: int) -> float:
    """1 for a victory, 0 for everything else."""
    return float(bool(end.outcomes) and end.outcomes[seat] == 1 and len(_first(end)) == 1)


def compared(now: float, earlier: Sequence[float]) -> str:
    """How many matches like this one were won."""
    matches = len(earlier) + 1
    if matches == 1:
        return "Your first finished match of this kind."
    won = round(now + sum(earlier))
    return f"You have won {won} of {matches} matches of this kind."


def usually(name: str, mean: float, games: int | None, whom: str) -> str:
    """How many matches an agent's squad has won."""
    return f"{name} has won {round(mean * (games or 0))} of {games or 0} matches with {whom}."


def detail(state: np.ndarray, seat: int) -> str:
    """ "You put 2 out, knocked 1 down and helped 1 mate up." """
    deeds = _deeds(state, seat)
    return f"You {_listing(deeds)}." if deeds else "You put nobody out and knocked nobody down."


def advice(end: Ending, last: Simulation, seat: int | None) -> tuple[str, str] | None:
    """A match in which the reader's squad was the first to go, or went without having hit anybody."""
    if seat is None or not end.outcomes or not last.tick:
        return None
    state, size = last.state, end.options["team_size"]
    place, teams = end.outcomes[seat], end.options["teams"]
    mates = range(seat // size * size, (seat // size + 1) * size)
    dealt = sum(int(state[s.player(mate) + s.DEALT]) for mate in mates)
    at_once = place == teams and (teams > 2 or last.tick < SOON)
    if place < 2 or dealt and not at_once:
        return None
    who, was = ("Your squad", "was") if size > 1 else ("You", "were")
    went = f"{who} {was} the first to go" if teams > 2 and at_once else f"{who} lost after {clock(last.tick)}"
    return f"{went}{'' if dealt else ' and hit nobody'}.", _tip(state, seat, size)


def _tip(state: np.ndarray, seat: int, size: int) -> str:
    """Advice for the reader, by what went wrong."""
    at = s.player(seat)
    if int(state[at + s.HIT_BY]) == s.ZONE_HIT:
        return "Keep inside of the circle on the map: outside of it everybody loses health all the time."
    if not int(state[at + s.LOOTS]):
        return "Pick something up before the first fight: weapons, bullets and vests lie in and near houses."
    if not int(state[at + s.SHOTS]):
        return "Shoot back: hold still for a moment and aim along the sights; near walls you are hit less."
    if size > 1:
        return (
            "Keep near your mates, who can help you up when you are down; tell them “stay close to "
            "me” before the fight."
        )
    return "Look for cover first, and let the others fight: whoever comes last to a fight wins it."


def story(moments: Iterable[Simulation], names: Sequence[str], seat: int | None) -> str:
    """Who won and when, how it ended for the reader, and what the reader and their mates did."""
    last, fallen = None, {}
    for last in moments:
        fallen |= {event["other"]: event for event in last.events if event["kind"] == "kill"}
        last.events.clear()  # every step that somebody made is one
    if last is None:
        return ""
    view = last.view(None)
    sentences = [_ended(view, names, seat)]
    if seat is not None:
        sentences.append(_own(last.state, seat, fallen, names, view["over"]))
        size = view["team_size"]
        mates = [mate for mate in range(seat // size * size, (seat // size + 1) * size) if mate != seat]
        sentences += [_mate(last.state, mate, fallen, names[mate]) for mate in mates]
    return " ".join(sentences)


def _ended(view: dict[str, Any], names: Sequence[str], seat: int | None) -> str:
    size, when = view["team_size"], clock(view["tick"])
    mine, sides = None if seat is None else seat // size, "squads" if size > 1 else "players"
    who = ["you" if number == seat else name for number, name in enumerate(names)]
    members = {team: _listing(who[team * size : team * size + size]) for team in range(view["teams"])}
    if not view["over"]:
        return (
            f"After {when}, {view['teams_left']} of {view['teams']} {sides} were left{_so_far(view, mine)}."
        )
    if view["winner"] is None:
        gone = [members[team] for team, place in enumerate(view["places"]) if place == 1]
        return f"After {when}, the last {len(gone)} {sides} went down in the same moment: {' – '.join(gone)}."
    winner = view["winner"]
    if winner == mine:
        up = sum(player["life"] == "up" for player in view["players"] if player["team"] == mine)
        return f"You won after {when}" + (f", with {_of(up, size)} still on their feet." if size > 1 else ".")
    if size == 1:
        return f"{members[winner]} won after {when}."
    return f"The {team_name(winner)} squad ({members[winner]}) won after {when}."


def _so_far(view: dict[str, Any], team: int | None) -> str:
    """How the reader's squad stood in a match that was left."""
    if team is None:
        return ""
    place, size = view["places"][team], view["team_size"]
    if place:
        return f"; {'yours' if size > 1 else 'you'} had come in {ordinal(place)}"
    up = sum(player["life"] == "up" for player in view["players"] if player["team"] == team)
    return f", yours among them with {_of(up, size)} on their feet" if size > 1 else ", you among them"


def _of(number: int, size: int) -> str:
    """ "2 of 4", "all 4" """
    return f"all {size}" if number == size else f"{number} of {size}"


def _own(state: np.ndarray, seat: int, fallen: dict[int, Any], names: Sequence[str], over: bool) -> str:
    how_far = detail(state, seat)
    if seat in fallen:
        by, when = fallen[seat]["seat"], clock(fallen[seat]["tick"])
        how = "You went out" if by is None else f"{names[by]} put you out"
        return f"{how_far} {how} at {when}."
    if int(state[s.player(seat) + s.LIFE]) == s.DOWNED:
        return f"{how_far} You were down {'at the end' if over else 'just then'}."
    return how_far


def _mate(state: np.ndarray, mate: int, fallen: dict[int, Any], name: str) -> str:
    deeds = _deeds(state, mate)
    out = f"went out at {clock(fallen[mate]['tick'])}" if mate in fallen else ""
    return f"{name} {_listing([*deeds, *([out] if out else [])]) or 'put nobody out'}."


def _deeds(state: np.ndarray, seat: int) -> list[str]:
    """The noteworthy things that a player did, as verbs."""
    at = s.player(seat)
    kills, knocks, rescues, loots = (int(state[at + f]) for f in (s.KILLS, s.KNOCKS, s.RESCUES, s.LOOTS))
    return [
        text
        for number, text in (
            (kills, f"put {kills} out"),
            (knocks, f"knocked {knocks} down"),
            (rescues, f"helped mates up {_times(rescues)}"),
            (loots, f"picked up {loots} {'thing' if loots == 1 else 'things'}"),
        )
        if number
    ]


def _first(end: Ending) -> list[int]:
    """The teams in the first place: one that won, several of a draw, none while two are in."""
    size = end.options["team_size"]
    return [seat // size for seat in range(0, len(end.outcomes), size) if end.outcomes[seat] == 1]


def _times(number: int) -> str:
    return {1: "once", 2: "twice"}.get(number, f"{number} times")


def _listing(parts: list[str]) -> str:
    return parts[0] if len(parts) == 1 else f"{', '.join(parts[:-1])} and {parts[-1]}" if parts else ""


def clock(ticks: int) -> str:
    """m:ss"""
    seconds = ticks // s.TICKS_PER_SECOND
    return f"{seconds // 60}:{seconds % 60:02d}"


def ordinal(number: int) -> str:
    """ "1st", "2nd", "11th" """
    last = 0 if number % 100 // 10 == 1 else number % 10
    return f"{number}{ {1: 'st', 2: 'nd', 3: 'rd'}.get(last, 'th') }"
