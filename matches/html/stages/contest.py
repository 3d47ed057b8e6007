"""Contest: who has submitted, the open round, what the last round has published, the scoreboard, and the rounds."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from django.utils.safestring import SafeString

from games.contest import forms
from games.contest.content import Round, Values
from games.contest.events import Entry, Totals
from games.contest.explaining import payment, publication, spoken, title_of
from games.contest.fields import AnyField, Choice, Number, Ranking, Text, names_seats
from games.contest.finishing import standing
from games.contest.placing import place_of
from games.contest.rounds import totals_of
from games.contest.state import Shown, State
from games.kernel import Witness
from matches.domain.match_state import MatchState
from matches.html.markdown import rendered, rendered_for_good
from matches.html.seats import ClockFace, SeatStrip

MOST_BARS = 12


@dataclass(frozen=True)
class Mark:
    """A seat in the row of all seats: `state` is `in`, `due`, `default`, `idle` or `out`, `words` the same in words."""

    strip: SeatStrip
    state: str
    words: str


@dataclass(frozen=True)
class Bar:
    """A value of the last round and how often it was submitted; `share` is its length in percent of the longest."""

    label: str
    count: int
    share: int


@dataclass(frozen=True)
class Chart:
    """The bars of a field; `total` is the sum of its numbers."""

    title: str
    bars: tuple[Bar, ...]
    total: int | None
    more: int


@dataclass(frozen=True)
class Envelope:
    """A seat's submission in a round that is over: None if it wasn't published. `share` is a bar for its number."""

    strip: SeatStrip
    value: str | None
    gain: int | None
    is_out: bool
    share: int | None

    @property
    def state(self) -> str:
        """`out`, `won` for a gain of points, or empty."""
        return "out" if self.is_out else "won" if self.gain and self.gain > 0 else ""

    @property
    def size(self) -> int:
        """The number of points gained or lost."""
        return abs(self.gain or 0)

    @property
    def gained(self) -> str:
        """The points gained, with their sign; empty if there are none, or if they are unknown."""
        return f"{self.gain:+,}".replace("-", "−") if self.gain else ""


@dataclass(frozen=True)
class Revealed:
    """The submissions of a round that is over, as far as they are published."""

    number: int
    total: int
    title: str
    charts: tuple[Chart, ...]
    envelopes: tuple[Envelope, ...]
    choices: tuple[str, ...]
    answers: str
    text: SafeString
    is_published: bool
    is_long: bool


@dataclass(frozen=True)
class Score:
    """A line of the scoreboard; `place` and `points` are None where they are unknown."""

    strip: SeatStrip
    place: int | None
    points: int | None
    holdings: tuple[str, ...]
    note: str

    @property
    def state(self) -> str:
        """`own` for the viewer, `out` for who has left the contest, or empty."""
        return " ".join((*(["out"] if self.note else []), *(["own"] if self.strip.is_you else [])))


@dataclass(frozen=True)
class Turn:
    """A round, once for each time it is played: `state` is `over`, `open`, `skipped` or `later`."""

    number: int | None
    repeat: int
    state: str


@dataclass(frozen=True)
class Chapter:
    """A round of the content with the times it is played."""

    title: str
    turns: tuple[Turn, ...]
    is_current: bool


@dataclass(frozen=True)
class Asked:
    """The open round, the one that the host judges, or the next one."""

    number: int
    total: int
    title: str
    text: SafeString
    how: str
    status: str


@dataclass(frozen=True)
class Stage:
    """The context of a contest's templates. `own` are the viewer's secrets, each with a title and a text."""

    title: str
    marks: tuple[Mark, ...]
    counted: tuple[int, int] | None
    round: Asked | None
    face: ClockFace | None
    own: tuple[tuple[str, str], ...]
    revealed: Revealed | None
    scores: tuple[Score, ...]
    chapters: tuple[Chapter, ...]


def stage(match_state: MatchState, witness: Witness, seats: Sequence[SeatStrip]) -> Stage:
    """Return the context of the templates for a witness."""
    state: State = match_state.state
    is_running = match_state.lifecycle.status == "running"
    is_open = is_running and state.stage == "open"
    return Stage(
        title=state.options.content.title,
        marks=tuple(_mark(state, strip, is_open=is_open) for strip in seats),
        counted=(len(state.entries), len(forms.asked(state))) if is_open else None,
        round=_asked(state) if is_running and state.stage != "over" else None,
        face=_face(witness, seats) if is_open else None,
        own=tuple(_own(state, witness, seats)) if isinstance(witness, int) else (),
        revealed=_revealed(state, state.played[-1], seats) if state.played else None,
        scores=tuple(_scores(state, seats)),
        chapters=tuple(_chapters(state, is_over=match_state.lifecycle.over)),
    )


def _mark(state: State, strip: SeatStrip, *, is_open: bool) -> Mark:
    seat = strip.number
    if seat in state.resigned:
        return Mark(strip, "out", "resigned")
    if seat in state.left:
        return Mark(strip, "out", "out of the contest")
    if not is_open:
        return Mark(strip, "idle", strip.does or "in the contest")
    if seat in state.defaulted:
        return Mark(strip, "default", "out of time, the default counts")
    if seat in state.submitted:
        return Mark(strip, "in", "has submitted")
    if seat not in forms.asked(state):
        return Mark(strip, "idle", "isn't asked")
    if state.round.who == "in_turn" and not strip.on_turn:
        return Mark(strip, "idle", "comes later")
    return Mark(strip, "due", "hasn't submitted")


def _face(witness: Witness, seats: Sequence[SeatStrip]) -> ClockFace | None:
    """Return the viewer's clock, else the one that runs longest."""
    running = [strip for strip in seats if strip.clock and strip.clock.deadline]
    mine = [strip.clock for strip in running if strip.number == witness]
    faces = mine or [strip.clock for strip in running]
    return max((face for face in faces if face), key=lambda face: face.deadline or 0, default=None)


