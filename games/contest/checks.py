"""The faults of a content beyond the types of its fields, all at once, each with its place."""

from collections.abc import Iterator, Sequence
from functools import cache

from games.contest.content import Balance, Condition, Content, Default, Role, Round
from games.contest.evaluations import (
    Answers,
    AnyScheme,
    Auction,
    Closest,
    Host,
    Matrix,
    Named,
    PublicGood,
    Sum,
    UniqueHighest,
    UniqueLowest,
    Votes,
)
from games.contest.fields import AnyField, Cards, Choice, Number, Player, Ranking, Split, Text
from games.contest.parts import Part
from games.contest.words import choice_of, words_of
from games.kernel import Fault
from games.kernel.texts import commitment_of

RESERVED = ("chance", "survival")
_KINDS_OF_ANSWER = {Choice: "one of its options", Number: "a whole number", Text: "a text"}


def faults_of(content: Content) -> tuple[Fault, ...]:
    """Return the faults of a content, in the order of its parts."""
    return tuple(_content_faults(content))


def _content_faults(content: Content) -> Iterator[Fault]:
    if content.least_seats > content.most_seats:
        yield Fault("least_seats", _too_great(Content, "most_seats", content.most_seats))
    for part in ("balances", "roles", "decks", "rounds"):
        yield from _repeated(part, [it.name for it in getattr(content, part)])
    yield from _repeated("teams", content.teams)
    if len(content.teams) == 1:
        yield Fault("teams", "There is only one. Name a second team, or remove this one.")
    if len(content.teams) > content.least_seats:
        yield Fault(
            "teams",
            f"There are {len(content.teams)} teams, and perhaps only {content.least_seats} players. "
            f"Remove teams, or raise {_label(Content, 'least_seats')}.",
        )
    yield from _balance_faults(content)
    yield from _role_faults(content)
    for place, deck in enumerate(content.decks):
        if deck.hand * content.most_seats > len(deck.cards):
            needed = deck.hand * content.most_seats
            yield Fault(
                f"decks.{place}.hand",
                f"{content.most_seats} players need {needed} cards, and there are {len(deck.cards)}. "
                f"Add cards, deal fewer, or lower {_label(Content, 'most_seats')}.",
            )
    for place, of_round in enumerate(content.rounds):
        if of_round.part is None:
            yield from _round_faults(content, of_round, f"rounds.{place}")
    measures = {it.name for it in content.balances} | set(RESERVED)
    for place, measure in enumerate(content.score.ties):
        if measure not in measures:
            yield Fault(
                f"score.ties.{place}", f"“{measure}” ranks nothing. Write one of these: {', '.join(sorted(measures))}."
            )
    if content.end.survivors >= content.least_seats:
        yield Fault(
            "end.survivors",
            f"With {content.least_seats} players, the contest would be over at once. Lower it, or raise "
            f"{_label(Content, 'least_seats')}.",
        )
    if content.end.points is not None and content.end.points <= 0:
        yield Fault("end.points", "The contest would be over at once. Write a number above 0, or leave it empty.")
    if content.end.without and content.end.without not in {role.name for role in content.roles if role.count}:
        yield Fault(
            "end.without",
            f"No role “{content.end.without}” is dealt to a number of players. Choose another role, or none.",
        )


def _repeated(part: str, names: Sequence[str]) -> Iterator[Fault]:
    for place, name in enumerate(names):
        if name in names[:place]:
            yield Fault(f"{part}.{place}", f"“{name}” is used before. Write another one.")


def _balance_faults(content: Content) -> Iterator[Fault]:
    for place, balance in enumerate(content.balances):
        if balance.name in RESERVED:
            yield Fault(
                f"balances.{place}.name", f"“{balance.name}” stands for a way to rank equal points. Write another name."
            )
        if balance.gives == "secretly" and not balance.secret:
            yield Fault(
                f"balances.{place}.gives",
                f"Only a secret balance is given in secret. Tick {_label(Balance, 'secret')}, or choose another way.",
            )
        if balance.starts and not balance.garnets:
            yield Fault(
                f"balances.{place}.starts",
                f"A season sets them for its garnets. Tick {_label(Balance, 'garnets')}, or remove them from the file.",
            )
    if sum(balance.garnets for balance in content.balances) > 1:
        yield Fault(
            "balances", f"Only one of them can be the season's garnets. Tick {_label(Balance, 'garnets')} at one alone."
        )


