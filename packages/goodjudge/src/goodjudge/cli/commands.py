"""What each command does: its options into one call, and what comes back to the terminal."""

import contextlib
import re
import stat
import sys
import textwrap
from importlib import resources
from pathlib import Path

from goodjudge.cli import endings
from goodjudge.errors import DataError

SAMPLES = resources.files("goodjudge") / "samples"
ABOUT_DEMO = (
    "Simulated: nobody rated these sixty texts. Of their two judges, one hears what people say, "
    "and one counts words."
)
WRITTEN = "The page:"
BESIDE = "Beside it: card.json (all of it, for programs), card.csv, card.png."


# ---------------------------------------------------------------------------------------- card


def make_demo(given):
    """`demo`: the card of the sample files."""
    from goodjudge.data.reading import read_files

    refuse_file(given.out)
    with resources.as_file(SAMPLES) as folder:
        data, scores = read_files(folder / "ratings.csv", folder / "scores.csv")
    card = call_make_card(data._replace(source="simulated"), scores, {})
    before = [textwrap.fill(ABOUT_DEMO, 88), "", *tell_reading(data, scores)]
    return finish_card(card, given, Path(given.out), before, [show_comparison(card)])


def make_card(given):
    """`card`: the card of a reader's files."""
    from goodjudge.data.reading import read_files, read_unrated

    refuse_odd_files(given.ratings, given.scores, given.texts)
    refuse_file(given.out)
    refuse_numbers(given, ["smallest"], least=0)
    refuse_numbers(given, ["level"], least=0, most=1)
    judge = list_judge_options(given)
    with endings.working("reading"):
        data, scores = read_files(
            given.ratings, given.scores or "", **list_options(given), judge=judge
        )
        data = add_known(given, data)
        unrated = None
        if scores is not None and scores.attrs.get("not rated"):
            unrated = read_unrated(given.scores, data, **judge)
    before = tell_reading(data, scores)
    folder = None if given.json and not given.out else Path(given.out or name_folder(given))
    if not given.json:
        endings.say("\n".join([*before, ""]))
    settings = {"judge": given.judge, "smallest": given.smallest, "unrated": unrated}
    settings |= {} if given.level is None else {"level": given.level}
    card = call_make_card(data, scores, settings)
    return finish_card(card, given, folder, [], [])


def call_make_card(data, scores, settings):
    """Return the `Card` of ratings and scores."""
    from goodjudge.card import make

    with endings.working("comparing judge, people and controls"):
        return make.make_card(data, scores, **settings)


def finish_card(card, given, folder, before, after):
    """Print a card and write it to a folder (None: nowhere); return the exit code: the first
    verdict's, and 0 where people stand alone."""
    if given.json:
        endings.say_json(card.to_json())
    else:
        endings.say("\n".join([*before, "", str(card), *after] if before else [str(card), *after]))
    if folder is not None:
        told = sys.stderr if given.json else sys.stdout
        with contextlib.redirect_stdout(told):  # JSON stays alone, whatever the disk says
            page = card.save(folder)[0]
        if not given.json:
            endings.say(f"\n{WRITTEN} {page.resolve().as_uri()}\n{BESIDE}")
    return endings.ANSWERS[card.verdicts[0].answer] if card.verdicts else endings.AS_HOPED


def refuse_file(folder):
    """Raise DataError where a folder for what is written is a file, before anything is computed."""
    if folder and Path(folder).exists() and not Path(folder).is_dir():
        raise DataError(f"--out {folder}: is a file; expected the name of a folder")


def name_folder(given):
    """Return the folder of a card that a reader did not name: files of other names, another one."""
    names = [Path(path).stem for path in (given.ratings, given.scores) if path]
    words = [re.sub(r"[^\w.]+", "-", name).strip("-.")[:40] for name in names]
    return "-".join(["card", *filter(None, words)])


def show_comparison(card):
    """Return the rows of a card's picture as lines, and what the control is worth that knows who
    wrote."""
    from goodjudge.card import texts, wording

    rows = []
    for who, row in card.comparison.iterrows():
        kind = "knows who wrote" if row["kind"] == "knows writer" else ""
        rows.append((texts.cut(texts.clean(who)), wording.show_row(row), kind))
    widths = [max(len(row[place]) for row in rows) for place in range(2)]
    lines = ["", f"{card.measure}, with 95 % intervals over {card.groups}:"]
    for who, value, kind in rows:
        lines.append(f"  {who:<{widths[0]}}  {value:<{widths[1]}}  {kind}".rstrip())
    told = wording.tell_writer(card)
    return "\n".join([*lines, *([textwrap.fill(told, 88)] if told else [])])


