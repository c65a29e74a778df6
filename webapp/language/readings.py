"""What players type, and which of its readings they mean: shown while they type, and kept with their choice.

A text is read once, while its player looks on. The reading goes to the browser sealed and comes back with the
instruction, so that a match obeys what was shown and reads nothing. Only where no seal comes (programs of
one's own, an Enter before the reading is there), or it was read for others than those who are there, the
match reads the text itself. Not for the reading itself (engine.language), nor for messages and forms
(messages/, setup.py).
"""

from __future__ import annotations

import unicodedata
from typing import Annotated, Any

from django.core import signing
from pydantic import Field

from engine import brings, games, language
from engine.language import Reading, second
from engine.language.chance import ENOUGH
from engine.language.second import Opinion
from engine.refusal import Refusal
from engine.shapes import Count, Shape
from engine.simulation.life import State
from webapp.language import costs, opinions

LONGEST_INSTRUCTION = 500  # characters
MOST_READINGS = 3
MOST_CHOICES = 9  # the highest number of a reading
STRICT = "strict"  # of engine.language.FIRMNESS: the instruction as it is
SAID_BEFORE = 20
SALT = "coplay.reading"
VALID_SECONDS = 86_400
MOST_SUBGOALS = 100


class Wanted(Shape):
    """A sub-goal that is asked for, as in the chips of a reading (`subgoals`)."""

    clause: Count
    name: str
    value: str


Wants = Annotated[list[Wanted], Field(max_length=MOST_SUBGOALS)]


def clean_text(value: str) -> str:
    """Typed words in one line, without control and formatting characters."""
    spaced = (" " if c.isspace() else c for c in value)
    return " ".join("".join(c for c in spaced if unicodedata.category(c)[0] != "C").split())


def chips(program: dict[str, Any] | None) -> list[str]:
    """Each rule, goal or clause of a program told back alone, in the agent's first person."""
    if not program:
        return []
    say = brings.Say.of(program["game"])
    sentences = [say.sentence({**program, say.PARTS: [part], "subgoals": {}}) for part in program[say.PARTS]]
    return list(dict.fromkeys(sentences))


def wants(program: dict[str, Any] | None) -> list[dict[str, Any]]:
    """What a program asks for in the sub-goals of its game (brings.Wants), where it has some."""
    part = brings.Wants.brought(program["game"]) if program else None
    return part.of_program(program) if part and program else []


def is_followed(program: dict[str, Any] | None) -> bool:
    """Whether there is anything in it that agents can do; not all that is understood can be followed yet."""
    return bool(program) and bool(program[brings.Say.of(program["game"]).PARTS])


def for_whom(sentence: str, to: int | None) -> str:
    """A reading as whoever hears it is told it: whose it is alone stands before it."""
    return sentence if to is None else f"Player {to + 1}: {sentence}"


def shown(stored: dict[str, Any], measured: dict[str, Any] | None = None) -> dict[str, Any]:
    """For the page; `readings` has up to three to choose from: [{"choice", "sentence", "chips", "followed",
    "cost"}], `unsure` says that the first is a guess, which nobody obeys until the player says yes,
    `firmness` how firmly it can be told. The cost (`costs`) is what was `measured` of who hears it, None
    without.
    """
    sentence = stored["sentence"]
    chosen = {"choice": stored.get("chosen"), "sentence": sentence, "program": stored["program"]}
    offered = [chosen] if stored.get("changed") else options(stored)[:MOST_READINGS]
    return {
        "refused": stored["refused"],
        "talk": stored["talk"],
        "does": stored.get("does", ""),
        "sentence": sentence if stored["refused"] else for_whom(sentence, stored["to"]),
        "unread": stored["unread"],
        "unsure": is_unsure(stored),
        "firmness": firmness(stored["program"]),
        "readings": [
            {
                "choice": option["choice"],
                "sentence": for_whom(option["sentence"], stored["to"]),
                "chips": chips(option["program"]),
                "subgoals": wants(option["program"]),
                "followed": is_followed(option["program"]),
                "cost": costs.cost(measured, option["program"]) if measured else None,
            }
            for option in offered
        ],
    }


