"""Parts of experiments: marked episodes, the strength of agents on deals that no training saw, and intervals
over seeds. All annotators here are simulated.
"""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import wraps
from pathlib import Path
from typing import Any

import numpy as np

from engine import brings, games, snapshots
from engine.agents import utility
from engine.agents.catalogue import load
from engine.agents.files import write_atomically
from engine.agents.policy import Policy
from engine.agents.utility import RewardModel
from engine.evaluation import measures
from engine.evaluation.annotators import Annotator, describe
from engine.evaluation.intervals import interval_over_seeds
from engine.evaluation.reward_return import fair_options, play_rewarded
from engine.evaluation.simulated_episodes import crew, play_logs, write_snapshot
from engine.experiments.work import Work
from engine.learning.parts.sides import against, round_options
from engine.simulation.log import EpisodeLog
from engine.snapshots import Snapshot

PACE = 14.0
"""Marks that people make in five minutes (IBT paper, section 3.2)."""
HELD = 50_000
"""Seeds of deals on which results are measured begin here; training's are far below."""


BESIDE = ("moves", "envs", "steps", "epochs", "minibatches", "lr", "evaluate_every", "keep_best")
"""Settings of PPO's arms that BC + RL has, too: as many moves and as many gradient steps."""
ALONE = {"controls": False, "simple_model": False}
"""Of a reward model that is trained without its controls, and never gives way to a simpler one."""
BCRL = {"rl_weight": 1.0, "bc_weight": 0.1, "kl_weight": 0.01}
ON_U = {"score_weight": 0.0, "utility_weight": 1.0}


def people_like(game: str, measure: str = measures.USUAL, move: float = 0.5) -> tuple[Annotator, ...]:
    """Three annotators who mark as often as people do, the most noticeable moments first, and make people's
    errors: one careful, one late and forgetful, one who sometimes takes progress for regression. `move`:
    moves that count as a second in games without a clock; with .5 nobody is late there.
    """
    second = games.spec(game).ticks_per_second or move
    common: dict[str, Any] = {"pace": PACE, "measure": measure, "salience": 1.0}
    late: dict[str, Any] = {"delay_mean": 0.5 * second, "delay_sd": 0.3 * second}
    return (
        Annotator("careful", **common),
        Annotator("late", **late, miss=0.3, false_marks=0.001, **common),
        Annotator("wrong-at-times", **late, miss=0.1, flip=0.1, false_marks=0.001, **common),
    )


Summed = Callable[[list[dict[str, Any]], bool], dict[str, Any]]


def by_setting(
    summed: Callable[[str, list[dict[str, Any]], bool], tuple[dict[str, Any], list[str]]],
) -> Summed:
    """An experiment's `summary(rows, quick)` from one of a setting, its rows and `quick`: {"table": lines of
    all settings, "settings": {name: result}, "holds"}. A setting holds if all that it has to meet ("met") is
    met, unless its result says more.
    """

    @wraps(summed)
    def summary(rows: list[dict[str, Any]], quick: bool) -> dict[str, Any]:
        results: dict[str, Any] = {}
        table: list[str] = []
        for name in dict.fromkeys(row["setting"] for row in rows):
            theirs = [row for row in rows if row["setting"] == name]
            result, lines = summed(name, theirs, quick)
            results[name] = {**result, "holds": result.get("holds", all(result["met"].values()))}
            table += lines
        return {"table": table, "settings": results, "holds": all(row["holds"] for row in results.values())}

    return summary


def panels(drawn: Callable[[dict[str, Any], Any], None]) -> Callable[[dict[str, Any], Any], None]:
    """An experiment's `plot(found, figure)` from one of a setting's result: a panel for each, under its
    name.
    """

    @wraps(drawn)
    def plot(result: dict[str, Any], figure: Any) -> None:
        for number, (name, row) in enumerate(result["settings"].items(), 1):
            axes = figure.add_subplot(1, len(result["settings"]), number)
            axes.set_title(name)
            drawn(row, axes)

    return plot


def like(raters: Sequence[Annotator]) -> tuple[Annotator, ...]:
    """As many other annotators, who mark as these do."""
    return tuple(replace(rater, name=f"{rater.name}-else") for rater in raters)


