"""Phrases about cards, moves and what hints stand for, as regular expressions and what they become.

Data alone; `lexicon.py` applies them in order, after those of `wording_wishes.py`.
"""

from __future__ import annotations

from engine.games.hanabi.language.wording import SOMEONE

_DREW = r"(?:drew|drawn|draw|picked(?: up)?|got|received|took|taken|acquired|been dealt|were dealt|gained)"
_PILE = (
    r"(?:(?:the |our |its )?(?:table|board|piles?|fireworks?|stacks?|field|cent(?:er|re)|display|show|"
    r"tableau))"
)
_PUT = (
    r"(?:put|puts|lay|lays|place|places|slam|set|pop|stick|chuck|throw|yeet|drop|slap|smack|whack|bang|"
    r"plonk|send|add|get|go|goes|move|whip|stick)"
)


MOVES: list[tuple[str, str]] = [
    # Cards by when they were drawn and where they are.
    (r"\bsecond[- ](?:oldest|leftmost)\b|\b(?:card|one) (?:next to|after) the oldest\b", " card b "),
    (r"\bsecond[- ](?:newest|latest|youngest|rightmost|most recent)\b", " card d "),
    (r"\b(?:the )?(?:middle|central|centre|center)(?: card| one| slot| position)", " card c "),
    (
        rf"\b(?:(?:card|cards|one|ones|thing|what|whichever|whatever) )?(?:that |which )?{SOMEONE}(?:'ve|"
        rf"ve| have|'s| has|'d| had)? "
        rf"(?:(?:just|last|most recently|recently|newly|only just) {_DREW}|{_DREW} (?:in |most )?(?:last|"
        rf"most recently|latest|recently|just now))\b"
        r"|\b(?:(?:card|one|ones) )?(?:that |which )?(?:came|arrived|went|joined|entered)(?: (?:in|into|"
        r"to|up))?(?: (?:your|my|the))? ?(?:hand )?(?:last|most recently|latest)\b"
        rf"|\b(?:just|last|most recently|recently|newly|freshly)[- ]{_DREW}(?: card| one)?\b|"
        rf"\b{_DREW} (?:last|most recently)\b",
        " newest card ",
    ),
    (
        rf"\b(?:(?:card|one|thing) )?(?:that |which )?{SOMEONE}(?:'ve|ve| have| had)? {_DREW} (?:first|"
        rf"earliest|the longest ago|longest ago)\b|\b{_DREW} (?:first|earliest)\b",
        " oldest card ",
    ),
    (
        r"\bmost recent(?:ly)?\b|\b(?:(?:far|furthest|most) )right(?:[- ]?(?:hand|most))?(?: (?:side|card|"
        r"one|end))?|\b(?:on |at |from |of )(?:the |your |my )?(?:far )?right(?:[- ]hand)?(?: (?:side|"
        r"end))?\b|\bright[- ]?most\b|\brighthand\b|\bnewest one\b|(?<=\bthe )new(?:er)? (?:card|one)\b|"
        r"(?<=\byour )new(?:er)? (?:card|one)\b|(?<=\bmy )new(?:er)? (?:card|one)\b|"
        r"(?<=\bthe )last card\b|(?<=\byour )last card\b|\bnew card\b|\bnew(?:er)? end\b|\brecent card\b",
        " newest card ",
    ),
    (
        r"\bleft[- ]?most\b|\b(?:(?:far|furthest) )left(?: (?:side|card|one|end))?|\b(?:on |at |from |"
        r"of )(?:the |your |my )(?:far )?left(?:[- ]hand)?(?: (?:side|end))?\b|\b(?:held|had|kept|"
        r"been holding|been sitting there|been there|been in (?:your|my|the) hand|owned|been in hand|sat|"
        r"sitting(?: there)?|have)(?: (?:on to|onto|for))?(?: (?:the|since|the very))? ?(?:longest|"
        r"beginning)\b|\bold(?:er|est)? (?:end|cards?|ones?)\b|\bsince (?:the )?longest\b|"
        r"\blongest[- ]held\b|\bleast recent(?:ly)?\b|\blongest ago\b|\bchop\b|\bold one\b",
        " oldest card ",
    ),
    (
        r"\b(?:a card |one |cards |something |anything )?(?:(?:that|which) )?(?:i|you|my partner|we|they|"
        r"he|she)(?:'ve|ve| have| has)? (?:(?:said|given|told|know|knows|knew|heard|got|hinted|mentioned|"
        r"have)(?: \w+)?) (?:nothing|no (?:info|information|hints?|clues?|idea))(?: (?:about|on|for|"
        r"to))?\b",
        " untouched cards ",
    ),
    (
        r"\b(?:with(?:out)?|has|have|having|had|holds?|got|carr(?:y|ies)|bears?|bearing) ?(?:no|zero|any|"
        r"a|got no|not got any|never had|n't had)? ?(?:hints?|clues?|"
        r"info(?:rmation)?)\b(?<!a hint)(?<!a clue)(?! about)(?: on| about)?(?: (?:it|them))?(?=\s*(?:$|"
        r"[,.;:!?]|discard|play|should|must|may|can|are|is|get|go|at all|yet|so far|on|first|when|if|"
        r"please))",
        " untouched ",
    ),
    (
        r"\bno (?:hints?|clues?|info(?:rmation)?) (?:on|about|attached|touch\w*)(?: to)?(?: (?:it|them))?\b",
        " untouched ",
    ),
    (
        r"\b(?:un|non|not)[- ](?:clued|hinted|touched|marked|told|mentioned)\b|\b(?:unknown|unpinged|"
        r"unflagged|uninformed|clueless|un-?mentioned)(?= cards?| ones?)",
        " untouched ",
    ),
    (
        r"\b(?:the )?(?:other|remaining)(?: \w+)? (?:cards?|ones?)\b|\bthe others?\b|\b(?:the|your|"
        r"my) (?:rest|remaining ones)\b|\ba different (?:card|one)\b|\banother (?:card|one)\b|"
        r"\bsome other card\b|\bthe ones? (?=i (?:did|have)n't)\b",
        " others ",
    ),
    # Verbs of more than one word.
    (r"\b(?:ignore|ignored|disregard)\b", " keep "),
    (r"\b(?:throwing|tossing|chucking|binning|dumping|getting rid)(?: (?:away|out|of))?\b", " discarding "),
    (
        r"\b(?:get|gets|getting|got) rid(?: of)?\b|\b(?:throw|throws|throwing|thrown|toss|tosses|tossing|"
        r"tossed|chuck|chucking|cast|put|bin|pitch|fling|sling|lob|drop|dump|binning|yeet|send)\b"
        r"((?: (?:it|them|that|those|this|these|the|your|my|oldest|newest|card|cards|one|ones|on|in|"
        r"whatever)){0,4}) "
        r"(?:away|out|overboard|aside|off|(?:in(?:to|side)?|on(?:to)?|to) the (?:bin|trash|"
        r"discard(?: pile)?|discards|garbage|rubbish|dustbin|waste|heap|scrap heap))\b",
        r" discard \1 ",
    ),
    (
        r"\b(?:let|lets|letting) (?:go(?: of)?|it go|them go|that (?:one|card) go|those go)\b|\blet (?:it|"
        r"them|that|those) go\b|\bpart with\b|\b(?:belongs?|goes|go) (?:in|on|to) the (?:bin|trash|"
        r"discard(?: pile)?|garbage)\b|\bdo away with\b|\bneeds? to go\b|\bcan go\b|\bhas to go\b|"
        r"\bdump out\b|\bdispense with\b|\bkiss (?:it|them) goodbye\b|\bgive up\b|\blose (?=it|them|the|"
        r"that|those|your)",
        " discard ",
    ),
    (
        r"\b(?:hold|hang|cling)(?:s|ing)? ?(?:on)?(?:to| to)\b|\bhang on\b|\b(?:not|don't|"
        r"never) (?:let go|touch|part)(?: of| with)?\b(?= (?:it|them|those|that|the card))|"
        r"\bdon't touch it\b|\bleave (?:it|them|those|that|these)(?: (?:alone|be|in place))?\b|\bsit on\b|"
        r"\bsit tight\b|\bhold(?:ing)? back\b|\bset aside\b|\bput aside\b|\bstay put\b|\bkeep hold of\b|"
        r"\blook after\b|\btake care of\b",
        " keep ",
    ),
    (
        rf"\b{_PUT}\b((?: (?:it|them|that|those|this|these|the|a|any|some|your|my|oldest|newest|touched|"
        rf"hinted|card|cards|one|ones|damn|straight|right|up|out|thing|\w+ed)){{0,4}}) "
        rf"(?:down\b(?: on(?:to)? {_PILE})?|(?:on|onto|into|in|to) {_PILE})",
        r" play \1 ",
    ),
    (
        r"\b(?:go|goes|went|going) (?:straight |right |directly )?(?:on|onto|into|"
        r"to) (?:the )?(?:fireworks?|board|table|stacks?|piles?)\b|\bgo for it\b|\bsend it\b|"
        r"\bgo ahead(?: and play)?(?: it)?\b(?! and| with)|\bput card\b|\bengage\b|\bfire (?:away|off|"
        r"(?:it|them|those|that) (?:off|away))\b|\byolo\b|"
        r"\bpull the trigger\b|\blay (?=it|them|that|those|the|your|this|every|any|down)|\bput (?=it|them|"
        r"that card|those) ?(?=$|[.,!])|\bplay(?:ing)? down\b|\bplay out\b|\buse (?:that|the|"
        r"those) cards?\b|\bdeploy\b|\bput(?:ting)? (?:it|them) (?:out|up|into play)\b|\bput into play\b|"
        r"\bget (?:it|them) played\b|\bbang (?:it|them)\b|\bslam\b|\buse it up\b|\bplace (?=it|them|that|"
        r"those)",
        " play ",
    ),
    (
        r"\bpoint(?:s|ed|ing)? (?:out|at|to)\b|\b(?:pick|single|call)(?:s|ed|ing)? out\b|\bsingl(?:es?|ed|"
        r"ing) out\b|\bspeak(?:s|ing)? of\b|\btalk(?:s|ing)? about\b",
        " hint ",
    ),
    (
        r"\b(hint|clue|rank|colou?r|number|suit|value|play|discard|save|any|a|each|every|my) "
        r"(?:signals?|commands?|messages?|info(?:rmation)?|tips?|cues?|prompts?)"
        r"(?= (?:from|means?|is|are|tells?|,|:|$))",
        r" \1 hint ",
    ),
    (r"\bhint(?:s|ed|ing)? (?:at|about|for|of|on|by|with)\b", " hint "),
    # What hints stand for.
    (
        r"\b(?:is|are|be|as|be taken as|acts? as|serves? as|functions? as|works? as|count(?:s|ing)? as|"
        r"mean)? ?(?:being )?(?:a |an |my |the |your |just |simply |clear )*"
        r"(?:sign|signal|message|instruction|order|cue|request|invitation|command|call|notice|permission|"
        r"way|prompt|code|shorthand|indication|warning|reminder|recommendation|suggestion|advice|ask)s?"
        r" (?:of saying |of telling (?:you|me) |for (?:me|you) |of asking |to say |that (?:it|they|you|i|"
        r"the card) ?(?:is|are|should|can|'s|must)?|for (?:you|me) to |(?:to|for|that|of)\b)(?: (?:safe|"
        r"ok|okay|fine|good|time) to)?",
        " means ",
    ),
    (
        r"(?:\byou )?(?:\bto )?\b(?:treat|interpret|interprets|understand|read|take|regard|view|use|"
        r"consider|think of|see|count|handle|perceive|construe|parse)\b([^.;,]{3,60}?)\b(?:as|like|to be|"
        r"for)\b(?= (?:a |an |meaning |my |your |please |to )*(?:play|discard|save|keep|safe|trash|"
        r"playable|useless|junk|means|to play|request|clue|hint|order|command|saying|go))",
        r" treatas \1 means ",
    ),
    (
        r"\b(?:is|are|'s|s) (?:my |our |the )?(?:code|way|cue|sign|signal|shorthand|equal|equivalent|"
        r"same as|short|meant|there|reserved|used|intended|made)(?: of| for| to| saying|"
        r" telling(?: you)?)*\b",
        " means ",
    ),
    (
        r"\b(?:should|must|can|could|will|shall|ought to|has to|have to|"
        r"needs to) (?:always )?(?:be (?:taken|read|understood|interpreted|treated|seen|viewed|regarded|"
        r"considered)(?: as(?: meaning)?| to mean)?)\b",
        " means ",
    ),
    (
        r"\b(?:meaning|means|mean) (?:that )?(?:you |i |it |they |the cards? |these |those )*(?:should|"
        r"can|must|are|is|be|'s)?\b(?! (?:a|an|the) )",
        " means ",
    ),
    (
        r"\b(?:what|which|the|cards?|ones?)(?: that| which)? (?:i|you|they|we) (?:can|could|am able to|"
        r"'m able to|may) (?:be )?play(?:ed)?\b(?! (?:it|them|card|the|your|my|newest|oldest|untouched|"
        r"those|that|a|any|singlecard|others))",
        " playable cards ",
    ),
    (
        r"\b(?:what|which|the)(?: cards?| ones?)? (?:are |is |to )(?:safe to play|playable|play next|"
        r"be played|play)\b",
        " playable cards ",
    ),
    (
        r"\b(?:are|is|be)(?: (?:not|n't)|n't) (?:playable|needed|useful)\b|\bunplayable\b|"
        r"\bnot (?:playable|needed|useful)(?: any ?more)?\b|\bno (?:good|use|longer needed)\b",
        " useless ",
    ),
    (
        r"\b(?:can|may) (?:safely )?be (played|discarded|thrown away|thrown|tossed|binned)\b",
        r" should be \1 ",
    ),
    (
        r"\b(?:good|fine|ok|okay|clear|ready|safe) to (?:go|play)\b|\bsafe (?:card|play|bet)s?\b|\b(?:is|"
        r"are|it's|they're|'s|as|considered) (?:always |now |all |totally |definitely |"
        r"completely )?safe\b(?! to)",
        " playable ",
    ),
    (r"\blast cop(?:y|ies)\b|\bmust not be (?:discarded|thrown away|lost)\b", " critical "),
    (r"\b(?:more|very) often\b", " more "),
    (r"\bless often\b|\bnot (?:so|too) (?:often|many|much)\b", " less "),
    (r"\bdon't (?:waste|burn|spend)\b", " save "),
    (
        r"\binstead of\b|\brather than\b|\bas opposed to\b|\bin place of\b|\bin preference to\b|"
        r"\bbetter than\b",
        " rather ",
    ),
    (
        r"\b(?:and|but|then)? ?(?:do )?not(?= (?:a |the |by |with |its |on )*(?:colou?r|rank|number|suit|"
        r"value|red|blue|green|white|yellow|oldest|newest)\w*)",
        " rather ",
    ),
    (
        r"\b(?:the )?(?:same|matching|similar|identical) (?:kind|type|sort|way|one|thing|manner|hint|clue|"
        r"form)\b(?: of)?|\bin kind\b|\bmirror\b|\bcopy (?:me|my)\b|\blikewise\b",
        " same ",
    ),
    (
        r"\b(?:the )?(?:opposite|other|reverse|different|alternate) (?:kind|type|sort|way|hint|"
        r"clue)\b(?: of)?|\bopposite\b",
        " otherkind ",
    ),
    (r"\b(?:play )?it safe\b|\bplay safe(?:ly)?\b", " play only if sure "),
    (r"\b(?:take|takes|taking|run) (?:any |no )?risks?\b", " gamble "),
    (
        r"\b(?:don't|never|no|avoid|without) (?:take |taking )?(?:any )?(?:risks?|risky plays?|gambl\w+|"
        r"guess\w*)\b",
        " play only if sure ",
    ),
    (
        r"\b(?:by|of) (me|you|my partner|your partner|partner|him|her|them|the partner|my teammate|mine|"
        r"yours)\b",
        r" from \1 ",
    ),
    (r"\b(?:(?:in )?hand|firework|fireworks)\b", " "),
    (r"\bhow high\b|\bwhat number\b|\bhow (?:much|big)\b", " rank "),
    (
        r"\bof (?:the )?(?:cards? )?(?=(?:it|they|my hint|the hint|that hint|i|those|them|these|touched|"
        r"hinted|marked|you)\b)",
        " those ",
    ),
    (r"\bgo(?:ing)? with\b|\bopt for\b", " "),
    (r"'s\b(?= (?:colou?r|rank|number|value|suit|hint|clue))", " "),
]
