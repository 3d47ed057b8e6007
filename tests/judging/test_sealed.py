"""Tests that officials see no more than spectators of a sealed match, at whatever interface they ask."""

from collections.abc import Iterator
from uuid import UUID, uuid4

import pytest
from django.http import HttpResponse
from django.test import Client

from events import store
from matches.models import Account, Match
from matches.services import hosting
from tests.api.document import OPERATIONS
from tests.api.guests import Guest, guest
from tests.judging.table import WORDS, JudgedMatch
from tests.web.match_setting import client_of


def addresses(witness: str) -> list[str]:
    """Return every GET below a match that takes `as`, with this witness."""
    needs = {"diffMatch": "from=1&"}
    return [
        f"{it.path}?{needs.get(it.id, '')}as={witness}"
        for it in OPERATIONS.values()
        if it.method == "GET"
        and it.path.startswith("/api/v1/matches/{name}")
        and "as" in it.parameters("query")
        and it.id != "listLegal"
    ]


ADDRESSES = addresses("host") + addresses("seat:0")


@pytest.fixture
def organiser() -> Guest:
    return guest(is_organiser=True)


@pytest.fixture
def sealed(judged: JudgedMatch) -> JudgedMatch:
    """A sealed match, in which seat 0 has handed its word in and appealed."""
    appeal = {"kind": "other", "text": "Look, please."}
    assert judged.players[0].post(f"/matches/{judged.id}/appeals", appeal).status == 201
    return judged.handed_in(0)


def page_of(official: Guest) -> Client:
    return client_of(Account.objects.get(id=official.id))


def bodies(official: Guest, match: JudgedMatch) -> Iterator[tuple[str, bytes]]:
    """Yield every GET below the match that the official may make, and the body of the response."""
    for it in OPERATIONS.values():
        if it.method == "GET" and it.path.startswith("/api/v1/matches/{name}"):
            names = {"name": match.id, "key": "some", "number": "1", "thread": "table"}
            for query in ("", "?as=host", "?as=seat:0", "?as=spectator", "?of=8", "?from=1&as=host"):
                yield f"{it.id}{query}", official.get(f"{it.at(**names)}{query}").body


@pytest.mark.parametrize("address", ADDRESSES)
def test_official_is_refused_at_every_address_with_a_witness(
    address: str, sealed: JudgedMatch, organiser: Guest
) -> None:
    before = sealed.types()
    for official in (sealed.host, organiser):
        answer = official.get(address.removeprefix("/api/v1").format(name=sealed.id))
        assert answer.refusal == (403, "sealed")
        assert "every seat that is awaited has acted" in answer.json["detail"] and " UTC" in answer.json["detail"]
    assert sealed.types() == before, "No look is recorded."


def test_addresses_with_a_witness_include_the_known_ones() -> None:
    paths = ("view", "moment", "events", "history", "history/export", "board.svg", "diff")
    assert {f"/api/v1/matches/{{name}}/{path}" for path in paths} <= {it.partition("?")[0] for it in ADDRESSES}


def test_no_response_to_an_official_contains_what_is_sealed(sealed: JudgedMatch, organiser: Guest) -> None:
    asked = [*bodies(sealed.host, sealed), *bodies(organiser, sealed)]
    assert len(asked) > 200
    assert [name for name, body in asked if WORDS[0].encode() in body] == []
    assert WORDS[0] in sealed.players[0].get(f"/matches/{sealed.id}/view").body.decode()


def test_seat_and_spectator_read_a_sealed_match_as_ever(sealed: JudgedMatch, organiser: Guest) -> None:
    assert sealed.players[0].get(f"/matches/{sealed.id}/view", {"as": "seat:0"}).status == 200
    assert organiser.get(f"/matches/{sealed.id}/view", {"as": "spectator"}).status == 200
    assert guest().get(f"/matches/{sealed.id}/view", {"as": "host"}).refusal == (404, "not_found")
    assert sealed.players[1].get(f"/matches/{sealed.id}/view", {"as": "host"}).refusal == (404, "not_found")


def test_host_looks_once_the_seal_is_open(sealed: JudgedMatch) -> None:
    sealed.handed_in(1)
    truth = sealed.host.get(f"/matches/{sealed.id}/view", {"as": "host"}).json
    assert truth["view"]["words"] == list(WORDS) and truth["view"]["topic"]
    assert sealed.types()[-1] == "truth_viewed"


def test_match_that_is_not_sealed_may_be_looked_at(host: Guest) -> None:
    match = JudgedMatch.begun(host, options={"sealed": False}).handed_in(0)
    assert host.get(f"/matches/{match.id}/view", {"as": "host"}).json["view"]["words"][0] == WORDS[0]


