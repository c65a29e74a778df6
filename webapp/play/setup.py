"""From the lobby's form to a waiting match: seats, options, instruction; every refusal is a sentence.

Not for starting it (start.py).
"""

from __future__ import annotations

import secrets
from dataclasses import dataclass
from typing import Any

from django.db import transaction
from django.http import QueryDict

from engine import games
from engine.agents.catalogue import BadAgent, load
from engine.agents.policy import Unsupported, check_fits
from engine.language.second import Opinion
from engine.simulation.spec import OptionError
from webapp.accounts.models import User, new_token
from webapp.agents.models import Agent
from webapp.agents.resolve import UnknownAgent, load_ref, resolve
from webapp.config.prepare import is_compiling
from webapp.play import opinions
from webapp.play.models import Instruction, Match, Seat
from webapp.play.readings import LONGEST_INSTRUCTION, NotOffered, clean_text, read
from webapp.play.start import DEFAULT_TICKS_PER_SECOND, SURPRISE, variant_of

LONGEST_LAYOUT = 4000  # characters
ME, FRIEND, AGENT_PREFIX = "me", "friend", "agent:"
CUSTOM = "custom"  # the layout that the form brings as a text
REAL_TIME, TURNS = "real_time", "turns"
# The options that the lobby offers, in order; the rest keep their defaults.
OFFERED = {
    "hanabi": {
        "colors": (5, 4, 3),
        "information_tokens": (8, 6, 4),
        "lives": (3, 2, 1),
        "bomb": ("zero", "keep"),
    },
    "overcooked": {
        "layout": (
            "cramped_room",
            "asymmetric_advantages",
            "coordination_ring",
            "forced_coordination",
            "counter_circuit_o_1order",
            CUSTOM,
        ),
        "horizon": (400, 200, 100),
        "dynamics": ("old", "new"),
        "start": ("fixed", "random"),
    },
    "arena": {
        "teams": tuple(range(2, 21)),
        "team_size": (4, 3, 2, 1),
        "pace": ("normal", "short", "long"),
        "monsters": (4, 0, 2, 8),
        "map_seed": ("",),  # any whole number
    },
}
LABELS = {
    "colors": ("Colours", "Fewer colours make a shorter, easier game."),
    "information_tokens": ("Hint tokens", "How many hints there are at the start, and at most."),
    "lives": ("Lives", "The game is lost with the last one: a misplayed card costs one."),
    "bomb": ("When the last life is lost", "What the game counts for then."),
    "layout": ("Kitchen", "Where pots, counters, onions and dishes stand."),
    "horizon": ("Length", "Ticks of a game; a minute has 360 at six ticks a second."),
    "dynamics": ("Pots", "How a soup begins to cook."),
    "start": ("Start", "Where cooks and things are at first."),
    "teams": ("Squads", "At most 20 players in all."),
    "team_size": ("Players in a squad", "Squad mates share what they see."),
    "pace": ("Safe zone", "How fast it closes in."),
    "monsters": ("Monsters", "They guard their dens and drop medical kits."),
    "map_seed": ("Map", "The same number is the same map; none is one of 16."),
}
CHOICE_LABELS = {
    ("bomb", "zero"): "the score is 0",
    ("bomb", "keep"): "points so far count",
    ("layout", "cramped_room"): "Cramped room",
    ("layout", "asymmetric_advantages"): "Asymmetric advantages",
    ("layout", "coordination_ring"): "Coordination ring",
    ("layout", "forced_coordination"): "Forced coordination",
    ("layout", "counter_circuit_o_1order"): "Counter circuit",
    ("layout", CUSTOM): "your own, written below",
    ("dynamics", "old"): "by itself at three ingredients",
    ("dynamics", "new"): "when a cook starts it",
    ("start", "fixed"): "as the kitchen says",
    ("start", "random"): "anywhere",
    ("pace", "short"): "about 2 minutes",
    ("pace", "normal"): "about 5 minutes",
    ("pace", "long"): "about 10 minutes",
    ("map_seed", ""): "one of 16, by lot",
}


@dataclass(frozen=True)
class Preset:
    """A ready choice of the lobby: options, and who sits where."""

    name: str
    text: str
    options: dict[str, Any]
    wishes: tuple[str, ...]


MATE, ENEMY, WEAK = "agent:champion", "agent:middle", "agent:weak"
PRESETS: dict[str, tuple[Preset, ...]] = {
    "arena": (
        Preset(
            "Training",
            "You and three good squad mates against four beginners, with little time to lose.",
            {"teams": 2, "team_size": 4, "pace": "short"},
            (ME, *[MATE] * 3, *[WEAK] * 4),
        ),
        Preset(
            "Duel of squads",
            "Two squads of four, evenly matched.",
            {"teams": 2, "team_size": 4},
            (ME, *[MATE] * 3, *[ENEMY] * 4),
        ),
        Preset(
            "Battle royale",
            "Five squads of four; the last one standing wins.",
            {"teams": 5, "team_size": 4},
            (ME, *[MATE] * 3, *[ENEMY] * 16),
        ),
    ),
}


