"""What a game may bring, besides its spec, and how it is asked for: one class for each module, with the type
of every name in it. Modules are found by `engine.simulation.registry`; docs/adding-a-game.md lists them
(`python -m tools.game_parts`).

A name without a value here is needed in a module that is there at all; one with a value may be left out, and
the value says what holds then. mypy checks what our games bring (tests/engine/games/typed.py). Not for what
the default does: who asks says that.
"""

from __future__ import annotations

import inspect
import typing
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from engine import brings_cotraining, brings_evaluation
from engine.brings_part import Part, Program

if TYPE_CHECKING:
    from engine.games.first import First
    from engine.games.pages import Pages
    from engine.games.people import Format
    from engine.games.plans import Things, Wanted, World
    from engine.games.position import Position
    from engine.games.stories import Ending
    from engine.language.declared import Carried, Clause, Declared
    from engine.language.following import Following
    from engine.language.reading import Reading
    from engine.simulation.log import EpisodeLog
    from engine.simulation.simulation import Simulation

# What brings_cotraining.py and brings_evaluation.py declare.
GoalSpace = brings_cotraining.GoalSpace
GoalTexts = brings_cotraining.GoalTexts
Counts = brings_evaluation.Counts
Events = brings_evaluation.Events
Experiment = brings_evaluation.Experiment
Goals = brings_evaluation.Goals
Hacking = brings_evaluation.Hacking
Leading = brings_evaluation.Leading
LostScore = brings_evaluation.LostScore
Moments = brings_evaluation.Moments
Obedience = brings_evaluation.Obedience
Probes = brings_evaluation.Probes
Progress = brings_evaluation.Progress
Published = brings_evaluation.Published
Readings = brings_evaluation.Readings
Squads = brings_evaluation.Squads
Texts = brings_evaluation.Texts
Told = brings_evaluation.Told


# --- What lies in the game's folder itself -----------------------------------------------------------------


class Words(Part):
    """what happened, what a seat sees, and its moves, in sentences; the spec asks for those"""

    MODULE = "words"
    WITHOUT = "sentences are needed, in any file"
    details: Callable[[np.ndarray, np.ndarray, int], list[tuple[str, str]]] | None = None
    """`details(start, now, seat)`: a short table of what the sentences leave out"""
    question: Callable[[int], tuple[str, Callable[[int], str]]] | None = None
    """`question(seat)`: what a language model is asked for a prior over moves, and its answer by move"""
    OPEN: bool = False
    """whether nobody's words hold a secret, so that others may be asked what they see"""


class View(Part):
    """what a seat sees as JSON for the browser; nothing hidden may be in it"""

    MODULE = "view"
    WITHOUT = "the spec's view is needed, in any file"
    watched: Callable[[np.ndarray], dict[str, Any]] | None = None
    """`watched(state)`: what those who watch see while the game runs, where seats see different things"""


class Features(Part):
    """what networks read"""

    MODULE = "features"
    WITHOUT = "the observation"
    FEATURES_VERSION: int
    input_size: Callable[[np.ndarray], int]
    """`input_size(state)`: how many numbers"""
    encode_many: Callable[..., Any]
    """fills `out` (n, size) for records, the ground where there is one, seats, goals where there are some"""
    INPUT_NAMES: Sequence[str] = ()
    """of each input, and of each choice: networks of a card that names its own can get the others"""
    CHOICE_NAMES: Sequence[str] = ()
    SEEN: int = 0
    """in games with goal vectors: how many inputs, the first ones, don't say what a seat is asked"""
    UNASKED: Sequence[float] = ()
    """the inputs behind these, before the goal vector, where nothing is asked"""
    GOAL_SIZE: int = 0
    """how many of the inputs, the last ones, are the goal vector; zeros where nothing is asked"""
    rated_size: Callable[[np.ndarray], int] | None = None
    """`rated_size(state)`, and `rated_many` like `encode_many`: for reward models, in few numbers"""
    rated_many: Callable[..., Any] | None = None


class Public(Part):
    """features that hold no convention, for networks with `"reads": "public"`"""

    MODULE = "public"
    WITHOUT = "the canonical observation"
    FEATURES_VERSION: int
    input_size: Callable[[np.ndarray], int]
    encode_many: Callable[..., Any]


