"""Measures what an agent's card says about how it plays; its page shows it.

Not for comparing a candidate with a champion in a round (that evaluates both on the same deals by itself).
"""

from __future__ import annotations

import json
from typing import Any

import numpy as np

from engine import brings, games, language
from engine.agents.acting import act
from engine.agents.catalogue import CARD, folder_of, load, read_card
from engine.agents.files import write_atomically
from engine.agents.policy import Policy
from engine.evaluation.latency import acting_latency
from engine.evaluation.people import evaluate_people, proxy
from engine.evaluation.policy_table import policy_table
from engine.evaluation.reward_return import play_rewarded
from engine.evaluation.self_play import over_deals, play, self_play, summary
from engine.evaluation.told import evaluate_told
from engine.simulation.simulation import Simulation

MATRIX_GAMES = 500
"""Games of an action matrix."""
MOMENTS = 3
"""Moments that show what an instruction changes."""


def action_matrix(
    policy: Policy,
    options: dict[str, Any],
    episodes: int = MATRIX_GAMES,
    seed: int = 0,
    told: str = "",
    firmness: float = 1.0,
) -> tuple[dict[str, Any], np.ndarray]:
    """P(move | the partner's move before it) in self-play, {"labels", "rows"}, one row for each move before;
    and the scores (episodes,). Rows sum to 1, or to 0 if the move before never came. `told`: the instruction
    of all seats, with its firmness. Raises ValueError for an instruction that can't be read.
    """
    labels = action_labels(policy.game, options)
    seats = games.spec(policy.game).seats(games.spec(policy.game).validate(options))
    counts, before = np.zeros((len(labels), len(labels))), np.full(episodes, -1)

    def watch(rows: np.ndarray, actions: np.ndarray) -> None:
        known = rows[before[rows] >= 0]
        np.add.at(counts, (before[known], actions[known]), 1)
        before[rows] = actions[rows]

    hearers = range(seats) if told else None
    how: dict[str, Any] = {"told": told, "hearers": hearers, "firmness": firmness, "watch": watch}
    played = play_rewarded([policy] * seats, policy.game, options, episodes, seed, **how)
    rows = counts / np.maximum(counts.sum(axis=1, keepdims=True), 1)
    return {"labels": labels, "rows": rows.round(4).tolist()}, played.scores


def action_labels(game: str, options: dict[str, Any]) -> list[str]:
    """Short names of the action ids except the last, the no-op: the game's `labels.py`, or the sentences for
    the seat that begins.
    """
    if brought := brings.ActionLabels.brought(game):
        return brought.action_labels(options)[:-1]
    sim = Simulation(game, options)
    return [sim.action_text(sim.current or 0, action) for action in range(sim.num_actions - 1)]


def told_table(policy: Policy, texts: list[str], options: dict[str, Any], seed: int) -> dict[str, Any]:
    """What each instruction changes if all seats have it: {"episodes", "untold": score, "instructions":
    [{"text", "sentence", "program", "rows": of its action matrix, in percent, "scores": {firmness: score},
    "moments"}], "game"}. Scores are {"mean", "stderr"} on the same deals; moments and game are those of
    `told_moments`.
    """
    _, untold = action_matrix(policy, options, seed=seed)
    measured = []
    for text in texts:
        reading = language.read(policy.game, text)
        scores = {}
        for name, share in sorted(language.FIRMNESS.items(), key=lambda pair: pair[1]):
            matrix, each = action_matrix(policy, options, MATRIX_GAMES, seed, text, share)
            scores[name] = over_deals(each)
        rows = [[round(100 * value) for value in row] for row in matrix["rows"]]  # of the firmest
        text_row = {"text": text, "sentence": reading.sentence, "program": reading.program}
        measured.append({**text_row, "rows": rows, "scores": scores})
    game, moments = told_moments(policy, [row["program"] for row in measured], options, seed)
    measured = [{**row, "moments": each} for row, each in zip(measured, moments, strict=True)]
    return {"episodes": MATRIX_GAMES, "untold": over_deals(untold), "instructions": measured, "game": game}


def told_moments(
    policy: Policy, programs: list[dict[str, Any] | None], options: dict[str, Any], seed: int
) -> tuple[dict[str, Any], list[list[list[int]]]]:
    """A game without instructions, {"options", "seed", "actions": of the seats in turn}, and for each program
    up to `MOMENTS` moments, [tick, the move with this instruction], spread from early to late.
    """
    sim = Simulation(policy.game, options, seed=seed)
    apart: list[list[list[int]]] = [[] for _ in programs]
    actions: list[int] = []
    while not sim.over:
        seat = sim.current or 0
        teller = {"since_tick": 0, "from_seat": (seat + 1) % sim.seats}
        in_force = [[program | teller] if program else [] for program in programs]
        sims = [sim.copy() for _ in range(len(programs) + 1)]
        untold, *others = act(policy, sims, [seat] * len(sims), np.random.default_rng(seed), [[], *in_force])
        for moments, action in zip(apart, others, strict=True):
            if action != untold:
                moments.append([sim.tick, int(action)])
        actions.append(int(untold))
        sim.act(seat, untold)
    shown = [[each[place] for place in _spread(len(each))] for each in apart]
    return {"options": options, "seed": seed, "actions": actions}, shown


def _spread(count: int) -> list[int]:
    """Up to `MOMENTS` places of `count`, evenly from the first to the last."""
    return sorted({round(place) for place in np.linspace(0, count - 1, min(count, MOMENTS))})


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
    each), its results with the human proxy if the game has one, the time that it takes to act, and in games
    played in turns its action matrix and what pages show of its events.
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
    results = {
        "command": f"manage.py evaluate card --game {game} --agent {ref}{variant}{against} "
        f"--episodes {episodes} --seed {seed}",
        "self_play": self_play(policy, policy.game, complete, episodes, seed),
        "cross_play": crossed,
        "act_ms": acting_latency(policy, complete)["act_ms"],
    }
    if proxy(policy.game, complete) is not None:
        results["people"] = evaluate_people(policy, policy.game, complete, seed=seed)
    if table := policy_table(policy, complete):
        results["policy_table"] = table
    if spec.turn_based:
        results["action_matrix"], _ = action_matrix(policy, complete, seed=seed)
        if shares := brings.Told.of(policy.game).SHARES:
            counted = evaluate_told(policy, "", "", "none", complete, MATRIX_GAMES, seed)
            results["counts"] = {name: counted[name] for name in shares}
        if texts := policy.card.get("hyperparameters", {}).get("instructions"):
            results["instructed"] = told_table(policy, texts, complete, seed)
    return results


def write_evaluation(
    ref: str,
    partners: list[str],
    episodes: int,
    seed: int,
    game: str = games.DEFAULT,
    options: dict[str, Any] | None = None,
) -> dict[str, Any]:
    """`measure`, and write the result on the agent's card beside what its training wrote there, under the
    variant asked for if the agent plays several; returns what was measured.
    """
    folder = folder_of(ref, game, options)
    card, spec = read_card(folder), games.spec(game)
    measured, before = measure(ref, partners, episodes, seed, game, options), card.get("evaluation", {})
    written = measured
    if spec.variant is not None and options and not card.get("options"):
        variant = spec.variant(spec.validate(options))
        written = {"layouts": {**before.get("layouts", {}), variant: measured}}
    card["evaluation"] = {**before, **written}
    write_atomically(folder / CARD, (json.dumps(card, indent=2, ensure_ascii=False) + "\n").encode())
    return measured
