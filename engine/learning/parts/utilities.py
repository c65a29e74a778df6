"""Data for reward models: held-out episodes, batches of windows, the shuffled-sign control, evaluation.

Not for the training (engine.learning.parts.fitting), the networks (engine.agents.utility), nor for the
metrics (engine.evaluation.reward_model).
"""

from __future__ import annotations

import dataclasses
import hashlib
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import torch

from engine.agents.utility import RewardModel
from engine.evaluation import reward_model as metrics
from engine.learning.parts import marked
from engine.learning.parts.marked import Track
from engine.refusal import Refusal

LEAST = 8
"""Marks to learn from, below which nothing can be learned."""


# --- Who learns from what ----------------------------------------------------------------------------------


def split(tracks: list[Track], held_out: float) -> tuple[list[Track], list[Track]]:
    """(training, held-out) by episode, the same whenever the snapshot is the same. Training keeps an episode
    with each sign, held-out gets one where another has it, too; each gets a marked episode, held-out its
    share of those that were reviewed without a mark. Raises Refusal for one marked episode.
    """
    every = sorted({t.episode for t in tracks}, key=lambda e: hashlib.sha256(e.encode()).hexdigest())
    marked_ones = {t.episode for t in tracks if t.marks}
    episodes = [episode for episode in every if episode in marked_ones]
    others = [episode for episode in every if episode not in marked_ones]
    if len(episodes) < 2:
        raise Refusal(
            f"{len(episodes)} episode of the snapshot is marked; at least 2 are needed, one to learn from "
            "and one that is held out to judge the reward model by."
        )
    signed = {
        sign: [e for e in episodes if any(getattr(t, sign).any() for t in tracks if t.episode == e)]
        for sign in ("positive", "negative")
    }
    needed = {ones[-1] for ones in signed.values() if ones}
    free = [episode for episode in episodes if episode not in needed] or episodes[:-1]
    kept = set(free[: max(1, round(held_out * len(episodes)))])
    kept |= set(others[: round(held_out * len(others))])
    for ones in signed.values():
        if kept.isdisjoint(ones):
            kept |= set([episode for episode in free if episode in ones][:1])
    return [t for t in tracks if t.episode not in kept], [t for t in tracks if t.episode in kept]


def check_enough(training: list[Track]) -> None:
    """Raise Refusal, before anything is trained, for marks from which nothing can be learned."""
    up, down = (sum(int(getattr(t, sign).sum()) for t in training) for sign in ("positive", "negative"))
    if up + down < LEAST:
        raise Refusal(
            f"There are {up + down} marks to learn from, besides those on held-out episodes; at least "
            f"{LEAST} are needed: mark more episodes."
        )
    if not up or not down:
        have, lack = ("progress", "regression") if up else ("regression", "progress")
        raise Refusal(
            f"All {up + down} marks to learn from are of {have}; without marks of {lack}, too, nothing tells "
            "one from the other: mark some."
        )


def shuffled_signs(tracks: list[Track], rng: np.random.Generator) -> list[Track]:
    """The same marks at the same ticks with their signs permuted at random: the shuffled-sign control."""
    total = sum(t.marks for t in tracks)
    signs = np.zeros(total, bool)
    signs[: sum(int(t.positive.sum()) for t in tracks)] = True
    rng.shuffle(signs)
    out, at = [], 0
    for track in tracks:
        ticks = np.repeat(np.arange(len(track.positive)), track.positive + track.negative)
        dealt = signs[at : at + len(ticks)]
        at += len(ticks)
        positive, negative = np.zeros((2, len(track.positive)), np.int16)
        np.add.at(positive, ticks[dealt], 1)
        np.add.at(negative, ticks[~dealt], 1)
        out.append(dataclasses.replace(track, positive=positive, negative=negative))
    return out


# --- Batches -----------------------------------------------------------------------------------------------


