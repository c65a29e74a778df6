"""Template context: the pages that this person may open, and which of them they are on."""

from __future__ import annotations

from django.conf import settings
from django.http import HttpRequest
from django.urls import reverse
from django.utils.functional import SimpleLazyObject

from webapp.accounts import guests

EVERYBODY = {"player", "annotator", "admin"}
NAVIGATION = (
    ("Play", "play:lobby", EVERYBODY),
    ("Replays", "replays:list", EVERYBODY),
    ("Annotate", "replays:queue", {"annotator"}),
    ("Agents", "agents:gallery", EVERYBODY),
    ("Rounds", "rounds:list", {"admin"}),
    ("Studies", "studies:list", {"admin"}),
)
# What lies elsewhere and belongs to one of them: what rounds are made from, how to mark.
PARTS = {
    "datasets:list": "rounds:list",
    "replays:agreement": "studies:list",
    "replays:tutorial": "replays:queue",
    "replays:tutorial-play": "play:lobby",
    "replays:guidelines": "replays:queue",
}
OF_EACH = {"replays:agreement"}  # pages that there are one of for each study
MENU = (
    ("Account", "accounts:account", EVERYBODY),
    ("Keys", "accounts:keys", EVERYBODY),
    ("People", "accounts:people", {"admin"}),
    ("Language model", "language:edit", {"admin"}),
)


def person(request: HttpRequest) -> dict:
    """`navigation` and `person_menu`: [(label, address, whether one is there or in a part of it)]."""
    user = getattr(request, "user", None)
    mail = {"mail_leaves": settings.MAIL_LEAVES}
    if user is None or not user.is_authenticated:
        # Lazy: only the sign-in page asks.
        return mail | {"navigation": [], "guest_play": SimpleLazyObject(guests.allowed)}
    places = {url: url for _, url, roles in (*NAVIGATION, *MENU) if user.roles & roles}
    places |= {part: url for part, url in PARTS.items() if url in places}
    # Annotate lies inside Replays: the longest address that the path starts with is where one is.
    around = [url for url in places if request.path.startswith(_beginning(url))]
    here = places[max(around, key=lambda url: len(_beginning(url)))] if around else ""

    def shown(entries: tuple[tuple[str, str, set[str]], ...]) -> list[tuple[str, str, bool]]:
        return [(label, reverse(url), url == here) for label, url, roles in entries if user.roles & roles]

    # A friend's guest has the one game, to which the brand leads.
    return mail | {"navigation": [] if user.guest_of else shown(NAVIGATION), "person_menu": shown(MENU)}


def _beginning(url: str) -> str:
    """The beginning of a page's addresses."""
    return reverse(url, args=[0]).removesuffix("0/") if url in OF_EACH else reverse(url)