class ActionLabels(Part):
    """short names of moves, for tables"""

    MODULE = "labels"
    WITHOUT = "the words of whoever begins"
    action_labels: Callable[[dict[str, Any]], list[str]]
    """`action_labels(options)`: one an action id"""


class Bots(Part):
    """scripted players"""

    MODULE = "bots"
    WITHOUT = "none"
    BOTS_MANY: Mapping[str, Callable[..., Any]] = {}
    REMEMBERS: Mapping[str, int] = {}
    """how many numbers a bot remembers for a seat (games with heads)"""


class Recorded(Part):
    """formats of published games of people ([people.md](people.md)); `people.jsonl.gz`: some that ship"""

    MODULE = "people"
    WITHOUT = "there are none to look at"
    FORMATS: Sequence[Format] = ()
    decided: Callable[[np.ndarray, int, np.ndarray], list[int]] | None = None
    """`decided(state, seat, records)`: in games with heads the decision of a person who could act at every
    tick between two decisions of agents; else what was done in the first tick"""


class PeopleFeatures(Part):
    """what proxies of people read and remember, and which moves are alike (`engine/agents/people.py`)"""

    MODULE = "people_features"
    WITHOUT = "proxies read what agents read"
    FEATURES_VERSION: int
    SIZE: int
    MEMORY: int
    CONTEXT: int
    ALIKE: int
    EACH: int
    EXTRAS: int
    RELATED: Sequence[Any]
    PERSONAS: Sequence[str]
    persona: Callable[[dict[str, str]], str]
    """`persona(survey)`: which of `PERSONAS` somebody is"""
    encode_many: Callable[[np.ndarray, np.ndarray, np.ndarray, np.ndarray], Any]
    """`encode_many(states, seats, memory, out)`"""


class Pace(Part):
    """records as they look by another clock, where a clock is an option and people's features need time"""

    MODULE = "pace"
    WITHOUT = "a proxy's memory is kept in ticks"
    PLAYERS: int
    NEWS: int
    done: Callable[[np.ndarray], np.ndarray]
    retold: Callable[[np.ndarray, np.ndarray, np.ndarray], np.ndarray]
    news: Callable[[np.ndarray, np.ndarray], np.ndarray]
    outdated: Callable[[np.ndarray, np.ndarray, np.ndarray], np.ndarray]


class Story(Part):
    """what is said of a game that is over"""

    MODULE = "story"
    WITHOUT = "its score, the number of its ticks, a comparison with games of the same settings"
    ALIKE: Collection[str] | None = None
    """the options in which games must agree for their results to compare; else all"""
    outcomes: Callable[[dict[str, Any]], list[int]] | None = None
    """`outcomes(view)`: by seat, where seats play against each other: its place, 0 while it is in"""
    headline: Callable[[Ending, int | None], str] | None = None
    """`headline(end, seat)`: how it ended, in a few words"""
    detail: Callable[[np.ndarray, int], str] | None = None
    """`detail(state, seat)`: what a seat did, in one sentence, from the last state alone"""
    result: Callable[[Ending, int | None], tuple[str, str]] | None = None
    """`result(end, seat)`: (number, unit), for lists and as the big number of the page"""
    worth: Callable[[Ending, int], float] | None = None
    """`worth(end, seat)`: the number by which games of a seat compare"""
    story: Callable[[Iterable[Simulation], Sequence[str], int | None], str] | None = None
    """`story(moments, names, seat)`: a few sentences; of `moments`, the game at each tick, nothing is kept"""
    advice: Callable[[Ending, Simulation, int | None], tuple[str, str] | None] | None = None
    """`advice(end, last, seat)`: of a game that came to nothing: (what happened, what to try), else None"""
    compared: Callable[[float, Sequence[float]], str] | None = None
    """`compared(now, earlier)`: a sentence: a seat's worth beside those of earlier games"""
    usually: Callable[[str, float, int | None, str], str] | None = None
    """`usually(name, mean, games, whom)`: a sentence about an agent's worth on average"""


