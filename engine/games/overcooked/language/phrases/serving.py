"""Soup: served, put on a plate, and started in its pot."""

from __future__ import annotations

from engine.games.overcooked.language.phrases.parts import A_POT, COUNTER, DISH, IT, ITEM, POT, SIDE, SOUP

SERVING: list[tuple[str, str]] = [
    (r"\bfill (?:er|her|him) up\b", " fill the pot "),
    (
        r"\b(?:we|you|i|nobody)(?: has| have)? ?(?:haven't|didn't|have not|hasn't)?(?: even| yet)? "
        r"?(?:started|begun|start) (?:on )?(?:the |a )?(?:second|next|new|other) (?:soup|pot|one|"
        r"batch)\b",
        " cook soup ",
    ),
    (
        r"\bwhere (?:it's|it is|they're|they are|soups? (?:is|are)|the soup is|food is) (?:served|"
        r"delivered|handed in|taken|collected)\b",
        " servingplace ",
    ),
    (r"\bhit the start\b(?: on (?:the |that )?(?:\w+ )?(?:pot|stove|cooker))?", " start the pot "),
    (r"\bmake (?:it|that|this) (?:boil|cook|start|hot|go|work)\b", " start the pot "),
    (r"^(?:an? |the )?(?:new|fresh|next|extra) (?:soup|batch|order)s?\b", " cook soup "),
    (rf"\bdrop ({IT}) off (?:on|at) (?=(?:the|a|that) (?:\w+ )?{COUNTER}\b)", " put it on "),
    (
        r"\b(?:hit|press|push|click) (?:start|go|interact)(?: on (?:the |that )?(?:\w+ )?(?:pot|stove|"
        r"cooker)s?)?\b|\btoggle (?:the |that )?(?:\w+ )?(?:pot|stove|cooker)s?\b",
        " start the pot ",
    ),
    (
        r"\b(?:off|over|straight|out|away|on) to (?:the |that )?([\w ]{3,30}?) with (?:it|that|the soup|"
        r"your soup)\b",
        r" carry soup to \1 ",
    ),
    (r"\bbring it home\b", " serve it "),
    (r"\bget (?:that |the |a )?fire (?:lit|going|started|on)\b", " start the pot "),
    (r"\b(?:make|do|complete|finish) (?:the |a |that |this |our )?(?:delivery|serving)\b", " serve "),
    (
        rf"\bmake (?:the |that |your |this )?((?:{SIDE} )?{POT}) (?:start|cook|boil|go|work|run)(?: "
        rf"cooking| boiling)?\b",
        r" start the \1 ",
    ),
    (
        r"\b(?:run|walk|move|rush|march|hurry|ship|take|bring) (?=(?:that|this) (?:over |out |up |down |"
        r"across |straight )?to\b)",
        " carry ",
    ),
    (
        rf"\b(fill|use|load|start|do|top|feed|refill)( up)? the ({SIDE})(?= *(?:$|[.,;:!?\n]| and\b| "
        rf"instead))",
        r" \1\2 the \3 pot ",
    ),
    (r"\bstart (?:her|him|this|that baby|this baby|that thing|this thing)(?: up)?\b", " start it "),
    (r"\b(?:get|want|need|have) (?=(?:the |a |some )?(?:soup|pot|stew) (?:going|on|started)\b)", " start "),
    (
        r"(?<!fill the )(?<!fill a )(?<!fill your )\b(?:bowl|plate|dish|portion|cup|serving|pot|"
        r"batch)(?:s|es)? of (?:the |that |hot |onion |tomato )*(soup|stew|food)\b",
        "soup",
    ),
    (
        rf"\b(turn|switch|start|use|fill|do|empty|load|top|take|feed|put|cook|in|into|from|with|at|on|"
        rf"by)( on| up| out| with| in)?((?: the)? (?:{SIDE}|back|front|far|first|second|full|finished|"
        rf"ready))(?: one| 1)\b(?! (?:on|from|off) the counter)",
        r"\1\2\3 pot",
    ),
    (
        r"\b(fill|use|do|start|take|feed|cook)( up| on)? the other(?= *(?:$|[.,;!?\n]| and))",
        r"\1\2 the other pot",
    ),
    (
        rf"\b(?:walk|run|rush|march|move|shuttle|jog|hurry|speed|whisk|zoom) (?=(?:(?:the|that|this|"
        rf"your|my|some|an?|two|three|those|all|finished|hot) ?)+(?:{ITEM})\b|(?:it|them) (?:over |out |"
        rf"up |down |across )?to\b)",
        " carry ",
    ),
    (
        r"\b(?:start|begin)(?: on| with| working on| filling| loading)+ (?=(?:the |that |this |a "
        r")?(?:\w+ )?(?:pot|stove)s?\b)",
        " fill ",
    ),
    (
        r"\b(?:get|have) ((?:the |those |that |some |your |an? |three |two )*(?:onions?|tomatoes|tomato|"
        r"ingredients)) (?:boiling|cooking|on the (?:stove|boil|heat)|on|going|in|cooked|started)\b(?! "
        r"the (?:counter|table))",
        r" put \1 in pot ",
    ),
    (
        r"\b(?:serving|delivery|serve|drop|deliver|pick[- ]?up|turn[- ]?in|hand[- ]?in|service|"
        r"collection|checkout|drop[- ]?off|submission|order|goal|customer|plating|output)[- ](?:off "
        r")?(?:window|counter|station|area|hatch|spot|place|point|table|tile|zone|belt|square|block|pad|"
        r"bit|thingy?|location|desk|bar|line|end|side|position|cell|box|section|door|off point)\b|"
        r"\b(?:gr[ae]y|green|white|light|checkered) (?:tile|square|block|zone|thingy?|area|spot|bit|"
        r"counter|one)\b|\bthe (?:serving|serve)(?= *(?:$|[.,;!?]))|\bdrop[- ]?off\b(?= *(?:$|[.,;!?]))|"
        r"\b(?:the |a )?(?:counter|place|spot|tile|window|thing|area|hatch|point)? ?where (?:(?:they|we|"
        r"you|people|customers?|the customers?|i|it|soups?)(?: can)? (?:serve|deliver|hand|turn|take "
        r"orders|take the orders|accept)|(?:the )?(?:customers?|soups?|food|orders?|meals?) (?:go|goes|"
        r"get|gets|is|are|collect|pick|belongs?|take))(?:ed|s|d)?(?: (?:soups?|it|them|things|food|"
        r"orders|served|delivered|collected|up|in|out|off|the \w+))*|\bfinish line\b|\bconveyor(?: "
        r"belt)?\b|\bpass[- ]?through\b",
        " servingplace ",
    ),
    (r"\b(on|at|by|near|to|onto|over|through|up to) the pass\b", r" \1 the servingplace "),
    (r"(^|[.,;:!?\n] *|\bi )(?:the )?(soups?|orders?|food|meals?)(?:'s| is)? up\b", r"\1 serve soup "),
    (
        rf"\bthere(?:'s| is|'re| are)(?: still| already)? (?:a |some |another )?(?:soups?|food|"
        rf"orders?)(?: ready| done| waiting| sitting)* (?:in|on) (?:the |that )?((?:{SIDE} )?{POT})(?: "
        rf"(?:that|which)[\w ]*)?",
        r" plateup soup from the \1 ",
    ),
    (
        rf"\b({SOUP}|it)(?: (?:that's|that is|which is) (?:ready|done|finished|cooked))?(?:'s| is)? "
        rf"(?:(?:need|have|has|want|got|ought)s? to|must|should|can|gotta|will)? ?(?:go|goes|be going|"
        rf"get|leave|be sent|be run|ship) out\b",
        " serve soup ",
    ),
    (
        r"\b(?:customers?|guests?|diners?|people|the (?:customers?|guests?))(?:'s|'re| are| is) (?:\w+ "
        r")?(?:waiting|hungry|starving|impatient|getting \w+|angry|here|expecting \w+)\b",
        " serve ",
    ),
    (
        r"\b(?:feed|please|satisfy|serve|get|give) (?:the |our |your |those )?(?:hungry )?(?:customers?|"
        r"guests?|diners?|people)(?: (?:their|the|some|a|that|this) (?:\w+ )?(?:soups?|food|orders?|"
        r"meals?))?\b",
        " serve ",
    ),
    (
        r"\b(?:complete|fulfil+|finish|close|fill|clear) (?:the |that |this |our |an |those |your "
        r")?(?:next |last |current )?orders?\b|\b(?:get|earn|score|grab|collect|bag|bank|make|claim) "
        r"(?:us )?(?:the |some |those |more |a few )?points?\b|\b(?:score|ship|dispatch|send|cash|bank|"
        r"sell|deliver|submit|fire) (?:it|that|this)\b(?! (?:here|to me|over|across|down|back|my))|"
        r"\b(?:cash|hand|turn|send|call) in\b|\bserve up\b",
        " serve ",
    ),
    (
        rf"\b(?:run|ship|send|rush|push|shoot|fire|whisk|bring|carry|get|move|walk|serve|hand|pass) "
        rf"({IT}) (?:on )?out\b(?! of| the {POT}| from)(?: (?:there|here))?",
        r" serve \1 ",
    ),
    (r"\b(?:run|rush) (?:the |that |this |those )?(?:food|soups?|orders?|meals?)\b", " serve soup "),
    (
        rf"\b(?:(?:hand|turn|give|send|cash|call) ({IT}) in|(?:drop|take|hand|bring|send) (?:{IT}) "
        rf"off)\b(?! (?:the|a|my|your|there|with|into|this|that|{SIDE})\b(?! servingplace))(?: at| to| "
        rf"by| on)?",
        " serve it at ",
    ),
    (rf"\b(?:drop|turn|send|hand|give|take|bring|carry) (?:off|in|out) (?={IT}\b)", " serve "),
    (
        rf"\b(?:get|have) ({IT}) (?:served|delivered|handed in|sent out|out the door|out there)\b",
        r" serve \1 ",
    ),
    (rf"\b(?:get|have) ({IT}) (?:plated|dished|bowled|ladled|scooped)(?: up| out)?\b", r" plateup \1 "),
    (r"\bplated\b", " plateup "),
    (r"\bdeliver (?=me |us )", " bring "),
    (
        r"\b(?:toss|throw|chuck|sling|lob|slide|shoot|fling|yeet|flip|slip|send|bung|spot|shove|push|"
        r"roll|plate|whizz|ship|run|float) (?:me|us)(?! (?:the |that |an? )?way)\b(?= ?)",
        " bring me ",
    ),
    (r"\bbring me(?= *(?:$|[.,;!?]))", " bring me a plate "),
    (
        rf"\b(?:(?:the |my |our |your |that )?(?:soups?|orders?|food|meals?))(?:'s| is| are)?(?: just| "
        rf"still| already| been)? (?:waiting|sitting|getting cold|boiling over|burning|standing)(?: "
        rf"(?:there|around|here))?(?: (?:in|on) (?:the |that )(?:{SIDE} )?{POT})?",
        " soup ready ",
    ),
    (
        r"\b(?:close|open|wash|break|smash|shut|lock) (?:the|a|your|my) (?:windows?|doors?|kitchen|"
        r"tables?|fridge|oven)\b",
        " odd ",
    ),
    (
        r"\b(?:deliver|serve|delivering) (?=(?:me |us )?(?:\w+ ){0,2}(?:onions?|tomato|tomatoes)\b)",
        " bring ",
    ),
    # Filling a plate.
    (
        rf"\b(?:put|pour|tip|get|ladle|spoon|scoop|place|transfer|load|throw|move|dump|empty|bung|chuck|"
        rf"slop|serve|dish) ({IT}) (?:out )?(?:in|into|on|onto|to) (?:an? |the |your |that |my |this "
        rf")?(?:clean |empty |nice )?{DISH}\b",
        " plateup soup ",
    ),
    (
        rf"\b(?:ladle|spoon|scoop)(?:ing)?(?: (?:{IT}|out|up))*\b|\b(?:pour|tip) (?:{IT}|out)\b",
        " plateup soup ",
    ),
    (
        rf"\b(?:use|put|take|bring|hold|get) (?:an? |the |your |that )?{DISH} (?:on|in|into|with|at|to) "
        rf"(?:the |that )?(?=(?:{SIDE} )?(?:{POT}|soup)\b)(?<!counter )",
        " plateup from ",
    ),
    (
        rf"\bempt(?:y|ying)(?: out)? (?:the|that|this|both|your) (?={SIDE} {POT}|{POT})(?<!the empty "
        rf")(?<!an empty )(?<!is empty )",
        " plateup from ",
    ),
    (
        rf"\b(?:take|pull|get|lift|remove|fish|bring|grab|scoop|collect) ({IT})(?: right| straight)? "
        rf"out\b(?: of| from)?(?! to)",
        " plateup from ",
    ),
    (rf"\b(?:take|pull|get|lift|remove|fish) out ({SOUP})\b", " plateup "),
    (
        r"\bfill(?:ing)?(?: up)? (?:your plate|your dish|your bowl|the plate|the dish|the bowl|a plate|"
        r"a bowl|a dish|that plate|that bowl|that dish|plates?|bowls?|dishes)(?: up)?(?: with)?(?: "
        r"(?:some |the )?soup)?\b(?<!fill it)(?<!filling it)",
        " plateup ",
    ),
    (r"\bfill(?:ing)? it (?:up )?with (?:some |the )?soup\b", " plateup "),
    (
        rf"\b(?:plate|dish|bowl|ladle|scoop|spoon)(?:ing)? (?=(?:{IT})\b)(?! up)(?<!the plate )(?<!a "
        rf"plate )(?<!my plate )(?<!a dish )(?<!the dish )(?<!your plate )(?<!clean plate )",
        " plateup ",
    ),
    (
        r"(?<!pick the )(?<!pick a )(?<!take the )(?<!pick that )\b(?:plate|dish|bowl|ladle|scoop|"
        r"spoon)(?:ing)? (?:up|out)\b",
        " plateup ",
    ),
    (
        r"\b(i|i'll|you|you'll|and|then|to|will|can|just|please|going to)\s+plate(?=$| *[.,;!?]| and "
        r"(?:serve|deliver|hand|bring|take|send|you|i)\b| (?:then|while|when|when it's)\b)",
        r"\1 plateup ",
    ),
    (r"\bplating\b", " plateup "),
    # Turning a pot on.
    (
        rf"\b(?:turn|switch|fire|light|heat|crank|power|kick|flip|put|set|get|start|fired|click|bring) "
        rf"({A_POT}|it|that|this) (?:on|up|going|started|cooking|boiling|off|running|to (?:a )?boil|lit|"
        rf"alight|burning|fired up)\b(?! (?:the|a|my|there|in|to)\b)(?! {COUNTER})",
        r" start the \1 pot ",
    ),
    (rf"\b(?:turn|switch|put|flip|power|click) on (?={A_POT})", " start "),
    (r"\b(?:turn|switch|put|flip|power|click) on (?=it\b|that\b)", " start the pot "),
    (
        rf"\b(?:fire up|light(?: up)?|ignite|activate|activating|heat(?: up)?|kick off|crank(?: up)?|"
        rf"power up|press|hit|tap|interact with|trigger|engage|boot up|set off|click(?: on)?|poke|warm "
        rf"up|fire|get started|initiate|begin|start(?: up)?) (?=(?:{A_POT})\b)",
        " start ",
    ),
    (
        r"\b(?:light|fire|heat|ignite|activate|kick|crank|interact with|power|warm) it(?: (?:up|off))?\b",
        " start the pot ",
    ),
    (
        r"\b(?:hit|press|push|click|flip)(?: on)? (?:start|go|the (?:\w+ )?button|interact|the switch|"
        r"space|the start button)(?: on (?:the |that )?(?:\w+ )?(?:pot|stove|cooker)s?)?\b",
        " start the pot ",
    ),
    (
        r"\b(?:start|begin) (?:another|a new one|the next one|a second one|a fresh one|again|on the "
        r"next|on another)(?: one)?(?= *(?:$|[.,;!?\n]| and))",
        " cook soup ",
    ),
    (r"\bpress (?:space|interact|the button|e|enter)(?: bar)? (?:on|at|by|to start)\b", " start "),
    (
        r"\b(?:start|begin|initiate|commence)(?: with)? (?:the )?cooking(?: process)? (?=it\b|that\b|"
        r"the (?:soup|pot|stew)|this\b)",
        " start the ",
    ),
    (
        r"\b(?:start|begin|initiate|commence|get) (?:the |that )?(?:cooking process|boil|cook)\b|"
        r"\bbegin the cooking\b",
        " start the pot ",
    ),
    (
        r"\b(?:start|begin|commence)(?: up)? (?:the )?(?:timer|fire|heat|flame|gas|burners?)\b",
        " start the pot ",
    ),
    (
        r"\b(?:start|begin|commence)(?: on| with| making| preparing| to make| prepping| up)* (?=(?:an?|"
        r"another|some|more|the next|next|new|the second|the third|one more|two|three|again)\b(?: "
        r"\w+){0,2} (?:soups?|batch|batches|orders?|stew|one|meal|pot of))",
        " cook ",
    ),
    (
        r"\bget (?=(?:an?|another|some|more|the next|next|new|the second|one more)\b(?: \w+)? (?:soups?|"
        r"batch|order|stew|one|meal|round)\b (?:going|started|on|cooking|boiling|up|in))",
        " cook ",
    ),
    (
        r"\b(?:start|begin|get|commence|get to|get on with|get busy|resume)(?: with)?(?: the)? cooking\b",
        " cook ",
    ),
]
