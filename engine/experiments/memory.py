"""Asked: does IBT tell progress better than models of one tick where marks depend on what came before?

And if so, is it the memory that does it, or are it the pairs of moments?

One set of simulated episodes is marked by annotators of several kinds: by the game's measure of progress
(`progress`), by a style that no single move shows (`styled`), and, where that is affordable, by a judge who
goes by the expected final score (`judge`). All mark as rarely as people, forget, are wrong at times, and mark
late, in turn-based games by whole moves. From each kind's marks IBT and its alternatives learn with the same
marks, steps, network and lateness correction: U read off the memory, as in the paper, or summed up from what
single ticks add; the marks of single ticks instead of pairs, or beside them, with the same memory, from three
ticks or from one; the autoregressive model; ridge regression on one and three ticks.
Beside them: a hand-made sparse reward, the score, U = t, and 200 ridge regressions of shuffled signs. All
read either the agent's own observation or the few numbers of `rated_many`. All are measured by what the
annotators went by, on held-out episodes.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from engine import games
from engine.agents.features import OBSERVATION, RATED
from engine.evaluation import reward_model as metrics
from engine.evaluation.annotators import Annotator, Watched
from engine.experiments import parts
from engine.experiments.work import Work
from engine.learning.parts import lateness, marked, ridge, utilities
from engine.snapshots import Snapshot

INPUTS = (OBSERVATION, RATED)
LEARNED: dict[str, tuple[str, dict[str, Any]]] = {
    "IBT": ("ibt", {"level": True}),
    "IBT, sum of ticks": ("ibt", {}),
    "IBT and next mark": ("ibt", {"level": True, "tick_weight": 1.0}),
    "next mark": ("ibt", {"pairs": 0, "level": True}),
    "next mark, sum of ticks": ("ibt", {"pairs": 0}),
    "next mark, three ticks": ("ibt", {"pairs": 0, "reach": 3}),
    "next mark, one tick": ("ibt", {"pairs": 0, "reach": 1}),
    "autoregressive": ("ar", {}),
}
RIDGES = {"ridge, one tick": 1, "ridge, three ticks": 3}
ONE_TICK = ("next mark, one tick", "ridge, one tick")
SHUFFLED = 200
"""Ridge regressions on one tick with shuffled signs."""
PERCENTILES = (5, 50, 95)
AGAINST = {
    "one tick": ONE_TICK,
    "three ticks": (*ONE_TICK, "next mark, three ticks", "ridge, three ticks"),
    "next mark": ("next mark", "next mark, sum of ticks"),
}
METRICS = ("gain_correlation", "fall_auc", "sign_auc", "delta_auc", "matched_accuracy")
HEADLINE = "sign_auc"
"""What advantages are measured by. Where marks lie says nothing about it, while the correlation of gains is
well above 0 for shuffled signs, too, if most marks are of progress."""
MOVE = 2.0
"""Moves that count as a second in games without a clock: who is late is late by a move, or two."""


def run(setting: dict[str, Any], seed: int, quick: bool, work: Work) -> dict[str, Any]:
    """{"kinds": {kind: {inputs: {"models": {name: {metric: value}}, "explained", "null"}}}, "marks"}."""
    game, episodes = setting["game"], setting["episodes"]
    clean = (Annotator("clean"),)
    played = parts.marked_episodes(
        work, "played", setting["agent"], setting, episodes, seed, clean, mixed=True
    )
    logs = parts.episodes_of(played)
    kinds: dict[str, Any] = {}
    marks: dict[str, int] = {}
    for kind in setting["kinds"]:
        raters = parts.people_like(game, kind, MOVE)
        folder = parts.marked_logs(work, f"{kind}/marked", logs, raters, seed, setting["per_seat"])
        kinds[kind], marks[kind] = {}, len(Snapshot(folder).marks())
        for reads in INPUTS:
            kinds[kind][reads] = _compared(setting, kind, folder, reads, seed, work)
    return {"kinds": kinds, "marks": marks}


def _compared(
    setting: dict[str, Any], kind: str, folder: str, reads: str, seed: int, work: Work
) -> dict[str, Any]:
    """All models of one kind's marks and one sort of inputs."""
    models: dict[str, Any] = {}
    late: dict[str, Any] = {}
    common = {"game": setting["game"], "dataset": folder, "seed": seed, "reads": reads, **parts.ALONE}
    common |= setting["model"]
    for name, (program, more) in LEARNED.items():
        results = work.train(f"{kind}/{reads}/{name}", program, **common, **setting[program], **more)
        models[name], late = _values(results["truth"]["model"]), results["raters"]
        models["U = t"] = _values(results["truth"]["clock"])
    asked = {"dataset": folder, "reads": reads, "late": late, "held_out": setting["model"]["held_out"]}
    plain = work.step(
        f"{kind}/{reads}/plain", asked, lambda _: _plain(setting, kind, folder, reads, late, seed, work)
    )
    return {**plain, "models": {**models, **plain["models"]}}


