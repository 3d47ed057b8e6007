"""Sentences that explain a content to players: what a round asks, what it pays, and what follows from no answer."""

from collections.abc import Iterator, Sequence
from typing import Any

from games.contest.content import AnyValue, Balance, Content, Round, Score, Values
from games.contest.evaluations import (
    AllPay,
    Answer,
    Auction,
    Closest,
    FirstPrice,
    Host,
    Majority,
    Matrix,
    Minority,
    Named,
    NamedMost,
    Nothing,
    Plurality,
    PublicGood,
    Race,
    SecondPrice,
    Sum,
    UniqueHighest,
    UniqueLowest,
    Votes,
)
from games.contest.fields import AnyField, Cards, Choice, Number, Player, Ranking, Split, Text, names_seats
from games.contest.words import choice_of
from games.drawing.themes import SEAT_LETTERS
from games.kernel import quantity

_SEATS = tuple(f"Seat {letter}" for letter in SEAT_LETTERS)
_MEASURES = {"survival": "who left later", "chance": "chance"}


def title_of(part: Any) -> str:
    """Return the title of a field, balance, role or round; without one, its name."""
    return str(part.title or part.name.replace("_", " ").capitalize())


def demand(field: AnyField) -> str:
    """Return what to fill into a field."""
    match field:
        case Choice(least=least, most=most):
            return f"Choose {_span(least, most)}."
        case Number(least=least, most=most):
            return f"A number from {least:,} to {most:,}."
        case Player(least=least, most=most):
            return f"Choose {_span(least, most)} of the other players."
        case Split(budget=budget):
            return f"Split all {budget:,}. What you leave empty gets nothing."
        case Ranking():
            return "Put all of them in an order, the first on top."
        case Cards(least=least, most=most):
            return f"Choose {_span(least, most)} of your cards. What you submit leaves your hand."
        case Text(most=most):
            return f"At most {quantity(most, 'character')}."


def _span(least: int, most: int) -> str:
    if least == most:
        return "one" if most == 1 else f"{most}"
    return f"up to {most}" if least == 0 else f"{least} to {most}"


def participants(of_round: Round) -> str:
    """Return who is asked in a round; empty for all at once."""
    who, _, name = of_round.who.partition(":")
    match who:
        case "in_turn":
            orders = {"seats": "in the order of the seats", "random": "in an order that is drawn"}
            order = orders.get(of_round.order, "most points first")
            return f"The players submit one after the other, {order}. Everybody sees each submission at once."
        case "team":
            return f"Only the team {name.replace('_', ' ')} is asked."
        case "role":
            return "Only the players of one role fill in the form; all others just confirm, so that nobody stands out."
    return ""


def prices(content: Content, of_round: Round) -> str:
    """Return from which balances a round's numbers are paid; empty if none is."""
    named = dict.fromkeys(field.balance for field in of_round.fields if isinstance(field, Number) and field.balance)
    titles = [title_of(it) for it in content.balances if it.name in named]
    return f"What you enter is paid from your {_listed(titles, 'and')}." if titles else ""


def silence(of_round: Round, names: Sequence[str] = ()) -> str:
    """Return what follows for a player who submits nothing in time."""
    default = of_round.default
    values = spoken(of_round, default.values, names)
    counts = {
        "nothing": "If you submit nothing in time, nothing counts for you.",
        "fixed": f"If you submit nothing in time, this counts for you: {values}.",
        "previous": "If you submit nothing in time, your submission of the last time counts again.",
        "random": "If you submit nothing in time, your values are drawn.",
    }
    penalty = f" You also lose {_points(default.penalty)}." if default.penalty else ""
    return f"{counts[default.kind if values or default.kind != 'fixed' else 'nothing']}{penalty}"


def spoken(of_round: Round, values: Values, names: Sequence[str] = ()) -> str:
    """Return the values of a form as text, with the titles of its fields if it has several, and players by name, or
    without names by the letters of their seats."""
    parts = [
        (title_of(field), value_of(field, values[field.name], names))
        for field in of_round.fields
        if field.name in values
    ]
    return ", ".join(value if len(of_round.fields) == 1 else f"{title}: {value}" for title, value in parts)


