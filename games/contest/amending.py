"""Amendments of a contest under way: what a changed content changes, and its faults. R36"""

from collections.abc import Iterator
from itertools import zip_longest
from typing import Any

import msgspec
from msgspec import Struct
from msgspec.structs import fields, replace

from games.contest.checks import faults_of
from games.contest.content import Content, Round
from games.contest.evaluations import Answers
from games.contest.parts import Part, Sealed
from games.contest.state import State, next_index
from games.contest.words import time_in_words
from games.kernel import Fault

_OPENED = "This round has opened, so it can't be changed any more. Leave it as it was."


class Difference(Struct, frozen=True):
    """A change of a content: its place, and the value before and after, as text or JSON; None where there is none."""

    place: str
    old: str | None
    new: str | None


def current_content(state: State) -> Content:
    """Return the content with its rounds as a witness knows them: published, and amended before."""
    return replace(state.options.content, rounds=state.rounds)


def differences(old: Content, new: Content) -> tuple[Difference, ...]:
    """Return the changes from one content to another, in the order of its parts."""
    return tuple(_differences(old, new, ""))


def faults_of_amendment(state: State, content: Content) -> tuple[Fault, ...]:
    """Return the reasons for which the contest can't be played on with this content."""
    return tuple(_faults(state, content))


def _differences(old: Any, new: Any, place: str) -> Iterator[Difference]:
    if type(old) is type(new) and isinstance(old, Part):
        for name in (it.name for it in fields(old)):
            yield from _differences(getattr(old, name), getattr(new, name), f"{place}.{name}".lstrip("."))
    elif _are_parts(old) and _are_parts(new):
        for number, (before, after) in enumerate(zip_longest(old, new)):
            yield from _differences(before, after, f"{place}.{number}")
    elif old != new:
        yield Difference(place, _text(old), _text(new))


def _are_parts(value: Any) -> bool:
    return isinstance(value, tuple) and all(isinstance(it, Part) for it in value)


def _text(value: Any) -> str | None:
    return value if value is None or isinstance(value, str) else msgspec.json.encode(value).decode()


def _faults(state: State, content: Content) -> Iterator[Fault]:
    current = current_content(state)
    if content == current:
        yield Fault("rounds", "Nothing is changed. Change a round that hasn't opened.")
    for it in differences(replace(current, rounds=content.rounds), content):
        yield Fault(it.place, "Only rounds can be changed while the contest is played. Leave this as it was.")
    if len(content.rounds) != len(current.rounds):
        yield Fault("rounds", f"Rounds can't be added or removed. Keep all {len(current.rounds)}.")
        return
    for index, (old, new) in enumerate(zip(current.rounds, content.rounds, strict=True)):
        if new == old:
            continue
        if index < next_index(state):
            yield from (Fault(it.place, _OPENED) for it in _differences(old, new, f"rounds.{index}"))
        else:
            yield from _round_faults(old, new, f"rounds.{index}")
    yield from faults_of(content)


def _round_faults(old: Round, new: Round, place: str) -> Iterator[Fault]:
    if new.name != old.name or new.seconds != old.seconds:
        yield Fault(
            place,
            f"The round keeps its short name, {old.name}, and its time, {time_in_words(old.seconds)}. Write these.",
        )
    for name in ("repeat", "gifts"):
        if getattr(new, name) > getattr(old, name):
            yield Fault(f"{place}.{name}", f"It can't be raised. Write {getattr(old, name)}, as before, or less.")
    if new.secret or new.part is not None or new.answers is not None:
        yield Fault(f"{place}.secret", "A changed round can't be secret, as everybody reads the change. Untick it.")
    scheme = new.scheme
    if isinstance(scheme, Answers) and scheme.answers:
        yield Fault(
            f"{place}.scheme.answers",
            "Everybody would read new answers. Remove them.",
        )
    elif isinstance(scheme, Answers) and scheme.part not in (None, *_answers_of(old)):
        yield Fault(
            f"{place}.scheme.part",
            "The round was committed to other answers. Leave them as they were.",
        )


def _answers_of(of_round: Round) -> tuple[Sealed | None, ...]:
    return (of_round.answers, of_round.scheme.part if isinstance(of_round.scheme, Answers) else None)
