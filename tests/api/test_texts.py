"""One rule for every text that others are shown: walked through all bodies of requests and all forms."""

import importlib
import unicodedata
from collections.abc import Iterator
from typing import Any
from uuid import UUID

import msgspec
import pytest
from django import forms
from django.core.exceptions import ValidationError
from hypothesis import given
from hypothesis import strategies as st
from msgspec.inspect import (
    AnyType,
    BoolType,
    DateTimeType,
    DictType,
    FloatType,
    IntType,
    ListType,
    LiteralType,
    StrType,
    StructType,
    Type,
    UnionType,
    UUIDType,
)  # fmt: skip

from matches.domain.names import RESERVED, name_fault
from matches.domain.texts import MOST_MARKS, BadText, clean_line, clean_lines
from matches.html.text_fields import LineField, LinesField, PastedField
from matches.http import operations
from matches.http.body_texts import clean_body, text_rule
from matches.http.parsing import convert
from matches.http.problems import Problem
from matches.models import Account
from tests.seasons.pasted_samples import WHATSAPP
from tests.table_setting import api

BAD = {
    "a control character": "a\x07b",
    "a change of direction": "a\u202eb",
    "the end of an isolate": "a\u2069b",
    "a surrogate": "a\ud800b",
    "a noncharacter": "a\ufdd0b",
    "an unassigned character": "a\u0378b",
    "a hidden tag": "a\U000e0041b",
    "a private character": "a\ue000b",
    "nothing that is seen": "\u200d\u3164",
    "nothing but what is dropped": "\u200b \ufeff",
    "an object that is not there": "\ufffc",
    "a note of music without a head": "\U0001d159",
    "a text hidden in a flag": "\U0001f3f4" + "".join(chr(0xE0000 + ord(it)) for it in "my hand is a7") + "\U000e007f",
    "a pile of marks": "a" + "\u0301" * (MOST_MARKS + 2),
}
GOOD = (
    "Zo\u00eb \uc774\uc900", "\U0001f468\u200d\U0001f469\u200d\U0001f467", "1\ufe0f\u20e3", "\u067e\u200c\u0627",
    "\U0001f3f4\U000e0067\U000e0062\U000e0073\U000e0063\U000e0074\U000e007f",
    "\u05e9\u05c1\u05b8\u05dc\u05d5\u05b9\u05dd",
    "\u0928\u092e\u0938\u094d\u0924\u0947", "\U0001fae8",
)  # fmt: skip
DECOMPOSED = "e\u0301"
VERBATIM_FIELDS = {
    "key", "expected", "code",  # made by the page, or compared with what the page shows
    "password", "current", "new", "username", "name", "player",  # compared with a stored name, or of the rule of names
    "address", "url", "match", "person",  # addresses, and what a search looks for
}  # fmt: skip


def imported() -> None:
    """Import all views, and with them every body and form."""
    importlib.import_module("config.urls")


def bodies() -> list[type]:
    imported()
    kinds = {it.body for it in operations.declared if isinstance(it.body, type)}
    return sorted(kinds, key=lambda kind: kind.__name__)


def form_classes() -> list[type[forms.Form]]:
    imported()
    classes, waiting = set(), [forms.Form]
    while waiting:
        subclasses = waiting.pop().__subclasses__()
        waiting += subclasses
        classes |= {it for it in subclasses if it.__module__.startswith("matches.")}
    return sorted(classes, key=lambda it: (it.__module__, it.__name__))


def least(declared: Type) -> Any:
    """Return a value that a field takes, as JSON has it."""
    declared, _ = text_rule(declared)
    match declared:
        case StrType() if declared.pattern and "{64}" in declared.pattern:
            return "0" * 64
        case StrType():
            return "10:00" if declared.pattern and ":" in declared.pattern else "a" * (declared.min_length or 1)
        case LiteralType():
            return declared.values[0]
        case IntType() | FloatType():
            return declared.ge or 1
        case BoolType():
            return True
        case UUIDType():
            return str(UUID(int=1))
        case DateTimeType():
            return "2030-01-01T00:00:00Z"
        case ListType():
            return [least(declared.item_type)] * (declared.min_length or 0)
        case DictType():
            return {"a": least(declared.value_type)} if declared.min_length else {}
        case StructType():
            return {it.encode_name: least(it.type) for it in declared.fields if it.required}
        case UnionType():
            return least(declared.types[0])
        case AnyType():
            return 1
    raise AssertionError(declared)


def texts_of(declared: Type, inherited: str = "line") -> Iterator[tuple[str, str, Any, Any]]:
    """Yield each text in a body: its place, its rule, and a function that makes a value with the text in it."""
    declared, own = text_rule(declared)
    rule = own if own != "line" else inherited
    match declared:
        case StrType() if declared.pattern in (None, r"\S") and rule != "verbatim":
            yield "", rule, lambda text: text, declared.max_length
        case UnionType():
            for one in declared.types:
                yield from texts_of(one, rule)
        case ListType():
            for place, its, make, longest in texts_of(declared.item_type, rule):
                yield f"[0].{place}".rstrip("."), its, lambda text, make=make: [make(text)], longest
        case StructType():
            for field in declared.fields:
                for place, its, make, longest in texts_of(field.type):
                    name = f"{field.encode_name}.{place}".rstrip(".").replace(".[", "[")

                    def whole(text: str, make: Any = make, field: Any = field) -> Any:
                        return least(declared) | {field.encode_name: make(text)}

                    yield name, its, whole, longest


