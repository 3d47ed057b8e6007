"""Commands as short text and back, events as English sentences. The words of a form are its fields' names."""

import shlex
from collections import Counter
from collections.abc import Collection, Iterator, Sequence

from games.contest import forms
from games.contest.commands import Close, Resolve, Submit, Transfer, Withdraw
from games.contest.content import AnyValue, Values
from games.contest.events import Totals
from games.contest.fields import AnyField, Cards, Choice, Number, Player, Ranking, Split, Text, names_seats
from games.contest.state import State
from games.kernel import Command, Illegal, KeptText, Resign, Witness
from games.kernel.texts import commitment_of

_EXAMPLES = "Write submit with each field's name and value, withdraw, transfer 5 coins to Mina, or resign."
_LONGEST = 2_000
_A_TEXT = "(a text)"
_WITHOUT_ISOLATES = str.maketrans("", "", "\u2068\u2069")

Names = Sequence[str]


def parse(state: State, seat: Witness, text: str, names: Names = ()) -> Command:
    """Parse `submit bid 7, target Mina`, `withdraw`, `transfer 5 coins to Mina` or `resign` of a seat, or `close` of
    HOST; raise Illegal("malformed").

    The parts of a form are divided by commas; a value with a space or a comma stands in quotation marks. A seat's
    number can stand for a name.
    """
    if len(text) > _LONGEST:
        raise Illegal("malformed", f"A command is at most {_LONGEST} characters long.")
    verb, _, rest = text.strip().partition(" ")
    if not isinstance(seat, int):
        if text.strip().lower() == "close":
            return Close(state.number)
        raise Illegal("malformed", "Write close. The host's other commands are sent as JSON, or by the control room.")
    match verb.lower():
        case "resign" if not rest:
            return Resign()
        case "withdraw" if not rest:
            return Withdraw(state.number)
        case "submit":
            return Submit(state.number, dict(_parsed(state, seat, rest, names)))
        case "transfer":
            return _transfer(rest, names)
    raise Illegal("malformed", _example(state, seat, names))


def _example(state: State, seat: int, names: Names) -> str:
    if state.stage != "open":
        return _EXAMPLES
    values = spoken(forms.first_values(state, seat), _seat_fields(state), _readable(state, names))
    return f"Write submit {values}".rstrip() + ", withdraw, transfer 5 coins to Mina, or resign."


def _seat_fields(state: State) -> frozenset[str]:
    return frozenset(field.name for field in state.round.fields if names_seats(field))


def _transfer(text: str, names: Names) -> Command:
    words = next(_parts(text), [])
    to = _seat_of(" ".join(words[3:]), names)
    if len(words) < 4 or words[2].lower() != "to" or not _is_number(words[0]) or to is None:
        raise Illegal("malformed", "Write transfer, an amount, a balance, to and a player: transfer 5 coins to Mina.")
    amount = int(words[0])
    if not 1 <= amount <= 1_000_000 or to >= 30:
        raise Illegal("malformed", "An amount is 1 to 1000000, and a seat 0 to 29.")
    return Transfer(to, words[1], amount)


def _is_number(word: str) -> bool:
    return word.isascii() and word.removeprefix("-").isdigit() and len(word) < 9


def _seat_of(word: str, names: Names) -> int | None:
    """Return the seat of this number, or of the only player of this name."""
    if _is_number(word):
        return int(word)
    fitting = [seat for seat, name in enumerate(names) if _plain(name) == _plain(word)]
    return fitting[0] if len(fitting) == 1 else None


def _plain(name: str) -> str:
    return name.translate(_WITHOUT_ISOLATES).casefold()


def _readable(state: State, names: Names) -> list[str]:
    """Return the names as `_seat_of` reads them: numbers for missing ones, and for those that are numbers."""
    called = dict(enumerate(names))
    return [str(seat) if _is_number(called.get(seat, "0")) else called[seat] for seat in range(state.seats)]


def _parsed(state: State, seat: int, text: str, names: Names) -> Iterator[tuple[str, AnyValue]]:
    fields = {field.name: field for field in forms.fields_of(state, seat)}
    for part in _parts(text):
        name, *words = part
        if name not in fields:
            raise Illegal("malformed", _example(state, seat, names))
        yield name, _value(fields[name], words, names)


