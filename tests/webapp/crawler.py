"""Walks through the site as a browser would without scripts: every link, form, fragment and asset of every
page that it comes to. What is wrong is collected, a line each; nothing is asserted here.
"""

from __future__ import annotations

import json
import re
import traceback
from collections import Counter, deque
from collections.abc import Iterator
from dataclasses import dataclass, field
from html.parser import HTMLParser
from http.cookies import SimpleCookie
from pathlib import Path
from urllib.parse import urldefrag, urlencode, urljoin, urlsplit

from django.conf import settings
from django.contrib.staticfiles import finders
from django.core.cache import cache
from django.core.signals import got_request_exception
from django.db import transaction
from django.test import Client
from django.urls import Resolver404, resolve

HOST = "testserver"
SILENT = {"script", "style", "template", "title", "code", "pre", "textarea"}
SPOKEN = ("alt", "title", "aria-label", "placeholder")
REFERRING = ("aria-describedby", "aria-labelledby")
# What a template or a script shows when something was forgotten.
ODD = re.compile(
    r"\bNaN\b|\bundefined\b|\{\{|\{%|\[object |Traceback \(most recent|<[A-Z]\w+: "
    r"|\bNone$|^None\b(?! yet|\.)|: None\b"
)
SCRIPT_IMPORT = re.compile(r"""(?:from|import)\s*\(?\s*["'](\.{1,2}/[^"']+)["']""")
# Pages of one kind that are opened, beside those where a walk begins; forms of one kind that are sent: those
# about one thing (a match, an episode), and those that are the same everywhere.
MOST_PAGES, MOST_FORMS, MOST_SAME = 8, 8, 2


@dataclass
class Form:
    method: str
    action: str
    fields: list[tuple[str, str]] = field(default_factory=list)
    htmx: bool = False


class Page(HTMLParser):
    """What a page offers and says."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.links: list[str] = []
        self.fragments: list[str] = []
        self.assets: list[str] = []
        self.forms: list[Form] = []
        self.words: list[str] = []
        self.data: list[str] = []
        self.ids: set[str] = set()
        self.refers: set[str] = set()  # to ids, for those who don't see the page
        self.title, self.headings = "", 0
        self._form: Form | None = None
        self._open: list[str] = []
        self._select: list | None = None
        self._area: list | None = None
        self.feed(text)
        self.whole = "<html" in text[:200]

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        got = {name: value or "" for name, value in attrs}
        if "id" in got:
            self.ids.add(got["id"])
        for name in REFERRING:
            self.refers.update(got.get(name, "").split())
        if tag == "label":
            self.refers.update(got.get("for", "").split())
        self.words += [got[name] for name in SPOKEN if got.get(name)]
        if tag == "a" and "href" in got:
            self.links.append(got["href"])
        if tag == "link" and got.get("href"):
            self.assets.append(got["href"])
        if tag in ("script", "img", "source", "video", "audio") and got.get("src"):
            self.assets.append(got["src"])
        if "hx-get" in got:
            self.fragments.append(got["hx-get"])
        if tag == "form":
            method = "post" if "hx-post" in got else got.get("method", "get").lower()
            self._form = Form(method, got.get("hx-post") or got.get("action", ""), htmx="hx-post" in got)
            if method != "dialog":
                self.forms.append(self._form)
        elif "hx-post" in got:
            self.forms.append(Form("post", got["hx-post"], htmx=True))
        self._field(tag, got, [name for name, _ in attrs])
        if tag == "h1":
            self.headings += 1
        if tag == "script" and got.get("type") == "application/json":
            self.data.append("")
            self._open.append("data")
        elif tag in SILENT:
            self._open.append(tag)

    def _field(self, tag: str, got: dict[str, str], names: list[str]) -> None:
        if self._form is None or "disabled" in names:
            return
        kind = got.get("type", "text")
        if tag == "select":
            self._select = [got.get("name", ""), None]
        elif tag == "option" and self._select and (self._select[1] is None or "selected" in names):
            self._select[1] = got.get("value", "")
        elif tag == "textarea":
            self._area = [got.get("name", ""), ""]
        elif tag == "button" and got.get("name") and kind != "button":
            if not any(name == got["name"] for name, _ in self._form.fields):
                self._form.fields.append((got["name"], got.get("value", "")))
        elif tag == "input" and got.get("name") and kind not in ("submit", "button", "file", "image"):
            if kind not in ("checkbox", "radio") or "checked" in names:
                self._form.fields.append((got["name"], got.get("value", "on" if kind == "checkbox" else "")))

    def handle_endtag(self, tag: str) -> None:
        if tag == "form":
            self._form = None
        for held, name in ((self._select, "select"), (self._area, "textarea")):
            if tag == name and held and self._form and held[0]:
                self._form.fields.append((held[0], held[1] or ""))
        if tag == "select":
            self._select = None
        if tag == "textarea":
            self._area = None
        if self._open and (self._open[-1] == tag or (tag == "script" and self._open[-1] == "data")):
            self._open.pop()

    def handle_data(self, text: str) -> None:
        inside = self._open[-1] if self._open else ""
        if inside == "title":
            self.title += text
        elif inside == "data":
            self.data[-1] += text
        elif inside == "textarea" and self._area:
            self._area[1] += text
        elif not inside and text.strip():
            self.words.append(text.strip())

    def addresses(self) -> Iterator[str]:
        """Addresses in the page's data that scripts ask for as they stand."""
        for text in self.data:
            yield from _addresses(json.loads(text))


