"""Counters, and where somebody is to be."""

from __future__ import annotations

from engine.language.overcooked.phrases.parts import COUNTER, ITEM, POT, RAW, SIDE

PLACING: list[tuple[str, str]] = [
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
        rf"handed|slid)(?: down| out)?(?: for you| you| to you)?(?: there)?(?: on (?:the|that|this) (?:\w+ "
        rf")?{COUNTER})?",
        r" \1 from counter ",
    ),
    (rf"\b({ITEM}) i (?:pass|give|hand|leave|put)(?: (?:you|to you))?(?= (?:from|off|on)\b)", r" \1 "),
    (
        rf"(?:\b(?:i|i've|i have)(?: just| already)? (?:left|placed|dropped|laid|(?:put|set)(?=(?: "
        rf"\w+){{1,3}} (?:down|on|for you|there|out)\b))|(?:^|[.,;!?\n] *)(?:just )?(?:left|placed|dropped|"
        rf"laid))(?: you| down)?((?: an?| the| some| your| two| another| that)? (?:\w+ )?{ITEM})(?: "
        rf"(?:down|out|there))?(?: for you)?(?: (?:on|by|at|next to) (?:the|that|this) (?:\w+ "
        rf")?{COUNTER})?(?: for you)?",
        r" take\1 from counter ",
    ),
    (
        rf"\b(?:there's|there is|there are|there)(?: already| still| also)?((?: an?| the| some| your| two| "
        rf"three| another| one)? (?:\w+ )?{ITEM})(?: \w+ing)?(?: (?:left|ready|waiting|for you))? (?:on|"
        rf"at) (?:the|that|this|a|my|your) (?:(\w+) )?{COUNTER}(?: for you)?",
        r" take\1 from \2 counter ",
    ),
    (
        rf"\b(?:the |your |that |an? )?({ITEM})(?:'s| is| are) (?:\w+ )?(?:on|at) (?:the|that|this|a) "
        rf"(?:(\w+) )?{COUNTER}\b",
        r" take \1 from \2 counter ",
    ),
    (
        rf"\b((?:the|that|those|my|this|these) (?:\w+ )?{ITEM})(?: (?:that's|that is|which is|that are|which "
        rf"are|just|still))?(?: (?:lying|sitting|waiting|standing|left|resting|already|currently|placed|"
        rf"stored|on top))*(?: (?:lying|sitting|waiting|around))? (?:on|over on|from|off) (?:the|that|this|"
        rf"a|my|your) (?:(\w+) )?{COUNTER}(?= (?:go|goes|should|needs?|into|in|please|and|to|is|instead|"
        rf"of)\b| *(?:$|[.,;!?]))",
        r" \1 from \2 counter ",
    ),
    (rf"\b(?:back|rear|far) (?={POT}|counter|burner)", " top "),
    (rf"\bfront (?={POT}|counter|burner)", " bottom "),
    (
        r"\blet go of\b|\bget rid of\b|\brid yourself of\b|\bthrow away\b|\blose the(?= plate| dish| onion| "
        r"bowl| tomato)|\bthrow out\b",
        " drop ",
    ),
    (
        r"\b(?:drop|put down|set down|leave|dump|place|ditch|put|lay down|get rid of|throw)(?: down)? "
        r"(?:something|anything|whatever(?= *(?:$|[.,;!?]))|what(?:ever)?(?: is| it is)?(?: that)? "
        r"?(?:you're|you are|you|is in|you've)(?: \w+)?(?: holding| carrying| have| got| hold| carry| your "
        r"hands?)?|your (?:stuff|items?|things?|load)|everything|the (?:thing|item|stuff) in your "
        r"hands?)(?: down)?\b",
        " put it ",
    ),
    (r"\b(?:free|empty)(?: up)? your hands?\b", " put it on counter "),
    (
        rf"\b(?:put|place|leave|set|lay|drop|prep|stick|pop|keep|park|get|have)\b((?: (?:the|a|an|some|that|"
        rf"those|your|my|it|them|this|one|two|three|extra|few|clean|spare))*(?: {ITEM})?) (?:aside|to "
        rf"(?:the|one) side|on (?:the|one) side|away|back)(?! (?:on|at|in|next|by|near|where|to|from)\b)",
        r" put\1 on counter ",
    ),
    (
        rf"\b(?:put|place|set|lay|drop)\b((?: (?:the|a|an|some|that|those|your|my|it|them|this|one|two|three|"
        rf"clean|spare))*(?: {ITEM})?) down(?! (?:on|at|in|next|by|near|where)\b)",
        r" put\1 on counter ",
    ),
    (
        r"\b(?:put|set|lay) down(?= (?:the|a|an|your|that|it|them|this))(?!(?: \w+){1,3} (?:on|at|in|next|"
        r"by|near)\b)((?: \w+)? (?:\w+))",
        r" put\1 on counter ",
    ),
    (
        r"\b(?:where|so) (?:that )?i (?:can|could|will|am able to)(?: easily| also)? (?:reach|get(?: at|"
        r" to)?|"
        r"grab|take|pick|access|find)(?: (?:it|them|that|those|to it))?(?: up)?\b",
        " next to me ",
    ),
    (r"\bwithin (?:my )?reach\b(?: of me)?", " next to me "),
    (
        rf"\b({RAW}) from (\w+ )?counter (?:should |needs? to |must |has to )?(?:go|goes|belongs?)(?= in)",
        r" take \1 from \2 counter and put it ",
    ),
    (r"\bproceed (?=to\b)", " go "),
    (
        rf"\b({ITEM})(?: on (?:the|a) \w+)? (?:go|goes|belongs?|should go|should be|needs? to (?:go|be|get|"
        rf"be (?:taken|brought|carried|moved|placed|put))|must (?:go|be)|has to go|have to go|gets?)(?: "
        rf"right| straight| all)? (?=in\b|on\b|into\b|to\b|onto\b|inside\b|over\b)",
        r" put \1 ",
    ),
    (
        rf"\bkeep ((?:the |those |that |my |all |both |some |our )*(?:{SIDE} )?(?:{POT}|{ITEM}))(?: \w+)? "
        rf"(?:going|fed|full|filled|stocked|topped up|loaded|busy|cooking|boiling|coming|supplied|flowing|"
        rf"rolling|hot|running|in supply|ready)\b",
        r" keep \1 ",
    ),
    (
        rf"\b(?:top (?:up|off)|fill up|feed|stoke|stock up|load up|fuel) (?=(?:the |that |this |my |"
        rf"both |all "
        rf"|your |those )*(?:{SIDE} )?{POT})",
        " fill ",
    ),
    (r"\bfinish(?: up| off)? (?=\w+ing\b)", " "),
    (r"\bhelp (?:me |us |out )*(?:with|by|in|on|to)\b(?= the \w+| \w+ing| my| those| \w+)", " do "),
    (r"\b(?:come |go )?help (?:me |us )(?=\w+)", " "),
    (
        rf"\b((?:the|that|those|my|an?) (?:\w+ )?{ITEM}) from (\w+ )?counter (?:is|are)(?: all| there| just| "
        rf"waiting)* (?:for you|yours)\b",
        r" take \1 from \2 counter ",
    ),
    # Being somewhere.
    (
        r"\b(?:put|place|station|post|park|plant|position|get|keep|hold|have|base|set|seat) (?:yourself|your "
        r"self|urself|up)(?: (?:right|over|down|up|ready))*(?= (?:at|by|near|next|beside|in|on|close|"
        r"around|to the (?:left|right)|over|there|alongside))",
        " wait ",
    ),
    (r"\bget yourself(?: over| back| up| down)*(?= to)", " go "),
    (
        r"\bbe (?:ready |there |waiting |standing |already |right )*(?=(?:at|by|near|next|beside|in front|"
        r"around|close|over by|alongside)\b)",
        " wait ",
    ),
    (
        r"\b(?:hold|keep|maintain|stay in|stay at|stay on) (?:your |ur |that |this )?(?:position|post|ground|"
        r"line|spot|station)\b|\b(?:sit|hang|hold|stay|stand) (?:tight|put|fast|ready|guard|watch|close|"
        r"near|nearby)\b|\b(?:stick|hang|stay|wait|stand|linger|lurk|chill|loiter) (?:around|about|out|"
        r"back|over)\b(?= (?:at|by|near|next|beside|in|on|the|until|for|with|here|there|close)\b| *(?:$|"
        r"[.,;!?]))|\bready and waiting\b|"
        r"\b(?:stick|hang|keep) (?:close|near|by|next)(?: to| by)?\b",
        " wait ",
    ),
    (
        r"\bkeep (?:watch|guard|lookout|an eye|your eyes?|ur eyes?|eyes)(?: out)?(?: on| over| of| for)?\b|"
        r"\blook ?out for\b|\b(?:mind|attend(?: to)?|look after|tend(?: to)?) (?=the (?:\w+ )?(?:pots?|"
        r"stoves?|soups?)\b)",
        " watch ",
    ),
    (r"\bover to (the [\w ]{3,20}) with you\b", r" go to \1 "),
    (r"\b(?:make|find|work|fight) your way(?: over| back| up| down)*(?: to)?\b", " go to "),
    (
        r"(^|[.,;!?\n] *|\b(?:and|then|you|just|now|please) )get(?: back| over| up| down| on| your \w+| "
        r"yourself)* (?:to|by|near|next to)(?= (?:the|that|your|my|a)\b)",
        r"\1 go to ",
    ),
    (
        r"(^|[.,;!?\n] *|\b(?:and|then|you) )(?:back|over|off|on|up|down|straight)(?: over| back)? to(?= "
        r"(?:the|that|your)\b)",
        r"\1 go to ",
    ),
    (
        r"\b(?:come|get|walk|move|hurry|run|back|head)(?: on)?(?: back| over| right| closer| up| down)* "
        r"(?:here|this way|to me|over here|to my side|my side|to where i am|towards? me|closer|nearer|and "
        r"join me|next to me|near me|by me|with me)\b(?: to me)?|\bcome (?:over|back|closer|along)(?= "
        r"*(?:$|[.,;!?]| and\b| please))|\bfollow me\b|\bjoin me\b(?! (?:at|by))|\bcome and join me\b|\bto "
        r"me,? (?:now )?(?:please )?(?=$|[.!])(?<=^to me)",
        " go to me ",
    ),
    (r"\b(?:meet|join) me (?:at|by|near|next to)\b", " go to "),
    (
        r"\b(?:go|move|walk|head|step|run|come|shuffle|hop|slide|shift|get|scooch|scoot)(?: over)?(?: (?:a|"
        r"one|two|some|few|couple|bit|little|step|steps|space|spaces|square|squares|tile|tiles|further|"
        r"more|straight|back|of))* (up|down)(?:wards?)?(?: (?:a|one|bit|little|step|steps|space|square|"
        r"tile|further|more|two))*(?= *(?:$|[.,;!?\n]| and\b| please| then))",
        r" go to \1 side ",
    ),
    (r"\bto up side\b", "to top side"),
    (r"\bto down side\b", "to bottom side"),
    (
        rf"\b(?:step|scoot|scooch|shuffle|slide|shift|budge|scoot|hop)(?: over| along| on| across)* (?:to |"
        rf"towards )?(?:the |your )?({SIDE})\b(?! (?:pot|counter))",
        r" go to the \1 side ",
    ),
    (r"\b(?:other|opposite|far) (?:side|end)\b(?: of (?:the )?\w+)?", " counter "),
    (r"\b(left|right|top|bottom) of the kitchen\b", r"\1 side"),
]
