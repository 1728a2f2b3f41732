"""The audits of the five papers: each gives the committed ledger, and notices what is changed."""

import re
from functools import cache

import pandas as pd
import pytest
from goodjudge.stats import intervals
from scipy import stats

from benchmarks import planted_typos
from helpers.audit import ledger
from helpers.audit.checks import Paper
from helpers.audit.facts import read_rules
from helpers.sources.files import DataError
from helpers.sources.public import ROOT
from helpers.sources.published import FOLDER, KEY, Printed, read_cells, read_published

WHOLE = pd.read_csv(ROOT / "outputs" / "ledger.csv", dtype=str, keep_default_na=False)


class Listener(Paper):
    """A paper that remembers the facts it is given."""

    def facts(self, known=None):
        self.known = known
        super().facts(known)


@cache
def auditor(name):
    """The audit as the notebooks call it."""
    return planted_typos.auditors(name)


@cache
def audited(name):
    """The audited paper, as it is printed."""
    return auditor(name)(Listener(name))


@pytest.mark.parametrize("name", ledger.PAPERS)
def test_an_audit_gives_the_committed_ledger(name):
    lines = ledger.decide(audited(name), "")
    pairs = zip(lines["computed"], lines["value"])
    lines["computed"] = [ledger.ten_digits(*pair) for pair in pairs]
    committed = WHOLE[(WHOLE["paper"] == name) & ~WHOLE["notebook"].isin(["02", "06"])]
    both = lines.merge(committed, "right", KEY, suffixes=("", " committed"), validate="1:1")
    assert len(both) > 0.8 * (WHOLE["paper"] == name).sum()
    for column in ("value", "computed", "basis", "verdict", "how"):
        differs = both[both[column] != both[f"{column} committed"]]
        assert differs.empty, differs.iloc[0].to_dict()


@pytest.mark.parametrize("name", ledger.PAPERS)
def test_every_rule_matches_a_number(name):
    paper = audited(name)
    rules = pd.DataFrame(read_rules(name, paper.folder))
    idle = [not paper.matching(*key) for key in rules[KEY[1:]].itertuples(index=False)]
    assert rules[idle].empty


@pytest.mark.parametrize("name", ledger.PAPERS)
def test_every_fact_is_stated_or_named_in_words_somewhere(name):
    paper = audited(name)
    rules = pd.DataFrame(read_rules(name, paper.folder))
    in_words = {fact for how in rules["how"] for fact in re.findall(r"{([^}:.]+)", how)}
    stated = {fact for fact in rules["fact"] if fact and " | " not in fact}
    given = set(paper.known)
    assert stated - given == set()
    assert given - stated - in_words == set()


NAMED = [
    (name, cell)
    for name in ledger.PAPERS
    if (FOLDER / name / "cells.csv").exists()
    for cell in read_cells(FOLDER / name / "cells.csv")
]


@pytest.mark.parametrize(("name", "cell"), NAMED)
def test_every_cell_that_has_a_name_is_printed(name, cell):
    paper = Paper(name)
    assert paper.cell(cell) in paper.values


def test_every_cell_that_has_a_name_is_read_by_a_page(monkeypatch):
    read, find_cell = set(), Printed.cell

    def listen(paper, cell):
        read.add((paper.paper, cell))
        return find_cell(paper, cell)

    monkeypatch.setattr(Printed, "cell", listen)
    for name in ledger.PAPERS:
        auditor(name)(Paper(name))
    assert read == set(NAMED)


def test_a_cell_without_a_name_is_one_error_that_names_the_file():
    with pytest.raises(DataError, match="poetry/cells.csv: no cell 'size'; known: trials"):
        Paper("poetry").stated("size")


def test_released_code_fixes_what_no_data_can():
    key = ("text", "A / StoryER Dataset", "Likert scale of the ratings (upper)")
    check = audited("evolvr").checked[key]
    assert check.basis == "code"
    assert check.holds


