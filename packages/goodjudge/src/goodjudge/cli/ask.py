"""`goodjudge ask` and `goodjudge probe`: from options to calls that may cost money."""

import json
import warnings
from contextlib import contextmanager
from pathlib import Path

import pandas as pd

from goodjudge.cli import endings
from goodjudge.cli.commands import split_pairs
from goodjudge.data.texts import read_texts
from goodjudge.errors import DataError
from goodjudge.files import replace_file

STORE = "answers.sqlite"  # in the folder of what is written
PLAN = {  # columns of a plan, and how they are told
    "judge": "judge",
    "answered": "answered",
    "calls": "to ask",
    "input_tokens": "tokens in",
    "output_tokens": "tokens out",
    "usd_live": "about USD",
    "usd_most": "at most USD",
    "price_date": "prices of",
}


def ask_judges(given):
    """`ask`: the judges' scores of texts, written as a card takes them; return the exit code."""
    with speaking(given) as (judging, options, texts, judges):
        how = {"rubric": given.rubric, "scale": given.scale, "options": options}
        plan = judging.plan_texts(texts, judges, **how)
        if given.plan:
            return tell_plan(plan, given, judging.has_room(plan, given.max_usd))
        if not given.json:
            endings.say(show_plan(plan))
        stop = ""
        try:
            answers = judging.ask_texts(texts, judges, **how)
        except judging.Incomplete as fault:
            answers, stop = fault.answers, in_options(fault)
        scores = judging.to_scores(answers)
        if stop and scores.empty:
            raise DataError(stop)
        return finish(given, options, answers, scores, judging.count_left_out(answers), stop)


def finish(given, options, answers, scores, left_out, stop):
    """Write the scores and tell what came; return the exit code. left_out: {judge: {why: how
    many}}; stop: why not all was asked, "" where all was."""
    from goodjudge.ask import count_models

    out = replace_file(Path(given.out), scores.to_csv(index=False))
    told = {}
    for judge, rows in answers.groupby("judge", sort=False):
        told[judge] = {
            "scores": int(rows["score"].notna().sum()),
            "answers": len(rows),
            "left out": left_out.get(judge, {}),
            "answered by": count_models(rows["served"]),
            "usd": round(float(rows["usd"].sum()), 6),
        }
    content = {"judges": told, "stopped": stop, "out": str(out)}
    content["answers"] = str(options.transcripts)
    if given.json:
        endings.say_json(json.dumps(content, indent=1, ensure_ascii=False, allow_nan=False))
    else:
        for judge, row in told.items():
            lost = "".join(f"; {many} {why}, left out" for why, many in row["left out"].items())
            endings.say(f"{judge}: {row['scores']} of {row['answers']} answers have a score{lost}.")
        notes = answers.loc[answers["score"].isna() & answers["note"].ne(""), "note"]
        endings.say(f"The first left out: {notes.iloc[0]}") if len(notes) else None
        endings.say(stop) if stop else None
        endings.say(f"Written: {out.resolve().as_uri()}")
        endings.say(f"All answers, kept so that none is asked again: {options.transcripts}")
        endings.say(f'Next: goodjudge card ratings.csv --scores "{out}"')
    if scores.empty:
        return endings.NOT
    return endings.UNDECIDED if left_out else endings.AS_HOPED


def probe_judge(given):
    """`probe`: what moves a judge's answers; return the exit code."""
    from goodjudge.cli.commands import refuse_numbers

    refuse_numbers(given, ["smallest"], least=0)
    if len(given.judge) > 1:
        raise DataError("--judge: one at a time is probed; expected one judge")
    with speaking(given) as (_, options, texts, judges):
        from goodjudge import probing

        found = probing.probe_judge(
            texts,
            judges[0],
            rubric=given.rubric,
            scale=given.scale,
            limit=given.limit,
            tests=given.tests,
            smallest=probing.SMALLEST if given.smallest is None else given.smallest,
            options=options,
        )
    out = replace_file(Path(given.out), found.effects.round(6).to_csv())
    if given.json:
        endings.say_json(found.to_json())
    else:
        endings.say(f"{found}\n\nWritten: {out.resolve().as_uri()}")
        endings.say(f"All answers, kept so that none is asked again: {options.transcripts}")
    return endings.ANSWERS[found.verdict.answer]


