"""From the words of an instruction to a program: a list of rules over what the partner did and what the
agent does.

A rule: {"when": {"partner_did": [kinds], "value": red|1..5} (absent: always),
         "then": {"action": play|discard|keep|hint|hint_color|hint_rank, "cards": …, "for": …, "value": …},
         "weight": -1 to 1}
Kinds of what a partner did: play, discard, hint_color, hint_rank, nothing (no move yet).
`cards`: touched, touched_newest, touched_oldest, untouched, untouched_newest, untouched_oldest, newest,
oldest, unsure, any, {"slot": i},
{"rank": 1..5}, {"color": …}. `for` (hints): playable, critical, useless. `habit` marks rules about which
card or hint is chosen once such a move is made, as against rules that ask for the move.

The language is a small one on purpose: a clause that does not fit is left unread, not guessed at.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from engine.language.hanabi.lexicon import Token, tag
from engine.language.hanabi.phrases import (
    HINTS,
    PEOPLE,
    Rule,
    has,
    is_bare_hint,
    make_rule,
    named_kinds,
    object_rules,
)

KINDS = ("play", "discard", "hint_color", "hint_rank", "nothing")
_ACTIONS = ("PLAY", "DISCARD", "KEEP", "HINT")
_STRUCTURE = {
    *PEOPLE,
    "IF",
    "THEN",
    "COMMA",
    "STOP",
    "AND",
    "OR",
    "FOR",
    "THOSE",
    "CARD",
    "HAND",
    "BE",
    "SOMETHING",
    "USE",
    "ALWAYS",
    "MAY",
    "GET",
    "ONLY",
}


@dataclass
class Parsed:
    """Rules found, the words that no rule accounts for, and the words that one does."""

    groups: list[list[Rule]] = field(default_factory=list)  # one list a clause
    unread: list[str] = field(default_factory=list)
    used: int = 0
    corrected: int = 0

    @property
    def rules(self) -> list[Rule]:
        """The rules of all clauses, each once."""
        every = [rule for group in self.groups for rule in group]
        return [rule for i, rule in enumerate(every) if rule not in every[:i]]


def parse(text: str) -> Parsed:
    """Rules of `text`; see the module's first lines for their form."""
    tokens = _otherwise_first(tag(text))
    agent_is_me = _speaks_as_agent(tokens)
    out = Parsed(corrected=sum(t.corrected for t in tokens))
    seen: list[str] = []  # kinds that earlier conditions named: "something else" is the others
    last_when: dict[str, Any] | None = None
    for clause in _clauses(tokens):
        rules, when = _clause(clause, agent_is_me, seen, last_when)
        content = [t for t in clause if t.concept not in _STRUCTURE]
        unknown = [t.word for t in content if t.concept == "?"]
        if rules:
            out.groups.append(rules)
            out.used += len(content) - len(unknown)
            out.unread += unknown
            last_when = when
        else:
            out.unread += [t.word for t in content]
    return out


def _speaks_as_agent(tokens: list[Token]) -> bool:
    """Whether "I" is the agent: "if my partner tells me…, I should…" against "if I tell you…, play it"."""
    concepts = {t.concept for t in tokens}
    return "PARTNER" in concepts and "YOU" not in concepts and "ME" in concepts


def _clauses(tokens: list[Token]) -> list[list[Token]]:
    """Sentences, cut again where a new condition, an "otherwise" or a new "… means …" starts."""
    sentences: list[list[Token]] = [[]]
    for i, token in enumerate(tokens):
        before = sentences[-1]
        after_break = bool(before) and before[-1].concept in ("COMMA", "AND", "OR", "STOP")
        starts = (token.concept == "IF" and after_break and any(t.concept in _ACTIONS for t in before)) or (
            token.concept == "ELSE" and (not before or before[-1].concept in ("COMMA", "AND"))
        )
        if starts:
            sentences.append([token])
        elif (
            token.concept == "STOP"
            or token.concept == "COMMA"
            and not has(before, "IF", "ELSE")
            and _starts_convention(tokens[i + 1 :])
            or token.concept == "AND"
            and not has(before, "IF", "ELSE")
            and _starts_convention(tokens[i + 1 :])
            or _ends_later_condition(before, tokens[i:])
        ):
            sentences.append([])
        else:
            sentences[-1].append(token)
    return [s for s in sentences if s]


