"""Text as people type it, in plain spelling: short forms written out, typing errors put right.

Not for what words mean (`vocabulary`), and not for phrases (`idioms`, `phrases`): both see its result.
"""

from __future__ import annotations

import re
from functools import lru_cache

from engine.games.overcooked.language.idioms import IDIOMS
from engine.games.overcooked.language.manners import MANNERS
from engine.games.overcooked.language.phrases import PHRASES
from engine.games.overcooked.language.vocabulary import (
    INFLECTED,
    LEFT_ALONE,
    NOT_RESTORED,
    NUMBERS,
    RESTORED_TOO,
    WHICH,
    WORDS,
)
from engine.language import text as typed

# What is typed -> what is meant, for words that are too short or too far off for `text.forgive`.
SHORT: dict[str, str] = {
    "the": "teh hte da th teh thw tje",
    "that": "taht dat tht thta",
    "you": "u yu yuo ya ye yall y'all thou uu",
    "you're": "youre yer u'r u're yure",
    "you'll": "youll u'll",
    "your": "yor yuor youre' thy",
    "i'm": "im iam i'am",
    "i'll": "ill ii'll",
    "i've": "ive",
    "i'd": "id",
    "let's": "lets let's",
    "don't": "dont dnt dun doont don;t donot dont'",
    "can't": "cant cnt",
    "won't": "wont",
    "isn't": "isnt",
    "aren't": "arent",
    "doesn't": "doesnt",
    "didn't": "didnt",
    "shouldn't": "shouldnt",
    "needn't": "neednt",
    "it's": "its",
    "that's": "thats dats",
    "there's": "theres",
    "what's": "whats",
    "we're": "were'",
    "we'll": "",
    "and": "nad adn an' und amd",
    "for": "4 fro foor",
    "to": "too ot 2'",
    "with": "wiht w/ wit whit wth",
    "from": "form fron frm fomr frum",
    "wait": "w8 wai8 waite wiat",
    "please": "pls plz plse plese pleas pleaes pleez plaese pleasee pwease pwetty",
    "because": "cuz cos coz cause bc becuase becos 'cause b/c bcuz cus becuz",
    "want to": "wanna",
    "going to": "gonna gunna",
    "have to": "gotta hafta",
    "got to": "gottta",
    "give me": "gimme gimmie",
    "let me": "lemme",
    "give": "gib gief giv",
    "i'm going to": "imma ima i'ma",
    "trying to": "tryna",
    "okay": "ok okey k kk oki okie okii",
    "again": "agian agen agin",
    "right": "rite rigth rihgt ritght",
    "left": "lef lfet letf",
    "bottom": "botom bottem botton",
    "top": "tpo",
    "middle": "midle mid-dle midddle",
    "pot": "pto ptot opt pott",
    "pots": "ptos",
    "put": "ptu putt pu t",
    "get": "gte geet git gt",
    "go": "goo og",
    "take": "tk teak taek tak",
    "bring": "brng brin birng breng",
    "fetch": "fech fecth",
    "grab": "grb grap garb gab gra",
    "cook": "cok coook kook",
    "serve": "srv serv sevre srve",
    "serving": "servign srving sreving",
    "soup": "soop soupe soap souop suop zoup soop",
    "onion": "onyon onoin unyun onin oinon onon onioin unions' oniun onine onoion oneon",
    "onions": "onyons onoins unyuns onins oinons unions oniuns onines onoions oneons",
    "tomato": "tomatoe tomatto tamato tomoto tomayto tomatoo tmato",
    "tomatoes": "tomatos tomatoe's tomotoes tomattos tamatoes toms tomates",
    "plate": "plt plaet pate plat palte plait",
    "plates": "plaets plats paltes plait's plate's",
    "dish": "dihs dsh dich",
    "dishes": "dishs dihes dishe's dishees",
    "bowl": "bwol bowel bolw",
    "counter": "cntr conter couter cunter countr",
    "window": "windwo windo widow",
    "stop": "stpo sotp stahp stp stopp stoop",
    "move": "mvoe moove muv",
    "way": "wya",
    "swap": "swop swapp sawp",
    "switch": "swich swtich swithc",
    "both": "boht bth",
    "before": "b4 befor",
    "your ": "",
    "something": "smth sth",
    "someone": "sb",
    "help": "hlep halp",
    "them": "em 'em thme dem",
    "when": "wehn wen whne",
    "until": "till til untill 'til untl",
    "me": "mee em'",
    "need": "ned nede neeed",
    "out": "outta",
    "between": "betwen btwn beetween",
    "are": "r",
    "why": "y",
    "now": "nao rn naow",
    "through": "thru trough thorugh threw",
    "turn": "trun",
    "start": "strat satrt sart strart",
    "cooking": "cookin cookign coking",
    "getting": "gettin",
    "doing": "doin",
    "going": "goin",
    "blocking": "blockin bloking blocing",
    "standing": "standin",
    "putting": "puttin puting",
    "roles": "rolls rols roels",
    "here": "hre heer",
    "there": "ther",
    "instead": "insted instaed instead",
    "kitchen": "kichen",
    "one": "1",
    "another": "anohter anther a'nother nother",
    "onto": "",
    "hold on": "holdon",
    "never mind": "nevermind nvm nm",
    "do not": "donot",
    "cannot": "",
    "as soon as": "asa",
    "as well": "aswell",
    "in front": "infront",
    "a lot": "alot",
    "maybe": "mayb",
    "about": "bout abt",
    "could": "cud",
    "would": "wud wuld",
    "should": "shud shuld",
}
_MEANT = {word: meant.strip() for meant, words in SHORT.items() for word in words.split()}
_KNOWN: frozenset[str] = frozenset(
    [word for words in WORDS.values() for word in words.split()]
    + [word for words in WHICH.values() for word in words.split()]
    + list(NUMBERS)
    + LEFT_ALONE.split()
    + [word for meant in SHORT for word in meant.split()]
    + [word for pattern, _ in [*IDIOMS, *PHRASES, *MANNERS] for word in re.findall(r"[a-z']{3,}", pattern)]
)
_RESTORED = sorted(
    [
        w
        for c, ws in WORDS.items()
        for w in ws.split()
        if len(w) >= 4 and w.isalpha() and c not in NOT_RESTORED and w not in INFLECTED
    ]
    + [w for words in WHICH.values() for w in words.split() if len(w) >= 4]
    + [w for w in NUMBERS if len(w) >= 5]
    + RESTORED_TOO.split()
)
_LEFT_ALONE = frozenset(LEFT_ALONE.split())
_NUMBER_BEFORE = re.compile(r"\b(?:x ?(\d{1,2})|(\d{1,2}) ?x)\b")
_ENDINGS = ("ing", "ed", "es", "s", "er", "ers", "ly", "'s", "'re", "'ll", "'ve", "'d")


