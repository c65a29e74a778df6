"""JSON that somebody else wrote: what is taken, and the sentence for what isn't."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from pathlib import Path

import pytest

from engine import checked_json
from engine.checked_json import parse, read_object
from engine.refusal import Refusal


@pytest.fixture(autouse=True)
def no_garbage() -> Iterator[None]:
    """What other tests left isn't thrown away thousands of lists deep, where its finalizers can't run."""
    gc.disable()
    yield
    gc.enable()


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "isn't JSON"),
        ("[1,", "isn't JSON"),
        ("[" * 10_000, "more than 64"),
        ("[" * 65 + "]" * 65, "more than 64"),
        ("NaN", "NaN is no number"),
        ("[-Infinity]", "-Infinity is no number"),
        ("1e999", "too large"),
        ('{"a": 1000000000000000000000000000000}', "too large"),
        ("9" * 5000, "isn't JSON"),
        ('"\\ud800"', "half a character"),
        ('{"\\udfff": 1}', "half a character"),
        ('"a\\u0000"', "number 0"),
        (b'"\xff"', "isn't text in UTF-8"),
    ],
)
def test_it_refuses_with_one_sentence(text: str | bytes, words: str) -> None:
    with pytest.raises(Refusal) as found:
        parse(text, "The card")
    said = str(found.value)
    assert said.startswith("The card ") and words in said
    assert said.endswith(".") and "\n" not in said and len(said) < 200


def test_it_takes_what_is_harmless() -> None:
    assert parse("[" * 64 + "]" * 64)
    assert parse(b'\xef\xbb\xbf{"a": [1, -2.5, null, true, "\xc3\xa9"]}') == {"a": [1, -2.5, None, True, "é"]}
    assert parse(f"[{checked_json.LARGEST}]") == [checked_json.LARGEST]


def test_a_file_is_read_only_as_far_as_it_may_be_long(tmp_path: Path) -> None:
    file = tmp_path / "a.json"
    file.write_text('{"a": 1}')
    assert read_object(file) == {"a": 1}
    with pytest.raises(Refusal, match="has more than 4 bytes"):
        read_object(file, "The config", most=4)


@pytest.mark.parametrize("name", ["missing.json", ".", "a" * 300, "a\0b"])
def test_a_file_that_is_none_gets_a_sentence(tmp_path: Path, name: str) -> None:
    with pytest.raises(Refusal, match=r"^The config (isn't there|can't be read).*\.$"):
        read_object(tmp_path / name, "The config")


@pytest.mark.parametrize(
    ("text", "kind"), [("[]", "a list"), ("null", "null"), ("3", "a number"), ('"a"', "a text")]
)
def test_what_must_be_an_object_is_one(tmp_path: Path, text: str, kind: str) -> None:
    file = tmp_path / "a.json"
    file.write_text(text)
    with pytest.raises(Refusal, match=f"object.*not {kind}"):
        read_object(file)
    with pytest.raises(Refusal, match=f"object.*not {kind}"):
        checked_json.parse_object(text)
