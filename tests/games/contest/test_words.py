"""Tests of the words for people: every value, kind and choice of a content has them."""

from collections.abc import Iterator
from typing import Any, Literal, get_args, get_origin, get_type_hints

import pytest

from games.contest.content import Content
from games.contest.parts import Part
from games.contest.places import parts_of, place_in_words
from games.contest.words import time_in_words, words_of
from games.kernel.game import json_schema


def structs_in(struct: type[Part]) -> Iterator[type[Part]]:
    yield struct
    for name in struct.__struct_fields__:
        for inner in parts_of(struct, name).values():
            yield from structs_in(inner)


STRUCTS = list(dict.fromkeys(structs_in(Content)))
LISTED = [it for it in STRUCTS if it.__name__ != "Sealed"]


@pytest.mark.parametrize("struct", LISTED, ids=lambda it: it.__name__)
def test_every_value_and_every_choice_has_words(struct: type[Part]) -> None:
    hints = get_type_hints(struct)
    for name, words in words_of(struct).items():
        assert words.label != name and words.label[0].isupper() and "_" not in words.label, name
        assert not words.help or words.help.endswith((".", ":")), name
        if get_origin(hints[name]) is Literal:
            assert set(words.choices) == set(get_args(hints[name])), name
        if get_origin(hints[name]) is tuple and parts_of(struct, name):
            assert words.one, name
        if words.when:
            assert words.when[0] in hints, name


@pytest.mark.parametrize("struct", LISTED, ids=lambda it: it.__name__)
def test_every_kind_of_a_part_has_a_label_and_a_sentence(struct: type[Part]) -> None:
    if struct.__struct_config__.tag:
        assert struct.label and "`" not in (struct.__doc__ or "`")
        assert set(struct.unused) <= set(struct.__struct_fields__)


def test_values_of_one_part_have_labels_of_their_own() -> None:
    for struct in LISTED:
        labels = [words.label for words in words_of(struct).values() if not words.for_server]
        assert len(set(labels)) == len(labels), struct


def test_schema_has_the_words() -> None:
    schema: dict[str, Any] = json_schema(Content)["$defs"]["Round"]["properties"]
    assert schema["gifts"]["title"] == "Gifts of each player"
    assert "`totals`: It is published how often" in schema["reveal"]["description"]


@pytest.mark.parametrize(
    ("place", "words"),
    [
        ("most_seats", "Most players"),
        ("rounds.1.fields.0.most", "Round 2, Field 1, Greatest number"),
        ("rounds[1].scheme.others", "Round 2, Evaluation, Everybody gains if the host is late"),
        ("rounds.1.scheme.kind", "Round 2, Evaluation, Kind"),
        ("rounds.7.name", "Round 8, Short name"),
        ("roles.0.gains.gold", "Role 1, More at the start, gold"),
        ("score.ties.0", "Points and ties, Equal points are ranked by, line 1"),
        ("teams.1", "Teams, line 2"),
        ("rounds.1.colour", "Round 2, colour"),
        ("rounds.x.y", "Rounds, x, y"),
        ("", ""),
    ],
)
def test_place_is_named_as_the_editor_labels_it(place: str, words: str) -> None:
    content = {"rounds": [{}, {"fields": [{"kind": "number"}], "scheme": {"kind": "host"}}]}
    assert place_in_words(place, content) == words


def test_time_is_told_in_its_greatest_unit() -> None:
    times = (10, 60, 90, 5_400, 7_200, 86_400, 30 * 86_400)
    assert list(map(time_in_words, times)) == [
        "10 seconds", "1 minute", "90 seconds", "90 minutes", "2 hours", "1 day", "30 days",
    ]  # fmt: skip
