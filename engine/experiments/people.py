"""U learned from marks on agents' episodes tells progress from regression in real people's play, and back.

Simulated annotators mark the recorded games of people that ship, and as many games of an agent under the same
rules. A reward model learns from each. Each model is measured by true progress on held-out episodes of its
own kind and on all episodes of the other kind.
"""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Any

from engine import games
from engine.agents import utility
from engine.experiments import parts
from engine.experiments.work import Work
from engine.games import people
from engine.learning.algorithms.ibt import Settings
from engine.learning.parts import marked, utilities
from engine.refusal import Refusal
from engine.simulation.log import EpisodeLog, header_of

METRICS = ("matched_accuracy", "regress_accuracy", "delta_auc")
KINDS = ("agents", "people")


def games_of_people(game: str, options: dict[str, Any], most: int) -> list[EpisodeLog]:
    """Up to `most` of the recorded games that ship with a game and were played with these options."""
    logs = []
    for name, form in people.formats().values():
        shipped = games.folder(name) / people.SHIPPED
        for row in form.games_of(shipped, lambda why: None) if name == game and shipped.exists() else ():
            try:
                recorded = people.replayed(form, row)
            except Refusal:
                continue  # of another format of this game
            sim = recorded.simulation
            if len(logs) < most and sim.options.items() >= options.items():
                log = EpisodeLog(header_of(sim, str(form.episode(recorded.id)), recorded.seats))
                for tick, joint in enumerate(sim.actions):
                    log.append({"type": "step", "tick": tick, "actions": joint})
                logs.append(log)
    return logs


def run(setting: dict[str, Any], seed: int, quick: bool, work: Work) -> dict[str, Any]:
    """{"models": {"agents to people": {metric: value}, …, "clock on people", …}, "counts",
    "refused": {kind: why there is no model of it}} of one seed.
    """
    game, raters = setting["game"], parts.people_like(setting["game"])
    logs, per_seat = games_of_people(game, setting["options"], setting["episodes"]), setting["per_seat"]
    marked_ = {
        "people": parts.marked_logs(work, "marked-people", logs, raters, seed, per_seat),
        "agents": parts.marked_episodes(
            work, "marked-agents", setting["agent"], setting, len(logs), seed, mixed=True, per_seat=per_seat
        ),
    }
    results: dict[str, Any] = {}
    refused: dict[str, str] = {}
    for name in KINDS:
        asked = {"game": game, "dataset": marked_[name], "seed": seed, "controls": False, **setting["ibt"]}
        try:
            made = parts.model_of(work, f"model-{name}", setting, marked_[name], seed)
        except Refusal as problem:  # too few marks, or of one sign alone
            refused[name] = str(problem)
            continue
        results[f"{name} to {name}"] = values(made["truth"]["model"])
        other = next(kind for kind in KINDS if kind != name)
        results |= work.step(
            f"judged-{name}",
            {"model": made["folder"], "sha256": made["sha256"], "on": marked_[other]},
            partial(_elsewhere, Settings(**asked), made["folder"], Path(marked_[other]), name, other),
        )
    return {"models": results, "counts": {"people": len(logs)}, "refused": refused}


def _elsewhere(
    config: Settings, model: str, folder: Path, name: str, other: str, _: Path
) -> dict[str, dict[str, float | None]]:
    """How well a model, and U = t, recognise progress on all episodes of the other kind."""
    tracks = marked.load(folder, config.game)
    kept = utilities.held(folder, tracks, config.seed)
    by: dict[str, Any] = {
        f"{name} to {other}": partial(utilities.utilities, utility.load(Path(model))),
        f"clock on {other}": utilities.clock,
    }
    return {key: values(utilities.judge(kept, of, config)["truth"]) for key, of in by.items()}


def values(metrics: dict[str, Any]) -> dict[str, float | None]:
    """The metrics of an evaluation that are compared."""
    return {metric: metrics[metric]["value"] for metric in METRICS}


@parts.by_setting
def summary(name: str, rows: list[dict[str, Any]], quick: bool) -> tuple[dict[str, Any], list[str]]:
    """{"table", "settings": {name: {"models", "met", "holds"}}, "holds"}."""
    table: list[str] = []
    models = {
        key: {
            metric: parts.known([row["models"][key][metric] for row in rows if key in row["models"]])
            for metric in METRICS
        }
        for key in dict.fromkeys(key for row in rows for key in row["models"])
    }
    pairs = {
        key: models.get(key, {}).get("matched_accuracy")
        for key in (f"{kind} to {other}" for kind, other in (KINDS, KINDS[::-1]))
    }
    met = {key: pair is not None and parts.above(pair, 0.5) for key, pair in pairs.items()}
    result: dict[str, Any] = {"models": models, "met": met}
    table.append(f"{name}: {rows[0]['counts']['people']} games of people and as many of agents")
    table += [f"seed {row['seed']}, {kind}: {why}" for row in rows for kind, why in row["refused"].items()]
    table.append(f"{'':<20}" + "".join(f"{metric:>22}" for metric in METRICS))
    for key, figure in models.items():
        cells = ["none" if (it := figure[metric]) is None else parts.cell(it, 2) for metric in METRICS]
        table.append(f"{key:<20}" + "".join(f"{cell:>22}" for cell in cells))
    return result, table


def effect(found: dict[str, Any]) -> tuple[str, dict[str, Any]]:
    way = "agents to people"
    return f"pairs ordered right, {way} (by chance: 0.50)", found["models"][way]["matched_accuracy"]


@parts.panels
def plot(result: dict[str, Any], axes: Any) -> None:
    """Share of pairs ordered right, by training data and test data, one point per seed."""
    for place, metrics in enumerate(result["models"].values()):
        each = (metrics["matched_accuracy"] or {"by_seed": []})["by_seed"]
        axes.plot([place] * len(each), each, "o", alpha=0.6)
    axes.set_xticks(range(len(result["models"])), [*result["models"]], rotation=60)
    axes.axhline(0.5, color="grey", linestyle=":")
    axes.set_ylabel("gap-matched pairs told right")