class PolicyTable(Part):
    """what an agent does in every situation, for games that are small enough to list them"""

    MODULE = "policy_table"
    WITHOUT = "not shown"
    policy_table: Callable[[Callable[[np.ndarray, np.ndarray], np.ndarray]], dict[str, Any]]
    """`policy_table(act)`"""


class Habits(Part):
    """what `./manage.py evaluate habits` and rounds count"""

    MODULE = "habits"
    WITHOUT = "nothing is counted; rounds compare what steps report as events"
    habits: Callable[[np.ndarray, int, int, np.ndarray], Iterator[tuple[str, bool]]]
    """`habits(before, seat, action, after)`: (habit, whether it was followed) of a move"""


class Asking(typing.Protocol):
    """What seats of many games are asked to do while somebody learns."""

    def renew(self, states: np.ndarray, world: np.ndarray, goals: np.ndarray, count: int) -> None: ...

    def reached(self, states: np.ndarray, world: np.ndarray, goals: np.ndarray) -> np.ndarray: ...

    def came_to(
        self, starts: np.ndarray, ends: np.ndarray, world: np.ndarray, seats: np.ndarray, word: int
    ) -> np.ndarray: ...

    def figures(self) -> dict[str, float]: ...

    def kept(self) -> dict[str, np.ndarray]: ...


class Training(Part):
    """what suits trainings; what seats earn, are asked for, and who is out, where that is the game's own"""

    MODULE = "training"
    WITHOUT = "the score, shared; nothing is asked, nobody is out"
    SETTINGS: Mapping[str, Mapping[str, Mapping[str, Any]]] = {}
    """`{program: {size: {setting: value}}}`; the size "first" makes first agents, "usual" goes on"""
    EPISODES: int | None = None
    """simulated ones for a round"""
    OPTIONS: Mapping[str, Any] = {}
    """options of a training's games"""
    card: Callable[[dict[str, Any], str], dict[str, Any]] | None = None
    """`card(options, reads)`: what the card of its networks says"""
    elsewhere: Callable[[int], list[dict[str, Any]]] | None = None
    """`elsewhere(count)`: other options to learn in"""
    MEANING: str = ""
    """what scores are, in a sentence"""
    UNIT: tuple[float, str] = (1, "")
    """how many points are one of what, in words"""
    YARDSTICK: str = ""
    """the agent that sides are measured against, and what it is called"""
    YARDSTICK_WORDS: str = ""
    rewards: Callable[..., np.ndarray] | None = None
    """`rewards(states, weights, reached)`: of the last tick, by group, float32 (n, seats, groups)"""
    discounts: Callable[[Mapping[str, Any]], list[float]] | None = None
    """`discounts(weights)`: of each group"""
    out: Callable[[np.ndarray], np.ndarray] | None = None
    """`out(states)`: who plays no longer, bool (n, seats)"""
    asking: Callable[[tuple[int, int], float, int, Mapping[str, float], bool], Asking] | None = None
    """`asking(shape, share, seed, kinds, bare)`: what seats are asked to do, in games with goals"""
    privileged: Callable[[np.ndarray, np.ndarray], np.ndarray] | None = None
    """`privileged(states, world)`: what only critics read, float32 (n, seats, numbers)"""


class PagesOf(Part):
    """what the lobby says and offers, keys, the note on scores"""

    MODULE = "pages"
    WITHOUT = "titles from the spec, all options that have choices"
    PAGES: Pages | None = None
    """`engine/games/pages.py` documents every field"""


class Planning(Part):
    """what can be done in it, so that a team's work can be planned (`engine/games/plans.py`)"""

    MODULE = "planning"
    WITHOUT = "there are no plans"
    world: Callable[[Simulation, Wanted], World]
    """`world(sim, wanted)`: what planners search, from the present state on"""
    things: Callable[[Simulation], Things]
    """`things(sim)`: what is there that one can do something with"""
    GOAL: str
    """what a team wants if nobody says anything, in a sentence"""


class FirstGame(Part):
    """the guided first game (`engine/games/first.py`)"""

    MODULE = "first"
    WITHOUT = "none is offered"
    FIRST: First | None = None
    """options, seed, who sits where, who sleeps until woken, and steps, each with what to do and how the game
    shows that it was done"""


