"""Whatever is asked of the panel, by however high an official, it answers and doesn't fail."""

import pytest

from matches.models import Account
from tests.panel.office import Desk, hosted_match
from tests.table_setting import new_account

LISTS = ("matches/match", "matches/seat", "matches/account", "matches/notice")
ODD = ("q=zzz", "q=%00", "p=x", "p=-1", "p=99999", "o=x.9", "id=7", "nonsense=1", "at__gte=x", "status__exact=%00",
       "opened_by__password__startswith=a", "account__password__startswith=p", "_to_field=zzz", "e=1")  # fmt: skip
KEYS = ("zzz", "%00", "_00", "9" * 400, "00000000-0000-0000-0000-000000000000", "..%2f", "%ff", "_3A_")


@pytest.fixture(scope="module")
def desk() -> Desk:
    """A superuser's; a failure would be raised."""
    hosted_match(moves=0)
    return Desk(Account.objects.create_superuser(new_account().username + "x"))


@pytest.mark.parametrize("listed", LISTS)
def test_odd_questions_to_a_list_are_answered(listed: str, desk: Desk) -> None:
    answered = {query: desk.browser.get(f"/admin/{listed}/?{query}").status_code for query in ODD}
    assert {status for status in answered.values() if status not in (200, 302, 400)} == set(), answered
    keyed = {key: desk.browser.get(f"/admin/{listed}/{key}/change/").status_code for key in KEYS}
    assert set(keyed.values()) <= {302, 400, 404}, keyed


@pytest.mark.parametrize(
    "address",
    [
        "search/?s=a&page=x", "search/?s=a&page=99", "search/?s=%00", "search/", "matches/", "nowhere/", "r/x/y/",
        "r/1/1/", "autocomplete/?app_label=matches&model_name=account&field_name=x", "password/x/y/",
        "password/%00/y/", "matches/account/zzz/reset/", "matches/zzz/control/", "matches/ZZZ/control/live/?as=%00",
        "seasons/zzz/", "seasons/?p=x&%00", "seasons/open/?template=%00", "seasons/open/?template=zzz",
        "seasons/00000000-0000-0000-0000-000000000000/", "seasons/00000000-0000-0000-0000-000000000000/rule/foresee/",
        "log/?cursor=%00", "log/?match=%00&season=%00&person=%00&type=%00", "log/?since=%ff", "log/zzz/1/",
        "log/00000000-0000-0000-0000-000000000000/1/", "log/00000000-0000-0000-0000-000000000000/99999999999999/",
        "colours-x.css", "jsi18n/", "login/", "logout/", "password_change/done/",
    ],
)  # fmt: skip
def test_odd_addresses_are_answered(address: str, desk: Desk) -> None:
    assert desk.browser.get(f"/admin/{address}").status_code in (200, 301, 302, 400, 403, 404, 405, 422)


def test_list_cannot_be_filtered_by_hidden_fields(desk: Desk) -> None:
    for query in ("opened_by__password__startswith=a", "account__password__startswith=p"):
        for listed in ("matches/match", "matches/seat"):
            assert desk.browser.get(f"/admin/{listed}/?{query}").status_code in (302, 400)
