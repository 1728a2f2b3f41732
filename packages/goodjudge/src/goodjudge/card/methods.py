"""A paragraph for a methods section: what was compared, how, which numbers, and what to cite."""

import platform
from importlib.metadata import PackageNotFoundError, version

import goodjudge
from goodjudge.card.questions import EPSILON
from goodjudge.card.shapes import CEILING, CONTROL, PERSON, WRITER
from goodjudge.card.wording import show_row
from goodjudge.comparison import compare

PACKAGES = ("numpy", "pandas", "scipy")
ANGELOPOULOS = "Angelopoulos, Duchi & Zrnic 2023, PPI++, https://doi.org/10.48550/arXiv.2311.01453"
BRENNAN = "Brennan 2001, chapters 1 and 2, https://doi.org/10.1007/978-1-4757-3456-0"
CALDERON = "Calderon, Reichart & Dror 2025, https://doi.org/10.18653/v1/2025.acl-long.782"
CAMERON = "Cameron, Gelbach & Miller 2011, https://doi.org/10.1198/jbes.2010.07136"
EFRON = "Efron & Tibshirani 1993, chapter 11, https://doi.org/10.1201/9780429246593"
HOTHORN = "Hothorn, Bretz & Westfall 2008, https://doi.org/10.1002/bimj.200810425"
LINACRE = "Linacre 1989, Many-facet Rasch measurement (MESA Press)"
THOMPSON = "Thompson, Mathur, Deutsch & Khayrallah 2024, https://doi.org/10.18653/v1/2024.wmt-1.118"


def write_methods(
    study, table, verdicts, smallest, *, sizes, judge, judges, control, beside, corrected
):
    """Return (a paragraph, what it cites, in alphabetical order).

    study: of `study.set_up`; table, verdicts: of a `Card`; sizes: {what: how many}; judge: its
    name, None for none; judges: how many there are; control: the row of the best control that a
    user could have; beside: the titles of the diagnostics that were computed; corrected: whether
    means were corrected.
    """
    cells = sizes["items"] * sizes["raters"] * sizes["aspects"]
    missing = 1 - min(sizes["ratings"] / cells, 1)
    raters = f"{sizes['raters']:,} rater{'s' if sizes['raters'] > 1 else ''}"
    judge_too = "" if judge is None else ", and so was the judge"
    others = "the mean of the other raters of the same items"
    if study.yes_or_no:
        others = "what most of the other raters of the same items said (ties were left out)"
    how = f": each rater in turn was left out and held against {others}{judge_too}"
    if study.target != "others":
        how = ", their mean on each item"
    level = f"{100 * study.level:g} %"
    sentences = [
        f"{raters} gave {sizes['ratings']:,} ratings of {sizes['items']:,} items in "
        f"{sizes['groups']:,} groups, taken to be independent (aspects: {sizes['aspects']}); "
        f"{missing:.0%} of all combinations of item, rater and aspect have no rating.",
        f"We measured {study.name} with {compare.ASKED[study.target]}{how}.",
        "Beside this stand controls that read nothing and were learnt on people's ratings of other "
        "groups, and, where it can be estimated, a simulated judge that knows all that raters "
        "share.",
        f"Intervals are {level} intervals by the jackknife over groups (Efron & Tibshirani 1993).",
    ]
    cited = {EFRON}
    if judges > 1:
        sentences.append(
            f"Those of the {judges} judges hold for all of them at once (the maximum of correlated "
            "t; Hothorn, Bretz & Westfall 2008)."
        )
        cited.add(HOTHORN)
    if "each rater" in beside:
        sentences.append(
            "Those that speak of new raters are over groups and raters at once (Cameron, Gelbach & "
            "Miller 2011)."
        )
        cited.add(CAMERON)
    if study.several:
        sentences.append(
            "How reliable one rater is was estimated by a decision study (Brennan 2001)."
        )
        cited.add(BRENNAN)
    sentences.append(f"Differences below {smallest:g} were taken for none.")
    if judge is not None:
        sentences += [
            tell_numbers(table, study.name, judge, judges, control),
            tell_answers(verdicts),
        ]
        sentences.append(
            "Whether the judge may replace a rater was asked by the alternative annotator test "
            f"(epsilon {EPSILON:g}; Calderon, Reichart & Dror 2025)."
        )
        cited.add(CALDERON)
    if "leniency" in beside and study.yes_or_no:
        sentences.append("Leniency is in logits of a many-facet Rasch model (Linacre 1989).")
        cited.add(LINACRE)
    if "writers" in beside:
        sentences.append(
            "Writers were ordered by soft pairwise accuracy (Thompson, Mathur, Deutsch & "
            "Khayrallah 2024)."
        )
        cited.add(THOMPSON)
    if corrected:
        sentences.append(
            "Means of unrated items were corrected by prediction-powered inference: the mean of "
            "the ratings, plus a weight times the judge's mean of the unrated less that of the "
            "rated items (Angelopoulos, Duchi & Zrnic 2023)."
        )
        cited.add(ANGELOPOULOS)
    return " ".join([*filter(None, sentences), tell_versions()]), tuple(sorted(cited))


def tell_numbers(table, measure, judge, judges, control):
    """Return in a sentence what a judge, one more rater, controls and a perfect judge have."""
    who = f"The best of {judges} judges, {judge}," if judges > 1 else str(judge)
    told = [f"{who} had {measure} {show_row(table.loc[judge])}"]
    called = {
        PERSON: "one more rater",
        CONTROL: "the best control that a user could have ({name})",
        WRITER: "the best control that knows the writer ({name})",
        CEILING: "a perfect judge",
    }
    for kind, words in called.items():
        rows = table[(table["kind"] == kind) & table["estimate"].notna()]
        if kind == CONTROL:
            rows = rows[rows.index == control]
        if len(rows):
            best = rows["estimate"].round(10).idxmax()
            told.append(f"{words.format(name=best)} {show_row(rows.loc[best])}")
    return f"{', '.join(told)}."


def tell_answers(verdicts):
    """Return the verdicts in a sentence."""
    answers = [f"{one.question[:1].lower()}{one.question[1:]} {one.answer}" for one in verdicts]
    return f"Verdicts: {'; '.join(answers)}."


def tell_versions():
    """Return in a sentence which versions were used."""
    known = []
    for name in PACKAGES:
        try:
            known.append(f"{name} {version(name)}")
        except PackageNotFoundError:  # copied, not installed
            continue
    python = ".".join(platform.python_version_tuple()[:2])
    made = [f"goodjudge {goodjudge.__version__}", f"Python {python}", *known]
    return f"Made with {', '.join(made)}."
