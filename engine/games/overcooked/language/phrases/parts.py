"""Parts of the patterns of this folder: the things of a kitchen in all their words."""

from __future__ import annotations

ITEM = r"(?:onions?|plates?|dish(?:es)?|bowls?|tomatoes|tomato|soups?|ingredients?|veg(?:gies|etables)?)"
RAW = r"(?:onions?|plates?|dish(?:es)?|bowls?|tomatoes|tomato|ingredients?|veg(?:gies|etables)?)"
DISH = r"(?:plates?|dish(?:es)?|bowls?)"
COUNTER = (
    r"(?:counters?|countertops?|tables?|bench(?:es)?|worktops?|shelf|shelves|island|surface|divider|"
    r"ledge|side)"
)
SIDE = (
    r"(?:left|right|top|bottom|upper|lower|middle|cent(?:er|re)|near(?:est)?|close(?:st)?|other|"
    r"north\w*|south\w*|east\w*|west\w*)"
)
POT = r"(?:pots?|stoves?|cookers?|hobs?|burners?|pans?|ovens?|kettle|cauldron)"
ON = r"(?:heat|fire|flame|gas|timer)"
A_POT = rf"(?:(?:the|that|this|your|a|my|both|each) )?(?:{SIDE}(?:[- ]?hand)? )?(?:full )?(?:{POT}|{ON})"
SOUP = (
    r"(?:(?:the|that|a|this|those|your|our|my|some|all|finished|ready|done|cooked|hot|first|of) "
    r"){0,4}(?:soups?|meals?|food|orders?|stew|broth)"
)
IT = rf"(?:{SOUP}|it|that|this|them|that thing|this one|that one)"
