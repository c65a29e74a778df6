"""Sentences after a game: the result compared with the player's own games, with the partner's games, and who
the partner was. What a game's outcome means, and how it is worded, is in the game's own folder
(engine.games.stories).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from django.db.models import Q

from engine import games
from engine.games import stories
from engine.refusal import Refusal
from engine.simulation.log import EpisodeLog, walk
from engine.simulation.simulation import Simulation
from engine.simulation.told import Span
from webapp.accounts.models import User
from webapp.episodes.models import Episode
from webapp.episodes.options import with_options
from webapp.episodes.people import SURPRISE_NAME, told_apart
from webapp.episodes.stores import log_store
from webapp.episodes.told import spans_of
from webapp.matches.access import has_left
from webapp.matches.models import Match, Seat

MOST = 200  # seats of an agent that its average looks at, the latest


def summary(match: Match, seat: int | None) -> tuple[str, tuple[str, str] | None]:
    """(a few sentences on what happened, from the point of view of a seat or, None, of who watched; of a game
    that came to nothing, what that was and what to try).
    """
    last: list[Simulation] = []  # the game as it moves on, once it has begun

    def moments(log: EpisodeLog) -> Iterator[Simulation]:
        for moment in walk(log):
            last[:] = [moment]
            yield moment

    try:
        log = log_store().read(match.pk)
        sentence, tried = "Nobody had made a move yet.", None
        if log.steps:
            names, replaced = seat_names(match), stood_in_for(log)
            # What an agent did in somebody's place isn't told as theirs.
            for replacement in replaced:
                names[replacement] = "your seat" if replacement == seat else f"{names[replacement]}'s seat"
            reader = None if seat in replaced else seat
            sentence = stories.story(match.game, moments(log), names, reader)
            tried = stories.advice(match.episode.ending, last[0], reader) if last else None
    except (FileNotFoundError, Refusal):
        return "What happened can't be told: this program can't read the game's log.", None
    return f"{departure(log, seat)} {sentence}".strip(), tried


def stood_in_for(log: EpisodeLog) -> set[int]:
    """The seats of people in which an agent played for a while."""
    changes = [record for record in log.records if record["type"] == "control"]
    kinds = [seat["kind"] for seat in log.header["seats"]]
    return {row["seat"] for row in changes if row["controller"]["kind"] == "agent" != kinds[row["seat"]]}


def departure(log: EpisodeLog, seat: int | None) -> str:
    """That the reader left or was away at the end, and who played on for them; "" if they stayed."""
    changes = [record for record in log.records if record["type"] == "control" and record["seat"] == seat]
    last = changes[-1]["controller"] if changes else {}
    if last.get("kind") != "agent":
        return ""
    when = "You left before the end" if last.get("left") else "You were away at the end"
    return f"{when}; {last.get('name') or 'an agent'} played on for you."


def seat_names(match: Match, hide: bool = False) -> list[str]:
    """Names by seat; twins get a number. `hide`: surprise agents keep their secret."""
    return told_apart(
        [SURPRISE_NAME if hide and seat.hidden else partner_name(seat) for seat in match.seats.all()]
    )


def partner_name(seat: Seat) -> str:
    if seat.kind == Seat.AGENT:
        return seat.agent.name if seat.agent else seat.alias
    return seat.user.shown_name if seat.user else "somebody"


def alike(match: Match) -> Q:
    """Filters on seats: finished games of the same kind."""
    same = stories.alike(match.game, match.options)
    over = Q(match__game=match.game, match__is_first=False, match__episode__status=Episode.FINISHED)
    return over & with_options(match.game, same, "match__options")


def worths(seats: Iterable[Seat]) -> list[float]:
    """The score of each game for its seat; seats of one side count once."""
    points: dict[tuple[Any, int], float] = {}
    for seat in seats:
        episode = seat.match.episode
        if episode.score is not None:
            place = (seat.match_id, side_of(seat.match, seat.index))
            points.setdefault(place, stories.worth(episode.ending, seat.index))
    return list(points.values())


def beside_people(seat: Seat) -> bool:
    """Whether a person sat on this seat's side."""
    side = side_of(seat.match, seat.index)
    people = [other.index for other in seat.match.seats.all() if other.kind == Seat.PERSON]
    return any(side_of(seat.match, index) == side for index in people)


