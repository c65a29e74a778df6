"""An instruction cut into clauses: who acts, with which verb, on what, where, how often, when.

Not for what a clause asks for (`intents`), nor for the words themselves (`vocabulary`, `lexicon`).
"""

from __future__ import annotations

from dataclasses import dataclass, field

from engine.games.overcooked.language.lexicon import ITEMS, Token

PEOPLE = {"ME": "me", "YOU": "you", "BOTH": "both"}
VERBS: tuple[str, ...] = ("FETCH", "PUT", "COOK", "SERVE", "PLATEUP", "START", "DO", "GO", "WAIT", "STOP")
VERBS += ("CONTINUE", "CANCEL", "KEEP", "CLEAR", "SWAP", "DIVIDE", "NEED", "HAVE", "USE")
BREAKS = ("BREAK", "COMMA", "AND", "OR", "THEN", "BUT")
# Verbs that only lead to the next one: "go get", "start serving", "keep bringing", "you do the cooking".
LEADS = ("GO", "START", "KEEP", "STOP", "CONTINUE", "DO", "NEED", "FETCH", "HAVE", "USE")
LASTING = ("KEEP", "CONTINUE", "DO", "START")
ENDS = ("until", "unless")
"""Of the words before a condition those that say when not."""
POSSESSIVE = ("my", "your", "our", "ur", "his", "her")
CONTENT = (
    *VERBS,
    *ITEMS,
    "POT",
    "WINDOW",
    "COUNTER",
    "DISPENSER",
    "SIDE",
    "WHICH",
    "NUMBER",
    "WHEN",
    "ODD",
    "?",
)
"""Concepts that a reading has to account for."""


@dataclass
class Clause:
    """One wish. `who` is "" where nobody is named; `tokens` are all but the verb and the subject."""

    tokens: list[Token]
    verb: str = ""
    word: str = ""  # the verb as typed
    who: str = ""
    negated: bool = False
    lasting: bool = False
    when: str | None = None  # "ready" or "full": wait for the soup, or for the pot
    then: bool = False  # after what was said before
    joined: str = ""  # the break before it
    content: list[Token] = field(default_factory=list)

    @property
    def states(self) -> bool:
        """Whether it says how things are: "the soup is ready", "there are two onions in it"."""
        return not self.verb and (
            self.has("READY", "EMPTY", "FULL") or bool(self.tokens) and self.tokens[0].concept == "THERE"
        )

    def has(self, *concepts: str) -> bool:
        return any(token.concept in concepts for token in self.tokens)


def clauses(tokens: list[Token]) -> list[Clause]:
    """The clauses of an instruction in order, each with its verb and subject or those it takes over."""
    found: list[Clause] = []
    when: str | None = None
    named: list[Token] = []
    for joined, part in _parts(_conditions(tokens)):
        clause = _clause(part, joined)
        if all(token.concept == "COND" for token in part):
            named = part
            continue
        if all(token.concept == "WHEN" for token in part):
            # "When the soup is ready, serve it": a condition that stands first is the next clause's.
            if found and joined != "BREAK":
                found[-1].when = clause.when
            else:
                when = clause.when
            continue
        clause.when, when = clause.when or when, None
        clause.tokens, named = [*clause.tokens, *named], []
        if not clause.content and not clause.who:
            if clause.then and found:
                clause.then = False
            continue
        before = found[-1] if found else None
        if before is not None and _belongs_to(clause, before):
            before.tokens += [Token(",", "AND"), *clause.tokens]
            before.content += clause.content
            before.when = before.when or clause.when
            continue
        if before is not None:
            _take_over(clause, before)
        found.append(clause)
    return found


def _conditions(tokens: list[Token]) -> list[Token]:
    """The same with "when the soup is ready" as one token WHEN, and other conditions left out: what is asked
    for under a condition is asked for."""
    out: list[Token] = []
    at = 0
    while at < len(tokens):
        token = tokens[at]
        if token.concept != "IF":
            out.append(token)
            at += 1
            continue
        end = _end_of_condition(tokens, at, first=not out or out[-1].concept in BREAKS)
        inside = tokens[at + 1 : end]
        acts = inside and (inside[0].concept == "YOU" or inside[0].word.endswith("ing"))
        if (
            token.word == "after"
            and acts
            and any(t.concept in ("SERVE", "PUT", "COOK", "FETCH", "PLATEUP") for t in inside)
        ):
            # "After serving, get plates" asks for both in their order.
            out += [*inside, Token(",", "AND")]
        elif end - at == len(tokens):
            out += [Token(token.word, "?"), *inside]
        else:
            value = next((v for t in inside if (v := _state(t))), None)
            if token.word in ENDS and not any(t.concept == "WAIT" for t in out):
                value = None  # what ends a wish is no state to wait for
            said = " ".join(t.word for t in tokens[at:end])
            item = next((t.concept for t in inside if t.concept in ITEMS), None)
            out.append(Token(said, "WHEN", value) if value else Token(said, "COND", item))
        at = end
    return out


def _state(token: Token) -> str | None:
    states = {"READY": "ready", "FULL": "full", "EMPTY": "empty", "COOK": "full"}
    return states.get(token.concept)


def _end_of_condition(tokens: list[Token], at: int, first: bool) -> int:
    """Where the condition that begins at `at` ends: at a comma; without one, before the wish that follows."""
    stop = next((i for i in range(at + 1, len(tokens)) if tokens[i].concept in BREAKS), len(tokens))
    if not first or stop < len(tokens) and tokens[stop].concept in ("COMMA", "THEN"):
        return stop
    seen = False
    for i in range(at + 1, stop):
        token = tokens[i]
        if token.concept in ("READY", "FULL", "EMPTY") and i + 1 < stop:
            return i + 1
        if seen and (token.concept in VERBS or token.concept in PEOPLE and _is_subject(tokens, i)):
            return i
        seen = seen or token.concept in (*ITEMS, "POT", "SERVE", "COOK", "IT", "WAIT", "IN", "THERE")
    return stop