def _otherwise_first(tokens: list[Token]) -> list[Token]:
    """The same tokens with an "otherwise" that stands last put before the order that it belongs to."""
    out = list(tokens)
    for i, token in enumerate(tokens):
        last = i + 1 == len(tokens) or tokens[i + 1].concept == "STOP"
        breaks = [k for k in range(i) if tokens[k].concept in ("COMMA", "AND")]
        if token.concept == "ELSE" and last and breaks and has(tokens[breaks[-1] : i], *_ACTIONS):
            out.insert(breaks[-1] + 1, out.pop(i))
    return out


def _ends_later_condition(before: list[Token], rest: list[Token]) -> bool:
    """Whether a new order follows a condition that stood last: "play it when I hint red, and never
    discard"."""
    at = next((i for i, t in enumerate(before) if t.concept == "IF"), None)
    if rest[0].concept not in ("COMMA", "AND") or at is None or not has(before[:at], *_ACTIONS):
        return False
    if not has(before[at:], *_ACTIONS, "HINTED"):
        return False
    order = [t.concept for t in rest if t.concept not in ("COMMA", "AND", "ALWAYS", "NOT", "ONLY", "PREFER")]
    return bool(order) and order[0] in _ACTIONS


def _starts_convention(rest: list[Token]) -> bool:
    """Whether a new "<kind> hints mean <action>" follows, or a wish of its own: "discard oldest"."""
    if len(rest) > 1 and rest[0].concept in ("PLAY", "DISCARD") and rest[1].concept in ("NEWEST", "OLDEST"):
        return True
    if rest and rest[0].concept == "KEEP" and (is_bare_hint(rest[1:]) or has(rest[1:4], "TOKENS")):
        return True
    for i, token in enumerate(rest):
        if token.concept in ("COMMA", "STOP", "AND", "IF", *_ACTIONS[:3]):
            return False
        if token.concept in ("COLOR", "RANK"):
            return any(
                t.concept in ("MEANS", "BE", "PLAY", "DISCARD", "KEEP", "FOR") for t in rest[i + 1 : i + 4]
            )
    return False


def _clause(
    tokens: list[Token], agent_is_me: bool, seen: list[str], last_when: dict[str, Any] | None
) -> tuple[list[Rule], dict[str, Any] | None]:
    condition, consequence = _split(tokens)
    if condition and condition[0].concept == "ELSE" or (condition is not None and has(condition, "ELSE")):
        others = [k for k in KINDS if k not in seen]
        if not seen or not others:
            return [], None
        when: dict[str, Any] | None = {"partner_did": others}
        return _consequences(consequence, when, "player", agent_is_me), when
    if condition is not None:
        if not has(condition, *_ACTIONS, "HINTED", "COLOR", "RANK"):
            return _plain_habit(condition, consequence, agent_is_me), None
        when, actor = _condition(condition, agent_is_me)
        if when is None:
            return [], None
        if actor == "player":
            seen += [k for k in when["partner_did"] if k not in seen]
        return _consequences(consequence, when, actor, agent_is_me), when
    convention = _convention(consequence, agent_is_me, seen)
    if convention is not None:
        return convention
    told = _told_condition(consequence, agent_is_me)
    if told is not None:
        return _clause(
            [Token("if", "IF"), *told[0], Token(",", "COMMA"), *told[1]], agent_is_me, seen, last_when
        )
    inherits = last_when is not None and has(consequence, "THOSE") and not has(consequence, "HINT")
    when = last_when if inherits else None
    return _consequences(consequence, when, "player" if when else None, agent_is_me), when


