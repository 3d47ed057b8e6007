"""The web process without shared frames of hubs: each socket reads the log and builds its own frame."""

import os

from config.server import serve


def main() -> None:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    import django

    django.setup()
    from matches.http.database_threads import reading
    from matches.realtime import frames, hub

    async def own_frame(group: hub.Group, version: int) -> frames.Frame | None:
        return await reading(frames.missed)(group.match_id, group.witness, version, group.version)

    hub.Group.after = own_frame  # type: ignore[method-assign, assignment]
    serve.main()


if __name__ == "__main__":
    main()
