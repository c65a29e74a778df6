"""What people say around a wish: reasons, politeness, opinions, corrections. All of it text in, text out.

`spelling` has cleaned the text; nothing here knows what a wish is.
"""

from __future__ import annotations

import re

_REST = r"[^,.;!?\n]*"
_START = r"(?:^|(?<=[.;!?\n]))\s*(?:(?:and|but|so|well|okay|hey|now|then)\s*,?\s+)*"

# A correction: what stands before it is taken back, as far as what follows replaces it.
_CORRECTION = re.compile(
    r"(?:[,.;:!?\n-]+\s*|\s+)(?:no,? (?:wait|sorry|actually|no|hang on|hold on|scratch that|i mean(?:t)?|"
    r"make that|"
    r"rather)|wait,? (?:no|actually|sorry|i mean(?:t)?|scratch that|make that|not that)|"
    r"(?:oh |uh |um |er |oops |ah |actually )?(?:scratch|strike|undo|ignore|forget|belay|cancel|cross) "
    r"that(?: last(?: one| bit)?| one| out| idea)?|"
    r"i mean(?:t)?(?: to say)?|(?:oops|whoops|erm?|uhm?|sorry|apologies|my bad|my mistake|correction|hmm|"
    r"hm|nah|argh|oh)(?:,? (?:no|sorry|wait|i mean(?:t)?|"
    r"actually|rather|make that|not that|wrong one))+|make (?:that|it)(?= (?:a|an|the|one|two|three|onion|"
    r"plate|dish|tomato|some)\b)|on second thoughts?|changed my mind|"
    r"change of plans?|i changed my mind|i've changed my mind|better idea|or rather|correction|actually,? "
    r"no|no,? not that|oops|whoops|never mind(?: that)?)"
    r"(?:\s*[,.;:!?\n-]+|\s+|$)"
    r"|[,.;:!?\n-]+\s*(?:actually|sorry|rather|no(?! (?:need|more|one|problem|thanks|point|reason|"
    r"longer|onions?|plates?|dish|dishes|tomato|tomatoes|bowls?|soups?)\b)|wait)\s*[,.;:!-]*\s+(?=\S)"
    r"|(?<=\w)\s+(?:no wait|wait no|actually no|sorry i mean)\s+"
)

