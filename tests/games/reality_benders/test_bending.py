"""Bending: submissions, items, refusals and the reveal."""

import pytest

from games.kernel import HOST, SPECTATOR, Due, Illegal, Table
from games.reality_benders import GAME
from games.reality_benders.pieces import RULES
from tests.games.reality_benders.scripted import all_rules_but, bends, duel, kinds, play, refused, table


def test_r1_a_match_begins_with_bending_by_both_seats() -> None:
    due = table().due
    assert [(prompt.seat, prompt.commands, prompt.clock) for prompt in due.prompts] == [
        (0, ("bend",), "turn"),
        (1, ("bend",), "turn"),
    ]
    assert not due.dealer


def test_r4_the_first_submission_reveals_nothing() -> None:
    at = table()
    assert kinds(play(at, "0 bend A>B C>D")) == ["bending_submitted"]
    assert [prompt.seat for prompt in at.due.prompts] == [1]
    assert [prompt.seat for prompt in at.due.amendable] == [0]


def test_r4_a_submission_is_blank_to_everyone_else() -> None:
    at = table()
    play(at, "0 bend A>B C>D bridge E>F")
    blank = {"type": "bending_submitted", "seat": 0, "rules": None, "bridge": None, "break": None}
    assert at.events(1) == at.events(SPECTATOR) == [blank]
    assert at.events(0) == at.events(HOST) == [{**blank, "rules": ["A>B", "C>D"], "bridge": "E>F"}]
    assert at.witness(1).submitted == ("hidden", None)


def test_r4_a_submission_can_be_replaced_while_the_other_is_awaited() -> None:
    at = table()
    events = play(at, "0 bend A>B C>D bridge E>F", "0 bend A>C B>D", "1 bend A>B A>C")
    assert events[1] == {"type": "rules_bent", "added": ["A>B", "A>C", "B>D"], "removed": [], "items": []}
    assert at.state.items[0] == ("bonus", "break", "bridge")


def test_r4_between_the_last_submission_and_what_it_reveals_nobody_chooses() -> None:
    at = table()
    bends(at)
    submissions = at.log[:2]
    assert Table.replay(GAME, {"rules": []}, 2, 0, submissions).due == Due()


def test_r4_legal_lists_replacements_and_nothing_for_a_seat_without_a_choice() -> None:
    at = table()
    play(at, "0 bend A>B C>D")
    assert sum(1 for _ in at.legal(0)) == 2556
    bends(at)
    play(at, "0 cast I", "1 cast C:A")
    assert list(GAME.legal(at.witness(0), 0)) == []
    play(at, "0 resign")
    assert list(GAME.legal(at.witness(1), 1)) == []


def test_r4_after_the_reveal_nothing_can_be_replaced() -> None:
    at = table()
    bends(at)
    refused(at, "0 bend A>D C>G", "not_now")


def test_r5_existing_rule_is_refused() -> None:
    refused(table("A>B"), "0 bend A>B C>D", "edge_exists")
    refused(table("A>B"), "0 bend B>C C>D bridge A>B", "edge_exists")


def test_r5_the_reverse_of_a_standing_rule_is_another_rule() -> None:
    assert kinds(play(table("A>B"), "0 bend B>A C>D")) == ["bending_submitted"]


def test_r5_no_rule_leads_to_its_own_spell() -> None:
    refused(table(), "0 bend A>A C>D", "self_loop")
    refused(table(), "0 bend A>B C>D bridge E>E", "self_loop")


def test_r5_rule_given_twice_is_refused() -> None:
    refused(table(), "0 bend A>B A>B", "same_edge_twice")
    refused(table(), "0 bend A>B C>D bridge A>B", "same_edge_twice")


def test_r5_a_submission_is_one_rule_unless_the_match_says_two() -> None:
    at = Table(GAME)
    assert [command.rules for command in at.legal(0)] == [(rule,) for rule in RULES]
    for text in ("bend", "bend A>B C>D"):
        refused(at, f"0 {text}", "wrong_number_of_rules")
    revealed = play(at, "0 bend A>D", "1 bend C>G bridge E>F")[1]
    assert revealed["added"] == ["A>D", "C>G", "E>F"]


def test_ruling_7_with_one_rule_each_the_last_rule_leaves_no_bridge() -> None:
    at = table(all_rules_but("A>B"), rules_each=1)
    refused(at, "0 bend A>B bridge A>B", "same_edge_twice")
    bends(at, "A>B")
    assert len(at.state.rules) == len(RULES)


@pytest.mark.parametrize("rules_each", (0, 3))
def test_ruling_16_a_submission_is_of_one_rule_or_of_two(rules_each: int) -> None:
    with pytest.raises(Illegal, match="rules_each is 1 to 2") as refusal:
        table(rules_each=rules_each)
    assert refusal.value.code == "bad_options"


def test_r5_two_rules_exactly() -> None:
    for text in ("bend", "bend A>B", "bend A>B C>D E>F"):
        refused(table(), f"0 {text}", "wrong_number_of_rules")


def test_r5_only_the_nine_spells_have_rules() -> None:
    refused(table(), "0 bend A>Z C>D", "no_such_spell")
    refused(table("A>B"), "0 bend A>D C>D break J>B", "no_such_spell")


def test_r5_text_that_is_no_rule_is_malformed() -> None:
    at = table()
    refused(at, "0 bend A-B C>D", "malformed")


def test_ruling_7_the_last_rules_are_taken_all() -> None:
    at = table(all_rules_but("A>B"))
    refused(at, "0 bend", "wrong_number_of_rules")
    assert [command.rules for command in at.legal(0)] == [("A>B",)]
    bends(at, "A>B")
    assert len(at.state.rules) == 72


