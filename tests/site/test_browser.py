"""The public pages in a real browser: nothing blocked, nothing broken, nothing wider than the screen."""

from typing import Any

import pytest

PAGES = [
    "/",
    "/account/login/",
    "/account/signup/",
    "/account/password/reset/",
    "/rules/",
    "/rules/remi500/",
    "/rules/rami500/",
]


@pytest.mark.browser
@pytest.mark.parametrize("width", [320, 390, 1280])
def test_every_public_page_is_whole_at_every_width(live_server: Any, contexts: Any, width: int) -> None:
    page = contexts(width=width).new_page()
    complaints: list[str] = []
    # The policy's violations are errors on the console.
    page.on("console", lambda message: complaints.append(message.text) if message.type == "error" else None)
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.on("requestfailed", lambda request: complaints.append(f"{request.url} failed"))
    for address in PAGES:
        answer = page.goto(live_server.url + address, wait_until="networkidle")
        assert answer is not None and answer.status == 200, address
        assert complaints == [], address
        assert page.evaluate("document.documentElement.scrollWidth") <= width, f"{address} scrolls sideways at {width}"


@pytest.mark.browser
def test_the_public_pages_work_without_scripts(live_server: Any, contexts: Any) -> None:
    page = contexts(java_script_enabled=False).new_page()
    for address in PAGES:
        answer = page.goto(live_server.url + address)
        assert answer is not None and answer.status == 200, address
        assert page.locator("h1").is_visible(), address
