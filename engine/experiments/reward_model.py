"""A reward model of marks tells progress from regression on episodes that it never saw.

Agents and scripted partners of all strengths play episodes with deliberate mistakes. One seat has an
instruction, if annotators can see whether it is followed. The episodes are marked cleanly, with people's
errors, and as sparsely as by people. IBT learns from each; on the clean marks also IBT with all pairs
weighted alike, as algorithm 1 is printed, and the autoregressive model (appendix A.5). Controls: U = t,
shuffled signs, and an untrained network. All are measured by true progress: pairs of moments equally far
apart; those of them in which progress was lost; local gains; and gains under the game's own instruction
against another one. For the last, true progress itself is measured too, because it bounds what is possible.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from engine import games, language
from engine.evaluation.annotators import Annotator, Watched
from engine.evaluation.reward_model import Judged, report_on_truth
from engine.experiments import parts
from engine.experiments.work import Work
from engine.learning.parts.fitting import suiting
from engine.snapshots import Snapshot

BARS = {
    ("clean", "matched_accuracy"): 0.80,
    ("clean", "regress_accuracy"): 0.70,
    ("clean", "delta_auc"): 0.75,
    ("noisy", "delta_auc"): 0.65,
    ("clean", "swap_auc"): 0.80,
}
ITSELF = "true progress itself"


def marked(episodes: int, steps: int) -> dict[str, Any]:
    """Of a game's setting: so many episodes, and gradient steps of IBT."""
    return {"episodes": episodes, "ibt": {"steps": steps}, "ar": {}}


def raters(game: str) -> dict[str, tuple[Annotator, ...]]:
    """The annotators of a data set, by its name."""
    second = games.spec(game).ticks_per_second or 2.0
    late: dict[str, Any] = {"delay_mean": 0.5 * second, "delay_sd": 0.15 * second}
    return {
        "clean": (Annotator("clean"),),
        "noisy": (Annotator("noisy", **late, miss=0.3, false_marks=0.01),),
        "rare": parts.people_like(game),
    }


def run(setting: dict[str, Any], seed: int, quick: bool, work: Work) -> dict[str, Any]:
    """{"models": {name: {utility: {metric: value}}}, "calibration", "marks"} of one seed."""
    models: dict[str, Any] = {}
    marks: dict[str, int] = {}
    calibration: list[Any] = []
    who = raters(setting["game"])
    clean = parts.marked_episodes(
        *(work, "marked-clean", setting["agent"], setting, setting["episodes"], seed, who["clean"]),
        mixed=True,
        instructions=setting["instructions"],
        always=True,
    )
    for name, annotators in who.items():
        marked = clean
        if name != "clean":
            marked = parts.marked_logs(work, f"marked-{name}", parts.episodes_of(clean), annotators, seed, 1)
        common = {"game": setting["game"], "dataset": marked, "seed": seed, **parts.ALONE}
        common["controls"] = name == "clean"
        results = work.train(f"ibt-{name}", "ibt", **suiting("ibt", {**common, **setting["ibt"]}))
        models[name], marks[name] = results["truth"], results["counts"]["marks"]
        if name == "clean":
            calibration = results["calibration"]["model"]
            common["controls"] = False  # the same marks' controls are there
            alike = {**common, **setting["ibt"], "balance": False}
            paper = work.train("ibt-printed", "ibt", **suiting("ibt", alike))
            settings = work.train("ar-clean", "ar", **suiting("ar", {**common, **setting["ar"]}))
            models |= {"pairs alike": paper["truth"], "autoregressive": settings["truth"]}
    values = {
        name: {
            utility: {metric: row["value"] for metric, row in metrics.items()}
            for utility, metrics in truth.items()
        }
        for name, truth in models.items()
    }
    values[ITSELF] = {"model": work.step("itself", {"of": clean}, lambda _: _itself(clean, seed, work))}
    return {"models": values, "calibration": calibration, "marks": marks}