def _addresses(value: object) -> Iterator[str]:
    if isinstance(value, str) and re.fullmatch(r"/[\w/.-]+/", value):
        yield value
    elif isinstance(value, list | dict):
        for one in value.values() if isinstance(value, dict) else value:
            yield from _addresses(one)


class Crawler:
    """One walk of one person. `problems`: a line each; `seen`: the addresses that were opened; `pages`: those
    of them that are whole pages.
    """

    def __init__(self, client: Client, who: str) -> None:
        client.raise_request_exception = False
        self.client, self.who = client, who
        self.problems: list[str] = []
        self.seen: set[str] = set()
        self.pages: list[str] = []
        self.sent: Counter[tuple] = Counter()
        self._kinds: Counter[tuple] = Counter()
        self._waiting: deque[tuple[str, str, str]] = deque()  # (address, from where, how)
        self._forms: list[tuple[str, Form]] = []
        self._assets: set[str] = set()
        self._raised = ""

    def walk(self, *starts: str, forms: bool = True) -> None:
        """Open these pages and all that is linked from them; then send every form, each of them undone."""
        got_request_exception.connect(self._note, weak=False, dispatch_uid=self)
        try:
            for start in starts:
                self._add(start, "the start", "link", free=True)
            while self._waiting:
                self._open(*self._waiting.popleft())
            while forms and self._forms:
                self._send(*self._forms.pop(0))
        finally:
            got_request_exception.disconnect(dispatch_uid=self)

    def _note(self, **_) -> None:
        last = traceback.format_exc().strip().splitlines()
        self._raised = f" ({last[-1]}; {' '.join(last[-3].split()) if len(last) > 3 else ''})"

    def _problem(self, what: str, address: str, source: str) -> None:
        self.problems.append(f"{self.who}: {what}: {address} (from {source}){self._raised}")
        self._raised = ""

    def _add(self, address: str, source: str, how: str, free: bool = False) -> None:
        address, anchor = urldefrag(address)
        parts = urlsplit(address)
        if parts.scheme not in ("", "http", "https") or parts.netloc not in ("", HOST):
            return
        path = parts.path + (f"?{parts.query}" if parts.query else "")
        if not path or path in self.seen:
            return
        if path.startswith(settings.STATIC_URL):
            return self._asset(path, source)
        kind = (kind_of(parts.path), tuple(sorted(part.partition("=")[0] for part in parts.query.split("&"))))
        if not free and self._kinds[kind] >= MOST_PAGES:
            return
        self._kinds[kind] += 1
        self.seen.add(path)
        self._waiting.append((path, source, how))

    def _open(self, path: str, source: str, how: str) -> None:
        headers = {"HX-Request": "true"} if how == "fragment" else {}
        answer = self.client.get(path, headers=headers, follow=how != "data")
        if how == "data":  # asked for by a script, with what only it knows
            if answer.status_code >= 500:
                self._problem(f"status {answer.status_code}", path, source)
            return
        if answer.status_code not in (200, 204, 304):
            return self._problem(f"status {answer.status_code}", path, source)
        self._read(answer, path, source)

    def _read(self, answer, path: str, source: str) -> None:
        kind = answer.headers.get("Content-Type", "")
        if answer.streaming:
            for _ in answer.streaming_content:
                pass
            return None
        if not kind.startswith("text/html"):
            return None
        if answer.redirect_chain:
            path = answer.redirect_chain[-1][0]
        page = Page(answer.content.decode())
        if page.whole:
            self.pages.append(path)
        if page.whole and (not page.title.strip() or not page.headings):
            self._problem("a page without title or h1", path, source)
        for missing in sorted(page.refers - page.ids) if page.whole else []:
            self._problem(f"something refers to #{missing}, which isn't there", path, source)
        for text in [*page.words, page.title]:
            if ODD.search(text):
                self._problem(f"odd words {text[:80]!r}", path, source)
        for link in page.links:
            if link.startswith("#"):
                if link[1:] and link[1:] not in page.ids:
                    self._problem(f"a link to {link}, which isn't there", path, source)
                continue
            self._add(urljoin(path, link), path, "link")
        for address in page.fragments:
            self._add(urljoin(path, address), path, "fragment")
        for address in page.addresses():
            self._add(address, path, "data")
        for address in page.assets:
            self._add(urljoin(path, address), path, "link")
        for form in page.forms:
            form.action = urljoin(path, form.action or path)
            if form.method == "get":
                self._add(f"{form.action.partition('?')[0]}?{urlencode(form.fields)}", path, "link")
            else:
                self._forms.append((path, form))

    def _asset(self, path: str, source: str) -> None:
        name = urlsplit(path).path.removeprefix(settings.STATIC_URL)
        if name in self._assets:
            return
        self._assets.add(name)
        found = finders.find(name)
        if not found:
            return self._problem("no such file", path, source)
        if name.endswith(".js"):
            for module in SCRIPT_IMPORT.findall(Path(found).read_text()):
                self._asset(urljoin(settings.STATIC_URL + name, module), path)

    def _send(self, source: str, form: Form, client: Client | None = None, deep: bool = True) -> None:
        """Press the form's button, and those of the page that comes (`deep`); what that changes is undone."""
        path = urlsplit(form.action).path
        game = dict(form.fields).get("game")
        kind = (kind_of(path), game, tuple(sorted(name for name, _ in form.fields)))
        most = MOST_FORMS if re.search(r"\d", path) else MOST_SAME
        if self.sent[kind] >= most or urlsplit(form.action).netloc not in ("", HOST):
            return
        self.sent[kind] += 1
        cache.clear()  # nobody presses as often as this
        before, client = client or self.client, Client(raise_request_exception=False)
        client.cookies = SimpleCookie({name: morsel.value for name, morsel in before.cookies.items()})
        data: dict[str, list[str]] = {}
        for name, value in form.fields:
            data.setdefault(name, []).append(value)
        waiting, forms = list(self._waiting), self._forms
        with transaction.atomic():
            headers = {"HX-Request": "true"} if form.htmx else {}
            answer = client.post(
                form.action, data, headers={**headers, "Referer": f"http://{HOST}{source}"}, follow=True
            )
            if answer.status_code >= 500 or answer.status_code in (403, 404, 405):
                self._problem(f"a form answers {answer.status_code}", form.action, source)
            else:
                self._forms = []
                self._read(answer, path, f"a form of {source}")
                if deep:
                    for following in self._forms:
                        self._send(*following, client=client, deep=False)
            transaction.set_rollback(True)
        # What it offered is gone with what it did.
        self._waiting, self._forms = deque(waiting), forms


def kind_of(path: str) -> str:
    try:
        found = resolve(path)
    except Resolver404:
        return path
    return found.view_name or path
