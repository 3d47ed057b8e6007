"""A process in which much fails, with a canary in everything that might be reported."""

import asyncio
import logging
import os
import sys

import django

CANARY = "kestrel-4711-kestrel"


def main() -> None:
    django.setup()
    import sentry_sdk
    import structlog
    from django.test import Client
    from structlog.contextvars import bound_contextvars

    from matches.api import service_views

    def fail(*_: object, **__: object) -> None:
        hidden = CANARY
        raise LookupError(f"the hidden brick is {hidden}")

    service_views.readiness.parts = fail
    headers = {"host": "localhost", "x-request-id": "caller-1234", "authorization": f"Bearer {CANARY}"}
    client = Client(raise_request_exception=False, headers=headers)
    client.cookies["sessionid"] = CANARY
    client.get(f"/readyz?secret={CANARY}", headers={"referer": f"http://localhost/{CANARY}"})

    log, plain = structlog.get_logger("matches.secret"), logging.getLogger("somebody.else")
    with bound_contextvars(request_id="caller-5678", hand=CANARY):
        try:
            fail()
        except LookupError as error:
            log.exception("match_not_served", match="m-1", hand=CANARY)
            log.error("socket failed", exc_info=error, seed=CANARY)
            plain.exception("it is %s", CANARY)
            plain.error(f"it is {CANARY}")
    try:
        raise RuntimeError(CANARY) from LookupError(CANARY)
    except RuntimeError as error:
        error.add_note(CANARY)
        plain.exception("chained", extra={"hand": CANARY})

    async def leave() -> None:
        asyncio.get_running_loop().create_task(nobody_waits())
        await asyncio.sleep(0)

    async def nobody_waits() -> None:
        fail()

    asyncio.run(leave())
    sentry_sdk.flush(5)


if __name__ == "__main__":
    os.environ["CROUPIER_LOG"] = "json"
    main()
    sys.exit(0)
