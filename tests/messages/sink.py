"""A mail server for the tests, on this machine: it keeps what it is given, and refuses, breaks off or stalls when told to."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from email import message_from_bytes, policy
from email.message import EmailMessage
from socketserver import StreamRequestHandler, ThreadingTCPServer

HANG_UP = "hang up"


@dataclass
class Sink:
    """What came in, and how the next commands are answered: by verb ("RCPT", "DATA", "." for the end of a letter)."""

    port: int = 0
    letters: list[EmailMessage] = field(default_factory=list)
    answers: dict[str, str] = field(default_factory=dict)
    """In place of the usual answer: a line, or HANG_UP."""
    connections: int = 0
    before_answer: Callable[[str], None] = lambda verb: None
    lock: threading.Lock = field(default_factory=threading.Lock)

    @property
    def url(self) -> str:
        return f"smtp://127.0.0.1:{self.port}"

    def by_receiver(self) -> dict[str, list[str]]:
        """The subjects that each address has got."""
        found: dict[str, list[str]] = {}
        for letter in self.letters:
            found.setdefault(str(letter["To"]), []).append(str(letter["Subject"]))
        return found


class _Handler(StreamRequestHandler):
    sink: Sink

    def handle(self) -> None:
        with suppress(OSError):
            self.sink.connections += 1
            self._say("220 sink")
            while line := self.rfile.readline():
                verb = line.decode(errors="replace").split()[0].upper() if line.strip() else ""
                if verb == "QUIT" or not self._answer(verb):
                    return

    def _answer(self, verb: str) -> bool:
        if not self._reply(verb, "354 go on" if verb == "DATA" else "250 ok"):
            return False
        if verb == "DATA" and "DATA" not in self.sink.answers:
            lines = []
            while (line := self.rfile.readline()) and line != b".\r\n":
                lines.append(line[1:] if line.startswith(b"..") else line)
            letter = message_from_bytes(b"".join(lines), policy=policy.default)
            assert isinstance(letter, EmailMessage)
            if not self.sink.answers.get(".", "250").startswith(("4", "5")):
                with self.sink.lock:
                    self.sink.letters.append(letter)
            return self._reply(".", "250 taken")
        return True

    def _reply(self, verb: str, usual: str) -> bool:
        self.sink.before_answer(verb)
        answer = self.sink.answers.get(verb, usual)
        if answer == HANG_UP:
            return False
        self._say(answer)
        return True

    def _say(self, line: str) -> None:
        self.wfile.write(f"{line}\r\n".encode())


class _Server(ThreadingTCPServer):
    daemon_threads = True
    allow_reuse_address = True
    request_queue_size = 64


@contextmanager
def listening() -> Iterator[Sink]:
    """A sink on a free port, as long as the block lasts."""
    sink = Sink()
    with _Server(("127.0.0.1", 0), type("Handler", (_Handler,), {"sink": sink})) as server:
        sink.port = server.server_address[1]
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True)
        thread.start()
        try:
            yield sink
        finally:
            server.shutdown()
            thread.join()
