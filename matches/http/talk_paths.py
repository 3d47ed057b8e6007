"""Where talk is said and read over HTTP, so that a server can tell it from moves before any view is chosen."""

import re

_TALK = re.compile(
    r"/api/v1/matches/[^/]+/remarks(/.*)?"
    r"|/api/v1/seasons/[^/]+/board(/.*)?"
    r"|/m/[^/]+/talk(/.*)?"
    r"|/seasons/[^/]+/board(/.*)?"
)


def is_talk(path: str) -> bool:
    """Whether a request to this path is about talk alone."""
    return _TALK.fullmatch(path) is not None
