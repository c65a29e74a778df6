"""Guests: people who play without an account, where the admin allows it: anything that players may, or the
one game to which a friend has sent them the link.
"""

from __future__ import annotations

import secrets
import uuid
from collections.abc import Callable

from django.conf import settings
from django.contrib.auth import login
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse, HttpResponseBase

from webapp.accounts import limits
from webapp.accounts.models import SiteSettings, User, hash_of, new_token

COOKIE = "coplay_device"
NAMED = "Guest "
BARRED = "An admin has closed the account of a guest who came with this browser. Ask them for an invitation."


def allowed() -> bool:
    return SiteSettings.current().guest_play


def friends_allowed() -> bool:
    return SiteSettings.current().friends_play


def come_in(request: HttpRequest, game: uuid.UUID | None = None) -> HttpResponse | None:
    """Sign a new guest in, of one game, if one is named; an answer where there are too many. Raises
    PermissionDenied where an admin has closed the account of a guest who came with this browser.
    """
    if not limits.consume(request, "guest"):
        return limits.refused(request, "guest")
    device = request.COOKIES.get(COOKIE, "")
    if device and User.objects.filter(device=hash_of(device), barred_at__isnull=False).exists():
        raise PermissionDenied(BARRED)
    request.device = device or new_token()
    guest = make_guest(game, hash_of(request.device))
    login(request, guest, backend=settings.AUTHENTICATION_BACKENDS[0])
    return None


class RememberDevice:
    """The browser of a guest keeps what it is known by."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        answer = self.get_response(request)
        if device := getattr(request, "device", ""):
            kept = {"httponly": True, "samesite": "Lax", "secure": settings.SESSION_COOKIE_SECURE}
            answer.set_cookie(COOKIE, device, max_age=365 * 24 * 3600, **kept)
        return answer


def make_guest(game: uuid.UUID | None = None, device: str = "") -> User:
    """A player called "Guest ab12" who can't sign in again once the browser forgets them; of one game, if one
    is named.
    """
    name = secrets.token_hex(4)
    guest = User(username=f"guest-{name}", first_name=NAMED + name[:4], is_guest=True, guest_of=game)
    guest.device = device
    guest.set_unusable_password()
    guest.save()
    guest.set_roles({"player"})
    return guest
