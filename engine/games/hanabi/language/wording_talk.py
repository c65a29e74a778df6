"""How people talk around a convention, as regular expressions and what they become.

Data alone; `lexicon.py` applies them in order, before those of `wording.py`.
"""

from __future__ import annotations

_COUNT = r"(?:more than (?:one|1|a single)|(?:two|2)(?: or more)?|several|many|multiple|loads of|a few)"
_ONE = r"(?:one|1|a single) card"
_CALL = r"(?:mention|say|call|name|point (?:out|at)|tell you(?: about)?|announce|bring up|signal)"
_VALUE = r"(?:ones|twos|threes|fours|fives|[1-5]s|reds?|yellows?|greens?|whites?|blues?)"
_KIND = r"(?:colou?rs?|ranks?|numbers?|hints?|clues?)"
_DO = r"(play|discard|throw|keep|bin)"
_BEGIN = r"(?:(?<=^)|(?<=[.;,?!] ))"
_BUT = r"(?:but not|except(?: for)?|apart from|other than)"
_HAVE = r"(?:'ve| have)?"

TALK: list[tuple[str, str]] = [
    # Corrections.
    (r"[,.;!\s]+(?:no,? )?(?:it's |its )?(?:the )?other way (?:a)?round\b[\s,.!]*", " . correction "),
    (
        rf"(?:hang on|hold on|wait|oh|no|sorry|uh|um|hmm)?,? ?i{_HAVE} (?:got|had|said|put) (?:that|it|this) "
        r"(?:all )?(?:backwards?|wrong|mixed up|the wrong way (?:a)?round)\b[\s,.!]*",
        " . correction ",
    ),
    (r"\b(?:hmm+,? )?on reflection,? (?:make (?:that|it) )?", " . correction "),
    (r",\s*wait,? (?=the\b|your\b|my\b)|\b(?:lol,? )?no,? obviously\b", " . correction "),
    (r"\byeah,? (?=newest|oldest|colou?r|rank|number)", " "),
    # What it is, and what it is not.
    (r"\b(?:isn't|is not|aren't|are not) an? (?:play|discard|keep),? (?:but|it's|it is) ", "  means "),
    (r"\bdown (?:they|it) goe?s?\b", " play it "),
    (r"\bbe rid of\b", " discard "),
    (
        r"\b((?:don't |do not |never )?(?:play|discard|throw|keep|bin|save|hold))(?: on to| out| away)? "
        rf"(?:everything|whatever|anything|all|any cards?|the cards?|cards|what)(?: that)? i{_HAVE} "
        r"(?:just )?(colou?r|number)(?:e?d)?\b(?! hint| clue)",
        r" if i hint \2 , \1 it ",
    ),
    (
        rf"\b{_DO}\b([^.;]*?),? {_BUT} (?:the |any )?({_VALUE})"
        r"(?=\s*(?:$|[.,;!]))(?!, which)",
        r"\1\2 . if i hint \3 don't \1 it",
    ),
    (
        rf",? {_BUT} (?:the |any )?({_VALUE}),? which (?:you )?{_DO}",
        r" . if i hint \1 , \2 it",
    ),
    # One card, several cards.
    (rf"\b(?:is )?on {_COUNT} cards?\b", " touches many cards "),
    (rf"\bfor {_COUNT} cards?(?: or more)?\b", " touching many cards "),
    (r"\b(?:hint|clue)s? touch(?:es|ing)? (?:two|2) cards\b", " hint touches many cards "),
    (rf"{_BEGIN}({_KIND}) (?:for|on) {_ONE},? {_DO}", r"if \1 touches one card \2"),
    (
        rf"\b(it|them|that|those)(?: \w+)? ({_KIND}) (?:for|on) {_ONE},? {_DO}",
        r"\1 . if \2 touches one card \3",
    ),
    # When nothing was hinted, or nothing has been done.
    (
        rf"{_BEGIN}(?:nothing hinted|no(?:thing)? (?:clued|hints?|clues?|told)|untold)\s*[:?,=]\s*",
        " if i give no hint , ",
    ),
    (
        rf"\b(?:if|when|whenever) i{_HAVE}(?: got| have)? (?:no|nothing of a) (?:clue|hint)s? "
        r"(?:for|to give) (?:you|ya|u)\b",
        " if i give no hint ",
    ),
    (rf"\bunless i{_HAVE} (?:only |just )*(?:given|told|hinted) you (?:one|some|any)\b", " unless i do "),
    (
        r"\bfirst thing\b|\bearly game opener\b|\bto start(?: off| with)?(?=\s*[.;])"
        r"|\bwhen(?:ever)? you(?:'re| are) (?:up )?first\b",
        " gamestart ",
    ),
    (r"\bto start(?: off| with)?\s*,?\s*(?:and )?then\b|\bto start(?: off| with)?\s*,", " gamestart . "),
    # Of what a hint is about.
    (
        rf"\b(?:any|the|all|every)? ?({_VALUE})((?:,? (?:and|or) {_VALUE})?) (?:that )?i {_CALL}\b"
        r"(?: are|:|,)?",
        r" if i hint \1\2 , ",
    ),
    (rf"{_BEGIN}(?:i )?told you ({_VALUE})\s*\?", r" if i hint \1 ,"),
    (
        rf"\b(?:if|when) (?:it's|its|it is) ({_VALUE}) i(?:'m| am) (?:on about|talking about|pointing at)\b",
        r" if i hint \1 ",
    ),
    # Wishes in the passive, and what was done.
    (rf"\b(?:to )?be told (?:an?|some|the|my)? ?({_KIND})\b", r" hint me \1 "),
    (
        rf"\bi{_HAVE} (?:had to |just |only )+(?:binned|discarded|chucked|tossed) (?:one|something|a card)\b",
        " i discarded ",
    ),
    (r"\bonce i (?:have )?(?:laid|put|set) (?:a card|one|something) down\b", " after i play "),
]
