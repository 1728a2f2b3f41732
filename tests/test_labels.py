"""Parsers read the final label of hostile answers, or none; structured answers are read from their
field only."""

import json
import time

import jsonschema
import label_attacks
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from helpers.judges.answers import labels
from helpers.judges.requests import prompts
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
    found = [(text, reader.parse(text), value) for text, value in label_attacks.cases(kind)]
    assert [each for each in found if each[1] != each[2]] == []
    assert len(found) > 140 and reader.form == kind


def test_attacks_on_lists():
    for text, good in label_attacks.LISTS:
        assert (labels.parse_list(text) is not None) == good, text
    found = labels.parse_list(f"Here is my list:\n{label_attacks.FALLING}")
    assert found == [(1, "Ann - Snow: 5"), (2, "Bo - Ice: 3"), (3, "Cy - Fog: 3")]


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
    label, other = (data.draw(st.sampled_from(sorted(known))) for _ in range(2))
    text = dress.format(" ".join(analysis), line.replace("@", label))
    assert reader.parse(text) == known[label]
    assert reader.parse(f"{line.replace('@', other)}\n{text}") in (None, known[label])
    if label != other and "think" not in dress:  # thoughts are no part of an answer
        assert reader.parse(f"{line.replace('@', other)}\n{text}") is None


def test_likert_scales_keep_to_their_points():
    assert labels.likert(7).parse("[[A>>>B]]") == 3 and labels.likert(3).parse("[[A>>B]]") is None
    assert [labels.likert(points).form for points in (3, 5, 7)] == ["likert3", "likert5", "likert7"]
    with pytest.raises(ValueError, match="3, 5 or 7"):
        labels.likert(4)


def test_small_parsers():
    reader = labels.choice({"Yes": 1, "No": 0})
    assert [reader.parse(text) for text in ("yes.", " **No**", "Yes, it is", "")] == [
        "Yes",
        "No",
        None,
        None,
    ]
    assert reader.cut_ok and reader.choices == {"Yes": 1, "No": 0}
    words = ["No\n\nIt drags.", "'Yes', it does", "Maybe", None]
    assert [labels.parse_first_word(text) for text in words] == ["No", "Yes", None, None]


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
    text, start = filler * (100_000 // len(filler)) + ".\nThat is the story.\n", time.process_time()
    assert (
        labels.LIKERT.parse(text + "[[B>A]]") == -1
        and labels.YES_NO.parse(text + "Verdict: No") == "No"
    )
    assert labels.parse_list(text + "1. A: 3\n2. B: 1") in (None, [(1, "A: 3"), (2, "B: 1")])
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
    told = answers.str.extract(r"(?is)^\W*(?:yes|no)\W+(.*[.!?])\s*$")[0].dropna()
    told = told.sort_values().iloc[::7]
    assert (
        len(told) > 600
        and (told + "\nVerdict: No").map(labels.YES_NO.parse).eq("No").mean() > 0.995
    )


@settings(max_examples=60)
@given(st.lists(st.integers(1, 5), min_size=2, max_size=15))
def test_a_list_is_never_read_against_its_scores(scores):
    found = labels.parse_list(
        "\n".join(f"{k}. A{k} - T: {score}" for k, score in enumerate(scores, 1))
    )
    pairs = sum((b > a) - (b < a) for i, a in enumerate(scores) for b in scores[i + 1 :])
    assert (found is not None) == (pairs <= 0)


JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-1, 7)
    | st.sampled_from(["Yes", "No", "A>B", "Good", "x", ""]),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(
                [
                    "analysis",
                    "verdict",
                    "label",
                    "grade",
                    "category",
                    "score_a",
                    "score_b",
                    "ranking",
                    "poem",
                    "score",
                ]
            ),
            inner,
            max_size=4,
        )
    ),
    max_leaves=12,
)


@settings(max_examples=150)
@given(st.sampled_from(sorted(prompts.form())), JSON, st.data())
def test_a_structured_answer_is_read_where_it_fits_its_schema_and_nowhere_else(name, value, data):
    schema = prompts.form(name)["schema"]
    jsonschema.Draft202012Validator.check_schema(schema)
    if data.draw(st.booleans()):  # most random values fit no schema: take one that nearly does
        values = {
            field: st.sampled_from(each.get("enum", ["x"]))
            for field, each in schema["properties"].items()
        }
        fields = {field: data.draw(some | JSON) for field, some in values.items()}
        value = fields | ({"more": 1} if data.draw(st.integers(0, 5)) == 0 else {})
    fits = jsonschema.Draft202012Validator(schema).is_valid(value)
    found = labels.read_form(json.dumps(value), name)
    assert (found is not None) <= fits and (fits <= (found is not None) or name == "ranking")


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
    assert (
        labels.read_form(text + " ", name) == value and labels.read_form(text + text, name) is None
    )
    assert (
        labels.read_form("Here: " + text, name) is None
        and labels.read_form(text[:-1], name) is None
    )


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


def sum_counts(readings, own, families):
    """Return the counts of some families together."""
    parts = [counts for name, mine, counts in readings if mine == own and name in families]
    assert len(parts) == len(families)
    return {kind: sum(counts[kind] for counts in parts) for kind in parts[0]}


FORMAL = ["two labels", "an unfinished thought", "another's turn, or another text"]
IN_PROSE = ["a quoted line", "a label that is taken back", "a label on a condition"]


def test_what_is_read_and_misread_is_written_where_a_reader_looks():
    readings = label_attacks.count_readings()
    card = (ROOT / "data/README.md").read_text(encoding="utf8")
    rows = [
        "| the answer has | texts | read rightly | not read | misread |",
        "|---|---|---|---|---|",
    ]
    for name, own, counts in readings:
        rightly = counts["read rightly"] if own else "–"
        texts, missed, misread = sum(counts.values()), counts["not read"], counts["misread"]
        rows.append(f"| {name} | {texts} | {rightly} | {missed} | {misread} |")
    assert "\n".join(rows) in card
    own = sum_counts(readings, True, ["its own label"])
    formal = sum_counts(readings, False, FORMAL)
    prose = sum_counts(readings, False, IN_PROSE)
    told = " ".join(labels.read_final_label.__doc__.split())
    said = "{} of {} read rightly, {} not read, {} misread"
    assert (
        said.format(own["read rightly"], sum(own.values()), own["not read"], own["misread"]) in told
    )
    for counts in (formal, prose):
        assert f"{counts['misread']} of {sum(counts.values())} misread" in told


def test_no_honest_label_is_misread_and_none_is_read_in_thoughts_and_turns():
    readings = {name: counts for name, _, counts in label_attacks.count_readings()}
    for name in ["its own label", *FORMAL]:
        assert readings[name]["misread"] == 0, name
    for name in ("an unfinished thought", "another's turn, or another text"):
        # sixteen forms, three labels, seven parsers
        assert sum(readings[name].values()) == 16 * 3 * 7
