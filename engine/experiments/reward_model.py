"""A reward model that learned from marks tells progress from regression on episodes that it never saw.

Agents and scripted partners of all strengths play episodes with mistakes, in half of them one is told
something. Simulated annotators mark them: cleanly, with errors as people make them, and as rarely as people
do. IBT on each, the autoregressive model (appendix A.5) on the clean ones; beside them U = t, the same marks
with signs dealt anew, and an untrained network. Judged by true progress: pairs of moments that are equally
far apart, those in which progress was lost, local gains, and gains under the right against another's
instruction.
"""

from __future__ import annotations

from typing import Any

from engine import games
from engine.evaluation.annotators import Annotator
from engine.experiments import parts
from engine.experiments.work import Work

BARS = {
    ("clean", "matched_accuracy"): 0.80,
    ("clean", "regress_accuracy"): 0.70,
    ("clean", "delta_auc"): 0.75,
    ("noisy", "delta_auc"): 0.65,
    ("clean", "swap_auc"): 0.80,
}
CONTROLS = ("clock", "shuffled", "untrained")


def raters(game: str) -> dict[str, tuple[Annotator, ...]]:
    """Who marks, by the name of a data set."""
    second = games.spec(game).ticks_per_second or 2.0
    late: dict[str, Any] = {"delay_mean": 0.5 * second, "delay_sd": 0.15 * second}
    return {
        "clean": (Annotator("clean"),),
        "noisy": (Annotator("noisy", **late, miss=0.3, false_marks=0.01),),
        "rare": parts.people_like(game),
    }


def settings(quick: bool) -> list[dict[str, Any]]:
    """Every game's own."""
    return parts.settings_of("reward_model", quick)


def run(setting: dict[str, Any], seed: int, quick: bool, work: Work) -> dict[str, Any]:
    """{"models": {name: {utility: {metric: value}}}, "calibration", "marks"} of one seed."""
    models: dict[str, Any] = {}
    marks: dict[str, int] = {}
    calibration: list[Any] = []
    for name, annotators in raters(setting["game"]).items():
        marked = parts.marked_episodes(
            *(work, f"marked-{name}", setting["agent"], setting, setting["episodes"], seed),
            annotators=annotators,
            mixed=True,
            instructions=setting["instructions"],
        )
        common = {"game": setting["game"], "dataset": marked, "seed": seed, **setting["ibt"]}
        found = work.train(f"ibt-{name}", "ibt", **common)
        models[name], marks[name] = found["truth"], found["counts"]["marks"]
        if name == "clean":
            calibration = found["calibration"]["model"]
            own = work.train("ar-clean", "ar", **{**common, **setting["ar"]})
            models["autoregressive"] = own["truth"]
    values = {
        name: {
            utility: {metric: one["value"] for metric, one in metrics.items()}
            for utility, metrics in truth.items()
        }
        for name, truth in models.items()
    }
    return {"models": values, "calibration": calibration, "marks": marks}


def summary(rows: list[dict[str, Any]], quick: bool) -> dict[str, Any]:
    """{"table", "settings": {name: {"models", "met", "holds"}}, "holds"}."""
    found: dict[str, Any] = {}
    table = []
    for name in dict.fromkeys(row["setting"] for row in rows):
        own = [row for row in rows if row["setting"] == name]
        models: dict[str, Any] = {}
        for model, utilities in own[0]["models"].items():
            for utility in utilities:
                if utility != "model" and model != "clean":
                    continue
                models[model if utility == "model" else utility] = {
                    metric: parts.known([row["models"][model][utility][metric] for row in own])
                    for metric in utilities[utility]
                }
        met = {
            f"{model} {metric}": models[model][metric] is not None and models[model][metric]["mean"] >= bar
            for (model, metric), bar in BARS.items()
        }
        found[name] = {"models": models, "met": met, "holds": all(met.values())}
        found[name]["calibration"] = [row["calibration"] for row in own]
        metrics = list(models["clean"])
        table.append(f"{name:<24}" + "".join(f"{metric:>20}" for metric in metrics))
        for model, values in models.items():
            cells = [parts.cell(values[metric], 2) if values[metric] else "none" for metric in metrics]
            table.append(f"{model:<24}" + "".join(f"{cell:>20}" for cell in cells))
        missed = [bar for bar, good in met.items() if not good]
        table.append(f"bars missed: {', '.join(missed) or 'none'}")
    return {"table": table, "settings": found, "holds": all(one["holds"] for one in found.values())}


def plot(found: dict[str, Any], figure: Any) -> None:
    """Calibration: how often progress was made, by how likely the model thought it, a line a seed."""
    for number, (name, one) in enumerate(found["settings"].items(), 1):
        axes = figure.add_subplot(1, len(found["settings"]), number)
        axes.plot([0, 1], [0, 1], color="grey", linestyle=":")
        for bins in one["calibration"]:
            axes.plot([b["predicted"] for b in bins], [b["observed"] for b in bins], "o-", alpha=0.6)
        axes.set_title(name)
        axes.set_xlabel("foretold")
        axes.set_ylabel("observed")
