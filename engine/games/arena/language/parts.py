"""An instruction cut into parts around its verbs: who is spoken to, what is said not to do, in which way.

Not for what a part asks for (`clauses`), nor for the words themselves (`vocabulary`, `lexicon`).
"""

from __future__ import annotations

from dataclasses import dataclass, field

from engine.games.arena.language.lexicon import Token

VERBS = {
    "FOLLOW": "follow",
    "HOLD": "hold",
    "GO": "go",
    "COME": "go",
    "RUN": "go",
    "CRAWL": "go",
    "SNEAK": "go",
    "ATTACK": "attack",
    "COVER": "cover",
    "TAKECOVER": "take_cover",
    "LOOT": "loot",
    "HEAL": "heal",
    "RESCUE": "rescue",
    "HELP": "help",
    "PRONE": "prone",
    "CROUCH": "crouch",
    "STANDUP": "stand",
    "HOLDFIRE": "hold_fire",
    "FIREATWILL": "fire",
    "ROTATE": "rotate",
    "REGROUP": "regroup",
    "RETREAT": "retreat",
    "CANCEL": "cancel",
}
_LEADS = ("GO", "COME", "RUN", "HOLD", "CRAWL", "SNEAK")
MODES = {"PRONE": "lying", "CROUCH": "crouched", "HOLDFIRE": "quietly", "FAST": "hurrying"}
GAITS = {"RUN": "hurrying", "CRAWL": "lying", "SNEAK": "crouched"}
_BREAKS = ("BREAK", "COMMA", "AND", "OR", "THEN", "BUT")
ADDRESS = {"ALL": "all", "TWO": "two", "SOMEBODY": "one"}
_STOPS = ("stop", "stops", "stopping")


@dataclass
class Part:
    """Words around one verb."""

    joined: str = ""
    verb: Token | None = None
    before: list[Token] = field(default_factory=list)
    after: list[Token] = field(default_factory=list)
    negated: bool = False
    flags: list[str] = field(default_factory=list)

    def has(self, *concepts: str) -> bool:
        return any(token.concept in concepts for token in self.after)

    def first(self, *concepts: str) -> Token | None:
        return next((token for token in self.after if token.concept in concepts), None)

    def said(self, *words: str) -> bool:
        return any(token.word in words for token in self.after)


def parts(tokens: list[Token]) -> list[Part]:
    """Cut at every verb that doesn't only lead to the next one, and at breaks."""
    found = [Part("BREAK")]
    negate = False
    for at, token in enumerate(tokens):
        part = found[-1]
        following = tokens[at + 1].concept if at + 1 < len(tokens) else ""
        if token.concept in _BREAKS:
            if part.verb is not None or part.before:
                found.append(Part(token.concept))
            elif token.concept in ("THEN", "BREAK", "OR"):
                part.joined = token.concept
        elif token.concept == "NOT" or (token.word in _STOPS and following in VERBS):
            negate = True
            if part.verb is not None:
                found.append(Part("AND"))
        elif token.concept in VERBS:
            leads = part.verb is not None and part.verb.concept in _LEADS and not part.after
            if part.verb is None:
                part.verb, part.negated = token, negate
            elif token.concept in MODES:
                part.flags.append(MODES[token.concept])
                continue
            elif leads and not part.negated:
                gait = GAITS.get(part.verb.concept)
                part.flags += [gait] if gait else []
                part.verb, part.negated = token, negate
            else:
                found.append(Part("AND", token, [], [], negate))
            negate = False
        elif token.concept == "FAST":
            part.flags.append("hurrying")
        elif part.verb is None:
            part.before.append(token)
        else:
            part.after.append(token)
    return _joined([part for part in found if part.verb or part.before or part.flags])


def _joined(parts: list[Part]) -> list[Part]:
    """Parts without a verb belong to the one before, or are an address or a wish of their own."""
    out: list[Part] = []
    for part in parts:
        if part.verb is None:
            concepts = {token.concept for token in part.before}
            # "Hello there" sends nobody anywhere; "over there!" does.
            wish = _wish_of(
                concepts - ({"THERE"} if part.before and part.before[-1].word == "there" else set())
            )
            only_address = concepts <= {*ADDRESS, "PLAYER", "MATENO", "YOU"} and part.before
            if out and part.joined in ("AND", "COMMA", "OR") and out[-1].verb and not only_address:
                out[-1].after += part.before
                out[-1].flags += part.flags
                continue
            if out and part.joined == "AND" and only_address and out[-1].verb:
                if out[-1].has("ME", "PLAYER", "MATENO"):  # "follow me and player 2"
                    out[-1].after += part.before
                continue
            if wish and "?" not in concepts:
                part.verb = Token(wish.lower(), wish)
                part.before, part.after = [], part.before
        out.append(part)
    return out


def _wish_of(concepts: set[str]) -> str:
    """The verb of words that have none: "over there!", "to the house", "that one!"."""
    if concepts & {"THATONE", "SHOOTER"}:
        return "ATTACK"
    if concepts & {"THERE", "PLACE", "DIRECTION"}:
        return "GO"
    return ""


def address(part: Part) -> tuple[list[str], bool]:
    """Who is to do it, if named; and whether it is what the speaker does."""
    before = part.before if part.verb is not None else [*part.before, *part.after]
    named = [
        f"{'player' if token.concept == 'PLAYER' else 'mate'} {token.value}"
        for token in before
        if token.concept in ("PLAYER", "MATENO")
    ]
    if named:
        return list(dict.fromkeys(named)), False
    for token in before:
        if token.concept in ADDRESS:
            return [ADDRESS[token.concept]], False
    speaker = any(token.concept == "I" for token in before) and not any(t.concept == "YOU" for t in before)
    return [], speaker
