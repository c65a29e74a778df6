"""Which episodes and which marks: filters, checked once, as querysets and counts. Not for writing files."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date
from typing import Annotated, Any, Literal
from uuid import UUID

from django.db.models import Count, Exists, F, OuterRef, Q, QuerySet, Sum, TextField
from django.db.models.functions import Cast, Coalesce
from pydantic import Field, model_validator

from engine import games
from engine.refusal import Refusal
from engine.shapes import Shape, checked, fitting
from engine.simulation.spec import GameSpec
from webapp.agents.models import Agent
from webapp.annotation.counting import counted
from webapp.annotation.models import Assignment, Mark, Tally
from webapp.episodes.models import Episode, UnknownAgent

SOURCES = ("play", "simulated", "import", "people")
MOST_MARKS = 1_000_000  # that an episode may be asked to have
INSTRUCTED = ("any", "with", "without")
BOTH = "include_simulated"  # what one switch for simulated episodes and marks was called
# Of marks that count, and of tallies: made by people whom nobody had handed the episode.
FREE = Q(submitted__isnull=True, annotator__is_simulated=False)
FREE_TALLY = Q(handed=False, annotator__is_simulated=False)
SAMPLE = 2000  # episodes that an estimate is made from
FEWEST = 100  # of them that the filters must find; where they find fewer, all are counted
EVERY_ID = 1 << 128


def _is_day(text: str) -> bool:
    try:
        return not text or bool(date.fromisoformat(text))
    except ValueError:
        return False


Day = Annotated[str, *fitting(_is_day, "a day like 2026-01-31, or an empty text")]


class Filters(Shape, extra="forbid"):
    """What a snapshot takes. Empty lists mean "all"; dates are inclusive days in UTC, as YYYY-MM-DD."""

    game: str
    seats: int | None = None
    """With the game's other options at their defaults; null: any options."""
    layout: str = ""
    """In games with layouts: this one, in the dynamics that agents are trained in."""
    options: dict[str, Any] = {}
    """More options that a game must have had."""
    sources: list[Literal[SOURCES]] = []
    agents: list[str] = []
    """Refs, or what episodes call those that the site has no row of: at least one of them played."""
    players: list[str] = []
    """Pseudonyms: at least one of them played."""
    annotators: list[str] = []
    """Pseudonyms: only their marks."""
    since: Day = ""
    until: Day = ""
    instructed: Literal[INSTRUCTED] = "any"
    instruction: str = ""
    """Words that the instruction contains."""
    min_marks: Annotated[int, Field(ge=0, le=MOST_MARKS)] = 1
    """Episodes with fewer of the chosen marks are left out, if nobody has reviewed them."""
    simulated_episodes: bool = False
    """Those, too, that agents played alone."""
    simulated_marks: bool = False
    """Those, too, that programs made."""
    free_marks: bool = True
    """Those, too, of people on what nobody handed them."""
    replayable: bool = False
    """Only what this version's rules can play again, and so can be learned from."""

    @model_validator(mode="after")
    def _of_a_game(self) -> Filters:
        spec = games.spec(self.game)  # raises Refusal
        if unknown := sorted(set(self.options) - set(spec.options)):
            raise Refusal(f"{spec.title} has no option {unknown[0]!r}.")
        return self

    @classmethod
    def from_json(cls, given: dict[str, Any]) -> Filters:
        """Filters from a job's or a round's settings; raises Refusal. Those of older rounds and snapshots
        have one switch for both simulated kinds.
        """
        if BOTH in given:
            rest = {name: value for name, value in given.items() if name != BOTH}
            given = {"simulated_episodes": given[BOTH], "simulated_marks": given[BOTH], **rest}
        return checked(cls, given, "The filter {}")

    def but(self, **changes: Any) -> Filters:
        """The same with other values; raises Refusal."""
        return checked(Filters, self.to_json() | changes, "The filter {}")

    def to_json(self) -> dict[str, Any]:
        return self.model_dump()


