"""What people say around a wish: reasons, politeness, opinions, corrections. All of it text in, text out.

`spelling` has cleaned the text; nothing here knows what a wish is.
"""

from __future__ import annotations

import re

_REST = r"[^,.;!?\n]*"
_START = r"(?:^|(?<=[.;!?\n]))\s*(?:(?:and|but|so|well|okay|hey|now|then)\s*,?\s+)*"

# A correction: what stands before it is taken back, as far as what follows replaces it.
_CORRECTION = re.compile(
    r"(?:[,.;:!?\n-]+\s*|\s+)(?:no,? (?:wait|sorry|actually|no|hang on|hold on|scratch that|i "
    r"mean(?:t)?|make that|rather)|wait,? (?:no|actually|sorry|i mean(?:t)?|scratch that|make that|not "
    r"that)|(?:oh |uh |um |er |oops |ah |actually )?(?:scratch|strike|undo|ignore|forget|belay|cancel|"
    r"cross) that(?: last(?: one| bit)?| one| out| idea)?|i mean(?:t)?(?: to say)?|(?:oops|whoops|erm?|"
    r"uhm?|sorry|apologies|my bad|my mistake|correction|hmm|hm|nah|argh|oh)(?:,? (?:no|sorry|wait|i "
    r"mean(?:t)?|actually|rather|make that|not that|wrong one))+|make (?:that|it)(?= (?:a|an|the|one|"
    r"two|three|onion|plate|dish|tomato|some)\b)|on second thoughts?|changed my mind|change of plans?|i "
    r"changed my mind|i've changed my mind|better idea|or rather|correction|actually,? no|no,? not that|"
    r"oops|whoops|never mind(?: that)?)(?:\s*[,.;:!?\n-]+|\s+|$)|[,.;:!?\n-]+\s*(?:actually|sorry|"
    r"rather|no(?! (?:need|more|one|problem|thanks|point|reason|longer|onions?|plates?|dish|dishes|"
    r"tomato|tomatoes|bowls?|soups?)\b)|wait(?! (?:for|by|at|until|here|there|near|next|in|on|and|with|"
    r"to|a|over|beside|till)\b))\s*[,.;:!-]*\s+(?=\S)|(?<=\w)\s+(?:no wait|wait no|actually no|sorry i "
    r"mean)\s+"
)

