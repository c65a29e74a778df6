"""The words of kitchen instructions: which concept each stands for.

Data alone; `lexicon.py` tags text with it. A new wording is one entry here.
"""

from __future__ import annotations

import re

# Concept -> the words for it. A word stands for one concept; context is the parser's business.
WORDS: dict[str, str] = {
    "ME": "i i'm i'll i've i'd my mine me myself",
    "YOU": "you your yours you'll you're you've yourself",
    "BOTH": "we we'll we're let's us our both together everybody everyone ours",
    "FETCH": (
        "bring brings bringing brought get gets getting fetch fetches fetching grab grabs grabbing grabbed "
        "collect "
        "collects collecting carry carries carrying hand hands handing give gives giving supply supplies "
        "supplying retrieve retrieves retrieving provide provides providing pick picks picking take takes "
        "taking "
        "pass passes passing send sending acquire acquiring obtain obtaining secure procure snag nab "
        "snatch supply "
        "requisition gather gathering lend offer feed deal equip nip fish hook gotten got snagging hoist "
        "lift remove extract haul lug cart ferry ferrying ferries relay shuttle transport transporting "
        "locate find restock steal pluck pinch scrounge summon transfer"
    ),
    "PUT": (
        "put puts putting place places placing drop drops dropping set sets setting lay lays laying leave "
        "leaves leaving add adds adding load loads loading fill fills filling stick sticks sticking throw "
        "throws "
        "throwing toss tossing chuck chucking dump dumping insert inserting stacks stacking stock stocks "
        "stocking deposit depositing shove shoving pop popping bung bunging plop plonk slap slam slot dunk "
        "jam cram lob "
        "hurl tip pour slip slide mix stash plunk ditch discard release sling stuff stuffing refill "
        "refilling "
        "whack yeet bang fling plunge lodge line queue stage unload unloading"
    ),
    "COOK": (
        "cook cooks cooking make makes making prepare prepares preparing prep prepping boil boils boiling "
        "brew "
        "brewing simmer produce preparation whip concoct cheffing finish"
    ),
    "SERVE": (
        "serve serves serving served deliver delivers delivering delivered submit submits submitting "
        "dispatch "
        "ship handin server"
    ),
    "PLATEUP": "plateup",
    "START": "start starts starting begin begins beginning",
    "DO": (
        "do doing does handle handles handling manage manages manning man cover covers covering work works "
        "working "
        "focus focusing duty charge responsible care tend touch touches touching prioritise prioritize "
        "operate hogging hog"
    ),
    "USE": "use uses using",
    "GO": (
        "go goes going move moves moving come comes coming walk walking head heading run running approach "
        "hop "
        "step stepping rush dash jog march hurry scurry advance navigate travel visit return retreat shuffle "
        "skip sprint trot wander stroll relocate reposition"
    ),
    "WAIT": (
        "wait waits waiting stay stays staying stand stands standing stood hang hanging remain remaining "
        "park watch "
        "watches watching guard guarding idle camp camping position linger lurk loiter hover monitor babysit "
        "supervise chill observe sit sitting"
    ),
    "STOP": "stop stops stopped stopping halt pause whoa woah freeze",
    "CONTINUE": "proceed continue continues continuing resume resuming unfreeze",
    "CANCEL": "cancel",
    "KEEP": "keep keeps keeping",
    "CLEAR": "clearway",
    "SWAP": "swap swaps swapping trade exchange",
    "DIVIDE": "split divide share",
    "LET": "let",
    "NEED": "need needs want wants require requires lack lacks lacking missing needed demand demands deserve",
    "HAVE": "have has had having hold holds holding held",
    "NOT": (
        "not don't never no avoid without cease quit refrain won't can't shouldn't cannot mustn't "
        "neither nor needn't fewer"
    ),
    "INSTEAD": "instead rather",
    "ONLY": "only just solely exclusively merely simply",
    "THEN": "then afterwards next later finally afterward thereafter subsequently",
    "FIRST": "first firstly",
    "AND": "and plus n also",
    "OR": "or otherwise else",
    "BUT": "but while whereas whilst",
    "IF": "if when once until whenever after unless wherever",
    "READY": "ready done finished cooked complete completed dinging beeping finishes beeps dings",
    "FULL": "full filled loaded",
    "EMPTY": "empty vacant",
    "ALWAYS": "always constantly continuously repeatedly forever permanently continually",
    "ONION": "onion onions ingredient ingredients vegetable vegetables veg veggies veggie",
    "DISH": (
        "dish dishes plate plates bowl bowls platter platters saucer saucers crockery dishware tableware "
        "dinnerware china"
    ),
    "TOMATO": "tomato tomatoes",
    "SOUP": "soup soups meal meals food stew stews order orders broth portion portions batch batches",
    "POT": (
        "pot pots stove stoves pan pans cooker cookers hob hobs burner burners cauldron cauldrons kettle "
        "saucepan "
        "oven ovens stovetop casserole"
    ),
    "WINDOW": (
        "window windows hatch exit outlet customer customers guest guests checkout servingplace "
        "servery diner diners"
    ),
    "COUNTER": (
        "counter counters bench benches table tables worktop worktops countertop countertops shelf shelves "
        "island "
        "tabletop surface workbench divider wall sideboard ledge"
    ),
    "DISPENSER": (
        "dispenser dispensers station stations container containers barrel bag crate crates "
        "box boxes pile piles bin stash basket rack stack bank"
    ),
    "SIDE": "side sides part half area corner spot end",
    "WAY": "way path",
    "THERE": "there",
    "HERE": "here",
    "ROLES": "roles role jobs job tasks task duties shift",
    "IT": "it that this them those these",
    "ONE": "ones",
    "A": "a an another",
    "THE": "the",
    "SOME": "some several many more lots all any every couple extra additional enough",
    "IN": "in into inside",
    "ON": "on onto upon",
    "AT": "at by near beside next close around alongside outside",
    "TO": "to towards toward for",
    "FROM": "from off of out",
    "BREAK": ". ; ! ? \n",
    "COMMA": ", :",
    # Subjects and verbs that make a sentence no wish: its clause is left unread.
    "ODD": (
        "he she who's what's his her hers their mother grandma grandmother grandfather print select import "
        "def intent range git sudo install pizza mom mum dad wife husband boss "
        "loves loved cry laugh sick el los las por una une les des je tu nous vous avec est ich und der "
        "das ist nicht mit eine einen ein il gli che likes liked hate hates hated enjoy prefer eat eats "
        "eating ate drink "
        "taste tastes "
        "tasty "
        "delicious yummy favourite favorite recipe recipes restaurant restaurants lunch dinner breakfast "
        "supper salad salads burger pizza coffee tea "
        "yesterday tomorrow tonight weather rain sunny home house weekend holiday school book books movie "
        "film song music "
        "price prices forks fork knives knife spoons sink volley basil pasta rice chicken beef steak "
        "egg eggs bread cheese meat bacon potato potatoes carrot carrots fries sushi cake pie sandwich "
        "noodles keyboard sister fridge expensive "
        "cheap cost costs buy bought sell sold money euros dollars calories vegan healthy diet allergic "
        "score scored points winning lost win lose thinking believe remember forgot forget learn learned "
        "learnt study studies experiment survey "
        "wonder feel feeling feels felt sorry sad happy angry tired bored excited hungry thirsty "
        "wish used broke broken odd why how whose"
    ),
    # Words that carry nothing here.
    "-": (
        "please thanks thank hey hi hello okay alright well so would "
        "will shall should must can could may might ought be being "
        "clean fresh raw chopped nice hot new across through via kindly try trying sure now "
        "quickly quick fast asap immediately again still yet already soon finally "
        "chef mate buddy pal dude man bro partner robot bot agent friend teammate as too very really "
        "with each other over up down away back along everything rest kitchen time it's "
        "that's they're help helping dear sir maybe perhaps possibly "
        "better best good guys team cooks great lovely perfect cool awesome "
        "straight directly ahead minute moment second sec bit which whoever who "
        "what there's own pretty little big large small whole entire actual actually basically literally "
        "simply "
        "probably definitely certainly somehow repeat absolutely totally completely fully properly carefully "
        "is are am been was were they like love think where did yes yeah yep yup sweetheart sweetie "
        "honey hon "
        "darling luv boy son lad soldier private captain comrade "
        "coach bud homie bruh fam brother sis ladies gentlemen folks everyone's user player human "
        "hmm uh um er oh ah ooh ugh argh jeez gosh geez hm huh eh oi yo listen look see "
        "spare available remaining last final previous current usual whatever whichever anything something "
        "thing things stuff "
        "else same such even ever about than much lot bunch "
        "real super ultra mega kinda sorta gotcha bon "
        "your's per meantime manner mode status immediate immediately instantly hurry haste "
        "somewhere anywhere someplace far here's "
        " hands   attention urgent urgently important importantly priority "
        "today minutes seconds secs customer's they'll it'll that'll there'll "
        " yellow white purple brown round faster quicker slowly gently "
        " able operation   mission target "
        " plz cheers ta"
    ),
}


