"""Whole ways of saying one thing: regular expressions for what no single word stands for.

(pattern, replacement) applied in order to text that `spelling` has cleaned and `manners` has shortened; each
replacement is made of words that `vocabulary` knows. `phrases` comes after it, for what is left.
"""

from __future__ import annotations

_BE = r"(?:you're|your|you are|he's|the (?:agent|robot|bot|cook|chef) is)"
_JOB = (
    r"(?:roles?|jobs?|tasks?|duties|duty|chores?|work|workload|labou?r|responsibilit(?:y|ies)|things|"
    r"stations?|part|assignments?)"
)
_PLACES = r"(?:places?|positions?|sides?|spots?|seats|stations?)"
_POT = r"(?:pots?|stoves?|cookers?|hobs?|burners?|pans?|heat|fire|flame|gas|oven|kettle|cauldron|soups?)"
_SIDE = r"(?:left|right|top|bottom|upper|lower|middle|first|second|other|near|far|back|front)"
_THAT_POT = rf"(?:(?:the|that|this|your|a|my|both|each)(?: {_SIDE})?(?: hand)? {_POT}|it|them|that|{_POT})"
_SOUP = (
    r"(?:the |that |a |this |those |your |our |my |some |all |finished |ready |done |cooked |hot |first )*"
)
_SOUP += r"(?:soups?|meals?|food|orders?|stew|broth)"
_IT = rf"(?:{_SOUP}|it|that|this|them|em)"
_PAST = r"(?:(?:in |to |on )?the (?:way|path|road)|through|past|by|space|room)"

