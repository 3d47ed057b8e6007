"""Open offers between the seats of a match, as the page shows them to a witness."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from games.kernel import Witness
from matches.domain import offers
from matches.domain.aids import remembers
from matches.domain.events import OfferKind
from matches.domain.match_state import MatchState
from matches.domain.open_offers import Offer
from matches.html import record
from matches.html.name_lists import joined_by_and
from matches.models import Match
from matches.reads.offers import learnt_since

MOST_UNDONE = 4
"""At most this many of the moves that a takeback undoes are listed."""


@dataclass(frozen=True)
class OfferLine:
    """An open offer: `sentence` says who offers what, `undone` lists what it takes back (and `more` such lines), and
    `warning` says what can't be undone. `waits` names others whose answer is missing."""

    number: int
    sentence: str
    is_asked: bool
    is_mine: bool
    undone: tuple[str, ...] = ()
    more: int = 0
    warning: str = ""
    waits: str = ""


def offer_lines(match: Match, match_state: MatchState, witness: Witness, names: Sequence[str]) -> list[OfferLine]:
    """Return the open offers; only seats see them here, and the log shows them to all."""
    if not isinstance(witness, int):
        return []
    return [_line(match, match_state, witness, names, it) for it in match_state.lifecycle.offers.waiting]


def may_offer(match_state: MatchState, witness: Witness) -> list[str]:
    """Return the kinds of offers that a seat may make now."""
    if not isinstance(witness, int):
        return []
    return [kind for kind in _KINDS if offers.is_open(match_state.lifecycle, witness, kind, match_state.clocks)]


_KINDS: tuple[OfferKind, ...] = ("takeback", "pause", "resume", "time")


def _line(match: Match, match_state: MatchState, witness: int, names: Sequence[str], offer: Offer) -> OfferLine:
    is_mine = offer.seat == witness
    awaited = offers.awaited(match_state.lifecycle, offer)
    undone, warning = _undone(match, match_state, witness, names, offer), ""
    if offer.to_version is not None:
        warning = _warning(learnt_since(match.id, offer.to_version, match_state.version), names, witness)
    return OfferLine(
        number=offer.number,
        sentence=_sentence(names[offer.seat], offer, is_mine=is_mine),
        is_asked=witness in awaited,
        is_mine=is_mine,
        undone=tuple(undone[:MOST_UNDONE]),
        more=max(0, len(undone) - MOST_UNDONE),
        warning=warning,
        waits=joined_by_and([names[seat] for seat in awaited if seat != witness]),
    )


def _sentence(who: str, offer: Offer, *, is_mine: bool) -> str:
    match offer.kind:
        case "takeback" if is_mine:
            return _("You offer to take your last move back.")
        case "takeback":
            return _("%(name)s offers to take their last move back.") % {"name": who}
        case "pause" if is_mine:
            return _("You offer a pause of %(span)s.") % {"span": _minutes(offer.minutes or 0)}
        case "pause":
            return _("%(name)s offers a pause of %(span)s.") % {"name": who, "span": _minutes(offer.minutes or 0)}
    return _("You want to go on.") if is_mine else _("%(name)s wants to go on.") % {"name": who}


def _minutes(minutes: int) -> str:
    if minutes % 1440 == 0:
        return ngettext("%(count)s day", "%(count)s days", minutes // 1440) % {"count": minutes // 1440}
    if minutes % 60 == 0:
        return ngettext("%(count)s hour", "%(count)s hours", minutes // 60) % {"count": minutes // 60}
    return ngettext("%(count)s minute", "%(count)s minutes", minutes) % {"count": minutes}


def _undone(match: Match, match_state: MatchState, witness: Witness, names: Sequence[str], offer: Offer) -> list[str]:
    """Return the moves that a takeback undoes, if the page may show past moves."""
    if offer.to_version is None or not remembers(match_state.lifecycle, witness):
        return []
    events = record.witnessed_events(match.id, witness, offer.to_version, match_state.version)
    return [line.text for line in record.lines(match_state, match.id, events, names) if line.kind == "move"]


def _warning(learnt: Sequence[int], names: Sequence[str], witness: int) -> str:
    if not learnt:
        return _("Nobody was told anything alone since. Draws after it will be others, and clocks go back too.")
    if learnt == [witness]:
        sentence = _("What you were told alone since can't be made unknown.")
    else:
        who = joined_by_and([_("you") if seat == witness else names[seat] for seat in learnt])
        sentence = ngettext(
            "What %(names)s was told alone since can't be made unknown.",
            "What %(names)s were told alone since can't be made unknown.",
            len(learnt),
        ) % {"names": who}
    return f"{sentence} {_('Draws after it will be others, and clocks go back too.')}"
