"""A player claims something at their desk, an official answers, and everybody who sees the season reads both."""

import pytest

from tests.api.seasons import Cup
from tests.panel.seasons import bureau
from tests.web.test_season_desk import decide, read, types, version


def test_a_claim_is_made_at_the_desk_answered_in_the_panel_and_read_by_all() -> None:
    cup = Cup(4)
    match = cup.death_match()
    ec = cup.player(cup.read("/episodes")["results"][0]["candidate"])
    before = version(cup)
    assert "Claim something" in read(ec, cup)
    made = decide(ec, cup, "claim", kind="wrong_result", match=match, text="The <b>board</b> was upside down.")
    assert made.status_code == 302 and types(cup, before) == ["claim_made"]
    office = bureau(cup, cup.host)
    assert "The <b>board</b> was upside down." in office.page() and "Claims that wait" in office.page()
    assert "was rejected by" in office.foresees("answer-claim", number="1", decision="rejected", reason="It was not.")
    assert office.did("answer-claim", number="1", decision="rejected", reason="It was not.") == ["claim_answered"]
    assert "Claims that wait" not in office.page()
    told = cup.read("/claims", by=cup.players[0])["results"][0]
    assert (told["status"], told["reason"], told["answered_by"]["id"]) == ("rejected", "It was not.", cup.host.id)
    assert "Rejected by" in read(ec, cup)
    assert cup.ask("/claims/1/withdraw", by=ec).refusal == (409, "claim_closed")


@pytest.mark.parametrize(
    ("act", "fields", "status"),
    [
        ("claim", {"kind": "nonsense", "text": "Look."}, 400),
        ("claim", {"kind": "conduct", "text": " "}, 400),
        ("claim", {"kind": "conduct", "text": "a\0b"}, 400),
        ("claim", {"kind": "no_show", "text": "Look."}, 422),
        ("claim", {"kind": "no_show", "text": "Look.", "match": "none"}, 404),
        ("withdraw-claim", {"number": "one"}, 400),
        ("withdraw-claim", {"number": "7"}, 404),
    ],
)
def test_a_claim_that_makes_no_sense_is_refused_and_changes_nothing(act: str, fields: dict, status: int) -> None:
    cup = Cup(3)
    before = version(cup)
    assert decide(cup.players[0], cup, act, **fields).status_code == status
    assert version(cup) == before
