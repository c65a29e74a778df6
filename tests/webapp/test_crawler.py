"""Whoever signs in and follows every link and form finds no dead end: beside matches of every game that wait,
run, were finished or left.
"""

from __future__ import annotations

import pytest
from django.test import Client, TestCase
from django.urls import reverse

from engine import games
from engine.games.watched import hides
from tests.webapp import world
from tests.webapp.crawler import ODD, Crawler, Page
from webapp.matches.models import Match

pytestmark = pytest.mark.slow


class EverythingOpens(TestCase):
    """The site is made once; every walk begins with it as it was."""

    @classmethod
    def setUpTestData(cls) -> None:
        cls.world = world.build()

    def walk(self, who: str, *starts: str) -> Crawler:
        client = Client()
        if who != "anonymous":
            client.force_login(self.world.people[who])
        crawler = Crawler(client, who)
        crawler.walk("/", *starts)
        assert not crawler.problems, "\n".join(["", *crawler.problems])
        return crawler

    def test_somebody_who_is_not_signed_in(self) -> None:
        crawler = self.walk("anonymous")
        assert "/accounts/login/" in crawler.seen

    def test_a_player_who_was_in_every_match(self) -> None:
        """Every table is opened, every result, every replay, every lobby."""
        matches = [match for match in self.world.matches.values() if match.status != Match.CLOSED]
        over = [match for match in matches if match.status in (Match.FINISHED, Match.ABANDONED)]
        starts = [reverse("play:table", args=[match.pk]) for match in matches]
        starts += [reverse("play:after", args=[match.pk]) for match in over]
        starts += [f"/play/?game={game}" for game in games.names()]
        crawler = self.walk("pia", *starts, *self.replays(len(over), plays=True))
        assert len(crawler.seen) > 40
        assert len(crawler.sent) > 10

    def replays(self, most: int = 9, plays: bool = False) -> list[str]:
        """Of each game one that runs, one that was finished and one that was left; or more. Who doesn't play
        is shown no replay of a running game that hides something.
        """
        begun = [match for match in self.world.matches.values() if match.episode]
        if not plays:
            begun = [one for one in begun if one.status != Match.PLAYING or not hides(one.game)]
        first = {(match.game, match.status): match for match in begun}
        chosen = first.values() if most <= len(first) else begun
        return [reverse("replays:replay", args=[match.pk]) for match in chosen]

    def test_somebody_who_sat_in_some_of_them(self) -> None:
        self.walk("bea")

    def test_a_player_who_was_in_none(self) -> None:
        self.walk("otto", *self.replays())

    def test_a_guest(self) -> None:
        self.walk("guest", *self.replays())

    def test_an_annotator(self) -> None:
        crawler = self.walk("anna", *self.replays())
        assert reverse("replays:queue") in crawler.seen

    def test_an_admin(self) -> None:
        crawler = self.walk("adam", *self.replays())
        rounds = ("rounds:list", "rounds:new", "rounds:told", "rounds:cotrain")
        for name in (*rounds, "datasets:list", "studies:list", "accounts:people"):
            assert reverse(name) in crawler.seen


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
