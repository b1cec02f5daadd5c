"""Posting to an address that a player gave: over HTTPS, to public machines alone, briefly, and no further.

Such an address is hostile until shown otherwise. It is checked when it is given (`checked`) and, as names may lead elsewhere
a moment later, again when connecting: every address behind the name must be public, and the connection goes to the very
address that was checked, with the certificate of the name. No redirect is followed, no proxy is used.
"""

from __future__ import annotations

import http.client
import io
import ipaddress
import re
import socket
import ssl
import threading
import time
from collections.abc import Mapping
from typing import Any, NamedTuple
from urllib.parse import urlsplit

from django.conf import settings

SECONDS = 5.0
MOST_BYTES = 64 * 1024
LONGEST_ADDRESS = 1000
FREE_PORTS = 1024
"""From here on anybody may serve. Below, HTTPS has 443: at the others something else listens, which is not to be spoken to."""

_PRINTABLE = re.compile(r"[!-~]+")
_LABEL = re.compile(r"(?!-)[A-Za-z0-9_-]{1,63}(?<!-)")
_NAT64 = ipaddress.ip_network("64:ff9b::/96")
_UNICAST = ipaddress.ip_network("2000::/3")

IP = ipaddress.IPv4Address | ipaddress.IPv6Address


class BadAddress(ValueError):
    """Not an address that the site posts to; `code` says why: "address", "port" or "private"."""

    def __init__(self, code: str) -> None:
        super().__init__(code)
        self.code = code


class Unreachable(Exception):
    """No answer came of it; `code` says why: "name", "private", "time", "certificate", "connection", "long", "answer".

    With `sent` all was said before that: it may have been heard.
    """

    def __init__(self, code: str, *, sent: bool = False) -> None:
        super().__init__(code)
        self.code, self.sent = code, sent


class Place(NamedTuple):
    """Where an address leads."""

    host: str
    port: int
    path: str

    @property
    def origin(self) -> str:
        host = f"[{self.host}]" if ":" in self.host else self.host
        return f"https://{host}" if self.port == 443 else f"https://{host}:{self.port}"


class Answer(NamedTuple):
    status: int
    headers: dict[str, str]
    body: bytes


# -- what an address may be ----------------------------------------------------------------------


def checked(url: str) -> Place:
    """The parts of an address that may be posted to, as far as can be told without asking anybody. Raises BadAddress."""
    if len(url) > LONGEST_ADDRESS or not _PRINTABLE.fullmatch(url) or "\\" in url:
        raise BadAddress("address")
    try:
        parts = urlsplit(url)
        host, port = parts.hostname or "", parts.port
    except ValueError:
        raise BadAddress("address") from None
    if parts.scheme != "https" or not host or "@" in parts.netloc or port == 0:
        raise BadAddress("address")
    literal = _literal(host)
    if literal is not None:
        if not _may_be_reached(literal):
            raise BadAddress("private")
    elif not _is_name(host):
        raise BadAddress("address")
    if port is not None and port != 443 and port < FREE_PORTS:
        raise BadAddress("port")
    return Place(host, port or 443, (parts.path or "/") + (f"?{parts.query}" if parts.query else ""))


def _literal(host: str) -> IP | None:
    """The number that a host is, in any of the ways in which the system reads one ("127.1", "0x7f000001", "2130706433")."""
    try:
        return ipaddress.ip_address(host)
    except ValueError:
        pass
    try:
        return ipaddress.ip_address(socket.inet_aton(host))
    except (OSError, ValueError):
        return None


def _is_name(host: str) -> bool:
    """Whether it reads like the name of a machine on the internet: labels with dots, the last one no number."""
    labels = host.removesuffix(".").split(".")
    return len(host) <= 253 and len(labels) > 1 and all(map(_LABEL.fullmatch, labels)) and not labels[-1].isdecimal()


def _may_be_reached(address: IP) -> bool:
    return is_public(address) or (settings.OUTWARD_LOOPBACK and address.is_loopback)


