"""Models made of the rows of prepared statements, for the reads that nearly every request begins with.

The ORM composes such a query anew each time, and the server plans it anew, which takes longer than to answer it.
"""

from collections.abc import Sequence
from functools import cache
from typing import Any, TypeVar

from django.db import DEFAULT_DB_ALIAS
from django.db.models import Model

M = TypeVar("M", bound=Model)


def columns(model: type[Model]) -> str:
    """All columns of a model, in the order in which `made` takes them."""
    return ", ".join(f"{model._meta.db_table}.{field.column}" for field in model._meta.concrete_fields)


def made(model: type[M], row: Sequence[Any], *, after: type[Model] | None = None) -> M:
    """The model whose columns a row begins with, or has `after` those of another one."""
    names, begin = _names(model), len(_names(after)) if after else 0  # type: ignore[arg-type]
    return model.from_db(DEFAULT_DB_ALIAS, names, row[begin : begin + len(names)])


def fill(model: Model, related: str, found: Sequence[Model]) -> None:
    """Keep what belongs to a model, as `prefetch_related` does."""
    held = getattr(model, related).all()
    held._result_cache, held._prefetch_done = list(found), True
    vars(model).setdefault("_prefetched_objects_cache", {})[related] = held


@cache
def _names(model: type[Model]) -> list[str]:
    return [field.attname for field in model._meta.concrete_fields]
