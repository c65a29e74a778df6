"""An agent's results with people on this site, and their ratings of it, for pages about agents. Not with
human proxies (engine.evaluation.people).
"""

from __future__ import annotations

from typing import Any

from django.db.models import Avg, Count, F

from engine import games
from engine.games import stories
from webapp.agents.models import Agent
from webapp.agents.resolve import in_words
from webapp.episodes.models import Episode
from webapp.matches.models import Rating, Seat
from webapp.matches.results import MOST, beside_people, worths


def with_people(agent: Agent) -> dict[str, Any]:
    """{"sentences": on the latest finished games with a person on the agent's side, one for each kind of game
    whose results compare, "ratings": how many people said how good a partner it was, "partner_mean": their
    mean, 1 to 7, "followings" and "followed_mean": the same of how well it followed what they told it}.
    """
    spec = games.spec(agent.game)
    seats = Seat.objects.filter(
        agent=agent, match__episode__source="play", match__episode__status=Episode.FINISHED
    ).order_by("-match__episode__started_at")[:MOST]
    kinds: dict[str, tuple[str, list[Seat]]] = {}
    for seat in seats.select_related("match__episode").prefetch_related("match__seats"):
        if beside_people(seat):
            options = seat.match.options
            where = in_words(agent.game, spec.variant(options)) if spec.variant else ""
            kinds.setdefault(str(stories.alike(agent.game, options)), (where, []))[1].append(seat)
    sentences = []
    for where, members in kinds.values():
        if points := worths(members):
            mean = sum(points) / len(points)
            sentence = stories.usually(agent.game, agent.name, mean, len(points), "people here")
            sentences.append(f"{where}: {sentence}" if where else sentence)
    rated = Rating.objects.filter(
        episode__source="play",
        episode__match__seats__agent=agent,
        episode__match__seats__index=F("partner_seat"),
    ).aggregate(
        ratings=Count("partner"),
        partner_mean=Avg("partner"),
        followings=Count("followed"),
        followed_mean=Avg("followed"),
    )
    return {"sentences": sentences, **rated}
