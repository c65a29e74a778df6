"""A site on which much has happened: matches of every game with several numbers of seats, waiting, running,
finished and left; words, marks, ratings, clips, a snapshot, a round, an agent. For tests that look at all of
it at once.

Everything is made by the functions that the pages and the hosts call; only the clock and the sockets are
left out.
"""

from __future__ import annotations

import uuid
from dataclasses import dataclass, field
from datetime import timedelta
from pathlib import Path
from typing import Any

from django.conf import settings
from django.utils import timezone

from engine import games
from engine.agents.catalogue import load
from engine.agents.policy import choose
from engine.games import stories
from engine.simulation.life import State
from engine.simulation.log import begin
from engine.simulation.simulation import Simulation
from tests.conftest import person
from tests.webapp.cast import simulated_episodes, small_network
from webapp.accounts.guests import make_guest
from webapp.accounts.models import SiteSettings, User
from webapp.agents import promotion, shipped
from webapp.agents.resolve import load_ref
from webapp.annotation import queue
from webapp.annotation.models import Flag, Gold, Mark
from webapp.datasets import snapshot_files, snapshots
from webapp.datasets.models import Snapshot
from webapp.datasets.selection import Filters
from webapp.episodes import clips
from webapp.episodes.models import Episode
from webapp.episodes.stores import log_store
from webapp.host import storage
from webapp.jobs.models import JobLine, JobMetric
from webapp.lobby.setup import Setup, create_match
from webapp.lobby.views.table import take_seat
from webapp.matches.models import Instruction, Match, Rating, Seat
from webapp.matches.start import start_match
from webapp.rounds import launch, presets
from webapp.rounds.models import Round
from webapp.studies.models import Study

FOUR_COOKS = "XXPXXX\nO1234O\nX    X\nXDXSXX\n"
# Options, and who sits where: a friend's seat is taken by Bea, where the match begins.
ROOMS: tuple[tuple[str, dict[str, Any], tuple[str, ...]], ...] = (
    ("hanabi", {"players": 2}, ("me", "agent:grounded-bot")),
    ("hanabi", {"players": 4, "lives": 2}, ("friend", "agent:grounded-bot", "me", "agent:grounded-bot")),
    ("overcooked", {"horizon": 60, "players": 2}, ("me", "agent:greedy")),
    (
        "overcooked",
        {"horizon": 60, "players": 4, "layout": FOUR_COOKS},
        ("friend", "agent:greedy", "agent:greedy", "me"),
    ),
    ("arena", {"teams": 2, "team_size": 1, "pace": "short"}, ("me", "agent:weak")),
    (
        "arena",
        {"teams": 2, "team_size": 2, "pace": "short"},
        ("friend", "agent:weak", "me", "agent:middle"),
    ),
    (
        "arena",
        {"teams": 3, "team_size": 2, "pace": "short"},
        ("me", "agent:weak", *["agent:weak"] * 4),
    ),
)
SAID = {
    "hanabi": ("if I hint you a colour, play those cards", "discard your oldest card", "flub the wug"),
    "overcooked": ("you do onions, I serve", "bring me a dish", "flub the wug"),
    "arena": ("follow me", "hold here", "flub the wug"),
}
STATES = (Match.WAITING, Match.PLAYING, Match.FINISHED, Match.ABANDONED)
LEFT_AFTER = {"hanabi": 6, "overcooked": 20, "arena": 40}  # ticks
MOST = 20_000  # ticks


@dataclass
class World:
    """Who is there, and the matches by (game, seats, state)."""

    people: dict[str, User]
    matches: dict[tuple[str, int, str], Match] = field(default_factory=dict)


