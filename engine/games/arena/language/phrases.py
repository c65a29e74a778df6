"""Phrases of squad instructions that one word can't stand for: what they are replaced by before splitting.

Data alone; `lexicon.py` applies it in order. What they are replaced by are words of `vocabulary.py`, some of
which nobody types ("helpup").
"""

from __future__ import annotations

from engine.games.arena.language.vocabulary import WORDS

_PERSON = r"(?:me|us|him|her|them|'em|our (?:team)?mates?|"
_PERSON += r"player \d+|number \d+|mate \d+|that \w+|the (?:other )?\w+)"
_SOMEONE = (
    r"(?:thatone|shooterone|him|her|them|it|'em|that \w+|those \w+|this \w+|the \w+(?: there)?|player \d+)"
)
_ONE = (
    r"(?:one|guy|dude|man|woman|person|player|enemy|fella|target|fellow|bot|sniper|camper|squad|team|bastard)"
)
_STAY = r"(?:rotate|stay|stick|keep|remain|be|get|walk|go|move|run|come|travel|roll|hang)"
_TO = r"(?:to|towards|toward|into|in|inside|for|onto|on)"
_ITEM = "|".join(WORDS["ITEM"].split(" "))
_ZONE = (
    r"(?:zone|circle|ring|safe ?zone|safe[- ]area|play ?zone|safe spot|white(?= *(?:$|[,.;!?]))|"
    r"(?:safe|white|inner|next|new) (?:zone|circle|ring|area))"
)
_STORM = r"(?:storm|gas|blue|fog|blue (?:zone|circle|ring)|radiation|outside)"

