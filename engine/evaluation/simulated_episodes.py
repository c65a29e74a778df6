"""Simulated episodes with simulated marks, as a snapshot folder: for tests, demonstrations and experiments.

Everything in it says that it is simulated: seats are agents, marks have "simulated" set and annotators whose
names begin with "simulated:". Agents make deliberate mistakes, because a reward model learns little from
games without regressions. If nothing is dealt, games begin in random states and partners differ, or all
episodes would be the same.
"""

from __future__ import annotations

import json
import sys
import uuid
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from engine import command_line, games, language
from engine.agents.acting import act
from engine.agents.catalogue import load, shipped
from engine.agents.files import write_atomically
from engine.agents.policy import Policy
from engine.evaluation.annotators import Annotator, Watched, annotate
from engine.evaluation.reward_return import varied
from engine.games import arguments, stories
from engine.language import standings
from engine.simulation.log import EpisodeLog, encode_line, header_of
from engine.simulation.simulation import Simulation
from engine.simulation.told import Told

_NAMESPACE = uuid.UUID("0d0f5f0e-6c4b-4a0e-9f6b-5a0a8b2b7c11")
TOGETHER = 32
"""Games that are played at the same time."""


def play_logs(
    policy: Policy,
    count: int,
    options: dict[str, Any] | None = None,
    mistakes: float = 0.15,
    instructions: Sequence[str] = (),
    obey: float = 0.5,
    seed: int = 0,
    partners: Sequence[Policy] = (),
    always: bool = False,
    check: Callable[[], None] = lambda: None,
) -> Iterator[EpisodeLog]:
    """`count` whole games of a policy with itself, as logs; the same arguments give the same logs. A move is
    a random legal one with probability `mistakes`. With `partners`, each seat but one is played by the policy
    or by one of them, drawn for each game, and each seat's probability of mistakes is drawn from 0 to twice
    that. With `instructions`, seat 0 gives one of them in every other game (`always`: in every game), to its
    whole side; the other seats follow it in a share `obey` of those games, and ignore it in the rest. `check`
    is called before every tick and may raise, to stop.
    """
    rng = np.random.default_rng(seed)

    def begun(number: int) -> Table:
        episode = str(uuid.uuid5(_NAMESPACE, f"{policy.name}/{seed}/{number}"))
        sim = Simulation(policy.game, options, seed=int(rng.integers(2**31)))
        cast, sloppy = [policy] * sim.seats, np.full(sim.seats, mistakes)
        if partners:
            first = int(rng.integers(sim.seats))
            crew = [policy, *partners]
            cast = [policy if s == first else crew[rng.integers(len(crew))] for s in range(sim.seats)]
            sloppy = rng.uniform(0, 2 * mistakes, sim.seats)
        seats = [{"kind": "agent", "name": one.name, "agent": one.name} for one in cast]
        log = EpisodeLog(header_of(sim, episode, seats))
        told, obeys = Told(log.header), bool(rng.random() < obey)
        if instructions and (always or number % 2):
            text = str(rng.choice(list(instructions)))
            reading = language.read(policy.game, text)
            said = {
                "tick": 0,
                "seat": 0,
                "target_seat": None,
                "id": str(uuid.uuid5(_NAMESPACE, episode)),
                "text": text,
            }
            log.append({"type": "instruction", **said, "status": "confirmed", "reading": reading.as_json()})
            told.note(log.records[-1])
            for record in standings.settled(told, sim):
                log.append(record)
        return Table(sim, log, told, cast, sloppy, obeys)

    for first in range(0, count, TOGETHER):
        tables = [begun(number) for number in range(first, min(count, first + TOGETHER))]
        play_on(tables, rng, check)
        for table in tables:
            sim = table.sim
            end = {"tick": sim.tick, "score": sim.score, "digest": sim.digest(), "reason": "finished"}
            end["outcomes"] = stories.outcomes(sim.game, sim.view(None))
            table.log.append({"type": "end", **end})
            yield table.log


@dataclass
class Table:
    """A game that is played into its log by a `cast` of policies, by seat, which get the instructions in
    force for them (as `told` says) if anybody `obeys`; `sloppy`: the probability of a random move for each
    seat; to its end or to tick `until`.
    """

    sim: Simulation
    log: EpisodeLog
    told: Told
    cast: Sequence[Policy]
    sloppy: Sequence[float] | np.ndarray = ()
    obeys: bool = True
    until: int | None = None
    chosen: dict[int, Any] = field(default_factory=dict)  # by seat, what it does until it decides anew

    @property
    def goes_on(self) -> bool:
        """Whether there is anything left to play."""
        return not self.sim.over and (self.until is None or self.sim.tick < self.until)

    @property
    def movers(self) -> Sequence[int]:
        """The seats that move now."""
        return range(self.sim.seats) if self.sim.current is None else [self.sim.current]

    @property
    def deciding(self) -> Sequence[int]:
        """Those of them that decide now."""
        return self.movers if not self.chosen or self.sim.tick % self.sim.spec.decision_ticks == 0 else ()

    def step(self) -> None:
        """All seats do what they chose."""
        sim, heads = self.sim, self.sim.spec.heads
        joint, tick = [sim.idle(seat) for seat in range(sim.seats)], sim.tick
        for seat in self.movers:
            joint[seat] = sim.resolve(seat, self.chosen[seat]) if heads else self.chosen[seat]
        sim.step(joint)
        self.log.append({"type": "step", "tick": tick, "actions": sim.actions[-1]})
        for record in standings.done(self.told, sim):
            self.log.append(record)


