"""How an agent plays, compared with people: how often each does what a game's `habits` name (kinds of hints,
risky plays, waiting, collisions). Not for how likely people's moves are (engine.evaluation.imitation), nor
for how good anybody is.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from typing import Any

import numpy as np

from engine import brings, games
from engine.agents.policy import Policy
from engine.evaluation.counted import Habits, Shares, add, nothing_yet
from engine.evaluation.imitation import LEAST, Recorded
from engine.evaluation.intervals import interval_of_mean
from engine.evaluation.partners import tables
from engine.evaluation.self_play import play
from engine.simulation.batch import Batch


def habits_of(game: str) -> Habits:
    """A game's `habits(before, seat, action, after)`; raises ValueError with a sentence."""
    return brings.Habits.needed(game, "Habits are counted").habits


def of_agent(
    policy: Policy,
    game: str,
    options: dict[str, Any],
    partner: Policy | None = None,
    episodes: int = 40,
    seed: int = 0,
    greedy: bool | None = None,
) -> dict[str, dict[str, float]]:
    """{habit: {"share", "of"}} of an agent with itself, or in every seat in turn with a partner. The last
    move of a game isn't counted, because the state after it isn't kept.
    """
    habits, counts = habits_of(game), nothing_yet()
    complete = games.spec(game).validate(dict(options))
    alone = [[policy] * games.spec(game).seats(complete)]
    for table in tables(policy, partner, complete) if partner else alone:
        is_own = np.array([policy_there is policy for policy_there in table])

        def watch(
            before: np.ndarray, seats: np.ndarray, actions: np.ndarray, batch: Batch, own: np.ndarray = is_own
        ) -> None:
            for index in np.flatnonzero(batch.dones == 0):
                movers = seats[index : index + 1] if batch.spec.turn_based else np.flatnonzero(own)
                for seat in movers[own[movers]]:
                    action = actions[index] if batch.spec.turn_based else actions[index, seat]
                    add(counts, habits(before[index], int(seat), int(action), batch.states[index]))

        play(table, game, options, episodes, seed, greedy, watch=watch)
    return _shares(counts)


def of_people(
    game: str, games_played: Sequence[Recorded], options: dict[str, Any] | None = None
) -> dict[str, dict[str, Any]]:
    """The same for recorded people (if agents are made for a layout, in that of `options`), and "alike": the
    mean over people who had LEAST occasions or more, each person weighted alike, with a 95 % "interval" over
    these "people".
    """
    habits, spec = habits_of(game), games.spec(game)
    if spec.variant is not None:
        layout = spec.variant(spec.validate(dict(options or {})))
        games_played = [game_played for game_played in games_played if game_played.kind == layout]
    by_person: dict[str, Shares] = defaultdict(nothing_yet)
    for game_played in games_played:
        for tick in range(len(game_played.states) - 1):
            for seat in np.flatnonzero(game_played.who[tick] != ""):
                action = int(game_played.actions[tick, seat])
                counts = by_person[str(game_played.who[tick, seat])]
                add(counts, habits(game_played.states[tick], int(seat), action, game_played.states[tick + 1]))
    total = nothing_yet()
    for counts in by_person.values():
        for name, (followed, of) in counts.items():
            total[name][0] += followed
            total[name][1] += of
    return {name: {**row, **_alike(by_person, name)} for name, row in _shares(total).items()}


def _alike(by_person: dict[str, Shares], name: str) -> dict[str, Any]:
    theirs = [counts[name] for counts in by_person.values() if counts[name][1] >= LEAST]
    if len(theirs) < 2:
        return {"people": len(theirs), "alike": None, "interval": None}
    shares = np.array([followed / of for followed, of in theirs])
    return {"people": len(theirs), "alike": float(shares.mean()), "interval": interval_of_mean(shares)}


def _shares(counts: Shares) -> dict[str, dict[str, float]]:
    return {name: {"share": followed / of, "of": of} for name, (followed, of) in counts.items()}


def lines(agent: str, habits: dict[str, Any], people: dict[str, Any]) -> list[str]:
    """The result as text, one line per habit."""
    texts = []
    for name, row in habits.items():
        beside = ""
        if them := people.get(name):
            each = "" if them["alike"] is None else f", counted alike {them['alike']:.2f}"
            beside = f"; people {them['share']:.2f}{each}"
        texts.append(f"{name}: {agent} {row['share']:.2f} of {row['of']}{beside}")
    return texts