class Positions(Part):
    """examples and tutorials (`engine/games/position.py`)"""

    MODULE = "positions"
    WITHOUT = "none are offered"
    MARKING: Sequence[Position] = ()
    PLAYING: Sequence[Position] = ()
    """where a move takes several ticks, `choices` of a position are what somebody who plays on can do"""


class Frames(Part):
    """a picture in the replay that is no JSON view a tick (`webapp/episodes/frames.py`)"""

    MODULE = "frames"
    WITHOUT = "a view of every tick"
    record: Callable[[EpisodeLog, int], Any]
    """`record(log, last_tick)`: chunks of bytes, their layout, what stands out"""
    states_of: Callable[[EpisodeLog], Iterator[np.ndarray]] | None = None
    """`states_of(log)`: the record at every tick, faster than one simulation gives them"""


class Protocol(Part):
    """the binary frames of a game whose actions have heads ([protocol.md](protocol.md))"""

    MODULE = "protocol"
    WITHOUT = "such a game can't be played live"
    VERSION: int
    FROM_ABOVE: int
    GRIEF_TICKS: int
    warm: Callable[[Simulation], None]
    again: Callable[..., Any]
    new_buffer: Callable[..., Any]
    new_seen: Callable[..., Any]
    eyes_of: Callable[..., Any]
    map_seed: Callable[..., int]
    note_sight: Callable[..., Any]
    pack_snapshot: Callable[..., Any]
    unpack_inputs: Callable[..., Any]
    to_record: Callable[..., Any]
    stamp: Callable[..., Any]
    announced: Callable[..., Any]
    spoken_to: Callable[..., Any]


class Talking(Part):
    """what agents say by themselves in a match, and answer"""

    MODULE = "talk"
    WITHOUT = "they are silent"
    Talk: Callable[[], Any]


# --- language/ ---------------------------------------------------------------------------------------------


class Reader(Part):
    """a reader of instructions ([language.md](language.md))"""

    MODULE, ROOM = "", "language"
    WITHOUT = "agents say that they can't be told things yet"
    prior: Callable[[Program, Simulation, int], np.ndarray]
    """`prior(program, sim, seat)`: float32 (num_actions,), in logit units"""
    read: Callable[[str], Reading] | None = None
    """`read(text)`, of games that declare nothing: their own reader; never raises"""
    priors: Callable[[list[Program], Simulation, int], np.ndarray] | None = None
    """`priors(programs, sim, seat)`: of all instructions together, where that isn't their sum"""
    goals: Callable[[list[Program], Simulation, int], np.ndarray] | None = None
    """`goals(programs, sim, seat)`: int16 (goal_size,), where policies get what is asked as an input"""
    progresses: Callable[[list[Program], Simulation, int], list[dict[str, str]]] | None = None
    """`progresses(programs, sim, seat)`: how far a seat has got with each"""
    remaining: Callable[[list[Program], Simulation, int], list[Program | None]] | None = None
    """`remaining(programs, sim, seat)`: what is left of each once later ones have replaced some"""
    defaults: Callable[[dict[str, Any], list[int]], dict[int, Program]] | None = None
    """`defaults(options, people)`: what agents do for people of their side until they are told something"""
    softened: Callable[[Program, float], Program] | None = None
    """`softened(program, share)`: with only a share of its weight"""
    LOOK_EVERY: int = 1
    """ticks between two looks at how far a seat has got, and why, in games with many ticks a second"""
    ASKS: float = 0.0
    """logits of a prior from which on a move is asked for, or forbidden"""
    Following: Callable[[int], Following] | None = None
    """`Following(n)` follows instructions in n games at once; else a simulation runs beside each game"""
    asked_about: Callable[..., Any] | None = None
    """which yes/no question a move answers, of `NUM_QUESTIONS`: for trainings with wrong answers"""
    NUM_QUESTIONS: int = 0


class Language(Part):
    """what can be said, declared (`engine/language/declared.py`)"""

    MODULE, ROOM = "declared", "language"
    WITHOUT = "nothing can be said"
    DECLARED: Declared


