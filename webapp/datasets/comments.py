"""What players wrote about their partners after games: a list for admins. Not for: the numbers that they
gave, which are in snapshots.
"""

from __future__ import annotations

from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_GET

from engine.games.pages import in_order
from webapp.accounts.roles import role_required
from webapp.matches.models import Rating

PER_PAGE = 50


@require_GET
@role_required("admin")
def listing(request: HttpRequest) -> HttpResponse:
    found = Rating.objects.exclude(comment="").select_related("episode", "user").order_by("-created_at", "pk")
    game = request.GET.get("game")
    if game in in_order():
        found = found.filter(episode__game=game)
    page = Paginator(found, PER_PAGE).get_page(request.GET.get("page"))
    rows = [(one, one.episode.seats[one.partner_seat].get("name") or "a person") for one in page]
    context = {"page": page, "rows": rows, "games": in_order(), "game": game}
    return render(request, "datasets/comments.html", context)