def options_of(game: str, seats: int | None, layout: str = "") -> dict[str, Any]:
    """What the options of an episode must be: those of a game with `seats` seats and everything else at its
    default (None: any); in games with layouts, those that change what agents are trained for.
    """
    spec = games.spec(game)
    if spec.variant is not None:
        return _options_in(spec, seats, layout)
    if layout:
        raise Refusal(f"{spec.title} has no layouts, so leave out the layout {layout!r}.")
    # Where the number of players follows from other options, it doesn't change what agents read.
    if seats is None or "players" not in spec.options:
        return {}
    for given in ({"players": seats}, {}):
        try:
            options = spec.validate(given)
        except Refusal:
            continue
        if spec.seats(options) == seats:
            return options
    raise Refusal(f"{spec.title} has no game with {seats} seats.")


def _options_in(spec: GameSpec, seats: int | None, layout: str) -> dict[str, Any]:
    complete = spec.validate({"layout": layout, "players": seats} if layout else {})
    wanted = {"dynamics": complete["dynamics"]}
    if layout:
        wanted["layout"] = complete["layout"]
    if seats is not None:
        wanted["players"] = seats
    return wanted


def marks(filters: Filters, episodes: list[UUID]) -> QuerySet[Mark]:
    """The chosen marks on some episodes, of those that count (see webapp.annotation.counting)."""
    rows = _by_raters(filters, counted(episodes))
    return rows if filters.free_marks else rows.exclude(FREE)


def tallies(filters: Filters, below: UUID | None = None) -> QuerySet[Tally]:
    """The same marks as counts, one row an episode and rater, of any game: whoever asks names the episodes.
    `below` as in `episodes`.
    """
    rows = _by_raters(filters, Tally.objects.filter(Q(progress__gt=0) | Q(regression__gt=0)), below)
    return rows if filters.free_marks else rows.exclude(FREE_TALLY)


def submissions(filters: Filters, below: UUID | None = None) -> QuerySet[Assignment]:
    """Episodes of any game that were handed out and submitted, by the annotators whose marks are chosen."""
    return _by_raters(filters, Assignment.objects.filter(status=Assignment.SUBMITTED), below)


def _by_raters(filters: Filters, rows: QuerySet, below: UUID | None = None) -> QuerySet:
    """Of rows with an episode and an annotator, those of the raters that are chosen."""
    if below:
        rows = rows.filter(episode__lt=below)
    if filters.annotators:
        rows = rows.filter(annotator__pseudonym__in=filters.annotators)
    if not filters.simulated_marks:
        rows = rows.filter(annotator__is_simulated=False)
    return rows


def reviews(
    filters: Filters, seats: dict[str, int], marked: Iterable[tuple[str, str, bool, int]]
) -> list[dict[str, Any]]:
    """Who has reviewed what of episodes with so many `seats`, of whose marks `marked` says (episode,
    annotator, whether that one is simulated, seat), as rows of a snapshot: all seats for those who submitted
    an episode and for simulated annotators, who look at everything; for others the seats that they marked.
    """
    whole: dict[tuple[str, str, bool], set[int]] = {}
    for episode, name, simulated, seat in marked:
        looked = range(seats[episode]) if simulated else [seat]
        whole.setdefault((episode, name, simulated), set()).update(looked)
    submitted = (
        submissions(filters)
        .filter(episode__among=[UUID(one) for one in seats])
        .values_list("episode", "annotator__pseudonym", "annotator__is_simulated")
    )
    handed = {(str(episode), *who) for episode, *who in submitted}
    for who in handed:
        whole.setdefault(who, set()).update(range(seats[who[0]]))
    return [
        {
            "episode": episode,
            "annotator": name,
            "seats": sorted(own),
            "handed": not simulated and (episode, name, simulated) in handed,
            "simulated": simulated,
        }
        for (episode, name, simulated), own in sorted(whole.items())
    ]