class CarriedOut(Part):
    """how what is said is carried out: declared programs as those that the follower reads, and back"""

    MODULE, ROOM = "carried", "language"
    WITHOUT = "nothing that is said can be carried out"
    carried: Callable[[list[Clause], dict[str, Any] | None], Carried]
    """`carried(clauses, aim)`: what is carried out, and what isn't and why"""
    never: Callable[[Clause, dict[str, Any]], tuple[str, Clause | None]] = lambda clause, options: ("", None)
    """`never(clause, options)`: why nobody can ever do this in a game with these options, "" if somebody can,
    and the nearest clause that can be done, if there is one"""
    of_version_1: Callable[[Program], list[Clause]]
    """`of_version_1(program)`: a program of an older log as clauses"""


class ReadFeatures(Part):
    """what networks read of a program"""

    MODULE, ROOM = "features", "language"
    WITHOUT = "none"
    NUM_FEATURES: int
    FEATURES_VERSION: int
    features: Callable[[Program | None], np.ndarray]


class Say(Part):
    """programs told back"""

    MODULE, ROOM = "say", "language"
    WITHOUT = "what can be read isn't said"
    sentence: Callable[[Program], str]
    CAN_READ: str = ""
    """what stands behind "I can read" where nothing was read"""
    PARTS: str = ""
    """what of a program can be told back alone"""


class Labels(Part):
    """readings as labels, by which they are scored and, where a table of them is published, found
    (`engine/language/labels.py`)"""

    MODULE, ROOM = "labels", "language"
    WITHOUT = "readings have no labels"
    labels: Callable[[dict[str, Any]], list[str]]
    """`labels(row)` of a phrasing, and `row_of(program)`, a program as a phrasing"""
    row_of: Callable[[Program | None], dict[str, Any]]
    row: Callable[[list[str]], dict[str, Any]] = lambda labels: {}
    """`row(labels)`: labels that a model found, as a phrasing"""
    group: Callable[[str], str] = lambda label: label
    """`group(label)`: of labels with the same one a reading has one"""


class Table(Part):
    """the questions of the prior, by what was seen and what to do"""

    MODULE, ROOM = "table", "language"
    WITHOUT = "a language model answers none"
    observations: Callable[[], Sequence[tuple[str, str]]]
    actions: Callable[[], Sequence[tuple[str, str]]]
    answer: Callable[[Program, str, str], bool]


class Wants(Part):
    """what instructions ask for in the game's goal space, as chips that players see and edit: each sub-goal
    is `{"name", "value", "label", "says", "sentence"}` (`engine/games/arena/chips.py`)"""

    MODULE, ROOM = "wants", "language"
    WITHOUT = "instructions have no chips"
    of_program: Callable[[Program], list[dict[str, Any]]]
    """`of_program(program)`: before anybody is told, each with its `clause`'s number and other `values`"""
    now: Callable[[list[Program], Simulation, int], list[dict[str, Any]]]
    """`now(programs, sim, seat)`: of each, `{"subgoals", "far": [[share met, what is the case]]}`"""
    instead: Callable[[Program, list[dict[str, Any]]], Program]
    """`instead(program, asked)`: with these, `[{"clause", "name", "value"}]`, for its own; raises Refusal"""


class Trial(Part):
    """the questions with which an admin tries a language model"""

    MODULE, ROOM = "trial", "language"
    WITHOUT = "those of another game"
    CONTEXT: Mapping[str, str]
    QUESTIONS: Sequence[tuple[Any, bool]]


class Reasons(Part):
    """why an instruction can't be obeyed now, where all move at once (`engine/agents/reasons.py`)"""

    MODULE, ROOM = "reasons", "language"
    WITHOUT = "not said"
    why_not: Callable[[Program, Simulation, int, dict[str, str]], tuple[str, bool]]
    """`why_not(program, sim, seat, progress)`: (words, whether it is so at once)"""


def parts() -> list[type[Part]]:
    """All of them, in the order of these files."""
    here = [part for part in globals().values() if inspect.isclass(part) and part.__module__ == __name__]
    others = (*vars(brings_cotraining).values(), *vars(brings_evaluation).values())
    there = [part for part in others if inspect.isclass(part)]
    return [part for part in (*here, *there) if Part in part.__bases__]