_REASONS = [
    # At the start: up to the comma.
    rf"{_START}(?:since|because|as (?=i|we|you|it|the|there|they)|given that|seeing (?:as|that)|"
    rf"considering(?: that)?|"
    rf"now that|although|though|even though|even if|unless|in order to|to (?:avoid|save|prevent|speed|win|"
    rf"score|"
    rf"maximi[sz]e|optimi[sz]e|make sure we)\b|before (?:the|it|time|they|we|i)\b|until (?:i|we|you|the)|"
    rf"in case)\b[^,.;!?\n]*,",
    r"\b(?:i|we) (?:know|see|understand|get|realise|realize|appreciate|love|like|think|thought|noticed|saw|"
    r"hear)\b"
    r"[^.;!?\n]*?\bbut\b",
    # Later: up to the end of the part.
    rf"\b(?:because|given that|seeing (?:as|that)|considering|in case|so as to|in order (?:to|that)|lest|"
    rf"that way|"
    rf"even though|even if|although|otherwise (?:we|i|it|the|you|they|nothing|everything)|or else|or (?:we|"
    rf"it|they|you|i)(?:'ll| will|'re going| are going)|"
    rf"which (?:is|means|will|would|would be)|if not we|or we lose|since (?:i|we|you|it|it's|the|there|"
    rf"they|there's|i'm|i've|we're)\b|"
    rf"(?<=[a-z] )before (?:the|it|it's|time|they|we run|we|someone|everyone|anyone|this|that|round|"
    rf"customers|i)\b|"
    rf"(?<!soon )(?<!well )(?<!fast )(?<!quick )(?<!quickly )(?<!long )(?<!just )as (?:i'm|i am|we're|it's|"
    rf"there's|we|you can see|you see|they|your|you're|the (?:soup|pot|timer|time|customers?|clock)|it is|"
    rf"it|i (?:have|can|need|will))\b|"
    rf"so (?:that|that's|it's|as)\b|so (?:i|we|it|they|nobody|no one|the \w+|everything|both of us)(?:'s|"
    rf"'ll|'re|'d|'m)? ?(?:can|could|will|am|is|are|don't|do not|"
    rf"have|has|may|might|won't|get|gets|be|isn't|doesn't|should|would|'m|stay|stays|not|can't|only|just|"
    rf"know|always|keep|got)\b|so i'm\b|so we're\b|so they're\b)"
    rf"{_REST}",
    rf"\b(?:until|unless) (?:i|we|you|they|told|further|my|the timer|time|instructed|ordered|somebody|"
    rf"someone)\b(?! (?:put|serve|cook|get)\b)"
    rf"(?:'m|'re|'ve)?{_REST}",
    rf"\bif (?:you (?:(?:can|could|want|like|please|would|wish|will)(?: please| to)?(?=$|[,.;!?\n])|don't "
    rf"mind|wouldn't mind|have (?:time|a (?:sec|moment|minute|chance|free hand))|get a "
    rf"(?:chance|sec|moment)|are free|aren't (?:busy|doing)|'re free|happen to|know what|ask me|don't|may)|"
    rf"you're (?:free|able|not (?:busy|doing)|around|up for|"
    rf"done|near)|possible|not too|it's (?:ok|okay|possible|not too|alright|all right|no trouble|fine)|"
    rf"that's (?:ok|okay|alright|fine|possible|all right|cool)|i may|i might|i'm not|we want|we're "
    rf"(?:going|gonna|to)|"
    rf"it isn't too|need be|necessary|it pleases){_REST}",
    r"\bas (?:quick(?:ly)?|fast|soon|many|much|well|best) as (?:you can|possible|u can|you want|you like|"
    r"you could)\b",
    r"\bwhen(?:ever)? you(?:'re| are| get| have| can| could|'ve)?(?: got)?(?: the| a)?(?: (?:can|chance|"
    r"time|sec|second|moment|minute|ready|free|able|spare|there|done|finished|"
    r"convenient|opportunity|next))*(?=$|[,.;!?\n])",
    r"\bwhile (?:you(?:'re| are)? (?:wait\w*(?: for [\w ]+)?|at it|there|doing (?:that|this|it)|can|here)|"
    r"(?:it|that|this|they|the|soup|my|our)\b(?: (?:soup|pot|stove|one|food|\w+ (?:pot|one|soup)))?(?:'s| "
    r"is| are|'re)? (?:still |busy )?(?:\w+ing|\w+s|busy|on)(?: (?:for \w+|on|up|in the \w+|soup))?|"
    r"(?:you're )?waiting(?: (?:for|on) [\w ]+)?)\b",
    r"\bwhen(?:ever)? (?:it's |it is |that's )?(?:convenient|possible|able|free)\b",
    r"\bbefore [\w ']{2,40}? (?:runs?|ends?|expires?|leaves?|gets? (?:cold|angry|mad|away))\b(?: out)?",
    r"\b(?:and )?(?:you'll|you will|we'll|we will|we) (?:be (?:fine|good|golden|set|great)|win|get (?:more|"
    r"a better|the) \w+|make it|lose|run out)\b[^.;!?\n]*",
    r"\b(?:it|this|that)(?:'ll| will|'s| is| would)(?: be| go)? (?:faster|quicker|easier|better|more "
    r"efficient|much \w+|best|great|good|fine|perfect|helpful|nice|awesome|lovely|"
    r"save \w+)(?: that way)?\b",
    r"\bfor (?:me|us)(?=$|[,.;!?\n])(?<!leave it for me)",
]

