"""The form of the open round: what a seat may submit, read strictly, and drawn at random."""

from collections.abc import Mapping, Sequence
from random import Random
from typing import Any, TypeVar

from msgspec.structs import replace

from games.contest.content import AnyValue, Round, Values
from games.contest.fields import AnyField, Cards, Choice, Number, Player, Ranking, Split, Text
from games.contest.state import State
from games.kernel import Chance, Illegal, keep_text, quantity, to_json
from games.kernel.texts import commitment_of

F = TypeVar("F", Player, Cards)

_ROLE, _TEAM = "role:", "team:"


def asked(state: State) -> tuple[int, ...]:
    """Return the seats that are asked in the open round, in the order of the seats or in turn."""
    who = state.round.who
    if who == "in_turn":
        return tuple(seat for seat in state.order if seat in state.playing)
    if who.startswith(_TEAM):
        team = state.options.content.teams.index(who.removeprefix(_TEAM))
        return tuple(seat for seat in state.playing if state.teams[seat] == team)
    return state.playing


def fills_in(state: State, seat: int) -> bool:
    """True if a seat that is asked has the form; in a round of a role, the others only confirm."""
    who = state.round.who
    return not who.startswith(_ROLE) or state.roles[seat] == who.removeprefix(_ROLE)


def fields_of(state: State, seat: int) -> tuple[AnyField, ...]:
    """Return the fields that a seat fills in, with the bounds that hold for it; without those it can't fill in."""
    if not fills_in(state, seat):
        return ()
    bounded = (_bounded(state, seat, field) for field in state.round.fields)
    return tuple(field for field in bounded if field is not None)


def others_in(state: State, seat: int, field: Player | Split) -> tuple[int, ...]:
    """Return the other seats that a field may name."""
    others = (other for other in state.playing if other != seat)
    if isinstance(field, Player) and field.other_team and state.teams:
        return tuple(other for other in others if state.teams[other] != state.teams[seat])
    return tuple(others)


def keys_of(state: State, seat: int, field: Split) -> tuple[str, ...]:
    """Return what a split is over: the options, or the other seats as text."""
    return field.options or tuple(str(other) for other in others_in(state, seat, field))


def _bounded(state: State, seat: int, field: AnyField) -> AnyField | None:
    match field:
        case Number(balance=balance, least=least, most=most) if balance:
            holds = state.balances[balance][seat] or 0
            return replace(field, most=min(most, holds)) if least <= min(most, holds) else None
        case Player():
            return _of_these(field, len(others_in(state, seat, field)))
        case Cards(deck=deck):
            return _of_these(field, len(state.cards_of(seat, deck)))
        case Split() if not keys_of(state, seat, field):
            return None
        case _:
            return field


def _of_these(field: F, count: int) -> F | None:
    """Return the field with no more items demanded than there are; None if there are none."""
    return replace(field, least=min(field.least, count)) if count else None


def read(state: State, seat: int, values: Mapping[str, AnyValue]) -> Values:
    """Return a seat's values for the open round in their normal form; raise Illegal("bad_value")."""
    fields = fields_of(state, seat)
    names = [field.name for field in fields]
    for name in values:
        if name not in names:
            fillable = (
                f"Its fields are {', '.join(names)}." if names else "There is nothing to fill in: send no values."
            )
            raise Illegal("bad_value", f"This form has no field {name[:40]!r}. {fillable}")
    for field in fields:
        if field.name not in values:
            raise Illegal("bad_value", f"{_title(field)} is missing.")
    return {field.name: _read(state, seat, field, values[field.name]) for field in fields}


def keep(of_round: Round, values: Values, chance: Chance) -> Values:
    """Return values as they are recorded: with a commitment in place of each text."""
    texts = {field.name for field in of_round.fields if isinstance(field, Text)}
    return {
        name: to_json(keep_text(value, chance)) if name in texts and isinstance(value, str) else value
        for name, value in values.items()
    }


def faults_of(state: State, seat: int, values: Mapping[str, AnyValue]) -> dict[str, str]:
    """Return why the values of fields would be refused, by field; empty if the form is filled in correctly."""
    faults = {}
    for field in fields_of(state, seat):
        try:
            if field.name not in values:
                raise Illegal("bad_value", f"{_title(field)} is missing.")
            _read(state, seat, field, values[field.name])
        except Illegal as illegal:
            faults[field.name] = illegal.message
    return faults


def _title(field: AnyField) -> str:
    return field.title or field.name


def _read(state: State, seat: int, field: AnyField, value: AnyValue) -> AnyValue:
    match field:
        case Number(least=least, most=most):
            if type(value) is not int or not least <= value <= most:
                raise Illegal("bad_value", f"{_title(field)} is a number from {least} to {most}.")
            return value
        case Text(most=most):
            if not isinstance(value, str) or not value.strip() or len(value) > most:
                raise Illegal("bad_value", f"{_title(field)} is a text of 1 to {quantity(most, 'character')}.")
            return value.strip()
        case Choice(options=options, least=least, most=most):
            return _some(field, value, options, least, most, f"these options: {_listed(options)}")
        case Player(least=least, most=most):
            return _some(field, value, others_in(state, seat, field), least, most, "the other players in the contest")
        case Ranking(options=options):
            return _some(field, value, options, len(options), len(options), f"these options: {_listed(options)}")
        case Cards(deck=deck, least=least, most=most):
            return _cards(field, value, state.cards_of(seat, deck), least, most)
        case Split(budget=budget):
            return _split(field, value, keys_of(state, seat, field), budget)
    raise TypeError(f"{field!r} is not a field.")


