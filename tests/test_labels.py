"""Readers read the final label of hostile answers, or none; structured answers are read from their
field only. The answers are in `label_attacks`, the patterns one by one in `test_phrases`."""

import itertools
import json
import time

import jsonschema
import label_attacks
import pandas as pd
import pytest
from goodjudge.ask import labels
from goodjudge.ask.lists import parse_list
from goodjudge.ask.prompts import form
from hypothesis import given, settings
from hypothesis import strategies as st

from helpers import prompts
from helpers.sources.public import ROOT
from helpers.ttcw import load as ttcw
from tools.public_numbers import read_ttcw_answers

WORDS = [
    "No one speaks on the quay.",
    "Her refusal to say yes to the ferryman is the finest moment.",
    "For example, the smell of wet wool returns.",
    "The verdict of the village is left unsaid.",
    "The form is borrowed from a more famous book.",
    "The following morning is told in one sentence.",
    "I would have liked a longer middle.",
    "The instructions that the father leaves behind explain too much.",
    "Good lines drown in filler.",
    "Another reader may find it slow; I found it patient.",
    "Yes, there is a bicycle in a tree, but that is all there is.",
    "My own answer to the question in the title changed twice.",
]
DRESS = ["{}\n{}", "{}\n\n{}", "{}\n\n**{}**", "{}\n### {}", "{}\n{}.", "<think>x</think>{}\n{}"]


@pytest.mark.parametrize("kind", label_attacks.KINDS)
def test_attacks_get_no_label_but_the_disowned(kind):
    reader = label_attacks.KINDS[kind][0]
    cases = [*label_attacks.cases(kind)]
    assert reader.form == kind
    assert len(cases) > 140
    assert [(text, label) for text, label in cases if reader.parse(text) != label] == []


@pytest.mark.parametrize("text, is_read", label_attacks.LISTS)
def test_attacks_on_lists(text, is_read):
    assert (parse_list(text) is not None) == is_read


def test_a_list_is_read_as_numbers_and_entries():
    entries = parse_list(f"Here is my list:\n{label_attacks.FALLING}")
    assert entries == [(1, "Ann - Snow: 5"), (2, "Bo - Ice: 3"), (3, "Cy - Fog: 3")]


@settings(max_examples=100)
@given(
    kind=st.sampled_from(sorted(label_attacks.KINDS)),
    analysis=st.lists(st.sampled_from(WORDS), max_size=5),
    dress=st.sampled_from(DRESS),
    data=st.data(),
)
def test_a_demanded_line_is_read_whatever_the_analysis_says_and_never_beside_another(
    kind, analysis, dress, data
):
    reader, line, known = label_attacks.KINDS[kind]
    label = data.draw(st.sampled_from(sorted(known)))
    other = data.draw(st.sampled_from(sorted(known)))
    text = dress.format(" ".join(analysis), line.replace("@", label))
    after_another_line = line.replace("@", other) + "\n" + text
    assert reader.parse(text) == known[label]
    assert reader.parse(after_another_line) in (None, known[label])
    if label != other and "think" not in dress:  # thoughts are no part of an answer
        assert reader.parse(after_another_line) is None


def test_likert_scales_keep_to_their_points():
    assert labels.likert(7).parse("[[A>>>B]]") == 3
    assert labels.likert(3).parse("[[A>>B]]") is None
    assert [labels.likert(points).form for points in (3, 5, 7)] == ["likert3", "likert5", "likert7"]
    with pytest.raises(ValueError, match="3, 5 or 7"):
        labels.likert(4)


def test_a_choice_is_one_label_and_nothing_else():
    reader = labels.choice({"Yes": 1, "No": 0})
    assert reader.parse("yes.") == "Yes"
    assert reader.parse(" **No**") == "No"
    assert reader.parse("Yes, it is") is None
    assert reader.parse("") is None


def test_a_choice_is_read_when_cut_off_and_asks_for_probabilities():
    reader = labels.choice({"Yes": 1, "No": 0})
    assert reader.cut_ok
    assert reader.choices == {"Yes": 1, "No": 0}


@pytest.mark.parametrize(
    "text, word",
    [("No\n\nIt drags.", "No"), ("'Yes', it does", "Yes"), ("Maybe", None), (None, None)],
)
def test_the_first_word_of_a_recorded_answer(text, word):
    assert labels.parse_first_word(text) == word


