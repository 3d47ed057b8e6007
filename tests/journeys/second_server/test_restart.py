"""A server that stops and starts again keeps its demo data and its matches."""

import signal

import pytest

from tests.journeys.house import House, figures
from tests.journeys.test_demo import matches_of


@pytest.mark.slow
def test_installation_restarts_quickly_with_all_its_data(inn: House) -> None:
    mira = inn.demo_guest("mira")
    match = mira.open("pyramid_poker", mira, "bot")
    accounts, match_count = inn.demo_passwords(), len(matches_of(mira))

    # What Ctrl-C sends.
    inn.stop(by=signal.SIGINT)
    took = figures["warm start"] = inn.start()

    assert took < 60
    assert mira.read(match)["status"] == "running"
    assert inn.demo_passwords() == accounts, "The demo is made once."
    assert len(matches_of(mira)) == match_count
