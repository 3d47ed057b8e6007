"""Models built from rows of prepared statements, for the reads that start nearly every request.

The ORM would compose each query again and the server would plan it again, which takes longer than to run it.
"""

from collections.abc import Sequence
from functools import cache
from typing import Any, TypeVar

from django.db import DEFAULT_DB_ALIAS
from django.db.models import Model

M = TypeVar("M", bound=Model)


def columns(model: type[Model]) -> str:
    """Return all columns of a model, in the order that `model_of_row` expects."""
    return ", ".join(f"{model._meta.db_table}.{field.column}" for field in model._meta.concrete_fields)


def model_of_row(model: type[M], row: Sequence[Any], *, after: type[Model] | None = None) -> M:
    """Return the model whose columns are the first of a row, or those that follow the columns of `after`."""
    names, begin = _names(model), len(_names(after)) if after else 0  # type: ignore[arg-type]
    return model.from_db(DEFAULT_DB_ALIAS, names, row[begin : begin + len(names)])


def fill(model: Model, related: str, related_objects: Sequence[Model]) -> None:
    """Set a model's related objects, as `prefetch_related` does."""
    queryset = getattr(model, related).all()
    queryset._result_cache, queryset._prefetch_done = list(related_objects), True
    vars(model).setdefault("_prefetched_objects_cache", {})[related] = queryset


@cache
def _names(model: type[Model]) -> list[str]:
    return [field.attname for field in model._meta.concrete_fields]
