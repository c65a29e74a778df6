"""Signed tickets: what a browser shows to a match host that doesn't read the site's cookies.

A ticket says who may open a socket to which match, for a minute. It is not a seat: the host looks that up.
"""

from __future__ import annotations

import http.client
import secrets
import ssl
import time
import uuid
from dataclasses import dataclass
from datetime import timedelta
from urllib.parse import urlsplit

from django.conf import settings
from django.core import signing
from django.urls import reverse
from django.utils import timezone
from django.utils.crypto import salted_hmac

from engine.refusal import Refusal
from webapp.accounts.models import User
from webapp.host.storage import LEASE, is_dead
from webapp.matches.models import Match, MatchHost

SALT = "coplay.match-ticket"
LIFETIME = 60  # seconds
# A host says every second that it is up. One that hasn't for four is offered only where there is no other:
# its leases have run out then.
HOST_IS_ALIVE, HOST_MAY_BE = LEASE, timedelta(seconds=15)
ANSWERS_WITHIN, ASKED_AGAIN_AFTER = 0.5, 5.0  # seconds
_silent_until: dict[str, float] = {}


@dataclass(frozen=True)
class Ticket:
    match_id: uuid.UUID
    user_id: int
    once: str  # each ticket has its own: a host takes it one time
    session: str  # fingerprint of the session, "" if there is none


def fingerprint(session_key: str) -> str:
    """A keyed hash of a session key: equal for equal sessions, of no use to sign in."""
    return salted_hmac(SALT, session_key, algorithm="sha256").hexdigest()[:32]


def issue(match: Match, user: User, session_key: str | None) -> str:
    value = {"m": str(match.pk), "u": user.pk, "s": fingerprint(session_key) if session_key else ""}
    value["n"] = secrets.token_urlsafe(9)
    return signing.dumps(value, salt=SALT)


def check(text: str) -> Ticket | None:
    """The ticket, or None when it is forged, malformed or older than a minute."""
    try:
        value = signing.loads(text, salt=SALT, max_age=LIFETIME)
        return Ticket(uuid.UUID(value["m"]), int(value["u"]), str(value["n"]), str(value["s"]))
    except (signing.BadSignature, KeyError, TypeError, ValueError):
        return None


def answers(url: str) -> bool:
    """Whether a match host answers now; one that doesn't isn't asked again for a while."""
    if time.monotonic() < _silent_until.get(url, 0.0):
        return False
    if not _answers(url):
        _silent_until[url] = time.monotonic() + ASKED_AGAIN_AFTER
        return False
    return True


def _answers(url: str) -> bool:
    place = urlsplit(url)
    try:
        port = place.port
    except ValueError:  # above 65,535: nobody can be there
        return False
    line = http.client.HTTPConnection(place.hostname or "", port or 80, timeout=ANSWERS_WITHIN)
    if place.scheme == "wss":  # whether it is there, not who it is: that the browser looks at
        context = ssl._create_unverified_context()
        line = http.client.HTTPSConnection(
            place.hostname or "", port or 443, timeout=ANSWERS_WITHIN, context=context
        )
    try:
        line.request("GET", place.path.rstrip("/") + "/")
        return line.getresponse().status < 500  # a proxy says by 502 that there is nobody
    except (OSError, http.client.HTTPException, ValueError):  # ValueError: no host can have such a name
        return False
    finally:
        line.close()


def host_address(match: Match, failed: str = "") -> str:
    """Where the match's socket is: "" for this site, else "wss://…" of a match host. Raises Refusal.

    The host that holds the match's lease goes first; then any that was heard of lately and answers; where
    none answers, as where this process has no way to it, any that was heard of. `failed`: an address at which
    the browser has just found nobody.
    """
    if settings.HOSTS_MATCHES:
        return ""
    now = timezone.now()
    heard = MatchHost.objects.filter(heartbeat_at__gt=now - HOST_MAY_BE).order_by("name")
    known = [host for host in heard if not is_dead(host.name)]
    if not known:
        raise Refusal("No match host is running. Start one with `./manage.py matchhost`.")
    alive = [
        host
        for host in known
        if host.heartbeat_at > now - HOST_IS_ALIVE and not failed.startswith(host.url.rstrip("/") + "/")
    ] or known
    if match.lease_until and match.lease_until > timezone.now():
        for host in alive:
            if host.name == match.host:
                return host.url
    first = match.pk.int % len(alive)
    by_turns = [host.url for host in (*alive[first:], *alive[:first])]
    return next((url for url in by_turns if len(by_turns) > 1 and answers(url)), by_turns[0])


def socket_address(match: Match, failed: str = "") -> str:
    """The address that a browser opens: a path on this site, or the whole address on a match host."""
    path = reverse("play:table", args=[match.pk]) + "socket/"
    return host_address(match, failed).rstrip("/") + path
