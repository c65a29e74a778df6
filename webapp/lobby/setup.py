"""From the lobby's form to a waiting match: seats, options, instruction; every refusal is a sentence.

Not for starting it (start.py).
"""

from __future__ import annotations

import secrets
import uuid
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from django.db import transaction
from django.http import QueryDict
from django.utils import timezone

from engine import games
from engine.agents.catalogue import load
from engine.agents.policy import check_fits
from engine.games import first as firsts
from engine.games.pages import AGENT, ME, in_page_words, pages
from engine.language import FIRMNESS
from engine.language.reading import Reading
from engine.refusal import Refusal
from engine.simulation.life import State
from engine.simulation.told import told
from webapp.accounts.models import User
from webapp.agents.models import Agent
from webapp.agents.resolve import load_ref, resolve
from webapp.common.compiling import is_compiling
from webapp.common.inputs import whole
from webapp.episodes.stores import log_store
from webapp.language.readings import (
    LONGEST_INSTRUCTION,
    MOST_CHOICES,
    STRICT,
    clean_text,
    meant,
    read,
    sealed,
    status,
)
from webapp.lobby.listing import called
from webapp.matches.models import Instruction, Match, Seat
from webapp.matches.start import DEFAULT_TICKS_PER_SECOND, SURPRISE, variant_of
from webapp.studies.models import Study

FRIEND = "friend"
REAL_TIME, TURNS = "real_time", "turns"


@dataclass(frozen=True)
class Setup:
    """The checked choices for a new match. `wishes` has one entry a seat: "me", "friend", "surprise" or an
    agent's name. `choice` is the reading of the instruction that was meant, `firm` how firmly it is told,
    `first_said` an instruction whose reading was not right and that this one replaces, `seal` its reading
    where there is one already. `pace` is "real_time" or "turns" in games in which all move
    at once; `hidden` keeps every agent's name until the end. `is_first`: a guided first game; its `seed` is
    not drawn. `also`: what else is said, each as these fields have it.
    """

    game: str
    options: dict[str, Any]
    wishes: list[str]
    instruction: str = ""
    confirmed: bool = False
    choice: int | None = None
    firm: str = STRICT
    first_said: str = ""
    seal: str = ""
    open_to_join: bool = True
    open_to_watch: bool = True
    for_annotators: bool = True
    pace: str = REAL_TIME
    hidden: bool = False
    is_first: bool = False
    seed: int | None = None
    also: tuple[dict[str, Any], ...] = ()


def from_form(form: QueryDict) -> Setup:
    """Read the lobby's form. Raises Refusal."""
    game = form.get("game", "")
    if game not in games.names():
        raise Refusal(f"There is no game {game!r} to play here.")
    wishes = [wish for wish in form.getlist("seat") if wish]
    check_wishes(game, wishes)
    pace = form.get("pace") or REAL_TIME
    if pace not in (REAL_TIME, TURNS):
        raise Refusal(f"The pace is {REAL_TIME} or {TURNS}, not {pace!r}.")
    if pace == TURNS and games.spec(game).heads:
        raise Refusal(f"{games.spec(game).title} runs by the clock only.")
    instruction = clean_text(form.get("instruction", ""))
    if len(instruction) > LONGEST_INSTRUCTION:
        raise Refusal(f"The instruction is longer than {LONGEST_INSTRUCTION} characters; say it shorter.")
    if (firm := form.get("firm") or STRICT) not in FIRMNESS:
        raise Refusal(f"An instruction is told {' or '.join(FIRMNESS)}, not {firm!r}.")
    if instruction and ME not in wishes:
        raise Refusal(
            "Only a player can give the agents an instruction. Take a seat, or remove the instruction."
        )
    return Setup(
        game=game,
        options=options_of(game, form, len(wishes)),
        wishes=wishes,
        instruction=instruction,
        confirmed=form.get("confirmed") == "yes",
        choice=whole(form.get("choice"), high=MOST_CHOICES),
        firm=firm,
        first_said=clean_text(form.get("first_said", ""))[:LONGEST_INSTRUCTION],
        seal=form.get("seal", ""),
        open_to_join=form.get("open_to_join") == "yes",
        open_to_watch=form.get("open_to_watch") == Study.EVERYBODY,
        for_annotators=form.get("open_to_watch") in (Study.EVERYBODY, Study.ANNOTATORS),
        pace=pace,
        hidden=form.get("hidden") == "yes",
    )


