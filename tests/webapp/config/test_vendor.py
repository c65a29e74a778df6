"""Vendored libraries are what their table says."""

from __future__ import annotations

import hashlib
import re

from django.conf import settings

FOLDER = settings.BASE_DIR / "static" / "vendor"
ROW = re.compile(r"^\| `([^`]+)` .*\| `([0-9a-f]{64})` \|$", re.MULTILINE)


def test_every_vendored_script_has_a_row_with_its_checksum():
    table = dict(ROW.findall((FOLDER / "README.md").read_text()))
    scripts = {path.name: hashlib.sha256(path.read_bytes()).hexdigest() for path in FOLDER.glob("*.js")}
    assert scripts and table == scripts
