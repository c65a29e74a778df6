"""The ending of a game, as the page after it fetches it once it stands: the last state, the moments that
decided the game as pictures, what was marked there, and where a clip of it is asked for.

It takes re-simulating the log, which is too slow for the page itself: the page stands without it, asks by
another request and shows that it waits; what was made is cached for everybody of the same side. Not for:
what is said of the whole game (results), what a moment is (engine.evaluation.moments).
"""

from __future__ import annotations

from typing import Any

from django.urls import reverse

from engine import games
from engine.evaluation.moments import WIDTH, decisive
from engine.simulation.pictures import data_url
from webapp.accounts.models import User
from webapp.annotation.access import replay_access
from webapp.annotation.marks import as_json
from webapp.annotation.models import Mark
from webapp.common.brought import ending_script
from webapp.common.made import cache
from webapp.episodes import clips
from webapp.episodes.models import Episode
from webapp.episodes.stores import log_store
from webapp.matches.models import Match
from webapp.matches.results import seat_names, side_of

CACHED_SECONDS = 3600
VERSION = 1
BEFORE, AFTER = 8, 4  # seconds of a clip around a moment


def ending(match: Match, user: User, seat: int | None) -> dict[str, Any]:
    """What the page's script (static/js/ending.js) draws, for whoever sat in `seat` (None: watched):
    {"moments": [{"tick", "seat", "sign", "size", "text", "effect", "picture"}], "view" and "picture" of the
    last state, "module" that draws it, "game", "seat", "names", "marks", "may_mark", "why_not", "person",
    "episode", "last", "per_second" (ticks; 0: no clock), "clip", "urls"}. Raises Refusal and
    FileNotFoundError.
    """
    episode = match.episode
    assert episode is not None
    access = replay_access(user, episode)
    seen = looked_back(match, seat)
    marks = Mark.objects.filter(episode=episode, annotator=user)
    names = seat_names(match)
    if seat is not None:
        names[seat] = "You"
    return {
        **seen,
        "game": match.game,
        "module": ending_script(match.game),
        "seat": seat,
        "names": names,
        "marks": [as_json(mark) for mark in marks],
        "may_mark": access.may_mark,
        "why_not": access.why_not,
        "person": str(user.pk),
        "episode": str(episode.pk),
        "last": episode.ticks,
        "per_second": 0 if games.spec(match.game).turn_based else clips.pace(episode),
        "clip": clip_of(episode, seen["moments"]),
        "urls": {
            "replay": reverse("replays:replay", args=[episode.pk]),
            "marks": reverse("replays:marks"),
            "clips": reverse("replays:clips", args=[episode.pk]),
        },
    }


def looked_back(match: Match, seat: int | None) -> dict[str, Any]:
    """{"moments", "view", "picture"} of a match that is over, for everybody of a side (None: for all)."""
    episode = match.episode
    assert episode is not None
    side = None if seat is None else side_of(match, seat)
    key = f"ending:{VERSION}:{episode.pk}:{episode.digest}:{side}"
    known = cache.get(key)
    if known is None:
        log, spec = log_store().read(episode.pk), games.spec(match.game)
        every = range(len(episode.seats))
        seats = [other for other in every if side is None or side_of(match, other) == side]
        moments, last = decisive(log, seats)
        known = {
            "moments": [
                {
                    "tick": moment.tick,
                    "seat": moment.seat,
                    "sign": 1 if moment.change > 0 else -1,
                    "size": round(abs(moment.change), 3),
                    "text": moment.text,
                    "effect": moment.effect,
                    "picture": data_url(moment.picture),
                }
                for moment in moments
            ],
            "view": {name: value for name, value in spec.view(last, None).items() if name != "moves"},
            "picture": data_url(spec.picture(last, None, WIDTH)),
        }
        cache.set(key, known, CACHED_SECONDS)
    return known


def clip_of(episode: Episode, moments: list[dict[str, Any]]) -> dict[str, Any] | None:
    """What a clip of this game shows, as webapp.episodes.clips takes it: the whole of it where that is short
    enough, else the largest of its moments; None where nothing happened.
    """
    if episode.ticks < 1:
        return None
    pace = clips.pace(episode)
    first, last = 0, episode.ticks
    if last / pace > clips.LONGEST:
        tick = max(moments, key=lambda moment: moment["size"])["tick"] if moments else last
        last = min(last, tick + round(AFTER * pace))
        first = max(0, last - round((BEFORE + AFTER) * pace))
    return {"first": first, "last": last, "view": "open", "format": "mp4" if clips.has_ffmpeg() else "gif"}