def _asked(state: State) -> Asked:
    content, place = state.options.content, place_of(state)
    of_round = state.rounds[place.index]
    is_hidden = of_round.part is not None
    status = {"judging": "The host judges the round.", "between": "The round is about to open."}.get(state.stage, "")
    return Asked(
        number=place.number,
        total=place.total,
        title=place.title,
        text=rendered_for_good("" if is_hidden else of_round.text),
        how="" if is_hidden else f"{payment(content, of_round)} {publication(of_round)}",
        status=status,
    )


def _own(state: State, seat: int, seats: Sequence[SeatStrip]) -> Iterator[tuple[str, str]]:
    """Yield the seat's role, team, partner and cards."""
    content = state.options.content
    names = [strip.name for strip in seats]
    role = next((it for it in content.roles if state.roles and it.name == state.roles[seat]), None)
    if role:
        companions = [names[other] for other in (state.companions[seat] or ())]
        with_whom = f" With you: {', '.join(companions)}." if companions else ""
        yield "Your role", f"{title_of(role)}. {role.text}{with_whom}".strip()
    if state.teams:
        team = state.teams[seat]
        mates = [names[other] for other in range(state.seats) if state.teams[other] == team and other != seat]
        yield "Your team", f"{content.teams[team].replace('_', ' ')}, with {', '.join(mates) or 'nobody'}"
    for pair in state.pairs:
        if seat in pair:
            partner = next(other for other in pair if other != seat)
            yield "Your partner in this round", names[partner]
    for deck in content.decks:
        yield f"Your {title_of(deck)}", ", ".join(state.cards_of(seat, deck.name)) or "no cards"


def _revealed(state: State, shown: Shown, seats: Sequence[SeatStrip]) -> Revealed:
    of_round, names = state.rounds[shown.index], [strip.name for strip in seats]
    open_entries = [entry for entry in shown.entries if entry.values is not None]
    is_published = bool(shown.totals or shown.choices) or (of_round.reveal == "everything" and bool(open_entries))
    unnamed = tuple(Entry(seat, values) for seat, values in enumerate(shown.choices))
    totals = shown.totals or (tuple(totals_of(of_round, unnamed or open_entries)) if is_published else ())
    numbers = _only_numbers(of_round, [entry.values or {} for entry in open_entries])
    most = max(map(abs, numbers), default=0)
    envelopes = tuple(
        Envelope(
            strip=seats[entry.seat],
            value=None if entry.values is None else spoken(of_round, entry.values, names) or "nothing",
            gain=shown.points[entry.seat] if shown.points else None,
            is_out=entry.seat in state.left,
            share=_share(_only_numbers(of_round, [entry.values or {}]), most),
        )
        for entry in sorted(shown.entries, key=lambda entry: entry.seat)
    )
    place = place_of(state, shown.number)
    return Revealed(
        number=place.number,
        total=place.total,
        title=place.title,
        charts=tuple(_charts(of_round, totals, names, with_numbers=not numbers)),
        envelopes=envelopes,
        choices=tuple(spoken(of_round, values, names) for values in shown.choices),
        answers=" or ".join(map(str, shown.answers)),
        text=rendered(str(shown.text)),
        is_published=is_published,
        is_long=len(of_round.fields) > 1,
    )


