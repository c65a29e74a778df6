"""The guided first game: its start from the lobby, and the page after it, on which the player marks the move
with which the agent followed the instruction. It is in no data. Not for: its steps (a game's first.py).
"""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_POST

from engine import games
from engine.evaluation.moments import WIDTH
from engine.games import first as firsts
from engine.refusal import Refusal
from engine.simulation.log import EpisodeLog, resimulate
from engine.simulation.pictures import data_url
from webapp.accounts.models import User
from webapp.accounts.roles import role_required
from webapp.annotation.access import replay_access
from webapp.annotation.marks import as_json
from webapp.annotation.models import Mark
from webapp.annotation.views.practice import remember
from webapp.episodes.stores import log_store
from webapp.host.storage import write_off
from webapp.lobby import setup
from webapp.matches.models import Match
from webapp.matches.results import seat_names
from webapp.matches.start import start_match


def key(game: str) -> str:
    """The key of a game's first game in the list of what a person has learned."""
    return f"{game}-first"


def offered(user: User, game: str, played: bool) -> str:
    """ "new" to who hasn't `played` a game nor been through its guided first one, "again" to others; "" where
    there is none.
    """
    if firsts.of(game) is None:
        return ""
    return "again" if played or key(game) in user.tutorials else "new"


@role_required("player", "annotator", "admin")
@require_POST
def start(request: HttpRequest) -> HttpResponse:
    """A new guided game; those of the same game that this person has left are over."""
    game = request.POST.get("game", "")
    left = Match.objects.filter(created_by=request.user, game=game, is_first=True, status=Match.PLAYING)
    for match_id in left.values_list("pk", flat=True):
        write_off(match_id)
    try:
        match = setup.create_match(setup.first_game(game), request.user)
    except Refusal as why:
        messages.error(request, str(why))
        return redirect("play:lobby")
    try:
        start_match(match)
    except Refusal as why:
        match.delete()
        messages.error(request, str(why))
        return redirect(f"{reverse('play:lobby')}?game={game}")
    return redirect("play:table", match.pk)


def after(request: HttpRequest, match: Match, seat: int) -> HttpResponse:
    """The move to mark, and from there to a real game; without one, a way to start again."""
    context = {"match": match, "title": games.spec(match.game).title, "moment": None, "page": {}}
    first = firsts.of(match.game)
    try:
        log = log_store().read(match.pk)
        course = firsts.course_of(first, log, seat) if first else None
    except (FileNotFoundError, Refusal):  # of other rules than now
        course = None
    if course and course.moment is not None:
        remember(request, key(match.game))
        context |= marking(request, match, log, course)
    return render(request, "play/first_after.html", context)


def marking(request: HttpRequest, match: Match, log: EpisodeLog, course: firsts.Course) -> dict:
    """The move for the page, and the data with which its script (static/js/first-mark.js) marks it."""
    episode, tick, partner = match.episode, course.moment, course.first.partner
    assert episode is not None
    access, name = replay_access(request.user, episode), seat_names(match)[partner]
    marks = Mark.objects.filter(episode=episode, annotator=request.user)
    return {
        "partner": name,
        "moment": {
            "picture": data_url(resimulate(log, tick).picture(course.scene.seat, WIDTH)),
            "text": course.shown.replace("{partner}", name),
            "told": course.scene.instructions[0]["text"] if course.scene.instructions else "",
            "replay": f"{reverse('replays:replay', args=[episode.pk])}?tick={tick}&seat={partner}",
        },
        "why_not": access.why_not,
        "page": {
            "episode": str(episode.pk),
            "person": str(request.user.pk),
            "last": episode.ticks,
            "tick": tick,
            "seat": partner,
            "marks": [as_json(mark) for mark in marks],
            "urls": {"marks": reverse("replays:marks")},
        },
    }
