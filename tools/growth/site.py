"""A site with many episodes, marks and raters, written row by row: months of a lab's work in a minute.

Two games' episodes, three fifths of them marked by two raters each; matches, instructions, gold, flags,
looks, worth, rounds, audit. Every log is that of one real game under another id, so that snapshots can be
made. Not for: what tests look at (tests/webapp/world.py), which is made by the functions of the pages.
"""

from __future__ import annotations

import random
import uuid
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, fields
from datetime import datetime, timedelta
from itertools import islice
from pathlib import Path
from typing import Any

from django.conf import settings
from django.contrib.auth.models import Group
from django.db import connection, models, transaction
from django.utils import timezone

from engine import games
from engine.games.people import Source
from engine.learning.parts.sides import round_options
from engine.simulation.life import State
from engine.simulation.log import encode_line
from tools.growth import loading
from webapp.accounts.models import ROLES, AuditEvent, User
from webapp.agents import shipped
from webapp.agents.models import Agent
from webapp.agents.resolve import why_not
from webapp.annotation import agreement
from webapp.annotation.models import Assignment, Flag, Gold, Look, Mark, Worth
from webapp.common import bulk
from webapp.episodes import simulated
from webapp.episodes.models import Episode
from webapp.episodes.stores import log_store
from webapp.jobs.models import Job
from webapp.matches.models import Instruction, Match, Rating, Seat
from webapp.rounds import kinds, presets
from webapp.rounds.models import Round
from webapp.studies.models import Study

RATERS, PLAYERS, SIMULATED_RATERS = 240, 200, 20
DAYS = 60  # over which all of it happened
AT_ONCE = 5000
SOURCES = ("play",) * 5 + ("people",) * 2 + ("simulated",) * 3
# Of games of people elsewhere.
ORIGIN = {"format": "bench", "kind": "bench"} | {field.name: "" for field in fields(Source)} | {"year": 2026}
CONTEXT = {"input": "key", "playing": False, "speed": 1, "tool": 4}
MARK = [field.name for field in bulk.columns(Mark)]
KINDS = (
    *(Episode, Match, Seat, Instruction, Rating, Assignment, Mark, Worth),
    *(Episode.players.through, Episode.agents.through),
)
FEW, MANY = 50, 2000  # gold, rounds, flags; events of the audit


@dataclass
class Site:
    """Who looks at it and at what."""

    admin: User
    annotator: User
    player: User
    study: Study
    episode: Episode  # one that is marked


@dataclass
class Game:
    """What its episodes have in common."""

    study: Study
    like: Episode
    log: str  # but for its header
    header: dict[str, Any]
    agent: Agent


def build(episodes: int, marks: int, seed: int = 0) -> Site:
    """Fill the present, empty database and its files."""
    rng = random.Random(seed)
    shipped.sync()
    people = _people()
    # One episode in ten is of another game.
    played = [_game(study) for study in Study.objects.order_by("pk")[:2]]
    rows = Rows(rng, played, people, marks / max(1, 1.2 * episodes))
    with loading.loading(KINDS):
        for batch in batched(rows.episodes(episodes), AT_ONCE):
            rows.write(batch)
    with transaction.atomic():
        rows.few()
    for game in played:  # as a worker does
        while agreement.compare(game.study, AT_ONCE):
            pass
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute("VACUUM ANALYZE")  # as the server does by itself
    held = Assignment.objects.select_related("annotator", "episode").order_by("pk").first()
    admin, player = people["admins"][0], people["players"][0]
    return Site(admin, held.annotator, player, played[0].study, held.episode)


def batched(rows: Iterable[Any], size: int) -> Iterator[list[Any]]:
    rows = iter(rows)
    while batch := list(islice(rows, size)):
        yield batch


def _people() -> dict[str, list[User]]:
    """{"admins", "annotators", "players", "simulated"}."""
    groups = {role: Group.objects.get_or_create(name=role)[0] for role in ROLES}
    found = {}
    for kind, count in (
        ("admin", 1),
        ("annotator", RATERS),
        ("player", PLAYERS),
        ("simulated", SIMULATED_RATERS),
    ):
        users = [
            User(username=f"{kind}-{n}", password="!", is_simulated=kind == "simulated") for n in range(count)
        ]
        found[kind if kind == "simulated" else f"{kind}s"] = User.objects.bulk_create(users)
        group = groups["annotator" if kind == "simulated" else kind]
        through = User.groups.through
        through.objects.bulk_create([through(user_id=user.pk, group_id=group.pk) for user in users])
    return found


