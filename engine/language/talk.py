"""Talk: apologies, praise and thanks, which ask for nothing and change nothing that was asked before.

Not for texts that ask for something besides ("nice, now play your oldest"): those are read as any other.
"""

from __future__ import annotations

import re

from engine.language import text as typed

SENTENCE = "That is talk: I heard it, and what you told me before stays as it is."
_NICE = (
    "(?:nice|good|great|well|awesome|amazing|excellent|brilliant|perfect|cool|lovely|super|sweet|wonderful)"
)
_WHAT = (
    "(?:one|play|played|move|job|work|hint|clue|shot|game|done|team ?work|try|teammate|soup|catch|thinking|"
    "idea|luck)"
)
_SAID = (
    r"(?:i'm |im |i am |so |very |really |oh |ah |oops )*sorry(?: (?:about|for) (?:that|it|this|the \w+))?",
    r"(?:oops|whoops|oopsie|my bad|my mistake|my fault|apologies|i apologi[sz]e|forgive me|pardon(?: me)?)",
    rf"(?:that was |what an? |very |so |really |pretty )*{_NICE}(?: {_WHAT})?(?: (?:everyone|everybody))?",
    r"(?:many |ok |okay )?(?:thanks|thank you|thx|ty|tysm|cheers|ta)"
    r"(?: (?:a lot|so much|very much|for \w+(?: \w+)?))?",
    r"gg|gj|wp|glhf|gl|np|no problem|no worries|you're welcome",
    r"wow|yay|lol|haha+|hehe|ha|woohoo|hooray|bravo|phew|ouch|damn",
    r"you(?:'re| are) (?:great|awesome|the best|amazing|good|doing (?:great|well|good|fine))",
    r"hi|hello|hey|hey there|hi there|bye|good luck|have fun",
)
_CALLED = "(?:partner|mate|buddy|friend|bro|dude|man|team|guys|everyone|all|bot|chef|squad|again|too)"
_CLAUSE = re.compile(rf"(?:(?:{'|'.join(_SAID)})(?: {_CALLED})*|{_CALLED})")
_CUTS = re.compile(r"[.;:!?,\n…)(]+|\band\b|\bbut\b")


def is_talk(text: str) -> bool:
    """Whether a text is nothing but talk. For a text that only calls somebody ("partner!") the answer is
    unknown.
    """
    clauses = [" ".join(piece.split()) for piece in _CUTS.split(typed.clean(text))]
    spoken = [clause for clause in clauses if re.search(r"\w", clause)]
    return bool(spoken) and all(map(_CLAUSE.fullmatch, spoken)) and not re.fullmatch(_CALLED, spoken[0])
