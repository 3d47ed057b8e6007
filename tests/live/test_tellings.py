"""How long it takes until all at a match were sent what has happened: measured, whoever reads slowly or leaves."""

import time
from uuid import uuid4

from matches.http import metrics
from matches.realtime.access import Credential
from matches.realtime.connections import Connection
from matches.realtime.tellings import _MOST_AT_ONCE, Tellings


def counted() -> float:
    return next(it.value for it in metrics.LAST_FRAME_SECONDS.collect()[0].samples if it.name.endswith("_count"))


def connections(count: int) -> list[Connection]:
    return [Connection(None, Credential()) for _ in range(count)]


def test_news_is_told_when_the_last_of_them_was_sent_it() -> None:
    tellings, (one, two) = Tellings(uuid4()), connections(2)
    before = counted()
    tellings.heard()
    tellings.found(tellings.looking(), [one, two])
    tellings.sent(one)
    tellings.sent(one)
    assert counted() == before
    tellings.sent(two)
    assert counted() == before + 1


def test_news_that_all_were_sent_at_once_is_told_at_once() -> None:
    tellings, before = Tellings(uuid4()), counted()
    tellings.heard()
    tellings.found(tellings.looking(), [], 2)
    assert counted() == before + 1


def test_it_counts_from_the_first_word_of_it() -> None:
    tellings = Tellings(uuid4())
    tellings.heard()
    time.sleep(0.002)
    tellings.heard()
    first = tellings.looking().heard_at
    assert time.perf_counter() - first >= 0.002
    assert tellings.looking().heard_at > first, "A look that nobody asked for begins by itself."


def test_one_who_reads_slowly_holds_up_two_pieces_of_news() -> None:
    tellings, (quick, slow) = Tellings(uuid4()), connections(2)
    before = counted()
    for _ in range(2):
        tellings.found(tellings.looking(), [quick, slow])
        tellings.sent(quick)
    assert counted() == before
    tellings.sent(slow)
    assert counted() == before + 2


def test_news_for_nobody_is_not_measured() -> None:
    tellings, before = Tellings(uuid4()), counted()
    tellings.found(tellings.looking(), [])
    assert counted() == before


def test_what_nobody_reads_is_let_go() -> None:
    tellings, (one,) = Tellings(uuid4()), connections(1)
    before = counted()
    for _ in range(3 * _MOST_AT_ONCE):
        tellings.found(tellings.looking(), [one])
    tellings.sent(one)
    assert counted() == before + _MOST_AT_ONCE
