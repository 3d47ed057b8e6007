"""Contest: the form of the open round with a control for each kind of field, and gifts."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any
from zlib import crc32

from games.contest import forms, templates
from games.contest.content import Values
from games.contest.explaining import demand, prices, silence, spoken, title_of
from games.contest.fields import AnyField, Cards, Number, Player, Ranking, Split, Text
from games.contest.fields import Choice as ChoiceField
from games.contest.rules import due
from games.contest.state import State
from matches.html.trays.filling import Field, Form, Gift, Option, Raw
from matches.html.trays.tray import Choice, Tray, TrayContext

FILL, GIVE = "fill", "give"
"""The values of the buttons that send the form, and a gift."""
_ITEMS = ("choice", "player", "cards")
_BY_ITEM = ("split", "ranking")
_LONGEST_NUMBER = 8


def tray(context: TrayContext) -> Tray:
    """Return the form of the open round, filled in with what was posted, else with what the seat has submitted."""
    state, seat = context.state, context.seat
    form = _form(context, state, seat)
    task = "fill in your form" if form.fields else "confirm that you have read the round"
    choices = (Choice("withdraw", "Withdraw"),) if "withdraw" in due(state).commands_of(seat) else ()
    is_final = state.round.who == "in_turn"
    return Tray(task, choices, module="contest", data={"round": form.round, "is_final": is_final}, form=form)


def touched(event: Mapping[str, Any]) -> Sequence[str]:
    """Return the seat that has submitted."""
    return (str(event["seat"]),) if event["type"] in ("submitted", "submitted_in_turn", "withdrawn") else ()


def body_of(posted: Raw) -> dict[str, Any] | None:
    """Return the command of a posted form; None if another button was pressed, or a command typed."""
    act = _first(posted, "choice") or ("" if _first(posted, "text") else FILL)
    if "round" not in posted or act not in (FILL, GIVE):
        return None
    if act == GIVE:
        to, amount = (_number(_first(posted, f"give-{name}")) for name in ("to", "amount"))
        return {"type": "transfer", "to": to, "balance": _first(posted, "give-balance"), "amount": amount}
    return {"type": "submit", "round": _number(_first(posted, "round")), "values": _values(posted)}


def _first(posted: Raw, name: str) -> str:
    return next(iter(posted.get(name, ())), "").strip()


def _number(text: str) -> Any:
    """Return a number; what isn't one stays a text, which the rules refuse."""
    digits = text.removeprefix("-")
    return int(text) if digits.isascii() and digits.isdigit() and len(digits) < _LONGEST_NUMBER else text


def _values(posted: Raw) -> dict[str, Any]:
    """Return the values by field; inputs are named `number.bid`, or `split.shares:left` for an item of a field."""
    values: dict[str, Any] = {}
    places: dict[str, dict[str, Any]] = {}
    for input_name, given in posted.items():
        kind, _, name = input_name.partition(".")
        name, _, item = name.partition(":")
        if not name:
            continue
        if kind in _ITEMS:
            chosen = list(filter(None, given))
            values[name] = [_number(it) for it in chosen] if kind == "player" else chosen
        elif kind == "split" and (amount := _first(posted, input_name)):
            values.setdefault(name, {})[item] = it if isinstance(it := _number(amount), int) else -1
        elif kind == "ranking":
            places.setdefault(name, {})[item] = _number(_first(posted, input_name))
        elif kind == "number" and (text := _first(posted, input_name)):
            values[name] = _number(text)
        elif kind == "text" and (text := _first(posted, input_name)):
            values[name] = " ".join(text.splitlines())
    for name, by_item in places.items():
        # Two options with the same place, or one without any, are left out, so that the rules refuse the ranking.
        at = {place: item for item, place in by_item.items() if isinstance(place, int)}
        values[name] = [at[place] for place in sorted(at)]
    return values


def _inputs(fields: Sequence[AnyField], values: Values) -> dict[str, list[str]]:
    """Return the values as `_values` reads them."""
    inputs: dict[str, list[str]] = {}
    for field in fields:
        value: Any = values.get(field.name, ())
        start = _input(field)
        if isinstance(field, Split):
            inputs |= {f"{start}:{key}": [str(amount)] for key, amount in (value or {}).items()}
        elif isinstance(field, Ranking):
            inputs |= {f"{start}:{option}": [str(place)] for place, option in enumerate(value, 1)}
        else:
            inputs[start] = list(map(str, value if isinstance(value, tuple) else (value,)))
    return inputs


def _input(field: AnyField) -> str:
    return f"{type(field).__name__.lower()}.{field.name}"


def _form(context: TrayContext, state: State, seat: int) -> Form:
    fields, values = forms.fields_of(state, seat), state.values_of(seat)
    commands = due(state).commands_of(seat)
    posted = context.refused.posted if context.refused else {}
    command = body_of(posted)
    faults: dict[str, str] = {}
    if command and command["type"] == "submit" and command["round"] == state.number:
        faults = forms.faults_of(state, seat, _as_read(command["values"]))
    raw = posted if command else _inputs(fields, values or {})
    form = Form(
        mark="",
        round=state.number,
        fields=tuple(_field(context, field, raw, faults.get(field.name, "")) for field in fields),
        submitted=None if values is None else spoken(state.round, values, context.names) or "nothing to fill in",
        notes=tuple(_notes(state, seat, context.names)),
        gift=_gift(context, state, seat, raw, command) if "transfer" in commands else None,
        fault="" if faults or _is_gift(command) else _why(context),
    )
    return replace(form, mark=f"{state.number}-{crc32(repr(form).encode()):x}")


