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
_PAST = r"(?:(?:in |to |on )?the (?:way|path|road)|through|past|by|space|room)"

CLEARING = (
    r"\b(?:you're|stop|quit) (?:always |just )?(?:camping|hogging|blocking|occupying)(?: (?:on|in))?(?: "
    r"(?:the|my|our))? (?:pots?|stoves?|window|counter|corner|space|spot)\b",
    r"\b(?:not|don't) (?:to )?(?:block|obstruct|crowd)(?: (?:the|my|me))?(?: \w+)?",
    r"\blet (?:me|us) (?:get|go|come|reach|through)(?: (?:in|up|over|down|back))?(?: to| at| near)(?: "
    r"the| my)? \w+",
    r"\byou(?:'re| are)? (?:keep |always )*(?:getting|get|standing|stand|walking|walk|running|run|jump|"
    r"jumping) in front of (?:me|us)\b",
    r"\b(?:get|go|move|step|come) (?:away from|off) the \w+,? (?:please,? )?(?:so )?i(?:'m|'d)? (?:need|"
    r"want|have|must|can)\b[^.;!?\n]*",
    r"\b(?:(?:go|stand|be|move|wait|stay)(?: and)? )+(?:somewhere|someplace|anywhere) else\b|\b(?:go|"
    r"stand|be|move|wait) elsewhere\b",
    r"\bthere(?:'s no| is no|'s not| is not| isn't|'s hardly)(?: enough| any)? (?:room|"
    r"space)\b[^,.;!?\n]*|\b(?:it's )?too (?:crowded|tight|cramped)\b[^,.;!?\n]*",
    r"\bi(?:'m| am)(?: just)? trying to (?:get|go|walk|pass|come|squeeze|move)(?: (?:to|past|through|by|"
    r"around)(?: the)?(?: \w+)?)*\b",
    r"\bhogging (?:the )?(?:middle|cent(?:er|re)|space|whole kitchen)\b|\bstop hogging (?:the "
    r")?(?:middle|cent(?:er|re)|space|pots?|stoves?)\b",
    r"\b(?:you're|you are|stop) (?:just |always |right )*(?:standing|stood|parked|stuck|sitting|waiting|"
    r"hanging out) in (?:the|my|a|our)(?: \w+){1,3}",
    r"^(?:shift|budge|skedaddle|aside|gangway|scoot|vamoose|beat it|shoo)(?=$|[.,!])",
    rf"\b(?:{_BE}|stop|quit|don't|no|keep|always|stop you|you keep|you) (?:always |just |still |kinda |"
    rf"be |being |"
    r"kind of |standing |stand |getting |get |totally |literally |really |right |so |a bit |keep "
    r")*(?:in (?:my|the|our) (?:way|path|face)|block(?:ing|s|ed)?(?: (?:me|us|my \w+|my|the (?:way|path|"
    r"door|doorway|corridor|hallway|aisle|entrance|exit|road|passage|pots?|stoves?|window|plates|dishes|"
    r"onions|tomatoes|counter|dispenser|hatch|crates?)|everything|everyone|access|it)(?: off)?)?(?: "
    r"(?:in|off))?|obstruct(?:ing)?(?: \w+){0,3}|crowd(?:ing)? me|hogging (?:the (?:pots?|stoves?|space|"
    r"window|corridor)))(?: (?:to|from|of) (?:the|my) \w+)?",
    r"\b(?:get|move|step|go|stay|keep|be|stand|come|shift|scoot|budge|clear|jump|back)(?: \w+)?(?: "
    r"\w+)? (?:out of|outta|out|off|from) (?:of )?(?:my|the|our) (?:way|path|face|doorway|door|corridor|"
    r"aisle|road|hallway|line|back|feet|hair|entrance|route|spot|lane)\b",
    r"\b(?:get|move|step|jump|go|come) (?:off|away from) the (?:pot|stove|window|counter|crate|"
    r"dispenser)(?= (?:i|im|i'm|so|because|cuz|please|now)\b)",
    r"\b(?:get|move|come|step) (?:out of|away from) (?:there|here|that|the (?:corner|middle|gap|corridor))\b",
    r"\b(?:out of|outta|out) (?:my|the|our) way\b",
    rf"\blet (?:me|us) (?:go |get |come |squeeze |walk |slip |move )?{_PAST}\b",
    r"\b(?:i|we)(?: really| just)? (?:cannot|can't|need to|have to|must|want to|wanna|am trying to|'m "
    r"trying to|can not|gotta|couldn't|could not)(?: even)? (?:get|go|come|squeeze|walk|move|fit|pass|"
    r"reach)(?: (?:through|past|by|around|out|in there|up there|over there|there|to the (?:pots?|stove|"
    r"window|plates|onions|dishes|counter|hatch|tomatoes|soup|bowls|other side)))(?: (?:you|here|there|"
    r"because of you|with you there))?(?=$|[.,;!?\n]| because| please| when| if| while| with| so| and)",
    r"\b(?:i|we) (?:can't|cannot|need to|have to|must) pass\b",
    r"\bi(?:'m| am) (?:stuck|trapped|blocked|boxed in|cornered|walled)(?: in)?(?: (?:behind|by|because "
    r"of|with|cause of|here|there) ?(?:you|u)?)?\b",
    r"\b(?:make|create|leave|give|open|need)(?: (?:me|us|up))?(?: some| a (?:bit of|little)| a| more| "
    r"enough)* (?:room|way|space|gap|path|lane|opening)\b(?: for me)?(?: to pass)?",
    r"\bclear (?:the|my|a|out of the) (?:way|path|road|corridor|lane|area|aisle|doorway|floor|deck)\b",
    r"\b(?:move|step|stand|scoot|shift|slide|get|go|budge|hop|pull|scooch|shuffle|squeeze|shove|push) "
    r"(?:aside|to (?:the|one) side|off|over|up a bit|along|back a bit)\b(?! (?:to|by|at|the|here|of|"
    r"there|and (?:get|put))\b)(?: (?:a )?(?:bit|little|touch|tad))?",
    r"\b(?:stand|step|move|get|back|fall) (?:back|away|off)\b(?! (?:to|from|at|on|the|in|here|by)\b)",
    r"\b(?:back (?:up|off|away)|gangway|coming through|beep beep|excuse me(?=$|[.!]|,? (?:coming|please|"
    r"move|let))|pardon me(?=$|[.!])|make way|scram|shoo|get lost|buzz off|move it|vacate|step off|side "
    r"?step|yield|give way|scoot|scooch|budge(?: up| over)?|skedaddle|out the way|shove (?:over|up)|hop "
    r"it|clear off|bugger off|piss off|move your (?:\w+)|shift yourself|shift over|move yourself|get "
    r"moving out)\b(?: (?:please|it|that|the \w+))?",
    r"\b(?:go|walk|move) around(?: me| the other way)?\b(?! the (?!other way))",
    r"(?<!don't )(?<!not )(?<!to )(?<!can )(?<!never )\bmove(?: just)?(?: a (?:little|bit|tad|touch|"
    r"smidge)(?: bit)?)?(?=$|[.!?,]| (?:or|please|now|already|man|dude|mate|bro|will you|you|ur|your|so|"
    r"because|cuz|out|away)\b)(?! (?:you |so )?(?:to|the)\b)",
    r"\b(?:don't|stop|quit) (?:just )?(?:stand(?:ing)?|be(?:ing)?|stay(?:ing)?|wait(?:ing)?|"
    r"sit(?:ting)?|park(?:ing)?) (?:right )?(?:there|here|in front of [\w ]{2,20}|in (?:the|my) \w+|in "
    r"between)(?=$|[.,;!?\n])",
    r"\b(?:you're|your|you are) (?:standing |right |stood )*(?:too close|in front of (?:me|the \w+|my "
    r"\w+)|where i (?:want|need) to (?:be|go|stand))",
    r"\byou're(?: kind of| a bit| kinda)? (?:stopping|preventing|keeping) me from\b[\w ]*",
    r"\b(?:we|i) keep (?:colliding|crashing|bumping|getting stuck)\b|\b(?:we|i) keep (?:bumping|"
    r"colliding|running) into (?:you|each other|u)\b|\bstop bumping into me\b",
)

