"""The service's role is made and corrected by an owner who may make roles and is no superuser."""

from collections.abc import Iterator
from urllib.parse import urlsplit, urlunsplit

import psycopg
import pytest
from django.conf import settings
from psycopg import sql

from config.deployment.database import ensure_role
from config.deployment.logins import Logins

OWNER, PASSWORD = "croupier_test_maker", "made for a test"


@pytest.fixture
def superuser() -> Iterator[psycopg.Connection]:
    with psycopg.connect(settings.DATABASE_LOGINS.owner, autocommit=True) as connection:
        yield connection


@pytest.fixture
def maker(superuser: psycopg.Connection) -> Iterator[psycopg.Connection]:
    """An owner as a managed Postgres gives one."""
    statement = sql.SQL("CREATE ROLE {} LOGIN CREATEROLE PASSWORD {}").format(
        sql.Identifier(OWNER), sql.Literal(PASSWORD)
    )
    superuser.execute(statement)
    parts = urlsplit(settings.DATABASE_LOGINS.owner)
    where = parts.netloc.rpartition("@")[2]
    url = urlunsplit(parts._replace(netloc=f"{OWNER}:{PASSWORD.replace(' ', '%20')}@{where}"))
    with psycopg.connect(url, autocommit=True) as connection:
        yield connection
    for role in (f"{OWNER}_app", OWNER):
        superuser.execute(sql.SQL("DROP ROLE IF EXISTS {}").format(sql.Identifier(role)))


def app(password: str) -> Logins:
    return Logins(app=f"postgresql://{OWNER}_app:{password}@127.0.0.1/croupier", owner=None, derived=True)


def rights(superuser: psycopg.Connection) -> tuple[bool, ...] | None:
    query = "SELECT rolcanlogin, rolsuper, rolcreatedb, rolcreaterole, rolbypassrls FROM pg_roles WHERE rolname = %s"
    return superuser.execute(query, [f"{OWNER}_app"]).fetchone()


def test_an_owner_who_may_make_roles_prepares_again_and_again(
    superuser: psycopg.Connection, maker: psycopg.Connection
) -> None:
    ensure_role(maker, app("first"))
    ensure_role(maker, app("second"))
    assert rights(superuser) == (True, False, False, False, False)


def test_rights_that_the_role_was_given_since_are_taken_away(
    superuser: psycopg.Connection, maker: psycopg.Connection
) -> None:
    ensure_role(maker, app("first"))
    superuser.execute(sql.SQL("ALTER ROLE {} SUPERUSER CREATEDB CREATEROLE").format(sql.Identifier(f"{OWNER}_app")))
    ensure_role(superuser, app("first"))
    assert rights(superuser) == (True, False, False, False, False)