def _forms(verb: str) -> list[str]:
    """ "grabs" and "grabbing" for "grab"; regular forms only, and some that nobody writes."""
    if verb.endswith(("ing", "s")) and not verb.endswith("ss") or len(verb) > 4 and verb.endswith("ed"):
        return []
    stem = verb[:-1] if verb.endswith("e") and not verb.endswith("ee") else verb
    double = stem + stem[-1] if re.fullmatch(r"[^aeiou]*[aeiou][bdgmnprt]", stem) else stem
    return [verb + ("es" if verb.endswith(("sh", "ch", "ss")) else "s"), f"{double}ing"]


def _add_forms() -> frozenset[str]:
    known = {word for words in WORDS.values() for word in words.split()}
    added: list[str] = []
    for concept in ("FETCH", "PUT", "COOK", "SERVE", "START", "DO", "USE", "GO", "WAIT", "KEEP"):
        for verb in WORDS[concept].split():
            new = [form for form in _forms(verb) if form not in known]
            WORDS[concept] += "".join(f" {form}" for form in new)
            known.update(new)
            added += new
    return frozenset(added)


INFLECTED = _add_forms()
"""Forms that were added: known, but nothing is taken for a typing error of them."""
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

# Verbs that are nouns after an article.
NOUNS = (
    "head hand hands run walk watch stand wait stay pass deal visit rush march move step return lift "
    "offer place set slot tip position camp guard sit station"
)
# Only words that carry a reading are restored from typing errors; common lookalikes are left alone.
NOT_RESTORED = {
    "CANCEL",
    "-",
    "ODD",
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
# Words of phrases that are restored as well.
RESTORED_TOO = (
    "please could would should switch delivery another scoop ladle blocking through forget reach "
    "between nobody "
    "waiter activate change partner separate behind doorway different together almost because second "
    "somewhere "
    "everything continue interact ignite roles tasks closer cooking standing moving waiting getting "
    "putting beside"
)
# Words of other subjects that look like typing errors of ours.
LEFT_ALONE = (
    "bake bald band basic bath beach began blanket bold boys building butt buys cake case century "
    "chase check child coast coke college color colour cots country cream deck dock does doing dollar "
    "dots duck eight exist fever fight fishing flying going grass great guess happy hate heard hello "
    "here hint horse host hots house internet lagging lake late later launch lean lick light lips lock "
    "loose love lovely luck made mark match metal might money monkey morning movie movies music name "
    "night older opinion pack paint painted palace party paste pattern peace peck phone pitch place "
    "plan plane planet planets planned plans plato play plays please plots post pots pride prince "
    "prize product promise quiet rack raining rake read relax rely remote rock rules sand scared scope "
    "score scores seal seem seen sent series shade shake shame shape sharp shell shirt shock shoe "
    "shoes shore shots sick simple sing slots smell smoking snack soap sock song souls spell spend "
    "spring staff stake star stare stars start state steam steel steep still stole stone store story "
    "strange stupid summer support swamp swing tail tale talk tall testing than theme there these they "
    "tips tire tough toys trace treat tree trend tried users valley wake water weather were whale what "
    "where winding with words world"
)