def make_batch(tracks: list[Track], settings: Any, rng: np.random.Generator) -> dict[str, np.ndarray]:
    """A random window of some tracks: "observations" float16 (B, W, D), "instructions" (B, W, F), "positive"
    and "negative" (B, W), padded, with "valid" where it isn't; what came before it, "before" (B, H, D) and
    "before_instructions" (B, H, F), of which "lengths" (B,) are not padding; "chosen" (B,): which tracks;
    "swapped" (B,): whether under another one's instruction; what the seat did, as `marked.Moves` has it.
    """
    numbers = rng.integers(len(tracks), size=settings.batch)
    chosen = [tracks[i] for i in numbers]
    starts = [int(rng.integers(max(1, len(t.positive) - settings.window + 1))) for t in chosen]
    windows = [
        slice(start, min(len(track.positive), start + settings.window))
        for track, start in zip(chosen, starts, strict=True)
    ]
    befores = [slice(max(0, start - settings.history), start) for start in starts]
    instructions = [track.instructions for track in chosen]
    positive = [track.positive[window] for track, window in zip(chosen, windows, strict=True)]
    negative = [track.negative[window] for track, window in zip(chosen, windows, strict=True)]
    swapped = np.zeros(len(chosen), bool)
    for i, (track, window) in enumerate(zip(chosen, windows, strict=True)):
        asked = track.asked[window]
        if not asked.any() or rng.random() >= settings.swap:
            continue
        other = other_instruction(track, chosen[int(rng.integers(len(chosen)))], rng)
        if other is not None:
            # Section 4: under another's instruction the same behaviour is an example of what was not asked
            # for. What was done while nothing was asked stays as it is.
            instructions[i] = under(track, other)
            negative[i] = negative[i] + positive[i] * asked
            positive[i] = positive[i] * ~asked
            swapped[i] = True
    observed = [track.observations for track in chosen]
    sizes = [window.stop - window.start for window in windows]
    lengths = [before.stop - before.start for before in befores]
    return {
        "observations": padded([row[part] for row, part in zip(observed, windows, strict=True)], np.float16),
        "instructions": padded([row[part] for row, part in zip(instructions, windows, strict=True)]),
        "positive": padded(positive),
        "negative": padded(negative),
        "valid": np.arange(max(sizes)) < np.array(sizes)[:, None],
        "before": padded([row[part] for row, part in zip(observed, befores, strict=True)], np.float16),
        "before_instructions": padded([row[part] for row, part in zip(instructions, befores, strict=True)]),
        "lengths": np.array(lengths),
        "chosen": numbers,
        "swapped": swapped,
        **_moves(chosen, windows),
    }


def _moves(tracks: list[Track], windows: list[slice]) -> dict[str, np.ndarray]:
    """What the seats did in these windows, where all tracks say so."""
    known = [
        (track.moves, part) for track, part in zip(tracks, windows, strict=True) if track.moves is not None
    ]
    if len(known) < len(tracks):
        return {}
    return {
        name: padded([getattr(moves, name)[part] for moves, part in known], dtype)
        for name, dtype in (("actions", np.int16), ("masks", np.bool_), ("moved", np.bool_))
    }


def other_instruction(track: Track, other: Track, rng: np.random.Generator) -> np.ndarray | None:
    """(F,) that `other` was asked at some time and `track` never was; None if there is none."""
    new = [row for row in other.wishes if not (track.wishes == row).all(1).any()]
    return new[int(rng.integers(len(new)))] if new else None


def under(track: Track, other: np.ndarray) -> np.ndarray:
    """(T+1, F): a track's instructions with another one (F,) wherever anything was asked."""
    return np.where(track.asked[:, None], other, track.instructions)


def padded(rows: list[np.ndarray], dtype: Any = np.float32) -> np.ndarray:
    """(B, longest, …): rows of unlike lengths, with zeros behind them."""
    out = np.zeros((len(rows), max(len(row) for row in rows), *rows[0].shape[1:]), dtype)
    for i, row in enumerate(rows):
        out[i, : len(row)] = row
    return out


# --- Judging -----------------------------------------------------------------------------------------------


@torch.no_grad()
def utilities(model: RewardModel, tracks: list[Track]) -> list[np.ndarray]:
    """U (T+1,) of each track's episode."""
    out: list[np.ndarray] = []
    device = next(model.parameters()).device
    for first in range(0, len(tracks), 16):
        some = tracks[first : first + 16]
        seen = torch.from_numpy(padded([track.observations for track in some], np.float16)).to(device).float()
        instructions = torch.from_numpy(padded([track.instructions for track in some])).to(device)
        values = model(seen, instructions).cpu().numpy().astype(float)
        out += [row[: len(track.positive)] for row, track in zip(values, some, strict=True)]
    return out


def clock(tracks: list[Track]) -> list[np.ndarray]:
    """The time-only control, U = t."""
    return [np.arange(len(track.positive), dtype=float) for track in tracks]


@dataclass(frozen=True)
class Held:
    """The held-out tracks with what is known of them: `truth` of those with simulated marks, None for others;
    `others`, the instructions of other tracks in place of their own, None where
    nothing was asked or nobody was asked anything else.
    """

    tracks: list[Track]
    truth: list[marked.Truth | None]
    others: list[np.ndarray | None]


def held(folder: Path, tracks: list[Track], seed: int, check: Callable[[], None] = lambda: None) -> Held:
    """What is known of held-out tracks of the snapshot in `folder`."""
    rng, others = np.random.default_rng(seed), []
    for track in tracks:
        best = None
        if track.instructions.any():
            order = rng.permutation(len(tracks))
            best = next(
                (row for i in order if (row := other_instruction(track, tracks[i], rng)) is not None), None
            )
        others.append(None if best is None else under(track, best))
    return Held(tracks, marked.truth(folder, tracks, check), others)


