"""What agents do with an instruction: counts of events over all games, from what the games' views show. So
anyone can check from outside whether an instruction is followed.

A game brings a `told.py` to this room with `Counts(seats)`, for one game and the seats of the first one's
side (`engine.brings.Told`). The prior of the instruction isn't used. Not for whether single moves follow an
instruction (engine.evaluation.obedience), nor for tasks with a success (probes).
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from engine import brings, games, language
from engine.agents.acting import Programs
from engine.agents.policy import Policy
from engine.brings import Counts
from engine.evaluation.episodes import Episode, play_on
from engine.evaluation.partners import rival
from engine.evaluation.self_play import summary
from engine.simulation.simulation import Simulation

WHO = ("both", "first", "second", "none")
AT_ONCE = 250  # games


def evaluate_told(
    policy: Policy,
    instruction: str | language.Reading,
    second: str = "",
    told: str = "both",
    options: dict[str, Any] | None = None,
    episodes: int = 100,
    seed: int = 0,
    partner: Policy | None = None,
    firmness: float = 1.0,
    check: Callable[[], None] = lambda: None,
) -> dict[str, Any]:
    """Self-play in which seats have an instruction all the time: all of them ("both"), the first one, the
    others ("second"), or none ("none"); the other seats have the `second` instruction, if there is one. The
    same seed deals the same games, whatever the instruction. A `partner` plays the other seats. If sides play
    against each other, all this is about the first seat's side, and the game's yardstick plays the others.
    `firmness`: as in `language.softened`. `check` is called before every move and may raise, to stop.
    {"mean", "stderr", "refused", "seats", "after", …}: the game's counts; "refused": whether a text couldn't
    be read, so that no seat has it. Raises ValueError for games whose events aren't counted.
    """
    counted = brings.Told.needed(policy.game, "Events are counted")
    if told not in WHO:
        raise ValueError(f"Who is told is {', '.join(WHO[:-1])} or {WHO[-1]}, not {told!r}.")
    first = language.read(policy.game, instruction) if isinstance(instruction, str) else instruction
    readings = [first, language.read(policy.game, second) if second else first]
    programs = [
        []
        if reading.program is None or reading.refused
        else [language.softened(policy.game, reading.program, firmness)]
        for reading in readings
    ]
    spec = games.spec(policy.game)
    complete = spec.validate({**policy.card.get("options", {}), **(options or {})})
    seats = range(spec.seats(complete))
    own_seats = [seat for seat in seats if spec.side is None or spec.side_of(complete, seat) == 0]
    others = len(seats) - len(own_seats)
    hears = [told in ("both", "first"), *[told in ("both", "second")] * (len(own_seats) - 1)]
    heard = [programs[min(seat, 1)] if hears[seat] else [] for seat in own_seats] + [[]] * others
    table = [policy, *[partner or policy] * (len(own_seats) - 1)]
    table += [rival(policy, complete)] * others if others else []
    counts, scores = counted.Counts(len(own_seats)).found(), []
    for start in range(0, episodes, AT_ONCE):
        deals = range(seed + start, seed + min(start + AT_ONCE, episodes))
        played = [
            Counted(
                Simulation(policy.game, complete, seed=deal),
                table,
                heard=heard,
                counts=counted.Counts(len(own_seats)),
                look=counted.look or open_view,
            )
            for deal in deals
        ]
        play_on(played, np.random.default_rng(deals[0]), check)
        scores += [episode.sim.score for episode in played]
        for episode in played:
            counts = _added(counts, episode.counts.found())
    score = summary(np.array(scores), spec.max_score(complete))
    return {
        "mean": score["mean"],
        "stderr": score["stderr"],
        "episodes": episodes,
        "told": told,
        "instruction": first.text,
        "second": second,
        "reading": [reading.sentence for reading in readings],
        "refused": any(reading.refused for reading in readings),
        **counts,
    }


@dataclass(eq=False, kw_only=True)
class Counted(Episode):
    """A game in which seats have instructions all the time, with its counts of what there was to see."""

    heard: Sequence[Programs]
    counts: Counts
    look: Callable[[Simulation], Any]

    def __post_init__(self) -> None:
        self.seen = self.look(self.sim)

    def programs(self, seat: int) -> Programs:
        return self.heard[seat]

    def step(self) -> None:
        super().step()
        before, self.seen = self.seen, self.look(self.sim)
        self.counts.note(before, self.seen)


def open_view(sim: Simulation) -> Any:
    """All that a game's view shows."""
    return sim.view(None)


def _added(count: Any, other: Any) -> Any:
    """The sums of counts in dicts and lists; keys that only one of them has are kept."""
    if isinstance(count, dict) and isinstance(other, dict):
        return {
            key: _added(count.get(key), other.get(key))
            for key in [*count, *(k for k in other if k not in count)]
        }
    if isinstance(count, list) and isinstance(other, list):
        return [_added(*pair) for pair in itertools.zip_longest(count, other)]
    return other if count is None else count if other is None else count + other


def table(result: dict[str, Any]) -> list[str]:
    """The counts as text."""
    lines = [f"“{result['instruction']}”, told: {result['told']}. {result['reading'][0]}"]
    if result["second"]:
        lines.append(f"Seats from 2 on: “{result['second']}”. {result['reading'][1]}")
    spread = "" if result["stderr"] is None else f" ± {result['stderr']:.2f}"  # of one game there is none
    many = f"{result['episodes']} game{'s' * (result['episodes'] != 1)}"
    lines.append(f"score {result['mean']:.2f}{spread} in {many}")
    for name, counts in (("by seat", dict(enumerate(result["seats"], 1))), ("after", result["after"])):
        for key, value in counts.items():
            kinds = ", ".join(f"{kind} {number}" for kind, number in value.items())
            lines.append(f"{name} {key}: {kinds}")
    return lines
