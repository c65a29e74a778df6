"""The words of kitchen instructions: which concept each stands for, and phrases that stand for a word.

Data alone; `lexicon.py` tags text with it. A new wording is one entry here.
"""

from __future__ import annotations

# Concept -> the words for it. A word stands for one concept; context is the parser's business.
WORDS: dict[str, str] = {
    "ME": "i i'm i'll i've i'd im ill ive my mine me myself",
    "YOU": "you u ya your yours you'll you're youre you've youll ur yourself",
    "BOTH": "we we'll we're let's lets us our both together everybody everyone",
    "FETCH": (
        "bring brings bringing brought get gets getting fetch fetches fetching grab grabs grabbing collect "
        "collects collecting carry carries carrying hand hands handing give gives giving gimme supply "
        "supplies supplying retrieve provide pick picks picking take takes taking pass passes passing "
        "send sending"
    ),
    "PUT": (
        "put puts putting place places placing drop drops dropping set sets setting lay lays laying leave "
        "leaves leaving add adds adding load loads loading fill fills filling stick throw throws throwing "
        "toss chuck dump insert stack stacks stacking stock stocks stocking deposit shove pop"
    ),
    "COOK": "cook cooks cooking make makes making prepare prepares preparing prep boil boils boiling",
    "SERVE": "serve serves serving deliver delivers delivering submit submits submitting dispatch",
    "PLATEUP": "plateup",
    "START": "start starts starting begin begins beginning",
    "DO": (
        "do doing does handle handles handling manage manages cover covers covering work works working focus "
        "use uses using duty charge responsible care tend touch touches touching"
    ),
    "GO": "go goes going move moves moving come comes coming walk walking head run running approach",
    "WAIT": (
        "wait waits waiting stay stays staying stand stands standing hang remain park watch watches "
        "watching guard idle camp position"
    ),
    "STOP": "stop stops freeze halt pause whoa",
    "CONTINUE": "continue resume proceed unfreeze",
    "CANCEL": "cancel",
    "KEEP": "keep keeps keeping",
    "CLEAR": "clearway",
    "SWAP": "swap swaps swapping trade exchange",
    "DIVIDE": "split divide share",
    "LET": "let",
    "NEED": "need needs want wants require requires lack",
    "NOT": (
        "not don't dont never no avoid without cease quit refrain won't can't shouldn't cannot mustn't "
        "neither nor"
    ),
    "INSTEAD": "instead rather",
    "ONLY": "only just solely exclusively merely",
    "THEN": "then afterwards next later finally afterward",
    "FIRST": "first firstly",
    "AND": "and plus n also",
    "OR": "or",
    "BUT": "but while whereas",
    "IF": "if when once until till whenever after",
    "READY": "ready done finished cooked complete completed",
    "FULL": "full filled",
    "EMPTY": "empty",
    "ALWAYS": "always constantly continuously repeatedly forever permanently",
    "ONION": "onion onions onoin ingredient ingredients vegetable vegetables veg veggies veggie",
    "DISH": "dish dishes plate plates bowl bowls platter platters saucer crockery dishware",
    "TOMATO": "tomato tomatoes tomatos tomatoe",
    "SOUP": "soup soups meal meals food stew order orders broth",
    "POT": (
        "pot pots pto stove stoves pan pans cooker cookers hob hobs burner burners cauldron kettle saucepan"
    ),
    "WINDOW": (
        "window windows hatch exit delivery outlet customer customers guest guests checkout servingplace "
        "servery"
    ),
    "COUNTER": (
        "counter counters bench benches table tables worktop worktops countertop countertops shelf island "
        "tabletop surface workbench divider wall"
    ),
    "DISPENSER": "dispenser dispensers crate crates box boxes pile piles bin stash source basket station",
    "SIDE": "side sides part half area corner spot end",
    "WAY": "way path",
    "THERE": "there",
    "HERE": "here",
    "ROLES": "roles role jobs job tasks task places duties shift",
    "IT": "it that this them those these",
    "ONE": "ones",
    "A": "a an another",
    "THE": "the",
    "SOME": "some som several many more lots all any every couple",
    "IN": "in into inside",
    "ON": "on onto upon",
    "AT": "at by near beside next close around",
    "TO": "to towards toward for",
    "FROM": "from off of out",
    "BREAK": ". ; ! ? \n",
    "COMMA": ", :",
    # Words that carry nothing here.
    "-": (
        "please pls plz plse plese thanks thank thx hey hi hello yo ok okay okey alright well so would "
        "will shall should must can could may might have has had having did is are was were be been being "
        "am are clean fresh raw chopped nice hot new across through via kindly try trying sure now "
        "quickly quick fast asap immediately again still yet "
        "chef mate buddy pal dude man bro partner robot bot agent friend teammate as too very really "
        "with each other over up down away back along everything rest kitchen time it's "
        "that's they they're yours's help helping gonna wanna gotta dear sir maybe perhaps how "
        "think better best good guys team cooks "
        "straight directly ahead soon minute moment second sec bit which who whoever "
        "what thats its theres"
    ),
}