CLEARING = (
    r"\b(?:you're|you are|stop) (?:just |always |right )*(?:standing|stood|parked|stuck|sitting|waiting|"
    r"hanging out) in (?:the|my|a|our)(?: \w+){1,3}",
    r"^(?:shift|budge|skedaddle|aside|gangway|scoot|vamoose|beat it|shoo)(?=$|[.,!])",
    rf"\b(?:{_BE}|stop|quit|don't|no|keep|always|stop you|you keep|you) (?:always |just |still |kinda |be |"
    rf"being |"
    r"kind of |standing |stand |getting |get |totally |literally |really |right |so |a bit |keep )*"
    r"(?:in (?:my|the|our) (?:way|path|face)|block(?:ing|s|ed)?(?: (?:me|us|my \w+|my|the (?:way|path|door|"
    r"doorway|corridor|hallway|aisle|entrance|exit|road|passage|pots?|stoves?|window|plates|dishes|onions|"
    r"tomatoes|counter|dispenser|hatch|crates?)|everything|everyone|access|it)(?: off)?)?(?: (?:in|off))?|"
    r"obstruct(?:ing)?(?: \w+){0,3}|crowd(?:ing)? me|hogging (?:the (?:pots?|stoves?|space|window|corridor)))"
    r"(?: (?:to|from|of) (?:the|my) \w+)?",
    r"\b(?:get|move|step|go|stay|keep|be|stand|come|shift|scoot|budge|clear|jump|back)(?: \w+)?(?: \w+)? "
    r"(?:out of|outta|out|off|from) (?:of )?(?:my|the|our) (?:way|path|face|doorway|door|corridor|aisle|road|"
    r"hallway|line|back|feet|hair|entrance|route|spot|lane)\b",
    r"\b(?:get|move|step|jump|go|come) (?:off|away from) the (?:pot|stove|window|counter|crate|dispenser)"
    r"(?= (?:i|im|i'm|so|because|cuz|please|now)\b)",
    r"\b(?:get|move|come|step) (?:out of|away from) (?:there|here|that|the (?:corner|middle|gap|corridor))\b",
    r"\b(?:out of|outta|out) (?:my|the|our) way\b",
    rf"\blet (?:me|us) (?:go |get |come |squeeze |walk |slip |move )?{_PAST}\b",
    r"\b(?:i|we)(?: really| just)? (?:cannot|can't|need to|have to|must|want to|wanna|am trying to|'m "
    r"trying to|"
    r"can not|gotta|couldn't|could not)(?: even)? (?:get|go|come|squeeze|walk|move|fit|pass|reach)"
    r"(?: (?:through|past|by|around|out|in there|up there|over there|there|to the (?:pots?|stove|window|"
    r"plates|onions|dishes|counter|hatch|tomatoes|soup|bowls|other side)))(?: (?:you|here|there|"
    r"because of you|with you there))?(?=$|[.,;!?\n]| because| please| when| if| while| with| so| and)",
    r"\b(?:i|we) (?:can't|cannot|need to|have to|must) pass\b",
    r"\bi(?:'m| am) (?:stuck|trapped|blocked|boxed in|cornered|walled)(?: in)?(?: (?:behind|by|because of|"
    r"with|cause of|here|there) ?(?:you|u)?)?\b",
    r"\b(?:make|create|leave|give|open|need)(?: (?:me|us|up))?(?: some| a (?:bit of|little)| a| more| "
    r"enough)* "
    r"(?:room|way|space|gap|path|lane|opening)\b(?: for me)?(?: to pass)?",
    r"\bclear (?:the|my|a|out of the) (?:way|path|road|corridor|lane|area|aisle|doorway|floor|deck)\b",
    r"\b(?:move|step|stand|scoot|shift|slide|get|go|budge|hop|pull|scooch|shuffle|squeeze|shove|push|"
    r"turn) (?:aside|to (?:the|one) side|off|over|up a bit|along|back a bit)\b(?! (?:to|by|at|the|here|of|"
    r"there|and (?:get|put))\b)(?: (?:a )?(?:bit|little|touch|tad))?",
    r"\b(?:stand|step|move|get|back|fall) (?:back|away|off)\b(?! (?:to|from|at|on|the|in|here|by)\b)",
    r"\b(?:back (?:up|off|away)|gangway|coming through|beep beep|excuse me|pardon me|make way|scram|shoo|"
    r"get lost|buzz off|move it|vacate|step off|side ?step|yield|give way|scoot|scooch|budge(?: up| over)?|"
    r"skedaddle|out the way|shove (?:over|up)|hop it|clear off|bugger off|piss off|move your (?:\w+)|"
    r"shift yourself|shift over|move yourself|get moving out)\b(?: (?:please|it|that|the \w+))?",
    r"\b(?:go|walk|move) around(?: me| the other way)?\b(?! the (?!other way))",
    r"(?<!don't )(?<!not )(?<!to )(?<!can )(?<!never )\bmove(?: just)?(?: a (?:little|bit|tad|touch|"
    r"smidge)(?: bit)?)?(?=$|[.!?,]| (?:please|now|already|man|dude|mate|bro|will you|you|ur|your|so|"
    r"because|cuz|out|away)\b)"
    r"(?! (?:you |so )?(?:to|the)\b)",
    r"\b(?:don't|stop|quit) (?:just )?(?:stand(?:ing)?|be(?:ing)?|stay(?:ing)?|wait(?:ing)?|sit(?:ting)?|"
    r"park(?:ing)?) (?:right )?(?:there|here|in front of [\w ]{2,20}|in (?:the|my) \w+|in between)(?=$|"
    r"[.,;!?\n])",
    r"\b(?:you're|your|you are) (?:standing |right |stood )*(?:too close|in front of (?:me|the \w+|my \w+)|"
    r"where i (?:want|need) to (?:be|go|stand))",
    r"\byou're(?: kind of| a bit| kinda)? (?:stopping|preventing|keeping) me from\b[\w ]*",
    r"\b(?:we|i) keep (?:colliding|crashing|bumping|getting stuck)\b|\b(?:we|i) keep (?:bumping|colliding|"
    r"running) into (?:you|each other|u)\b|\bstop bumping into me\b",
)