def judge(kept: Held, of: Callable[[list[Track]], list[np.ndarray]], settings: Any) -> dict[str, Any]:
    """One utility on held-out tracks, each number with its interval: "held_out" by their marks, "truth" by
    true progress, and "calibration" to draw. `of` says U (T+1,) of tracks.
    """
    asked = [i for i, other in enumerate(kept.others) if other is not None]
    swapped: dict[int, np.ndarray] = dict(
        zip(asked, of([_told(kept.tracks[i], kept.others[i]) for i in asked]), strict=True)
    )
    judged = [
        metrics.Judged(
            *(t.episode, u, t.positive, t.negative),
            progress=None if true is None else true.progress,
            obeyed=None if true is None else true.obeyed,
            swapped=swapped.get(i),
            asked=t.asked,
        )
        for i, (t, u, true) in enumerate(zip(kept.tracks, of(kept.tracks), kept.truth, strict=True))
    ]
    rng = np.random.default_rng(settings.seed)
    report = metrics.report(judged, rng, settings.mark_window)
    truth = metrics.report_on_truth(judged, rng, settings.mark_window)
    return {
        "held_out": {name: estimate.as_json() for name, estimate in report.items()},
        "truth": {name: estimate.as_json() for name, estimate in truth.items()},
        "calibration": metrics.calibration_plot(judged),
    }


def apart(kept: Held, models: tuple[RewardModel, RewardModel], settings: Any) -> metrics.Estimate:
    """By how much better the first of two models tells held-out marks apart than the second: the difference
    of their AUCs, with its interval over episodes."""
    both = [
        [
            metrics.Judged(track.episode, u, track.positive, track.negative)
            for track, u in zip(kept.tracks, utilities(model, kept.tracks), strict=True)
        ]
        for model in models
    ]
    return metrics.auc_apart(both[0], both[1], np.random.default_rng(settings.seed), settings.mark_window)


def skill(held_out: dict[str, Any]) -> float:
    """The skill of U: how much better than chance its gains separate held-out marks by their sign: 2 AUC - 1,
    at least 0; 1 if that can't be measured.
    """
    auc = held_out["delta_auc"]["value"]
    return 1.0 if auc is None else max(0.0, 2 * auc - 1)


def _told(track: Track, instructions: np.ndarray | None) -> Track:
    return track if instructions is None else dataclasses.replace(track, instructions=instructions)


def notes_on(held_out: list[Track], judged: dict[str, dict[str, float | None]]) -> list[str]:
    """Why some metrics can't be measured on the held-out episodes, in sentences."""
    notes = []
    asks = {"swap_auc", "swap_accuracy"}  # can only be had where somebody was told something
    if missing := [
        n.replace("_", " ") for n, figure in judged.items() if figure["value"] is None and n not in asks
    ]:
        up, down = (sum(int(getattr(t, sign).sum()) for t in held_out) for sign in ("positive", "negative"))
        notes.append(
            f"The held-out episodes have {up} marks of progress and {down} of regression, from which "
            f"{', '.join(missing)} can't be measured; both kinds are needed, in more episodes."
        )
    if len({t.episode for t in held_out}) == 1:
        notes.append("One episode is held out, so the metrics have no intervals; mark more episodes.")
    return notes


def notes_on_simple(apart: metrics.Estimate, used: bool, told: bool) -> list[str]:
    """What the memoryless model's AUC on held-out marks, less the trained one's, means for the result, in
    sentences: [] where the trained model is clearly better, or nothing could be compared.
    """
    if np.isnan(apart.value) or np.isnan(apart.low) or apart.high < 0:
        return []
    by = f"the difference of the AUCs is {apart.value:+.2f} ({apart.low:+.2f} to {apart.high:+.2f})"
    simple = "a linear one of single ticks, without memory"
    if used:
        chosen = "It was chosen by the same held-out marks, so what is shown of it is a little too good."
        return [f"A simple model does better here, {simple}, and is used instead: {by}. {chosen}"]
    if apart.low <= 0:
        return [f"A simple model does as well here: {simple}, can't be told from this one; {by}."]
    why = "it reads no instructions, which these episodes have" if told else "the setting says so"
    return [f"A simple model does better here, {simple}, but isn't used, because {why}: {by}."]


def counts(tracks: list[Track], held_out: list[Track]) -> dict[str, Any]:
    """What the model was trained on and judged on."""
    return {
        "episodes": len({t.episode for t in tracks}),
        "reviewed_without_a_mark": len({t.episode for t in tracks} - {t.episode for t in tracks if t.marks}),
        "held_out_episodes": len({t.episode for t in held_out}),
        "marks": sum(t.marks for t in tracks),
        "positive": sum(int(t.positive.sum()) for t in tracks),
        "negative": sum(int(t.negative.sum()) for t in tracks),
        "annotators": len({t.annotator for t in tracks}),
        "simulated_marks": sum(t.marks for t in tracks if t.simulated),
    }
