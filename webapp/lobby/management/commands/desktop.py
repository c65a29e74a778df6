"""`manage.py desktop`: play Arena in a window of its own, against this site or another.

Without `--sign-in` it makes a sign-in link for the house's player in this installation's database, so it
works beside `make up`. Without `--match` it starts the training preset. The window is engine.client.desktop.
"""

from __future__ import annotations

import asyncio
from argparse import ArgumentParser
from typing import Any
from urllib.parse import urlsplit

from django.conf import settings
from django.core.management.base import CommandError

from engine import command_line
from engine.client.line import Line, Site
from engine.games.pages import pages
from webapp.accounts.links import house_person, make_sign_in_link
from webapp.common.commands import CoplayCommand


class Command(CoplayCommand):
    help = __doc__

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "--site", type=command_line.web_url, help="address of the site (default: this installation's)"
        )
        parser.add_argument(
            "--sign-in", type=command_line.web_url, help="a one-time sign-in link of the person who plays"
        )
        parser.add_argument(
            "--match", type=command_line.uuid, help="id of a match to join (default: start one)"
        )
        parser.add_argument(
            "--seconds", type=command_line.seconds, help="close after so long (default: when asked to)"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        asyncio.run(play(options))


async def play(options: dict[str, Any]) -> None:
    import pygame  # takes a while

    from engine.client.desktop import Window, run

    # First of all: where there is no screen, no link is spent and no match begun that nobody plays.
    try:
        window = Window()
    except pygame.error as error:
        raise CommandError(f"No window can be opened here: {str(error).rstrip('.')}.") from None
    link = options["sign_in"] or await asyncio.to_thread(lambda: make_sign_in_link(house_person("player")))
    site = await asyncio.to_thread(Site, *where(options, link))
    match = str(options["match"] or "") or await asyncio.to_thread(start, site)
    async with Line(site, match) as line:
        if options["seconds"]:
            asyncio.get_running_loop().call_later(options["seconds"], setattr, window, "open", False)
        await run(line, window)


def where(options: dict[str, Any], link: str) -> tuple[str, str]:
    """(address of the site, the sign-in link's place on it): a link that names its site is opened there, and
    one that was made here on the site that was asked for.
    """
    parts = urlsplit(link)
    its_own = f"{parts.scheme}://{parts.netloc}" if options["sign_in"] else settings.SITE_URL
    return options["site"] or its_own, parts._replace(scheme="", netloc="").geturl()


def start(site: Site) -> str:
    """A match of the first preset; returns its id."""
    preset = pages("arena").presets[0]
    return site.start("arena", preset.wishes, **preset.options)
