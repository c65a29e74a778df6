"""The words of Hanabi instructions: which concept each stands for, and phrases that stand for a word.

Data alone; `lexicon.py` tags text with it. A new wording is one entry here.
"""

from __future__ import annotations

COLORS = ("red", "yellow", "green", "white", "blue")
RANKS = ("one", "two", "three", "four", "five")

# Concept -> the words for it. A word stands for one concept; context is the parser's business.
WORDS: dict[str, str] = {
    "ME": "i me my mine i'm i'll i've i'd im ill ive myself",
    "YOU": "you your yours you'll you're you've u ur youre yourself",
    "PARTNER": (
        "partner partner's partners teammate teammate's teammates mate buddy he she his her they their him"
    ),
    "HINT": (
        "hint hints clue clues tell tells telling say says saying inform informs informing indicate "
        "indicates mention mentions reveal reveals show shows hinting cluing clueing point points call "
        "calls name names"
    ),
    "HINTED": (
        "hinted clued told informed said indicated mentioned revealed shown showed touched touches touch "
        "pointed called named"
    ),
    "COLOR": "color colour colors colours color's colour's coloured colored suit suits hue hues",
    "RANK": "rank ranks number numbers value values digit digits num nums ranked numbered numeral numerals",
    "PLAY": "play plays played playing",
    "DISCARD": (
        "discard discards discarded discarding toss tosses tossed tossing throw throws threw thrown "
        "throwing dump dumps dumped dumping drop drops dropped dropping trash trashes trashing ditch "
        "ditches ditching chuck chucks chucking"
    ),
    "KEEP": (
        "keep keeps kept keeping save saves saved saving protect protects protected protecting hold holds "
        "held holding preserve preserves preserving retain retains guard guards"
    ),
    "NEWEST": "newest latest rightmost freshest youngest",
    "OLDEST": "oldest leftmost eldest",
    "THOSE": "those these that it them this",
    "CARD": "card cards slot position",
    "HAND": "hand hands",
    "NOT": (
        "not don't dont doesn't doesnt didn't never no avoid avoids avoiding stop stops without won't "
        "wont can't cannot shouldn't shouldnt mustn't neither nor refrain quit isn't aren't"
    ),
    "RATHER": "rather instead over than",
    "ONLY": "only just solely exclusively",
    "PREFER": (
        "prefer prefers prefered preferred preferring favor favour favors favours mostly mainly "
        "preferably focus tend"
    ),
    "MAY": "may might could can maybe perhaps possibly",
    "ALWAYS": "always now immediately straight directly must immediatly",
    "ELSE": "otherwise else anything",
    "IF": "if when whenever once after every everytime upon as",
    "THEN": "then",
    "MEANS": (
        "mean means meaning meant signal signals imply implies denote denotes = => -> → stands indicates "
        "equals"
    ),
    "BE": "is are be being",
    "FOR": "for",
    "MORE": "more often frequently",
    "LESS": "less fewer sparingly rarely seldom",
    "TOKENS": "tokens token information",
    "PLAYABLE": "playable ready useful",
    "CRITICAL": "critical important dangerous endangered unique precious vital irreplaceable",
    "USELESS": "useless junk dead worthless unneeded",
    "SURE": "sure certain certainly know known definitely safe safely knowing",
    "RISK": "risk risks risky gamble gambles gambling guess guesses guessing blind blindly unsure uncertain",
    "AND": "and",
    "OR": "or",
    "USE": "use uses using give gives giving gave given",
    "GET": "get gets got receive receives received receiving",
    "UNTOUCHED": "untouched unhinted unclued unmarked",
    "SOMETHING": "something",
    "STOP": ". ; ! ? \n",
    "COMMA": ", :",
    # Words that carry nothing here.
    "-": (
        "a an the of to with by on in at from some any all one one's kindly pls plz thanks thank hey hi "
        "hello ok okay well so would will shall should have has had do does did was were been am there "
        "here specific particular corresponding respective which what who whose like want wants need "
        "needs try tries make let lets let's us we our ours both each time times way also too very really "
        "game turn turns hanabi bot robot agent convention conventions rule rules cue follow follows "
        "that's it's its e g eg going about because since out away down up off example instance remember "
        "treat go think next into consider take takes considered action move thing still most yet ever "
        "other another question happens but while"
    ),
    "PLEASE": "please",
}

