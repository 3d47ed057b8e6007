"""Other spellings of what a record says: the same to a lenient reader, and not what the house wrote."""

import base64
import json
from random import Random

from tests.matches.tampering import Record, written


def in_capitals(record: Record, rng: Random) -> str | None:
    """A hash, a digest, a salt, the seed or a proof's path in capitals."""
    lines = record.text.splitlines(keepends=True)
    place = rng.randrange(len(lines))
    line = json.loads(lines[place])
    texts = [line.get(name) for name in ("hash", "digest", "salt", "seed_commitment")] + line.get("path", [])
    texts += [line["public"].get("seed")] if "public" in line else []
    texts = [text for text in texts if text and text != text.upper()]
    if not texts:
        return None
    text = rng.choice(texts)
    lines[place] = lines[place].replace(text, text.upper())
    return "".join(lines)


def other_id(record: Record, rng: Random) -> str | None:
    """The match's id in another of its spellings."""
    match = record.lines()[0]["match"]
    other = rng.choice([match.upper(), match.replace("-", ""), f"{{{match}}}", f"urn:uuid:{match}"])
    return record.text.replace(match, other, 1)


def other_number(record: Record, rng: Random) -> str | None:
    """A number as a fraction, with an exponent, as a text or with a sign."""
    lines = record.text.splitlines(keepends=True)
    place = rng.randrange(len(lines))
    line = json.loads(lines[place])
    name = rng.choice([name for name, value in line.items() if type(value) is int])
    other = rng.choice([f"{line[name]}.0", f"{line[name]}e0", f'"{line[name]}"', f"{line[name]}E+0"])
    lines[place] = lines[place].replace(f'"{name}":{line[name]}', f'"{name}":{other}', 1)
    return "".join(lines)


def escaped(record: Record, rng: Random) -> str | None:
    """A letter as its number."""
    places = [place for place, letter in enumerate(record.text) if letter.isalpha() and letter.isascii()]
    place = rng.choice(places)
    return f"{record.text[:place]}\\u{ord(record.text[place]):04x}{record.text[place + 1 :]}"


def spaced(record: Record, rng: Random) -> str | None:
    """A space where JSON allows one, or at a line's end."""
    places = [place for place, letter in enumerate(record.text) if letter in ",:{}[]\n"]
    place = rng.choice(places)
    return record.text[:place] + rng.choice(" \t\r") + record.text[place:]


def reordered(record: Record, rng: Random) -> str | None:
    """The fields of a line, or of a value in it, in another order."""
    lines = record.lines()
    place = rng.randrange(len(lines))
    values = [lines[place], *(it for it in lines[place].values() if isinstance(it, dict) and len(it) > 1)]
    value = rng.choice(values)
    fields = list(value.items())
    rng.shuffle(fields)
    value.clear()
    value.update(fields)
    return written(lines)


def named_twice(record: Record, rng: Random) -> str | None:
    """A name that stands twice, with the same value or another."""
    lines = record.text.splitlines(keepends=True)
    place = rng.randrange(len(lines))
    name, value = rng.choice(list(json.loads(lines[place]).items()))
    spelling = json.dumps(rng.choice([value, None]), separators=(",", ":"), ensure_ascii=False)
    lines[place] = f'{{"{name}":{spelling},{lines[place][1:]}'
    return "".join(lines)


def field_added(record: Record, rng: Random) -> str | None:
    """A field that a record hasn't."""
    lines = record.lines()
    lines[rng.randrange(len(lines))]["note"] = rng.choice([None, "", 0])
    return written(lines)


def beside(record: Record, rng: Random) -> str | None:
    """Something before, between or behind the lines, or the last line's end missing."""
    lines = record.text.splitlines(keepends=True)
    what = rng.choice(["\n", " \n", "{}\n", "\ufeff", "\0", ""])
    if not what:
        return record.text[:-1]
    place = rng.randrange(len(lines) + 1)
    return "".join([*lines[:place], what, *lines[place:]])


def note_respelled(record: Record, rng: Random) -> str | None:
    """The signed checkpoint with the bits changed that base64 leaves unused, or with something beside it."""
    lines = record.lines()
    note = lines[-1]["checkpoint"]
    origin, size, root, *_ = note.split("\n")
    signature = note[:-1].rsplit(" ", 1)[1]
    lines[-1]["checkpoint"] = rng.choice([
        note.replace(root, unused_bit(root)), note.replace(signature, unused_bit(signature)),
        note.replace(f"\n{size}\n", f"\n0{size}\n"), note + "\n", note[:-1], note.replace("\n", "\r\n"),
        note + note.rsplit("\n", 2)[1] + "\n", note.replace("\u2014", "-"), f"{note}\u2014 {origin}x {signature}\n",
    ])  # fmt: skip
    return written(lines)


def unused_bit(text: str) -> str:
    """Base64 that gives the same bytes, if it has a padding."""
    letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
    last = text.rstrip("=")
    if last == text:
        return f"{text}="
    other = last[:-1] + letters[letters.index(last[-1]) ^ 1] + text[len(last) :]
    assert base64.b64decode(other) == base64.b64decode(text)
    return other
