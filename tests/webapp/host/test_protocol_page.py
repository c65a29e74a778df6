"""docs/protocol.md names what match hosts send, and in full what a client has to keep in step."""

import inspect
import re
from pathlib import Path

import pytest
from django.conf import settings

from webapp.host import frames

PAGE = (Path(settings.BASE_DIR) / "docs" / "protocol.md").read_text()
TYPES = sorted(set(re.findall(r'"type": "([a-z_]+)"', inspect.getsource(frames))))


@pytest.mark.parametrize("kind", TYPES)
def test_every_frame_of_the_host_is_on_the_page(kind):
    assert f'← `{{"type": "{kind}"' in PAGE or f'`{{"type": "{kind}"' in PAGE


@pytest.mark.parametrize("kind", ["control", "reason", "standing", "utterance", "presence", "notice"])
def test_frames_that_change_what_a_client_knows_are_there_with_all_their_fields(kind):
    body = re.search(rf'{{"type": "{kind}"[^`]*}}', PAGE.partition("### What the host sends")[2])[0]
    keys = set(re.findall(r'"([a-z_]+)"', body)) - {"type", kind}
    made = inspect.getsource(getattr(frames, {"standing": "standings"}.get(kind, kind)))
    for key in keys:
        assert f'"{key}"' in made or key in inspect.getsource(frames.seats), key
    for key in ("stand_in",) if kind in ("control", "presence") else ():
        assert key in keys
    if kind == "reason":
        assert keys == {"tick", "seat", "id", "kind", "text"}
