"""Who may open which address: accounts without a role only what is listed here; a decorator for
single roles.
"""

from __future__ import annotations

import uuid
from collections.abc import Callable
from functools import wraps
from typing import Any
from urllib.parse import urlsplit

from django.contrib.auth.views import redirect_to_login
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse, HttpResponseBase, JsonResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.deprecation import MiddlewareMixin

# Open to everybody: signing in and up, the doors that need no password, and whether the site is up.
PUBLIC = frozenset({"health", "accounts:sign_in_link", "accounts:invitation", "accounts:guest"})
# How the names of allauth's pages begin; it asks for a sign-in itself where one is needed.
SIGN_IN = "account_"
# Links to one game, by which strangers come in as guests; who is signed in needs a role there too.
INVITATIONS = frozenset({"play:invitation", "play:take_seat_as_guest", "play:copilot"})
# One's own account, which stays one's own when the roles are gone.
OWN_ACCOUNT = frozenset(
    {"accounts:account", "accounts:keys", "accounts:save_keys", "accounts:become", "accounts:close"}
)

# What a friend's link opens to a guest: the one game's own addresses but for these, and what its pages need.
NOT_FOR_FRIENDS = frozenset({"play:again", "play:join"})
FOR_FRIENDS = frozenset(
    {
        *("home", "play:invitation", "play:take_seat_as_guest", "play:copilot"),
        *("play:read", "play:ask", "play:cost", "play:map", "play:picture", "replays:marks"),
    }
)

SIGNED_OUT = "You are signed out; sign in again. Marks that you made are kept in this browser until then."
NO_ROLE = "Your account has no role now, so only its own pages are open to it. An admin can give it one."
ONE_GAME = "You are a guest of one game: that game, its result and its replay are open to you."


def page_of(request: HttpRequest) -> str:
    """The page that somebody is on, to which they come back: what they opened, or where the form or the part
    of a page stands that they asked for.
    """
    if request.method in ("GET", "HEAD") and not request.htmx:
        return request.get_full_path()
    page = urlsplit(request.htmx.current_url or request.headers.get("Referer", ""))
    ours = page.netloc == request.get_host()
    return page._replace(scheme="", netloc="").geturl() if ours else reverse("home")


class RoleRequired(MiddlewareMixin):
    """Every address is refused to people without a role, unless it is listed above: strangers are sent to
    sign in, the others get 403. A new page is closed to them without anybody having to think of it.
    """

    async_capable = False

    def process_view(
        self, request: HttpRequest, view: Callable, args: tuple, kwargs: dict[str, Any]
    ) -> HttpResponseBase | None:
        name = request.resolver_match.view_name if request.resolver_match else ""
        if name in PUBLIC or name.startswith(SIGN_IN):
            return None
        wants_json = "json" in request.headers.get("Accept", "") + (request.content_type or "")
        if not request.user.is_authenticated:
            if name in INVITATIONS:
                return None
            if wants_json:
                return JsonResponse({"error": SIGNED_OUT}, status=401)
            answer = redirect_to_login(page_of(request))
            # A part of a page can't be replaced by the sign-in page: the whole page goes there.
            return HttpResponse(status=401, headers={"HX-Redirect": answer.url}) if request.htmx else answer
        if name in OWN_ACCOUNT:
            return None
        game = request.user.guest_of
        if request.user.roles and (not game or _of_the_game(name, kwargs, game)):
            return None
        if name == "play:lobby" and game:
            return redirect("home")
        why = ONE_GAME if game else NO_ROLE
        if wants_json:
            return JsonResponse({"error": why}, status=403)
        raise PermissionDenied(why)


def _of_the_game(name: str, kwargs: dict[str, Any], game: uuid.UUID) -> bool:
    """Whether an address is one of the game's own, or of what its pages need."""
    is_theirs = game in (kwargs.get("match_id"), kwargs.get("episode_id")) and name not in NOT_FOR_FRIENDS
    return is_theirs or name in FOR_FRIENDS


def role_required(*names: str) -> Callable:
    """People who have at least one of the roles `names`; others with a role get 403."""

    def decorate(view: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
        @wraps(view)
        def wrapper(request: HttpRequest, *args, **kwargs) -> HttpResponse:
            if not request.user.roles & set(names):
                raise PermissionDenied(f"This page is for the role {' or '.join(names)}.")
            return view(request, *args, **kwargs)

        return wrapper

    return decorate
