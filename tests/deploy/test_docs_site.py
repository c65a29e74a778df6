"""The documents as a site (mkdocs.yml): it builds without a network, and looks as the files do."""

from __future__ import annotations

import re

import pytest
from mkdocs.commands.build import build
from mkdocs.config import load_config
from mkdocs.exceptions import PluginError

from deploy import docs_site

ROOT = docs_site.ROOT


@pytest.fixture(scope="module")
def site(tmp_path_factory) -> dict[str, str]:
    """The text of each page by its file, from a build that any warning stops."""
    folder = tmp_path_factory.mktemp("site")
    build(load_config(str(ROOT / "mkdocs.yml"), site_dir=str(folder), strict=True))
    return {str(page.relative_to(folder)): page.read_text() for page in folder.rglob("*.html")}


def test_every_document_is_a_page(site):
    docs = ROOT / "docs"
    documents = {*(str(path.relative_to(docs).with_suffix("")) for path in docs.rglob("*.md"))}
    documents |= {"CONTRIBUTING", "THREAT_MODEL"}
    assert {*site} == {f"{document}/index.html" for document in documents} | {"index.html", "404.html"}


def test_nothing_is_loaded_from_another_server(site):
    for page in site.values():
        loaded = re.findall(r"<(?:script|img|link|iframe)[^>]*(?:src|href)=[\"']?([^\"'> ]+)", page)
        assert loaded and [address for address in loaded if "//" in address] == []


def test_lists_tables_and_blocks_of_code_are_shown_as_such(site):
    for name, page in site.items():
        text = re.sub(r"<pre>.*?</pre>", "", page, flags=re.S)
        left = re.findall(r"```|(?:<p>|\n)\||\n\s*(?:-|\d+\.) \w.*", text)
        assert left == [], name


def test_a_link_to_a_file_that_is_not_there_stops_the_build(site):
    class Page:
        class file:
            src_uri = "rounds.md"

    class Below:
        class file:
            src_uri = "experiments/rounds.md"

    shown = docs_site.on_page_markdown("[a](../deploy/lock.py) [b](arena.md#rewards)", Page, None, None)
    assert shown == "a [b](arena.md#rewards)"
    shown = docs_site.on_page_markdown("[a](../arena.md#rewards) [b](../../README.md)", Below, None, None)
    assert shown == "[a](../arena.md#rewards) [b](../README.md)"
    with pytest.raises(PluginError, match="rounds.md links to ../deploy/gone.py"):
        docs_site.on_page_markdown("[a](../deploy/gone.py)", Page, None, None)
