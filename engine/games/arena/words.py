"""Arena in words: what happened, what a seat sees, what an action would do and why it can't be done.

Sentences for people call the seats Player 1, Player 2, …, and the reader "you"; the texts for language models
say "I" and, as in the OpenContra paper (Appendix B), use words for quantities (`abstraction`) rather than
numbers. Not for reading what people type (engine.language).
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from engine.games.arena import abstraction, hands, hearing, rules, zone
from engine.games.arena import state as s
from engine.games.arena.angles import wrap
from engine.games.arena.options import map_seed, record_problem
from engine.games.arena.world import make_map

WEAPONS = ("no weapon", "pistol", "submachine gun", "rifle", "shotgun", "sniper rifle")
SUPPLIES = ("", *WEAPONS[1:], "bullets", "medical kit", "vest")
STANCES = ("standing", "crouching", "lying", "sliding", "lying on the ground")
MOVES: tuple[str, ...] = ("ahead", "half to the right", "to the right", "back to the right", "back")
MOVES += ("back to the left", "to the left", "half to the left")
BODY: tuple[str, ...] = (
    "slide",
    "stop",
    "crouch or get up",
    "run",
    "jump",
    "lie down or get up",
    "use the door",
)
BODY += ("help a teammate up", "walk")
BASIC: tuple[str, ...] = (
    "fire",
    "reload",
    "treat my wounds",
    "pick up what lies here",
    "drop my weapon",
    "stop and fire",
)
BASIC += ("stop, aim and fire",)
HEARD = {
    s.SHOT: "a shot",
    s.HIT: "somebody being hit",
    s.KNOCK: "somebody fall",
    s.DOOR_EVENT: "a door",
    s.PICKED: "somebody pick something up",
    s.DROPPED: "something being dropped",
    s.TREATED: "somebody treat their wounds",
    s.RELOADED: "somebody reload",
    s.STEP: "steps",
    s.RESCUED_EVENT: "somebody get up",
    s.MONSTER_DEAD: "a monster die",
    s.MONSTER_BITES: "a monster",
}


def a(thing: str) -> str:
    """A thing with its article: "a rifle", "bullets"."""
    if thing in ("bullets", "no weapon"):
        return thing
    return f"{'an' if thing[0] in 'aeiou' else 'a'} {thing}"


def name(seat: int, reader: int | None) -> str:
    """A seat as the reader (a seat or None) calls it."""
    return "you" if seat == reader else f"Player {seat + 1}"


def _sentence(text: str) -> str:
    return text[0].upper() + text[1:] + "."


def _listing(parts: list[str]) -> str:
    return parts[0] if len(parts) < 2 else f"{', '.join(parts[:-1])} and {parts[-1]}"


# --- What happened ---------------------------------------------------------------------------------------


def _last_events(state: np.ndarray) -> list[int]:
    """Where in the record the events of the last step are, oldest first."""
    count = (int(state[s.EVENT_COUNT]) - int(state[s.EVENTS_BEFORE])) % 16384
    first = int(state[s.EVENT_COUNT]) - min(count, s.EVENTS)
    return [s.EVENT + s.EVENT_SIZE * ((first + i) % s.EVENTS) for i in range(min(count, s.EVENTS))]


def last_move_text(state: np.ndarray, reader: int | None) -> str:
    """What the last step did that is worth a sentence, as far as the reader (a seat; None: everything) knows
    of it: hits, who was knocked down, put out or helped up, what hands did, shots heard. "" for nothing.
    """
    told_events: list[str] = []
    hits: dict[tuple[int, int], int] = {}
    for event in _last_events(state):
        kind, seat, other = (int(state[event + f]) for f in (s.E_KIND, s.E_SEAT, s.E_OTHER))
        known = hearing.SEEN if reader is None else int(hearing.notice(state, reader, event))
        if kind in (s.KILL, s.KNOCK) and known == hearing.TOLD:
            known = hearing.SEEN
        if known == hearing.HEARD and reader is not None:
            # Steps are heard all the time; they are for captions, not for sentences.
            if kind != s.STEP:
                told_events.append(_heard(state, reader, event))
        elif known == hearing.SEEN and kind == s.HIT:
            hits[seat, other] = hits.get((seat, other), 0) + int(state[event + s.E_VALUE])
        elif known == hearing.SEEN:
            told_events.append(_happened(state, event, reader))
    wounds = [f"{name(by, reader)} hit {name(of, reader)} for {n} points" for (by, of), n in hits.items()]
    sentences = dict.fromkeys(_sentence(text) for text in [*wounds, *told_events] if text)
    return " ".join(sentences)


def _heard(state: np.ndarray, reader: int, event: int) -> str:
    kind = int(state[event + s.E_KIND])
    if kind in (s.HIT, s.KNOCK, s.MONSTER_BITES):
        other = int(state[event + s.E_OTHER])
        if int(state[s.player(other) + s.TEAM]) == int(state[s.player(reader) + s.TEAM]):
            did = "was knocked down" if kind == s.KNOCK else "was hit"
            who = name(other, reader)
            return f"{who} {did if who != 'you' else did.replace('was', 'were')}"
    at = int(s.player(reader))
    x, y = int(state[event + s.E_X]), int(state[event + s.E_Y])
    if kind == s.SHOT:
        # The event is where the shot ended; it is heard from where the shooter is.
        shooter = int(s.player(int(state[event + s.E_SEAT])))
        x, y = int(state[shooter + s.X]), int(state[shooter + s.Y])
    where = abstraction.direction(x - int(state[at + s.X]), y - int(state[at + s.Y]))
    return f"you hear {HEARD[kind]}" + (f" in the {where.lower()}" if where else "") if kind in HEARD else ""


def _happened(state: np.ndarray, event: int, reader: int | None) -> str:
    """One event but a hit, without capital and stop; "" for those that aren't told."""
    kind, seat, other, value = (int(state[event + f]) for f in (s.E_KIND, s.E_SEAT, s.E_OTHER, s.E_VALUE))
    who = name(seat, reader) if seat >= 0 else ""
    if kind == s.KNOCK:
        whom = name(other, reader)
        cause = who or _cause(state, other)
        return f"{cause} knocked {whom} down"
    if kind == s.KILL:
        cause = who or _cause(state, other)
        return f"{cause} put {name(other, reader)} out"
    if kind == s.RESCUED_EVENT:
        return f"{who} helped {name(other, reader)} up"
    if kind == s.MONSTER_BITES:
        return f"a monster bit {name(other, reader)}"
    if kind == s.MONSTER_DEAD:
        return f"{who} killed a monster" if who else "a monster died"
    if kind == s.ZONE_MOVES:
        return "the zone begins to close"
    if kind == s.WIN:
        return f"team {value + 1} has won" if value >= 0 else "nobody is left"
    if kind == s.DOOR_EVENT:
        return f"{who} {'opened' if value else 'closed'} a door"
    if kind == s.PICKED:
        return f"{who} picked up {a(SUPPLIES[value])}"
    if kind == s.DROPPED:
        return f"{who} dropped {a(SUPPLIES[value])}"
    if kind == s.TREATED:
        return f"{who} got {value} points of health back"
    return f"{who} reloaded" if kind == s.RELOADED else ""