TEXTS = [
    pytest.param(kind, place, rule, make, longest, id=f"{kind.__name__}-{place}")
    for kind in bodies()
    for place, rule, make, longest in texts_of(msgspec.inspect.type_info(kind))
]


def read(kind: type, data: Any) -> Any:
    return clean_body(convert(data, kind), kind)


def test_walk_finds_the_texts_of_bodies() -> None:
    ids = {it.id for it in TEXTS}
    assert {
        "HostBody-reason",
        "SeasonBody-title",
        "RemarkBody-text",
        "OpenBody-seats[0].role",
        "AppealBody-text",
    } <= ids
    assert len(ids) >= 40


@pytest.mark.parametrize(("kind", "place", "rule", "make", "longest"), TEXTS)
def test_text_of_a_body_keeps_the_rule(kind: type, place: str, rule: str, make: Any, longest: int | None) -> None:
    bad = [it for it in BAD.values() if longest is None or len(it) <= longest]
    for text in [*bad, *(["a\nb", "a\tb"] if rule == "line" else [])]:
        with pytest.raises(Problem) as refused:
            read(kind, make(text))
        assert (refused.value.code, refused.value.status) == ("malformed", 400)
        assert place.rpartition(".")[2].partition("[")[0] in refused.value.detail
    normal = msgspec.json.encode(read(kind, make(DECOMPOSED))).decode()
    assert "\u00e9" in normal and DECOMPOSED not in normal


def test_text_that_grows_in_normal_form_is_limited_in_length() -> None:
    body = next(it for it in bodies() if it.__name__ == "HostBody")
    with pytest.raises(Problem, match="length"):
        read(body, {"reason": "\u0958" * 400})


@pytest.mark.parametrize("kind", form_classes(), ids=lambda kind: f"{kind.__module__}.{kind.__name__}")
def test_text_field_of_a_form_keeps_the_rule(kind: type[forms.Form]) -> None:
    for name, field in kind.base_fields.items():
        if isinstance(field, LineField | LinesField):
            for text in BAD.values():
                with pytest.raises(ValidationError):
                    field.clean(text)
            assert field.clean(DECOMPOSED) == "\u00e9"
        elif isinstance(field, PastedField):
            assert field.clean(WHATSAPP) == WHATSAPP, "its reader drops the marks that programs put round names"
        else:
            assert type(field) is not forms.CharField or name in VERBATIM_FIELDS, name


@pytest.mark.parametrize(
    ("text", "fault"),
    [("a\u202eb", "202E.* the direction of the text"), ("a\u2062b", "2062.* be seen"), ("a\ue000b", "E000.* holds no")],
)
def test_refused_character_is_named_with_its_fault(text: str, fault: str) -> None:
    with pytest.raises(BadText, match=rf"U\+{fault}"):
        clean_line(text)


@pytest.mark.parametrize("text", GOOD)
def test_text_of_living_scripts_and_emoji_is_accepted(text: str) -> None:
    assert clean_line(text) == clean_lines(text) == unicodedata.normalize("NFC", text)


@given(st.text(st.characters(codec=None), max_size=40))
def test_accepted_text_is_normal_and_accepted_again(text: str) -> None:
    try:
        cleaned_text = clean_lines(text)
    except BadText:
        return
    assert clean_lines(cleaned_text) == cleaned_text == unicodedata.normalize("NFC", cleaned_text)
    assert not {unicodedata.category(it) for it in cleaned_text if it not in "\n\t"} & {"Cc", "Cs", "Zl", "Zp"}


@pytest.mark.parametrize("name", RESERVED)
def test_reserved_name_is_refused_in_any_disguise(name: str) -> None:
    mathematical = "".join(chr(0x1D4EA + ord(it) - ord("a")) for it in name)
    cyrillic = name.translate(str.maketrans("aeopcxy", "\u0430\u0435\u043e\u0440\u0441\u0445\u0443"))
    spelled = (
        name.replace("i", "1"),
        name.replace("l", "1"),
        f"{name}.",
        f"_{name}",
        name.upper().replace("I", "\u0130"),
    )
    for disguise in (name, name.upper(), mathematical, cyrillic, *spelled):
        assert name_fault(disguise), disguise


@pytest.mark.parametrize("name", ["ᴀᴅᴍɪɴ", "\u029cost", "\ua7a9taff", "Modera\u1d1bor", "admin\u0640", "\u0253ot"])
def test_reserved_name_in_look_alike_letters_is_refused(name: str) -> None:
    assert name_fault(name) == "That name is reserved for the installation. Choose another one, or add to it."


@pytest.mark.parametrize("name", ["Ali", "Bjørn", "Łukasz", "İlker", "player1", "admin2", "mo"])
def test_name_unlike_reserved_ones_is_accepted(name: str) -> None:
    assert name_fault(name) is None


@pytest.mark.parametrize("name", [".", "..", "...", "-", "_", "+.+"])
def test_name_without_a_letter_or_digit_is_refused(name: str) -> None:
    refused = api().post("accounts", {"username": name, "password": "seven blue lanterns"})
    assert (refused.status_code, refused.json()["code"]) == (422, "bad_name")
    assert "at least one letter or digit" in refused.json()["detail"]


def test_operator_may_use_the_name_of_a_role_but_not_of_an_actor() -> None:
    assert name_fault("admin", by_operator=True) is None
    assert name_fault("clock", by_operator=True)


def test_account_with_a_name_that_is_now_reserved_signs_in() -> None:
    Account.objects.filter(name_key="moderator").delete()
    Account.objects.create_user("moderator", "seven blue lanterns")
    assert api().post("tokens", {"username": "moderator", "password": "seven blue lanterns"}).status_code == 201
