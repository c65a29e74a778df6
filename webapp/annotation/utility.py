"""A reward model's U over an episode, as a job of the kind "utility": re-simulating a long match and reading
it with a network takes seconds that no web process has, and torch, which none of them imports.

Which reward models there are (`models_for`, those of this site's rounds), what may be asked for (`checked`),
the job's row (`asked`), and the work (`draw`, which the job's program runs: `manage.py episodes utility`).
What was drawn once is kept with its job, for whoever may see it. Not for: who may see it (`access`), pages
(`views.utility`), the curve itself (engine.learning.parts.utility_curve).
"""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from django.db.models import QuerySet

from engine import games, language
from engine.language.chance import ENOUGH
from engine.refusal import Refusal
from engine.simulation.log import EpisodeLog
from webapp.accounts.models import User
from webapp.annotation.judges import made_for
from webapp.common.inputs import whole
from webapp.episodes.models import Episode
from webapp.jobs import jobs, steps
from webapp.jobs.models import Job

KIND = "utility"
MOST_CHARACTERS = 500  # of an instruction
MOST_KEPT = 500  # drawn curves; the oldest are forgotten
NO_MODEL = "No round of this site has made a reward model for {title} yet."


@dataclass(frozen=True)
class Model:
    """A reward model of a round. `why_not`: why it can't read an episode, in a sentence; "" if it may."""

    number: int
    title: str
    folder: Path
    sha256: str
    why_not: str = ""


# --- Which reward models there are -----------------------------------------------------------------------


def models_for(episode: Episode) -> list[Model]:
    """The reward models of all rounds of an episode's game: those that may read it first, then the newest."""
    rows = made_for(episode.game)
    models = [_model(job, job.round, episode) for job in rows if job.round and job.result.get("folder")]
    return sorted(models, key=lambda model: bool(model.why_not))


def _model(job: Job, round_: Any, episode: Episode) -> Model:
    goal = f", {round_.goal}" if round_.goal else ""
    title = f"Round {round_.number}, {job.finished_at or round_.created_at:%-d %b %Y}{goal}"
    made = job.result
    return Model(
        round_.number, title, Path(made["folder"]), made.get("sha256", ""), _why_not(round_, episode)
    )


def _why_not(round_: Any, episode: Episode) -> str:
    """Why a round's reward model can't read an episode, as far as its rows say."""
    spec, whose = games.spec(episode.game), f"The reward model of round {round_.number}"
    if spec.variant is not None and round_.layout:
        layout = spec.variant(spec.validate(dict(episode.options)))
        if layout != round_.layout:
            made, played = _named(round_.layout), _named(layout)
            return f"{whose} was made for {made}, and this episode was played in {played}."
    seats = round_.settings.get("data", {}).get("seats")
    if seats not in (None, len(episode.seats)):
        return f"{whose} was made for {seats} seats, and this episode has {len(episode.seats)}."
    return ""


def _named(layout: str) -> str:
    return "a layout of its own text" if "\n" in layout else layout.replace("_", " ")


def model_called(episode: Episode, ref: str) -> Model:
    """The reward model that "3" or "round-3" means, or a folder. Raises Refusal."""
    number = whole(ref.removeprefix("round-"))
    if number is not None:
        return _of_round(episode, number)
    folder = Path(ref)
    if not (folder / "card.json").is_file():
        raise Refusal(f"There is no reward model {ref[:80]!r}; name a round (round-3) or a folder.")
    return Model(0, str(folder), folder, "")


def _of_round(episode: Episode, number: int) -> Model:
    models = models_for(episode)
    chosen = next((model for model in models if model.number == number), None)
    if chosen is None:
        title = games.spec(episode.game).title
        known = ", ".join(f"round-{model.number}" for model in models)
        if not known:
            raise Refusal(NO_MODEL.format(title=title))
        raise Refusal(f"Round {number} has no reward model for {title}; there are those of {known}.")
    if chosen.why_not:
        raise Refusal(chosen.why_not)
    return chosen


# --- What may be asked for -------------------------------------------------------------------------------


