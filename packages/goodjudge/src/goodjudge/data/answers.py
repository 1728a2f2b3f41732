"""Questions and their answers: each was tried on the file before it is shown."""

from collections.abc import Callable

from goodjudge.data.columns import tell_options
from goodjudge.errors import Answer, DataError

KEPT = "columns aspects texts missing scale rescale labels only leave_out encoding".split()


def settle(read: Callable, options: dict, tell: Callable, whose: str = "", depth: int = 3):
    """Return what `read` gives with some options. A question that it raises is raised with those
    answers alone that were tried and read the file, and what they read.

    tell: says in words what was read; whose: of `tell_options`.
    """
    try:
        return read(**options)
    except DataError as fault:
        if not fault.answers:
            raise
        tried = []
        for answer in fault.answers:
            given = try_answer(read, options, answer.options, depth)
            if given is not None:
                added, result = given
                tried.append(Answer(answer.words, added, tell(result)))
        message = word_answers(str(fault), options, tried, whose)
        if not tried:  # a fault lies behind the question: it is the one to mend first
            behind = find_fault_behind(read, options, fault.answers[0], whose)
            message += f"\n  {behind}" if behind else ""
        raise DataError(message, tried) from None


def find_fault_behind(read: Callable, options: dict, answer: Answer, whose: str) -> str:
    """Return what is wrong with a file where a question is answered in the likeliest way."""
    try:
        read(**merge(options, answer.options))
    except DataError as fault:
        said = tell_options(answer.options, whose)
        return f"{answer.words} ({said}), there is another fault: {fault}"
    return ""


def try_answer(read: Callable, options: dict, answer: dict, depth: int):
    """Return (the options that it takes besides, what is read), None where it cannot be read; a
    further question is answered by the first of its answers that works."""
    merged = merge(options, answer)
    try:
        return answer, read(**merged)
    except DataError as fault:
        if depth == 0:
            return None
        for further in fault.answers:
            if further.options == answer or set(further.options) & {"doubles", "leave_out"}:
                continue  # what drops answers is never said for a reader
            found = try_answer(read, merged, further.options, depth - 1)
            if found is not None:
                return merge_answers(answer, found[0]), found[1]
    return None


def merge(options: dict, answer: dict) -> dict:
    """Return options with an answer added to them."""
    return options | merge_answers(
        {name: options.get(name) for name in answer if options.get(name)}, answer
    )


def merge_answers(first: dict, second: dict) -> dict:
    """Return two answers as one."""
    merged = dict(first)
    for name, value in second.items():
        before = merged.get(name)
        if isinstance(value, dict) and isinstance(before, dict):
            value = before | value
        elif name == "missing" and before:
            value = list(dict.fromkeys([*before, *value]))
        merged[name] = value
    return merged


def word_answers(message: str, options: dict, answers: list[Answer], whose: str) -> str:
    """Return a question with its answers, each with what was already said."""
    lines = []
    before = {name: value for name, value in options.items() if value and name in KEPT}
    before |= {
        name: options[name] for name in ("form", "doubles") if options[name] not in ("auto", "ask")
    }
    for answer in answers:
        said = before | {name: merge(options, answer.options)[name] for name in answer.options}
        lines.append(f"{answer.words}: {tell_options(said, whose)} reads {answer.result}")
    return "\n  ".join([message, *lines])