SWAPPING = (
    rf"\b(?:swap(?:ped|p)?|switch(?:ed)?|traded?|exchanged?|changed?|rotate|reverse|flip|interchange|"
    rf"invert|swop|alternate)(?:ing)?"
    rf"(?: of| up| over| around| our| the| your| my| these| all)*"
    rf" (?:{_JOB}|{_PLACES})(?: with (?:me|your partner|each other|one another))?(?: (?:around|over|now))?",
    r"\b(?:swap|switch|trade|exchange|change|swop)(?: it)?(?: (?:up|over|around))? with me\b",
    r"(?<!the )(?<!a )\b(?:swap|switch|swop|trade)(?: (?:over|round|around|up|things up|things|it up|it "
    r"around|"
    r"it))?(?= *(?:$|[.,;:!?\n]|please|now|then|ok|okay|with\b|this time|again|so you|you\b|i\b|for a))"
    r"(?! (?:to|the|on|with the)\b)",
    rf"\b{_JOB} (?:swap|switch|exchange|swapped|reversed|reversal|switched)\b",
    r"\b(?:the )?(?:other|opposite) way (?:a)?round\b|\bvice versa\b|\bswitcheroo\b|\bswitch-?a-?roo\b|"
    r"\bturn the tables\b|\b(?:swap|switch)sies\b|\bturn ?about\b",
    r"\byou (?:do|take|have|get|be|can do|can have|take over)(?: on)? (?:mine|my (?:job|part|role|bit|stuff|"
    r"work|place|task|side|thing|tasks)|what i(?: was|'m| am|'ve been| have been| do| did)?(?: doing| "
    r"on)?)(?: and|,|;)?"
    r"(?: then)?(?: i(?:'ll| will)? (?:\w+ ){0,2}(?:yours|your (?:\w+)|what you(?: were|'re| are|'ve been|"
    r" have been| do| did)?(?: doing| on)?))?",
    r"\bi(?:'ll| will)? (?:do|take|have|get)(?: over)? (?:yours|your (?:job|part|role|bit|work|place|task)|"
    r"what "
    r"you(?: were|'re| are)?(?: doing)?)(?: and|,|;)?(?: you (?:\w+ ){1,2}(?:mine|my \w+|what i\w*(?: "
    r"\w+)?(?: "
    r"doing)?))?",
    r"\b(?:take|have) (?:over )?my (?:job|role|place|part|position|task|spot)(?: (?:and|,) i(?:'ll)? [\w "
    r"]*yours?(?: "
    r"\w+)?)?",
    r"\bi want (?:to do )?your (?:job|role|part)(?:,? (?:and )?you (?:take|do|get) (?:mine|my \w+))?|\bmy "
    r"(?:job|role|task) "
    r"for yours\b|\bmy turn (?:to|on|at) [\w ]{3,20}, yours? [\w ]{3,20}",
    r"\byou be me(?: and i(?:'ll)? be you)?\b|\bbe in each other's shoes\b",
)