def model_of(
    work: Work, step: str, setting: dict[str, Any], snapshot: str, seed: int, program: str = "ibt"
) -> dict[str, Any]:
    """A reward model from a snapshot, without its controls, as a step: the result of its training."""
    asked = {"game": setting["game"], "dataset": snapshot, "seed": seed, **ALONE}
    return work.train(step, program, **asked, **setting[program])


def trusted(work: Work, step: str, model: str) -> str:
    """The folder of the same reward model that says of itself that it tells all marks (`skill` 1), so that
    its U has its whole weight beside a score.
    """

    def do(out: Path) -> dict[str, Any]:
        shutil.copytree(model, out / "model", dirs_exist_ok=True)
        card = json.loads((out / "model" / "card.json").read_text()) | {"skill": 1.0}
        write_atomically(out / "model" / "card.json", json.dumps(card, indent=1).encode())
        return {"folder": str(out / "model")}

    return work.step(step, {"model": model, "weights": _sha(model)}, do)["folder"]


def by_ppo(setting: dict[str, Any], reward_model: str) -> dict[str, Any]:
    """PPO's settings in a setting: on a reward model alone, or, if that is empty, on the score alone."""
    weights = ON_U if reward_model else {"score_weight": 1.0}
    return {"reward_model": reward_model, **weights, **setting["ppo"]}


def by_bcrl(setting: dict[str, Any], reward_model: str, dataset: str) -> dict[str, Any]:
    """The settings of BC + RL with as much computing: on a reward model alone, or, if that is empty,
    imitation alone.
    """
    settings = setting["ppo"]
    weights = (
        {**ON_U, **BCRL, "entropy_weight": settings["entropy_weight"]} if reward_model else {"rl_weight": 0.0}
    )
    beside = {name: settings[name] for name in BESIDE}
    return {"reward_model": reward_model, "dataset": dataset, **weights, **beside}


def strength(
    policy: Policy,
    options: dict[str, Any],
    episodes: int,
    seed: int,
    rated: Mapping[str, measures.Measure | RewardModel],
    check: Callable[[], None] = lambda: None,
) -> dict[str, float]:
    """Means over games of the policy with itself, or of its side against the game's yardstick: {"score", and
    under each name in `rated` what a seat gains in a game by that measure}.
    """
    game = policy.game
    complete = games.spec(game).validate(options)
    yardstick = brings.Training.of(game).YARDSTICK
    table = against(game, complete, policy, load(yardstick, game) if yardstick else policy)
    fair = fair_options(game, options, [policy])
    played = play_rewarded(table, game, fair, episodes, HELD + seed, list(rated.values()), check)
    mine = [seat for seat, player in enumerate(table) if player is policy]
    means = played.utilities[:, mine].mean((0, 1))
    return {"score": float(played.scores.mean()), **dict(zip(rated, map(float, means), strict=True))}


def measured_agent(
    work: Work, name: str, folder: str, setting: dict[str, Any], episodes: int, seed: int
) -> dict[str, float]:
    """`strength` of the agent in a folder, as a step."""
    game, measure = setting["game"], setting.get("measure", measures.USUAL)

    def do(_: Path) -> dict[str, float]:
        options = round_options(game, {"options": setting["options"]})
        rated = {"progress": measures.measure(game, measure)}
        return strength(load(folder, game, options), options, episodes, seed, rated, work.check)

    asked = {"agent": folder, "episodes": episodes, "seed": seed, "measure": measure, "weights": _sha(folder)}
    return work.step(f"measured/{name}", asked, do)


