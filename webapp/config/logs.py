"""What logs don't hold: the tokens of links and tickets, which open something to whoever reads them, and
tracebacks of what was only refused.
"""

from __future__ import annotations

import logging
import re
from typing import Any

SLASH = r"(?:/|%(?:25)*2[Ff])"
TOKEN = re.compile(
    rf"({SLASH}(?:link|invitation|invite|copilot|key|confirm-email){SLASH}|[?&]ticket=)"
    rf"(?:(?!{SLASH})[^?&\s\"'])+"
)
"""After which part of an address one comes, also where the address is a value in another; a test holds it to
the table of addresses.
"""


def masked(value: Any) -> Any:
    return TOKEN.sub(r"\1…", value) if isinstance(value, str) else value


def _record(*args: Any, **kwargs: Any) -> logging.LogRecord:
    record = logging.LogRecord(*args, **kwargs)
    record.msg = masked(record.msg)
    if isinstance(record.args, tuple):
        record.args = tuple(masked(value) for value in record.args)
    return record


class Refusals(logging.Filter):
    """What was refused to somebody is a line, no traceback: nothing has failed."""

    def filter(self, record: logging.LogRecord) -> bool:
        if getattr(record, "status_code", 500) < 500:
            record.exc_info = record.exc_text = None
        return True


def mask_tokens() -> None:
    """In every line of this process, whoever writes it: ours, Django's, the web server's access log."""
    logging.setLogRecordFactory(_record)
