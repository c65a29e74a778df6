"""The words of Hanabi instructions: which concept each stands for.

Data alone; `wording.py` has the phrases that one word can't stand for, `lexicon.py` tags text with both. A
new wording is one entry here.
"""

from __future__ import annotations

COLORS = ("red", "yellow", "green", "white", "blue")
RANKS = ("one", "two", "three", "four", "five")

# Concept -> the words for it. A word stands for one concept; context is the parser's business.
WORDS: dict[str, str] = {
    "ME": "i me my mine i'm i'll i've i'd im ill ive myself id",
    "YOU": (
        "you your yours you'll you're you've u ur youre yourself youve youll you'd yer ya bot robot agent "
        "ai computer thy"
    ),
    "PARTNER": (
        "partner partner's partners teammate teammate's teammates mate buddy he she his her they their him "
        "ally ally's human player them colleague he's she's they've they're they'll companion coplayer "
        "somebody someone"
    ),
    # What a hint is, as a noun or a verb of its own.
    "HINT": (
        "hint hints clue clues hinting cluing clueing mark marks marking indicate indicates indicating "
        "point points pointing ping pings pinging flag flags flagging tip tips highlight highlights "
        "highlighting identify identifies identifying touch touches touching specify specifies specifying "
        "designate designates designation pointer pointers cues select selects"
    ),
    # Verbs of saying: a hint only with a colour, a rank or a card.
    "SAY": (
        "tell tells telling tellin say says saying inform informs informing mention mentions mentioning "
        "reveal reveals revealing show shows showing call calls calling name names naming announce "
        "announces announcing declare declares declaring describe describes share shares sharing state "
        "states provide provides providing offer offers offering send sends give gives giving gave gimme "
        "use uses using utilise utilize employ shout shouts yell yells supply supplies communicate "
        "communicates communicating lemme disclose discloses divulge report reports notify signal signals "
        "signalling signaling convey conveys info"
    ),
    "HINTED": (
        "hinted clued told informed said indicated mentioned revealed shown showed touched pointed called "
        "named marked given identified flagged pinged highlighted announced provided signalled signaled "
        "specified designated described selected tagged labelled labeled pinpointed communicated disclosed"
    ),
    "COLOR": (
        "colur colour's color colour colors colours color's coloured colored suit suits hue hues shade "
        "shades tint colouring coloring col cols"
    ),
    "RANK": (
        "rank ranks number numbers value values digit digits num nums ranked numbered numeral numerals "
        "number's rank's numeric numerical figure figures ranking"
    ),
    "PLAY": "play plays played playing playin ply",
    "DISCARD": (
        "discard discards discarded discarding toss tosses tossed tossing throw throws threw thrown "
        "throwing dump dumps dumped dumping drop drops dropped dropping trash trashes trashing trashed "
        "ditch ditches ditching ditched chuck chucks chucking chucked bin bins binned binning scrap scraps "
        "scrapping scrapped shed sheds shedding pitch pitches pitching pitched lose jettison jettisons "
        "sacrifice sacrifices sacrificing dispose disposes disposing remove removes removing yeet lob "
        "eliminate"
    ),
    "KEEP": (
        "keep keeps kept keeping save saves saved saving protect protects protected protecting hold holds "
        "held holding preserve preserves preserving preserved retain retains guard guards guarding hang "
        "conserve conserves conserving safeguard store hoard"
    ),
    "NEWEST": "newest latest rightmost freshest youngest",
    "OLDEST": "oldest leftmost eldest longest stalest earliest chop",
    "THOSE": "those these that it them this ones one they its it's em 'em they're which",
    "CARD": "card card's cards' cards slot position",
    "POSITION": "slots positions pos place spot",
    "HAND": "hand hands",
    "NOT": (
        "not don't dont doesn't doesnt didn't didnt never no avoid avoids avoiding stop stops stopping "
        "without won't wont can't cannot shouldn't shouldnt mustn't mustnt neither nor refrain quit isn't "
        "aren't ain't aint haven't havent hasn't hasnt cease wasn't nobody forbidden prohibited banned "
        "forbid disallowed taboo"
    ),
    "RATHER": "rather over than versus",
    "ONLY": "only just solely exclusively purely strictly",
    "PREFER": (
        "prefer prefers preferred preferring favor favour favors favours mostly mainly preferably focus "
        "tend preference prioritise prioritize priority ideally primarily stick lean"
    ),
    "MAY": "may might can maybe perhaps possibly allowed",
    "SHOULD": "should must ought supposed shall oughta shud gotta",
    "ALWAYS": "always now immediately straight directly every constantly instantly consistently",
    "INSTEAD": "instead",
    "OTHERHINT": "otherhint",
    "ELSE": "otherwise else",
    "IF": "if when whenever once after upon wen whn wenever following assuming suppose supposing iff",
    "UNLESS": "unless except excepting",
    "THEN": "then therefore so hence",
    "MEANS": (
        "mean means meaning meant imply implies denote denotes = => -> → stands equals signify signifies "
        "translates represents represent equal denoting implying"
    ),
    "BE": "is are be being am was were been get gets got getting 're",
    "FOR": "for",
    "FROM": "from",
    "MORE": "more often frequently",
    "LESS": "less fewer sparingly rarely seldom",
    "AMONG": "among",
    "TOKENS": "tokens token information",
    "PLAYABLE": "playable ready useful playables",
    "CRITICAL": "critical important dangerous endangered unique precious vital irreplaceable valuable",
    "USELESS": ("useless junk dead worthless unneeded garbage rubbish waste unwanted expendable disposable"),
    "SURE": "sure certain certainly know known definitely safe safely knowing",
    "RISK": (
        "risk risks risky gamble gambles gambling guess guesses guessing blind blindly unsure uncertain"
    ),
    "AND": "and & n plus",
    "BUT": "but whereas while",
    "OR": "or",
    "GET": "receive receives received receiving hear hears heard hearing learn learns learned learnt",
    "UNTOUCHED": "untouched unhinted unclued unmarked",
    "OTHERS": "others remaining untold",
    "SOMETHING": "something anything any whatever whichever everything nothing",
    "START": "gamestart",
    "ONE": "singlecard",
    "MANY": "manycards",
    "SAME": "same likewise similarly",
    "SWAP": "opposite reverse otherkind",
    "CORRECT": "correction",
    "EXAMPLE": "forexample",
    "STATE": "unknownstate",
    "SO": "thatcase",
    "WHY": "why who",
    "STOP": ". ; ! ? \n",
    "COMMA": ", :",
    # Words that carry nothing here.
    "-": (
        "used treatas a an the of to with by in at some all one's pls plz thanks thank hey hi hello ok okay "
        "well would will want wants need needs try tries trying have has had do does did done doing there "
        "here specific particular corresponding respective what whose whom like make makes making let lets "
        "let's us we our ours both each time times way also too very really game turn turns hanabi "
        "convention conventions rule rules follow follows following that's e g eg going about because since "
        "out away down up off instance remember treat go goes think next into consider take takes taken "
        "took considered action actions move moves thing things still most yet ever other another question "
        "happens happen own as such first second put come comes see sees seen seeing pile deck table board "
        "please kindly dear sir mate's friend dude bro man guys folks alright right cool great good fine "
        "yeah yes yep oh ah hmm um uh er well, sorry pal buddy's lol haha ha thx ta cheers could whether "
        "either case cases situation situations simply quickly where having on asap soon possible already "
        "ve ll s t m re d back return response respond reply replies answer answering reaction react "
        "reacting towards toward onto amongst within through via under until till during before thereof "
        "therein choose chooses choosing pick picks picking picked choice default option best better i.e "
        "etc ie simple deal thing's everyone else's nice able even though although exactly precisely "
        "regardless understood understand agreed agree clear attention note reminder strategy plan idea "
        "system style policy approach tactic start begin begins starting beginning end side wait listen "
        "look actually honestly basically literally probably usually generally normally typically naturally "
        "obviously belongs part how high low much many few lot lots whole entire bit little kind kinds sort "
        "sorts type types way's new old fresh happened might've would've mind ask asks asking asked request "
        "requests command commands order orders instruct instructs instruction instructions cue permission "
        "trust believe feel reckon interpret interprets read reads regard view count counts counting forget "
        "currently presently today tonight round rounds happening occurs occur event execute perform "
        "performs carry complete job task role duty responsibility purposes purpose session experiment "
        "trial hereby henceforth forth straightaway freely whilst sometimes quite pretty fairly somewhat "
        "anyway anyways wish wished hope expect expects wanna gonna pleas per form forms accordingly "
        "appropriate relevant your's mine's herself himself themselves itself anyone anybody everybody "
        "aloud loud clearly explicitly verbally"
    ),
    "PLEASE": "please",
}

