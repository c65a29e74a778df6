"""Agents that are trained on marks do what they are told more often than agents that only imitate.

The base hears instructions as a reading alone. It was cloned from players with instructions, of whom a given
share obeys (BC). It plays games with the probes' instructions, and simulated annotators mark those as
sparsely, late and wrongly as people do, by progress in the instruction. All arms start from the base and have
as many moves and gradient steps: imitation alone, and BC + RL with IBT, with the autoregressive model, with
true progress, and with IBT on the same marks with shuffled signs. What counts is the success of the probes,
which only evaluation knows.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
from safetensors.numpy import load_file

from engine.agents.catalogue import WEIGHTS, folder_of, load, read_card, write_agent
from engine.agents.surgery import hearing
from engine.evaluation.probes import ASKED, Probe, probed, probes_of
from engine.evaluation.reward_return import varied
from engine.evaluation.simulated_episodes import play_logs, write_snapshot
from engine.experiments import parts
from engine.experiments.work import Work
from engine.learning.parts.sides import round_options

ARMS = ("bc", "ibt", "ar", "progress", "shuffled")
TIMES, OF_PROBES, SHARE = 1.2, 0.75, 0.5
"""IBT over BC, in which share of a game's probes; and IBT's share of true progress' gain."""
LEAST = 0.01
"""What a share of successes counts as at least, where it is divided by."""
ARM: dict[str, Any] = {
    "epochs": 2,
    "minibatches": 4,
    "rl_weight": 1.0,
    "bc_weight": 0.1,
    "kl_weight": 0.01,
    "evaluate_every": 1000,
    "keep_best": False,
}


def setting(arm: dict[str, Any], moves: int, arm_moves: int, **more: Any) -> dict[str, Any]:
    """A game's setting: the settings of its arms besides ARM, moves of the cloning and of each arm, the
    rest.
    """
    arm = {**ARM, **arm}
    clone = {**arm, "bc_weight": 1.0, "moves": moves}
    both = {"clone": clone, "arm": {**arm, "moves": arm_moves}}
    return {"obey": 0.4, "mistakes": 0.05, "per_seat": 2, **both, **more}


def natural(game: str) -> list[Probe]:
    """The probes that need no prepared situation, so that whole games can be played under them."""
    return [probe for probe in probes_of(game) if probe.arrange is None]


def run(setting: dict[str, Any], seed: int, quick: bool, work: Work) -> dict[str, Any]:
    """{"arms": {name: {probe: share}}, "marks", and with `untold`, "untold": as "arms"} of one seed."""
    game, texts = setting["game"], [probe.text for probe in natural(setting["game"])]
    options = {**varied(game), **setting["options"]}
    setting = {**setting, "measure": ASKED, "options": options}
    demos = _demonstrations(work, setting, seed, texts)
    reader = work.step("reader", {"base": setting["base"]}, lambda out: _reader(setting["base"], game, out))
    common = {"game": game, "dataset": demos, "seed": seed, "instructions": texts, "options": options}
    clone = {**common, **setting["clone"], "name": "bc", "rl_weight": 0.0}
    bc = work.train("clone", "bcrl", base=reader["folder"], **clone)["folder"]
    with_words: dict[str, Any] = {"instructions": texts, "always": True, "obey": 1.0, "mistakes": 0.0}
    with_words["per_seat"] = setting.get("per_seat", 1)
    marked = parts.marked_episodes(
        work, "marked", bc, setting, setting["episodes"], seed + 1000, **with_words
    )
    shuffled = parts.with_other_signs(work, "shuffled", marked, seed)
    sources, marks = {"bc": "", "progress": f"measure:{ASKED}"}, 0
    for name, program, snapshot in (
        ("ibt", "ibt", marked),
        ("ar", "ar", marked),
        ("shuffled", "ibt", shuffled),
    ):
        made = parts.model_of(work, f"model-{name}", setting, snapshot, seed, program)
        sources[name], marks = made["folder"], made["counts"]["marks"]
    folders = {"clone": bc}
    for name in ARMS:
        weights = {"rl_weight": 0.0} if name == "bc" else parts.ON_U
        arm = {**common, **setting["arm"], **weights, "name": name, "reward_model": sources[name]}
        folders[name] = work.train(f"arms/{name}", "bcrl", base=bc, **arm)["folder"]
    keys = {"arms": True, **({"untold": False} if setting.get("untold") else {})}
    results = {
        key: {name: _measured(work, name, folder, setting, seed, told) for name, folder in folders.items()}
        for key, told in keys.items()
    }
    return {**results, "marks": marks}


def _demonstrations(work: Work, setting: dict[str, Any], seed: int, texts: list[str]) -> str:
    """The folder of episodes to imitate: in a given share of them, seats with an instruction obey it, as in
    live play.
    """
    names = ("base", "obey", "mistakes", "demonstrations", "options")
    asked = {**{name: setting[name] for name in names}, "seed": seed, "texts": texts}

    def do(out: Path) -> dict[str, Any]:
        options = round_options(setting["game"], {"options": setting["options"]})
        policy, count = load(setting["base"], setting["game"], options), setting["demonstrations"]
        how: dict[str, Any] = {"obey": setting["obey"], "seed": seed, "always": True, "check": work.check}
        logs = list(play_logs(policy, count, options, setting["mistakes"], texts, **how))
        write_snapshot(out, logs, (), per_seat=0)
        return {"folder": str(out)}

    return work.step("demonstrations", asked, do)["folder"]


