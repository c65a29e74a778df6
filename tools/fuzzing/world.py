"""A site on which something has happened, for odd input to meet: people of every role, and of every game
matches that wait, run, are finished and were left, marks, a clip, a snapshot, a round with its jobs.

Everything goes through the functions that pages and hosts call. For an empty database of one's own only.
"""

from __future__ import annotations

import uuid
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path
from typing import Any

from django.conf import settings
from django.utils import timezone

from engine import games
from engine.evaluation.annotators import Annotator
from engine.games import stories
from engine.games.pages import AGENT, ME
from engine.simulation.log import begin
from webapp.accounts.models import Invitation, SignInLink, SiteSettings, User
from webapp.agents import shipped
from webapp.agents.models import Agent
from webapp.agents.resolve import why_not
from webapp.annotation import queue
from webapp.annotation.models import Flag, Mark
from webapp.annotation.simulated import annotate_with
from webapp.datasets import snapshot_files, snapshots
from webapp.datasets.selection import Filters
from webapp.episodes import clips, simulated
from webapp.episodes.stores import log_store
from webapp.host import storage
from webapp.jobs.models import Job, JobLine, JobMetric
from webapp.lobby.setup import FRIEND, Setup, create_match
from webapp.lobby.views.table import take_seat
from webapp.matches.access import copilot_seats
from webapp.matches.models import Match, Seat
from webapp.matches.start import agents_for, start_match
from webapp.rounds import launch, presets
from webapp.studies import first as studies
from webapp.studies.models import Study

ROLES = {
    "player": ["player"],
    "second": ["player"],
    "other": ["player"],
    "annotator": ["annotator"],
    "admin": ["admin"],
}
STATES = (Match.WAITING, Match.PLAYING, Match.FINISHED, Match.ABANDONED)
LEFT_AFTER = 8  # ticks
LONGEST = 20_000  # ticks


@dataclass
class World:
    people: dict[str, User]
    """By the names of ROLES."""


def cast() -> World:
    """The people and the shipped agents alone."""
    shipped.sync()
    site = SiteSettings.current()
    site.guest_play = True
    site.save()
    return World({name: _person(name, roles) for name, roles in ROLES.items()})


def build() -> World:
    world = cast()
    admin = world.people["admin"]
    studies.ensure()
    for game in games.names():
        for state in STATES:
            _match(world, game, state)
    _learn(admin)
    for study in Study.objects.filter(active=True):
        queue.hand_out(study, world.people["annotator"])
    new_tokens()
    return world


def new_tokens() -> list[str]:
    """Of an invitation and of the player's sign-in link, made here: nobody can read those of older ones. None
    where nobody is.
    """
    users = [User.objects.filter(username=f"fuzz-{name}").first() for name in ("admin", "player")]
    if None in users:
        return []
    admin, player = users
    ends = timezone.now() + timedelta(days=1)
    invitation = Invitation.objects.create(
        roles=["player"], uses_left=1000, created_by=admin, expires_at=ends
    )
    return [invitation.token, SignInLink.objects.create(user=player, expires_at=ends).token]


def mend(world: World) -> None:
    """People are as they were, whatever they have done to their accounts."""
    for name, roles in ROLES.items():
        user = world.people[name]
        user.refresh_from_db()
        if not user.is_active or user.roles != set(roles):
            user.is_active = True
            user.save()
            user.set_roles(set(roles))


def _person(name: str, roles: list[str]) -> User:
    user = User.objects.create_user(f"fuzz-{name}", first_name=name)
    user.set_roles(set(roles))
    return user


def wishes_of(game: str, friend: bool) -> tuple[dict[str, Any], list[str]]:
    """The options of a small match of a game, and who sits where: somebody, perhaps a friend, agents."""
    spec = games.spec(game)
    lengths = spec.options["horizon"].choices if "horizon" in spec.options else ()
    short = {"horizon": 60 if 60 in lengths else min(lengths)} if lengths else {}
    options = spec.validate(short)
    bot = AGENT + quick_agent(game, options)
    others = [FRIEND] if friend else []
    return options, [ME, *others, *[bot] * (spec.seats(options) - 1 - len(others))]


