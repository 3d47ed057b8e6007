"""What the seats of a match have offered each other, as the page tells it to the one who looks."""

from collections.abc import Sequence
from dataclasses import dataclass

from games.kernel import Witness
from matches.domain import offers
from matches.domain.aids import remembers
from matches.domain.match_state import MatchState
from matches.domain.open_offers import Offer
from matches.html import record
from matches.models import Match
from matches.reads.offers import learnt_since

MOST_UNDONE = 4
"""How many of the lines are told that a takeback takes back."""


@dataclass(frozen=True)
class OfferLine:
    """An open offer: `told` says who offers what, `undone` what it takes back, with `more` such lines, and `warning`
    what it doesn't. `waits` names those whose answer is still to come, for whom this isn't asked."""

    number: int
    told: str
    is_asked: bool
    is_mine: bool
    undone: tuple[str, ...] = ()
    more: int = 0
    warning: str = ""
    waits: str = ""


def offer_lines(match: Match, match_state: MatchState, witness: Witness, names: Sequence[str]) -> list[OfferLine]:
    """The open offers, for the seats alone; the log tells all."""
    if not isinstance(witness, int):
        return []
    return [_line(match, match_state, witness, names, it) for it in match_state.lifecycle.offers.waiting]


def may_offer(match_state: MatchState, witness: Witness) -> list[str]:
    """The kinds of offers that a seat may make now."""
    if not isinstance(witness, int):
        return []
    return [kind for kind in _KINDS if offers.is_open(match_state.lifecycle, witness, kind, match_state.clocks)]


_KINDS: tuple[offers.OfferKind, ...] = ("takeback", "pause", "resume", "time")


def _line(match: Match, match_state: MatchState, witness: int, names: Sequence[str], offer: Offer) -> OfferLine:
    is_mine = offer.seat == witness
    awaited = offers.awaited(match_state.lifecycle, offer)
    undone, warning = _undone(match, match_state, witness, names, offer), ""
    if offer.to_version is not None:
        warning = _warning(learnt_since(match.id, offer.to_version, match_state.version), names, witness)
    return OfferLine(
        number=offer.number,
        told=_told("You" if is_mine else names[offer.seat], offer, is_mine=is_mine),
        is_asked=witness in awaited,
        is_mine=is_mine,
        undone=tuple(undone[:MOST_UNDONE]),
        more=max(0, len(undone) - MOST_UNDONE),
        warning=warning,
        waits=" and ".join(names[seat] for seat in awaited if seat != witness),
    )


def _told(who: str, offer: Offer, *, is_mine: bool) -> str:
    match offer.kind:
        case "takeback":
            return f"{who} {'offer' if is_mine else 'offers'} to take {'your' if is_mine else 'their'} last move back."
        case "pause":
            return f"{who} {'offer' if is_mine else 'offers'} a pause of {_minutes(offer.minutes or 0)}."
    return f"{who} {'want' if is_mine else 'wants'} to go on."


def _minutes(minutes: int) -> str:
    for size, name in ((1440, "day"), (60, "hour")):
        if minutes % size == 0:
            return f"{minutes // size} {name}{'' if minutes == size else 's'}"
    return f"{minutes} minute{'' if minutes == 1 else 's'}"


def _undone(match: Match, match_state: MatchState, witness: Witness, names: Sequence[str], offer: Offer) -> list[str]:
    """The moves that a takeback takes back, where the page recalls what was told."""
    if offer.to_version is None or not remembers(match_state.lifecycle, witness):
        return []
    events = record.told(match.id, witness, offer.to_version, match_state.version)
    return [line.text for line in record.lines(match_state.game, events, names) if line.kind == "move"]


def _warning(learnt: Sequence[int], names: Sequence[str], witness: int) -> str:
    if not learnt:
        return "Nobody was told anything alone since. Draws after it will be others, and clocks go back too."
    who = " and ".join("you" if seat == witness else names[seat] for seat in learnt)
    were = "was" if len(learnt) == 1 and witness not in learnt else "were"
    told = f"What {who} {were} told alone since can't be made unknown."
    return f"{told} Draws after it will be others, and clocks go back too."