def firmness(program: dict[str, Any] | None) -> list[str]:
    """How firmly a program can be told, the firmest first; [] where there is no difference."""
    return list(language.FIRMNESS) if program and language.has_firmness(program["game"]) else []


def for_plan(game: str, stored: dict[str, Any]) -> dict[str, Any]:
    """A reading for a team whose work is planned: a wish that asks nothing of agents is one for the plan."""
    if not stored.get("wish") or is_unsure(stored):
        return stored
    program = {"game": game, brings.Say.of(game).PARTS: [], "means": stored["wish"]}
    return {**stored, "refused": False, "program": program, "reading": stored["sentence"]}


def is_unsure(stored: dict[str, Any]) -> bool:
    """Whether what was read is too likely wrong to be carried out before the player has said yes. Readings of
    older Coplays, without a confidence, were obeyed at once.
    """
    return "chosen" not in stored and stored.get("confidence", 1.0) < ENOUGH


def status(stored: dict[str, Any], asks: bool) -> State:
    """What becomes of a reading at first: it is unread, read (shown, and obeyed once it is confirmed) or
    confirmed. To choose a reading is to confirm it. `asks`: whether this game asks about every other one,
    as where a move is waited for; else those that are unsure are asked about.
    """
    if stored["refused"]:
        return State.UNREAD
    return State.CONFIRMED if "chosen" in stored or not (asks or is_unsure(stored)) else State.READ


def options(stored: dict[str, Any]) -> list[dict[str, Any]]:
    """All that a stored reading may mean, [{"choice", "sentence", "program"}]: 0 is what was read first (left
    out if nothing was), the others are its alternatives.
    """
    first = stored.get("offered") or {key: stored[key] for key in ("refused", "sentence", "program")}
    choices = [] if first["refused"] else [{"choice": 0, **first}]
    for number, other in enumerate(stored.get("alternatives", []), 1):
        if all(other["sentence"] != choice["sentence"] for choice in choices):
            choices.append({"choice": number, **other})
    return [{key: choice[key] for key in ("choice", "sentence", "program")} for choice in choices]


def choose(stored: dict[str, Any], choice: int) -> dict[str, Any]:
    """The reading with another of its meanings in force. It keeps what was read first as `offered`, and
    `chosen`: the number of the choice. Raises Refusal.
    """
    for option in options(stored):
        if option["choice"] == choice:
            offered = stored.get("offered") or {
                key: stored[key] for key in ("refused", "sentence", "program")
            }
            return {
                **stored,
                "offered": offered,
                "chosen": choice,
                "refused": False,
                "sentence": option["sentence"],
                "reading": option["sentence"],
                "program": option["program"],
                "wish": "",
            }
    raise Refusal("This reading isn't among those that were offered; say it in other words.")


def read(
    game: str,
    text: str,
    context: dict[str, Any] | None = None,
    opinion: Opinion | None = None,
    reading: Reading | None = None,
) -> dict[str, Any]:
    """The reading of a text as it is stored; `opinion`: what the site's language model made of the text;
    `reading`: the one without that, where it is at hand. Where the model differs, "embedded" keeps what was
    read without it. Raises Refusal.
    """
    if game not in language.games():
        raise Refusal(f"The agents of {games.spec(game).title} can't be told things yet.")
    reading = reading or language.read(game, text, context)
    if opinion is None:
        return reading.as_json()
    try:
        judged = second.applied(game, text, opinion, context, reading)
    except ValueError:  # kept by an older Coplay
        raise Refusal("This reading was made by another version of Coplay; say it again.") from None
    stored = judged.as_json() | {"opinion": opinions.stored(opinion)}
    if judged.sentence != reading.sentence:
        stored["embedded"] = {key: getattr(reading, key) for key in ("refused", "sentence", "program")}
    return stored


def sealed(game: str, text: str, context: dict[str, Any], stored: dict[str, Any]) -> str:
    """A reading as a text that only this site can write."""
    about = {"game": game, "text": text, "context": _known(context), "reading": stored}
    return signing.dumps(about, salt=SALT, compress=True)