_REASONS = [
    # At the start: up to the comma.
    rf"{_START}(?:since|because|as (?=i|we|you|it|the|there|they)|given that|seeing (?:as|that)|"
    rf"considering(?: that)?|now that|although|though|even though|even if|unless|in order to|to "
    rf"(?:avoid|save|prevent|speed|win|score|maximi[sz]e|optimi[sz]e|make sure we)\b|before (?:the|it|"
    rf"time|they|we|i)\b|until (?:i|we|you|the)|in case)\b[^,.;!?\n]*,",
    r"\b(?:i|we) (?:know|see|understand|get|realise|realize|appreciate|love|like|think|thought|noticed|"
    r"saw|hear)\b[^.;!?\n]*?\bbut\b",
    # Later: up to the end of the part.
    rf"\b(?:because|given that|seeing (?:as|that)|considering|in case|so as to|in order (?:to|that)|"
    rf"lest|that way|even though|even if|although|otherwise (?:we|i|it|the|you|they|nothing|everything)|"
    rf"or else|or (?:we|it|they|you|i)(?:'ll| will|'re going| are going)|which (?:is|means|will|would|"
    rf"would be)|if not we|or we lose|since (?:i|we|you|it|it's|the|there|they|there's|i'm|i've|"
    rf"we're)\b|(?<=[a-z] )before (?:the|it|it's|time|they|we run|we|someone|everyone|anyone|this|that|"
    rf"round|customers|i)\b|(?<!soon )(?<!well )(?<!fast )(?<!quick )(?<!quickly )(?<!long )(?<!just "
    rf")as (?:i'm|i am|we're|it's|there's|we|you can see|you see|they|your|you're|the (?:soup|pot|timer|"
    rf"time|customers?|clock)|it is|it|i (?:have|can|need|will))\b|so (?:that|that's|it's|as)\b|so "
    rf"(?![\w ]*\byours?\b(?! \w))(?:i|we|it|they|nobody|no one|the \w+|everything|both of us)(?:'s|'ll|"
    rf"'re|'d|'m)? ?(?:can|could|will|am|is|are|don't|do not|have|has|may|might|won't|get|gets|be|isn't|"
    rf"doesn't|should|would|'m|stay|stays|not|can't|only|just|know|always|keep|got)\b|so i'm\b|so "
    rf"we're\b|so they're\b){_REST}",
    rf"\b(?:until|unless) (?:i|we|you|they|told|further|my|the timer|time|instructed|ordered|somebody|"
    rf"someone)\b(?! (?:put|serve|cook|get)\b)(?:'m|'re|'ve)?{_REST}",
    rf"\bif (?:you (?:(?:can|could|want|like|please|would|wish|will)(?: please| to)?(?=$|[,.;!?\n])|"
    rf"don't mind|wouldn't mind|have (?:time|a (?:sec|moment|minute|chance|free hand))|get a (?:chance|"
    rf"sec|moment)|are free|aren't (?:busy|doing)|'re free|happen to|know what|ask me|don't|may)|you're "
    rf"(?:free|able|not (?:busy|doing)|around|up for|done|near)|possible|not too|it's (?:ok|okay|"
    rf"possible|not too|alright|all right|no trouble|fine)|that's (?:ok|okay|alright|fine|possible|all "
    rf"right|cool)|i may|i might|i'm not|we want|we're (?:going|gonna|to)|it isn't too|need be|"
    rf"necessary|it pleases){_REST}",
    r"\bas (?:quick(?:ly)?|fast|soon|many|much|well|best) as (?:you can|possible|u can|you want|you "
    r"like|you could)\b",
    r"\bwhen(?:ever)? you(?:'re| are| get| have| can| could|'ve)?(?: got)?(?: the| a)?(?: (?:can|chance|"
    r"time|sec|second|moment|minute|ready|free|able|spare|there|done|finished|convenient|opportunity|"
    r"next))*(?=$|[,.;!?\n])",
    r"\bwhile (?:you(?:'re| are)? (?:wait\w*(?: for [\w ]+)?|at it|there|doing (?:that|this|it)|can|"
    r"here)|(?:it|that|this|they|the|soup|my|our)\b(?: (?:soup|pot|stove|one|food|\w+ (?:pot|one|"
    r"soup)))?(?:'s| is| are|'re)? (?:still |busy )?(?:\w+ing|\w+s|busy|on)(?: (?:for \w+|on|up|in the "
    r"\w+|soup))?|(?:you're )?waiting(?: (?:for|on) [\w ]+)?)\b",
    r"\bwhen(?:ever)? (?:it's |it is |that's )?(?:convenient|possible|able|free)\b",
    r"\bbefore [\w ']{2,40}? (?:runs?|ends?|expires?|leaves?|gets? (?:cold|angry|mad|away))\b(?: out)?",
    r"\b(?:and )?(?:you'll|you will|we'll|we will|we) (?:be (?:fine|good|golden|set|great)|win\b|get "
    r"(?:more|some|the) points?|make it in time|lose\b|run out of time)\b[^.;!?\n]*",
    r"\b(?:it|this|that)(?:'ll| will|'s| is| would)(?: be| go)? (?:faster|quicker|easier|better|more "
    r"efficient|much \w+|best|great|good|fine|perfect|helpful|nice|awesome|lovely|save \w+)(?: that "
    r"way)?\b",
    r"\bfor (?:me|us)(?=$|[,.;!?\n])(?<!leave it for me)",
]

