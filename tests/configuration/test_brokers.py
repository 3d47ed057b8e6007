"""Each form of REDIS_URL and CROUPIER_BROKER_URL is read for every library, or refused without its password."""

import ssl

import pytest
from django.core.exceptions import ImproperlyConfigured

from config.deployment import brokers

HIDDEN = "hush-hush"
THREE = f"sentinel://:{HIDDEN}@one,two:26380,[::1]:5/house/3?sentinel_password=own"


@pytest.mark.parametrize(
    ("url", "meant"),
    [
        ("redis://:a%40b@127.0.0.1:6379/3", "redis://:a%40b@127.0.0.1:6379/3"),
        ("unix:///run/valkey.sock", "redis+socket:///run/valkey.sock?virtual_host=0"),
        ("unix:///run/v.sock?db=4&password=a%40b%2Fc", "redis+socket://:a%40b%2Fc@/run/v.sock?virtual_host=4"),
        ("unix:///run/v.sock?username=ada&password=a", "redis+socket://ada:a@/run/v.sock?virtual_host=0"),
        ("rediss://one/0?ssl_ca_certs=/ca.pem", "rediss://one/0"),
        ("amqp://one", "amqp://guest:guest@one:5672/"),
        ("amqps://a:b%2Fc@one,two:5/v%2Fh", "amqps://a:b%2Fc@one:5671/v%2Fh;amqps://a:b%2Fc@two:5/v%2Fh"),
        (
            THREE,
            f"sentinel://:{HIDDEN}@one:26379/3;sentinel://:{HIDDEN}@two:26380/3;sentinel://:{HIDDEN}@[::1]:5/3",
        ),
    ],
)
def test_broker_url_is_translated_for_celery(url: str, meant: str) -> None:
    assert brokers.queue("CROUPIER_BROKER_URL", url).url == meant


def test_sentinels_are_configured_for_redis_clients_and_the_channel_layer() -> None:
    settings_read = brokers.sentinels("REDIS_URL", THREE)
    assert settings_read is not None and HIDDEN not in repr(settings_read)
    assert settings_read.hosts == (("one", 26379), ("two", 26380), ("::1", 5))
    assert (settings_read.name, settings_read.login) == ("house", {"username": None, "password": HIDDEN, "db": 3})
    assert settings_read.own_login == {"username": None, "password": "own"}
    host = brokers.channel_host(THREE, settings_read)
    assert (host["master_name"], host["db"], host["sentinel_kwargs"]["password"]) == ("house", 3, "own")
    transport = brokers.queue("REDIS_URL", THREE).transport
    assert (transport["master_name"], transport["sentinel_kwargs"]["password"]) == ("house", "own")


@pytest.mark.parametrize("scheme", ["rediss://one/0", "sentinels://one/house", "amqps://one"])
def test_a_server_under_tls_has_to_show_who_it_is(scheme: str) -> None:
    tls = brokers.queue("CROUPIER_BROKER_URL", f"{scheme}?ssl_ca_certs=/ca.pem").tls
    assert tls is not None
    assert {key.removeprefix("ssl_"): value for key, value in tls.items()} | {"server_hostname": None} == {
        "cert_reqs": ssl.CERT_REQUIRED, "ca_certs": "/ca.pem", "server_hostname": None,
    }  # fmt: skip


def test_sentinels_and_the_master_are_asked_under_tls_both() -> None:
    settings_read = brokers.sentinels("REDIS_URL", "sentinels://one/house?ssl_ca_certs=/ca.pem")
    assert settings_read is not None
    for login in (settings_read.login, settings_read.own_login):
        assert (login["ssl"], login["ssl_ca_certs"]) == (True, "/ca.pem")


def test_queues_of_rabbitmq_outlive_a_node() -> None:
    assert brokers.queue("CROUPIER_BROKER_URL", "amqp://one").queue_arguments["x-queue-type"] == "quorum"
    assert brokers.queue("CROUPIER_BROKER_URL", "redis://one").queue_arguments == {}


@pytest.mark.parametrize(
    ("url", "sentence"),
    [
        (f"redis://:{HIDDEN}@one,two/0", "names one server. Where several stand ready name their Sentinels"),
        (f"redis://:{HIDDEN}@one:1,two:2/0", "names one server"),
        (f"redis://:{HIDDEN}@one:port/0", "is an address such as redis://"),
        ("redis://", "is an address such as redis://"),
        (f"{HIDDEN}", "is an address such as redis://"),
        (f"redis+cluster://{HIDDEN}@one", "is an address such as redis://"),
        (f"sentinel://:{HIDDEN}@one,two", "is an address such as sentinel://:password@one"),
        (f"sentinel://:{HIDDEN}@one:port/house", "is an address such as sentinel://"),
        (f"sentinel://:{HIDDEN}@/house", "is an address such as sentinel://"),
        (f"sentinel://:{HIDDEN}@one/house/zero", "is an address such as sentinel://"),
        (f"sentinel://:{HIDDEN}@one/house?master={HIDDEN}", "is an address such as sentinel://"),
        (f"amqp://:{HIDDEN}@one:port/", "is an address such as amqp://"),
        (f"amqps://:{HIDDEN}@one/?verify=no", "is an address such as amqp://"),
    ],
)
def test_invalid_broker_url_is_refused_without_its_password(url: str, sentence: str) -> None:
    with pytest.raises(ImproperlyConfigured) as refused:
        brokers.queue("CROUPIER_BROKER_URL", url)
    assert str(refused.value).startswith(f"CROUPIER_BROKER_URL {sentence}") and HIDDEN not in str(refused.value)
