"""Lines of a record on its pages."""

from games import catalogue
from matches.html import record


def test_text_of_a_judgement_stands_once_in_its_line() -> None:
    event = {
        "type": "resolved",
        "text": "The host has judged: Well.",
        "own": {"text": "Well."},
        "version": 35,
        "at": "2026-11-28T12:25:16Z",
    }
    (line,) = record.lines(catalogue["contest"], [event], ["ann", "ben"])
    assert line.text == "The host has judged: Well."
