"""Readers read the final label of hostile answers, or none; of structured answers the label's field
alone. The answers are in `label_attacks`."""

import itertools
import json
import time
from pathlib import Path

import jsonschema
import label_attacks
import pandas as pd
import pytest
from goodjudge.ask import labels
from hypothesis import given, settings
from hypothesis import strategies as st

WORDS = """No one speaks on the quay.
Her refusal to say yes to the ferryman is the finest moment.
For example, the smell of wet wool returns.
The verdict of the village is left unsaid.
The following morning is told in one sentence.
The instructions that the father leaves behind explain too much.
Another reader may find it slow; I found it patient.
Yes, there is a bicycle in a tree, but that is all there is.
My own answer to the question in the title changed twice.""".splitlines()
DRESS = ["{}\n{}", "{}\n\n{}", "{}\n\n**{}**", "{}\n### {}", "{}\n{}.", "<think>x</think>{}\n{}"]
READERS = {name: reader for name, (reader, _, _) in label_attacks.SIDES.items()}


@pytest.mark.parametrize("kind", label_attacks.KINDS)
def test_attacks_get_no_label_but_the_disowned(kind):
    reader = label_attacks.KINDS[kind][0]
    cases = [*label_attacks.cases(kind)]
    assert len(cases) > 120
    assert [(text, label) for text, label in cases if reader.parse(text) != label] == []


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


def test_comparisons_and_scales_keep_to_their_points():
    assert labels.likert(7).parse("[[A>>>B]]") == 3
    assert labels.likert(3).parse("[[A>>B]]") is None
    with pytest.raises(ValueError, match="3, 5 or 7"):
        labels.likert(4)
    one_to_ten = labels.scale(1, 10)
    assert [one_to_ten.parse(f"It holds.\n[[{n}]]") for n in (0, 1, 10, 11)] == [None, 1, 10, None]
    assert one_to_ten.parse('{"analysis": "", "grade": 10}') == 10
    with pytest.raises(ValueError, match="from 5 to 1"):
        labels.scale(5, 1)
    worth = labels.one_of(["Good", "Good enough", "Bad"], "worth")
    assert worth.parse("It holds.\nCategory: good enough") == "Good enough"
    assert worth.parse("It holds.\nCategory: Good") == "Good"
    assert worth.parse('{"analysis": "", "category": "good enough"}') == "Good enough"


@pytest.mark.parametrize(
    "text, label",
    [
        ("yes.", "Yes"),
        (" **No**", "No"),
        ("<think>No</think>Yes", "Yes"),
        *((text, None) for text in ("Yes, it is", "Yes, but No", "No verdict", "", "I", "YesNo")),
    ],
)
def test_a_choice_is_the_whole_answer_or_none(text, label):
    reader = labels.choice({"Yes": 1, "No": 0})
    assert reader.parse(text) == label and reader.cut_ok and reader.choices == {"Yes": 1, "No": 0}


FILLERS = ["x", "A>", "[\n", "</i> ", "yes no ", "verdict ", "[[A>B", "*", "\n", "{", "here is my "]


@pytest.mark.parametrize("filler", FILLERS)
def test_an_answer_of_100_kb_is_read_quickly(filler):
    text = filler * (100_000 // len(filler)) + ".\nThat is the story.\n"
    start = time.process_time()
    assert label_attacks.LIKERT.parse(text + "[[B>A]]") in (-1, None if "{" in filler else -1)
    assert labels.YES_NO.parse("Here is my verdict:\n{" + text) is None
    assert label_attacks.PAIR.parse("[[A: 1, B: 2]]\n" + text) in (None, (1, 2))
    assert time.process_time() - start < 60  # a pattern that goes back and forth takes hours


# ── Structured answers ────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("name", READERS)
def test_whatever_its_schema_allows_is_read_and_nothing_less(name):
    reader = READERS[name]
    schema = reader.form.schema
    jsonschema.Draft202012Validator.check_schema(schema)
    allowed = [rule.get("enum", ["x"]) for rule in schema["properties"].values()]
    for values in itertools.product(*allowed):
        fields = dict(zip(schema["properties"], values))
        jsonschema.validate(fields, schema)
        assert reader.parse(json.dumps(fields)) is not None
        for field in set(fields) - {"analysis"}:
            assert reader.parse(json.dumps({**fields, field: "neither"})) is None
            assert reader.parse(json.dumps({**fields, field: None})) is None
        assert reader.parse(json.dumps({**fields, "more": 1})) is None


@pytest.mark.parametrize(
    "name, fields, value",
    [
        ("yes_no", {"verdict": "No"}, "No"),
        ("yes_no", {"verdict": "yes"}, "Yes"),
        ("yes_no", {"verdict": "Yes", "confidence": 0.9}, "Yes"),
        ("yes_no", {"verdict": "Maybe"}, None),
        ("yes_no", {"verdict": "Yes", "final_verdict": "No"}, None),
        ("yes_no", {"verdict": "Yes", "reasoning": {"verdict": "No"}}, None),
        ("yes_no", {"verdict": "Yes", "confidence": "none at all"}, None),
        ("likert3", {"label": "B>A"}, -1),
        ("likert5", {"label": "A>>B"}, 2),
        ("likert5", {"label": "A<B"}, None),
        ("likert7", {"label": "B>>>A"}, -3),
        ("likert7", {"label": "A=B"}, 0),
        ("grade", {"grade": 4}, 4),
        ("grade", {"grade": 4.0}, 4),
        ("grade", {"grade": "4"}, 4),
        ("grade", {"grade": 4.5}, None),
        ("grade", {"grade": True}, None),
        ("tier", {"category": "Bad"}, "Bad"),
        ("pair", {"score_a": 4, "score_b": 2}, (4, 2)),
        ("pair", {"score_a": 4}, None),
    ],
)
def test_an_object_says_what_its_label_s_field_says(name, fields, value):
    text = json.dumps({"analysis": "Verdict: Yes\n[[B>A]] [[1]]", **fields})
    reader = READERS[name]
    for template in label_attacks.JSON_READ:
        assert reader.parse(template.replace("@", text)) == value, template
        assert reader.parse(template.replace("@", text.replace("\\n", "\n"))) == value, template


@pytest.mark.parametrize("template", label_attacks.JSON_NOT_READ)
def test_an_object_beside_anything_else_says_nothing(template):
    for text in ('{"verdict": "Yes"}', '{\n "analysis": "a",\n "verdict": "Yes"\n}'):
        said = template.replace("@", text).replace("{a}", label_attacks.ANALYSIS)
        assert labels.YES_NO.parse(said) is None


@pytest.mark.parametrize(
    "text",
    [
        '{"analysis": "a", "verdict": "Yes", "verdict": "No"}',
        '{"verdict": "Yes",}',
        "{" * 100_000,
        None,
        "",
        "\ud800",
    ],
)
def test_what_is_not_one_object_with_each_field_once_has_no_label(text):
    assert labels.YES_NO.parse(text) is None


# ── How often ─────────────────────────────────────────────────────────────────────────────────────

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


def test_what_is_read_and_misread_is_written_down(readings):
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
    written = Path(__file__).parents[2] / "docs" / "labels.md"
    assert "\n".join(rows) in written.read_text(encoding="utf8")
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
