"""The words of squad instructions: which concept each stands for, and phrases that stand for a word.

Data alone; `lexicon.py` tags text with it. A new wording is one entry here.
"""

from __future__ import annotations

# Concept -> the words for it. A word stands for one concept; context is the parser's business. Words of one
# piece that nobody types ("helpup") are what the phrases below are turned into.
WORDS: dict[str, str] = {
    "I": "i i'll i'm i've i'd im ill ive",
    "ME": "me us myself my our meself",
    "YOU": "you u ya your yours you'll you're youre you've youll ur yourself yourselves",
    "ALL": "all everyone everybody squad team guys lads folks troops boys y'all yall we we'll let's lets men",
    "SOMEBODY": "somebody someone anybody anyone",
    "FOLLOW": "follow follows following tail shadow accompany trail",
    "HOLD": (
        "hold holds holding stay stays staying wait waits waiting stand stands standing remain remains camp "
        "camps camping stop stops stopping halt freeze pause anchor park standby"
    ),
    "GO": (
        "go goes going move moves moving head heading walk walks walking proceed travel approach get reach "
        "advance march drive return position onward travels relocate"
    ),
    "COME": "come comes coming join joins joining meet",
    "RUN": "run runs running sprint sprints sprinting dash dashing rush rushing hurry hurrying race haste",
    "CRAWL": "crawl crawls crawling",
    "SNEAK": "sneak sneaks sneaking creep tiptoe",
    "ATTACK": (
        "attack attacks attacking shoot shoots shooting kill kills killing fire fires firing engage engaging "
        "eliminate eliminating destroy target targeting flank flanking snipe sniping charge hunt "
        "chase chasing "
        "fight fights fighting neutralise neutralize waste frag murder assault strike smash hit focus "
        "pressure kick finish knock"
    ),
    "COVER": (
        "cover covers covering protect protects protecting guard guards guarding defend defends defending "
        "support supports supporting backup escort escorting bodyguard shield overwatch watchback"
    ),
    "TAKECOVER": "takecover hide hides hiding hidden shelter",
    "LOOT": (
        "loot loots looting scavenge scavenging grab grabs grabbing collect collects collecting search "
        "searching lootup pick picks picking fetch find finding take takes taking equip gather"
    ),
    "HEAL": (
        "heal heals healing patchup treat treating bandage bandages medicate recover recuperate "
        "restore selfheal"
    ),
    "RESCUE": (
        "rescue rescues rescuing revive revives reviving revival res rez resurrect helpup raise medic"
    ),
    "HELP": "help helps helping assist assisting save saving aid",
    "PRONE": "prone liedown flat ambush",
    "CROUCH": "crouch crouches crouching crouched duck ducking kneel kneeling squat squatting",
    "STANDUP": "standup rise",
    "HOLDFIRE": "holdfire quietly silently stealthily stealth quiet silent sneaky silence",
    "FIREATWILL": "fireatwill",
    "ROTATE": "rotate rotates rotating rotation intozone",
    "REGROUP": "regroup regroups regrouping rally assemble reunite rejoin togethernow",
    "RETREAT": (
        "retreat retreats retreating fallback flee fleeing withdraw withdrawing disengage disengaging escape "
        "escaping skedaddle evacuate runaway"
    ),
    "CANCEL": "cancel abort cancelall dismissed nevermind",
    "NOT": (
        "not don't dont never no avoid without quit refrain won't can't shouldn't cannot mustn't neither nor "
        "doesn't unstop"
    ),
    "ENEMY": (
        "enemy enemies foe foes opponent opponents hostile hostiles opposition player players rival rivals "
        "him her them they he she it that those these this 'em em one ones guy guys' dude bastard "
        "bastards idiot noob bot bots target's sniper snipers camper campers shooters attackers"
    ),
    "THATONE": "thatone",
    "SHOOTER": "shooterone",
    "NEAREST": "nearest closest nearby next",
    "MATE": "mate mates teammate teammates buddy buddies friend friends ally allies partner comrade comrades",
    "OTHERS": "others",
    "MONSTER": "monster monsters beast beasts creature creatures animal animals",
    "ITEM": (
        "weapon weapons gun guns rifle rifles shotgun shotguns smg pistol pistols ammo ammunition "
        "bullet bullets round rounds magazine magazines mag medkit medkits kit kits armour armor vest vests "
        "supply supplies gear stuff item items equipment goods things something everything med meds ar "
        "submachine crate crates box boxes"
    ),
    "HERE": "here",
    "THERE": "there pointthere",
    "BEHIND": "behind",
    "FAST": "fast quick quickly asap immediately pronto faster quicker",
    "FIRST": "first firstly",
    "THEN": "then afterwards afterward later finally thereafter",
    "AND": "and plus n also",
    "OR": "or",
    "BUT": "but however instead",
    "BREAK": ". ; ! ? \n",
    "COMMA": ", :",
    # Words that carry nothing here.
    "-": (
        "please pls plz plse plese thanks thank thx hey hi hello yo ok okay okey alright well so would will "
        "shall should must can could may might have has had having did is are was were be been being am are "
        "kindly try trying sure now right again still yet bro man a an the to towards toward "
        "for in into inside on onto upon at by near of off from with over up down out around along "
        "too very really just only keep keeps keeping start starts starting begin begins continue maybe "
        "perhaps think better best good back away do does doing some any every and/or as close closer "
        "side sides spot area place point way path direction roger copy over sir dear soldier want need "
        "needs make makes give gives giving gonna gotta wanna let sec second moment bit ahead' damn damned "
        "fucking freaking bloody hell god come' low next' it's that's there's he's she's they're if' "
        "against until' that' who which whoever ready own oh ah um uh hmm dude' mate' fellas fella "
        "immediately' got together' using use carefully careful slowly safe safely alive whole entire "
        "other another same more hard while' yes yeah yep agent robot ai captain boss chief sergeant"
    ),
}

