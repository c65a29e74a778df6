"""Who may open which episode, which views of it, up to which tick, who may mark it, who sees others' marks.

Every page and every endpoint of this app goes through `get_episode_for` and `replay_access`. Of marks there
is one rule: nobody sees others' marks on an episode while the own marks there can still change, and nobody's
can change again after that. They are closed by what was submitted and is final now, by skipping, or, for
admins, by a look. `closed_by` says of one episode whether they are, `blind_spots` of which ones a person may
learn nothing that is made of others' marks, not even a number. Not for: the queue (see `queue`), which only
adds assignments that this module reads; what counts (see `counting`).
"""

from __future__ import annotations

import uuid
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, datetime

from django.db import transaction
from django.db.models import Exists, OuterRef, Q, QuerySet
from django.http import Http404
from django.utils import timezone

from engine import games
from engine.games.watched import hides
from engine.refusal import Refusal
from webapp.accounts.models import User
from webapp.annotation.models import Assignment, Gold, Look, Tally
from webapp.annotation.queue import has_room, may_still_get
from webapp.episodes.models import Episode
from webapp.episodes.streams import OPEN_VIEW
from webapp.matches.models import Match, Seat
from webapp.studies.delays import watch_delay
from webapp.studies.models import Study

STILL_RUNNING = "This game is still running; marks open when it is over."
HIDDEN = (
    "A reward model's U is learned from people's marks, so it shows here once your own marks on this episode "
    "are final."
)
NOTHING_FREE = (
    "In this game's study you can mark only episodes that the queue hands you, on the page Annotate."
)
NOT_HANDED = (
    "This episode wasn't handed to you. You can mark episodes that the queue hands you, on the "
    "page Annotate, and games that you played."
)
NOT_YET_HANDED = "The queue may still hand you this episode. Until then you can't mark it."
TAKEN = "Your time for this episode ran out, and somebody else has it now. You can't mark it any more."


@dataclass(frozen=True)
class Access:
    """What one person may do with one episode.

    `views` are seats as text ("0", "1", …) and "open" (all hands); `last_tick` is the latest tick shown.
    `why_not` is a sentence when `may_mark` is false. `sees_others` tells whether other people's marks may be
    shown, `may_look` whether an admin may ask for them, and `final_at` until when submitted marks may change.
    `blind`: who played it, its score and its source aren't told, because the person marks it for a study that
    wants it so.
    """

    views: tuple[str, ...]
    last_tick: int
    may_mark: bool
    why_not: str
    sees_others: bool = False
    assignment: Assignment | None = None
    may_look: bool = False
    final_at: datetime | None = None
    blind: bool = False

    @property
    def utility_hidden(self) -> str:
        """Why a reward model's U isn't shown, in a sentence; "" where it may be. U is made of others' marks,
        so whoever may not see those may not see it either.
        """
        return "" if self.sees_others else self.why_not if self.why_not == STILL_RUNNING else HIDDEN


def episodes_for(user: User) -> QuerySet[Episode]:
    """Episodes that this person may open: admins all; a friend's guest the one game; others public ones,
    their own, those that they helped in as co-pilots, once over, and, annotators, those handed to them.

    A running episode is open to all who may open it later, unless its match is not open to watch or its game
    hides something: who watches one of those is at its table, and sees what all seats know.
    """
    if user.is_admin:
        return Episode.objects.all()
    plays = Exists(Episode.players.through.objects.filter(episode=OuterRef("pk"), user=user))
    helped = Exists(Seat.objects.filter(match__episode=OuterRef("pk"), copilot=user))
    if user.guest_of:
        return Episode.objects.filter(plays | (~Q(status=Episode.RUNNING) & helped), pk=user.guest_of)
    mine = Assignment.objects.filter(annotator=user) if user.is_annotator else Assignment.objects.none()
    handed = Exists(mine.filter(episode=OuterRef("pk")))
    closed = Exists(Match.objects.filter(episode=OuterRef("pk"), open_to_watch=False))
    running = Q(status=Episode.RUNNING)
    watched = Q(public=True) & ~Q(game__in=[game for game in games.names() if hides(game)]) & ~closed
    # What a row says by itself comes first: nothing is looked up for it.
    return Episode.objects.filter(
        (~running & (Q(public=True) | plays | helped | handed)) | (running & (plays | watched))
    )