def checked(episode: Episode, given: dict[str, Any]) -> dict[str, Any]:
    """The settings of the job, from {"round", "seat", "instruction": "" for what was said then}. Raises
    Refusal.
    """
    if episode.status == Episode.RUNNING:
        raise Refusal("This game is still running; U can be drawn when it is over.")
    number, seat = whole(given.get("round")), whole(given.get("seat"))
    if number is None:
        raise Refusal("Name the reward model by the number of its round.")
    if seat is None or seat >= len(episode.seats):
        raise Refusal(f"A seat is a number from 0 to {len(episode.seats) - 1} here.")
    model = _of_round(episode, number)
    asked = {"round": number, "seat": seat, "folder": str(model.folder), "sha256": model.sha256}
    return asked | understood(episode, given.get("instruction", ""))


def understood(episode: Episode, text: object) -> dict[str, Any]:
    """{"instruction", "reading": sentence, "program"; "unsure": whether that is a guess, "unread": words that
    it leaves out} of what somebody typed, or of nothing. Raises Refusal for what can't be read.
    """
    if not isinstance(text, str):
        raise Refusal("An instruction is text.")
    if not text.strip():
        return {"instruction": "", "reading": "", "program": None, "unsure": False, "unread": []}
    if len(text) > MOST_CHARACTERS:
        raise Refusal(f"An instruction has at most {MOST_CHARACTERS} characters.")
    reading = language.read(episode.game, text)
    if reading.refused or reading.program is None:
        raise Refusal(reading.sentence)
    said = {"instruction": text.strip(), "reading": reading.sentence, "program": reading.program}
    return {**said, "unsure": reading.confidence < ENOUGH, "unread": reading.unread}


# --- The job's row ---------------------------------------------------------------------------------------


def key_of(episode: Episode, settings: dict[str, Any]) -> str:
    """A key of all that a curve depends on, as one text."""
    parts = [str(episode.pk), episode.digest, episode.ticks, games.spec(episode.game).rules_version]
    parts += [settings[name] for name in ("seat", "sha256", "program")]
    return hashlib.sha256(json.dumps(parts, sort_keys=True).encode()).hexdigest()


def asked(user: User, episode: Episode, settings: dict[str, Any]) -> tuple[Job, bool]:
    """(the job that draws or has drawn this curve, whether it is new: the caller nudges a worker after the
    commit). Another one that this person still waits for is cancelled: one looks at one curve at a time.
    """
    key = key_of(episode, settings)
    of_episode = Job.objects.filter(kind=KIND, settings__key=key)
    known = of_episode.filter(state__in=(Job.COMPLETED, Job.QUEUED, Job.RUNNING)).order_by("-created_at")
    job = known.filter(state=Job.COMPLETED).first() or known.filter(settings__user=user.pk).first()
    for other in waiting(user).exclude(pk=job.pk if job else None):
        stop(other)
    if job:
        return job, False
    settings = {**settings, "key": key, "episode": str(episode.pk), "user": user.pk}
    steps.forget_old(KIND, MOST_KEPT)
    return Job.objects.create(kind=KIND, queue=Job.SHORT, settings=settings), True


def waiting(user: User) -> QuerySet[Job]:
    """Curves that a person asked for and that aren't there yet."""
    return Job.objects.filter(kind=KIND, settings__user=user.pk, state__in=(Job.QUEUED, Job.RUNNING))


def stop(job: Job) -> None:
    """Nobody waits for it any more; nothing where it is over by now."""
    try:
        jobs.cancel(job)
    except Refusal:
        return


# --- The work --------------------------------------------------------------------------------------------


def draw(log: EpisodeLog, settings: dict[str, Any]) -> dict[str, Any]:
    """{"recorded": U with what the seat was told, "told": U as if it had been told the program, or None},
    each as `Curve.as_json`. Raises ValueError and Refusal with a sentence.
    """
    import torch

    from engine.agents import utility
    from engine.learning.parts.utility_curve import utility_curve

    torch.set_num_threads(1)  # a short job that runs beside matches and trainings
    try:
        model = utility.load(Path(settings["folder"]))
    except ValueError as error:
        # Whoever asked by a round's number need not know where it lies on this machine.
        where = settings["folder"] if settings.get("round") is None else "its round's folder"
        raise Refusal(str(error).replace(settings["folder"], where)) from None
    seat, program = settings["seat"], settings.get("program")
    return {
        "recorded": utility_curve(model, log, seat).as_json(),
        "told": utility_curve(model, log, seat, program).as_json() if program else None,
    }
