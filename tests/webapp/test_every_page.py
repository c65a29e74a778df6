"""Every page of a site on which much has happened (tests/webapp/world.py), which is made once.

Whoever signs in and follows every link and form finds no dead end: beside matches of every game that wait,
run, were finished or left. And no page has a finding of axe that is serious or critical, in light or in dark:
one page of every kind that somebody comes to by links, and each game's own pages, with all that is folded
opened. Sockets have nobody at their other end here, so tables are looked at as they are before a game comes
in.
"""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from axe_playwright_python.base import AXE_SCRIPT
from django.conf import settings
from django.core.management import call_command
from django.test import Client
from django.urls import reverse
from playwright.sync_api import Page as Shown

from engine import games
from engine.games.watched import hides
from tests.webapp import crawler, world
from tests.webapp.crawler import ODD, Crawler, Page
from tests.webapp.world import World
from webapp.matches.models import Match

pytestmark = pytest.mark.slow

TOO_BAD = ("serious", "critical")
UNFOLD = "for (const one of document.querySelectorAll('details')) one.open = true"
LOOK = """async ([impacts, options]) => {
  const { violations } = await axe.run({ resultTypes: ["violations"], ...options });
  const places = (one) => one.nodes.slice(0, 4).map((node) => node.target[0]).join("; ");
  return violations.filter((one) => impacts.includes(one.impact))
    .map((one) => `${one.id} (${one.help}): ${places(one)}`);
}"""


@pytest.fixture(scope="module")
def made(django_db_setup, django_db_blocker, tmp_path_factory) -> Iterator[World]:
    """The site. Every walk begins with it as it was; a test that commits comes after them and empties it."""
    with pytest.MonkeyPatch.context() as patch:
        for name in ("EPISODES_DIR", "SNAPSHOTS_DIR", "JOBS_DIR"):
            patch.setattr(settings, name, tmp_path_factory.mktemp(name))
        with django_db_blocker.unblock():
            site = world.build()
        yield site
        with django_db_blocker.unblock():
            call_command("flush", verbosity=0, interactive=False)


# --- Followed to the end ------------------------------------------------------------------------------------


def walk(made: World, who: str, *starts: str) -> Crawler:
    client = Client()
    if who != "anonymous":
        client.force_login(made.people[who])
    walked = Crawler(client, who)
    walked.walk("/", *starts)
    assert not walked.problems, "\n".join(["", *walked.problems])
    return walked


@pytest.mark.django_db
def test_somebody_who_is_not_signed_in(made) -> None:
    walked = walk(made, "anonymous")
    assert "/accounts/login/" in walked.seen


@pytest.mark.django_db
def test_a_player_who_was_in_every_match(made) -> None:
    """Every table is opened, every result, every replay, every lobby."""
    matches = [match for match in made.matches.values() if match.status != Match.CLOSED]
    over = [match for match in matches if match.status in (Match.FINISHED, Match.ABANDONED)]
    starts = [reverse("play:table", args=[match.pk]) for match in matches]
    starts += [reverse("play:after", args=[match.pk]) for match in over]
    starts += [f"/play/?game={game}" for game in games.names()]
    walked = walk(made, "pia", *starts, *replays(made, len(over), plays=True))
    assert len(walked.seen) > 40
    assert len(walked.sent) > 10


def replays(made: World, most: int = 9, plays: bool = False) -> list[str]:
    """Of each game one that runs, one that was finished and one that was left; or more. Who doesn't play
    is shown no replay of a running game that hides something.
    """
    begun = [match for match in made.matches.values() if match.episode]
    if not plays:
        begun = [one for one in begun if one.status != Match.PLAYING or not hides(one.game)]
    first = {(match.game, match.status): match for match in begun}
    chosen = first.values() if most <= len(first) else begun
    return [reverse("replays:replay", args=[match.pk]) for match in chosen]


