"""Starting a match: agents are looked up, the episode begins, its log gets a header. Not for playing it
(host/).
"""

from __future__ import annotations

import contextlib
import random

from django.db import transaction
from django.db.models import Q, QuerySet
from django.utils import timezone

from engine import games, language
from engine.agents.catalogue import load
from engine.agents.policy import check_fits
from engine.games import first as firsts
from engine.refusal import Refusal
from engine.simulation.life import State
from engine.simulation.log import header_of
from engine.simulation.simulation import Simulation
from webapp.agents.models import Agent, Alias
from webapp.agents.promotion import CANDIDATE
from webapp.agents.resolve import load_ref, resolve, short
from webapp.episodes import people
from webapp.episodes.models import Episode
from webapp.episodes.stores import log_store
from webapp.language.readings import read, status
from webapp.matches.models import Instruction, Match, Seat
from webapp.studies.models import Study

SURPRISE = "surprise"
DEFAULT_TICKS_PER_SECOND = 6
DULL = ("random", "idle", "peaceful", "stay", "zoo-", "beginner", "leader-")


def variant_of(game: str, options: dict) -> str:
    """The variant for which learned agents are made: the layout; "" in games with one set of agents."""
    variant = games.spec(game).variant
    return variant(options) if variant else ""


def clock_of(match: Match) -> float | None:
    """Ticks a second of a match that starts now: the game's own where it takes an input every tick, else in
    real time what its options ask for, else the admin's choice for the game.
    """
    spec = games.spec(match.game)
    if spec.heads:
        return int(spec.ticks_per_second or 0)
    if not match.ticks_per_second:
        return match.ticks_per_second
    if clock := spec.clock(match.options):
        return clock
    study = Study.objects.filter(game=match.game, active=True).order_by("pk").first()
    return study.ticks_per_second if study else DEFAULT_TICKS_PER_SECOND


def offered() -> QuerySet[Agent]:
    """The agents that players are offered: not what a round has made and nobody has promoted, except where a
    study says that its game's candidate is to be played with.
    """
    studied = Study.objects.filter(active=True, offers_candidate=True).values("game")
    worn = Alias.objects.exclude(name=CANDIDATE).values("agent")
    decided = Q(round=None) | Q(round__decision="promoted") | Q(pk__in=worn)
    return Agent.objects.filter(decided | Q(round__decision="", game__in=studied), retired=False)


def agents_for(game: str, options: dict) -> list[Agent]:
    """Agents that are offered and can play a game with these (complete) options, in the order of their
    names.
    """
    agents = []
    for agent in offered().filter(game=game).order_by("name"):
        with contextlib.suppress(Refusal):
            check_fits(load(load_ref(agent), game), game, options)
            agents.append(agent)
    return agents


def agent_of(seat: Seat, game: str, options: dict) -> Agent:
    """The agent that a seat's wish ("champion", "surprise", a ref) means now. Raises Refusal."""
    if seat.agent is not None:
        return seat.agent
    if seat.alias == SURPRISE:
        # A partner that only makes random moves, or has an odd habit, would be no surprise but a nuisance.
        fitting = agents_for(game, options)
        choices = [agent for agent in fitting if not short(game, agent.ref).startswith(DULL)]
        if choices:
            return random.SystemRandom().choice(choices)
    name = "champion" if seat.alias == SURPRISE else seat.alias
    return resolve(game, name, variant_of(game, options), options)


