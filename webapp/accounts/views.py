"""Home, and the doors that need no password: one-time links, invitations and guest play."""

from __future__ import annotations

from django.conf import settings
from django.contrib import messages
from django.contrib.auth import login
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import redirect, render
from django.utils.http import url_has_allowed_host_and_scheme
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST

from webapp.accounts import guests, invitations, links

BACKEND = settings.AUTHENTICATION_BACKENDS[0]


def home(request: HttpRequest) -> HttpResponse:
    """Admins start at the rounds, annotators at their queue, guests of one game there, everybody else in the
    lobby.
    """
    if request.user.guest_of:
        return redirect("play:table", request.user.guest_of)
    if request.user.is_admin:
        return redirect("rounds:list")
    if request.user.is_annotator:
        return redirect("replays:queue")
    return redirect("play:lobby")


@never_cache
def sign_in_link(request: HttpRequest, token: str) -> HttpResponse:
    """The page with the button, which alone uses the link up."""
    spend = request.method == "POST"
    user = links.use_sign_in_link(token) if spend else links.person_of(token)
    if user is None:
        return render(request, "accounts/link_spent.html", status=410)
    if not spend:
        return render(request, "accounts/link.html", {"person": user})
    login(request, user, backend=BACKEND)
    messages.success(request, f"You are signed in as {user.shown_name}.")
    return redirect("home")


@never_cache
def invitation(request: HttpRequest, token: str) -> HttpResponse:
    """Strangers go on to the sign-up page, guests to the page that makes them an account; somebody who has
    one may take the roles on.
    """
    invited = invitations.of_token(token)
    if invited is None:
        return render(request, "accounts/invitation_closed.html", status=410)
    if not request.user.is_authenticated or request.user.is_guest:
        request.session[invitations.SESSION_KEY] = invited.pk
        return redirect("accounts:become" if request.user.is_authenticated else "account_signup")
    if request.method == "POST":
        if not invitations.use(invited, request.user):
            return render(request, "accounts/invitation_closed.html", status=410)
        messages.success(request, f"You are now also: {', '.join(invited.roles)}.")
        return redirect("home")
    return render(request, "accounts/invitation.html", {"invitation": invited})


@require_POST
def play_as_guest(request: HttpRequest) -> HttpResponse:
    """Sign a new guest in and go on to where they wanted (`next`), or to the lobby."""
    if not guests.allowed():
        raise PermissionDenied("Guests may not play here; ask for an invitation.")
    if not request.user.is_authenticated:
        if refused := guests.come_in(request):
            return refused
    target = request.POST.get("next", "")
    safe = url_has_allowed_host_and_scheme(target, {request.get_host()}, require_https=request.is_secure())
    return HttpResponseRedirect(target) if safe else redirect("home")
