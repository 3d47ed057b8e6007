"""The contest as text, for a terminal or a screen reader."""

from collections.abc import Iterator
from textwrap import shorten, wrap

from games.contest import forms
from games.contest.fields import AnyField, Cards, Choice, Number, Player, Ranking, Split, Text
from games.contest.notation import spoken
from games.contest.state import State
from games.kernel import Witness

_WIDE = 96


def text_board(state: State, witness: Witness) -> str:
    """Return the open round and its form, then the score of each seat; an unknown number is a question mark."""
    lines = (*_head(state), *_form(state, witness), "", *_score(state, witness), *_hands(state, witness))
    return "\n".join(line[:_WIDE].rstrip() for line in lines)


def _head(state: State) -> Iterator[str]:
    yield state.options.content.title
    if state.stage == "over":
        yield "The contest is over."
    elif state.stage == "judging":
        yield f"Round {len(state.played)} is over; the host judges it."
    elif state.stage == "between":
        yield f"Round {state.number} is about to open."
    else:
        yield shorten(f"Round {state.number}: {state.round.title or state.round.name}", _WIDE, placeholder=" ...")
        yield from wrap(state.round.text, _WIDE)
        missing = [str(seat) for seat in forms.asked(state) if seat not in state.submitted]
        yield f"Submitted: {len(state.entries)}. Missing: {', '.join(missing) or 'nobody'}."
        for pair in state.pairs:
            yield f"Plays with each other: {' and '.join(map(str, pair))}."


def _form(state: State, witness: Witness) -> Iterator[str]:
    if state.stage != "open" or not isinstance(witness, int) or witness not in forms.asked(state):
        return
    for field in forms.fields_of(state, witness):
        yield from wrap(f"  {field.name}: {_asked(state, witness, field)}", _WIDE, subsequent_indent="    ")
    values = state.values_of(witness)
    if values is not None:
        yield from wrap(f"You have submitted: {spoken(values) or 'nothing'}", _WIDE)


def _asked(state: State, seat: int, field: AnyField) -> str:
    match field:
        case Choice(options=options, least=least, most=most):
            return f"{_span(least, most)} of {', '.join(options)}"
        case Number(least=least, most=most, balance=balance):
            return f"a number from {least} to {most}{f', paid from {balance}' if balance else ''}"
        case Player(least=least, most=most):
            return f"{_span(least, most)} of the seats {', '.join(map(str, forms.others_in(state, seat, field)))}"
        case Split(budget=budget):
            return f"{budget} split over {', '.join(forms.keys_of(state, seat, field))}"
        case Ranking(options=options):
            return f"an order of {', '.join(options)}"
        case Cards(deck=deck, least=least, most=most):
            return f"{_span(least, most)} of {', '.join(state.cards_of(seat, deck))}"
        case Text(most=most):
            return f"a text of up to {most} characters"


def _span(least: int, most: int) -> str:
    return f"{most}" if least == most else f"{least} to {most}"


def _score(state: State, witness: Witness) -> Iterator[str]:
    balances = [it.name for it in state.options.content.balances]
    yield f"Seat{' ' * 8}{'Points':>10}{''.join(f'{name[:10]:>11}' for name in balances)}"
    for seat in range(state.seats):
        mark = " (you)" if seat == witness else ""
        amounts = "".join(f"{_number(state.balances[name][seat]):>11}" for name in balances)
        left = "  resigned" if seat in state.resigned else "  out" if seat in state.left else ""
        role = f"  {state.roles[seat]}" if state.roles and state.roles[seat] else ""
        team = f"  {state.options.content.teams[state.teams[seat]]}" if state.teams else ""
        yield f"{f'{seat}{mark}':<12}{_number(state.points[seat]):>10}{amounts}{team}{role}{left}"


def _hands(state: State, witness: Witness) -> Iterator[str]:
    for hand in state.hands:
        if hand.seat == witness and hand.cards is not None:
            yield from wrap(f"Your {hand.deck}: {', '.join(hand.cards) or 'no cards'}", _WIDE)


def _number(amount: int | None) -> str:
    return "?" if amount is None else f"{amount:,}"
