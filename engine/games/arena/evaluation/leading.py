"""A ready match of the lobby as a person would play it: how often a squad wins whose leader gives orders.

Seat 0 is played by an agent like a person, who says the wheel's ready sentences when a person would: loot
to whoever lacks a weapon before the fights, help up who is down, treat wounds, go with the zone, attack whom
it sees near by, else stay close. Each goes through the same reading as what people say. The same matches are
played without a word, too, and by a leader who stands where it begins. Whom the leader has told nothing does
what agents do for people of their own accord (language/staying.py).
Not for single instructions and whether they are obeyed (obedience.py).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from engine import games, language
from engine.agents.catalogue import load
from engine.agents.policy import Policy, check_fits
from engine.evaluation.intervals import share_over_deals
from engine.games.arena import goals, hands, senses, tactics, zone
from engine.games.arena import state as s
from engine.games.arena.evaluation import squads
from engine.games.arena.language.kept import standing
from engine.games.arena.pages import PAGES
from engine.games.pages import AGENT, ME
from engine.simulation.batch import first_states, world_of
from engine.simulation.simulation import Simulation

LEADER = 0
PAUSE = 80  # ticks between two sentences: nobody says more
HURT = 50
CLOSE = 25 * s.UNIT  # within which an enemy is worth an order


@dataclass
class _Match:
    """A match under way: what the squad was told last, by seat, and when."""

    sim: Simulation
    talks: bool
    defaults: dict[int, dict[str, Any]]
    told: dict[int, dict[str, Any]] = field(default_factory=dict)
    said: dict[str, int] = field(default_factory=dict)
    at: int = -PAUSE

    def lead(self) -> None:
        """Say what the moment asks for, unless it was said already; what is done is forgotten."""
        sim = self.sim
        over = [seat for seat, program in self.told.items() if standing(sim).of(program, sim, seat).over]
        for seat in over:
            del self.told[seat]
        if not self.talks or sim.tick - self.at < PAUSE or _of(sim, LEADER, s.LIFE) != s.UP:
            return
        size = sim.options["team_size"]
        mates = [seat for seat in range(1, size) if _of(sim, seat, s.LIFE) == s.UP]
        text, aim, whom = _sentence(sim, mates)
        if not whom or all(self.told.get(seat, {}).get("said") == text for seat in whom):
            return
        reading = language.read("arena", text, {"aim": aim, "seat": LEADER})
        if reading.refused or reading.program is None:
            raise ValueError(f"{text!r} can't be read: {reading.sentence}")
        program = {**reading.program, "since_tick": sim.tick, "from_seat": LEADER, "said": text}
        for seat in whom:
            self.told[seat] = program
        self.at = sim.tick
        self.said[text] = self.said.get(text, 0) + 1

    def goals(self) -> np.ndarray:
        """What every seat was asked for: (seats, GOAL_SIZE)."""
        self.lead()
        wanted = np.zeros((self.sim.seats, goals.GOAL_SIZE), goals.GOAL_DTYPE)
        for seat, program in self.defaults.items():
            programs = [program, self.told[seat]] if seat in self.told else [program]
            wanted[seat] = language.goals("arena", programs, self.sim, seat)
        return wanted

    def follow(self, state: np.ndarray) -> None:
        """The match has come to `state` by the ticks of a decision, or fewer at its end."""
        ticks = int(state[s.TICK]) - self.sim.tick
        self.sim.follow(state)
        self.sim.actions += [[]] * (ticks - 1)


def _of(sim: Simulation, seat: int, name: int) -> int:
    return int(sim.state[int(s.player(seat)) + name])


def _sentence(sim: Simulation, mates: list[int]) -> tuple[str, dict[str, Any], list[int]]:
    """What to say now: the text, what the leader looks at, and whom it is for."""
    state, size = sim.state, sim.options["team_size"]
    seen = int(goals.known_enemy(state, LEADER, 20))
    far = senses.distance(state, LEADER, seen) if seen >= 0 else squads.LONGEST
    down = [mate for mate in range(1, size) if _of(sim, mate, s.LIFE) == s.DOWNED]
    helpers = [mate for mate in mates if int(hands.downed_mate(state, mate, 60 * s.UNIT)) >= 0]
    if seen >= 0 and far < CLOSE:
        at = {"seat": seen, "x": _of(sim, seen, s.X), "y": _of(sim, seen, s.Y)}
        return "Attack that one", at, mates
    if down and helpers:
        return "Rescue our mate", {}, helpers
    hurt = [m for m in mates if _of(sim, m, s.HP) <= HURT and _of(sim, m, s.MEDKITS) > 0]
    if hurt:
        return "Heal yourself", {}, hurt
    if any(int(tactics.zone_presses(state, mate)) > 0 for mate in mates):
        return "Rotate to the zone", {}, mates
    bare = [mate for mate in mates if not tactics.ready(state, mate)]
    if bare and not tactics.late(state):
        return "Loot", {}, bare
    inside = zone.inside(state, s.WHITE_X, _of(sim, LEADER, s.X), _of(sim, LEADER, s.Y))
    return ("Follow me" if inside else "Rotate to the zone"), {}, mates


def seated(match: str, level: str, leader: str) -> tuple[dict[str, Any], list[str]]:
    """(options, refs by seat) of a ready match of the lobby at a level ("": as it is), led by an agent.
    Raises ValueError for names that there aren't.
    """
    preset = _named(PAGES.presets, match, "match")
    options = games.spec("arena").validate(preset.options)
    size, wishes = options["team_size"], preset.wishes
    if level:
        sides = preset.sides[_named(PAGES.levels, level, "level").name]
        rivals = [side[seat % len(side)] for side in sides for seat in range(size)]
        wishes = (*wishes[:size], *rivals)
    return options, [leader if wish == ME else wish.removeprefix(AGENT) for wish in wishes]


def _named(choices: Sequence[Any], name: str, what: str) -> Any:
    chosen = next((choice for choice in choices if choice.name.lower() == name.lower()), None)
    if chosen is None:
        raise ValueError(
            f"There is no {what} {name!r}; there are {', '.join(choice.name for choice in choices)}."
        )
    return chosen


def led(players: list[Policy], options: dict[str, Any], matches: int = 40, seed: int = 1) -> dict[str, Any]:
    """Matches of these players by seat, the first of whom leads, with orders, without a word, and without
    doing anything: {"orders" | "silent" | "idle": {"wins", "interval", "places": share by place, "seconds":
    {"mean", "median", "p10", "p90"}, "said": {text: times a match}, "did": what a mate did, on average}}.

    Raises Refusal.
    """
    complete = games.spec("arena").validate(dict(options))
    for player in players:
        check_fits(player, "arena", complete)
    result: dict[str, Any] = {
        "game": "arena",
        "players": [player.name for player in players],
        "options": complete,
        "matches": matches,
        "seed": seed,
    }
    stands = [load("arena/idle", "arena"), *players[1:]]
    for name, cast in (("orders", players), ("silent", players), ("idle", stands)):
        result[name] = _result(_play(cast, complete, matches, seed, name == "orders"), complete)
    return result


def _play(
    players: list[Policy], options: dict[str, Any], matches: int, seed: int, talks: bool
) -> list[_Match]:
    spec = games.spec("arena")
    world = world_of(spec, options)
    states = first_states(spec, options, matches, seed)
    squads.begin(states, world)
    defaults = language.defaults("arena", options, [LEADER])
    led_by = [_Match(Simulation.at("arena", options, state), talks, defaults) for state in states]
    mine = [
        (player, np.array([[player is other for other in players]] * matches))
        for player in dict.fromkeys(players)
    ]
    squads.play(
        *(states, world, mine, np.random.default_rng(seed)),
        asked=lambda row: led_by[row].goals(),
        after=lambda row: led_by[row].follow(states[row]),
    )
    return led_by


def _result(matches: list[_Match], options: dict[str, Any]) -> dict[str, Any]:
    states = np.stack([match.sim.state for match in matches])
    teams, size = options["teams"], options["team_size"]
    won = states[:, s.WINNER] == 0
    places = np.bincount(states[:, s.TEAM_PLACE], minlength=teams + 1)[1 : teams + 1]
    share = share_over_deals(won, np.ones(len(matches)))
    mates = [int(s.player(seat)) for seat in range(1, size)]
    did = {
        name: float(states[:, [at + of for at in mates]].mean()) if mates else 0.0
        for name, of in {"loots": s.LOOTS, "heals": s.HEALS, "rescues": s.RESCUES, "kills": s.KILLS}.items()
    }
    times_of: dict[str, float] = {}
    for match in matches:
        for text, times in match.said.items():
            times_of[text] = times_of.get(text, 0) + times / len(matches)
    return {
        "wins": share["share"],
        "interval": share["interval"],
        "places": (places / len(matches)).round(3).tolist(),
        "seconds": squads.seconds(states),
        "said": {text: round(times, 2) for text, times in times_of.items()},
        "did": did,
    }


def lines(result: dict[str, Any]) -> list[str]:
    """The result for people."""
    texts = [f"{result['players'][0]} leads {result['players'][1]}, {result['matches']} matches"]
    for name in ("orders", "silent", "idle"):
        row, seconds = result[name], result[name]["seconds"]
        low, high = row["interval"]
        texts.append(
            f"{name:<7}: wins {row['wins']:.0%} (95 %: {low:.0%} to {high:.0%}); {seconds['median']:.0f} s "
            f"as the median, {seconds['p10']:.0f} to {seconds['p90']:.0f} s in eight of ten; a mate took "
            f"{row['did']['loots']:.1f} things, treated itself {row['did']['heals']:.1f} times, helped up "
            f"{row['did']['rescues']:.1f}"
        )
    return texts