def build() -> World:
    """Make all of it, in the present database and files."""
    shipped.sync()
    site = SiteSettings.current()
    site.guest_play = True
    site.save()
    world = World({name: person(name, *roles) for name, *roles in CAST})
    world.people["guest"] = make_guest()
    pia, bea, anna = (world.people[name] for name in ("pia", "bea", "anna"))
    Study.objects.update(overlap=3, random_share=0)  # the same each time
    for number, (game, options, wishes) in enumerate(ROOMS):
        for turn, state in enumerate(STATES):
            match = new_match(game, options, wishes, pia, told=(number + turn) % 3)
            bring(match, state, bea)
            world.matches[game, len(wishes), state] = match
    for match in world.matches.values():
        if match.status in (Match.FINISHED, Match.ABANDONED):
            after_it(match, pia, anna)
    for game in games.names():
        if study := Study.objects.filter(game=game, active=True).first():
            queue.hand_out(study, anna)
    closed = new_match("hanabi", {"players": 2}, ("me", "friend"), pia, told=0)
    Match.objects.filter(pk=closed.pk).update(created_at=timezone.now() - timedelta(days=2))
    storage.close_waiting()
    closed.refresh_from_db()
    world.matches["hanabi", 2, Match.CLOSED] = closed
    learn(world.people["adam"], anna)
    return world


CAST = (
    ("pia", "player"),
    ("bea", "player"),
    ("otto", "player"),
    ("anna", "annotator"),
    ("adam", "admin"),
)


# --- Matches -----------------------------------------------------------------------------------------------


def new_match(game: str, options: dict[str, Any], wishes: tuple[str, ...], user: User, told: int) -> Match:
    """A waiting match in which nobody, one or many were told something."""
    complete = games.spec(game).validate(options)
    said = {"instruction": SAID[game][0], "confirmed": True} if told else {}
    match = create_match(Setup(game=game, options=complete, wishes=list(wishes), **said), user)
    if told > 1:
        agents = [seat.index for seat in match.seats.all() if seat.kind == Seat.AGENT]
        own = match.seats.get(user=user).index
        for text, target, status in (
            (SAID[game][1], agents[-1], State.WITHDRAWN),
            (SAID[game][2], None, State.UNREAD),
        ):
            Instruction.objects.create(
                match=match, user=user, seat=own, target_seat=target, tick=0, text=text, status=status
            )
    return match


def bring(match: Match, state: str, friend: User) -> None:
    """Let a waiting match come to this state."""
    if state == Match.WAITING:
        if not match.seats.filter(kind=Seat.OPEN).exists():  # as if its last guest hadn't come yet
            match.seats.filter(index=len(match.seats.all()) - 1).update(kind=Seat.OPEN, agent=None, alias="")
        return
    if match.seats.filter(kind=Seat.OPEN).exists():
        take_seat(match, friend)
    else:
        start_match(match)
    match.refresh_from_db()
    play(match, MOST if state == Match.FINISHED else LEFT_AFTER[match.game], state)
    match.refresh_from_db()


def play(match: Match, ticks: int, state: str) -> None:
    """So many ticks, or to the end; people play like the agents beside them. In the middle somebody speaks,
    is away and comes back.
    """
    log = log_store().read(match.pk)
    sim = begin(log)
    seats = list(match.seats.all())
    agents = [seat.agent for seat in seats if seat.agent]
    by_seat = [load(load_ref(seat.agent or agents[0]), match.game, sim.options) for seat in seats]
    person_seat = next(seat.index for seat in seats if seat.user_id)
    whose: dict[str, Any] = {"seat": person_seat}
    records: list[dict[str, Any]] = [{"type": "utterance", "tick": 0, **whose, "text": "hello <b>you</b>"}]
    away = {"kind": "agent", "name": agents[0].name, "agent": agents[0].ref, "left": state == Match.ABANDONED}
    chosen: list[Any] = []
    while not sim.over and sim.tick < ticks:
        if sim.tick == 3:
            records.append({"type": "control", "tick": 3, **whose, "controller": away})
        if sim.tick == 5 and state != Match.ABANDONED:
            records.append({"type": "control", "tick": 5, **whose, "controller": {"kind": "person"}})
        if sim.tick % sim.spec.decision_ticks == 0:
            chosen = decided(sim, by_seat)
        joint = [sim.resolve(seat, one) for seat, one in enumerate(chosen)] if sim.spec.heads else chosen
        records.append({"type": "step", "tick": sim.tick, "actions": joint})
        sim.step(joint)
        if not sim.spec.turn_based:
            records[-1]["by"] = ["person" if seat.user_id else "agent" for seat in seats]
    log_store().append(match.pk, records)
    if state == Match.PLAYING:
        Episode.objects.filter(pk=match.pk).update(ticks=sim.tick)
        return
    end = {"type": "end", "tick": sim.tick, "score": sim.score, "digest": sim.digest()}
    end |= {
        "outcomes": stories.outcomes(match.game, sim.view(None)),
        "reason": "finished" if sim.over else "abandoned",
    }
    log_store().append(match.pk, [end])
    storage.close(match.pk, end)