def _open_to_all(user: User, episode: Episode) -> bool:
    """Whether the row itself says that this person may open it, as that of most episodes does: what
    `episodes_for` asks beside that takes longer than all else that a mark needs.
    """
    is_over = episode.status != Episode.RUNNING
    return user.is_admin or (is_over and episode.public and not user.guest_of)


def get_episode_for(user: User, episode_id: uuid.UUID) -> Episode:
    """The episode, or 404 when there is none or it is not this person's to see."""
    episode = Episode.objects.filter(pk=episode_id).first()
    if episode and not _open_to_all(user, episode):
        episode = episodes_for(user).filter(pk=episode_id).first()
    if episode is None:
        raise Http404("No such episode.")
    return episode


def replay_access(user: User, episode: Episode, assignments: list[Assignment] | None = None) -> Access:
    """The rights of this person; the episode must come from `get_episode_for`. `assignments`: what of it was
    handed to them, the latest first, where that is known.

    While an episode runs, nobody marks it, it is shown with a delay, and a player of it gets the view of the
    own seat alone: no page may show a player the own hand.
    """
    seats = tuple(str(index) for index in range(len(episode.seats)))
    if episode.status == Episode.RUNNING:
        views = (*seats, OPEN_VIEW)
        if episode.players.filter(pk=user.pk).exists():
            pseudonyms = Match.objects.filter(episode=episode, seats__user=user).values_list(
                "seats__index", flat=True
            )
            views = tuple(str(index) for index in pseudonyms[:1])
        last = max(0, episode.ticks - watch_delay(episode.game))
        return Access(views, last, False, STILL_RUNNING)

    if assignments is None:
        handed = Assignment.objects.filter(episode=episode, annotator=user).select_related("study")
        assignments = list(handed.order_by("-handed_at"))
    closed = closed_by(user, episode, assignments)
    why_not = closed or mark_refusal(user, episode, assignments)
    submitted = [assignment for assignment in assignments if assignment.status == Assignment.SUBMITTED]
    return Access(
        views=(*seats, OPEN_VIEW),
        last_tick=episode.ticks,
        may_mark=not why_not,
        why_not=why_not,
        sees_others=bool(closed) and (user.is_admin or user.is_annotator and bool(submitted)),
        assignment=assignments[0] if assignments else None,
        may_look=user.is_admin and not closed and not any(map(is_held, assignments)),
        final_at=submitted[0].final_at if submitted and not closed else None,
        blind=not closed and any(assignment.study.blind for assignment in assignments),
    )


def is_held(assignment: Assignment) -> bool:
    """Whether its marks are being made: it is open, or what was submitted may still be changed."""
    return assignment.status == Assignment.OPEN or (
        assignment.status == Assignment.SUBMITTED and not is_final(assignment)
    )


def is_final(assignment: Assignment) -> bool:
    """Whether what was submitted can't change any more."""
    return assignment.final_at is None or assignment.final_at <= timezone.now()


def closed_by(user: User, episode: Episode, assignments: list[Assignment]) -> str:
    """Why this person's marks on an episode are final, as a sentence; empty while they may change.
    `assignments` are the person's of this episode.
    """
    for assignment in assignments:
        if assignment.status == Assignment.SUBMITTED and is_final(assignment):
            since = f" since {clock(assignment.final_at)}" if assignment.final_at else ""
            return f"You submitted this episode; its marks are final{since}."
    if Look.objects.filter(episode=episode, user=user).exists():
        if Gold.objects.filter(episode=episode, created_by=user).exists():
            return "Your marks on this episode are its known answer (gold), so they are final."
        return "You have looked at other people's marks on this episode, so yours are final."
    if any(assignment.status == Assignment.SKIPPED for assignment in assignments):
        return "You skipped this episode, so you can't mark it any more."
    return ""


def clock(when: datetime) -> str:
    """A time as sentences give it: "14:05 UTC", with the day where it isn't today's."""
    when = when.astimezone(UTC)
    day = "" if when.date() == timezone.now().astimezone(UTC).date() else f"{when.day} {when:%B}, "
    return f"{day}{when:%H:%M} UTC"


def mark_refusal(user: User, episode: Episode, assignments: list[Assignment]) -> str:
    """Why this person may not mark an episode whose marks nothing has closed; empty when they may.
    `assignments` are the person's of this episode, the latest first.
    """
    if episode.status == Episode.RUNNING:
        return STILL_RUNNING
    annotates = user.is_annotator or user.is_admin
    if annotates and assignments:
        late = assignments[0].status == Assignment.EXPIRED
        return TAKEN if late and not has_room(assignments[0]) else ""
    return "" if user.is_admin else free_refusal(user, episode)


