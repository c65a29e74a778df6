"""Does an agent follow an instruction? The same deals with the instruction and without it.

Where instructions are about moves, the moves of a seat are judged. A move is *asked* if the instruction
prefers or forbids some legal move. It is *followed* if it is one of the preferred moves (or, if moves are
only forbidden, none of those). `judged(program, before, event)` in the game's `events.py` in this room
decides this from the game's log; otherwise the instruction's prior does, which is also what moved the agent.

Where they are tasks, the game brings a kind of `Given` in its `obedience.py`: seats get one task after
another, each withdrawn after a while, and whether its sub-goal was completed is read off the game, whatever
they were really told: the true instruction, none, another one, or the contrary. An agent with the same
numbers in all of them ignores language.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar, Protocol

import numpy as np

from engine import brings, command_line, games, language
from engine.agents.acting import Programs, asked
from engine.agents.catalogue import load
from engine.agents.policy import Policy, check_fits
from engine.evaluation.episodes import Episode, play_on
from engine.evaluation.intervals import share_over_deals
from engine.evaluation.self_play import summary
from engine.games import arguments
from engine.simulation.simulation import Simulation

# --- Instructions about moves ------------------------------------------------------------------------------

JUDGED = 1  # the seat with the instruction


def obedience(
    policy: Policy, instruction: str, episodes: int = 100, seed: int = 0, firmness: float = 1.0
) -> dict[str, Any]:
    """Self-play with `instruction` for seat 1, and without it, on the same deals. {"reading", "told":
    {"asked", "followed", "share", "score"}, "untold": the same}; raises ValueError for an instruction that
    can't be read.
    """
    reading = language.meant(policy.game, instruction)
    program = language.softened(policy.game, reading.program or {}, firmness)
    result: dict[str, Any] = {"instruction": instruction, "reading": reading.sentence}
    for name in ("told", "untold"):
        deals = [
            Simulation(policy.game, policy.card.get("options", {}), seed=seed + deal)
            for deal in range(episodes)
        ]
        heard = [program] if name == "told" else []
        played = [Judged(sim, [policy] * sim.seats, program=program, heard=heard) for sim in deals]
        play_on(played, np.random.default_rng(seed))
        judged = [right for episode in played for right in episode.judged]
        result[name] = {
            "asked": len(judged),
            "followed": sum(judged),
            "share": sum(judged) / len(judged) if judged else None,
            "score": summary(np.array([sim.score for sim in deals]), deals[0].max_score),
        }
    return result


@dataclass(eq=False, kw_only=True)
class Judged(Episode):
    """A game in which each move of a seat is judged by a program, whether or not the seat has `heard` it."""

    program: dict[str, Any]
    heard: Programs
    judged: list[bool] = field(default_factory=list)

    def programs(self, seat: int) -> Programs:
        return self.heard if seat == JUDGED else []

    def step(self) -> None:
        before, judge = self.sim.copy(), JUDGED in self.movers
        super().step()
        right = _followed(self.program, before, self.sim, self.chosen[JUDGED]) if judge else None
        if right is not None:
            self.judged.append(right)


def _followed(program: dict[str, Any], before: Simulation, after: Simulation, action: int) -> bool | None:
    """Whether a move of the seat was what the program asks for; None if it asks for nothing."""
    events = brings.Events.brought(before.game)
    if events is not None:
        return events.judged(program, before.view(None), after.view(None)["last"])
    wanted = asked(before, JUDGED, [program]).prior
    if wanted is None or not wanted.any():
        return None
    best, worst = wanted.max(), wanted.min()
    return bool(wanted[action] >= (best / 2 if best > -worst / 2 else 0))


# --- Tasks -------------------------------------------------------------------------------------------------

CONDITIONS = ("none", "true", "random", "opposite")


def given(game: str, text: str, speaker: int, tick: int = 0) -> dict[str, Any]:
    """The program of an instruction that a seat gives at a tick; raises ValueError if it can't be
    followed.
    """
    return {**(language.meant(game, text).program or {}), "since_tick": tick, "from_seat": speaker}


class Task(Protocol):
    """An instruction and its contrary."""

    @property
    def text(self) -> str: ...
    @property
    def opposite(self) -> str: ...


@dataclass(eq=False, kw_only=True)
class Given(Episode):
    """A game in which the seats TOLD get one task after another from seat SPEAKER: the first at tick FIRST,
    the next one PERIOD ticks later, each withdrawn after LIMIT ticks. The order and the random instructions
    are the same whatever the agent and the condition.
    """

    SPEAKER: ClassVar[int]
    TOLD: ClassVar[tuple[int, ...]]
    FIRST: ClassVar[int]
    PERIOD: ClassVar[int]
    LIMIT: ClassVar[int]

    tasks: Sequence[Any]
    condition: str
    number: int
    task: Any = field(default=None, init=False)
    seats: list[int] = field(default_factory=list, init=False)  # that can do the task
    since: int = field(default=0, init=False)
    heard: Programs = field(default_factory=list, init=False)
    outcomes: list[tuple[str, bool]] = field(default_factory=list, init=False)

    def __post_init__(self) -> None:
        rng = np.random.default_rng([self.sim.seed, self.number])
        self.order = rng.permutation(len(self.tasks))
        self.others = rng.integers(1, len(self.tasks), 100)
        self.turn = 0

    def programs(self, seat: int) -> Programs:
        return self.heard if seat in self.TOLD else []

    def able(self, task: Any) -> list[int]:
        """The seats that could do a task now."""
        raise NotImplementedError

    def watch(self) -> None:
        """See how far the sub-goal is; called whenever agents decide."""

    def completed(self) -> Iterable[bool]:
        """Of the task that ends now: whether its sub-goal was completed, by seat or for all of them."""
        raise NotImplementedError

    def program(self, text: str) -> dict[str, Any]:
        """An instruction that is given now."""
        return given(self.sim.game, text, self.SPEAKER, self.since)

    def begin(self) -> bool:
        """Give the next task that somebody can do; whether there is one."""
        for _ in self.tasks:
            index = int(self.order[self.turn % len(self.tasks)])
            other = (index + int(self.others[self.turn % len(self.others)])) % len(self.tasks)
            self.turn += 1
            task, self.seats = self.tasks[index], self.able(self.tasks[index])
            if self.seats:
                break
        else:
            return False
        self.task, self.since = task, self.sim.tick
        given = {"true": task.text, "random": self.tasks[other].text, "opposite": task.opposite}
        text = given.get(self.condition)
        self.heard = [self.program(text)] if text else []
        return True

    @classmethod
    def begun(cls, games: list[Any]) -> None:
        """Called with the games in which a task begins now."""

    @classmethod
    def draws(cls, seed: int) -> np.random.Generator | Callable[[int], np.random.Generator]:
        """What draws the moves of a condition's games."""
        return np.random.default_rng(seed)

    @classmethod
    def figures(cls, games: list[Any]) -> dict[str, Any]:
        """What a condition's games came to."""
        raise NotImplementedError

    def end(self) -> None:
        """Withdraw the task, and note what came of it."""
        if self.task is not None:
            self.outcomes += [(self.task.text, bool(done)) for done in self.completed()]
        self.task, self.heard = None, []


