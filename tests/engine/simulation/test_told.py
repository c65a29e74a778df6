"""Which instructions are in force for a seat at a tick: one answer, from the log, in every game."""

import pytest

from engine import language
from engine.language import standings
from engine.simulation.log import EpisodeLog, header_of
from engine.simulation.simulation import Simulation
from engine.simulation.told import Told, changes, in_force, told

KITCHEN = "XXPXX\nO1  O\nX 2 X\nX 3 X\nXDXSX"
PLAY, DISCARD = "if I hint a colour, play those cards", "if I hint a colour, discard those cards"
GAMES = {
    "hanabi": ({"players": 3}, PLAY, DISCARD),
    "overcooked": ({"layout": KITCHEN}, "you do the onions", "you do the plates"),
    "arena": ({"teams": 2, "team_size": 3}, "follow me", "hold here"),
}


def said(name, text, game, tick, seat=0, target=None, status="confirmed"):
    return {
        "type": "instruction",
        "tick": tick,
        "seat": seat,
        "target_seat": target,
        "id": name,
        "text": text,
        "status": status,
        "reading": language.read(game, text).as_json(),
    }


class Table:
    """A game that is played idly while things are said."""

    def __init__(self, game, options):
        self.sim = Simulation(game, options, seed=3)
        seats = [{"kind": "agent", "name": "a", "agent": "a"}] * self.sim.seats
        self.log = EpisodeLog(header_of(self.sim, "e", seats))
        self.told = Told(self.log.header)

    def say(self, name, text="", status="confirmed", seat=0, target=None, settle=True):
        self.add(said(name, text, self.sim.game, self.sim.tick, seat, target, status))
        if settle:
            for record in standings.settled(self.told, self.sim):
                self.log.append(record)

    def add(self, record):
        self.log.append(record)
        self.told.note(record)

    def step(self, count=1):
        for _ in range(count):
            joint = [self.sim.idle(seat) for seat in range(self.sim.seats)]
            if self.sim.current is not None:
                legal = self.sim.legal(self.sim.current)
                joint[self.sim.current] = int(legal.nonzero()[0][-1])
            self.add({"type": "step", "tick": self.sim.tick, "actions": joint})
            self.sim.step(joint)

    def names(self, seat, tick):
        return [span.id for span in in_force(self.log, seat, tick)]


@pytest.fixture(params=sorted(GAMES))
def table(request):
    options, *texts = GAMES[request.param]
    found = Table(request.param, options)
    found.first, found.second = texts
    return found


def test_what_is_said_to_all_is_for_everybody_else_on_the_speakers_side(table):
    table.say("one", table.first)
    table.step()
    mates = [s for s in range(1, table.sim.seats) if table.sim.spec.side_of(table.sim.options, s) == 0]
    assert [seat for seat in range(table.sim.seats) if table.names(seat, 0) == ["one"]] == mates
    assert len(mates) == 2


def test_what_is_said_to_one_is_for_nobody_else(table):
    table.say("one", table.first, target=2)
    assert [table.names(seat, 0) for seat in range(3)] == [[], [], ["one"]]


def test_another_side_and_oneself_are_never_instructed():
    table = Table("arena", {"teams": 2, "team_size": 2})
    table.say("enemy", "follow me", target=3)
    table.say("self", "follow me", target=0)
    assert not any(table.names(seat, 0) for seat in range(4))


def test_it_holds_from_its_confirmation_to_its_withdrawal(table):
    table.say("one", table.first, status="read")
    table.step(2)
    table.say("one", table.first)
    table.step(3)
    table.say("one", table.first, status="withdrawn")
    table.step()
    assert [bool(table.names(1, tick)) for tick in range(7)] == [False] * 2 + [True] * 3 + [False] * 2


def test_a_text_that_was_never_confirmed_is_never_in_force(table):
    table.say("one", table.first, status="read")
    table.say("one", table.first, status="rewritten")
    table.step()
    assert not told(table.log).spans


def test_a_rewritten_one_ends_where_it_was_rewritten(table):
    table.say("one", table.first)
    table.step(2)
    table.add({**said("one", table.first, table.sim.game, 0), "status": "rewritten"})  # with its first tick
    table.say("two", table.first, status="read")
    table.step()
    assert [table.names(1, tick) for tick in range(4)] == [["one"], ["one"], [], []]


def test_a_later_one_replaces_what_it_contradicts_for_those_who_are_told_it(table):
    table.say("one", table.first)
    table.step(2)
    table.say("two", table.second, target=2)
    table.step()
    assert [table.names(seat, 1) for seat in (1, 2)] == [["one"], ["one"]]
    assert [table.names(seat, 2) for seat in (1, 2)] == [["one"], ["two"]]
    (ended,) = [span for span in told(table.log).spans if span.end is not None]
    assert (ended.id, ended.seat, ended.end, ended.why, ended.by) == ("one", 2, 2, "replaced", "two")