def side_of(match: Match, seat: int) -> int:
    """The side that a seat plays for; all are on one where everybody plays together."""
    return games.spec(match.game).side_of(match.options, seat)


def own_history(match: Match, user: User, mine: int) -> dict[str, Any]:
    """{"games", "mean", "best", "is_best", "difference", "text", "best_text", "together"} of this person's
    finished games under the same conditions, before this one; a game that they left to an agent is none of
    theirs. "together": a sentence for each partner of now with whom they had played before.
    """
    before = Seat.objects.filter(
        alike(match), user=user, left_at=None, match__episode__started_at__lt=match.episode.started_at
    )
    seats = list(before.select_related("match__episode").prefetch_related("match__seats"))
    earlier = worths(seats)
    history: dict[str, Any] = {"games": len(earlier), "is_best": False, "difference": None, "text": ""}
    history |= {"best_text": "", "together": together(match, mine, seats)}
    if earlier:
        history |= {"mean": sum(earlier) / len(earlier), "best": max(earlier)}
    finished = match.status == Match.FINISHED and match.episode.score is not None
    if finished and not has_left(match, mine):
        now = stories.worth(match.episode.ending, mine)
        history["text"] = stories.compared(match.game, now, earlier)
        if earlier and games.spec(match.game).side is None:  # victories have no best
            history |= {"is_best": now > history["best"], "difference": now - history["mean"]}
            history["best_text"] = best_text(now, history["best"])
    return history


def best_text(now: float, best: float) -> str:
    """A game's worth beside the best one before it."""
    if now > best:
        return f"Your best before was {best:g}."
    return f"As good as your best, {best:g}." if now == best else f"Your best is {best:g}."


def together(match: Match, mine: int, before: Sequence[Seat]) -> list[str]:
    """This person's scores in earlier games with each of the partners of this one."""
    mates, names = set(partner_seats(match, mine)), seat_names(match)
    texts: dict[tuple[Any, Any], str] = {}
    for seat in match.seats.all():
        who = _who(seat)
        if seat.index not in mates or who in texts or who == (None, None):
            continue
        games_with = worths(
            seat
            for seat in before
            if who in [_who(seat.match.seats.all()[mate]) for mate in partner_seats(seat.match, seat.index)]
        )
        if games_with:
            name, mean = names[seat.index], sum(games_with) / len(games_with)
            texts[who] = stories.usually(match.game, name, mean, len(games_with), "you")
    return list(texts.values())


def _who(seat: Seat) -> tuple[Any, Any]:
    """Who sits there, as ids: (agent, person), (None, None) for nobody."""
    return seat.agent_id, seat.user_id


def headline(match: Match, seat: int | None, history: dict[str, Any]) -> str:
    """How the game went, in a few words."""
    if history["is_best"]:
        return "Your best game so far"
    return stories.headline(match.episode.ending, seat)


def partner_seats(match: Match, mine: int) -> list[int]:
    """The other seats of the own side."""
    side = side_of(match, mine)
    others = [seat.index for seat in match.seats.all() if seat.index != mine]
    return [index for index in others if side_of(match, index) == side]


def rotates(match: Match, seat: int | None) -> str:
    """The text of the button that starts the same game with everybody of a side one seat further; "" where
    nobody else is on it.
    """
    side = [] if seat is None else partner_seats(match, seat)
    return "Swap seats" if len(side) == 1 else "Everybody a seat on" if side else ""


