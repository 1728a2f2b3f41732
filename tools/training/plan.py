"""Say what a training will do (`make train DRY=1`), after its settings have been read."""

import sys

from helpers.sources.files import DataError
from tools.training.explain import list_sorts
from tools.training.settings import KINDS, REWARDED, make_parser, read_settings


def describe(settings):
    """Return a line per stage of a training."""
    kinds = settings.kinds
    trained = [kind for kind in kinds if kind in KINDS]
    lines = []
    for sort in list_sorts(kinds):
        minutes = settings.explain_minutes
        about = "single stories" if sort else "pairs"
        lines.append(f"explanations of {about}: {settings.judge} writes and filters, {minutes} min")
    lines.append(
        f"evaluators: {', '.join(trained)}; {settings.seeds} run(s) each of {settings.model}, "
        f"{settings.tokens} tokens ({settings.layers} layers learn)"
    )
    if {"single", "pairs"} <= set(trained):
        lines.append(
            f"writers: SFT on stories rated above {settings.better:g}, {settings.writer_tokens} "
            f"tokens; GRPO by four rewards, {settings.writer_steps} steps each, "
            f"{settings.writer_group} stories of up to {settings.story_tokens} tokens; "
            f"{settings.judge} compares what they write to {settings.test_prompts} prompts"
        )
    if REWARDED in kinds:
        lines.append(
            f"ablation, GRPO of the evaluator: {settings.reward_steps} steps, "
            f"{settings.reward_group} answers each"
        )
    lines.append(
        "reading: stories kept for testing, alone or beside "
        f"{settings.partners} other(s), in both orders"
    )
    lines.append(f"what is finished stays in {settings.folder.name} and is not done again")
    return lines


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