TTCW, POETRY, SIX = "ttcw", "poetry", "Claude-3-Opus 90n / Poeticness"
EXPANSION = "word-count difference to paired human story below which expansion stops"
QUOTED = "tests for which the experts that are quoted are among those that Table 2 names"
FICTION = "New Yorker stories that are fiction (stories as product: short and fictional)"
NONE = 'models ("none") whose verdicts correlate positively with the experts\''
RQ = "number of the research question on agreement between experts"
ORIGINALITY = "Claude 3.5 Originality change in"
HYBRID = "measures named (accuracy alone) by which the hybrid of Claude 3.5 improves on the method"
HYBRID += ' ("overall performance")'
STORIES = "stories (of twelve) on which Claude 3.5's correlation improves"
STORIES += ' ("consistent improvements … across each story")'
GROUPS = "groups of the second data set in which GPT-4's story is rated highest"
HIGHEST = (
    'aspects of the second data set on which GPT-4\'s stories are rated highest ("consistently")'
)
DETROIT = "year in the title of the story that is set in Detroit"
EVERY = 'cases ("every case") in which places give a higher F and a lower p than scores'
EXCEPTION = 'criteria ("sole exception") without a significant negative correlation'
REVERSE = "criteria whose prompt is the reverse of that of Innovativeness"
REVERSE += ' (Similarity, "its reverse")'
BATCHES = "cases (of ten: criteria and scorings) in which batches of 15 poems give a higher"
BATCHES += " correlation than 90 (more than)"
ITEMS = 'wordings of Quality and Value ("identical items")'
ASKED = "tests whose instruction asks the question of section 4.2"
ASKED += ' ("the original yes/no question")'
REASONS = "tests whose instruction for LLMs asks for reasons before the verdict"
REASONS += ' ("before arriving at any verdict")'
LONGER = "LLMs whose explanations are typically longer than the experts'"
STRONGER = "comparisons of a stronger with a lighter model of one maker that the stronger wins"
STRONGER += " (three correlations, two data sets)"
OVERALL = "Likert scale of the overall score"
SELF = 'models that write and refine the explanations ("the same model", LLM_self)'
PIPELINE = "3 / CoTs Evolution and Selection Pipeline"
PEOPLE = 'steps in which people refine the explanations ("autonomously")'
CLOSED = "benchmarks (of three) on which EvolvR is above all proprietary models"
OFFICIAL = "these benchmarks whose train/test split is official"
NAME = "dimensions of HANNA that its authors call Interestingness"
IDENTICAL = "ways in which the closed models' instructions differ from those of the synthesis"
IDENTICAL += ' ("identical", "zero-shot")'
DAY = "day in the name of the GPT-4 version of November 2023"
FIRST = "score of the first listed poem in Claude-3-Opus 90n as in 15n"
WORSE = 'models ("all") that do worse on OpenMEVA'
OTHER = (
    'changes of Point-RM and EvolvR in the dimensions ("other") but Coherence that are improvements'
)
PLANTED = [  # numbers whose verdict turns when this is printed
    (TTCW, ("text", "5.1", "New Yorker story length in words (upper)"), "7,207"),
    (TTCW, ("text", "1", "mean words per story"), "1500"),
    (TTCW, ("text", "7.4", "experts behind each test (upper)"), "6"),
    (TTCW, ("Table 5", "Fluency / Narrative Ending", "Expert Agreement"), "0.47"),
    (TTCW, ("text", "5.4.2", "mean Fleiss kappa over single tests"), "0.40"),
    (TTCW, ("text", "4.2", f"in words: {QUOTED}"), "10"),
    (TTCW, ("text", "1", f"in words: {FICTION}"), "11"),
    (TTCW, ("text", "Abstract", f"in words: {NONE}"), "2"),
    (TTCW, ("text", "5", "in words: " + RQ), "1"),
    (TTCW, ("text", "6", "cost of evaluating a story with an expert"), "$40"),
    (TTCW, ("text", "5.1", EXPANSION), "600"),
    (TTCW, ("text", "5.4.1", "approximate pass rate of GPT4 and Claude v1.3"), "97.0%"),
    (TTCW, ("text", "5.4.1", "pass rate that no test reaches"), "90%"),
    (TTCW, ("text", "5.4.1", "LLM pass rate as a fraction of the New Yorker one (upper)"), "1/4"),
    (TTCW, ("text", "6.1", "correlation that only GPT4 exceeds"), "0.1"),
    (TTCW, ("Table 5", "Fluency / Narrative Ending", "GPT4"), "58.3"),
    (TTCW, ("Table 9", "Average", "GPT4"), "0.099"),
    ("refbased_v1", ("Figure 2", "claude35", "story_3"), "0.45"),
    ("refbased_v1", ("Figure 3", "gpt-4o_ours", "AVG_pairwise-ACC"), "0.71"),
    ("refbased_v1", ("Table 2", "claude35_ours", "Fluency / ACC"), "0.99"),
    ("refbased_v1", ("text", "6", "gain in pairwise accuracy of the hybrid"), "+18%"),
    ("refbased_v2", ("Table 2", "AVG Spearman", "Ours (change)"), "+0.40"),
    ("refbased_v2", ("Table 5", "Qwen-Ours", "Cutoff = -2"), "0.24"),
    ("refbased_v2", ("Table 5", "Qwen-Ours", "Cutoff = -3"), "0.23"),
    ("refbased_v2", ("Table 6", "Analyze-Rate Prompting Only", "Claude 3.5"), "0.13"),
    ("refbased_v2", ("Table 3", "Trash", "New Yorker"), "2850"),
    ("refbased_v1", ("Table 2", "claude35", "Fluency / rho"), "0.30"),
    ("refbased_v1", ("text", "5", f"{ORIGINALITY} rho"), "-78%"),
    ("refbased_v1", ("text", "5", f"{ORIGINALITY} pairwise accuracy"), "-23%"),
    (TTCW, ("text", "A.1", "sentences in a plot summary"), "2"),
    (TTCW, ("text", "Figure 1 caption", "plots per group of stories"), "4"),
    (TTCW, ("text", "Figure 2 caption", "LLMs behind each generated story"), "3"),
    (TTCW, ("text", "5.2.1", f"in words: {ASKED}"), "12"),
    (TTCW, ("text", "6.1", f"in words: {REASONS}"), "13"),
    (TTCW, ("text", "6.1", f"in words: {LONGER}"), "2"),
    ("refbased_v1", ("text", "5", f"in words: {HYBRID}"), "3"),
    ("refbased_v1", ("text", "4.3", f"in words: {STORIES}"), "6"),
    ("refbased_v2", ("text", "4.1", f'in words: {GROUPS} ("consistently")'), "2"),
    ("refbased_v2", ("text", "4.1", f"in words: {HIGHEST}"), "8"),
    ("refbased_v2", ("text", "Table 3", f"in words: {DETROIT}"), "1966"),
    (POETRY, ("Table 2", "Claude-3-Opus", "Good"), "93"),
    (POETRY, ("text", "3", "ways in which the CAT is adapted"), "5"),
    (POETRY, ("text", "7.3.1", f"in words: {EVERY}"), "14"),
    (POETRY, ("text", "Table 1 caption", f"in words: {EXCEPTION}"), "3"),
    (POETRY, ("text", "3", f"in words: {REVERSE}"), "0"),
    (POETRY, ("text", "3", f"in words: {ITEMS}"), "2"),
    (POETRY, ("text", "Table 3 caption", f"in words: {BATCHES}"), "9"),
    (POETRY, ("text", "Table 2", "in words: " + DAY), "6"),
    (POETRY, ("text", "7", f"in words: {FIRST}"), "90"),
    (POETRY, ("Table 6", SIX, "Good"), "55.2"),
    (POETRY, ("Table 6", "GPT-4o 15n / Quality", "Bad"), "4.50"),
    (POETRY, ("Table 6", "GPT-4o / Quality", "F-value"), "93.31"),
    (POETRY, ("Table 7", "Claude-3-Opus 15n / Poem 3", "run 4"), "12"),
    (POETRY, ("Table 8", "SIMILARITY / GPT-4o", "ICC3k / p-value"), "1.35e-15"),
    (POETRY, ("Table 8", "POETICNESS / GPT-4o 15n", "ICC1k / F"), "94.58"),
    (POETRY, ("Table 8", "SIMILARITY / GPT-4o 15n", "ICC2k / p-value"), "2.41e-16"),
    (POETRY, ("Table 8", "QUALITY / GPT-4o 15n", "ICC3k / p-value"), "5.4e-55"),
    (POETRY, ("text", "Table 4 caption", "bound far above all p-values"), "0.00"),
    (POETRY, ("text", "7.3", "observed appearances of a poem, upper"), "45"),
    ("evolvr", ("Table 4", "EvolvR GRPO", "Relevance"), "4.5880"),
    ("evolvr", ("Table 12", "EvolvR GRPO", "Surprise (SD)"), "0.771"),
    ("evolvr", ("Table 9", "4 / Self-Counter", "Survival Rate"), "75.50%"),
    ("evolvr", ("Table 9", "3 / Self-Refinement-Rule", "Remaining"), "686,419"),
    ("evolvr", ("Table 8", "Empathy", "Diff"), "+0.018"),
    ("evolvr", ("Table 15", "B", "A"), "0.984"),
    ("evolvr", ("Table 11", "(A, B)", "Kendall"), "0.5372"),
    ("evolvr", ("Table 11", "(A, B)", "F1-Score"), "0.7479"),
    ("evolvr", ("Table 7", "StoryER-Scale", "Dimensions"), "10"),
    ("evolvr", ("text", "4 / Analysis of Evaluation Results", f"in words: {WORSE}"), "8"),
    ("evolvr", ("text", "4 / EvolvR-Guided Story Generation", f"in words: {OTHER}"), "9"),
    ("evolvr", ("Table 6", "EvolvR", "Pearson"), "0.6175"),
    ("evolvr", ("Table 7", "OpenMEVA", "Samples"), "1,000"),
    ("evolvr", ("Table 7", "OpenMEVA", "Dimensions"), "2"),
    ("evolvr", ("text", "A / OpenMEVA Benchmark", f"{OVERALL} (lower)"), "0"),
    ("evolvr", ("text", "A / OpenMEVA Benchmark", f"{OVERALL} (upper)"), "10"),
    ("evolvr", ("text", "3 / Problem Formulation", "main stages of the framework"), "4"),
    ("evolvr", ("text", "4 / Analysis of Evaluation Results", f"in words: {STRONGER}"), "20"),
    ("evolvr", ("text", PIPELINE, f"in words: {SELF}"), "3"),
    ("evolvr", ("text", "5", f"in words: {PEOPLE}"), "1"),
    ("evolvr", ("text", "5", f"in words: {CLOSED}"), "4"),
    ("evolvr", ("text", "4 / Datasets", f"in words: {OFFICIAL}"), "1"),
    ("evolvr", ("text", "A / HANNA Dataset", f"in words: {NAME}"), "0"),
    ("evolvr", ("text", "C / Testing and Evaluation Protocols", f"in words: {IDENTICAL}"), "2"),
    ("evolvr", ("text", "B / Multi-Persona CoT Synthesis", "personas guiding the synthesis"), "6"),
]


