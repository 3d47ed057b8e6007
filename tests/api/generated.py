"""Requests that schemathesis makes up from the OpenAPI document: as it asks, and as it doesn't."""

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

from hypothesis import HealthCheck, Phase, given, seed, settings
from schemathesis import Case, GenerationMode
from schemathesis.checks import not_a_server_error
from schemathesis.core.transport import Response
from schemathesis.schemas import APIOperation
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    negative_data_rejection,
    response_schema_conformance,
    status_code_conformance,
)
from schemathesis.specs.openapi.schemas import OpenApiSchema

from tests.api.document import operation_at

CHECKS: list[Any] = [
    not_a_server_error, status_code_conformance, content_type_conformance, response_schema_conformance,
    negative_data_rejection,
]  # fmt: skip


@dataclass
class Barrage:
    """Made-up requests of one caller at one match, and what came of them.

    `aim` gives what the path's parameters are; `send` sends a case. Names in `faults` stand for broken promises.
    """

    schema: OpenApiSchema
    token: str
    aim: Callable[[APIOperation], dict[str, str]]
    send: Callable[[Case], Response]
    statuses: Counter[int] = field(default_factory=Counter)
    faults: list[str] = field(default_factory=list)

    def run(self, examples: int, start: int = 0) -> int:
        """Send so many requests of each kind to each operation; gives how many there were."""
        before = self.statuses.total()
        for operation, mode in self._kinds():
            self._send_many(operation, mode, examples, start)
        return self.statuses.total() - before

    def _kinds(self) -> Iterator[tuple[APIOperation, GenerationMode]]:
        for result in self.schema.get_all_operations():
            operation = result.ok()
            yield operation, GenerationMode.POSITIVE
            # Where there is nothing to send, or but bytes, nothing can be sent against the document.
            promised = operation_at(operation.method.upper(), operation.path)
            if operation.query or (promised and promised.body is not None):
                yield operation, GenerationMode.NEGATIVE

    def _send_many(self, operation: APIOperation, mode: GenerationMode, examples: int, start: int) -> None:
        headers = {"Authorization": f"Bearer {self.token}", "Host": "localhost"}
        cases = operation.as_strategy(mode, headers=headers, path_parameters=self.aim(operation))

        @seed(start)
        @settings(
            max_examples=examples, deadline=None, database=None, phases=[Phase.generate],
            suppress_health_check=list(HealthCheck),
        )  # fmt: skip
        @given(cases)
        def send(case: Case) -> None:
            self._send(case)

        send()

    def _send(self, case: Case) -> None:
        if case.query and case.query.get("wait") in range(1, 31):
            case.query["wait"] = 0  # nobody moves meanwhile
        response = self.send(case)
        self.statuses[response.status_code] += 1
        try:
            case.validate_response(response, checks=CHECKS)
        except AssertionError as broken:
            self.faults.append(f"{case.operation.label}: {broken}")
        except BaseExceptionGroup as broken:
            self.faults.append(f"{case.operation.label}: {broken.exceptions}")
