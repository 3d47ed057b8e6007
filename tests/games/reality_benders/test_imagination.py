"""Imagination: offers, picks and copies in hand."""

from games.kernel import SPECTATOR
from tests.games.reality_benders.scripted import bends, duel, holding, kinds, play, refused, table


def test_r17_the_opponent_offers_then_the_caster_picks() -> None:
    at = table("I>C")
    duel(at, "I", "C:A", quiet="G>H H>G")
    assert [(prompt.seat, prompt.commands) for prompt in at.due.prompts] == [(1, ("offer",))]
    assert play(at, "1 offer D,B,C") == [
        {"type": "spells_offered", "seat": 1, "to": 0, "spells": ["B", "C", "D"]},
        {"type": "offers_revealed", "offers": [["B", "C", "D"], None]},
    ]
    assert [(prompt.seat, prompt.commands) for prompt in at.due.prompts] == [(0, ("pick",))]
    assert [command.spell for command in at.legal(0)] == ["B", "C", "D"]
    assert play(at, "0 pick B") == [{"type": "spell_picked", "seat": 0, "spell": "B"}]
    assert at.state.hands[0] == tuple("ABBCDEFGH")
    assert at.due.prompts[0].turn == "bout 1, phase 3, bend"


def test_r17_imagination_may_come_back_from_a_tie_and_still_brings_a_spell() -> None:
    at = table()
    duel(at, "I", "C:A", quiet="G>H H>G")
    play(at, "1 offer A,B,C", "0 pick A")
    assert at.state.hands[0] == tuple("AABCDEFGHI")


def test_r17_an_offer_has_three_different_spells_of_a_to_h() -> None:
    at = table("I>C")
    duel(at, "I", "C:A", quiet="G>H H>G")
    for spells in ("A,B", "A,B,C,D", "A,B,B", "A,B,I"):
        refused(at, f"1 offer {spells}", "bad_offer")
    refused(at, "1 offer A,B,Z", "no_such_spell")
    refused(at, "0 pick A", "not_your_turn")
    assert len(list(at.legal(1))) == 56


def test_r17_only_an_offered_spell_can_be_picked() -> None:
    at = table("I>C")
    duel(at, "I", "C:A", quiet="G>H H>G")
    play(at, "1 offer A,B,C")
    refused(at, "0 pick D", "not_offered")
    refused(at, "0 pick Z", "no_such_spell")


def test_r17_two_imaginations_run_side_by_side() -> None:
    at = table()
    duel(at, "I", "I", quiet="G>H H>G")
    assert kinds(play(at, "0 offer A,B,C")) == ["spells_offered"]
    assert at.events(1)[-1]["spells"] is None
    assert at.events(SPECTATOR)[-1]["spells"] is None
    events = play(at, "1 offer D,E,F")
    assert events[1] == {"type": "offers_revealed", "offers": [["D", "E", "F"], ["A", "B", "C"]]}
    assert [prompt.seat for prompt in at.due.prompts] == [0, 1]
    assert kinds(play(at, "1 pick A")) == ["spell_picked"]
    refused(at, "1 pick B", "not_your_turn")
    play(at, "0 pick F")
    assert at.state.hands == (tuple("ABCDEFFGH"), tuple("AABCDEFGH"))


def test_ruling_8_an_offer_may_be_replaced_while_the_other_is_awaited() -> None:
    at = table()
    duel(at, "I", "I", quiet="G>H H>G")
    events = play(at, "0 offer A,B,C", "0 offer F,G,H", "1 offer D,E,F")
    assert events[1]["offers"] == [["D", "E", "F"], ["F", "G", "H"]]


def test_r9_a_second_copy_may_not_be_cast_right_after_the_first() -> None:
    at = holding("CGI", "ABI", rules="I>A")
    duel(at, "I", "A", quiet="G>H H>G")
    play(at, "1 offer A,B,G", "0 pick G")
    duel(at, "G", "B:C,D", quiet="A>I B>I")
    bends(at)
    refused(at, "0 cast G", "no_repeat")


def test_ruling_13_one_of_two_copies_is_trashed() -> None:
    at = holding("CGI", "ABI", rules="I>A G>B")
    duel(at, "I", "A", quiet="G>H H>G")
    play(at, "1 offer A,B,G", "0 pick G")
    duel(at, "G", "B:C,D", quiet="A>I B>I")
    assert at.state.hands[0] == ("C", "G")


def test_r17_imagination_resolves_before_the_bout_can_end() -> None:
    at = holding("I", "CD", rules="I>C")
    assert kinds(duel(at, "I", "C:A", quiet="G>H H>G"))[-1] == "duel_resolved"
    play(at, "1 offer A,B,C")
    assert kinds(play(at, "0 pick A")) == ["spell_picked"]
