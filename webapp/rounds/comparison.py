"""Candidate against champion, and the reward model against its controls, as a round's page shows them.

Reads the results that evaluation and reward-model jobs reported; measures nothing itself.
"""

from __future__ import annotations

from typing import Any

from engine import brings
from engine.evaluation.intervals import STUDENT_T, interval_over_seeds
from engine.learning.parts.sides import has_sides
from engine.learning.run.settings import Role
from webapp.agents import cards, verdicts
from webapp.agents.resolve import short
from webapp.agents.verdicts import MEASURES, Verdict, where
from webapp.jobs.models import Job
from webapp.rounds import programs
from webapp.rounds.models import Round

SIDES = ("candidate", "champion", "base")
UTILITIES = {
    "model": ("this model", "learned from the marks; the agent is trained on it"),
    "simple": ("simple model, not used", "linear in what is seen at single ticks, without memory"),
    "trained": ("trained model, not used", "the network with memory; a simple, linear one is used instead"),
    "shuffled": ("shuffled marks", "learned from the same marks with their signs shuffled"),
    "clock": ("U = t", "counts only time: later is always better"),
    "untrained": ("untrained", "the network before training"),
}


def result_of(members: list[Job], kind: str) -> dict[str, Any]:
    return next((job.result for job in members if job.kind == kind and job.state == Job.COMPLETED), {})


def headline(game: str, members: list[Job]) -> list[dict[str, Any]]:
    """Candidate, champion and base with intervals, with people first, for lists: [{"measure", "where", a
    score a side}]; [] before the evaluation.
    """
    result = result_of(members, "evaluation")
    rows = []
    for measure in MEASURES:
        scores = {side: cards.interval(result.get(measure, {}).get(side)) for side in SIDES}
        if scores["candidate"]:
            rows.append({"measure": measure, "where": where(game, measure), **scores})
    return rows


def of(round_: Round, members: list[Job]) -> dict[str, Any] | None:
    """Everything for the decision: {"plots": […], "verdicts": with people first, "returns": […], "met": the
    candidate with or against others, "told": the same with the instruction, or None}; None before the
    evaluation.
    """
    result = result_of(members, "evaluation")
    if not result.get("self_play", {}).get("candidate"):
        return None
    sided = has_sides(round_.game)
    alone = where(round_.game).removeprefix("in ")
    alone = alone[:1].upper() + alone[1:]
    shown = {**measured(round_.game, result, alone), "meaning": meaning(round_.game, result), "told": None}
    shown |= {"probes": probes(result), "seeds": seeds(round_), "met": None}
    people = {side: cards.interval(result.get("people", {}).get(side)) for side in SIDES}
    if people["candidate"]:
        title = f"With people (proxy: {short(round_.game, result['proxy'])})"
        shown["plots"].insert(0, {"title": title, "bars": cards.bars(round_.game, list(people.items()))})
    partners = [
        (f"{'against' if sided else 'with'} {short(round_.game, name)}", cards.interval(score))
        for name, score in result.get("cross_play", {}).items()
    ]
    if partners:
        title = "Candidate's side against others" if sided else "Candidate in cross-play"
        shown["met"] = {"title": title, "bars": cards.bars(round_.game, partners)}
    if instructed := result.get("told"):
        shown["told"] = {
            "instruction": instructed["instruction"],
            "reading": instructed["reading"],
            **measured(round_.game, instructed, f"{alone}, with the instruction"),
            "counts": counts(instructed.get("counts", {})),
            "shares": cards.shares(round_.game, by_who(instructed.get("counts", {}))),
        }
    return shown


def measured(game: str, result: dict[str, Any], title: str) -> dict[str, Any]:
    """{"plots", "verdicts", "returns"} of what each side did, untold or told."""
    scores = {side: cards.interval(result.get("self_play", {}).get(side)) for side in SIDES}
    returns, second = (
        [
            (side, f"{score['mean']:.2f} ± {score['half']:.2f}")
            for side in SIDES
            if (score := cards.interval(result.get(kind, {}).get(side)))
        ]
        for kind in ("reward_return", "second_opinion")
    )
    return {
        "plots": [{"title": title, "bars": cards.bars(game, [(side, scores[side]) for side in SIDES])}],
        "verdicts": judged(result, game),
        "returns": returns,
        "second": second,
    }


def probes(result: dict[str, Any]) -> list[dict[str, Any]]:
    """A row a task in words: {"name", "text", "cells": [(side, share when told, untold), …], "clear": whether
    the candidate does it clearly more often when told}; shares are intervals of 0 to 100, None: nobody able.
    """
    return [
        {
            "name": name,
            "text": probe["text"],
            "cells": [(s, _percent(probe["told"][s]), _percent(probe["untold"][s])) for s in SIDES],
            "clear": _clearly_more(probe["told"]["candidate"], probe["untold"]["candidate"]),
        }
        for name, probe in result.get("probes", {}).items()
    ]


def counts(counted: dict[str, Any]) -> list[dict[str, Any]]:
    """What instructions change by events alone, a row a thing that a player did after a thing that another
    one did: {"after", "did", "cells": [[candidate told, untold], [base told, untold]], "changed"}; in %, None
    where the occasion never came. What the candidate does more or less when told, or than an untold base,
    comes first.
    """
    if not counted:
        return []
    every = [part["after"] for both in counted.values() for part in both.values()]
    rows = []
    for after, did in sorted({(after, did) for row in every for after, many in row.items() for did in many}):
        cells = [
            [_share(counted[side][who]["after"].get(after, {}), did) for who in ("both", "none")]
            for side in ("candidate", "base")
        ]
        (with_it, untold), (_, before) = cells
        changed = [abs(with_it - other) for other in (untold, before) if None not in (with_it, other)]
        if any(cell for pair in cells for cell in pair):
            words = {"after": after.replace("_", " "), "did": did.replace("_", " ")}
            rows.append({**words, "cells": cells, "changed": max(changed, default=0.0)})
    return sorted(rows, key=lambda row: -row["changed"])


