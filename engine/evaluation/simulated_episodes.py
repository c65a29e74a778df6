"""Simulated episodes with simulated marks, as a snapshot folder: for tests, demonstrations and experiments.

Everything in it says that it is simulated: seats are agents, marks have "simulated" set and annotators whose
names begin with "simulated:". Agents make mistakes on purpose, because a reward model learns little from
games without regressions.
"""

from __future__ import annotations

import argparse
import json
import uuid
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from engine import language
from engine.agents.catalogue import load
from engine.agents.files import write_atomically
from engine.agents.policy import Policy, choose
from engine.evaluation.annotators import Annotator, annotate
from engine.simulation.log import EpisodeLog, encode_line, header_of
from engine.simulation.simulation import Simulation

_NAMESPACE = uuid.UUID("0d0f5f0e-6c4b-4a0e-9f6b-5a0a8b2b7c11")


def play_logs(
    policy: Policy,
    count: int,
    options: dict[str, Any] | None = None,
    mistakes: float = 0.15,
    instructions: Sequence[str] = (),
    obey: float = 0.5,
    seed: int = 0,
) -> Iterator[EpisodeLog]:
    """`count` whole games of a policy with itself, as logs; the same arguments give the same logs.

    A move is a random legal one with probability `mistakes`. With `instructions`, seat 0 gives seat 1 one of
    them in every other game; seat 1 follows it in a share `obey` of those games and ignores it in the others.
    """
    rng = np.random.default_rng(seed)
    for number in range(count):
        episode = str(uuid.uuid5(_NAMESPACE, f"{policy.name}/{seed}/{number}"))
        sim = Simulation(policy.game, options, seed=int(rng.integers(2**31)))
        seats = [{"kind": "agent", "name": policy.name, "agent": policy.name}] * sim.seats
        log = EpisodeLog(header_of(sim, episode, seats))
        program, obeys = None, bool(rng.random() < obey)
        if instructions and number % 2:
            text = str(rng.choice(list(instructions)))
            reading = language.read(policy.game, text)
            program = reading.program
            said = {
                "tick": 0,
                "seat": 0,
                "target_seat": 1,
                "id": str(uuid.uuid5(_NAMESPACE, episode)),
                "text": text,
            }
            log.append({"type": "instruction", **said, "status": "confirmed", "reading": reading.as_json()})
        while not sim.over:
            seat = sim.current or 0
            logits = policy.logits([sim], [seat])
            if program is not None and obeys and seat == 1:
                logits = logits + language.prior(policy.game, program, sim, seat)
            action = choose(logits)[0]
            if rng.random() < mistakes:
                action = int(rng.choice(np.flatnonzero(sim.legal(seat))))
            tick = sim.tick
            sim.act(seat, action)
            log.append({"type": "step", "tick": tick, "actions": sim.actions[-1]})
        end = {"tick": sim.tick, "score": sim.score, "digest": sim.digest(), "reason": "finished"}
        log.append({"type": "end", **end})
        yield log


def write_snapshot(
    folder: Path,
    logs: Sequence[EpisodeLog],
    annotators: Sequence[Annotator],
    per_seat: int = 1,
    seed: int = 0,
) -> int:
    """Write logs and the marks of `per_seat` annotators on every seat of each; returns the number of
    marks."""
    (folder / "episodes").mkdir(parents=True, exist_ok=True)
    marks: list[dict[str, Any]] = []
    for number, log in enumerate(logs):
        episode = str(log.header["episode"])
        lines = [encode_line(record) for record in [log.header, *log.records]]
        write_atomically(folder / "episodes" / f"{episode}.jsonl", "".join(lines).encode())
        for seat in range(len(log.header["seats"])):
            for turn in range(per_seat):
                annotator = annotators[(number + seat + turn) % len(annotators)]
                marks += annotate(log, episode, seat, annotator, seed)
    write_atomically(folder / "marks.jsonl", "".join(json.dumps(mark) + "\n" for mark in marks).encode())
    return len(marks)


ANNOTATORS = (
    Annotator("careful"),
    Annotator("hasty", delay_mean=0.5, delay_sd=0.5, miss=0.3, false_marks=0.01),
    Annotator("lazy", threshold=0.6, most_marks=8),
)
"""Three who differ as people do."""


def main(argv: list[str] | None = None) -> int:
    """`python -m engine.evaluation.simulated_episodes --agent REF --out FOLDER`: a snapshot to experiment
    on."""
    parser = argparse.ArgumentParser(prog="python -m engine.evaluation.simulated_episodes")
    parser.add_argument("--agent", required=True, help="ref or folder of the agent that plays")
    parser.add_argument("--out", required=True, type=Path, help="folder of the snapshot")
    parser.add_argument("--episodes", type=int, default=200)
    parser.add_argument("--mistakes", type=float, default=0.15, help="probability of a random move")
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args(argv)
    logs = list(play_logs(load(args.agent), args.episodes, mistakes=args.mistakes, seed=args.seed))
    marks = write_snapshot(args.out, logs, ANNOTATORS)
    print(f"{len(logs)} simulated episodes with {marks} simulated marks in {args.out}")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
