"""Players' instructions to agents: a table for admins, with the reading of each, and its exports. Not for
players' own history (the lobby), nor for training (`manage.py reader`).
"""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterator
from typing import Any

from django.db.models import Q, QuerySet
from django.http import HttpRequest, HttpResponse, QueryDict, StreamingHttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_GET

from engine import language
from engine.simulation.life import State
from webapp.accounts.roles import role_required
from webapp.common.pages import Stretch
from webapp.datasets import corrections
from webapp.matches.models import Instruction

PER_PAGE = 50
WHICH = {
    "corrected": "corrected by the player",
    "unread": "not read",
    "opinion": "read by the language model",
    "judged": "judged by the player",
}
COLUMNS = ("at", "game", "episode", "tick", "player", "text", "status", "reading", "left_out")
COLUMNS += ("offered_first", "read_by", "judged")
FORMULA = ("=", "+", "-", "@", "\t", "\r")


def filtered(query: QueryDict) -> QuerySet[Instruction]:
    found = Instruction.objects.select_related("match", "user").order_by("-created_at", "pk")
    if query.get("game") in language.games():
        found = found.filter(match__game=query["game"])
    if text := query.get("text", "").replace("\x00", "").strip():
        found = found.filter(text__icontains=text)
    which = query.get("which")
    if which == "corrected":
        found = found.filter(Q(reading__chosen__gt=0) | Q(replaces__isnull=False))
    elif which == "unread":
        found = found.filter(status=State.UNREAD)
    elif which == "judged":
        found = found.exclude(judged=0)
    elif which == "opinion":
        found = found.filter(reading__opinion__isnull=False)
    return found


def told(one: Instruction) -> dict[str, Any]:
    """One instruction as a row of COLUMNS."""
    reading = one.reading or {}
    first = reading.get("offered") or reading.get("embedded") or {}
    return {
        "at": one.created_at.isoformat(),
        "game": one.match.game,
        "episode": str(one.match_id),
        "tick": one.tick,
        "player": one.user.pseudonym if one.user else "",
        "text": one.text,
        "status": one.status,
        "reading": "" if reading.get("refused", True) else reading["sentence"],
        "left_out": "" if reading.get("refused", True) else "; ".join(reading.get("unread", [])),
        "offered_first": "" if first.get("refused", True) else first["sentence"],
        "read_by": reading.get("opinion", {}).get("model", "embedded"),
        "judged": {1: "yes, that", -1: "no"}.get(one.judged, ""),
    }


@require_GET
@role_required("admin")
def listing(request: HttpRequest) -> HttpResponse:
    searched = request.GET.get("text", "").strip() or request.GET.get("which")
    all_rows = Instruction.objects.order_by("-created_at", "pk") if searched else None
    page = Stretch.of(request.GET, filtered(request.GET), PER_PAGE, all_rows)
    query = request.GET.copy()
    for name in ("before", "after", "end"):
        query.pop(name, None)
    context = {
        "page": page,
        "rows": [told(one) for one in page.object_list],
        "query": request.GET,
        "rest": query.urlencode(),
        "filtered": any(query.values()),
        "games": language.games(),
        "which": WHICH.items(),
    }
    return render(request, "datasets/instructions.html", context)


@require_GET
@role_required("admin")
def as_table(request: HttpRequest) -> HttpResponse:
    """All that the filters let through, for spreadsheets."""
    return _download(_csv(filtered(request.GET)), "text/csv; charset=utf-8", "instructions.csv")


@require_GET
@role_required("admin")
def as_corrections(request: HttpRequest) -> HttpResponse:
    """What `manage.py datasets corrections` writes: the reader's training data."""
    game = request.GET.get("game", "")
    found = corrections.rows(game if game in language.games() else "")
    lines = (json.dumps(row, ensure_ascii=False) + "\n" for row in found)
    return _download(lines, "application/x-ndjson", "corrections.jsonl")


def _csv(found: QuerySet[Instruction]) -> Iterator[str]:
    yield _line(COLUMNS)
    for one in found.iterator(500):
        yield _line([harmless(value) for value in told(one).values()])


def harmless(value: Any) -> Any:
    """A cell that no spreadsheet takes for a formula."""
    return f"'{value}" if isinstance(value, str) and value.startswith(FORMULA) else value


def _line(cells: Any) -> str:
    text = io.StringIO()
    csv.writer(text).writerow(cells)
    return text.getvalue()


def _download(parts: Iterator[str], kind: str, name: str) -> HttpResponse:
    return StreamingHttpResponse(
        parts, content_type=kind, headers={"Content-Disposition": f'attachment; filename="{name}"'}
    )
