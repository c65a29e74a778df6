"""Published games of people: taken in as episodes, shipped with a fresh site, deleted again.

What a game's formats are, and that a game is as recorded, says its folder (engine.games.people). Not for:
episodes of another Coplay (webapp.datasets.importing), pages (views.recorded).
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from django.db import IntegrityError, transaction
from django.utils import timezone

from engine import brings, games
from engine.games import people, stories
from engine.games.people import Format, Played, Source
from engine.refusal import Refusal
from engine.simulation.log import header_of
from webapp.accounts.absent import ABSENT, absent
from webapp.accounts.models import AuditEvent, User
from webapp.annotation.models import Mark
from webapp.common.templatetags.titles import game_title
from webapp.episodes import clips
from webapp.episodes.models import Collected, Episode
from webapp.episodes.origins import SOURCE
from webapp.episodes.stores import log_store
from webapp.jobs import steps
from webapp.jobs.models import Job
from webapp.matches.models import Rating

DELETED = "people's games deleted"


def take(form: Format, path: Path | str) -> dict[str, Any]:
    """Take a file in: {"imported", "already": how many games, "skipped": sentences that name a row and say
    why, "renamed": sentences about other games of the same id}. A game that is here already stays as it is.
    Raises OSError for a file that can't be read.
    """
    found: dict[str, Any] = {"imported": 0, "already": 0, "skipped": [], "renamed": []}
    for row in form.games_of(path, found["skipped"].append):
        identity, content = people.identity_of(row), people.content_of(row)
        known = Episode.objects.filter(pk=form.episode(identity)).first()
        if known and known.origin.get("content", content) != content:
            # Another game of the same name, as the next site may have one.
            named, identity = identity, f"{identity}-{content}"
            known = Episode.objects.filter(pk=form.episode(identity)).first()
            if not known:
                said = f"Game {named[:40]} is another one than is here by that id: it is {identity[:60]}."
                found["renamed"].append(said)
        if known:
            found["already"] += 1
            continue
        try:
            one = people.replayed(form, row)
            keep(form, replace(one, id=identity), content)
            found["imported"] += 1
        except Refusal as why:
            found["skipped"].append(f"Game {identity[:40]}: {why}")
        except IntegrityError:
            # Another process takes the same games in, as two do at a first start.
            if not Episode.objects.filter(pk=form.episode(identity)).exists():
                raise
            found["already"] += 1
    return found


@transaction.atomic
def keep(form: Format, one: Played, content: str) -> Episode:
    """The episode of a game that was played again: its log, then its rows."""
    sim, origin = one.simulation, form.origin(one) | {"content": content}
    when = one.when or (datetime(form.source.year, 1, 1, tzinfo=UTC) if form.source.year else timezone.now())
    episode = Episode.objects.create(
        id=form.episode(one.id),
        game=sim.game,
        rules_version=str(sim.rules_version),
        options=sim.options,
        seats=one.seats,
        status=Episode.FINISHED,
        ticks=sim.tick,
        score=sim.score,
        digest=sim.digest(),
        outcomes=stories.outcomes(sim.game, sim.view(None)),
        source=SOURCE,
        origin=origin,
        started_at=when,
        finished_at=when,
    )
    users = {seat["name"]: absent(seat["name"]) for seat in one.seats if seat["kind"] == "person"}
    episode.players.set(users.values())
    for rating in one.ratings:
        said = {name: rating[name] for name in ("seat", "partner_seat", "partner")}
        user = users[one.seats[rating["seat"]]["name"]]
        Rating.objects.create(episode=episode, user=user, created_at=when, **said)
    store = log_store()
    if store.exists(episode.pk):  # of an import that was cut off after its append
        store.delete(episode.pk)
    store.append(episode.pk, _records(episode, one))
    return episode


def _records(episode: Episode, one: Played) -> Iterator[dict[str, Any]]:
    sim = one.simulation
    header = header_of(sim, str(episode.pk), one.seats) | {"origin": episode.origin}
    clock = sim.spec.clock(sim.options)
    yield header if clock is None else {**header, "ticks_per_second": clock}
    for tick, joint in enumerate(sim.actions):
        yield {"type": "step", "tick": tick, "actions": joint}
    end = {"type": "end", "tick": sim.tick, "score": sim.score, "digest": episode.digest}
    yield end | {"outcomes": episode.outcomes, "reason": one.ended or "finished"}


def ship(game: str) -> int:
    """Take in the games that a game ships; how many were new. None that an admin has deleted comes back."""
    path, own = games.folder(game) / people.SHIPPED, brings.Recorded.of(game).FORMATS
    if not path.is_file() or not own:
        return 0
    if AuditEvent.objects.filter(verb=DELETED, detail__format=own[0].name).exists():
        return 0
    return take(own[0], path)["imported"]


def collections() -> list[dict[str, Any]]:
    """What is here, by format and source: [{"format", "title", "source", "games", "kinds": [{"kind", "label",
    "games"}]}].
    """
    known, found = people.formats(), {}
    rows = Collected.objects.filter(number__gt=0).values_list("told", "number")
    for (game, name, kind, *told), number in sorted(rows, key=lambda row: list(map(str, row[0]))):
        source = Source(*told)
        one = {"format": name, "title": game_title(game), "source": source, "games": 0, "kinds": []}
        one = found.setdefault((name, source), one)
        label = known[name][1].label(kind) if name in known else kind
        one["games"] += number
        one["kinds"].append({"kind": kind, "label": label, "games": number})
    return list(found.values())


@transaction.atomic
def delete(name: str, user: User | None) -> dict[str, int]:
    """Delete what was imported in a format: games, logs, marks, ratings and the pseudonyms that nothing else
    names; {"games", "marks"} that are gone. Snapshots keep the copies that are frozen in their files.
    """
    rows = Episode.objects.filter(source=SOURCE, origin__format=name)
    ids = list(rows.values_list("pk", flat=True))
    marks = Mark.objects.filter(episode__in=rows)
    gone = {"games": len(ids), "marks": marks.filter(deleted=False).count()}
    people_of = list(User.objects.filter(ABSENT, episodes__in=rows).distinct())
    marks.delete()
    for job in Job.objects.filter(kind=clips.KIND, settings__episode__in=[str(pk) for pk in ids]):
        with suppress(Refusal):  # one that is being made finds nothing any more
            clips.remove(job, steps.folder(job))
    rows.delete()
    for one in people_of:
        if not one.episodes.exists() and not one.marks.exists():
            one.delete()
    AuditEvent.objects.create(user=user, verb=DELETED, detail={"format": name, **gone})
    transaction.on_commit(lambda: [log_store().delete(pk) for pk in ids])
    return gone
