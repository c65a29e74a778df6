"""Simulated episodes with simulated marks, as a snapshot folder: for tests, demonstrations and experiments.

Everything in it says that it is simulated: seats are agents, marks have "simulated" set and annotators whose
names begin with "simulated:". Agents make deliberate mistakes, because a reward model learns little from
games without regressions. If nothing is dealt, games begin in random states and partners differ, or all
episodes would be the same.
"""

from __future__ import annotations

import sys
import uuid
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from engine import command_line, games, language, snapshots
from engine.agents.catalogue import load, shipped
from engine.agents.policy import Policy
from engine.evaluation.annotators import Annotator, Watched, annotate
from engine.evaluation.episodes import Logged, play_on
from engine.evaluation.reward_return import varied
from engine.games import arguments
from engine.simulation.log import EpisodeLog, encode_line
from engine.simulation.simulation import Simulation

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

    def begun(number: int) -> Logged:
        episode = str(uuid.uuid5(_NAMESPACE, f"{policy.name}/{seed}/{number}"))
        sim = Simulation(policy.game, options, seed=int(rng.integers(2**31)))
        cast, sloppy = [policy] * sim.seats, np.full(sim.seats, mistakes)
        if partners:
            first = int(rng.integers(sim.seats))
            crew = [policy, *partners]
            cast = [policy if s == first else crew[rng.integers(len(crew))] for s in range(sim.seats)]
            sloppy = rng.uniform(0, 2 * mistakes, sim.seats)
        played = Logged.begun(sim, cast, episode, sloppy=sloppy, obeys=bool(rng.random() < obey))
        if instructions and (always or number % 2):
            reading = language.read(policy.game, str(rng.choice(list(instructions))))
            played.give(reading, 0, None, str(uuid.uuid5(_NAMESPACE, episode)))
        return played

    for first in range(0, count, TOGETHER):
        episodes = [begun(number) for number in range(first, min(count, first + TOGETHER))]
        play_on(episodes, rng, check)
        yield from (episode.finish() for episode in episodes)


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
    written: list[tuple[str, bytes]] = []
    marks: list[dict[str, Any]] = []
    reviews: list[dict[str, Any]] = []
    for number, log in enumerate(logs):
        episode = str(log.header["episode"])
        lines = [encode_line(record) for record in [log.header, *log.records]]
        written.append((episode, "".join(lines).encode()))
        kinds = [seat["kind"] for seat in log.header["seats"]]
        people = [seat for seat, kind in enumerate(kinds) if kind == "person"]
        watched = Watched(log, folder)
        for seat in people or range(len(kinds)):
            for turn in range(per_seat):
                annotator = annotators[(number + seat + turn) % len(annotators)]
                marks += annotate(watched, episode, seat, annotator, seed)
                who = {"episode": episode, "annotator": annotator.label, "simulated": True}
                reviews.append({**who, "seats": [seat], "measure": annotator.measure})
    snapshots.write(folder, written, marks, reviews)
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
        texts = args.instruction
        played = play_logs(
            policy, args.episodes, options, args.mistakes, texts, seed=args.seed, partners=partners
        )
        logs = list(played)
        marks = write_snapshot(args.out, logs, annotators_of(args.game))
    except (ValueError, OSError) as problem:
        print(" ".join(str(problem).split()), file=sys.stderr)
        return 1
    print(f"{len(logs)} simulated episodes with {marks} simulated marks in {args.out}")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
