"""What every command of Coplay has in common: when it fails, it leaves with a status that isn't 0 and one
sentence on standard error.

What options may be is said with the types of engine.command_line; what a command refuses itself, with a
CommandError. A Refusal from wherever becomes one here.
"""

from __future__ import annotations

import contextlib
import os
import socket
import sys
from typing import Any, NoReturn

from django.core.management.base import BaseCommand, CommandError, CommandParser, SystemCheckError
from django.db import DatabaseError, InterfaceError, OperationalError, ProgrammingError

from engine.command_line import REFUSED, exit_status, odd_text, parsers, sentence
from engine.refusal import Refusal
from webapp.common import running
from webapp.common.tables import pending_migrations

INTERRUPTED = 130  # after Ctrl-C, as shells count it


def refuse(message: str) -> NoReturn:
    """What parsers do with an option: they would print their usage and leave."""
    raise CommandError(sentence(message), returncode=REFUSED)


class CoplayCommand(BaseCommand):
    """A command of Coplay. What the machine can't do (files, memory, the database) becomes a sentence here;
    any other exception is a fault of ours and keeps its traceback.
    """

    alone = False  # whether it sees to it itself that nothing else uses the var folder

    def create_parser(self, prog_name: str, subcommand: str, **kwargs: Any) -> CommandParser:
        parser = super().create_parser(prog_name, subcommand, **kwargs)
        for part in parsers(parser):
            part.error = refuse  # type: ignore[method-assign]
        return parser

    def run_from_argv(self, argv: list[str]) -> None:
        try:
            if problem := odd_text(argv):
                refuse(problem)
            super().run_from_argv(argv)
        except CommandError as problem:  # what `execute` raises is told by then
            self._leave(problem)

    def execute(self, *args: Any, **options: Any) -> str | None:
        try:
            return self._execute(*args, **options)
        except SystemCheckError:
            raise
        except CommandError as problem:
            if not self._called_from_command_line or options["traceback"]:
                raise
            self._leave(problem)

    def _leave(self, problem: CommandError) -> NoReturn:
        """Say the sentence alone (Django would put the name of a Python class before it)."""
        self.stderr.write(str(problem))
        sys.exit(problem.returncode)

    def _execute(self, *args: Any, **options: Any) -> str | None:
        try:
            with contextlib.nullcontext() if self.alone else running.taken():
                return super().execute(*args, **options)
        except Refusal as problem:
            raise CommandError(str(problem), returncode=exit_status(problem)) from None
        except BrokenPipeError:
            # Whoever read has gone (`| head`): nothing is left to say, not even for Python at its end.
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            sys.exit(1)
        except OSError as error:
            raise CommandError(reason_of(error)) from error
        except MemoryError as error:
            raise CommandError("There is not enough memory for this; choose smaller numbers.") from error
        except (OperationalError, InterfaceError, ProgrammingError) as error:
            if is_behind():
                message = "The database is of an earlier version; run `./manage.py prepare`."
                raise CommandError(message) from error
            if isinstance(error, ProgrammingError):
                raise
            reason = (str(error).splitlines() or [type(error).__name__])[0].rstrip(".")
            raise CommandError(f"The database can't be used: {reason}.") from error
        except KeyboardInterrupt:
            self.stderr.write("Interrupted.")
            sys.exit(INTERRUPTED)


def is_behind() -> bool:
    """Whether the database can be asked and lacks tables or columns that this version has."""
    try:
        return bool(pending_migrations())
    except DatabaseError:
        return False


def reason_of(error: OSError) -> str:
    """What the system refused, as a sentence."""
    reason = str(error.strerror or error).rstrip(".")
    return f"{error.filename}: {reason}." if error.filename else f"{reason}."


def refuse_taken_port(host: str, port: int, cure: str) -> None:
    """Raise CommandError if nobody could listen there now; `cure` says how to choose otherwise."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    with socket.socket(family) as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((host, port))
        except (OSError, OverflowError, UnicodeError) as error:
            reason = getattr(error, "strerror", None) or str(error)
            raise CommandError(
                f"Port {port} of {host} can't be used ({reason}). Stop what is on it, "
                f"or choose another one: {cure}"
            ) from None
