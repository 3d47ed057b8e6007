"""Sentences about events, for people."""

from collections.abc import Iterable, Sequence

from games.contest.content import Values
from games.contest.events import (
    Amended,
    AnswersPublished,
    BalanceChanged,
    ClosedByHost,
    ContestFinished,
    DeckShuffled,
    Defaulted,
    HandDealt,
    OrderDrawn,
    PlayersLeft,
    PointsChanged,
    Resolved,
    RoleDealt,
    RolesDrawn,
    RoundClosed,
    RoundOpened,
    RoundRevealed,
    RoundSkipped,
    SecretBalanceChanged,
    SecretlyTransferred,
    SecretPointsChanged,
    Submitted,
    SubmittedInTurn,
    TeamsDrawn,
    TieBroken,
    Totals,
    Transferred,
    Withdrawn,
)
from games.contest.explaining import title_of
from games.contest.notation import counted, spoken, words
from games.contest.placing import Place
from games.contest.state import State
from games.kernel import Event, FlagFallen, HostFlagFallen, Resigned, quantity

Names = Sequence[str]


def sentence(event: Event, names: Names, place: Place | None = None) -> str:
    """Describe an event in a sentence; a secret that isn't known is left out. Without the place of its round, seats
    that were submitted stay numbers."""
    match event:
        case RolesDrawn():
            return "The roles are dealt."
        case RoleDealt(seat=seat, role=role):
            return f"{names[seat]} gets a role." if role is None else f"{names[seat]} is {role or 'without a role'}."
        case TeamsDrawn(order=order):
            return f"The teams are drawn, in turn from this order: {_listed(order, names)}."
        case DeckShuffled(deck=deck):
            return f"The deck {deck} is shuffled."
        case HandDealt(seat=seat, deck=deck, cards=cards):
            dealt = "" if cards is None else f": {', '.join(cards) or 'none'}"
            return f"{names[seat]} is dealt cards of {deck}{dealt}."
        case OrderDrawn(order=order):
            return f"An order is drawn: {_listed(order, names)}."
        case RoundOpened():
            return f"{place.heading} opens." if place else "A round opens."
        case RoundSkipped():
            return f"{f'The round “{place.title}”' if place else 'A round'} isn't played."
        case Amended(reason=reason):
            return f"The host changes the rounds that haven't opened: {words(reason)}"
        case Resigned(seat=seat):
            return f"{names[seat]} resigns."
        case FlagFallen(seat=seat):
            return f"{names[seat]}'s time is over."
        case HostFlagFallen():
            return "The host's time is over."
        case _:
            return _sentence_of_submission(event, names, place)


def _sentence_of_submission(event: Event, names: Names, place: Place | None) -> str:
    match event:
        case Submitted(seat=seat, values=values):
            return f"{names[seat]} submits{_after_colon(values, names, place)}."
        case SubmittedInTurn(seat=seat, values=values, by_default=by_default):
            how = "The default counts for" if by_default else "Now submits"
            return f"{how} {names[seat]}{_after_colon(values, names, place)}."
        case Defaulted(seat=seat, values=values):
            return f"The default counts for {names[seat]}{_after_colon(values, names, place)}."
        case Withdrawn(seat=seat):
            return f"{names[seat]} withdraws the submission."
        case Transferred(seat=seat, to=to, balance=balance, amount=amount):
            return f"{names[seat]} gives {names[to]} {amount} {balance}."
        case SecretlyTransferred(seat=seat, to=to, balance=balance, amount=amount):
            given = "something" if amount is None else f"{amount} {balance}"
            return f"{names[seat]} gives {names[to]} {given} in secret."
        case ClosedByHost():
            return "The host closes the round."
        case _:
            return _sentence_of_result(event, names, place)