@settings(max_examples=100)
@given(st.text(max_size=500))
def test_any_text_gives_a_verdict_or_none(text):
    assert labels.YES_NO.parse(text) in ("Yes", "No", None)
    assert labels.LIKERT.parse(text) in (-2, -1, 0, 1, 2, None)
    assert labels.GRADE.parse(text) in (1, 2, 3, 4, 5, None)


@pytest.mark.parametrize(
    "filler",
    [
        "x",
        " ",
        "[",
        "A>",
        ":",
        "[\n",
        "</i> ",
        "thus ",
        "yes no ",
        "verdict ",
        "[[A>B",
        "*",
        "\n",
        ">" * 5,
    ],
)
def test_an_answer_of_100_kb_is_read_quickly(filler):
    text = filler * (100_000 // len(filler)) + ".\nThat is the story.\n"
    start = time.process_time()
    assert labels.LIKERT.parse(text + "[[B>A]]") == -1
    assert labels.YES_NO.parse(text + "Verdict: No") == "No"
    assert parse_list(text + "1. A: 3\n2. B: 1") in (None, [(1, "A: 3"), (2, "B: 1")])
    assert labels.PAIR_OF_SCORES.parse("[[A: 1, B: 2]]\n" + text) in (None, (1, 2))
    assert time.process_time() - start < 60  # a pattern that goes back and forth takes hours


def test_the_first_word_of_every_released_answer_is_its_verdict(open_data):
    answers = pd.concat([read_ttcw_answers(judge) for judge in ttcw.JUDGES])
    assert answers["text"].map(labels.parse_first_word).value_counts().to_dict() == {
        "Yes": 3615,
        "No": 1024,
    }


def test_next_to_no_recorded_analysis_hides_a_label(open_data):
    answers = pd.concat([read_ttcw_answers(judge)["text"] for judge in ttcw.JUDGES])
    analyses = answers.str.extract(r"(?is)^\W*(?:yes|no)\W+(.*[.!?])\s*$")[0].dropna()
    sample = analyses.sort_values().iloc[::7]
    verdicts = (sample + "\nVerdict: No").map(labels.YES_NO.parse)
    assert len(sample) > 600
    assert verdicts.eq("No").mean() > 0.995


@settings(max_examples=60)
@given(st.lists(st.integers(1, 5), min_size=2, max_size=15))
def test_a_list_is_never_read_against_its_scores(scores):
    lines = [f"{number}. A{number} - T: {score}" for number, score in enumerate(scores, 1)]
    pairs = [*itertools.combinations(scores, 2)]
    rising = sum(later > earlier for earlier, later in pairs)
    falling = sum(later < earlier for earlier, later in pairs)
    assert (parse_list("\n".join(lines)) is not None) == (rising <= falling)


SCALARS = (
    st.none()
    | st.booleans()
    | st.integers(-1, 7)
    | st.sampled_from(["Yes", "No", "A>B", "Good", "x", ""])
)
FIELDS = ["analysis", "verdict", "label", "grade", "category", "score_a", "score_b", "ranking"]
FIELDS += ["poem", "score"]


def nest(inner):
    """Return a strategy of lists and objects of what `inner` draws."""
    return st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(FIELDS), inner, max_size=4)


JSON = st.recursive(SCALARS, nest, max_leaves=12)


def draw_nearly_valid(data, schema):
    """Return an object with the fields of a schema; some have a wrong value, some objects a field
    too many."""
    fields = {}
    for field, rule in schema["properties"].items():
        valid = st.sampled_from(rule.get("enum", ["x"]))
        fields[field] = data.draw(valid | JSON)
    if data.draw(st.integers(0, 5)) == 0:
        fields["more"] = 1
    return fields


@settings(max_examples=150)
@given(st.sampled_from(sorted(form())), JSON, st.data())
def test_a_structured_answer_is_read_where_it_fits_its_schema_and_nowhere_else(name, value, data):
    schema = form(name)["schema"]
    jsonschema.Draft202012Validator.check_schema(schema)
    if data.draw(st.booleans()):  # most random values fit no schema
        value = draw_nearly_valid(data, schema)
    fits = jsonschema.Draft202012Validator(schema).is_valid(value)
    is_read = labels.read_form(json.dumps(value), name) is not None
    if not fits:
        assert not is_read
    elif name != "ranking":  # whose scores may rise
        assert is_read


