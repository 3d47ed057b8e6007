"""Hostile JSON is refused with the fault's name, never with an error of the reader's own."""

import json
import time

import pytest

from matches.http.strict_json import BadJSON, read

REFUSED = {
    "not JSON": (b"{", "line 1, column 2"),
    "two values": (b"{} {}", "extra data"),
    "not UTF-8": (b'{"a": "\xff"}', "byte 7"),
    "UTF-16": ('{"a": 1}'.encode("utf-16"), "UTF-8"),
    "a byte order mark": (b"\xef\xbb\xbf{}", "column 1"),
    "a raw control character": (b'"a\x00b"', "control character"),
    "an escaped NUL": (rb'{"a": ["\u0000"]}', "NUL"),
    "an escaped NUL in a name": (rb'{"\u0000": 1}', "NUL"),
    "half a surrogate pair": (rb'"\ud800"', "surrogate"),
    "the halves in the wrong order": (rb'"\udc00\ud800"', "surrogate"),
    "a name that stands twice": (b'{"a": 1, "b": 2, "a": 3}', '"a" stands twice'),
    "twice, further in": (rb'[{"x": {"\u0061": 1, "a": 2}}]', '"a" stands twice'),
    "a fraction": (b"[1.5]", "1.5"),
    "an exponent": (b"1e5", "1e5"),
    "a huge exponent": (b"1e999999999", "whole"),
    "a whole number with a point": (b"1.0", "1.0"),
    "NaN": (b"[NaN]", "NaN"),
    "Infinity": (b"Infinity", "Infinity"),
    "minus Infinity": (b"-Infinity", "-Infinity"),
    "an integer above 2^53-1": (b"9007199254740992", "2^53-1"),
    "an integer below -(2^53-1)": (b"-9007199254740992", "2^53-1"),
    "an integer of 60,000 digits": (b"9" * 60_000, "2^53-1"),
    "minus nought": (b'{"seat": -0}', "-0"),
    "a leading zero": (b"01", "extra data"),
    "nine lists": (b"[" * 9 + b"]" * 9, "8 levels"),
    "100,000 lists": (b"[" * 100_000, "8 levels"),
    "100,000 objects": (b'{"a":' * 100_000, "8 levels"),
    "a single quote": (b"{'a': 1}", "double quotes"),
    "a comment": (b"{} // why", "extra data"),
    "nothing": (b"", "line 1, column 1"),
    "white space": (b"  \n", "line 2"),
}


@pytest.mark.parametrize(("data", "named"), REFUSED.values(), ids=REFUSED.keys())
def test_invalid_json_is_refused_with_its_fault(data: bytes, named: str) -> None:
    with pytest.raises(BadJSON) as refused:
        read(data)
    assert named.lower() in str(refused.value).lower()
    assert str(refused.value).endswith((".", "is not."))
    assert len(str(refused.value)) < 200


@pytest.mark.parametrize(
    "value",
    [
        {},
        [],
        None,
        True,
        0,
        -1,
        2**53 - 1,
        -(2**53 - 1),
        "",
        "ä€𝄞",
        {"a": [{"b": None}]},
        "[[[[[[[[[[{{{{{{{{{{",
        '"\\"[[[[[[[[[[[[',
        "\\u0000",
    ],
)
def test_plain_values_are_read(value: object) -> None:
    assert read(json.dumps(value, ensure_ascii=False).encode()) == value
    assert read(json.dumps(value).encode()) == value


def test_eight_levels_are_read() -> None:
    assert read(b"[" * 8 + b"]" * 8) == [[[[[[[[]]]]]]]]


@pytest.mark.parametrize(
    "data",
    [
        b'"\\' * 32_000,
        b'"' + b"\\" * 64_000,
        b'"' * 64_000,
        b"[]," * 21_000,
        b'{"a":1},' * 8_000,
        b"\\u" * 32_000,
        b"{%s}" % b",".join(b'"%x":0' % min(name, 8_190) for name in range(8_192)),
    ],
    ids=["escaped quotes", "backslashes", "quotes", "empty lists", "objects", "escapes", "names, the last one twice"],
)
def test_hostile_json_of_64_kib_is_refused_quickly(data: bytes) -> None:
    # Of this thread's work, which no neighbour makes longer; what grows with the square of the body takes seconds.
    begun = time.thread_time()
    with pytest.raises(BadJSON):
        read(data)
    assert time.thread_time() - begun < 0.5