def add_known(given, data):
    """Return the ratings with what `--texts` says of each text, if it is given."""
    from goodjudge.data.texts import add_texts

    columns = split_pairs(given.texts_column, "texts_column")
    if given.texts:
        return add_texts(data, given.texts, columns=columns)
    if columns:
        raise DataError("--texts-column: is about --texts, which is not given")
    return data


def tell_reading(data, scores):
    """Return the cleaning reports of both files, line by line."""
    reports = [data.report] + ([] if scores is None else [scores.attrs["report"]])
    return [line for report in reports for line in report.lines()]


# --------------------------------------------------------------------------------------- plan


def plan_study(given):
    """`plan`: how likely a study is to show a lead."""
    from goodjudge import plan

    refuse_file(given.out)
    options = list_options(given) if is_file(given.like) else {}
    options.pop("aspects", None)  # here the number of questions
    if not options:
        refuse_unused(given)
    refuse_odd_files(given.like if options else None)
    with endings.working("simulating studies"):
        made = plan.plan_study(
            given.items,
            given.raters,
            groups=given.groups,
            aspects=given.aspects,
            lead=given.lead,
            like=given.like,
            **options,
        )
    endings.say_json(made.to_json()) if given.json else endings.say(str(made))
    if given.out:
        written = made.save(given.out)
        if not given.json:
            endings.say("\n" + "\n".join(path.resolve().as_uri() for path in written))
    return endings.ANSWERS[made.verdict.answer]


def is_file(like):
    """Return whether --like names a file, and no study."""
    return Path(like).suffix != "" or "/" in like or (bool(like) and Path(like).exists())


def refuse_unused(given):
    """Raise DataError for options that say how a file is read, where there is none."""
    told = {"columns": "--column", "missing": "--missing", "labels": "--label", "only": "--only"}
    for name, value in list_options(given).items():
        if value and value != "auto" and value != "ask":
            option = told.get(name, f"--{name.replace('_', '-')}")
            raise DataError(f"{option} says how a file is read; expected a file in --like")


# --------------------------------------------------------------------------------------- form


def write_form(given):
    """`form write`: the page on which people rate."""
    from goodjudge import rating_form

    path = rating_form.write_form(
        given.texts, given.out, rubric=given.rubric or "", scale=given.scale or ""
    )
    endings.say(f"{WRITTEN} {path.resolve().as_uri()}")
    endings.say("Give this one file to each rater. Each hands in the file that the page saves.")
    return endings.AS_HOPED


def join_forms(given):
    """`form join`: what raters saved, as one file."""
    from goodjudge import rating_form

    table, path = rating_form.join_forms(
        given.saved, given.texts, given.out, names_differ=given.names_differ
    )
    endings.say(rating_form.tell_joined(table))
    endings.say(f"Written: {path.resolve().as_uri()}")
    endings.say(f'Next: goodjudge card "{path}" --scores judge.csv')
    return endings.AS_HOPED


# -------------------------------------------------------------------------------------- drift


def find_drift(given):
    """`drift`: two runs of a judge."""
    from goodjudge import drift
    from goodjudge.data.reading import read_files

    refuse_odd_files(given.ratings, given.before, given.now, given.texts)
    refuse_numbers(given, ["smallest", "points", "answers"], least=0)
    options, judge = list_options(given), list_judge_options(given)
    with endings.working("reading"):
        data, before = read_files(given.ratings, given.before, **options, judge=judge)
        _, now = read_files(given.ratings, given.now, **options, judge=judge)
        data = add_known(given, data)
    if not given.json:
        read = [*tell_reading(data, before), *now.attrs["report"].lines()]
        endings.say("\n".join([*read, ""]))
    with endings.working("comparing the two runs"):
        found = drift.compare_runs(
            data,
            before,
            now,
            judge=given.judge,
            smallest=given.smallest,
            points=given.points,
            answers=given.answers,
        )
    endings.say_json(found.to_json()) if given.json else endings.say(str(found))
    return endings.ANSWERS[found.verdict.answer]


