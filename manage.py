#!/usr/bin/env python3
"""Django's command line, run with the checkout's own Python."""

import os
import sys
from importlib import import_module
from pathlib import Path

WITHOUT_SETTINGS = {
    "startgame": "matches.management.commands",
    "backup": "config.backups.management.commands",
    "restore": "config.backups.management.commands",
}
"""Packages of commands that need no settings, as the service may never have run here, or its database may be gone."""


def main() -> None:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    own = Path(__file__).resolve().parent / ".venv" / "bin" / "python"
    try:
        from django.core.management import execute_from_command_line
    except ImportError:
        if not own.exists() or Path(sys.prefix) == own.parent.parent:
            sys.exit("Django is not installed: run bin/setup.")
        os.execv(own, [str(own), *sys.argv])  # noqa: S606
    if sys.argv[1:2] and (package := WITHOUT_SETTINGS.get(sys.argv[1])):
        import_module(f"{package}.{sys.argv[1]}").Command().run_from_argv(sys.argv)
        return
    execute_from_command_line(sys.argv)


if __name__ == "__main__":
    main()
