"""Requests of a contest's host over REST: the reminder, and an amendment with all its faults."""

from typing import Any

import pytest
from django.utils import timezone

from games.kernel import to_json
from matches.models import Call
from matches.notifications import reminders
from tests.api.guests import guest
from tests.contests.table import ContestMatch


@pytest.fixture
def match() -> ContestMatch:
    return ContestMatch.begun()


def reminded(match: ContestMatch) -> list[str]:
    calls = Call.objects.filter(match_id=match.id, kind="reminder", cause__startswith="reminded", way="page")
    return sorted(str(it.account_id) for it in calls)


def test_reminder_reaches_the_missing_once_in_ten_minutes(match: ContestMatch) -> None:
    match.submitted(0)
    assert match.remind().json == {"reached": [1, 2], "recent": [], "unreached": []}
    assert match.remind().json == {"reached": [], "recent": [1, 2], "unreached": []}
    assert reminded(match) == sorted(it.id for it in match.players[1:])
    Call.objects.filter(match_id=match.id).update(made_at=timezone.now() - reminders.APART)
    assert match.remind().json["reached"] == [1, 2]


def test_reminder_is_refused_to_players_strangers_and_hosts_who_play(match: ContestMatch) -> None:
    assert match.remind(match.players[0]).refusal == match.remind(guest()).refusal == (403, "forbidden")
    host = guest(is_organiser=True)
    playing = ContestMatch.begun(host=host)
    assert (
        host.post(f"/matches/{playing.id}/substitute", {"seat": 0, "player": host.id, "reason": "A substitute."}).status
        == 200
    )
    assert playing.remind().refusal[1] == "plays_here"
    assert reminded(match) == reminded(playing) == []


def test_reminder_is_refused_while_the_match_does_not_run(match: ContestMatch) -> None:
    address = f"/matches/{match.id}"
    assert match.host.post(f"{address}/pause", {"reason": "Tea."}).status == 200
    assert match.remind().refusal[1] == "match_paused"
    assert match.host.post(f"{address}/void", {"reason": "An end."}).status == 200
    assert match.remind().refusal[1] == "match_over" and reminded(match) == []


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
