"""Lists in pages: a cursor contains the last row of the page before, so new rows shift nothing."""

from collections.abc import Sequence
from typing import Any

from django.core import signing
from django.db.models import Model, Q, QuerySet

from matches.http.problems import Problem

LIMIT = 50
MAX_LIMIT = 200


def page(
    queryset: QuerySet[Any],
    cursor: str | None,
    limit: int = LIMIT,
    order: tuple[str, ...] = ("-opened_at", "-id"),
    sort: Sequence[Any] = (),
) -> tuple[list[Any], str | None]:
    """Return at most `limit` rows after `cursor`, and the cursor of the next page or None.

    `order` names columns that hold no NULL, unique together. `sort` expresses the same order for the database if it
    should not use the first column's index.
    """
    if cursor is not None:
        queryset = queryset.filter(_after(queryset.model, _open(cursor, order), order, ranged=not sort))
    rows = list(queryset.order_by(*(sort or order))[: limit + 1])
    if len(rows) <= limit:
        return rows, None
    rows.pop()
    return rows, _seal(rows[-1], order)


def _seal(row: Model, order: tuple[str, ...]) -> str:
    fields = [row._meta.get_field(_column(name)) for name in order]
    return signing.dumps([field.value_to_string(row) for field in fields], salt=_salt(order))


def _open(cursor: str, order: tuple[str, ...]) -> list[str]:
    try:
        values: list[str] = signing.loads(cursor, salt=_salt(order))
    except signing.BadSignature:
        raise Problem("malformed", "`cursor`: take it unchanged from `next` of the page before.") from None
    return values


def _after(model: type[Model], values: list[str], order: tuple[str, ...], *, ranged: bool) -> Q:
    """Return the rows after a position: (a, b) is after (x, y) if a is beyond x, or a is x and b is beyond y."""
    # The bound of the first column only enables the index range.
    first = _column(order[0])
    reach = "lte" if order[0].startswith("-") else "gte"
    within = Q(**{f"{first}__{reach}": _bound(model, first, values[0])}) if ranged else Q()
    later, same = Q(pk__in=[]), Q()
    for name, value in zip(order, values, strict=True):
        column = _column(name)
        bound = _bound(model, column, value)
        beyond = "lt" if name.startswith("-") else "gt"
        later |= same & Q(**{f"{column}__{beyond}": bound})
        same &= Q(**{column: bound})
    return within & later


def _bound(model: type[Model], column: str, value: str) -> Any:
    return model._meta.get_field(column).to_python(value)


def _column(name: str) -> str:
    return name.removeprefix("-")


def _salt(order: tuple[str, ...]) -> str:
    return f"cursor {' '.join(order)}"
