"""Configuration of tracing: OpenTelemetry's settings name the receiver, the list of proxies the trusted senders."""

import asyncio
from typing import Any

import pytest
from django.core.exceptions import ImproperlyConfigured

from config import tracing
from config.server.tracecontext import TraceContext
from events import tracing as spans
from matches.http.request_ids import TRACEPARENT

TOLD = b"00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"


@pytest.fixture(autouse=True)
def nothing_set(monkeypatch: pytest.MonkeyPatch) -> Any:
    for name in ("OTEL_TRACES_EXPORTER", "OTEL_SDK_DISABLED", *tracing._ENDPOINTS, *tracing._PROTOCOLS):
        monkeypatch.delenv(name, raising=False)
    yield
    spans.switch_on(None)


@pytest.mark.parametrize(
    ("variables", "wanted"),
    [
        ({}, ""),
        ({"OTEL_EXPORTER_OTLP_ENDPOINT": "http://127.0.0.1:4318"}, "otlp"),
        ({"OTEL_EXPORTER_OTLP_TRACES_ENDPOINT": "http://127.0.0.1:4318/v1/traces"}, "otlp"),
        ({"OTEL_TRACES_EXPORTER": "otlp"}, "otlp"),
        ({"OTEL_TRACES_EXPORTER": "console"}, "console"),
        ({"OTEL_TRACES_EXPORTER": "none", "OTEL_EXPORTER_OTLP_ENDPOINT": "http://127.0.0.1:4318"}, ""),
        ({"OTEL_SDK_DISABLED": "true", "OTEL_EXPORTER_OTLP_ENDPOINT": "http://127.0.0.1:4318"}, ""),
    ],
)
def test_spans_are_recorded_where_that_is_asked_for(
    variables: dict[str, str], wanted: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    assert tracing.wanted() == wanted
    tracing.begin("0")
    assert spans.is_on() is bool(wanted)


@pytest.mark.parametrize(
    "variables",
    [{"OTEL_TRACES_EXPORTER": "zipkin"}, {"OTEL_EXPORTER_OTLP_PROTOCOL": "grpc", "OTEL_TRACES_EXPORTER": "otlp"}],
)
def test_invalid_tracing_setting_is_refused(variables: dict[str, str], monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    with pytest.raises(ImproperlyConfigured, match=next(iter(variables))):
        tracing.begin("0")


def test_a_missing_package_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OTEL_TRACES_EXPORTER", "otlp")
    monkeypatch.setitem(__import__("sys").modules, "opentelemetry.sdk.trace", None)
    with pytest.raises(ImproperlyConfigured, match="bin/setup --observability"):
        tracing.begin("0")


@pytest.mark.parametrize(
    ("sender", "headers", "believed"),
    [
        ("10.0.0.1", [(b"traceparent", TOLD)], TOLD.decode()),
        ("192.0.2.7", [(b"traceparent", TOLD)], None),
        # A client that claims, by the proxy's own header, to be the proxy.
        ("192.0.2.7", [(b"traceparent", TOLD), (b"x-forwarded-for", b"10.0.0.1")], None),
        ("10.0.0.1", [(b"traceparent", TOLD), (b"x-forwarded-for", b"192.0.2.7")], TOLD.decode()),
        ("10.0.0.1", [(b"traceparent", TOLD), (b"traceparent", TOLD)], None),
        ("10.0.0.1", [], None),
    ],
)
def test_only_a_proxy_is_believed_about_a_trace(sender: str, headers: list[Any], believed: str | None) -> None:
    scopes = []

    async def application(scope: Any, *_: Any) -> None:
        scopes.append(scope)

    scope = {"type": "http", "client": (sender, 4711), "scheme": "http", "headers": headers}
    asyncio.run(TraceContext(application, "10.0.0.1")(scope, None, None))
    assert scopes[0].get(TRACEPARENT) == believed
