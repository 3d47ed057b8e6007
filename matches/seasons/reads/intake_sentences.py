"""Sentences, in English, on players who join a season and on seatings."""

from collections.abc import Callable, Sequence
from datetime import datetime
from typing import Any

from games import catalogue
from games.kernel import Event
from matches.domain.bidi import apart
from matches.seasons.domain import intake_events
from matches.seasons.domain import seating_events as seating

Name = Callable[[str], str]


def intake_sentence(event: Event, name: Name) -> str:
    """Return the sentence of an event about newcomers; empty for any other event."""
    match event:
        case intake_events.JoiningOpened(link=link, approval=False, most=1, closes_at=closes_at):
            return f"Link {link} invites one player{_until(closes_at)}."
        case intake_events.JoiningOpened(link=link, approval=approval, most=most, closes_at=closes_at):
            who = "An organiser lets each one in." if approval else "Who comes by it is in while there is room."
            return f"Link {link} to join is good{f' for {most}' if most else ''}{_until(closes_at)}. {who}"
        case intake_events.JoiningRevoked(link=link, reason=reason):
            return f"Link {link} to join is good no more: {apart(reason)}"
        case intake_events.PlayerApplied(player=player):
            return f"{name(player)} asks to play."
        case intake_events.ApplicationWithdrawn(player=player):
            return f"{name(player)} doesn't ask to play any more."
        case intake_events.ApplicationDeclined(player=player, reason=reason):
            return f"{name(player)} is not let in: {apart(reason)}"
        case intake_events.PlayerJoinedLate(player=player, reason=reason):
            return f"{name(player)} joined the season late: {apart(reason)}"
        case intake_events.PlayerRenamed(player=player, name=new, reason=reason):
            return f"{name(player)} is called {name(new) if new else 'as their account'} from now on: {apart(reason)}"
        case intake_events.PlayerReturned(player=player, reason=reason):
            return f"{name(player)}, who had withdrawn, is back: {apart(reason)}"
        case seating.SeatingAsked(game=game, players=players, sizes=sizes, contest=contest):
            tables = _listed([str(size) for size in sizes])
            title = apart(contest.title) if contest else catalogue[game].title if game in catalogue else game
            return f"{len(players)} players are drawn to tables of {tables} for {title}."
        case seating.SeatingDrawn(number=number, seating=drawn):
            tables = "; ".join(_listed([name(player) for player in table]) for table in drawn)
            return f"Draw {number} of the season's chance seats {tables}."
        case intake_events.OptionsChanged(changes=changes, reason=reason):
            return f"Options changed: {', '.join(_option(it, value) for it, value in changes.items())}: {apart(reason)}"
        case _:
            return ""


def _listed(words: Sequence[str]) -> str:
    return " and ".join(filter(None, [", ".join(words[:-1]), words[-1] if words else ""]))


def _until(closes_at: str | None) -> str:
    return f" until {datetime.fromisoformat(closes_at):%Y-%m-%d %H:%M} UTC" if closes_at else ""


def _option(name: str, value: Any) -> str:
    if name == "pool":
        value = ", ".join(catalogue[it].title if it in catalogue else str(it) for it in value)
    elif isinstance(value, bool):
        value = "yes" if value else "no"
    return f"{name.replace('_', ' ')} is {value}"
