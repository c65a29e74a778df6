"""Template context: the pages that this person may open."""

from __future__ import annotations

from django.http import HttpRequest

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
        return {"navigation": []}
    return {"navigation": [(label, url) for label, url, roles in NAVIGATION if user.roles & roles]}
