"""Say what a training will do (`make train DRY=1`), after its settings have been read."""

import sys

from helpers.sources.files import DataError
from tools.training.settings import KINDS, make_parser, read_settings


def describe(settings):
    """Return a line per stage of a training."""
    runs = len(KINDS) * settings.seeds
    return [
        f"explanations: {settings.judge} writes and filters for {settings.explain_minutes} min",
        f"training: {runs} runs of {settings.model}, {settings.tokens} tokens each "
        f"({settings.layers} layers learn)",
        "reading: stories kept for testing, alone or beside "
        f"{settings.partners} other(s), in both orders",
        f"reward: {settings.reward_steps} steps, {settings.reward_group} answers each",
        f"writer: {settings.stories} stories a prompt; {settings.judge} compares the choices",
        f"what is finished stays in {settings.output} and is not done again",
    ]


def main(arguments=None):
    """Print the plan; return 0, or 1 with what is wrong with the settings."""
    try:
        settings = read_settings(make_parser("plan").parse_args(arguments))
    except DataError as fault:
        print(f"error: {fault}", file=sys.stderr)
        return 1
    print("\n".join(describe(settings)))
    return 0


if __name__ == "__main__":
    sys.exit(main())