@pytest.mark.django_db
def test_somebody_who_sat_in_some_of_them(made) -> None:
    walk(made, "bea")


@pytest.mark.django_db
def test_a_player_who_was_in_none(made) -> None:
    walk(made, "otto", *replays(made))


@pytest.mark.django_db
def test_a_guest(made) -> None:
    walk(made, "guest", *replays(made))


@pytest.mark.django_db
def test_an_annotator(made) -> None:
    walked = walk(made, "anna", *replays(made))
    assert reverse("replays:queue") in walked.seen


@pytest.mark.django_db
def test_an_admin(made) -> None:
    walked = walk(made, "adam", *replays(made))
    rounds = ("rounds:list", "rounds:new", "rounds:told", "rounds:cotrain")
    for name in (*rounds, "datasets:list", "studies:list", "accounts:people"):
        assert reverse(name) in walked.seen


def test_the_crawler_sees_what_a_page_offers() -> None:
    page = Page(
        '<!doctype html><html><head><title>T</title><script src="/static/a.js"></script></head>'
        '<body><h1>H</h1><a href="/x/">to x</a><p hx-get="/y/">None</p>'
        '<form method="post" action="/z/"><input name="a" value="1">'
        '<input type="checkbox" name="b">'
        '<select name="c"><option value="1"><option value="2" selected></select>'
        '<button name="d" value="go">Go</button></form>'
        '<script type="application/json">{"ticket": "/play/1/ticket/"}</script></body></html>'
    )
    assert (page.links, page.fragments, page.assets) == (["/x/"], ["/y/"], ["/static/a.js"])
    assert (page.title, page.headings) == ("T", 1)
    assert page.words == ["H", "to x", "None", "Go"]
    assert ODD.search("None") and not ODD.search("None yet. Your first one takes a minute.")
    assert page.forms[0].fields == [("a", "1"), ("c", "2"), ("d", "go")]
    assert list(page.addresses()) == ["/play/1/ticket/"]


# --- Looked at by axe --------------------------------------------------------------------------------------


def findings(page: Shown) -> list[str]:
    """What axe finds on a page, a line each: everything in light, in dark the contrast, which changes."""
    page.evaluate(UNFOLD)
    page.evaluate(AXE_SCRIPT)
    lines = []
    for scheme, options in (("light", {}), ("dark", {"runOnly": ["color-contrast"]})):
        page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
        lines += [f"{scheme}: {found}" for found in page.evaluate(LOOK, [TOO_BAD, options])]
    return lines


def begins(made: World) -> dict[str, list[str]]:
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


@pytest.mark.browser
@pytest.mark.django_db(transaction=True)
def test_no_page_has_a_serious_finding(made, signed_in, browser, live_server, monkeypatch):
    monkeypatch.setattr(crawler, "MOST_PAGES", 1)
    found, kinds = [], set()
    for who, starts in {"nobody": ["/accounts/login/", "/nowhere/"], **begins(made)}.items():
        client = Client()
        context = browser.new_context(viewport={"width": 1280, "height": 900})
        if who != "nobody":
            client.force_login(made.people[who])
            session = signed_in(made.people[who]).cookies["sessionid"].value
            context.add_cookies([{"name": "sessionid", "value": session, "url": live_server.url}])
        page = context.new_page()
        walked = Crawler(client, who)
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


@pytest.mark.browser
def test_what_is_wrong_is_found_under_folds_and_in_dark(browser):
    page = browser.new_context().new_page()
    page.set_content(
        "<!doctype html><html lang='en'><title>T</title><style>p { color: #000; background: #fff }"
        "@media (prefers-color-scheme: dark) { p { background: #333 } }</style>"
        "<main><h1>H</h1><p>Pale</p><details><summary>S</summary><img src='x'></details></main>"
    )
    light, dark = findings(page)
    assert light.startswith("light: image-alt") and dark.startswith("dark: color-contrast")
