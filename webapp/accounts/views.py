"""Home, and the doors that need no password: one-time links and guest play."""

from __future__ import annotations

from django.conf import settings
from django.contrib import messages
from django.contrib.auth import login
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache

from webapp.accounts import links

BACKEND = settings.AUTHENTICATION_BACKENDS[0]


@login_required
def home(request: HttpRequest) -> HttpResponse:
    """Admins start at the rounds, annotators at their queue, everybody else in the lobby."""
    if request.user.is_admin:
        return redirect("rounds:list")
    if request.user.is_annotator:
        return redirect("replays:queue")
    return redirect("play:lobby")


@never_cache
def sign_in_link(request: HttpRequest, token: str) -> HttpResponse:
    user = links.use_sign_in_link(token)
    if user is None:
        return render(request, "accounts/link_spent.html", status=410)
    login(request, user, backend=BACKEND)
    messages.success(request, f"You are signed in as {user.shown_name}.")
    return redirect("home")
