"""Contents of contests in requests: JSON data, and files in TOML or JSON."""

from typing import Any, Final

import msgspec

from games.contest.reading import Faulty
from games.kernel import Fault
from matches.contests.domain.drafts import Draft, read_draft
from matches.contests.domain.toml_files import read_toml, write_toml
from matches.http import strict_json

TYPES: Final = {"toml": "application/toml", "json": "application/json"}
"""Media types of the files, by form."""


def read_file_draft(data: bytes) -> Draft:
    """Return the draft in a file, which is JSON if it begins with a brace, else TOML.

    Raise Faulty with all values that no content can have, or with the fault of the file; TooLong.
    """
    return read_draft(_json(data) if data.lstrip()[:1] == b"{" else read_toml(_text(data)))


def file_of(data: dict[str, Any], form: str) -> bytes:
    """Return the file of a content in one of the forms TYPES; `read_file_draft` reads the same data from it."""
    return write_toml(data).encode() if form == "toml" else msgspec.json.format(msgspec.json.encode(data))


def _text(data: bytes) -> str:
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise _refusal(f"It isn't UTF-8: byte {error.start} is wrong.") from None


def _json(data: bytes) -> dict[str, Any]:
    try:
        value: dict[str, Any] = strict_json.read(data)
    except strict_json.BadJSON as error:
        raise _refusal(str(error)) from None
    return value


def _refusal(sentence: str) -> Faulty:
    return Faulty((Fault("file", sentence),))