WHICH: dict[str, str] = {
    "left": "left lefthand leftmost west western",
    "right": "right righthand rightmost east eastern",
    "top": "top upper topmost north northern highest",
    "bottom": "bottom lower bottommost south southern lowest",
    "middle": "middle center centre central mid centermost",
    "nearest": "nearest closest nearby",
}

NUMBERS: dict[str, int] = {
    "one": 1,
    "single": 1,
    "two": 2,
    "three": 3,
    "four": 4,
    "five": 5,
    "six": 6,
    "seven": 7,
    "eight": 8,
    "nine": 9,
    "twice": 2,
}

_GET_AWAY = r"(?:get|move|go|step|stay|keep|stand|be|come)"

# Phrases that one word can't stand for: regular expression -> replacement, applied in order before splitting.
PHRASES: list[tuple[str, str]] = [
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
        rf"\b(?:{_GET_AWAY} (?:\w+ )?)?out of (?:my|the|our) (?:way|path|face)\b|\bclear (?:the|"
        rf"my) (?:way|path|"
        r"road)\b|\b(?:move|step|go|get) (?:aside|to the side|over a bit)\b|\bmake (?:some )?(?:room|way|"
        r"space)\b|\blet me (?:through|pass|by|past)\b|\b(?:don't|stop|quit|no) (?:be(?:ing)? in|"
        r"block(?:ing)?|"
        r"stand(?:ing)? in|get(?:ting)? in) (?:me\b|my way|the way|my path|us|the path|the door)|"
        r"\b(?:you're|you are|your|ur|u r) (?:in (?:my|the) way|blocking (?:me|the way|my way))\b|"
        r"\bgive me (?:some |more )?(?:space|room)\b|\bback off\b|\bstand (?:back|aside)\b|\bmove over\b|"
        r"\bscoot(?: over)?\b|\bin my way\b|\bmake a gap\b|\bstop blocking\b|\bdon't block\b",
        " clearway ",
    ),
    (
        r"\b(?:stay|keep|get|move|go|stand|remain) (?:well |far )?(?:away|clear|off)(?: from|"
        r" of)? (?=the|my|that)",
        " don't go to ",
    ),
    (r"\b(you|u|me|i)\s*:", r"\1 do "),
    (
        r"\bget out the way\b|\b(?:step|move|get|go|back) (?:back|up|off)\b(?! to)|^move$|^move[.!]+|"
        r"\bgo away\b|"
        r"\bdon't stand (?:there|here)\b",
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
        r"\b(?:stay|stand|wait|remain)(?: right)? where you are\b|\bhold (?:it|your position)\b|"
        r"\bstay there\b",
        " wait here ",
    ),
    (
        r"\b(?:don't|do not|stop) (?:move|moving|do anything|doing anything|do a thing)(?: at all)?\b|"
        r"\b(?:stay|stand|hold|keep|be) (?:perfectly |completely )?still\b|"
        r"\bfreeze\b|\bstop everything\b|\bstop (?:what(?:ever)? )?(?:you(?:'re| are) )doing\b|"
        r"\bstop (?:right )?(?:there|here)\b|\bdo nothing\b",
        " stop ",
    ),
    # Going on.
    (
        r"\bnever ?mind\b|\b(?:forget|cancel|ignore) (?:it|that|this|everything|all|what i said|"
        r"about (?:it|that))\b|"
        r"\bdo (?:what(?:ever)? you (?:want|like|think(?: is)? best)|your (?:own )?thing|as you like)\b|"
        r"\bplay (?:freely|normally)\b|\bback to normal\b",
        " cancel ",
    ),
    (
        r"\b(?:go|carry|move) on\b|\bkeep (?:doing (?:that|this|it|so)|going|at it|it up|that up|on|"
        r"working)\b|"
        r"\bas you were\b|\bgo ahead\b|"
        r"\b(?:back|return|go back) to (?:work|normal|your own|what you were doing)\b|"
        r"\bcontinue (?:with )?(?:what you were doing|doing that|that|as before)\b|\bdon't stop\b|"
        r"\bstart (?:moving|working) again\b|\bplay on\b|\bdon't wait\b",
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
        r"u )to\b|"
        r"\bi would like (?:you |u )to\b|\bi want (?:you|u) to\b|\bi need (?:you|u) to\b",
        " you ",
    ),
    (
        r"\b(?:i'd|i would|we'd|we would) (?:like|love|appreciate)(?: to have)?\b|"
        r"\b(?:can|could|may|might) (?:i|we) (?:please )?(?:have|get)\b|\bi could use\b|"
        r"\bwe could use\b|\bwe(?:'re| are) (?:out of|low on|short of)\b|\bwhere (?:is|are) my\b|"
        r"\bthere are no\b|\bwe(?: have|'ve)(?: got)? no\b",
        " i need ",
    ),
    (r"\bwould you mind\b|\bdo you mind\b|\bmake sure (?:to|that|you)\b|\bbe sure to\b|\btry to\b", " you "),
    (r"\b(?:can|could|would|will|may) (?:you|u)\b", " you "),
    (
        r"\b(?:you|u) (?:have to|need to|should|must|ought to|are to|'re going to|are going to|gotta)\b",
        " you ",
    ),
    (
        r"\bi(?:'m| am) going to\b|\bi will\b|\bi wanna\b|\bi want to\b|\bi'd like to\b|\bi would like to\b",
        " i ",
    ),
    (r"\blet's have you\b|\bhow about you\b|\bwhy don't you\b|\bhow about\b|\bwhat about\b", " you "),
    (r"\bhow about i\b|\bwhy don't i\b", " i "),
    # Serving.
    (
        r"\bserving[- ](?:window|counter|station|area|hatch|spot|place|point|table|tile)\b|"
        r"\bdelivery[- ](?:window|counter|station|area|hatch|spot|place|point|zone|tile)\b|"
        r"\bserve (?:window|counter|station|spot)\b|\bpick[- ]?up (?:window|counter)\b|"
        r"\bthe (?:serving|serve)(?= ?(?:$|[.,;!?]))(?<!the serve)",
        " servingplace ",
    ),
    (r"\bi do the servingplace\b", " i do serving "),
    (r"\bdeliver me\b", " bring me "),
    (
        r"\b(?:hand|turn|give|send|drop|carry|take|bring) (?:in|out|off) (?=(?:the |a |that |those |all )?"
        r"(?:soup|meal|food|order|stew|dish|it))",
        " serve ",
    ),
    (
        r"\b(?:hand|turn|give|send|bring) (the |a |that |this |those |all )?(soups?|meals?|food|orders?|"
        r"it|that)"
        r" (?:in|out)\b",
        r" serve \1 \2 ",
    ),
    # Plating.
    (
        r"(?<!pick the )(?<!pick a )(?<!take the )\b(?:plate|dish|ladle|scoop|spoon) (?:up|out)\b|"
        r"\bplat(?:e|ing) (?=(?:the|a|that|some) (?:soup|meal|"
        r"food|stew|order))|\bplating\b|\bfill(?:ing)? (?:a |the |your )?(?:plate|dish|"
        r"bowl)e?s?(?: (?:with|at) )?|"
        r"\bladle\b|\bscoop\b",
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

# Only words that carry a reading are restored from typing errors; common lookalikes are left alone.
NOT_RESTORED = {
    "-",
    "A",
    "THE",
    "IN",
    "ON",
    "AT",
    "TO",
    "FROM",
    "IT",
    "AND",
    "OR",
    "THEN",
    "SIDE",
    "ONE",
    "LET",
}
LEFT_ALONE = {
    "here",
    "there",
    "these",
    "where",
    "were",
    "pots",
    "post",
    "play",
    "plays",
    "paste",
    "later",
    "late",
    "hello",
    "world",
    "weather",
    "water",
    "score",
    "scores",
    "state",
    "lovely",
    "colour",
    "color",
    "hint",
    "name",
    "made",
    "mark",
    "love",
    "money",
    "phone",
    "house",
    "music",
    "movie",
    "movies",
    "hate",
    "happy",
    "party",
    "planet",
    "planets",
    "please",
    "place",
    "story",
    "great",
    "treat",
    "sing",
    "song",
    "start",
    "stars",
    "still",
    "stupid",
    "doing",
    "going",
    "fight",
    "eight",
    "night",
    "light",
    "might",
    "than",
    "they",
    "what",
    "with",
}