def tasks_done(
    kind: type[Given],
    policy: Policy,
    partner: Policy,
    options: dict[str, Any],
    tasks: Sequence[Task],
    episodes: int,
    seed: int,
    last: int,
) -> dict[str, Any]:
    """Games of a policy that gets tasks, with a partner in all other seats, to tick `last`, under each
    condition: {"agent", "partner", "instructions", condition: {"completed": {"share", "interval"}, "asked":
    number, …`kind.figures`}, "by_instruction": {text: {condition: share, "asked": {condition: number}}}}.
    Raises Refusal.
    """
    game = policy.game
    for player in (policy, partner):
        check_fits(player, game, options)
    result: dict[str, Any] = {"game": game, "agent": policy.name, "partner": partner.name, "options": options}
    result |= {"episodes": episodes, "seed": seed, "instructions": [task.text for task in tasks]}
    by: dict[str, dict[str, Any]] = {task.text: {"asked": {}} for task in tasks}

    def assign(deciding: list[Given]) -> None:
        tick = deciding[0].sim.tick if deciding else 0
        at, new = (tick - kind.FIRST) % kind.PERIOD, []
        for seat in deciding if tick >= kind.FIRST else ():
            if at == 0 and tick + kind.LIMIT <= last and seat.begin():
                new.append(seat)
            if seat.task is not None:
                seat.watch()
            if at == kind.LIMIT:
                seat.end()
        if new:
            kind.begun(new)

    for condition in CONDITIONS:
        played = []
        for number in range(episodes):
            sim = Simulation(game, options, seed=seed + number)
            cast = [policy if seat in kind.TOLD else partner for seat in range(sim.seats)]
            played.append(kind(sim, cast, last, tasks=tasks, condition=condition, number=number))
        play_on(played, kind.draws(seed), before=assign)
        for episode in played:
            episode.end()
        each = [episode.outcomes for episode in played]
        result[condition] = {
            "completed": share_done(each),
            "asked": sum(map(len, each)),
            **kind.figures(played),
        }
        for text, row in by.items():
            row[condition] = share_done(each, text)["share"]
            row["asked"][condition] = sum(other == text for done in each for other, _ in done)
    return {**result, "by_instruction": by}


