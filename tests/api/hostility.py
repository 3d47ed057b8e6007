"""Hostile requests: bodies, field values, queries, path segments and headers."""

import json
from collections.abc import Iterator, Mapping
from typing import Any

DEEP = 100_000

BODIES: dict[str, bytes] = {
    "empty": b"",
    "spaces": b" " * 100,
    "null": b"null",
    "true": b"true",
    "a string": b'"text"',
    "a number": b"0",
    "a list": b"[]",
    "a list of objects": b"[{}]",
    "deep lists": b"[" * DEEP,
    "deep closed lists": b"[" * DEEP + b"]" * DEEP,
    "deep objects": b'{"a":' * DEEP + b"0" + b"}" * DEEP,
    "nine levels": b'{"reason":' + b"[" * 9 + b"]" * 9 + b"}",
    "a huge integer": b'{"seat": ' + b"9" * 5000 + b"}",
    "2^53": b'{"seat": 9007199254740992}',
    "NaN": b'{"seat": NaN}',
    "Infinity": b'{"seat": -Infinity}',
    "a fraction": b'{"seat": 0.5}',
    "a power": b'{"seat": 1e400}',
    "minus nought": b'{"seat": -0}',
    "a NUL": b'{"reason": "a\\u0000b"}',
    "a raw NUL": b'{"reason": "a\x00b"}',
    "half a surrogate": b'{"reason": "\\ud800"}',
    "a raw surrogate": b'{"reason": "\xed\xa0\x80"}',
    "a surrogate as a name": b'{"\\udc00": 1}',
    "a name twice": b'{"reason": "a", "reason": "b"}',
    "a name twice, spelt apart": b'{"reason": "a", "\\u0072eason": "b"}',
    "not UTF-8": b'{"reason": "\xff\xfe"}',
    "overlong UTF-8": b'{"reason": "\xc0\x80"}',
    "a byte order mark": b'\xef\xbb\xbf{"reason": "a"}',
    "UTF-16": '{"reason": "a"}'.encode("utf-16"),
    "two documents": b"{} {}",
    "a comma too many": b'{"reason": "a",}',
    "a comment": b"{} // really",
    "single quotes": b"{'reason': 'a'}",
    "unclosed": b'{"reason": "a',
    "10,000 names": json.dumps(dict.fromkeys(map(str, range(5000)), 0)).encode(),
    "a form": b"reason=a&seat=0",
    "1 MB": b'{"reason": "' + b"a" * 2**20 + b'"}',
    "1 MB of spaces": b" " * 2**20 + b"{}",
}

VALUES: tuple[Any, ...] = (
    None, True, -1, 2**31, 2**53 - 1, "", " ", "0", "x" * 3000, "'; DROP TABLE events_event; --", "\u202eevil\u0661",
    "bot", "00000000-0000-0000-0000-000000000000", [], [[None]], ["a"] * 1000, [-1, 2**53 - 1], {},
    {"__class__": {"a": {}}},
)  # fmt: skip

QUERIES: tuple[str, ...] = (
    "unknown=1", "seats__account__password__startswith=", "_connector=OR", "=", "%00=1", "%ff=1", "limit[]=1",
    "a" * 3000 + "=1", "&".join(f"p{n}=1" for n in range(190)), "%",
)  # fmt: skip
"""None of these names is a parameter of any operation, so all are refused."""

PARAMETERS: tuple[str, ...] = (
    "%00", "a%00b", "%EF%BC%91", "1_0", "-1", "1e3", "+1", "%201", "0x1", "1.0", "9" * 31, "%ff", "%ed%a0%80", "%D9%A1",
    "'%20OR%201=1--", "x" * 3000, "%F0%9F%8E%B2", "1&{name}=1", "null", "[]",
)  # fmt: skip
"""Values for a known parameter."""

SEGMENTS: tuple[str, ...] = (
    "%00", "a%00", "..", "%2e%2e", "..%2f..%2fadmin", "%20", "x" * 3000, "%ff", "%ed%a0%80", "%F0%9F%8E%B2",
    "%EF%BC%A1" * 8, "'%20OR%201=1--", "{name}", "-1", "9" * 40, "1_0", "%0d%0aX-Evil:1",
    "urn:uuid:00000000-0000-0000-0000-000000000000",
)  # fmt: skip
"""No match, game, token or appeal has such a name."""

HEADERS: tuple[dict[str, str], ...] = (
    *({"If_None_Match": it} for it in ("," * 5000, '"v\xb9"', "x" * 10_000)),
    *({"Authorization": it} for it in ("Bearer", "Bearer x y", "Bearer \xe9", "Basic YTpi", "x" * 9000, "Bearer crp_")),
    *({"Accept": it} for it in ("*/*;q=0", "\xff")),
    *({"X_Request_ID": it} for it in ("x" * 9000, "<script>\xe9")),
    {"Cookie": "sessionid=" + "x" * 4000 + "; csrftoken=\xff"},
    {"X_HTTP_Method_Override": "DELETE", "Range": "bytes=0-1", "Content_Encoding": "gzip", "X_Forwarded_For": "'"},
)  # fmt: skip

COMMAND_HEADERS: tuple[dict[str, str], ...] = (
    *({"Idempotency_Key": it} for it in ("two words", "ключ", "\xe9", "k" * 10_000, "a\tb", "", "k" * 201)),
    *({"If_Match": it} for it in ("v1", '"v1', '"v' + "9" * 30 + '"', '"v\u0661"', "x" * 5000, '"v1", "v2"', "W/*")),
)  # fmt: skip
"""A command with one of these is refused."""

MEDIA_TYPES: tuple[str, ...] = (
    "text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x", "multipart/form-data",
    "application/json; charset=utf-16", "application/json; charset=\xff", 'application/JSON;charset="', "json", "*/*",
    "application/merge-patch+json", "x" * 5000, "application/json, text/plain",
)  # fmt: skip


def spoilt(body: Mapping[str, Any]) -> Iterator[tuple[str, bytes]]:
    """An ordinary body with one fault each, and what the fault is."""
    for name in body:
        yield f"without {name}", json.dumps({it: body[it] for it in body if it != name}).encode()
        for value in VALUES:
            yield f"{name} = {str(value)[:40]}", json.dumps({**body, name: value}).encode()


def misshapen(body: Mapping[str, Any]) -> Iterator[tuple[str, bytes]]:
    """An ordinary body with one fault in its form, and what the fault is."""
    yield "one name more", json.dumps({**body, "seats__account__password__startswith": "a"}).encode()
    first = next(iter(body))
    yield "the first name twice", json.dumps(body).encode().replace(b"{", f'{{"{first}": null, '.encode(), 1)
    yield "not quite UTF-8", json.dumps(body).encode()[:-1] + b', "\xff": 1}'
