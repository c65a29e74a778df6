"""Rate limits: how often an account, an address or a game may do something costly. `settings.LIMITS` has the
numbers, allauth counts, and this middleware refuses what exceeds them with a sentence. Not for sockets
(play/host/doors.py) and their messages (play/host/connection.py).
"""

from __future__ import annotations

import time
from collections.abc import Callable
from ipaddress import IPv6Address
from typing import Any

from allauth.core.internal import ratelimit
from allauth.core.internal.ratelimit import Rate, RateLimitUsage
from django.core.cache import cache
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.utils.deprecation import MiddlewareMixin

from engine.games.stories import counted
from webapp.common import errors

APP = "allauth.account"
ANY = "any"

# What is counted, and what a refusal calls it. The names are those of settings.LIMITS.
CALLED = {
    "login_failed": "failed sign-ins",
    "signup_failed": "failed sign-ups",
    "reset_password": "mails for a new password",
    "guest": "new guests",
    "opinion": "questions to the language model",
    "match": "new games",
    "reading": "readings",
    "clip": "clips and curves",
    "job": "jobs",
    "export": "downloads",
    "words": "instructions and messages",
    ANY: "changes",
}
# What the addresses cost that do more than change a row; every other change counts as one of "any".
COSTLY = {
    "play:create": "match",
    "play:first": "match",
    "play:again": "match",
    "play:read": "reading",
    "play:ask": "reading",
    "play:cost": "reading",
    "play:check_layout": "reading",
    "replays:clips": "clip",
    "replays:clip-retry": "clip",
    "replays:utility": "clip",
    "agents:compare": "job",
    "rounds:new": "job",
    "rounds:told": "job",
    "rounds:cotrain": "job",
    "rounds:told-apart": "job",
    "rounds:resume": "job",
    "datasets:list": "job",
    "datasets:import": "job",
    "datasets:pack": "job",
    "datasets:job-change": "job",
    "language:test": "opinion",
}
DOWNLOADS = frozenset(
    {"datasets:export", "datasets:instructions_csv", "datasets:corrections", "rounds:events"}
)
PERIODS = {1: "a second", 60: "a minute", 3600: "an hour", 86400: "a day"}
WHOSE = {"ip": "from one address", "user": "by one account", "key": "for one account"}
KEYS = {"words": "in one game"}  # where a key is no account


def consume(request: HttpRequest, action: str, key: str = "") -> RateLimitUsage | None:
    """Count one; None when that is one too many. What comes of it can be taken back (`rollback`)."""
    return ratelimit.consume(request, app=APP, action=action, key=key, limit_get=True)


def refusal(request: HttpRequest, action: str, key: str = "") -> tuple[str, int]:
    """A sentence with the limit and the time to try again, and the seconds until then."""
    waits = [
        (_wait(request, action, rate, key), rate) for rate in ratelimit.get_rates(app=APP, action=action)
    ]
    wait, rate = max(waits, key=lambda passed: passed[0])
    return f"{most(action, rate)} Try again in {in_words(wait)}.", wait


def most(action: str, rate: Rate) -> str:
    """The limit, in a sentence."""
    period = PERIODS.get(int(rate.duration)) or f"in {counted(int(rate.duration), 'second')}"
    whose = KEYS.get(action, WHOSE["key"]) if rate.per == "key" else WHOSE[rate.per]
    return f"At most {rate.amount} {CALLED[action]} {period} are possible {whose}."


def _wait(request: HttpRequest, action: str, rate: Rate, key: str) -> int:
    """Seconds until a rate allows one more; 0 when it does now. The latest come first in what is kept."""
    history = cache.get(ratelimit.get_cache_key(request, app=APP, action=action, rate=rate, key=key), [])
    if len(history) < rate.amount or not rate.amount:
        return 0 if rate.amount else int(rate.duration)
    return max(1, round(history[rate.amount - 1] + rate.duration - time.time()))


def unmapped(address: str) -> str:
    """An address, an IPv4 one as IPv4 writes it: as a socket of IPv6 writes it, all are of one network."""
    try:
        return str(IPv6Address(address).ipv4_mapped or address)
    except ValueError:
        return address


def in_words(seconds: int) -> str:
    if seconds < 100:
        return counted(max(seconds, 1), "second")
    if seconds < 6000:
        return counted(round(seconds / 60), "minute")
    return counted(round(seconds / 3600), "hour")


def refused(request: HttpRequest, action: str, key: str = "") -> HttpResponse:
    """The answer to one too many: a page, JSON, or for a part of a page the sentence alone."""
    sentence, wait = refusal(request, action, key)
    answer: HttpResponse
    if "json" in request.headers.get("Accept", "") + (request.content_type or ""):
        answer = JsonResponse({"error": sentence}, status=429)
    elif request.htmx:
        answer = HttpResponse(sentence, status=429, content_type="text/plain; charset=utf-8")
    else:
        answer = errors.too_many_requests(request, sentence)
    answer["Retry-After"] = str(wait)
    return answer


class Limits(MiddlewareMixin):
    """Counts what people who are signed in do; what strangers do is counted where it is done."""

    async_capable = False

    def process_view(
        self, request: HttpRequest, view: Callable, args: tuple, kwargs: dict[str, Any]
    ) -> HttpResponse | None:
        name = request.resolver_match.view_name if request.resolver_match else ""
        if request.method == "POST":
            action = COSTLY.get(name, ANY)
        elif name in DOWNLOADS:
            action = "export"
        else:
            return None
        if not request.user.is_authenticated or consume(request, action):
            return None
        return refused(request, action)
