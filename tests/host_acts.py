"""Every act of a host as its service is asked for it, and a service that only hears what it is asked."""

from typing import Any

import pytest

from matches import services
from matches.http.host_acts import HOST_ACTS
from tests.table_setting import BOT

ACTS = {act.name: act for act in HOST_ACTS}
ASKED: dict[str, dict[str, Any]] = {
    "start": {"reason": "All are here."},
    "pause": {"reason": "Tea."},
    "resume": {"reason": "Tea is over."},
    "extend": {"seat": 0, "seconds": 60, "reason": "Slow."},
    "void": {"reason": "It goes badly."},
    "adjudicate": {"winners": [0], "reason": "Mine."},
    "substitute": {"seat": 1, "player": BOT, "reason": "Away."},
    "seat_stand_in": {"seat": 1, "player": "dealer", "reason": "Away."},
    "end_stand_in": {"seat": 1, "reason": "Back."},
    "rewind": {"to_version": 4, "reason": "A better draw."},
    "rule": {"text": "That is how it is meant."},
    "answer_appeal": {"number": 1, "decision": "approved", "reason": "Quite so."},
    "approve": {"reason": "Well played."},
}


def heard_by(name: str, monkeypatch: pytest.MonkeyPatch, refusal: Exception | None = None) -> list[dict[str, Any]]:
    """What the service of this name is asked from now on; it does nothing, or refuses it."""
    heard: list[dict[str, Any]] = []

    def hear(**asked: Any) -> None:
        heard.append(asked)
        if refusal:
            raise refusal

    monkeypatch.setattr(services, name, hear)
    return heard