def _role_faults(content: Content) -> Iterator[Fault]:
    secret = {it.name for it in content.balances if it.secret}
    if sum(role.count for role in content.roles) > content.least_seats:
        yield Fault(
            "roles",
            f"They are for more players than there may be, {content.least_seats}. Lower {_label(Role, 'count')} of a "
            f"role, or raise {_label(Content, 'least_seats')}.",
        )
    if sum(role.count == 0 for role in content.roles) > 1:
        yield Fault(
            "roles", f"Only one role can be for all others. Raise {_label(Role, 'count')} of the other ones above 0."
        )
    for place, role in enumerate(content.roles):
        for name in role.gains:
            if name not in secret:
                yield Fault(
                    f"roles.{place}.gains.{name}",
                    f"“{name}” is no secret balance, so everybody would see who has the role. Remove it here, or tick "
                    f"{_label(Balance, 'secret')} at that balance.",
                )


def _round_faults(content: Content, of_round: Round, place: str) -> Iterator[Fault]:
    kind, _, name = of_round.who.partition(":")
    if kind == "role" and name not in {role.name for role in content.roles}:
        yield Fault(f"{place}.who", _no_such("role", name))
    if kind == "team" and name not in content.teams:
        yield Fault(f"{place}.who", _no_such("team", name))
    if of_round.needs.least > of_round.needs.most:
        yield Fault(f"{place}.needs.least", _too_great(Condition, "most", of_round.needs.most))
    yield from _repeated(f"{place}.fields", [field.name for field in of_round.fields])
    for number, field in enumerate(of_round.fields):
        yield from _field_faults(content, field, f"{place}.fields.{number}")
    paid: list[str] = []
    for number, field in enumerate(of_round.fields):
        if isinstance(field, Number) and field.balance:
            if field.balance in paid:
                sentence = f"Another field is paid from “{field.balance}”. Choose another balance, or none."
                yield Fault(f"{place}.fields.{number}.balance", sentence)
            paid.append(field.balance)
    yield from _scheme_faults(content, of_round, f"{place}.scheme")
    yield from _default_faults(of_round, f"{place}.default.values")


def _default_faults(of_round: Round, place: str) -> Iterator[Fault]:
    default = of_round.default
    if default.values and default.kind != "fixed":
        fixed = choice_of(Default, "kind", "fixed")
        yield Fault(place, f"They count only as “{fixed}”. Choose that, or remove them.")
        return
    for name, value in default.values.items():
        if name not in {field.name for field in of_round.fields}:
            yield Fault(f"{place}.{name}", f"The form has no field “{name}”. Remove the line, or correct the name.")
        elif commitment_of(value):
            # It would be recorded as a text of somebody, which everybody could then read.
            yield Fault(f"{place}.{name}", "It is the commitment to a text. Write the text itself.")


def _field_faults(content: Content, field: AnyField, place: str) -> Iterator[Fault]:
    if isinstance(field, Choice | Number | Player | Cards) and field.least > field.most:
        yield Fault(f"{place}.least", _too_great(type(field), "most", field.most))
    if isinstance(field, Choice | Ranking | Split):
        yield from _repeated(f"{place}.options", field.options)
    match field:
        case Choice(options=options, most=most) if most > len(options):
            yield Fault(f"{place}.most", f"There are only {len(options)} options. Lower it, or add options.")
        case Number(balance=name, least=least) if name:
            if name not in {it.name for it in content.balances if it.pays}:
                yield Fault(
                    f"{place}.balance",
                    f"Nobody can pay with “{name}”. Choose another balance, or tick {_label(Balance, 'pays')} there.",
                )
            if least < 0:
                yield Fault(
                    f"{place}.least",
                    f"A price is never below 0. Write 0 or more, or choose another {_label(Number, 'balance')}.",
                )
        case Player(other_team=True) if not content.teams:
            yield Fault(f"{place}.other_team", "There are no teams. Add teams, or untick it.")
        case Cards(deck=deck) if deck not in {it.name for it in content.decks}:
            yield Fault(f"{place}.deck", _no_such("deck", deck))
        case Split(options=options) if len(options) == 1:
            yield Fault(f"{place}.options", "There is only one. Add an option, or remove it to split over the players.")


