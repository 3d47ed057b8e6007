"""Disputes of a season: who claims what, and who answers."""

from matches.seasons.domain import disputes, roster
from matches.seasons.domain.claims import MOST_OPEN, MOST_WITHDRAWN
from tests.seasons.staged import Paper


def test_a_player_claims_and_a_host_answers_once() -> None:
    paper = Paper("ann", "ben", "cat")
    paper.act(disputes.claim, "conduct", "Ben shouted.", by="ann")
    assert paper.refusal(disputes.answer_claim, 1, "upheld", "Yes.", by="ben") == "forbidden"
    paper.act(disputes.answer_claim, 1, "upheld", "He did.", by="hal")
    (claim,) = paper.season.claims
    assert (claim.status, claim.reason, claim.answered_by) == ("upheld", "He did.", "hal")
    assert paper.refusal(disputes.answer_claim, 1, "rejected", "No.") == "claim_closed"
    assert paper.refusal(disputes.answer_claim, 2, "rejected", "No.") == "no_such_claim"
    assert paper.refusal(disputes.answer_claim, 0, "rejected", "No.") == "no_such_claim"


def test_a_no_show_and_a_wrong_result_are_of_a_match_of_the_season() -> None:
    paper = Paper("ann", "ben", "cat", "dan").main_match("ann", "dan", giving_to="ben").death_match("cat", "m1")
    for kind in ("no_show", "wrong_result"):
        assert paper.refusal(disputes.claim, kind, "Look.", by="dan") == "claim_needs_match"
        assert paper.refusal(disputes.claim, kind, "Look.", "m2", by="dan") == "not_in_season"
        paper.act(disputes.claim, kind, "Look.", "m1", by="dan")
    assert paper.refusal(disputes.claim, "conduct", "Look.", by="stranger") == "forbidden"
    assert paper.refusal(disputes.claim, "conduct", "Look.", by="hal") == "forbidden"


def test_a_claim_stays_its_players_who_may_withdraw_it_also_once_substituted() -> None:
    paper = Paper("ann", "ben", "cat")
    paper.act(disputes.claim, "broken_rule", "A pass is no move.", by="ann")
    paper.act(roster.substitute, "ann", "eve", "Ill.")
    assert paper.season.claims[0].player == "ann"
    assert paper.refusal(disputes.withdraw_claim, 1, by="eve") == "forbidden"
    paper.act(disputes.withdraw_claim, 1, by="ann")
    assert paper.refusal(disputes.answer_claim, 1, "upheld", "Late.") == "claim_closed"


def test_claims_made_and_withdrawn_do_not_fill_the_record() -> None:
    paper = Paper("ann", "ben", "cat")
    for number in range(MOST_WITHDRAWN):
        paper.act(disputes.claim, "conduct", "Again.", by="ann")
        paper.act(disputes.withdraw_claim, number + 1, by="ann")
    assert paper.refusal(disputes.claim, "conduct", "Again.", by="ann") == "too_many_claims"


def test_one_player_has_only_so_many_claims_open_at_once() -> None:
    paper = Paper("ann", "ben", "cat")
    for _ in range(MOST_OPEN):
        paper.act(disputes.claim, "conduct", "Again.", by="ann")
    assert paper.refusal(disputes.claim, "conduct", "Again.", by="ann") == "too_many_claims"
    paper.act(disputes.claim, "conduct", "Mine.", by="ben")
    paper.act(disputes.withdraw_claim, 1, by="ann")
    paper.act(disputes.claim, "conduct", "Again.", by="ann")