def is_public(address: IP) -> bool:
    """Whether an address is one of the internet at large. An IPv4 address inside an IPv6 one counts as itself."""
    if isinstance(address, ipaddress.IPv6Address):
        inner = address.ipv4_mapped or address.sixtofour
        if inner is None and address in _NAT64:
            inner = ipaddress.IPv4Address(int(address) & 0xFFFFFFFF)
        if inner is not None:
            return is_public(inner)
        return address in _UNICAST and address.teredo is None and address.is_global
    return address.is_global and not address.is_multicast and not address.is_reserved


# -- posting --------------------------------------------------------------------------------------


def post(url: str, body: bytes, headers: Mapping[str, str], *, seconds: float = SECONDS) -> Answer:
    """Post, and read the answer whole, all within `seconds`. Raises BadAddress or Unreachable."""
    place, end, sent = checked(url), time.monotonic() + seconds, False
    try:
        with _connected(place, end) as plain, _secured(plain, place, end) as secure:
            connection = http.client.HTTPSConnection(place.host, place.port)
            connection.sock = _Bounded(secure, end)
            sent = True
            connection.request("POST", place.path, body, {**headers, "Connection": "close"})
            answer = connection.getresponse()
            return Answer(answer.status, {name.lower(): value for name, value in answer.getheaders()}, answer.read())
    except TimeoutError:
        raise Unreachable("time", sent=sent) from None
    except ssl.SSLCertVerificationError:
        raise Unreachable("certificate") from None
    except http.client.HTTPException:
        raise Unreachable("answer", sent=sent) from None
    except OSError:
        raise Unreachable("connection", sent=sent) from None


def _left(end: float) -> float:
    left = end - time.monotonic()
    if left <= 0:
        raise TimeoutError
    return left


def _connected(place: Place, end: float) -> socket.socket:
    """A connection to an address behind the name, all of which are allowed."""
    found = _resolved(place, end)
    addresses = [ipaddress.ip_address(target[0]) for _family, target in found]
    if not all(map(_may_be_reached, addresses)):
        raise Unreachable("private")
    fault: OSError = OSError("no address")
    for family, target in found:
        connection = socket.socket(family, socket.SOCK_STREAM)
        try:
            connection.settimeout(_left(end))
            connection.connect(target)
            return connection
        except OSError as error:
            connection.close()
            fault = error
    raise fault


def _resolved(place: Place, end: float) -> list[tuple[int, Any]]:
    """What the name stands for. The system's resolver knows no time limit: it is asked in a thread that is not waited for."""
    found: list[tuple[int, Any]] = []

    def look() -> None:
        try:
            told = socket.getaddrinfo(place.host, place.port, type=socket.SOCK_STREAM)
        except (OSError, UnicodeError):
            return
        found.extend((family, target) for family, _kind, _protocol, _name, target in told)

    asking = threading.Thread(target=look, daemon=True)
    asking.start()
    asking.join(_left(end))
    if asking.is_alive():
        raise TimeoutError
    if not found:
        raise Unreachable("name")
    return found


def _secured(plain: socket.socket, place: Place, end: float) -> ssl.SSLSocket:
    plain.settimeout(_left(end))
    return ssl.create_default_context().wrap_socket(plain, server_hostname=place.host)


class _Bounded:
    """A socket as http.client uses one, that gives up at `end` and after so many bytes."""

    def __init__(self, inner: socket.socket, end: float) -> None:
        self._inner, self._end = inner, end

    def sendall(self, data: Any) -> None:
        self._inner.settimeout(_left(self._end))
        self._inner.sendall(data)

    def makefile(self, _mode: str) -> io.BufferedReader:
        return io.BufferedReader(_Reader(self._inner, self._end))

    def close(self) -> None:
        """Whoever opened it closes it."""


class _Reader(io.RawIOBase):
    def __init__(self, inner: socket.socket, end: float) -> None:
        self._inner, self._end, self._room = inner, end, MOST_BYTES

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        self._inner.settimeout(_left(self._end))
        count = self._inner.recv_into(buffer)
        self._room -= count
        if self._room < 0:
            raise Unreachable("long", sent=True)
        return count
