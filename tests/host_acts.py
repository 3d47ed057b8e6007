"""Every declared act of a host as its service is asked for it, and a service that only hears what it is asked."""

from collections.abc import Callable
from typing import Any

import pytest

from matches.domain.declared_host_acts import HOST_ACTS, HostAct
from matches.services import hosting, opening

ACTS = {act.name: act for act in HOST_ACTS}


def _asked(act: type[HostAct]) -> dict[str, Any]:
    """Return the arguments that the act's example gives to its service."""
    values = dict(act.example)
    if act.name == "rule":
        return {"text": values["reason"]}
    return {**values, "number": 1} if act.name == "answer_appeal" else values


ASKED = {act.name: _asked(act) for act in HOST_ACTS}


def service_of(name: str) -> Callable[..., Any]:
    """Return the service that carries out the act."""
    service: Callable[..., Any] = getattr(opening if name == "start" else hosting, name)
    return service


def heard_by(name: str, monkeypatch: pytest.MonkeyPatch, refusal: Exception | None = None) -> list[dict[str, Any]]:
    """Replace the service of this name; return the list of its calls' arguments that aren't None."""
    calls: list[dict[str, Any]] = []

    def hear(**details: Any) -> None:
        calls.append({key: it for key, it in details.items() if it is not None})
        if refusal:
            raise refusal

    monkeypatch.setattr(opening if name == "start" else hosting, name, hear)
    return calls