def _values(judged: dict[str, Any]) -> dict[str, float | None]:
    return {metric: judged[metric]["value"] for metric in METRICS}


def _plain(
    setting: dict[str, Any], kind: str, folder: str, reads: str, late: dict[str, Any], seed: int, work: Work
) -> dict[str, Any]:
    """What needs no training: ridge regressions, how much of true progress one tick explains, shuffled signs,
    and scripted rewards."""
    game, each = setting["game"], games.spec(setting["game"]).decision_ticks
    by = {name: lateness.Lateness(row["late_ticks"] // each, row["marks"]) for name, row in late.items()}
    tracks = lateness.corrected(marked.load(Path(folder), game, work.check, reads), by)
    training, held_out = utilities.split(tracks, setting["model"]["held_out"])
    phi = {
        True: _truths(folder, training, kind, work),
        False: _truths(folder, held_out, kind, work),
    }

    def judged(us: Sequence[np.ndarray]) -> dict[str, float | None]:
        rows = [
            metrics.Judged(track.episode, u, track.positive, track.negative, progress=true)
            for track, u, true in zip(held_out, us, phi[False], strict=True)
        ]
        return _values(
            {
                name: figure.as_json()
                for name, figure in metrics.report_on_truth(
                    rows, np.random.default_rng(seed), setting["model"]["mark_window"]
                ).items()
            }
        )

    rng = np.random.default_rng([seed, 2])
    own = [ridge.signs(track) for track in training]
    dealt = [
        [ridge.signs(track) for track in utilities.shuffled_signs(training, rng)] for _ in range(SHUFFLED)
    ]
    models, fits = {}, {}
    for name, ticks in RIDGES.items():
        targets = [np.stack([marks, np.diff(true)], 1) for marks, true in zip(own, phi[True], strict=True)]
        fits[name] = ridge.fitted(training, targets, ticks)
        models[name] = judged(fits[name].utilities(held_out))
    targets = [np.stack([marks, *shuffled], 1) for marks, *shuffled in zip(own, *dealt, strict=True)]
    null = ridge.fitted(training, targets)
    gains = np.concatenate([null.gains(track) for track in held_out])[:, 1:]
    truth = np.concatenate([np.diff(true) for true in phi[False]])
    told = np.concatenate([fits["ridge, one tick"].gains(track)[:, 1] for track in held_out])
    for measure in ("sparse", "score"):
        models[measure] = judged(_truths(folder, held_out, measure, work))
    return {
        "models": models,
        "explained": float(1 - ((truth - told) ** 2).sum() / ((truth - truth.mean()) ** 2).sum()),
        "null": {
            name: np.nanpercentile([rate(column, truth) for column in gains.T], PERCENTILES).tolist()
            for name, rate in (
                ("gain_correlation", metrics.gain_correlation),
                ("sign_auc", metrics.sign_auc),
                ("fall_auc", metrics.fall_auc),
            )
        },
    }


def _truths(folder: str, tracks: Sequence[marked.Track], measure: str, work: Work) -> list[np.ndarray]:
    """What a measure counts, (T+1,) at the entries of each track."""
    snapshot, out = Snapshot(folder), []
    watched: dict[str, Watched] = {}
    for track in tracks:
        work.check()
        if track.episode not in watched:  # tracks of one episode follow each other
            watched = {track.episode: Watched(snapshot.log(track.episode), Path(folder))}
        phi = watched[track.episode].rated(measure)[:, track.seat]
        each = games.spec(watched[track.episode].log.header["game"]).decision_ticks
        out.append(phi[np.minimum(np.arange(len(track.positive)) * each, len(phi) - 1)])
    return out


@parts.by_setting
def summary(name: str, rows: list[dict[str, Any]], quick: bool) -> tuple[dict[str, Any], list[str]]:
    """{"table", "settings": {name: {"kinds", "met", "holds"}}, "holds"}. "ahead": by how much IBT's HEADLINE
    is above the best of others', by seed.
    """
    table: list[str] = []
    kinds: dict[str, Any] = {}
    met: dict[str, bool] = {}
    for kind in rows[0]["kinds"]:
        kinds[kind] = {}
        for reads in INPUTS:
            each = [row["kinds"][kind][reads] for row in rows]
            models = {
                model: {
                    metric: parts.known([one["models"][model][metric] for one in each]) for metric in METRICS
                }
                for model in each[0]["models"]
            }
            kinds[kind][reads] = {
                "models": models,
                "explained": parts.spread([one["explained"] for one in each]),
                "null": {
                    metric: np.mean([one["null"][metric] for one in each], 0).tolist()
                    for metric in each[0]["null"]
                },
                "ahead": {
                    whom: parts.spread([_ahead(one, others) for one in each])
                    for whom, others in AGAINST.items()
                },
            }
            table += _lines(f"{name}, {kind}, {reads}", kinds[kind][reads])
        if kind != "progress":
            ahead = kinds[kind][OBSERVATION]["ahead"]["one tick"]
            met[f"{kind}, {OBSERVATION}: above one tick"] = parts.above(ahead, 0)
    return {"kinds": kinds, "met": met}, table


def _ahead(one: dict[str, Any], others: Sequence[str]) -> float:
    by = {name: values[HEADLINE] or 0.0 for name, values in one["models"].items()}
    return by["IBT"] - max(by[name] for name in others)


def _lines(title: str, found: dict[str, Any]) -> list[str]:
    lines = [f"{title:<32}" + "".join(f"{metric:>18}" for metric in METRICS)]
    for model, values in found["models"].items():
        cells = [parts.cell(values[metric], 2) if values[metric] else "none" for metric in METRICS]
        lines.append(f"{model:<32}" + "".join(f"{cell:>18}" for cell in cells))
    for metric, spread in found["null"].items():
        lines.append(f"200 shuffled ridges, {metric}: " + ", ".join(f"{value:.2f}" for value in spread))
    lines.append(f"one tick explains {parts.cell(found['explained'], 2)}")
    above = ", ".join(f"{whom} {parts.cell(figure, 2)}" for whom, figure in found["ahead"].items())
    return [*lines, f"IBT's {HEADLINE} above that of {above}", ""]


def effect(found: dict[str, Any]) -> tuple[str, dict[str, Any]]:
    kind = next(iter(found["kinds"]))
    ahead = found["kinds"][kind][OBSERVATION]["ahead"]["one tick"]
    return f"IBT's AUC of signs above that of one tick, {kind}", ahead


@parts.panels
def plot(result: dict[str, Any], axes: Any) -> None:
    """IBT's advantage over the best model of one tick, against how much of progress one tick explains."""
    axes.axhline(0, color="grey", linestyle=":")
    for reads, sign in zip(INPUTS, ("o", "s"), strict=True):
        for kind, found in result["kinds"].items():
            x, y = found[reads]["explained"]["mean"], found[reads]["ahead"]["one tick"]
            axes.plot([x], [y["mean"]], sign, color="C0" if reads == OBSERVATION else "C1")
            if y["interval"]:
                axes.plot([x, x], y["interval"], color="C0" if reads == OBSERVATION else "C1")
            axes.annotate(f" {kind}, {reads} ", (x, y["mean"]), fontsize=7, ha="left" if x < 0.5 else "right")
    axes.set_xlim(-0.1, 1.1)
    axes.set_xlabel("share that one tick explains")
    axes.set_ylabel("IBT's sign AUC above one tick's")
