"""The two logins of the database, and the settings of the role that the service runs as."""

import hashlib
import hmac
from collections.abc import Mapping
from dataclasses import dataclass
from typing import LiteralString

from config.deployment import database_url
from config.deployment.secret_files import given

TIMEOUTS = {"lock_timeout": "5s", "statement_timeout": "30s", "idle_in_transaction_session_timeout": "30s"}
CITUS_SETTINGS: dict[LiteralString, str] = {
    # The nodes also apply what a transaction sets for itself, such as its lock timeout.
    "citus.propagate_set_commands": "local",
    # A transaction that has changed a stream may also change replicated tables.
    "citus.multi_shard_modify_mode": "sequential",
}
"""Settings of the role in a distributed database."""


@dataclass(frozen=True)
class Logins:
    """The URLs of a database. `owner` is None in a process that only serves."""

    app: str
    owner: str | None
    derived: bool

    @property
    def role(self) -> str:
        return database_url.parts(self.app).get("user", "")

    @property
    def password(self) -> str:
        return database_url.parts(self.app).get("password", "")


def read(env: Mapping[str, str], secret_key: str) -> Logins | None:
    """Return the logins in the environment; None if it names no database.

    DATABASE_URL alone is the owner's, and the app role is derived from it, unless DATABASE_LOGIN=app marks it as the
    app's. With DATABASE_OWNER_URL, it is the app's.
    """
    url, owner = _url("DATABASE_URL", env), _url("DATABASE_OWNER_URL", env)
    if url and (owner or env.get("DATABASE_LOGIN") == "app"):
        return Logins(app=_with_password(url, secret_key), owner=owner, derived=False)
    if alone := owner or url:
        role = f"{database_url.parts(alone)['dbname']}_app"
        password = role_password(secret_key, role)
        return Logins(app=database_url.as_role(alone, role, password), owner=alone, derived=True)
    return None


def replica(env: Mapping[str, str], login: Logins) -> str | None:
    """Return the URL of a read replica with the app's login; None if the environment names none."""
    url = given("DATABASE_REPLICA_URL", env)
    if not url:
        return None
    return database_url.as_role(
        database_url.read("DATABASE_REPLICA_URL", url, writes=False), login.role, login.password
    )


def _url(name: str, env: Mapping[str, str]) -> str | None:
    """Return the validated URL in the environment, or None."""
    url = given(name, env)
    return database_url.read(name, url) if url else None


def role_password(secret_key: str, role: str) -> str:
    """Return the password of a derived role. It follows from the service's secret, so it needn't be stored."""
    return hmac.new(secret_key.encode(), role.encode(), hashlib.sha256).hexdigest()


def _with_password(url: str, secret_key: str) -> str:
    """Add the password to a URL of the derived role that has none."""
    parameters = database_url.parts(url)
    role = parameters.get("user", "")
    if "password" not in parameters and role == f"{parameters['dbname']}_app":
        return database_url.as_role(url, role, role_password(secret_key, role))
    return url