def share_done(each: Sequence[Sequence[tuple[str, bool]]], text: str = "") -> dict[str, Any]:
    """{"share", "interval"} of sub-goals (of one instruction) that were completed; those of a game belong
    together.
    """
    done = [[ok for other, ok in outcomes if text in ("", other)] for outcomes in each]
    return share_over_deals(
        np.array([sum(marks) for marks in done]), np.array([len(marks) for marks in done])
    )


def table(result: dict[str, Any], rows: dict[str, Callable[[dict[str, Any]], str]]) -> list[str]:
    """The conditions beside each other: `rows` of what a condition has, and each instruction."""
    lines = [f"{result['agent']} told by {result['partner']}, {result['episodes']} games"]
    lines.append(f"{'':32}" + "".join(f"{name:>18}" for name in CONDITIONS))
    for title, cell_of in rows.items():
        lines.append(f"{title:32}" + "".join(f"{cell_of(result[name]):>18}" for name in CONDITIONS))
    for text, row in result["by_instruction"].items():
        cells = [f"{cell(row[name])} of {row['asked'][name]}" for name in CONDITIONS]
        lines.append(f"{text:32}" + "".join(f"{cell:>18}" for cell in cells))
    return lines


def cell(share: float | None, interval: Sequence[float] | None = None) -> str:
    """A share, with its interval where there is one."""
    if share is None:
        return "-"
    return f"{share:.0%}" + (f" ({interval[0]:.0%} to {interval[1]:.0%})" if interval else "")


def main(argv: list[str] | None = None) -> int:
    """One JSON object: `python -m engine.evaluation.obedience --agent REF --instruction TEXT` (games whose
    instructions are about moves), or `python -m engine.evaluation.obedience --game GAME --agent REF --partner
    REF`, with options of the game (games whose instructions are tasks), which prints a table first.
    """
    parser = command_line.Parser(prog="python -m engine.evaluation.obedience")
    name = command_line.name
    parser.add_argument("--game", type=arguments.game, default=games.DEFAULT, help=", ".join(games.names()))
    parser.add_argument("--agent", type=name, required=True, help="ref or folder")
    parser.add_argument("--instruction", help="what the agent is told, where moves are told")
    parser.add_argument("--partner", type=name, help="who else plays, where tasks are told")
    parser.add_argument("--episodes", type=command_line.whole(1, 100_000), default=50)
    parser.add_argument("--seed", type=command_line.seed, default=1)
    arguments.add(parser)
    args = parser.parse_args(argv)
    try:
        options, module = arguments.given(vars(args)), brings.Obedience.brought(args.game)
        agent = load(args.agent, args.game, options)
        if module is not None:
            partner = load(args.partner or module.PARTNER, args.game, options)
            result = module.obedience(agent, partner, options, args.episodes, args.seed)
            print("\n".join(module.table(result)))
        elif not args.instruction:
            raise ValueError("Say with --instruction what the agent is told.")
        else:
            result = obedience(agent, args.instruction, args.episodes, args.seed)
        print(json.dumps(result))
    except ValueError as problem:
        print(problem, file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