def _split(tokens: list[Token]) -> tuple[list[Token] | None, list[Token]]:
    """(condition, consequence); condition is None where the clause has none."""
    if tokens[0].concept == "ELSE":
        return tokens[:1], tokens[1:]
    at = next((i for i, t in enumerate(tokens) if t.concept == "IF"), None)
    if at is None:
        return None, tokens
    if has(tokens[:at], *_ACTIONS):
        return tokens[at + 1 :], tokens[:at]
    rest = tokens[at + 1 :]
    for stop in ("THEN", "COMMA"):
        cut = next((i for i, t in enumerate(rest) if t.concept == stop), None)
        if cut is not None and has(rest[cut + 1 :], *_ACTIONS):
            return rest[:cut], rest[cut + 1 :]
    # "if i hint you a colour play it": the consequence starts at the second action, with its subject and
    # "not".
    actions = [i for i, t in enumerate(rest) if t.concept in (*_ACTIONS, "HINTED")]
    if not actions:
        return rest, []
    first = actions[0]
    second = next((i for i in actions[1:]), None)
    if second is None:
        return rest, []
    second = _with_subject(rest, first, second)
    return rest[:second], rest[second:]


def _with_subject(tokens: list[Token], first: int, second: int) -> int:
    """Where the consequence that acts at `second` begins: its subject, "not" and the like belong to it."""
    before = (*PEOPLE, "NOT", "MAY", "ALWAYS", "ONLY", "PREFER", "BE", "SURE", "COMMA")
    while second - 1 > first and tokens[second - 1].concept in before:
        if tokens[second - 1].word in ("me", "him", "her", "them"):
            break  # objects: "a hint from me", "when i hint them"
        second -= 1
    return second


def _told_condition(tokens: list[Token], agent_is_me: bool) -> tuple[list[Token], list[Token]] | None:
    """A condition without "if": "I hint a rank, you play", "cards that I hint by rank should be played"."""
    actions = [i for i, t in enumerate(tokens) if t.concept in (*_ACTIONS, "HINTED")]
    if len(actions) < 2 or tokens[actions[0]].concept not in ("HINT", "HINTED"):
        return None
    first, second = actions[:2]
    if tokens[second].concept == "HINT" or has(tokens[:first], "NOT", "USE", "PREFER"):
        return None
    second = _with_subject(tokens, first, second)
    by_player = _subject(tokens[:first], agent_is_me, None) == "player"
    answered = (
        not by_player
        and has(tokens[:first], *PEOPLE)
        and _actor(tokens[second:], agent_is_me, "") == "player"
    )
    if tokens[0].concept in ("CARD", "THOSE") or by_player or answered:
        rest = [t for t in tokens[second:] if t.concept not in ("BE", "SURE", "COMMA")]
        return tokens[:second], rest
    return None


def _actor(tokens: list[Token], agent_is_me: bool, default: str | None) -> str | None:
    """Who the last person named before an action is: "agent", "player" or the default."""
    for i in range(len(tokens) - 1, -1, -1):
        token = tokens[i]
        if i > 0 and tokens[i - 1].concept in ("USE", "HINT"):
            continue  # the one who is given or told something: "give me hints"
        if token.concept == "ME":
            return "agent" if agent_is_me else "player"
        if token.concept == "YOU":
            return "agent"
        if token.concept == "PARTNER":
            return "player"
    return default


def _subject(tokens: list[Token], agent_is_me: bool, default: str | None) -> str | None:
    """Who acts in a condition: the first person named before the action ("when your partner hints…": the
    partner)."""
    people = [t for t in tokens if t.concept in PEOPLE]
    named = [t for t in people if t.word not in ("my", "your", "mine", "yours", "his", "her", "their")]
    return _actor((named or people)[:1], agent_is_me, default)