def free_refusal(user: User, episode: Episode) -> str:
    """Why this person may not mark an episode that nobody handed to them. Nothing here tells gold from what
    else the queue has.
    """
    allowed = free_marks(episode.game)
    if episode.players.filter(pk=user.pk).exists():
        # A guided first game is in no data.
        return NOTHING_FREE if allowed == Study.NOTHING and episode.source != "first" else ""
    if not user.is_annotator:
        return "Only annotators mark other people's games."
    if allowed != Study.ANY:
        return NOTHING_FREE if allowed == Study.NOTHING else NOT_HANDED
    return NOT_YET_HANDED if may_still_get(user, episode) else ""


def free_marks(game: str) -> str:
    """The free marks that people may make: the most that an active study of the game allows."""
    allowed = set(Study.objects.filter(game=game, active=True).values_list("free_marks", flat=True))
    return next((choice for choice in (Study.ANY, Study.OWN, Study.NOTHING) if choice in allowed), Study.OWN)


def closed_for(user: User, episode: str = "pk") -> Q:
    """Whether this person's marks on an episode can't change any more, as `closed_by` says of one; `episode`
    is its name in the outer query.
    """
    mine = Assignment.objects.filter(episode=OuterRef(episode), annotator=user)
    final = Q(status=Assignment.SUBMITTED) & ~Q(final_at__gt=timezone.now())
    looked = Exists(Look.objects.filter(episode=OuterRef(episode), user=user))
    return Q(Exists(mine.filter(final | Q(status=Assignment.SKIPPED)))) | Q(looked)


def marked_blindly(user: User, episode: str = "pk") -> Q:
    """Whether an episode is one that this person marks for a blind study, as `Access.blind` says of one;
    `episode` is its name in the outer query.
    """
    mine = Assignment.objects.filter(episode=OuterRef(episode), annotator=user)
    return Q(Exists(mine.filter(study__blind=True))) & ~closed_for(user, episode)


def closed_episodes(user: User) -> QuerySet:
    """The ids of the episodes of which `closed_for` is true: few, and found by what the person did there."""
    mine = Assignment.objects.filter(annotator=user).order_by()
    final = Q(status=Assignment.SUBMITTED) & ~Q(final_at__gt=timezone.now())
    closed = mine.filter(final | Q(status=Assignment.SKIPPED)).values("episode")
    return closed.union(Look.objects.filter(user=user).order_by().values("episode"))


def blind_spots(user: User) -> QuerySet[Episode]:
    """Episodes of whose marks this person may learn nothing, not even a number: the own marks there aren't
    closed, and the person annotates, was handed it, or has marked it.
    """
    unclosed = Episode.objects.exclude(pk__in=closed_episodes(user))
    if user.is_annotator:
        return unclosed
    handed = Assignment.objects.filter(annotator=user).order_by().values("episode")
    marked = Tally.objects.filter(annotator=user, standing__gt=0).order_by().values("episode")
    return unclosed.filter(pk__in=handed.union(marked))


def told_of(user: User, episode: str = "episode") -> Q:
    """Whether an episode is none of `blind_spots`, by whichever of the two are few; `episode` is its name in
    the query.
    """
    if user.is_annotator:
        return Q(**{f"{episode}__in": closed_episodes(user)})
    return ~Q(**{f"{episode}__in": blind_spots(user).values("pk")})


@transaction.atomic
def look(user: User, episodes: Iterable[Episode]) -> None:
    """Note that an admin sees others' marks on these episodes from now on: the own ones there are final, and
    none of them is handed to them any more. Raises Refusal.
    """
    episodes = list(episodes)
    assignments = Assignment.objects.filter(annotator=user, episode__in=[episode.pk for episode in episodes])
    held = [assignment for assignment in assignments if is_held(assignment)]
    if held:
        final = [assignment.final_at for assignment in held if assignment.final_at]
        after = f" and wait until {clock(max(final))}" if final else ""
        count = f"{len(held)} of these episodes" if len(episodes) > 1 else "this episode"
        raise Refusal(f"You are still marking {count}: submit or skip what you hold{after}.")
    looks = [Look(episode=episode, user=user) for episode in episodes]
    Look.objects.bulk_create(looks, ignore_conflicts=True, batch_size=500)