# ------------------------------------------------------------------------------- ask and probe


def ask_judges(given):
    """`ask`: a judge's scores of texts."""
    from goodjudge.cli import ask

    return ask.ask_judges(given)


def probe_judge(given):
    """`probe`: a judge's answers where nothing that matters was changed."""
    from goodjudge.cli import ask

    return ask.probe_judge(given)


# ------------------------------------------------------------------------------------ options


def list_options(given):
    """Return the options of people's file, as `read_files` takes them."""
    aspects = getattr(given, "aspects", None)
    is_named = isinstance(aspects, list)
    return {
        "columns": given.column,
        "form": given.form,
        "aspects": split_aspects(aspects) if is_named else None,
        **list_answers(given, ""),
        "leave_out": given.leave_out or (),
    }


def list_judge_options(given):
    """Return the options of the judge's file, as `read_scores` takes them."""
    options = {
        "columns": given.judge_column,
        "form": given.judge_form,
        **list_answers(given, "judge_"),
        "leave_out": given.judge_leave_out or (),
        "rescale": given.rescale,
    }
    return options | ({} if given.unmatched is None else {"unmatched": given.unmatched})


def list_answers(given, prefix):
    """Return the options that both files have."""
    values = {name: value for name, value in vars(given).items()}
    labels = split_pairs(values[f"{prefix}label"], f"{prefix}label")
    return {
        "scale": split_scale(values[f"{prefix}scale"], f"{prefix}scale"),
        "missing": [as_number(code) for code in values[f"{prefix}missing"] or ()],
        "labels": labels,
        "only": split_pairs(values[f"{prefix}only"], f"{prefix}only"),
        "doubles": values[f"{prefix}doubles"],
        "encoding": values[f"{prefix}encoding"],
    }


def as_number(code):
    """Return a code for no answer as a number where it is one."""
    try:
        return float(code)
    except ValueError:
        return code


def split_pairs(texts, name):
    """Return {before the last =: behind it} of texts such as "never=1", None for none."""
    if not texts:
        return None
    pairs = {}
    for text in texts:
        before, sign, behind = text.rpartition("=")
        if not sign or not before:
            option = name.replace("_", "-")
            raise DataError(f'--{option} {text!r:.60}: expected a name, = and a value: "never=1"')
        pairs[before] = behind
    return pairs


def split_scale(text, name):
    """Return (lowest, highest) of "1,7" or "1-7", None for none."""
    if not text:
        return None
    number = r"\s*(-?\d+(?:\.\d+)?)\s*"
    ends = re.fullmatch(f"{number}(?:,|-|–|to){number}", text)
    if not ends:
        option = name.replace("_", "-")
        raise DataError(f"--{option} {text!r:.40}: expected two numbers, lowest first, such as 1,7")
    return tuple(float(end) for end in ends.groups())


def split_aspects(texts):
    """Return criteria as a list; where one is "theirs=ours", as {theirs: ours}."""
    if not any("=" in text for text in texts):
        return texts
    pairs = [text.rpartition("=") if "=" in text else (text, "=", text) for text in texts]
    return {theirs: ours for theirs, _, ours in pairs}


def refuse_odd_files(*paths):
    """Raise DataError for a folder, a device or a pipe in place of a file: reading one may never
    end."""
    for path in paths:
        if not path:
            continue
        try:
            mode = Path(path).expanduser().stat().st_mode
        except FileNotFoundError:
            raise DataError(f"{path}: there is no such file") from None
        except (OSError, ValueError, RuntimeError) as fault:
            reason = getattr(fault, "strerror", None) or fault
            raise DataError(f"{path!s:.200}: cannot be read ({reason})") from None
        if stat.S_ISDIR(mode):
            raise DataError(f"{path}: is a folder; expected a CSV file or JSON")
        if not stat.S_ISREG(mode):
            raise DataError(f"{path}: is a pipe or a device; save what it holds as a file")


def refuse_numbers(given, names, least, most=float("inf")):
    """Raise DataError for a number that is not between two others."""
    for name in names:
        value = getattr(given, name)
        if value is not None and not least < value < most:
            below = "" if most == float("inf") else f" and below {most:g}"
            raise DataError(f"--{name} {value:g}: expected a number above {least:g}{below}")