def _cause(state: np.ndarray, victim: int) -> str:
    """What knocked a player down whom nobody shot."""
    by = int(state[s.player(victim) + s.HIT_BY])
    return {s.MONSTER_HIT: "a monster", s.ZONE_HIT: "the zone", s.FALL_HIT: "a fall"}.get(by, "bleeding")


# --- What a seat sees ------------------------------------------------------------------------------------


def observation_text(state: np.ndarray, seat: int, own_eyes: bool = True) -> str:
    """A match in words, from a seat: itself, the zone, its teammates, the enemies that it knows of.

    Without `own_eyes` what nobody but its own player is shown is left out: rounds, bullets, kits, what
    exactly its hands do, hits, what lies near it.
    """
    at = int(s.player(seat))
    life = int(state[at + s.LIFE])
    size, team = int(state[s.TEAM_SIZE]), int(state[at + s.TEAM])
    if life == s.OUT:
        return f"I am out. {int(state[s.LEFT])} teams are left."
    me = _own(state, seat) if own_eyes else _looks(state, seat)
    lines = [me if life == s.UP else "I have been knocked down and wait for help."]
    lines.append(_zone(state, seat))
    squad = abstraction.mates(state, seat)
    lines += [_mate(state, seat, mate) for mate in squad]
    if not squad and size > 1:
        lines.append("I am the last of my team.")
    enemies = [other for other in range(int(state[s.SEATS])) if other // size != team]
    known = [text for other in enemies if (text := _enemy(state, seat, other))]
    lines += known or ["I know of no enemy nearby."]
    lines += _felt(state, seat) if own_eyes else []
    lines.append(f"{int(state[s.LEFT])} teams are left.")
    return " ".join(lines)


def _felt(state: np.ndarray, seat: int) -> list[str]:
    """Sentences about hits on the seat and useful things near it."""
    at = int(s.player(seat))
    lines = []
    if state[at + s.HIT_TICK] >= state[s.TICK] - 3 * s.TICKS_PER_SECOND:
        lines.append("I have just been hit.")
    near = int(hands.nearest_supply(state, seat, 10 * s.UNIT))
    if near >= 0:
        sp = s.SUPPLY + 4 * near
        dx, dy = int(state[sp + 2]) - int(state[at + s.X]), int(state[sp + 3]) - int(state[at + s.Y])
        lies = "lie" if SUPPLIES[int(state[sp])] == "bullets" else "lies"
        lines.append(_sentence(f"{a(SUPPLIES[int(state[sp])])} {lies} {_where(dx, dy)}"))
    return lines


def details(start: np.ndarray, now: np.ndarray, seat: int) -> list[tuple[str, str]]:
    """The sub-goals of Table 7 that say something of the time from `start` to `now`: (name, value)."""
    return [(name, value) for name, value in abstraction.subgoals(start, now, seat).items() if value]


def _stands(state: np.ndarray, seat: int) -> str:
    """How somebody stands, moves, looks and feels, as everybody in the team is shown."""
    at = int(s.player(seat))
    speed = abstraction.velocity(state, seat)
    move = abstraction.direction(int(state[at + s.VX]), int(state[at + s.VY]))
    moving = f"moving {move.lower()} ({speed.lower()})" if move else "not moving"
    return (
        f"I am {STANCES[int(state[at + s.STANCE])]}, {moving}, and look "
        f"{abstraction.heading(int(state[at + s.YAW])).lower()}. My health is "
        f"{abstraction.health(state, seat).lower()}."
    )


def _looks(state: np.ndarray, seat: int) -> str:
    at = int(s.player(seat))
    weapon = WEAPONS[int(state[at + s.WEAPON + int(state[at + s.SLOT])])]
    busy = any(int(state[at + field]) for field in (s.RELOAD, s.TREAT, s.RESCUE))
    return f"{_stands(state, seat)} I have {a(weapon)} in my hands{' and am busy' if busy else ''}."


def _own(state: np.ndarray, seat: int) -> str:
    at = int(s.player(seat))
    weapon = WEAPONS[int(state[at + s.WEAPON + int(state[at + s.SLOT])])]
    loaded = int(state[at + s.MAGAZINE + int(state[at + s.SLOT])])
    kits = "medical kits" if int(state[at + s.MEDKITS]) else "no medical kit"
    bullets = "bullets to spare" if int(state[at + s.AMMO]) else "no bullets to spare"
    hand = "no weapon in my hands"
    if weapon != WEAPONS[0]:
        hand = f"{a(f'loaded {weapon}' if loaded else f'empty {weapon}')} in my hands"
    busy = " I am reloading." if int(state[at + s.RELOAD]) else ""
    busy += " I am treating my wounds." if int(state[at + s.TREAT]) else ""
    busy += " I am helping a teammate up." if int(state[at + s.RESCUED]) else ""
    return f"{_stands(state, seat)} I have {hand}, {bullets} and {kits}.{busy}"


def _where(dx: int, dy: int) -> str:
    """A place seen from another: "nearby in the west"."""
    far = abstraction.distance(abstraction.metres(dx, dy))
    way = abstraction.direction(dx, dy)
    word = {"Touch": "right next to me", "Nearby": "nearby", "Moderate": "at a moderate distance"}
    word |= {"Far": "far away", "Out of reach": "out of reach", "Extreme Far": "extremely far away"}
    return word[far] + (f" in the {way.lower()}" if way and far != "Touch" else "")


def _zone(state: np.ndarray, seat: int) -> str:
    at = int(s.player(seat))
    x, y = int(state[at + s.X]), int(state[at + s.Y])
    white = int(state[s.WHITE_X]) - x, int(state[s.WHITE_Y]) - y
    closing = "is closing" if int(state[s.SHRINKING]) else "stands"
    if zone.inside(state, s.WHITE_X, x, y):
        return f"I am inside the white circle; the blue one {closing}."
    if zone.inside(state, s.BLUE_X, x, y):
        return f"I am inside the blue circle, which {closing}; the white one is {_where(*white)}."
    return f"I am outside the blue circle and lose health; the white one is {_where(*white)}."


def _mate(state: np.ndarray, seat: int, mate: int) -> str:
    mp = int(s.player(mate))
    where = _where(*abstraction.way(state, seat, mate))
    if int(state[mp + s.LIFE]) == s.DOWNED:
        helped = " and being helped up" if int(state[mp + s.HELPED_BY]) else ""
        return f"My teammate Player {mate + 1} is knocked down{helped}, {where}."
    health = abstraction.health(state, mate).lower()
    return f"My teammate Player {mate + 1} is {where}, with {health} health."


def _enemy(state: np.ndarray, seat: int, other: int) -> str:
    """What is known of an enemy; "" for nothing."""
    at, op = int(s.player(seat)), int(s.player(other))
    team = int(state[at + s.TEAM])
    if int(state[op + s.LIFE]) == s.OUT:
        return ""
    entry = s.MEMORY + 3 * (s.MAX_SEATS * team + other)
    ago = int(state[s.TICK]) - int(state[entry])
    dx, dy = int(state[entry + 1]) - int(state[at + s.X]), int(state[entry + 2]) - int(state[at + s.Y])
    if s.sees(state, seat, other):
        down = ", knocked down" if int(state[op + s.LIFE]) == s.DOWNED else ""
        speed = abstraction.velocity(state, other).lower()
        return f"I see the enemy Player {other + 1} {_where(dx, dy)}{down}, velocity {speed}."
    if ago < 2 * s.TICKS_PER_SECOND:
        return f"A teammate sees the enemy Player {other + 1} {_where(dx, dy)}."
    if ago < 20 * s.TICKS_PER_SECOND:
        return f"The enemy Player {other + 1} was seen {_where(dx, dy)} a while ago."
    return ""


# --- Actions ---------------------------------------------------------------------------------------------


def action_text(state: np.ndarray, seat: int, action: Sequence[int] | np.ndarray) -> str:
    """What an action of this seat (a record or six heads) does: "run ahead, turn to the right and fire"."""
    heads = [int(number) for number in action]
    at = int(s.player(seat))
    if int(state[at + s.LIFE]) == s.OUT:
        return "do nothing: I am out"
    body, parts = heads[s.BODY], []
    stops = body == s.B_STOP or heads[s.BASIC] >= s.STOP_FIRE and heads[s.SWITCH] != int(state[at + s.SLOT])
    if stops:
        parts += ["stand still"] if heads[s.BASIC] < s.STOP_FIRE else []
    elif body in (s.B_NONE, s.B_RUN, s.B_SLIDE):
        parts.append(f"{BODY[body]} {MOVES[((heads[s.MOVE] + 1) % 16) // 2]}")
    if body not in (s.B_STOP, s.B_NONE, s.B_RUN, s.B_SLIDE):
        parts.append(BODY[body])
    turn = _turn(state, seat, heads)
    if turn:
        parts.append(turn)
    basic = int(hands.basic_of(state, at, np.array(heads, np.int32)))
    if basic >= 0:
        parts.append(BASIC[basic])
    other = heads[s.SWITCH]
    if other != s.KEEP and other != int(state[at + s.SLOT]):
        parts.append(f"take {a(WEAPONS[int(state[at + s.WEAPON + other])])} in hand")
    return _listing(parts)


def _turn(state: np.ndarray, seat: int, heads: list[int]) -> str:
    at = int(s.player(seat))
    if len(heads) > s.ABS_YAW:
        turn = int(wrap(heads[s.ABS_YAW] - int(state[at + s.YAW])))
    else:
        turn = (heads[s.TURN_HEAD] if heads[s.TURN_HEAD] < 8 else heads[s.TURN_HEAD] - 16) * 512
    if abs(turn) < 256:
        return ""
    little = "a little " if abs(turn) < 1536 else ""
    return f"turn {little}to the {'right' if turn > 0 else 'left'}"


def why_illegal(state: np.ndarray, seat: int, action: Sequence[int] | np.ndarray) -> str:
    """A sentence for the first head of an action (a record or six heads) that can't be chosen now, or for
    numbers that are no action; "" if there is none.
    """
    numbers = [int(number) for number in action]
    if len(numbers) not in (len(s.HEADS), s.RECORD):
        return f"An action of Arena has {len(s.HEADS)} heads or {s.RECORD} numbers, not {len(numbers)}."
    if len(numbers) == s.RECORD and (problem := record_problem(numbers)):
        return f"This is no action: {problem}"
    for head, (number, size) in enumerate(zip(numbers, s.HEADS, strict=False)):
        if not 0 <= number < size:
            return f"This is no action: head {head} is {number}; it is 0 to {size - 1}."
    mask = np.zeros(sum(s.HEADS), np.int8)
    rules.legal(_on_its_map(state), make_map(map_seed(state))[None], seat, mask)
    first = 0
    for head, (number, size) in enumerate(zip(numbers, s.HEADS, strict=False)):
        if not mask[first + number]:
            return _reason(state, seat, head, number)
        first += size
    return ""


def _on_its_map(state: np.ndarray) -> np.ndarray:
    """A copy of the record whose map has number 0, so that no other map has to be made."""
    copy = np.array(state)
    copy[s.MAP] = 0
    return copy


def _reason(state: np.ndarray, seat: int, head: int, choice: int) -> str:
    at = int(s.player(seat))
    if int(state[s.OVER]):
        return "The match is over."
    if int(state[at + s.LIFE]) == s.OUT:
        return "You are out."
    if int(state[at + s.LIFE]) == s.DOWNED:
        return "You have been knocked down; all that you can do is crawl, look around and wait for help."
    if head == s.BODY:
        return _body_reason(state, at, choice)
    if head == s.SWITCH:
        return "There is no weapon in that slot."
    weapon = int(state[at + s.WEAPON + int(state[at + s.SLOT])])
    if weapon == s.NO_WEAPON and choice != s.TREATING:
        return "You have no weapon in your hands."
    if choice == s.TREATING:
        return "You have no medical kit." if not int(state[at + s.MEDKITS]) else "You are in full health."
    if choice == s.RELOADING:
        return "You have no bullets left." if not int(state[at + s.AMMO]) else "Your magazine is full."
    return "You have no bullets left."


def _body_reason(state: np.ndarray, at: int, choice: int) -> str:
    if choice == s.B_DOOR:
        return "There is no door within reach."
    if choice == s.B_RESCUE:
        return "There is nobody to help up within reach."
    if int(state[at + s.AIRBORNE]):
        return "You are in the air."
    if int(state[at + s.STANCE_WAIT]) > 0:
        return "You have only just changed how you stand."
    if int(state[at + s.STANCE]) != s.STAND or not int(state[at + s.MOVING]):
        return "You can slide only while you walk or run."
    return "You are out of breath."
