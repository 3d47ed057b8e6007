"""Secrets in files: created at the first start, readable only by their owner, and without defaults."""

import contextlib
import os
import secrets
import sys
from collections.abc import Mapping
from pathlib import Path

from django.core.exceptions import ImproperlyConfigured

NAMES = ("secret_key", "seed_key", "checkpoint_key", "push_key")
SHORTEST = 32
# Values from documentation, templates and examples, which aren't secret.
KNOWN = ("change", "default", "django-insecure", "example", "insecure", "password", "secret", "test")


def ensure(folder: Path, names: tuple[str, ...] = NAMES) -> None:
    """Create the secrets that are missing."""
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    for name in names:
        keep(folder / name, secrets.token_urlsafe(48))


def keep(path: Path, value: str, mode: int = 0o600) -> str:
    """Store `value` unless the file exists; return the stored value."""
    if not path.exists():
        path.parent.mkdir(parents=True, exist_ok=True)
        unfinished = path.with_name(f"{path.name}.{os.getpid()}.part")
        descriptor = os.open(unfinished, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, mode)
        with os.fdopen(descriptor, "w") as stream:
            stream.write(value)
        # Creating the link fails if another start was faster, so that both use the same value.
        with contextlib.suppress(FileExistsError):
            path.hardlink_to(unfinished)
        unfinished.unlink()
    return path.read_text().strip()


def read(name: str, folder: Path, env: Mapping[str, str]) -> str:
    """Return the secret `name` from NAME, from the file NAME_FILE, or from the folder. Raise ImproperlyConfigured."""
    value = read_if_given(name, folder, env)
    if value is None:
        raise ImproperlyConfigured(
            f"No {name}: set {name.upper()}, {name.upper()}_FILE or CROUPIER_DATA, or start with bin/up."
        )
    return value


def read_if_given(name: str, folder: Path, env: Mapping[str, str]) -> str | None:
    """Return the secret `name` from the same places, or None."""
    value = given(name.upper(), env)
    path = folder / name
    if value is None and path.exists():
        value = path.read_text().strip()
    if value is not None:
        refuse_weak(name, value)
    return value


def given(variable: str, env: Mapping[str, str]) -> str | None:
    """Return a setting's value, or the content of the file that its *_FILE variable names. Raise
    ImproperlyConfigured."""
    if value := env.get(variable):
        return value
    if path := env.get(f"{variable}_FILE"):
        try:
            return Path(path).read_text().strip()
        except (OSError, UnicodeDecodeError) as error:
            raise ImproperlyConfigured(f"{variable}_FILE names {path}, which can't be read: {error}") from None
    return None


def refuse_weak(name: str, value: str) -> None:
    """Raise ImproperlyConfigured for a secret that is short, repetitive or publicly known."""
    if len(value) < SHORTEST:
        raise ImproperlyConfigured(f"{name} is shorter than {SHORTEST} characters.")
    if len(set(value)) < 10 or value.lower().startswith(KNOWN):
        raise ImproperlyConfigured(f"{name} is a known default, not a secret.")


def compose(folder: Path) -> None:
    """Create the secrets for docker-compose.yml, with one folder for each kind of reader."""
    ensure(folder / "app")
    owner = keep(folder / "owner" / "password", secrets.token_urlsafe(24), 0o444)
    keep(folder / "owner" / "url", f"postgresql://croupier:{owner}@postgres:5432/croupier")
    broker = keep(folder / "broker" / "password", secrets.token_urlsafe(24))
    keep(folder / "broker" / "valkey.conf", f"requirepass {broker}\nappendonly yes\n", 0o444)
    keep(folder / "app" / "redis_url", f"redis://:{broker}@valkey:6379/0")


def main() -> None:
    """The command `python -m config.secret_files`."""
    compose(Path(sys.argv[2])) if sys.argv[1:2] == ["--compose"] else ensure(Path(sys.argv[1]))