def decided(sim: Simulation, by_seat: list[Any]) -> list[Any]:
    """What every seat chooses now: an action id, or heads."""
    movers = list(range(sim.seats)) if sim.current is None else [sim.current]
    chosen: list[Any] = [sim.idle(seat) if not sim.spec.heads else None for seat in range(sim.seats)]
    for policy in {id(one): one for one in by_seat}.values():
        seats = [seat for seat in movers if by_seat[seat] is policy]
        if seats:
            found = choose(policy.logits([sim] * len(seats), seats), heads=sim.spec.heads)
            for seat, action in zip(seats, found, strict=True):
                chosen[seat] = action
    return chosen


# --- After them --------------------------------------------------------------------------------------------


def after_it(match: Match, player: User, annotator: User) -> None:
    """Ratings, marks, a flag, a clip."""
    own = match.seats.get(user=player).index
    other = next(seat.index for seat in match.seats.all() if seat.index != own)
    if len(match.seats.all()) > 2:  # in the others it is still to be said how it was
        match.seats.filter(user=player).update(revealed_at=timezone.now())
    said = {"partner_seat": other, "partner": 5, "comment": "nice <i>game</i>"}
    Rating.objects.create(episode=match.episode, seat=own, user=player, **said)
    for who, tick, sign in ((player, 2, 1), (annotator, 3, -1), (annotator, 4, 1)):
        if tick <= match.episode.ticks:
            where = {"episode": match.episode, "seat": other, "tick": tick}
            Mark.objects.create(id=uuid.uuid4(), annotator=who, sign=sign, note="n", **where)
    Flag.objects.create(episode=match.episode, user=player, note="Looks odd")
    clips.create(player, match.episode, {"first": 0, "last": 2, "view": "open", "format": "gif"}).delete()


def learn(admin: User, annotator: User) -> None:
    """Simulated episodes with marks, a snapshot of them, a round with its jobs and candidate, a promotion."""
    base = small_network()
    simulated = simulated_episodes(base, count=3)
    Gold.objects.create(
        study=Study.objects.filter(game="hanabi").first(),
        episode=simulated[0],
        marks=[{"seat": 1, "tick": 3, "sign": 1}],
        created_by=admin,
    )
    folder = Path(settings.SNAPSHOTS_DIR) / str(uuid.uuid4())
    snapshot_files.write(
        Filters(game="hanabi", simulated_episodes=True, simulated_marks=True),
        folder,
        lambda done, total: None,
    )
    snapshots.register(folder.name, admin)
    given = {
        "data": {"simulated_episodes": True, "simulated_marks": True, "seats": 2},
        **presets.values("tiny"),
    }
    one = launch.create(base, given, admin, "Hint better")
    job = one.jobs.order_by("position").first()
    JobLine.objects.create(job=job, text="It begins.")
    JobMetric.objects.create(job=job, step=1, values={"loss": 0.5})
    one.snapshot, one.candidate = Snapshot.objects.get(), small_network("next", seed=2)
    one.save()
    assert Round.objects.count() == 1
    promotion.promote(small_network("better", seed=3), reason="It is better.", user=admin)