def _condition(tokens: list[Token], agent_is_me: bool) -> tuple[dict[str, Any] | None, str]:
    """What the partner has to have done, and who it is that did it ("player", or "agent" for "when you hint
    me")."""
    at = next((i for i, t in enumerate(tokens) if t.concept in (*_ACTIONS, "HINTED")), 0)
    verb = tokens[at].concept if tokens else ""
    actor = _subject(tokens[:at], agent_is_me, None)
    kinds, value = named_kinds(tokens)
    negated = has(tokens, "NOT")
    if verb == "HINTED" or has(tokens[:at], "GET"):
        # "when you are told a colour": the one who hears it is not the one who says it.
        actor = {"agent": "player", "player": "agent"}.get(actor or "", "player")
    if verb in ("HINT", "HINTED") or kinds:
        did = kinds or list(HINTS)
    elif verb in ("PLAY", "DISCARD"):
        did = [verb.lower()]
    else:
        return None, "player"
    if negated:
        did = [k for k in KINDS if k not in did]
        value = None
    when: dict[str, Any] = {"partner_did": did}
    if value is not None:
        when["value"] = value
    return when, actor or "player"


def _plain_habit(condition: list[Token], consequence: list[Token], agent_is_me: bool) -> list[Rule]:
    """Conditions on knowledge rather than on a move: "play only if you are sure", "don't play if unsure"."""
    tokens = consequence
    if has(tokens, "PLAY") and has(condition, "SURE", "RISK", "PLAYABLE"):
        return [make_rule(None, {"action": "play", "cards": "unsure"}, -1.0)]
    return []


def _convention(
    tokens: list[Token], agent_is_me: bool, seen: list[str]
) -> tuple[list[Rule], dict[str, Any] | None] | None:
    """ "Colour hints mean play": what a kind of hint stands for, for both partners unless it says whose
    hints."""
    at = next((i for i, t in enumerate(tokens) if t.concept == "MEANS"), None)
    if at is None:
        at = next(
            (
                i
                for i, t in enumerate(tokens[:-1])
                if t.concept == "BE"
                and (has(tokens[i + 1 : i + 2], "FOR", "PLAY", "DISCARD", "KEEP", "NOT"))
                and has(tokens[:i], "COLOR", "RANK", "HINT", "COLOR_VALUE", "RANK_VALUE")
                and not has(tokens[:i], "PLAY", "DISCARD", "KEEP", "CARD")
            ),
            None,
        )
    if at is None:
        # "Colour: play; rank: save" and "use colour hints for plays".
        at = next(
            (i for i, t in enumerate(tokens) if t.concept in ("PLAY", "DISCARD", "KEEP", "COMMA", "FOR")),
            None,
        )
        if at is None or at == 0 or not has(tokens[:at], "COLOR", "RANK"):
            return None
        if has(tokens[:at], "NOT", "PREFER", "PLAY", "DISCARD", "KEEP", "HINTED", "CARD", "ONLY"):
            return None
        if has(tokens[:at], *PEOPLE) and not has(tokens[:at], "USE"):
            return None
        if has(tokens[:at], "HINT") and tokens[0].concept == "HINT" and not has(tokens[at:], "FOR", "COMMA"):
            return None
        if (
            tokens[at].concept == "FOR"
            and has(tokens[at:], "PLAYABLE", "CRITICAL", "USELESS")
            and not has(tokens[at:], "PLAY", "DISCARD", "KEEP")
        ):
            return None
    left, right = tokens[:at], tokens[at:]
    kinds, value = named_kinds(left)
    if not kinds and not has(left, "HINT"):
        return None
    when: dict[str, Any] = {"partner_did": kinds or list(HINTS)}
    if value is not None:
        when["value"] = value
    owner = _subject(left, agent_is_me, None)
    if has(left, "NOT") and not has(right, "NOT"):
        right = [Token("not", "NOT"), *right]
    rules: list[Rule] = []
    if owner in (None, "player"):
        seen += [k for k in when["partner_did"] if k not in seen]
        rules += _consequences(right, when, "player", False, everyone_is_agent=True)
    if owner in (None, "agent"):
        rules += _answering(right, when)
    return rules, when


