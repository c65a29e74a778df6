"""A second reward model for a round's candidate: one that learned from other annotators' marks, and on which
the candidate was not trained. Not for computing it (engine.learning's evaluate_round).
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from engine.agents.files import sha256_of
from webapp.annotation.judges import made_for
from webapp.jobs.models import Job
from webapp.rounds.models import Round


def second(round_: Round) -> Job | None:
    """The newest reward model of another round of the same game and layout whose raters marked nothing for
    this one's, if it reads the same numbers; None if there is none.
    """
    second_model = Job.objects.filter(round=round_, kind="reward_model", state=Job.COMPLETED).first()
    if second_model is None:
        return None
    raters, sizes = set(second_model.result.get("raters", {})), _sizes(second_model)
    for job in made_for(round_.game).exclude(round=round_):
        others = set(job.result.get("raters", {}))
        alike = job.round is not None and job.round.layout == round_.layout
        if alike and others and raters and not others & raters and sizes and _sizes(job) == sizes:
            return job
    return None


def _sizes(job: Job) -> dict[str, Any]:
    """What a model reads; {} where its folder is gone or isn't what the job made."""
    folder = Path(str(job.result.get("folder", "")))
    try:
        card = json.loads((folder / "card.json").read_text())
        whole = sha256_of(folder / "weights.safetensors") == card["sha256"] == job.result.get("sha256")
        sizes = {name: card["network"][name] for name in ("observation_size", "instruction_size")}
    except (OSError, ValueError, KeyError):
        return {}
    return sizes if whole else {}
