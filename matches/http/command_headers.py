"""The headers of a command: its Idempotency-Key, and the version it was decided on."""

import re

from rest_framework.request import Request

from matches.http.operations import Header
from matches.http.problems import Problem

KEY_HEADER = Header("Idempotency-Key", "Names this command; a retry sends the same one. A dry run needs none.")
VERSION_HEADER = Header(
    "If-Match",
    "The version you decided on, as the ETag gives it; its hash may be left out. Looks, rulings and appeals since then"
    " are let pass.",
)
_KEY = re.compile(r"[\x21-\x7e]{1,200}")


def idempotency_key(request: Request) -> str:
    """The request's key; raises Problem where it is missing or no key."""
    key = request.META.get("HTTP_IDEMPOTENCY_KEY", "")
    if not key:
        raise Problem("idempotency_key_missing")
    if not _KEY.fullmatch(key):
        raise Problem("malformed", "An Idempotency-Key is 1 to 200 printable ASCII characters, no spaces.")
    return key