def _sentence_of_result(event: Event, names: Names, place: Place | None) -> str:
    match event:
        case RoundClosed(entries=entries) | RoundRevealed(entries=entries) if entries:
            submissions = "; ".join(f"{names[it.seat]}{_after_colon(it.values, names, place)}" for it in entries)
            return f"The submissions: {submissions}."
        case RoundClosed(choices=choices) | RoundRevealed(choices=choices) if choices:
            return f"The submissions, without names: {'; '.join(_values(it, names, place) for it in choices)}."
        case RoundClosed(totals=totals) | RoundRevealed(totals=totals) if totals:
            return f"The totals: {'; '.join(_total(it, names, place) for it in totals)}."
        case RoundClosed() | RoundRevealed():
            return "The round is over."
        case AnswersPublished(part=part):
            return f"The correct answer: {' or '.join(map(str, part.value))}."
        case Resolved(text=text):
            return f"The host has judged: {words(text)}" if text else "The host has judged."
        case PointsChanged(points=points):
            return f"Points: {_changes(points, names)}."
        case SecretPointsChanged(seat=seat, points=change):
            return f"{names[seat]}'s points are counted." if change is None else f"{names[seat]}: {_gain(change)}."
        case BalanceChanged(balance=balance, amounts=amounts):
            return f"{balance}: {_changes(amounts, names)}."
        case SecretBalanceChanged(seat=seat, balance=balance, amount=amount):
            return f"{names[seat]}'s {balance} {'may change' if amount is None else f'change by {amount:+}'}."
        case PlayersLeft(seats=seats):
            return f"Out of the contest: {_listed(seats, names)}."
        case TieBroken(order=order):
            return f"Chance ranks equal players: {_listed(order, names)}."
        case ContestFinished(points=points, ranking=ranking):
            first, gained = ranking[0], points[ranking[0][0]]
            return f"The contest is over. First: {_listed(first, names)}, with {quantity(gained, 'point')}."
        case _:
            return ""


def whose_text(state: State, event: Event, path: str, place: Place | None, names: Names) -> str:
    """Return whose text stands at a path in an event, of which round and field: `Mina, Round 1 of 3: Lies, Your lie`.

    An author who isn't published is left out. `place` is the event's context.
    """
    match event, path.split("."):
        case ((RoundClosed() | RoundRevealed()), ["entries", number, "values", field]):
            parts = [names[event.entries[int(number)].seat], *_round_and_field(state, place, field)]
        case SubmittedInTurn(seat=seat), ["values", field]:
            parts = [names[seat], *_round_and_field(state, place, field)]
        case ((RoundClosed() | RoundRevealed()), ["choices", _, field]):
            parts = _round_and_field(state, place, field)
        case ((RoundClosed() | RoundRevealed()), ["totals", number, *_]):
            parts = _round_and_field(state, place, event.totals[int(number)].field)
        case Resolved(), _:
            parts = ["The host", *([place.heading] if place else [])]
        case _:
            parts = ["The host", "why later rounds were changed"]
    return ", ".join(parts)


def _round_and_field(state: State, place: Place | None, name: str) -> list[str]:
    if place is None:
        return [name]
    field = next((it for it in state.rounds[place.index].fields if it.name == name), None)
    return [place.heading, title_of(field) if field else name]


def _after_colon(values: Values | None, names: Names, place: Place | None) -> str:
    return f": {_values(values, names, place)}" if values else ""


def _values(values: Values, names: Names, place: Place | None) -> str:
    return spoken(values, place.seats if place else (), names)


def _total(totals: Totals, names: Names, place: Place | None) -> str:
    counts = counted(totals, place.seats if place else (), names)
    return f"{totals.field}: {', '.join(f'{key} {count}' for key, count in counts)}"


def _gain(points: int) -> str:
    return f"{'+' if points >= 0 else ''}{quantity(points, 'point')}"


def _listed(seats: Iterable[int], names: Names) -> str:
    return ", ".join(names[seat] for seat in seats) or "nobody"


def _changes(amounts: Sequence[int], names: Names) -> str:
    return ", ".join(f"{names[seat]} {amount:+}" for seat, amount in enumerate(amounts) if amount) or "no change"
