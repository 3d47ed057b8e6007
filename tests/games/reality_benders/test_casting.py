"""Casting: what may be cast, and the abilities that change the rules."""

from games.kernel import HOST
from tests.games.reality_benders.scripted import (
    bends,
    changes,
    duel,
    holding,
    kinds,
    only,
    play,
    refused,
    table,
)

CALM = "C:I"
"""A cast that changes no rule."""


def test_r8_both_casts_are_revealed_together_in_seat_order() -> None:
    at = table()
    bends(at)
    assert kinds(play(at, "1 cast F:I bonus")) == ["spell_submitted"]
    events = play(at, "0 cast C:A")
    assert kinds(events) == [
        "spell_submitted",
        "spells_revealed",
        "ability_resolved",
        "ability_resolved",
        "duel_resolved",
    ]
    assert events[1]["casts"] == [
        {"seat": 0, "spell": "C", "targets": ["A"], "bonus": False},
        {"seat": 1, "spell": "F", "targets": ["I"], "bonus": True},
    ]


def test_r4_a_cast_is_blank_to_the_other_seat() -> None:
    at = table()
    bends(at)
    play(at, "0 cast F:G bonus")
    event = at.events(1)[-1]
    assert event == {"type": "spell_submitted", "seat": 0, "spell": None, "targets": None, "bonus": None}
    assert at.events(HOST)[-1] == {**event, "spell": "F", "targets": ["G"], "bonus": True}
    assert at.witness(1).submitted == ("hidden", None)


def test_r4_a_cast_can_be_replaced_while_the_other_is_awaited() -> None:
    at = table()
    bends(at)
    events = play(at, "0 cast F:G bonus", "0 cast C:A", "1 cast G")
    assert [cast["spell"] for cast in only(events, "spells_revealed")["casts"]] == ["C", "G"]
    assert "bonus" in at.state.items[0]


def test_r6_the_bonus_serves_once() -> None:
    at = table()
    duel(at, "C:A bonus", "F:I")
    bends(at)
    refused(at, "0 cast G bonus", "item_used")


def test_r8_a_spell_must_be_in_hand() -> None:
    at = holding("AB", "CD")
    bends(at)
    refused(at, "0 cast G", "not_in_hand")


def test_r8_a_trashed_spell_is_not_in_hand_any_more() -> None:
    at = table()
    duel(at, "C:A", "C:A")
    bends(at)
    refused(at, "0 cast C:A", "not_in_hand")


def test_r8_there_are_nine_spells() -> None:
    at = table()
    bends(at)
    refused(at, "0 cast Z", "no_such_spell")
    refused(at, "0 cast F:Z", "no_such_spell")


def test_r9_the_last_spell_may_not_be_repeated_though_it_came_back() -> None:
    at = table()
    assert duel(at, "C:A", "F:I")[-1]["returned"] == [["C"], ["F"]]
    bends(at)
    refused(at, "0 cast C:A", "no_repeat")
    assert not any(command.spell == "C" for command in at.legal(0))


def test_r9_a_spell_may_be_cast_again_after_another() -> None:
    at = table()
    duel(at, "C:A", "F:I")
    duel(at, "G", "C:A", quiet="G>I H>A")
    bends(at)
    assert kinds(play(at, "0 cast C:A")) == ["spell_submitted"]


def test_r10_each_spell_takes_its_number_of_targets() -> None:
    at = table()
    bends(at)
    for text in ("A:B", "B", "B:A", "B:A,C,D", "C", "C:A,B", "D", "E:A,B", "F", "G:A", "H:A", "H", "I:A"):
        refused(at, f"0 cast {text}", "wrong_targets")


def test_r10_two_targets_must_differ() -> None:
    at = table()
    bends(at)
    refused(at, "0 cast B:A,A", "equal_targets")
    refused(at, "0 cast H:A,A", "equal_targets")


