"""Bodies and query parameters become Structs, or the problem names the field."""

from typing import Annotated, Any, Literal
from uuid import UUID

import pytest
from django.core.exceptions import RequestDataTooBig
from msgspec import Meta, Struct, field

from matches.http.bodies import CommandBody, NonceBody
from matches.http.parsing import read_body, read_json, read_query
from matches.http.problems import Problem, problem_of
from tests.api.asking import sent


class Order(Struct, forbid_unknown_fields=True):
    """A body."""

    dish: Annotated[str, Meta(max_length=10)]
    plates: int = 1
    sides: list[str] = field(default_factory=list)


class Search(Struct, forbid_unknown_fields=True):
    """A query."""

    at: Annotated[int, Meta(ge=0)] | None = None
    hot: bool = False
    id: UUID | None = None
    order: Literal["new", "old"] = "new"
    as_: str | None = field(default=None, name="as")


def refused(code: str, read: Any, *args: Any, **options: Any) -> str:
    with pytest.raises(Problem) as problem:
        read(*args, **options)
    assert problem.value.code == code
    return problem.value.detail


def test_a_body_becomes_a_struct() -> None:
    assert read_body(sent(b'{"dish": "pie", "plates": 2}'), Order) == Order("pie", 2)


@pytest.mark.parametrize(
    ("body", "message"),
    [
        (b"{}", "Missing field `dish`."),
        (b'{"dish": 1}', "`dish`: Expected `str`, got `int`."),
        (b'{"dish": "pie", "sides": ["peas", null]}', "`sides[1]`: Expected `str`, got `null`."),
        (b'{"dish": "pie", "sauce": 1}', "Unknown field `sauce`."),
        (b'{"dish": "a pie of pies"}', "`dish`: Expected `str` of length <= 10."),
        (b'{"dish": "pie", "plates": "2"}', "`plates`: Expected `int`, got `str`."),
        (b'{"dish": "pie", "plates": true}', "`plates`: Expected `int`, got `bool`."),
        (b"[]", "Expected `object`, got `array`."),
        (b"null", "Expected `object`, got `null`."),
        (b"", "The body is empty; send a JSON object."),
    ],
)
def test_the_problem_names_the_field(body: bytes, message: str) -> None:
    assert refused("malformed", read_body, sent(body), Order) == message


@pytest.mark.parametrize("body", [b"{}", b'{"nonce": "luck", "commitment": "%s"}' % (b"0" * 64)])
def test_body_with_none_or_both_of_two_fields_is_told_to_send_one(body: bytes) -> None:
    assert "either a nonce or the commitment" in refused("malformed", read_body, sent(body), NonceBody)


def test_refusal_quotes_only_the_beginning_of_a_long_name() -> None:
    body = b'{"dish": "pie", "%s": 1}' % (b"x" * 60_000)
    assert len(refused("malformed", read_body, sent(body), Order)) < 350


@pytest.mark.parametrize(
    "media_type",
    ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x", "application/json5",
     "application/json; charset=utf-16", "nonsense", "", None],
)  # fmt: skip
def test_other_media_types_get_415(media_type: str | None) -> None:
    refused("unsupported_media_type", read_body, sent(b'{"dish": "pie"}', media_type), Order)


@pytest.mark.parametrize("media_type", ["application/json; charset=utf-8", 'Application/JSON; charset="UTF-8"'])
def test_json_in_utf8_however_it_is_written(media_type: str) -> None:
    assert read_body(sent(b'{"dish": "pie"}', media_type), Order).dish == "pie"


def test_body_of_a_command_is_any_object_unchanged_as_the_event_loop_takes_it() -> None:
    data = '{" e\u0301 ": ["\u00a0 x ", {"text": null}], "__proto__": 1}'.encode()
    assert read_body(sent(data), CommandBody) == read_json(data, "application/json")
    with pytest.raises(Problem, match="malformed"):
        read_body(sent(b"[]"), CommandBody)


def test_body_may_be_omitted_if_the_view_allows_it() -> None:
    class Note(Struct, forbid_unknown_fields=True):
        reason: str = ""

    assert read_body(sent(b"", None), Note, may_be_empty=True) == Note()
    refused("malformed", read_body, sent(b" "), Note, may_be_empty=True)


@pytest.mark.parametrize("length", ["", "65538"])
def test_a_body_above_the_limit_is_413(length: str) -> None:
    request = sent(b'{"dish": "%s"}' % (b"x" * 65_530))
    request._request.META["CONTENT_LENGTH"] = length
    with pytest.raises(RequestDataTooBig) as error:
        read_body(request, Order)
    assert problem_of(error.value).code == "too_large"


def test_a_chunked_body_is_read() -> None:
    request = sent(b'{"dish": "pie"}')
    del request._request.META["CONTENT_LENGTH"]
    assert read_body(request, Order).dish == "pie"


def test_struct_that_accepts_unknown_fields_raises_a_type_error() -> None:
    class Loose(Struct):
        dish: str = ""

    with pytest.raises(TypeError):
        read_body(sent(b"{}"), Loose)


def test_a_query_becomes_a_struct() -> None:
    who = UUID(int=7)
    query = f"at=12&hot=true&id={who}&order=old&as=seat:0"
    assert read_query(sent(query=query), Search) == Search(12, True, who, "old", "seat:0")
    assert read_query(sent(), Search) == Search()


@pytest.mark.parametrize(
    "query",
    [
        "at=1&at=1", "at=", "at=1_0", "at=+1", "at=-1", "at=-0", "at=01", "at=1.0", "at=1e3", "at=0x1", "at=%201",
        "at=１", "at=٣", "at=9007199254740992", "at=" + "9" * 5000, "at=null", "at=true",
        "hot=yes", "hot=", "hot=TRUE", "id=7", "id=null", "order=", "order=none", "as=%00",
        "as_=seat:0", "_connector=OR", "seat__user__password__startswith=a", "limit",
    ],
)  # fmt: skip
def test_odd_parameters_are_malformed(query: str) -> None:
    assert refused("malformed", read_query, sent(query=query), Search)


def test_query_value_that_looks_like_json_is_text() -> None:
    assert read_query(sent(query="as=null"), Search).as_ == "null"