def _parts(text: str) -> Iterator[list[str]]:
    """Yield the words of each part between commas."""
    lexer = shlex.shlex(text, posix=True, punctuation_chars=",")
    lexer.whitespace_split = True
    lexer.commenters = ""
    lexer.quotes = '"'
    part: list[str] = []
    try:
        words = list(lexer)
    except ValueError:
        raise Illegal("malformed", "A quotation mark is missing.") from None
    for word in words:
        if word and not word.strip(","):
            if part:
                yield part
            part = []
        else:
            part.append(word)
    if part:
        yield part


def _value(field: AnyField, words: list[str], names: Names) -> AnyValue:
    match field:
        case Number() if len(words) == 1 and _is_number(words[0]):
            return int(words[0])
        case Player(most=most) if words and (seats := _seats_in(words, names)):
            return seats if most > 1 else seats[0]
        case Choice(most=most) if words:
            return tuple(words) if most > 1 else " ".join(words)
        case Ranking() | Cards():
            return tuple(words)
        case Split() if len(words) % 2 == 0 and all(map(_is_number, words[1::2])):
            keys = words[::2] if field.options else list(map(str, _seats_in(words[::2], names)))
            return dict(zip(keys, map(int, words[1::2]), strict=True))
        case Text() if words:
            return " ".join(words)
        case Choice() | Player() if not words:
            return ()
    raise Illegal("malformed", f"The value of {field.name} can't be read.")


def _seats_in(words: list[str], names: Names) -> tuple[int, ...]:
    """Return the seats of these names or numbers, or of the one name that they are; raise Illegal("malformed")."""
    whole = _seat_of(" ".join(words), names)
    if whole is not None:
        return (whole,)
    seats = [_seat_of(word, names) for word in words]
    for word, seat in zip(words, seats, strict=True):
        if seat is None:
            unknown = f"Nobody here is called {word[:40]!r}."
            raise Illegal("malformed", f"{unknown} Write a name with a space in quotation marks.")
    return tuple(seat for seat in seats if seat is not None)


def _quoted(word: str) -> str:
    if word and not any(character in word for character in ' ,"\\'):
        return word
    escaped = word.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'


def form(command: Command) -> str:
    """Return the short text of a command with seats' numbers, as `parse` reads it."""
    return _form(command, frozenset(), ())


def form_with_names(state: State, command: Command, names: Names) -> str:
    """Return the short text of a command of the open round with players' names, as `parse` reads it."""
    return _form(command, _seat_fields(state), _readable(state, names))


def _form(command: Command, seats: Collection[str], names: Names) -> str:
    match command:
        case Submit(values=values):
            return f"submit {spoken(values, seats, names)}".rstrip()
        case Withdraw():
            return "withdraw"
        case Transfer(to=to, balance=balance, amount=amount):
            return f"transfer {amount} {balance} to {_quoted(names[to]) if names else to}"
        case Close():
            return "close"
        case Resolve(points=points):
            return f"resolve {', '.join(f'{seat} {gain}' for seat, gain in points.items())}".rstrip()
        case _:
            return "resign"


def spoken(values: Values, seats: Collection[str] = (), names: Names = ()) -> str:
    """Return the values of a form as text, with the names of players for the values of the fields `seats`: `bid 7,
    target Mina`."""
    return ", ".join(
        f"{name} {_spoken(value, names if name in seats else None)}".rstrip() for name, value in values.items()
    )


def words(text: str | KeptText) -> str:
    """Return a text, as far as it is known."""
    return text if isinstance(text, str) else _A_TEXT


def counted(totals: Totals, seats: Collection[str], names: Names) -> list[tuple[str, int]]:
    """Return the number of each value, the most frequent first, with the names of players for the values of the fields
    `seats`; equal texts are counted together."""
    counts: Counter[str] = Counter()
    for key, count in totals.counts:
        counts[names[int(words(key))] if totals.field in seats else words(key)] += count
    return counts.most_common()


def _spoken(value: AnyValue, names: Names | None) -> str:
    """Return a value as text; with names, its items are seats."""
    if commitment_of(value):
        return _A_TEXT

    def item(key: str | int) -> str:
        if names is not None:
            return _quoted(names[int(key)])
        return str(key) if isinstance(key, int) else _quoted(key)

    if isinstance(value, dict):
        return " ".join(f"{item(key)} {amount}" for key, amount in value.items())
    items: Sequence[str | int] = value if isinstance(value, tuple) else (value,)
    return " ".join(map(item, items))
