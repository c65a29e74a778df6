"""U can't be collected by going in circles, and marks that it didn't learn from tell when to stop.

A training stops before the agent exploits the reward model's mistakes.

Scripted loops (standing still, going in circles, picking up and putting down, giving the same hint again)
start at moments of the marked episodes and earn U, while the other seats repeat what they did in that
episode: whoever stands still in a fight is attacked as before. For comparison: the U of a delivery, a point
or a knock-down.

Then PPO trains on that U alone. After each part of the training three numbers are measured: the U that is
rewarded, the U of a second model from other annotators' marks, and true progress. The early stop takes the
agent with the highest U of the second model.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np

from engine import brings
from engine.agents import utility
from engine.agents.catalogue import load
from engine.evaluation import measures
from engine.experiments import parts
from engine.experiments.work import Work
from engine.learning.parts.sides import round_options
from engine.learning.parts.utility_curve import utility_curve
from engine.simulation.log import EpisodeLog, resimulate, walk
from engine.snapshots import Snapshot

MOST = 0.1
"""What a loop may earn, in parts of what the game is about."""


def run(setting: dict[str, Any], seed: int, quick: bool, work: Work) -> dict[str, Any]:
    """{"loops": {name: {"n", "gain"}}, "event", "curve": [{"moves", "own", "others", "progress", "score"}],
    "marks"} of one seed.
    """
    game, measure = setting["game"], setting.get("measure", measures.USUAL)
    base, _ = parts.weak_base(work, setting, seed, quick)
    raters = parts.people_like(game, measure)
    others = parts.like(raters)
    marked = {
        "own": parts.marked_episodes(work, "marked-own", base, setting, setting["episodes"], seed, raters)
    }
    marked["others"] = parts.marked_logs(
        work, "marked-others", parts.episodes_of(marked["own"]), others, seed, 1
    )
    models = {
        name: parts.model_of(work, f"model-{name}", setting, snapshot, seed)
        for name, snapshot in marked.items()
    }
    brought = brings.Hacking.of(game)

    def loops(_: Path) -> dict[str, Any]:
        logs = [log for _, log in Snapshot(marked["own"]).logs()]
        return looped(
            utility.load(Path(models["own"]["folder"])), logs, brought, setting["loops"], seed, work
        )

    results = work.step("loops", {"model": models["own"]["folder"], "count": setting["loops"]}, loops)
    common = {"game": game, "base": base, "name": "candidate", "seed": seed, **setting["ppo"]}
    weights = {**parts.ON_U, "keep": setting["parts"]}
    work.train("candidate", "ppo", reward_model=models["own"]["folder"], **common, **weights)
    kept = (work.folder / "candidate").glob("kept-*")
    agents = [(0, base)] + sorted((int(path.name.split("-")[1]), str(path)) for path in kept)
    judges = {name: str(model["folder"]) for name, model in models.items()}
    curve = [
        {"moves": moves, **judged(work, f"judged/{moves}", folder, setting, judges, seed)}
        for moves, folder in agents
    ]
    return {**results, "curve": curve, "marks": models["own"]["counts"]["marks"]}


def judged(
    work: Work, name: str, folder: str, setting: dict[str, Any], judges: dict[str, str], seed: int
) -> dict[str, float]:
    """{"score", "progress", and U by each of the `judges` ({name: folder of a reward model})} of an agent,
    as a step.
    """

    def do(_: Path) -> dict[str, float]:
        options = round_options(setting["game"], {"options": setting["options"]})
        policy, count = load(folder, setting["game"], options), setting["evaluation"]
        rated: dict[str, Any] = {
            "progress": measures.measure(setting["game"], setting.get("measure", measures.USUAL)),
            **{judge: utility.load(Path(model)) for judge, model in judges.items()},
        }
        return parts.strength(policy, options, count, seed, rated, work.check)

    return work.step(name, {"agent": folder, "judges": judges, "seed": seed}, do)


def looped(
    model: utility.RewardModel,
    logs: list[EpisodeLog],
    brought: brings.Hacking,
    count: int,
    seed: int,
    work: Work,
) -> dict[str, Any]:
    """{"loops": {name: {"n", "gain"}}, "event"}: the mean U that `count` loops of all kinds together earned,
    and the mean U of the game's event in the same episodes.
    """
    rng = np.random.default_rng(seed)
    gains: dict[str, list[float]] = {name: [] for name in brought.LOOPS}
    tries = 0
    while sum(map(len, gains.values())) < count and tries < 40 * count:
        work.check()
        tries += 1
        name = (
            min(gains, key=lambda loop: (len(gains[loop]), loop)) if tries % 2 else str(rng.choice([*gains]))
        )
        log = logs[int(rng.integers(len(logs)))]
        seat = int(rng.integers(len(log.header["seats"])))
        tick = int(rng.integers(len(log.steps)))
        further, begun = _going_on(log, tick, seat, brought.LOOPS[name], brought.TICKS)
        if further is not None:
            u = utility_curve(model, further, seat)
            entry = max(i for i, at in enumerate(u.ticks) if at <= begun)
            gains[name].append(u.mean[-1] - u.mean[entry])
    event = [gain for log in logs for gain in _of_events(model, log, brought.event)]
    return {
        "loops": {
            name: {"n": len(figure), "gain": float(np.mean(figure or [0.0]))}
            for name, figure in gains.items()
        },
        "event": {"n": len(event), "gain": float(np.mean(event or [0.0]))},
    }


def _going_on(
    log: EpisodeLog, tick: int, seat: int, loop: Callable[..., Iterator[Any] | None], ticks: int
) -> tuple[EpisodeLog | None, int]:
    """The episode up to a tick, where a seat begins a loop while the others repeat what they did (nothing,
    once the episode is over). Returns it with the tick at which the loop began; None if the loop can't begin.
    """
    sim = resimulate(log, tick)
    each = sim.spec.decision_ticks
    moves = loop(sim, seat) if tick % each == 0 and not sim.over else None
    if moves is None:
        return None, tick
    further = EpisodeLog(log.header)
    for record in log.records:
        if record.get("tick", 0) < tick and record["type"] != "end":
            further.append(record)
    recorded = log.steps
    for _ in range(ticks):
        move = next(moves, None)
        if move is None or sim.over:
            break
        mover = sim.current if sim.current is not None else seat
        for _ in range(each):
            if sim.over:
                break
            goes_on = sim.current is None and sim.tick < len(recorded)
            joint = list(recorded[sim.tick]) if goes_on else [sim.idle(other) for other in range(sim.seats)]
            joint[mover] = sim.resolve(seat, move) if sim.spec.heads else move
            at = sim.tick
            sim.step(joint)
            further.append({"type": "step", "tick": at, "actions": sim.actions[-1]})
    return (further, tick) if len(further.steps) > tick else (None, tick)


def _of_events(
    model: utility.RewardModel, log: EpisodeLog, event: Callable[[np.ndarray, np.ndarray], np.ndarray]
) -> list[float]:
    """U's gains of seats for the decision in which the game's event happened to them."""
    states = [sim.state.copy() for sim in walk(log)]
    happened = np.array([event(old, new) for old, new in zip(states[:-1], states[1:], strict=True)])
    gains = []
    for seat in np.flatnonzero(happened.any(0)):
        u = utility_curve(model, log, int(seat))
        for tick in np.flatnonzero(happened[:, seat]) + 1:
            entry = int(np.searchsorted(u.ticks, tick))
            gains.append(u.mean[entry] - u.mean[entry - 1])
    return gains


@parts.by_setting
def summary(name: str, rows: list[dict[str, Any]], quick: bool) -> tuple[dict[str, Any], list[str]]:
    """{"table", "settings": {name: {"loops", "curve", "stop", "turns"}}, "holds"}."""
    table: list[str] = []
    loops = {
        loop: parts.spread([row["loops"][loop]["gain"] / abs(row["event"]["gain"] or 1.0) for row in rows])
        for loop in rows[0]["loops"]
        if all(row["loops"][loop]["n"] for row in rows)
    }
    number = min(sum(loop["n"] for loop in row["loops"].values()) for row in rows)
    stops = [stop(row["curve"]) for row in rows]
    at = {
        "base": [row["curve"][0]["progress"] for row in rows],
        "stopped": [row["curve"][place]["progress"] for row, place in zip(rows, stops, strict=True)],
        "to the end": [row["curve"][-1]["progress"] for row in rows],
        "best": [max(point["progress"] for point in row["curve"]) for row in rows],
    }
    progress = {key: parts.spread(values) for key, values in at.items()}
    turns = [max(row["curve"], key=lambda point: point["progress"])["moves"] for row in rows]
    most = max((loop["mean"] for loop in loops.values()), default=0.0)
    met = {
        "loops": most < MOST and all(row["event"]["gain"] > 0 for row in rows),
        "stop": progress["stopped"]["mean"] >= progress["to the end"]["mean"],
    }
    result: dict[str, Any] = {
        "loops": loops,
        "number": number,
        "progress": progress,
        "turns": turns,
        "met": met,
    }
    result |= {"curves": [row["curve"] for row in rows]}
    earned = ", ".join(f"{loop} {parts.cell(figure, 2)}" for loop, figure in loops.items())
    table.append(f"{name}: {number} loops a seed earn, in parts of what the game is about: {earned}")
    table.append(
        "true progress " + ", ".join(f"{key} {parts.cell(figure)}" for key, figure in progress.items())
    )
    table.append(f"true progress is highest after {', '.join(str(moves) for moves in turns)} moves")
    return result, table


def stop(curve: list[dict[str, float]]) -> int:
    """The early stop: where in a curve the second model's U is highest."""
    return max(range(len(curve)), key=lambda place: curve[place]["others"])


def effect(found: dict[str, Any]) -> tuple[str, dict[str, Any]]:
    before = parts.cell(found["progress"]["base"])
    return f"true progress where others' marks stop it (before: {before})", found["progress"]["stopped"]


@parts.panels
def plot(result: dict[str, Any], axes: Any) -> None:
    """True progress against the rewarded U, one line per seed; a ring marks the early stop."""
    for curve in result["curves"]:
        u, true = ([point[key] for point in curve] for key in ("own", "progress"))
        (line,) = axes.plot(u, true, ".-", alpha=0.7)
        axes.plot(u[stop(curve)], true[stop(curve)], "o", mfc="none", ms=10, color=line.get_color())
    axes.set_xlabel("U that is paid, a seat and game")
    axes.set_ylabel("true progress")