def first_game(game: str) -> Setup:
    """The setup of a game's guided first one, which nobody watches. Raises Refusal where it has none."""
    first = firsts.of(game) if game in games.names() else None
    if first is None:
        raise Refusal(f"There is no guided first game of {game!r}.")
    return Setup(
        game=game,
        options=games.spec(game).validate(first.options),
        wishes=list(first.wishes),
        open_to_join=False,
        open_to_watch=False,
        for_annotators=False,
        is_first=True,
        seed=first.seed,
    )


def check_wishes(game: str, wishes: list[str]) -> None:
    """Check that these seats may play together. Raises Refusal."""
    only_agents = all(wish not in (ME, FRIEND) for wish in wishes)
    if games.spec(game).turn_based:
        only_agents = False  # nobody would see such a game: it is over in a second
    if wishes.count(ME) != 1 and not only_agents:
        raise Refusal("You need one seat for yourself, and only one.")
    if len(wishes) < 2:
        raise Refusal("Choose at least one partner: an agent, or a friend by link.")


def options_of(game: str, form: Mapping[str, Any], players: int) -> dict[str, Any]:
    """The complete options of the form. Raises Refusal."""
    spec = games.spec(game)
    page = pages(game)
    options: dict[str, Any] = {"players": players} if "players" in spec.options else {}
    for name, choices in (page.offered or {}).items():
        if value := form.get(f"option_{name}"):
            number = whole(value)
            typed = value if number is None else number
            options[name] = next((choice for choice in choices if str(choice) == value), typed)
    try:
        complete = spec.validate(page.from_form(options, form))
    except Refusal as error:
        raise Refusal(in_page_words(game, str(error))) from None
    if spec.seats(complete) != players:
        raise Refusal(f"These settings are for {spec.seats(complete)} players; {players} seats were filled.")
    return complete


def again(match: Match, user: User, rotated: bool = False) -> Setup:
    """The setup of a game like this one: same seats, options and pace, and what its player had confirmed and
    was in force to the end. `rotated`: each side's players move on by a seat; two swap theirs.
    """
    seats = list(match.seats.all())
    agents = [seat for seat in seats if seat.kind == Seat.AGENT]
    as_it_was = Setup(
        game=match.game,
        options=match.options,
        wishes=[_wish(seat, user) for seat in seats],
        open_to_join=False,
        open_to_watch=match.open_to_watch,
        for_annotators=match.for_annotators,
        pace=TURNS if match.ticks_per_second == 0 else REAL_TIME,
        hidden=bool(agents) and all(seat.hidden and seat.alias != SURPRISE for seat in agents),
    )
    confirmed, lasting = match.instructions.filter(user=user, status=State.CONFIRMED), _lasting(match)
    said = [_said(match, as_it_was, instruction) for instruction in confirmed if instruction.pk in lasting]
    first, *also = said or [{}]
    wishes = _moved_on(match, as_it_was.wishes) if rotated else as_it_was.wishes
    return replace(as_it_was, wishes=wishes, **first, also=tuple(also))


def _said(match: Match, setup: Setup, instruction: Instruction) -> dict[str, Any]:
    """A confirmed instruction as a setup has it: with its reading, which its player has chosen thereby; read
    anew where an older Coplay kept none.
    """
    text, stored = instruction.text, instruction.reading or {}
    if not stored.get("program"):
        return {"instruction": text, "confirmed": True}
    reading = Reading(text, False, "").as_json() | {"chosen": 0} | stored
    return {"instruction": text, "seal": sealed(match.game, text, _company(match, setup), reading)}


def _lasting(match: Match) -> set[uuid.UUID]:
    """The instructions of a match that were neither done nor replaced at its end."""
    if match.episode is None:
        return set(match.instructions.values_list("pk", flat=True))
    spans = told(log_store().read(match.episode.pk)).spans
    return {uuid.UUID(span.id) for span in spans if span.end is None or span.why == "out"}


def _moved_on(match: Match, wishes: list[str]) -> list[str]:
    spec, moved = games.spec(match.game), list(wishes)
    sides: dict[int, list[int]] = {}
    for seat in range(len(wishes)):
        sides.setdefault(spec.side_of(match.options, seat), []).append(seat)
    for seats in sides.values():
        for seat, after in zip(seats, [*seats[1:], seats[0]], strict=True):
            moved[after] = wishes[seat]
    return moved