def _parts(tokens: list[Token]) -> list[tuple[str, list[Token]]]:
    """Cut at breaks, at a new subject, and at a second verb once the first one has its object."""
    parts: list[tuple[str, list[Token]]] = [("BREAK", [])]
    verb, nouns, seen = "", False, 0  # of the part so far: its first verb, whether it has an object
    for at, token in enumerate(tokens):
        joined, part = parts[-1]
        if len(part) < 2:
            verb, nouns, seen = "", False, 0
        for before in part[seen:]:
            verb = verb or (before.concept if before.concept in VERBS else "")
            nouns = nouns or before.concept in (*ITEMS, "POT", "WINDOW", "COUNTER", "IT", "ROLES")
        seen = len(part)
        if token.concept in BREAKS:
            stronger = not part and joined == "THEN"
            parts.append(("THEN" if stronger else token.concept, []))
            continue
        new_subject = token.concept in PEOPLE and _is_subject(tokens, at) and (verb or nouns)
        second_verb = (
            token.concept in VERBS
            and verb
            and (nouns or verb in ("SERVE", "COOK", "CLEAR", "SWAP"))
            and not (verb in ("WAIT", "KEEP", "NEED", "START") and token.concept in ("COOK", "GO"))
        )
        if token.concept == "FIRST" and part:
            parts.append(("BREAK", []))
        elif token.concept == "NOT" and nouns and at + 1 < len(tokens):
            # "Plates, not onions", "bring plates not onions".
            parts.append(("NOT", [token]))
            continue
        elif new_subject or second_verb:
            parts.append(("AND", [token]))
            continue
        parts[-1][1].append(token)
    return [(joined, part) for joined, part in parts if part]


def _is_subject(tokens: list[Token], at: int) -> bool:
    """Whether a person acts: not "me" in "bring me", "for me", "my side"."""
    token = tokens[at]
    if token.word in POSSESSIVE or token.word in ("us", "mine", "yours"):
        return False
    before = tokens[at - 1].concept if at else ""
    if token.word in ("me", "you", "myself", "yourself", "u") and before in (
        "TO",
        "FETCH",
        "AT",
        "NEED",
        "PUT",
    ):
        return False
    if token.word == "me" and before == "COOK":
        return False
    after = next((t.concept for t in tokens[at + 1 :] if t.concept not in ("THE", "A", "NOT", "ONLY")), "")
    return after in (*VERBS, *ITEMS, "POT", "WINDOW", "WHICH")


def _clause(part: list[Token], joined: str) -> Clause:
    clause = Clause([], joined=joined, then=joined == "THEN")
    for at, token in enumerate(part):
        if token.concept in PEOPLE and not clause.who and not clause.verb and token.word not in POSSESSIVE:
            clause.who = PEOPLE[token.concept]
        elif token.concept == "NOT":
            clause.negated = True
        elif token.concept == "WHEN":
            clause.when = str(token.value)
            clause.tokens.append(token)
        elif token.concept in VERBS and _leads_here(clause, part, at):
            if clause.verb == "STOP" and token.concept != "STOP":
                clause.negated = True
            clause.lasting = clause.lasting or clause.verb in LASTING
            clause.verb, clause.word = token.concept, token.word
        elif token.concept in ("ALWAYS", "ONLY"):
            clause.lasting = True
        elif token.word not in POSSESSIVE:
            clause.tokens.append(token)
    clause.content = [t for t in part if t.concept in CONTENT]
    return clause


def _leads_here(clause: Clause, part: list[Token], at: int) -> bool:
    """Whether this verb is the clause's: its first one, or one that the verb before only leads to."""
    if not clause.verb:
        return True
    if clause.verb == "START" and part[at].concept == "COOK" and any(t.concept == "POT" for t in part):
        return False
    return clause.verb in LEADS and not any(t.concept in ITEMS for t in clause.tokens)


def _belongs_to(clause: Clause, before: Clause) -> bool:
    """Whether a part without verb and subject goes on listing: "onions, plates", "on the counter"."""
    if clause.verb or clause.who or clause.then or clause.negated:
        return False
    if clause.joined == "BREAK" or before.negated and clause.joined != "OR":
        return False
    if clause.has("WHEN") and not clause.has(*ITEMS):
        return True
    if all(token.concept == "NUMBER" for token in clause.content):
        return True
    places = ("POT", "WINDOW", "COUNTER")
    if clause.has(*ITEMS):
        if not before.verb and not before.has(*ITEMS) and before.has(*places):
            return not clause.has("?")
        return not clause.has("?") and before.verb in ("FETCH", "DO", "PUT", "NEED", "COOK")
    return clause.has(*places) and not before.has(*places)


def _take_over(clause: Clause, before: Clause) -> None:
    """A subject and a verb where a clause has none: "you do onions and serve", "you the left pot"."""
    states = clause.has("READY", "EMPTY", "FULL", "ODD")
    if not clause.verb and not states and (clause.has(*ITEMS, "POT", "WINDOW", "COUNTER", "WHICH")):
        clause.verb, clause.word = before.verb or "DO", before.word
        clause.lasting = clause.lasting or before.lasting
    if not clause.who and clause.joined in ("AND", "THEN", "OR") and before.verb != "NEED":
        clause.who = before.who
    if clause.joined == "OR":
        clause.negated = clause.negated or before.negated
