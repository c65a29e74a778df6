"""The first table of docs/experiments.md is made from the results, and has every experiment."""

from __future__ import annotations

import re

from engine import experiments
from engine.experiments.prove import RESULTS
from tests.services import ROOT
from tools import experiments_table


def test_the_table_in_the_document_is_that_of_the_results():
    document = (ROOT / "docs/experiments.md").read_text()
    listed = re.search(r"<!-- results -->\n\n(.*)\n<!-- /results -->", document, re.DOTALL)
    assert listed and listed[1] == experiments_table.table()
    for name in experiments.names():
        assert (ROOT / f"docs/experiments/{name}.md").exists()
        run = (RESULTS / f"{name}.json").exists()
        assert (f"](experiments/{name}.md) |" in listed[1]) == run
