"""Rebinding keys: what is kept, what is refused, and that the catalogue is what the pages listen to."""

from __future__ import annotations

import json
import re

import pytest
from django.conf import settings

from tests.services import SERVED
from webapp.accounts import keys
from webapp.accounts.models import User

SAVE = "/accounts/keys/save/"
# key("replay.back", ["ArrowLeft"], "One tick back", … and { name: "rate-next", keys: ["ArrowDown"], …
WRITTEN = re.compile(r'(?:name: |key\()"([\w.-]+)",\s*(?:keys: )?\[([^\]]*)\]')


def save(client, bindings):
    return client.post(SAVE, json.dumps(bindings), content_type="application/json")


def pages() -> str:
    return "\n".join(path.read_text() for folder in SERVED for path in sorted(folder.glob("js/**/*.js")))


def test_a_binding_is_kept_with_the_person(pia, pia_client):
    assert save(pia_client, {"replay.play": ["k"]}).json() == {"bindings": {"replay.play": ["k"]}}
    assert User.objects.get(pk=pia.pk).key_bindings == {"replay.play": ["k"]}


def test_what_equals_the_default_is_not_kept(pia_client):
    assert save(pia_client, {"replay.play": ["Space"]}).json() == {"bindings": {}}


@pytest.mark.parametrize(
    "bindings",
    [
        ["replay.play"],
        {"no.such.action": ["k"]},
        {"replay.play": "k"},
        {"replay.play": []},
        {"replay.play": [""]},
        {"replay.play": ["k" * 41]},
        {"replay.play": ["?"]},
        {"replay.play": ["a", "b", "c", "d", "e"]},
        *({"kitchen.north": [key]} for key in ("Mouse0", "WheelUp", "ControlLeft", "Shift+w", "é", "w")),
        *({"arena.run": [key]} for key in ("Shift", "z", "ц", "Dead")),
    ],
)
def test_a_bad_binding_is_refused_with_a_sentence_and_nothing_changes(pia, pia_client, bindings):
    response = save(pia_client, bindings)
    assert response.status_code == 400
    assert response.json()["error"].endswith(".")
    assert User.objects.get(pk=pia.pk).key_bindings == {}


def test_places_are_kept_and_buttons_of_the_mouse_where_a_table_listens_to_them(pia_client):
    bindings = {"kitchen.north": ["KeyI", "Numpad8"], "arena.run": ["ShiftRight", "Mouse3", "WheelUp"]}
    assert save(pia_client, bindings).json() == {"bindings": bindings}


def test_kept_bindings_that_no_page_goes_by_any_more_are_as_if_there_were_none(pia, pia_client):
    sound = {"kitchen.south": ["KeyK"], "replay.play": ["é"]}
    stale = {
        "kitchen.north": ["z"],
        "kitchen.act": ["KeyE", "Mouse0"],
        "kitchen.east": ["Shift+d"],
        "gone": ["x"],
    }
    pia.key_bindings = sound | stale
    pia.save()
    page = pia_client.get("/accounts/keys/").content.decode()
    written = re.search(r'<script id="key-bindings"[^>]*>(.*?)</script>', page)
    assert written and json.loads(written[1]) == sound


def test_what_is_not_json_is_refused(pia_client):
    assert pia_client.post(SAVE, "{", content_type="application/json").status_code == 400


def test_no_page_has_two_actions_on_one_key_by_default():
    for page, actions in keys.catalogue().items():
        used = [key for action in actions for key in action.keys]
        assert len(used) == len(set(used)), page


def test_the_catalogue_is_what_the_pages_listen_to():
    marker = settings.BASE_DIR / "static/js/marker.js"
    # The marker's own helper puts "mark." in front of its names.
    written = [(f"mark.{name}", found) for name, found in WRITTEN.findall(marker.read_text())]
    written += WRITTEN.findall(pages().replace(marker.read_text(), ""))
    assert len(written) > 30
    assert {name for name, _ in written} - set(keys.actions()) == set()
    for name, found in written:
        assert tuple(re.findall(r'"([^"]*)"', found)) == keys.actions()[name].keys, name


def test_every_rebindable_action_is_somewhere_in_the_pages():
    source = pages()
    for name in keys.actions():
        stem = re.sub(r"(\d+|(?<=table-)(red|yellow|green|white|blue))$", "", name).removeprefix("mark.")
        assert f'"{stem}' in source or f"`{stem}" in source, name
