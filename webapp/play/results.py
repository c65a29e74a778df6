"""What is said after a game: how it went against one's own history, against the partner's, and who it was."""

from __future__ import annotations

from importlib import import_module
from typing import Any

from django.db.models import Avg, Count, Max

from engine import games
from engine.simulation.log import iterate
from webapp.accounts.models import User
from webapp.play.models import Match, Rating, Seat
from webapp.replays.models import Episode
from webapp.replays.stores import log_store


def summary(match: Match, seat: int) -> str:
    """One line of what happened, from the point of view of a seat."""
    try:
        log = log_store().read(match.pk)
    except FileNotFoundError:
        return ""
    story = import_module(f"engine.games.{match.game}.story")
    names = [partner_name(one) for one in match.seats.all()]
    return story.story([sim.view(None) for sim in iterate(log)], names, seat)


def partner_name(seat: Seat) -> str:
    if seat.kind == Seat.AGENT:
        return seat.agent.name if seat.agent else seat.alias
    return seat.user.shown_name if seat.user else "somebody"


# From this score on, this is what a finished game was.
HEADLINES = {"hanabi": ((21, "A very good game"), (16, "A good game")), "overcooked": ((0, "Time is up"),)}
# Scores compare between games that are alike in these options.
ALIKE = {"hanabi": ("players",), "overcooked": ("players", "layout", "dynamics", "horizon")}


def alike(match: Match) -> dict[str, Any]:
    """Filters on episodes: the same options where they matter for the score."""
    return {f"options__{name}": match.options[name] for name in ALIKE[match.game]}


def own_history(match: Match, user: User) -> dict[str, Any]:
    """{"games", "mean", "best", "is_best"} of this person's finished games under the same conditions, before
    this one.
    """
    before = Episode.objects.filter(
        game=match.game,
        status=Episode.FINISHED,
        players=user,
        **alike(match),
        started_at__lt=match.episode.started_at,
    )
    found = before.aggregate(games=Count("pk"), mean=Avg("score"), best=Max("score"))
    score = match.episode.score
    found["is_best"] = bool(found["games"]) and score is not None and score > found["best"]
    if found["games"] and score is not None:
        found["difference"] = score - found["mean"]
    return found


def headline(match: Match, history: dict[str, Any]) -> str:
    """How the game went, in a few words."""
    if match.status == Match.ABANDONED:
        return "This game was left before its end"
    if history["is_best"]:
        return "Your best game so far"
    for least, words in HEADLINES[match.game]:
        if match.episode.score >= least:
            return words
    return "Game over"


def partners(match: Match, user: User, own: int) -> list[dict[str, Any]]:
    """One entry a partner: who it was, its average, what was rated already, and whether it was instructed.

    Where squads play against each other, the partners are one's own squad.
    """
    size = match.options.get("team_size") or len(match.seats.all())
    rated = {rating.partner_seat: rating for rating in Rating.objects.filter(match=match, user=user)}
    said = [one for one in match.instructions.all() if one.user_id == user.pk]
    rows = []
    for seat in match.seats.all():
        if seat.index == own or seat.index // size != own // size:
            continue
        told = (
            [one for one in said if one.target_seat in (None, seat.index)] if seat.kind == Seat.AGENT else []
        )
        rows.append(
            {
                "seat": seat.index,
                "name": partner_name(seat),
                "agent": seat.agent if seat.kind == Seat.AGENT else None,
                "was_hidden": seat.hidden,
                "average": agent_average(match, seat),
                "rating": rated.get(seat.index),
                "told": told[-1].text if told else "",
            }
        )
    return rows


def agent_average(match: Match, seat: Seat) -> dict[str, Any] | None:
    """{"mean", "games", "with"}: this agent with people here, else in self-play by its card."""
    if seat.agent is None:
        return None
    played = Episode.objects.filter(
        agents=seat.agent, source="play", status=Episode.FINISHED, **alike(match)
    ).exclude(pk=match.pk)
    found = played.aggregate(games=Count("pk"), mean=Avg("score"))
    if found["games"]:
        return {**found, "with": "people here"}
    own = seat.agent.card.get("evaluation", {}).get("self_play", {})
    trained = seat.agent.card.get("options", {})
    variant = games.spec(match.game).variant
    if own.get("mean") is None or (variant and trained.get("layout") != variant(match.options)):
        return None
    return {"games": own.get("episodes"), "mean": own["mean"], "with": "itself"}
