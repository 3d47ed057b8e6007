"""Old shapes of events, brought up to date while they are read; what is stored never changes."""

from collections.abc import Callable
from typing import Any

Fields = dict[str, Any]
Upcast = Callable[[Fields], Fields]


class Upcasters:
    """The steps from one schema number of an event type to the next, by the type's name."""

    def __init__(self) -> None:
        self._steps: dict[tuple[str, int], Upcast] = {}

    def step(self, type: str, schema: int) -> Callable[[Upcast], Upcast]:
        """Register the step that turns the fields of `type` at `schema` into those at `schema + 1`."""

        def register(upcast: Upcast) -> Upcast:
            if (type, schema) in self._steps:
                raise ValueError(f"{type} has two steps from schema {schema}.")
            self._steps[type, schema] = upcast
            return upcast

        return register

    def current(self, type: str) -> int:
        """The schema number that new events of this type carry."""
        schema = 1
        while (type, schema) in self._steps:
            schema += 1
        return schema

    def is_current(self, type: str, schema: int) -> bool:
        """Whether fields stored at this schema can be read as they are."""
        return (type, schema) not in self._steps

    def upcast(self, type: str, schema: int, fields: Fields) -> Fields:
        """The fields in today's shape."""
        while (step := self._steps.get((type, schema))) is not None:
            fields, schema = step(fields), schema + 1
        return fields
