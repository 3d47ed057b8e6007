"""The patterns of the schemas, as Python applies them to requests and as a client applies them by JSON Schema."""

import re
from collections.abc import Iterator
from typing import Any, get_args

import jsonschema_rs
import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from matches.realtime import inbound
from tests.api.document import DOCUMENT


def patterns(schema: Any) -> Iterator[str]:
    """Yield the patterns of a schema, at any depth."""
    match schema:
        case dict():
            if isinstance(schema.get("pattern"), str):
                yield schema["pattern"]
            for inner in schema.values():
                yield from patterns(inner)
        case list():
            for inner in schema:
                yield from patterns(inner)


SOCKETS = msgspec.json.schema_components(get_args(inbound.Message))[1]
PATTERNS = sorted({*patterns(DOCUMENT), *patterns(SOCKETS)})


def is_valid(pattern: str, text: str) -> bool:
    return jsonschema_rs.is_valid({"type": "string", "pattern": pattern}, text)


@pytest.mark.parametrize("pattern", PATTERNS)
@given(data=st.data(), end=st.sampled_from(["", "\n", " "]))
def test_pattern_means_the_same_in_python_and_in_json_schema(pattern: str, data: st.DataObject, end: str) -> None:
    text = data.draw(st.from_regex(pattern, alphabet=st.characters(codec="ascii"))) + end
    assert (re.search(pattern, text) is not None) == is_valid(pattern, text), repr(text)


def test_patterns_of_the_api_and_the_sockets_are_found() -> None:
    assert set(patterns(SOCKETS)) < set(PATTERNS) > set(patterns(DOCUMENT))


@pytest.mark.parametrize("pattern", [r"^[a-f]+$", r"\A[a-f]+\Z"])
def test_pattern_with_another_meaning_in_json_schema_is_noticed(pattern: str) -> None:
    with pytest.raises((AssertionError, jsonschema_rs.ValidationError)):
        assert is_valid(pattern, "a") and not re.search(pattern, "a\n")
