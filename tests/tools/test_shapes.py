"""What may cross the site's borders is written once, as shapes, from which the documents' lists are made."""

from __future__ import annotations

import pytest

from engine.shapes import checked
from tests.services import ROOT
from tools import shapes
from webapp.host.messages import SHAPES, example


@pytest.mark.parametrize("page", ["protocol.md", "data-formats.md"])
def test_the_documents_list_what_the_shapes_declare(page: str) -> None:
    text = (ROOT / "docs" / page).read_text()
    assert shapes.made(text) == text, "run `.venv/bin/python -m tools.shapes`"


@pytest.mark.parametrize("kind", SHAPES)
def test_every_example_is_a_message(kind: str) -> None:
    assert checked(SHAPES[kind], example(kind))
