"""An address of a Postgres is read as libpq reads it, with several hosts too, or refused with the cause."""

import psycopg
import pytest
from django.conf import settings
from django.core.exceptions import ImproperlyConfigured

from config.deployment import database_url, logins
from tests.table_setting import in_another_process

SECRET = "kq3Vw8_ZrT5yLm0XbN7hJc2PdF9sGaE4uQxR"
HOSTS = "postgresql://runner:p%40ss@db1:5432,db2:5433/house"


def test_several_hosts_are_connected_to_for_writing() -> None:
    read = database_url.read("DATABASE_URL", HOSTS)
    assert read.startswith(f"{HOSTS}?target_session_attrs=read-write&connect_timeout=2&keepalives_idle=5&")
    assert database_url.read("DATABASE_URL", read) == read, "It is handed from process to process."
    options = database_url.for_django(read, application_name="croupier")
    assert (options["HOST"], options["PORT"], options["USER"], options["PASSWORD"], options["NAME"]) == (
        "db1,db2", "5432,5433", "runner", "p@ss", "house",
    )  # fmt: skip
    assert options["OPTIONS"].items() >= {"target_session_attrs": "read-write", "application_name": "croupier"}.items()


@pytest.mark.parametrize(
    "url",
    [
        "postgresql://u:p@db1:5432,db2:5432/house?target_session_attrs=primary&connect_timeout=9&keepalives_idle=9"
        "&keepalives_interval=9&keepalives_count=9&tcp_user_timeout=9",
        "postgresql://u:p@db.example:5432/house?sslmode=verify-full",
        "postgres://u:p@[::1]:5432/house",
        "postgresql:///house?host=/var/run/postgresql",
    ],
)
def test_given_url_parameters_are_kept(url: str) -> None:
    assert database_url.read("DATABASE_URL", url) == url


def test_derived_login_is_used_for_all_hosts() -> None:
    of_all_hosts = logins.read({"DATABASE_URL": HOSTS}, SECRET)
    assert of_all_hosts is not None and of_all_hosts.owner is not None
    assert of_all_hosts.owner.startswith(HOSTS)
    where = database_url.parts(of_all_hosts.app)
    assert (where["host"], where["port"], where["user"]) == ("db1,db2", "5432,5433", "house_app")
    assert where["password"] == of_all_hosts.password == logins.role_password(SECRET, "house_app")
    alone = {"DATABASE_URL": "postgresql://house_app@db1,db2/house", "DATABASE_LOGIN": "app"}
    of_one_host = logins.read(alone, SECRET)
    assert of_one_host is not None and of_one_host.password == of_all_hosts.password


@pytest.mark.parametrize(
    ("url", "cause"),
    [
        ("postgresql://me:hunter2@db1:5432,db2:five/x", "A port is a number from 1 to 65535"),
        ("postgresql://me:hunter2@db1:1,db2:2,db3:70000/x", "A port is a number from 1 to 65535"),
        ("postgresql://me:hunter2@db1,,db3/x", "One of its hosts has no name"),
        ("postgresql://me:hunter2@db1,db2/x?port=1,2,3", "It names 2 hosts and 3 ports"),
        ("postgresql://me:hunter2@db1,db2/x?target_session_attrs=any", "target_session_attrs is read-write or primary"),
        ("postgresql://me:hunter2@db1/x?target_session_attrs=standby", "target_session_attrs is read-write or primary"),
        ("postgresql://me:hunter2@db1,db2/", "It names no database"),
        ("postgresql://me:hunter2@db1/x?sslmod=require", "libpq has no parameter sslmod"),
        ("postgresql://me:hunter2@@db1/x", "are written as %40"),
        ("postgresql://me:/hunter2@db1/x", "are written as %40"),
        ("postgresql://me:%hunter2@db1/x", "are written as %40"),
        ("postgresql://me:?hunter2=a/b@db1/x", "are written as %40"),
        ("postgresql://me:hunter2@db1,/run/x@db2/y", "are written as %40|no name"),
    ],
)
def test_a_wrong_form_is_refused_with_its_cause_and_without_its_password(url: str, cause: str) -> None:
    with pytest.raises(ImproperlyConfigured, match=f"DATABASE_URL is an address such as .*{cause}") as refused:
        database_url.read("DATABASE_URL", url)
    assert "hunter2" not in str(refused.value)


@pytest.mark.slow
def test_the_service_finds_its_database_behind_a_host_that_is_gone() -> None:
    named = database_url.parts(settings.DATABASE_LOGINS.app)
    host, port = named["host"], named["port"]
    url = settings.DATABASE_LOGINS.app.replace(f"@{host}:{port}/", f"@{host}:1,{host}:{port}/")
    asks = "from django.db import connection as it; it.ensure_connection()"
    shows = "print(it.connection.info.port, it.settings_dict['OPTIONS']['target_session_attrs'])"
    ended = in_another_process(f"{asks}; {shows}", DATABASE_URL=url, DATABASE_LOGIN="app")
    assert ended.stdout.split() == [port, "read-write"], ended.stderr


def test_a_host_that_takes_no_writes_is_passed_over() -> None:
    """A session of a server that says it is read-only, as a standby does, isn't taken."""
    standby = settings.DATABASE_LOGINS.app + "?options=-c%20default_transaction_read_only%3Don"
    psycopg.connect(standby).close()
    with pytest.raises(psycopg.OperationalError, match="read-only"):
        psycopg.connect(standby + "&target_session_attrs=read-write")
