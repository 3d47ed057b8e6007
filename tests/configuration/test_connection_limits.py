"""An address holds so many connections; those that wait for their client make room for others, the busy ones never."""

from config.server.connection_limits import ConnectionLimits

MANY = 1000


class Line:
    """A connection that can be cut."""

    def __init__(self, limits: ConnectionLimits, address: str, *, capped: bool = True) -> None:
        self.cut = False
        self.limits = limits
        self.is_in = limits.admit(self, address, capped=capped)
        self.wait()

    def wait(self) -> None:
        self.limits.wait(self)

    def abort(self) -> None:
        self.cut = True


def lines(limits: ConnectionLimits, address: str, count: int) -> list[Line]:
    return [Line(limits, address) for _ in range(count)]


def test_the_one_that_has_waited_longest_makes_room_for_the_next_of_its_address() -> None:
    limits = ConnectionLimits(per_address=3, in_all=MANY, most_bytes=MANY)
    first, second, _ = crowd = lines(limits, "a", 3)
    first.wait()
    assert Line(limits, "a").is_in and Line(limits, "a").is_in
    assert [line.cut for line in crowd] == [True, True, False]
    assert second.cut


def test_one_whose_answer_is_due_is_never_cut_and_waits_anew_afterwards() -> None:
    limits = ConnectionLimits(per_address=3, in_all=MANY, most_bytes=MANY)
    asking, *slow = lines(limits, "a", 3)
    limits.work(asking)
    lines(limits, "a", 20)
    assert not asking.cut and all(line.cut for line in slow)
    asking.wait()
    lines(limits, "a", 2)
    assert not asking.cut, "It is the last to have begun to wait."
    Line(limits, "a")
    assert asking.cut


def test_an_address_whose_connections_are_all_busy_gets_no_more_and_others_do() -> None:
    limits = ConnectionLimits(per_address=2, in_all=MANY, most_bytes=MANY)
    busy = lines(limits, "a", 2)
    for line in busy:
        limits.work(line)
    assert not Line(limits, "a").is_in
    assert Line(limits, "b").is_in
    limits.remove(busy[0])
    assert Line(limits, "a").is_in
    assert not any(line.cut for line in busy)


def test_full_server_replaces_a_waiting_connection_of_the_largest_address() -> None:
    limits = ConnectionLimits(per_address=MANY, in_all=10, most_bytes=MANY)
    few, many = lines(limits, "few", 2), lines(limits, "many", 8)
    assert Line(limits, "new").is_in
    assert many[0].cut and not any(line.cut for line in few)
    crowds = [lines(limits, f"bot {number}", 5) for number in range(2)]
    assert not any(line.cut for line in few), "Two are fewer than any crowd's."
    assert sum(line.cut for crowd in crowds for line in crowd) > 0


def test_busy_server_admits_one_more_connection_to_refuse_it() -> None:
    limits = ConnectionLimits(per_address=MANY, in_all=3, most_bytes=MANY)
    for line in lines(limits, "a", 3):
        limits.work(line)
    assert Line(limits, "b").is_in
    assert Line(limits, "c").is_in


def test_proxy_has_no_limit_per_address() -> None:
    limits = ConnectionLimits(per_address=2, in_all=MANY, most_bytes=MANY)
    assert not any(line.cut for line in [Line(limits, "proxy", capped=False) for _ in range(50)])


def test_ended_connections_leave_nothing_in_memory() -> None:
    limits = ConnectionLimits(per_address=3, in_all=MANY, most_bytes=MANY)
    for line in lines(limits, "a", 10):
        limits.remove(line)
        limits.work(line)
        limits.remove(line)
        line.wait()
        limits.hold(line, 9)
    assert not (limits._address_of or limits._count or limits._waiting or limits._bytes or limits.bytes_held)


def test_the_largest_connection_of_the_largest_address_is_closed_above_the_limit() -> None:
    limits = ConnectionLimits(per_address=MANY, in_all=MANY, most_bytes=100)
    (large,), many = lines(limits, "one", 1), lines(limits, "many", 6)
    limits.hold(large, 30)
    for number, line in enumerate(many[:5], start=10):
        limits.hold(line, number)
    assert not any(line.cut for line in [large, *many]) and limits.bytes_held == 90
    limits.hold(many[5], 11)
    assert [line.cut for line in many] == [False] * 4 + [True, False] and not large.cut
    assert limits.bytes_held == 87


def test_bytes_count_once_and_no_longer_than_they_are_held() -> None:
    limits = ConnectionLimits(per_address=MANY, in_all=MANY, most_bytes=100)
    first, second = lines(limits, "a", 2)
    for size in (60, 90, 10, 90):
        limits.hold(first, size)
    limits.hold(first, 0)
    limits.hold(second, 70)
    assert limits.bytes_held == 70
    limits.remove(second)
    assert limits.bytes_held == 0 and not (first.cut or second.cut)