def test_a_withdrawn_later_one_leaves_alone_what_it_did_not_contradict():
    texts = {
        "hanabi": ("if I hint a colour, play those cards", "never discard fives"),
        "overcooked": ("you do the onions", "don't touch the tomatoes"),
        "arena": ("follow me", "hold your fire"),
    }
    for game, (first, second) in texts.items():
        table = Table(game, GAMES[game][0])
        table.say("one", first)
        table.say("two", second)
        table.step()
        assert table.names(1, 0) == ["one", "two"], game
        table.say("two", second, status="withdrawn")
        table.step()
        assert table.names(1, 1) == ["one"], game


def test_settling_again_changes_nothing(table):
    table.say("one", table.first)
    table.say("two", table.second)
    table.say("three", table.first, target=1)
    assert standings.settled(table.told, table.sim) == []
    assert [span.id for span in table.told.of(1)] == ["three"]
    assert [span.id for span in table.told.of(2)] == ["two"]


def test_the_changes_of_a_seat_come_in_order_with_all_programs(table):
    table.say("one", table.first)
    table.step(2)
    table.say("one", table.first, status="withdrawn")
    table.step()
    (start, programs), end = changes(table.log, 1)
    assert start == 0 and end == (2, [])
    assert programs[0]["since_tick"] == 0 and programs[0]["from_seat"] == 0
    assert changes(table.log, 0) == []


def test_a_finished_task_ends_where_the_log_does_not_say_so():
    table = Table("overcooked", {"layout": "cramped_room"})
    table.say("go", "go to the pot", settle=False)
    table.step(60)
    assert told(table.log).spans[0].end is None
    (span,) = told(standings.completed(table.log)).spans
    assert span.why == "done" and 30 < span.end < 60


def test_what_was_noted_is_not_worked_out_again(table):
    table.say("one", table.first)
    table.step(2)
    table.add(standings.ended(table.sim.tick, 1, "one", "done"))
    table.step()
    assert standings.completed(table.log) is table.log
    assert [table.names(seat, 2) for seat in (1, 2)] == [[], ["one"]]


def test_an_instruction_that_takes_back_a_part_leaves_the_rest():
    table = Table("arena", {"teams": 2, "team_size": 2})
    table.say("go", "go to the house without shooting")
    table.say("fire", "weapons free")
    table.step()
    go = in_force(table.log, 1, 0)[0]
    assert go.id == "go" and go.program["dropped"] == 1
    kitchen = Table("overcooked", {"layout": "cramped_room"})
    kitchen.say("both", "get an onion and never touch the plates")
    before = len(kitchen.told.of(1)[0].program["goals"])
    kitchen.say("serve", "serve the soup")
    (first, _) = kitchen.told.of(1)
    assert before == 2 and [goal["negated"] for goal in first.program["goals"]] == [True]


def test_hanabi_keeps_the_kinds_of_hints_that_a_later_one_does_not_speak_of():
    table = Table("hanabi", {"players": 2})
    table.say("any", "if I give you a hint, play those cards")
    table.say("rank", "if I hint a rank, discard those cards")
    first = table.told.of(1)[0].program["rules"]
    assert [rule["when"]["partner_did"] for rule in first] == [["hint_color"]]


def test_hanabi_takes_an_exception_for_one():
    table = Table("hanabi", {"players": 2})
    table.say("colour", "if I hint a colour, play it")
    table.say("red", "if I hint you red, discard it")
    (rule,) = table.told.of(1)[0].program["rules"]
    assert rule["when"]["but_not"] == [{"partner_did": ["hint_color"], "value": "red"}]


def test_arena_tells_those_alone_who_are_meant():
    table = Table("arena", {"teams": 2, "team_size": 4})
    table.say("two", "you two hold here")
    assert sum(bool(table.told.of(seat)) for seat in range(4)) == 2
    assert {span.seat for span in told(table.log).spans} == {seat for seat in range(4) if table.told.of(seat)}


def test_what_a_seat_does_untold_stands_before_all_that_it_is_told():
    table = Table("arena", GAMES["arena"][0])
    defaults = language.defaults("arena", table.sim.options, [0])
    table.log.header["defaults"] = {str(seat): program for seat, program in defaults.items()}
    assert [table.told.programs(seat) for seat in (0, 1, 3)] == [[], [defaults[1]], []]
    table.step(4)
    table.say("a", "follow me")
    assert [len(table.told.programs(seat)) for seat in (0, 1, 3)] == [0, 2, 0]
    assert [span.id for span in table.told.of(1)] == ["a"], "nobody has said it, so nobody takes it back"
    table.step()
    table.say("a", status="withdrawn")
    found = [(tick, len(programs)) for tick, programs in changes(table.log, 1)]
    assert found == [(0, 1), (4, 2), (5, 1)]
