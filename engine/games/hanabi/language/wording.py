"""Phrases about when and whether, as regular expressions and what they become.

Data alone; `lexicon.py` applies them in order before it splits a text into words, and after them those of
`wording_wishes.py` and `wording_moves.py`.
"""

from __future__ import annotations

SOMEONE = r"(?:i|you|u|we|they|he|she|(?:my |your |the )?(?:partner|teammate|player|human))"

MOMENTS: list[tuple[str, str]] = [
    (
        r"\byou (?:know|learn|find out)(?= (?:the |its |a card's |their )(?:colou?r|number|rank|suit|value))",
        " i tell you ",
    ),
    (
        r"\b(?:we|you|i) (?:don't|do not|dont|no longer) need (?=the cards|cards|what|anything|those)",
        " discard ",
    ),
    (
        r"\b(?:choosing|deciding(?: on)?|picking|selecting) (?:what|which card|a card) to (discard|play)\b",
        r" \1ing ",
    ),
    (
        r"\b(?:eh|er+|uh+|um+|ah|oops|sorry|no)[, ]+((?:the |your |my )?\w+),? i mean(?:t)?\b",
        r" . correction \1 ",
    ),
    (r"\bor (?:any|some|every) other (?=colou?r|number|rank|suit|value)", " or whatever "),
    (
        r"\b(?:i|my partner|he|she|they)(?:'ve| have| has|'s)? (?:made|done|taken) no (?:moves?|actions?|"
        r"turns?)"
        r"(?: so far| yet)?\b",
        " gamestart ",
    ),
    (r"\byou keep (?:on )?(?=giving|hinting|telling|discarding|playing|throwing)", " don't "),
    (r"\bto know (?:the )?(?:colou?rs?|ranks?|numbers?) of (?:all )?my cards\b", " "),
    (r"\bi (?:said|wrote|typed) [^.;]*?\bi mean(?:t)?\b|\bclue (?:me|us) in\b", " "),
    (
        r"\b(play|discard|hint|clue)s? (?:that )?(i|you|my partner|your partner) (?:make|do|give|made|"
        r"gave|did)s?\b"
        r"(?! you| me)",
        r"\1 from \2 ",
    ),
    (
        r"\b((?:colou?rs?|numbers?|ranks?)(?: hints?| clues?)?) (?:always |only |just )?"
        r"(?:marks?|indicates?|identif(?:y|ies)|flags?)\b",
        r"\1 means ",
    ),
    (r"\bel(?:se )?if\b", " if "),
    (r"\bmy (?:last |previous )?(?:move|action|turn) (?:=+|is|was) ", " i "),
    (
        r"\b(?:(?:my |your )?partner's|his|her|their) (?:last |previous )?(?:move|action) (?:=+|is|was) ",
        " partner ",
    ),
    (r"\bmore cards than (?:one|1|a single one)\b", " manycards "),
    (
        r"\b(?:see|sees|seeing|spot|notice)\b(?= (?:a |an |any |my |the |that )?(?:\w+ )?(?:hint|clue))",
        " receive ",
    ),
    (r"\bfirst (?:turn|move|action)(?=\s*[:,=])", " gamestart "),
    (r"\b(play|discard|hint|throw away|toss) (?:nothing|no cards?|none)\b", r" don't \1 anything "),
    (
        r"\b(?:reciprocate|return the favou?r|follow suit)(?=( [^.;,]*?)?\b(?:with|"
        r"by)\b)([^.;,]*?)\b(?:with|by)\b",
        r" respond to\2 with ",
    ),
    (r"\bw/(?=\s|o\b)", " with "),
    (r"\bgreen light(?: to)?\b|\bbeing told to\b", " "),
    (
        r"^\s*(?:(?:thanks?(?: you)?|thx|sorry|kudos|good job|well done|nice (?:work|one|job)) (?:for|"
        r"about|on)|"
        r"i (?:remember|recall|saw|noticed|wonder))\b",
        " why ",
    ),
    (r"(?:^|(?<=[.!?\n]))\s*not (?:been )?(?:hinted|clued|told)(?: anything)?\s*\?", " if i don't hint , "),
    (
        r"\b(?:should |must |will )?(?:trigger|prompt|cause|require|call for|demand|lead to|result in|"
        r"make you)s?\b"
        r"(?= (?:a |an |you |the |your |another )*(?:\w+ )?(?:hint|clue|play|discard))",
        " means ",
    ),
    (
        r"\bthere (?:has|have|had)(?:n't| not) been (?:any|a)(?: previous| other)? (?:moves?|actions?|"
        r"turns?)(?: yet)?\b|"
        r"\b(?:the )?(?:very )?first thing (?:that )?(?:you|i) (?:should )?do(?: in the game)?(?: is)?\b|"
        r"(?:^|(?<=[.!?\n]))\s*you (?:go|are|'re|start|move) first(?=\s*\?)",
        " , gamestart , ",
    ),
    (r"\b(?:e\.\s?g\.?|eg\b|for (?:example|instance)|such as|like when|say for instance)", " forexample "),
    (r"\bi\.\s?e\.?", " "),
    (r"[\"“”„«»*_`~]", " "),
    (r"\((?=\s*forexample)[^)]*\)", " "),
    (r"\b(hint|clue|play|discard)\((\w+(?: \w+)?)\)", r"\1 \2 "),
    (r"[()\[\]{}]|\s[-–—]+\s|-{2,}|\.{2,}|…|/", " , "),
    (r"\bdo ?n[o']?t\b|\bdo not\b|\bdon t\b|\bdnt\b", " don't "),
    (r"\bcan ?not\b", " can't "),
    # Corrections: what follows replaces what was said.
    (
        r"\b(?:(?:(?:oh|ah|hm+|er+|um+|oops|whoops|argh|ugh|sorry|no|wait|nope|hang on|hold on|actually|"
        r"well)[\s,.!]+)*"
        r"(?:no,? wait|wait,? no|scratch that|scrap that|cancel that|ignore that|strike that|"
        r"on second thoughts?|correction|i mean(?:t)?(?: to say)?|make that|"
        r"actually,? no|no,? actually|let me rephrase|i take that back|forget that|change that to|nope|"
        r"my mistake|"
        r"my bad|oops|whoops|no,? sorry|sorry,? no)(?:[\s,.!]+(?:i (?:mean|meant)(?: to say)?|sorry|no|"
        r"wait|actually|make that|"
        r"that should (?:be|read)))*)\b[\s,.:!]*",
        " . correction ",
    ),
    (r",\s*(?:sorry|actually|or rather)\b,?", " . correction "),
    # The start of the game.
    (
        r"\b(?:at|in|on|from|for|during|with)?\s*(?:the |your |our |my )?(?:very )?"
        r"(?:start|beginning|outset|opening|begin)(?: of (?:the|a|every|each|our|this) (?:game|match|"
        r"round))\b"
        r"|\b(?:start|open|begin|kick off)(?:s|ing)? (?:the |this |every |each |our |us |a |"
        r"things )?(?:game |match |off )?"
        r"(?:off )?(?:by|with)\b"
        r"|\b(?:when|as|once|if|after|whenever)\s+(?:the |a |this |our )?(?:game|match|round)(?:'s| has|"
        r" is)? (?:has |is |"
        r"only |just |had )*"
        r"(?:starts?|begins?|opens?|started|begun|starting|new|beginning)\b"
        r"|\b(?:game|match) (?:has |is )?(?:only |just |barely )+(?:started|begun|starting)\b"
        r"|\b(?:on|for|in|at|as|with|make|is)?\s*(?:the|your|our|my) (?:very )?(?:first|opening|"
        r"initial) (?:turn|move|action|go|round|play)\b"
        r"(?: of the (?:game|match))?"
        r"|\b(?:if|when|whenever) (?:you|i|it's you to|you're|you are|i'm|i am)? ?(?:have to |get to |"
        r"the one to )?"
        r"(?:go|goes|going|move|moving|start|act|begin|are|am|up)? first\b"
        r"|\b(?:first|opening) turn\b|\bturn one\b|\bturn 1\b|\bmove one\b|\bopening\b",
        " , gamestart , ",
    ),
    (
        rf"\b{SOMEONE} (?:(?:have|has|had|did|do|does|am|is|are)(?:n't|nt| not)|haven't|hasn't|'ve not|"
        rf"'s not)"
        r"(?: yet)? (?:even |actually )?(?:done|do|moved?|acted?|taken?|made|make|had|gone|go|started|did)"
        r"(?: anything| any (?:moves?|actions?|turns?)| a (?:move|turn|thing|go|single thing)| my| a)*"
        r"(?: (?:turn|move|go))?(?: (?:at all|so far|yet))?\b",
        " gamestart ",
    ),
    (
        rf"\b(?:i|my partner|he|she|they) (?:have |has |'ve |did )?(?:done |do |did )?nothing (?:so far|"
        rf"yet|at all)\b"
        r"|\b(?:nothing|no (?:moves?|actions?|one|cards?)|nobody|no-one|neither of us)(?: has| have|'s|"
        r"s)?(?: been)?"
        r" (?:happened|moved|done|acted|made|taken|played|gone|done anything)(?: anything)?(?: yet|"
        r" so far| before)?\b"
        r"|\bthere (?:is|was|has been|are|were) no (?:previous|prior|last|earlier) (?:move|action|turn)\b"
        rf"|\bbefore {SOMEONE}(?:'ve|ve| have| has|'s| had|'d)? (?:even |ever )?(?:do|does|make|makes|"
        rf"take|takes|have|has|'ve|did|act|acts|move|moves|done|had|made|get|gets)\b"
        r"(?: anything| (?:a|any)(?: single)? (?:move|turn|thing)s?| (?:my|their|his|"
        r"her) (?:first )?(?:move|turn)|d| done anything| acted| moved)*",
        " gamestart ",
    ),
    # How many cards a hint touches.
    (r"\b(?:one|1) or (?:more|several|many)\b", " some "),
    (r"\b(?:just|only|exactly|precisely) (?:one|1) of (?:your|my|the) cards\b", " singlecard "),
    (r"\b(?:one|1) of\b|\ba single (hint|clue)\b|\bone more\b|\bno one\b", r" \1 "),
    (
        r"\b(?:(?:just|only|exactly|precisely|but) (?:for )?(?:the )?(?:(?:a )?single|one|1|"
        r"a lone)(?! time)\b"
        r"(?: (?:and only|solitary))?(?: cards?)?|a (?:single|lone|sole|solitary)(?: card| one)?|"
        r"(?:single|lone|sole|solo|solitary)[- ]?cards?|1 card|(?:single|individual) (?=hints?\b))",
        " singlecard ",
    ),
    (
        r"\b(touch\w*|hits?|point\w*(?: at| to| out)?|mark\w*|hint\w*|clue\w*|clue|indicat\w*|pick\w* out|"
        r"singl\w* out|"
        r"cover\w*|concern\w*|affect\w*|select\w*|appl\w+ to|for|about|on|names?|identif\w*)"
        r" (?:(?:out|at) )?(?:only |just )?(?:a )?(?:one|single)(?: card| of (?:your|"
        r"my) cards)?(?=\s*(?:$|[,.;:!?]|card|you|i\b|play|discard|=|-|and|then|please|should|means?|is))",
        r" \1 singlecard ",
    ),
    (
        r"\b(?:several|multiple|numerous|more than (?:one|1|a single)|(?:two|2) or (?:more|(?:three|"
        r"3)(?= cards))|(?:2|two)\+(?= )|at least (?:two|2)|"
        r"(?:two|2) (?:plus|and up)|a (?:few|bunch|group|couple)(?: of)?|(?:two|three|four|2|3|"
        r"4)(?= cards| of (?:your|my))|"
        r"(?<=touch )(?:many|more)|(?<=touches )(?:many|more)|(?<=touching )(?:many|more)|"
        r"(?<=hits )(?:many|more))"
        r"(?!\w)(?: of (?:your|my) cards| cards?| ones)?",
        " manycards ",
    ),
    (r"\bmore than manycards\b", " manycards "),
    # Everything else.
    (
        r"\b(?:tell|show|indicate|say|reveal|mark|signal|point out)s? (?:to )?(?:you|u) "
        r"(?:what|which(?: cards?| ones?)?|the cards?|the ones?) (?:to|(?:you|i) (?:should|must|can|"
        r"ought to|need to)) "
        r"(play|discard|throw|toss|bin|dump|keep|save|chuck)(?: away| out)?\b",
        r" means \1 ",
    ),
    (
        r"\b(?:we|you|i)(?:'ll| will)? (?:don't|no longer|never|won't)(?: ever)? (?:need|want|"
        r"use)(?: any ?more)?"
        r"(?=\s*(?:$|[,.;!?]|and\b|so\b))",
        " useless ",
    ),
    (
        r"\b(play|discard|toss|bin|chuck|dump|throw) (?:for|at|with|upon|to) (?:a |an |any |every |my |all )?"
        r"(?=(?:colou?r|rank|number|suit|value)s?(?: hints?| clues?)?(?:\s*[,.;!?]|\s*$| and\b))",
        r" \1 if ",
    ),
    (r"\bcolou?r[- ]?blind(?:ness)?\b", " "),
    (r"\b(?:for|in) (?:hinting|hints|cluing|clues|your hints|your clues)\b(?! (?:from|of|by|about))", " "),
    (
        r"\bdon't (?:bother|mess around|waste (?:time|tokens|hints|clues))(?: with| about| on| any)?\b",
        " don't give ",
    ),
    (
        r"\bthe only (?:kind of |type of |sort of )?(?:hints?|clues?|things?)(?: that)? (?:i|you|"
        r"we)(?: should| would|'d| 'll)? "
        r"(?:want|need|like|understand|accept|get|give|use|expect)(?: from you)? (?:is|are|to be)\b",
        " only ",
    ),
    (
        r"(?:\b(?:is|are|'s)|=) (?:the|a|always the) (?:cards?|ones?|thing) (?:to|(?:that |which )?(?:you|"
        r"i) (?:should|must|need to|"
        r"have to|ought to)) (play|discard|throw|toss|bin|get rid of|dump|chuck|keep|save)\b",
        r" \1 ",
    ),
    (r"\bleave\b([^.;,]{0,40}?)\b(?:alone|be|untouched|unplayed|in (?:your|my|the) hand)\b", r" keep \1 "),
    (
        r"\bi (?:don't|never|no longer) (?:really |even )?(?:want|need|like|care for|"
        r"wish for)(?: to (?:get|see|hear|have|receive))?"
        r"(?: you to)?(?: any)?\b",
        " don't ",
    ),
    (r"\bhits?\b(?= (?:singlecard|manycards|your|my|it|them|any|a ))", " touches "),
    (r"\b(?<=it )hits\b|\b(?<=hint )hits\b|\b(?<=clue )hits\b|\b(?<=they )hit\b", " touches "),
    (r"\b(?:at|in|from) the (?:very )?(?:start|beginning|outset)\b", " , gamestart , "),
    (r"(?:^|(?<=[.!?\n]))\s*(?:did|have|are|were|do) (?:you|we|they)\b(?! mind)", " why "),
    (
        r"\b(?:drop|throw|toss|fling|lob|slip|shoot|feed|hand|pass)(?:s|es|ing|ped)? (?:me |you |"
        r"out )?(?:a |an |some |another )?(?=(?:\w+ )?(?:hints?|clues?|colou?rs?|numbers?)\b(?! (?:card|"
        r"one)))",
        " give ",
    ),
    (
        r"\bwhy (?:don't|not)(?: (?:you|we))?(?: just)?\b|\bhow about(?: you)?(?: just)?\b|\bwhat about\b",
        " please ",
    ),
    (
        r"\b(?:forget|no more|enough(?: with| of)?|skip|ditch|lose|quit) (?:about |the |those |your |"
        r"all )*(?=(?:\w+ )?(?:colou?rs?|numbers?|ranks?|hints?|clues?)\b)",
        " don't ",
    ),
    (r"\b(hint|clue)s? of (?:a |an )?", r" any \1 "),
    (
        r"\b(?:hits?|lands? in|ends? up in|goes (?:in|to|into)) the (?:trash|bin|discard(?: pile)?|"
        r"discards)\b",
        " discard ",
    ),
    (
        r"(?:^|(?<=[.,;!?\n:]))\s*(?:absent|lacking|without|barring|in the absence of|for lack of)(?: any|"
        r" a| of)? (?=(?:\w+ )?(?:hint|clue))",
        " if no ",
    ),
    (r",? (?:and )?nothing else\b(?! (?:to|is|happens))", " "),
    (r"\bdon't (?:you |u )?(?:ever )?dare(?: to)?\b", " never "),
    (
        r"\bif not(?=(?: then)?,? (?:play|discard|hint|give|tell|throw|toss|you|just|then|keep|bin|dump|"
        r"clue|get|chuck)\b)",
        " otherwise ",
    ),
    (
        r"\bnothing (?:is|was|has been|gets|got) (?:being )?(?:hinted|clued|touched|told|said|mentioned)\b",
        " i don't hint ",
    ),
    (
        r"\bgame[- ]?start\b|\bto (?:open|start|begin|kick off)(?: (?:the|a|our|this|every|each) (?:game|"
        r"match|round))?(?=\s*[,:])|\binitially\b|\bat first\b|\bto begin with\b",
        " , gamestart , ",
    ),
    (r"\bkeep (?:on )?(?:doing (?:that|so|it|this)|at it|it up|up the good \w+)\b", " "),
    (
        r"\b(?:respond|reply|answer|react|come back|counter|follow(?: up)?)(?: to (?:me|it|that)| me| it|"
        r" that)? (?:by|with) "
        r"(?=(?:giving |hinting )?(?:me )?(?:a |an |another |your )?(?:own )?(?:\w+ )?(?:hints?|clues?|"
        r"colou?rs?|"
        r"numbers?|ranks?|suits?|one)\b)",
        " , hint ",
    ),
    (
        r"\b(?:respond|reply|answer|react|counter|follow(?: up)?)(?: to (?:me|it|that)| me| it|"
        r" that)? (?:by|with)\b",
        " , ",
    ),
    (r"(?:=|\bmeans?|->|:)\s*go\b(?! (?:for|ahead|on|with))", " means play "),
    (
        r"\b(?:what (?:does|do|did|is|are|was|were|would)|how (?:many|do|does|did|come|is|are|"
        r"was))\b(?! you (?:mind|think|say))",
        " why ",
    ),
    (
        r"\b(?:don't|never|stop) (?:ignor(?:e|ing)|forget(?:ting)?|overlook(?:ing)?|disregard(?:ing)?|"
        r"miss(?:ing)?)\b(?: to| that)?",
        " ",
    ),
    (
        r"\bplay (?:only |just )?the (newest|latest|most recent|most recently drawn|freshest|youngest|"
        r"rightmost|oldest|leftmost|eldest)(?: one)?(?=\s*(?:$|[.,;!?]|when|if|and))",
        r" play \1 those ",
    ),
    (
        rf"\b{SOMEONE} (?:do|does|did|make|makes|take|takes)(?:n't| not)? (?:anything|something|"
        rf"any (?:move|action)|a move|whatever) (?:other than|but|except|besides|apart from|that isn't|"
        rf"that is not)\b(?! that)",
        " i don't ",
    ),
    (
        r"\b(?:are|is|should|must)? ?(?:to )?be (?:answered|met|countered|followed|returned|repaid|"
        r"matched) (?:up )?(?:with|by)\b",
        " , hint ",
    ),
    (
        r"(?:^|(?<=[.;,!?\n]))\s*(?:instead of|rather than)\b ([^.;,]{3,40}?),? (?=(?:please )?(?:give|"
        r"hint|tell|use|play|discard|clue|show|point|name|throw|toss|offer|provide)\b)",
        r" don't \1 , ",
    ),
    (
        r"(?:^|(?<=[.;,!?\n]))\s*with (?=(?:colou?r|rank|number|suit|value|red|blue|green|white|yellow|"
        r"hint|clue))",
        " if ",
    ),
    (
        r"\b(?:out of|from|among|amongst|of|between)(?: all| any(?: of)?)? the (?:cards?|"
        r"ones)(?= (?:that |which )?(?:i|my|you|touched|hinted|clued|marked))",
        " among those cards ",
    ),
    (r"\b(?:because|since|cos|coz|cause|as) otherwise\b[^.;!?\n]*", " "),
    (
        r"\b(?:otherwise|or else) (?:we|it|they|there|the game|this|that|i'll|i will|you'll|you will|you|"
        r"i)(?:'ll|'s|'re)? (?:will |just |would |only |always )?(?:be|is|are|get|end|lose|losing|waste|"
        r"wasting|die|run|bomb|goes?|fail|never|might|makes?|won't|keep)\b[^.;!?\n,]*",
        " ",
    ),
    (r"\bin (?:which|that|this|such a) case\b|\bif so\b", " thatcase "),
    (r"\bdon't (?:just )?(?:copy|mirror|follow|imitate) (?:me|my \w+|that)\b", " "),
    (
        r"\b(?:answer|reply to|respond to|react to|counter|return|meet|match|repay|"
        r"follow(?: up)?)\b(?= (?:me |to |on )?(?:my|a|an|any|every|each|all|colou?r|rank|number|suit|"
        r"hint|clue|discard|play))([^.;,]*?)\b(?:with|by)\b",
        r" if \1 , hint ",
    ),
    (r"\bgive (?:me )?one\b(?! card)(?: back| in return)?", " hint me one "),
    (r"\bhint (?:me )?back\b", " hint me "),
    (r"\blet me know\b|\blemme know\b", " tell me "),
    (
        r"\b(?:make sure|see to it|ensure)(?: that)?(?: (?:it|they|that)(?:'s| is|'re| are)| its)?\b|"
        r"\bmake (?:it|that|them)\b",
        " , ",
    ),
    (
        r"\b(?:it )?(?:doesn'?t|does not|don't) matter(?: (?:which|what|whether|if|how))?\b|\b(?:no|"
        r"never) mind (?:which|what|the)\b",
        " ",
    ),
    (
        r"\b(?:(?:you|i|they|we|the agent) )?(?:see|sees|saw|seen|'ve seen|have seen|seeing|notice|"
        r"notices|spot|observe|watch|"
        r"watching|catch)(?:ing)? (?:me|that i)\b|\bme(?= (?!(?:some|any|every|no)thing)\w+ing\b)",
        " i ",
    ),
    (
        r"\b(?:(?:you|i) )?(?:see|saw|seeing|notice|spot|observe|watch|watching) (?:that )?(?:my partner|"
        r"your partner|him|her|them)\b",
        " partner ",
    ),
    (
        r"(?:^|(?<=[.,;:!?\n])|(?<=play)|(?<=discard)|(?<=it)|(?<=them)) ?\bon (?=(?:a |an |any |every |"
        r"my |each |the |all )?(?:\w+ )?(?:hint|clue|discard|play|colou?r|rank|number|suit|red|blue|green|"
        r"white|yellow))",
        " if ",
    ),
    (r"(?:^|(?<=[.,;:!?\n])) ?given (?=a |an |any |my |the )", " if "),
    (
        r"\b(?:any|all|every|each)? ?other (?:kinds? of |types? of |sorts? of )?(hints?|clues?|colou?rs?|"
        r"numbers?|ranks?|suits?|values?)\b",
        r" otherhint \1 ",
    ),
    (
        r"\b(hint|clue|tell you|mention|say|point at|give you)\w* (?:you )?(?:anything|something) (?:else|"
        r"different)\b",
        r" otherhint hint ",
    ),
    (
        r"\bin (?:response|reply|answer|reaction) to\b|\bas soon as\b|\b(?:every|each|any) ?time\b|"
        r"\bin (?:the )?(?:case|event)"
        r"(?: of| that)?\b|\bright after\b|\bimmediately after\b|\b(?:the )?(?:moment|minute|second|"
        r"instant)(?= (?:i|you|my|your|he|she|they))\b"
        r"|\bas long as\b|\bprovided(?: that)?\b|\bjust after\b|\bon (?:hearing|receiving|seeing|getting|"
        r"receipt of)\b"
        r"|\bupon (?:hearing|receiving|seeing|getting|receipt of)\b|\bon occasions? (?:when|where)\b"
        r"|\b(?:any|every|each) occasion\b|\bgiven (?:that|a|an|any)\b|\bwith (?:a|an|any|every|each|"
        r"my)(?= (?:\w+ )?(?:hint|clue))"
        r"|\bonly after\b|\bas a (?:reply|response|reaction|answer) to\b|\bright when\b|\bbased on\b|"
        r"\bstraight after\b"
        r"|(?:^|(?<=[.;!?,\n]))\s*(?:should|had) (?=i\b|you\b|my\b|your\b|he\b|she\b|they\b)|\bsay (?=i\b|"
        r"you\b)|\bin cases? where\b",
        " if ",
    ),
    (r"\bif it (?:is|'s|was) (?:only )?(?=(?:after|when|because))", " "),
    (r"\bif (?:ever |only |and when |and only )+", " if "),
    (
        r"\b(?:in|for|at|on|under|with|during) (?:any|all|every|the|each) (?:and all )?(?:other|remaining|"
        r"rest)\b"
        r"(?: of)?(?: the)?(?: cases?| situations?| times?| circumstances?| occasions?| turns?|"
        r" scenarios?| things?| moves?| actions?| events?)?"
        r"|\b(?:all )?the rest of the time\b|\bevery other (?:time|turn|case|situation)\b|\b(?:any|all|"
        r"every) other (?:time|case|situation|move|action|turn|thing|circumstance)s?\b"
        r"|\bfailing (?:that|this)\b|\bapart from th(?:at|is|ese|ose)\b|\bor else\b|\bif not(?= ?[,:.])|"
        r"\bif none of (?:that|those|these|the above)\b"
        rf"|\b(?:if|when|whenever|after|should)? ?{SOMEONE} ?(?:do|does|did|am|is|are|was|were|am doing|"
        rf"try|tries|choose|chooses|make|makes|take|takes|have done|has done)? "
        r"(?:anything|something|everything|any|some) (?:else|different|other(?: (?:move|action|thing))?|"
        r"otherwise)\b"
        rf"|\b(?:if|when|whenever|after|should)? ?{SOMEONE} (?:do|does|did|make|makes|take|takes)(?:n't|"
        rf" not)? (?:any|some|a|another|a different)(?: other)? (?:move|action|thing)\b"
        r"|\b(?:for|after|on|upon|with|to|in)? ?(?:anything|something|everything|whatever) (?:else|"
        r"different)(?: (?:happens|happened|i do))?"
        r"|\b(?:anything|something) other than (?:that|this|those)\b|\bif neither\b|\bwhen neither\b|"
        r"\bif (?:it's|its) neither\b|\bin (?:the )?absence of (?:that|those|such|one|hints?|it)\b"
        rf"|\b(?:if|when|whenever) {SOMEONE} (?:do|does|did|have|has)(?:n't|nt| not)(?= ?[,:.])|\b(?:if|"
        rf"when) (?:it is|it's|its) not(?= ?[,:.])"
        rf"|\b(?:if|when|whenever) {SOMEONE} don't(?= ?[,:.])",
        " otherwise ",
    ),
    (
        r"\bexcept (?:for )?(?:when|if|after)\b|\bbut not (?:when|if|after)\b|\bother than (?:when|if|"
        r"after)\b",
        " unless ",
    ),
    (
        r"\b(?:don't|never|not|no need to|won't)\b([^.;,]{0,40}?)\b(?:until|till|before)\b",
        r" don't \1 unless ",
    ),
    (
        r"\bnothing (?:but|except|other than|besides)\b|\bno (?:hints?|clues?|other hints?) (?:but|except|"
        r"other than|besides)\b",
        " only ",
    ),
    (
        r"\b(?:never|don't|not)\b([^.;,]{0,30}?)\b(?:anything|any (?:card|hint|clue|kind)s?|cards?|hints?|"
        r"clues?) "
        r"(?:but|except|other than|besides|apart from)\b(?! when| if)",
        r" only \1 ",
    ),
]