def test_ruling_7_with_every_rule_made_a_submission_is_empty() -> None:
    at = table(all_rules_but())
    assert [command.rules for command in at.legal(0)] == [()]
    assert play(at, "0 bend", "1 bend break A>B")[1]["removed"] == ["A>B"]


def test_ruling_7_two_rules_left_leave_no_bridge() -> None:
    at = table(all_rules_but("A>B", "B>A"))
    refused(at, "0 bend A>B B>A bridge C>D", "edge_exists")
    refused(at, "0 bend A>B B>A bridge A>B", "same_edge_twice")
    bends(at, "bend A>B B>A")


def test_r6_a_bridge_is_a_third_rule_and_a_break_takes_one_away() -> None:
    events = play(table("G>H"), "0 bend A>D C>G bridge E>F break G>H", "1 bend A>B A>C")
    assert events[1] == {
        "type": "rules_bent",
        "added": ["A>B", "A>C", "A>D", "C>G", "E>F"],
        "removed": ["G>H"],
        "items": [
            {"seat": 0, "item": "break", "rule": "G>H"},
            {"seat": 0, "item": "bridge", "rule": "E>F"},
        ],
    }


def test_r6_only_a_standing_rule_can_be_broken() -> None:
    refused(table(), "0 bend A>B C>D break E>F", "edge_absent")
    refused(table(), "0 bend A>B C>D break A>B", "edge_absent")


def test_r6_each_item_serves_once_in_a_match() -> None:
    at = table("A>B C>D")
    play(at, "0 bend A>C A>D bridge A>E break A>B", "1 bend A>C A>D")
    play(at, "0 cast C:A", "1 cast F:I")
    refused(at, "0 bend B>A B>C bridge B>D", "item_used")
    refused(at, "0 bend B>A B>C break C>D", "item_used")
    assert kinds(play(at, "1 bend B>A B>C bridge B>D break C>D")) == ["bending_submitted"]


def test_r6_the_items_option_takes_items_away() -> None:
    at = table("A>B", items=["bonus"])
    refused(at, "0 bend A>C A>D bridge A>E", "item_used")
    refused(at, "0 bend A>C A>D break A>B", "item_used")
    bends(at)
    assert kinds(play(at, "0 cast G bonus")) == ["spell_submitted"]


def test_ruling_17_finalists_may_hold_different_items_and_these_count() -> None:
    at = table("A>B", items=["bonus"], seat_items=[["bridge", "break"], []])
    assert at.state.items == (("break", "bridge"), ())
    refused(at, "1 bend A>C A>D bridge A>E", "item_used")
    assert kinds(play(at, "0 bend A>C A>D bridge A>E break A>B")) == ["bending_submitted"]


@pytest.mark.parametrize(
    ("seat_items", "message"),
    [
        ([["bonus"]], "seat_items is two lists, one for each seat, or none at all, not 1."),
        ([["bonus"], ["torch"]], "Each entry of seat_items is one of bonus, bridge and break, not 'torch'."),
        ([["bonus", "bonus"], []], "No entry of seat_items may stand there twice."),
    ],
)
def test_ruling_17_faults_of_the_items_are_named(seat_items: list[list[str]], message: str) -> None:
    with pytest.raises(Illegal) as refusal:
        table(seat_items=seat_items)
    assert (refusal.value.code, refusal.value.message) == ("bad_options", message)


def test_ruling_5_an_item_is_spent_at_the_reveal() -> None:
    at = table()
    play(at, "0 bend A>B C>D bridge E>F")
    assert "bridge" in at.witness(0).items[0]
    play(at, "1 bend A>B C>D")
    assert "bridge" not in at.witness(1).items[0]


def test_r7_the_same_rule_from_both_seats_is_one_rule() -> None:
    assert bends(table(), "A>B C>D")[1]["added"] == ["A>B", "C>D"]


def test_ruling_10_the_same_break_from_both_seats_takes_one_rule_and_both_items() -> None:
    at = table("A>B")
    revealed = bends(at, "bend A>C A>D break A>B")[1]
    assert revealed["removed"] == ["A>B"]
    assert at.state.items == (("bonus", "bridge"), ("bonus", "bridge"))


def test_ruling_10_a_broken_rule_cannot_be_made_in_the_same_submission() -> None:
    refused(table("A>B"), "0 bend A>B C>D break A>B", "edge_exists")


def test_r3_bending_and_casting_alternate_as_numbered_phases() -> None:
    at = table()
    assert at.due.prompts[0].turn == "bout 1, phase 1, bend"
    bends(at)
    assert at.due.prompts[0].turn == "bout 1, phase 2, cast"
    play(at, "0 cast C:A", "1 cast F:I")
    assert at.due.prompts[0].turn == "bout 1, phase 3, bend"


def test_legal_lists_the_submissions_of_two_rules_without_items() -> None:
    commands = list(table().legal(0))
    assert len(commands) == len(set(commands)) == 72 * 71 // 2
    assert all(command.bridge is None and command.break_ is None for command in commands)
    assert all(list(command.rules) == sorted(command.rules) for command in commands)


def test_ruling_11_rules_are_recorded_sorted() -> None:
    assert play(table(), "0 bend C>G A>D")[0]["rules"] == ["A>D", "C>G"]


def test_r2_rules_stay_for_the_rounds_to_come() -> None:
    at = table("A>B")
    duel(at, "C:A", "F:I")
    assert at.state.rules == ("A>B", "H>I", "I>H")