class BadSetup(ValueError):
    """The form can't become a match; the message is one sentence."""


@dataclass(frozen=True)
class Setup:
    """What was asked for, checked. `wishes` has one entry a seat: "me", "friend", "surprise" or an agent's
    name. `choice` is the reading of the instruction that was meant, `first_said` an instruction whose reading
    was not right and that this one replaces, `opinion` what the site's language model made of the
    instruction. `pace` is "real_time" or "turns" in games in which all move at once; `hidden` keeps every
    agent's name until the end.
    """

    game: str
    options: dict[str, Any]
    wishes: list[str]
    instruction: str = ""
    confirmed: bool = False
    choice: int | None = None
    first_said: str = ""
    opinion: Opinion | None = None
    open_to_join: bool = True
    open_to_watch: bool = True
    pace: str = REAL_TIME
    hidden: bool = False


def from_form(form: QueryDict) -> Setup:
    """Read the lobby's form. Raises BadSetup."""
    game = form.get("game", "hanabi")
    if game not in OFFERED or game not in games.names():
        raise BadSetup(f"There is no game {game!r} to play here.")
    wishes = [wish for wish in form.getlist("seat") if wish]
    check_wishes(game, wishes)
    pace = form.get("pace") or REAL_TIME
    if pace not in (REAL_TIME, TURNS):
        raise BadSetup(f"The pace is {REAL_TIME} or {TURNS}, not {pace!r}.")
    if pace == TURNS and games.spec(game).heads:
        raise BadSetup(f"{games.spec(game).title} runs by the clock only.")
    instruction = clean_text(form.get("instruction", ""))
    if len(instruction) > LONGEST_INSTRUCTION:
        raise BadSetup(f"The instruction is longer than {LONGEST_INSTRUCTION} characters; say it shorter.")
    if instruction and ME not in wishes:
        raise BadSetup("Only somebody who plays can instruct the agents; take a seat or drop the line.")
    try:
        token = form.get("opinion", "")
        opinion = opinions.unsealed(game, instruction, token) if token and instruction else None
    except opinions.Forged as problem:
        raise BadSetup(str(problem)) from None
    return Setup(
        game=game,
        options=options_of(game, form, len(wishes)),
        wishes=wishes,
        instruction=instruction,
        confirmed=form.get("confirmed") == "yes",
        choice=int(choice) if (choice := form.get("choice", "")) in set("0123456789") else None,
        first_said=clean_text(form.get("first_said", ""))[:LONGEST_INSTRUCTION],
        opinion=opinion,
        open_to_join=form.get("open_to_join") == "yes",
        open_to_watch=form.get("open_to_watch") == "yes",
        pace=pace,
        hidden=form.get("hidden") == "yes",
    )


def check_wishes(game: str, wishes: list[str]) -> None:
    """Who may sit together. Raises BadSetup."""
    only_agents = all(wish not in (ME, FRIEND) for wish in wishes)
    if games.spec(game).turn_based:
        only_agents = False  # nobody would see such a game: it is over in a second
    if wishes.count(ME) != 1 and not only_agents:
        raise BadSetup("You need one seat for yourself, and only one.")
    if len(wishes) < 2:
        raise BadSetup("Choose at least one partner: an agent, or a friend by link.")


def options_of(game: str, form: QueryDict, players: int) -> dict[str, Any]:
    """The complete options of the form. Raises BadSetup."""
    spec = games.spec(game)
    options: dict[str, Any] = {"players": players} if "players" in spec.options else {}
    for name in OFFERED[game]:
        if value := form.get(f"option_{name}"):
            options[name] = int(value) if value.isascii() and value.isdigit() and len(value) < 10 else value
    if options.get("layout") == CUSTOM:
        text = form.get("layout_text", "").replace("\r\n", "\n")
        if not text.strip():
            raise BadSetup("Write the kitchen that you want to cook in, or choose one of the others.")
        if len(text) > LONGEST_LAYOUT:
            raise BadSetup(f"The kitchen is longer than {LONGEST_LAYOUT} characters; make it smaller.")
        options["layout"] = text.strip("\n") + "\n"  # the line feed tells a text from a name
    try:
        complete = spec.validate(options)
    except OptionError as error:
        raise BadSetup(str(error)) from None
    if spec.seats(complete) != players:
        raise BadSetup(f"These settings are for {spec.seats(complete)} players; {players} seats were filled.")
    return complete


