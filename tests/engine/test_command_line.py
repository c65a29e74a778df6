"""What options of commands may be, and the one sentence for what they may not."""

from __future__ import annotations

import math
from argparse import ArgumentTypeError
from pathlib import Path
from typing import Any

import pytest

from engine import command_line as line

WHOLE, SHARE = line.whole(1, 1000), line.share
BAD: dict[str, tuple[Any, list[str]]] = {
    "whole": (
        WHOLE,
        ["", "x", "0", "-1", "1001", "1" + "0" * 30, "9" * 5000, "1.0", "1e2", "²", "٣", "nan", "1_0", "--"],
    ),
    "number": (SHARE, ["", "x", "nan", "inf", "-inf", "-0.1", "1.1", "1e999", "²"]),
    "seconds": (line.seconds, ["", "nan", "inf", "-1", "0", "1e30", "x"]),
    "seed": (line.seed, ["-1", "1" + "0" * 30, "x"]),
    "port": (line.port, ["-1", "0", "65536", "99999999", "http", ""]),
    "words": (line.words(5), ["abcdef"]),
    "names": (line.names, ["", " , ", ",", ",".join("a" * 101), "x" * 301]),
    "uuid": (line.uuid, ["", "me", "0" * 31, "x" * 5000]),
    "one_of": (line.one_of(["a", "b"]), ["", "c", "A"]),
    "json": (line.json_object, ["", "{", "[]", "null", "1", "[" * 10_000, '{"a": NaN}', '{"a": 1e999}']),
    "host": (
        line.host,
        ["", " ", "a b", "300.1.1.1", "1.2.3", "::g", "-a", "a" * 64, "http://a", "a/b", "a:1"],
    ),
    "web": (
        line.web_url,
        ["", "a", "ftp://a", "http://", "http://a:b", "http://a:99999", "http://a b", "http://[::g]"],
    ),
    "socket": (
        line.socket_url,
        ["", "ws://", "wss://", "http://a", "ws:///a", "ws://:80", "ws://a:0", "ws://[", "ws://a\nb"],
    ),
}


@pytest.mark.parametrize(("kind", "text"), [(kind, text) for kind, (_, bad) in BAD.items() for text in bad])
def test_nonsense_is_refused_with_a_short_sentence(kind: str, text: str) -> None:
    with pytest.raises(ArgumentTypeError) as found:
        BAD[kind][0](text)
    said = line.sentence(f"argument --x: {found.value}")
    assert said.startswith("--x: ") and said.endswith(".") and "\n" not in said and len(said) < 400


@pytest.mark.parametrize(
    ("kind", "text", "value"),
    [
        (WHOLE, "1", 1),
        (WHOLE, " 1000 ", 1000),
        (SHARE, "0", 0.0),
        (SHARE, "1e-3", 0.001),
        (line.seconds, "0.5", 0.5),
        (line.seed, "0", 0),
        (line.port, "65535", 65535),
        (line.names, " a ,b,", ["a", "b"]),
        (line.json_object, '{"players": 3}', {"players": 3}),
        (line.host, "0.0.0.0", "0.0.0.0"),
        (line.host, "::1", "::1"),
        (line.host, "matches-1.example.org", "matches-1.example.org"),
        (line.socket_url, "wss://matches-1.example.org/x", "wss://matches-1.example.org/x"),
        (line.socket_url, "ws://[::1]:8101", "ws://[::1]:8101"),
        (line.web_url, "http://127.0.0.1:8000/a?b=c", "http://127.0.0.1:8000/a?b=c"),
    ],
)
def test_sense_is_taken(kind: Any, text: str, value: Any) -> None:
    assert kind(text) == value


def test_files_and_folders(tmp_path: Path) -> None:
    there = tmp_path / "a.json"
    there.write_text('{"a": 1}')
    assert line.file(str(there)) == there
    assert line.folder(str(tmp_path)) == tmp_path
    assert [line.file_or_folder(str(one)) for one in (there, tmp_path)] == [there, tmp_path]
    assert line.json_object_file(str(there)) == {"a": 1}
    assert line.new_file(str(there)) == there and line.new_file(str(tmp_path / "b")) == tmp_path / "b"
    assert line.new_folder(str(tmp_path / "x/y")) == tmp_path / "x/y" and not (tmp_path / "x").exists()
    for kind, bad in (
        (line.file, ["", str(tmp_path), str(tmp_path / "no"), "x" * 300, "a\0b", f"{there}/b"]),
        (line.file_or_folder, ["", str(tmp_path / "no"), "x" * 300, "a\0b", f"{there}/b"]),
        (line.folder, ["no-such-folder", str(there), "x" * 300, "a\0b"]),
        (line.json_object_file, ["", str(tmp_path), str(tmp_path / "no"), "x" * 300, "a\0b"]),
        (line.new_file, ["", str(tmp_path), str(tmp_path / "no/b"), f"{there}/b", "x" * 300]),
        (line.new_folder, ["", str(there), f"{there}/b", "x" * 300]),
    ):
        for text in bad:
            with pytest.raises(ArgumentTypeError) as found:
                kind(text)
            assert "\n" not in str(found.value) and len(str(found.value)) < 300, (kind, text)


def test_a_json_file_that_is_none(tmp_path: Path) -> None:
    file = tmp_path / "a.json"
    for data in (b"", b"[" * 10_000, b"[]", b"\xff", b'{"a": NaN}', b"null"):
        file.write_bytes(data)
        with pytest.raises(ArgumentTypeError):
            line.json_object_file(str(file))


def test_no_number_is_in_no_range() -> None:
    assert math.isnan(line._float("nan")) and math.isnan(line._float("x"))


def test_a_parser_leaves_with_one_sentence(capsys: pytest.CaptureFixture[str]) -> None:
    parser = line.Parser(prog="x")
    parser.add_argument("--count", type=WHOLE)
    for argv in (["--count", "0"], ["--what"], ["--count"], ["caf\udce9"], ["a\0"], ["--count", "9" * 5000]):
        with pytest.raises(SystemExit) as end:
            parser.parse_args(argv)
        said = capsys.readouterr()
        assert end.value.code == 2 and not said.out
        assert said.err.count("\n") == 1 and said.err.endswith(".\n") and len(said.err) < 700
