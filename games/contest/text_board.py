"""The contest as text, for a terminal or a screen reader."""

from collections.abc import Iterator, Sequence
from textwrap import shorten, wrap

from games.contest import forms
from games.contest.fields import AnyField, Cards, Choice, Number, Player, Ranking, Split, Text
from games.contest.notation import spoken
from games.contest.placing import is_after_last, place_of
from games.contest.state import State
from games.kernel import Witness, quantity

_WIDE = 96
_LONGEST_NAME = 24


Names = Sequence[str]


def text_board(state: State, witness: Witness, names: Names = ()) -> str:
    """Return the open round and its form, then the score of each seat; an unknown number is a question mark."""
    lines = (*_head(state, names), *_form(state, witness, names), "", *_score(state, witness, names))
    lines = (*lines, *_hands(state, witness))
    return "\n".join(line[:_WIDE].rstrip() for line in lines)


def _called(seat: int, names: Names) -> str:
    return names[seat] if names else str(seat)


def _head(state: State, names: Names) -> Iterator[str]:
    yield state.options.content.title
    if state.stage == "over":
        yield "The contest is over."
    elif state.stage == "judging":
        yield f"{place_of(state).heading}. The host judges it."
    elif is_after_last(state):
        yield f"{place_of(state).heading}. It is over."
    elif state.stage == "between":
        yield f"{place_of(state).heading}. It is about to open."
    else:
        yield shorten(place_of(state).heading, _WIDE, placeholder=" ...")
        yield from wrap(state.round.text, _WIDE)
        missing = [_called(seat, names) for seat in forms.asked(state) if seat not in state.submitted]
        yield from wrap(f"Submitted: {len(state.entries)}. Missing: {', '.join(missing) or 'nobody'}.", _WIDE)
        for pair in state.pairs:
            yield f"Plays with each other: {' and '.join(_called(seat, names) for seat in pair)}."


def _form(state: State, witness: Witness, names: Names) -> Iterator[str]:
    if state.stage != "open" or not isinstance(witness, int) or witness not in forms.asked(state):
        return
    for field in forms.fields_of(state, witness):
        yield from wrap(f"  {field.name}: {_asked(state, witness, field, names)}", _WIDE, subsequent_indent="    ")
    values = state.values_of(witness)
    if values is not None:
        seats = place_of(state).seats if names else ()
        yield from wrap(f"You have submitted: {spoken(values, seats, names) or 'nothing'}", _WIDE)


def _asked(state: State, seat: int, field: AnyField, names: Names) -> str:
    match field:
        case Choice(options=options, least=least, most=most):
            return f"{_span(least, most)} of {', '.join(options)}"
        case Number(least=least, most=most, balance=balance):
            return f"a number from {least} to {most}{f', paid from {balance}' if balance else ''}"
        case Player(least=least, most=most):
            others = ", ".join(_called(other, names) for other in forms.others_in(state, seat, field))
            return f"{_span(least, most)} of the {'players' if names else 'seats'} {others}"
        case Split(budget=budget, options=options):
            over = options or (_called(other, names) for other in forms.others_in(state, seat, field))
            return f"{budget} split over {', '.join(over)}"
        case Ranking(options=options):
            return f"an order of {', '.join(options)}"
        case Cards(deck=deck, least=least, most=most):
            return f"{_span(least, most)} of {', '.join(state.cards_of(seat, deck))}"
        case Text(most=most):
            return f"a text of up to {quantity(most, 'character')}"


def _span(least: int, most: int) -> str:
    return f"{most}" if least == most else f"{least} to {most}"


def _score(state: State, witness: Witness, names: Names) -> Iterator[str]:
    balances = [it.name for it in state.options.content.balances]
    wide = max(12, *(min(_LONGEST_NAME, len(name)) + 9 for name in names)) if names else 12
    yield f"{'Player' if names else 'Seat':<{wide}}{'Points':>10}{''.join(f'{name[:10]:>11}' for name in balances)}"
    for seat in range(state.seats):
        mark = " (you)" if seat == witness else ""
        amounts = "".join(f"{_number(state.balances[name][seat]):>11}" for name in balances)
        left = "  resigned" if seat in state.resigned else "  out" if seat in state.left else ""
        role = f"  {state.roles[seat]}" if state.roles and state.roles[seat] else ""
        team = f"  {state.options.content.teams[state.teams[seat]]}" if state.teams else ""
        called = f"{seat} {names[seat][:_LONGEST_NAME]}" if names else seat
        yield f"{f'{called}{mark}':<{wide}}{_number(state.points[seat]):>10}{amounts}{team}{role}{left}"


def _hands(state: State, witness: Witness) -> Iterator[str]:
    for hand in state.hands:
        if hand.seat == witness and hand.cards is not None:
            yield from wrap(f"Your {hand.deck}: {', '.join(hand.cards) or 'no cards'}", _WIDE)


def _number(amount: int | None) -> str:
    return "?" if amount is None else f"{amount:,}"