# Phrases that one word can't stand for: regular expression -> replacement, applied in order before splitting.
PHRASES = [
    (r"\be\.\s?g\.?|\bi\.\s?e\.?|\bfor (?:example|instance)\b", " "),
    (
        r"\bgets? rid of|\bgetting rid of|\bthrow(?:s|ing)? (?:away|out)|\btoss(?:es|ing)? out",
        " discard ",
    ),
    (
        r"\bright[- ]?most|\b(?:just|last|most recently|recently|newly) (?:drew|drawn"
        r"|picked(?: up)?)\b",
        " newest ",
    ),
    (
        r"\bmost recent\b|\b(?:far|furthest) right\b|\bon the right\b|\bnew(?:est)? card\b",
        " newest card ",
    ),
    (
        r"\bleft[- ]?most|\b(?:far|furthest) left\b|\bon the left\b|\b(?:held|had) (?:the )?longest\b",
        " oldest ",
    ),
    (r"\bold cards?\b|\bchop\b", " oldest card "),
    (r"\bi(?:'m| am) going to\b", " i will "),
    (r"\b(?:tell|telling|ask|asking) (you|me) to\b", r" \1 "),
    (
        r"\b(?:if|when(?:ever)?) (?:in doubt|(?:you|i|we)(?:'re| are) (?:in doubt|unsure"
        r"|not sure) what to do|(?:there is|there's|(?:you|i|we) (?:have|see)) (?:nothing|no) (?:else"
        r"|better|good)?\s?(?:move |idea )?(?:to do)?)",
        " ",
    ),
    (r"\b(?:can|could|may|might|would|will) (?:you|we)\b", " you "),
    (
        r"\b(?:what|which|cards?|ones?)(?: that| which)? (?:i|you|they|we) (?:can|could"
        r"|should) (?:be )?play(?:ed)?\b",
        " playable cards ",
    ),
    (
        r"\b(?:are|is|be) (?:not|n't) playable|\bisn't playable|\baren't playable|\bunplayable\b"
        r"|\bnot playable\b",
        " useless ",
    ),
    (r"\bcan be played\b", " playable "),
    (r"\bpoint (?:out|at|to)\b", " hint "),
    (
        r"\bsomething else|\banything else|\bany other (?:move|action|thing)\b"
        r"|\bin (?:all )?other cases?\b",
        " otherwise ",
    ),
    (r"\bas soon as\b|\bevery time\b|\beach time\b|\bany ?time\b|\bin case\b|\bright after\b", " when "),
    (r"\bright (?:away|now)\b|\bat once\b|\bas well\b|\bevery turn\b|\bno matter what\b", " always "),
    (
        r"\bas (?:a |an )?(?:sign|signal|message|instruction|order|cue|request|invitation|command"
        r"|call)?\s*(?:to|that)\b",
        " means ",
    ),
    (
        r"\b(?:is|are|be) (?:a |an )?(?:sign|signal|message|instruction|order|cue|request|invitation"
        r"|command)s? (?:to|for)\b",
        " means ",
    ),
    (r"\b(?:treat|interpret|read|take)\b", " "),
    (r"\blast cop(?:y|ies)\b|\bmust not be (?:discarded|thrown away|lost)\b", " critical "),
    (r"\b(?:more|very) often\b", " more "),
    (r"\bless often\b|\bnot (?:so|too) (?:often|many|much)\b", " less "),
    (r"\bdon't (?:waste|burn|spend)\b", " save "),
    (r"\bunless\b", " if not "),
    (r"\b(?:play )?it safe\b", " play only if sure "),
    (r"\b(?:take|takes|taking|run) (?:any |no )?risks?\b", " gamble "),
    (
        r"\b(?:don't|never|do not|no|avoid|without) (?:take |taking )?(?:any )?(?:risks?|risky plays?"
        r"|gambl\w+|guess\w*)\b",
        " play only if sure ",
    ),
    (r"\bdo not\b", " don't "),
    (r"\bcan not\b", " can't "),
]

# Only words that carry a reading are restored from typing errors; common lookalikes are left alone.
RESTORED = {
    "HINT",
    "HINTED",
    "COLOR",
    "RANK",
    "PLAY",
    "DISCARD",
    "KEEP",
    "NEWEST",
    "OLDEST",
    "CARD",
    "NOT",
    "PREFER",
    "PLAYABLE",
    "CRITICAL",
    "MEANS",
    "PARTNER",
    "IF",
    "PLEASE",
}
LEFT_ALONE = {
    "previous",
    "place",
    "places",
    "placed",
    "white",
    "while",
    "where",
    "later",
    "tokens",
    "mutual",
    "means",
    "hello",
    "scores",
    "cares",
    "carts",
    "dumb",
    "trace",
    "crash",
    "there",
    "these",
    "those",
    "their",
}