def _why(context: TrayContext) -> str:
    return context.refused.why if context.refused else ""


def _is_gift(command: dict[str, Any] | None) -> bool:
    return command is not None and command["type"] == "transfer"


def _as_read(values: dict[str, Any]) -> dict[str, Any]:
    return {name: tuple(value) if isinstance(value, list) else value for name, value in values.items()}


def _notes(state: State, seat: int, names: Sequence[str]) -> Iterator[str]:
    """Yield what a submission costs, who sees it, and what follows from none."""
    content, of_round = state.options.content, state.round
    if cost := prices(content, of_round):
        yield cost
    if of_round.who == "in_turn":
        yield "Everybody sees your submission at once, and you can't change it."
    elif of_round.sealed:
        yield "Until the round is over, nobody sees what you submit, not even the host. You can change it until then."
    else:
        yield "Until the round is over, no player sees what you submit; the host does. You can change it until then."
    if seat not in state.submitted:
        yield silence(of_round, names)


def _field(context: TrayContext, field: AnyField, raw: Raw, fault: str) -> Field:
    hint = demand(field)
    shown = Field(type(field).__name__.lower(), _input(field), title_of(field), hint, fault=fault)
    chosen = list(raw.get(shown.input, ()))
    match field:
        case ChoiceField(options=options, least=least, most=most):
            return replace(shown, least=least, most=most, options=_options(options, chosen))
        case Cards(deck=deck, least=least, most=most):
            hand = context.state.cards_of(context.seat, deck)
            return replace(shown, least=least, most=most, options=_options(hand, chosen))
        case Player(least=least, most=most):
            seats = forms.others_in(context.state, context.seat, field)
            fault = hint if fault else ""
            players = tuple(_player(context, seat, is_chosen=str(seat) in chosen) for seat in seats)
            return replace(shown, least=least, most=most, options=players, fault=fault)
        case Number(least=least, most=most, balance=balance):
            hint = f"{hint} You hold {_holds(context.state, context.seat, balance)}." if balance else hint
            return replace(shown, hint=hint, least=least, most=most, value=next(iter(chosen), ""))
        case Text(most=most):
            return replace(shown, most=most, value=next(iter(chosen), ""))
        case Split(budget=budget):
            keys = forms.keys_of(context.state, context.seat, field)
            parts = tuple(_part(context, field, key, raw) for key in keys)
            return replace(shown, most=budget, total=budget, options=parts)
        case Ranking(options=options):
            fault = "Give each of them a place of its own." if fault else ""
            return replace(shown, most=len(options), options=tuple(_ranked(field, options, raw)), fault=fault)
    raise TypeError(f"{field!r} is not a field.")


def _options(items: Sequence[str], chosen: list[str]) -> tuple[Option, ...]:
    """Return the items, of which equal ones are chosen as often as they are named."""
    options = []
    for item in items:
        options.append(Option(item, item, is_chosen=item in chosen))
        if item in chosen:
            chosen.remove(item)
    return tuple(options)


def _player(context: TrayContext, seat: int, *, is_chosen: bool = False, amount: str = "") -> Option:
    return Option(str(seat), context.names[seat], seat, is_chosen, amount)


def _part(context: TrayContext, field: Split, key: str, raw: Raw) -> Option:
    amount = _first(raw, f"{_input(field)}:{key}")
    return Option(key, key, amount=amount) if field.options else _player(context, int(key), amount=amount)


def _ranked(field: Ranking, options: Sequence[str], raw: Raw) -> Iterator[Option]:
    """Yield the options in the order of their places; without any, in the order of the content."""
    places = {option: _first(raw, f"{_input(field)}:{option}") for option in options}
    if not any(places.values()):
        places = {option: str(place) for place, option in enumerate(options, 1)}
    by_place = sorted(
        options, key=lambda option: it if isinstance(it := _number(places[option]), int) else len(options)
    )
    yield from (Option(option, option, amount=places[option]) for option in by_place)


def _holds(state: State, seat: int, name: str) -> str:
    balance = next(it for it in state.options.content.balances if it.name == name)
    return f"{state.balances[name][seat] or 0:,} {title_of(balance)}"


def _gift(context: TrayContext, state: State, seat: int, raw: Raw, command: dict[str, Any] | None) -> Gift | None:
    template = templates.transfer(state, seat)
    how = {it.name: it for it in state.options.content.balances}
    balances = tuple(
        (Option(name, title_of(how[name]), is_chosen=name == _first(raw, "give-balance")), most, _seen(how[name].gives))
        for name, most in template.most.items()
        if most > 0
    )
    if not balances:
        return None
    to = tuple(_player(context, other, is_chosen=str(other) == _first(raw, "give-to")) for other in template.to)
    fault = _why(context) if _is_gift(command) else ""
    if command is not None and fault and not (isinstance(command["to"], int) and isinstance(command["amount"], int)):
        fault = "Choose a player, and enter an amount."
    return Gift(to, balances, state.round.gifts - state.gifts[seat], _first(raw, "give-amount"), fault)


def _seen(gives: str) -> str:
    return "everybody sees it" if gives == "publicly" else "only you two see what and how much"
