"""Reasons to doubt a round's result, in one place: too few marks, a reward model that is no better than its
controls, a candidate that only its own reward model finds better, no clear difference, a single seed. Reads
results; measures nothing (see `comparison`).
"""

from __future__ import annotations

from typing import Any

from engine.learning.parts.sides import has_sides
from webapp.agents import cards
from webapp.agents.verdicts import MEASURES, Verdict
from webapp.jobs.models import Job
from webapp.rounds import comparison, kinds, launch
from webapp.rounds.models import Round

CONTROLS = {"shuffled": "marks with shuffled signs", "clock": "U = t"}
HIGHER_IS_BETTER = ("accuracy", "auc")  # how the names of such metrics end


def doubts(round_: Round, members: list[Job]) -> list[str]:
    """All of them, in sentences; [] where nothing is known that speaks against it."""
    evaluation = comparison.result_of(members, "evaluation")
    marked = round_.kind == kinds.MARKS  # who was trained to obey was not to score more
    sentences = on_disagreement(comparison.judged(evaluation, round_.game)) if marked else []
    sentences += on_marks(round_) if marked else []
    for kind in ("reward_model", "agent"):
        sentences += comparison.result_of(members, kind).get("notes", [])  # of the program itself
    sentences += on_reward_model(comparison.result_of(members, "reward_model"))
    if evaluation.get("self_play"):
        sentences += on_evaluation(round_, evaluation) if marked else []
        sentences += on_seeds(round_)
    return sentences


def on_disagreement(verdicts: list[Verdict]) -> list[str]:
    """Where what is gained alone isn't gained with people, or is gained with them only."""
    if len(verdicts) < len(MEASURES):
        return []
    people, alone = verdicts
    if alone.word == "better" and people.word != "better":
        seen = "worse" if people.word else "not clearly better"
        return [
            f"The candidate is better {alone.where} but {seen} {people.where}: partners are for people, so "
            "what it gains by itself is no reason to promote it."
        ]
    if alone.word == "worse" and people.word == "better":
        return [f"The candidate is better {people.where} but worse {alone.where}: with people counts first."]
    return []


def on_marks(round_: Round) -> list[str]:
    """Of what was learned from."""
    counts = round_.snapshot.counts if round_.snapshot else {}
    if not {"marks", "episodes", "progress", "regression"} <= set(counts):
        return []
    return [text for text in (launch.too_little(counts), *launch.notes(counts)) if text]


def on_reward_model(result: dict[str, Any]) -> list[str]:
    """Where the model's interval on held-out marks reaches down to what a control gets."""
    held_out = result.get("held_out") or {}
    model, weak = held_out.get("model") or {}, {}
    for name, title in CONTROLS.items():
        for metric, score in model.items():
            other = (held_out.get(name) or {}).get(metric) or {}
            if not metric.endswith(HIGHER_IS_BETTER) or None in (score.get("value"), other.get("value")):
                continue
            least = score["low"] if score.get("low") is not None else score["value"]
            if least <= other["value"]:
                weak.setdefault(title, []).append(metric.replace("_", " "))
    return [
        f"The reward model is not clearly better than {title} in {', '.join(metrics)}: what an agent learns "
        "from it may come from the control as well."
        for title, metrics in weak.items()
    ]


def on_evaluation(round_: Round, result: dict[str, Any]) -> list[str]:
    """Of scores and returns: what is no clear difference, and who alone finds the candidate better."""
    verdicts = comparison.judged(result, round_.game)
    sentences = []
    if verdicts and not verdicts[0].word:
        sentences.append(
            f"No clear difference {verdicts[0].where}: the interval of candidate less champion, "
            f"{verdicts[0].mean:+.2f} ± {verdicts[0].half:.2f}, includes 0. More games make it narrower."
        )
    better = [name for name in ("champion", "base") if _more(result, "reward_return", name)]
    elsewhere = any(_more(result, kind, "base") for kind in ("people", "second_opinion"))
    if better and not any(verdict.word == "better" for verdict in verdicts) and not elsewhere:
        judge = "its side's score" if has_sides(round_.game) else "a score"
        second = " nor a second model, of other annotators," if result.get("second_opinion") else ""
        sentences.append(
            "Only the reward model that the candidate was trained on finds it better, and it was made to "
            f"please that: neither {judge} nor the human proxy{second} says so."
        )
    return sentences


def _more(result: dict[str, Any], kind: str, name: str) -> bool:
    """Whether the candidate has clearly more of something than another."""
    candidate, other = (cards.interval(result.get(kind, {}).get(who)) for who in ("candidate", name))
    if candidate is None or other is None:
        return False
    return candidate["mean"] - other["mean"] > (candidate["half"] ** 2 + other["half"] ** 2) ** 0.5


def on_seeds(round_: Round) -> list[str]:
    """Whether another round has trained the same with another seed."""
    if len(comparison.repeats(round_)) > 1:
        return []
    return ["This is one training with one seed; with another seed the same round may come out otherwise."]
