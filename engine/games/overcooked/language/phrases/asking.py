"""Statements that ask ("we are out of plates"), and jobs by their name ("you are the waiter")."""

from __future__ import annotations

from engine.games.overcooked.language.phrases.parts import COUNTER, ITEM, POT, RAW, SIDE, SOUP

ASKING: list[tuple[str, str]] = [
    (r"\b(?:are|is) both (?=empty|full|ready|done|finished)", "are "),
    (rf"\b(?:the )?contents? of (?:the |that )?(?=(?:{SIDE} )?{POT})", " the soup from "),
    (rf"\b({POT}) (?:is|are|gets?) (?:turned on|switched on|started|lit|fired up)\b", r" start the \1 "),
    (r"\bthere(?:'s| is)(?: still)? (?:room|space) for\b", " pot needs "),
    (r"\b(?:plates?|dish(?:es)?|bowls?) to (?=the (?:\w+ )?pots?\b)", " bring plate at "),
    (
        rf"\b(?:don't|never)(?: (?:want to|wish to|ever))*(?: (?:see|have|want|leave))? (?:an |any |the "
        rf")?empty {POT}",
        " fill the pot ",
    ),
    (r"\bget going (?:with|on)\b", " do "),
    (r"\bbest served\b", " odd "),
    (r"\bhook me up with\b|\bkeep me (?:supplied|stocked|going) with\b|\bset me up with\b", " bring me "),
    (rf"\bstay on (?=(?:the )?{ITEM}\b)", " do "),
    (rf"\b({POT})(?: on the {SIDE})? is (?:still )?waiting (?:for|on) (?:\w+ )?{RAW}", r" \1 empty "),
    (rf"\b({POT}) gets? (?=(?:\w+ )?{RAW}|\d|two\b|three\b|one\b|more\b)", r" \1 needs "),
    (r"\b(in|into) (?:mine|yours|my one|your one|ours)\b", r"\1 the pot"),
    (r"\bi (?:asked|ordered|called|meant|meant to say|was asking) for\b", " i need "),
    (
        r"\b(?:the )?(?:window|customers?|guests?|hatch)(?: is| are|'s) (?:still )?waiting for (?:the |"
        r"that |their |your )?(?:\w+)",
        " serve ",
    ),
    (rf"(^|[.,;!?\n] *)((?:an? |the |some |more |\d )*{ITEM})(?: over| here)? to me\b", r"\1 bring me \2 "),
    (rf"\b({POT}) is (?:now |still )?(?:free|available|open|not being used|not in use)\b", r" \1 empty "),
    (r"\bboth (?=(?:of )?(?:the |those )?(?:soups|of them|are)\b)", " "),
    (
        rf"\bdon't let (?:the |that |those |our |any )*({POT}) (?:sit |be |go |get |run |stay |stand |"
        rf"become |remain )*(?:empty|idle|cold|unused|out)\b",
        r" fill \1 ",
    ),
    (r"\blet's have (?=(?:an?|some|three|two|another|more|one)\b)", " i need "),
    (
        rf"\b({ITEM}) (?:that |which )?you(?:'re| are|'ve)?(?: currently)? (?:have|hold|holding|"
        rf"carrying|got)\b",
        r" \1 ",
    ),
    (
        rf"\b(?:i|we) (?:want|need|would like|'d like|like)(?: to (?:see|have|keep))? ((?:both|the|all|"
        rf"that|those|our) (?:the )?{POT}) (?:always |constantly )?(?:cooking|going|full|on|filled|busy|"
        rf"running|boiling|in use)\b",
        r" fill \1 ",
    ),
    (
        rf"\b(?:i|we) (?:want|need|would like|'d like)(?: to have)? ((?:an?|some|the|two|three|more|"
        rf"your|that) {ITEM})(?: (?:waiting|ready|sitting|standing|placed))? on (?=(?:the|a|that) "
        rf"(?:\w+ )?{COUNTER})",
        r" put \1 on ",
    ),
    (
        rf"\b(?:the )?(\w+ )?{COUNTER} (?:has|holds|have) ((?:an?|some|the|two|your) {ITEM})(?: on "
        rf"(?:it|there))?",
        r" take \2 from \1 counter ",
    ),
    (
        rf"\b({ITEM}|{POT}|it) (?:still )?needs? (?:some )?(serving|delivering|plating|cooking|filling|"
        rf"starting|fetching|collecting|emptying)\b(?: up| out)?",
        r" \2 the \1 ",
    ),
    (r"\b(?:the )?(tomato|onion) (?:recipe|variant|version|kind|option)\b", r" cook \1 soup "),
    (
        rf"\b({POT})(?: is| are|'s)? (?:waiting|hungry|thirsty|starving|idle|bored|cold|doing nothing|"
        rf"sitting empty|unused|sitting there)\b(?: for (?:onions?|you|ingredients|food))?",
        r" \1 empty ",
    ),
    (
        r"\b(?:the |that |my |our )?(?:soup|pot|food|stew|order|cooking)(?: is| has)? (?:has |is |just "
        r")*(?:finished|stopped|done)(?: with)? (?:cooking|boiling|brewing)\b",
        " soup ready ",
    ),
    (
        r"\b(?:i|we) (?:don't|haven't|have not|have) (?:have |got )*(?:any|no) (?:soups?|food|"
        r"orders?)(?: (?:cooking|on|ready|going|left|at all))*",
        " cook soup ",
    ),
    (
        r"\byou're (?:right |standing |just |already |so |very )*(?:next to|near|nearest(?: to)?|at|by|"
        r"beside|close(?:r|st)?(?: to)?|in front of)\b([^,.;!?\n]*)",
        r" you have \1 ",
    ),
    (
        r"\bi(?:'ve| have|'ll have) got ((?:the |all )?[\w ]{3,20}?) (?:covered|handled|sorted|under "
        r"control)\b",
        r" i do \1 ",
    ),
    (r"\byou(?:'re| are) (?:holding|carrying)\b", " you have "),
    (r"\blet's see (?:how fast|how quick\w*|if|whether)(?: you(?: can)?)?\b", " you "),
    (
        rf"\bleave (?:the|those|that|all the) ({ITEM}),?(?: because)? i(?:'ll|'m| will| am)? (?:take|"
        rf"taking|do|doing|get|getting|have|handle|got)(?: (?:it|them|those|that))?\b",
        r" i do the \1 ",
    ),
    (r"\b(?:nobody|no one|none of us) (?:needs?|wants?|asked for|is asking for|ordered)\b", " don't get "),
    (r"\bfeed (?:it|them)\b", " fill it "),
    # Wanted.
    (
        r"\b(?:i|we)(?:'d| would) be (?:so |most |very )*(?:grateful|thankful|glad|happy|pleased|"
        r"delighted) (?:for|with|about|to (?:have|get|receive))\b",
        " i need ",
    ),
    (r"\bhurry(?: up)? with\b", " bring "),
    (
        rf"\b((?:an?|some|another|more|two|three|one more|a few|a couple of)(?: more)? {RAW}) (?:would|"
        rf"could|might|will) (?:be|come|do)(?: so| very| really| most)? (?:nice|great|good|lovely|"
        rf"helpful|perfect|appreciated|useful|handy|ideal|wonderful|awesome|in handy)(?: in handy)?",
        r" i need \1 ",
    ),
    (r"\blet me (?:have|borrow)\b", " i need "),
    (
        rf"\b({ITEM})(?: there| now)? (?:must|should|can|could|(?:needs?|has|have|wants?|ought) to)(?: "
        rf"just)? (?:be|get) (?:served|delivered|submitted|handed in|turned in|sent out|taken out to "
        rf"[\w ]+)\b",
        r" serve \1 ",
    ),
    (
        rf"\b({RAW})(?: there| now)? (?:must|should|can|could|(?:needs?|has|have|wants?|ought) to)(?: "
        rf"just)? (?:be|get) (?:cooked|boiled|put in|added|made|thrown in|dropped in)\b",
        r" put \1 in pot ",
    ),
    (
        rf"\b({RAW})(?: there| now)? (?:must|should|can|could|(?:needs?|has|have|wants?|ought) to)(?: "
        rf"just)? (?:be|get) (?:fetched|brought|collected|picked up|grabbed|retrieved|passed)\b",
        r" fetch \1 ",
    ),
    (
        rf"\b(?:{SOUP}|it)(?: there| now)? (?:must|should|can|could|(?:needs?|has|have|wants?|ought) "
        rf"to)(?: just)? (?:be|get) (?:plated|scooped|taken out|removed|picked up|collected|dished)(?: "
        rf"up| out)?\b",
        " plateup soup ",
    ),
    (
        rf"\b(?:the |both |all |that )*((?:{SIDE} )?{POT}) (?:is|are|stays?|should be|must be|be|never|"
        rf"must stay|should stay|has to stay|to be|to stay|should never be|(?:is|are) never)(?: always| "
        rf"kept| constantly| never)* (?:full at all times|full|filled|topped up|empty|cooking|"
        rf"stocked)\b(?<! is full)(?<! are full)(?<! is empty)(?<! are empty)(?<! is cooking)(?<! is "
        rf"filled)",
        r" fill the \1 ",
    ),
    (r"\b(?:always|constantly|permanently) (?:full|filled|topped up|cooking|stocked)\b", " "),
    (r"\bpot[- ]filling(?: duty| job)?\b", " filling pots "),
    (r"\b(onion|plate|bowl|dish|tomato) me\b", r" bring me a \1 "),
    (r"\b(?:it's |it is )?my turn (?:to|on|for|at)\b", " i "),
    (
        rf"\b({RAW}) (?:is|are) (?:only |right |all |just )*(?:on|at|near|by|over|behind|next to|close "
        rf"to|in|beside) (?:your|you|there|the other|the (?:left|right|top|bottom) side)\b(?: \w*side)?",
        r" you have \1 ",
    ),
    (r"\b(?:do )?you see (?=(?:the|that) )", " "),
    (
        rf"\b(?:(?:i|we)(?:'m|'re| am| are) )?(?:all |almost |nearly |totally |completely |still "
        rf")?(?:run(?:ning)? )?(?:out of|low on|short of|short on|missing|lacking|in need of|in want of|"
        rf"desperate for|dying for|without)(?= (?:\w+ ){{0,3}}{ITEM})(?<!without)",
        " i need ",
    ),
    (rf"\b(?:i|we)(?:'m|'re| am| are) (?:\w+ )?short(?= (?:\w+ ){{0,2}}{ITEM})", " i need "),
    (
        rf"\b(?:i|we)(?:'m|'re| am| are) (?:still |here )?waiting (?:for|on)(?= (?:\w+ "
        rf"){{0,3}}{RAW})(?! you)",
        " i need ",
    ),
    (
        rf"\b(?:i|we|you)(?:'ve| have)?(?: still| currently| just)? (?:don't|haven't|can't|cannot)(?: "
        rf"currently| even)? (?:have|got|hold|see|find|reach|access|get to|get at|get|grab)(?: to)?(?: "
        rf"any(?: more)?| a| an| the)?(?= (?:more )?{RAW})",
        " i need ",
    ),
    (rf"\b(?:i|we)(?:'ve| have| got| 've got| have got)+ (?:no|zero)(?: more)?(?= {RAW})", " i need "),
    (
        rf"\bthere(?:'s| is| are|'re) (?:no|not enough|no more|not any|hardly any|too few|only one)(?= "
        rf"{RAW})",
        " i need ",
    ),
    (rf"\bno ({RAW})(?: \w+)? (?:left|here|around|on my side|over here|ready)\b", r" i need \1 "),
    (r"\b(?:i|we) (?:could|can)(?: really| certainly| sure)? (?:use|do with)\b", " i need "),
    (
        r"\b(?:i|we)(?:'d| would)(?: really| very much| quite| dearly| all)? (?:like|love|appreciate|"
        r"fancy|want|enjoy|welcome)(?: to (?:have|get|see))?(?= (?!you\b|to\b))",
        " i need ",
    ),
    (
        r"\b(?:i|we)(?:'d| would|'ll| will)?(?: really| very much| just| also)? (?:like|love|want|need|"
        r"wish|prefer|expect|require|ask|have|order|command|order|instruct)(?: for)? (?:you|u)(?: "
        r"guys)? (?:to be\b|to\b|on\b|at\b|as\b|in charge of\b|(?=\w+ing\b))",
        " you ",
    ),
    (
        r"\b(?:can|could|may|might) (?:i|we)(?: \w+ly)? (?:have|get|grab|trouble you for|bother you for|"
        r"borrow|request|ask for|ask you for)\b(?! (?:that soup|it|this|the soup) (?:serv|out|plat))",
        " i need ",
    ),
    (r"\bcan (?:i|we) get (?=(?:that|the|this) soup)", " get "),
    (r"\bwhere(?:'s| is| are|'re) (?:my|our|the|that|those|all the|all my|all)\b", " i need "),
    (r"\bhow about (?=(?:an?|some|more|another|two|three)\b)", " i need "),
    (
        r"\b(?:how|what) about (?:you|u)\b|\bwhat if (?:you|u)\b|\bsuppose you\b|\bhow about\b(?! (?:i|"
        r"we)\b)|\bwhat about\b",
        " you ",
    ),
    (r"\b(?:how about|what if|suppose|why don't) (?=i|we)\b", " "),
    (r"\blet's have you\b|\blet's get you\b|\bi('ll| will) (?:let|have) you\b", " you "),
    (r"\bare you (?:going|gonna|able|ready|planning|willing|free|available)(?: to)?\b", " you "),
    (r"\byou(?:'re| are) (?:not|never) (?=\w+ing\b)", " you don't "),
    (r"\bit(?:'s| is) (?:your|ur) turn (?:to|on|at)\b", " you "),
    (
        r"\bi (?:do|don't) (?:know|understand|get)\b|\bi(?:'m| am) not sure\b|\b(?:i|you|we|they|do "
        r"you)(?: really| do| also| don't)? (?:like|love|loved|liked|hate|enjoy|prefer)\b",
        " odd ",
    ),
    # Pots that wait for something.
    (
        rf"\b(?:it|that one|this one|the {SIDE}(?:[- ]?hand)? one|the (?:first|second|other) one|the "
        rf"(?:soup|recipe|stew|order|dish|broth)) (?:still |just |only |now |also )*(?:needs?|lacks?|"
        rf"wants?|is missing|misses|requires?|could use|takes?|is short)(?: of)?(?= (?:\w+ "
        rf"){{0,4}}(?:onions?|tomato|tomatoes|more|one|two|three|ingredients?)\b)",
        " , pot needs ",
    ),
    (
        rf"\b(?:the |that |this |your )?({SIDE} )?({POT})(?:'s| is) (?:still |just |only |now "
        rf")*(?:missing|lacking|short|in need of)\b",
        r" the \1\2 needs ",
    ),
    (
        rf"\b(full )?({POT})(?: full)?(?: still)?(?:'s| is| has)? ?(?:isn't|is not|hasn't|has not|ain't|"
        rf"'s not)(?: been| even| yet| actually)? (?:cooking|on|started|running|turned on|going|boiling|"
        rf"lit|switched on|activated|heating)\b",
        r" start the \2 ",
    ),
    (
        r"\bnobody(?: is|'s| has)? (?:cooking|cooked|on the pots?|making|made|at the pots?)(?: \w+)?",
        " cook soup ",
    ),
    (r"\bnobody(?: is|'s| has)? (?:serving|served|delivering|delivered|taking|taken)(?: \w+)?", " serve "),
    (r"\bnobody(?: is|'s| has)? (?:getting|got|bringing|brought|fetching|fetched)\b", " get "),
    (
        rf"\b({POT})(?: on the {SIDE})? (?:must|should|needs? to|has to|have to|can|could|ought to) be "
        rf"(?:switched|turned|put|fired|powered) (?:on|up)\b|\b({POT}) (?:must|should|needs? to|has to|"
        rf"have to|can|could) be (?:started|lit|activated|ignited|heated|triggered)\b",
        " start the pot ",
    ),
    (
        r"\b(?:the |that |this |those |these )?(\w+) (?:won't|isn't going to|aren't going to|doesn't|"
        r"don't|can't)(?: \w+)? (deliver|serve|cook|fill|plate|start|fetch|get|move|bring|make)(?:ing)? "
        r"(?:itself|themselves|by itself|by themselves|on its own|alone)\b",
        r" \2 the \1 ",
    ),
    (
        r"\byou(?:'re| are| were| did| have done| did it)(?: (?:doing|being|playing|so|such|an?|not|"
        r"pretty|too|just|all|the|my|really|truly|quite))* (?:great|good|bad|terrible|awful|amazing|"
        r"awesome|brilliant|fantastic|slow|fast|smart|smarter|dumb|stupid|useless|idiot|moron|genius|"
        r"nice|cool|worst|best|hopeless|clever|weird|annoying|funny|rubbish|trash|horrible|incompetent|"
        r"lovely|kind|helpful|wonderful|excellent|perfect)(?! (?:with|at) (?:the )?(?:onion|plate))(?: "
        r"\w+)?",
        " odd ",
    ),
    (
        r"\b(?:watched pot|calling the kettle|too many cooks|stepped up to the plate|plate tectonics|"
        r"home plate|melting pot|jack ?pot|pot ?hole|soup of the day|serve and volley|tennis)\b",
        " odd odd ",
    ),
    # Jobs.
    (
        r"\b(?:the |a |an |our |my |head |main |chief |designated ){0,3}(?:waiter|waitress|runner|"
        r"courier|deliverer|delivery ?(?:guy|boy|man|person|driver|girl|duty|role|job|man)|serving "
        r"(?:guy|duty|role|job|person|boy)|front of house|food runner|serving person|server|"
        r"delivery)\b(?! (?:window|counter|station|area|hatch|spot|place|point|zone|tile|belt|square|"
        r"block|pad))",
        " serving ",
    ),
    (r"\bdeliveries\b", " serving "),
    (
        r"\b(you|i|you're|i'm|be|are|am|is|as|play|me|one)(?: the| a| our| my| head| main| chief| being|"
        r" on)+ (?:cook(?:ing guy)?|chef|cooker guy|soup maker|cooking duty)\b",
        r"\1 cooking ",
    ),
    (r"\b(?:cook|cooking|chef|kitchen|stove|pot) (?:duty|guy|person|boy|man|role|job)\b", " cooking "),
    (
        r"\b(onion|plate|dish|tomato|bowl)e?s? (?:duty|guy|runner|person|chef|cook|man|girl|boy|fetcher|"
        r"getter|bringer|carrier|job|role|specialist|master|detail|patrol)s?\b",
        r" do \1s ",
    ),
    (r"^the (?:cook|chef)\b", " "),
    (r"\bsoup (?:duty|maker|chef|cook|guy|person)\b", " cooking "),
    (r"\bmine(?:'s| is| are)\b", " i do "),
    (r"\byours(?: is| are|'s)?(?= (?:the|is|are)\b)", " you do "),
    (
        r"\b(?:the )?([a-z]+)(?: is| are|'s| duty is)? (?:all )?(?:on|up to|down to|for|left to) me\b,? "
        r"not (?:you|for you|to you|on you|up to you)\b",
        r" i do \1 . you don't do \1 ",
    ),
    (r"\b([a-z]+) (?:is|are|'s) (?:all )?(?:on|up to|down to) me\b", r" i do \1 "),
    (r"\b([a-z]+) (?:is|are|'s) (?:all )?(?:on|up to|down to) you\b", r" you do \1 "),
    (
        r"\b(?:the )?([a-z]+) (?:is|are) (?:mine|my (?:job|task|role|duty|thing|department|"
        r"responsibility|part|business))\b",
        r" i do \1 ",
    ),
    (
        r"\b(?:the )?([a-z]+) (?:is|are) (?:all )?(?:yours|your (?:job|task|role|duty|thing|department|"
        r"responsibility|part|business))\b",
        r" you do \1 ",
    ),
    (
        r"\b(?:you )?(?:leave|save|keep) (?:all )?(?:the |all the |all of the )?((?:(?!(?:and|on|in|"
        r"come|then|at|an?|next|near|by)\b)\w+ ?){1,4}?) ?\b(?:to|for|with) me\b(?! (?:on|at|in|by|near|"
        r"where|here|over)\b)(?<!plate for me)(?<!onion for me)(?<!dish for me)(?<!tomato for "
        r"me)(?<!soup for me)(?<!bowl for me)(?:,? not (?:to |for )?you)?",
        r" i do the \1 ",
    ),
    (
        r"\bi(?:'m| am)? (?:do|doing|take care of|handle|cover|got|on|have)? ?the (?:rest|remainder|"
        r"other stuff|others?)\b",
        " ",
    ),
    (
        r"\b(?:i'll|i will|i) (?:do|handle|take care of|get|take) (?:the rest|everything else|the other "
        r"stuff|the other things?)\b",
        " ",
    ),
]