_HAVING = (
    r"\b(?:you (?:should|must|need to|have to|want to|ought to|better|'d better)|you'd better|(?:can|"
    r"could|would|will) you(?: please)?|make sure (?:that )?you|time to|be sure to)(?: really| already| "
    r"always)? (?:be holding|be carrying|have|hold|be with)(?= (?!to\b))"
)
# Ways of asking: what follows is the wish itself.
_REQUESTS = [
    r"\b(?:i|we)(?:'d| would|'ll| will)? (?:really |kind of |very much |also |just |be |most )*(?:think|"
    r"believe|reckon|guess|suggest|propose|recommend|suppose|feel like|feel|was thinking|were thinking|"
    r"was wondering|wonder|hope|am hoping|assume|figure|ask|beg|request|insist|prefer|appreciate it|be "
    r"grateful|be glad|be happy|be delighted|love it)(?: (?:that|if|it|so|of|like|whether))*(?= (?:you|"
    r"i|we|it|the|an?|one|maybe|would|could|to|that)\b)",
    r"\b(?:it|that)(?:'d| would|'s| is) (?:really |very |so )?(?:be )?(?:really |very |so |most "
    r")?(?:great|good|nice|better|best|lovely|helpful|awesome|cool|ideal|perfect|wonderful|useful|"
    r"amazing|brilliant|a good idea|wise|smart|super) (?:if|to|for|that|when)\b(?: you (?:to|could|can|"
    r"would))?",
    r"\b(?:we|it|things|this|everything)(?:'d| would| could|'ll| will| might)(?: all| both| probably| "
    r"definitely)? (?:be|go|do|work|get|have|score|make|win)(?: so| much| a lot| way)? (?:faster|better|"
    r"quicker|easier|great|good|more|smoother|best)(?: \w+)? (?:if|when)\b",
    r"\b(?:i'm|i am) (?:asking|telling|begging|ordering|instructing|counting on|relying on|trusting|"
    r"waiting for|expecting) (?=you)",
    r"\b(?:do|could|can|would|will|might|may) (?:you|u)\b(?: (?:please|kindly|possibly|maybe|perhaps|"
    r"just|be able to|ever|even|at least|quickly|also|then|now|mind|like to|want to|care to|wish to|"
    r"fancy|consider|try to|go and|manage to|start to))*",
    r"\b(?:be so kind as to|be so good as to|do me a (?:favou?r|solid) and|be a (?:dear|star|darling|"
    r"love|sweetheart|doll|champ|hero|pal|sport|gem|good \w+)(?: and)?|be an angel and|have the "
    r"goodness to|be kind enough to|feel free to|go ahead and|hurry(?: up)? and|be quick and|try and|do "
    r"your best to|take the time to|see if you can|make an effort to|remember to|don't forget to|be "
    r"sure to|make sure (?:to|that you(?:'re| are)?|you(?:'re| are)?|that)|ensure (?:that )?(?:you )?|"
    r"you(?:'d| had)? better(?: be)?|better(?= \w+)|it's time to|time to|time for you to|it's your "
    r"(?:job|turn) to|it's up to you to)\b",
    r"\b(?:it's |it is )?your (?:turn|job) (?:to|on|for|at)\b",
    r"\b(?:better|faster|easier|quicker|best|smarter) if\b",
    r"\bwhy (?:is|isn't|are|has) (?:no one|nobody|none of us|anyone|someone)(?: been)?\b",
    r"\bif you (?:could|can|would|will|might)\b(?: please| just| maybe)?(?= \w)",
    r"\byour (?:next )?(?:task|job|role|mission|duty|orders?|objective|goal|turn)(?: now)? (?:is|are|"
    r"will be|:)(?: now)?(?: to)?",
    r"\byou (?:might|may|could|can|will|shall|should|must|would|ought)(?: (?:just|now|also|then|really|"
    r"probably|definitely|please|always|kindly))*(?: (?:want to|wish to|try to|need to|consider|go and|"
    r"to))?(?: be)?(?= )(?! not\b)",
    r"\byou(?:'re| are) (?:supposed|meant|going|expected|required|allowed|free|welcome|to)(?: to)?(?: "
    r"be)?(?= )",
    r"\byou(?: just| now| also| really| only)? (?:need|have|got|want) to(?: be)?\b",
    r"\bwhy (?:don't|can't) (?=we\b)",
    r"\bwhy (?:don't|do not|not|can't|aren't|are not|won't|haven't|isn't)(?: you| u)?\b",
    r"\b(?:someone|somebody|anyone|anybody|one of us)(?: (?:has|needs|ought|have) to| should| must| "
    r"please| could| can| will)?(?= )(?! else)",
    r"\b(?:the |my )?(?:agent|robot|bot|ai|partner|other (?:cook|player|chef|agent)) (?:should|must|"
    r"needs to|has to|could|can|will|would|ought to|is to|shall)\b(?: be)?",
]
_ADVERBS = (
    r"\b(?:literally|actually|really|basically|totally|currently|definitely|absolutely|probably|"
    r"obviously|seriously|honestly|apparently|kindly|possibly|maybe|perhaps|quite|very|ever so|already|"
    r"clearly|surely|presumably|physically|manually|carefully|properly|slowly|gently|silently|nicely|"
    r"swiftly|promptly|hopefully|also)\b"
)
# Words that say nothing of what is wished.
_FILLERS = [
    r"\b(?:the |my |our |here's the |here is the |a )?(?:new |change of |next )?(?:plan|strategy|idea|"
    r"deal|approach|tactic)(?: is| now)?(?: :|:|,)(?: that)?",
    r"\bdon't be (?:so |too )?(?:slow|lazy|late|shy|silly|stupid|long|afraid|dumb|scared|an idiot)(?: "
    r"about it)?\b",
    r"\byou(?:'ve| have) been (?:doing )?\w+ing\b[^,.;!?\n]*",
    r"\byou(?:'re| are)(?: just| only| always| still)* (?:standing|hanging|waiting|idling|idle|sitting|"
    r"lazing|loafing|slacking|doing nothing|wasting time|dawdling|daydreaming)(?: around| there| here| "
    r"off| still| about| doing nothing)*(?=$|[,.;!?\n]| and| so)",
    r"\bin (?:your|my) hands?\b",
    r"\bcome(?: back| over| here)?(?: and| to)? (?=help)",
    r"(?<!me )(?<!long )\bwith (?:(?:your|the|an?|that|my|this) )?(?:clean |empty )?(?:plate|dish|"
    r"bowl)(?=$|[,.;!?\n]| and| then)(?! by)",
    r"\b(?:please|thanks|thank you|thx|ty|cheers|ta|much obliged|much appreciated|many thanks|kind "
    r"regards|best regards|over and out|roger|copy|god ?damn|for (?:god'?s|goodness|heaven's|fuck's|"
    r"christ's|pete's) sake|ffs|for once|for the love of god|damn it|dammit|damn|bloody|fucking|fuckin|"
    r"freaking|flipping|frigging|effing|the (?:hell|heck|fuck)|wtf|omg|lol|lmao|haha|hehe|xd|if you "
    r"please|por favor|gracias|merci|bitte|danke|if you will|a bit|a little(?: bit)?|kind of|sort of|"
    r"kinda|sorta|you know|y'know|i guess|i think|i suppose|to be honest|tbh|imo|imho|by the way|btw|at "
    r"least|at once|at this (?:point|time|moment)|at the moment|this time|for now|for (?:ages|hours|"
    r"days|ever|so long|too long|like ever)|for a (?:change|bit|while|moment|sec|second|minute)|in the "
    r"mean ?time|meanwhile|this (?:round|turn|game|one time)|right (?:now|away|this second)|as always|"
    r"from here on(?: out| in)?|my (?:friend|dear|man|dude|good man|love|son|boy|lord|guy|darling)|good "
    r"(?:sir|man|bot|boy)|real quick|hurry up(?! with)|hurry(?! with)|quick(?:ly)?|come on|c'mon|cmon|"
    r"chop chop|lickety split|pronto|on the double|double time|let's go+(?= *(?:$|[.,;!?]))|stat|asap|"
    r"quick sharp|look (?:lively|sharp)|get a move on|make it (?:snappy|quick|fast)|snap to it|step on "
    r"it|(?:with)?out (?:further )?delay|no rush|as (?:required|needed)|if needed|like i said|i said|i "
    r"repeat|once more|in my direction|my way|to my (?:position|location|side|hands?)|if you would|if "
    r"you could|if you can)\b",
]
_SPACES = re.compile(r"[ ]{2,}")
_AFTER = re.compile(r"\s*,(?:\s*,)+")


