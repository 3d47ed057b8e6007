"""Paths of talk, by which a server separates it from moves before it chooses a view."""

import re

_TALK = re.compile(
    r"/api/v1/matches/[^/]+/remarks(/.*)?"
    r"|/api/v1/seasons/[^/]+/(board|rooms|reports)(/.*)?"
    r"|/m/[^/]+/talk(/.*)?"
    r"|/seasons/[^/]+/(board|rooms|reports)(/.*)?"
)


def is_talk(path: str) -> bool:
    """True if a request to this path is only about talk."""
    return _TALK.fullmatch(path) is not None
