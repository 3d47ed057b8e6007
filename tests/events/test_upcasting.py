"""Old shapes of events, read in today's."""

import pytest

from events.upcasting import Fields, Upcasters


def two_steps() -> Upcasters:
    """`moved` has changed twice: `square` became `cell`, then `by` was added."""
    upcasters = Upcasters()

    @upcasters.step("moved", 1)
    def rename(fields: Fields) -> Fields:
        return {"cell": fields["square"]}

    @upcasters.step("moved", 2)
    def add(fields: Fields) -> Fields:
        return {**fields, "by": 0}

    return upcasters


def test_an_event_goes_through_every_step_from_where_it_was_stored() -> None:
    upcasters = two_steps()
    assert upcasters.upcast("moved", 1, {"square": "C3"}) == {"cell": "C3", "by": 0}
    assert upcasters.upcast("moved", 2, {"cell": "C3"}) == {"cell": "C3", "by": 0}
    assert upcasters.upcast("moved", 3, {"cell": "C3", "by": 1}) == {"cell": "C3", "by": 1}


def test_new_events_carry_the_number_after_the_last_step() -> None:
    upcasters = two_steps()
    assert upcasters.current("moved") == 3
    assert upcasters.current("placed") == 1
    assert [upcasters.is_current("moved", schema) for schema in (1, 2, 3)] == [False, False, True]
    assert upcasters.is_current("placed", 1)


def test_an_event_without_steps_is_left_alone() -> None:
    assert two_steps().upcast("placed", 1, {"square": "C3"}) == {"square": "C3"}


def test_two_steps_from_one_schema_are_refused() -> None:
    with pytest.raises(ValueError, match="moved has two steps from schema 1"):
        two_steps().step("moved", 1)(dict)