# Said of what is past, or of nothing here: no wish, whatever words of the kitchen it has.
_PAST = [
    (
        r"\b(?:thanks|thank you|thx|ty|sorry|apologies|congrat\w*|well done|good job|nice job|great job|"
        r"good work|nice work|great work|bravo|kudos)(?: (?:so|very) much)?(?: (?:for|on|about|"
        r"with)\b[^.;!?\n]*)",
        " odd ",
    ),
    (
        r"^(?:what an? )?(?:nice|great|good|lovely|beautiful|excellent|awesome|perfect|tasty|delicious|"
        r"yummy|fantastic|sweet|amazing) (?:soups?|onions?|plates?|job|work|one|serve|serving|cooking|"
        r"play|move|stuff|teamwork|catch)\b(?! (?:please|needed|here))[^,;]*$",
        " odd ",
    ),
    (
        r"\bwhy (?:(?:isn't|doesn't|aren't|won't) (?:it|the|my|this)|(?:can't|don't) (?:i|it|the|"
        r"my))\b[^.;!?\n]*",
        " odd ",
    ),
    (
        r",? ?\b(?:right|ok|okay|yeah|alright|eh|clear|got it|understood|understand|deal|agreed|copy "
        r"that|yes|no|huh)\?",
        " ",
    ),
    (r"^(?:wait|hang on|hold on|actually|sorry|oh|hmm),? (?=not\b|no\b|don't\b)", ""),
    (r"^(?:no,? wait|wait,? no|oh,? no|no(?:,? no)+)[,.! ]+(?=\w)", ""),
    (r"\b(?:someone|somebody|the other \w+) (?=(?:left|put|placed|dropped)\b)", "i "),
    (
        r"\bi (?:already )?(?:told|asked|said to|begged|ordered|warned) you (?:not|never) to\b|\bi said "
        r"(?:not to|don't|no)\b",
        " don't ",
    ),
    (r"\bi (?:already )?(?:told|asked|begged|ordered) you to\b", " you "),
    (
        r"\b(?:not|never) to (?=(?:put|serve|cook|get|take|fetch|touch|use|go|bring|drop|leave|pick|"
        r"start|deliver|plate)\b)",
        " don't ",
    ),
    (r"\byou(?:'ve| have)? (?:forgot|forgotten|forget) to\b", " you "),
    (
        r"\byou(?:'ve| have)? (?:forgot|forgotten|forget) (?=the|a|my|your|one|plate|dish|onion|bowl|tomato)",
        " you get ",
    ),
    (
        r"\b(?:have|do) you (?:got |have )?(?=(?:an?|any|the|some|your) (?:plate|dish|bowl|onion|"
        r"tomato)[^.!?\n]*\?)",
        " you have ",
    ),
    (r"\bif not,? (?=\w)|\bif so,? (?=\w)", " "),
    (r"\bshould (?:do|be enough|suffice)\b(?=[,.;!?\n]|$)", " "),
    (
        r"^(?:my )?(?:mom|mum|boss|dad|coach|he|she|they|chef|teacher) (?:said|says|told you)(?: to| that)? ",
        "",
    ),
    (r"\bi(?:'m| am)(?: just| only)? trying to\b[^,.;!?\n]*", " , "),
    (r"\bthat's an order\b|\bi repeat\b", " "),
    (r"\bi(?:'d| would) ([\w ,']+?) if i (?:were|was) (?:you|in your place)\b", r" you \1 "),
    (r"\bto (?:finish|complete) (?:the|this|that|our|my|a) (?:soup|pot|order|recipe)\b", " "),
    (r"\bdon't worry about (?:anything|everything|the rest)(?: else)?\b", " "),
    (
        r"(?:^|(?<=[.;!?,\n]))\s*(?:and |but )?i(?:'m| am) (?:already |right |here |standing |still |"
        r"over |now )*(?:at|by|near|next to|in front of|behind|holding|carrying|far from|too far|"
        r"closest|nearest|closer|busy (?:at|by|with))\b[^.;!?,\n]*",
        " , ",
    ),
    (r"\blet (?:it|the soup|that|them) (?:cook|boil|finish|simmer)\b(?: first)?", " "),
    (
        r"\bi(?:'ll| will| can)(?: then| just)? (?:pick|take|grab|get|collect|fetch) (?:it|them|that|"
        r"those)(?: up)?(?: from (?:there|here|the \w+|you))?(?=$|[.,;!?\n])",
        " ",
    ),
]


