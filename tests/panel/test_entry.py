"""Access to the panel: every identity at every kind of address, and no change by a GET."""

from uuid import UUID

import pytest

from events import store
from matches.models import Account, Match
from matches.panel.control.acts import ACTS
from matches.web.middleware import POLICY
from tests.api.seasons import Cup
from tests.panel.office import Desk, hosted_match, room
from tests.table_setting import new_account, play_on, running_match

WHO = ("nobody", "player", "stranger", "host", "host who plays", "staff", "organiser")
HOUSE = (302, 302, 302, 302, 302, 200, 200)
ORGANISERS = (302, 302, 302, 302, 302, 403, 200)
AUDITORS = (302, 404, 404, 200, 404, 404, 200)
HOSTS = (302, 404, 404, 200, 200, 404, 200)
EXPECTED = {
    # Who is no official of the house finds there what is theirs.
    "/admin/": (302, 200, 200, 200, 200, 200, 200),
    "/admin/matches/match/": HOUSE,
    "/admin/matches/match/{id}/change/": HOUSE,
    "/admin/matches/seat/": HOUSE,
    "/admin/matches/account/": ORGANISERS,
    "/admin/matches/account/{host}/change/": ORGANISERS,
    "/admin/matches/account/{host}/reset/": ORGANISERS,
    "/admin/matches/notice/": ORGANISERS,
    # The host is a host of the season, whose log is theirs to read.
    "/admin/log/": AUDITORS,
    "/admin/log/{id}/1/": (302, 404, 404, 404, 404, 404, 200),
    "/admin/log/{season}/1/": AUDITORS,
    "/admin/disputes/": AUDITORS,
    "/admin/disputes/{code}/7/": (302, 404, 404, 404, 403, 404, 404),
    "/admin/disputes/{code}/7/look/": (302,) * 7,
    "/admin/access-log/": ORGANISERS,
    "/admin/hosting/": (302, 200, 200, 200, 200, 200, 200),
    "/admin/matches/{code}/control/": HOSTS,
    "/admin/matches/{code}/control/live/": HOSTS,
    "/admin/matches/{code}/control/presence/": HOSTS,
    # A host who plays against a person runs nothing.
    "/admin/matches/{code}/control/rewind/": (302, 404, 404, 200, 403, 404, 200),
    # Other seats' eyes are nobody's while the match runs; the truth's open with a look that is on record.
    "/admin/matches/{code}/control/?as=seat:0": (302, 404, 404, 404, 200, 404, 404),
    "/admin/matches/{code}/control/?as=seat:1": (302, 404, 404, 404, 404, 404, 404),
    "/admin/matches/{code}/control/?as=host": (302, 404, 404, 302, 404, 404, 302),
    "/admin/matches/{code}/control/?as=everything": (302, 404, 404, 404, 404, 404, 404),
    # The host is a host of the season, both players play in it; an organiser of the house runs what is not theirs.
    "/admin/seasons/": (302, 200, 200, 200, 200, 200, 200),
    "/admin/seasons/open/": (302, 404, 404, 404, 404, 404, 200),
    "/admin/seasons/{season}/": (302, 404, 404, 200, 404, 404, 200),
    "/admin/seasons/{season}/news/": (302, 404, 404, 200, 404, 404, 200),
    "/seasons/{season}/desk": (302, 200, 404, 404, 200, 404, 404),
    # No decision is awaited of them: a player is led back to the desk.
    "/seasons/{season}/desk/token": (302, 302, 404, 404, 302, 404, 404),
    # What acts does nothing on a GET and leads to the page that it is posted from; what only scripts ask takes none.
    "/admin/seasons/open/check/": (405,) * 7,
    "/admin/seasons/{season}/enrol/": (302,) * 7,
    "/admin/seasons/{season}/enrol/foresee/": (405,) * 7,
    "/seasons/{season}/desk/token/foresee": (302,) * 7,
    "/admin/matches/{code}/control/look/": (302,) * 7,
    "/admin/matches/{code}/control/pause/": (302,) * 7,
    "/admin/matches/{code}/control/void/": (302,) * 7,
}


@pytest.fixture(scope="module")
def people() -> dict[str, tuple[Account | None, Match]]:
    """Each identity, and the match before which it stands."""
    match, host = hosted_match()
    player = match.seats.get(number=0).account
    seated = new_account()
    own = running_match("pyramid_poker", seated, new_account(), opener=seated)
    play_on(own, 4)
    return {
        "nobody": (None, match),
        "player": (player, match),
        "stranger": (new_account(), match),
        "host": (host, match),
        "host who plays": (seated, own),
        "staff": (new_account(is_staff=True), match),
        "organiser": (new_account(is_organiser=True), match),
    }


@pytest.fixture(scope="module")
def season(people: dict[str, tuple[Account | None, Match]]) -> UUID:
    """A public season in which the host is a host, and both who sit at a match are players."""
    cup = Cup(1)
    cup.did("/staff", {"account": str(people["host"][0].id), "role": "host"})
    for who in ("player", "host who plays"):
        cup.did("/players", {"player": str(people[who][0].id)})
    return UUID(cup.id)


