"""Everything that an agent's card says about how it plays, measured: what its page shows.

Not for comparing a candidate with a champion in a round (that evaluates both on the same decks by itself).
"""

from __future__ import annotations

import json
from typing import Any

import numpy as np

from engine import games
from engine.agents.acting import Player
from engine.agents.catalogue import CARD, folder_of, load, read_card
from engine.agents.files import write_atomically
from engine.agents.policy import Policy
from engine.evaluation.bench_act import acting_latency
from engine.evaluation.people import evaluate_people, proxy
from engine.evaluation.self_play import play, self_play, summary
from engine.simulation.batch import Batch
from engine.simulation.simulation import Simulation


def action_matrix(
    policy: Policy, options: dict[str, Any], moves: int = 40_000, seed: int = 0
) -> dict[str, Any]:
    """P(move | the partner's move before it) in self-play: {"labels", "rows"}, one row a move before.

    Rows sum to 1, or to 0 where the move before never came.
    """
    spec = games.spec(policy.game)
    labels = action_labels(policy.game, options)
    batch = Batch(spec, options, 256, observations="none", seed=seed)
    counts, rng = np.zeros((len(labels), len(labels))), np.random.default_rng(seed)
    before, every = np.full(batch.n, -1), np.arange(batch.n)
    player = Player(policy, batch.n, spec.seats(batch.options))
    for _ in range(max(1, moves // batch.n)):
        actions = np.array(player.act(every, batch.states, batch.seats, batch.masks, rng))
        known = before >= 0
        np.add.at(counts, (before[known], actions[known]), 1)
        batch.step(actions)
        player.begin(batch.dones != 0)
        before = np.where(batch.dones != 0, -1, actions)
    rows = counts / np.maximum(counts.sum(axis=1, keepdims=True), 1)
    return {"labels": labels, "rows": rows.round(4).tolist()}


def action_labels(game: str, options: dict[str, Any]) -> list[str]:
    """Short names of the action ids but the last, which does nothing: the game's `labels.py`, or the words of
    the seat that begins.
    """
    if own := games.part(game, "labels"):
        return own.action_labels(options)[:-1]
    sim = Simulation(game, options)
    return [sim.action_text(sim.current or 0, action) for action in range(sim.num_actions - 1)]


def measure(
    ref: str,
    partners: list[str],
    episodes: int,
    seed: int,
    game: str = games.DEFAULT,
    options: dict[str, Any] | None = None,
) -> dict[str, Any]:
    """An agent's "evaluation" with the game's default options (in games with variants: with `options`, or
    those that it was trained for): self-play, cross-play with `partners` (both seatings, half of the episodes
    each), how it does with people's proxy where the game has one, the time that it takes to act, and in games
    played in turns its action matrix.
    """
    policy = load(ref, game, options)
    spec = games.spec(policy.game)
    given = dict(options or {}) if spec.variant is not None else {}
    if spec.variant is not None and not given:
        given = policy.card.get("options", {})
    complete = spec.validate(given)
    highest = spec.max_score(complete)
    against = f" --partners {','.join(partners)}" if partners else ""
    variant = "".join(f" --{key} {value}" for key, value in given.items())
    crossed = {}
    for partner in partners:
        other = load(partner, game, complete)
        half = max(1, episodes // 2)
        # Both seatings of the same deals.
        scores = [
            play(pair, policy.game, complete, half, seed) for pair in ([policy, other], [other, policy])
        ]
        crossed[other.name] = summary(np.stack(scores), highest)
    found = {
        "command": f"manage.py evaluate card --game {game} --agent {ref}{variant}{against} "
        f"--episodes {episodes} --seed {seed}",
        "self_play": self_play(policy, policy.game, complete, episodes, seed),
        "cross_play": crossed,
        "act_ms": acting_latency(policy, complete)["act_ms"],
    }
    if proxy(policy.game, complete) is not None:
        found["people"] = evaluate_people(policy, policy.game, complete, seed=seed)
    if spec.turn_based:
        found["action_matrix"] = action_matrix(policy, complete, seed=seed)
    return found


def write_evaluation(
    ref: str,
    partners: list[str],
    episodes: int,
    seed: int,
    game: str = games.DEFAULT,
    options: dict[str, Any] | None = None,
) -> dict[str, Any]:
    """`measure` and put the result on the agent's card, beside what its training wrote there; returns the
    evaluation.
    """
    folder = folder_of(ref, game, options)
    card = read_card(folder)
    evaluation = {**card.get("evaluation", {}), **measure(ref, partners, episodes, seed, game, options)}
    card["evaluation"] = evaluation
    write_atomically(folder / CARD, (json.dumps(card, indent=2, ensure_ascii=False) + "\n").encode())
    return evaluation
