"""Lines of a record on its pages."""

from uuid import uuid4

from matches.domain.events import MatchOpened
from matches.domain.match_state import opened
from matches.html import record

OPENED = MatchOpened(
    game="contest", options={}, seats=3, priority=0, opened_by="", seed_commitment="", chance="", opens_at=None
)


def test_text_of_a_judgement_stands_once_in_its_line() -> None:
    at = opened(OPENED, version=35, hash=b"", at=0)
    event = {
        "type": "resolved",
        "text": "The host has judged: Well.",
        "own": {"text": "Well."},
        "version": 35,
        "at": "2026-11-28T12:25:16Z",
    }
    (line,) = record.lines(at, uuid4(), [event], ["ann", "ben"])
    assert line.text == "The host has judged: Well."
