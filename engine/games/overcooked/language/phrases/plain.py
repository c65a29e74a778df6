"""Short phrases of all kinds, for what the other files leave over."""

from __future__ import annotations

_GET_AWAY = r"(?:get|move|go|step|stay|keep|stand|be|come)"

PLAIN: list[tuple[str, str]] = [
    (r"\b(?:i|we) (?:can't|cannot|couldn't)\b[^,.;!?\n]*?(?=$|[,.;!?\n]| so\b| you\b)", " , "),
    (r"\bdo not\b", " don't "),
    (
        r"\b(soup|pot|food|order|stove|left pot|right pot)'s (?=(?:ready|done|finished|full|empty|cooked))",
        r"\1 ",
    ),
    (r"\bfill(?:ing)? it (?:with|up with) (?:the )?soup\b", " plateup "),
    (r"\bcan not\b", " can't "),
    (r"\bthat's (?:enough|it|all)\b|\benough for now\b", " stop "),
    # Out of the way.
    (
        rf"\b(?:{_GET_AWAY} (?:\w+ )?)?out of (?:my|the|our) (?:way|path|face)\b|\bclear (?:the|my) "
        rf"(?:way|path|"
        r"road)\b|\b(?:move|step|go|get) (?:aside|to the side|over a bit)\b|\bmake (?:some )?(?:room|"
        r"way|space)\b|\blet me (?:through|pass|by|past)\b|\b(?:don't|stop|quit|no) (?:be(?:ing)? in|"
        r"block(?:ing)?|stand(?:ing)? in|get(?:ting)? in) (?:me\b|my way|the way|my path|us|the path|"
        r"the door)|\b(?:you're|you are|your|ur|u r) (?:in (?:my|the) way|blocking (?:me|the way|my "
        r"way))\b|\bgive me (?:some |more )?(?:space|room)\b|\bback off\b|\bstand (?:back|aside)\b|"
        r"\bmove over\b(?! to)|\bscoot(?: over)?\b|\bin my way\b|\bmake a gap\b|\bstop blocking\b|"
        r"\bdon't block\b",
        " clearway ",
    ),
    (
        r"\b(?:stay|keep|get|move|go|stand|remain) (?:well |far )?(?:away|clear|off)(?: from| of)? "
        r"(?=the|my|that)",
        " don't go to ",
    ),
    (r"\b(you|u|me|i)\s*:", r"\1 do "),
    (
        r"\bget out the way\b|\b(?:step|move|get|go|back) (?:back|up|off)\b(?! to)|^move$|^move[.!]+|"
        r"\bgo away\b|\bdon't stand (?:there|here)\b",
        " clearway ",
    ),
    (r"\bhands off\b", " don't touch "),
    (r"\bleave (the \w+) alone\b", r" don't touch \1 "),
    (r"\bdon't forget to\b", " "),
    (r"\bdon't forget\b", " get "),
    (
        r"\b(?:ignore|skip|forget(?: about)?) (?=the (?:onion|plate|dish|tomato|soup|bowl|serving))",
        " don't do ",
    ),
    (r"\bboth (?=(?:of )?(?:the )?(?:pots|stoves|counters|pans))", " "),
    (
        r"\b(?:put|set|place) (the \w+|it|that|them) (?:back|away|down)(?! (?:on|at|in|next|by))\b",
        r" put \1 on counter ",
    ),
    (r"\bwhere i (?:can )?(?:reach|get|grab|take|pick) (?:it|them|that)\b", " next to me "),
    # Standing still.
    (
        r"\b(?:stay|stand|wait|remain)(?: right)? where you are\b|\bhold (?:it|your position)\b|\bstay "
        r"there\b",
        " wait here ",
    ),
    (
        r"\b(?:don't|do not|stop) (?:move|moving|do anything|doing anything|do a thing)(?: at all)?\b|"
        r"\b(?:stay|stand|hold|keep|be) (?:perfectly |completely )?still\b|\bfreeze\b|\bstop "
        r"everything\b|\bstop (?:what(?:ever)? )?(?:you(?:'re| are) )doing\b|\bstop (?:right )?(?:there|"
        r"here)\b|\bdo nothing\b",
        " stop ",
    ),
    # Going on.
    (
        r"\bnever ?mind\b|\b(?:forget|cancel|ignore) (?:it|that|this|everything|all|what i said|about "
        r"(?:it|that))\b|\bdo (?:what(?:ever)? you (?:want|like|think(?: is)? best)|your (?:own )?thing|"
        r"as you like)\b|\bplay (?:freely|normally)\b|\bback to normal\b",
        " cancel ",
    ),
    (
        r"\b(?:go|carry|move) on\b|\bkeep (?:doing (?:that|this|it|so)|going|at it|it up|that up|on|"
        r"working)\b|\bas you were\b|\bgo ahead\b|\b(?:back|return|go back) to (?:work|normal|your own|"
        r"what you were doing)\b|\bcontinue (?:with )?(?:what you were doing|doing that|that|as "
        r"before)\b|\bdon't stop\b|\bstart (?:moving|working) again\b|\bplay on\b|\bdon't wait\b(?! "
        r"(?:at|by|near|next|in|on|beside))",
        " continue ",
    ),
    # Whose job it is.
    (
        r"\b(?:you(?:'re| are)|you|u) (?:on|in charge of|responsible for) ",
        " you do ",
    ),
    (r"\b(?:i'm|i am|me) (?:on|in charge of|responsible for) ", " i do "),
    (r"\b(?:take|taking|takes) (?:care|charge) of\b|\bbe (?:in charge of|responsible for)\b", " do "),
    (
        r"\b(?:stick|switch|change|move) (?:to|with|over to) (?=(?:\w+ing|onion|plate|dish|tomato|soup))",
        " do ",
    ),
    (r"\b(?:focus|concentrate|work|keep) on\b|\bdeal with\b|\blook after\b|\bsee to\b", " do "),
    (r"\bkeep an eye on\b|\bmind the\b", " watch the "),
    (r"\b(?:start|begin) (?:with|by|off with)\b", " first do "),
    (r"\bleave (?:all )?(?:the |all the )?([\w ]{3,24}?) (?:to|for) me\b", r" i do the \1 "),
    (r"\blet me (?:do|handle|take care of|have)\b", " i do "),
    (r"\blet me\b", " i "),
    (r"\b(?:i've|i have|i) got (?:the |this |these )", " i do the "),
    (r"\b(?:the )?([a-z]+) (?:is|are) (?:mine|my (?:job|task|role|duty))\b", r" i do \1 "),
    (r"\b(?:the )?([a-z]+) (?:is|are) (?:yours|your (?:job|task|role|duty))\b", r" you do \1 "),
    (r"\b(?:your|ur) (?:job|task|role|duty) (?:is|are|:)(?: to)?\b", " you do "),
    (r"\bmy (?:job|task|role|duty) (?:is|are|:)(?: to)?\b", " i do "),
    (r"\b(onion|plate|dish|tomato|soup)s? (?:duty|guy|runner|person|chef|cook)\b", r" do \1s "),
    # Wishes and questions that are requests.
    (
        r"\b(?:i|we) (?:would|'d|want|need) (?:like )?(?:you |u )to\b|\bi'd (?:like|love|want) (?:you |"
        r"u )to\b|\bi would like (?:you |u )to\b|\bi want (?:you|u) to\b|\bi need (?:you|u) to\b",
        " you ",
    ),
    (
        r"\b(?:i'd|i would|we'd|we would) (?:like|love|appreciate)(?: to have)?\b|\b(?:can|could|may|"
        r"might) (?:i|we) (?:please )?(?:have|get)\b|\bi could use\b|\bwe could use\b|\bwe(?:'re| are) "
        r"(?:out of|low on|short of)\b|\bwhere (?:is|are) my\b|\bthere are no\b|\bwe(?: have|'ve)(?: "
        r"got)? no\b",
        " i need ",
    ),
    (r"\bwould you mind\b|\bdo you mind\b|\bmake sure (?:to|that|you)\b|\bbe sure to\b|\btry to\b", " you "),
    (r"\b(?:can|could|would|will|may) (?:you|u)\b", " you "),
    (
        r"\b(?:you|u) (?:have to|need to|should|must|ought to|are to|'re going to|are going to|gotta)\b",
        " you ",
    ),
    (
        r"\bi(?:'m| am) going to\b(?! the| my| that)|\bi will\b|\bi wanna\b|\bi want to\b|\bi'd like "
        r"to\b|\bi would like to\b",
        " i ",
    ),
    (r"\blet's have you\b|\bhow about you\b|\bwhy don't you\b|\bhow about\b|\bwhat about\b", " you "),
    (r"\bhow about i\b|\bwhy don't i\b", " i "),
    # Serving.
    (
        r"\bserving[- ](?:window|counter|station|area|hatch|spot|place|point|table|tile)\b|\bdelivery[- "
        r"](?:window|counter|station|area|hatch|spot|place|point|zone|tile)\b|\bserve (?:window|counter|"
        r"station|spot)\b|\bpick[- ]?up (?:window|counter)\b|\bthe (?:serving|serve)(?= ?(?:$|"
        r"[.,;!?]))(?<!the serve)",
        " servingplace ",
    ),
    (r"\bi do the servingplace\b", " i do serving "),
    (r"\bdeliver me\b", " bring me "),
    (
        r"\b(?:hand|turn|give|send|drop|carry|take|bring) (?:in|out|off) (?=(?:the |a |that |those |all "
        r")?(?:soup|meal|food|order|stew|dish|it))",
        " serve ",
    ),
    (
        r"\b(?:hand|turn|give|send|bring) (the |a |that |this |those |all )?(soups?|meals?|food|orders?|"
        r"it|that) (?:in|out)\b",
        r" serve \1 \2 ",
    ),
    # Plating.
    (
        r"(?<!pick the )(?<!pick a )(?<!take the )\b(?:plate|dish|ladle|scoop|spoon) (?:up|out)\b|"
        r"\bplat(?:e|ing) (?=(?:the|a|that|some) (?:soup|meal|food|stew|order))|\bplating\b|"
        r"\bfill(?:ing)? (?:a |the |your )?(?:plate|dish|bowl)e?s?(?: (?:with|at) )?|\bladle\b|\bscoop\b",
        " plateup ",
    ),
    (
        r"\b(?:turn|switch|put) on (?=(?:the |a )?(?:\w+ )?(?:pot|stove|cooker|hob|burner|pan|heat))",
        " start ",
    ),
    (
        r"\b(?:turn|switch) (the|a|that) ((?:left |right )?(?:pot|stove|cooker|hob|burner|pan)) on\b",
        r" start \1 \2 ",
    ),
    (r"\b(?:fire up|light|ignite|activate|heat up|heat) (?=(?:the|a|that|both)\b)", " start "),
    (r"\b(?:start|begin|get) (?:the )?cooking(?: the| a)?(?= (?:pot|soup|stew))", " start the "),
    (r"\bget (?:the )?(pot|soup|stew) (?:going|started|cooking)\b", r" start the \1 "),
    (r"\bstart (?:the )?(?:timer|fire|heat)\b", " start the pot "),
    (r"\bstart cooking(?= *(?:$|[.,;!?]))", " start the pot "),
    # Nouns that are verbs elsewhere.
    (r"\b(on|at|by|near|to|onto|from|over) the pass\b", r" \1 the counter "),
    (r"\bchopping board\b|\bcutting board\b", " counter "),
    (r"\bserving\b(?= (?:to|is) )", " serve "),
    (r"\btake over\b", " do "),
    (r"\btake turns\b|\bgo halves\b", " split "),
    (r"\b(?:switch|change) (?=(?:sides|roles|places|jobs|tasks|with me|it up)\b)", " swap "),
    (r"^(?:let's |we )?(?:switch|change)(?=$|[.!?])", " swap "),
    (r"\b(?:other|opposite) way (?:a)?round\b", " swap "),
    # Where.
    (r"\bin front of\b|\bclose to\b|\bnext to\b|\bin front\b|\bover at\b|\bover by\b|\bbeside\b", " at "),
    (
        r"\bto the (left|right|top|bottom)\b(?= *(?:$|[.,;!?]| and\b| side\b| of the kitchen))",
        r" to \1 side ",
    ),
    (r"\b(left|right)[- ]?hand side\b", r" \1 side "),
    (r"\bstand ?by\b", " wait "),
    (r"\bhold on\b|\bhang on\b|\bhold up\b", " wait "),
    (r"\bwait up\b|\bone (?:second|moment|sec|minute)\b|\bjust a (?:second|moment|sec|minute)\b", " wait "),
    (r"\bcome (?:here|to me|over(?: here)?|closer)\b", " go to me "),
    (r"\bhelp (?:me |us |out )?(?:with|by)\b", " do "),
    (r"\bhelp (?:me|us)\b(?! *(?:$|[.,;!?]))", " "),
    (
        r"\b(?:right|left) (?:now|away|then)\b|\bat once\b|\ball right\b|\bat the moment\b|\bthat's right\b",
        " ",
    ),
    (r"\bfrom now on\b|\ball the time\b|\bthe whole time\b|\bover and over\b|\bevery time\b", " always "),
    (r"\buntil (?:i|we) (?:say|tell|ask|come|need|call|get|am|'m)\b[\w ']*", " "),
    (r"\bas soon as\b|\bat the time\b|\bthe moment\b|\bas long as\b", " when "),
    (r"\bafter (?:that|this)\b|\band then\b|\bonce (?:that's|that is|you're|you are) done\b", " then "),
    (r"\binstead of\b|\brather than\b|\bin place of\b", " , not "),
    (r"\ba few\b|\ba couple(?: of)?\b|\blots of\b|\ba lot of\b|\bplenty of\b|\bbunch of\b", " some "),
    (r"\bno (?:more|longer)\b|\benough\b", " not "),
    (r"\bback to\b", " to "),
    (r"\bpick up\b|\bpick(?=s? (?:it|that|the \w+|a \w+) up\b)", " pick "),
    (r"\bput down\b|\bset down\b|\blay down\b|\bdrop off\b(?= (?:the|a|an|your|that|it))", " put "),
    (r"\bempty[- ]handed\b", " "),
]