def again(match: Match, user: User) -> Setup:
    """The setup of a game like this one: same seats, options and pace, and what its player had confirmed."""
    said = match.instructions.filter(user=user, status=Instruction.CONFIRMED).first()
    seats = list(match.seats.all())
    agents = [seat for seat in seats if seat.kind == Seat.AGENT]
    return Setup(
        game=match.game,
        options=match.options,
        wishes=[_wish(seat, user) for seat in seats],
        instruction=said.text if said else "",
        confirmed=bool(said),
        choice=said.reading.get("chosen") if said and said.reading else None,
        opinion=opinions.restored(said.reading.get("opinion")) if said and said.reading else None,
        open_to_join=False,
        open_to_watch=match.open_to_watch,
        pace=TURNS if match.ticks_per_second == 0 else REAL_TIME,
        hidden=bool(agents) and all(seat.hidden and seat.alias != SURPRISE for seat in agents),
    )


def _wish(seat: Seat, user: User) -> str:
    if seat.kind != Seat.AGENT:
        return ME if seat.user_id == user.pk else FRIEND
    return SURPRISE if seat.alias == SURPRISE else f"{AGENT_PREFIX}{seat.alias or seat.agent.ref}"


@transaction.atomic
def create_match(setup: Setup, user: User) -> Match:
    """A waiting match as set up. Raises BadSetup for an agent that there isn't, or that can't sit there, and
    for a game that isn't compiled yet.
    """
    if is_compiling(setup.game):
        title = games.spec(setup.game).title
        raise BadSetup(f"{title} is still being compiled for this machine; it is ready in a minute or two.")
    match = Match.objects.create(
        game=setup.game,
        options=setup.options,
        seed=secrets.randbits(62),
        ticks_per_second=first_clock(setup),
        created_by=user,
        open_to_join=setup.open_to_join,
        open_to_watch=setup.open_to_watch,
    )
    for index, wish in enumerate(setup.wishes):
        Seat.objects.create(match=match, index=index, **_seat(setup, wish, user))
    if setup.instruction:
        _instruct(match, setup, user)
    return match


def _instruct(match: Match, setup: Setup, user: User) -> None:
    """Store the instruction, and the one that it says again. Raises BadSetup."""
    try:
        reading = read(setup.game, setup.instruction, setup.choice, said=setup.opinion)
    except NotOffered as error:
        raise BadSetup(str(error)) from None
    whose = {"match": match, "user": user, "seat": setup.wishes.index(ME), "tick": 0}
    first = None
    if setup.first_said and setup.first_said != setup.instruction:
        first = Instruction.objects.create(
            **whose,
            text=setup.first_said,
            reading=read(setup.game, setup.first_said),
            status=Instruction.REWRITTEN,
        )
    # Where nobody waits for a move, what was read is obeyed at once; the player may withdraw it.
    sure = setup.confirmed or setup.choice is not None or not games.spec(setup.game).turn_based
    status = Instruction.CONFIRMED if sure else Instruction.READ
    Instruction.objects.create(
        **whose,
        text=setup.instruction,
        reading=reading,
        status=Instruction.UNREAD if reading["refused"] else status,
        replaces=first,
    )


def first_clock(setup: Setup) -> int | None:
    """Ticks a second as far as the form says: none where one moves at a time, 0 turn by turn."""
    spec = games.spec(setup.game)
    if spec.turn_based:
        return None
    return 0 if setup.pace == TURNS and not spec.heads else DEFAULT_TICKS_PER_SECOND


def _seat(setup: Setup, wish: str, user: User) -> dict[str, Any]:
    if wish == ME:
        return {"kind": Seat.PERSON, "user": user}
    if wish == FRIEND:
        return {"kind": Seat.OPEN}
    turn_based = games.spec(setup.game).turn_based
    agent_seat = {"kind": Seat.AGENT, "copilot_token": "" if turn_based else new_token()}
    if wish == SURPRISE:
        return {**agent_seat, "alias": SURPRISE, "hidden": True}
    if not wish.startswith(AGENT_PREFIX):
        raise BadSetup(f"Nobody called {wish!r} can take a seat.")
    name = wish.removeprefix(AGENT_PREFIX)
    try:
        agent = _meant(setup, name)
        check_fits(load(load_ref(agent), setup.game), setup.game, setup.options)
    except (UnknownAgent, BadAgent, Unsupported) as error:
        raise BadSetup(str(error)) from None
    # An alias is kept as such, so that playing again asks what it means then.
    return {**agent_seat, "alias": name, "hidden": setup.hidden}


def _meant(setup: Setup, name: str) -> Agent:
    """The agent that a wish means here: one that can play if there is one, else one that can say why not."""
    variant = variant_of(setup.game, setup.options)
    try:
        return resolve(setup.game, name, variant, setup.options)
    except UnknownAgent:
        return resolve(setup.game, name, variant)


def option_fields(game: str) -> list[dict[str, Any]]:
    """The lobby's selects: [{"name", "label", "help", "choices": [(value, words)], "default"}]."""
    options = games.spec(game).options
    return [
        {
            "name": name,
            "label": LABELS[name][0],
            "help": LABELS[name][1],
            "choices": [(value, CHOICE_LABELS.get((name, value), str(value))) for value in choices],
            "default": options[name].default,
        }
        for name, choices in OFFERED[game].items()
    ]
