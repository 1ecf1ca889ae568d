"""The command line: one file a command, thin over the Python package.

Exit codes: 0 success, 1 any other failure, 2 bad usage or input, 3 a failed verification,
4 a time-out, 128 + n what signal n ended (130: Ctrl-C).
"""

from __future__ import annotations

import contextlib
import errno
import io
import math
import os
import re
import sys
import warnings
from collections.abc import Sequence
from typing import Any, NoReturn

import typer
import typer.core
from gossamer_command.signals import (
    hold,
    leave,
    on_signals,
    quit_silently,
    replace,
    stop,
    stopped_by,
)

from gossamer import __version__, errors

from . import help, options
from .commands import (
    betweenness,
    bfs,
    cg,
    closeness,
    collective,
    coloring,
    communities,
    components,
    convert,
    core_numbers,
    dataflow,
    diameter,
    distances,
    eccentricity,
    eigenvector,
    engines,
    filter,
    gap,
    generate,
    graph500,
    harmonic,
    hits,
    independent_set,
    info,
    katz,
    pagerank,
    random_walks,
    report,
    reproduce,
    spanning_forest,
    sssp,
    stats,
    strong_components,
    trace,
    triangles,
    tune,
)
from .commands.simulate.command import simulate
from .groups import spread

__all__ = ["app", "main"]

#: Typer's answer to a KeyboardInterrupt.
_INTERRUPTED = 130


class _Group(typer.core.TyperGroup):
    """Commands that say in full what they are for."""

    def format_commands(self, ctx: Any, formatter: Any) -> None:
        help.write_commands(self, ctx, formatter)


app = typer.Typer(
    name="gossamer",
    cls=_Group,
    help="A runtime for irregular (graph) computing on many processors.",
    no_args_is_help=False,
    add_completion=True,
    context_settings={"help_option_names": ["-h", "--help"]},
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
)


#: How functions begin to say that an argument is wrong: "katz: max_iterations: …".
_OF_ARGUMENT = re.compile(r"[a-z_-]+: (?:the )?([a-z_]+)(?=:| is )")


class _Command(typer.core.TyperCommand):
    """A command whose numbers are finite: no run lasts forever, and JSON has no other numbers.

    Its help has arguments, and options in groups.
    """

    def collect_usage_pieces(self, ctx: Any) -> list[str]:
        return help.usage(self)

    def format_options(self, ctx: Any, formatter: Any) -> None:
        help.write_options(self, ctx, formatter)

    def invoke(self, ctx: Any) -> Any:
        for parameter in self.params:
            value = ctx.params.get(parameter.name)
            if isinstance(value, float) and not math.isfinite(value):
                raise errors.UsageError(f"{parameter.opts[0]}: not a finite number: {value}")
        try:
            return super().invoke(ctx)
        except errors.UsageError as error:
            error.args = (self._with_options(str(error)),)
            raise

    def _with_options(self, message: str) -> str:
        """The library's message with an option in place of Python's argument."""
        found = _OF_ARGUMENT.match(message)
        options = {of.name: of.opts[0] for of in self.params if of.opts[0].startswith("--")}
        if found is None or found[1] not in options:
            return message
        return options[found[1]] + message[found.end(1) :]


#: What launchers tell each process of its place: Open MPI, MPICH and its kin, PMIx, MVAPICH2.
_RANKS = ("OMPI_COMM_WORLD_RANK", "PMI_RANK", "PMIX_RANK", "MV2_COMM_WORLD_RANK")


class _CommandOfOne(_Command):
    """A command without a machine: of the processes of an MPI job the first does it alone."""

    def invoke(self, ctx: Any) -> Any:
        given = next((os.environ[name] for name in _RANKS if name in os.environ), "0")
        first = not given.isdecimal() or int(given) == 0
        return super().invoke(ctx) if first else None


def _show_version(asked: bool) -> None:
    if asked:
        typer.echo(f"gossamer {__version__}")
        raise typer.Exit


@app.callback(invoke_without_command=True)
def _global_options(
    context: typer.Context,
    version: bool = typer.Option(
        False, "--version", help="Print the version.", callback=_show_version, is_eager=True
    ),
) -> None:
    """A runtime for irregular (graph) computing on many processors."""
    if context.invoked_subcommand is None:
        typer.echo(help.OVERVIEW, nl=False)


_COMMANDS = (
    info.info, generate.generate, convert.convert, stats.stats, bfs.bfs, sssp.sssp,
    components.components, pagerank.pagerank, triangles.triangles,
    core_numbers.core_numbers, spanning_forest.spanning_forest,
    strong_components.strong_components, betweenness.betweenness, closeness.closeness,
    harmonic.harmonic, eccentricity.eccentricity, diameter.diameter, distances.distances,
    communities.communities, random_walks.random_walks, hits.hits, katz.katz,
    eigenvector.eigenvector, independent_set.independent_set, coloring.coloring, engines.engines,
    graph500.graph500, gap.gap, cg.cg, filter.filter, dataflow.dataflow, collective.collective,
    tune.tune, simulate,
    report.report, reproduce.reproduce,
)  # fmt: skip
_OF_ONE = (
    generate.generate, convert.convert, stats.stats, simulate, report.report,
    reproduce.reproduce,
)  # fmt: skip
for command in _COMMANDS:
    kind = _CommandOfOne if command in _OF_ONE else _Command
    name = command.__name__.replace("_", "-")
    example = help.EXAMPLES.get(name)
    app.command(name, cls=kind, epilog=example and f"Example: {example}")(spread(command))
