"""Games of a round's evaluation to look at: candidate and base on the same deals, and moments of what one
does more than the other (engine.evaluation.side_by_side). Not for measuring anything.
"""

from __future__ import annotations

import uuid
from pathlib import Path
from typing import Any

from django.conf import settings
from django.http import FileResponse, Http404
from django.template.defaultfilters import pluralize
from django.urls import reverse

from engine.simulation.log import read_lines
from webapp.agents.models import Agent
from webapp.episodes.models import Episode
from webapp.episodes.simulated import add_row
from webapp.episodes.stores import log_store
from webapp.jobs.models import Job
from webapp.rounds.models import Round

FOLDER = "games"  # of a job's out folder
PICTURES = ("png", "gif")  # that jobs keep there
SIDES = {"ours": "candidate", "theirs": "base"}
MOST_ROWS = 8  # differences that stand open; the others are folded


def register(result: dict[str, Any], out: Path) -> None:
    """Make episodes of the games that an evaluation kept, once: simulated, and not for annotators' queues."""
    rows = result.get("side_by_side", {}).get("games", [])
    keep([row[side] for row in rows for side in SIDES], out)


def keep(games: list[dict[str, Any]], out: Path) -> None:
    """Make episodes of games whose logs lie in a job's out folder, each once."""
    for game in games:
        episode = uuid.UUID(game["episode"])
        if Episode.objects.filter(pk=episode).exists():
            continue
        log = read_lines((out / FOLDER / game["file"]).read_bytes())
        if not log_store().exists(episode):
            log_store().append(episode, [log.header, *log.records])
        add_row(episode, log.header, log.records[-1])
        Episode.objects.filter(pk=episode).update(public=False, for_annotators=False)


def credit(round_: Round, agent: Agent) -> None:
    """The games that the round's jobs keep are the candidate's, which had no row yet when it played them."""
    for job in round_.jobs.filter(kind__in=("evaluation", "told"), state=Job.COMPLETED):
        games = [row[side] for row in job.result.get("side_by_side", {}).get("games", []) for side in SIDES]
        games += job.result.get("games", [])
        for episode in Episode.objects.filter(pk__in=[game["episode"] for game in games]):
            # It played from the folder of a job, by its name without the game.
            if any(seat["agent"] in (agent.ref, agent.slug) for seat in episode.seats):
                episode.agents.add(agent)


def shown(round_: Round, job: Job | None) -> dict[str, Any] | None:
    """What the round's page shows: {"deals", "games": [{"deal", "sides"}], "rows": the differences that stand
    open, "more": the others}; None where nothing was watched.
    """
    played = job.result.get("side_by_side") if job is not None else None
    if not played:
        return None
    known = {row[side]["episode"] for row in played["games"] for side in SIDES}
    episodes = {str(episode.pk): episode for episode in Episode.objects.filter(pk__in=known)}
    rows = [_difference(round_, row, episodes) for row in played["differences"] if row["difference"]]
    return {
        "deals": played["deals"],
        "games": [
            {
                "deal": row["deal"] + 1,
                "sides": [_game(round_, title, row[side], episodes) for side, title in SIDES.items()],
            }
            for row in played["games"]
        ],
        "rows": rows[:MOST_ROWS],
        "more": rows[MOST_ROWS:],
    }


def first(result: dict[str, Any]) -> list[dict[str, str]]:
    """The pictures of the first deal that an evaluation kept, by side, for lists: [{"title", "name"}]."""
    for row in result.get("side_by_side", {}).get("games", []):
        return [{"title": title, "name": Path(row[side]["picture"]).stem} for side, title in SIDES.items()]
    return []


def picture(job: Job | None, name: str, kind: str = "png") -> FileResponse:
    """A picture or clip that a job has kept beside its games; 404 where there is none."""
    path = settings.JOBS_DIR / str(job.pk) / "out" / FOLDER / f"{name}.{kind}" if job else None
    if path is None or kind not in PICTURES or not path.is_file():
        raise Http404("There is no such picture.")
    return FileResponse(path.open("rb"), content_type=f"image/{kind}")


def _game(round_: Round, title: str, game: dict[str, Any], episodes: dict[str, Episode]) -> dict[str, Any]:
    episode = episodes.get(game["episode"])
    return {
        "title": title,
        "result": episode.result if episode else f"{game['score']:g} point{pluralize(game['score'])}",
        "ticks": game["ticks"],
        "picture": _picture(round_, game["picture"]),
        "replay": reverse("replays:replay", args=[episode.pk]) if episode else "",
    }


def _difference(round_: Round, row: dict[str, Any], episodes: dict[str, Episode]) -> dict[str, Any]:
    """A difference in words: shares in %, the others as numbers a game."""
    share = row["unit"] == "share"

    def worded(value: float, sign: str = "") -> str:
        # What rounds to nothing has no minus.
        text = f"{round(100 * value):{sign}d} %" if share else f"{round(value, 1) + 0.0:{sign}.1f}"
        return text.replace("-", "−")

    half = (row["interval"][1] - row["interval"][0]) / 2 if row["interval"] else None
    moment = row.get("moment") or {}
    episode = episodes.get(moment.get("episode", ""))
    return {
        "name": row["name"],
        "unit": "of the occasions" if share else "a game",
        "candidate": worded(row["ours"]),
        "base": worded(row["theirs"]),
        "difference": worded(row["difference"], "+"),
        "half": worded(half).removesuffix(" %") if half is not None else "",
        "state": "worse" if row["worse"] else "clear" if row["clear"] else "maybe chance",
        "picture": _picture(round_, moment["picture"]) if moment else "",
        "replay": f"{reverse('replays:replay', args=[episode.pk])}?tick={moment['tick']}" if episode else "",
        "tick": moment.get("tick"),
    }


def _picture(round_: Round, name: str) -> str:
    return reverse("rounds:picture", args=[round_.number, Path(name).stem])
