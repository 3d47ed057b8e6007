"""Commands as short text and back, events as English sentences. The words of a form are its fields' names."""

import shlex
from collections import Counter
from collections.abc import Iterator, Sequence

from games.contest import forms
from games.contest.commands import Close, Resolve, Submit, Transfer, Withdraw
from games.contest.content import AnyValue, Values
from games.contest.events import Totals
from games.contest.fields import AnyField, Cards, Choice, Number, Player, Ranking, Split, Text
from games.contest.state import State
from games.kernel import Command, Illegal, KeptText, Resign, Witness
from games.kernel.texts import commitment_of

_EXAMPLES = "Write submit with each field's name and value, withdraw, transfer 5 coins to 3, or resign."
_LONGEST = 2_000
_A_TEXT = "(a text)"


def parse(state: State, seat: Witness, text: str) -> Command:
    """Parse `submit bid 7, target 3`, `withdraw`, `transfer 5 coins to 3` or `resign` of a seat, or `close` of HOST;
    raise Illegal("malformed").

    The parts of a form are divided by commas; a value with a comma or a quotation mark stands in quotation marks.
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
            return Submit(state.number, dict(_parsed(state, seat, rest)))
        case "transfer":
            return _transfer(rest)
    raise Illegal("malformed", _example(state, seat))


def _example(state: State, seat: int) -> str:
    if state.stage != "open":
        return _EXAMPLES
    parts = [f"{field.name} {_sample_of(state, seat, field)}" for field in forms.fields_of(state, seat)]
    return f"Write submit {', '.join(parts)}".rstrip() + ", withdraw, transfer 5 coins to 3, or resign."


def _sample_of(state: State, seat: int, field: AnyField) -> str:
    match field:
        case Choice(options=options) | Ranking(options=options):
            return _quoted(options[0])
        case Number(least=least):
            return str(least)
        case Player():
            return next((str(other) for other in forms.others_in(state, seat, field)), "")
        case Cards(deck=deck):
            return _quoted(next(iter(state.cards_of(seat, deck)), ""))
        case Split(budget=budget):
            return f"{_quoted(next(iter(forms.keys_of(state, seat, field)), ''))} {budget}"
        case Text():
            return '"your text"'


def _transfer(text: str) -> Command:
    words = text.split()
    if len(words) != 4 or words[2].lower() != "to" or not _is_number(words[0]) or not _is_number(words[3]):
        raise Illegal("malformed", "Write transfer, an amount, a balance, to and a seat: transfer 5 coins to 3.")
    amount, to = int(words[0]), int(words[3])
    if not 1 <= amount <= 1_000_000 or to >= 30:
        raise Illegal("malformed", "An amount is 1 to 1000000, and a seat 0 to 29.")
    return Transfer(to, words[1], amount)


def _is_number(word: str) -> bool:
    return word.isascii() and word.removeprefix("-").isdigit() and len(word) < 9


def _parsed(state: State, seat: int, text: str) -> Iterator[tuple[str, AnyValue]]:
    fields = {field.name: field for field in forms.fields_of(state, seat)}
    for part in _parts(text):
        name, *words = part
        if name not in fields:
            raise Illegal("malformed", _example(state, seat))
        yield name, _value(fields[name], words)


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


def _value(field: AnyField, words: list[str]) -> AnyValue:
    match field:
        case Number() if len(words) == 1 and _is_number(words[0]):
            return int(words[0])
        case Player(most=most) if words and all(map(_is_number, words)):
            seats = tuple(map(int, words))
            return seats if most > 1 else seats[0]
        case Choice(most=most) if words:
            return tuple(words) if most > 1 else " ".join(words)
        case Ranking() | Cards():
            return tuple(words)
        case Split() if len(words) % 2 == 0 and all(map(_is_number, words[1::2])):
            return dict(zip(words[::2], map(int, words[1::2]), strict=True))
        case Text() if words:
            return " ".join(words)
        case Choice() | Player() if not words:
            return ()
    raise Illegal("malformed", f"The value of {field.name} can't be read.")


def _quoted(word: str) -> str:
    if word and not any(character in word for character in ' ,"\\'):
        return word
    escaped = word.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'


def form(command: Command) -> str:
    """Return the short text of a command, as `parse` reads it."""
    match command:
        case Submit(values=values):
            return f"submit {spoken(values)}".rstrip()
        case Withdraw():
            return "withdraw"
        case Transfer(to=to, balance=balance, amount=amount):
            return f"transfer {amount} {balance} to {to}"
        case Close():
            return "close"
        case Resolve(points=points):
            return f"resolve {', '.join(f'{seat} {gain}' for seat, gain in points.items())}".rstrip()
        case _:
            return "resign"


def spoken(values: Values) -> str:
    """Return the values of a form as text: `bid 7, target 3`."""
    return ", ".join(f"{name} {_spoken(value)}".rstrip() for name, value in values.items())


def words(text: str | KeptText) -> str:
    """Return a text, as far as it is known."""
    return text if isinstance(text, str) else _A_TEXT


def counted(totals: Totals) -> list[tuple[str, int]]:
    """Return the number of each value, the most frequent first; equal texts are counted together."""
    counts: Counter[str] = Counter()
    for key, count in totals.counts:
        counts[words(key)] += count
    return counts.most_common()


def _spoken(value: AnyValue) -> str:
    if commitment_of(value):
        return _A_TEXT
    if isinstance(value, dict):
        return " ".join(f"{_quoted(key)} {amount}" for key, amount in value.items())
    items: Sequence[str | int] = value if isinstance(value, tuple) else (value,)
    return " ".join(str(item) if isinstance(item, int) else _quoted(item) for item in items)
