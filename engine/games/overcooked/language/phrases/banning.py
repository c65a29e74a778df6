"""Questions that ask for nothing, and the ways to say that something is not wanted."""

from __future__ import annotations

from engine.games.overcooked.language.phrases.parts import ITEM

BANNING: list[tuple[str, str]] = [
    (
        rf"^my {ITEM} (?:\w+ )?(?:is|are|was|were|has|have|had|got|broke)(?: always)? (?!on\b|at\b|in\b|"
        rf"by\b|here|there|ready|done|missing|gone|needed|empty|finished|waiting|not\b|still|almost|"
        rf"nearly)\w+[^,.;!?\n]*$",
        " odd odd ",
    ),
    (
        r"\bare you (?:going|gonna|able|planning|willing)(?: to)?\b|\baren't you (?:going|gonna)(?: to)?\b",
        " you ",
    ),
    (r"\bmake a (?:good|great|nice|bad) team\b", " odd "),
    (r"\bwhat(?:'s| is) taking (?:you )?so long(?: with)?\b", " bring "),
    (r"\bhold the (?=(?:serving|cooking|soups?|orders?|delivery)\b(?! (?:on|at|by|for|in)))", " don't do "),
    (r"\bi (?:didn't|did not|don't) (?:ask|order|call)(?:ed)? for\b", " don't get "),
    (
        rf"^(?:the |an? |my |your )?(?:\w+ )?{ITEM} (?:is|are|was|were|tastes?|smells?|looks?|grows?|"
        rf"comes?) (?!ready|done|on\b|in\b|at\b|yours|mine|your|my\b|up\b|need|wait|for\b|still|almost|"
        rf"nearly|all\b|going|finished|cook|full|empty|boil|not\b|just|now|over|here|there|missing|left|"
        rf"to\b|by\b|next|lying|sitting|the\b|get|also|what|running|out\b|too|so\b|a\b|good to|"
        rf"available|free|about|overdue|late|perfect|supposed|meant|useless|off\b|near|close|behind|"
        rf"more|your)\w+[^,.;!?\n]*$",
        " odd odd ",
    ),
    (
        r"\b(?:instead of|rather than) ((?:\w+ing )?(?:the )?(?:onions?|plates?|dish(?:es)?|"
        r"tomato(?:es)?|bowls?|soups?)|\w+ing) (?=(?:you )?(?:get|bring|fetch|grab|do|put|cook|serve|"
        r"take|make|start|use)\b)",
        r" not \1 , ",
    ),
    (r"\bi (?:really |have |also |quite |just )*(?:enjoyed|adore|enjoying|loved|liked)\b", " odd "),
    (
        r"\byou (?:did|played|were|are|have been|cooked|served|performed)(?: so| very| really| pretty| "
        r"quite| too)* (?:well|badly|poorly|great|nicely|good|fine|perfectly)\b[^,.;!?\n]*",
        " odd ",
    ),
    (r"\bcounter ?tops?\b", "counter"),
    (r"\bcup ?board\b", "counter"),
    (r"\bdo not\b", "don't"),
    (r"\b(?:will|would|should|could|must|shall) not\b", "don't"),
    (
        r"\b(\w+)'s (?=(?:ready|done|finished|full|empty|cooked|missing|waiting|boiling|sitting|needed|"
        r"on the|in the|almost|nearly|about|all|just|still|not|going|up)\b)",
        r"\1 is ",
    ),
    (
        r"(^|[.!?\n,] *)(?:is|are|was|were|does|did|do|has|have) (?:the|a|an|it|this|that|there|we|you|"
        r"i|they|he|she|any\w*|my|your|our)\b[^.!?\n]*\?",
        r"\1 odd ?",
    ),
    (
        r"^ *(?:is (?:a|the|this|it|that|there)|are (?:we|you|they|there|the)|do (?:we|i|they|you)|does "
        r"(?:the|it|this|that)|did (?:you|we|i|the)|was (?:that|it|this)|am i|what (?:is|are|do|does|"
        r"did|was|if i)|what's|how (?:do|does|is|are|many|much|long|old|come|did|was|good|far|often|to)|"
        r"how's|who (?:is|are|do|does|did|was|made|won)|who's|when (?:does|do|is|did|was|will|can|are)|"
        r"which (?:is|are)|where (?:do|does|did|can|am|was|should)|why (?:is|are|did|do|does|was|"
        r"were))\b[^.!?\n]*",
        " odd ",
    ),
    # Not wanted.
    (
        r"\b(?:i|we|you)(?: really| actually)? (?:don't|won't|can't) (?:really |actually )?(?:need|have|"
        r"want|wish|like)(?: for)?(?: you| us)? to(?: be)?\b",
        " don't ",
    ),
    (
        r"\b(?:i|we|you) (?:don't|won't) (?:really |actually )?(?:think|believe|feel)(?: that)? (?:you|"
        r"we|i|it's)(?: really)?(?: should(?: be)?| (?:need|have|ought|want) to(?: be)?| time to)\b",
        " don't ",
    ),
    (
        r"\b(?:i|we|you) (?:don't|won't) (?:really |actually )?(?:think|believe|feel)(?: that)? (?:you|"
        r"we|i)(?: really)? (?:need|want|require)s?\b",
        " don't get ",
    ),
    (
        rf"\b(?:i|we|you)(?: really| actually| currently| already)? (?:don't|won't)(?: really| "
        rf"actually)? (?:need|want|require)(?= (?:\w+ ){{0,3}}{ITEM})",
        " don't get ",
    ),
    (
        r"\b(?:there's|there is|you have|you've)? ?\bno (?:need|reason|point)(?: (?:to|for you to|for|"
        r"in|of))*(?: be)?(?: getting| to get)? (?=\w+ing\b)",
        " don't ",
    ),
    (r"\bno (?:need|reason|point) (?:to|for you to)\b", " don't "),
    (r"\bno (?:need|reason)(?: for| of)\b", " don't get "),
    (
        rf"\b(?:i|we|there|you)(?:'ve| have|'s| is| are|'re)?(?: already| now)?(?: have| got| has)*(?: "
        rf"already)? (?:enough|plenty of|plenty|too many|too much|lots of|more than enough|sufficient|"
        rf"loads of|way too many)(?= (?:\w+ )?{ITEM})",
        " don't get ",
    ),
    (
        rf"\b(?:that's|that is) (?:enough|plenty of|too many|sufficient|plenty)(?= (?:\w+ )?{ITEM})",
        " don't do ",
    ),
    (
        rf"\benough (?:of |with )?(?:the |that |those |all the )?(?={ITEM}|cooking|serving|fetching|"
        rf"bringing)",
        " don't do ",
    ),
    (rf"\btoo many(?= {ITEM})", " don't do "),
    (
        r"\b(?:hold off|hold back|hang fire|delay|postpone|lay off|ease up|go easy|ease off|back off|"
        r"refrain|abstain|desist|keep|lay|stay|keep your hands|hands)(?: (?:on|with|from|off|of|away "
        r"from))* (?=(?:the |any |all |that |those |my )?(?:\w+ing\b))(?<!keep )(?<!stay )",
        " don't ",
    ),
    (
        rf"\b(?:hold off|hold back|lay off|ease up|go easy|ease off|keep off|stay off|hands off|keep "
        rf"away|get off|back off|steer clear|keep your hands off|keep your mitts off)(?: (?:on|with|"
        rf"from|of|off))*(?= (?:the |any |all |that |those |my )?(?:\w+ )?{ITEM})",
        " don't do ",
    ),
    (
        r"\bwait (?:with|before|to|on)(?: you)? (?=serv|deliver|cook|plat|start|putting|put |add|pick|"
        r"tak|fill|get|fetch|bring|hand|submit|turn)",
        " don't ",
    ),
    (
        r"\b(?:don't|no|never) (?:worry|bother|fuss|trouble)(?: yourself)?(?: about| with| over)+ "
        r"(?:the |getting |doing )?([\w ]{3,24}?)[,;.]? (?:because |that's )?(?:i|i've|i'll|i'm|i'd)(?: "
        r"will| have| am)?(?: got| get| have| do| on| handle| take care of| doing)+(?: (?:it|this|that|"
        r"them|those))?\b",
        r" i do the \1 ",
    ),
    (
        r"\b(?:don't|no|never) (?:worry|bother|fuss|trouble)(?: yourself)?(?: about| with| over)+\b",
        " don't do ",
    ),
    (r"\b(?:i|you)(?:'ve| have)? got (?:it|this|that|them)(?: covered| handled| sorted)?(?=$|[.,;!?])", " "),
    (
        rf"(?<!don't )\b(?:ignore|skip|forget(?: about)?|never mind(?: about)?|screw|scrap|cancel|to "
        rf"hell with|leave off|disregard|enough with|quit with|no more of|stop with) (?=(?:the |those |"
        rf"that |all |about )*(?:{ITEM}|serving|cooking|pots?)\b)",
        " don't do ",
    ),
    (
        r"\bleave ((?:the|that|my|those|these) [\w ]{2,30}?|it|that|them|those) (?:be|alone|there|where "
        r"(?:it is|they are|it's))\b",
        r" don't touch \1 ",
    ),
    (
        r"\bleave (the (?:soup|stew|food)|it) (?:in|cooking|boiling|on the (?:stove|heat))\b(?: the pot)?",
        " don't plateup ",
    ),
]