def by_who(counted: dict[str, Any]) -> dict[str, dict[str, Any]]:
    """What was counted, by "candidate, with it", "candidate, without", and so on."""
    words = {"both": "with it", "none": "without"}
    return {
        f"{side}, {words[who]}": numbers for side, both in counted.items() for who, numbers in both.items()
    }


def _share(followed: dict[str, int], did: str) -> float | None:
    """In how many of 100 cases this followed; None where nothing did."""
    number = sum(followed.values())
    return 100 * followed.get(did, 0) / number if number else None


def _percent(share: dict[str, Any]) -> dict[str, float] | None:
    if share["share"] is None:
        return None
    low, high = (100 * min(1.0, max(0.0, value)) for value in share["interval"])
    return {"mean": 100 * share["share"], "low": low, "high": high}


def _clearly_more(with_it: dict[str, Any], untold: dict[str, Any]) -> bool:
    known = with_it["share"] is not None and untold["share"] is not None
    return known and with_it["interval"][0] > untold["interval"][1]


def repeats(round_: Round) -> dict[int | None, Round]:
    """The rounds that made an agent in the same way from the same base, the newest of each seed; a round
    belongs to its own.
    """
    same = Round.objects.filter(game=round_.game, base_agent=round_.base_agent, candidate__isnull=False)
    settings = _without_seeds(round_.settings)
    alike = [other for other in same.order_by("number") if _without_seeds(other.settings) == settings]
    return {programs.value_of(each.settings, "agent", Role.SEED): each for each in (*alike, round_)}


def _without_seeds(settings: dict[str, Any]) -> dict[str, Any]:
    seeds = {part: programs.name_of(settings, part, Role.SEED) for part in settings}
    return {
        part: {name: value for name, value in values.items() if name != seeds[part]}
        for part, values in settings.items()
    }


def seeds(round_: Round) -> dict[str, Any] | None:
    """{"where", "rows": [{"round", "seed", "mean", "half"}], "mean", "half"}: candidate minus base in the
    rounds that differ by their seed alone, and over these seeds, with people where that was measured; None
    for one.
    """
    alike = [
        (seed, other, result_of(list(other.jobs.all()), "evaluation"))
        for seed, other in sorted(repeats(round_).items(), key=lambda item: str(item[0]))
    ]
    for measure, kept in MEASURES.items():
        rows = [
            {"round": other, "seed": seed, **difference}
            for seed, other, result in alike
            if (difference := cards.interval(result.get(kept, {}).get("base")))
        ][: len(STUDENT_T) + 1]
        if len(rows) > 1:
            low, high = interval_over_seeds([row["mean"] for row in rows])
            middle, half = (low + high) / 2, (high - low) / 2
            return {"where": where(round_.game, measure), "rows": rows, "mean": middle, "half": half}
    return None


def meaning(game: str, result: dict[str, Any]) -> str:
    """What the numbers mean, in sentences."""
    sentences = [brings.Training.of(game).MEANING]
    if score := result.get("self_play", {}).get("candidate"):
        sentences.append(
            f"Intervals are over {score.get('deals', score['episodes'])} deals, the same for all."
        )
    drawn = [side for side, manner in result.get("acts", {}).items() if manner == "sampled"]
    if drawn:
        sentences.append(f"As in live games, moves are drawn for {', '.join(drawn)}.")
    if result.get("options", {}).get("start") == "random":
        sentences.append(
            "Games begin in many different states: from one start, best moves would always give the "
            "same game."
        )
    return " ".join(part for part in sentences if part)


def apart(result: dict[str, Any], measure: str = "self_play") -> dict[str, Any] | None:
    """The candidate's score less the champion's, deal by deal where that was measured, with its interval."""
    if difference := cards.interval(result.get(MEASURES[measure], {}).get("champion")):
        return difference
    scores = {side: cards.interval(result.get(measure, {}).get(side)) for side in SIDES}
    candidate, champion = scores["candidate"], scores["champion"] or scores["base"]
    if candidate is None or champion is None:
        return None
    mean = candidate["mean"] - champion["mean"]
    half = (candidate["half"] ** 2 + champion["half"] ** 2) ** 0.5
    return {"mean": mean, "interval": [mean - half, mean + half]}


def judged(result: dict[str, Any], game: str) -> list[Verdict]:
    """The verdicts on a round's candidate against the champion, with people first."""
    return verdicts.of(game, {measure: apart(result, measure) for measure in MEASURES})


def of_round(round_: Round) -> list[Verdict]:
    return judged(result_of(list(round_.jobs.all()), "evaluation"), round_.game)


def reward_model(members: list[Job]) -> dict[str, Any] | None:
    """Held-out metrics of the model and its controls: {"columns": […], "rows": [{"title", "cells"}], "notes":
    why some are missing}.
    """
    result = result_of(members, "reward_model")
    held_out = result.get("held_out")
    if not held_out:
        return None
    columns = list(held_out["model"])
    empty = {"value": None, "low": None, "high": None}
    rows = [
        {"title": title, "help": text, "cells": [held_out[name].get(column, empty) for column in columns]}
        for name, (title, text) in UTILITIES.items()
        if name in held_out
    ]
    names = [column.replace("_", " ") for column in columns]
    return {"columns": names, "rows": rows, "notes": result.get("notes", [])}
