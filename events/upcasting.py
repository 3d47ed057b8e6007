"""Conversion of old event shapes while they are read; stored events never change."""

from collections.abc import Callable
from typing import Any

Fields = dict[str, Any]
Upcast = Callable[[Fields], Fields]


class Upcasters:
    """The conversions from one schema number of an event type to the next, by the type's name."""

    def __init__(self) -> None:
        self._steps: dict[tuple[str, int], Upcast] = {}

    def step(self, type: str, schema: int) -> Callable[[Upcast], Upcast]:
        """Register the conversion from the fields of `type` at `schema` to those at `schema + 1`."""

        def register(upcast: Upcast) -> Upcast:
            if (type, schema) in self._steps:
                raise ValueError(f"{type} has two steps from schema {schema}.")
            self._steps[type, schema] = upcast
            return upcast

        return register

    def current(self, type: str) -> int:
        """Return the schema number of new events of this type."""
        schema = 1
        while (type, schema) in self._steps:
            schema += 1
        return schema

    def is_current(self, type: str, schema: int) -> bool:
        """True if fields stored with this schema can be read unchanged."""
        return (type, schema) not in self._steps

    def upcast(self, type: str, schema: int, fields: Fields) -> Fields:
        """Return the fields in the present shape."""
        while (step := self._steps.get((type, schema))) is not None:
            fields, schema = step(fields), schema + 1
        return fields