for of_traces in trace.app.registered_commands:
    of_traces.cls = _Command
app.add_typer(trace.app, name="trace", cls=_Group)


#: What beginning another program fails with, which names no file either.
_OF_PROCESSES = (errno.EAGAIN, errno.ENOMEM, errno.EMFILE, errno.ENFILE)


def _shown(message: object) -> str:
    """A message as one line: what names and files bring along moves no cursor."""
    return "".join(
        c if c.isprintable() else c.encode("unicode_escape").decode() for c in str(message)
    )


def _say(message: str) -> None:
    try:
        print(f"gossamer: {message}", file=sys.stderr, flush=True)
    except OSError:  # a full disk, or nobody listens: the exit code says it all the same
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stderr.fileno())


def _complain(message: object, code: int) -> int:
    try:
        sys.stdout.flush()
    except OSError:
        _drop_stdout()
    replace(stop, hold)
    _say(_shown(message))
    replace(hold, quit_silently)
    return code


def _show_warning(message: Warning | str, *_: Any, **__: Any) -> None:
    _say(f"warning: {_shown(message)}")


def _interrupted() -> NoReturn:
    # Work that had no point at which to stop may still run on another thread: leave at once.
    with contextlib.suppress(OSError):
        sys.stdout.flush()
    leave(stopped_by())


def _unraisable(lost: sys.UnraisableHookArgs) -> None:
    """An interrupt that came within an extension's code, which could not raise it, is one."""
    if isinstance(lost.exc_value, KeyboardInterrupt):
        _interrupted()
    sys.__unraisablehook__(lost)


def _drop_stdout() -> None:
    """Nothing more goes there, and the interpreter does not complain of it at exit."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def run(arguments: Sequence[str] | None = None) -> int:
    """Runs one command line and returns its exit code; errors become one line on stderr."""
    options.forget_outputs()
    # Of a caller that closed them; nothing can be said there, and files are written all the same.
    sys.stdout = sys.stdout or open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115
    sys.stderr = sys.stderr or open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115
    for stream in (sys.stdout, sys.stderr):  # names of files need not be text, nor all text print
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")
    try:
        outcome = app(args=arguments, prog_name="gossamer", standalone_mode=False)
        if outcome == _INTERRUPTED:
            _interrupted()
        sys.stdout.flush()  # at the interpreter's end a failure would be its own
        return outcome if isinstance(outcome, int) else 0
    except (KeyboardInterrupt, typer.Abort):
        _interrupted()
    except typer.Exit as leave:
        return leave.exit_code
    except errors.Error as error:
        return _complain(str(error), error.exit_code)
    except BrokenPipeError:
        _drop_stdout()  # whoever read our output has gone
        return 1
    except OSError as error:
        if error.filename is None:  # what is written to a file says to which
            if error.errno in _OF_PROCESSES:
                return _complain(f"{error.strerror}", 1)
            _drop_stdout()
            return _complain(f"stdout: {error.strerror or error}", 1)
        return _complain(f"{error.filename}: {error.strerror}", 2)
    except MemoryError as error:
        return _complain(f"out of memory {error}".rstrip(), 1)
    except ImportError as error:  # of what commands import late: there was no room for it
        return _complain(f"cannot import {error.name}: {error.msg}", 1)
    except SystemError as error:  # CPython's, where it finds no memory for an exception
        return _complain(f"Python failed, maybe for want of memory: {error}", 1)
    except Exception as error:
        if "_GOSSAMER_COMPLETE" in os.environ:  # a shell asked, by other variables than it should
            return _complain(f"completion: {error}", 2)
        # Typer's own usage errors: its click is vendored in new versions, so by shape, not by type.
        if hasattr(error, "format_message") and hasattr(error, "exit_code"):
            text = " ".join(error.format_message().split())
            where = getattr(getattr(error, "ctx", None), "command_path", "gossamer")
            return _complain(f"{text} (see {where} --help)", int(error.exit_code))
        raise


def main() -> None:
    """One command line as a process of its own: signals that ask for an end stop its work."""
    warnings.showwarning = _show_warning
    sys.unraisablehook = _unraisable
    # PyArrow's allocator would say, in a line of its own, that it could start no thread.
    os.environ.setdefault("JE_ARROW_MALLOC_CONF", "background_thread:false")
    try:
        on_signals(stop)
        code = run()
        on_signals(leave)
    except KeyboardInterrupt:
        _interrupted()
    sys.exit(code)
