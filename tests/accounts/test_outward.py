"""Addresses that players give: none leads into the house, and none keeps the site waiting."""

from __future__ import annotations

import ipaddress
import socket
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from accounts.people.messages import outward
from accounts.people.messages.outward import BadAddress, Unreachable, checked, is_public, post
from tests.accounts.far import NAME, Far, certificate, far_away, resolves


@pytest.fixture
def far(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, settings: object) -> Iterator[Far]:
    settings.OUTWARD_LOOPBACK = True  # type: ignore[attr-defined]
    with far_away(tmp_path, monkeypatch) as server:
        yield server


def send(url: str, seconds: float = 3) -> outward.Answer:
    return post(url, b"{}", {"Content-Type": "application/json"}, seconds=seconds)


# -- what may be given ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("url", "place"),
    [
        ("https://hooks.slack.com/services/T0/B0/x", ("hooks.slack.com", 443, "/services/T0/B0/x")),
        ("https://chat.example.org:8065/hooks/a?b=c#d", ("chat.example.org", 8065, "/hooks/a?b=c")),
        ("HTTPS://Chat.Example.org", ("chat.example.org", 443, "/")),
        ("https://93.184.215.14/x", ("93.184.215.14", 443, "/x")),
        ("https://chat.example.org:443/x", ("chat.example.org", 443, "/x")),
        ("https://chat.example.org:1024/x", ("chat.example.org", 1024, "/x")),
        ("https://[2606:2800:21f::1]/x", ("2606:2800:21f::1", 443, "/x")),
    ],
)
def test_an_address_on_the_internet_may_be_given(url: str, place: tuple[str, int, str]) -> None:
    assert checked(url) == place


@pytest.mark.parametrize("port", [1, 22, 25, 80, 442, 444, 465, 1023])
def test_what_else_listens_at_the_low_ports_is_not_spoken_to(port: int) -> None:
    with pytest.raises(BadAddress) as refused:
        checked(f"https://chat.example.org:{port}/x")
    assert refused.value.code == "port"


@pytest.mark.parametrize(
    "url",
    [
        "", "https://", "https:///x", "hook", "http://chat.example.org/", "ftp://chat.example.org/", "file:///etc/passwd",
        "https://ana:secret@chat.example.org/", "https://chat.example.org@10.0.0.1/", "https://chat.example.org:0/",
        "https://chat.example.org:99999/", "https://chat.example.org:x/", "https://chat .example.org/", "https://a\\b.org/",
        "https://chat.example.org/\r\nHost: x", "https://chat.example.org/\x00", "https://localhost/", "https://intranet/",
        "https://-a.example.org/", "https://a..example.org/", "https://exämple.org/", "https://[::1/", "https://[zz]/",
        "https://chat.example.org/" + "a" * 1000, "https://chat.example.999/",
    ],
)  # fmt: skip
def test_what_is_no_address_is_refused(url: str) -> None:
    with pytest.raises(BadAddress) as refused:
        checked(url)
    assert refused.value.code == "address"


@pytest.mark.parametrize(
    "host",
    [
        "127.0.0.1", "127.1", "2130706433", "0x7f000001", "0x7f.1", "0177.0.0.1", "017700000001", "0", "0.0.0.0",
        "10.0.0.1", "172.16.0.1", "192.168.1.1", "169.254.169.254", "100.64.0.1", "224.0.0.1", "240.0.0.1",
        "255.255.255.255", "192.0.2.1", "198.18.0.1", "[::]", "[::1]", "[::ffff:127.0.0.1]", "[::ffff:10.0.0.1]",
        "[::ffff:a9fe:a9fe]", "[64:ff9b::7f00:1]", "[64:ff9b::a9fe:a9fe]", "[2002:7f00:1::]", "[2002:a00:1::]",
        "[2001:0:5ef5:79fb::1]", "[fe80::1]", "[fec0::1]", "[fc00::1]", "[ff02::1]", "[2001:db8::1]", "[::127.0.0.1]",
        "[fe80::1%25lo]",
    ],
)  # fmt: skip
def test_a_machine_of_the_house_is_refused_however_it_is_written(host: str) -> None:
    with pytest.raises(BadAddress):
        checked(f"https://{host}/")


