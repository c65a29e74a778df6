"""The same log gives the same match of Arena: in plain Python, compiled, from the actions and from a log.

In numba's CUDA simulator: tests/engine/simulation/test_cuda.py.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys

import numpy as np

from engine.simulation.log import EpisodeLog, encode_line, header_of, iterate, read_lines, verify
from engine.simulation.simulation import Simulation

PLAY = """
import json
import numpy as np
from engine.games import make_batch, spec
from engine.simulation.simulation import state_digest

batch = make_batch("arena", 2, observations="none", seed=5, teams=2, team_size=2, pace="short", monsters=3)
digests = []
for tick in range(300):
    batch.step(batch.choose_random().copy())
    if tick % 30 == 29:
        digests += [state_digest(spec("arena"), row) for row in batch.states]
print(json.dumps(digests))
"""


def play(ticks: int, seed: int = 3) -> Simulation:
    """A random match, some of it with the records of hands on a mouse."""
    simulation = Simulation("arena", {"teams": 2, "team_size": 2, "pace": "short"}, seed)
    random = np.random.default_rng(seed)
    for tick in range(ticks):
        joint = []
        for seat in range(simulation.seats):
            mask, offset, heads = simulation.legal(seat), 0, []
            for size in simulation.spec.heads:
                heads.append(int(random.choice(np.flatnonzero(mask[offset : offset + size]))))
                offset += size
            record = simulation.resolve(seat, heads)
            record[6], record[8] = int(random.integers(65536)), max(0, tick - int(random.integers(8)))
            joint.append(record if seat % 2 else heads)
        simulation.step(joint)
    return simulation


def test_plain_python_and_compiled_rules_play_the_same_matches() -> None:
    found = []
    for variables in ({}, {"NUMBA_DISABLE_JIT": "1"}):
        done = subprocess.run(
            [sys.executable, "-c", PLAY],
            env={**os.environ, "OMP_NUM_THREADS": "1", **variables},
            capture_output=True,
            text=True,
            timeout=600,
        )
        assert done.returncode == 0, done.stderr
        found.append(json.loads(done.stdout))
    assert found[0] == found[1] and len(set(found[0])) == len(found[0])


def test_the_actions_of_a_match_give_it_again() -> None:
    first = play(120)
    again = Simulation("arena", first.options, first.seed)
    for joint in first.actions:
        again.step(joint)
    assert again.digest() == first.digest() and again.actions == first.actions


def test_a_copy_goes_its_own_way() -> None:
    first = play(20)
    twin = first.copy()
    assert twin.digest() == first.digest()
    twin.step([twin.idle(seat) for seat in range(4)])
    assert twin.digest() != first.digest() and twin.tick == first.tick + 1


def test_a_log_is_verified_and_a_changed_angle_found() -> None:
    simulation = play(60)
    records = [header_of(simulation, "match", [{"kind": "person", "name": str(seat)} for seat in range(4)])]
    records += [{"type": "step", "tick": tick, "actions": a} for tick, a in enumerate(simulation.actions)]
    digest = simulation.digest()
    records.append(
        {"type": "end", "tick": 60, "score": simulation.score, "digest": digest, "reason": "aborted"}
    )
    log = read_lines("".join(map(encode_line, records)).encode())
    assert verify(log) == []
    assert [state.tick for state in iterate(log)] == list(range(61))
    changed = json.loads(json.dumps(records))
    changed[-2]["actions"][1][6] ^= 1
    assert any("digest" in problem for problem in verify(EpisodeLog(changed[0], changed[1:])))
