"""Phrases that wish, ask and forbid, as regular expressions and what they become.

Data alone; `lexicon.py` applies them in order, after those of `wording.py`.
"""

from __future__ import annotations

WISHES: list[tuple[str, str]] = [
    # Wishes and politeness.
    (
        r"\b(?:i(?:'d|d| would| will|'m| am|'ll)? (?:(?:also|really|rather|much|just|very much|strongly|"
        r"kindly|only|be) )*"
        r"(?:want|like|love|need|wish|expect|hope|suggest|propose|think|believe|reckon|feel|appreciate|"
        r"recommend|"
        r"be (?:happy|glad|grateful|delighted|pleased)|happy|glad|grateful|delighted|asking|hoping|"
        r"thinking|begging|beg|ask|request|advise|insist)"
        r"(?: for| that| it(?!'))?(?: if| when)?)\b(?= (?:you|u|the agent)\b)",
        " ",
    ),
    (
        r"\b(?:i(?:'d|d| would| will|'m| am|'ll)? (?:(?:also|really|rather|much|just|very much|strongly|"
        r"kindly|only|be) )*"
        r"(?:want|like|love|need|wish|expect|hope|suggest|propose|think|believe|reckon|feel|appreciate|"
        r"recommend|"
        r"be (?:happy|glad|grateful|delighted|pleased)|happy|glad|grateful|delighted|asking|hoping|"
        r"thinking|begging|beg|ask|request|advise|insist)"
        r"(?: for| that| it(?!'))?(?: if| when)?)\b(?: to (?:see|get|have|receive|be given|hear))?",
        " , ",
    ),
    (
        r"\b(?:it(?:'s| is| would be|'d be) (?:best|better|nice|great|good|fine|lovely|helpful|preferable|"
        r"wise|great)(?: for (?:me|us|you|both))?(?: if| that| to)?)\b",
        " please ",
    ),
    (
        r"\bi(?:'d|d| would) (?:(?:much|really) )?(?:prefer|rather)\b|\bi prefer\b|"
        r"\bmy preference is(?: for)?\b",
        " prefer ",
    ),
    (
        r"\bwould(?:n't)? you (?:please |kindly )?(?:mind|be (?:able|so (?:kind|good))|like|consider|"
        r"care)(?: as)?(?: to)?\b|\bif you(?:'d| would| could)? (?:don't )?(?:mind|please|be so kind)\b",
        " please ",
    ),
    (r"\b(?:can|could|may|might|would|will|must|should) (you|we|u)\b", r" \1 "),
    (r"\b(?:if|when(?:ever)?) (?:possible|you can|you like|you want|needed|necessary|you could)\b", " "),
    (
        r"\b(?:tell|telling|ask|asking|told|asked|command|commanding|instruct|order|want|need) (you|me) to\b",
        r" \1 ",
    ),
    (
        r"\b(?:tells?|telling|asks?|orders?|invites?|instructs?|signals?|commands?|requests?|lets?|cues?|"
        r"prompts?|urges?|wants?) (?:you|me|us|(?:the |each )other|(?:the |your )partner) (?:to|"
        r"it's time to)\b|\bi want you to\b(?<=means )",
        " means ",
    ),
    (r"\bi(?:'m| am) going to\b|\bi(?:'m| am) gonna\b|\bi intend to\b|\bi plan to\b", " i will "),
    (
        r"\b(?:be sure|be careful|take care|remember|try|see)(?: that| to)?(?: (?:you|it's|it is|"
        r"its)(?! \w+n't))?",
        " ",
    ),
    (
        r"\bno matter (?:what|whether)(?: (?:i|my partner|happens) ?(?:do|does|did)?)?\b|"
        r"\bwhatever (?:i do|happens|my partner does|your partner does)\b|\bregardless(?: of (?:what i do|"
        r"my move|anything))?\b|\b(?:every|each) turn\b|\bat all times\b|\ball the time\b|"
        r"\ball game(?: long)?\b|\bunder (?:any|all) circumstances\b|\bright (?:away|now)\b|\bat once\b|"
        r"\bstraight ?away\b|\bfrom now on\b|\bwithout (?:delay|hesitation|fail|exception|thinking)\b|"
        r"\bon the spot\b",
        " always ",
    ),
    (
        r"\b(?:under|in) no circumstances?\b|\bon no account\b|\bnot ever\b|\bno longer\b|"
        r"\bnot? need to\b|\bhands? off\b|\bby no means\b|\bat no time\b|\bleave off\b",
        " never ",
    ),
    (
        r"\b(?:if|when(?:ever)?) (?:in doubt|(?:you|i|we)(?:'re| are|'m| am) (?:in doubt|unsure"
        r"|not sure)(?: what to do)?|(?:there is|there's|(?:you|i|we) (?:have|see|'ve got|"
        r"got)) (?:nothing(?: (?:else|better|good|obvious|safe))?|no (?:other|better|good|obvious|safe|"
        r"clear)(?: (?:move|idea|card|thing|option|play))?|no (?:move|idea|option))(?: to (?:do|play))?|"
        r"nothing (?:else )?(?:to (?:do|play)|is playable))",
        " if unknownstate ",
    ),
    (
        r"\b(?:nothing|anything|something|no (?:good |safe )?cards?|what) to (?:play|discard|hint|do|say)\b",
        " unknownstate ",
    ),
    (
        r"\bif (?=you (?:have to|must|need to|are forced to|'re forced to|get to|are going to|"
        r"'re going to|want to|decide to|do|ever|really)\b)(you) (?:(?:have|must|need|are|'re|want|decide|"
        r"going|do|forced|get|ever|really|to|must) ?)+",
        r" if \1 ",
    ),
    (
        r"\b(?:if|when) forced to\b|\bwhen (?:it comes|it's time|the time comes|you come|you get) to\b|"
        r"\bas for\b|\bin terms of\b",
        " if ",
    ),
]
