"""What accounts report to matches: a sign-out is stored for the match hosts, which close the sockets of that
session; a closed account leaves its waiting matches.
"""

from __future__ import annotations

from datetime import timedelta

from django.contrib.auth.signals import user_logged_out
from django.dispatch import receiver
from django.http import HttpRequest
from django.template.defaultfilters import pluralize
from django.utils import timezone

from webapp.accounts.barring import barred, holds
from webapp.accounts.models import User
from webapp.host.tickets import LIFETIME, fingerprint
from webapp.matches.models import EndedSession, Match, Seat


@receiver(user_logged_out)
def remember_ended_session(request: HttpRequest | None, **kwargs) -> None:
    key = request.session.session_key if request is not None and hasattr(request, "session") else None
    if not key:
        return
    EndedSession.objects.create(fingerprint=fingerprint(key))
    EndedSession.objects.filter(at__lt=timezone.now() - timedelta(seconds=100 * LIFETIME)).delete()


@receiver(holds)
def tables_of(user: User, **kwargs) -> list[str]:
    waiting = Match.objects.filter(status=Match.WAITING, created_by=user).count()
    playing = Seat.objects.filter(match__status=Match.PLAYING, user=user).count()
    return [
        *[
            f"{waiting} table{pluralize(waiting)} of theirs that still wait{'s' * (waiting == 1)} for "
            "players would go."
        ][: bool(waiting)],
        *[f"{playing} game{pluralize(playing)} under way would lose them."][: bool(playing)],
    ]


@receiver(barred)
def leave_waiting_tables(user: User, **kwargs) -> None:
    Match.objects.filter(status=Match.WAITING, created_by=user).delete()
    waiting = Seat.objects.filter(match__status=Match.WAITING)
    waiting.filter(user=user).update(kind=Seat.OPEN, user=None)
    Seat.objects.filter(copilot=user, match__status__in=[Match.WAITING, Match.PLAYING]).update(copilot=None)