def _only_numbers(of_round: Round, submissions: Sequence[Values]) -> list[int]:
    """Return the numbers of a form whose only field is a number."""
    if len(of_round.fields) != 1 or not isinstance(of_round.fields[0], Number):
        return []
    return [it for values in submissions for it in values.values() if isinstance(it, int)]


def _share(numbers: list[int], most: int) -> int | None:
    return abs(numbers[0]) * 100 // most if numbers and most else None


def _charts(of_round: Round, totals: Sequence[Totals], names: Sequence[str], *, with_numbers: bool) -> Iterator[Chart]:
    fields = {field.name: field for field in of_round.fields}
    for one in totals:
        field = fields.get(one.field)
        if field is None or isinstance(field, Ranking | Text) or (isinstance(field, Number) and not with_numbers):
            continue
        counts = _ordered(field, {str(key): count for key, count in one.counts})
        longest = max((count for _, count in counts), default=0) or 1
        bars = tuple(Bar(_label(field, key, names), count, count * 100 // longest) for key, count in counts[:MOST_BARS])
        if bars:
            yield Chart(title_of(field), bars, one.total, len(counts) - len(bars))


def _ordered(field: AnyField, counts: Mapping[str, int]) -> list[tuple[str, int]]:
    """Return the counts of a field's values: options in the order of the content, numbers by size, else by count."""
    if isinstance(field, Choice):
        return [(option, counts.get(option, 0)) for option in field.options]
    if isinstance(field, Number):
        return sorted(counts.items(), key=lambda pair: int(pair[0]))
    return list(counts.items())


def _label(field: AnyField, key: str, names: Sequence[str]) -> str:
    return names[int(key)] if names_seats(field) else key


def _scores(state: State, seats: Sequence[SeatStrip]) -> Iterator[Score]:
    places = standing(state)
    if not places:
        for strip in seats:
            yield _score(state, strip, None)
    place = 1
    for group in places:
        for seat in group:
            yield _score(state, seats[seat], place)
        place += len(group)


def _score(state: State, strip: SeatStrip, place: int | None) -> Score:
    content, seat = state.options.content, strip.number
    holdings = [content.teams[state.teams[seat]].replace("_", " ")] if state.teams else []
    holdings += [
        f"{amount:,} {title_of(it)}" for it in content.balances if (amount := state.balances[it.name][seat]) is not None
    ]
    note = "resigned" if seat in state.resigned else "out" if seat in state.left else ""
    return Score(strip, place, state.points[seat], tuple(holdings), note)


def _chapters(state: State, *, is_over: bool) -> Iterator[Chapter]:
    played = {(shown.index, shown.repeat): shown.number for shown in state.played}
    now = (state.index, state.repeat) if state.repeat else (0, 0)
    for index, of_round in enumerate(state.rounds):
        turns = []
        for repeat in range(1, of_round.repeat + 1):
            number = played.get((index, repeat))
            if number is not None:
                turns.append(Turn(number, repeat, "over"))
            elif (index, repeat) == now and state.stage == "open" and not is_over:
                turns.append(Turn(state.number, repeat, "open"))
            elif is_over or (index, repeat) <= now:
                turns.append(Turn(None, repeat, "skipped"))
            else:
                turns.append(Turn(None, repeat, "later"))
        title = "A secret round" if of_round.part is not None else title_of(of_round)
        yield Chapter(title, tuple(turns), index == state.index and not is_over)
