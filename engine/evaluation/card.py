"""Everything that an agent's card says about how it plays, measured: what its page shows.

Not for comparing a candidate with a champion in a round (that evaluates both on the same decks by itself).
"""

from __future__ import annotations

import importlib
import json
from typing import Any

import numpy as np

from engine import games
from engine.agents.catalogue import CARD, folder_of, load, read_card
from engine.agents.files import write_atomically
from engine.agents.policy import Policy, choose
from engine.evaluation.bench_act import acting_latency
from engine.evaluation.self_play import play, self_play, summary
from engine.simulation.batch import Batch


def action_matrix(
    policy: Policy, options: dict[str, Any], moves: int = 40_000, seed: int = 0
) -> dict[str, Any]:
    """P(move | the partner's move before it) in greedy self-play: {"labels", "rows"}, one row a move before.

    Rows sum to 1, or to 0 where the move before never came.
    """
    spec = games.spec(policy.game)
    labels = importlib.import_module(f"engine.games.{policy.game}.labels").action_labels(options)[:-1]
    batch = Batch(spec, options, 256, observations="none", seed=seed)
    counts = np.zeros((len(labels), len(labels)))
    before = np.full(batch.n, -1)
    for _ in range(max(1, moves // batch.n)):
        actions = np.array(choose(policy.logits_many(batch.states, batch.seats, batch.masks)))
        known = before >= 0
        np.add.at(counts, (before[known], actions[known]), 1)
        batch.step(actions)
        before = np.where(batch.dones != 0, -1, actions)
    rows = counts / np.maximum(counts.sum(axis=1, keepdims=True), 1)
    return {"labels": labels, "rows": rows.round(4).tolist()}


def measure(ref: str, partners: list[str], episodes: int, seed: int) -> dict[str, Any]:
    """An agent's "evaluation" with the game's default options: self-play, cross-play with `partners` (both
    seatings, half of the episodes each), its action matrix and the time that it takes to act.
    """
    policy = load(ref)
    spec = games.spec(policy.game)
    options = spec.validate({})
    highest = spec.max_score(options)
    against = f" --partners {','.join(partners)}" if partners else ""
    crossed = {}
    for partner in partners:
        other = load(partner)
        half = max(1, episodes // 2)
        scores = [play(pair, policy.game, options, half, seed) for pair in ([policy, other], [other, policy])]
        crossed[other.name] = summary(np.concatenate(scores), highest)
    return {
        "command": f"manage.py evaluate card --agent {ref}{against} --episodes {episodes} --seed {seed}",
        "self_play": self_play(policy, policy.game, options, episodes, seed),
        "cross_play": crossed,
        "action_matrix": action_matrix(policy, options, seed=seed),
        "act_ms": acting_latency(policy)["act_ms"],
    }


def write_evaluation(ref: str, partners: list[str], episodes: int, seed: int) -> dict[str, Any]:
    """`measure` and put the result on the agent's card; returns the evaluation."""
    folder = folder_of(ref)
    evaluation = measure(ref, partners, episodes, seed)
    card = {**read_card(folder), "evaluation": evaluation}
    write_atomically(folder / CARD, (json.dumps(card, indent=2, ensure_ascii=False) + "\n").encode())
    return evaluation
