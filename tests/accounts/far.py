"""Machines elsewhere, played by this one: a TLS server on loopback with a certificate for `hook.test`, and a resolver."""

from __future__ import annotations

import json
import os
import socket
import ssl
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import http_ece
import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from cryptography.x509.oid import NameOID

from accounts.people.messages import keys

NAME = "hook.test"
OK = b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"
Handler = Callable[[socket.socket, bytes], None]


def certificate(folder: Path, name: str = NAME) -> tuple[Path, Path]:
    """A certificate that vouches for itself, and its key."""
    key = ec.generate_private_key(ec.SECP256R1())
    who = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, name)])
    now = datetime.now(UTC)
    made = (
        x509.CertificateBuilder()
        .subject_name(who)
        .issuer_name(who)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - timedelta(days=1))
        .not_valid_after(now + timedelta(days=1))
        .add_extension(x509.SubjectAlternativeName([x509.DNSName(name)]), critical=False)
        .add_extension(x509.BasicConstraints(ca=True, path_length=None), critical=True)
        .sign(key, hashes.SHA256())
    )
    public, private = folder / f"{name}.pem", folder / f"{name}.key"
    public.write_bytes(made.public_bytes(serialization.Encoding.PEM))
    encoding = (serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption())
    private.write_bytes(key.private_bytes(*encoding))
    return public, private


class Far:
    """A server elsewhere: what was asked of it, and how it answers."""

    def __init__(self, files: tuple[Path, Path]) -> None:
        self.requests: list[bytes] = []
        self.names: list[str | None] = []
        self.handler: Handler = lambda connection, _request: connection.sendall(OK)
        self._tls = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        self._tls.load_cert_chain(*files)
        self._tls.sni_callback = lambda _socket, name, _context: self.names.append(name)
        self._listening = socket.create_server(("127.0.0.1", 0))
        self.port: int = self._listening.getsockname()[1]
        self.url = f"https://{NAME}:{self.port}/hook?key=1"
        threading.Thread(target=self._serve, daemon=True).start()

    def answers(self, raw: bytes) -> None:
        self.handler = lambda connection, _request: connection.sendall(raw)

    def close(self) -> None:
        self._listening.shutdown(socket.SHUT_RDWR)
        self._listening.close()

    def _serve(self) -> None:
        while True:
            try:
                connection, _address = self._listening.accept()
            except OSError:
                return
            threading.Thread(target=self._one, args=[connection], daemon=True).start()

    def _one(self, plain: socket.socket) -> None:
        try:
            with self._tls.wrap_socket(plain, server_side=True) as connection:
                self.handler(connection, self._read(connection))
        except OSError:
            pass  # the other side hung up, or did not trust us: that is for the test to see there
        finally:
            plain.close()

    def _read(self, connection: socket.socket) -> bytes:
        request = b""
        while b"\r\n\r\n" not in request:
            request += connection.recv(4096)
        head, _gap, body = request.partition(b"\r\n\r\n")
        length = next(int(line.split(b":")[1]) for line in head.split(b"\r\n") if line.lower().startswith(b"content-length:"))
        while len(body) < length:
            body += connection.recv(4096)
        self.requests.append(head + b"\r\n\r\n" + body)
        return self.requests[-1]


@contextmanager
def far_away(folder: Path, patch: pytest.MonkeyPatch) -> Iterator[Far]:
    """A server that this process trusts and finds under `hook.test`."""
    files = certificate(folder)
    patch.setenv("SSL_CERT_FILE", str(files[0]))
    resolves(patch, {NAME: ["127.0.0.1"]})
    server = Far(files)
    try:
        yield server
    finally:
        with suppress(OSError):  # a test may have closed it
            server.close()


def resolves(patch: pytest.MonkeyPatch, names: dict[str, list[str]]) -> list[str]:
    """Let names stand for addresses; others are looked up as ever. What is looked up is kept in the list returned."""
    real, asked = socket.getaddrinfo, []

    def look(host: Any, port: Any, *rest: Any, **options: Any) -> Any:
        asked.append(host)
        if host not in names:
            return real(host, port, *rest, **options)
        return [answer for address in names[host] for answer in real(address, port, *rest, **options)]

    patch.setattr(socket, "getaddrinfo", look)
    return asked


def headers_of(request: bytes) -> dict[str, str]:
    lines = request.partition(b"\r\n\r\n")[0].decode().split("\r\n")[1:]
    return {name.lower(): value for name, value in (line.split(": ", 1) for line in lines)}


def body_of(request: bytes) -> bytes:
    return request.partition(b"\r\n\r\n")[2]


class Phone:
    """A browser: its keys, and what it makes of what a push service hands it."""

    def __init__(self, endpoint: str) -> None:
        self.key, self.secret = ec.generate_private_key(ec.SECP256R1()), os.urandom(16)
        point = self.key.public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)
        self.told = {"endpoint": endpoint, "p256dh": keys.text_of(point), "auth": keys.text_of(self.secret)}

    def read(self, body: bytes) -> Any:
        return json.loads(http_ece.decrypt(body, private_key=self.key, auth_secret=self.secret, version="aes128gcm"))
