"""Counters, and where somebody is to be."""

from __future__ import annotations

from engine.games.overcooked.language.phrases.parts import COUNTER, ITEM, POT, RAW, SIDE

PLACING: list[tuple[str, str]] = [
    (r"\bmake a (?:move|run|dash|beeline) (?:to|for|towards)\b", " go to "),
    (r"\b(?:standing by|on standby|at the ready)(?=$|[.,;!?\n])", " "),
    (rf"\bget ((?:the|that|your|those) {ITEM}) out of your hands?\b", r" put \1 on counter "),
    (r"\bfinish (?:off )?by (?=\w+ing)", " "),
    (r"\bhold (?=(?:at|by|near|beside|next to|on at)\b)", " wait "),
    (
        r"\bdon't (?:leave|move from|move away from|go away from|walk away from|abandon) (?=(?:the |"
        r"that |your )(?:\w+ )?(?:pot|stove|window|plates|onions|counter|dishes|hatch)s?\b)",
        " wait at ",
    ),
    (r"\b(?:swing|stop|drop|come|pass) by (?=(?:the|my|that)\b)", " go to "),
    (r"\bpop (?:over |back |down )*to\b", " go to "),
    (r"^(?:over |right )?here(?=[.!,]|$)", " go to me "),
    (r"\bstick (?:to|with) (?:it|that|one|this|your \w+|a role)\b", " "),
    (r"\bpark (?=(?:the|your|that|an?|this|it|those)\b)(?!yourself)", " put "),
    (
        r"(?<!the )(?<!an )(?<!is )\bempty(?: out)? (?:the|those|all the|our|my) (?=counters?|tables?|bench)",
        " take it from ",
    ),
    (
        rf"\b(?:clear|clean)(?: up| off)? (?=(?:the |those |that |these |all |our |your |my )*(?:\w+ "
        rf")?(?:{COUNTER})\b)",
        " take it from ",
    ),
    (rf"\b(?:clear|clean)(?: up| off| away)? (?=(?:the |those |that |these |all )*{ITEM})", " take "),
    # On counters already.
    (
        rf"\b(?:what|the (?:stuff|things?|one|ones)) (?:that )?i(?:'ve| have|'d)?(?: just)? (?:left|put|"
        rf"placed|dropped|set|laid|leave|put down)(?: down| out)?(?: for you| you)?(?: there)?(?: on "
        rf"(?:the|that) (?:\w+ )?{COUNTER})?",
        " it from counter ",
    ),
    (
        rf"\b((?:the|that|those|my|an?) (?:\w+ )?{ITEM}) (?:that |which )?i(?:'ve| have|'d| am|'m)?(?: "
        rf"just)? (?:left|put|placed|dropped|set|laid|leave|leaving|pass|passed|put down|gave|give|hand|"
        rf"handed|slid)(?: down| out)?(?: for you| you| to you)?(?: there)?(?: on (?:the|that|this) "
        rf"(?:\w+ )?{COUNTER})?",
        r" \1 from counter ",
    ),
    (rf"\b({ITEM}) i (?:pass|give|hand|leave|put)(?: (?:you|to you))?(?= (?:from|off|on)\b)", r" \1 "),
    (
        rf"(?:\b(?:i|i've|i have)(?: just| already)? (?:left|placed|dropped|laid|(?:put|set)(?=(?: "
        rf"\w+){{1,3}} (?:down|on|for you|there|out)\b))|(?:^|[.,;!?\n] *)(?:just )?(?:left|placed|"
        rf"dropped|laid)(?= (?:an?|the|some|your|two|another|that|you|down)\b))(?: you| down)?((?: an?| "
        rf"the| some| your| two| another| that)? (?:\w+ )?{ITEM})(?: (?:down|out|there))?(?: for "
        rf"you)?(?: (?:on|by|at|next to) (?:the|that|this) (?:\w+ )?{COUNTER})?(?: for you)?",
        r" take\1 from counter ",
    ),
    (
        rf"\b(?:there's|there is|there are|there)(?: already| still| also)?((?: an?| the| some| your| "
        rf"two| three| another| one)? (?:\w+ )?{ITEM})(?: \w+ing)?(?: (?:left|ready|waiting|for you))? "
        rf"(?:on|at) (?:the|that|this|a|my|your) (?:(\w+) )?{COUNTER}(?: for you)?",
        r" take\1 from \2 counter ",
    ),
    (
        rf"\b(?:the |your |that |an? )?({ITEM})(?:'s| is| are) (?:\w+ )?(?:on|at) (?:the|that|this|a) "
        rf"(?:(\w+) )?{COUNTER}\b",
        r" take \1 from \2 counter ",
    ),
    (
        rf"\b((?:the|that|those|my|this|these) (?:\w+ )?{ITEM})(?: (?:that's|that is|which is|that are|"
        rf"which are|just|still))?(?: (?:lying|sitting|waiting|standing|left|resting|already|currently|"
        rf"placed|stored|on top))*(?: (?:lying|sitting|waiting|around))? (?:on|over on|from|off) (?:the|"
        rf"that|this|a|my|your) (?:(\w+) )?{COUNTER}(?= (?:go|goes|should|needs?|into|in|please|and|to|"
        rf"is|instead|of)\b| *(?:$|[.,;!?]))",
        r" \1 from \2 counter ",
    ),
    (rf"\b(?:back|rear|far) (?={POT}|counter|burner)", " top "),
    (rf"\bfront (?={POT}|counter|burner)", " bottom "),
    (
        r"\blet go of\b|\bget rid of\b|\brid yourself of\b|\bthrow away\b|\blose the(?= plate| dish| "
        r"onion| bowl| tomato)|\bthrow out\b",
        " drop ",
    ),
    (
        r"\b(?:drop|put down|set down|leave|dump|place|ditch|put|lay down|get rid of|throw)(?: down)? "
        r"(?:something|anything|whatever(?= *(?:$|[.,;!?]))|what(?:ever)?(?: is| it is)?(?: that)? "
        r"?(?:you're|you are|you|is in|you've)(?: \w+)?(?: holding| carrying| have| got| hold| carry| "
        r"your hands?)?|your (?:stuff|items?|things?|load)|everything|the (?:thing|item|stuff) in your "
        r"hands?)(?: down)?\b",
        " put it ",
    ),
    (r"\b(?:free|empty)(?: up)? your hands?\b", " put it on counter "),
    (
        rf"\b(?:put|place|leave|set|lay|drop|prep|stick|pop|keep|park|get|have)\b((?: (?:the|a|an|some|"
        rf"that|those|your|my|it|them|this|one|two|three|extra|few|clean|spare))*(?: {ITEM})?) (?:aside|"
        rf"to (?:the|one) side|on (?:the|one) side|away|back)(?! (?:on|at|in|next|by|near|where|to|"
        rf"from)\b)",
        r" put\1 on counter ",
    ),
    (
        rf"\b(?:put|place|set|lay|drop)\b((?: (?:the|a|an|some|that|those|your|my|it|them|this|one|two|"
        rf"three|clean|spare))*(?: {ITEM})?) down(?! (?:on|at|in|next|by|near|where)\b)",
        r" put\1 on counter ",
    ),
    (
        r"\b(?:put|set|lay) down(?= (?:the|a|an|your|that|it|them|this))(?!(?: \w+){1,3} (?:on|at|in|"
        r"next|by|near)\b)((?: \w+)? (?:\w+))",
        r" put\1 on counter ",
    ),
    (
        r"\b(?:where|so) (?:that )?i (?:can|could|will|am able to)(?: easily| also)? (?:reach|get(?: at|"
        r" to)?|grab|take|pick|access|find)(?: (?:it|them|that|those|to it))?(?: up)?\b",
        " next to me ",
    ),
    (r"\bwithin (?:my )?reach\b(?: of me)?", " next to me "),
    (
        rf"\b({RAW}) from (\w+ )?counter (?:should |needs? to |must |has to )?(?:go|goes|belongs?)(?= in)",
        r" take \1 from \2 counter and put it ",
    ),
    (r"\bproceed (?=to\b)", " go "),
    (
        rf"\b({ITEM})(?: on (?:the|a) \w+)? (?:go|goes|belongs?|should go|should be|needs? to (?:go|be|"
        rf"get|be (?:taken|brought|carried|moved|placed|put))|must (?:go|be)|has to go|have to go|"
        rf"gets?)(?: right| straight| all)? (?=in\b|on\b|into\b|to\b|onto\b|inside\b|over\b)",
        r" put \1 ",
    ),
    (
        rf"\bkeep ((?:the |those |that |my |all |both |some |our )*(?:{SIDE} )?(?:{POT}|{ITEM}))(?: "
        rf"\w+)? (?:going|fed|full|filled|stocked|topped up|loaded|busy|cooking|boiling|coming|supplied|"
        rf"flowing|rolling|hot|running|in supply|ready)\b",
        r" keep \1 ",
    ),
    (
        rf"\b(?:top (?:up|off)|fill up|feed|stoke|stock up|load up|fuel) (?=(?:the |that |this |my |"
        rf"both |all |your |those )*(?:{SIDE} )?{POT})",
        " fill ",
    ),
    (r"\bfinish(?: up| off)? (?=\w+ing\b)", " "),
    (r"\bhelp (?:me |us |out )*(?:with|by|in|on|to)\b(?= the \w+| \w+ing| my| those| \w+)", " do "),
    (r"\b(?:come |go )?help (?:me |us )(?=\w+)", " "),
    (
        rf"\b((?:the|that|those|my|an?) (?:\w+ )?{ITEM}) from (\w+ )?counter (?:is|are)(?: all| there| "
        rf"just| waiting)* (?:for you|yours)\b",
        r" take \1 from \2 counter ",
    ),
    # Being somewhere.
    (
        r"\b(?:put|place|station|post|park|plant|position|get|keep|hold|have|base|set|seat) (?:yourself|"
        r"your self|urself|up)(?: (?:right|over|down|up|ready))*(?= (?:at|by|near|next|beside|in|on|"
        r"close|around|to the (?:left|right)|over|there|alongside))",
        " wait ",
    ),
    (r"\bget yourself(?: over| back| up| down)*(?= to)", " go "),
    (
        r"\bbe (?:ready |there |waiting |standing |already |right )*(?=(?:at|by|near|next|beside|in "
        r"front|around|close|over by|alongside)\b)",
        " wait ",
    ),
    (
        r"\b(?:hold|keep|maintain|stay in|stay at|stay on) (?:your |ur |that |this )?(?:position|post|"
        r"ground|line|spot|station)\b|\b(?:sit|hang|hold|stay|stand) (?:tight|put|fast|ready|guard|"
        r"watch|close|near|nearby)\b|\b(?:stick|hang|stay|wait|stand|linger|lurk|chill|loiter) "
        r"(?:around|about|out|back|over)\b(?= (?:at|by|near|next|beside|in|on|the|until|for|with|here|"
        r"there|close)\b| *(?:$|[.,;!?]))|\bready and waiting\b|\b(?:stick|hang|keep) (?:close|near|by|"
        r"next)(?: to| by)?\b",
        " wait ",
    ),
    (
        r"\bkeep (?:watch|guard|lookout|an eye|your eyes?|ur eyes?|eyes)(?: out)?(?: on| over| of| "
        r"for)?\b|\blook ?out for\b|\b(?:mind|attend(?: to)?|look after|tend(?: to)?) (?=the (?:\w+ "
        r")?(?:pots?|stoves?|soups?)\b)",
        " watch ",
    ),
    (r"\bover to (the [\w ]{3,20}) with you\b", r" go to \1 "),
    (r"\b(?:make|find|work|fight) your way(?: over| back| up| down)*(?: to)?\b", " go to "),
    (
        r"(^|[.,;!?\n] *|\b(?:and|then|you|just|now|please) )get(?: back| over| up| down| on| your "
        r"(?:butt|ass|behind|feet|legs|arse|bum|self)| yourself)* (?:to|by|near|next to)(?= (?:the|that|"
        r"your|my|a)\b)",
        r"\1 go to ",
    ),
    (
        r"(^|[.,;!?\n] *|\b(?:and|then|you) )(?:back|over|off|on|up|down|straight)(?: over| back)? "
        r"to(?= (?:the|that|your)\b)",
        r"\1 go to ",
    ),
    (
        r"\b(?:come|get|walk|move|hurry|run|back|head)(?: on)?(?: back| over| right| closer| up| down)* "
        r"(?:here|this way|to me|over here|to my side|my side|to where i am|towards? me|closer|nearer|"
        r"and join me|next to me|near me|by me|with me)\b(?: to me)?|\bcome (?:over|back|closer|"
        r"along)(?= *(?:$|[.,;!?]| and\b| please))|\bfollow me\b|\bjoin me\b(?! (?:at|by))|\bcome and "
        r"join me\b|\bto me,? (?:now )?(?:please )?(?=$|[.!])(?<=^to me)",
        " go to me ",
    ),
    (r"\b(?:meet|join) me (?:at|by|near|next to)\b", " go to "),
    (
        r"\b(?:go|move|walk|head|step|run|come|shuffle|hop|slide|shift|get|scooch|scoot)(?: over)?(?: "
        r"(?:a|one|two|some|few|couple|bit|little|step|steps|space|spaces|square|squares|tile|tiles|"
        r"further|more|straight|back|of))* (up|down)(?:wards?)?(?: (?:a|one|bit|little|step|steps|space|"
        r"square|tile|further|more|two))*(?= *(?:$|[.,;!?\n]| and\b| please| then))",
        r" go to \1 side ",
    ),
    (r"\bto up side\b", "to top side"),
    (r"\bto down side\b", "to bottom side"),
    (
        rf"\b(?:step|scoot|scooch|shuffle|slide|shift|budge|scoot|hop)(?: over| along| on| across)* "
        rf"(?:to |towards )?(?:the |your )?({SIDE})\b(?! (?:pot|counter))",
        r" go to the \1 side ",
    ),
    (r"\b(?:other|opposite|far) (?:side|end)\b(?: of (?:the )?\w+)?", " counter "),
    (r"\b(left|right|top|bottom) of the kitchen\b", r"\1 side"),
]
