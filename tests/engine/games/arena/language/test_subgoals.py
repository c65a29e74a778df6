"""Programs of squads as sub-goals of Table 7 of the OpenContra paper, and these as programs."""

import pytest

from engine.games.arena.language import features, labels
from engine.games.arena.language.programs import ALL_FLAGS, ALWAYS, KINDS, clause
from engine.games.arena.language.subgoals import fulfilled, subgoals
from engine.games.arena.language.wishes import names, say
from engine.language.bank import bank


def test_the_codes_are_table_7():
    from engine.games.arena.abstraction import SUBGOALS

    assert {name: set(values.values()) for name, values in names.CODES.values()} == {
        name: set(values) for name, values in SUBGOALS.items()
    }
    assert tuple(SUBGOALS) == names.ORDER


def test_the_bank_holds_readings_of_the_table():
    for row in bank("arena"):
        for name, value in row["goals"].items():
            assert value in dict(names.CODES.values())[name].values(), row


@pytest.mark.parametrize(
    ("one", "codes"),
    [
        (clause("follow", who="me"), "fm=T dt=N"),
        (clause("follow", who="me", negated=True), "fm=F"),
        (clause("go", place="southwest"), "mv=SW"),
        (clause("go", place="me"), "dt=N"),
        (clause("go", place="house", flags=["quietly"]), "len=M dmg=Z"),
        (clause("hold", flags=["hurrying", "lying"]), "len=0 vel=0 pr=T"),
        (clause("look", place="northeast"), "vw=NE"),
        (clause("look", place="house"), ""),
        (clause("spread"), "dt=M"),
    ],
)
def test_a_program_asks_for_the_sub_goals_of_its_first_clause(one, codes):
    wanted = names.in_order(names.goals(codes))
    assert subgoals({"clauses": [one, clause("heal")]}) == wanted
    assert labels.row_of({"clauses": [one]}) == {"goals": wanted}


def test_programs_keep_the_sub_goals_that_they_carry():
    own = names.goals("vw=N")
    assert subgoals({"clauses": [clause("heal")], "subgoals": own}) == own
    assert labels.row_of(None) == {"goals": {}}


@pytest.mark.parametrize("kind", [*KINDS, *ALWAYS])
def test_every_kind_has_a_meaning_in_the_table(kind):
    for negated in (False, True):
        own = {"clauses": [clause(kind, negated=negated, flags=list(ALL_FLAGS))]}
        assert set(subgoals(own)) <= set(names.ORDER)
        assert fulfilled(own["clauses"]) <= set(names.ORDER)


def test_labels_are_a_program_that_does_what_can_be_done():
    found = labels.option(["Whether seen by enemy=False"])
    assert found["program"]["subgoals"] == {"Whether seen by enemy": "False"}
    assert [one["kind"] for one in found["program"]["clauses"]] == ["take_cover"]
    assert found["sentence"] == found["program"]["reading"] == "I take cover."
    [follows] = labels.option(labels.labels({"goals": names.goals("fm=T dt=N")}))["program"]["clauses"]
    assert follows == clause("follow", who="me")
    assert labels.option(["Horizontal direction of view=North"])["program"]["clauses"] == []


def test_every_value_of_the_table_is_told_in_words():
    told = [say.told({name: value}) for name, own in names.CODES.values() for value in own.values()]
    assert all(told) and len(set(told)) == len(told)
    assert labels.group("Whether seen by enemy=False") == "Whether seen by enemy"


def test_networks_that_read_programs_get_what_they_were_trained_on():
    """Each (kind, negated) has its place, and each flag; shipped agents read them."""
    assert features.NUM_FEATURES == 44 and features.FEATURES_VERSION == 1
    assert not features.features(None).any()
    own = [clause("follow", who="me", flags=["quietly", "hurrying"]), clause("cancel", negated=True)]
    assert features.features({"clauses": own}).nonzero()[0].tolist() == [0, 39, 40, 43]
    own = [clause("crouch", flags=["lying", "crouched"]), clause("hold_fire")]
    assert features.features({"clauses": own}).nonzero()[0].tolist() == [20, 28, 41, 42]
    own = [clause("look", place="north"), clause("spread"), clause("go", flags=["slowly"])]
    assert features.features({"clauses": own}).nonzero()[0].tolist() == [4]
