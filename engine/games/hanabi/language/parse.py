"""From the words of an instruction to a program: a list of rules over what the partner did and what the
agent does.

A rule: {"when": {"partner_did": [kinds], "value": red|1..5, "touched": one|many} (absent: always),
         "then": {"action": play|discard|keep|hint|hint_color|hint_rank, "cards": …, "for": …, "value": …},
         "weight": -1 to 1}
Kinds of what a partner did: play, discard, hint_color, hint_rank, nothing (no move yet). `touched`: how many
cards the hint touches.
`cards`: touched, touched_newest, touched_oldest, untouched, untouched_newest, untouched_oldest, newest,
oldest, unsure, any, critical (to keep: what may be the last of its kind), {"slot": i},
{"rank": 1..5}, {"color": …}. `for` (hints): playable, critical, useless, new (not told yet).
`habit` marks rules about which
card or hint is chosen once such a move is made, as against rules that ask for the move. `asked` marks hints
with a purpose that the player asks for, as against hints that fit what the player will do.
`unless`, beside `cards`: [{"rank": 5}, {"color": "red"}], cards that it doesn't mean once the agent knows
that they are such.

The language is a small one on purpose: a clause that does not fit is left unread, not guessed at.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from engine.games.hanabi.language import common
from engine.games.hanabi.language.conditions import KINDS, Condition
from engine.games.hanabi.language.corrections import corrected
from engine.games.hanabi.language.guess import guess
from engine.games.hanabi.language.lexicon import Token, tag
from engine.games.hanabi.language.parts import PEOPLE, split
from engine.games.hanabi.language.phrases import Rule
from engine.games.hanabi.language.sentence import Sentence
from engine.language import text as typed

__all__ = ["KINDS", "Parsed", "Rule", "parse"]

_STRUCTURE = {
    *PEOPLE,
    *("IF", "UNLESS", "THEN", "COMMA", "STOP", "AND", "OR", "BUT", "FOR", "FROM", "THOSE", "CARD", "BE"),
    *("HAND", "SOMETHING", "SAY", "ALWAYS", "MAY", "SHOULD", "GET", "ONLY"),
}


@dataclass
class Parsed:
    """Rules found, the words that no rule accounts for, and the words that one does."""

    groups: list[list[Rule]] = field(default_factory=list)  # one list an order
    unread: list[str] = field(default_factory=list)
    tokens: list[Token] = field(default_factory=list)  # the words of the clauses that were read
    used: int = 0
    corrected: int = 0
    guessed: bool = False
    wished: bool = False  # some of it is a whole wish of common.py, so it is about Hanabi

    @property
    def rules(self) -> list[Rule]:
        """The rules of all clauses, each once."""
        every = [rule for group in self.groups for rule in group]
        return [rule for i, rule in enumerate(every) if rule not in every[:i]]


def parse(text: str) -> Parsed:
    """Rules of `text`; see the module's first lines for their form."""
    wished, text, used = common.cut(typed.clean(text))
    tokens = _without_examples(corrected(tag(text)))
    tokens = _whose(_vocative(tokens))
    agent_is_me = _speaks_as_agent(tokens)
    out = Parsed(wished, used=used, wished=bool(wished), corrected=sum(t.corrected for t in tokens))
    seen: list[str] = []  # kinds that earlier conditions named: "something else" is the others
    carried: Condition | None = None
    previous: Condition | None = None
    for sentence, asked in _sentences(tokens):
        reader = Sentence(split(sentence), agent_is_me, seen, carried, previous, asked)
        reader.read()
        rules = reader.rules()
        out.groups += rules
        carried = reader.dangling if not rules else None
        if reader.used_condition is not None:
            previous = reader.used_condition
        for part in reader.parts:
            content = [t for t in part.tokens if t.concept not in _STRUCTURE]
            unknown = [t.word for t in content if t.concept == "?"]
            if id(part) in reader.read_parts or carried is not None:
                out.tokens += part.tokens
                out.used += len(content) - len(unknown)
                out.unread += unknown
            else:
                out.unread += [t.word for t in content]
    guessed = [] if out.rules else guess(tokens)
    if guessed:
        known = [t for t in tokens if t.concept not in (*_STRUCTURE, "?")]
        out.groups, out.guessed, out.tokens = [guessed], True, tokens
        out.unread, out.used = [t.word for t in tokens if t.concept == "?"], len(known)
    return out


