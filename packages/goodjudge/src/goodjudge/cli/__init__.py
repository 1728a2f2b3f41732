"""The command: `goodjudge demo | card | plan | form write | form join | drift | ask |
probe`.

It turns options into one call each (`commands`), and says how it ended (`endings`): 0 as hoped,
1 not, 2 undecided, 3 bad input or anything that went wrong, 130 and 143 when it was stopped.
"""

import sys

from goodjudge.cli import endings
from goodjudge.cli.parser import build_parser
from goodjudge.errors import DataError


def main(arguments=None):
    """Run the command line; return the exit code, a key of `endings.CODES`, and never raise."""
    endings.watch_signals()
    endings.prepare_terminal()
    try:
        code = run(arguments)
        endings.flush()
    except SystemExit as end:  # argparse, or what was stopped, has said why
        code = endings.BAD_INPUT if end.code not in (0, None) else endings.AS_HOPED
        code = end.code if end.code in (endings.STOPPED, endings.KILLED) else code
        code = code if endings.can_flush() else endings.BAD_INPUT
    except KeyboardInterrupt:
        code = endings.STOPPED
    except BrokenPipeError:
        endings.give_up_output()
        code = endings.BAD_INPUT
    except (DataError, OSError, MemoryError, ImportError) as fault:
        code = endings.tell_fault(endings.word_fault(fault))
    except BaseException as fault:
        code = endings.tell_fault(endings.word_crash(fault))
    return code


def run(arguments):
    """Read the arguments and run what they ask for; return its exit code."""
    given = build_parser().parse_args(arguments)
    from goodjudge.cli import commands  # reads pandas, which takes longer than --help may

    return getattr(commands, given.run)(given)


if __name__ == "__main__":
    sys.exit(main())