# Only words that carry a reading are restored from typing errors; common lookalikes are left alone.
RESTORED = {
    "HINT",
    "HINTED",
    "COLOR",
    "RANK",
    "PLAY",
    "DISCARD",
    "KEEP",
    "NEWEST",
    "OLDEST",
    "CARD",
    "NOT",
    "PREFER",
    "PLAYABLE",
    "CRITICAL",
    "MEANS",
    "PARTNER",
    "IF",
    "PLEASE",
    "ELSE",
    "UNLESS",
    "UNTOUCHED",
    "ALWAYS",
    "GET",
}
_LOOKALIKES = (
    "check checks checked checking chess "
    "beach bin bit bold boldest boss camera card cards care cares carts cats cave chick chuckle clay "
    "clean clear clever close closer closest closet closing cold colder coldest color cook couch crash "
    "cross desert dessert dish dogs dress drink drive driver drop drum dumb eldest fame fish fold "
    "forest friend friends game games gave gold guard hard have heard heart hello here hold honest "
    "horse house hunt hunting hurt hurts keel keen kelp kept knee known lamp lane later latest lattes "
    "lay learn loss lumber mango manner market marry mayor means mint modest money moss mutual name "
    "nearest newest numb number number's olden paint parks part parts party peace piece pin place "
    "placed places plan plane planet plant plants plate player playground please point pray press "
    "previous prey print reach remark road roads safe sale same save saw scores shame ship shop sin "
    "slay sleep sold song sound soup stay story stress sweetest table tables tall tame teach team than "
    "that their them then there these they this those though thought throat through toast tokens told "
    "tomorrow toss touch trace tree trees valley value village wave were whale whales wheel when where "
    "while white wish word words work works world "
)
LEFT_ALONE = frozenset(_LOOKALIKES.split())
