"""From the lobby's form to a waiting match: seats, options, instruction; every refusal is a sentence.

Not for starting it (start.py).
"""

from __future__ import annotations

import secrets
from dataclasses import dataclass
from typing import Any

from django.db import transaction
from django.http import QueryDict

from engine import games, language
from engine.agents.catalogue import BadAgent, load
from engine.agents.policy import Unsupported, check_fits
from engine.simulation.spec import OptionError
from webapp.accounts.models import User
from webapp.agents.resolve import UnknownAgent, load_ref, resolve
from webapp.play.models import Instruction, Match, Seat
from webapp.play.start import SURPRISE

LONGEST_INSTRUCTION = 500
ME, FRIEND, AGENT_PREFIX = "me", "friend", "agent:"
# The options that the lobby offers, in order; the rest keep their defaults.
OFFERED = {
    "hanabi": {
        "colors": (5, 4, 3),
        "information_tokens": (8, 6, 4),
        "lives": (3, 2, 1),
        "bomb": ("zero", "keep"),
    }
}
LABELS = {
    "colors": ("Colours", "Fewer colours make a shorter, easier game."),
    "information_tokens": ("Hint tokens", "How many hints there are at the start, and at most."),
    "lives": ("Lives", "The game is lost with the last one: a misplayed card costs one."),
    "bomb": ("When the last life is lost", "What the game counts for then."),
}
CHOICE_LABELS = {("bomb", "zero"): "the score is 0", ("bomb", "keep"): "points so far count"}


class BadSetup(ValueError):
    """The form can't become a match; the message is one sentence."""


@dataclass(frozen=True)
class Setup:
    """What was asked for, checked. `wishes` has one entry a seat: "me", "friend", "surprise" or an agent's
    name.
    """

    game: str
    options: dict[str, Any]
    wishes: list[str]
    instruction: str = ""
    confirmed: bool = False
    open_to_join: bool = True
    open_to_watch: bool = True


def from_form(form: QueryDict) -> Setup:
    """Read the lobby's form. Raises BadSetup."""
    game = form.get("game", "hanabi")
    if game not in OFFERED or game not in games.names():
        raise BadSetup(f"There is no game {game!r} to play here.")
    wishes = [wish for wish in form.getlist("seat") if wish]
    if wishes.count(ME) != 1:
        raise BadSetup("You need one seat for yourself, and only one.")
    if len(wishes) < 2:
        raise BadSetup("Choose at least one partner: an agent, or a friend by link.")
    options: dict[str, Any] = {"players": len(wishes)}
    for name in OFFERED[game]:
        if value := form.get(f"option_{name}"):
            options[name] = int(value) if value.isdigit() else value
    try:
        complete = games.spec(game).validate(options)
    except OptionError as error:
        raise BadSetup(str(error)) from None
    instruction = " ".join(form.get("instruction", "").split())
    if len(instruction) > LONGEST_INSTRUCTION:
        raise BadSetup(f"The instruction is longer than {LONGEST_INSTRUCTION} characters; say it shorter.")
    return Setup(
        game=game,
        options=complete,
        wishes=wishes,
        instruction=instruction,
        confirmed=form.get("confirmed") == "yes",
        open_to_join=form.get("open_to_join") == "yes",
        open_to_watch=form.get("open_to_watch") == "yes",
    )


@transaction.atomic
def create_match(setup: Setup, user: User) -> Match:
    """A waiting match as set up. Raises BadSetup for an agent that there isn't, or that can't sit there."""
    match = Match.objects.create(
        game=setup.game,
        options=setup.options,
        seed=secrets.randbits(62),
        created_by=user,
        open_to_join=setup.open_to_join,
        open_to_watch=setup.open_to_watch,
    )
    for index, wish in enumerate(setup.wishes):
        Seat.objects.create(match=match, index=index, **_seat(setup, wish, user))
    if setup.instruction:
        reading = language.read(setup.game, setup.instruction)
        confirmed = setup.confirmed and not reading.refused
        status = Instruction.CONFIRMED if confirmed else Instruction.READ
        Instruction.objects.create(
            match=match,
            user=user,
            seat=setup.wishes.index(ME),
            tick=0,
            text=setup.instruction,
            reading=reading.as_json(),
            status=Instruction.UNREAD if reading.refused else status,
        )
    return match


def _seat(setup: Setup, wish: str, user: User) -> dict[str, Any]:
    if wish == ME:
        return {"kind": Seat.PERSON, "user": user}
    if wish == FRIEND:
        return {"kind": Seat.OPEN}
    if wish == SURPRISE:
        return {"kind": Seat.AGENT, "alias": SURPRISE, "hidden": True}
    if not wish.startswith(AGENT_PREFIX):
        raise BadSetup(f"Nobody called {wish!r} can take a seat.")
    name = wish.removeprefix(AGENT_PREFIX)
    try:
        agent = resolve(setup.game, name)
    except UnknownAgent as error:
        raise BadSetup(str(error)) from None
    try:
        check_fits(load(load_ref(agent), setup.game), setup.game, setup.options)
    except (BadAgent, Unsupported) as error:
        raise BadSetup(str(error)) from None
    # An alias is kept as such, so that playing again asks what it means then.
    return {"kind": Seat.AGENT, "alias": name}


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