@given(st.ip_addresses(v=4), st.sampled_from(["{}", "::ffff:{}", "64:ff9b::{}"]))
def test_an_address_counts_the_same_whatever_it_is_wrapped_in(inner: ipaddress.IPv4Address, wrap: str) -> None:
    assert is_public(ipaddress.ip_address(wrap.format(inner))) == is_public(inner)


@given(st.ip_addresses())
def test_nothing_private_is_public(address: ipaddress.IPv4Address | ipaddress.IPv6Address) -> None:
    if address.is_private or address.is_loopback or address.is_link_local or address.is_multicast or address.is_unspecified:
        assert not is_public(address)


# -- connecting -----------------------------------------------------------------------------------


def test_the_answer_is_read(far: Far) -> None:
    answer = send(far.url)

    assert (answer.status, answer.body) == (200, b"ok")
    (request,) = far.requests
    assert request.startswith(b"POST /hook?key=1 HTTP/1.1\r\n") and request.endswith(b"\r\n\r\n{}")
    assert f"Host: {NAME}:{far.port}".encode() in request
    assert far.names == [NAME]


@pytest.mark.parametrize("address", ["127.0.0.1", "10.1.2.3", "169.254.169.254", "::1", "::ffff:127.0.0.1", "fe80::1"])
def test_a_name_that_leads_into_the_house_is_not_followed(
    far: Far, monkeypatch: pytest.MonkeyPatch, settings: object, address: str
) -> None:
    settings.OUTWARD_LOOPBACK = False  # type: ignore[attr-defined]
    resolves(monkeypatch, {NAME: [address]})

    with pytest.raises(Unreachable) as told:
        send(far.url)
    assert (told.value.code, far.names) == ("private", [])


def test_one_private_address_among_public_ones_is_enough_to_refuse(far: Far, monkeypatch: pytest.MonkeyPatch) -> None:
    resolves(monkeypatch, {NAME: ["93.184.215.14", "10.0.0.1"]})

    with pytest.raises(Unreachable) as told:
        send(far.url)
    assert told.value.code == "private"


def test_only_loopback_is_let_in_by_the_setting_for_tests(far: Far, monkeypatch: pytest.MonkeyPatch) -> None:
    resolves(monkeypatch, {NAME: ["192.168.0.1"]})

    with pytest.raises(Unreachable) as told:
        send(far.url)
    assert told.value.code == "private"


def test_the_name_is_asked_once_so_that_a_second_answer_leads_nowhere(far: Far, monkeypatch: pytest.MonkeyPatch) -> None:
    real, asked = socket.getaddrinfo, []

    def rebinding(host: object, port: int, *rest: object, **options: object) -> object:
        asked.append(host)
        return real("127.0.0.1" if len(asked) == 1 else "10.0.0.1", port, *rest, **options)  # type: ignore[arg-type]

    monkeypatch.setattr(socket, "getaddrinfo", rebinding)

    assert send(far.url).status == 200
    assert asked == [NAME]


def test_a_name_that_is_rebound_into_the_house_after_it_was_given_is_not_followed(
    far: Far, monkeypatch: pytest.MonkeyPatch, settings: object
) -> None:
    settings.OUTWARD_LOOPBACK = False  # type: ignore[attr-defined]
    assert checked(far.url).host == NAME  # when it was given it may have led anywhere

    with pytest.raises(Unreachable) as told:
        send(far.url)
    assert (told.value.code, far.names) == ("private", [])


def test_a_certificate_of_another_name_is_not_trusted(far: Far, monkeypatch: pytest.MonkeyPatch) -> None:
    resolves(monkeypatch, {"other.test": ["127.0.0.1"]})

    with pytest.raises(Unreachable) as told:
        send(f"https://other.test:{far.port}/")
    assert (told.value.code, far.requests) == ("certificate", [])


