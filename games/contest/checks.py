"""The faults of a content beyond the types of its fields, all at once, each with its place."""

from collections.abc import Iterator, Sequence
from functools import cache

from games.contest.content import (
    Answers,
    AnyScheme,
    Auction,
    Closest,
    Content,
    Host,
    Matrix,
    Named,
    PublicGood,
    Round,
    Sum,
    UniqueHighest,
    UniqueLowest,
    Votes,
)
from games.contest.fields import AnyField, Cards, Choice, Number, Player, Ranking, Split, Text
from games.kernel import Fault

RESERVED = ("chance", "survival")


def faults_of(content: Content) -> tuple[Fault, ...]:
    """Return the faults of a content, in the order of its parts."""
    return tuple(_content_faults(content))


def _content_faults(content: Content) -> Iterator[Fault]:
    if content.least_seats > content.most_seats:
        yield Fault("least_seats", f"It is greater than most_seats, {content.most_seats}.")
    for part in ("balances", "roles", "decks", "rounds"):
        yield from _repeated(part, [it.name for it in getattr(content, part)])
    yield from _repeated("teams", content.teams)
    if len(content.teams) == 1:
        yield Fault("teams", "Name at least two teams, or none.")
    if len(content.teams) > content.least_seats:
        yield Fault("teams", f"There are more teams than players, of whom there may be {content.least_seats}.")
    yield from _balance_faults(content)
    yield from _role_faults(content)
    for place, deck in enumerate(content.decks):
        if deck.hand * content.most_seats > len(deck.cards):
            needed = deck.hand * content.most_seats
            yield Fault(
                f"decks.{place}.hand", f"{content.most_seats} players need {needed} cards; there are {len(deck.cards)}."
            )
    for place, of_round in enumerate(content.rounds):
        if of_round.part is None:
            yield from _round_faults(content, of_round, f"rounds.{place}")
    measures = {it.name for it in content.balances} | set(RESERVED)
    for place, measure in enumerate(content.score.ties):
        if measure not in measures:
            yield Fault(f"score.ties.{place}", f"A tie is broken by {_listed(sorted(measures))}, not by {measure!r}.")
    if content.end.survivors >= content.least_seats:
        yield Fault("end.survivors", f"With {content.least_seats} players, the contest would be over at once.")
    if content.end.points is not None and content.end.points <= 0:
        yield Fault("end.points", "The contest would be over at once: it is above 0.")
    if content.end.without and content.end.without not in {role.name for role in content.roles if role.count}:
        yield Fault("end.without", f"{content.end.without!r} is no role that is dealt to a number of players.")


def _repeated(part: str, names: Sequence[str]) -> Iterator[Fault]:
    for place, name in enumerate(names):
        if name in names[:place]:
            yield Fault(f"{part}.{place}", f"The name {name!r} is used before.")


def _balance_faults(content: Content) -> Iterator[Fault]:
    for place, balance in enumerate(content.balances):
        if balance.name in RESERVED:
            yield Fault(f"balances.{place}.name", f"{balance.name!r} is a measure of ties; use another name.")
        if balance.gives == "secretly" and not balance.secret:
            yield Fault(f"balances.{place}.gives", "Only a secret balance can be given away secretly.")
        if balance.starts and not balance.garnets:
            yield Fault(f"balances.{place}.starts", "Only the season's garnets have amounts by seat.")
    if sum(balance.garnets for balance in content.balances) > 1:
        yield Fault("balances", "Only one balance can be the season's garnets.")


def _role_faults(content: Content) -> Iterator[Fault]:
    secret = {it.name for it in content.balances if it.secret}
    if sum(role.count for role in content.roles) > content.least_seats:
        yield Fault("roles", f"There are more roles than players, of whom there may be {content.least_seats}.")
    if sum(role.count == 0 for role in content.roles) > 1:
        yield Fault("roles", "Only one role can be for the rest, with a count of 0.")
    for place, role in enumerate(content.roles):
        for name in role.gains:
            if name not in secret:
                yield Fault(f"roles.{place}.gains.{name}", "It isn't a secret balance; another would tell the role.")


def _round_faults(content: Content, of_round: Round, place: str) -> Iterator[Fault]:
    kind, _, name = of_round.who.partition(":")
    if kind == "role" and name not in {role.name for role in content.roles}:
        yield Fault(f"{place}.who", f"There is no role {name!r}.")
    if kind == "team" and name not in content.teams:
        yield Fault(f"{place}.who", f"There is no team {name!r}.")
    if of_round.needs.least > of_round.needs.most:
        yield Fault(f"{place}.needs.least", f"It is greater than most, {of_round.needs.most}.")
    yield from _repeated(f"{place}.fields", [field.name for field in of_round.fields])
    for number, field in enumerate(of_round.fields):
        yield from _field_faults(content, field, f"{place}.fields.{number}")
    paid = [field.balance for field in of_round.fields if isinstance(field, Number) and field.balance]
    yield from _repeated(f"{place}.fields", paid)
    yield from _scheme_faults(content, of_round, f"{place}.scheme")
    if of_round.default.kind == "fixed":
        for name in of_round.default.values:
            if name not in {field.name for field in of_round.fields}:
                yield Fault(f"{place}.default.values.{name}", "The form has no such field.")
    elif of_round.default.values:
        yield Fault(f"{place}.default.values", "Only a fixed default has values.")