def quick_agent(game: str, options: dict[str, Any]) -> str:
    """The ref of a scripted agent, where there is one."""
    scripted = Agent.objects.filter(game=game, kind="scripted").order_by("ref")
    fitting = (bot for bot in scripted if not why_not(bot, options))
    chosen = next(fitting, None) or agents_for(game, options)[0]
    return chosen.ref


def new_match(world: World, game: str, wishes: list[str], options: dict[str, Any], **fields: Any) -> Match:
    """A match of the player, begun if no seat waits."""
    match = create_match(Setup(game=game, options=options, wishes=wishes, **fields), world.people["player"])
    if FRIEND not in wishes:
        start_match(match)
    return match


def _match(world: World, game: str, state: str) -> None:
    # Some with a second person, others with an agent in every other seat.
    options, wishes = wishes_of(game, state in (Match.WAITING, Match.FINISHED))
    match = new_match(world, game, wishes, options)
    if state == Match.WAITING:
        return
    if match.status == Match.WAITING:
        take_seat(match, world.people["second"])
    if seat := next(iter(copilot_seats(match)), None):
        Seat.objects.filter(pk=seat.pk).update(copilot=world.people["other"])
    if state == Match.PLAYING:
        return
    match.refresh_from_db()
    _play(match, LONGEST if state == Match.FINISHED else LEFT_AFTER)
    for sign, name in ((1, "player"), (-1, "annotator")):
        who = world.people[name]
        Mark.objects.create(id=uuid.uuid4(), episode_id=match.pk, annotator=who, seat=1, tick=2, sign=sign)
    match.refresh_from_db()
    Flag.objects.create(episode=match.episode, user=world.people["player"], note="odd")
    asked = {"first": 0, "last": 2, "view": "open", "format": "gif"}
    clip = clips.create(world.people["player"], match.episode, asked)
    Job.objects.filter(pk=clip.pk).update(state=Job.CANCELLED)


def _play(match: Match, ticks: int) -> None:
    """So many ticks, or to the end; everybody does the first thing that is allowed, or nothing."""
    sim = begin(log_store().read(match.pk))
    records = []
    while not sim.over and sim.tick < ticks:
        joint = [sim.idle(seat) for seat in range(sim.seats)]
        if sim.current is not None:
            joint[sim.current] = int(sim.legal(sim.current).argmax())
        records.append({"type": "step", "tick": sim.tick, "actions": joint})
        sim.step(joint)
    end = {"type": "end", "tick": sim.tick, "score": sim.score, "digest": sim.digest()}
    end |= {
        "outcomes": stories.outcomes(match.game, sim.view(None)),
        "reason": "finished" if sim.over else "abandoned",
    }
    log_store().append(match.pk, [*records, end])
    storage.close(match.pk, end)


def _learn(admin: User) -> None:
    """A snapshot of simulated episodes, and a round on them, of a game whose games are short."""
    game = next(name for name in games.names() if games.spec(name).turn_based)
    base = Agent.objects.filter(kind="network", game=game).order_by("ref")[0]
    options = {"players": launch.seats_of(base) or 2}
    bot = quick_agent(game, games.spec(game).validate(options))
    for episode in simulated.simulate(game, 3, [bot], seed=1, options=options):
        annotate_with(episode, [Annotator("fuzz")])
    folder = Path(settings.SNAPSHOTS_DIR) / str(uuid.uuid4())
    snapshot_files.write(
        Filters(game=game, simulated_episodes=True, simulated_marks=True), folder, lambda done, total: None
    )
    snapshot = snapshots.register(folder.name, admin)
    begun = launch.create(
        base, {"data": {"simulated_episodes": True, "simulated_marks": True}, **presets.values("tiny")}, admin
    )
    begun.snapshot = snapshot
    begun.save()
    job = begun.jobs.order_by("position")[0]
    JobLine.objects.create(job=job, text="It begins.")
    JobMetric.objects.create(job=job, step=1, values={"loss": 0.5})