def _reader(base: str, game: str, out: Path) -> dict[str, str]:
    """The base as a network that hears instructions as a reading alone and draws its moves."""
    folder = folder_of(base, game)
    tensors, card = hearing(load_file(folder / WEIGHTS), read_card(folder))
    kept = {name: value for name, value in card.items() if name not in ("orders", "evaluation")}
    write_agent(out / "agent", tensors, {**kept, "name": "reader", "hears": "reading", "acts": "sampled"})
    return {"folder": str(out / "agent")}


def _measured(
    work: Work, name: str, folder: str, setting: dict[str, Any], seed: int, told: bool
) -> dict[str, float]:
    """The success rate of each probe for the agent in a folder, with the instruction
    or without, as a step.
    """
    game, episodes = setting["game"], setting["evaluation"]

    def do(_: Path) -> dict[str, float]:
        options = round_options(game, {"options": setting["options"]})
        policy, shares = load(folder, game, options), {}
        for probe in natural(game):
            row = probed(policy, probe, options, episodes, parts.HELD + seed, told=told, check=work.check)
            shares[probe.name] = float(row["share"] or 0.0)
        return shares

    asked = {"agent": folder, "weights": read_card(Path(folder))["sha256"], "episodes": episodes}
    step = f"measured/{name}" if told else f"untold/{name}"
    return work.step(step, {**asked, "seed": seed, "options": setting["options"]}, do)


@parts.by_setting
def summary(name: str, rows: list[dict[str, Any]], quick: bool) -> tuple[dict[str, Any], list[str]]:
    """{"table", "settings": {name: {"probes": {probe: {arm: spread}}, "untold": {arm: {probe: spread}},
    "times", "beaten", "share", "over", "holds"}}, "holds"}; `beaten`: the share of probes in which IBT is
    TIMES above BC.
    """
    table: list[str] = []
    arms = list(rows[0]["arms"])
    probes = {
        probe: {arm: parts.spread([row["arms"][arm][probe] for row in rows]) for arm in arms}
        for probe in rows[0]["arms"]["bc"]
    }
    means = {arm: [float(np.mean(list(row["arms"][arm].values()))) for row in rows] for arm in arms}
    bc, ibt, true = means["bc"], means["ibt"], means["progress"]
    share = parts.spread([(a - b) / (c - b) if c > b else 0.0 for a, b, c in zip(ibt, bc, true, strict=True)])
    times = {probe: row["ibt"]["mean"] / max(row["bc"]["mean"], LEAST) for probe, row in probes.items()}
    beaten = float(np.mean([value >= TIMES for value in times.values()]))
    over = {
        arm: parts.spread([a - b for a, b in zip(ibt, means[arm], strict=True)])
        for arm in ("bc", "ar", "shuffled")
    }
    met = {"probes": beaten >= OF_PROBES, "share": share["mean"] >= SHARE}
    clear = all(parts.above(over[arm], 0) for arm in ("bc", "shuffled"))
    untold = [row["untold"] for row in rows if "untold" in row]
    result: dict[str, Any] = {
        "untold": {
            arm: {probe: parts.spread([row[arm][probe] for row in untold]) for probe in probes}
            for arm in arms
            if untold
        },
        "probes": probes,
        "arms": {arm: parts.spread(values) for arm, values in means.items()},
        "times": times,
        "beaten": beaten,
        "share": share,
        "over": over,
        "met": met,
        "holds": all(met.values()) and clear,
    }
    table.append(f"{name:<16}" + "".join(f"{arm:>16}" for arm in arms) + f"{'ibt / bc':>12}")
    for probe, figure in probes.items():
        cells = "".join(f"{parts.cell(figure[arm], 2):>16}" for arm in arms)
        table.append(f"{probe:<16}{cells}{times[probe]:>12.2f}")
        if untold:
            cells = "".join(f"{parts.cell(result['untold'][arm][probe], 2):>16}" for arm in arms)
            table.append(f"{'  untold':<16}{cells}")
    cells = "".join(f"{parts.cell(result['arms'][arm], 2):>16}" for arm in arms)
    table.append(f"{'mean':<16}{cells}")
    table.append(
        f"{beaten:.0%} of the probes {TIMES} times BC; share of true progress' gain "
        f"{parts.cell(share, 2)}; over shuffled signs {parts.cell(over['shuffled'], 2)}"
    )
    return result, table


def effect(found: dict[str, Any]) -> tuple[str, dict[str, Any]]:
    return "success of probes above imitation's", found["over"]["bc"]


@parts.panels
def plot(result: dict[str, Any], axes: Any) -> None:
    """Success by probe, one panel per setting, one point per arm and seed."""
    for place, arm in enumerate(ARMS):
        for at, values in enumerate(result["probes"].values()):
            points, x = values[arm]["by_seed"], at + 0.15 * (place - 2)
            label = arm if at == 0 else None
            axes.plot([x] * len(points), points, "o", alpha=0.6, color=f"C{place}", label=label)
    axes.set_xticks(range(len(result["probes"])), list(result["probes"]), rotation=45)
    axes.set_ylabel("success")
    axes.legend(fontsize=7)
