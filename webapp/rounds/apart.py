"""One deal, played by an agent with up to three different instructions, one game each: the job that plays
them (engine.learning.told_apart, a short job of the kind "told") and what the page shows of it.
"""

from __future__ import annotations

from typing import Any

from django.template.defaultfilters import pluralize
from django.urls import reverse

from engine import games, language
from engine.refusal import Refusal, Refusals
from webapp.agents.models import Agent
from webapp.agents.resolve import load_ref
from webapp.episodes.models import Episode
from webapp.jobs.models import Job
from webapp.jobs.steps import forget_old
from webapp.language.readings import LONGEST_INSTRUCTION, MOST_CHOICES, clean_text
from webapp.rounds import told

KIND = "told"
MOST = 3  # instructions
MOST_KEPT = 50  # jobs; the oldest are forgotten, their episodes stay
MOST_EVENTS = 8  # rows of what happened
WHO = {
    "both": "Every seat has the instruction",
    "second": "Every seat but the first has the instruction",
}


def why_not(agent: Agent) -> str:
    """Why an agent can't be told anything, in a sentence; "" if it can."""
    if agent.game in language.games():
        return ""
    return f"Agents of {games.spec(agent.game).title} can't be told things in words yet."


def usually_told(game: str) -> str:
    """The default seats of an instruction: all for a convention, one for a task."""
    return "both" if games.spec(game).turn_based else "second"


def ask(agent: Agent, texts: list[str], numbers: list[int], who: str, seed: int) -> Job:
    """The job, queued; the caller nudges a worker after the commit. Empty texts are left out. Raises
    Refusal.
    """
    if sentence := why_not(agent):
        raise Refusal(sentence)
    typed = [
        (place, clean_text(text), numbers[place]) for place, text in enumerate(texts) if clean_text(text)
    ]
    if not typed:
        raise Refusal("Type at least one instruction.")
    problems = {place: told.unread(agent.game, text, number) for place, text, number in typed}
    for place, text, number in typed:
        if len(text) > LONGEST_INSTRUCTION:
            problems[place] = f"That is longer than {LONGEST_INSTRUCTION} characters; say it shorter."
        elif number > MOST_CHOICES:
            problems[place] = "This reading isn't among those that were offered."
    if any(problems.values()):
        wrong = {place: sentence for place, sentence in problems.items() if sentence}
        raise Refusals("Nothing was played. The instructions that can't be followed are marked below.", wrong)
    asked = {
        "agent": load_ref(agent),
        "game": agent.game,
        "instructions": [text for _, text, _ in typed],
        "readings": [number for _, _, number in typed],
        "told": who if who in WHO else usually_told(agent.game),
        "seed": seed,
    }
    forget_old(KIND, MOST_KEPT)
    return Job.objects.create(kind=KIND, queue=Job.SHORT, settings={"ref": agent.ref, "asked": asked})


def shown(job: Job) -> dict[str, Any]:
    """{"games": [{"instruction", "reading", "result", "ticks", "picture", "clip", "replay"}], "events":
    [{"name", "counts"}]}: the game without an instruction first.
    """
    rows = job.result.get("games", [])
    episodes = {
        str(episode.pk): episode
        for episode in Episode.objects.filter(pk__in=[row["episode"] for row in rows])
    }
    names = {name for row in rows for name in row["events"]}
    counts = [{"name": name, "counts": [row["events"].get(name, 0) for row in rows]} for name in names]
    # What differs most between the games comes first.
    counts.sort(key=lambda row: (min(row["counts"]) - max(row["counts"]), row["name"]))
    return {
        "games": [_game(job, row, episodes.get(row["episode"])) for row in rows],
        "events": counts[:MOST_EVENTS],
    }


def _game(job: Job, row: dict[str, Any], episode: Episode | None) -> dict[str, Any]:
    def file(name: str) -> str:
        stem, _, kind = name.partition(".")
        return reverse("rounds:told-picture", args=[job.pk, stem, kind])

    return {
        "instruction": row.get("instruction", ""),
        "reading": row.get("reading", ""),
        "result": episode.result if episode else f"{row['score']:g} point{pluralize(row['score'])}",
        "ticks": row["ticks"],
        "picture": file(row["picture"]),
        "clip": file(row["clip"]) if "clip" in row else "",
        "replay": reverse("replays:replay", args=[episode.pk]) if episode else "",
    }
