"""The command line: which command, and which module does it."""

from __future__ import annotations

import sys
from importlib import import_module

from sheetcalc import __version__
from sheetcalc.commands.arguments import COMMANDS, EPILOG, parser_of


def overview() -> str:
    """What `sheetcalc --help` prints."""
    listed = "\n".join(f"  {name:11}{says}" for name, (says, _) in COMMANDS.items())
    return (
        "usage: sheetcalc COMMAND ...\n\nLLM capacity and cost, where every number shows its formula, its unit and its source.\n\n"
        f"commands:\n{listed}\n\n`sheetcalc COMMAND --help` tells its arguments, `sheetcalc --version` the version.\n{EPILOG}"
    )


def _no_command(words: list[str]) -> int:
    if words and words[0] in ("-h", "--help"):
        print(overview())
        return 0
    if words and words[0] == "--version":
        print(f"sheetcalc {__version__}")
        return 0
    if not words:
        print(overview(), file=sys.stderr)
        return 2
    import difflib

    near = difflib.get_close_matches(words[0], COMMANDS, 1)
    print(
        f"sheetcalc: there is no command {words[0]!r}: " + (f"did you mean {near[0]}?" if near else "see sheetcalc --help"), file=sys.stderr
    )
    return 2


def main(argv: list[str] | None = None) -> int:
    """Run one command; the exit status of the contract."""
    words = sys.argv[1:] if argv is None else argv
    if not words or words[0] not in COMMANDS:
        return _no_command(words)
    name = words[0]
    if hasattr(sys.stdout, "reconfigure"):  # a pipe on Windows may lack → and letters of other languages
        sys.stdout.reconfigure(errors="backslashreplace")
    args = parser_of(name).parse_args(words[1:])
    args.command = name
    from sheetcalc.errors import SheetcalcError

    try:
        return import_module(f"sheetcalc.commands.{name}").command(args)
    except SheetcalcError as error:
        for line in getattr(error, "lines", None) or [f"sheetcalc: {error}"]:
            print(line, file=sys.stderr)
        return 2
    except BrokenPipeError:
        sys.stderr.close()
        return 0
    except KeyboardInterrupt:
        return 130
    except OSError as error:
        print(
            f"sheetcalc: {error.filename or ''}: {error.strerror or error}: check the path, the rights and the space on the disk",
            file=sys.stderr,
        )
        return 2


if __name__ == "__main__":
    sys.exit(main())
