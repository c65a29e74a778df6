"""Corrections: "play the oldest, no wait, the newest" is read as "play the newest"."""

from __future__ import annotations

from engine.games.hanabi.language.lexicon import Token

_CATEGORIES = (
    ("COLOR", "RANK"),
    ("COLOR_VALUE", "RANK_VALUE"),
    ("PLAY", "DISCARD", "KEEP"),
    ("NEWEST", "OLDEST", "SLOT"),
)
_VERBS = ("PLAY", "DISCARD", "KEEP", "HINT", "SAY", "HINTED")
_WHOLE = ("IF", "MEANS", "UNLESS", "ELSE")


def corrected(tokens: list[Token]) -> list[Token]:
    """The tokens with what a correction replaces replaced: one word of the same kind, or a whole sentence."""
    while True:
        at = next((i for i, t in enumerate(tokens) if t.concept == "CORRECT"), None)
        if at is None:
            return tokens
        before, rest = tokens[:at], tokens[at + 1 :]
        while before and before[-1].concept in ("STOP", "COMMA"):
            before = before[:-1]
        end = next((i for i, t in enumerate(rest) if t.concept in ("STOP", "CORRECT")), len(rest))
        said, rest = rest[:end], rest[end:]
        start = max((i + 1 for i, t in enumerate(before) if t.concept == "STOP"), default=0)
        last = before[start:]
        tokens = before[:start] + _replaced(last, said) + rest


def _replaced(last: list[Token], said: list[Token]) -> list[Token]:
    if not last or not said:
        return last or said
    comma = next((i for i, t in enumerate(said) if t.concept == "COMMA"), len(said))
    head = said[:comma]
    if not any(t.concept in (*_VERBS, *_WHOLE) for t in head) and comma < len(said):
        return [*_replaced(last, head), *said[comma:]]  # "if I hint colour, I mean rank, play it"
    verbs = [t for t in said if t.concept in _VERBS]
    if any(t.concept in _WHOLE for t in said) and any(t.concept in _WHOLE for t in last):
        return said
    positive = _without_negated(said)
    if len(verbs) >= 1 and len(positive) >= 3 and not any(t.concept in _WHOLE for t in last):
        return said
    out = list(last)
    for token in positive:
        category = next((c for c in _CATEGORIES if token.concept in c), None)
        if category is None:
            continue
        at = next((i for i in range(len(out) - 1, -1, -1) if out[i].concept in category), None)
        if at is not None:
            out[at] = token
            if token.concept in _CATEGORIES[-1]:  # "the third card from the left, sorry, slot E"
                out = [t for i, t in enumerate(out) if i == at or t.concept not in _CATEGORIES[-1]]
    return out


def _without_negated(said: list[Token]) -> list[Token]:
    """ "Rank, not colour" is about rank."""
    out: list[Token] = []
    skipping = False
    for token in said:
        if token.concept in ("NOT", "RATHER"):
            skipping = True
        elif token.concept in ("COMMA", "BUT"):
            skipping = False
        elif not skipping:
            out.append(token)
    return out