def value_of(field: AnyField, value: AnyValue, names: Sequence[str] = ()) -> str:
    """Return a field's value as text, with players by name, or without names by the letters of their seats."""
    return _in_words(_named(field, value, names or _SEATS))


def _named(field: AnyField, value: AnyValue, names: Sequence[str]) -> AnyValue:
    """Return a field's value with names in place of seats."""
    if not names_seats(field):
        return value
    if isinstance(value, dict):
        return {names[int(key)]: amount for key, amount in value.items()}
    return tuple(names[int(seat)] for seat in (value if isinstance(value, tuple) else (value,)))


def _in_words(value: AnyValue) -> str:
    if isinstance(value, dict):
        return ", ".join(f"{key} {amount:,}" for key, amount in value.items() if isinstance(amount, int))
    items = value if isinstance(value, tuple) else (value,)
    return ", ".join(f"{item:,}" if isinstance(item, int) else item for item in items) or "nothing"


def publication(of_round: Round) -> str:
    """Return what is published of a round's submissions, and when."""
    if of_round.later and of_round.reveal != "nothing":
        return f"{choice_of(Round, 'reveal', of_round.reveal)}, after the end of the contest."
    return f"{choice_of(Round, 'reveal', of_round.reveal)}."


def payment(content: Content, of_round: Round) -> str:
    """Return how a round is evaluated, and what it pays."""
    return " ".join(_payment(content, of_round))


def _payment(content: Content, of_round: Round) -> Iterator[str]:
    scheme = of_round.scheme
    match scheme:
        case Auction():
            yield from _auction(scheme)
        case Matrix():
            yield f"{choice_of(Matrix, 'pairing', scheme.pairing)}."
            yield from (_payoff(it.own, it.other, it.points) for it in scheme.payoffs)
            yield f"Without a partner: {_points(scheme.alone)}."
        case PublicGood(percent=percent):
            grown = "" if percent == 100 else f" becomes {percent} percent of itself and"
            yield f"What all pay makes a pot, which{grown} is shared equally among all who were asked."
        case Sum(points=points):
            yield f"Each unit of your number, or of those on your cards, is worth {_points(points)}."
        case Host(least=least, most=most, others=others):
            yield f"The host gives each player {least} to {_points(most)}."
            yield f"If the host doesn't judge in time, everybody gains {_points(others)}."
        case Race(prizes=prizes):
            yield f"The first correct answers gain {_prizes(prizes)}, in the order of their submission."
        case _:
            yield _winner(of_round)
            yield from _gains(content, of_round)
    yield from _leaving(of_round)


def _auction(scheme: Auction) -> Iterator[str]:
    bids = "The greatest bid gains" if len(scheme.prizes) == 1 else f"The {len(scheme.prizes)} greatest bids gain"
    yield f"{bids} {_prizes(scheme.prizes)}."
    match scheme:
        case FirstPrice():
            yield "Who wins pays the own bid; all others keep theirs."
        case SecondPrice():
            yield "Who wins pays the greatest bid that wins nothing; all others keep theirs."
        case AllPay():
            yield "Everybody pays the own bid."
    yield "Of equal bids, the one that was submitted first counts as greater."


def _payoff(own: str, other: str, points: int) -> str:
    return f"{own} with {own}: {_points(points)}." if own == other else f"{own} against {other}: {_points(points)}."


def _winner(of_round: Round) -> str:
    scheme = of_round.scheme
    match scheme:
        case Majority():
            return f"The option with more than half of the votes wins{_tied(scheme)}."
        case Plurality():
            return f"The option with the most votes wins{_tied(scheme)}."
        case Minority():
            return f"The option with the fewest votes wins, of those that have any{_tied(scheme)}."
        case UniqueHighest():
            return "The highest number that only one player names wins."
        case UniqueLowest():
            return "The lowest number that only one player names wins."
        case Closest(target=target, percent=percent):
            mean = "the mean of all numbers" if percent == 100 else f"{percent} percent of the mean of all numbers"
            return f"The number closest to {mean if target is None else f'{target:,}'} wins."
        case Named():
            how = "most" if isinstance(scheme, NamedMost) else "least"
            is_split = any(isinstance(it, Split) and it.name == scheme.field for it in of_round.fields)
            return f"The player who is {'given' if is_split else 'named'} {how} wins{_tied(scheme)}."
        case Answer():
            return "Every correct answer wins."
    return "This round isn't evaluated."