@pytest.mark.parametrize(("name", "key", "value"), PLANTED)
def test_the_printed_value_decides(name, key, value):
    before, after = audited(name), auditor(name)(audited(name).changed(key, value))
    assert after.checked[key].holds is not before.checked[key].holds
    assert len(after.checked) > 0.8 * len(before.checked), "a typo never hides the others"


SWAPPED = [  # cells that change places: two runs of one poem, two tiers of one row
    (
        ("Table 7", "Claude-3-Opus 15 / Poem 3", "run 1"),
        ("Table 7", "Claude-3-Opus 15 / Poem 3", "run 2"),
    ),
    (("Table 6", "GPT-4o / Quality", "Good"), ("Table 6", "GPT-4o / Quality", "Medium")),
    (("Table 6", SIX, "Bad"), ("Table 6", SIX, "Medium")),
]


@pytest.mark.parametrize("keys", SWAPPED)
def test_two_cells_that_changed_places_are_found(keys):
    paper = audited(POETRY)
    first, second = keys
    swapped = {first: paper.text(*second), second: paper.text(*first)}
    assert paper.text(*first) != paper.text(*second)
    assert planted_typos.caught(auditor(POETRY), paper, swapped)


BLANKS = [("evolvr", "Table 12"), ("evolvr", "Table 15"), (POETRY, "Table 6"), (POETRY, "Table 7")]


