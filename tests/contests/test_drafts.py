"""Tests of drafts: faults at once, texts in normal form, sizes."""

import json

import pytest

from matches.contests.domain.drafts import MOST_BYTES, TooLong, faults_of_values, read_draft
from matches.contests.reads.documents import check
from tests.contests.contents import content, draft


def test_draft_has_all_faults_at_once_with_their_places() -> None:
    faulty = draft(title="", least_seats=9, most_seats=3, author="a\u202eb", rounds=[{"name": "one", "repeat": 21}])
    assert {it.place for it in faulty.faults} == {"author", "title", "rounds.0.repeat"}
    assert faulty.content is None
    assert all(it.sentence.endswith(".") for it in faulty.faults)


def test_draft_has_its_texts_in_normal_form_and_nothing_that_is_null() -> None:
    cleaned = draft(title="Cafe\u0301", rules="one\r\ntwo", end=None)
    assert (cleaned.title, cleaned.data["rules"], "end" in cleaned.data) == ("Caf\u00e9", "one\ntwo", False)
    assert not cleaned.faults


def test_nul_character_is_a_fault_and_is_not_kept() -> None:
    faulty = draft(title="a\0b")
    assert ([it.place for it in faulty.faults], faulty.title) == (["title"], "ab")


def test_draft_without_a_text_as_title_has_an_empty_title() -> None:
    assert draft(title=7).title == ""


def test_drafts_that_differ_in_the_order_of_names_alone_have_the_same_digest() -> None:
    turned = dict(reversed(content().items()))
    assert read_draft(turned).digest == draft().digest != draft(title="Another").digest
    assert json.loads(read_draft(turned).json) == content()


def test_draft_is_limited_in_bytes() -> None:
    spare = MOST_BYTES - len(json.dumps(content(notes=""), separators=(",", ":")))
    assert read_draft(content(notes="a" * spare)).faults
    with pytest.raises(TooLong):
        read_draft(content(notes="a" * (spare + 1)))


@pytest.mark.parametrize(
    ("value", "place"),
    [
        ({"a": [1, 2.5]}, "a.1"),
        ({"a": {"b": float("nan")}}, "a.b"),
        ({"a": "x\0y"}, "a"),
        ({"a": 2**53}, "a"),
        ({"a": [[[[[[[[1]]]]]]]]}, "a.0.0.0.0.0.0.0"),
    ],
)
def test_value_that_json_of_this_service_never_has_is_a_fault(value: object, place: str) -> None:
    assert [it.place for it in faults_of_values(value)] == [place]


def test_summary_counts_rounds_and_the_longest_time() -> None:
    side = content()["rounds"][0]
    judged = {"name": "two", "repeat": 2, "seconds": 100, "scheme": {"kind": "host"}}
    in_turn = side | {"name": "three", "who": "in_turn", "seconds": 10}
    summary = check(draft(most_seats=4, host_seconds=60, rounds=[side | {"seconds": 50}, judged, in_turn])).summary
    assert summary is not None
    assert (summary.least_seats, summary.most_seats, summary.rounds) == (2, 4, 4)
    assert summary.most_seconds == 50 + 2 * (100 + 60) + 4 * 10
