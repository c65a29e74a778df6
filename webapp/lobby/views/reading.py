"""Readings of an instruction while it is typed: at once by the embedded reader, and by the site's language
model where that reader leaves words out or is unsure. Stores nothing.
"""

from __future__ import annotations

from typing import Annotated, Any

from django.http import HttpRequest, JsonResponse
from django.views.decorators.http import require_POST
from pydantic import AfterValidator, Field, PrivateAttr

from engine import language
from engine.games.pages import AGENT
from engine.language import Reading
from engine.refusal import Refusal
from engine.shapes import Id, Shape, checked
from webapp.accounts import limits
from webapp.accounts.roles import role_required
from webapp.common.inputs import json_object
from webapp.language import costs, estimates, opinions, readings
from webapp.language.readings import (
    LONGEST_INSTRUCTION,
    MOST_CHOICES,
    Wants,
    clean_text,
    sealed,
    shown,
    unsealed,
)
from webapp.lobby.setup import options_of
from webapp.matches.access import matches_for

MOST_NAMES = MOST_FIELDS = 20
SILENT = "The language model doesn't answer now. This is Coplay's own reading."
TOO_OFTEN = "You have asked the language model often in the last minute; this is Coplay's own reading."


Names = Annotated[list[str], Field(max_length=MOST_NAMES)]
Place = Annotated[int, Field(ge=0, lt=MOST_NAMES)]
Fields = Annotated[dict[str, str], Field(max_length=MOST_FIELDS)]


class Typed(Shape):
    """`names`: those of the seats, which the text may use; `agents`: who hears it, as lobbies name them;
    `seat`: the speaker's, `people`: the seats of people; `match`: the game that is played, `fields`: of the
    lobby's form, where it isn't yet; `seal`: the reading, where there is one already; `subgoals`: what is
    left of its chips, or of those of its `choice`.
    """

    game: str
    text: Annotated[str, AfterValidator(clean_text)]
    names: Names = []
    agents: Names = []
    seat: Place | None = None
    people: list[Place] = []
    match: Id | None = None
    fields: Fields = {}
    seal: str | None = None
    choice: Annotated[int, Field(ge=0, le=MOST_CHOICES)] | None = None
    subgoals: Wants | None = None

    _options: dict[str, Any] | None = PrivateAttr(None)

    @property
    def refs(self) -> list[str]:
        """The agents that hear it."""
        return [agent.removeprefix(AGENT) for agent in self.agents if agent.startswith(AGENT)]

    @property
    def context(self) -> dict[str, Any]:
        """As engine.language.read takes it."""
        return {
            "names": self.names,
            "seat": self.seat,
            "people": self.people,
            "options": self._options,
        }


@role_required("player", "annotator", "admin")
@require_POST
def read(request: HttpRequest) -> JsonResponse:
    """{"game", "text", "names", "agents", "seat", "people", "match" or "fields"} → the reading
    (language.readings.shown), "seal": what to send with the instruction, and "ask": whether `ask` may know
    better. With "seal" and "subgoals", the reading that was sealed with these sub-goals.
    """
    typed = _typed(request)
    if typed.subgoals is not None:
        return JsonResponse(_answer(typed, _changed(typed)) | {"ask": False})
    reading = language.read(typed.game, typed.text, typed.context)
    ask = bool(typed.text) and opinions.wanted(reading)
    return JsonResponse(_answer(typed, reading.as_json()) | {"ask": ask})


@role_required("player", "annotator", "admin")
@require_POST
def ask(request: HttpRequest) -> JsonResponse:
    """The same of what `read` has sealed ("seal", where it is at hand), by the site's language model; Django
    runs this in a thread of its own. Also "by": who read, and "notice": why it is not the model, if it isn't.
    """
    typed = _typed(request)
    kept = unsealed(typed.game, typed.text, typed.context, typed.seal) if typed.seal else None
    embedded = Reading.from_json(kept) if kept else language.read(typed.game, typed.text, typed.context)
    notice, by, stored = "", None, embedded.as_json()
    if typed.text and opinions.wanted(embedded):
        if not limits.consume(request, "opinion"):
            notice = TOO_OFTEN
        elif (opinion := opinions.ask(typed.game, typed.text, typed.context)).program is None:
            notice = opinion.notice if request.user.is_admin else SILENT
        else:
            by = opinion.model
            stored = readings.read(typed.game, typed.text, typed.context, opinion, embedded)
    return JsonResponse(_answer(typed, stored) | {"by": by, "notice": notice})


@role_required("player", "annotator", "admin")
@require_POST
def cost(request: HttpRequest) -> JsonResponse:
    """What the readings cost that `read` or `ask` has sealed, with the first agent that hears them: as
    `estimates.points`; {} where that can't be known now.
    """
    typed = _typed(request)
    kept = unsealed(typed.game, typed.text, typed.context, typed.seal) if typed.seal else None
    programs = (
        [option["program"] for option in readings.options(kept)[: readings.MOST_READINGS]] if kept else []
    )
    agent = next(costs.hearing(typed.game, typed.refs), None)
    found = estimates.points(typed.game, agent.ref, programs) if agent else None
    return JsonResponse(found or {})


def _answer(typed: Typed, stored: dict[str, Any]) -> dict[str, Any]:
    seal = sealed(typed.game, typed.text, typed.context, stored) if typed.text else None
    return shown(stored, _measured(typed)) | {"seal": seal}


def _changed(typed: Typed) -> dict[str, Any]:
    """The sealed reading with other sub-goals. Raises Refusal."""
    kept = unsealed(typed.game, typed.text, typed.context, typed.seal) if typed.seal else None
    if kept is None:
        raise Refusal("Who is there has changed since that was read; type it once more.")
    chosen = kept if typed.choice is None else readings.choose(kept, typed.choice)
    return readings.wanting(chosen, [one.model_dump() for one in typed.subgoals or []])


def _typed(request: HttpRequest) -> Typed:
    """The checked request. Raises Refusal."""
    typed = checked(Typed, json_object(request))
    if len(typed.text) > LONGEST_INSTRUCTION:
        raise Refusal(f"That is longer than {LONGEST_INSTRUCTION} characters.")
    if typed.game not in language.games():
        raise Refusal(f"Instructions for {typed.game[:40]!r} can't be read.")
    typed._options = _options(request, typed)
    return typed


def _options(request: HttpRequest, typed: Typed) -> dict[str, Any] | None:
    """Those of the game that is played, or that the lobby's form asks for; None where it can't be played."""
    if typed.match is not None:
        seen = matches_for(request.user).filter(pk=typed.match, game=typed.game)
        return seen.values_list("options", flat=True).first()
    try:
        return options_of(typed.game, typed.fields, len(typed.names)) if typed.fields else None
    except Refusal:
        return None


def _measured(typed: Typed) -> dict[str, Any] | None:
    """The measured costs of instructions for the agents that hear this one; None without any."""
    return costs.measured(typed.game, typed.refs)