def test_legal_lists_every_cast_once() -> None:
    at = table()
    bends(at)
    commands = list(at.legal(0))
    assert len(commands) == len(set(commands)) == 2 * (3 + 4 * 9 + 36 + 72)


def test_r11_abilities_resolve_in_alphabetical_order() -> None:
    events = duel(table(), "E:A", "B:A,B", quiet="H>I I>H")
    assert changes(events) == [("B", [1], ["A>B", "B>A"], []), ("E", [0], [], ["A>B", "B>A"])]


def test_r11_imagination_has_no_ability_event() -> None:
    assert changes(duel(table(), "I", CALM)) == [("C", [1], [], [])]


def test_ruling_15_ability_without_an_effect_on_the_rules_is_recorded() -> None:
    assert changes(duel(table(), "A", "G")) == [("A", [0], [], []), ("G", [1], [], [])]


def test_r12_build_makes_a_rule_each_way() -> None:
    assert changes(duel(table("D>E"), "B:D,E", CALM))[0] == ("B", [0], ["E>D"], [])


def test_r12_two_builds_at_once() -> None:
    assert changes(duel(table(), "B:C,D", "B:D,C")) == [("B", [0, 1], ["C>D", "D>C"], [])]


def test_ruling_11_builds_targets_are_recorded_sorted() -> None:
    events = duel(table(), "B:E,D", "H:E,D")
    assert [cast["targets"] for cast in events[1]["casts"]] == [["D", "E"], ["E", "D"]]


def test_r12_dizzy_turns_every_rule_at_its_target() -> None:
    effect = changes(duel(table("A>B B>D D>A"), "D:D", CALM))[1]
    assert effect == ("D", [0], ["A>D", "D>B"], ["B>D", "D>A"])


def test_r12_dizzy_leaves_a_rule_both_ways_as_it_is() -> None:
    effect = changes(duel(table("A>D D>A D>B"), "D:D", CALM))[1]
    assert effect == ("D", [0], ["B>D"], ["D>B"])


def test_r12_two_dizzies_turn_the_rule_between_their_targets_once() -> None:
    effect = changes(duel(table("A>B B>C C>D"), "D:A", "D:B"))
    assert effect == [("D", [0, 1], ["B>A", "C>B"], ["A>B", "B>C"])]


def test_r12_two_dizzies_at_one_target_turn_its_rules_once() -> None:
    assert changes(duel(table("A>B"), "D:A", "D:A")) == [("D", [0, 1], ["B>A"], ["A>B"])]


def test_r12_explosion_destroys_every_rule_at_its_target() -> None:
    effect = changes(duel(table("A>B B>C C>D"), "E:B", CALM))[1]
    assert effect == ("E", [0], [], ["A>B", "B>C"])


def test_r12_two_explosions_destroy_what_either_does() -> None:
    effect = changes(duel(table("A>B B>C C>D D>E"), "E:A", "E:E"))
    assert effect == [("E", [0, 1], [], ["A>B", "D>E"])]


def test_r12_hellfire_destroys_every_shortest_path() -> None:
    at = table("A>B B>D A>C C>D A>E E>F F>D D>G B>C")
    effect = changes(duel(at, "H:A,D", CALM))[1]
    assert effect == ("H", [0], [], ["A>B", "A>C", "B>D", "C>D"])


def test_r12_hellfire_goes_from_the_first_target_to_the_second() -> None:
    assert changes(duel(table("A>B"), "H:B,A", CALM))[1] == ("H", [0], [], [])


def test_r12_two_hellfires_burn_on_the_rules_as_they_stood() -> None:
    assert changes(duel(table("A>B B>C"), "H:A,B", "H:A,C")) == [("H", [0, 1], [], ["A>B", "B>C"])]


def test_r11_a_later_ability_sees_what_an_earlier_one_did() -> None:
    effect = changes(duel(table("A>B B>C"), "D:B", "H:C,A"))
    assert effect == [("D", [0], ["B>A", "C>B"], ["A>B", "B>C"]), ("H", [1], [], ["B>A", "C>B"])]
