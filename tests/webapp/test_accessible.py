"""No page has a finding of axe that is serious or critical, in light or in dark: one page of every kind that
somebody comes to by links, and each game's own pages, with all that is folded opened.

One walk over one site (tests/webapp/world.py). Sockets have nobody at their other end here, so tables are
looked at as they are before a game comes in.
"""

from __future__ import annotations

import pytest
from axe_playwright_python.sync_playwright import Axe
from django.test import Client
from django.urls import reverse
from playwright.sync_api import Page

from engine import games
from tests.webapp import crawler, world
from webapp.matches.models import Match

pytestmark = [pytest.mark.browser, pytest.mark.slow, pytest.mark.django_db(transaction=True)]

TOO_BAD = ("serious", "critical")
UNFOLD = "for (const one of document.querySelectorAll('details')) one.open = true"


@pytest.fixture(autouse=True)
def own_files(settings, tmp_path):
    for name in ("EPISODES_DIR", "SNAPSHOTS_DIR", "JOBS_DIR"):
        folder = tmp_path / name
        folder.mkdir()
        setattr(settings, name, folder)


def findings(page: Page) -> list[str]:
    """What axe finds on a page, a line each: everything in light, in dark the contrast, which changes."""
    page.evaluate(UNFOLD)
    lines = []
    for scheme, options in (("light", {}), ("dark", {"runOnly": ["color-contrast"]})):
        page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
        found = Axe().run(page, options={"resultTypes": ["violations"], **options})
        for one in found.response["violations"]:
            if one["impact"] in TOO_BAD:
                places = "; ".join(str(node["target"][0]) for node in one["nodes"][:4])
                lines.append(f"{scheme}: {one['id']} ({one['help']}): {places}")
    return lines


def begins(made: world.World) -> dict[str, list[str]]:
    """Where each person's walk begins: every game's lobby, table, result, replay and list of agents."""
    first: dict[tuple[str, str], Match] = {}
    for match in made.matches.values():
        first.setdefault((match.game, match.status), match)
    tables = [reverse("play:table", args=[match.pk]) for match in first.values()]
    over = [match for (_, status), match in first.items() if status == Match.FINISHED]
    results = [reverse("play:after", args=[match.pk]) for match in over]
    replays = [reverse("replays:replay", args=[match.pk]) for match in over]
    lobbies = [f"{reverse('play:lobby')}?game={game}" for game in games.names()]
    compared = reverse("agents:compare") + "?agent=hanabi/learner-1&agent=hanabi/convention-bot"
    return {"adam": ["/", compared, *replays], "pia": ["/", *lobbies, *tables, *results], "anna": ["/"]}


def test_no_page_has_a_serious_finding(signed_in, browser, live_server, monkeypatch):
    monkeypatch.setattr(crawler, "MOST_PAGES", 1)
    made, found, kinds = world.build(), [], set()
    for who, starts in {"nobody": ["/accounts/login/", "/nowhere/"], **begins(made)}.items():
        client = Client()
        context = browser.new_context(viewport={"width": 1280, "height": 900})
        if who != "nobody":
            client.force_login(made.people[who])
            session = signed_in(made.people[who]).cookies["sessionid"].value
            context.add_cookies([{"name": "sessionid", "value": session, "url": live_server.url}])
        page = context.new_page()
        walked = crawler.Crawler(client, who)
        walked.walk(*starts, forms=False)
        for path in dict.fromkeys([*starts, *walked.pages]):
            kind = crawler.kind_of(path.partition("?")[0])
            if kind in kinds and path not in starts:
                continue
            kinds.add(kind)
            page.goto(live_server.url + path, wait_until="load")
            found += [f"{who} at {path}: {line}" for line in findings(page)]
    assert len(kinds) > 30, sorted(kinds)
    assert not found, "\n".join(["", *found])


def test_what_is_wrong_is_found_under_folds_and_in_dark(browser):
    page = browser.new_context().new_page()
    page.set_content(
        "<!doctype html><html lang='en'><title>T</title><style>p { color: #000; background: #fff }"
        "@media (prefers-color-scheme: dark) { p { background: #333 } }</style>"
        "<main><h1>H</h1><p>Pale</p><details><summary>S</summary><img src='x'></details></main>"
    )
    light, dark = findings(page)
    assert light.startswith("light: image-alt") and dark.startswith("dark: color-contrast")