@pytest.mark.parametrize(
    "name, fields, value",
    [
        ("yes_no", {"verdict": "No"}, "No"),
        ("likert3", {"label": "B>A"}, -1),
        ("likert5", {"label": "A>>B"}, 2),
        ("likert7", {"label": "B>>>A"}, -3),
        ("likert7", {"label": "A=B"}, 0),
        ("grade", {"grade": 4}, 4),
        ("tier", {"category": "Bad"}, "Bad"),
        ("evolvr", {"score_a": 4, "score_b": 2}, (4, 2)),
        (
            "ranking",
            {"ranking": [{"poem": "Ann - Snow", "score": 5}, {"poem": "Bo - Ice", "score": 1}]},
            [(1, "Ann - Snow: 5"), (2, "Bo - Ice: 1")],
        ),
        (
            "ranking",
            {"ranking": [{"poem": "Ann - Snow", "score": 1}, {"poem": "Bo - Ice", "score": 5}]},
            None,
        ),
        ("yes_no", {"verdict": "Maybe"}, None),
        ("yes_no", {"verdict": "yes"}, None),
        ("grade", {"grade": True}, None),
        ("grade", {"grade": "4"}, None),
    ],
)
def test_a_form_gives_what_its_parser_would(name, fields, value):
    text = json.dumps({"analysis": "Verdict: Yes [[B>A]] [[1]]", **fields})
    assert labels.read_form(text, name) == value
    assert labels.read_form(text + " ", name) == value
    assert labels.read_form(text + text, name) is None
    assert labels.read_form("Here: " + text, name) is None
    assert labels.read_form(text[:-1], name) is None


@pytest.mark.parametrize(
    "text",
    [
        '{"analysis": "a", "verdict": "Yes", "verdict": "No"}',
        "[" * 100_000,
        None,
        "",
        "1" * 9999,
        '"Yes"',
        "\ud800",
    ],
)
def test_what_is_not_one_object_with_each_field_once_has_no_label(text):
    assert labels.read_form(text, "yes_no") is None


def test_a_form_that_is_not_there_is_named():
    with pytest.raises(prompts.PromptError, match="expected one of yes_no"):
        labels.read_form("{}", "nothing")


FORMAL = ["two labels", "an unfinished thought", "another's turn, or another text"]
IN_PROSE = ["a quoted line", "a label that is taken back", "a label on a condition"]


@pytest.fixture(scope="module")
def readings():
    """(family, whether the label is the judge's, counts) of `label_attacks.FAMILIES`."""
    return label_attacks.count_readings()


def sum_counts(readings, families):
    """Return the counts of some families together."""
    counts = [pd.Series(counts) for name, _, counts in readings if name in families]
    assert len(counts) == len(families)
    return sum(counts)


def test_what_is_read_and_misread_is_written_in_the_card_of_the_data(readings):
    rows = [
        "| the answer has | texts | read rightly | not read | misread |",
        "|---|---|---|---|---|",
    ]
    for name, own, counts in readings:
        texts = sum(counts.values())
        rightly = counts["read rightly"] if own else "–"
        rows.append(
            f"| {name} | {texts} | {rightly} | {counts['not read']} | {counts['misread']} |"
        )
    assert "\n".join(rows) in (ROOT / "data/README.md").read_text(encoding="utf8")


def test_what_is_read_and_misread_is_written_where_labels_are_read(readings):
    docstring = " ".join(labels.read_final_label.__doc__.split())
    own = sum_counts(readings, ["its own label"])
    assert (
        f"{own['read rightly']} of {own.sum()} read rightly, {own['not read']} not read,"
        f" {own['misread']} misread"
    ) in docstring
    for families in (FORMAL, IN_PROSE):
        counts = sum_counts(readings, families)
        assert f"{counts['misread']} of {counts.sum()} misread" in docstring


@pytest.mark.parametrize("name", ["its own label", *FORMAL])
def test_no_honest_label_is_misread_and_none_is_read_in_thoughts_and_turns(name, readings):
    assert sum_counts(readings, [name])["misread"] == 0


@pytest.mark.parametrize("name", ["an unfinished thought", "another's turn, or another text"])
def test_a_family_has_sixteen_forms_three_labels_and_seven_parsers(name, readings):
    assert sum_counts(readings, [name]).sum() == 16 * 3 * 7


def test_only_the_judges_own_label_can_be_read_rightly(readings):
    assert {name for name, own, _ in readings if own} == {"its own label"}
    assert {name for name, own, _ in readings if not own} == {*FORMAL, *IN_PROSE}
