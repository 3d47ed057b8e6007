"""The form that opens a match, apart from the options: its seats and clocks, as the API's body."""

from collections.abc import Mapping
from typing import Any
from uuid import UUID

import msgspec
from django.core.exceptions import ValidationError
from msgspec import Struct

from games import catalogue
from matches.domain.clocks import SETUP_CLOSES_BEFORE
from matches.domain.events import BOT
from matches.html import options_form
from matches.html.moments import MomentField
from matches.http.bodies import LONGEST_CLOSED, MOST_NAMED, OpenBody
from matches.http.body_texts import clean_body
from matches.http.parsing import convert
from matches.models import Account
from matches.reads import selectors

_SEAT_KINDS = (
    ("me", "Me"),
    ("bot", "The bot"),
    ("invite", "Whoever follows my invitation"),
    ("anybody", "Anybody who sits down"),
    ("named", "Whoever of these sits down first, by name"),
    ("player", "A player, by name"),
)
AIDS = (
    ("", "As usual: all against bots alone, else what the page remembers"),
    ("none", "None: the page shows what lies open and what you hold"),
    ("memory", "Memory: it also shows again what you have been told"),
    ("all", "All: it also computes, as what a move would bring"),
)
_NOBODY = ("none", "No such seat")
_CLOCK_PARTS = ("base", "reserve", "increment")


class SeatChoice(Struct, frozen=True):
    """A seat in the form."""

    number: int
    kind: str
    name: str
    kinds: tuple[tuple[str, str], ...]
    fault: str = ""


class ClockChoice(Struct, frozen=True):
    """One of the game's clocks in the form; `parts` are a name and a value each."""

    name: str
    at_flag: str
    parts: tuple[tuple[str, str], ...]


class SubmittedForm(Struct, frozen=True):
    """The submitted form as the API's body, and its errors by place."""

    body: OpenBody | None
    faults: dict[str, str]


def seats_of(slug: str, data: Mapping[str, str], faults: Mapping[str, str]) -> list[SeatChoice]:
    """Return the seats in the form."""
    least, most = catalogue[slug].seats.min, catalogue[slug].seats.max
    return [
        SeatChoice(
            number=number,
            kind=data.get(f"seat-{number}", _usual(number, least)),
            name=data.get(f"seat-{number}-name", ""),
            kinds=_SEAT_KINDS if number < least else (*_SEAT_KINDS, _NOBODY),
            fault=faults.get(f"seat-{number}", ""),
        )
        for number in range(most)
    ]


def clocks_of(slug: str, data: Mapping[str, str]) -> list[ClockChoice]:
    """Return the game's clocks in the form; none if the options of a match define them."""
    if catalogue[slug].clocks_of is not None:
        return []
    return [
        ClockChoice(
            name,
            spec.at_flag,
            tuple((part, data.get(f"clock-{name}-{part}", str(getattr(spec, part)))) for part in _CLOCK_PARTS),
        )
        for name, spec in catalogue[slug].clocks.items()
    ]


def read(slug: str, data: Mapping[str, str], me: Account) -> SubmittedForm:
    """Return the form as the API's body; raise Problem for what no browser sends."""
    faults: dict[str, str] = {}
    seats = [_seat(choice, me, faults) for choice in seats_of(slug, data, {}) if choice.kind != "none"]
    priority = _number(data.get("priority", "0"), "priority", faults)
    chosen = options_form.read(slug, data, len(seats), priority)
    faults |= {("options" if not name else f"option-{name}"): text for name, text in chosen.faults.items()}
    fields: dict[str, Any] = {
        "game": slug,
        "seats": seats,
        "priority": priority,
        "approval": "approval" in data,
        "spectator_delay": _number(data.get("spectator_delay", "0"), "spectator_delay", faults),
    }
    fields |= _opening(slug, data, me, faults)
    if aids := data.get("aids"):
        fields["aids"] = aids
    fields |= _clocks(slug, data, faults)
    if faults:
        return SubmittedForm(None, faults)
    # The options have been checked; their numbers may be larger than a request's.
    body = clean_body(convert(fields, OpenBody), OpenBody)
    return SubmittedForm(msgspec.structs.replace(body, options=chosen.options), faults)


def accounts_named(typed: str) -> tuple[list[UUID], str]:
    """Return the accounts of these names, separated by commas, and what is wrong with them, if anything."""
    names = list(dict.fromkeys(filter(None, map(str.strip, typed.replace("\0", "").split(",")))))
    if not 0 < len(names) <= MOST_NAMED:
        return [], f"Write 1 to {MOST_NAMED} names, with commas between them."
    by_name = {name: selectors.account_named(name) for name in names}
    if unknown := ", ".join(name for name, account in by_name.items() if account is None):
        return [], f"Nobody here is called {unknown}."
    return [account.id for account in by_name.values() if account], ""


def has_setup(slug: str) -> bool:
    """True if the game has a set-up before a scheduled match opens."""
    return any(spec.setup for spec in catalogue[slug].clocks.values())


def _opening(slug: str, data: Mapping[str, str], me: Account, faults: dict[str, str]) -> dict[str, Any]:
    """Return when the match is to open, by the opener's clock."""
    typed = data.get("opens_at", "").strip()
    minutes = _number(data.get("setup_closes", str(SETUP_CLOSES_BEFORE // 60)), "setup_closes", faults)
    if minutes * 60 > LONGEST_CLOSED:
        faults["setup_closes"] = f"Give at most {LONGEST_CLOSED // 60} minutes."
    if not typed:
        return {}
    field = MomentField(error_messages={"invalid": "Write a day and a time, such as 2030-03-31T19:30."})
    field.in_zone(me.time_zone)
    try:
        opens_at = field.clean(typed)
    except ValidationError as refused:
        faults["opens_at"] = refused.messages[0]
        return {}
    return {"opens_at": opens_at} | ({"setup_closes": minutes * 60} if has_setup(slug) else {})


def _seat(choice: SeatChoice, me: Account, faults: dict[str, str]) -> dict[str, Any]:
    match choice.kind:
        case "me":
            return {"player": str(me.id)}
        case "bot":
            return {"player": BOT}
        case "invite":
            return {"player": None}
        case "anybody":
            return {"player": None, "open_to": "anybody"}
        case "named":
            named, fault = accounts_named(choice.name)
            if fault:
                faults[f"seat-{choice.number}"] = fault
            return {"player": None, "open_to": [str(it) for it in named] or None}
        case "player":
            account = None if "\0" in choice.name else selectors.account_named(choice.name.strip())
            if account is None:
                faults[f"seat-{choice.number}"] = "Nobody of this name has an account here."
            return {"player": str(account.id) if account else None}
    faults[f"seat-{choice.number}"] = "Choose who sits here."
    return {"player": None}


def _clocks(slug: str, data: Mapping[str, str], faults: dict[str, str]) -> dict[str, Any]:
    match data.get("clocks", "game"):
        case "none":
            return {"clocks": None}
        case "own":
            return {
                "clocks": {
                    clock.name: {
                        part: _number(text, f"clock-{clock.name}-{part}", faults) for part, text in clock.parts
                    }
                    for clock in clocks_of(slug, data)
                }
            }
    return {}


def _number(text: str, place: str, faults: dict[str, str]) -> int:
    if text.strip().isascii() and text.strip().isdigit() and len(text.strip()) <= 9:
        return int(text)
    faults[place] = "Give a whole number, 0 or more."
    return 0


def _usual(number: int, least: int) -> str:
    return "me" if number == 0 else "invite" if number < least else "none"