# Phrases that one word can't stand for: regular expression -> replacement, applied in order before splitting.
PHRASES: list[tuple[str, str]] = [
    (r"\bdo not\b|\bdon t\b|\bplease don't\b", " don't "),
    (r"\bcan not\b", " can't "),
    (r"\bi am\b", " i'm "),
    (r"\blet us\b", " let's "),
    (r"\bteam[- ]?mates?\b", " teammate "),
    (r"\b(north|south)[ -](east|west)(?:ern)?\b", r" \1\2 "),
    (r"\bhigh(?:er)? ground\b|\btop of the hill\b", " highground "),
    (r"\b(?:med|medical|first[- ]aid|health)[ -]?(?:kit|pack)s?\b", " medkit "),
    (r"\bplayer (\d{1,2}) needs (?:some |your |our )?(?:help|cover|support|back ?up)\b", r" help player \1 "),
    # Wishes and questions that are requests.
    (
        r"\b(?:i|we) (?:would like|'d like|want|need|order|told|tell|ask) (?:you|u) (?:guys |all |two "
        r")?(?:to )?|"
        r"\bi(?:'d| would) (?:like|love|want|prefer) (?:you|u|it if you) (?:to )?",
        " you ",
    ),
    (
        r"\b(?:can|could|will|would|may) (you|u|someone|somebody|anyone|anybody|everyone|everybody) "
        r"(?:please |all )?",
        r" \1 ",
    ),
    (
        r"\b(?:you|u) (?:guys )?(?:have to|need to|should|must|ought to|are to|'re going to|are going "
        r"to|gotta|"
        r"better|had better|might want to)\b",
        " you ",
    ),
    (r"\b(?:why don't|how about|what about) (?:you|we) ", " you "),
    (r"\bwould you mind\b|\bdo you mind\b|\bmake sure (?:to|that|you)\b|\bbe sure to\b|\btry to\b", " you "),
    (r"\b(?:don't forget to|remember to|feel free to|time to|go ahead and|go and|start to)\b", " "),
    # Who is meant.
    (
        r"\b(?:both of you|you two|(?:the )?(?:two|2) of you|you both|you 2|you guys two)\b",
        " addresstwo ",
    ),
    (
        r"\b(?:all of you|(?:all )?(?:three|3) of you|you all|you guys|you lot|every one of you|"
        r"the (?:rest|whole squad)(?: of you)?)\b",
        " all ",
    ),
    (r"\b(?:one|any) of you\b", " somebody "),
    (r"\b(?:player|seat|soldier|agent|bot) (?:number |no\.? |#)?(\d{1,2})\b", r" addressplayer\1 "),
    (r"\b(?:number|no\.?|#|mate|teammate|squad(?: ?mate)?) ?(\d)\b|#(\d)\b", r" addressmate\1\2 "),
    (
        r"\b(?:number|mate|teammate|squad(?: ?mate)?) (one|two|three|four)\b",
        r" addressmate\1 ",
    ),
    # "Squad 2 and 3", "player 2 and 3": the second number is of the same kind.
    (r"\b(address(?:player|mate))(\w+) ?(?:and|&|,|\+) (\d\d?)\b", r" \1\2 and \1\3 "),
    (
        r"(?:^|(?<=[.;!?\n]))\s*(\d|two|three|four)(?=[ ,:]+[a-z])(?! ?(?:metres|seconds|secs?))",
        r" addressmate\1 ",
    ),
    # Reasons and what the speaker does meanwhile: they change nothing.
    (
        r"\b(?:while|whilst|because|cause|cuz|as|since|so that|so|in case|meanwhile) (?:i|i'm|i'll|we|"
        r"we're|he|she|"
        r"he's|she's|they|they're|there's)\b[^,.;!?\n]*",
        " ",
    ),
    (
        r"\b(?:until|till|til|unless) (?:i (?:say|tell|come|call|give|signal|order|get|return|am|'m|"
        r"need)|told|"
        r"further|i'm|otherwise|my (?:signal|order|mark|command|return))\b[^,.;!?\n]*",
        " ",
    ),
    # Conditions can't be read; what they are about is told as unread.
    (
        r"\b(?:if|when|whenever|unless|once|before|after|as soon as|until|till) "
        r"(?:i|i'm|you|you're|we|we're|he|she|he's|they|they're|it|the|there|there's|an?|any|someone|"
        r"somebody|enem\w+|"
        r"my|your|possible|necessary|needed)\b[^,.;!?\n]*?(?=[,.;!?\n]|\bthen\b|$)",
        " conditionleft ",
    ),
    # Holding fire, and firing again.
    (
        r"\b(?:hold|cease|stop|check|no|withhold) (?:your |ur |the |all |any )?(?:fire|firing|"
        r"shooting|shots?)\b|"
        r"\bcease-?fire\b|\bweapons? (?:tight|cold|safe|down)\b|\b(?:be|keep|stay|go|remain|all) "
        r"(?:very |really )?"
        r"(?:quiet|silent|stealthy|undetected|in stealth|dark)\b|\bwithout (?:a|any|firing a|making "
        r"a?)? ?(?:shooting|"
        r"firing|shots?|noise|sound|being (?:seen|heard|noticed))\b|\bstealth(?:y)? (?:mode|only|please)\b|"
        r"\bdon't (?:waste|use up|spend) (?:your |any )?(?:ammo|ammunition|bullets)\b|\b(?:don't|no) "
        r"(?:make |making )?"
        r"(?:any )?noise\b",
        " holdfire ",
    ),
    (r"\bdon't holdfire\b|\b(?:stop|no need to) holdfire\b", " fireatwill "),
    (
        r"\bfire (?:at will|freely)\b|\bfree fire\b|\bweapons? (?:free|hot)\b|\bshoot (?:at will|on "
        r"sight|freely|"
        r"again)\b|\b(?:you|u) (?:are free to|are allowed to|can|may) (?:shoot|fire|attack)(?: "
        r"again)?(?! (?:at|"
        r"him|them|that))\b|\b(?:resume|continue) (?:fire|firing|shooting)\b|\bfire again\b",
        " fireatwill ",
    ),
    # Never mind.
    (
        r"\bnever ?mind\b|\b(?:forget|cancel|ignore|drop|scratch|belay) (?:it|that|this|everything|"
        r"all|what i said|"
        r"about (?:it|that)|(?:my |the |that )?(?:last )?(?:order|orders|instruction|instructions|"
        r"command|commands))\b|"
        r"\bdo (?:what(?:ever)? you (?:want|like|think(?: is)? (?:best|right))|your (?:own )?thing|as "
        r"you (?:like|"
        r"please|wish))\b|\b(?:play|act|fight) (?:freely|normally|on your own|by yourself|as you like)\b|"
        r"\bback to normal\b|\b(?:as you were|carry on|at ease|resume|go on|you(?:'re| are) free(?: to go)?|"
        r"you are dismissed|use your (?:own )?(?:judgement|judgment|head|initiative)|free roam|up to "
        r"you|your call)\b",
        " cancelall ",
    ),
    # Being down.
    (
        r"\b(?:i'm|im|we're) (?:been |now |so )?(?:down|downed|knocked(?: down| out)?|bleeding(?: "
        r"out)?|dying|on the (?:"
        r"ground|floor)|hurt and down)\b|\bi(?:'ve| have)? (?:been|got|was) (?:knocked(?: down)?|"
        r"downed)\b|\bi need (?:a |"
        r"some )?(?:revive|reviving|res|rez|medic|pick ?-?up|resurrection)\b|^\W*medic\W*$|\bmedic,? "
        r"(?:please|here|to me)\b",
        " helpup me ",
    ),
    (
        r"\b(addressplayer\d+|addressmate\w+|he|she|someone|somebody|our mate|a mate|my mate|the "
        r"other guy|teammate)"
        r"(?:'s| is| has been| got| was| are)? (?:been )?(?:down|downed|knocked(?: down)?|bleeding(?: "
        r"out)?|dying)\b",
        r" helpup \1 ",
    ),
    (r"\b(?:man|mate|teammate|friend|ally) down\b", " helpup mate "),
    (r"\b(?:is|are) (?:down|knocked(?: down)?)\b", " "),
    (
        rf"\b(?:help|pick|get|bring|lift|raise|stand|put) ({_PERSON}|addressplayer\d+|"
        r"addressmate\w+)(?! \w+ (?:weapon))"
        r" (?:back )?(?:up|on (?:my|his|her|their) feet)\b",
        r" helpupmaybe \1 ",
    ),
    (
        r"\bpick up (me|him|her|us|addressplayer\d+|addressmate\w+|the downed \w+|teammate|my "
        r"teammate|our teammate|"
        r"your teammate|your mate)\b",
        r" helpup \1 ",
    ),
    (
        r"\bhelpupmaybe (me|us|him|her|them|addressplayer\d+|addressmate\w+|the (?:other|downed) \w+)\b",
        r" helpup \1 ",
    ),
    (r"\bhelpupmaybe\b", " lootup "),
    (
        r"\b(?:heal|patch up|treat|medkit) (me|us|him|her|them|addressplayer\d+|addressmate\w+)\b(?! up)",
        r" helpup \1 ",
    ),
    (r"\b(?:patch|heal) (me|us|him|her|them) up\b", r" helpup \1 "),
    # Healing oneself.
    (
        r"\bpatch (?:yourself |yourselves )?up\b|\bheal (?:yourself|yourselves|up|your wounds)\b|"
        r"\b(?:use|take|pop|apply) (?:a |"
        r"your |the |one |one of your |some |those )?(?:medkit|bandages?|meds|healing|heals?)\b|"
        r"\b(?:get|bring) (?:your )?(?:health|"
        r"hp) (?:back )?up\b|\b(?:restore|regain|recover|fix|top up|refill) (?:your |some )?(?:health|"
        r"hp|wounds|life)\b|"
        r"\btreat (?:yourself|your wounds|your injuries|wounds)\b|\b(?:tend|see|look) to your "
        r"wounds\b|\bget healthy\b",
        " selfheal ",
    ),
    # Lying and crouching, getting up.
    (
        r"\b(?:go|get|lie|lay|drop|stay|be|hit|fall|drop down|get down|stay down|remain|lie down|"
        r"throw yourself) "
        r"(?:down )?(?:prone|flat|to (?:the )?(?:ground|floor|dirt)|the (?:dirt|deck|ground|floor)|on "
        r"(?:the|your) (?:ground|"
        r"floor|belly|stomach|bellies|belly))\b|\b(?:lie|lay|lying|laying|drop) down\b|\b(?:get|stay) "
        r"down\b|\bon the (?:ground|deck|"
        r"floor)\b",
        " liedown ",
    ),
    (
        r"\b(?:lie|lay) in (?:wait|ambush)\b|\bset (?:up )?an? ambush\b|\bambush (?:them|him|her|the \w+)\b",
        " ambush ",
    ),
    (r"\bambush here\b", " ambush "),
    (
        r"\b(?:get|stay|keep|lie|remain) low\b|\b(?:duck|crouch|kneel|squat) down\b|\btake a knee\b|"
        r"\bon (?:your|one) knees?\b|"
        r"\b(?:keep )?(?:your )?heads? down\b|\bdown low\b",
        " crouch ",
    ),
    (
        r"\bstand (?:back )?up\b|\bget (?:back )?(?:up|on your feet)(?= *(?:$|[,.;!?]|and\b|again\b|"
        r"now\b))|\bon your feet\b|"
        r"\b(?:stop|don't|quit) (?:be |being |stay |staying |lying |lie |go |going )?(?:crouch\w*|"
        r"prone|liedown|down)\b|"
        r"\bup on your feet\b|\bstand upright\b",
        " standup ",
    ),
    # Cover for oneself, before cover for others.
    (
        r"\b(?:take|taking|find|seek|get|go|run|move|use|grab|stay|be|dive|look|head|jump|hide|stick) "
        r"(?:(?:down|back|right) )?"
        r"(?:(?:in|into|to|for|behind|under|at) )?(?:some |the |a |any |better |good |hard |nearest |"
        r"closest |near |solid )*"
        r"cover\b|\bget (?:down )?behind something\b|"
        r"\b(?:get|go|stay|keep|move|be) out of (?:sight|the open|(?:the |their )?line of (?:fire|"
        r"sight)|their sight|view|the way)\b|"
        r"\bbreak line of sight\b|\bdon't (?:be|get|stand|stay) (?:seen|spotted|in the open|visible|"
        r"exposed)\b|\bnot in the open\b|"
        r"\b(?:hide|conceal) yourself\b|\bstay hidden\b|^\W*cover\W*$|\bin cover\b|\bto cover\b",
        " takecover ",
    ),
    # Cover for others.
    (
        r"\b(?:watch|have|got|get|mind|guard|protect|cover) (my|our|his|her) (?:back|six|6|rear|flank|ass)\b",
        r" watchback \1 ",
    ),
    (r"\bwatchback (?:my|our)\b", " watchback me "),
    (r"\bwatchback (?:his|her)\b", " watchback him "),
    (
        r"\bback (me|us|him|her|addressplayer\d+|addressmate\w+) up\b|\b(?:keep|make) (me|us|him|her) "
        r"(?:safe|alive|covered|"
        r"protected)\b|\b(?:look (?:after|out for)|keep an eye on) (me|us|him|her)\b",
        r" watchback \1\2\3 ",
    ),
    (
        r"\b(?:give|provide|lay down|lend|offer|i need|need|we need|gimme|put down) (?:me |us "
        r")?(?:some |a bit of )?"
        r"(?:cover(?:ing)?(?: fire)?|backup|back-up|support|suppressing fire|suppressive fire|"
        r"suppression|fire support|protection)\b"
        r"|\b(?:covering|suppressing) fire\b",
        " watchback me ",
    ),
    (
        r"\bi need (?:some |your )?(?:help|assistance)\b|\b(?:need|want) (?:some )?(?:help|assistance)\b",
        " help me ",
    ),
    (r"^\W*(?:help|sos|mayday)\W*$", " help me "),
    (r"\bhelp me (?:out|please|here)\b|\bcome (?:and )?help\b(?! me| us| him)", " help me "),
    # The zone.
    (
        r"\b(?:go|get|move|run|head|rotate|come|stay|be|push|walk|relocate|retreat|keep|sprint|make "
        r"it|race|rush|step|return|hurry|"
        rf"remain|make (?:your|our) way) (?:back |up |over |out |right )?(?:{_TO} |with )?(?:the "
        rf")?(?:nearest )?{_ZONE}\b",
        " intozone ",
    ),
    (
        r"\b(?:outrun|escape|avoid|flee|beat|get (?:away|out)|run|move|stay out|keep out|go|get) "
        r"(?:from |of |out of |away from )?"
        rf"the {_STORM}\b",
        " intozone ",
    ),
    (
        r"\b(?:the )?(?:zone|circle|storm|ring|gas)(?:'s| is)? (?:is )?(?:closing(?: in)?|coming|"
        r"moving|shrinking|near|on us)\b",
        " intozone ",
    ),
    (rf"^\W*(?:{_TO} )?(?:the )?{_ZONE}\W*$", " intozone "),
    (rf"\brotate (?:{_TO} |with )?(?:the )?{_ZONE}\b", " intozone "),
    # The squad.
    (
        r"\b(?:group|team|link|meet|form|gather|bunch|squad|rally|close|tighten|ball) (?:back )?up(?! "
        r"on (?:me|my))\b|"
        r"\b(?:stick|stay|keep|get|come|be|move|remain|play|regroup) (?:close )?together\b|"
        r"\bjoin (?:up|the (?:others|team|squad|rest)|(?:up )?with (?:the )?(?:others|team|squad|"
        r"rest)|your (?:mates|team|squad|"
        r"teammate))\b|\b(?:go |come |get |head |run )?back to (?:the |your )?(?:squad|team|group|"
        r"others|rest)\b|"
        r"\b(?:don't|stop|no) (?:split(?:ting)?(?: up)?|spread(?:ing)?(?: out)?|wander(?:ing)?(?: off|"
        r" away)?|go(?:ing)? off(?: alone)?|"
        r"go(?:ing)? alone|leav(?:e|ing) (?:us|the (?:team|squad|group))|stray(?:ing)?(?: off| away)?)\b|"
        r"\bwith the (?:team|squad|group|others)\b|\b(?:go|stay|get|move) (?:to|near|with|by) (?:the |"
        r"your )(?:squad|team|group|others|mates)\b",
        " regroup ",
    ),
    (
        r"\b(?:form|group|line) up on (?:me|my)(?: \w+)?\b|\brally (?:on|to|at|round|around) me\b|"
        r"\bregroup (?:on|at|with|around) me\b",
        " come me ",
    ),
    # Following.
    (
        r"\b(everyone|everybody|all|guys|addresstwo|team|squad|addressmate\w+|addressplayer\d+),? "
        r"(?:on|with|behind) me\b",
        r" \1 follow me ",
    ),
    (
        rf"\b{_STAY} (?:along |close |right |together |tight |here )?with (me|us|him|her|them|"
        r"addressplayer\d+|addressmate\w+)\b",
        r" follow \1 ",
    ),
    (
        r"\b(?:stay|stick|keep|remain|be|get|walk|follow) (?:(?:right|close|near|next|tight|nearby|"
        r"just|closely|directly) )*(?:to |by |"
        r"behind |beside |on |at |near |around |at my )(me|us|him|her|addressplayer\d+|addressmate\w+|"
        r"my (?:side|heels?|tail|back|"
        r"hip|flank))\b",
        r" follow \1 ",
    ),
    (r"\bfollow my (?:side|heels?|tail|back|hip|flank|lead|steps?|footsteps|path)\b", " follow me "),
    (
        r"\b(?:stay|stick|keep|remain) (?:very |nice and |really )?(?:close|near|nearby|tight)(?= "
        r"*(?:$|[,.;!?]|and\b|to\b|now\b))|"
        r"\bkeep up\b|"
        r"\btag along\b|\bcome along\b|\b(?:let's|we) (?:go|move|roll|move out|push on|keep "
        r"moving)(?= *(?:$|[,.;!?]|now\b|guys\b|"
        r"everyone\b))|\bmove out\b|\b(?:don't|never) leave (?:me|my side|us)(?: alone| behind)?\b|"
        r"^\W*(?:on|with|behind) me\W*$|\bcome on\b|"
        r"^\W*after me\W*$",
        " follow me ",
    ),
    (r"\bfollow (?:me )?(?:after|behind|along behind|along|close(?:ly)?|around) ?(?:me)?\b", " follow me "),
    # Staying.
    (
        r"\b(?:hold|keep|stay in|maintain|stay at|stick to|remain in|hold on to) (?:your |this |the |"
        r"ur )(?:current )?(?:position|ground|spot|"
        r"place|post|line|angle|area|point|posts|positions)\b|\bhold (?:position|ground|the fort)\b|"
        r"\b(?:stay|stop|wait|stand|remain|hold|freeze)(?: right)? where you are\b|\b(?:stay|stand) "
        r"put\b|\bsit tight\b|"
        r"\bhang (?:on|tight|back|in there)\b|\bhold (?:on|up|it|still)\b|\b(?:don't|stop|no|quit) "
        r"(?:you )?(?:move|moving|movement|budge|"
        r"walk|walking|running|run|run around|running around)(?: at all)?(?= *(?:$|[,.;!?]|and\b|"
        r"for\b|lasts|anymore|any more|please|until))|"
        r"\b(?:stand|keep|stay|be|remain) (?:perfectly |completely |very )?still\b|\bstand by\b|"
        r"\b(?:stay|wait|hold|stand|remain|camp|guard|hang|park)(?: right| around| out)? here\b|"
        r"\bright here\b|"
        r"\bwait for (?:me|us)(?: here)?\b|\b(?:guard|defend|protect|watch|hold|camp|cover) (?:this|"
        r"the|your|our) "
        r"(?:place|spot|position|area|point|post|line)\b|\bdon't (?:follow|come)(?: with| after)? "
        r"(?:me|us),? (?:but )?(?:stay|wait)\b|"
        r"\bkeep (?:watch|guard|lookout)\b|\bstand (?:guard|watch)\b",
        " hold here ",
    ),
    (r"\b(?:hold here )(?:over )?there\b", " hold there "),
    # Coming.
    (
        r"\b(?:come|get|go|run|move|walk|head|hurry|return|rush|sprint) (?:back |right |over |on |"
        r"straight )*(?:here|to (?:me|us|"
        r"my (?:position|location|place|side|spot)))\b|\bcome (?:back|closer|over|near|near me|"
        r"nearer)\b|\bget (?:your \w+ )?over here\b|"
        r"^\W*(?:to me|here|over here)\W*$|\b(?:everyone|everybody|all|guys|addresstwo|addressmate\w+|"
        r"addressplayer\d+),? (?:to me|over here)\b|"
        r"\bjoin (?:me|us)\b|\bmeet (?:me|us)(?: here)?(?! (?:at|in|by|near|behind))",
        " come me ",
    ),
    (r"\bmeet (?:me|us) ", " go "),
    # Going back.
    (
        r"\b(?:fall|pull|draw|step|get|drop) back(?! (?:here|up|to|into|in|on|with|inside))\b|"
        r"\b(?:back|bug|clear) (?:off|out|away)\b|"
        r"\bmove back(?= *(?:$|[,.;!?]|and\b|now\b))|\bback up(?= *(?:$|[,.;!?]|now\b))|"
        r"\brun (?:away|for (?:it|your (?:life|lives)))\b|\b(?:get|let's get|run|go|move|we get|pull) "
        r"(?:the hell )?(?:out of|away from) (?:here|there|"
        r"them|him|the enem\w+|danger|that fight|this fight|the fight)\b|\bget (?:the hell )?(?:out|"
        r"away)(?= *(?:$|[,.;!?]|now\b|fast\b))|"
        r"\bbreak (?:off|contact)\b|\bstop fighting\b|\blet's bail\b|\bbail(?: out)?\b|\bgo back(?= "
        r"*(?:$|[,.;!?]|now\b))",
        " retreat ",
    ),
    (r"\b(?:fall|pull|drop|draw|move) back (?:to|into|in|behind|inside)\b", " go to "),
    # Looting.
    (
        r"\bpick (?:that|it|this|those|things|stuff|everything|something|some \w+|all of it|the "
        r"\w+(?: \w+)?|that \w+|a \w+|your \w+) up\b|"
        r"\bpick up (?:everything|something|anything|whatever)\b|\b(?:gear|stock|load|tool|kit|arm|"
        r"tank|weapon) (?:yourself |yourselves )?up\b|"
        r"\b(?:resupply|re-?arm|restock)(?: yourself)?\b|\bgo shopping\b|\bsearch (?:for|the area "
        r"for) (?:loot|supplies|weapons|gear)\b|"
        r"\b(?:get|find|grab|take|collect|fetch|look for|go for|pick up|search for|bring|gather|need|"
        r"needs|run for|go get|equip|swap to) "
        r"(?:yourself |yourselves |you )?(?:a |an |some |the |that |those |more |any |better |a "
        r"better |new |a new |good |another |all the |"
        rf"your |as much |as many |up |these |this |it'?s )*(?:{_ITEM})\b(?: \w+ing)?",
        " lootup ",
    ),
    # Who is to be attacked or helped.
    (
        rf"\b(?:(?:the|that|those|whoever|who|someone|somebody|anyone|every) ?{_ONE}?s?(?: team| "
        r"squad)?) ?(?:who|that|which)?(?:'s| is| are| was| were|"
        r"'ve| have| has| just| keeps?)* (?:shot|shoots?|shooting|hits?|hitting|firing|fired|fires|"
        r"attacked|attacking|attacks|killing|killed|"
        r"downed|knocked|got|sniped|sniping|hurt|wounded)(?: at| on)?(?: me| us)(?: down)?\b|\b(?:my|"
        r"our) (?:attackers?|killers?)\b|"
        rf"\b(?:what|whatever) (?:shot|hit) (?:me|us)\b",
        " shooterone ",
    ),
    (
        rf"\b(?:the|that|this) (?:{_ONE})(?: that| who| which)?(?: i(?:'m)?|\bmy) (?:am )?(?:look|aim|"
        r"point|mark|ping|target)\w*(?: at)?\b|"
        rf"\b(?:that|this|those|these) (?:{_ONE})s?(?: over)?(?: there| here)?\b|\bthe {_ONE} (?:over |"
        r"right )?there\b|\bmy target\b|"
        rf"\bthe (?:marked|pinged) (?:{_ONE})\b|\bthe same (?:{_ONE})(?: as me| as i)?\b|\b(?:who|whom|"
        r"whoever|what) i(?:'m)? "
        r"(?:am )?(?:look|aim|point|mark|ping|shoot|target)\w*(?: at)?\b|\bwith me on (?:him|her|them|"
        r"that one)\b|"
        rf"\bthat (?:idiot|noob|monkey|clown|shooter|loser)\b",
        " thatone ",
    ),
    # Attacking.
    (rf"\btake ({_SOMEONE}|addressplayer\d+) (?:out|down)\b", r" attack \1 "),
    (
        r"\b(?:take|bring|gun|mow|shoot|put) (?:out|down)\b|\bwipe (?:them )?out\b|\bget rid of\b|"
        r"\bdeal with\b|\blay into\b",
        " attack ",
    ),
    (rf"\b(?:knock|finish|light|pick) ({_SOMEONE}|addressplayer\d+) (?:down|off|up|out)\b", r" attack \1 "),
    (
        r"\b(?:go (?:for|after|get)|open fire(?: on| at)?|(?:fire|shoot|aim) (?:on|at|upon)|focus(?: "
        r"your)?(?: fire)?(?: on| at)?|"
        r"concentrate (?:your )?(?:fire )?on|knock down|pick off|finish off|lay fire on|push "
        r"(?:against|onto))\b",
        " attack ",
    ),
    (
        rf"\b(?:get|drop|push|rush|down|pressure|flank) ({_SOMEONE}|addressplayer\d+)(?! (?:up|"
        r"together|back|here|there|house|building|door|"
        r"rock|hill|wall|zone|circle|water|bush))(?=\b)",
        r" attackmaybe \1 ",
    ),
    (
        r"\battackmaybe (him|her|them|'em|that|those|this|thatone|shooterone|addressplayer\d+|the "
        r"(?:enem\w+|sniper|camper|bastards?|guys?|others?|team|squad|"
        r"one\w*|shooter\w*|nearest|closest)|it)\b",
        r" attack \1 ",
    ),
    (r"\battackmaybe\b", " go "),
    (r"\bpush(?: up)?(?= *(?:$|[,.;!?]))", " attack "),
    (r"\bpush(?: up| on)?\b", " go "),
    # Where.
    (
        r"\b(?:over|up|down|in|out) there\b|\b(?:that|this) (?:spot|place|point|position|way|"
        r"direction|location|corner)\b|"
        r"\b(?:where|what) i(?:'m)? (?:am )?(?:look|point|aim|mark|ping)\w*(?: at| to)?\b|\bmy "
        r"(?:mark(?:er)?|ping|crosshairs?|aim|waypoint)\b|"
        r"\bthe (?:mark(?:er)?|ping|waypoint|crosshairs?|marked (?:spot|point|place)|place i(?:'m)? "
        r"(?:look|point|mark)\w*(?: at| to)?)\b|"
        r"\bthe (?:spot|point|place)(?: that| which)?(?: i(?:'m)?) (?:am )?(?:look|point|aim|mark|"
        r"ping)\w*(?: at| to)?\b",
        " pointthere ",
    ),
    (
        r"\b(?:go|move|run|turn|step|flank|head|walk|push|sprint|get|dodge|keep) (?:to (?:the|your|"
        r"my) )?(left|right)\b",
        r" go \1wards ",
    ),
    (r"\bto the right\b", " rightwards "),
    (r"\bleftwards\b", " left "),
]
