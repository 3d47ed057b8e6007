"""Changes that programs make to a file in transit, each at a random place."""

import html
import json
import quopri
import re
import unicodedata
from collections.abc import Callable
from random import Random

Mutation = Callable[[str, Random], str | bytes]


def _at(text: str, places: list[int], rng: Random, put: Callable[[str], str]) -> str:
    """The text with one of these letters replaced."""
    if not places:
        return text
    place = rng.choice(places)
    return text[:place] + put(text[place]) + text[place + 1 :]


def _on_a_line(change: Callable[[str, Random], str]) -> Mutation:
    def act(text: str, rng: Random) -> str:
        lines = text.splitlines(keepends=True)
        place = rng.randrange(len(lines))
        lines[place] = change(lines[place], rng)
        return "".join(lines)

    return act


def _letter(text: str, rng: Random) -> str:
    """One letter is another one."""
    return _at(
        text, [rng.randrange(len(text))], rng, lambda old: rng.choice([it for it in "0a7fZ\"',:}é\n " if it != old])
    )


def _digit(text: str, rng: Random) -> str:
    """One digit of hex or of a number is another one."""
    places = [it.start() for it in re.finditer("[0-9a-f]", text)]
    return _at(text, places, rng, lambda old: rng.choice([it for it in "0123456789abcdef" if it != old]))


def _number(text: str, rng: Random) -> str:
    places = list(re.finditer(r"(?<=[:,\[])-?[0-9]+(?=[,}\]])", text))
    if not places:
        return text
    number = rng.choice(places)
    other = rng.choice(["{}.0", "{}e0", '"{}"', "+{}", "0{}"]).format(number[0])
    return text[: number.start()] + other + text[number.end() :]


def _value(line: str, rng: Random) -> str:
    """One field of a line is another of the same kind, or none, in good spelling."""
    record = json.loads(line)
    name = rng.choice(sorted(record))
    old = record[name]
    others = [None, "", 0, {}, [], not old if type(old) is bool else True]
    others += [old + 1, old - 1] if type(old) is int else []
    others += [old[:-1], old + "a", f"{old[: len(old) // 2]}0{old[len(old) // 2 + 1 :]}"] if type(old) is str else []
    others += [old[:-1], old + old, old[::-1]] if type(old) is list else []
    record[name] = rng.choice([it for it in others if it != old or type(it) is not type(old)])
    return json.dumps(record, separators=(",", ":"), ensure_ascii=False) + "\n"


def _wrapped(text: str, rng: Random) -> str:
    width = rng.randint(20, 998)
    return "\n".join(text[place : place + width] for place in range(0, len(text), width))


def _spaced(text: str, rng: Random) -> str:
    return _at(
        text, [it.start() for it in re.finditer(r"[ ,:{}\[\]\n]", text)], rng, lambda old: old + rng.choice(" \t\n\r")
    )


MUTATIONS: dict[str, Mutation] = {
    "line ends of Windows": lambda text, rng: text.replace("\n", "\r\n"),
    "line ends of an old Mac": lambda text, rng: text.replace("\n", "\r"),
    "one other line end": lambda text, rng: _at(
        text, [it.start() for it in re.finditer("\n", text)], rng, lambda _: "\r\n"
    ),
    "a byte order mark": lambda text, rng: b"\xef\xbb\xbf" + text.encode(),
    "UTF-16": lambda text, rng: text.encode("utf-16"),
    "trimmed": lambda text, rng: text.strip(),
    "trimmed spaces": lambda text, rng: _at(text, [it.start() for it in re.finditer(" ", text)], rng, lambda _: ""),
    "a space more": _spaced,
    "letters decomposed": lambda text, rng: unicodedata.normalize("NFD", text),
    "letters composed": lambda text, rng: unicodedata.normalize("NFC", text),
    "typographic quotation marks": lambda text, rng: text.replace('"', "“").replace("'", "’"),
    "one typographic quotation mark": lambda text, rng: _at(
        text, [it.start() for it in re.finditer("[\"']", text)], rng, lambda _: rng.choice("“”‘’")
    ),
    "quoted-printable": lambda text, rng: quopri.encodestring(text.encode()),
    "read in another encoding": lambda text, rng: text.encode().decode("cp1252", "replace"),
    "letters lost": lambda text, rng: text.encode("ascii", "replace"),
    "tabs for spaces": lambda text, rng: text.replace(" ", "\t"),
    "spaces for tabs": lambda text, rng: text.replace("\\t", "    ").expandtabs(),
    "cut off": lambda text, rng: text[: rng.randrange(len(text))],
    "the beginning cut off": lambda text, rng: text[rng.randrange(1, len(text)) :],
    "a piece missing": lambda text, rng: (lambda a, b: text[: min(a, b)] + text[max(a, b) :])(
        rng.randrange(len(text)), rng.randrange(len(text))
    ),
    "wrapped": _wrapped,
    "blank lines removed and added": _on_a_line(lambda line, rng: "\n" + line),
    "a line missing": _on_a_line(lambda line, rng: ""),
    "a line twice": _on_a_line(lambda line, rng: line + line),
    "lines sorted": lambda text, rng: "".join(sorted(text.splitlines(keepends=True))),
    "a number written otherwise": _number,
    "escaped as HTML": lambda text, rng: html.escape(text),
    "one letter escaped as HTML": lambda text, rng: _at(
        text, [rng.randrange(len(text))], rng, lambda old: f"&#{ord(old)};"
    ),
    "another letter": _letter,
    "another letter in the header": lambda text, rng: _letter(text[: text.index("\n")], rng) + text[text.index("\n") :],
    "another letter in the last line": lambda text, rng: (
        text[: text.rindex("\n", 0, -1) + 1] + _letter(text[text.rindex("\n", 0, -1) + 1 :], rng)
    ),
    "another digit": _digit,
    "another value in a line": _on_a_line(_value),
    "another value in the header": lambda text, rng: (
        _value(text[: text.index("\n")], rng) + text[text.index("\n") + 1 :]
    ),
    "another value in the last line": lambda text, rng: (
        text[: text.rindex("\n", 0, -1) + 1] + _value(text[text.rindex("\n", 0, -1) + 1 :], rng)
    ),
}
