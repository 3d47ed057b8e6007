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
    # What a transaction sets for itself holds on the nodes as well: how long it waits for a lock.
    "citus.propagate_set_commands": "local",
    # A transaction that has changed a stream may change what every node has a copy of.
    "citus.multi_shard_modify_mode": "sequential",
}
"""The settings of the role in a distributed database."""


@dataclass(frozen=True)
class Logins:
    """The URLs of a database. `owner` is unknown to a process that only serves."""

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
    """The logins that the environment names; None where it names no database.

    DATABASE_URL alone is the owner's and the app role is derived from it, unless DATABASE_LOGIN=app says that
    it is the app's. Beside DATABASE_OWNER_URL it is the app's, as it stands.
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
    """The address of a read replica, by the app's own login whichever it names; None where the environment names
    none."""
    told = given("DATABASE_REPLICA_URL", env)
    if not told:
        return None
    return database_url.as_role(
        database_url.read("DATABASE_REPLICA_URL", told, writes=False), login.role, login.password
    )


def _url(name: str, env: Mapping[str, str]) -> str | None:
    """An address of a Postgres, where the environment names one."""
    told = given(name, env)
    return database_url.read(name, told) if told else None


def role_password(secret_key: str, role: str) -> str:
    """The password of a derived role: whoever holds the service's secret knows it, nobody need store it."""
    return hmac.new(secret_key.encode(), role.encode(), hashlib.sha256).hexdigest()


def _with_password(url: str, secret_key: str) -> str:
    """A login of the derived role needs no password in its URL."""
    named = database_url.parts(url)
    role = named.get("user", "")
    if "password" not in named and role == f"{named['dbname']}_app":
        return database_url.as_role(url, role, role_password(secret_key, role))
    return url
