"""Forgeries of one event of a chosen kind, by a forger who knows everything."""

from collections.abc import Callable
from copy import deepcopy
from random import Random

from tests.matches.tampering import Kind, Line, Record, another, draws, events, rechained, written

Act = Callable[[list[Line], int, Random], bool]


def _changed(lines: list[Line], place: int, rng: Random) -> bool:
    """Another value in one of its fields, or another actor."""
    public = lines[place]["public"]
    name = rng.choice(["actor", *sorted(public.keys() - {"type"})])
    where = lines[place] if name == "actor" else public
    where[name] = another(where[name], rng)
    return True


def _dropped(lines: list[Line], place: int, rng: Random) -> bool:
    """It was never written down."""
    del lines[place]
    _moved(lines, place, -1)
    return True


def _repeated(lines: list[Line], place: int, rng: Random) -> bool:
    """It happened twice."""
    lines.insert(place, deepcopy(lines[place]))
    _moved(lines, place, 1)
    return True


def _elsewhere(lines: list[Line], place: int, rng: Random) -> bool:
    """It happened before or after what stood next to it, at that one's instant."""
    other = place + rng.choice([-1, 1])
    if not 2 <= other <= lines[0]["version"] or lines[place]["type"] == lines[other]["type"]:
        return False
    for name in lines[place].keys() - {"version", "at"}:
        lines[place][name], lines[other][name] = lines[other][name], lines[place][name]
    return True


def _another_type(lines: list[Line], place: int, rng: Random) -> bool:
    """It is told as another event of the same seat, or the call as the start itself."""
    public = lines[place]["public"]
    kinds = {
        "nonce": ("nonce_added", "nonce_revealed"),
        "reason": ("seat_declined",),
        "commitment": ("nonce_committed",),
    }
    if "until" in public:
        public.pop("until")
        kind = "match_started"
    else:
        name = rng.choice([it for it in kinds if it not in public])
        value = next((public.pop(it) for it in kinds if it in public), "ab" * 32)
        kind, public[name] = rng.choice(kinds[name]), value
    public["type"] = lines[place]["type"] = kind
    return True


WAYS: dict[str, Act] = {
    "changed": _changed, "dropped": _dropped, "told twice": _repeated, "moved": _elsewhere,
    "told as another": _another_type,
}  # fmt: skip


def _moved(lines: list[Line], place: int, by: int) -> None:
    """All from this place on stand so many versions later, and whatever names a version fits."""
    lines[0]["version"] += by
    for version in events(lines):
        lines[version]["version"] = version
        if "to_version" in lines[version]["public"]:
            lines[version]["public"]["to_version"] += by
    for line in draws(lines):
        lines[line]["draw"] += by


def of_type(name: str, act: Act, *, uncovered: bool) -> Kind:
    """Something done to an event of a type, everything chained anew; and the checkpoint left out."""

    def tampered(record: Record, rng: Random) -> str | None:
        lines = record.lines()
        places = [place for place in events(lines) if lines[place]["type"] == name]
        if not places or not act(lines, rng.choice(places), rng):
            return None
        lines = rechained(lines)
        if uncovered:
            lines[0]["checkpoint"] = False
            lines.pop()
        return written(lines)

    return tampered