def play_on(
    tables: Sequence[Table], rng: np.random.Generator, check: Callable[[], None] = lambda: None
) -> None:
    """Play games with the same options at the same time; each policy is asked once per tick for all its
    seats. `check` is as in `play_logs`.
    """
    while running := [table for table in tables if table.goes_on]:
        check()
        asked: dict[int, list[tuple[Table, int]]] = {}
        for table in running:
            for seat in table.deciding:
                asked.setdefault(id(table.cast[seat]), []).append((table, seat))
        for rows in asked.values():
            policy = rows[0][0].cast[rows[0][1]]
            sims, seats = [table.sim for table, _ in rows], [seat for _, seat in rows]
            programs = [table.told.programs(seat) if table.obeys else [] for table, seat in rows]
            for (table, seat), move in zip(rows, act(policy, sims, seats, rng, programs), strict=True):
                if len(table.sloppy) and rng.random() < table.sloppy[seat]:
                    move = random_choice(table.sim.legal(seat), table.sim.spec.heads, rng)
                table.chosen[seat] = move
        for table in running:
            table.step()


def random_choice(mask: np.ndarray, heads: tuple[int, ...], rng: np.random.Generator) -> Any:
    """A random legal action; one choice per head if actions have heads."""
    if not heads:
        return int(rng.choice(np.flatnonzero(mask)))
    parts = np.split(mask, np.cumsum(heads)[:-1])
    return [int(rng.choice(np.flatnonzero(part))) for part in parts]


def write_snapshot(
    folder: Path,
    logs: Sequence[EpisodeLog],
    annotators: Sequence[Annotator],
    per_seat: int = 1,
    seed: int = 0,
) -> int:
    """Write logs and the marks of `per_seat` annotators on every seat of each (on people's seats alone if
    people play); returns the number of marks.
    """
    (folder / "episodes").mkdir(parents=True, exist_ok=True)
    marks: list[dict[str, Any]] = []
    reviews: list[dict[str, Any]] = []
    for number, log in enumerate(logs):
        episode = str(log.header["episode"])
        lines = [encode_line(record) for record in [log.header, *log.records]]
        write_atomically(folder / "episodes" / f"{episode}.jsonl", "".join(lines).encode())
        kinds = [seat["kind"] for seat in log.header["seats"]]
        people = [seat for seat, kind in enumerate(kinds) if kind == "person"]
        watched = Watched(log)
        for seat in people or range(len(kinds)):
            for turn in range(per_seat):
                annotator = annotators[(number + seat + turn) % len(annotators)]
                marks += annotate(watched, episode, seat, annotator, seed)
                who = {"episode": episode, "annotator": annotator.label, "simulated": True}
                reviews.append({**who, "seats": [seat], "measure": annotator.measure})
    for name, rows in (("marks", marks), ("reviews", reviews)):
        write_atomically(folder / f"{name}.jsonl", "".join(json.dumps(row) + "\n" for row in rows).encode())
    return len(marks)


def annotators_of(game: str) -> tuple[Annotator, ...]:
    """Three annotators who differ as people do. In real time marks come some ticks late, otherwise a move
    late.
    """
    per_second = games.spec(game).ticks_per_second
    late = (per_second / 2, per_second / 3) if per_second else (0.5, 0.5)
    return (
        Annotator("careful"),
        Annotator("hasty", delay_mean=late[0], delay_sd=late[1], miss=0.3, false_marks=0.01),
        Annotator("lazy", threshold=0.6, most_marks=8),
    )


def crew(game: str, options: dict[str, Any]) -> list[Policy]:
    """Scripted partners of all strengths; none in games in which agents with different conventions only fail
    together.
    """
    if games.spec(game).turn_based:
        return []
    return [load(ref, game, options) for ref, card in shipped(game).items() if card.get("kind") == "scripted"]


def main(argv: list[str] | None = None) -> int:
    """`python -m engine.evaluation.simulated_episodes --agent REF --out FOLDER`: a snapshot to experiment
    on."""
    parser = command_line.Parser(prog="python -m engine.evaluation.simulated_episodes")
    name = command_line.name
    parser.add_argument("--game", type=arguments.game, default=games.DEFAULT)
    parser.add_argument(
        "--layout", type=name, default="", help="where the game has layouts; its default else"
    )
    parser.add_argument("--agent", type=name, required=True, help="ref or folder of the agent that plays")
    parser.add_argument("--out", required=True, type=command_line.new_folder, help="folder of the snapshot")
    parser.add_argument("--episodes", type=command_line.whole(1, 100_000), default=200)
    parser.add_argument(
        "--mistakes", type=command_line.share, default=0.15, help="probability of a random move"
    )
    parser.add_argument(
        "--instruction", action="append", default=[], help="told in every other game, one of those given"
    )
    parser.add_argument("--seed", type=command_line.seed, default=1)
    args = parser.parse_args(argv)
    options = {"layout": args.layout} if args.layout else {}
    try:
        policy, partners = load(args.agent, args.game, options), crew(args.game, options)
        options = {**options, **varied(args.game)}
        told = args.instruction
        found = play_logs(
            policy, args.episodes, options, args.mistakes, told, seed=args.seed, partners=partners
        )
        logs = list(found)
        marks = write_snapshot(args.out, logs, annotators_of(args.game))
    except (ValueError, OSError) as problem:
        print(" ".join(str(problem).split()), file=sys.stderr)
        return 1
    print(f"{len(logs)} simulated episodes with {marks} simulated marks in {args.out}")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