def _itself(snapshot: str, seed: int, work: Work) -> dict[str, float | None]:
    """How well true progress itself tells the instruction of a snapshot's episodes from another episode's;
    the other metrics are None, because true progress defines them.
    """
    rng, instructed = np.random.default_rng(seed), []
    for _, log in Snapshot(snapshot).logs():
        watched = Watched(log)
        for seat in range(len(watched.log.header["seats"])):
            programs = watched.told(seat)
            if any(each for _, each in programs):
                instructed.append((watched, seat, programs))
    judged = []
    for watched, seat, mine in instructed:
        work.check()
        game, part = watched.log.header["game"], next(each for _, each in mine if each)
        for number in rng.permutation(len(instructed)):
            theirs = next(each for _, each in instructed[number][2] if each)
            if (language.together(game, theirs) != language.together(game, part)).any():
                break
        else:
            continue
        phi = watched.progress(seat)
        other = watched.progress(seat, told=[(tick, theirs if each else []) for tick, each in mine])
        since = np.searchsorted([tick for tick, _ in mine], np.arange(len(phi)), "right") - 1
        asked = np.array([at >= 0 and bool(mine[at][1]) for at in since])
        nothing = np.zeros(len(phi))
        for_it = float(phi[-1] - watched.progress(seat, told=[])[-1])
        judged.append(Judged(watched.log.header["episode"], phi, nothing, nothing, phi, for_it, other, asked))
    result = {name: figure.as_json()["value"] for name, figure in report_on_truth(judged, rng).items()}
    return {name: value if name.startswith("swap") else None for name, value in result.items()}


@parts.by_setting
def summary(name: str, rows: list[dict[str, Any]], quick: bool) -> tuple[dict[str, Any], list[str]]:
    """{"table", "settings": {name: {"models", "met", "holds"}}, "holds"}."""
    table: list[str] = []
    models: dict[str, Any] = {}
    for model, utilities in rows[0]["models"].items():
        for utility in utilities:
            if utility != "model" and model != "clean":
                continue
            models[model if utility == "model" else utility] = {
                metric: parts.known([row["models"][model][utility][metric] for row in rows])
                for metric in utilities[utility]
            }
    # None: this game's annotators don't judge it (whether one did as told, where instructions are goals).
    met = {
        f"{model} {metric}": models[model][metric] and models[model][metric]["mean"] >= bar
        for (model, metric), bar in BARS.items()
    }
    result: dict[str, Any] = {"models": models, "met": met}
    result["calibration"] = [row["calibration"] for row in rows]
    metrics = list(models["clean"])
    table.append(f"{name:<24}" + "".join(f"{metric:>20}" for metric in metrics))
    for model, values in models.items():
        cells = [parts.cell(values[metric], 2) if values[metric] else "none" for metric in metrics]
        table.append(f"{model:<24}" + "".join(f"{cell:>20}" for cell in cells))
    for what, of in (("missed", False), ("not measured", None)):
        bars = [bar for bar, good in met.items() if good is of]
        table.append(f"bars {what}: {', '.join(bars) or 'none'}")
    return result, table


def effect(found: dict[str, Any]) -> tuple[str, dict[str, Any]]:
    chance = parts.cell(found["models"]["shuffled"]["matched_accuracy"], 2)
    clean = found["models"]["clean"]["matched_accuracy"]
    return f"pairs ordered right (shuffled-sign control: {chance})", clean


@parts.panels
def plot(result: dict[str, Any], axes: Any) -> None:
    """Calibration: how often progress was made, against the model's probability, one line per seed."""
    axes.plot([0, 1], [0, 1], color="grey", linestyle=":")
    for bins in result["calibration"]:
        axes.plot([b["predicted"] for b in bins], [b["observed"] for b in bins], "o-", alpha=0.6)
    axes.set_xlabel("foretold")
    axes.set_ylabel("observed")
