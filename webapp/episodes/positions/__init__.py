"""Little positions: examples in the guidelines, practice in the tutorials. Each is a start and a few moves,
run by the real engine; nothing here is a drawing.

A game's `positions.py` says what there is: MARKING (a mark is asked for) and PLAYING (a move is). Not for:
pages (see `views.practice`).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Any

from engine import brings, games
from engine.agents.acting import act
from engine.agents.catalogue import load
from engine.games.pages import in_order
from engine.games.position import Move, Position
from engine.refusal import Refusal
from engine.simulation.pictures import data_url
from engine.simulation.simulation import Simulation

WIDTH = 480  # pixels of a picture
AS_IT_WAS = 255  # among moves where there are choices: the position's own move


# The lessons of both kinds by game, of the games that have some.
_OF = {game: brings.Positions.of(game) for game in in_order()}
MARKING = {game: own.MARKING for game, own in _OF.items() if own.MARKING}
PLAYING = {game: own.PLAYING for game, own in _OF.items() if own.PLAYING}
POSITIONS = {
    position.slug: position for lessons in (MARKING, PLAYING) for of in lessons.values() for position in of
}


def start(position: Position, moves: Sequence[Move | list[int]] | None = None) -> Simulation:
    """The game after these moves (by default the position's own). Raises Refusal for a move that is
    none.
    """
    *_, last = ticks(position, position.moves if moves is None else moves)
    return last


def ticks(position: Position, moves: Sequence[Move | list[int]]) -> Iterator[Simulation]:
    """The game at every tick, from the start on: one `Simulation` that moves on. Raises Refusal."""
    simulation = Simulation(position.game, position.options, position.seed, position.deck or None)
    yield simulation
    moves_of, choices = position.moves, position.choices
    for number, given in enumerate(moves):
        move = moves_of[number] if choices and given == AS_IT_WAS and number < len(moves_of) else given
        if choices and move not in range(len(choices)) and move not in moves_of:
            raise Refusal("That move can't be made here.")
        for _ in range(position.every):
            if not isinstance(move, int):
                simulation.step(move)
            elif choices:
                simulation.step(_with_others(position, simulation, choices[move][2]))
            else:
                simulation.act(-1 if simulation.current is None else simulation.current, move)
            yield simulation


def _with_others(position: Position, simulation: Simulation, action: Any) -> list[Any]:
    """The joint action of a person and of the scripted partner in all other seats."""
    seats = list(range(simulation.seats))
    joint = act(load(position.partner, position.game), [simulation] * len(seats), seats)
    joint[played_seat(position)] = action
    return joint


def views(position: Position, seat: int, moves: Sequence[Move | list[int]] | None = None) -> list[dict]:
    """What a seat sees after every move (by default of those that lead to the position), with a picture where
    no script draws it; where a move takes several ticks, as a picture with what happened meanwhile in words.
    """
    if moves is None:
        return _views(position.slug, seat)
    if position.every == 1:
        return [
            {**tick.view(seat), "picture": _picture(tick, seat)} if position.pictured else tick.view(seat)
            for tick in ticks(position, moves)
        ]
    shown, sentences = [], []
    for simulation in ticks(position, moves):
        sentences += [text] if (text := simulation.last_move_text(None)) else []
        if simulation.tick % position.every == 0:
            caption = {"text": " ".join(dict.fromkeys(sentences)), "seat": None} if sentences else None
            view = {"picture": _picture(simulation, seat), "told": caption}
            shown.append({"seat": seat, "current": None, "over": simulation.over, **view})
            sentences = []
    return shown


def _picture(simulation: Simulation, seat: int) -> str:
    return data_url(simulation.picture(seat, WIDTH))


@lru_cache(maxsize=64)
def _views(slug: str, seat: int) -> list[dict]:
    return views(POSITIONS[slug], seat, POSITIONS[slug].moves)


def page_of(position: Position, name: str) -> dict:
    """What a page needs to ask this person; the answers stay on the server."""
    if position.asks == "mark":
        names = ["Player", "Player"]
        names[played_seat(position)] = "Agent"
    else:
        names = ["Partner", "Partner"]
        names[position.seat] = name
    return {
        "game": position.game,
        "asks": position.asks,
        "seat": position.seat,
        "names": names,
        "views": views(position, position.seat),
        "start": 0 if position.asks == "mark" else len(position.moves),
    }


def explore_page_of(position: Position, name: str) -> dict:
    """What a page needs to let this person play on, in the seat of whoever made the move to be marked."""
    seat = played_seat(position)
    names = ["Partner", "Partner"]
    names[seat] = name
    return {
        "game": position.game,
        "asks": "explore",
        "seat": seat,
        "names": names,
        "views": views(position, seat),
        "moves": [AS_IT_WAS] * len(position.moves) if position.choices else list(position.moves),
        "choices": [
            {"action": index, "label": label, "keys": [key]}
            for index, (label, key, _) in enumerate(position.choices)
        ],
        "start": position.tick - 1 if position.sign else len(position.moves),
    }


def played_seat(position: Position) -> int:
    """The seat that one plays in a position: the one that is judged; where players take turns, the one of the
    two who made the marked move.
    """
    if position.sign and games.spec(position.game).turn_based:
        return (position.tick - 1) % 2
    return position.seat


def play_on(position: Position, moves: Sequence[Move | list[int]], action: int) -> list[Move | list[int]]:
    """The moves after a person's action and what the scripted partner does. Raises Refusal."""
    if position.choices:
        start(position, [*moves, action])
        return [*moves, action]
    seat = played_seat(position)
    simulation = start(position, moves)
    partner = load(position.partner, position.game)
    if simulation.current is None and not simulation.over:
        joint = _with_others(position, simulation, action)
        simulation.step(joint)
        return [*moves, joint]
    simulation.act(seat, action)
    while not simulation.over and simulation.current != seat:
        other = -1 if simulation.current is None else simulation.current
        simulation.act(other, act(partner, [simulation], [other])[0])
    return [next(a for a in joint if a != simulation.no_op) for joint in simulation.actions]


def check_mark(position: Position, tick: int, sign: int) -> tuple[bool, str]:
    """Whether this mark is the one asked for, and a sentence that says why or how to go on."""
    off = abs(tick - position.tick)
    if sign != position.sign:
        if off > position.window:
            return False, position.hints.get("tick", "It's not this move. Go through the moves once more.")
        return False, position.hints.get("sign", "The right moment, but the other kind of mark.")
    if off == position.window + 1:
        return False, "Nearly: a mark stands at the tick that the move led to. Nudge it by one tick."
    if off > position.window:
        return False, position.hints.get("tick", "It's not this move. Go through the moves once more.")
    return True, f"Right. {position.why}"


def check_action(position: Position, action: int) -> tuple[bool, str]:
    """Whether this action is one that is asked for, and a sentence. Raises Refusal."""
    start(position).act(position.seat, action)
    if action in position.accepted:
        return True, position.why
    default = "That move is legal, but it isn't the one to find here. Try another move."
    return False, position.hints.get(action, default)
