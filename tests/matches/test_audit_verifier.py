"""The standalone verifier's table of games is the games' own, so that a game which is added needs no line in it."""

from dataclasses import replace
from types import ModuleType

import pytest
from django.test import RequestFactory

from games import catalogue
from matches import audit_verifier, croupier_verify
from matches.api import audit_views
from tests.matches.test_audit import finished, parsed, rechain, written


def test_the_verifier_in_the_release_has_todays_table() -> None:
    """Run `python -m matches.audit_verifier` where it has not."""
    text = audit_verifier.PATH.read_text(encoding="utf-8")
    assert audit_verifier.written(text) == text
    assert audit_verifier.games() == croupier_verify.GAMES


def test_a_sixth_game_verifies_with_the_verifier_that_is_served_then(monkeypatch: pytest.MonkeyPatch) -> None:
    sixth = replace(catalogue["pyramid_poker"], slug="sixth")
    lines = parsed(finished("pyramid_poker"))
    lines[0]["game"] = lines[1]["public"]["game"] = "sixth"
    lines[0]["checkpoint"] = False
    del lines[1 + lines[0]["version"] + lines[0]["draws"] :]
    rechain(lines, 1)
    with pytest.raises(croupier_verify.Bad, match="what 'sixth' draws isn't known here"):
        croupier_verify.verify(written(lines))
    monkeypatch.setattr(audit_verifier, "catalogue", {**catalogue, "sixth": sixth})
    monkeypatch.setattr(audit_verifier, "source", audit_verifier.source.__wrapped__)
    served = ModuleType("served")
    exec(audit_views.verifier(RequestFactory().get("/")).content, served.__dict__)  # noqa: S102  our own file
    assert served.verify(written(lines))["draws"] == 30
    del lines[-1]
    lines[0]["draws"] -= 1
    with pytest.raises(served.Bad, match="what it tells was not drawn"):
        served.verify(written(lines))
