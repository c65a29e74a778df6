"""A sentence cut into parts: one thing that somebody does or is told, with the words that belong to it.

"If I hint you a colour, play it" is [if I hint you a colour] [, play it]. What a part is for (a condition or
an order) and what follows from it is `parse.py`'s business.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from engine.games.hanabi.language.lexicon import Token

PEOPLE = ("ME", "YOU", "PARTNER")
ACTIONS = ("PLAY", "DISCARD", "KEEP", "HINT")
_SEPARATORS = ("COMMA", "AND", "OR", "THEN", "BUT")
_LEADS = ("IF", "UNLESS", "ELSE", "OTHERHINT", "SO", "MEANS")
_KINDS = ("COLOR", "RANK", "COLOR_VALUE", "RANK_VALUE")
_HINTING = ("HINT", "HINTED", "SAY", "GET")
_BEFORE_VERB = (
    *PEOPLE,
    "NOT",
    "MAY",
    "ALWAYS",
    "ONLY",
    "PREFER",
    "BE",
    "SHOULD",
    "RATHER",
    "MORE",
    "LESS",
    "SURE",
)
_OBJECTS = ("me", "him", "her", "them", "us")
_POSSESSIVES = ("my", "your", "mine", "yours", "his", "her", "their", "ur", "yer", "partner's", "teammate's")


_HINT_NOUNS = ("hint", "hints", "clue", "clues", "tip", "tips", "cues", "designation", "pings", "ping")
_GOT = ("get", "gets", "got", "getting")


@dataclass
class Part:
    """One action and its words. `verb` is "" where there is none; `lead`: IF, UNLESS, ELSE, MEANS or None;
    `link`: the separator before it ("" if it follows directly). `at`: where the verb stands in `tokens`."""

    tokens: list[Token] = field(default_factory=list)
    verb: str = ""
    at: int = 0
    lead: str | None = None
    link: str = ""
    passive: bool = False
    nominal: bool = False  # a hint as a thing: "colour clue, …"
    not_led: bool = False  # "doesn't mean …"

    def has(self, *concepts: str) -> bool:
        return any(t.concept in concepts for t in self.tokens)

    @property
    def before(self) -> list[Token]:
        return self.tokens[: self.at]

    @property
    def after(self) -> list[Token]:
        return self.tokens[self.at + 1 :]


def split(tokens: list[Token]) -> list[Part]:
    """The parts of one sentence."""
    parts: list[Part] = [Part()]

    def start(**how: str | None) -> None:
        part = parts[-1]
        if part.tokens or part.lead:
            parts.append(Part())
            part = parts[-1]
        for key, value in how.items():
            if value:
                setattr(part, key, value)

    for i, token in enumerate(tokens):
        part = parts[-1]
        concept = token.concept
        if concept in _SEPARATORS:
            if part.tokens or part.lead:
                start(link=token.word if token.word == ":" else concept)
            elif not part.link or concept == "THEN":
                part.link = concept
        elif concept in _LEADS:
            if concept == "MEANS":
                _lead_means(parts)
                continue
            if concept in ("ELSE", "OTHERHINT", "SO"):
                if part.lead not in ("IF", "UNLESS") or part.verb:
                    start()
                parts[-1].lead = "SO" if concept == "SO" else "ELSE"
                if concept != "OTHERHINT":
                    parts.append(Part())
                else:
                    parts[-1].tokens.append(token)
                continue
            if part.lead in ("IF", "UNLESS") and not part.tokens:
                continue  # "unless if"
            negated = part.tokens and part.tokens[-1].concept in ("ONLY", "NOT") and not part.verb
            only = [parts[-1].tokens.pop()] if negated and part.tokens[-1].concept == "ONLY" else []
            start(lead=concept)
            parts[-1].tokens += only
        elif concept == "START":
            start()
            parts[-1].verb, parts[-1].lead = "START", parts[-1].lead or "IF"
            parts[-1].tokens.append(token)
            start()
        else:
            verb = _verb(tokens, i, part)
            if verb is None:
                part.tokens.append(token)
            elif not part.verb and not (verb != "HINT" and _names_a_hint(part)):
                part.verb, part.at = verb, len(part.tokens)
                part.tokens.append(token)
            elif verb == "HINT" and part.verb in ("", "HINT") and not _new_subject(part, token):
                part.tokens.append(token)
                if not part.verb:
                    part.verb = verb
            else:
                moved: list[Token] = []
                while part.tokens[part.at + bool(part.verb) :] and _moves(part, verb):
                    moved.insert(0, part.tokens.pop())
                if not part.verb:
                    part.verb, part.nominal = "HINT", True
                parts.append(Part(moved + [token], verb, len(moved)))
    return [_finished(p) for p in parts if p.tokens or p.lead]


def _lead_means(parts: list[Part]) -> None:
    part = parts[-1]
    not_led = bool(part.tokens) and part.tokens[-1].concept == "NOT"
    if not_led:
        part.tokens.pop()
    while (
        part.tokens
        and part.tokens[-1].concept in ("BE", "SHOULD", "ALWAYS", "MAY", "THOSE")
        and part.has(*_HINTING, *_KINDS, *ACTIONS)
    ):
        part.tokens.pop()
    if part.has("SLOT", "NEWEST", "OLDEST") and not part.has(*_HINTING, *_KINDS, *ACTIONS):
        parts.append(Part(link="COMMA"))  # "slot B is for discards"
        return
    if part.tokens and not part.has(*_HINTING, *_KINDS, *ACTIONS) and not part.lead:
        part.tokens.clear()  # "it means", "that is a sign to"
    if part.tokens or part.lead:
        parts.append(Part())
    parts[-1].lead, parts[-1].not_led = "MEANS", not_led


def _moves(part: Part, verb: str) -> bool:
    """Whether the last word of a part belongs to the action that follows it."""
    token = part.tokens[-1]
    if verb == "HINT" and token.concept in ("COLOR", "RANK") and len(part.tokens) > 1:
        return part.tokens[-2].concept in PEOPLE  # "whatever i colour-hint"
    if token.concept not in _BEFORE_VERB or len(part.tokens) > 1 and part.tokens[-2].concept == "FROM":
        return False
    return not (token.word in _OBJECTS and len(part.tokens) > 1)


def _names_a_hint(part: Part) -> bool:
    """Whether the words before a verb are the hint that it answers: "colours to play"."""
    return (
        part.has(*_KINDS) and not part.has("NOT", "ONLY", "PREFER") or part.has("SAY") and part.has(*_KINDS)
    )


def _new_subject(part: Part, following: Token) -> bool:
    """Whether a person who acts was named since the verb, so that a second hint is another one."""
    if not part.verb:
        return False
    since = part.tokens[part.at + 1 :]
    noun = part.tokens[part.at].word in _HINT_NOUNS and part.at > 0
    if noun and not since and part.lead and following.word in ("give", "tell", "show"):
        return True  # "after my colour hint give me a number"
    if part.tokens[part.at].word in _HINT_NOUNS and following.concept == "SAY" and len(since) == 1:
        return False  # "every hint I give"
    if part.tokens[part.at].concept == "SAY" and [t.concept for t in since] == ["YOU"]:
        return False  # "gives you a hint"
    if not since or since[-1].concept not in PEOPLE or since[-1].word in (*_OBJECTS, *_POSSESSIVES):
        return (
            bool(since)
            and part.has(*_KINDS)
            and any(
                t.concept in ("YOU", "ME") and t.word not in (*_OBJECTS, *_POSSESSIVES) for t in since[1:]
            )
        )
    return True


def _verb(tokens: list[Token], i: int, part: Part) -> str | None:
    """The action that a word stands for here, if any."""
    token = tokens[i]
    concept = token.concept
    rest = _until_break(tokens[i + 1 :])
    if concept == "KEEP" and rest and rest[0].concept != "SOMETHING" and rest[0].word.endswith("ing"):
        return None  # "keep hinting"
    if concept == "KEEP" and i + 1 < len(tokens) and tokens[i + 1].word in ("playing", "discarding"):
        return None
    if concept in ("PLAY", "DISCARD", "KEEP"):
        return concept
    if concept in ("HINT", "HINTED"):
        if _is_compound(tokens, i) or concept == "HINTED" and _is_adjective(tokens, i):
            return None
        return "HINT"
    if concept == "SAY":
        return "HINT" if any(t.concept in (*_KINDS, "HINT") for t in rest) or _speaks_of(part, rest) else None
    if concept == "GET" or token.word in _GOT:
        return "HINT" if any(t.concept in (*_KINDS, "HINT") for t in rest) else None
    return None


def _speaks_of(part: Part, rest: list[Token]) -> bool:
    """Whether a verb of saying is about cards: "the cards i tell you about", "tell me what is playable"."""
    return (
        part.verb in ("PLAY", "DISCARD", "KEEP")
        or any(
            t.concept in ("CARD", "PLAYABLE", "CRITICAL", "USELESS", "ONE", "MANY")
            for t in [*part.tokens, *rest]
        )
        or part.has(*_KINDS)
    )


def _until_break(tokens: list[Token]) -> list[Token]:
    out: list[Token] = []
    for token in tokens:
        if token.concept in (*_SEPARATORS, *_LEADS, "STOP", "PLAY", "DISCARD", "KEEP"):
            break
        out.append(token)
    return out


def _is_compound(tokens: list[Token], i: int) -> bool:
    """ "Play clues", "a discard signal", "save hints": the noun of another action."""
    before = tokens[i - 1] if i else None
    if before is None or before.concept not in ("PLAY", "DISCARD", "KEEP", "PLAYABLE", "CRITICAL", "USELESS"):
        return False
    if tokens[i].word not in ("hint", "hints", "clue", "clues", "cue", "cues"):
        return False
    after = tokens[i + 1] if i + 1 < len(tokens) else None
    return after is None or after.concept in (*_SEPARATORS, *_LEADS, "STOP", "FROM", "BE", "FOR", "TOKENS")


def _is_adjective(tokens: list[Token], i: int) -> bool:
    """ "The hinted cards", "the oldest touched one"."""
    before = tokens[i - 1] if i else None
    after = tokens[i + 1] if i + 1 < len(tokens) else None
    noun = after is not None and after.word in ("card", "cards", "one", "ones", "of")
    ranked = before is not None and before.concept in ("NEWEST", "OLDEST")
    return noun and (before is None or before.concept not in (*PEOPLE, "BE", "NOT")) or ranked


def _finished(part: Part) -> Part:
    """The part with a bare kind taken as a hint, and whether it is passive or a thing."""
    if not part.verb and part.has(*_HINTING) and part.has(*_KINDS, "CARD", "ONE", "MANY"):
        part.verb = "HINT"
        part.at = next(i for i, t in enumerate(part.tokens) if t.concept in _HINTING)
    if part.verb == "HINT" and part.tokens:
        verb = part.tokens[min(part.at, len(part.tokens) - 1)]
        got = verb.word in _GOT or any(t.word in _GOT for t in part.before)
        participle = verb.concept == "HINTED" and (
            any(t.concept == "BE" for t in part.before) or _contracted(part.before)
        )
        part.passive = verb.concept == "GET" or got or participle
        kinds_first = any(t.concept in _KINDS for t in part.before)
        noun = verb.word in _HINT_NOUNS
        if noun and not any(
            t.concept in PEOPLE and t.word not in (*_POSSESSIVES, *_OBJECTS) for t in part.before
        ):
            owner = any(t.word in _POSSESSIVES for t in part.before)
            from_somebody = any(t.concept == "FROM" for t in part.after)
            quantified = any(t.concept in ("SOMETHING", "ALWAYS") for t in part.before)
            received = any(t.concept in ("GET", "HINTED") or t.word in ("from",) for t in part.after)
            part.nominal = part.nominal or kinds_first or owner or from_somebody or quantified or received
    return part


def _contracted(before: list[Token]) -> bool:
    """Whether "i'm" or "you're" stands before a participle."""
    return bool(before) and any(t.word in ("i'm", "im", "you're", "youre", "they're") for t in before[-2:])


def actor(part: Part, agent_is_me: bool) -> str | None:
    """Who acts in a part: "agent", "player", or None where nobody is named."""
    person = _subject(part)
    who = _who(person, agent_is_me)
    if who is not None and part.passive:
        return {"agent": "player", "player": "agent"}.get(who, who)
    return who


def _subject(part: Part) -> Token | None:
    owner: Token | None = None
    unpossessed = [t for t in part.before if t.word not in _POSSESSIVES]
    if part.before and part.before[0].word == "me":
        return part.before[0]  # "me say colour, you play"
    noun = bool(part.tokens) and part.tokens[part.at].word in _HINT_NOUNS
    for token in reversed(part.before):
        if token.concept not in PEOPLE or token.word in _OBJECTS:
            if token.concept == "?" and token is part.before[-1] and unpossessed:
                return token
            continue
        if token.word in _POSSESSIVES:
            owner = token
            if noun and part.verb == "HINT":
                return owner
            continue
        return token
    for i, token in enumerate(part.after):
        nominative = token.concept in PEOPLE and token.word not in (*_OBJECTS, *_POSSESSIVES)
        if noun and nominative and i + 1 < len(part.after) and part.after[i + 1].concept == "SAY":
            return token  # "every hint I give"
        if token.concept == "FROM" and i + 1 < len(part.after) and part.after[i + 1].concept in PEOPLE:
            part.passive = False
            return part.after[i + 1]
    return owner if part.verb == "HINT" or part.nominal or owner is None else owner


def _who(token: Token | None, agent_is_me: bool) -> str | None:
    if token is None:
        return None
    if token.concept == "ME":
        return "agent" if agent_is_me else "player"
    if token.concept == "YOU":
        return "agent"
    if token.concept == "PARTNER":
        return "player"
    return "other"


def is_negated(part: Part) -> bool:
    """Whether a "not" reaches the verb of a part."""
    return any(t.concept in ("NOT", "RATHER") for t in part.before)


def has_pronoun(part: Part) -> bool:
    return any(t.concept == "THOSE" and t.word not in ("one", "ones", "which") for t in part.after)


def of_hinted_cards(part: Part) -> bool:
    """Whether a part speaks of "the hinted cards" and not of cards that are not."""
    return part.has("HINTED") and not part.has("UNTOUCHED", "OTHERS")


def is_past(part: Part) -> bool:
    """Whether the verb tells what was done: "I discarded" against "should be discarded"."""
    word = part.tokens[part.at].word if part.tokens else ""
    return (
        part.verb in ("PLAY", "DISCARD", "KEEP")
        and (word.endswith("ed") or word in ("threw", "thrown", "kept", "held"))
        and not any(t.concept in ("BE", "SHOULD", "NOT", "PREFER", "RATHER") for t in part.before)
        and part.lead != "IF"
        and (part.has(*PEOPLE) or not any(t.concept in ("CARD", "THOSE", "UNTOUCHED") for t in part.before))
    )
