"""One sentence: which of its parts are conditions and which orders, what goes with what, and the rules that
follow. `parse.py` describes the rules and goes through the sentences of a text.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from engine.games.hanabi.language import conditions
from engine.games.hanabi.language.conditions import Condition, named_kinds
from engine.games.hanabi.language.lexicon import Token
from engine.games.hanabi.language.limits import Limit, applied, limit, lists
from engine.games.hanabi.language.parts import (
    Part,
    actor,
    has_pronoun,
    is_negated,
    is_past,
    of_hinted_cards,
)
from engine.games.hanabi.language.phrases import HINTS, Rule, answering, order_rules

_CONDITIONAL = ("IF", "UNLESS", "ELSE", "SO")
_SELECTORS = ("NEWEST", "OLDEST", "UNTOUCHED", "SLOT", "OTHERS")
_JUDGED = {"PLAYABLE": "PLAY", "USELESS": "DISCARD", "CRITICAL": "KEEP"}


@dataclass
class _Order:
    """An order and what it depends on; `verb` differs from its part's where that has none of its own."""

    part: Part
    verb: str
    condition: Condition | None
    negated: bool
    relative: Part | None = None
    trailed: bool = False
    limit: Limit | None = None


class Sentence:
    """The parts of one sentence, with conditions and orders matched."""

    def __init__(
        self,
        parts: list[Part],
        agent_is_me: bool,
        seen: list[str],
        carried: Condition | None,
        previous: Condition | None,
        is_question: bool,
    ) -> None:
        self.parts, self.agent_is_me, self.seen = parts, agent_is_me, seen
        self.orders: list[_Order] = []
        self.current: Condition | None = carried
        self.previous, self.is_question = previous, is_question
        self.dangling: Condition | None = None  # a condition that no order followed
        self.used_condition: Condition | None = None
        self.read_parts: set[int] = set()
        self.statements: list[Part] = []
        self.limit: Limit | None = None  # said of the card that the next order is about

    def read(self) -> None:
        i = 0
        if self.parts and self.parts[0].tokens and self.parts[0].tokens[0].concept == "WHY":
            return  # "why did you play that?" asks for nothing
        while i < len(self.parts):
            part = self.parts[i]
            following = self.parts[i + 1 :]
            if self._is_condition(part, following):
                i = self._take_condition(i)
            else:
                self._take_order(part, following)
                i += 1

    # -- conditions ---------------------------------------------------------------------------------------

    def _is_condition(self, part: Part, following: list[Part]) -> bool:
        if part.lead == "IF" and self._requests(part):
            return False
        if part.lead in _CONDITIONAL:
            return True
        if part.lead == "MEANS" or self._picks(part):
            return False
        meant = bool(following) and following[0].lead == "MEANS"
        if not part.verb:
            valued = part.has("COLOR_VALUE", "RANK_VALUE") and not part.has("NOT", "PREFER", "RATHER")
            if valued and following and following[0].lead == "IF" and conditions.is_bare(following[0]):
                return True  # "for twos: if I hint them, …"
            bare = part.has("COLOR", "RANK", "COLOR_VALUE", "RANK_VALUE") and not part.has(
                "NOT", "PREFER", "RATHER"
            )
            perfect = any(t.word in ("i'm", "im", "i've") for t in part.tokens)
            return bare and not perfect and (meant or self._answered(part, following))
        if meant:
            return True
        who = actor(part, self.agent_is_me)
        if who == "player" and self._is_asked:
            return True
        if who == "player" and not self._relates(part):
            promises = following and part.has("SOMETHING", "CARD", "THOSE") and not following[0].link
            if promises and following[0].verb == "HINT" and actor(following[0], self.agent_is_me) == "agent":
                return False  # "i will play whatever you hint"
            return part.verb == "HINT" or any(self._orders_something(p) for p in following)
        if part.verb == "HINT" and (part.nominal or part.passive or self._participle(part)):
            if self._relates(part) or any(t.word in ("don't", "never", "stop", "avoid") for t in part.before):
                return False
            return self._is_asked and who != "agent" or self._answered(part, following) or self._judges(part)
        if part.verb == "HINT" and who is None and following and following[0].link == ":":
            return following[0].verb in ("PLAY", "DISCARD", "KEEP")  # "hint by colour: play"
        bare = part.verb in ("PLAY", "DISCARD") and len(part.tokens) == 1 and bool(following)
        return bare and following[0].link == ":" and bool(following[0].verb)  # "discard: hint me"

    @property
    def _is_asked(self) -> bool:
        """Whether the sentence is only "did I discard?" or "a colour hint?", to be answered by the next."""
        return self.is_question and len(self.parts) == 1

    def _participle(self, part: Part) -> bool:
        return bool(part.tokens) and part.tokens[part.at].concept == "HINTED" and not part.has("YOU")

    def _relates(self, part: Part) -> bool:
        """Whether a hint is a part of the order before it: "play the cards i hint"."""
        before = self.orders[-1] if self.orders else None
        if before is None or part.link or part.lead or part.verb != "HINT":
            return False
        if before.part is not self.parts[self._index(part) - 1] or before.verb == "HINT":
            return False
        named = before.part.has("CARD", "THOSE", "SOMETHING", "NEWEST", "OLDEST", "COLOR", "RANK", "OTHERS")
        return named or self._participle(part) or bool(actor(part, self.agent_is_me))

    def _index(self, part: Part) -> int:
        return next(i for i, p in enumerate(self.parts) if p is part)

    def _requests(self, part: Part) -> bool:
        """Whether an "if" is only polite: "it would be great if you played what I hint"."""
        if part.verb not in ("PLAY", "DISCARD", "HINT") or actor(part, self.agent_is_me) != "agent":
            return False
        i = self._index(part)
        others = [p for p in self.parts if p is not part]
        relative = i + 1 < len(self.parts) and not self.parts[i + 1].link and self.parts[i + 1].verb == "HINT"
        if relative and actor(self.parts[i + 1], self.agent_is_me) == "player":
            others.remove(self.parts[i + 1])
        return not any(p.verb or p.has(*_SELECTORS, *_JUDGED, "COLOR", "RANK") for p in others)

    def _picks(self, part: Part) -> bool:
        """Whether a hint says which card the agent's own move is about: "if you toss, one i didn't hint"."""
        own = self.current is not None and self.current.actor == "agent" and self.current.verb != "HINT"
        return own and part.verb == "HINT" and actor(part, self.agent_is_me) != "agent" and not self.orders

    def _judges(self, part: Part) -> bool:
        """ "Cards I hint are playable"."""
        wish = any(t.word == "my" for t in part.after)  # "colour hints for my playable cards"
        return any(t.concept in _JUDGED for t in part.after) and not part.has("NOT") and not wish

    def _answered(self, part: Part, following: list[Part]) -> bool:
        """Whether an order follows a hint as a thing: "colour: play"."""
        for other in following:
            if other.lead in _CONDITIONAL:
                return False
            if other.verb in ("PLAY", "DISCARD", "KEEP"):
                return True
            if other.has(*_JUDGED) and not other.verb:
                return True
            if other.verb == "HINT" and other.link in (":", "COMMA", "THEN", "") and not other.nominal:
                return True
        return False

    def _orders_something(self, part: Part) -> bool:
        if part.lead in _CONDITIONAL:
            return False
        return (
            bool(part.verb)
            and actor(part, self.agent_is_me) != "player"
            or (not part.verb and part.has(*_JUDGED, *_SELECTORS))
        )

    def _take_condition(self, i: int) -> int:
        """Reads the condition that starts at part `i` and what it belongs to; returns the next part."""
        first = self.parts[i]
        end = i + 1
        while end < len(self.parts) and self._continues(i, end):
            end += 1
        group = self.parts[i:end]
        if after := self._limits(i):
            return after
        before = self.current or (self.orders[-1].condition if self.orders else None) or self.previous
        condition = conditions.read(group, self.agent_is_me, self.seen, before)
        if condition is not None and not condition.is_else:
            self.seen += [k for k in condition.kinds if k not in self.seen]
        self.read_parts |= {id(p) for p in group}
        topic = self.current or (self.orders[-1].condition if self.orders else None)
        if condition is not None and topic is not None and topic.loose and conditions.is_bare(first):
            if any(w and "value" in w for w in topic.whens):
                condition = topic  # "ones: play them when hinted"
        last = group[-1]
        ordered = self._order_follows(end)
        judged = first.verb == "HINT" and not ordered and self._judged(group)
        behind = self.orders[-1] if self.orders else None
        trailing = (
            behind is not None
            and not judged
            and first.lead is not None
            and (
                not ordered
                or (not first.link and behind.condition is None and first.lead != "ELSE")
                or (first.lead == "UNLESS" and self.parts[end].link == "THEN")
            )
        )
        if condition is None:
            self.current = None
            return end
        only = behind is not None and behind.negated and behind.condition is not None and first.has("ONLY")
        if only and behind is not None and first.link and not ordered:
            # "Don't play when I hint ranks, only when I hint colours."
            self.orders.append(_Order(behind.part, behind.verb, condition, False, behind.relative, True))
            return end
        refined = behind is not None and conditions.refined(behind.condition, condition, group)
        if refined and behind is not None:
            behind.condition = refined
            self.current = None
        elif trailing and behind is not None and behind.condition is not None and condition.unless:
            behind.condition = conditions.without(behind.condition, condition)
            self.current = None
        elif trailing and behind is not None:
            behind.condition, behind.trailed = condition, True
            for other in reversed(self.orders[:-1]):
                if (
                    other.trailed
                    or other.condition is not None
                    or self.orders[self.orders.index(other) + 1].part.link != "OR"
                ):
                    break
                other.condition, other.trailed = condition, True
            then = end < len(self.parts) and self.parts[end].link == "THEN" and condition.unless
            self.current = replace(condition, unless=False) if then else None
        else:
            self.current = condition
            if not ordered and not judged:
                self.dangling = condition if first.verb == "HINT" or first.lead or self._is_asked else None
        if judged:
            token = next(t for p in group for t in p.tokens[p.at + 1 :] if t.concept in _JUDGED)
            self.orders.append(_Order(Part([token]), _JUDGED[token.concept], condition, last.has("NOT")))
        return end

    def _limits(self, i: int) -> int:
        """Gives an order what the parts from `i` on say of its card; the part after them, or 0 if they are
        about something else.
        """
        end = i + 1
        while end < len(self.parts) and lists(self.parts[end]):
            end += 1
        group = self.parts[i:end]
        behind = self.orders[-1] if self.orders else None
        found = limit(group, self.agent_is_me, behind.part if behind is not None else None)
        follows = any(self._orders_something(part) for part in self.parts[end:])
        if found is None or behind is None and not follows:
            return 0
        condition = behind.condition if behind is not None else self.current
        hinted = condition is not None and found.kinds <= set(condition.kinds)
        if hinted and (found.only or group[0].lead == "UNLESS"):
            return 0  # "play what I hint unless it's a five" is about the hint as well
        self.read_parts |= {id(part) for part in group}
        if behind is not None:
            behind.limit = found
        else:
            self.limit = found
        return end

    def _judged(self, group: list[Part]) -> bool:
        return any(self._judges(p) for p in group)

    def _continues(self, first: int, i: int) -> bool:
        """Whether part `i` still belongs to the condition that starts at part `first`."""
        part, before = self.parts[i], self.parts[i - 1]
        if part.lead is not None or before.verb == "START" and not before.lead:
            return False
        more = self._order_follows(i + 1)
        if not part.verb:
            if part.has(*_JUDGED) and not more:
                return False
            kinds = part.has("COLOR", "RANK", "COLOR_VALUE", "RANK_VALUE", "ONE", "MANY")
            if self.parts[first].verb == "START":
                return False
            return more and not part.has(*_SELECTORS) and (kinds or part.link != "COMMA" or not part.tokens)
        who = actor(part, self.agent_is_me)
        if not more or self.parts[first].verb == "START":
            return False
        if part.link == "OR" and who in (None, "player"):
            return True
        kinds = part.has("COLOR", "RANK", "COLOR_VALUE", "RANK_VALUE")
        if part.link in ("AND", "OR", "COMMA") and part.nominal and kinds and not self.parts[first].lead:
            return True  # "my red and green hints mean …"
        if part.link in ("AND", "BUT", "COMMA") and part.verb == "HINT" and part.has("ONE", "MANY"):
            return True
        return part.link == "AND" and who == "player"

    def _order_follows(self, i: int) -> bool:
        """Whether an order comes at part `i` or after, before the next condition."""
        for n, part in enumerate(self.parts[i:]):
            if part.lead in _CONDITIONAL:
                return False
            if self._orders_something(part) or part.lead == "MEANS":
                return True
            # The player's own answer: "when you hint a colour, I will play it".
            if part.verb and n == 0:
                return True
        return False

    # -- orders -------------------------------------------------------------------------------------------

    def _take_order(self, part: Part, following: list[Part]) -> None:
        verb, negated = part.verb, is_negated(part)
        before = self.orders[-1] if self.orders else None
        promised = self.statements[-1] if self.statements else None
        if (
            promised is not None
            and verb == "HINT"
            and not part.link
            and actor(part, self.agent_is_me) == "agent"
        ):
            # "I will play whatever you hint by colour."
            condition = conditions.read([part], self.agent_is_me, self.seen, None)
            self.orders.append(_Order(promised, promised.verb, condition, is_negated(promised)))
            self.read_parts.add(id(part))
            return
        if verb and self._relates(part) and before is not None:
            self.read_parts.add(id(part))
            self._relate(before, part)
            return
        i = self._index(part)
        topic = self.parts[i - 1] if i and part.link == "COMMA" else None
        pronoun = has_pronoun(part) or bool(part.verb) and not part.after
        if topic is not None and not topic.verb and topic.has(*_SELECTORS) and pronoun:
            if not part.has(*_SELECTORS):  # "the oldest unhinted card, discard that"
                part.tokens = [*part.tokens, *topic.tokens]
                self.read_parts.add(id(topic))
        if self._picks(part) and self.current is not None:
            self.orders.append(_Order(Part(), self.current.verb, self.current, False, part))
            self.read_parts.add(id(part))
            return
        if not verb:
            verb, negated = self._verbless(part, following, before)
            if not verb:
                return
        elif part.link == "OR" and before is not None and before.negated and not self.agent_is_me:
            negated = True
        who = actor(part, self.agent_is_me)
        if who == "other" or part.passive and verb == "HINT":
            return
        if is_past(part) and part.lead != "MEANS":
            return
        condition = self.current
        if part.lead is None and condition is not None and condition.loose and part.link == "COMMA":
            if part.has(*_SELECTORS) and not part.has("THOSE") and len(self.orders) > 0:
                condition = None
        if condition is None and part.lead is None and part.link and before is not None:
            bare = negated and not part.after and verb != "HINT"  # "play on colours, don't discard"
            contrast = before.negated and before.trailed and not negated and before.verb == verb
            contrast = contrast and part.link == "COMMA" and not part.has("ALWAYS")
            condition = before.condition if bare or contrast or has_pronoun(part) else None
        if (
            condition is not None
            and part.link
            and self.orders
            and part.has("ALWAYS")
            and not part.has("THOSE")
        ):
            condition = None
        if (
            condition is None
            and part.lead is None
            and self.previous is not None
            and self._goes_on(part, verb)
        ):
            condition = replace(self.previous, unless=False) if part.link == "THEN" else self.previous
        if condition is None and verb != "HINT" and of_hinted_cards(part):
            kinds = named_kinds(part.tokens)[0] or list(HINTS)
            condition = Condition([{"partner_did": kinds}], kinds, relative=True)
        negated = negated or part.not_led
        if who == "player" and not (condition is not None and condition.actor == "agent"):
            self.statements.append(part)
            self.read_parts.add(id(part))
            return
        self.read_parts.add(id(part))
        self.orders.append(_Order(part, verb, condition, negated, limit=self.limit))
        self.limit = None

    def _goes_on(self, part: Part, verb: str) -> bool:
        """Whether an order speaks of the cards of the sentence before: "Play them.", "Discard A instead."."""
        if self.orders or any(p.lead for p in self.parts):
            return False
        if part.link == "THEN" and self.previous is not None and self.previous.unless:
            return True  # "… unless I hint you. Then play."
        if part.has("INSTEAD") and self.previous is not None and not self.previous.relative:
            return True
        return (
            verb != "HINT"
            and (has_pronoun(part) or part.has("OTHERS"))
            and not part.has("NEWEST", "OLDEST", "SLOT")
        )

    def _verbless(self, part: Part, following: list[Part], before: _Order | None) -> tuple[str, bool]:
        """The verb that a part without one takes over, and whether it is negated."""
        judged = next((t for t in part.tokens if t.concept in _JUDGED), None)
        if judged is not None and self.current is not None and self.current.actor != "agent":
            return _JUDGED[judged.concept], part.has("NOT")
        selects = part.has(*_SELECTORS)
        if (
            following
            and following[0].lead == "IF"
            and not self.orders
            and (selects or part.has("COLOR", "RANK"))
        ):
            own = conditions.read(following[:1], self.agent_is_me, [], None)
            if own is not None and own.actor == "agent" and own.verb:
                return own.verb, part.has("NOT")
        kinds = part.has("COLOR", "RANK", "COLOR_VALUE", "RANK_VALUE", "SAME", "SWAP")
        if (
            self.current is not None
            and self.current.verb
            and (selects or kinds)
            and self.current.actor == "agent"
        ):
            if (self.current.verb == "HINT") == kinds or selects:
                return self.current.verb, part.has("NOT", "RATHER")
        hinted = self.current is not None and self.current.kinds and set(self.current.kinds) <= set(HINTS)
        if before is None and selects and hinted:
            return "PLAY", part.has("NOT")  # "if I hint a colour, go for the newest of them"
        if (
            before is not None
            and part.link
            and (selects and before.verb != "HINT" or kinds and before.verb == "HINT")
        ):
            contrast = before.negated or (bool(following) and following[0].lead in ("IF", "UNLESS"))
            contrast = contrast or self.current is not before.condition
            if contrast:
                return before.verb, part.has("NOT") or part.has("RATHER") and not before.negated
            before.part.tokens = [*before.part.tokens, Token(",", "COMMA"), *part.tokens]
            self.read_parts.add(id(part))
            return "", False
        if kinds and (
            part.has("PREFER", "ONLY", "RATHER", "MORE", "LESS", "SAY")
            or self.current is not None
            and before is None
            or not any(p.verb for p in self.parts)
            and any(t.concept in ("COLOR", "RANK") and t.word.endswith("s") for t in part.tokens)
        ):
            return "HINT", part.has("NOT") and not part.has("RATHER", "ONLY")
        return "", False

    def _relate(self, order: _Order, part: Part) -> None:
        """ "Play the cards that I hint by colour", "discard cards that I have not hinted"."""
        order.relative = part
        if part.has("NOT"):
            return
        if order.condition is not None and order.condition.actor != "agent":
            return
        condition = conditions.read([part], self.agent_is_me, self.seen, None, topic=order.part.after)
        if condition is not None and condition.actor != "agent":
            order.condition = condition
            self.seen += [k for k in condition.kinds if k not in self.seen]

    def rules(self) -> list[list[Rule]]:
        """One list of rules for each order."""
        groups = []
        for order in self.orders:
            if order.condition is not None:
                self.used_condition = order.condition
            rules = self._rules(order)
            if rules:
                groups.append(rules)
        if not groups:
            groups = [r for r in (self._statement(p) for p in self.statements) if r]
        return groups

    def _rules(self, order: _Order) -> list[Rule]:
        condition = order.condition
        if (
            condition is not None
            and condition.actor == "agent"
            and actor(order.part, self.agent_is_me) == "player"
        ):
            return answering(order.verb, order.negated, condition.kinds)
        rules = order_rules(order.part, order.verb, condition, order.negated, order.relative)
        if order.limit is not None:
            rules = applied(rules, order.limit)
        about_hinted = any(str(r["then"].get("cards", "")).startswith("touched") for r in rules)
        if condition is not None and condition.of_both and about_hinted and not order.relative:
            rules = rules + [
                r for r in answering(order.verb, order.negated, condition.kinds) if r not in rules
            ]
        return rules

    def _statement(self, part: Part) -> list[Rule]:
        """What the player says of their own habits, where the agent can do something about it."""
        if part.verb == "DISCARD" and part.has("OLDEST") and not is_negated(part):
            return [{"then": {"action": "hint", "for": "critical", "on": "oldest"}, "weight": 1.0}]
        return []
