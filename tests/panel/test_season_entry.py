"""Access to a season's room and to the list of seasons: others' seasons get a 404 and aren't listed."""

import re
from urllib.parse import unquote
from uuid import uuid4

import pytest

from matches.models import Account
from matches.panel.seasons import views
from matches.panel.seasons.acts import ACTS
from tests.api.guests import guest
from tests.api.seasons import Cup
from tests.panel.office import Desk
from tests.panel.seasons import account_of, bureau
from tests.table_setting import new_account

WHO = (
    "nobody", "organiser", "host", "auditor", "dismissed", "player", "gone", "outsider", "staff", "house",
    "house and player", "house and auditor",
)  # fmt: skip
ROOM = (302, 200, 200, 200, 404, 404, 404, 404, 404, 200, 403, 200)
ACT = (302, 302, 403, 403, 404, 404, 404, 404, 404, 302, 403, 302)
LISTED = (False, True, True, True, False, True, True, False, False, True, True, True)


@pytest.fixture(scope="module", params=["public", "private"])
def scene(request: pytest.FixtureRequest) -> tuple[Cup, dict[str, Account | None]]:
    """A season and everybody who may come near it. A public one is as closed in the panel as a private one."""
    cup = Cup(4, public=request.param == "public")
    dismissed, both = new_account(), new_account(is_organiser=True)
    cup.did("/staff", {"account": str(dismissed.id), "role": "host"})
    cup.did(f"/staff/{dismissed.id}/dismiss", {"reason": "Thank you."})
    cup.did("/staff", {"account": str(both.id), "role": "auditor"})
    cup.did(f"/players/{cup.players[1].id}/withdraw", {"reason": "Work calls."})
    rival = account_of(cup.players[2])
    Account.objects.filter(id=rival.id).update(is_organiser=True)
    people = (
        None, account_of(cup.organiser), account_of(cup.host), account_of(cup.auditor), dismissed,
        account_of(cup.players[0]), account_of(cup.players[1]), new_account(), new_account(is_staff=True),
        new_account(is_organiser=True), account_of(cup.players[2]), both,
    )  # fmt: skip
    return cup, dict(zip(WHO, people, strict=True))


def test_room_is_for_officials_and_auditors_of_the_season(scene: tuple[Cup, dict]) -> None:
    cup, people = scene
    answered = {who: Desk(it).get(f"/admin/seasons/{cup.id}/").status_code for who, it in people.items()}
    assert answered == dict(zip(WHO, ROOM, strict=True))


def test_list_shows_the_seasons_in_which_the_account_has_a_role(scene: tuple[Cup, dict]) -> None:
    cup, people = scene
    listed = {who: cup.id in Desk(it).get("/admin/seasons/").content.decode() for who, it in people.items()}
    assert listed == dict(zip(WHO, LISTED, strict=True))


def test_long_list_continues_on_the_next_page(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(views, "_PAGE", 2)
    host, cups = guest(), [Cup(0) for _ in range(3)]
    for cup in cups:
        cup.did("/staff", {"account": host.id, "role": "host"})
    desk = Desk(account_of(host))
    first = desk.read("/admin/seasons/")
    (cursor,) = re.findall(r'rel="next" href="\?cursor=([^"]+)"', first)
    second = desk.read("/admin/seasons/", cursor=unquote(cursor))
    assert [[cup.id in page for cup in cups] for page in (first, second)] == [[False, True, True], [True, False, False]]
    assert 'rel="next"' not in second and "Newest seasons" in second and "Newest seasons" not in first
    assert desk.get("/admin/seasons/", cursor="x").status_code == 400


def test_act_is_refused_to_accounts_without_access(scene: tuple[Cup, dict]) -> None:
    cup, people = scene
    before = bureau(cup).version
    shut_out = {who: status for who, status in zip(WHO, ROOM, strict=True) if status != 200}
    tried = [(who, "rule") for who in shut_out] + [("player", act) for act in ACTS]
    for who, act in tried:
        for address in (f"/admin/seasons/{cup.id}/{act}/", f"/admin/seasons/{cup.id}/{act}/foresee/"):
            assert Desk(people[who]).post(address, key="k").status_code == shut_out[who], (who, act)
    assert bureau(cup).version == before


def test_act_is_allowed_by_the_roles_of_the_season(scene: tuple[Cup, dict]) -> None:
    cup, people = scene
    for who, status in zip(WHO, ACT, strict=True):
        sent = {"player": new_account().username, "key": f"key-{uuid4()}", "expected": bureau(cup).version}
        assert Desk(people[who]).post(f"/admin/seasons/{cup.id}/enrol/", **sent).status_code == status, who


def test_unknown_season_and_act_get_404(scene: tuple[Cup, dict]) -> None:
    cup, people = scene
    desk = Desk(people["organiser"])
    assert desk.get(f"/admin/seasons/{uuid4()}/").status_code == 404
    assert desk.get("/admin/seasons/zzz/").status_code == 404
    assert desk.post(f"/admin/seasons/{cup.id}/explode/", key="k").status_code == 404
    assert desk.post(f"/admin/seasons/{cup.id}/explode/foresee/", key="k").status_code == 404
    assert desk.post(f"/admin/seasons/{cup.id}/ban/", key="k").status_code == 404, "Bans are the players' own."