def _some(field: Any, value: AnyValue, items: Sequence[str | int], least: int, most: int, what: str) -> AnyValue:
    """Return one of the items, or several in a tuple where several may be chosen."""
    chosen = value if isinstance(value, tuple) else (value,)
    wrong = any(it not in items for it in chosen) or len(set(map(str, chosen))) < len(chosen)
    if wrong or not least <= len(chosen) <= most:
        count = str(most) if least == most else f"{least} to {most}"
        raise Illegal("bad_value", f"{_title(field)} takes {count} of {what}.")
    if isinstance(field, Ranking):
        return tuple(it for it in chosen if not isinstance(it, dict))
    ordered = tuple(it for it in items if it in chosen)
    return ordered if most > 1 else (ordered[0] if ordered else ())


def _cards(field: Cards, value: AnyValue, hand: Sequence[str], least: int, most: int) -> AnyValue:
    chosen = value if isinstance(value, tuple) else (value,)
    left = list(hand)
    for card in chosen:
        if card not in left:
            raise Illegal("bad_value", f"{_title(field)} takes cards of your hand: {_listed(hand)}.")
        left.remove(card)
    if not least <= len(chosen) <= most:
        raise Illegal("bad_value", f"{_title(field)} takes {least} to {quantity(most, 'card')}.")
    return tuple(sorted(map(str, chosen)))


def _split(field: Split, value: AnyValue, keys: Sequence[str], budget: int) -> AnyValue:
    amounts = value if isinstance(value, dict) else {}
    if not amounts or set(amounts) - set(keys) or not all(isinstance(it, int) and it >= 0 for it in amounts.values()):
        over = f"these: {_listed(field.options)}" if field.options else "the other players in the contest"
        raise Illegal("bad_value", f"{_title(field)} is an amount of 0 or more for each of {over}.")
    total = sum(int(amount) for amount in amounts.values())
    if total != budget:
        raise Illegal("bad_value", f"{_title(field)} splits {budget} completely; yours add up to {total}.")
    return {key: amounts[key] for key in keys if amounts.get(key)}


def _listed(items: Sequence[str | int]) -> str:
    return ", ".join(map(str, items))


def first_values(state: State, seat: int) -> Values:
    """Return values that `read` accepts: of each field the least, or the first in its order."""
    return {field.name: _first_value(state, seat, field) for field in fields_of(state, seat)}


def _first_value(state: State, seat: int, field: AnyField) -> AnyValue:
    match field:
        case Number(least=least):
            return least
        case Text(most=most):
            return "your text"[:most]
        case Choice(options=options, least=least, most=most):
            return options[: max(1, least)] if most > 1 else options[0]
        case Player(least=least, most=most):
            others = others_in(state, seat, field)
            return others[: max(1, least)] if most > 1 else others[0]
        case Ranking(options=options):
            return options
        case Cards(deck=deck, least=least):
            return tuple(sorted(state.cards_of(seat, deck)[: max(1, least)]))
        case Split(budget=budget):
            return {keys_of(state, seat, field)[0]: budget}
    raise TypeError(f"{field!r} is not a field.")


def sample(state: State, seat: int, rng: Random) -> Values:
    """Return random values that `read` accepts."""
    return {field.name: _sample(state, seat, field, rng) for field in fields_of(state, seat)}


def _sample(state: State, seat: int, field: AnyField, rng: Random) -> AnyValue:
    match field:
        case Number(least=least, most=most):
            return least + int(rng.random() * (most - least + 1))
        case Text():
            return rng.choice(("yes", "no", "perhaps"))
        case Choice(options=options, least=least, most=most):
            return _drawn(options, least, most, rng)
        case Player(least=least, most=most):
            return _drawn(others_in(state, seat, field), least, most, rng)
        case Ranking(options=options):
            return tuple(rng.sample(options, len(options)))
        case Cards(deck=deck, least=least, most=most):
            hand = state.cards_of(seat, deck)
            return tuple(sorted(rng.sample(hand, least + int(rng.random() * (min(most, len(hand)) - least + 1)))))
        case Split(budget=budget):
            keys = keys_of(state, seat, field)
            cuts = sorted(int(rng.random() * (budget + 1)) for _ in keys[1:])
            amounts = [high - low for low, high in zip([0, *cuts], [*cuts, budget], strict=True)]
            return {key: amount for key, amount in zip(keys, amounts, strict=True) if amount}
    raise TypeError(f"{field!r} is not a field.")


def _drawn(items: Sequence[str | int], least: int, most: int, rng: Random) -> AnyValue:
    count = least + int(rng.random() * (min(most, len(items)) - least + 1))
    chosen = rng.sample(items, count)
    ordered = tuple(it for it in items if it in chosen)
    return ordered if most > 1 else (ordered[0] if ordered else ())


def default_of(state: State, seat: int, rng: Random) -> Values:
    """Return what counts for a seat that has submitted nothing; previous texts as they are recorded."""
    default = state.round.default
    if default.kind == "random":
        return sample(state, seat, rng)
    values = default.values
    if default.kind == "previous":
        values = _previous(state, seat)
    recorded = {name: value for name, value in values.items() if commitment_of(value)}
    try:
        return read(state, seat, values | dict.fromkeys(recorded, "-")) | recorded
    except Illegal:
        return {}


def _previous(state: State, seat: int) -> Values:
    for shown in reversed(state.played):
        if shown.index == state.index:
            return next((entry.values or {} for entry in shown.entries if entry.seat == seat), {})
    return {}


def balances_paid(of_round: Round, values: Values) -> dict[str, int]:
    """Return the amounts that these values are charged at most, by balance."""
    return {
        field.balance: int(values[field.name])  # type: ignore[arg-type]
        for field in of_round.fields
        if isinstance(field, Number) and field.balance and field.name in values
    }
