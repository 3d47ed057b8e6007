"""An act on a season, declared once: its values, its decision, and what each interface derives its own form from. Pure.

An act is a struct. Its fields are what the act is asked with, and each field's type says what kind of value it is. REST
derives the body, schema, example, address and view from it, the panel its dialog, and `offer` what may be chosen.
"""

from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from types import MappingProxyType, NoneType, UnionType
from typing import Annotated, Any, ClassVar, Literal, NamedTuple, Self, TypeVar, Union, get_args, get_origin

import msgspec
from msgspec import Meta, Struct

from games.kernel import Event
from matches.seasons.domain.deciding import Caller
from matches.seasons.domain.state import Season

Kind = Literal[
    "player", "players", "newcomer", "account", "match", "game", "title", "reason", "statement", "amount", "garnets",
    "rewards", "version", "moment", "moments", "options", "claim", "link",
    "name", "plain",
]  # fmt: skip
"""The kinds of values. Each interface has one way to ask for each kind, but for `plain`: a number, a choice, or what an
act is only asked with by forms of its own."""

SOMEBODY = "00000000-0000-4000-8000-000000000000"
"""An account's id, as it looks in examples."""
PlayerId = Annotated[str, Meta(extra={"kind": "player"})]
PlayerIds = Annotated[tuple[str, ...], Meta(extra={"kind": "players"})]
NewcomerId = Annotated[str, Meta(extra={"kind": "newcomer"})]
"""An account that isn't in the season yet."""
AccountId = Annotated[str, Meta(extra={"kind": "account"})]
MatchId = Annotated[str, Meta(extra={"kind": "match"})]
GameSlug = Annotated[str, Meta(extra={"kind": "game"})]
Title = Annotated[str, Meta(extra={"kind": "title"})]
Reason = Annotated[str, Meta(extra={"kind": "reason"})]
Statement = Annotated[str, Meta(extra={"kind": "statement"})]
"""A text that is longer than a reason."""
Amount = Annotated[int, Meta(extra={"kind": "amount"})]
"""Garnets to begin with."""
Garnets = Annotated[int, Meta(extra={"kind": "garnets"})]
"""At least one garnet."""
Rewards = Annotated[dict[str, int], Meta(extra={"kind": "rewards"})]
"""Garnets by player."""
Version = Annotated[int, Meta(extra={"kind": "version"})]
"""A version of a match."""
Moment = Annotated[str, Meta(extra={"kind": "moment"})]
"""An instant as the record writes it."""
Moments = Annotated[tuple[str, ...], Meta(extra={"kind": "moments"})]
ClaimNumber = Annotated[int, Meta(extra={"kind": "claim"})]
LinkNumber = Annotated[int, Meta(extra={"kind": "link"})]
"""The number of a joining link."""
NameId = Annotated[str, Meta(extra={"kind": "name"})]
"""The id of a name that a player has in this season alone."""
Options = Annotated[dict[str, Any], Meta(extra={"kind": "options"})]
"""Options of the season, by name."""

NOBODY = "00000000-0000-0000-0000-000000000000"
"""An id that no account, match or name has: tried where any new one would do."""
SOME_TEXT = "-"
SOME_TIME = "2000-01-01T00:00:00.000000Z"
"""An instant that is tried. Whether it is still to come is checked by the services, which know the time."""


class Body(NamedTuple):
    """The name and description of a request body. Acts whose bodies have the same fields share one."""

    name: str
    description: str


PLAYER = Body("PlayerBody", "The player it is about.")
WHY = Body("WhyBody", "Why it is done; stands in the record.")


class Rest(NamedTuple):
    """An act as a REST operation: `path` is below its season, and names the fields that aren't in the body.

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


class SeasonAct(Struct, frozen=True):
    """An act on a season. Its docstring describes the REST operation.

    One that `settles` changes something of the season's matches. `example` has the values of fields whose kind has no
    usual example. Without `rest` or `dialog` a view or form of its own asks for it, or none does.
    """

    name: ClassVar[str]
    rest: ClassVar[Rest | None] = None
    dialog: ClassVar[Dialog | None] = None
    settles: ClassVar[bool] = False
    example: ClassVar[Mapping[str, Any]] = {}

    def decide(self, season: Season, by: Caller) -> Sequence[Event]:
        """Return the act's events; raise Illegal."""
        raise NotImplementedError

    @classmethod
    def tries(cls, season: Season, by: Caller) -> Iterable[Self]:
        """Return the acts that are tried to see what the caller may ask for."""
        raise NotImplementedError


A = TypeVar("A", bound=SeasonAct)


@cache
def kinds_of(act: type[SeasonAct]) -> Mapping[str, Kind]:
    """Return the kind of each field; raise TypeError for a text without one."""
    kinds: dict[str, Kind] = {}
    for field in msgspec.structs.fields(act):
        kind = _kind_of(field.type)
        if kind is None and str in (field.type, *get_args(field.type)):
            raise TypeError(f"The act `{act.name}`: its field `{field.name}` is a text without a kind.")
        kinds[field.name] = kind or "plain"
    return kinds


def is_optional(declared: Any) -> bool:
    """True if a field of this type may be None."""
    return NoneType in get_args(declared)


def read(act: type[A], values: Mapping[str, Any]) -> A:
    """Return the act with those of the values that are its fields."""
    return act(**{name: values[name] for name in act.__struct_fields__ if name in values})


def _kind_of(declared: Any) -> Kind | None:
    """Return the kind that a type, or one that is optional, is marked with."""
    if get_origin(declared) in (Union, UnionType):
        return next(filter(None, map(_kind_of, get_args(declared))), None)
    return next((it.extra["kind"] for it in getattr(declared, "__metadata__", ()) if it.extra), None)