def unsealed(game: str, text: str, context: dict[str, Any], token: str) -> dict[str, Any] | None:
    """The reading of this text as it was sealed; None where it was read for others than those in `context`.
    Raises Refusal.
    """
    about = _opened(game, text, token)
    return about["reading"] if about["context"] == _known(context) else None


def _opened(game: str, text: str, token: str) -> dict[str, Any]:
    """All that was sealed about this text. Raises Refusal."""
    try:
        about = signing.loads(token, salt=SALT, max_age=VALID_SECONDS)
    except signing.BadSignature:
        raise Refusal("This reading isn't one that was offered here lately; say it again.") from None
    if (about["game"], about["text"]) != (game, text):
        raise Refusal("This reading belongs to other words; say it again.")
    return about


def _known(context: dict[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in context.items() if value is not None}


def meant(
    game: str,
    text: str,
    context: dict[str, Any],
    token: str | None = None,
    choice: int | None = None,
    firm: str = STRICT,
) -> dict[str, Any]:
    """What a player says: the reading that was sealed, else the text read here; `choice` is the one of
    `options` that the player meant, `firm` how firmly it is told. Raises Refusal.
    """
    kept = _opened(game, text, token) if token else {"reading": read(game, text, context)}
    stored = kept["reading"] if choice is None else choose(kept["reading"], choice)
    if kept.get("context", _known(context)) != _known(context):
        stored = _for_others(game, text, context, stored)
    return firmly(stored, game, firm)


def _for_others(game: str, text: str, context: dict[str, Any], kept: dict[str, Any]) -> dict[str, Any]:
    """The text read for others than those for whom it was read as `kept`. What the model made of the words
    still holds, and so does what the player made of them, by what it means: the same number may be another
    reading now. Where that isn't offered any more, the player is asked.
    """
    stored = read(game, text, context, opinions.restored(kept.get("opinion")))
    if "chosen" not in kept:
        return stored
    means = next((_means(one) for one in options(kept) if one["choice"] == kept["chosen"]), None)
    same = next((one["choice"] for one in options(stored) if _means(one) == means), None)
    if same is None:
        return {**stored, "confidence": min(stored["confidence"], second.ALONE)}
    stored = choose(stored, same)
    for asked in kept.get("changed", []):
        stored = wanting(stored, asked)
    return firmly(stored, game, kept.get("firm", STRICT))


def _means(option: dict[str, Any]) -> Any:
    """What a reading means, as its game's language notes it; programs of older Coplays say no more than what
    is done.
    """
    return option["program"].get("means", option["program"])


def wanting(stored: dict[str, Any], asked: list[dict[str, Any]]) -> dict[str, Any]:
    """The reading with the sub-goals that its player left of its chips, or changed (`Wanted`), which it keeps
    as "changed", one list for each time; what it was before stays as `offered`. Raises Refusal.
    """
    program = stored["program"]
    part = brings.Wants.brought(program["game"]) if program else None
    if part is None:
        raise Refusal("This reading has no sub-goals that could be changed.")
    program = part.instead(program, asked)
    sentence = program["reading"]
    before = stored.get("offered") or {key: stored[key] for key in ("refused", "sentence", "program")}
    now = {"program": program, "sentence": sentence, "reading": sentence, "chosen": stored.get("chosen", 0)}
    return {**stored, **now, "offered": before, "changed": [*stored.get("changed", []), asked]}


def firmly(stored: dict[str, Any], game: str, firm: str) -> dict[str, Any]:
    """The reading, told so firmly (engine.language.FIRMNESS), which is kept as "firm" unless it is strict;
    what it was before stays as `offered`.
    """
    if firm == STRICT or not stored["program"] or not language.has_firmness(game):
        return stored
    program = language.softened(game, stored["program"], language.FIRMNESS[firm])
    sentence = f"{stored['sentence'].rstrip('.')}, where that costs little."
    before = stored.get("offered") or {key: stored[key] for key in ("refused", "sentence", "program")}
    now = {"firm": firm, "program": program, "sentence": sentence, "reading": sentence}
    return {**stored, "offered": before, **now}
