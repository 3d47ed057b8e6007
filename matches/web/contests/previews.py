"""The form of a round as a player will see it, before the contest exists: that of a match of example players."""

from collections.abc import Mapping
from typing import Any, Final

import msgspec
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from msgspec import Struct
from msgspec.structs import replace

from games.contest.checks import faults_of
from games.contest.content import Balance, Content, Deck, Default, Round
from games.contest.fields import AnyField
from games.contest.options import Options
from games.contest.state import Hand, State, opening
from matches.html.markdown import rendered
from matches.html.trays import contest
from matches.html.trays.filling import Form
from matches.html.trays.tray import TrayContext

_MOST_PLAYERS: Final = 6
_MOST_PARTS: Final = 10
"""Parts of each list that an example has; a draft may have more of them than a contest."""
_SHOWN: Final = ("text", "seconds", "gifts", "default", "reveal", "later", "sealed")
"""The values of a round that a player's form shows, beside its fields."""


class RoundPreview(Struct, frozen=True):
    """The form of a round. Parts with faults are left out; `is_whole` is False if a field is among them."""

    title: str
    text: SafeString
    seconds: int
    form: Form | None
    is_whole: bool


def preview_of(of_round: Mapping[str, Any], content: Mapping[str, Any]) -> RoundPreview:
    """Return the form of a round of a content, both of which may have faults."""
    example = _faultless(_example(of_round, content))
    shown = example.rounds[0]
    names = [_("Player %(number)s") % {"number": seat + 1} for seat in range(example.most_seats)]
    context = TrayContext(_open(example), 0, (), str, names, ())
    return RoundPreview(
        title=next((it for it in (of_round.get("title"), of_round.get("name")) if isinstance(it, str) and it), ""),
        text=rendered(shown.text),
        seconds=shown.seconds,
        form=contest.tray(context).form,
        is_whole=len(shown.fields) == len(parts_of(of_round, "fields")),
    )


def parts_of(content: Mapping[str, Any], name: str) -> list[Mapping[str, Any]]:
    """Return the parts in a list of a content, which may have faults."""
    parts = content.get(name, [])
    return [it for it in parts if isinstance(it, Mapping)] if isinstance(parts, list) else []


def _example(of_round: Mapping[str, Any], content: Mapping[str, Any]) -> Content:
    """Return a contest of this one round, which everybody plays, with what its form needs of the content."""
    most, teams = content.get("most_seats"), (_converted(content.get("teams", []), tuple[str, ...]) or ())[:_MOST_PARTS]
    seats = max(2, min(most if type(most) is int else _MOST_PLAYERS, _MOST_PLAYERS), min(len(teams), _MOST_PLAYERS))
    values = ((name, _converted({"name": "round", name: of_round[name]}, Round)) for name in _SHOWN if name in of_round)
    shown = replace(
        Round(name="round"),
        **{name: getattr(read, name) for name, read in values if read is not None},
        who="in_turn" if of_round.get("who") == "in_turn" else "all",
        fields=_good(of_round, "fields", AnyField),
    )
    return Content(
        title="-",
        least_seats=seats,
        most_seats=seats,
        teams=teams,
        # A season sets garnets by seat, for as many seats as its table has.
        balances=tuple(replace(it, starts=()) for it in _good(content, "balances", Balance)),
        decks=_good(content, "decks", Deck),
        rounds=(shown,),
    )


def _good(data: Mapping[str, Any], name: str, kind: Any) -> tuple[Any, ...]:
    return tuple(it for part in parts_of(data, name)[:_MOST_PARTS] if (it := _converted(part, kind)) is not None)


def _converted(data: Any, kind: Any) -> Any:
    try:
        return msgspec.convert(data, kind)
    except msgspec.ValidationError:
        return None


def _faultless(content: Content) -> Content:
    """Return the content without the parts that have faults."""
    while faults := faults_of(content):
        name, *place = faults[0].place.split(".")
        if name != "rounds":
            kept = _without(getattr(content, name), int(place[0])) if place else ()
            content = replace(content, **{name: kept})
        elif place[1] == "fields":
            fields = _without(content.rounds[0].fields, int(place[2]))
            content = replace(content, rounds=(replace(content.rounds[0], fields=fields),))
        else:
            content = replace(content, rounds=(replace(content.rounds[0], default=Default()),))
    return content


def _without(items: tuple[Any, ...], number: int) -> tuple[Any, ...]:
    return (*items[:number], *items[number + 1 :])


def _open(content: Content) -> State:
    """Return the state in which the round is open, as its first player sees it."""
    state = opening(Options(content=content), content.most_seats, 0)
    seats = range(content.most_seats)
    return replace(
        state,
        stage="open",
        order=tuple(seats),
        teams=tuple(seat % len(content.teams) for seat in seats) if content.teams else (),
        hands=tuple(Hand(0, deck.name, deck.cards[: deck.hand]) for deck in content.decks),
    )