def preferred(
    work: Work, name: str, folder: str, setting: dict[str, Any], episodes: int, seed: int, model: str
) -> dict[str, Any]:
    """{"score", "liked", "u"} of the agent in a folder, as a step. `liked`: of the events that the setting's
    measure counts up or down, the share that it counts up (if the setting has "count": the number of them per
    seat and game). `u`: what the reward model in a folder gives a seat for a game.
    """
    game, known = setting["game"], measures.measure(setting["game"], setting["measure"])

    def of_sign(sign: int) -> measures.Measure:
        return measures.Measure(lambda *seen: np.maximum(0, sign * known.gains(*seen)), known.memory)

    def do(_: Path) -> dict[str, float]:
        options = round_options(game, {"options": setting["options"]})
        policy = load(folder, game, options)
        rated: dict[str, Any] = {"up": of_sign(1), "down": of_sign(-1), "u": utility.load(Path(model))}
        result = strength(policy, options, episodes, seed, rated, work.check)
        up, total = result["up"], result["up"] + result["down"]
        liked = up if setting.get("count") else up / total if total else 0.0
        return {"score": result["score"], "liked": liked, "u": result["u"]}

    asked = {"agent": folder, "episodes": episodes, "seed": seed, "weights": _sha(folder), "model": model}
    return work.step(f"measured/{name}", {**asked, "measure": setting["measure"]}, do)


def weighed_arm(
    work: Work, name: str, setting: dict[str, Any], seed: int, source: str, weight: float, model: str
) -> dict[str, Any]:
    """`preferred` of an agent that PPO made of the setting's base, on the score and, with this weight, on a
    reward model or measure; and its "kl" (engine.learning.parts.pulls).
    """
    common = {"game": setting["game"], "base": setting["base"], "name": name, "seed": seed}
    common |= {**setting["ppo"], "reward_model": source, "utility_weight": weight}
    made = work.train(f"arms/{name}", "ppo", **common)
    measured = preferred(work, name, made["folder"], setting, setting["evaluation"], seed, model)
    return {**measured, "kl": made["kl"]}


def _sha(folder: str) -> str:
    """The checksum of the weights on a folder's card; for a shipped agent its ref."""
    card = Path(folder) / "card.json"
    return json.loads(card.read_text()).get("sha256", "") if card.is_file() else ""


def weak_base(work: Work, setting: dict[str, Any], seed: int, quick: bool) -> tuple[str, dict[str, Any]]:
    """(folder, {"score", "of": the shipped agent's score}) of the checkpoint whose strength is nearest to a
    given share of the shipped agent's.
    """
    begin, episodes = setting["base"], 8 if quick else 200
    work.train("base", begin["program"], **begin["settings"], game=setting["game"], seed=seed)
    kept = sorted((work.folder / "base").glob("kept-*"), key=lambda path: int(path.name.split("-")[1]))
    kept = kept or [work.folder / "base" / "agent"]
    shipped = measured_agent(work, "shipped", begin["shipped"], setting, episodes, 0)
    scores = {
        str(path): measured_agent(work, path.name, str(path), setting, episodes, 1)["score"] for path in kept
    }
    wanted = begin["share"] * shipped["score"]
    folder = min(scores, key=lambda path: abs(scores[path] - wanted))
    return folder, {"score": scores[folder], "of": shipped["score"], "after": Path(folder).name}


def marked_episodes(
    work: Work,
    name: str,
    agent: str,
    setting: dict[str, Any],
    episodes: int,
    seed: int,
    annotators: Sequence[Annotator] | None = None,
    mixed: bool = False,
    per_seat: int = 1,
    **how: Any,
) -> str:
    """The folder of a snapshot of simulated episodes of an agent with marks by `annotators` (by default
    `people_like`). With `mixed`, scripted partners of all strengths play, too. `how` is as in `play_logs`.
    """
    game = setting["game"]
    raters = annotators or people_like(game, setting.get("measure", measures.USUAL))

    def do(out: Path) -> dict[str, Any]:
        options = round_options(game, {"options": setting["options"]})
        policy = load(agent, game, options)
        fair = fair_options(game, options, [policy])
        partners = crew(game, options) if mixed else []
        more = {"seed": seed, "partners": partners, "check": work.check, **how}
        logs = list(play_logs(policy, episodes, fair, **more))
        marks = write_snapshot(out, logs, raters, per_seat, seed)
        return {"folder": str(out), "marks": marks}

    asked = {"agent": agent, "weights": _sha(agent), "episodes": episodes, "seed": seed, **how}
    asked |= {"mixed": mixed, "per_seat": per_seat, "raters": [describe(rater) for rater in raters]}
    return work.step(name, asked, do)["folder"]