def twins(match: Match, mine: int) -> list[list[int]]:
    """The partners' seats, those of one agent together, since nobody can tell them apart; a hidden partner
    stays alone, so that nothing is revealed.
    """
    groups: dict[tuple[Any, ...], list[int]] = {}
    mates = partner_seats(match, mine)
    for seat in match.seats.all():
        if seat.index in mates:
            alone = seat.kind != Seat.AGENT or seat.hidden
            groups.setdefault((seat.index,) if alone else ("", seat.agent_id), []).append(seat.index)
    return list(groups.values())


def partners(match: Match, user: User, mine: int) -> list[dict[str, Any]]:
    """One entry for each partner, or for all seats of one agent: who it was, the rating so far (at the first
    of their seats), and the instructions that were in force for it.
    """
    rated = {rating.partner_seat: rating for rating in match.episode.ratings.filter(user=user)}
    asked = asked_of(match, mine)
    names, hidden_names = seat_names(match), seat_names(match, hide=True)
    seats = {seat.index: seat for seat in match.seats.all()}
    rows = []
    for group in twins(match, mine):
        first, together = seats[group[0]], len(group) > 1
        several = f"{len(group)} × {partner_name(first)}" if together else ""
        rows.append(
            {
                "seat": first.index,
                "together": together,
                "name": several or names[first.index],
                "name_before": several or hidden_names[first.index],
                "agent": first.agent if first.kind == Seat.AGENT else None,
                "was_hidden": first.hidden,
                "rating": rated.get(first.index),
                "told": list(dict.fromkeys(span.text for seat in group for span in asked.get(seat, []))),
            }
        )
    return rows


def asked_of(match: Match, speaker: int) -> dict[int, list[Span]]:
    """By partner: what this seat told them that was in force for a while, in that order."""
    asked: dict[int, list[Span]] = {}
    try:
        spans = spans_of(match.episode)
    except (FileNotFoundError, Refusal):
        return {}
    for span in spans:
        if span.speaker == speaker and span.end != span.start:
            asked.setdefault(span.seat, []).append(span)
    return asked


def unrevealed(match: Match, seat: int) -> bool:
    """Whether this person has still to say how it was, before they see how it went and with whom."""
    mine = match.seats.get(index=seat)
    return mine.revealed_at is None and bool(partner_seats(match, seat))


def averages(match: Match, mine: int) -> list[str]:
    """A sentence for each agent on one's side: its results with people here, else with itself by its card."""
    mates = partner_seats(match, mine)
    agents = {seat.agent for seat in match.seats.all() if seat.agent and seat.index in mates}
    return [text for agent in sorted(agents, key=lambda agent: agent.name) if (text := average(match, agent))]


def average(match: Match, agent: Any) -> str:
    """The agent's mean score with people here, in a sentence; "" where there is none."""
    seats = Seat.objects.filter(alike(match), agent=agent, match__episode__source="play")
    latest = seats.exclude(match=match).order_by("-match__episode__started_at")[:MOST]
    rows = latest.select_related("match__episode").prefetch_related("match__seats")
    points = worths(seat for seat in rows if beside_people(seat))
    if points:
        return stories.usually(match.game, agent.name, sum(points) / len(points), len(points), "people here")
    measured = agent.card.get("evaluation", {}).get("self_play") or {}
    if measured.get("mean") is None or not measured_alike(match, agent, measured):
        return ""
    return stories.usually(match.game, agent.name, measured["mean"], measured.get("episodes"), "itself")


def measured_alike(match: Match, agent: Any, measured: dict[str, Any]) -> bool:
    """Whether an agent's card tells of games like this one; its scores say nothing of victories."""
    spec, given = games.spec(match.game), measured.get("options") or agent.card.get("options") or {}
    try:
        options = spec.validate(given)
    except Refusal:
        return False
    same = stories.alike(match.game, options) == stories.alike(match.game, match.options)
    return same and spec.side is None
