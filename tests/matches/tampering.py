"""Changes of a record and losses in it, by who knows the revealed seed and works everything out again."""

import json
from collections.abc import Callable
from copy import deepcopy
from random import Random
from typing import Any, NamedTuple
from uuid import UUID

from matches.audit import croupier_verify

Line = dict[str, Any]


class Record(NamedTuple):
    """A record as it was exported, signed checkpoint and all."""

    text: str
    key: str

    def lines(self) -> list[Line]:
        """Its lines, to tamper with."""
        return [json.loads(line) for line in self.text.splitlines()]


def written(lines: list[Line]) -> str:
    """Lines as a record has them."""
    return "".join(json.dumps(it, separators=(",", ":"), ensure_ascii=False) + "\n" for it in lines)


def rechained(lines: list[Line]) -> list[Line]:
    """Every hash made anew, and the header fitting."""
    previous = b""
    for line in lines[1 : lines[0]["version"] + 1]:
        previous = croupier_verify.event_hash(previous, UUID(lines[0]["match"]), line)
        line["hash"] = previous.hex()
    lines[0]["hash"] = previous.hex()
    return lines


def another(value: Any, rng: Random) -> Any:
    """Another value of the same kind."""
    match value:
        case bool():
            return not value
        case int():
            return value + rng.choice([-1, 1])
        case str() if value:
            place, letters = rng.randrange(len(value)), "0a7" if set(value) <= set("0123456789abcdef") else "0aZ7"
            return value[:place] + rng.choice([it for it in letters if it != value[place]]) + value[place + 1 :]
        case list() if value:
            place = rng.randrange(len(value))
            return [*value[:place], another(value[place], rng), *value[place + 1 :]]
        case dict() if value:
            name = rng.choice(sorted(value))
            return {**value, name: another(value[name], rng)}
    return "something"


def events(lines: list[Line]) -> list[int]:
    """Return the places of the events."""
    return list(range(1, lines[0]["version"] + 1))


def draws(lines: list[Line]) -> list[int]:
    """Return the places of the draws."""
    first = lines[0]["version"] + 1
    return list(range(first, first + lines[0]["draws"]))


# The kinds: each gives the tampered text, or None where the record has no place for it.

Kind = Callable[[Record, Random], str | None]


def field_changed(name: str) -> Kind:
    """Another value in a field of an event."""

    def act(record: Record, rng: Random) -> str | None:
        lines = record.lines()
        places = [place for place in events(lines) if lines[place][name] is not None]
        if not places:
            return None
        place = rng.choice(places)
        lines[place][name] = another(lines[place][name], rng)
        return written(lines)

    return act


def header_changed(name: str) -> Kind:
    """Another value in a field of the header."""

    def act(record: Record, rng: Random) -> str | None:
        lines = record.lines()
        lines[0][name] = another(lines[0][name], rng)
        return written(lines)

    return act


def chained_anew(name: str, *, uncovered: bool = False) -> Kind:
    """Another value in an event, with a new promise of its secret and a new chain; and the checkpoint left out."""

    def act(record: Record, rng: Random) -> str | None:
        lines = record.lines()
        places = [place for place in events(lines) if lines[place][name]]
        if not places:
            return None
        place = rng.choice(places)
        line = lines[place]
        line[name] = line[name][:-2] + "1Z" if name == "at" else another(line[name], rng)
        if line["secret"] is not None:
            line["digest"] = croupier_verify.digest(bytes.fromhex(line["salt"]), line["secret"]).hex()
        lines = rechained(lines)
        if uncovered:
            lines[0]["checkpoint"] = False
            lines.pop()
        return written(lines)

    return act


def dropped(record: Record, rng: Random) -> str | None:
    """An event left out, the others numbered and chained anew."""
    lines = record.lines()
    del lines[rng.choice(events(lines))]
    lines[0]["version"] -= 1
    for version in events(lines):
        lines[version]["version"] = version
    return written(rechained(lines))


def cut_off(record: Record, rng: Random) -> str | None:
    """The last events left out, as if the match were running."""
    lines = record.lines()
    version = rng.randint(1, lines[0]["version"] - 1)
    events = [line | {"secret": None, "salt": None} for line in lines[1 : version + 1]]
    head = {"version": version, "hash": events[-1]["hash"], "finished": False, "draws": 0, "checkpoint": False}
    return written([lines[0] | head, *events])


def swapped(of: Callable[[list[Line]], list[int]]) -> Kind:
    """Two neighbours change places."""

    def act(record: Record, rng: Random) -> str | None:
        lines = record.lines()
        places = of(lines)[:-1]
        if not places:
            return None
        place = rng.choice(places)
        lines[place], lines[place + 1] = lines[place + 1], lines[place]
        return written(lines)

    return act


def told_twice(of: Callable[[list[Line]], list[int]], count: str) -> Kind:
    """A line stands twice, and the header counts it."""

    def act(record: Record, rng: Random) -> str | None:
        lines = record.lines()
        if not of(lines):
            return None
        place = rng.choice(of(lines))
        lines.insert(place, deepcopy(lines[place]))
        lines[0][count] += 1
        return written(lines)

    return act


