"""Template context: the pages that this person may open."""

from __future__ import annotations

from django.http import HttpRequest
from django.urls import reverse
from django.utils.functional import SimpleLazyObject

from webapp.accounts import guests

NAVIGATION = (
    ("Play", "play:lobby", {"player", "annotator", "admin"}),
    ("Replays", "replays:list", {"player", "annotator", "admin"}),
    ("Annotate", "replays:queue", {"annotator"}),
    ("Agents", "agents:gallery", {"player", "annotator", "admin"}),
    ("Rounds", "rounds:list", {"admin"}),
    ("Studies", "studies:list", {"admin"}),
)


def person(request: HttpRequest) -> dict:
    user = getattr(request, "user", None)
    if user is None or not user.is_authenticated:
        # Lazy: only the sign-in page asks.
        return {"navigation": [], "guest_play": SimpleLazyObject(guests.allowed)}
    shown = [(label, reverse(url)) for label, url, roles in NAVIGATION if user.roles & roles]
    # Annotate lies inside Replays: the longest address that the path starts with is where one is.
    here = max((address for _, address in shown if request.path.startswith(address)), key=len, default="")
    return {"navigation": [(label, address, address == here) for label, address in shown]}
