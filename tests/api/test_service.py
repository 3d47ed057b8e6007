"""Alive, ready, figures."""

from collections.abc import Iterator

import pytest
import redis
from django.conf import settings
from django.db import DatabaseError
from django.test import Client, override_settings

from events import outbox
from matches import heartbeat, metrics
from matches.api import readiness

client = Client(headers={"host": "localhost"})


@pytest.fixture
def worker() -> Iterator[None]:
    """A worker that has just given a sign of life."""
    heartbeat.beat(0.0)
    yield
    with redis.Redis.from_url(settings.REDIS_URL) as server:
        server.delete(heartbeat.KEY)


def test_alive_asks_nobody(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(readiness, "parts", lambda: pytest.fail("asked"))
    assert client.get("/healthz").json() == {"ok": True}


def test_ready_tells_each_part(worker: None) -> None:
    response = client.get("/readyz")
    assert response.status_code == 200
    parts = {"database": True, "migrated": True, "broker": True, "worker": True}
    assert response.json() == {"ok": True, "parts": parts}


def test_play_needs_no_worker() -> None:
    response = client.get("/readyz")
    assert (response.status_code, response.json()["parts"]["worker"]) == (200, False)


def test_play_needs_no_broker() -> None:
    with override_settings(REDIS_URL="redis://127.0.0.1:1/0"):
        response = client.get("/readyz")
    assert (response.status_code, response.json()["parts"]["broker"]) == (200, False)


def test_play_needs_the_database(monkeypatch: pytest.MonkeyPatch) -> None:
    def ask() -> bool:
        raise DatabaseError

    monkeypatch.setattr(readiness, "_ask_database", ask)
    response = client.get("/readyz")
    assert response.status_code == 503
    assert response.json()["ok"] is False


def test_figures_are_told() -> None:
    metrics.accepted("pentagram")
    metrics.refused("pentagram", "not_now")
    client.get("/healthz")
    text = client.get("/metrics").content.decode()
    assert 'croupier_commands_total{game="pentagram",result="accepted"}' in text
    assert 'croupier_commands_total{game="pentagram",result="not_now"}' in text
    assert 'croupier_requests_total{method="GET",route="healthz",status="200"}' in text
    assert 'croupier_request_seconds_bucket{le="0.05",method="GET",route="healthz"}' in text
    for name in ("results", *outbox.names()):
        assert f'croupier_dirty_streams{{projection="{name}"}}' in text
        assert f'croupier_dirty_seconds{{projection="{name}"}}' in text
    assert "process_cpu_seconds_total" in text


def test_made_up_addresses_make_no_series() -> None:
    client.get("/api/v1/made/up/nowhere")
    assert "nowhere" not in client.get("/metrics").content.decode()


@pytest.mark.parametrize(("address", "status"), [("127.0.0.9", 200), ("::1", 200), ("192.0.2.1", 404), ("", 404)])
def test_figures_are_for_some_networks(address: str, status: int) -> None:
    assert client.get("/metrics", REMOTE_ADDR=address).status_code == status


def test_figures_come_without_a_database(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail() -> None:
        raise DatabaseError

    monkeypatch.setattr("events.projections.lag", fail)
    response = client.get("/metrics")
    assert response.status_code == 200
    assert b"croupier_dirty_streams" not in response.content