def corrected(text: str) -> tuple[str, str]:
    """(what was said before the last correction, what after it); the first is "" if there is none."""
    found = [m for m in _CORRECTION.finditer(text) if m.start() > 0]
    if not found or not text[found[-1].end() :].strip(" .,!?"):
        return "", text
    return text[: found[-1].start()], text[found[-1].end() :]


MANNERS: list[tuple[str, str]] = [
    *_PAST,
    (_ADVERBS, " "),
    (r"(?:\b(?:has|have)|'s|'ve) been\b(?= (?:empty|ready|done|full|finished|cooked))", " is"),
    (r"^before [\w' ]{3,40}? (?=you\b|please\b|go\b|get\b|grab\b|take\b)", ""),
    (_HAVING, " you get "),
    *((p, " you ") for p in _REQUESTS[:3]),
    *((p, " , ") for p in _REASONS),
    *((p, " you ") for p in _REQUESTS[3:]),
    *((p, " ") for p in _FILLERS),
    (r"\byou(?:\s+you)+\b", "you"),
]
_COMPILED = [(re.compile(pattern), replacement) for pattern, replacement in MANNERS]


def shortened(text: str) -> str:
    """`text` without reasons, politeness and opinions."""
    for pattern, replacement in _COMPILED:
        text = _SPACES.sub(" ", pattern.sub(replacement, text))
    return _AFTER.sub(" ,", text).strip()
