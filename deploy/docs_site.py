"""What mkdocs.yml needs besides mkdocs: the documents at the repository's root become pages, and a link to a
file of the repository becomes text, because the site has no copy of that file. A link to a file that doesn't
exist stops the build.
"""

from __future__ import annotations

import re
from os.path import relpath
from pathlib import Path
from typing import Any

from mkdocs.exceptions import PluginError
from mkdocs.structure.files import File, Files

ROOT = Path(__file__).resolve().parent.parent
PAGES = ("README.md", "CONTRIBUTING.md", "THREAT_MODEL.md")
LINK = re.compile(r"\[([^\]]*)\]\(([^)#\s]+)(#[^)\s]*)?\)")


def on_files(files: Files, config: Any, **_: Any) -> Files:
    for name in PAGES:
        files.append(File.generated(config, name, content=(ROOT / name).read_text()))
    return files


def on_page_markdown(markdown: str, page: Any, config: Any, files: Files) -> str:
    name = page.file.src_uri
    docs = ROOT / "docs"
    folder = ROOT if name in PAGES else (docs / name).parent

    def linked(link: re.Match[str]) -> str:
        text, address, place = link[1], link[2], link[3] or ""
        if re.match(r"[a-z]+:", address):
            return link[0]
        file = (folder / address).resolve()
        if not file.exists():
            raise PluginError(f"{name} links to {address}, which isn't there.")
        if file.parent == ROOT and file.name in PAGES:
            file = docs / file.name
        if file.is_relative_to(docs):
            return f"[{text}]({relpath(file, (docs / name).parent)}{place})"
        return text

    return LINK.sub(linked, markdown)
