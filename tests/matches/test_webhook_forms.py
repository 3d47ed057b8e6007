"""Each form of a notice is one that its service takes, within its limits, and in which nobody's name does anything."""

import json

import pytest
from django.test import override_settings
from standardwebhooks import Webhook as StandardWebhook

from matches.notifications import notices
from matches.notifications.webhook_forms import written
from tests.api.guests import guest
from tests.matches.test_notices import Receiver, listening, receiver  # noqa: F401
from tests.table_setting import new_account

LINK = "https://croupier.example/m/1/"
WICKED = "@everyone <!channel> [a](http://evil.example) **b** & <http://evil.example|here> is to move."


def test_discord_text_contains_no_mention_and_no_link_from_a_name() -> None:
    body = json.loads(written("discord", WICKED, LINK, {}).content)
    assert body["allowed_mentions"] == {"parse": []} and body.keys() == {"content", "allowed_mentions"}
    assert body["content"].endswith(f" {LINK}")
    assert "[a](" not in body["content"] and "\\*\\*b\\*\\*" in body["content"]


def test_slack_text_escapes_control_characters_of_names() -> None:
    body = json.loads(written("slack", WICKED, LINK, {}).content)
    assert body["text"].endswith(f" <{LINK}>") and body["text"].count("<") == 1
    assert "&lt;!channel&gt;" in body["text"] and "**b** &amp; " in body["text"]


def test_ntfy_gets_the_sentence_as_its_body_and_the_link_beside_it() -> None:
    body = written("ntfy", "Ännchen is to move.", LINK, {})
    assert body.content.decode() == "Ännchen is to move."
    assert body.headers["Click"] == LINK and body.headers["Title"].isascii()
    assert "Click" not in written("ntfy", "x", "", {}).headers


@pytest.mark.parametrize("letter", ["x", "*", "&", "ä", "\N{GAME DIE}"])
@pytest.mark.parametrize(("form", "field", "most"), [("discord", "content", 2000), ("slack", "text", 4000)])
def test_text_for_a_service_is_cut_to_its_maximum_length(form: str, field: str, most: int, letter: str) -> None:
    text = json.loads(written(form, letter * 5000, LINK, {}).content)[field]
    assert len(text) <= most and LINK in text
    assert len(written("ntfy", letter * 5000, LINK, {}).content) <= 4096


@pytest.mark.parametrize("form", ["standard", "discord", "slack", "ntfy"])
def test_webhook_is_sent_in_its_form_and_signed(receiver: Receiver, form: str) -> None:  # noqa: F811
    me = guest()
    set_up = me.ask("PUT", "/me/webhook", json.dumps({"url": receiver.url, "form": form}).encode()).json
    assert me.get("/me/webhook").json["form"] == form
    with override_settings(PUBLIC_URL="https://croupier.example"):
        me.post("/me/webhook/test")
        assert notices.send_pending() == 1
    request = receiver.got[-1]
    text = request.body.decode() if form == "ntfy" else request.told["text" if form == "slack" else "content"]
    assert text == "Croupier can reach you here."
    if form != "ntfy":
        assert StandardWebhook(set_up["secret"]).verify(request.body, request.headers) == request.told


def test_webhook_without_a_form_has_the_standard_one() -> None:
    with listening() as it:
        me = new_account()
        notices.set_webhook(me, it.url)
        assert me.webhook.form == "standard"
        assert guest().ask("PUT", "/me/webhook", b'{"url": "https://a.example", "form": "irc"}').status == 400
