"""The web process as it would be without hubs' frames: each socket reads the log and has its frame made for itself."""

import os

from config.server import serve


def main() -> None:
    """Serve, with the one difference."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    import django

    django.setup()
    from matches.http.database_threads import looking
    from matches.realtime import frames, hub

    async def made_for_one(group: hub.Group, version: int) -> frames.Frame | None:
        return await looking(frames.missed)(group.match_id, group.witness, version, group.version)

    hub.Group.after = made_for_one  # type: ignore[method-assign, assignment]
    serve.main()


if __name__ == "__main__":
    main()