@contextmanager
def speaking(given):
    """Yield (`goodjudge.judging`, `Options`, the texts, the judges' names) while judges are asked;
    what goes wrong is a DataError in the words of the command, and a stop is told."""
    out = Path(given.out)
    if out.is_dir():
        raise DataError(
            f"--out {out}: is a folder; expected the name of a file, such as scores.csv"
        )
    columns = split_pairs(given.column, "column")
    texts = read_texts(given.texts, columns)
    from goodjudge import judging

    store = out.parent / STORE
    kept = f"what was answered is kept in {store}: the same command goes on, and asks it no more"
    with endings.stopping(kept), warnings.catch_warnings():
        warnings.showwarning = endings.tell_warning
        try:
            with serving(given.judge) as (judges, here):
                options = judging.Options(
                    max_usd=given.max_usd,
                    repeats=getattr(given, "repeats", 1),
                    transcripts=store,
                    concurrency=1 if here else 8,
                )
                out.parent.mkdir(parents=True, exist_ok=True)
                yield judging, options, texts, judges
        except ValueError as fault:
            if isinstance(fault, DataError) or not is_of_asking(fault):
                raise
            raise DataError(in_options(fault)) from fault


def is_of_asking(fault):
    """Return whether an error was raised by `goodjudge.ask` in words for its user."""
    return type(fault).__module__.startswith("goodjudge.ask")


def in_options(fault):
    """Return an error's words with the options of the command in place of arguments' names."""
    advice = "say the most that it may cost: --max-usd 1"
    text = str(fault).replace("raise max_usd, or set limit", advice)
    return text.replace("max_usd", "--max-usd")


def is_here(name):
    """Return whether a judge is a model on this machine: without a provider, or a GGUF file."""
    model = name.partition("?")[0]
    return "/" not in model or model.endswith(".gguf")


@contextmanager
def serving(names):
    """Yield (the judges as they are asked for, whether one is a model on this machine), which is
    served meanwhile; DataError for judges that cannot be asked."""
    for name in names:
        if name.startswith("recorded/"):
            raise DataError(
                f"--judge {name}: its answers are recorded, and it never read your texts; expected "
                "openai/…, anthropic/…, local/… or a model on this machine"
            )
    here = [name for name in names if is_here(name)]
    if not here:
        yield names, False
        return
    if len(names) > 1:
        raise DataError(f"--judge {here[0]}: a model on this machine is asked alone")
    from goodjudge.ask import local

    model, mark, settings = here[0].partition("?")
    with local.serving(model):
        yield [f"{local.name_judge(model, model)}{mark}{settings}"], True


def show_plan(plan):
    """Return what calls will cost, a line per judge, and all together."""
    table = plan[[*PLAN]].rename(columns=PLAN)
    for name in ("about USD", "at most USD"):
        table[name] = table[name].map(lambda usd: "not known" if pd.isna(usd) else f"{usd:,.4f}")
    lines = [table.to_string(index=False)]
    if len(plan) > 1:
        likely, most = plan[["usd_live", "usd_most"]].sum(skipna=False)
        lines.append(f"All together: about {likely:,.4f} USD, at most {most:,.4f}.")
    return "\n".join(lines)


def tell_plan(plan, given, has_room):
    """Print a plan; return 0 where it will likely cost no more than may be spent, or nothing was
    said, else 1."""
    if given.json:
        rows = plan[[*PLAN]].astype(object).where(plan[[*PLAN]].notna(), None)
        endings.say_json(json.dumps({"plan": rows.to_dict("records")}, indent=1))
    else:
        endings.say(show_plan(plan))
    return endings.AS_HOPED if has_room or not given.max_usd else endings.NOT