@transaction.atomic
def start_match(match: Match) -> bool:
    """Begin a waiting match whose seats are all taken; False when somebody else began it first.

    Raises Refusal when a seat's agent doesn't exist; the match then stays as it was.
    """
    now = timezone.now()
    won = Match.objects.filter(pk=match.pk, status=Match.WAITING).update(
        status=Match.PLAYING, started_at=now, open_to_join=False
    )
    if not won:
        return False
    seats = list(match.seats.select_related("user", "agent").order_by("index"))
    for seat in seats:
        if seat.kind == Seat.AGENT:
            seat.agent = agent_of(seat, match.game, match.options)
            seat.save(update_fields=["agent"])
    sim = Simulation(match.game, match.options, seed=match.seed)
    described = [describe(seat) for seat in seats]
    episode = Episode.objects.create(
        id=match.pk,
        game=match.game,
        rules_version=str(sim.rules_version),
        options=sim.options,
        seats=described,
        source="first" if match.is_first else "play",
        public=match.open_to_watch,
        for_annotators=match.for_annotators,
        started_at=now,
    )
    episode.players.set([seat.user for seat in seats if seat.user])
    episode.agents.set([seat.agent for seat in seats if seat.agent])
    clock = clock_of(match)
    Match.objects.filter(pk=match.pk).update(episode=episode, options=sim.options, ticks_per_second=clock)
    # What was said otherwise before the game began is no part of the game.
    instructions = list(match.instructions.exclude(status=State.REWRITTEN))
    read_again(match, seats, instructions)
    confirmed = next(
        (instruction for instruction in instructions if instruction.status == State.CONFIRMED), None
    )
    if confirmed:
        Episode.objects.filter(pk=episode.pk).update(instruction=confirmed.text)
    store = log_store()
    if store.exists(episode.pk):  # a start that was rolled back after its append
        store.delete(episode.pk)
    header = header_of(sim, str(episode.pk), described)
    people = [seat.index for seat in seats if seat.kind == Seat.PERSON]
    # In a guided first game agents wait until they are told what to do.
    defaults = {} if match.is_first else language.defaults(match.game, sim.options, people)
    if defaults:
        header["defaults"] = {str(seat): program for seat, program in defaults.items()}
    first = [
        header if clock is None else {**header, "ticks_per_second": clock},
        *promises(match, defaults),
        *[instruction_record(instruction) for instruction in instructions],
        *(asleep(match) if match.is_first else ()),
    ]
    store.append(episode.pk, first)
    match.refresh_from_db()
    return True


def read_again(match: Match, seats: list[Seat], instructions: list[Instruction]) -> None:
    """Read instructions again that couldn't be read before the game began: they may name somebody who has
    come since.
    """
    names = people.told_apart([_name(seat) for seat in seats])
    persons = [seat.index for seat in seats if seat.kind == Seat.PERSON]
    context = {"names": names, "people": persons}
    for instruction in instructions:
        if instruction.status != State.UNREAD:
            continue
        instruction.reading = read(
            match.game, instruction.text, context={**context, "seat": instruction.seat}
        )
        instruction.status = status(instruction.reading, asks=games.spec(match.game).turn_based)
        instruction.target_seat = instruction.reading.get("to")
        instruction.save(update_fields=["reading", "status", "target_seat"])


def _name(seat: Seat) -> str:
    """The name of a seat at the table."""
    if seat.hidden:
        return people.SURPRISE_NAME
    return seat.agent.name if seat.agent else seat.user.shown_name


def promises(match: Match, defaults: dict[int, dict]) -> list[dict]:
    """What agents say at the start of what they will do unless they are told something, one for each side."""
    spec, speakers = games.spec(match.game), {}
    for seat in defaults:
        speakers.setdefault(spec.side_of(match.options, seat), seat)
    return [
        {"type": "utterance", "tick": 0, "seat": seat, "text": defaults[seat]["reading"]}
        for seat in speakers.values()
    ]


def asleep(match: Match) -> list[dict]:
    """Who plays for agents of a guided first game until they are woken, as its log holds it. Raises
    Refusal.
    """
    first = firsts.of(match.game)
    records = []
    for seat, name in (first.asleep if first else {}).items():
        agent = resolve(match.game, name, variant_of(match.game, match.options), match.options)
        controller = {"kind": "agent", "name": agent.name, "agent": agent.ref, "ref": load_ref(agent)}
        controller["asleep"] = True
        records.append({"type": "control", "tick": 0, "seat": seat, "controller": controller})
    return records


def describe(seat: Seat) -> dict:
    """A seat as the log's header and the episode's row hold it."""
    if seat.kind == Seat.AGENT:
        return {"kind": "agent", "name": seat.agent.name, "agent": seat.agent.ref, "pseudonym": None}
    pseudonym = seat.user.pseudonym
    return {"kind": "person", "name": pseudonym, "agent": None, "pseudonym": pseudonym}


def instruction_record(instruction: Instruction) -> dict:
    """An instruction as the log holds it: one record each time its status changes."""
    return {
        "type": "instruction",
        "tick": instruction.tick,
        "seat": instruction.seat,
        "target_seat": instruction.target_seat,
        "id": str(instruction.pk),
        "text": instruction.text,
        "status": instruction.status,
        "reading": instruction.reading,
    }
