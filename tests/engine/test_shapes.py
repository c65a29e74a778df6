"""The one check of what comes from elsewhere: what is taken, and how the rest is refused."""

from __future__ import annotations

from typing import Annotated, Any, Literal

import pytest
from pydantic import Field

from engine.refusal import Refusals
from engine.shapes import Count, Finite, Id, Shape, allowed, checked, problem, schema_of

UUID = "6a0e7c9c-3f0b-4d59-8a43-1f6f4f0d2b7e"


class Point(Shape):
    x: Annotated[int, Field(ge=0, le=9)]
    seat: Count | None = None


class Everything(Shape):
    id: Id = UUID
    point: Point | None = None
    share: Annotated[float, Field(gt=0, lt=1)] = 0.5
    number: Finite = 0.0
    way: Literal["strict", "sensible"] = "strict"
    names: Annotated[list[Annotated[str, Field(min_length=1, max_length=5)]], Field(max_length=2)] = []
    counts: dict[str, Count] = {}
    either: int | str = 0
    on: bool = False


class Closed(Shape, extra="forbid"):
    old: bool = False


@pytest.mark.parametrize(
    ("given", "place", "sentence"),
    [
        ({"id": "x"}, "id", "The field id is 'x'; it must be an id (a UUID)."),
        ({"point": {}}, "point.x", "The field point.x is missing; it must be a whole number from 0 to 9."),
        (
            {"point": {"x": True}},
            "point.x",
            "The field point.x is True; it must be a whole number from 0 to 9.",
        ),
        ({"point": 3}, "point", "The field point is 3; it must be an object with x and seat or null."),
        ({"share": 1}, "share", "The field share is 1; it must be a number above 0 and below 1."),
        ({"number": float("nan")}, "number", "The field number is nan; it must be a number."),
        ({"way": ""}, "way", "The field way is empty; it must be strict or sensible."),
        (
            {"names": ["a", ""]},
            "names.1",
            "The field names.1 is empty; it must be a text of 1 to 5 characters.",
        ),
        (
            {"names": 7},
            "names",
            "The field names is 7; it must be a list of up to 2 texts of 1 to 5 characters.",
        ),
        (
            {"counts": {"a": -1}},
            "counts.a",
            "The field counts.a is -1; it must be a whole number from 0 to 2,147,483,647.",
        ),
        ({"either": []}, "either", "The field either is []; it must be a whole number or a text."),
        ({"on": 1}, "on", "The field on is 1; it must be true or false."),
    ],
)
def test_what_can_not_be_taken_is_refused_with_its_place(given: Any, place: str, sentence: str) -> None:
    with pytest.raises(Refusals) as refusal:
        checked(Everything, given)
    assert refusal.value.problems == {place: sentence}


def test_all_that_is_wrong_is_said_at_once() -> None:
    with pytest.raises(Refusals) as refusal:
        checked(Everything, {"on": 1, "way": 2, "more": 3})
    assert list(refusal.value.problems) == ["way", "on"]


def test_what_is_sound_is_taken_as_it_is() -> None:
    found = checked(
        Everything, {"id": UUID.replace("-", "").upper(), "share": 0.25, "names": ["é"], "more": 3}
    )
    assert (found.id, found.share, found.names, found.point) == (UUID, 0.25, ["é"], None)


def test_a_shape_may_refuse_names_that_nobody_knows() -> None:
    with pytest.raises(Refusals, match=r"^The field new isn't known; there are old\.$"):
        checked(Closed, {"new": 1})
    with pytest.raises(Refusals, match=r"^The card is \[\]; it must be an object with old\.$"):
        checked(Closed, [], "The card's {}", "The card")
    assert problem(Closed, []) == "is []; it must be an object with old"
    assert problem(Closed, {}) == ""


def test_a_very_long_value_is_cut() -> None:
    with pytest.raises(Refusals, match=r"is 'x{39}…; it must be"):
        checked(Everything, {"way": "x" * 1000})
    assert "too long a number" in problem(Count, 10**5000)


def test_what_is_allowed_is_said_in_words() -> None:
    fields = schema_of(Everything)["properties"]
    assert allowed(fields["names"]) == "a list of up to 2 texts of 1 to 5 characters"
    assert allowed(fields["counts"]) == "an object of whole numbers from 0 to 2,147,483,647"
