"""Requests that schemathesis makes up for a season that is there, from somebody who may do everything in it."""

import pytest
import schemathesis
from schemathesis.schemas import APIOperation

from config.asgi import application
from tests.api.generated import Barrage
from tests.api.seasons import Cup

EXAMPLES = 3


@pytest.mark.slow
def test_generated_requests_about_a_season_get_documented_responses() -> None:
    schema = schemathesis.openapi.from_asgi("/api/schema", application, headers={"Host": "localhost"})
    cup = Cup(4)
    match = cup.death_match()

    def aim(operation: APIOperation) -> dict[str, str]:
        names = {"season_id": cup.id, "player": cup.players[0].id, "account": cup.host.id, "match": match}
        return {name: value for name, value in names.items() if f"{{{name}}}" in operation.path}

    of_seasons = schema.include(path_regex="^/api/v1/seasons")
    barrage = Barrage(of_seasons, str(cup.organiser.token), aim, lambda case: case.call())
    sent = barrage.run(EXAMPLES)
    assert barrage.faults == []
    assert sent >= 100
    assert {200, 400} <= set(barrage.statuses)
    assert cup.read("/ledger")["issued"] == sum(cup.read("/ledger")["balances"].values())