def episodes(filters: Filters, below: UUID | None = None, anywhere: bool = False) -> QuerySet[Episode]:
    """Finished episodes that pass every filter, oldest first; guided first games are none of them. With
    `below`, of those whose ids are less than that: ids are made by chance, so these are a fair sample.
    `anywhere`: with whatever seats, layout and options.
    """
    played = Episode.objects.filter(game=filters.game)
    if below:
        played = played.filter(pk__lt=below)
    wanted = {} if anywhere else options_of(filters.game, filters.seats, filters.layout) | filters.options
    chosen = _with_options(played, filters.game, wanted).filter(status=Episode.FINISHED)
    chosen = chosen.exclude(source="first")
    if filters.replayable:
        chosen = chosen.filter(rules_version=str(games.spec(filters.game).rules_version))
    if not filters.simulated_episodes:
        chosen = chosen.exclude(source="simulated")
    if filters.sources:
        chosen = chosen.filter(source__in=filters.sources)
    if filters.agents:
        known = Agent.objects.filter(ref__in=filters.agents)
        played = Episode.agents.through.objects.filter(agent__in=known).values("episode")
        unknown = UnknownAgent.objects.filter(ref__in=filters.agents).values("episode")
        chosen = chosen.filter(pk__in=played.union(unknown, all=True))
    if filters.players:
        people = Episode.players.through.objects.filter(user__pseudonym__in=filters.players)
        chosen = chosen.filter(pk__in=people.values("episode"))
    if filters.since:
        chosen = chosen.filter(started_at__date__gte=date.fromisoformat(filters.since))
    if filters.until:
        chosen = chosen.filter(started_at__date__lte=date.fromisoformat(filters.until))
    if filters.instructed != "any":
        empty = Q(instruction="")
        chosen = chosen.filter(empty if filters.instructed == "without" else ~empty)
    if filters.instruction:
        chosen = chosen.filter(instruction__icontains=filters.instruction)
    if filters.min_marks > 1:
        marked = tallies(filters, below).values("episode").annotate(n=Sum(F("progress") + F("regression")))
        chosen = chosen.filter(pk__in=marked.filter(n__gte=filters.min_marks).values("episode"))
    elif filters.min_marks:
        # Looked up episode by episode: PostgreSQL would compare each with all of two lists that are longer
        # than the memory that it has for one. Whoever submits an episode without a mark has said that
        # nothing in it was worth one.
        marked = Exists(tallies(filters, below).filter(episode=OuterRef("pk")))
        chosen = chosen.filter(marked | Exists(submissions(filters, below).filter(episode=OuterRef("pk"))))
    return chosen.order_by("started_at", "pk")


def _with_options(played: QuerySet[Episode], game: str, wanted: dict[str, Any]) -> QuerySet[Episode]:
    """Of a game's episodes those that were played with these options; one that an episode doesn't know is at
    its default. Few different ones are played: each is read once, not that of every episode.
    """
    if not wanted:
        return played
    said = Cast("options", TextField())
    texts = list(played.order_by().values_list(said, flat=True).distinct())
    fitting = [text for text in texts if _fits(game, json.loads(text), wanted)]
    return played if len(fitting) == len(texts) else played.alias(said=said).filter(said__in=fitting)


def _fits(game: str, played: dict[str, Any], wanted: dict[str, Any]) -> bool:
    known = games.spec(game).options

    def value(name: str) -> str:
        usual = known[name].default if name in known else None
        return json.dumps(played.get(name, usual), sort_keys=True)

    return all(value(name) == json.dumps(one, sort_keys=True) for name, one in wanted.items())


@dataclass(frozen=True)
class About:
    """What filters find in a game, as `counts` and `by_layout` say it; `sample`: from how many of the game's
    episodes it is estimated, None where all were counted. Of raters there are at least so many. `elsewhere`:
    episodes that pass but for their number of seats, layout or options.
    """

    counts: dict[str, int]
    layouts: list[dict[str, Any]]
    elsewhere: int
    sample: int | None = None


def about(filters: Filters) -> About:
    """How much the filters find, by a fair sample where the game has many episodes and they find enough in
    it: looking at all of them takes the longer the more there are.
    """
    if below := _sample(filters.game, SAMPLE):
        times = EVERY_ID / below.int  # ids are made by chance, so that this many of them are less
        chosen = episodes(filters, below)
        found = counts(filters, below, chosen)
        # What the sample has none of there may be a little of all the same.
        if found["episodes"] >= FEWEST and found["progress"] and found["regression"]:
            estimated = {name: n if name == "raters" else rough(n * times) for name, n in found.items()}
            layouts = [
                {name: n if name == "layout" else rough(n * times) for name, n in row.items()}
                for row in by_layout(filters, below)
            ]
            beside = _elsewhere(filters, chosen, found["episodes"], below)
            return About(estimated, layouts, rough(beside * times), SAMPLE)
    chosen = episodes(filters)
    found = counts(filters, None, chosen)
    return About(found, by_layout(filters), _elsewhere(filters, chosen, found["episodes"]))


