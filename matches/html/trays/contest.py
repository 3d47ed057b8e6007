"""Contest: the form of the open round, and the withdrawal of what was submitted."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from django.http import QueryDict

from games.contest import forms
from games.contest.commands import Submit, Withdraw
from games.contest.content import AnyField, AnyValue, Cards, Choice, Number, Player, Ranking, Split, Text
from games.contest.state import State
from matches.html.trays.tray import Choice as Button
from matches.html.trays.tray import Control, Form, Tray, TrayContext
from matches.http.problems import Problem

_GIFTS = "To give something to another player, type the amount, the balance and the seat: transfer 5 coins to 3."


def tray(context: TrayContext) -> Tray:
    """Return the form of the open round."""
    state, seat, names = context.state, context.seat, context.names
    submitted = state.values_of(seat)
    withdrawals = [command for command in context.commands if isinstance(command, Withdraw)]
    form = Form(
        number=state.number,
        text=state.round.text,
        controls=tuple(_control(state, seat, field, names, submitted or {}) for field in forms.fields_of(state, seat)),
        button="Submit" if submitted is None else "Replace what you submitted",
    )
    return Tray(
        task=f"fill in the form of round {state.number}" if form.controls else f"confirm round {state.number}",
        choices=tuple(Button(context.form(it), "Withdraw what you submitted") for it in withdrawals),
        module="contest",
        note=_GIFTS if any(it.gives != "never" for it in state.options.content.balances) else "",
        form=form,
    )


def filled(state: State, seat: int, data: QueryDict) -> Submit:
    """Return the submission of a form; raise Problem if it can't be read."""
    values = {field.name: _value(state, seat, field, data) for field in forms.fields_of(state, seat)}
    return Submit(_number(data.get("number", ""), "The round"), values)


def touched(event: Mapping[str, Any]) -> Sequence[str]:
    """Return the seat that has submitted."""
    return (str(event["seat"]),) if event["type"] in ("submitted", "submitted_in_turn") else ()


def _control(
    state: State, seat: int, field: AnyField, names: Sequence[str], submitted: Mapping[str, AnyValue]
) -> Control:
    label, value = field.title or field.name, submitted.get(field.name)
    listed = value if isinstance(value, tuple) else () if value is None or isinstance(value, dict) else (value,)
    values = tuple(map(str, listed))
    match field:
        case Number(least=least, most=most):
            return Control(
                field.name, label, "number", hint=f"{least} to {most}", least=least, most=most, values=values
            )
        case Text(most=most):
            return Control(field.name, label, "text", hint=f"At most {most} characters", most=most, values=values)
        case Split(budget=budget):
            keys = forms.keys_of(state, seat, field)
            amounts = value if isinstance(value, dict) else {}
            return Control(
                field.name, label, "numbers", _items(keys, () if field.options else names), f"Together {budget}",
                0, budget, tuple(str(amounts.get(key, 0)) for key in keys),
            )  # fmt: skip
        case Ranking(options=options):
            places = tuple(str(values.index(it) + 1) for it in options) if values else ()
            hint = f"The place of each, from 1 to {len(options)}"
            return Control(field.name, label, "numbers", _items(options), hint, 1, len(options), places)
        case Choice(options=options):
            return _some(field, label, _items(options), values)
        case Player():
            return _some(field, label, _items(forms.others_in(state, seat, field), names), values)
        case Cards(deck=deck):
            return _some(field, label, _items(state.cards_of(seat, deck)), values)
    raise TypeError(f"{field!r} is not a field.")


def _some(
    field: Choice | Player | Cards, label: str, items: tuple[tuple[str, str], ...], values: tuple[str, ...]
) -> Control:
    least, most = field.least, field.most
    kind = "one" if least == most == 1 else "several"
    hint = "" if kind == "one" else f"{most}" if least == most else f"{least} to {min(most, len(items))}"
    return Control(field.name, label, kind, items, hint, least, most, values)


def _items(values: Sequence[str | int], names: Sequence[str] = ()) -> tuple[tuple[str, str], ...]:
    """Return values with their labels: of seats, the names."""
    return tuple((str(value), names[int(value)] if names else str(value)) for value in values)


def _value(state: State, seat: int, field: AnyField, data: QueryDict) -> AnyValue:
    name, title = f"fill-{field.name}", field.title or field.name
    sent = tuple(map(str, data.getlist(name)))
    match field:
        case Number():
            return _number(data.get(name, ""), title)
        case Text():
            return str(data.get(name, ""))
        case Split():
            return dict(_numbers(data, name, forms.keys_of(state, seat, field), title))
        case Ranking(options=options):
            places = dict(_numbers(data, name, options, title))
            if sorted(places.values()) != list(range(1, len(options) + 1)):
                raise Problem("malformed", f"{title}: give each a place of its own, from 1 to {len(options)}.")
            return tuple(sorted(options, key=places.__getitem__))
        case Player(most=most):
            seats = tuple(_number(it, title) for it in sent)
            return seats if most > 1 else seats[0] if len(seats) == 1 else seats
        case Choice(most=most):
            return sent if most > 1 else sent[0] if len(sent) == 1 else sent
        case Cards():
            return sent
    raise TypeError(f"{field!r} is not a field.")


def _numbers(data: QueryDict, name: str, keys: Sequence[str], title: str) -> Iterator[tuple[str, int]]:
    yield from ((key, _number(data.get(f"{name}-{key}", ""), f"{title}, {key}")) for key in keys)


def _number(text: object, title: str) -> int:
    digits = str(text).strip()
    if not (digits.isascii() and digits.removeprefix("-").isdigit() and len(digits) < 10):
        raise Problem("malformed", f"{title}: give a whole number.")
    return int(digits)