@pytest.mark.parametrize("address", EXPECTED)
def test_every_identity_gets_the_expected_status(address: str, people: dict, season: UUID) -> None:
    answered = {}
    for who, (account, match) in people.items():
        before = store.head(match.id), store.head(season)
        filled = address.format(code=match.code, id=match.id, host=match.opened_by_id, season=season)
        answered[who] = Desk(account).get(filled).status_code
        assert (store.head(match.id), store.head(season)) == before, "A GET appends nothing."
    assert answered == dict(zip(WHO, EXPECTED[address], strict=True))


def test_every_whole_page_has_one_main_landmark(people: dict, season: UUID) -> None:
    (organiser, match), pages = people["organiser"], []
    for address in (it for it, statuses in EXPECTED.items() if statuses[-1] == 200):
        filled = address.format(code=match.code, id=match.id, host=match.opened_by_id, season=season)
        content = Desk(organiser).get(filled).content.decode()
        if "<html" in content:
            pages.append(address)
            assert content.count("<main") == content.count("</main>") == 1, address
    assert len(pages) > 12, pages


def test_address_of_a_refused_act_redirects_to_its_room(people: dict, season: UUID) -> None:
    host, match = people["host"]
    desk, office = Desk(host), f"/admin/seasons/{season}/"
    for act, back in ((room(match, "void/"), room(match)), (f"{office}rule/", office)):
        assert desk.post(act).status_code == 422
        assert desk.get(act).headers["Location"] == back
        assert desk.browser.put(act).status_code == 405


@pytest.mark.parametrize("act", ["look", "rewind", *ACTS])
def test_act_is_refused_to_accounts_that_host_no_match(act: str, people: dict) -> None:
    for who in ("nobody", "player", "stranger", "staff"):
        account, match = people[who]
        before = store.head(match.id)
        answer = Desk(account).post(room(match, f"{act}/"), reason="Because.")
        assert answer.status_code == (302 if who == "nobody" else 404), who
        assert store.head(match.id) == before


def test_expired_session_is_redirected_to_sign_in_and_back(people: dict) -> None:
    (_, match), desk, headers = people["host"], Desk(), {"hx-request": "true"}
    place, sign_in = room(match), f"/sign-in?next={room(match)}"
    assert desk.get(room(match), **{"as": "host"}).headers["Location"] == f"{sign_in}%3Fas%3Dhost"
    assert desk.post(room(match, "void/"), reason="Because.").headers["Location"] == sign_in
    assert desk.post(room(match, "rewind/"), reason="Because.").headers["Location"] == sign_in
    for part in ("live/?as=spectator&after=1", "presence/"):
        answer = desk.browser.get(f"{place}{part}", headers=headers)
        assert (answer.status_code, answer.headers["HX-Redirect"], answer.content) == (200, sign_in, b"")
    answer = desk.browser.get("/admin/", headers=headers)
    assert (answer.headers["HX-Redirect"], answer.content) == ("/sign-in?next=/admin/", b"")
    assert desk.get("/admin/login/").headers["Location"] == "/sign-in?next=/admin/"
    assert desk.get("/admin/matches/match/?q=x").headers["Location"] == "/sign-in?next=/admin/matches/match/%3Fq%3Dx"


@pytest.mark.parametrize("name", ["match", "seat", "notice", "account"])
def test_lists_offer_no_adding_or_deleting(name: str, people: dict) -> None:
    organiser, match = people["organiser"]
    row_id = {"match": match.id, "seat": match.seats.first().pk, "account": match.opened_by_id, "notice": match.id}[
        name
    ]
    desk = Desk(organiser)
    assert desk.post(f"/admin/matches/{name}/add/").status_code == 403
    assert desk.post(f"/admin/matches/{name}/{row_id}/delete/", post="yes").status_code in (302, 403)
    assert Match.objects.filter(id=match.id).exists()
    assert Account.objects.filter(id=match.opened_by_id).exists()


def test_listed_match_cannot_be_saved(people: dict) -> None:
    organiser, match = people["organiser"]
    address = f"/admin/matches/match/{match.id}/change/"
    assert 'name="_save"' not in Desk(organiser).read(address)
    assert Desk(organiser).post(address, status="finished").status_code == 403
    match.refresh_from_db()
    assert match.status == "running"


def test_unknown_room_and_act_get_404(people: dict) -> None:
    host, match = people["host"]
    assert Desk(host).get("/admin/matches/NOPE/control/").status_code == 404
    assert Desk(host).post(room(match, "explode/"), reason="Boom.").status_code == 404


def test_the_panel_has_the_policy_of_all_pages(people: dict) -> None:
    host, match = people["host"]
    policies = {Desk(host).get(page).headers["Content-Security-Policy"] for page in (room(match), f"/m/{match.code}/")}
    assert policies == {POLICY} and "unsafe" not in POLICY
