"""Disputes of a season: who claims what, and who answers."""

from matches.seasons.domain import roster
from matches.seasons.domain.claim_acts import AnswerClaim, MakeClaim, WithdrawClaim
from matches.seasons.domain.claims import MOST_OPEN, MOST_WITHDRAWN
from tests.seasons.staged import Paper


def test_claim_of_a_player_is_answered_once_by_a_host() -> None:
    paper = Paper("ann", "ben", "cat")
    paper.act(MakeClaim("conduct", "Ben shouted.").decide, by="ann")
    assert paper.refusal(AnswerClaim(1, "upheld", "Yes.").decide, by="ben") == "forbidden"
    paper.act(AnswerClaim(1, "upheld", "He did.").decide, by="hal")
    (claim,) = paper.season.claims
    assert (claim.status, claim.reason, claim.answered_by) == ("upheld", "He did.", "hal")
    assert paper.refusal(AnswerClaim(1, "rejected", "No.").decide) == "claim_closed"
    assert paper.refusal(AnswerClaim(2, "rejected", "No.").decide) == "no_such_claim"
    assert paper.refusal(AnswerClaim(0, "rejected", "No.").decide) == "no_such_claim"


def test_a_no_show_and_a_wrong_result_are_of_a_match_of_the_season() -> None:
    paper = Paper("ann", "ben", "cat", "dan").main_match("ann", "dan", giving_to="ben").death_match("cat", "m1")
    for kind in ("no_show", "wrong_result"):
        assert paper.refusal(MakeClaim(kind, "Look.").decide, by="dan") == "claim_needs_match"
        assert paper.refusal(MakeClaim(kind, "Look.", "m2").decide, by="dan") == "not_in_season"
        paper.act(MakeClaim(kind, "Look.", "m1").decide, by="dan")
    assert paper.refusal(MakeClaim("conduct", "Look.").decide, by="stranger") == "forbidden"
    assert paper.refusal(MakeClaim("conduct", "Look.").decide, by="hal") == "forbidden"


def test_claim_may_be_withdrawn_by_its_author_after_a_substitution() -> None:
    paper = Paper("ann", "ben", "cat")
    paper.act(MakeClaim("broken_rule", "A pass is no move.").decide, by="ann")
    paper.act(roster.substitute, "ann", "eve", "Ill.")
    assert paper.season.claims[0].player == "ann"
    assert paper.refusal(WithdrawClaim(1).decide, by="eve") == "forbidden"
    paper.act(WithdrawClaim(1).decide, by="ann")
    assert paper.refusal(AnswerClaim(1, "upheld", "Late.").decide) == "claim_closed"


def test_claims_made_and_withdrawn_do_not_fill_the_record() -> None:
    paper = Paper("ann", "ben", "cat")
    for number in range(MOST_WITHDRAWN):
        paper.act(MakeClaim("conduct", "Again.").decide, by="ann")
        paper.act(WithdrawClaim(number + 1).decide, by="ann")
    assert paper.refusal(MakeClaim("conduct", "Again.").decide, by="ann") == "too_many_claims"


def test_open_claims_of_a_player_are_limited() -> None:
    paper = Paper("ann", "ben", "cat")
    for _ in range(MOST_OPEN):
        paper.act(MakeClaim("conduct", "Again.").decide, by="ann")
    assert paper.refusal(MakeClaim("conduct", "Again.").decide, by="ann") == "too_many_claims"
    paper.act(MakeClaim("conduct", "Mine.").decide, by="ben")
    paper.act(WithdrawClaim(1).decide, by="ann")
    paper.act(MakeClaim("conduct", "Again.").decide, by="ann")