def _game(study: Study) -> Game:
    """One real game of what the study is about, as its trained agents play it."""
    base = next(one for one in Agent.objects.filter(kind="network", game=study.game).order_by("ref"))
    options = games.spec(study.game).validate(round_options(study.game, base.card))
    bots = Agent.objects.filter(kind="scripted", game=study.game).order_by("ref")
    bot = next(one for one in bots if not why_not(one, options))
    [like] = simulated.simulate(study.game, 1, [bot.ref], options=options)
    log = log_store().read(like.pk)
    return Game(study, like, "".join(map(encode_line, log.records)), log.header, bot)


class Rows:
    """All rows of a batch of episodes, from one stream of random numbers."""

    def __init__(
        self, rng: random.Random, played: list[Game], people: dict[str, list[User]], per_rater: float
    ) -> None:
        self.rng, self.played, self.people, self.per_rater = rng, played, people, per_rater
        self.now = timezone.now()
        self.folder = Path(settings.EPISODES_DIR)

    def new_id(self) -> uuid.UUID:
        return uuid.UUID(int=self.rng.getrandbits(128), version=4)

    def episodes(self, count: int) -> Iterator[tuple[int, Game, Episode]]:
        """Their number, game and row, oldest first."""
        for number in range(count):
            game = self.played[number % 10 == 9 and len(self.played) > 1]
            at = self.now - timedelta(days=DAYS) * (1 - number / count)
            like, source = game.like, SOURCES[self.rng.randrange(len(SOURCES))]
            episode = Episode(
                id=self.new_id(),
                **{name: getattr(like, name) for name in ("game", "rules_version", "options", "seats")},
                **{name: getattr(like, name) for name in ("ticks", "score", "digest", "outcomes")},
                status=Episode.FINISHED if number % 100 else Episode.ABANDONED,
                instruction="please play your newest card" if number % 5 == 0 else "",
                source=source,
                origin=ORIGIN | {"id": str(number)} if source == "people" else {},
                started_at=at,
                finished_at=at + timedelta(minutes=5),
            )
            yield number, game, episode

    def write(self, batch: list[tuple[int, Game, Episode]]) -> None:
        made: dict[type[models.Model], list[Any]] = {kind: [] for kind in KINDS}
        for number, game, episode in batch:
            made[Episode].append(episode)
            made[Episode.agents.through].append(
                Episode.agents.through(episode_id=episode.pk, agent_id=game.agent.pk)
            )
            if episode.source == "play":
                self._match(number, game, episode, made)
            # Marked ones were made before those that wait.
            if number % 5 < 3:
                self._marked(game, episode, made)
            elif number % 2:
                worth = {"value": self.rng.random(), "round": 1, "seen": self.now}
                made[Worth].append(Worth(episode_id=episode.pk, **worth))
            own = {"origin": episode.origin} if episode.origin else {}
            header = encode_line({**game.header, "episode": str(episode.pk), **own})
            (self.folder / f"{episode.pk}.jsonl").write_text(header + game.log)
        marks = made.pop(Mark)
        for kind, rows in made.items():
            bulk.put(kind, map(bulk.prepared, rows))
        bulk.put(Mark, marks)

    def _match(self, number: int, game: Game, episode: Episode, made: dict[type, list[Any]]) -> None:
        player = self.people["players"][number % PLAYERS]
        made[Episode.players.through].append(
            Episode.players.through(episode_id=episode.pk, user_id=player.pk)
        )
        match = Match(
            id=episode.pk,
            **{"game": episode.game, "options": episode.options, "seed": number, "created_by": player},
            **{"created_at": episode.started_at, "started_at": episode.started_at},
            **{"status": Match.FINISHED, "finished_at": episode.finished_at, "episode_id": episode.pk},
        )
        made[Match].append(match)
        for index in range(len(episode.seats)):
            person = {"kind": Seat.PERSON, "user": player}
            who = {"kind": Seat.AGENT, "agent": game.agent} if index else person
            made[Seat].append(Seat(match_id=match.pk, index=index, **who))
        if episode.instruction:
            said = {"seat": 0, "target_seat": 1, "tick": 0, "text": episode.instruction}
            made[Instruction].append(
                Instruction(match_id=match.pk, user=player, **said, status=State.CONFIRMED, reading={})
            )
        if number % 2:
            rated = {"seat": 0, "partner_seat": 1, "partner": 4, "created_at": episode.finished_at}
            made[Rating].append(Rating(episode_id=episode.pk, user=player, **rated))

    def _marked(self, game: Game, episode: Episode, made: dict[type, list[Any]]) -> None:
        """By two annotators who were handed it, or by simulated ones who weren't."""
        at = episode.finished_at or self.now
        if episode.source == "simulated":
            raters, handed = self.people["simulated"], False
        else:
            raters, handed = self.people["annotators"], True
        for rater in self.rng.sample(raters, 2):
            if handed:
                times = {"handed_at": at, "expires_at": at, "closed_at": at, "final_at": at}
                row = {"study": game.study, "episode_id": episode.pk, "annotator": rater, **times}
                made[Assignment].append(Assignment(id=self.new_id(), status=Assignment.SUBMITTED, **row))
            count = int(self.per_rater + self.rng.random())
            places = range(len(episode.seats) * episode.ticks)
            made[Mark] += self._marks(
                episode, rater, self.rng.sample(places, min(count, len(places))), at, handed
            )

    def _marks(
        self, episode: Episode, rater: User, places: list[int], at: datetime, handed: bool
    ) -> Iterator[tuple[Any, ...]]:
        """One at each place, as the database takes them: all that they have in common is prepared once."""
        times = {"made_at": at, "created_at": at, "updated_at": at}
        like = Mark(id=self.new_id(), episode_id=episode.pk, annotator=rater, context=CONTEXT, **times)
        row = dict(zip(MARK, bulk.prepared(like), strict=True))
        for place in places:
            tick, seat = divmod(place, len(episode.seats))
            row |= {"seat": seat, "tick": tick + 1, "sign": 1 if self.rng.random() < 0.6 else -1}
            row["id"] = self.new_id().hex
            row["submitted"] = row["revision"] if handed else None
            yield (*row.values(),)

    def few(self) -> None:
        """What there is little of: gold, flags, looks, rounds; the audit."""
        admin, study = self.people["admins"][0], self.played[0].study
        Study.objects.filter(pk=study.pk).update(gold_every=10, random_share=50, show_gold_results=True)
        finished = Episode.objects.filter(game=study.game, status=Episode.FINISHED)
        some = list(finished.filter(assignments__isnull=False).distinct().order_by("started_at")[: 2 * FEW])
        known = [{"seat": 0, "tick": 1, "sign": 1}]
        Gold.objects.bulk_create(
            [Gold(study=study, episode=one, marks=known, created_by=admin) for one in some[:FEW]]
        )
        Assignment.objects.filter(study=study, episode__in=some[:FEW]).update(is_gold=True)
        Flag.objects.bulk_create([Flag(episode=one, user=admin, note="odd") for one in some])
        Look.objects.bulk_create([Look(episode=one, user=admin) for one in some])
        base = next(one for one in Agent.objects.filter(kind="network", game=study.game).order_by("ref"))
        data = {"data": {"game": study.game}, **presets.values("usual", study.game)}
        for number in range(1, FEW + 1):
            one = Round.objects.create(
                number=number, game=study.game, base_agent=base, settings=data, decision="discarded"
            )
            done = {"state": Job.COMPLETED, "finished_at": self.now}
            Job.objects.bulk_create(
                Job(round=one, kind=kind, position=n, **done)
                for n, kind in enumerate(kinds.PIPELINES[kinds.MARKS])
            )
        AuditEvent.objects.bulk_create(
            [AuditEvent(user=admin, verb="bench", detail={"n": n}) for n in range(MANY)]
        )
