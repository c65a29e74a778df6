"""An instruction chooses which convention agents come to that all learn from the same start.

The arms are instructPPO or instructQ with an instruction, with another one, and with none (instructRL paper,
section 5.2: figures 4 and 5, table 3). Each seed trains one agent per arm, which then plays with the next
seed's agents, with which it never trained. Agents of one arm should fit together as well as each with itself,
and hints that lead to a play should be of the kind that the instruction asks for. One agent for any
instruction plays with all of them, with the instruction that they learned and with another arm's.
"""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Any

from engine import games
from engine.agents.catalogue import load, read_card
from engine.evaluation.card import action_matrix
from engine.evaluation.self_play import play
from engine.evaluation.told import evaluate_told
from engine.experiments import parts
from engine.experiments.parts import HELD
from engine.experiments.work import Work

ANNOTATORS = "none"


def run(setting: dict[str, Any], seed: int, quick: bool, work: Work) -> dict[str, Any]:
    """{"arms": {arm: {"self_play", "plays_after": {kind of hint: plays}, "known", "matrix"}}, "listener":
    {arm: {told arm: score}}} of one seed.
    """
    where = {"game": setting["game"], "options": setting["options"]}
    if setting.get("start"):  # a learner of its own to begin at, the same for all arms
        started = work.train("start", "clone", **setting["start"], **where, name="start", seed=seed)
        where["base"] = started["folder"]
    folders, shas = {}, {}
    for arm, text in setting["arms"].items():
        way = {"instruction": text} if text else {"instruction": untold(setting), "instruction_weight": 0.0}
        given = {**setting["training"], **where, **way, "name": arm, "seed": seed}
        made = work.train(arm, setting["program"], **given)
        folders[arm], shas[arm] = made["folder"], made["sha256"]
    asked = {"episodes": setting["episodes"], "seed": seed, "agents": shas}
    return {
        "arms": work.step("arms", asked, partial(_alone, setting, folders, seed)),
        "listener": work.step("listener", asked, partial(_listens, setting, folders, seed)),
    }


def meet(
    setting: dict[str, Any], rows: dict[int, Path], quick: bool, work: Work
) -> dict[int, dict[str, Any]]:
    """{seed: {"cross_play": {arm: {other arm: score}}}}: the agents of each seed with those of the next (of
    the last with the first); `rows` are the seeds' folders.
    """
    seeds, result = list(rows), {}
    for seed, after in zip(seeds, [*seeds[1:], seeds[0]], strict=True):
        agents = {arm: [str(rows[each] / arm / "agent") for each in (seed, after)] for arm in setting["arms"]}
        shas = {arm: [read_card(Path(ref))["sha256"] for ref in pair] for arm, pair in agents.items()}
        asked = {"episodes": setting["episodes"], "seed": seed, "agents": shas}
        do = partial(_crossed, setting, agents, seed)
        result[seed] = {"cross_play": work.step(f"{seed} with {after}", asked, do)}
    return result


def untold(setting: dict[str, Any]) -> str:
    """An arbitrary instruction, for an arm in which its weight is 0."""
    return next(text for text in setting["arms"].values() if text)


def _alone(setting: dict[str, Any], folders: dict[str, str], seed: int, _: Path) -> dict[str, Any]:
    """What each arm's agent does with itself."""
    result, complete = {}, games.spec(setting["game"]).validate(setting["options"])
    for arm, folder in folders.items():
        policy = load(folder, setting["game"], setting["options"])
        given = (setting["options"], setting["episodes"], HELD + seed)
        counts = evaluate_told(policy, untold(setting), "", "none", *given)
        result[arm] = {
            "self_play": counts["mean"],
            "plays_after": {
                kind: counts["after"][kind]["play_touched"] for kind in setting["kinds"].values()
            },
            "known": counts["known_before_play"],
            "matrix": action_matrix(policy, complete, seed=HELD + seed)[0],
        }
    return result