def _scheme_faults(content: Content, of_round: Round, place: str) -> Iterator[Fault]:
    scheme = of_round.scheme
    if scheme.balance and "balance" not in scheme.unused and scheme.balance not in {it.name for it in content.balances}:
        yield Fault(f"{place}.balance", _no_such("balance", scheme.balance))
    allowed = _kinds_of(type(scheme))
    if allowed:
        yield from _field_of_scheme(of_round, scheme, allowed, place)
    if isinstance(scheme, Answers) and not scheme.answers and scheme.part is None:
        yield Fault(f"{place}.answers", "There is none. Write at least one correct answer.")
    if isinstance(scheme, Named) and scheme.role and scheme.role not in {role.name for role in content.roles}:
        yield Fault(f"{place}.role", _no_such("role", scheme.role))
    if isinstance(scheme, Matrix):
        yield from _matrix_faults(of_round, scheme, place)
    if isinstance(scheme, Host) and scheme.least > scheme.most:
        yield Fault(f"{place}.least", _too_great(Host, "most", scheme.most))


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
    kinds = " or ".join(f"“{kind.label}”" for kind in allowed)
    if field is None or not isinstance(field, allowed):
        yield Fault(f"{place}.field", f"“{name}” is no field of this round of the kind {kinds}. Choose or add one.")
        return
    if isinstance(scheme, Auction | PublicGood) and isinstance(field, Number) and not field.balance:
        yield Fault(
            f"{place}.field", f"Bids in “{name}” cost nothing. Choose a balance at its {_label(Number, 'balance')}."
        )
    if isinstance(scheme, Named) and isinstance(field, Split) and field.options:
        yield Fault(f"{place}.field", f"“{name}” splits over options. Remove them, so that it splits over players.")
    if isinstance(scheme, Matrix | Answers) and isinstance(field, Choice) and field.most != 1:
        yield Fault(
            f"{place}.field", f"Several options can be chosen in “{name}”. Write 1 at its {_label(Choice, 'most')}."
        )
    if isinstance(scheme, Answers):
        for number, answer in enumerate(scheme.answers):
            if isinstance(field, Choice) and answer not in field.options:
                yield Fault(
                    f"{place}.answers.{number}", f"“{answer}” is no option of “{name}”. Write one of its options."
                )
            if isinstance(answer, int) != isinstance(field, Number):
                yield Fault(
                    f"{place}.answers.{number}",
                    f"“{answer}” can't be sent in “{name}”. Write {_KINDS_OF_ANSWER[type(field)]}.",
                )


def _matrix_faults(of_round: Round, scheme: Matrix, place: str) -> Iterator[Fault]:
    field = next((it for it in of_round.fields if it.name == scheme.field), None)
    options = field.options if isinstance(field, Choice) else ()
    pairs = [(it.own, it.other) for it in scheme.payoffs]
    for number, pair in enumerate(pairs):
        if options and not set(pair) <= set(options):
            yield Fault(
                f"{place}.payoffs.{number}",
                f"Its choices aren't both options of “{scheme.field}”. Write two of its options.",
            )
        if pair in pairs[:number]:
            yield Fault(f"{place}.payoffs.{number}", "This pair of choices has a payoff before. Remove one of them.")
    partner = next((it for it in of_round.fields if it.name == scheme.partner), None)
    if scheme.pairing == "mutual" and not (isinstance(partner, Player) and partner.most == 1):
        yield Fault(
            f"{place}.partner",
            f"It names no field in which players name one other player. Add a field of the kind “{Player.label}”, and "
            "choose it here.",
        )


def _label(struct: type[Part], name: str) -> str:
    return f"“{words_of(struct)[name].label}”"


def _too_great(struct: type[Part], name: str, most: int) -> str:
    return f"It is greater than {_label(struct, name)}, {most}. Lower it, or raise that."


def _no_such(what: str, name: str) -> str:
    return f"There is no {what} “{name}”. Choose another one, or add it."