def _elsewhere(filters: Filters, chosen: QuerySet[Episode], found: int, below: UUID | None = None) -> int:
    """How many episodes more than the so many `chosen` ones pass but for their number of seats, layout or
    options; where all were played with such options, that is the same query, and nothing is counted.
    """
    anywhere = episodes(filters, below, anywhere=True)
    same = anywhere.query.sql_with_params() == chosen.query.sql_with_params()
    return 0 if same else anywhere.count() - found


def find(filters: Filters, least: int) -> bool:
    """Whether the filters find so many episodes. A few of the game's are looked at first, then more."""
    for looked_at in (SAMPLE // 20, SAMPLE):
        if below := _sample(filters.game, looked_at):
            few = episodes(filters, below).order_by()
            if few[:least].count() >= least:
                return True
    return episodes(filters).order_by()[:least].count() >= least


def _sample(game: str, size: int) -> UUID | None:
    """The id below which so many of a game's episodes have theirs; None where it hasn't more than twice as
    many. As the first rows of an index say it: however many there are, no more are read.
    """
    ids = Episode.objects.filter(game=game).order_by("pk").values_list("pk", flat=True)
    return ids[size] if ids[2 * size : 2 * size + 1] else None


def rough(number: float) -> int:
    """To two digits."""
    return int(float(f"{number:.1e}"))


def counts(
    filters: Filters, below: UUID | None = None, found: QuerySet[Episode] | None = None
) -> dict[str, int]:
    """How much the filters find: episodes, marks (by sign), raters, how much of it is simulated, and how many
    marks are free; `below` as in `episodes`, which are `found` where they were asked for already.
    """
    found = episodes(filters, below) if found is None else found
    chosen = tallies(filters, below).filter(episode__in=found.order_by().values("pk"))
    both = F("progress") + F("regression")
    totals = chosen.aggregate(
        up=Coalesce(Sum("progress"), 0),
        down=Coalesce(Sum("regression"), 0),
        simulated=Coalesce(Sum(both, filter=Q(annotator__is_simulated=True)), 0),
        free=Coalesce(Sum(both, filter=FREE_TALLY), 0),
        raters=Count("annotator", distinct=True),
    )
    of_episodes = found.order_by().aggregate(
        episodes=Count("pk"),
        simulated_episodes=Count("pk", filter=Q(source="simulated")),
        people_episodes=Count("pk", filter=Q(source="people")),
    )
    return {
        **of_episodes,
        "marks": totals["up"] + totals["down"],
        "progress": totals["up"],
        "regression": totals["down"],
        "simulated_marks": totals["simulated"],
        "free_marks": totals["free"],
        "raters": totals["raters"],
    }


def by_layout(filters: Filters, below: UUID | None = None) -> list[dict[str, Any]]:
    """[{"layout", "episodes", "marks"}] of every layout that the other filters find episodes of, most marks
    first; empty in games without layouts; `below` as in `episodes`.
    """
    if games.spec(filters.game).variant is None:
        return []
    found = episodes(filters.but(layout="", seats=None), below).order_by()
    chosen = tallies(filters, below).filter(episode__in=found.values("pk"))
    marked = chosen.values("episode__options__layout").annotate(n=Sum(F("progress") + F("regression")))
    by_name = {row["episode__options__layout"]: row["n"] for row in marked}
    counted_by_name = found.values_list("options__layout").annotate(n=Count("pk"))
    rows = [
        {"layout": name, "episodes": episodes, "marks": by_name.get(name, 0)}
        for name, episodes in counted_by_name
    ]
    return sorted(rows, key=lambda row: -row["marks"])
