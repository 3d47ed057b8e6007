"""Request bodies and queries of the library of contests."""

from typing import Annotated, Any, Final, Literal

from msgspec import Meta, Struct

from matches.contests.services.trials import MOST_RUNS
from matches.http.body_texts import VERBATIM

ContentBody = Annotated[
    dict[str, Any],
    Meta(description="The content of a contest, which may have faults; GET /games/contest has its schema."),
    VERBATIM,
]
"""The texts in it are checked, and brought to normal form, with all else that can be wrong in it."""
Seats = Annotated[int, Meta(ge=0, le=1_000)]
Runs = Annotated[int, Meta(ge=1, le=MOST_RUNS)]

EXAMPLE: Final[dict[str, Any]] = {
    "title": "The Fork",
    "rules": "Choose a side. Those on the side that fewer have chosen win a point.",
    "least_seats": 3,
    "most_seats": 13,
    "rounds": [
        {
            "name": "fork",
            "repeat": 3,
            "seconds": 3600,
            "fields": [{"kind": "choice", "name": "side", "options": ["left", "right"]}],
            "scheme": {"kind": "minority", "field": "side"},
        }
    ],
}
"""An example of a content."""


class ContestBody(Struct, frozen=True, forbid_unknown_fields=True):
    """A content; values that are null are left out."""

    content: ContentBody


class TrialBody(Struct, frozen=True, forbid_unknown_fields=True):
    """The number of players, and how many contests bots play. One contest is played at once."""

    seats: Seats
    runs: Runs = 1


class ContentTrialBody(Struct, frozen=True, forbid_unknown_fields=True):
    """A content, the number of players, and how many contests bots play. One contest is played at once."""

    content: ContentBody
    seats: Seats
    runs: Runs = 1


class ContestsQuery(Struct, frozen=True, forbid_unknown_fields=True):
    """A text in the title or the author's name, your own contests alone, and the page."""

    text: Annotated[str, Meta(max_length=100)] = ""
    mine: bool = False
    cursor: Annotated[str, Meta(max_length=500)] | None = None
    limit: Annotated[int, Meta(ge=1, le=200)] = 50


class ExportQuery(Struct, frozen=True, forbid_unknown_fields=True):
    """The form of the file, and a version; by default the newest that you may read."""

    form: Literal["toml", "json"] = "toml"
    version: Annotated[int, Meta(ge=1, le=2**31 - 1)] | None = None
