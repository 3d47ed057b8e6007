"""Cursors: every row once, whatever is added meanwhile; a cursor that isn't ours is refused."""

import uuid
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from itertools import chain

import pytest
from django.core import signing

from matches.http.paging import page
from matches.http.problems import Problem
from matches.models import AccessToken, Account

ORDER = ("-made_at", "-id")


@pytest.fixture(scope="module")
def owner() -> Account:
    """An account with seven tokens, four of them made in one instant."""
    account = Account.objects.create_user(f"pager {uuid.uuid4().hex[:8]}")
    for number in range(7):
        create_token(account, number)
    return account


def create_token(account: Account, number: int) -> AccessToken:
    token = AccessToken.objects.create(
        account=account, name=str(number), digest=uuid.uuid4().bytes, scopes=[], expires_at=datetime.now(UTC)
    )
    instant = datetime(2026, 1, 1, tzinfo=UTC) + timedelta(microseconds=number // 4)
    AccessToken.objects.filter(pk=token.pk).update(made_at=instant)
    return token


def pages(account: Account, limit: int, order: tuple[str, ...] = ORDER) -> Iterator[list[str]]:
    cursor = None
    while True:
        rows, cursor = page(account.tokens.all(), cursor, limit, order)
        yield [row.name for row in rows]
        if cursor is None:
            return


@pytest.mark.parametrize("limit", [1, 2, 3, 6, 7, 8])
@pytest.mark.parametrize("order", [ORDER, ("made_at", "id"), ("-made_at", "id")])
def test_pages_contain_every_row_once_and_in_order(owner: Account, limit: int, order: tuple[str, ...]) -> None:
    fetched = list(pages(owner, limit, order))
    assert list(chain(*fetched)) == [token.name for token in owner.tokens.order_by(*order)]
    assert all(len(names) == limit for names in fetched[:-1])
    assert 0 < len(fetched[-1]) <= limit


def test_a_row_added_on_top_shifts_nothing() -> None:
    account = Account.objects.create_user(f"pager {uuid.uuid4().hex[:8]}")
    for number in range(4):
        create_token(account, 4 * number)
    walk = pages(account, 2)
    assert next(walk) == ["12", "8"]
    create_token(account, 16)
    assert next(walk) == ["4", "0"]


def test_an_empty_list_is_one_page() -> None:
    assert page(AccessToken.objects.none(), None, 5, ORDER) == ([], None)


@pytest.mark.parametrize(
    "cursor",
    ["", "x", "null", "WyJhIl0:x:y", pytest.param(signing.dumps(["2026-01-01", "x"]), id="signed for something else")],
)
def test_invalid_cursor_is_malformed(cursor: str) -> None:
    with pytest.raises(Problem) as problem:
        page(AccessToken.objects.all(), cursor, 5, ORDER)
    assert problem.value.code == "malformed"


def test_a_cursor_of_another_list_is_malformed(owner: Account) -> None:
    _, cursor = page(owner.tokens.all(), None, 2, ORDER)
    with pytest.raises(Problem):
        page(owner.tokens.all(), cursor, 2, ("made_at", "id"))
    with pytest.raises(Problem):
        page(owner.tokens.all(), f"{cursor}A", 2, ORDER)
