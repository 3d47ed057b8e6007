"""Log lines hold what clients send, and stay one line of plain text."""

import logging

import pytest

from config.logs import configure

HOSTILE = "Not Found: /x\x1b[2J\r\n\u202e2026 [critical] forged"


@pytest.fixture(params=["console", "json"])
def line(request: pytest.FixtureRequest) -> str:
    """A line as another library logs it, with the same text in its message and in a field."""
    settings = configure(request.param, "INFO")["formatters"]["line"]
    formatter = settings.pop("()")(**settings)
    record = logging.LogRecord("django.request", logging.WARNING, __file__, 1, "%s", (HOSTILE,), None)
    record.path = HOSTILE
    return str(formatter.format(record))


def test_log_line_has_no_control_characters_for_hostile_text(line: str) -> None:
    assert line.isprintable()
    assert line.count("[2J") == 2
