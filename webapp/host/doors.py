"""What one person, one game and one address may have at a host: sockets at once, words in a time; and that
each ticket opens one socket.

Counted in memory: a game is at one host. Not for: messages of one socket (connection), requests over HTTP
(accounts.limits).
"""

from __future__ import annotations

import time
import uuid
from collections import Counter, deque
from collections.abc import Callable
from typing import Any

from allauth.core.internal import ratelimit
from django.conf import settings

from webapp.accounts import limits
from webapp.host.connection import Refused

WORDS = "words"
REFUSALS = {
    "person": "You have {} games open at once; more aren't possible. Close one, then reload this page.",
    "game": "{} people watch this game already; more aren't possible. Reload this page later.",
    "address": "{} people from your address are here already; more aren't possible. Reload this page later.",
}
Counted = tuple[tuple[str, Any], ...]


class Doors:
    """Of one host."""

    def __init__(self, clock: Callable[[], float] = time.time) -> None:
        self.clock = clock
        self._sockets: Counter[tuple[str, Any]] = Counter()
        self._said: dict[tuple[str, Any], deque[float]] = {}
        self._used: dict[str, float] = {}  # tickets, and until when they would be good

    def use(self, ticket: str, until: float) -> bool:
        """Whether a ticket is used for the first time."""
        now = self.clock()
        for old in [door for door, end in self._used.items() if end < now]:
            del self._used[old]
        if ticket in self._used:
            return False
        self._used[ticket] = until
        return True

    def enter(self, user_id: int, match_id: uuid.UUID | None, address: str) -> Counted:
        """Count a socket, of a game unless that is None, until `leave` is given what this returns. Raises
        Refused.
        """
        place: Counted = (("person", user_id), ("address", address))
        if match_id:
            place += (("game", match_id),)
        for kind, which in place:
            most = settings.SOCKETS[kind]
            if most and self._sockets[kind, which] >= most:
                raise Refused("too_many_sockets", REFUSALS[kind].format(most))
        self._sockets.update(place)
        return place

    def leave(self, place: Counted) -> None:
        for door in place:
            self._sockets[door] -= 1
            if self._sockets[door] <= 0:
                del self._sockets[door]

    def speak(self, user_id: int, match_id: uuid.UUID, address: str) -> None:
        """Count an instruction or a message of an account in a match. Raises Refused."""
        now = self.clock()
        rates = ratelimit.parse_rates(settings.ACCOUNT_RATE_LIMITS[WORDS])
        longest = max((rate.duration for rate in rates), default=0)
        whose = {"user": user_id, "key": match_id, "ip": address}
        times_of = {
            per: self._said.setdefault((per, whose[per]), deque()) for per in {rate.per for rate in rates}
        }
        for times in times_of.values():
            while times and now - times[0] > longest:
                times.popleft()
        for rate in rates:
            times = times_of[rate.per]
            if len(times) >= rate.amount and now - times[-rate.amount] < rate.duration:
                wait = limits.in_words(round(times[-rate.amount] + rate.duration - now))
                raise Refused("too_many_words", f"{limits.most(WORDS, rate)} Try again in {wait}.")
        for times in times_of.values():
            times.append(now)
        if len(self._said) > 1000:
            kept = self._said.items()
            self._said = {key: times for key, times in kept if times and now - times[-1] <= longest}


def address_of(scope: dict[str, Any]) -> str:
    """Whom a socket comes from: what the outermost proxy of ours says, else the line's other end; of an IPv6
    address the network, as one connection has a whole one.
    """
    proxies = settings.ALLAUTH_TRUSTED_PROXY_COUNT
    headers = [value for name, value in scope.get("headers", ()) if name == b"x-forwarded-for"]
    forwarded = b",".join(headers).decode("latin-1").split(",")
    address = (scope.get("client") or ("",))[0]
    if proxies and len(forwarded) >= proxies:
        address = forwarded[-proxies].strip() or address
    return ratelimit.truncate_ip(limits.unmapped(address))