def test_end_of_a_sealed_match_opens_it_to_everybody(sealed: JudgedMatch) -> None:
    hosting.void(match_id=UUID(sealed.id), by=UUID(sealed.host.id), reason="Enough.")
    assert guest().get(f"/matches/{sealed.id}/view", {"as": "host"}).json["view"]["words"][0] == WORDS[0]


# Pages


def refused(page: HttpResponse) -> bool:
    """Return True if a page refuses with the sentence of the seal, or leads to one that does."""
    return page.status_code == 403 and "sealed" in page.content.decode()


@pytest.mark.parametrize("witness", ["host", "seat:0"])
def test_pages_are_refused_with_a_witness(witness: str, sealed: JudgedMatch, organiser: Guest) -> None:
    code, before = sealed.told()["code"], sealed.types()
    for official in (sealed.host, organiser):
        browser = page_of(official)
        for path in (
            f"/m/{code}/replay/",
            f"/m/{code}/replay/5/",
            f"/admin/matches/{code}/control/",
            f"/admin/matches/{code}/control/live/",
        ):
            page = browser.get(path, {"as": witness})
            assert refused(page), (path, page.status_code)
    assert sealed.types() == before


def test_dispute_shows_no_more_than_spectators_see(sealed: JudgedMatch) -> None:
    browser, path = page_of(sealed.host), f"/admin/disputes/{sealed.told()['code']}/1/"
    page = browser.get(path)
    assert page.status_code == 200
    assert WORDS[0] not in page.content.decode() and "Show what is sealed" not in page.content.decode()
    assert refused(browser.get(path, {"as": "host"}))


@pytest.mark.parametrize("path", ["/m/{}/look", "/admin/matches/{}/control/look/", "/admin/disputes/{}/1/look/"])
def test_look_by_a_page_is_refused_and_not_recorded(path: str, sealed: JudgedMatch) -> None:
    before, browser = sealed.types(), page_of(sealed.host)
    page = browser.post(path.format(sealed.told()["code"]), {"key": str(uuid4())}, follow=True)
    assert WORDS[0] not in page.content.decode()
    assert page.status_code == 403 or "sealed" in page.content.decode()
    assert sealed.types() == before


def test_control_room_says_that_the_match_is_sealed_and_offers_no_look(sealed: JudgedMatch) -> None:
    browser, path = page_of(sealed.host), f"/admin/matches/{sealed.told()['code']}/control/"
    room = browser.get(path).content.decode()
    assert "is sealed, for officials too" in room and "Look at everything" not in room and WORDS[0] not in room
    sealed.handed_in(1)
    assert "Look at everything" in browser.get(path).content.decode()


def test_look_on_record_shows_nothing_after_a_rewind_into_the_seal(sealed: JudgedMatch) -> None:
    sealed.handed_in(1)
    opens = sealed.types().index("opened") - 1
    hosting.view_truth(match_id=UUID(sealed.id), by=UUID(sealed.host.id))
    code, browser = sealed.told()["code"], page_of(sealed.host)
    assert WORDS[0] in browser.get(f"/admin/matches/{code}/control/", {"as": "host"}).content.decode()
    hosting.rewind(match_id=UUID(sealed.id), by=UUID(sealed.host.id), to_version=opens, reason="Again.")
    for path in (f"/admin/matches/{code}/control/", f"/m/{code}/replay/5/", f"/admin/disputes/{code}/1/"):
        assert refused(browser.get(path, {"as": "host"})), path


def test_look_is_refused_under_the_lock(sealed: JudgedMatch, monkeypatch: pytest.MonkeyPatch) -> None:
    """The match was open when the caller read it, and is sealed when the look is to be recorded."""
    checks = iter([None])
    refuse = hosting.refuse_sealed
    monkeypatch.setattr(hosting, "refuse_sealed", lambda it: next(checks, it) and refuse(it))
    with pytest.raises(hosting.Illegal) as refusal:
        hosting.view_truth(match_id=UUID(sealed.id), by=UUID(sealed.host.id))
    assert refusal.value.code == "sealed" and "truth_viewed" not in sealed.types()


def test_export_of_a_sealed_match_holds_digests_only(sealed: JudgedMatch, organiser: Guest) -> None:
    lines = organiser.get(f"/matches/{sealed.id}/export").body.decode()
    assert '"handed_in"' in lines and WORDS[0] not in lines
    assert len(store.read(UUID(sealed.id))) == Match.objects.get(id=sealed.id).version
