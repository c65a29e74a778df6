"""What a game may bring to `evaluation/` and `experiments/`: the end of engine/brings.py, which is where
others find it.
"""

from __future__ import annotations

import typing
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from engine.brings_part import Part, Program
from engine.simulation import registry

if TYPE_CHECKING:
    from typing import Self

    from engine.evaluation.measures import Measure
    from engine.evaluation.probes import Probe
    from engine.simulation.simulation import Simulation

# --- evaluation/ -------------------------------------------------------------------------------------------


class Progress(Part):
    """what simulated annotators go by"""

    MODULE, ROOM = "progress", "evaluation"
    WITHOUT = "the score's changes"
    MEASURES: Mapping[str, Measure] = {}
    """kinds of annotators, by what they go by: "progress", the usual one; "styled", who likes or dislikes the
    same visible move by what came before; "judge", the expected final score; "sparse", a hand-made reward"""
    OBEYED: float | None = None
    """what a move that obeys is worth"""


class Moments(Part):
    """the moments that decided a game (`engine/evaluation/moments.py`)"""

    MODULE, ROOM = "moments", "evaluation"
    WITHOUT = "the measure alone; the points"
    weighed: Callable[[np.ndarray, np.ndarray, np.ndarray], np.ndarray] | None = None
    """`weighed(before, after, gains)`: what a step meant to each seat beside the measure"""
    effect: Callable[[np.ndarray, np.ndarray, int, float], str] | None = None
    """`effect(before, after, seat, change)`: a sentence on what came of it"""


class Probes(Part):
    """tasks with hard-coded success (`engine.evaluation.probes`)"""

    MODULE, ROOM = "probes", "evaluation"
    WITHOUT = "`./manage.py evaluate probes` says that there are none"
    PROBES: Sequence[Probe] = ()
    """`engine.evaluation.probes.asked` makes a measure of their progress for `MEASURES`"""


class Counts(typing.Protocol):
    """The events of one game, counted: `note(before, after)` takes what was to be seen before and after a
    step.
    """

    def note(self, before: Any, after: Any) -> None: ...

    def found(self) -> dict[str, Any]: ...


class Told(Part):
    """what `./manage.py evaluate told` counts in games in which somebody got an instruction"""

    MODULE, ROOM = "told", "evaluation"
    WITHOUT = "it says that there are none"
    Counts: Callable[[int], Counts]
    """`Counts(seats)`: the events of one game, for the seats of the first one's side"""
    look: Callable[[Simulation], Any] | None = None
    """`look(sim)`, where counting needs less than the open view"""
    SHARES: Mapping[str, str] = {}
    """the counts that pages show as shares, and their titles"""


class Events(Part):
    """whether a move was what an instruction asks for"""

    MODULE, ROOM = "events", "evaluation"
    WITHOUT = "moves against what the instruction's prior asks for"
    judged: Callable[[Program, dict[str, Any], dict[str, Any]], bool | None]
    """`judged(program, before, event)`"""


class Obedience(Part):
    """how well agents obey, where they get tasks"""

    MODULE, ROOM = "obedience", "evaluation"
    WITHOUT = "moves against what the instruction's prior asks for"
    obedience: Callable[..., dict[str, Any]]
    table: Callable[[dict[str, Any]], list[str]]
    PARTNER: str = ""


class Squads(Part):
    """squads against squads"""

    MODULE, ROOM = "squads", "evaluation"
    WITHOUT = "`./manage.py evaluate squads` says that there are none"
    squads: Callable[..., dict[str, Any]]
    """`squads(a, b, options, matches, seed, greedy)`"""


class Leading(Part):
    """a ready match of the lobby, led by somebody who gives orders"""

    MODULE, ROOM = "leading", "evaluation"
    WITHOUT = "`./manage.py evaluate led` says that there are none"
    seated: Callable[[str, str, str], tuple[dict[str, Any], list[str]]]
    """`seated(match, level, leader)`: options, and who sits where"""
    led: Callable[..., dict[str, Any]]
    """`led(players, options, matches, seed)`, and `lines(found)`"""
    lines: Callable[[dict[str, Any]], list[str]]


class Goals(Part):
    """goal vectors that mates are told"""

    MODULE, ROOM = "goals", "evaluation"
    WITHOUT = "`./manage.py evaluate goals` says that there are none"
    goals: Callable[..., dict[str, Any]]
    """`goals(policy, options, episodes, seed)`, and `lines(found)`"""
    lines: Callable[[dict[str, Any]], list[str]]


class Texts(Part):
    """what texts ask for, read by agents' own language side and done by them"""

    MODULE, ROOM = "texts", "evaluation"
    WITHOUT = "`./manage.py evaluate texts` says that there are none"
    texts: Callable[..., dict[str, Any]]
    """`texts(agents, options, episodes, seed, file)`, and `lines(found)`"""
    lines: Callable[[dict[str, Any]], list[str]]


class Readings(Part):
    """how readings of the held-out instructions are scored"""

    MODULE, ROOM = "readings", "evaluation"
    WITHOUT = "by their labels"
    MAIN: str
    EXACT: int
    FIGURES: Mapping[str, Callable[[np.ndarray], float]]
    """of counts (instructions, …); `MAIN` stands for all, and `EXACT` says where counts say that all is
    right
    """
    of_program: Callable[[str, Program], Any]
    """`of_program(game, program)`: a reading as it is scored"""
    right: Callable[[str, dict[str, Any]], list[Any]]
    counts: Callable[[str, dict[str, Any], Any], list[float]]
    """`counts(game, item, said)`"""
    baselines: Callable[[], Mapping[str, Any]] = dict
    beside: Callable[[Callable[[str], dict[str, Any]]], dict[str, Any]] | None = None
    """`beside(read)`: figures of published texts"""


class Published(Part):
    """figures of others"""

    MODULE, ROOM = "published", "evaluation"
    WITHOUT = "none"
    READERS: Mapping[str, dict[str, float]] = {}


# --- experiments/ ------------------------------------------------------------------------------------------


class Experiment(Part):
    """the settings of the experiment of that name (`./manage.py rounds prove`); so has every file here"""

    MODULE, ROOM = "rounds", "experiments"
    WITHOUT = "the experiment has no row of the game"
    SETTINGS: Sequence[dict[str, Any]] = ()
    QUICK: Sequence[dict[str, Any]] = ()

    @classmethod
    def named(cls, game: str, experiment: str) -> Self:
        """Those of another experiment."""
        return cls(registry.part(game, experiment, cls.ROOM))


class LostScore(Part):
    """which arm decides where agents learn from marks alone, beside the settings"""

    MODULE, ROOM = "lost_score", "experiments"
    WITHOUT = "that of PPO"
    BY: str = "ibt"


class Hacking(Part):
    """what an agent could do for ever without getting on, beside the settings"""

    MODULE, ROOM = "hacking", "experiments"
    WITHOUT = "the experiment has no row of the game"
    LOOPS: Mapping[str, Callable[[Simulation, int], Iterator[Any] | None]]
    TICKS: int
    event: Callable[[np.ndarray, np.ndarray], np.ndarray]
    """`event(before, after)`: where something worth a mark happened"""
