"""Pages whose path holds a secret: what they ask for tells it to nobody, and their forms work."""

from playwright.sync_api import Request

from events import store
from matches.models import MailAddress
from matches.notifications import mail_addresses
from tests.web.site import Visitors, member


def test_requests_of_a_page_with_a_secret_name_no_path_and_its_form_is_taken(visitors: Visitors) -> None:
    account = member()
    MailAddress.objects.create(account=account, sealed=b"", digest=b"", verified_at=store.clock())
    token = mail_addresses.reset_token(account)
    page, requests = visitors.page(), list[Request]()
    page.on("request", lambda request: requests.append(request))
    page.goto(f"/new-password/{token}")
    page.locator("input[type=password]").fill("another long walk home")
    page.get_by_role("button", name="Set").click()
    page.wait_for_url("**/sign-in")
    headers = [it.all_headers() for it in requests]
    referrers = {it["referer"] for it in headers if "referer" in it}
    assert len(requests) > 2 and referrers
    assert not any(token in value for value in referrers)
