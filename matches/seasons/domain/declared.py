"""An act on a season, declared once: its values, its decision, and what each interface derives its own form from. Pure.

An act is a struct. Its fields are what the act is asked with, and each field's type says what kind of value it is. REST
derives the body, schema, example, address and view from it, the panel its dialog, and `offer` what may be chosen.
"""

from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from typing import Annotated, Any, ClassVar, Literal, NamedTuple, Self

import msgspec
from msgspec import Meta, Struct

from games.kernel import Event
from matches.seasons.domain.deciding import Caller
from matches.seasons.domain.state import Season

Kind = Literal["player", "newcomer", "account", "match", "game", "title", "reason", "amount", "plain"]
"""The kinds of values. Each interface has one way to ask for each kind, but for `plain`: a number or a literal."""

PlayerId = Annotated[str, Meta(extra={"kind": "player"})]
NewcomerId = Annotated[str, Meta(extra={"kind": "newcomer"})]
"""An account that isn't in the season yet."""
AccountId = Annotated[str, Meta(extra={"kind": "account"})]
MatchId = Annotated[str, Meta(extra={"kind": "match"})]
GameSlug = Annotated[str, Meta(extra={"kind": "game"})]
Title = Annotated[str, Meta(extra={"kind": "title"})]
Reason = Annotated[str, Meta(extra={"kind": "reason"})]
Amount = Annotated[int, Meta(extra={"kind": "amount"})]
"""Garnets to begin with."""


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


class Dialog(NamedTuple):
    """An act as a dialog of the panel."""

    title: str
    icon: str
    warning: str = ""


class SeasonAct(Struct, frozen=True):
    """An act on a season. Its docstring describes the REST operation.

    One that `settles` changes something of the season's matches. `example` has the values of fields whose kind has no
    usual example.
    """

    name: ClassVar[str]
    rest: ClassVar[Rest]
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


@cache
def kinds_of(act: type[SeasonAct]) -> Mapping[str, Kind]:
    """Return the kind of each field; raise TypeError for a text without one."""
    kinds: dict[str, Kind] = {}
    for field in msgspec.structs.fields(act):
        marks = [it.extra["kind"] for it in getattr(field.type, "__metadata__", ()) if it.extra]
        if field.type is str:
            raise TypeError(f"The act `{act.name}`: its field `{field.name}` is a text without a kind.")
        kinds[field.name] = marks[0] if marks else "plain"
    return kinds


def read(act: type[SeasonAct], values: Mapping[str, Any]) -> SeasonAct:
    """Return the act with those of the values that are its fields."""
    return act(**{name: values[name] for name in act.__struct_fields__ if name in values})