SWAPPING = (
    rf"\b(?:swap(?:ped|p)?|switch(?:ed)?|traded?|exchanged?|changed?|rotate|reverse|flip|interchange|"
    rf"invert|swop|alternate)(?:ing)?(?: of| up| over| around| our| the| your| my| these| all)* "
    rf"(?:{_JOB}|{_PLACES})(?: with (?:me|your partner|each other|one another))?(?: (?:around|over|"
    rf"now))?",
    r"\b(?:swap|switch|trade|exchange|change|swop)(?: it)?(?: (?:up|over|around))? with me\b",
    r"(?<!the )(?<!a )\b(?:swap|switch|swop|trade)(?: (?:over|round|around|up|things up|things|it up|it "
    r"around|it))?(?= *(?:$|[.,;:!?\n]|please|now|then|ok|okay|with\b|this time|again|so you|you\b|i\b|"
    r"for a))(?! (?:to|the|on|with the)\b)",
    rf"\b{_JOB} (?:swap|switch|exchange|swapped|reversed|reversal|switched)\b",
    r"\b(?:the )?(?:other|opposite) way (?:a)?round\b|\bvice versa\b|\bswitcheroo\b|\bswitch-?a-?roo\b|"
    r"\bturn the tables\b|\b(?:swap|switch)sies\b|\bturn ?about\b",
    r"\byou (?:do|take|have|get|be|can do|can have|take over)(?: on)? (?:mine|my (?:job|part|role|bit|"
    r"stuff|work|place|task|side|thing|tasks)|what i(?: was|'m| am|'ve been| have been| do| did)?(?: "
    r"doing| on)?)(?: and|,|;)?(?: then)?(?: i(?:'ll| will)? (?:\w+ ){0,2}(?:yours|your (?:\w+)|what "
    r"you(?: were|'re| are|'ve been| have been| do| did)?(?: doing| on)?))?",
    r"\bi(?:'ll| will)? (?:do|take|have|get)(?: over)? (?:yours|your (?:job|part|role|bit|work|place|"
    r"task)|what you(?: were|'re| are)?(?: doing)?)(?: and|,|;)?(?: you (?:\w+ ){1,2}(?:mine|my \w+|"
    r"what i\w*(?: \w+)?(?: doing)?))?",
    r"\b(?:take|have) (?:over )?my (?:job|role|place|part|position|task|spot)(?: (?:and|,) i(?:'ll)? "
    r"[\w ]*yours?(?: \w+)?)?",
    r"\bi want (?:to do )?your (?:job|role|part)(?:,? (?:and )?you (?:take|do|get) (?:mine|my \w+))?|"
    r"\bmy (?:job|role|task) for yours\b|\bmy turn (?:to|on|at) [\w ]{3,20}, yours? [\w ]{3,20}",
    r"\byou be me(?: and i(?:'ll)? be you)?\b|\bbe in each other's shoes\b",
)

