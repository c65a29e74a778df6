"""Programs of squads as sub-goals of Table 7 of the OpenContra paper, and these as programs."""

import pytest

from engine.games.arena.language import features, labels
from engine.games.arena.language.declared import DECLARED
from engine.games.arena.language.programs import ALL_FLAGS, ALWAYS, KINDS, clause
from engine.games.arena.language.subgoals import CODES, goals, in_order, subgoals
from engine.language.bank import bank


def test_the_codes_are_table_7_and_a_value_is_known_by_how_it_begins():
    from engine.games.arena.abstraction import SUBGOALS

    assert {one.name: set(one.values) for one in CODES.values()} == {
        name: set(values) for name, values in SUBGOALS.items()
    }
    assert [one.name for one in CODES.values()] == list(SUBGOALS)
    assert goals("vel=Fast len=No") == {"Average velocity": "Fast", "Length of distance moved": "No movement"}
    assert [*goals("mv=North vw=NorthEast").values()] == ["North", "NorthEast"]


def test_the_model_has_its_labels_in_the_order_in_which_it_learned_them():
    names = [label.split("=")[0] for label in DECLARED.labels]
    assert list(dict.fromkeys(names)) == [one.name for one in CODES.values()]
    ways = [label.split("=")[1] for label in DECLARED.labels if label.startswith("Enemy’s position")]
    assert ways == (
        ["North", "NorthEast", "East", "Southeast", "South", "Southwest", "West", "Northwest", "None"]
    )


def test_the_bank_holds_readings_of_the_table():
    values = {one.name: one.values for one in CODES.values()}
    for row in bank("arena"):
        assert all(value in values[name] for name, value in row["goals"].items()), row


@pytest.mark.parametrize(
    ("one", "codes"),
    [
        (clause("follow", who="me"), "fm=True dt=Nearby"),
        (clause("follow", who="me", negated=True), "fm=False"),
        (clause("go", place="southwest"), "mv=Southwest"),
        (clause("go", place="me"), "dt=Nearby"),
        (clause("go", place="house", flags=["quietly"]), "len=Medium dmg=Zero"),
        (clause("hold", flags=["hurrying", "lying"]), "len=No vel=Static pr=True"),
        (clause("look", place="northeast"), "vw=NorthEast"),
        (clause("look", place="house"), ""),
        (clause("spread"), "dt=Moderate"),
    ],
)
def test_a_program_asks_for_the_sub_goals_of_its_first_clause(one, codes):
    wanted = in_order(goals(codes))
    assert subgoals({"clauses": [one, clause("heal")]}) == wanted
    assert labels.row_of({"clauses": [one]}) == {"goals": wanted}


def test_programs_keep_the_sub_goals_that_they_carry():
    own = goals("vw=North")
    assert subgoals({"clauses": [clause("heal")], "subgoals": own}) == own
    assert labels.row_of(None) == {"goals": {}}


@pytest.mark.parametrize("kind", [*KINDS, *ALWAYS])
def test_every_kind_has_a_meaning_in_the_table(kind):
    for negated in (False, True):
        own = {"clauses": [clause(kind, negated=negated, flags=list(ALL_FLAGS))]}
        assert set(subgoals(own)) <= {one.name for one in CODES.values()}


def test_labels_are_written_as_in_the_bank():
    found = labels.row(["Horizontal direction of view=North", "Whether seen by enemy=False"])
    assert list(found["goals"].items()) == [
        ("Whether seen by enemy", "False"),
        ("Horizontal direction of view", "North"),
    ]
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
