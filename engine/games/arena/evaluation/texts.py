"""How far squad mates do what texts ask for, told and untold (`./manage.py evaluate texts`): for agents whose
folder has a language side (engine.learning.algorithms.cotrain).

Windows of 5 to 20 seconds begin in states of matches of scripted squads, the same for all agents that are
compared, each with one text. The agent's language side makes a goal vector of the text in the state at hand,
and the agent plays on several times with it, as often with that of another text and as often without any,
everybody else alike. What counts is what people say the text asks for, not what was understood: all of it, in
the end, where it isn't so at the start. A text's point is one that the speaker looks at, drawn by chance.
Windows in which mates who are told nothing come to it in more than OFTEN of the tries are listed apart. That
choice flatters "told less untold": "every" has all windows, and the other text's goal is the control.

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
from engine.games.arena import cotraining
from engine.games.arena import goals as records
from engine.games.arena.evaluation.windows import OFTEN, OPTIONS, SCRIPTED, TRIES, drawn, means, played
from engine.games.arena.language.goal_texts import labelled
from engine.games.arena.training import YARDSTICK
from engine.language.goal_head import GoalHead, measured
from engine.simulation.batch import world_of

FILE = Path(__file__).with_name("goals_told.tsv")


def texts(
    agents: list[tuple[Policy, Path]],
    options: dict[str, Any] | None = None,
    episodes: int = 200,
    seed: int = 1,
    file: Path | None = None,
) -> dict[str, Any]:
    """{"agents": [{"agent", "told", "untold", "another": told another text, "known": told what the text is
    known to ask for, "gain", "interval" of told less untold, "n", "often": the same of those that are listed
    apart, "every": of all, "by_dimensions", "reading", "contradictions"}, …], "differences": of each agent's
    gain less that of the last, with intervals, in all} over `episodes` windows, a match each. An agent comes
    with the file of its language side; `file`: other texts. Raises Refusal.
    """
    complete = games.spec("arena").validate({**OPTIONS, **(options or {})})
    for policy, _ in agents:
        check_fits(policy, "arena", complete)
    yardstick, scripted = (load(ref, "arena", complete) for ref in (YARDSTICK, SCRIPTED))
    world = world_of(games.spec("arena"), complete)
    windows = drawn(scripted, yardstick, complete, episodes, seed)
    rows, seats = np.arange(len(windows.states)), windows.seats.astype(np.int32)
    said = labelled(file or FILE)
    rng = np.random.default_rng([seed, 3])
    order = rng.permutation(max(len(said), len(rows)))[: len(rows)] % len(said)
    others = (order + rng.integers(1, max(2, len(said)), len(rows))) % len(said)
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
        wanted, another = (
            head.wanted([said[number][0] for number in numbers], "arena", hand) for numbers in (order, others)
        )
        given = {"told": asked(wanted), "untold": np.zeros_like(judged), "another": asked(another)}
        shares = {}
        for name, goals in (given | {"known": judged}).items():
            tries = []
            for turn in range(TRIES):
                ends = played(policy, yardstick, world, windows, goals, seed * TRIES + turn)
                tries.append(_met(ends, world, seats, right, judged))
            shares[name] = np.mean(tries, axis=0)
        gains.append(np.where(open_, shares["told"] - shares["untold"], np.nan))
        row = {"agent": policy.name, **_row(shares, open_)}
        row["by_dimensions"] = _by_dimensions(shares, open_ & (shares["untold"] <= OFTEN), right)
        row["contradictions"] = float(cotraining.contradicts(wanted).mean())
        rows_.append(row | {"reading": measured(wanted, right)})
    last = gains[-1]
    found["agents"] = rows_
    found["differences"] = [over_deals((one - last)[open_]) for one in gains[:-1]]
    return found


def _met(
    states: np.ndarray, world: np.ndarray, seats: np.ndarray, right: np.ndarray, judged: np.ndarray
) -> np.ndarray:
    """Where all that texts ask for holds, (n,)."""
    values = cotraining.measured(states, world, np.arange(len(states)), seats, judged)
    return ((values == right) | (right < 0)).all(1)


def _row(shares: dict[str, np.ndarray], open_: np.ndarray) -> dict[str, Any]:
    """An agent's row, of the windows in which the text's end isn't there at the start."""
    often = shares["untold"] > OFTEN
    apart = {"often": means(shares, open_ & often), "every": means(shares, open_)}
    return means(shares, open_ & ~often) | apart


def _by_dimensions(shares: dict[str, np.ndarray], some: np.ndarray, right: np.ndarray) -> dict[str, Any]:
    count = np.minimum((right >= 0).sum(1), 4)
    return {str(number): means(shares, some & (count == number)) for number in range(1, 5)}


def lines(found: dict[str, Any]) -> list[str]:
    """The result as text."""
    text = [f"{found['episodes']} matches, {found['texts']} texts"]
    for row in found["agents"]:
        every, read = row["every"], row["reading"]
        if not every["n"]:
            text.append(f"{row['agent']}: no window in which there was something left to do")
            continue
        text.append(f"{row['agent']}: {_told(every)}")
        text.append(f"  without those that mates told nothing end well: {_told(row) if row['n'] else 'none'}")
        text.append(
            f"  read: precision {read['precision']:.3f} ({read['precision_choice']:.3f}), recall "
            f"{read['recall']:.3f} ({read['recall_choice']:.3f}), F1 {read['f1']:.3f} "
            f"({read['f1_choice']:.3f}), exact {read['exact']:.3f} ({read['exact_choice']:.3f}), "
            f"contradictory {row['contradictions']:.1%}"
        )
    for row, other in zip(found["agents"], found["differences"], strict=False):
        low, high = other["interval"] or (float("nan"), float("nan"))
        name = found["agents"][-1]["agent"]
        text.append(f"{row['agent']} less {name}: {other['mean']:+.3f} ({low:+.3f} to {high:+.3f})")
    return text


def _told(row: dict[str, Any]) -> str:
    low, high = row["interval"] or (float("nan"), float("nan"))
    return (
        f"told {row['told']:.1%}, untold {row['untold']:.1%}, told another text {row['another']:.1%}, "
        f"told the right goal {row['known']:.1%}; {row['gain']:+.3f} ({low:+.3f} to {high:+.3f}), "
        f"{row['n']} windows"
    )