def _tied(scheme: Votes | Named) -> str:
    return "; if several are tied, all of them win" if scheme.tie == "all" else "; if several are tied, none wins"


def _gains(content: Content, of_round: Round) -> Iterator[str]:
    scheme = of_round.scheme
    if isinstance(scheme, Nothing):
        return
    balance = next((it for it in content.balances if it.name == scheme.balance), None)
    if scheme.points or not scheme.others:
        yield f"Winners {_changed(scheme.points, balance)}."
    if scheme.others:
        yield f"All others {_changed(scheme.others, balance)}."
    if isinstance(scheme, Named) and scheme.role and scheme.hits:
        role = next((title_of(it) for it in content.roles if it.name == scheme.role), scheme.role)
        yield f"Who names a player of the role “{role}”, and isn't of it, {_changed(scheme.hits, balance, one=True)}."


def _changed(amount: int, balance: Balance | None, *, one: bool = False) -> str:
    what = _points(abs(amount)) if balance is None else f"{abs(amount):,} {title_of(balance)}"
    verb = "lose" if amount < 0 else "gain"
    return f"{verb}{'s' if one else ''} {what if amount else 'nothing'}"


def _leaving(of_round: Round) -> Iterator[str]:
    match of_round.scheme.out:
        case "winners":
            yield "Winners leave the contest."
        case "others":
            yield "All others leave the contest."


def scoring(content: Content) -> tuple[str, ...]:
    """Return how places are found: points, what balances add, and how ties are broken."""
    weighed = [
        f"At the end, each unit of {title_of(it)} is worth {_points(it.weight)}."
        for it in content.balances
        if it.weight
    ]
    titles = {it.name: f"more {title_of(it)}" for it in content.balances}
    ties = [_MEASURES.get(name) or titles[name] for name in content.score.ties]
    ranked = f"Equal points are ranked by {_listed(ties, 'then by')}." if ties else "Equal points share a place."
    return ("Most points win.", *weighed, ranked, f"{choice_of(Score, 'show', content.score.show)}.")


def endings(content: Content) -> tuple[str, ...]:
    """Return when the contest ends."""
    end = content.end
    early = ["The contest ends after its last round."]
    if end.points is not None:
        early.append(f"It ends before that when a player has {_points(end.points)}.")
    if end.survivors > 1:
        early.append(f"It ends before that when only {end.survivors} players are left.")
    if end.without:
        role = next((title_of(it) for it in content.roles if it.name == end.without), end.without)
        early.append(f"It ends before that when nobody of the role “{role}” is left.")
    return (*early, "Who resigns leaves the contest and comes last.")


def condition(of_round: Round) -> str:
    """Return the condition without which a round isn't played; empty if there is none."""
    needs = of_round.needs
    if (needs.least, needs.most) == (0, 30):
        return ""
    if needs.least == 0:
        return f"It is played only if at most {_players(needs.most)} left."
    if needs.most == 30:
        return f"It is played only if at least {_players(needs.least)} left."
    if needs.least == needs.most:
        return f"It is played only if exactly {_players(needs.most)} left."
    return f"It is played only if {needs.least} to {_players(needs.most)} left."


def _points(points: int) -> str:
    return quantity(points, "point")


def _players(count: int) -> str:
    return quantity(count, "player is", "players are")


def _prizes(prizes: tuple[int, ...]) -> str:
    return _listed([*(f"{prize:,}" for prize in prizes[:-1]), _points(prizes[-1])], "and")


def _listed(items: list[str], last: str) -> str:
    if last == "and":
        return " and ".join(filter(None, (", ".join(items[:-1]), items[-1]))) if items else ""
    return f", {last} ".join(items)
