"""Secrets are declared on the field, closed by default, and blanked for whoever may not know them."""

from dataclasses import replace
from typing import Annotated

import pytest

from games.kernel import HOST, SPECTATOR, Event, Public, audience_of, known_to, redact
from games.kernel.secrecy import UndeclaredSecrecy, secrecy_of
from tests.kernel.coin import GAME, Bowed, Called, CoinTossed, FlagFallen


class Whispered(Event, frozen=True):
    """Says nothing about `word`."""

    seat: Public[int]
    word: str


class Muttered(Event, frozen=True):
    """Says twice who knows `word`."""

    seat: Public[int]
    word: Annotated[str | None, known_to("seat"), known_to(HOST)]


class Mumbled(Event, frozen=True):
    """Two audiences in one event."""

    seat: Public[int]
    word: Annotated[str | None, known_to("seat")]
    tone: Annotated[str | None, known_to(HOST)]


class Misdirected(Event, frozen=True):
    """Names a field that isn't there."""

    word: Annotated[str | None, known_to("seat")]


class Misnamed(Event, frozen=True):
    """Names a field that holds no seat."""

    player: Public[str]
    word: Annotated[str | None, known_to("player")]


class Circular(Event, frozen=True):
    """The seat itself is a secret."""

    seat: Annotated[int | None, known_to("seat")]


class Shared(Event, frozen=True):
    """A secret of several seats."""

    seats: Public[tuple[int, ...]]
    word: Annotated[str | None, known_to("seats")]


class Unblankable(Event, frozen=True):
    """Can't hold None."""

    seat: Public[int]
    word: Annotated[str, known_to("seat")]


class Omitted(Event, frozen=True):
    """A default would leave the blanked field out of the JSON."""

    seat: Public[int]
    word: Annotated[str | None, known_to("seat")] = None


@pytest.mark.parametrize(
    "event_class", [Whispered, Muttered, Mumbled, Misdirected, Misnamed, Circular, Unblankable, Omitted]
)
def test_a_game_with_an_undeclared_secret_cannot_be_made(event_class: type[Event]) -> None:
    with pytest.raises(UndeclaredSecrecy, match=event_class.__name__):
        replace(GAME, events=(*GAME.events, event_class))


def test_a_seats_secret_is_blanked_for_all_but_the_seat_and_the_host() -> None:
    called = Called(0, "heads")
    assert redact(called, 0) is called and redact(called, HOST) is called
    assert redact(called, 1) == redact(called, SPECTATOR) == Called(0, None)


def test_the_hosts_secret_is_blanked_for_everyone_at_the_table() -> None:
    tossed = CoinTossed("heads")
    assert redact(tossed, HOST) is tossed
    assert redact(tossed, 0) == redact(tossed, 1) == redact(tossed, SPECTATOR) == CoinTossed(None)


def test_open_event_is_not_changed_by_redaction() -> None:
    for event in (Bowed(1, 2), FlagFallen(seat=0, clock="turn")):
        assert all(redact(event, witness) is event for witness in (0, 1, SPECTATOR, HOST))


def test_redaction_is_idempotent() -> None:
    for event in (Called(0, "heads"), CoinTossed("tails"), Bowed(1, 1)):
        for witness in (0, 1, SPECTATOR, HOST):
            assert redact(redact(event, witness), witness) == redact(event, witness)


def test_secret_of_several_seats_is_blanked_for_all_others() -> None:
    shared = Shared((1, 3), "hush")
    assert all(redact(shared, witness) is shared for witness in (1, 3, HOST))
    assert all(redact(shared, witness) == Shared((1, 3), None) for witness in (0, 2, SPECTATOR))
    assert all(redact(Shared((), "hush"), witness) == Shared((), None) for witness in (0, SPECTATOR))


def test_audience_of_an_event_is_whoever_sees_its_secret() -> None:
    assert audience_of(Called(1, "heads")) == 1
    assert audience_of(CoinTossed("heads")) is HOST
    assert audience_of(Bowed(1, 1)) is None
    assert audience_of(Shared((1, 3), "hush")) == (1, 3)


def test_secret_fields_are_known_by_their_names() -> None:
    assert secrecy_of(Called).fields == ("side",)
    assert secrecy_of(Bowed).fields == ()
