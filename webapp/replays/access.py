"""Who may open which episode, which views of it, up to which tick, and who may mark it.

Every page and every endpoint of this app goes through `get_episode_for` and `replay_access`. Not for: the
queue (see `queue`), which only adds assignments that this module reads.
"""

from __future__ import annotations

import uuid
from dataclasses import dataclass
from datetime import timedelta

from django.db.models import Exists, OuterRef, Q, QuerySet
from django.http import Http404
from django.utils import timezone

from engine import games
from webapp.accounts.models import User
from webapp.play.models import Match
from webapp.replays.models import Assignment, Episode
from webapp.studies.models import Study

OPEN_VIEW = "open"
DEFAULT_WATCH_DELAY = 2  # ticks, where a game has no study
# Seconds where enemies hide from each other: whoever sees all of them could tell.
HIDING_DELAY = 5


@dataclass(frozen=True)
class Access:
    """What one person may do with one episode.

    `views` are seats as text ("0", "1", …) and "open" (all hands); `last_tick` is the latest tick shown.
    `why_not` is a sentence when `may_mark` is false. `sees_others` tells whether other people's marks may be
    shown.
    """

    views: tuple[str, ...]
    last_tick: int
    may_mark: bool
    why_not: str
    sees_others: bool
    assignment: Assignment | None


def episodes_for(user: User) -> QuerySet[Episode]:
    """Episodes that this person may open: admins all; others public ones, their own and those handed to them.

    A running episode is open to all who may open it later, unless its match is not open to watch.
    """
    if user.is_admin:
        return Episode.objects.all()
    plays = Exists(Episode.players.through.objects.filter(episode=OuterRef("pk"), user=user))
    handed = Exists(Assignment.objects.filter(episode=OuterRef("pk"), annotator=user))
    closed = Exists(Match.objects.filter(episode=OuterRef("pk"), open_to_watch=False))
    running = Q(status=Episode.RUNNING)
    return Episode.objects.filter(
        (~running & (plays | handed | Q(public=True))) | (running & (plays | Q(public=True) & ~closed))
    )


def get_episode_for(user: User, episode_id: uuid.UUID) -> Episode:
    """The episode, or 404 when there is none or it is not this person's to see."""
    episode = episodes_for(user).filter(pk=episode_id).first()
    if episode is None:
        raise Http404("No such episode.")
    return episode


def watch_delay(game: str) -> int:
    """Ticks that a running replay of this game lags behind."""
    study = Study.objects.filter(game=game, active=True).order_by("pk").first()
    delay = study.watch_delay if study else DEFAULT_WATCH_DELAY
    spec = games.spec(game)
    return max(delay, round(HIDING_DELAY * (spec.ticks_per_second or 0))) if spec.heads else delay


def replay_access(user: User, episode: Episode) -> Access:
    """What this person may see and do; the episode must come from `get_episode_for`.

    While an episode runs, nobody marks it, it is shown with a delay, and a player of it gets the view of the
    own seat alone: no page may show a player the own hand.
    """
    seats = tuple(str(index) for index in range(len(episode.seats)))
    if episode.status == Episode.RUNNING:
        views = (*seats, OPEN_VIEW)
        if episode.players.filter(pk=user.pk).exists():
            own = Match.objects.filter(episode=episode, seats__user=user).values_list(
                "seats__index", flat=True
            )
            views = tuple(str(index) for index in own[:1])
        last = max(0, episode.ticks - watch_delay(episode.game))
        return Access(
            views, last, False, "This game is still running; marks open when it is over.", False, None
        )

    handed = Assignment.objects.filter(episode=episode, annotator=user).select_related("study")
    assignment = handed.order_by("-handed_at").first()
    why_not = mark_refusal(user, episode, assignment)
    blind = assignment is not None and assignment.status in (Assignment.OPEN, Assignment.EXPIRED)
    submitted = assignment is not None and assignment.status == Assignment.SUBMITTED
    sees_others = not blind and (user.is_admin or submitted)
    return Access((*seats, OPEN_VIEW), episode.ticks, not why_not, why_not, sees_others, assignment)


def mark_refusal(user: User, episode: Episode, assignment: Assignment | None) -> str:
    """Why this person may not mark this episode that they may see; empty when they may."""
    if episode.status == Episode.RUNNING:
        return "This game is still running; marks open when it is over."
    if assignment is not None and assignment.status == Assignment.SUBMITTED:
        minutes = assignment.study.editable_minutes
        if assignment.closed_at and timezone.now() > assignment.closed_at + timedelta(minutes=minutes):
            return f"You submitted this episode more than {minutes} minutes ago; its marks are final."
        return ""
    if assignment is not None or user.is_annotator or user.is_admin:
        return ""
    if episode.players.filter(pk=user.pk).exists():
        return ""
    return "Only annotators mark other people's games."
