"""An act, declared once: its values, and what each interface derives its own form from. Pure.

An act is a struct. Its fields are what the act is asked with, and each field's type says what kind of value it is. REST
derives the body, schema, example, address and view from it, the panel its dialog.
"""

from collections.abc import Callable, Mapping
from functools import cache
from types import MappingProxyType, NoneType, UnionType
from typing import Annotated, Any, ClassVar, Literal, NamedTuple, TypeVar, Union, get_args, get_origin

import msgspec
from msgspec import Meta, Struct

Kind = Literal[
    "player", "players", "newcomer", "account", "match", "game", "title", "reason", "remark", "statement", "amount",
    "garnets", "rewards", "changes", "version", "moment", "moments", "options", "numbered", "link", "name", "seat",
    "seats", "seat_player", "appeal", "text", "plain",
]  # fmt: skip
"""The kinds of values. Each interface has one way to ask for each kind, but for `plain`: a number, a choice, or what an
act is only asked with by forms of its own."""

SOMEBODY = "00000000-0000-4000-8000-000000000000"
"""An account's id, as it looks in examples."""
Reason = Annotated[str, Meta(extra={"kind": "reason"})]
Remark = Annotated[str, Meta(extra={"kind": "remark"})]
"""A reason that may be empty."""
Statement = Annotated[str, Meta(extra={"kind": "statement"})]
"""A text that is longer than a reason."""
Version = Annotated[int, Meta(extra={"kind": "version"})]
"""A version of a match."""


def numbered(labels: Callable[..., Mapping[int, str]]) -> Meta:
    """Return the mark of a thing's number. `labels` returns what each thing there is called, by its number: of a
    season, given what an account is called."""
    return Meta(extra={"kind": "numbered", "labels": labels})


def gettext_noop(text: str) -> str:
    """Return the text unchanged. `makemessages` extracts it, and a page translates it when it shows it."""
    return text


class Body(NamedTuple):
    """The name and description of a request body. Acts whose bodies have the same fields share one."""

    name: str
    description: str


REWIND = Body("RewindBody", "The version from which play continues, and the reason.")


class Rest(NamedTuple):
    """An act as a REST operation: `path` is below its season or match, and names the fields that aren't in the body.

    `refusals` are the codes of this act beside those that every act has. `is_for_players` says that a token with the
    scope of players suffices.
    """

    operation: str
    path: str
    body: Body | None
    refusals: tuple[str, ...]
    is_for_players: bool = False


class Ask(NamedTuple):
    """The way in which a dialog asks for a value, where it differs from the usual way of its kind.

    `words` are the sentences for the values of a choice; the one for an optional value that isn't given is under "".
    """

    label: str = ""
    help: str = ""
    initial: Any = None
    words: Mapping[str, str] = MappingProxyType({})


class Dialog(NamedTuple):
    """An act as a dialog of the panel, which asks for the values in `asks` first, and in their order."""

    title: str
    icon: str
    warning: str = ""
    asks: Mapping[str, Ask] = MappingProxyType({})


class Act(Struct, frozen=True):
    """An act. Its docstring describes the REST operation.

    `example` has the values of fields whose kind has no usual example. Without `rest` or `dialog` a view or form of its
    own asks for it, or none does.
    """

    name: ClassVar[str]
    rest: ClassVar[Rest | None] = None
    dialog: ClassVar[Dialog | None] = None
    example: ClassVar[Mapping[str, Any]] = {}


S = TypeVar("S", bound=Struct)


@cache
def kinds_of(act: type[Struct]) -> Mapping[str, Kind]:
    """Return the kind of each field of an act, or of a struct that an act has; raise TypeError for a text without
    one."""
    kinds: dict[str, Kind] = {}
    for field in msgspec.structs.fields(act):
        kind = _kind_of(field.type)
        if kind is None and str in (field.type, *get_args(field.type)):
            raise TypeError(f"The act `{name_of(act)}`: its field `{field.name}` is a text without a kind.")
        kinds[field.name] = kind or "plain"
    return kinds


def name_of(act: type[Struct]) -> str:
    """Return the name of an act, or of a struct that an act has."""
    return str(getattr(act, "name", act.__name__))


def is_optional(declared: Any) -> bool:
    """True if a field of this type may be None."""
    return NoneType in get_args(declared)


def read(act: type[S], values: Mapping[str, Any]) -> S:
    """Return the act, or the struct, with those of the values that are its fields."""
    return act(**{name: values[name] for name in act.__struct_fields__ if name in values})


def labels_of(declared: Any) -> Callable[..., Mapping[int, str]]:
    """Return the labels of things whose numbers have this type."""
    labels: Callable[..., Mapping[int, str]] = _mark_of(declared)["labels"]
    return labels


def _kind_of(declared: Any) -> Kind | None:
    return _mark_of(declared).get("kind")


def _mark_of(declared: Any) -> Mapping[str, Any]:
    """Return what a type, or one that is optional, is marked with."""
    if get_origin(declared) in (Union, UnionType):
        return next(filter(None, map(_mark_of, get_args(declared))), {})
    return next((it.extra for it in getattr(declared, "__metadata__", ()) if it.extra), {})
