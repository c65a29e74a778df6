"""Made-up games of people, in the formats in which real ones come, and as the logs of a snapshot: scripted
players in people's seats.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from engine.agents.acting import act
from engine.agents.catalogue import load
from engine.games.hanabi import rules as hanabi
from engine.games.hanabi.options import COLOR_LETTERS
from engine.games.hanabi.people import KINDS, OPTIONS, _hand
from engine.games.overcooked import layouts, people, rules
from engine.games.people import person, write
from engine.simulation.log import encode_line, header_of
from engine.simulation.simulation import Simulation


def overcooked(path: Path, pairs: int = 3, layout: str = "cramped_room", ticks: int = 60) -> Path:
    """A file with a game of each of so many pairs, who stay half of the time."""
    rows, rng, bot = [], np.random.default_rng(1), load("overcooked/greedy", "overcooked")
    for pair in range(pairs):
        sim = Simulation("overcooked", {"layout": layout, "horizon": ticks, "tick_length": 150})
        cooks, states, actions, rewards = [_cooks(sim)], [_whole(sim)], [], []
        while not sim.over:
            joint = [
                a if rng.random() < 0.5 else rules.STAY
                for a in act(bot, [sim, sim], [0, 1], np.random.default_rng(2))
            ]
            rewards.append(int(sim.step(joint)))
            actions.append(joint)
            cooks.append(_cooks(sim))
        grid = [list(row.replace(" ", ".")) for row in layouts.layout_of(layout).grid]
        for number, (x, y) in enumerate(layouts.layout_of(layout).starts, 1):
            grid[y][x] = str(number)
        rows.append({
            "id": f"made-{layout}-{pair}", "layout": layout, "grid": ["".join(row) for row in grid],
            "pair": pair, "run": "made", "round": 0, "seconds_per_tick": 0.15,
            "people": [0, 1], "ticks": ticks,
            "actions": actions, "rewards": rewards, "cooks": cooks, "states": [*states, _whole(sim)],
            "score": sim.score,
        })  # fmt: skip
    write(rows, path)
    return path


def _cooks(sim: Simulation) -> list[int]:
    width = int(sim.state[rules.WIDTH])
    found = [people._cook(sim.state, seat, width) for seat in (0, 1)]
    return [number for x, y, facing, held in found for number in (x, y, facing, people.HELD.get(held, 3))]


def _whole(sim: Simulation) -> dict[str, Any]:
    width = int(sim.state[rules.WIDTH])
    found = [people._cook(sim.state, seat, width) for seat in (0, 1)]
    return {
        "tick": sim.tick,
        "cooks": [[x, y, facing, people._name(held)] for x, y, facing, held in found],
        "objects": people._objects(sim.state, width),
    }


def hanabi_games(path: Path, people_: int = 3) -> Path:
    """A file with a game of each of so many people, who play like the grounded bot."""
    rows, bot = [], load("hanabi/grounded-bot")
    for who in range(people_):
        sim = Simulation("hanabi", OPTIONS, seed=who)
        moves: list[list[Any]] = []
        hints: list[int | None] = []
        shown: list[list[int | None] | None] = []
        hands = [_hand(sim, seat) for seat in (0, 1)]
        while not sim.over:
            seat = int(sim.current or 0)
            action = act(bot, [sim], [seat])[0]
            hands = [_hand(sim, one) for one in (0, 1)]
            sim.step([action if one == seat else sim.no_op for one in (0, 1)])
            moves.append(_move(sim, seat))
            state, kind = sim.state, int(sim.state[hanabi.LAST_KIND])
            hint = kind >= hanabi.HINT_COLOR
            success = int(state[hanabi.LAST_SCORED]) if kind == hanabi.PLAY else None
            hints.append(int(state[hanabi.INFORMATION]) if hint else None)
            shown.append(None if hint else [int(state[hanabi.LAST_CARD]), success])
        end = "lives" if int(sim.state[hanabi.OVER]) == hanabi.OUT_OF_LIVES else "cards"
        rows.append({
            "id": f"made{who}", "participant": f"somebody{who}", "ai": "outer", "human_seat": 1,
            "deck": sim.deck, "moves": moves, "hints_left": hints, "shown": shown, "last_hands": hands,
            "score": sim.score, "end": end, "survey": {"exp": "few"},
        })  # fmt: skip
    write(rows, path)
    return path


def _move(sim: Simulation, seat: int) -> list[Any]:
    state = sim.state
    kind, value = int(state[hanabi.LAST_KIND]), int(state[hanabi.LAST_VALUE])
    if kind < hanabi.HINT_COLOR:
        return [seat, KINDS[kind], int(state[hanabi.LAST_SLOT]), None, None]
    color = COLOR_LETTERS[value] if kind == hanabi.HINT_COLOR else None
    return [seat, KINDS[kind], 1 - seat, color, value + 1 if kind == hanabi.HINT_RANK else None]


def logs(
    folder: Path,
    bot: str,
    tables: int = 3,
    people_: tuple[int, ...] = (0,),
    steps: int = 60,
    options: dict[str, Any] | None = None,
) -> Path:
    """A snapshot's folder with a game of each of so many tables, in which `bot` plays for everybody, and its
    moves in the seats of `people_` are those of persons.
    """
    game = bot.split("/")[0]
    policy, rng = load(bot, game, options), np.random.default_rng(1)
    (folder / "episodes").mkdir(parents=True)
    for table in range(tables):
        sim = Simulation(game, options, seed=table)
        seats = [
            person(f"P-{table}-{seat}") if seat in people_ else {"kind": "agent", "name": bot}
            for seat in range(sim.seats)
        ]
        records: list[dict[str, Any]] = [header_of(sim, f"table{table}", seats)]
        chosen: list[Any] = []
        while not sim.over and sim.tick < steps:
            moving = list(range(sim.seats)) if sim.current is None else [sim.current]
            if sim.tick % sim.spec.decision_ticks == 0:
                chosen = act(policy, [sim] * len(moving), moving, rng)
            joint = [sim.idle(seat) for seat in range(sim.seats)]
            for seat, action in zip(moving, chosen, strict=True):
                joint[seat] = sim.resolve(seat, action) if sim.spec.heads else action
            tick = sim.tick
            sim.step(joint)
            by = ["person" if seat in people_ else "agent" for seat in range(sim.seats)]
            records.append({"type": "step", "tick": tick, "actions": sim.actions[-1], "by": by})
        lines = "".join(encode_line(one) for one in records)
        (folder / "episodes" / f"table{table}.jsonl").write_text(lines)
    return folder