def plain(text: str) -> tuple[str, int]:
    """`text` in plain spelling, and how many words were typing errors."""
    text = (
        re.sub(r"=>|->|→", " to ", typed.clean(text))
        .replace("&", " and ")
        .replace("+", " and ")
        .replace("@", " at ")
    )
    text = re.sub(r"\bw/o\b", "without", re.sub(r"\bw/ ?", "with ", re.sub(r"\bb/c\b", "because", text)))
    text = re.sub(r"([a-z])\1{2,}", r"\1\1", text)
    text = _NUMBER_BEFORE.sub(lambda m: f" {m[1] or m[2]} ", text)
    corrected = 0

    def spell(found: re.Match[str]) -> str:
        nonlocal corrected
        word = found[0]
        meant, wrong = _spell(word)
        corrected += wrong
        return meant

    text = re.sub(
        r"\b(?:ur|your) (?=(?:on|in|the|a|an|so|too|not|to|just|always|still|blocking|standing|"
        r"[a-z]+ing)\b(?! (?:station|window|area|duty)))",
        "you're ",
        text,
    )
    text = re.sub(r"\b(the|that|some|of) sup\b", r"\1 soup", text)
    text = re.sub(r"\bur\b", "your", text)
    text = re.sub(r"\b(i|you|we)(?:'ve| have) got\b(?= (?!the|this|these|that|it|to))", r"\1 have", text)
    text = re.sub(r"\b(i|you|we)'ve(?= (?:an?|the|some|your|no|two|three)\b)", r"\1 have", text)
    text = re.sub(r"\byou(?:'ve| have) got (?=the|this|that)", "you have ", text)
    text = re.sub(r"\b(?:i|we)(?:'ve| have) got no\b", "i have no", text)
    text = re.sub(r"[a-z0-9]+(?:['/][a-z0-9]+)*'?", spell, text)
    text = re.sub(r"\bdon't (?:(?:you|ever|even|dare) )+(?=\w)", "don't ", text)
    return re.sub(r"[ \t]+", " ", text).strip(), corrected


@lru_cache(maxsize=8192)
def _spell(word: str) -> tuple[str, bool]:
    """The word meant, and whether it was a typing error."""
    if word in _MEANT:
        return _MEANT[word], False
    if word.endswith("'") and word[:-1] in _KNOWN | _MEANT.keys():
        return _MEANT.get(word[:-1], word[:-1]), False
    if word in _KNOWN or not word.isalpha() or _is_built_on(word):
        return word, False
    single = re.sub(r"([a-z])\1", r"\1", word)
    if single != word and (single in _KNOWN or single in _MEANT):
        return _MEANT.get(single, single), False
    fixed = typed.forgive(word, _RESTORED)
    return (fixed, True) if fixed else (word, False)


def _is_built_on(word: str) -> bool:
    """Whether it is a form of a word that is left alone: no typing error, whatever it looks like."""
    return any(word.endswith(end) and word[: -len(end)] in _LEFT_ALONE for end in _ENDINGS)