def _crossed(
    setting: dict[str, Any], folders: dict[str, list[str]], seed: int, _: Path
) -> dict[str, dict[str, float]]:
    """Each arm's first agent with each arm's second one, in both seatings of the same deals."""
    options = games.spec(setting["game"]).validate(setting["options"])
    loaded = {arm: [load(ref, setting["game"], options) for ref in pair] for arm, pair in folders.items()}

    def met(agent: Any, other: Any) -> float:
        tables = ([agent, other], [other, agent])
        count = max(1, setting["episodes"] // 2)
        return float(
            sum(play(table, setting["game"], options, count, HELD + seed).mean() for table in tables) / 2
        )

    return {arm: {other: met(loaded[arm][0], loaded[other][1]) for other in loaded} for arm in loaded}


def _listens(
    setting: dict[str, Any], folders: dict[str, str], seed: int, _: Path
) -> dict[str, dict[str, float]]:
    """The setting's "listener", if it has one, with the agent of each arm that had an instruction, in both
    seats, with each arm's instruction in turn.
    """
    if not setting.get("listener"):
        return {}
    game, options = setting["game"], setting["options"]
    listener, count = load(setting["listener"], game, options), max(1, setting["episodes"] // 2)
    texts = {arm: text for arm, text in setting["arms"].items() if text}
    result: dict[str, dict[str, float]] = {}
    for arm in texts:
        other = load(folders[arm], game, options)
        result[arm] = {}
        for convention, text in texts.items():
            scores = [
                evaluate_told(*table, options, count, HELD + seed, partner)["mean"]
                for table, partner in (
                    ((listener, text, "", "first"), other),
                    ((other, text, "", "second"), listener),
                )
            ]
            result[arm][convention] = sum(scores) / len(scores)
    return result


@parts.by_setting
def summary(name: str, rows: list[dict[str, Any]], quick: bool) -> tuple[dict[str, Any], list[str]]:
    """{"table", "settings": {name: {"arms": {arm: {"self_play", "cross_play": {arm: …}, "apart", "kind",
    "known", "matrix"}}, "met"}}, "holds"}; "kind": of hints after which a card that they touched was played,
    the share that is of the arm's kind.
    """
    table: list[str] = []
    arms = {arm: _arm(rows, arm) for arm in rows[0]["arms"]}
    bars, met = rows[0]["asked"]["bars"], {}
    for arm, figure in arms.items():
        if arm in rows[0]["asked"]["kinds"]:
            if "self_play" in bars:
                met[f"{arm}: plays well"] = figure["self_play"]["mean"] >= bars["self_play"]
            met[f"{arm}: fits its like"] = abs(figure["apart"]["mean"]) <= bars["apart"]
            met[f"{arm}: does what was asked"] = figure["kind"]["mean"] >= bars["kind"]
        if figure["listener"]:
            met[f"{arm}: the listener fits"] = figure["listener"]["less"]["mean"] <= bars["listener"]
            met[f"{arm}: it has to be told"] = figure["listener"]["wrong"]["mean"] >= bars["wrong"]
    result: dict[str, Any] = {"arms": arms, "met": met}
    head = "".join(f"{'with ' + arm:>16}" for arm in arms)
    table.append(f"{name:<10}{'itself':>16}{head}{'of its kind':>16}")
    for arm, figure in arms.items():
        crossed = "".join(f"{parts.cell(figure['cross_play'][other]):>16}" for other in arms)
        kind = parts.cell(figure["kind"], 2) if figure["kind"] else ""
        table.append(f"  {arm:<8}{parts.cell(figure['self_play']):>16}{crossed}{kind:>16}")
    for arm, figure in arms.items():
        if heard := figure["listener"]:
            told = "".join(f", told {other} {parts.cell(score)}" for other, score in heard["told"].items())
            table.append(f"  one agent for any instruction with {arm}{told}")
    return result, table


def _arm(rows: list[dict[str, Any]], arm: str) -> dict[str, Any]:
    each = [row["arms"][arm] for row in rows]
    kind = rows[0]["asked"]["kinds"].get(arm)
    led = (
        [row["plays_after"][kind] / max(1, sum(row["plays_after"].values())) for row in each] if kind else []
    )
    known = {what: sum(row["known"][what] for row in each) for what in each[0]["known"]}
    return {
        "self_play": parts.spread([row["self_play"] for row in each]),
        "cross_play": {
            other: parts.spread([row["cross_play"][arm][other] for row in rows]) for other in rows[0]["arms"]
        },
        "apart": parts.spread([row["arms"][arm]["self_play"] - row["cross_play"][arm][arm] for row in rows]),
        "kind": parts.spread(led) if led else None,
        "listener": _heard(rows, arm),
        "known": {what: count / max(1, sum(known.values())) for what, count in known.items()},
        "matrix": each[0]["matrix"],
    }


def _heard(rows: list[dict[str, Any]], arm: str) -> dict[str, Any] | None:
    """{"told": {arm: score}, "less": how much less than the arm's agents have with each other, with the
    instruction that they learned; "wrong": what the listener loses with another arm's instruction}; None
    without a listener.
    """
    if arm not in rows[0]["listener"]:
        return None
    each = [row["listener"][arm] for row in rows]
    others = [max(score for other, score in row.items() if other != arm) for row in each]
    crossed = [row["cross_play"][arm][arm] for row in rows]
    return {
        "told": {other: parts.spread([row[other] for row in each]) for other in each[0]},
        "less": parts.spread([a - row[arm] for a, row in zip(crossed, each, strict=True)]),
        "wrong": parts.spread([row[arm] - other for row, other in zip(each, others, strict=True)]),
    }


def effect(found: dict[str, Any]) -> tuple[str, dict[str, Any]]:
    led = {arm: row["kind"] for arm, row in found["arms"].items() if row["kind"]}
    arm = min(led, key=lambda name: led[name]["mean"])
    return f"share of hints of the kind that was asked for, {arm}", led[arm]


def plot(result: dict[str, Any], figure: Any) -> None:
    """P(move | the partner's move before it) of the first seed, one panel per arm (figure 4); below, what was
    known of cards when they were played, over all seeds (figure 5).
    """
    settings_ = result["settings"]
    figure.set_size_inches(4.2 * max(len(row["arms"]) for row in settings_.values()), 6.4 * len(settings_))
    for row, (name, part) in enumerate(settings_.items()):
        wide = len(part["arms"])
        for place, (arm, each) in enumerate(part["arms"].items()):
            known = figure.add_subplot(2 * len(settings_), wide, (2 * row + 1) * wide + place + 1)
            known.bar(list(each["known"]), list(each["known"].values()), color="#0f766e")
            known.set_ylim(0, 1)
            known.set_title("known of a card when it was played", fontsize=8)
            known.set_ylabel("share of plays" if not place else "")
            axes = figure.add_subplot(2 * len(settings_), wide, 2 * row * wide + place + 1)
            labels = each["matrix"]["labels"]
            axes.imshow(each["matrix"]["rows"], cmap="Blues", vmin=0, vmax=0.6)
            axes.set_xticks(range(len(labels)), labels, rotation=90, fontsize=5)
            axes.set_yticks(range(len(labels)), labels, fontsize=5)
            axes.set_xlabel("move", fontsize=7)
            axes.set_ylabel("the partner's move before" if not place else "", fontsize=7)
            axes.set_title(f"{name}: {arm}", fontsize=9)