def _wish(seat: Seat, user: User) -> str:
    if seat.kind != Seat.AGENT:
        return ME if seat.user_id == user.pk else FRIEND
    return SURPRISE if seat.alias == SURPRISE else f"{AGENT}{seat.alias or seat.agent.ref}"


@transaction.atomic
def create_match(setup: Setup, user: User) -> Match:
    """A waiting match as set up. Raises Refusal for an agent that there isn't, or that can't sit there, and
    for a game that isn't compiled yet.
    """
    if is_compiling(setup.game):
        title = games.spec(setup.game).title
        raise Refusal(f"{title} is still being compiled for this machine; it is ready in a minute or two.")
    match = Match.objects.create(
        game=setup.game,
        options=setup.options,
        seed=secrets.randbits(62) if setup.seed is None else setup.seed,
        ticks_per_second=first_clock(setup),
        created_by=user,
        open_to_join=setup.open_to_join,
        open_to_watch=setup.open_to_watch,
        for_annotators=setup.for_annotators,
        is_first=setup.is_first,
    )
    for index, wish in enumerate(setup.wishes):
        Seat.objects.create(match=match, index=index, **_seat(setup, wish, user))
    for asked in (setup, *(replace(setup, **more) for more in setup.also)):
        if asked.instruction:
            _instruct(match, asked, user)
    return match


def _instruct(match: Match, setup: Setup, user: User) -> None:
    """Store the instruction, and the one that it says again. Raises Refusal."""
    company = _company(match, setup)
    reading = meant(setup.game, setup.instruction, company, setup.seal, setup.choice, setup.firm)
    whose = {"match": match, "user": user, "seat": setup.wishes.index(ME), "tick": 0}
    first = None
    if setup.first_said and setup.first_said != setup.instruction:
        first = Instruction.objects.create(
            **whose,
            text=setup.first_said,
            reading=read(setup.game, setup.first_said, context=company),
            status=State.REWRITTEN,
        )
    first_status = status(reading, asks=games.spec(setup.game).turn_based)
    if setup.confirmed and setup.choice is None and not reading["refused"]:
        first_status = State.CONFIRMED
    Instruction.objects.create(
        **whose,
        target_seat=reading.get("to"),
        text=setup.instruction,
        reading=reading,
        status=first_status,
        replaces=first,
    )


def _company(match: Match, setup: Setup) -> dict[str, Any]:
    """What an instruction is read with: the agents, as the table will call them, and the options
    (engine.language.read).
    """
    people = [seat for seat, wish in enumerate(setup.wishes) if wish in (ME, FRIEND)]
    known = zip(called(match), setup.wishes, strict=True)
    names = [name if wish.startswith(AGENT) and not setup.hidden else "" for name, wish in known]
    seat = setup.wishes.index(ME)
    return {"names": names, "seat": seat, "people": people, "options": setup.options}


def first_clock(setup: Setup) -> int | None:
    """Ticks a second as far as the form says: none where one moves at a time, 0 turn by turn, which a game
    without a clock always is.
    """
    spec = games.spec(setup.game)
    if spec.turn_based:
        return None
    turns = setup.pace == TURNS or spec.ticks_per_second is None
    return 0 if turns and not spec.heads else DEFAULT_TICKS_PER_SECOND


def _seat(setup: Setup, wish: str, user: User) -> dict[str, Any]:
    if wish == ME:
        # Of a guided game nothing is asked and nothing is kept back.
        seen = {"revealed_at": timezone.now()} if setup.is_first else {}
        return {"kind": Seat.PERSON, "user": user, **seen}
    if wish == FRIEND:
        return {"kind": Seat.OPEN}
    if wish == SURPRISE:
        return {"kind": Seat.AGENT, "alias": SURPRISE, "hidden": True}
    if not wish.startswith(AGENT):
        raise Refusal(f"Nobody called {wish!r} can take a seat.")
    name = wish.removeprefix(AGENT)
    agent = _meant(setup, name)
    check_fits(load(load_ref(agent), setup.game), setup.game, setup.options)
    # An alias is kept as such, so that playing again asks what it means then.
    return {"kind": Seat.AGENT, "alias": name, "hidden": setup.hidden}


def _meant(setup: Setup, name: str) -> Agent:
    """The agent that a wish means here: one that can play if there is one, else one that can say why not."""
    variant = variant_of(setup.game, setup.options)
    try:
        return resolve(setup.game, name, variant, setup.options)
    except Refusal:
        return resolve(setup.game, name, variant)