@pytest.mark.parametrize(("name", "table"), BLANKS)
def test_a_blank_where_a_number_is_needed_is_one_sentence_that_names_the_cell(name, table):
    key = Paper(name).keys(table)[7]
    with pytest.raises(DataError, match=re.escape(f"{' | '.join(key)}: blank; the audit needs")):
        auditor(name)(Paper(name).changed(key, ""))


def test_only_released_code_or_data_can_make_a_number_differ():
    assert set(WHOLE.loc[WHOLE["verdict"] == "differs", "basis"]) == {"raw", "code"}


def test_what_the_list_of_conclusions_says_of_the_kappas_of_art_or_artifice():
    printed = read_published("ttcw")
    in_table_9 = printed[(printed["table"] == "Table 9") & (printed["row"] != "Average")]
    kappas = in_table_9.pivot(index="row", columns="column", values="value").astype(float)
    means = pd.DataFrame({model: intervals.of_mean(kappas[model]) for model in kappas}).T
    assert (means["estimate"] > 0).sum() == 2 and (means["low"] < 0).all()
    averages = printed[(printed["table"] == "Table 5") & (printed["row"] == "Average")]
    of_experts = float(averages.set_index("column")["value"]["Expert Agreement"])
    assert (means["high"] < of_experts).all()
    # coins' kappas over 48 stories: the largest of as many (their median)
    largest_by_coins = stats.norm.ppf(0.5 ** (1 / kappas.size)) / 48**0.5
    assert abs(kappas.max().max() - largest_by_coins) < 0.05
