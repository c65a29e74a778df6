"""The page about published games of people: where they come from, ways to them; admins delete them here."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_GET, require_POST

from webapp.accounts.roles import role_required
from webapp.datasets import recorded
from webapp.episodes.models import Episode
from webapp.episodes.origins import SOURCE


@require_GET
def page(request: HttpRequest) -> HttpResponse:
    return render(request, "replays/people.html", {"collections": recorded.collections()})


@require_POST
@role_required("admin")
def delete(request: HttpRequest) -> HttpResponse:
    """`format`: all that was imported in it."""
    name = request.POST.get("format", "")
    if not Episode.objects.filter(source=SOURCE, origin__format=name).exists():
        messages.error(request, f"There are no games of the format {name[:40]!r}; nothing was deleted.")
    else:
        gone = recorded.delete(name, request.user)
        messages.success(request, f"{gone['games']} games and {gone['marks']} marks on them are deleted.")
    return redirect("published:list")
