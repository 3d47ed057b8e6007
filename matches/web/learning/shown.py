"""The context of a lesson's page at a step: the strip, the board, possible commands, and the tutor's words."""

from dataclasses import dataclass
from functools import cache
from typing import Any, Final

from django.http import HttpRequest
from django.urls import reverse

from games import catalogue
from games.drawing.css import WEB
from games.drawing.themes import SEAT_LETTERS
from games.kernel import LEARNER, Aids, Game, Lesson, LessonStep, Table
from games.kernel.teaching import tables
from matches.domain import portraits
from matches.domain.bidi import apart
from matches.html.context import last_cells, motion, tray_data
from matches.html.trays import tray_of
from matches.html.trays.tray import Choice, Tray, TrayContext
from matches.reads.sentences import LONGEST_NAME

TUTOR: Final = "Nim"
AIDS: Final[Aids] = "all"
"""The aids of lessons."""
_FACE: Final = portraits.tutor_address()
_NOBODY: Final = "Guest"


@dataclass(frozen=True)
class Place:
    """A step of a game's lesson: `number` counts from 1."""

    game: Game
    lesson: Lesson
    number: int

    @property
    def step(self) -> LessonStep:
        return self.lesson.steps[self.number - 1]

    @property
    def table(self) -> Table:
        """The match before the step."""
        return _tables(self.game.slug)[self.number - 1]

    @property
    def address(self) -> str:
        return reverse("web:lesson-step", args=[self.game.slug, self.number])

    @property
    def refusal(self) -> str:
        """The response to a command that isn't expected."""
        task = self.step.ask
        return f"First {task[:1].lower()}{task[1:]}." if task else "There is nothing to play yet: read, then go on."


@dataclass(frozen=True)
class Sitting:
    """A seat of the strip."""

    number: int
    letter: str
    name: str
    portrait: str
    does: str
    on_turn: bool

    @property
    def is_you(self) -> bool:
        """True if the learner sits there."""
        return self.number == LEARNER


def place(slug: str, number: int) -> Place | None:
    """Return the step of a game's lesson; None if there is none."""
    game = catalogue.get(slug)
    lesson = game.lesson if game else None
    if game is None or lesson is None or not 1 <= number <= len(lesson.steps):
        return None
    return Place(game, lesson, number)


def live(request: HttpRequest, here: Place, *, whole: bool = True) -> dict[str, Any]:
    """Return the context of `learn/live.html`. A `whole` page works without scripts."""
    game, table, step = here.game, here.table, here.step
    names = (_name_of(request), TUTOR, *(f"Seat {letter}" for letter in SEAT_LETTERS[2 : table.seats]))
    state = table.witness(LEARNER)
    events = [event | {"version": version} for version, event in enumerate(table.events(LEARNER), 1)]
    tray = _tray(here, names)
    targets, last = tray.targets if tray else (), last_cells(game.slug, events)
    view = {"viewer": LEARNER, "theme": WEB, "names": names, "targets": targets, "last": last}
    last_step = here.number == len(here.lesson.steps)
    return {
        "game": game,
        "title": game.title,
        "step": step,
        "number": here.number,
        "steps": here.lesson.steps,
        "address": here.address,
        "onward": "" if last_step else reverse("web:lesson-step", args=[game.slug, here.number + 1]),
        "back": reverse("web:lesson-step", args=[game.slug, here.number - 1]) if here.number > 1 else "",
        "version": table.version,
        "seats": _sittings(request, names, table, mine=bool(step.does)),
        "parts": game.board.parts(state, **view),
        "motion": motion(game, events),
        "tray": tray,
        "choices": tray.choices if tray and (whole or not tray.offers) else (),
        "tray_data": tray_data(tray),
        "asked": _choice(tray, step.does),
        "points": {"places": step.points, "text": step.does},
        "tables": game.board.tables(state, viewer=LEARNER, names=names),
        "text_board": game.in_text(state, LEARNER, names),
        "tutor": _FACE,
    }


def _tray(here: Place, names: tuple[str, ...]) -> Tray | None:
    if not here.step.does:
        return None
    game, table = here.game, here.table
    commands = list(table.legal(LEARNER))
    aided, state = game.aided(AIDS), table.witness(LEARNER)
    return tray_of(game.slug, TrayContext(state, LEARNER, commands, game.notation.form, names, aided))


def _choice(tray: Tray | None, text: str) -> Choice | None:
    """Return the choice that the step expects, if the tray lists it."""
    return next((choice for choice in tray.choices if choice.text == text), None) if tray else None


def _sittings(request: HttpRequest, names: tuple[str, ...], table: Table, *, mine: bool) -> list[Sitting]:
    face = request.user.portrait if request.user.is_authenticated else portraits.nobody_address()
    faces, does = (face, _FACE), ("Your first match", "Teaches and plays, a bot")
    return [
        Sitting(seat, SEAT_LETTERS[seat], names[seat], faces[seat > 0], does[seat > 0], mine and seat == LEARNER)
        for seat in range(table.seats)
    ]


def _name_of(request: HttpRequest) -> str:
    name = request.user.username if request.user.is_authenticated else _NOBODY
    return apart(name if len(name) <= LONGEST_NAME else f"{name[: LONGEST_NAME - 1].rstrip()}…")


@cache
def _tables(slug: str) -> tuple[Table, ...]:
    game = catalogue[slug]
    return tables(game, game.lesson) if game.lesson else ()
