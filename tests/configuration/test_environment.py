"""Reading of environment variables: an invalid value is refused in a sentence that names the variable."""

from pathlib import Path

import pytest
from django.core.exceptions import ImproperlyConfigured

from config.deployment import mail
from config.deployment.environment import flag, origins, seconds, whole, words
from config.runner.process import last_lines

NAME = "CROUPIER_TRIED"


@pytest.mark.parametrize(("value", "meant"), [("1", True), (" Yes ", True), ("off", False), ("", False)])
def test_a_switch_is_on_or_off(monkeypatch: pytest.MonkeyPatch, value: str, meant: bool) -> None:
    monkeypatch.setenv(NAME, value)
    assert flag(NAME, default=not meant) is meant


def test_omitted_variable_has_its_default(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(NAME, raising=False)
    assert (flag(NAME, default=True), words(NAME, "a, b"), whole(NAME, 8), seconds(NAME, 0.5)) == (
        True,
        ["a", "b"],
        8,
        0.5,
    )


def test_origins_are_read(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(NAME, "https://bots.example.org, http://127.0.0.1:5173")
    assert origins(NAME) == ["https://bots.example.org", "http://127.0.0.1:5173"]


@pytest.mark.parametrize(
    "value", ["*", "null", "bots.example.org", "https://", "https://a.example/", "ftp://a.example"]
)
def test_invalid_origin_is_refused(monkeypatch: pytest.MonkeyPatch, value: str) -> None:
    monkeypatch.setenv(NAME, value)
    with pytest.raises(ImproperlyConfigured, match=f"{NAME} is origins such as"):
        origins(NAME)


def test_an_empty_number_is_the_default(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(NAME, "")
    assert (whole(NAME, 8), seconds(NAME, 15)) == (8, 15)


@pytest.mark.parametrize("value", ["eight", "0", "-3", "8.5", "1e3"])
def test_invalid_whole_number_is_refused(monkeypatch: pytest.MonkeyPatch, value: str) -> None:
    monkeypatch.setenv(NAME, value)
    with pytest.raises(ImproperlyConfigured, match=f"{NAME} is a whole number, 1 or more, not '{value}'"):
        whole(NAME, 8)


@pytest.mark.parametrize("value", ["soon", "0", "-1", "inf", "nan"])
def test_invalid_number_of_seconds_is_refused(monkeypatch: pytest.MonkeyPatch, value: str) -> None:
    monkeypatch.setenv(NAME, value)
    with pytest.raises(ImproperlyConfigured, match=f"{NAME} is a number of seconds above 0"):
        seconds(NAME, 15)


def test_invalid_switch_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(NAME, "perhaps")
    with pytest.raises(ImproperlyConfigured, match=f"{NAME} is on or off"):
        flag(NAME)


def test_failed_process_reports_the_bad_setting(tmp_path: Path) -> None:
    log = tmp_path / "prepare.log"
    log.write_text("Traceback\n  File x\ndjango.core.exceptions.ImproperlyConfigured: DATABASE_POOL is no number.\n")
    assert last_lines(log) == "DATABASE_POOL is no number."
    log.write_text("one\n\ntwo\n")
    assert last_lines(log) == "one\ntwo"


def test_long_log_line_is_cut_in_the_middle(tmp_path: Path) -> None:
    log = tmp_path / "worker.log"
    log.write_text(f'{{"event": "It broke", "exception": "{"frame " * 1000}ConnectionError: refused"}}\n')
    text = last_lines(log)
    assert text.startswith('{"event": "It broke"')
    assert text.endswith('ConnectionError: refused"}')
    assert len(text) < 1000


def test_letters_leave_by_a_server_or_into_files() -> None:
    assert mail.backend(None, "/data/mail")["EMAIL_FILE_PATH"] == "/data/mail"
    options = mail.backend("smtp://me%40here:s%2Fx@mail.example.org", "")
    assert (options["EMAIL_HOST"], options["EMAIL_PORT"], options["EMAIL_USE_TLS"], options["EMAIL_USE_SSL"]) == (
        "mail.example.org", 587, True, False,
    )  # fmt: skip
    assert (options["EMAIL_HOST_USER"], options["EMAIL_HOST_PASSWORD"]) == ("me@here", "s/x")
    assert mail.backend("smtps://mail.example.org", "")["EMAIL_PORT"] == 465
    assert not mail.backend("smtp+plain://127.0.0.1:1025", "")["EMAIL_USE_TLS"]


@pytest.mark.parametrize(
    "url", ["mail.example.org", "http://mail.example.org", "smtp://", "smtp://a:b@h:x", "smtp://h/x"]
)
def test_invalid_mail_url_is_refused_without_its_password(url: str) -> None:
    with pytest.raises(ImproperlyConfigured, match="CROUPIER_SMTP") as refused:
        mail.backend(url, "")
    assert "a:b" not in str(refused.value)