def marked_logs(
    work: Work, name: str, logs: Sequence[EpisodeLog], raters: Sequence[Annotator], seed: int, per_seat: int
) -> str:
    """The folder of a snapshot of these episodes, each marked by `per_seat` of `raters`, only on people's
    seats if people play.
    """

    def do(out: Path) -> dict[str, Any]:
        return {"folder": str(out), "marks": write_snapshot(out, logs, raters, per_seat, seed)}

    asked = {"episodes": [log.header["episode"] for log in logs], "seed": seed, "per_seat": per_seat}
    return work.step(name, {**asked, "raters": [describe(rater) for rater in raters]}, do)["folder"]


def episodes_of(snapshot: str) -> list[EpisodeLog]:
    """The episodes of a simulated snapshot, in the order in which they were played and marked."""
    found = Snapshot(snapshot)
    return [found.log(episode) for episode in dict.fromkeys(row["episode"] for row in found.reviews())]


def together(work: Work, name: str, folders: Sequence[str]) -> str:
    """The folder of a snapshot with the episodes and marks of several."""

    def do(out: Path) -> dict[str, Any]:
        each = [Snapshot(folder) for folder in folders]
        logs = {episode: one.written(episode) for one in each for episode in one.episodes}
        marks = [row for one in each for row in one.marks()]
        snapshots.write(out, logs.items(), marks, [row for one in each for row in one.reviews()])
        return {"folder": str(out)}

    return work.step(name, {"snapshots": list(folders)}, do)["folder"]


def some_of(work: Work, name: str, snapshot: str, episodes: Sequence[str]) -> str:
    """The folder of a snapshot with some of another one's episodes, by id."""
    kept = dict.fromkeys(sorted(episodes))

    def do(out: Path) -> dict[str, Any]:
        whole = Snapshot(snapshot)
        logs = ((episode, whole.written(episode)) for episode in kept)
        marks = (row for row in whole.marks() if row["episode"] in kept)
        snapshots.write(out, logs, marks, (row for row in whole.reviews() if row["episode"] in kept))
        return {"folder": str(out)}

    return work.step(name, {"snapshot": snapshot, "episodes": [*kept]}, do)["folder"]


def with_other_signs(work: Work, name: str, snapshot: str, seed: int) -> str:
    """The folder of the same episodes with the same marks, their signs shuffled."""

    def do(out: Path) -> dict[str, Any]:
        whole = Snapshot(snapshot)
        rows = whole.marks()
        signs = np.random.default_rng([seed, 1]).permutation([row["sign"] for row in rows])
        dealt = [{**row, "sign": int(sign)} for row, sign in zip(rows, signs, strict=True)]
        logs = ((episode, whole.written(episode)) for episode in whole.episodes)
        snapshots.write(out, logs, dealt, whole.reviews())
        return {"folder": str(out)}

    return work.step(name, {"snapshot": snapshot, "seed": seed}, do)["folder"]


def spread(values: Sequence[float]) -> dict[str, Any]:
    """{"mean", "interval" (95 %, over seeds), "by_seed"}; the interval is None for one seed."""
    each = [float(value) for value in values]
    interval = interval_over_seeds(each) if len(each) > 1 else None
    return {"mean": float(np.mean(each)), "interval": interval, "by_seed": each}


def known(values: Sequence[float | None]) -> dict[str, Any] | None:
    """The `spread` of those values that could be measured; None if there are none."""
    each = [value for value in values if value is not None]
    return spread(each) if each else None


def above(figure: dict[str, Any], bar: float) -> bool:
    """Whether the whole interval of a `spread` lies above a bar; False for a single seed."""
    return figure["interval"] is not None and figure["interval"][0] > bar


def cell(figure: dict[str, Any], digits: int = 1) -> str:
    """A `spread` as a cell of a table."""
    if figure["interval"] is None:
        return f"{figure['mean']:.{digits}f}"
    return f"{figure['mean']:.{digits}f} ± {figure['interval'][1] - figure['mean']:.{digits}f}"