DIVIDING = (
    rf"\b(?:split|divide[ds]?|dividing|shared?|divvy|distribute|allocate|assign|separate|sort|partition|"
    rf"delegate|apportion|"
    rf"dole|carve|coordinate|organi[sz]e|agree|decide|pick|choose|define|settle)(?:ing|s)?"
    rf"(?: out| up| on| our| the| these| this| different| separate| who gets which| fixed| clear| all| own| "
    rf"into| some)* {_JOB}(?: (?:up|out|between us|among us|evenly|fairly|equally|in half|in two|between "
    rf"the two of us))*",
    r"\b(?:split|divvy|divide)(?: (?:this|it|that|things|everything|stuff|em|them|the kitchen|the pots|"
    r"the space|the cooking))?(?: up| out)?(?: (?:between us|evenly|fairly|equally|in half|50 50|fifty "
    r"fifty|in two))*"
    r"(?= *(?:$|[.,;:!?\n]|please|and\b|so\b|ok\b|you\b|i\b|then\b|now\b|by\b))",
    r"\b(?:stop|quit|don't)(?: be)? (?:do|doing|copying|copy) (?:exactly )?(?:what i(?:'m| am)?(?: do| "
    r"doing)?|me|my job)\b|\bdivide and conquer\b|\bdivision of labou?r\b|\bfifty fifty\b|\bgo halves\b|"
    r"\bhalf and half\b|"
    r"\btag team\b",
    r"\b(?:what if |how about |let's have |can )?one (?:person |player |cook )?(?:cooks?|serves?|does|"
    r"do|gets?|fetch\w*|on|plates?|delivers?|fills?|"
    r"handles?|brings?|is on|can|takes?)\b[^.!?\n]*\b(?:the other|one|another)\b[\w ]*",
    r"\bone of us\b[\w ]*?(?:,|and|while|;)[\w ]*? ?\b(?:the other|one of us|another|one)\b[\w ]*",
    rf"\b(?:each|both)(?: of us)?(?: should| could| can| will| just)?(?: have| do| take| pick| get| be on| "
    rf"need| has| "
    rf"needs| want| stick to| choose| focus on| handle| work on| play| own)* (?:a|one|our own|their own|our|"
    rf"different|separate|own|his own|something|an own|their|half)(?: \w+)?(?: {_JOB}| different| each)?\b"
    r"(?! (?:onion|plate|dish|tomato|soup|pot))",
    rf"\b(?:have|do|take|want|need|get|play|work on|be on)(?: on)?(?: (?:our|a|two|some|clear|fixed))* "
    rf"(?:separate|"
    rf"different|distinct|speciali[sz]ed|dedicated|assigned|defined|own) {_JOB}",
    r"\bspeciali[sz]e\b|\bspeciali[sz]ation\b|\b(?:who|whom) (?:does|is doing|will do|should do|do) what\b|"
    r"\bdo our own thing\b",
    r"\byou (?:pick|choose|take|do|have|get)(?: any| just)? (?:one|a|some|half|your)(?: (?:job|role|task|"
    r"part|thing|of "
    r"them|of the jobs))?(?:,| and)* (?:and )?i(?:'ll| will)? (?:take|do|have|get|pick|handle|go for) "
    r"the (?:other|rest|remaining)(?: \w+)?",
    r"\bi(?:'ll| will)? (?:do|take) (?:one|a|half)(?: \w+)?(?:,| and)* (?:and )?you (?:do|take) the "
    r"(?:other|rest|other one|"
    r"other half)\b",
    r"\btake turns\b(?: with [\w ]+)?|\bstop (?:both )?doing the same (?:thing|job|task)\b|"
    r"\b(?:don't|not|shouldn't|stop)(?: both)? (?:do|doing|both do|be doing) the same (?:thing|job|"
    r"task)s?(?: as me)?\b|"
    r"\bwe(?:'re| are) (?:both )?doing the same (?:thing|job|task)\b",
)

