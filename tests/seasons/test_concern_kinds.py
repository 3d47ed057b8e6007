"""The kinds of concerns are listed where notices and calls are made, stored and documented: all lists agree."""

from typing import get_args

from matches.api import webhook_views
from matches.domain.calls import KINDS, TABLE
from matches.models import Notice
from matches.notifications.call_delivery import _ACTS
from matches.seasons import calls
from matches.seasons.domain.concerns import Concern

CALLED_WHILE_THEY_WAIT = {"decision_awaited", "official"}


def test_every_concern_has_a_kind_of_call() -> None:
    assert calls._KINDS.keys() | CALLED_WHILE_THEY_WAIT == set(get_args(Concern))
    assert set(calls._KINDS.values()) <= set(KINDS)


def test_every_kind_of_call_has_its_texts() -> None:
    assert set(TABLE) == {*KINDS, "test"}
    assert set(_ACTS) <= set(KINDS)


def test_every_concern_is_a_kind_of_notice() -> None:
    assert set(get_args(Concern)) <= set(Notice.Kind.values)


def test_api_documents_every_kind_of_notice() -> None:
    assert set(get_args(webhook_views.Kind)) == set(Notice.Kind.values)