def _field_faults(content: Content, field: AnyField, place: str) -> Iterator[Fault]:
    if isinstance(field, Choice | Number | Player | Cards) and field.least > field.most:
        yield Fault(f"{place}.least", f"It is greater than most, {field.most}.")
    if isinstance(field, Choice | Ranking | Split):
        yield from _repeated(f"{place}.options", field.options)
    match field:
        case Choice(options=options, most=most) if most > len(options):
            yield Fault(f"{place}.most", f"There are only {len(options)} options.")
        case Number(balance=name, least=least) if name:
            if name not in {it.name for it in content.balances if it.pays}:
                yield Fault(f"{place}.balance", f"{name!r} is no balance that pays.")
            if least < 0:
                yield Fault(f"{place}.least", "A price is at least 0.")
        case Player(other_team=True) if not content.teams:
            yield Fault(f"{place}.other_team", "There are no teams.")
        case Cards(deck=deck) if deck not in {it.name for it in content.decks}:
            yield Fault(f"{place}.deck", f"There is no deck {deck!r}.")
        case Split(options=options) if len(options) == 1:
            yield Fault(f"{place}.options", "Name at least two options, or none to split over the players.")


def _scheme_faults(content: Content, of_round: Round, place: str) -> Iterator[Fault]:
    scheme = of_round.scheme
    if scheme.balance and scheme.balance not in {it.name for it in content.balances}:
        yield Fault(f"{place}.balance", f"There is no balance {scheme.balance!r}.")
    allowed = _kinds_of(type(scheme))
    if allowed:
        yield from _field_of_scheme(of_round, scheme, allowed, place)
    if isinstance(scheme, Answers) and not scheme.answers and scheme.part is None:
        yield Fault(f"{place}.answers", "Name at least one correct answer.")
    if isinstance(scheme, Named) and scheme.role and scheme.role not in {role.name for role in content.roles}:
        yield Fault(f"{place}.role", f"There is no role {scheme.role!r}.")
    if isinstance(scheme, Matrix):
        yield from _matrix_faults(of_round, scheme, place)
    if isinstance(scheme, Host) and scheme.least > scheme.most:
        yield Fault(f"{place}.least", f"It is greater than most, {scheme.most}.")


@cache
def _kinds_of(scheme: type[AnyScheme]) -> tuple[type[AnyField], ...]:
    """Return the kinds of field that a scheme evaluates."""
    if issubclass(scheme, Votes | Matrix):
        return (Choice,)
    if issubclass(scheme, Auction | PublicGood):
        return (Number,)
    if issubclass(scheme, Named):
        return (Player, Split)
    if issubclass(scheme, Answers):
        return (Choice, Number, Text)
    return (Number, Cards) if issubclass(scheme, UniqueHighest | UniqueLowest | Closest | Sum) else ()


def _field_of_scheme(
    of_round: Round, scheme: AnyScheme, allowed: tuple[type[AnyField], ...], place: str
) -> Iterator[Fault]:
    name: str = scheme.field  # type: ignore[union-attr]
    field = next((it for it in of_round.fields if it.name == name), None)
    kinds = " or ".join(kind.__name__.lower() for kind in allowed)
    if field is None or not isinstance(field, allowed):
        yield Fault(f"{place}.field", f"It names a field of this round of the kind {kinds}; {name!r} isn't one.")
        return
    if isinstance(scheme, Auction | PublicGood) and isinstance(field, Number) and not field.balance:
        yield Fault(f"{place}.field", f"{name!r} must be paid from a balance.")
    if isinstance(scheme, Named) and isinstance(field, Split) and field.options:
        yield Fault(f"{place}.field", f"{name!r} must be a split over players, without options.")
    if isinstance(scheme, Matrix | Answers) and isinstance(field, Choice) and field.most != 1:
        yield Fault(f"{place}.field", f"{name!r} must be a choice of one option.")
    if isinstance(scheme, Answers):
        for number, answer in enumerate(scheme.answers):
            if isinstance(field, Choice) and answer not in field.options:
                yield Fault(f"{place}.answers.{number}", f"{answer!r} is no option of {name!r}.")
            if isinstance(answer, int) != isinstance(field, Number):
                yield Fault(f"{place}.answers.{number}", f"{answer!r} is no value of {name!r}.")


def _matrix_faults(of_round: Round, scheme: Matrix, place: str) -> Iterator[Fault]:
    field = next((it for it in of_round.fields if it.name == scheme.field), None)
    options = field.options if isinstance(field, Choice) else ()
    pairs = [(it.own, it.other) for it in scheme.payoffs]
    for number, pair in enumerate(pairs):
        if options and not set(pair) <= set(options):
            yield Fault(f"{place}.payoffs.{number}", f"It names options of {scheme.field!r}.")
        if pair in pairs[:number]:
            yield Fault(f"{place}.payoffs.{number}", "This pair has a payoff before.")
    partner = next((it for it in of_round.fields if it.name == scheme.partner), None)
    if scheme.pairing == "mutual" and not (isinstance(partner, Player) and partner.most == 1):
        yield Fault(f"{place}.partner", "Pairs by mutual choice need a field that names one player.")


def _listed(names: Sequence[str]) -> str:
    return ", ".join(names)