STOPPING = (
    r"\bcut (?:it|that) out\b|\bstop (?:that|this)(?: now| right now)?(?=$|[.,!?])|\bno more\b(?=$|[.!])",
    r"\b(?:don't|do not|stop|quit|cease|no)(?: you)?(?: even)? (?:move|moving|do anything|doing anything|"
    r"do a thing|"
    r"budge|act|acting|walk(?:ing)? around|run(?:ning)? around|do nothing|touch(?:ing)? anything|all "
    r"activity|"
    r"all actions?|activity|all movement|what ?ever you(?:'re| are)(?: doing)?|"
    r"everything|it all|all that|what you(?:'re| are)(?: currently| now)? doing|what you do|doing (?:that|"
    r"this|"
    r"what you(?:'re| are) doing|stuff|things|it)|that|this|it|dead|work(?:ing)?|moving around|everything "
    r"you(?:'re| are) "
    r"doing|fidgeting|running|all work|any further)(?: right)?(?: (?:at all|a muscle|an inch|around|now|"
    r"anymore|any more|any further|"
    r"there|here|immediately|for now|until [\w ']+))*\b(?! (?:onion|plate|dish|tomato|soup|pot|in|on|the|"
    r"to)\b)",
    r"\b(?:stay|stand|hold|keep|be|remain|sit|freeze)(?: (?:perfectly|completely|very|absolutely|real|so|"
    r"totally|"
    r"dead))* (?:still|motionless|frozen|put right there)\b|\bfreeze\b(?: (?:right|there|here|now|in place|"
    r"where "
    r"you are))*|\bstop (?:right )?(?:there|here|now|in your tracks|where you are|dead|moving|movement)\b|"
    r"\bdo nothing\b|\bstand down\b|\bstahp\b|\bst[o]{2,}p+\b|\bknock it off\b|\bcut it out\b|\bpack it in\b|"
    r"\b(?:quit|stop|drop) it\b(?! (?:in|on|at|off|to|down|there|here|by|next|into|from))(?<!drop it)|"
    r"\ball stop\b|\bfull stop\b|\bemergency stop\b|"
    r"\bhit the brakes?\b|\bcease(?: and desist| fire)?(?=$|[.,!?;])|\bhands up\b|\bat ease\b|\bpause(?: "
    r"for [\w ]+)?(?=$|[.,!?;]| please| now)|"
    r"\bstay there and do nothing\b|\btake a break\b|\brest (?:for|now)\b|\babort\b|\bdesist\b|\bno more "
    r"moving\b|"
    r"\bno (?:moving|movement)\b|\bnot another (?:step|move)\b|\bthat'?s enough\b|^enough(?: already)?(?=$|"
    r"[.!])|\b(?:that's|that is|thats) "
    r"(?:it|all)\b|\benough for now\b|\bhalt\b|\bcome to a (?:halt|stop|standstill)\b|\bstop in place\b|"
    r"\bhold your horses\b|\bstand like a statue\b",
)

