"""What a match host reads from and writes to the database and the episode logs.

Plain blocking functions; the host calls them in a thread. Not for: writing what happens in a match, which
goes through the log writer (writer, batches).
"""

from __future__ import annotations

import os
import socket
import uuid
from dataclasses import dataclass, field
from datetime import timedelta

from django.db import transaction
from django.db.models import F, Q
from django.utils import timezone

from engine import games
from engine.refusal import Refusal
from engine.simulation.log import EpisodeLog
from webapp.accounts.models import ROLES, User
from webapp.agents.resolve import load_ref, resolve, why_not
from webapp.common import running
from webapp.episodes.models import Episode
from webapp.episodes.stores import log_store
from webapp.matches.models import EndedSession, Match, MatchHost, Seat
from webapp.matches.start import variant_of
from webapp.studies.delays import watch_delay

# In games of turns a stand-in has the time to think and to be understood; else it must be good with anyone.
STAND_INS = {
    True: ("convention-bot", "grounded-bot", "random"),
    False: ("champion", "middle", "greedy", "random"),
}
LEASE = timedelta(seconds=4)
ABANDONED_AFTER = timedelta(hours=24)


class Elsewhere(Exception):
    """Another host that is alive has this match."""


class NotPlaying(Exception):
    """The match is waiting, or over."""


class Fenced(Exception):
    """Our claim on the match has ended: nothing is written any more."""


@dataclass
class SeatInfo:
    """One seat as the host needs it. `ref` is what the catalogue loads, `agent` the agent's own ref."""

    index: int
    kind: str
    name: str
    user_id: int | None = None
    agent: str | None = None
    ref: str | None = None
    hidden: bool = False


@dataclass
class Loaded:
    """A match that this host has claimed."""

    match_id: uuid.UUID
    epoch: int
    game: str
    seats: list[SeatInfo]
    log: EpisodeLog
    open_to_watch: bool
    watch_delay: int  # ticks
    ticks_per_second: float | None = None
    # Who may play for a person who is away or for an agent that fails, best first: {"name", "agent", "ref"}.
    stand_ins: list[dict] = field(default_factory=list)
    first: bool = False  # a guided first game


def host_name() -> str:
    """A name for this process: machine, process id, and something that no other process had."""
    return f"{socket.gethostname()[:60]}/{os.getpid()}/{uuid.uuid4().hex[:8]}"


def is_dead(name: str) -> bool:
    """Whether a host's name is that of a process of this machine that is gone; False when one can't tell."""
    machine, _, rest = name.rpartition("/")[0].rpartition("/")
    return machine == socket.gethostname()[:60] and running.is_gone(rest)


def claim(match_id: uuid.UUID, host: str) -> int:
    """Take the match over, or anew if it failed here; the new epoch. Raises NotPlaying, Elsewhere."""
    match = Match.objects.filter(pk=match_id).first()
    if match is None or match.status != Match.PLAYING:
        raise NotPlaying
    now = timezone.now()
    free = Q(lease_until=None) | Q(lease_until__lt=now) | Q(host="") | Q(host=host)
    if match.host and is_dead(match.host):
        free |= Q(host=match.host)
    won = Match.objects.filter(free, pk=match_id, status=Match.PLAYING, epoch=match.epoch).update(
        host=host, lease_until=now + LEASE, epoch=F("epoch") + 1
    )
    if not won:
        raise Elsewhere
    return match.epoch + 1


def load(match_id: uuid.UUID, host: str) -> Loaded:
    """Claim a match and read its log. Raises NotPlaying, Elsewhere."""
    epoch = claim(match_id, host)
    match = Match.objects.prefetch_related("seats__user", "seats__agent").get(pk=match_id)
    return Loaded(
        match_id=match.pk,
        epoch=epoch,
        game=match.game,
        seats=[seat_info(seat) for seat in match.seats.all()],
        log=log_store().read(match.pk),
        open_to_watch=match.open_to_watch,
        watch_delay=watch_delay(match.game),
        ticks_per_second=match.ticks_per_second,
        stand_ins=stand_ins(match.game, match.options),
        first=match.is_first,
    )


