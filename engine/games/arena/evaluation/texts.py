"""How far squad mates do what texts ask for, told and untold (`./manage.py evaluate texts`): for agents whose
folder has a language side (engine.learning.algorithms.cotrain).

Windows of 5 to 20 seconds begin in states of matches of scripted squads, the same for all agents that are
compared, each with one text. The agent's language side makes a goal vector of the text in the state at hand,
and the agent plays on several times with it and as often without any, everybody else alike. What counts is
what people say the text asks for, not what was understood: all of it, in the end, where it isn't so at the
start. A text's point is one that the speaker looks at, drawn by chance. Windows in which mates who are told
nothing come to it in more than OFTEN of the tries are listed apart.

goals_told.tsv was written apart from all texts that trainings read.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from engine import games
from engine.agents.catalogue import load
from engine.agents.policy import Policy, check_fits
from engine.evaluation.intervals import over_deals
from engine.games.arena import cotraining, lessons
from engine.games.arena import goals as records
from engine.games.arena import state as s
from engine.games.arena.evaluation import squads
from engine.games.arena.evaluation.goals import MATES, OFTEN, OPTIONS, SCRIPTED, TRIES, Windows, _play
from engine.games.arena.language.goal_texts import labelled
from engine.games.arena.training import YARDSTICK
from engine.language.goal_head import GoalHead, measured
from engine.simulation.batch import first_states, world_of

FIRST, LAST = 20, 200  # ticks at which windows begin: half of these matches are over in 25 seconds
FILE = Path(__file__).with_name("goals_told.tsv")


def texts(
    agents: list[tuple[Policy, Path]],
    options: dict[str, Any] | None = None,
    episodes: int = 200,
    seed: int = 1,
    file: Path | None = None,
) -> dict[str, Any]:
    """{"agents": [{"agent", "told", "untold", "known": told what the text is known to ask for, "gain",
    "interval" of told less untold, "n", "often", "by_dimensions", "reading", "contradictions"}, …],
    "differences": of each agent's gain less that of the last, with intervals} over `episodes` windows, a
    match each. An agent comes with the file of its language side; `file`: other texts. Raises Refusal.
    """
    complete = games.spec("arena").validate({**OPTIONS, **(options or {})})
    for policy, _ in agents:
        check_fits(policy, "arena", complete)
    yardstick, scripted = (load(ref, "arena", complete) for ref in (YARDSTICK, SCRIPTED))
    world = world_of(games.spec("arena"), complete)
    windows = _windows(scripted, yardstick, complete, world, episodes, seed)
    rows, seats = np.arange(len(windows.states)), windows.seats.astype(np.int32)
    said = labelled(file or FILE)
    order = np.random.default_rng([seed, 3]).permutation(max(len(said), len(rows)))[: len(rows)] % len(said)
    right = np.array([said[number][1] for number in order])

    def asked(wanted: np.ndarray) -> np.ndarray:
        goals = cotraining.ask(windows.states, world, rows, seats, wanted, seed)
        goals[:, records.UNTIL] = windows.ends
        return goals

    judged = asked(right)
    hand = cotraining.measured(windows.states, world, rows, seats, asked(np.full_like(right, -1)))
    open_ = ~_met(windows.states, world, seats, right, judged)
    found: dict[str, Any] = {"options": complete, "episodes": episodes, "seed": seed, "texts": len(said)}
    rows_, gains = [], []
    for policy, path in agents:
        head = GoalHead.load(path)
        wanted = head.wanted([said[number][0] for number in order], "arena", hand)
        shares = {}
        given = {"told": asked(wanted), "untold": np.zeros_like(judged), "known": judged}
        for name, goals in given.items():
            tries = [
                _met(
                    _play(policy, yardstick, world, windows, goals, seed * TRIES + turn),
                    world, seats, right, judged,
                )
                for turn in range(TRIES)
            ]  # fmt: skip
            shares[name] = np.mean(tries, axis=0)
        gains.append(np.where(open_, shares["told"] - shares["untold"], np.nan))
        often = open_ & (shares["untold"] > OFTEN)
        row = {"agent": policy.name, **_row(shares, open_ & ~often), "often": _row(shares, often)}
        row["by_dimensions"] = _by_dimensions(shares, open_ & ~often, right)
        row["contradictions"] = float(cotraining.contradicts(wanted).mean())
        rows_.append(row | {"reading": measured(wanted, right)})
    last = gains[-1]
    found["agents"] = rows_
    found["differences"] = [over_deals((one - last)[open_]) for one in gains[:-1]]
    return found


def _windows(
    policy: Policy, others: Policy, options: dict[str, Any], world: np.ndarray, count: int, seed: int
) -> Windows:
    """A window of each of `count` matches that come to a moment, drawn by chance, at which a mate is up."""
    rng, states = np.random.default_rng([seed, 0]), first_states(games.spec("arena"), options, count, seed)
    squads.begin(states, world)
    begins, kept, who = rng.integers(FIRST, LAST, count), np.zeros_like(states), np.full(count, -1)

    def look(row: int) -> None:
        if who[row] < 0 and states[row, s.TICK] >= begins[row]:
            up = [seat for seat in MATES if states[row, int(s.player(seat)) + s.LIFE] == s.UP]
            if up:
                kept[row], who[row] = states[row], up[row % len(up)]

    mine = np.arange(int(states[0, s.SEATS])) < options["team_size"]
    sides = [(policy, np.tile(mine, (count, 1))), (others, np.tile(~mine, (count, 1)))]
    squads.play(states, world, sides, np.random.default_rng([seed, 1]), greedy=False, after=look)
    used = (who >= 0) & (kept[:, s.OVER] == 0)
    lasts = rng.integers(lessons.SHORTEST, lessons.LONGEST, count)
    return Windows(kept[used], who[used], (kept[:, s.TICK] + lasts)[used])


def _met(
    states: np.ndarray, world: np.ndarray, seats: np.ndarray, right: np.ndarray, judged: np.ndarray
) -> np.ndarray:
    """Where all that texts ask for holds, (n,)."""
    values = cotraining.measured(states, world, np.arange(len(states)), seats, judged)
    return ((values == right) | (right < 0)).all(1)


def _row(shares: dict[str, np.ndarray], some: np.ndarray) -> dict[str, Any]:
    row: dict[str, Any] = {"n": int(some.sum())}
    if row["n"]:
        gain = over_deals((shares["told"] - shares["untold"])[some])
        row |= {name: float(share[some].mean()) for name, share in shares.items()}
        row |= {"gain": gain["mean"], "interval": gain["interval"]}
    return row


def _by_dimensions(shares: dict[str, np.ndarray], some: np.ndarray, right: np.ndarray) -> dict[str, Any]:
    count = np.minimum((right >= 0).sum(1), 4)
    return {str(number): _row(shares, some & (count == number)) for number in range(1, 5)}


def lines(found: dict[str, Any]) -> list[str]:
    """The result as text."""
    text = [f"{found['episodes']} matches, {found['texts']} texts"]
    for row in found["agents"]:
        if not row["n"]:
            text.append(f"{row['agent']}: no window in which there was something left to do")
            continue
        low, high = row["interval"] or (float("nan"), float("nan"))
        read = row["reading"]
        text += [
            f"{row['agent']}: told {row['told']:.1%}, untold {row['untold']:.1%}, "
            f"told the right goal {row['known']:.1%}; {row['gain']:+.3f} ({low:+.3f} to {high:+.3f}), "
            f"{row['n']} windows",
            f"  read: precision {read['precision']:.3f} ({read['precision_choice']:.3f}), recall "
            f"{read['recall']:.3f} ({read['recall_choice']:.3f}), F1 {read['f1']:.3f} "
            f"({read['f1_choice']:.3f}), exact {read['exact']:.3f} ({read['exact_choice']:.3f}), "
            f"contradictory {row['contradictions']:.1%}",
        ]
    for row, other in zip(found["agents"], found["differences"], strict=False):
        low, high = other["interval"] or (float("nan"), float("nan"))
        name = found["agents"][-1]["agent"]
        text.append(f"{row['agent']} less {name}: {other['mean']:+.3f} ({low:+.3f} to {high:+.3f})")
    return text
