"""A player claims something at their desk, an official answers, and everybody who sees the season reads both."""

from datetime import datetime, timedelta
from uuid import UUID, uuid4

import pytest

from events import store
from matches.models import Account, Match
from matches.seasons.models import Season
from matches.seasons.reads import disputes
from tests.api.guests import Guest
from tests.api.seasons import Cup
from tests.events.staging import tamper
from tests.panel.office import Desk
from tests.panel.seasons import account_of, bureau
from tests.table_setting import new_account
from tests.web.test_season_desk import decide, read, types, version
from tests.web.test_seasons import page


def test_a_claim_is_made_at_the_desk_answered_in_the_panel_and_read_by_all() -> None:
    cup = Cup(4)
    match = cup.death_match()
    ec = cup.player(cup.read("/episodes")["results"][0]["candidate"])
    before = version(cup)
    assert "Make a claim" in read(ec, cup)
    made = decide(ec, cup, "claim", kind="wrong_result", match=match, text="The <b>board</b> was upside down.")
    assert made.status_code == 302 and types(cup, before) == ["claim_made"]
    later = [store.clock() + timedelta(hours=hours) for hours in (47, 49)]
    assert [disputes.claims(UUID(cup.id), at).results[0].overdue for at in later] == [False, True]
    office = bureau(cup, cup.host)
    assert "The <b>board</b> was upside down." in office.page() and "Open claims" in office.page()
    assert "was rejected by" in office.foresees("answer-claim", number="1", decision="rejected", reason="It was not.")
    assert office.did("answer-claim", number="1", decision="rejected", reason="It was not.") == ["claim_answered"]
    assert "Open claims" not in office.page()
    told = cup.read("/claims", by=cup.players[0])["results"][0]
    assert (told["status"], told["reason"], told["answered_by"]["id"]) == ("rejected", "It was not.", cup.host.id)
    assert datetime.fromisoformat(told["answer_by"]) - datetime.fromisoformat(told["at"]) == timedelta(hours=48)
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
def test_invalid_claim_is_refused_and_changes_nothing(act: str, fields: dict, status: int) -> None:
    cup = Cup(3)
    before = version(cup)
    assert decide(cup.players[0], cup, act, **fields).status_code == status
    assert version(cup) == before


CLAIM = "The board was upside down."


def claimed(cup: Cup, answered: bool = True) -> str:
    """An episode's death match with a claim about it; gives the match."""
    match = cup.death_match()
    by = cup.player(cup.read("/episodes")["results"][0]["candidate"])
    cup.did("/claims", {"kind": "wrong_result", "text": CLAIM, "match": match}, by=by)
    if answered:
        cup.did("/claims/1/answer", {"decision": "upheld", "reason": "It was, for two moves."})
    return match


def html_of(path: str, reader: Account | None) -> str:
    status, html = page(path, reader)
    assert status == 200
    return html


def test_answered_claim_is_on_the_pages_of_its_episode_and_match() -> None:
    cup = Cup(4)
    match, reader = claimed(cup), new_account()
    for path in (f"/seasons/{cup.id}/episodes/1", f"/m/{match}/"):
        html = html_of(path, reader)
        assert CLAIM in html and "It was, for two moves." in html and "Upheld by" in html
        assert f'href="/seasons/{cup.id}/rulings#claim-1"' in html
    assert 'id="claim-1"' in html_of(f"/seasons/{cup.id}/rulings", reader)
    assert "It was, for two moves." in Desk(account_of(cup.host)).read(
        f"/admin/matches/{Match.objects.get(id=match).code}/control/"
    )
    claims = cup.read("/claims", match=match, episode=1)["results"]
    assert [(it["number"], it["episode"]) for it in claims] == [(1, 1)]
    assert cup.read("/claims", episode=2)["results"] == cup.read("/claims", match=str(uuid4()))["results"] == []


def test_open_claim_and_ruling_are_on_the_page_of_their_match() -> None:
    cup = Cup(4)
    match = claimed(cup, answered=False)
    cup.did("/rulings", {"text": "Both boards count.", "match": match})
    cup.did("/rulings", {"text": "Of no match."})
    for path in (f"/seasons/{cup.id}/episodes/1", f"/m/{match}/"):
        html = html_of(path, new_account())
        assert CLAIM in html and "To be answered by" in html
        assert "Both boards count." in html
    assert ", with claims and rulings" in html_of(f"/m/{match}/", new_account())
    assert "Of no match." not in html_of(f"/m/{match}/", new_account())


def test_claim_without_a_match_belongs_to_the_open_episode() -> None:
    cup = Cup(4)
    cup.did("/claims", {"kind": "conduct", "text": "Before it began."}, by=cup.players[0])
    cup.main_match()
    cup.did("/claims", {"kind": "conduct", "text": "He shouted."}, by=cup.players[0])
    assert [it["episode"] for it in cup.read("/claims")["results"]] == [None, 1]
    section = html_of(f"/seasons/{cup.id}/episodes/1", new_account())
    assert "He shouted." in section and "Before it began." not in section


def test_claims_are_hidden_from_anonymous_readers_until_the_season_ends() -> None:
    cup = Cup(4)
    match = claimed(cup)
    player = cup.players[3].id
    season = f"/seasons/{cup.id}"
    paths = [
        season,
        f"{season}/rulings",
        f"{season}/events",
        f"{season}/episodes/1",
        f"{season}/players/{player}",
        f"/m/{match}/",
    ]
    for path in paths:
        assert CLAIM not in (html := html_of(path, None)) and "for two moves" not in html and "laim 1" not in html
    assert Guest().get(f"/seasons/{cup.id}/claims").refusal == (401, "not_authenticated")
    Season.objects.filter(id=cup.id).update(status=Season.Status.FINISHED)
    for path in (f"{season}/rulings", f"{season}/episodes/1", f"/m/{match}/"):
        assert CLAIM in html_of(path, None)
    assert Guest().get(f"/seasons/{cup.id}/claims").status == 200


def test_claim_is_hidden_from_delayed_spectators_until_they_know_the_end() -> None:
    cup = Cup(4, spectator_delay=600)
    match = claimed(cup)
    assert CLAIM not in html_of(f"/m/{match}/", new_account())
    ec = cup.player(cup.read("/episodes")["results"][0]["candidate"])
    assert CLAIM in html_of(f"/m/{match}/", account_of(ec))


def test_a_season_whose_record_is_broken_leaves_the_page_of_its_match_whole() -> None:
    cup = Cup(4)
    match = claimed(cup)
    forged = "UPDATE events_event SET public = '{}' WHERE stream = %s AND version = 2"
    tamper(lambda owner: owner.execute(forged, (cup.id,)))
    assert CLAIM not in html_of(f"/m/{match}/", new_account())