PLACES: dict[str, str] = {
    "house": "house houses building buildings hut huts cabin shack home room indoors barn cottage",
    "rock": "rock rocks stone stones boulder boulders",
    "wall": "wall walls barricade barricades sandbag sandbags fence fences",
    "bush": "bush bushes shrub shrubs grass hedge hedges foliage",
    "water": "water lake lakes pond river shore",
    "door": "door doors doorway entrance",
    "hill": "hill hilltop hills ridge highground",
}
"""Kinds of places on the map -> the words for them."""

DIRECTIONS: dict[str, str] = {
    "north": "north northwards northward northern",
    "northeast": "northeast north-east",
    "east": "east eastwards eastward eastern",
    "southeast": "southeast south-east",
    "south": "south southwards southward southern",
    "southwest": "southwest south-west",
    "west": "west westwards westward western",
    "northwest": "northwest north-west",
    "left": "left",
    "right": "rightwards",
    "ahead": "ahead forward forwards straight",
    "back": "backwards backward",
}

NUMBERS: dict[str, int] = {
    "one": 1,
    "two": 2,
    "three": 3,
    "four": 4,
    "five": 5,
    "six": 6,
    "seven": 7,
    "eight": 8,
    "nine": 9,
    "ten": 10,
    "fifteen": 15,
    "twenty": 20,
    "thirty": 30,
    "forty": 40,
    "sixty": 60,
}

NOT_RESTORED = ("-", "I", "ME", "YOU", "BREAK", "COMMA", "ENEMY", "THEN")
"""Concepts whose words are too short or too common to take a misspelt word for."""
LEFT_ALONE = (
    "ball bell belt blow book born burn cake call came capital card cards care cart case cell cheese "
    "code cold cook cool corn dance dancing fell felt fish five flew flow food foot four france friday "
    "game gold good hair hall hand happy hard hear heart heat held here hole hook hope horse hours kids "
    "know lake lane last least leave leaves less light like line list live look lost love mall meaning "
    "melt might monday name nice night paris people person pizza played plays pour rare rate ride same "
    "score scores sell sheep shirt shop short shot show sight sign sing singing sings sleep slow snow "
    "some song sour stories story talk tall tell them then there these those three tight took torn tour "
    "turn weather well when where wide wind wine wing winner winning wins wish word work world worn "
)
"""Words that are nobody's typing error."""