def test_a_certificate_that_nobody_vouches_for_is_not_trusted(far: Far, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SSL_CERT_FILE", str(certificate(tmp_path, "somebody.test")[0]))

    with pytest.raises(Unreachable) as told:
        send(far.url)
    assert told.value.code == "certificate"


def test_a_redirect_is_an_answer_and_not_followed(far: Far) -> None:
    far.answers(f"HTTP/1.1 307 x\r\nLocation: https://{NAME}:{far.port}/inside\r\nContent-Length: 0\r\n\r\n".encode())

    assert send(far.url).status == 307
    assert len(far.requests) == 1


def test_no_proxy_of_the_machine_is_used(far: Far, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HTTPS_PROXY", "http://127.0.0.1:1")

    assert send(far.url).status == 200


def test_a_name_that_stands_for_nothing_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    def nothing(*_asked: object, **_options: object) -> object:
        raise socket.gaierror(socket.EAI_NONAME, "not known")

    monkeypatch.setattr(socket, "getaddrinfo", nothing)

    with pytest.raises(Unreachable) as told:
        send("https://hook.test/")
    assert told.value.code == "name"


def test_nobody_listening_is_told(far: Far) -> None:
    far.close()

    with pytest.raises(Unreachable) as told:
        send(far.url)
    assert (told.value.code, told.value.sent) == ("connection", False)


# -- slow and huge --------------------------------------------------------------------------------


def drip(connection: socket.socket, _request: bytes) -> None:
    connection.sendall(b"HTTP/1.1 200 OK\r\nX: ")
    while True:
        connection.sendall(b"a")
        time.sleep(0.05)


def drip_body(connection: socket.socket, _request: bytes) -> None:
    connection.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n")
    while True:
        connection.sendall(b"a")
        time.sleep(0.05)


def say_nothing(_connection: socket.socket, _request: bytes) -> None:
    time.sleep(3)


@pytest.mark.parametrize("handler", [drip, drip_body, say_nothing])
def test_an_answer_that_drips_is_given_up_in_time(far: Far, handler: object) -> None:
    far.handler = handler  # type: ignore[assignment]
    before = time.monotonic()

    with pytest.raises(Unreachable) as told:
        send(far.url, seconds=0.5)
    assert (told.value.code, told.value.sent) == ("time", True)
    assert time.monotonic() - before < 1.5


def test_a_resolver_that_does_not_answer_is_given_up_in_time(monkeypatch: pytest.MonkeyPatch) -> None:
    def slow(*_asked: object, **_options: object) -> list[object]:
        time.sleep(2)
        return []

    monkeypatch.setattr(socket, "getaddrinfo", slow)
    before = time.monotonic()

    with pytest.raises(Unreachable) as told:
        send("https://hook.test/", seconds=0.3)
    assert (told.value.code, told.value.sent) == ("time", False)
    assert time.monotonic() - before < 1


def test_a_handshake_that_never_ends_is_given_up_in_time(far: Far, monkeypatch: pytest.MonkeyPatch) -> None:
    with socket.create_server(("127.0.0.1", 0)) as silent:
        before = time.monotonic()
        with pytest.raises(Unreachable) as told:
            send(f"https://{NAME}:{silent.getsockname()[1]}/", seconds=0.3)
    assert (told.value.code, told.value.sent) == ("time", False)
    assert time.monotonic() - before < 1


@pytest.mark.parametrize(
    "raw",
    [
        b"HTTP/1.1 200 OK\r\n\r\n" + b"a" * 70_000,
        b"HTTP/1.1 200 OK\r\nContent-Length: 70000\r\n\r\n" + b"a" * 70_000,
        b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n" + b"100\r\n" + b"a" * 256 + b"\r\n" + b"1\r\na\r\n" * 20_000,
        b"HTTP/1.1 200 OK\r\n" + b"".join(b"X%d: " % line + b"a" * 1000 + b"\r\n" for line in range(90)) + b"\r\n",
        b"HTTP/1.1 100 Continue\r\n\r\n" * 3000,
    ],
    ids=["until the end", "with a length", "in chunks", "headers", "continued"],
)
def test_an_answer_of_more_than_64_kb_is_not_read(far: Far, raw: bytes) -> None:
    far.answers(raw)

    with pytest.raises(Unreachable) as told:
        send(far.url)
    assert told.value.code == "long"


def test_an_answer_of_60_kb_is_read(far: Far) -> None:
    far.answers(b"HTTP/1.1 200 OK\r\n\r\n" + b"a" * 60_000)

    assert len(send(far.url).body) == 60_000


@pytest.mark.parametrize(
    "raw", [b"", b"nonsense\r\n\r\n", b"HTTP/1.1 xyz OK\r\n\r\n", b"HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\na"]
)
def test_an_answer_that_is_none_is_told(far: Far, raw: bytes) -> None:
    far.answers(raw)

    with pytest.raises(Unreachable) as told:
        send(far.url)
    assert (told.value.code, told.value.sent) == ("answer", True)