GOING_ON = (
    r"\b(?:forget|cancel|ignore|scrap|disregard|scratch|drop)(?: about)? (?:everything|all|what i (?:just "
    r")?said|"
    r"my (?:last|previous|earlier) \w+|the last (?:order|instruction|command|thing)|that order|previous "
    r"\w+|all that)"
    r"(?: (?:i said|before|that))?(?:,| and)*(?: (?:just )?(?:carry on|continue|keep going|go on)(?: as "
    r"(?:normal|before|usual|you were))?)?",
)
RESUMING = (
    r"\b(?:don't|do not|never|no need to) (?:ever )?(?:stop|quit|pause|let up|halt|give up)(?: (?:now|there|"
    r"working|moving|going|what you(?:'re| are) doing|doing (?:that|it|this)|it|that|until [\w ]+))*"
    r"(?=$|[.,;!?\n]| please| you| and)",
    r"\b(?:go|carry|move|press|keep|crack|soldier|push|roll|plough|plow|march) (?:right |straight )?(?:on|"
    r"ahead|"
    r"onwards?)\b(?: (?:with (?:it|that|this|what you(?:'re| are| were)(?: doing)?|your \w+)|as (?:before|"
    r"normal|"
    r"usual|you were|you are)|then|like (?:that|this|before)|doing (?:that|it|this|what you\S*(?: were| "
    r"are)?(?: doing)?)|going|working|keeping on))*"
    r"(?= *(?:$|[.,;:!?\n]|please|and\b|but\b|you\b|mate|partner|now\b|my\b|the good|dear|love|buddy|until|"
    r"because|so\b|while|i\b))",
    r"\bkeep(?: on| right on| up)?(?: with)? (?:doing(?: exactly| just)? (?:that|this|it|so|the same|what "
    r"you(?:'re| are| were|'ve been| have been)"
    r"(?: already| now| currently)?(?: doing)?|what you do|your thing|your job|you)|going(?: (?:like|as|"
    r"with) (?:this|that|before|you are|you were|it|normal))?|at it|it up|that up|on (?:going|working|"
    r"keeping on|truckin\w*)|"
    r"working|moving|busy|truckin\w*|the (?:good work|pace|rhythm)(?: up| going)?|up the good work|it "
    r"going|it coming|this up|rolling|them coming|"
    r"what you(?:'re| are) doing)\b",
    r"\b(?:as|like) you were(?: doing)?\b(?! (?:doing )?[a-z]+ing the)|\bcarry on(?= |$)(?! the)|\b(?:do|"
    r"doing) your (?:own )?thing\b|"
    r"\b(?:back|return|go back|get back|get on) (?:to|with) (?:work|normal|your (?:own )?(?:work|job|task|"
    r"thing|business|duties)|"
    r"what you (?:were|was) (?:doing|up to|at)|it|business|business as usual)\b|"
    r"\b(?:continue|resume|proceed)(?: with)?(?: (?:what you (?:were|are)(?: doing)?|what you're doing|"
    r"doing (?:that|so|this|what you\S*(?: were| are)?(?: doing)?)|"
    r"that|this|it|as (?:before|normal|usual|you were|planned|you are)|your (?:work|activities|activity|"
    r"task|job|current \w+|previous \w+|"
    r"business)|work|working|operations?|like (?:that|this|before)|exactly as before|the (?:current|"
    r"previous) (?:task|job|activity)|on|normally|doing))+\b|"
    r"\b(?:go|get|going)? ?(?:back to )?(?:do|doing) what(?:ever)? you (?:were|was|did|'ve been|have been|"
    r"are|'re)(?: doing| up to)?(?: before| already| earlier| just now)?\b(?! was)|"
    r"\b(?:start|begin) (?:moving|working) again\b|\bplay on\b|\byou (?:can|may) (?:move|go|work|start) "
    r"(?:again|now|on)\b|"
    r"\bunpause\b|\bun ?freeze\b|\b(?:the )?same (?:again|as before|thing again|thing as before|as you "
    r"were)\b|\bmore of the same\b|\bdo (?:it|that|the same|the same thing) (?:again|once more|one more "
    r"time|as before)\b|"
    r"\bone more time\b|\bsame thing\b(?=$|[.!])|\bstay on (?:it|task|course|that)\b|\bstick with (?:it|"
    r"that|what you\S*(?: are| were)? doing)\b|\bstay the course\b|\bas before\b(?=$|[.!])|\bon with (?:it|"
    r"the show)\b|\byou're doing (?:it right|fine|great|well|good)(?:,| so)* (?:keep|continue|carry|go on|"
    r"don't)[\w ]*|"
    r"\bdon't (?:wait|stand|hang|sit|mess|dawdle|idle)(?: around| there| about| here| still)?(?=$|[.!]| "
    r"anymore| any more)|\bwhat(?:ever)? you (?:were|was) doing was (?:good|fine|great)[\w ]*|\bget (?:on "
    r"with it|moving|going|a move on)\b(?=$|[.!,]| please| again| now)|\bcarry on soldier\b|\brepeat(?: "
    r"that| it| the (?:process|cycle)| this)?(?=$|[.!,])",
)

_DAWDLING = (
    r"\b(?:don't|stop|quit) (?:just )?(?:stand(?:ing)?|sit(?:ting)?|hang(?:ing)?|wait(?:ing)?|mess(?:ing)?|"
    r"loaf(?:ing)?|"
    r"dawdl\w+|idl\w+|faff\w+|loiter\w+|gawk\w*)(?: (?:there|around|about|here|idle|doing nothing))+[,;.! ]+"
    r"(?=(?:and |but |so )?(?!because|please|like|when|until|in my)[a-z]{2,} \w+)"
)
IDIOMS: list[tuple[str, str]] = [
    (_DAWDLING, " "),
    *((pattern, " clearway ") for pattern in CLEARING),
    *((pattern, " swap ") for pattern in SWAPPING),
    *((pattern, " split ") for pattern in DIVIDING),
    *((pattern, " cancel ") for pattern in GOING_ON),
    *((pattern, " continue ") for pattern in RESUMING),
    *((pattern, " stop ") for pattern in STOPPING),
]