DIVIDING = (
    r"\beach (?:of us )?(?:take care of|handle|work on|focus on|deal with|look after) (?:different|"
    r"separate|one|our own|something)(?: \w+)?",
    r"\byou (?:do |take |get )?one(?: thing| job| part)?,? (?:and )?(?:me|i)(?:'ll)? (?:do |take |get "
    r")?(?:another|the other)(?: one| thing)?\b",
    r"\b(?:a )?division of (?:tasks?|labou?r|work|roles?|jobs?|duties)\b",
    r"\byou (?:take|do|have|get) (?:one )?half(?: of)?(?: the| of the)?(?: \w+)? and i(?:'ll)? (?:take|"
    r"do|have|get) the (?:other(?: half| one)?|rest)\b",
    rf"\b(?:split|divide[ds]?|dividing|shared?|divvy|distribute|allocate|assign|separate|sort|partition|"
    rf"delegate|apportion|dole|carve|coordinate|organi[sz]e|agree|decide|pick|choose|define|"
    rf"settle)(?:ing|s)?(?: out| up| on| our| the| these| this| different| separate| who gets which| "
    rf"fixed| clear| all| own| into| some)* {_JOB}(?: (?:up|out|between us|among us|evenly|fairly|"
    rf"equally|in half|in two|between the two of us))*",
    r"\b(?:split|divvy|divide)(?: (?:this|it|that|things|everything|stuff|em|them|the kitchen|the pots|"
    r"the space|the cooking))?(?: up| out)?(?: (?:between us|evenly|fairly|equally|in half|50 50|fifty "
    r"fifty|in two))*(?= *(?:$|[.,;:!?\n]|please|and\b|so\b|ok\b|you\b|i\b|then\b|now\b|by\b))",
    r"\b(?:stop|quit|don't)(?: be)? (?:do|doing|copying|copy) (?:exactly )?(?:what i(?:'m| am)?(?: do| "
    r"doing)?|me|my job)\b|\bdivide and conquer\b|\bdivision of labou?r\b|\bfifty fifty\b|\bgo halves\b|"
    r"\bhalf and half\b|\btag team\b",
    r"\b(?:what if |how about |let's have |can )?one (?:person |player |cook )?(?:cooks?|serves?|does|"
    r"do|gets?|fetch\w*|on|plates?|delivers?|fills?|handles?|brings?|is on|can|"
    r"takes?)\b[^.!?\n]*\b(?:the other|one|another)\b[\w ]*",
    r"\bone of us\b[\w ]*?(?:,|and|while|;)[\w ]*? ?\b(?:the other|one of us|another|one)\b[\w ]*",
    rf"\b(?:each|both)(?: of us)?(?: should| could| can| will| just)?(?: have| do| take| pick| get| be "
    rf"on| need| has| needs| want| stick to| choose| focus on| handle| work on| play| own)* (?:a|one|"
    rf"our own|their own|our|different|separate|own|his own|something|an own|their|half)(?: \w+)?(?: "
    rf"{_JOB}| different| each)?\b"
    r"(?! (?:onion|plate|dish|tomato|soup|pot))",
    rf"\b(?:have|do|take|want|need|get|play|work on|be on)(?: on)?(?: (?:our|a|two|some|clear|fixed))* "
    rf"(?:separate|different|distinct|speciali[sz]ed|dedicated|assigned|defined|own) {_JOB}",
    r"\bspeciali[sz]e\b|\bspeciali[sz]ation\b|\b(?:who|whom) (?:does|is doing|will do|should do|do) "
    r"what\b|\bdo our own thing\b",
    r"\byou (?:pick|choose|take|do|have|get)(?: any| just)? (?:one|a|some|half|your)(?: (?:job|role|"
    r"task|part|thing|of them|of the jobs))?(?:,| and)* (?:and )?i(?:'ll| will)? (?:take|do|have|get|"
    r"pick|handle|go for) the (?:other|rest|remaining)(?: \w+)?",
    r"\bi(?:'ll| will)? (?:do|take) (?:one|a|half)(?: \w+)?(?:,| and)* (?:and )?you (?:do|take) the "
    r"(?:other|rest|other one|other half)\b",
    r"\btake turns\b(?: with [\w ]+)?|\bstop (?:both )?doing the same (?:thing|job|task)\b|\b(?:don't|"
    r"not|shouldn't|stop)(?: both)? (?:do|doing|both do|be doing) the same (?:thing|job|task)s?(?: as "
    r"me)?\b|\bwe(?:'re| are) (?:both )?doing the same (?:thing|job|task)\b",
)