_HAVING = (
    r"\b(?:you (?:should|must|need to|have to|want to|ought to|better|'d better)|you'd better|(?:can|could|"
    r"would|will) you(?: please)?|"
    r"make sure (?:that )?you|time to|be sure to)(?: really| already| always)? (?:be holding|be carrying|"
    r"have|hold|be with)(?= (?!to\b))"
)
# Ways of asking: what follows is the wish itself.
_REQUESTS = [
    r"\b(?:i|we)(?:'d| would|'ll| will)? (?:really |kind of |very much |also |just |be |most )*(?:think|"
    r"believe|"
    r"reckon|guess|suggest|propose|recommend|suppose|feel like|feel|was thinking|were thinking|was wondering|"
    r"wonder|hope|am hoping|assume|figure|ask|beg|request|insist|prefer|appreciate it|be grateful|be glad|"
    r"be happy|be delighted|love it)(?: (?:that|if|it|so|of|like|whether))*(?= (?:you|i|we|it|the|an?|one|"
    r"maybe|would|could|to|that)\b)",
    r"\b(?:it|that)(?:'d| would|'s| is) (?:really |very |so )?(?:be )?(?:really |very |so |most )?(?:great|"
    r"good|nice|"
    r"better|best|lovely|helpful|awesome|cool|ideal|perfect|wonderful|useful|amazing|brilliant|a good idea|"
    r"wise|"
    r"smart|super) (?:if|to|for|that|when)\b(?: you (?:to|could|can|would))?",
    r"\b(?:we|it|things|this|everything)(?:'d| would| could|'ll| will| might)(?: all| both| probably| "
    r"definitely)? (?:be|go|do|work|get|have|score|make|win)(?: so| much| a lot| way)? (?:faster|better|"
    r"quicker|easier|great|good|more|smoother|best)"
    r"(?: \w+)? (?:if|when)\b",
    r"\b(?:i'm|i am) (?:asking|telling|begging|ordering|instructing|counting on|relying on|trusting|"
    r"waiting for|expecting) (?=you)",
    r"\b(?:do|could|can|would|will|might|may) (?:you|u)\b(?: (?:please|kindly|possibly|maybe|perhaps|just|"
    r"be able "
    r"to|ever|even|at least|quickly|also|then|now|mind|like to|want to|care to|wish to|fancy|consider|try "
    r"to|go and|manage to|start to))*",
    r"\b(?:be so kind as to|be so good as to|do me a (?:favou?r|solid) and|be a (?:dear|star|darling|love|"
    r"sweetheart|doll|champ|hero|pal|sport|gem|good \w+)(?: and)?|be an angel and|have the goodness to|be "
    r"kind enough to|"
    r"feel free to|go ahead and|hurry(?: up)? and|be quick and|try and|do your best to|take the time to|"
    r"see if you "
    r"can|make an effort to|remember to|don't forget to|be sure to|make sure (?:to|that you(?:'re| are)?|"
    r"you(?:'re| are)?|that)|ensure (?:that )?(?:you )?|"
    r"you(?:'d| had)? better(?: be)?|better(?= \w+)|it's time to|time to|time for you to|it's your (?:job|"
    r"turn) to|"
    r"it's up to you to)\b",
    r"\b(?:it's |it is )?your (?:turn|job) (?:to|on|for|at)\b",
    r"\b(?:better|faster|easier|quicker|best|smarter) if\b",
    r"\bwhy (?:is|isn't|are|has) (?:no one|nobody|none of us|anyone|someone)(?: been)?\b",
    r"\bif you (?:could|can|would|will|might)\b(?: please| just| maybe)?(?= \w)",
    r"\byour (?:next )?(?:task|job|role|mission|duty|orders?|objective|goal|turn)(?: now)? (?:is|are|will "
    r"be|:)(?: now)?(?: to)?",
    r"\byou (?:might|may|could|can|will|shall|should|must|would|ought)(?: (?:just|now|also|then|really|"
    r"probably|"
    r"definitely|please|always|kindly))*(?: (?:want to|wish to|try to|need to|consider|go and|to))?(?: "
    r"be)?(?= )(?! not\b)",
    r"\byou(?:'re| are) (?:supposed|meant|going|expected|required|allowed|free|welcome|to)(?: to)?(?: "
    r"be)?(?= )",
    r"\byou(?: just| now| also| really| only)? (?:need|have|got|want) to(?: be)?\b",
    r"\bwhy (?:don't|do not|not|can't|aren't|are not|won't|haven't|isn't)(?: you| u)?\b",
    r"\b(?:someone|somebody|anyone|anybody|one of us)(?: (?:has|needs|ought|have) to| should| must| please|"
    r" could|"
    r" can| will)?(?= )(?! else)",
    r"\b(?:the |my )?(?:agent|robot|bot|ai|partner|other (?:cook|player|chef|agent)) (?:should|must|needs "
    r"to|has to|could|"
    r"can|will|would|ought to|is to|shall)\b(?: be)?",
]
_ADVERBS = (
    r"\b(?:literally|actually|really|basically|totally|currently|definitely|absolutely|probably|obviously|"
    r"seriously|"
    r"honestly|apparently|kindly|possibly|maybe|perhaps|quite|very|ever so|already|clearly|surely|"
    r"presumably|physically|"
    r"manually|carefully|properly|slowly|gently|silently|nicely|swiftly|promptly|hopefully|also)\b"
)
# Words that say nothing of what is wished.
_FILLERS = [
    r"\b(?:the |my |our |here's the |here is the |a )?(?:new |change of |next )?(?:plan|strategy|idea|deal|"
    r"approach|tactic)(?: is| now)?(?: :|:|,)(?: that)?",
    r"\bdon't be (?:so |too )?(?:slow|lazy|late|shy|silly|stupid|long|afraid|dumb|scared|an idiot)(?: "
    r"about it)?\b",
    r"\byou(?:'ve| have) been (?:doing )?\w+ing\b[^,.;!?\n]*",
    r"\byou(?:'re| are)(?: just| only| always| still)* (?:standing|hanging|waiting|idling|idle|sitting|"
    r"lazing|loafing|slacking|doing nothing|wasting time|dawdling|daydreaming)(?: around| there| here| off|"
    r" still| about| doing nothing)*(?=$|[,.;!?\n]| and| so)",
    r"\bin (?:your|my) hands?\b",
    r"\bcome(?: back| over| here)?(?: and| to)? (?=help)",
    r"\bwith (?:your|the|an?|that|my|this) (?:clean |empty )?(?:plate|dish|bowl)(?=$|[,.;!?\n]| and| "
    r"then)(?! by)",
    r"\b(?:please|thanks|thank you|thx|ty|cheers|ta|much obliged|much appreciated|many thanks|kind regards|"
    r"best "
    r"regards|over and out|roger|copy|god ?damn|for (?:god'?s|goodness|heaven's|fuck's|christ's|pete's) "
    r"sake|ffs|for once|"
    r"for the love of god|damn it|dammit|damn|bloody|fucking|fuckin|freaking|flipping|frigging|effing|the "
    r"(?:hell|"
    r"heck|fuck)|wtf|omg|lol|lmao|haha|hehe|xd|if you please|if you will|a bit|a little(?: bit)?|kind of|"
    r"sort of|"
    r"kinda|sorta|you know|y'know|i guess|i think|i suppose|to be honest|tbh|imo|imho|by the way|btw|"
    r"at least|at once|at this (?:point|time|moment)|at the moment|this time|for now|for a (?:change|bit|"
    r"while|moment|"
    r"sec|second|minute)|in the mean ?time|meanwhile|this (?:round|turn|game|one time)|right (?:now|away|"
    r"this second)|as always|from here on(?: out|"
    r" in)?|my (?:friend|dear|man|dude|good man|love|son|boy|lord|guy|darling)|good (?:sir|man|bot|boy)|"
    r"real quick|"
    r"hurry up(?! with)|hurry(?! with)|quick(?:ly)?|come on|c'mon|cmon|chop chop|lickety split|pronto|on "
    r"the double|double time|"
    r"let's go+(?= *(?:$|[.,;!?]))|stat|asap|quick sharp|look (?:lively|sharp)|get a move on|make it "
    r"(?:snappy|quick|fast)|"
    r"snap to it|step on it|(?:with)?out (?:further )?delay|no rush|as (?:required|needed)|if needed|like "
    r"i said|i said|"
    r"i repeat|once more|in my direction|my way|to my (?:position|location|side|hands?)|if you would|if "
    r"you could|if you can)\b",
]
_SPACES = re.compile(r"[ ]{2,}")
_AFTER = re.compile(r"\s*,(?:\s*,)+")


