"""Amendments of a contest under way: their faults, all at once, and what they change."""

from typing import Any

import msgspec
import pytest

from games.contest.amending import Difference, current_content, differences, faults_of_amendment
from games.contest.content import Content
from games.contest.events import AnswersPublished, RoundOpened
from games.kernel import HOST, Table, to_json
from tests.games.contest.test_rules import VOTE, amended, events, refusal, sides, submit, table

OTHER = VOTE | {"name": "other"}
JUDGED = {"name": "speech", "fields": [{"name": "speech", "kind": "text"}], "scheme": {"kind": "host"}}


def quiz(*answers: str) -> dict[str, Any]:
    return OTHER | {"scheme": {"kind": "answer", "field": "side", "answers": answers}}


def changed(at: Table, *places: tuple[int, dict[str, Any]], **parts: Any) -> Content:
    """Return the content with changes of its rounds, by index, and of its other parts."""
    content = to_json(current_content(at.state)) | parts
    for index, changes in places:
        content["rounds"][index] |= changes
    return msgspec.convert(content, Content)


def faults(at: Table, content: Content) -> list[str]:
    return [it.place for it in faults_of_amendment(at.state, content)]


def test_r36_all_faults_of_an_amendment_are_listed_with_their_places() -> None:
    at = table(VOTE, OTHER, OTHER | {"name": "last"})
    content = changed(
        at, (0, {"title": "New", "gifts": 1}), (1, {"repeat": 2, "gifts": 9, "secret": True}),
        (2, {"who": "role:spy", "seconds": 60}), title="Another",
    )  # fmt: skip
    assert faults(at, content) == [
        "title", "rounds.0.title", "rounds.0.gifts", "rounds.1.repeat", "rounds.1.gifts", "rounds.1.secret", "rounds.2",
        "rounds.2.who",
    ]  # fmt: skip
    assert faults(at, changed(at)) == ["rounds"]
    assert faults(at, msgspec.structs.replace(content, rounds=content.rounds[:1]))[1:] == ["rounds"]


@pytest.mark.parametrize("changes", [{"name": "renamed"}, {"seconds": 60}])
def test_r36_amended_round_keeps_its_name_and_its_time(changes: dict[str, Any]) -> None:
    """The clocks of the match are named after the rounds, and set when it opens."""
    at = table(VOTE, OTHER)
    assert refusal(at, HOST, amended(at, **changes)) == "not_amendable"


@pytest.mark.parametrize("sealed", ["0" * 64, "of another round"])
def test_r36_round_is_committed_to_no_answers_but_its_own(sealed: str) -> None:
    at = table(VOTE, quiz("left"), quiz("right") | {"name": "last"})
    if sealed != "0" * 64:
        sealed = at.state.rounds[2].scheme.part.sealed
    scheme = {"kind": "answer", "field": "side", "part": {"sealed": sealed}}
    assert faults(at, changed(at, (1, {"scheme": scheme}))) == ["rounds.1.scheme.part"]
    assert faults(at, changed(at, (1, {"answers": {"sealed": sealed}}))) == ["rounds.1.secret"]
    assert faults(at, changed(at, (1, {"part": {"sealed": sealed}, "secret": False})))[0] == "rounds.1.secret"


def test_r36_amended_round_publishes_the_answers_that_it_was_committed_to() -> None:
    at = table(VOTE, quiz("left"))
    at.act(HOST, amended(at, title="Which side?"))
    submit(at, *sides("left", "left", "left"))
    submit(at, *sides("left", "right", "left"))
    assert [it.part.value for it in events(at, AnswersPublished)] == [["left"]]
    assert at.outcome and at.outcome.winners == (0, 2)


def test_r36_host_amends_the_next_round_while_judging() -> None:
    at = table(JUDGED, OTHER)
    submit(at, *({"speech": "Me!"} for _ in range(3)))
    assert at.due.prompts[0].commands == ("resolve", "amend")
    at.act(HOST, amended(at, title="A new title"))
    assert at.due.prompts[0].commands == ("resolve", "amend"), "The round still waits for its judgement."
    at.act(HOST, {"type": "resolve", "round": 1, "points": {"1": 3}})
    at.settle()
    assert at.state.round.title == "A new title" and len(events(at, RoundOpened)) == 2
    assert refusal(at, HOST, amended(at, title="Too late")) == "not_now"


def test_differences_name_each_changed_value_with_its_place() -> None:
    at = table(VOTE, OTHER)
    option = [{**VOTE["fields"][0], "options": ["left", "centre", "right"]}]
    content = changed(
        at, (1, {"title": "New", "fields": [*option, {"name": "why", "kind": "text"}], "scheme": {"kind": "none"}})
    )
    assert list(differences(current_content(at.state), content)) == [
        Difference("rounds.1.title", "", "New"),
        Difference("rounds.1.fields.0.options", '["left","right"]', '["left","centre","right"]'),
        Difference("rounds.1.fields.1", None, '{"kind":"text","name":"why"}'),
        Difference("rounds.1.scheme", '{"kind":"majority","field":"side"}', '{"kind":"none"}'),
    ]