STOPPING = (
    r"\b(?:hold|stop|drop) everything\b(?: you're doing)?",
    r"\bcut (?:it|that) out\b|\bstop (?:that|this)(?: now| right now)?(?=$|[.,!?])|\bno more\b(?=$|[.!])",
    r"\b(?:don't|do not|stop|quit|cease|no)(?: you)?(?: even)? (?:move|moving|do anything|doing "
    r"anything|do a thing|budge|act|acting|walk(?:ing)? around|run(?:ning)? around|do nothing|"
    r"touch(?:ing)? anything|all activity|all actions?|activity|all movement|what ?ever you(?:'re| "
    r"are)(?: doing)?|everything|it all|all that|what you(?:'re| are)(?: currently| now)? doing|what "
    r"you do|doing (?:that|this|what you(?:'re| are) doing|stuff|things|it)|that|this|it|dead|"
    r"work(?:ing)?|moving around|everything you(?:'re| are) doing|fidgeting|running|all work|any "
    r"further)(?: right)?(?: (?:at all|a muscle|an inch|around|now|anymore|any more|any further|there|"
    r"here|immediately|for now|until [\w ']+))*\b(?! (?:onion|plate|dish|tomato|soup|pot|in|on|the|"
    r"to)\b)",
    r"\b(?:stay|stand|hold|keep|be|remain|sit|freeze)(?: (?:perfectly|completely|very|absolutely|real|"
    r"so|totally|dead))* (?:still|motionless|frozen|put right there)\b|\bfreeze\b(?: (?:right|there|"
    r"here|now|in place|where you are))*|\bstop (?:right )?(?:there|here|now|in your tracks|where you "
    r"are|dead|moving|movement)\b|\bdo nothing\b|\bstand down\b|\bstahp\b|\bst[o]{2,}p+\b|\bknock it "
    r"off\b|\bcut it out\b|\bpack it in\b|\b(?:quit|stop|drop) it\b(?! (?:in|on|at|off|to|down|there|"
    r"here|by|next|into|from))(?<!drop it)|\ball stop\b|\bfull stop\b|\bemergency stop\b|\bhit the "
    r"brakes?\b|\bcease(?: and desist| fire)?(?=$|[.,!?;])|\bhands up\b|\bat ease\b|\bpause(?: for [\w "
    r"]+)?(?=$|[.,!?;]| please| now)|\bstay there and do nothing\b|\btake a break\b|\brest (?:for|"
    r"now)\b|\babort\b|\bdesist\b|\bno more moving\b|\bno (?:moving|movement)\b|\bnot another (?:step|"
    r"move)\b|\bthat'?s enough\b|^enough(?: already)?(?=$|[.!])|\b(?:that's|that is|thats) (?:it|all)\b|"
    r"\benough for now\b|\bhalt\b|\bcome to a (?:halt|stop|standstill)\b|\bstop in place\b|\bhold your "
    r"horses\b|\bstand like a statue\b",
)