def _answering(consequence: list[Token], when: dict[str, Any]) -> list[Rule]:
    """The player will do something when the agent hints so: hints that fit, then, are worth giving."""
    purpose = None
    if has(consequence, "PLAY"):
        purpose = "playable"
    elif has(consequence, "KEEP"):
        purpose = "critical"
    elif has(consequence, "DISCARD"):
        purpose = "useless"
    if purpose is None:
        return []
    if has(consequence, "NOT"):
        if purpose != "useless":
            return []
        purpose = "critical"
    did = when["partner_did"]
    action = did[0] if len(did) == 1 else "hint"
    if action not in (*HINTS, "hint"):
        return []
    return [make_rule(None, {"action": action, "for": purpose}, 1.0)]


def _consequences(
    tokens: list[Token],
    when: dict[str, Any] | None,
    condition_actor: str | None,
    agent_is_me: bool,
    everyone_is_agent: bool = False,
) -> list[Rule]:
    """The rules that `tokens` ask for, given what was done and by whom."""
    rules: list[Rule] = []
    for start, end in _verbs(tokens):
        verb = tokens[start].concept
        phrase = tokens[start:end]
        before = tokens[:start]
        actor = "agent" if everyone_is_agent else _actor(before, agent_is_me, "agent")
        negative = _negated(tokens, start)
        if condition_actor == "agent":
            if actor == "player" and when is not None and not rules:
                rules += _answering(([Token("not", "NOT")] if negative else []) + phrase, when)
            elif actor == "agent":
                own = _same_move(verb, when)
                rules += object_rules(tokens, start, end, None, negative) if own else []
            continue
        if actor == "player":
            rules += _about_the_player(verb, phrase, negative)
            continue
        rules += object_rules(tokens, start, end, when, negative)
    return [r for i, r in enumerate(rules) if r not in rules[:i]]


def _same_move(verb: str, when: dict[str, Any] | None) -> bool:
    """ "When you discard, discard your oldest": the condition only names the move that the habit is about."""
    did = when["partner_did"] if when else []
    return (verb == "HINT" and did == HINTS) or did == [verb.lower()]


def _about_the_player(verb: str, phrase: list[Token], negative: bool) -> list[Rule]:
    """What the player says of their own habits, where the agent can do something about it."""
    if verb == "DISCARD" and has(phrase, "OLDEST") and not negative:
        return [make_rule(None, {"action": "hint", "for": "critical", "on": "oldest"}, 1.0)]
    return []


def _verbs(tokens: list[Token]) -> list[tuple[int, int]]:
    """(start, end) of each action and what belongs to it."""
    starts = [i for i, t in enumerate(tokens) if t.concept in _ACTIONS]
    # "cards hinted by colour … play": a noun or participle is no action of its own.
    starts = [
        i
        for n, i in enumerate(starts)
        if not (tokens[i].concept == "HINT" and n > 0 and _relative(tokens, starts[n - 1], i))
    ]
    if (
        not starts
        and has(tokens, "COLOR", "RANK")
        and has(tokens, "PREFER", "RATHER", "ONLY", "MORE", "LESS", "USE")
    ):
        # "prefer colours over ranks" is about hints without saying so.
        return [(next(i for i, t in enumerate(tokens) if t.concept in ("COLOR", "RANK")), len(tokens))]
    return [(i, starts[n + 1] if n + 1 < len(starts) else len(tokens)) for n, i in enumerate(starts)]


def _relative(tokens: list[Token], verb: int, hint: int) -> bool:
    """Whether the hint is part of what the verb is about: "play the cards that i hint", "save hint
    tokens"."""
    between = tokens[verb + 1 : hint]
    if tokens[verb].concept == "HINT":
        return False
    return not has(between, "AND", "OR", "COMMA", "THEN") and not has(tokens[hint : hint + 2], "MEANS")


def _negated(tokens: list[Token], start: int) -> bool:
    """Whether a "not" reaches the verb; it passes over "or", and ends at a comma or "and"."""
    for token in reversed(tokens[:start]):
        if token.concept == "NOT":
            return True
        if token.concept in ("COMMA", "AND", "THEN", "STOP"):
            return False
    return False