def kept_back(record: Record, rng: Random) -> str | None:
    """A secret isn't told."""
    lines = record.lines()
    places = [place for place in events(lines) if lines[place]["secret"] is not None]
    if not places:
        return None
    lines[rng.choice(places)].update(secret=None, salt=None)
    return written(lines)


def draw_dropped(record: Record, rng: Random) -> str | None:
    """A draw left out, and the header counts the others."""
    lines = record.lines()
    if not draws(lines):
        return None
    del lines[rng.choice(draws(lines))]
    lines[0]["draws"] -= 1
    return written(lines)


def all_draws_dropped(record: Record, rng: Random) -> str | None:
    """No draw is told."""
    lines = record.lines()
    if not draws(lines):
        return None
    return written([lines[0] | {"draws": 0}, *(line for line in lines[1:] if "draw" not in line)])


def draw_changed(change: Callable[[Line, list[Line], Random], bool]) -> Kind:
    """A draw made another one."""

    def act(record: Record, rng: Random) -> str | None:
        lines = record.lines()
        places = [place for place in draws(lines) if lines[place]["steps"][0][1]]
        rng.shuffle(places)
        for place in places:
            if change(lines[place], lines, rng):
                return written(lines)
        return None

    return act


def redrawn(draw: Line, lines: list[Line]) -> None:
    """The results that the seed gives for what stands in the draw now."""
    key = croupier_verify._keys(lines[1 : lines[0]["version"] + 1])[0]
    if draw["line"]:
        key = croupier_verify._hmac(key, b"croupier-line-v1\n" + draw["line"].to_bytes(8, "big"))
    stream = croupier_verify.words(key, draw["at"], draw["purpose"])
    for step in draw["steps"]:
        kind, items, _ = step
        step[2] = (
            items[croupier_verify.below(stream, len(items))] if kind == "choice"
            else croupier_verify.shuffled(stream, items)
        )  # fmt: skip


def other_result(draw: Line, lines: list[Line], rng: Random) -> bool:
    """A result that the seed doesn't give."""
    step = rng.choice(draw["steps"])
    step[2] = another(step[2], rng)
    return True


def other_items(draw: Line, lines: list[Line], rng: Random) -> bool:
    """Something else in an item, and what the seed gives of that."""
    step = rng.choice([it for it in draw["steps"] if it[1]])
    place = rng.randrange(len(step[1]))
    step[1][place] = another(step[1][place], rng)
    redrawn(draw, lines)
    return True


def items_moved(draw: Line, lines: list[Line], rng: Random) -> bool:
    """The items in another order, and what the seed gives of that."""
    step = rng.choice(draw["steps"])
    before = list(step[1])
    rng.shuffle(step[1])
    redrawn(draw, lines)
    return before != step[1]


def item_added(draw: Line, lines: list[Line], rng: Random) -> bool:
    """An item more or less, and what the seed gives of that."""
    items = rng.choice(draw["steps"])[1]
    items.append(another(items[0], rng)) if rng.random() < 0.5 or len(items) < 2 else items.pop()
    redrawn(draw, lines)
    return True


def steps_cut(draw: Line, lines: list[Line], rng: Random) -> bool:
    """The last steps left out."""
    draw["steps"] = draw["steps"][: rng.randrange(len(draw["steps"]))]
    return True


def steps_added(draw: Line, lines: list[Line], rng: Random) -> bool:
    """A step more, and what the seed gives for it."""
    draw["steps"].append(deepcopy(rng.choice(draw["steps"])))
    redrawn(draw, lines)
    return True


def elsewhere(name: str) -> Callable[[Line, list[Line], Random], bool]:
    """A draw for another act, line, version or purpose, and what the seed gives there."""

    def act(draw: Line, lines: list[Line], rng: Random) -> bool:
        draw[name] = rng.choice(["first", "deck", "fill"]) if name == "purpose" else max(0, another(draw[name], rng))
        redrawn(draw, lines)
        return True

    return act


def draw_invented(record: Record, rng: Random) -> str | None:
    """A draw that no event tells, as the seed gives it."""
    lines = record.lines()
    befores = croupier_verify._befores(lines[1 : lines[0]["version"] + 1], [])
    specs = [it for it in croupier_verify.GAMES[lines[0]["game"]] if it["way"] == "choice"]
    line, at, _, act = befores[rng.choice(events(lines))]
    if not specs:
        return None
    spec = rng.choice(specs)
    items = spec.get("items", [0, 1])
    draw = {"draw": act, "line": line, "at": at, "purpose": spec["purpose"], "steps": [["choice", items, None]]}
    redrawn(draw, lines)
    lines.insert(rng.choice([*draws(lines), lines[0]["version"] + lines[0]["draws"] + 1]), draw)
    lines[0]["draws"] += 1
    return written(lines)


def checkpoint_changed(name: str) -> Kind:
    """Another value in the checkpoint's line."""

    def act(record: Record, rng: Random) -> str | None:
        lines = record.lines()
        lines[-1][name] = another(lines[-1][name], rng)
        return written(lines)

    return act


def checkpoint_dropped(record: Record, rng: Random) -> str | None:
    """No checkpoint."""
    lines = record.lines()
    return written([lines[0] | {"checkpoint": False}, *lines[1:-1]])
