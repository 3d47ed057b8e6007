"""Times of day typed into a form are read by one field, which refuses those that a zone skips or has twice."""

import re

import pytest
from django.conf import settings
from django.core.exceptions import ValidationError

from matches.html.moments import MomentField

DOORS = ("matches/html", "matches/web", "matches/panel")
READS_A_LOCAL_TIME = re.compile(
    r"(?<!output_field=)\b(?:DateTimeField|SplitDateTimeField|strptime|make_aware|parse_datetime|combine)\(|tzinfo="
)


@pytest.mark.parametrize(
    ("typed", "instant"),
    [
        ("2027-03-28T01:59", "2027-03-28T00:59:00.000000Z"),
        ("2027-03-28T02:30", None),
        ("2027-03-28T03:00", "2027-03-28T01:00:00.000000Z"),
        ("2027-10-31T02:30", None),
        ("2027-10-31T02:30+01:00", "2027-10-31T01:30:00.000000Z"),
        ("2027-10-31T03:00", "2027-10-31T02:00:00.000000Z"),
    ],
)
def test_moment_field_refuses_skipped_and_repeated_local_times(typed: str, instant: str | None) -> None:
    field = MomentField()
    field.in_zone("Europe/Vienna")
    if instant:
        assert field.clean(typed) == instant
        return
    with pytest.raises(ValidationError, match="Europe/Vienna skip this time or show it twice"):
        field.clean(typed)


def test_no_form_or_view_reads_a_local_time_without_the_field() -> None:
    files = (path for door in DOORS for path in (settings.BASE_DIR / door).rglob("*.py"))
    others = [path for path in files if READS_A_LOCAL_TIME.search(path.read_text()) and "migrations" not in path.parts]
    assert others == []
