"""What may cross the site's borders, as lists in the documents, made from the shapes that check it.

.venv/bin/python -m tools.shapes    # rewrites docs/protocol.md and docs/data-formats.md
"""

from __future__ import annotations

import json
import os
import re
import textwrap
from collections.abc import Callable, Iterator
from functools import partial
from importlib import import_module
from pathlib import Path

from engine.shapes import Schema, allowed, opened, schema_of

DOCS = Path(__file__).resolve().parent.parent / "docs"


def wrapped(text: str, indent: str = "") -> str:
    return textwrap.fill(
        text,
        120,
        initial_indent=indent,
        subsequent_indent=f"{indent}  ",
        break_long_words=False,
        break_on_hyphens=False,
    )


def fields(schema: Schema, but: tuple[str, ...] = (), indent: str = "  ") -> Iterator[str]:
    """A line a field: what is allowed, whether it may be left out, what it means."""
    for name, field in schema.get("properties", {}).items():
        if name in but:
            continue
        needed = name in schema.get("required", ())
        default = field.get("default")
        default = "" if default in (None, "", []) or isinstance(default, dict) else f": {json.dumps(default)}"
        left_out = "" if needed else f" (may be left out{default})"
        about = " ".join(f". {field.get('description', '')}".split()).removesuffix(".").rstrip()
        yield wrapped(f"- `{name}`: {allowed(opened(field, schema))}{left_out}{about}", indent)


def messages() -> str:
    """Every message that a match takes."""
    from webapp.host.messages import MODULES, SHAPES, example

    lines = []
    for module, (kind, shape) in zip(MODULES, SHAPES.items(), strict=True):
        about = " ".join(str(module.__doc__).split())
        lines.append(wrapped(f"- `{json.dumps(example(kind))}`: {about}"))
        lines += fields(schema_of(shape), ("seq",))
    return "\n".join(lines)


def listed(shape: str) -> str:
    """The fields of a shape, by its dotted name."""
    module, name = shape.rsplit(".", 1)
    return "\n".join(fields(schema_of(getattr(import_module(module), name))))


PARTS: dict[str, Callable[[], str]] = {
    "messages": messages,
    "card": partial(listed, "engine.agents.cards.Card"),
    "manifest": partial(listed, "webapp.datasets.snapshot_reading.Manifest"),
    "filters": partial(listed, "webapp.datasets.selection.Filters"),
}


def made(text: str) -> str:
    """The document with each part between `<!-- shapes: NAME -->` and `<!-- /shapes -->` made anew."""
    return re.sub(
        r"(<!-- shapes: (\w+) -->\n).*?(?=<!-- /shapes -->)",
        lambda found: f"{found[1]}{PARTS[found[2]]()}\n",
        text,
        flags=re.DOTALL,
    )


if __name__ == "__main__":
    import django

    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "webapp.config.settings")
    django.setup()
    for page in (DOCS / "protocol.md", DOCS / "data-formats.md"):
        page.write_text(made(page.read_text()))
