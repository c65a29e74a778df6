"""Odd values, from one seeded generator: what people paste by mistake, programs send by fault, and others on
purpose. The same seed gives the same values in the same order.
"""

from __future__ import annotations

import copy
import json
import random
import uuid
from typing import Any

TEXTS = (
    "", " ", "\n\r\t", "\x00", "a\x00b", "\x07\x1b[2J", "\u202eabc", "\u200b\u2028", "²", "٣", "½", "🧅",
    "🎉" * 700, "\ud83c", "red \udfff", "null", "None", "undefined", "NaN", "true", "[]", "{}", "__proto__",
    "../../etc/passwd", "/etc/passwd\x00.png", "C:\\x", "file:///etc/passwd", "http://127.0.0.1:1/",
    "javascript:alert(1)", "//evil.example", "<img src=x onerror=alert(1)>", "{{ 7*7 }}", "{% debug %}",
    "%s%n", "%00", "%ff", "' OR 1=1 --", '"; DROP TABLE x; --', "=1+1", "x" * 41, "x" * 300, "x" * 5000,
    "word " * 4000, "é" * 3000, "İ", "ß", "混一色", "a/b", "a?b#c", "a&b=c", "..", "play your newest card",
    "you do onions, I serve", "follow me",
)  # fmt: skip
NUMBERS = (
    "0", "1", "-1", "+1", "2", "7", "007", "1.5", "1e3", "1e400", "0x10", "1_0", "²", "٣", "½", "Ⅷ", "inf",
    "-inf", "nan", "255", "256", "32768", "65536", "2147483647", "2147483648", "4294967296",
    "9223372036854775807", "9223372036854775808", "-9223372036854775809", "1" + "0" * 30, "9" * 4300,
    "9" * 5000, "",
)  # fmt: skip
VALUES: tuple[Any, ...] = (
    None, True, False, 0, 1, -1, 2, 3, 7, 0.5, -0.0, 1e308, float("nan"), float("inf"), float("-inf"), 255,
    256, 32_767, 65_536, 2**31 - 1, 2**31, 2**53, 2**63 - 1, 2**63, -(2**63) - 1, 10**30, 10**400, [], {},
    [[]], [None], [1, 2, 3], {"": ""}, {"a": {"a": {"a": 1}}}, [0] * 3000,
)  # fmt: skip
# Texts of JSON that json.dumps doesn't write.
BODIES = (
    b"", b"{", b"nonsense", b"\xff\xfe\x00", b'{"a": \xff}', b"[" * 900, b"[" * 100_000,
    b'{"a":' * 900 + b"1" + b"}" * 900, b'{"a": %s}' % (b"9" * 5000), b'{"a": NaN}', b'{"a": -Infinity}',
    b'{"a": 1e999}', b'{"a": 1, "a": 2}', b'{"a": "\\ud83c"}', b'{"a": "\\u0000"}', b"\xef\xbb\xbf{}",
    '{"a": 1}'.encode("utf-16"), b"[]", b"null", b"3", b'"text"', b"true",
)  # fmt: skip


class Odd:
    """A seeded source of odd values."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)

    def pick(self, *choices: Any) -> Any:
        return self.random.choice(choices)

    def chance(self, share: float) -> bool:
        return self.random.random() < share

    def text(self) -> str:
        """Half of them texts of letters, the others what ought to be a number."""
        if self.chance(0.1):
            return "".join(chr(self.random.randrange(0x2000)) for _ in range(self.random.randrange(1, 30)))
        return self.pick(*TEXTS) if self.chance(0.6) else self.number()

    def number(self) -> str:
        return self.pick(*NUMBERS)

    def id(self) -> str:
        return str(uuid.UUID(int=self.random.getrandbits(128), version=4))

    def value(self) -> Any:
        """A value of JSON, or one that only Python takes for it."""
        kind = self.random.randrange(10)
        if kind < 5:
            return copy.deepcopy(self.pick(*VALUES))
        if kind < 8:
            return self.text()
        if kind == 8:
            return self.id()
        return deep(self.pick(3, 15, 17, 40, 600))

    def like(self, good: dict[str, Any], share: float = 0.4) -> dict[str, Any]:
        """A good object of which some fields are odd, missing or too many."""
        changed = {}
        for name, value in good.items():
            if not self.chance(share):
                changed[name] = value
            elif isinstance(value, dict) and self.chance(0.5):
                changed[name] = self.like(value)
            elif isinstance(value, list) and value and self.chance(0.5):
                changed[name] = [
                    self.like(item) if isinstance(item, dict) else self.value() for item in value
                ]
            elif not self.chance(0.15):
                changed[name] = self.value()
        if self.chance(0.1):
            changed[self.text()] = self.value()
        return changed

    def body(self, good: dict[str, Any]) -> bytes:
        """The bytes of a body that ought to be like this object."""
        return self.pick(*BODIES) if self.chance(0.2) else dumped(self.like(good))

    def bytes(self, most: int = 200) -> bytes:
        return self.random.randbytes(self.random.randrange(most))


def deep(levels: int) -> Any:
    nested: Any = 1
    for level in range(levels):
        nested = [nested] if level % 2 else {"a": nested}
    return nested


def dumped(value: Any) -> bytes:
    """As JSON, or what comes nearest to it."""
    try:
        return json.dumps(value).encode()
    except (ValueError, RecursionError):  # numbers of more digits than Python writes
        return b"[" * 100_000


def shown(sent: Any) -> str:
    """What was sent, short and on one line, for a report."""
    text = ascii(sent)
    return text if len(text) <= 160 else f"{text[:120]}… ({len(text)} characters)"
