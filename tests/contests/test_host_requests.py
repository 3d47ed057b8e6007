"""Requests of a contest's host over REST: an amendment with all its faults."""

from typing import Any

import pytest

from games.kernel import to_json
from tests.contests.table import ContestMatch


@pytest.fixture
def match() -> ContestMatch:
    return ContestMatch.begun()


def content_of(match: ContestMatch) -> Any:
    return to_json(match.state.options.content) | {"rounds": to_json(match.state.rounds)}


@pytest.mark.parametrize("dry_run", [True, False])
def test_amendment_of_wrong_types_is_refused_with_all_faults(match: ContestMatch, dry_run: bool) -> None:
    content = content_of(match)
    content["rounds"][1] |= {"seconds": "long", "colour": 1}
    content["rounds"][2] |= {"scheme": {"kind": "sing"}}
    command = {"type": "amend", "content": content, "reason": ""}
    refused = match.host.send(match.id, command, dry_run=dry_run)
    assert refused.refusal == (400, "malformed")
    assert [it["place"] for it in refused.json["faults"]] == [
        "content.rounds.1.colour", "content.rounds.1.seconds", "content.rounds.2.scheme.kind", "reason",
    ]  # fmt: skip
    assert all(it["sentence"].endswith(".") for it in refused.json["faults"])


def test_amendment_of_rounds_that_have_opened_is_refused_with_all_faults(match: ContestMatch) -> None:
    content = content_of(match)
    content["rounds"][0] |= {"title": "Another", "text": "Another."}
    content["rounds"][1] |= {"repeat": 3}
    refused = match.command("amend", content=content, reason="A slip.")
    assert refused.refusal[1] == "not_amendable"
    assert [it["place"] for it in refused.json["faults"]] == ["rounds.0.title", "rounds.0.text", "rounds.1.repeat"]


def test_other_malformed_commands_have_no_list_of_faults(match: ContestMatch) -> None:
    refused = match.command("close", round="one")
    assert refused.refusal[1] == "malformed" and "faults" not in refused.json
