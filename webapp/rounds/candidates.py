"""The last job of a round: the trained agent's folder gets its full card, a row and the alias `candidate`.

`build` runs in the job's child process and writes files; `register` makes rows, once, inside the transaction
that completes the job.
"""

from __future__ import annotations

import json
import shutil
from collections.abc import Collection
from pathlib import Path
from typing import Any

import numpy as np
from django.conf import settings
from safetensors.numpy import load_file

from engine.agents import catalogue
from engine.agents.files import sha256_of, write_atomically
from engine.refusal import Refusal
from webapp.agents import promotion
from webapp.agents.models import Agent
from webapp.agents.verdicts import MEASURES
from webapp.episodes.origins import sources
from webapp.jobs.models import Job
from webapp.rounds import comparison, kinds, programs, watched
from webapp.rounds.models import Round


def card_additions(round_: Round) -> dict[str, Any]:
    """The entries of the candidate's card that the training program doesn't know: provenance and scores."""
    snapshot = round_.snapshot
    results = {job.kind: job.result for job in round_.jobs.all()}
    parents = (
        [] if clones_people(round_) else [{"ref": round_.base_agent.ref, "sha256": round_.base_agent.sha256}]
    )
    return {
        "name": name_of(round_),
        "title": f"Round {round_.number}",
        "description": description(round_),
        "round": round_.number,
        "goal": round_.goal,
        **({"told": round_.told["instruction"], "told_means": round_.told["reading"]} if round_.told else {}),
        "snapshot": {"id": str(snapshot.pk), "sha256": snapshot.sha256, **snapshot.counts}
        if snapshot
        else None,
        "simulated_marks": bool(snapshot and snapshot.has_simulated),
        "reward_model": {"sha256": results.get("reward_model", {}).get("sha256")},
        "parents": parents,
    }


def clones_people(round_: Round) -> bool:
    """Whether its agent is a clone of people and has no base."""
    name = round_.settings.get("algorithms", {}).get("agent", "")
    return programs.learns_from_people(programs.chosen("agent", name, round_.game))


def name_of(round_: Round) -> str:
    return f"round-{round_.number}"


def description(round_: Round) -> str:
    counts = round_.snapshot.counts if round_.snapshot else {}
    simulated = " (some of them simulated)" if round_.snapshot and round_.snapshot.has_simulated else ""
    origins = round_.snapshot.episodes.values_list("origin", flat=True) if round_.snapshot else []
    from_people = "".join(
        f" Some were played by people elsewhere: {source.title}, {source.url} ({source.licence})."
        for source in sources(origins)
    )
    how = (
        "Does what people did: cloned"
        if clones_people(round_)
        else f"Trained on from {round_.base_agent.name}"
    )
    goal = f" Goal: {round_.goal}" if round_.goal else ""
    if round_.told:
        return f"{how} in round {round_.number} to keep to “{round_.told['instruction']}”.{goal}"
    if round_.kind == kinds.WORDS:
        games = f"{counts['episodes']} game{'' if counts['episodes'] == 1 else 's'}" if counts else ""
        people = f"what people said in {games} and " if games else ""
        return (
            f"{how} in round {round_.number} together with what reads its instructions, on {people}the "
            f"shipped sets.{goal}"
        )
    return (
        f"{how} in round {round_.number} with {counts.get('marks', 0)} "
        f"marks{simulated} on {counts.get('episodes', 0)} episodes.{from_people}" + goal
    )


def scores(evaluation: dict[str, Any], refs: dict[str, str]) -> dict[str, Any]:
    """The candidate's own part of an evaluation's result, with partners by ref ({"base": ref}), as its card
    keeps it; and what it makes less what the champion of then makes ("against").
    """
    partners = evaluation.get("cross_play", {})
    against = {measure: comparison.apart(evaluation, measure) for measure in MEASURES}
    with_it = evaluation.get("told") or {}
    people = evaluation.get("people", {}).get("candidate")
    return {
        **({"people": {**people, "proxy": evaluation["proxy"]}} if people else {}),
        "self_play": evaluation.get("self_play", {}).get("candidate"),
        "against": {"champion": refs.get("champion", ""), **against},
        "cross_play": {refs.get(name, name): score for name, score in partners.items()},
        "reward_return": evaluation.get("reward_return", {}).get("candidate"),
        **({"told": scores_told(with_it)} if with_it else {}),
    }


def scores_told(result: dict[str, Any]) -> dict[str, Any]:
    """The candidate's own part of what was measured with an instruction."""
    shares = {kind: result[kind].get("candidate") for kind in ("self_play", "reward_return")}
    return {"instruction": result["instruction"], "reading": result["reading"], **shares}


def build(
    agent: Path,
    additions: dict[str, Any],
    evaluation: dict[str, Any],
    out: Path,
    filled: Collection[str] = (),
) -> dict[str, Any]:
    """Copy the trained agent to `out` with its full card, which names no setting that the round `filled` in;
    returns the card. Raises Refusal.
    """
    card = catalogue.read_card(agent)
    catalogue.load(str(agent), card["game"])
    if not all(np.isfinite(tensor).all() for tensor in load_file(agent / catalogue.WEIGHTS).values()):
        raise Refusal(
            "The trained agent's weights contain numbers that are not finite: its training went wrong."
        )
    training = card.get("evaluation", {})
    full = {**card, **additions, "evaluation": {**evaluation, "training": training}}
    # Where things lay on this machine says nothing elsewhere; parents and snapshot are named above.
    here = card.get("hyperparameters", {})
    full["hyperparameters"] = {key: value for key, value in here.items() if key not in filled}
    # What else the training left with it goes with it: weights that read its instructions.
    shutil.copytree(agent, out, dirs_exist_ok=True)
    write_atomically(out / catalogue.CARD, (json.dumps(full, indent=2, ensure_ascii=False) + "\n").encode())
    return full


def register(job: Job, out: Path) -> Agent:
    """Put the folder among the agents and make its row, its lineage and the alias. Raises Refusal."""
    round_ = job.round
    if round_ is None:
        raise Refusal("A candidate belongs to a round.")
    source = out / "agent"
    card = catalogue.read_card(source)
    if sha256_of(source / catalogue.WEIGHTS) != card.get("sha256"):
        raise Refusal("The candidate's weights are not those that its card describes.")
    folder = f"{round_.game}-{name_of(round_)}"
    target = Path(settings.AGENTS_DIR) / folder
    if not target.exists():
        part = target.with_name(f".{folder}.part")
        shutil.rmtree(part, ignore_errors=True)
        shutil.copytree(source, part)
        part.rename(target)
    agent, _ = Agent.objects.update_or_create(
        ref=f"{round_.game}/{name_of(round_)}",
        defaults={
            "name": card["title"],
            "game": round_.game,
            "kind": card["kind"],
            "folder": folder,
            "sha256": card["sha256"],
            "card": card,
            "round": round_,
        },
    )
    agent.parents.set([round_.base_agent] if card["parents"] else [])
    Round.objects.filter(pk=round_.pk).update(candidate=agent)
    promotion.point(round_.game, promotion.CANDIDATE, agent, round_.layout)
    watched.credit(round_, agent)
    return agent