GOING_ON = (
    r"\bdo (?:as|what(?:ever)?) you (?:please|like|wish|want|see fit|think(?: is)? best|think(?: is)? "
    r"right|feel like)\b",
    r"\b(?:forget|cancel|ignore|scrap|disregard|scratch|drop)(?: about)? (?:everything|all|what i "
    r"(?:just )?said|my (?:last|previous|earlier) \w+|the last (?:order|instruction|command|thing)|that "
    r"order|previous \w+|all that)(?: (?:i said|before|that))?(?:,| and)*(?: (?:just )?(?:carry on|"
    r"continue|keep going|go on)(?: as (?:normal|before|usual|you were))?)?",
)
RESUMING = (
    r"\b(?:don't|do not|never|no need to) (?:ever )?(?:stop|quit|pause|let up|halt|give up)(?: (?:now|"
    r"there|working|moving|going|what you(?:'re| are) doing|doing (?:that|it|this)|it|that|until [\w "
    r"]+))*(?=$|[.,;!?\n]| please| you| and)",
    r"\b(?:go|carry|move|press|keep|crack|soldier|push|roll|plough|plow|march) (?:right |straight "
    r")?(?:on|ahead|onwards?)\b(?: (?:with (?:it|that|this|what you(?:'re| are| were)(?: doing)?|your "
    r"\w+)|as (?:before|normal|usual|you were|you are)|then|like (?:that|this|before)|doing (?:that|it|"
    r"this|what you\S*(?: were| are)?(?: doing)?)|going|working|keeping on))*(?= *(?:$|[.,;:!?\n]|"
    r"please|and\b|but\b|you\b|mate|partner|now\b|my\b|the good|dear|love|buddy|until|because|so\b|"
    r"while|i\b))",
    r"\bkeep(?: on| right on| up)?(?: with)? (?:doing(?: exactly| just)? (?:that|this|it|so|the same|"
    r"what you(?:'re| are| were|'ve been| have been)(?: already| now| currently)?(?: doing)?|what you "
    r"do|your thing|your job|you)|going(?: (?:like|as|with) (?:this|that|before|you are|you were|it|"
    r"normal))?|at it|it up|that up|on (?:going|working|keeping on|truckin\w*)|working|moving|busy|"
    r"truckin\w*|the (?:good work|pace|rhythm)(?: up| going)?|up the good work|it going|it coming|this "
    r"up|rolling|them coming|what you(?:'re| are) doing)\b",
    r"\b(?:as|like) you were(?: doing)?\b(?! (?:doing )?[a-z]+ing the)|\bcarry on(?= |$)(?! the)|"
    r"\b(?:do|doing) your (?:own )?thing\b|\b(?:back|return|go back|get back|get on) (?:to|with) "
    r"(?:work|normal|your (?:own )?(?:work|job|task|thing|business|duties)|what you (?:were|was) "
    r"(?:doing|up to|at)|it|business|business as usual)\b|\b(?:continue|resume|proceed)(?: with)?(?: "
    r"(?:what you (?:were|are)(?: doing)?|what you're doing|doing (?:that|so|this|what you\S*(?: were| "
    r"are)?(?: doing)?)|that|this|it|as (?:before|normal|usual|you were|planned|you are)|your (?:work|"
    r"activities|activity|task|job|current \w+|previous \w+|business)|work|working|operations?|like "
    r"(?:that|this|before)|exactly as before|the (?:current|previous) (?:task|job|activity)|on|normally|"
    r"doing))+\b|\b(?:go|get|going)? ?(?:back to )?(?:do|doing) what(?:ever)? you (?:were|was|did|'ve "
    r"been|have been|are|'re)(?: doing| up to)?(?: before| already| earlier| just now)?\b(?! was)|"
    r"\b(?:start|begin) (?:moving|working) again\b|\bplay on\b|\byou (?:can|may) (?:move|go|work|start) "
    r"(?:again|now|on)\b|\bunpause\b|\bun ?freeze\b|\b(?:the )?same (?:again|as before|thing again|"
    r"thing as before|as you were)\b|\bmore of the same\b|\bdo (?:it|that|the same|the same thing) "
    r"(?:again|once more|one more time|as before)\b|\bone more time\b|\bsame thing\b(?=$|[.!])|\bstay "
    r"on (?:it|task|course|that)\b|\bstick with (?:it|that|what you\S*(?: are| were)? doing)\b|\bstay "
    r"the course\b|\bas before\b(?=$|[.!,]| please)|\bon with (?:it|the show)\b|\byou're doing (?:it "
    r"right|fine|great|well|good)(?:,| so)* (?:keep|continue|carry|go on|don't)[\w ]*|\bdon't (?:wait|"
    r"stand|hang|sit|mess|dawdle|idle)(?: around| there| about| here| still)?(?=$|[.!]| anymore| any "
    r"more)|\bwhat(?:ever)? you (?:were|was) doing was (?:good|fine|great)[\w ]*|\bget (?:on with it|"
    r"moving|going|a move on)\b(?=$|[.!,]| please| again| now)|\bcarry on soldier\b|\brepeat(?: that| "
    r"it| the (?:process|cycle)| this)?(?=$|[.!,])",
)

_DAWDLING = (
    r"\b(?:don't|stop|quit) (?:just )?(?:stand(?:ing)?|sit(?:ting)?|hang(?:ing)?|wait(?:ing)?|"
    r"mess(?:ing)?|loaf(?:ing)?|dawdl\w+|idl\w+|faff\w+|loiter\w+|gawk\w*)(?: (?:there|around|about|"
    r"here|idle|doing nothing))+[,;.! ]+(?=(?:and |but |so )?(?!because|please|like|when|until|in "
    r"my)[a-z]{2,} \w+)"
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