def _sentences(tokens: list[Token]) -> list[tuple[list[Token], bool]]:
    """Each sentence, and whether it ends in a question mark."""
    out: list[tuple[list[Token], bool]] = []
    current: list[Token] = []
    for token in tokens:
        if token.concept == "STOP":
            if current:
                out.append((current, token.word == "?"))
            current = []
        else:
            current.append(token)
    return [*out, (current, False)] if current else out


def _without_examples(tokens: list[Token]) -> list[Token]:
    """The tokens without "e.g. discards or tells me the rank": examples don't change what is meant."""
    out: list[Token] = []
    skipping = False
    for i, token in enumerate(tokens):
        if token.concept == "EXAMPLE":
            skipping = True
            if out and out[-1].concept == "COMMA":
                out.pop()
        elif skipping and (
            token.concept in ("STOP", "THEN") or token.concept == "COMMA" and not _lists(tokens, i)
        ):
            skipping = False
        if not skipping:
            out.append(token)
    return out


def _lists(tokens: list[Token], comma: int) -> bool:
    """Whether a comma only separates items of a list: an "or" follows before the next comma."""
    for token in tokens[comma + 1 :]:
        if token.concept == "OR":
            return True
        if token.concept in ("COMMA", "STOP", "THEN", "ME", "YOU"):
            return False
    return False


def _vocative(tokens: list[Token]) -> list[Token]:
    """The tokens without "partner, …" and "…, mate" where somebody is only called."""
    edge = ("COMMA", "STOP", "ALWAYS", "AND", "BUT")
    out = []
    for i, token in enumerate(tokens):
        if token.concept == "PARTNER" or token.word in ("bot", "robot", "agent", "ai", "computer"):
            starts = i == 0 or tokens[i - 1].concept in edge
            ends = i + 1 == len(tokens) or tokens[i + 1].concept in ("COMMA", "STOP")
            if starts and ends and token.word not in ("he", "she", "they"):
                continue
            if i == 0 and i + 1 < len(tokens) and tokens[1].concept == "IF":
                continue
        out.append(token)
    while out and out[0].concept in ("COMMA", "AND", "BUT", "THEN", "STOP"):
        out.pop(0)
    return out


def _whose(tokens: list[Token]) -> list[Token]:
    """The tokens with "they" as the partner where a person has to be meant, and "your partner" as one."""
    named = {t.concept for t in tokens}
    out: list[Token] = []
    for i, token in enumerate(tokens):
        after = tokens[i + 1] if i + 1 < len(tokens) else None
        if token.word in ("they", "they're") and not {"ME", "YOU"} <= named and after is not None:
            if after.concept in ("HINT", "SAY", "PLAY", "DISCARD", "HINTED"):
                token = Token(token.word, "PARTNER", None, token.corrected)
        if token.concept in ("ME", "YOU") and after is not None and after.concept == "PARTNER":
            if token.word in ("my", "your"):
                continue
        out.append(token)
    return out


def _speaks_as_agent(tokens: list[Token]) -> bool:
    """Whether "I" is the agent: "if my partner tells me…, I should…" against "if I tell you…, play it"."""
    concepts = {t.concept for t in tokens if t.word not in ("their", "them", "his", "her", "him")}
    if "YOU" in concepts or "ME" not in concepts:
        return False
    if "PARTNER" in concepts:
        return not any(
            t.concept == "PARTNER" and n.concept == "SHOULD" for t, n in zip(tokens, tokens[1:], strict=False)
        )
    i_must = any(
        t.concept == "ME" and n.concept in ("SHOULD", "PLAY", "DISCARD", "KEEP", "MAY", "ALWAYS", "NOT")
        for t, n in zip(tokens, tokens[1:], strict=False)
    )
    told = any(
        t.concept == "ME"
        and (n.concept in ("GET", "BE") or n.concept == "HINTED" and t.word in ("i'm", "im"))
        for t, n in zip(tokens, tokens[1:], strict=False)
    )
    return i_must and (told or any(t.concept == "SHOULD" for t in tokens))
