"""Export of spans by OpenTelemetry's protocol, if the standard OTEL_* variables name a destination."""

import os
from importlib import import_module
from typing import Any

from django.core.exceptions import ImproperlyConfigured

from events import tracing

_ENDPOINTS = ("OTEL_EXPORTER_OTLP_ENDPOINT", "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT")
_PROTOCOLS = ("OTEL_EXPORTER_OTLP_TRACES_PROTOCOL", "OTEL_EXPORTER_OTLP_PROTOCOL")
_MISSING = "OTEL_* settings ask for traces, and opentelemetry isn't installed: run bin/setup --observability."


def wanted() -> str:
    """Return the exporter of spans: `otlp`, `console`, or empty for none. Raise ImproperlyConfigured."""
    exporter = os.environ.get("OTEL_TRACES_EXPORTER", "").strip().lower()
    if exporter and exporter not in ("otlp", "console", "none"):
        raise ImproperlyConfigured(f"OTEL_TRACES_EXPORTER is otlp, console or none, not {exporter!r}.")
    protocol = next((value for name in _PROTOCOLS if (value := os.environ.get(name))), "http/protobuf")
    if protocol != "http/protobuf":
        raise ImproperlyConfigured(f"OTEL_EXPORTER_OTLP_PROTOCOL is http/protobuf, not {protocol!r}.")
    if os.environ.get("OTEL_SDK_DISABLED", "").strip().lower() == "true" or exporter == "none":
        return ""
    return exporter or ("otlp" if any(map(os.environ.get, _ENDPOINTS)) else "")


def begin(version: str) -> None:
    """Record spans in this process from now on, if the environment asks for it. Raise ImproperlyConfigured."""
    exporter = wanted()
    if not exporter:
        return
    try:
        sdk = import_module("opentelemetry.sdk.trace")
        resources = import_module("opentelemetry.sdk.resources")
        export = import_module("opentelemetry.sdk.trace.export")
        sending = import_module("opentelemetry.exporter.otlp.proto.http.trace_exporter")
    except ImportError as error:
        raise ImproperlyConfigured(_MISSING) from error
    attributes = {"service.version": version}
    if "OTEL_SERVICE_NAME" not in os.environ and "service.name" not in os.environ.get("OTEL_RESOURCE_ATTRIBUTES", ""):
        attributes["service.name"] = "croupier"
    provider: Any = sdk.TracerProvider(resource=resources.Resource.create(attributes))
    sender = sending.OTLPSpanExporter() if exporter == "otlp" else export.ConsoleSpanExporter()
    provider.add_span_processor(export.BatchSpanProcessor(sender))
    tracing.switch_on(provider.get_tracer("croupier", version))