def corrected(text: str) -> tuple[str, str]:
    """(what was said before the last correction, what after it); the first is "" if there is none."""
    found = [m for m in _CORRECTION.finditer(text) if m.start() > 0]
    if not found or not text[found[-1].end() :].strip(" .,!?"):
        return "", text
    return text[: found[-1].start()], text[found[-1].end() :]


_COMPILED = [
    (re.compile(_ADVERBS), " "),
    (re.compile(r"\b(has|have|'s|'ve) been\b(?= (?:empty|ready|done|full|finished|cooked))"), "is"),
    (re.compile(r"^before [\w' ]{3,40}? (?=you\b|please\b|go\b|get\b|grab\b|take\b)"), ""),
    (re.compile(_HAVING), " you get "),
    *((re.compile(p), " you ") for p in _REQUESTS[:3]),
    *((re.compile(p), " , ") for p in _REASONS),
    *((re.compile(p), " you ") for p in _REQUESTS[3:]),
    *((re.compile(p), " ") for p in _FILLERS),
    (re.compile(r"\byou(?:\s+you)+\b"), "you"),
]


def shortened(text: str) -> str:
    """`text` without reasons, politeness and opinions."""
    for pattern, replacement in _COMPILED:
        text = _SPACES.sub(" ", pattern.sub(replacement, text))
    return _AFTER.sub(" ,", text).strip()
