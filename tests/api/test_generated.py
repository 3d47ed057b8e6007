"""Some hundred requests that schemathesis makes up, through the ASGI application; bin/bench hostile sends thousands."""

import pytest
import schemathesis
from schemathesis import Case
from schemathesis.core.transport import Response
from schemathesis.schemas import APIOperation

from config.asgi import application
from matches.audit import croupier_verify
from tests.api.generated import Barrage
from tests.api.guests import guest, started


@pytest.mark.slow
def test_generated_requests_get_documented_responses() -> None:
    schema = schemathesis.openapi.from_asgi("/api/schema", application, headers={"Host": "localhost"})
    # It never ends, and tests/live asks it.
    schema = schema.exclude(path="/api/v1/me/stream")
    player, matches = guest(), []

    def aim(operation: APIOperation) -> dict[str, str]:
        if "{name}" not in operation.path:
            return {}
        matches.append(started("pyramid_poker", player, "bot"))
        return {"name": matches[-1]}

    barrage = Barrage(schema, str(player.token), aim, lambda case: case.call())
    sent = barrage.run(3)
    assert barrage.faults == []
    assert sent >= 150
    assert {200, 201, 400} <= set(barrage.statuses)
    for match in matches:
        croupier_verify.verify(player.get(f"/matches/{match}/export").lines)


def test_undocumented_response_is_detected() -> None:
    schema = schemathesis.openapi.from_asgi("/api/schema", application, headers={"Host": "localhost"})

    def send(case: Case) -> Response:
        response = case.call()
        response.status_code = 299
        return response

    barrage = Barrage(schema.include(path="/api/v1/me", method="GET"), str(guest().token), lambda _: {}, send)
    assert barrage.run(1) == 1
    assert "299" in barrage.faults[0]