def stand_ins(game: str, options: dict) -> list[dict]:
    """Who may play for a person who left or for an agent that fails, best first: {"name", "agent", "ref"}."""
    variant, agents = variant_of(game, options), []
    for name in STAND_INS[games.spec(game).turn_based]:
        try:
            agent = resolve(game, name, variant, options)
        except Refusal:
            continue
        # By its card: loading it is the inference child's business.
        if not why_not(agent, options):
            agents.append({"name": agent.name, "agent": agent.ref, "ref": load_ref(agent)})
    return agents


def seat_info(seat: Seat) -> SeatInfo:
    if seat.kind == Seat.AGENT:
        agent = seat.agent
        return SeatInfo(
            seat.index, seat.kind, agent.name, agent=agent.ref, ref=load_ref(agent), hidden=seat.hidden
        )
    return SeatInfo(
        seat.index, seat.kind, seat.user.shown_name if seat.user else "Nobody", user_id=seat.user_id
    )


def renew(host: str, match_ids: list[uuid.UUID]) -> set[uuid.UUID]:
    """Prolong our leases; the matches that are still ours."""
    ours = Match.objects.filter(pk__in=match_ids, host=host, status=Match.PLAYING)
    with transaction.atomic():
        ours.update(lease_until=timezone.now() + LEASE)
        return set(ours.values_list("pk", flat=True))


def release(host: str, match_id: uuid.UUID) -> None:
    """Let another host take the match at once."""
    Match.objects.filter(pk=match_id, host=host).update(host="", lease_until=timezone.now())


def close(match_id: uuid.UUID, end: dict) -> None:
    """Close match and episode as their log's end record says, in the transaction in which it is written."""
    done = end["reason"] == "finished"
    now = timezone.now()
    Episode.objects.filter(pk=match_id).update(
        status=Episode.FINISHED if done else Episode.ABANDONED,
        ticks=end["tick"],
        score=end["score"],
        digest=end["digest"],
        outcomes=end.get("outcomes", []),
        finished_at=now,
    )
    Match.objects.filter(pk=match_id).update(
        status=Match.FINISHED if done else Match.ABANDONED, finished_at=now, host="", lease_until=None
    )


def stale_matches() -> list[uuid.UUID]:
    """Matches that nobody has touched for a day; those that nobody ever opened have had no lease."""
    old = timezone.now() - ABANDONED_AFTER
    untouched = Q(lease_until__lt=old) | Q(lease_until=None, started_at__lt=old)
    return list(Match.objects.filter(untouched, status=Match.PLAYING).values_list("pk", flat=True))


def write_off(match_id: uuid.UUID) -> None:
    """Close a match that can't be opened any more; its log stays as it is."""
    now = timezone.now()
    if Match.objects.filter(pk=match_id, status=Match.PLAYING).update(
        status=Match.ABANDONED, finished_at=now, host="", lease_until=None, epoch=F("epoch") + 1
    ):
        Episode.objects.filter(pk=match_id).update(status=Episode.ABANDONED, finished_at=now)


def close_waiting() -> int:
    """Close the tables at which somebody was awaited for a day; how many there were."""
    old = timezone.now() - ABANDONED_AFTER
    empty = Match.objects.filter(status=Match.WAITING, created_at__lt=old)
    return empty.update(status=Match.CLOSED, open_to_join=False, finished_at=timezone.now())


def lost_rights(user_ids: set[int], sessions: set[str]) -> tuple[set[int], set[str]]:
    """Of these people, who may no longer play (closed, no role); of these sessions, which are over."""
    allowed = User.objects.filter(pk__in=user_ids, is_active=True, groups__name__in=ROLES)
    ended = EndedSession.objects.filter(fingerprint__in=sessions).values_list("fingerprint", flat=True)
    return user_ids - set(allowed.values_list("pk", flat=True)), set(ended)


def beat(name: str, url: str) -> None:
    """Tell web processes that this host is up."""
    MatchHost.objects.update_or_create(name=name, defaults={"url": url, "heartbeat_at": timezone.now()})


def sign_off(name: str) -> None:
    MatchHost.objects.filter(name=name).delete()
    Match.objects.filter(host=name).update(host="", lease_until=timezone.now())
