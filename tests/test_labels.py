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

from helpers.judges import labels, prompts
from helpers.ttcw import load as ttcw

NOISE = st.text(alphabet="abcdefgh ,.;\n*_", max_size=300)
LABELS = {2: "[[A>>B]]", 1: "[[A>B]]", 0: "[[A=B]]", -1: "[[B>A]]", -2: "[[B>>A]]"}
DRESSED = [
    "{}",
    "**{}**",
    "`{}`",
    "Final label: {}",
    "{}.",
    "### {}",
    "__{}__",
    "<label>{}</label>",
    "\\boxed{{{}}}",
]


@pytest.mark.parametrize(
    "text, verdict",
    [
        ("Yes", "Yes"),
        ("no.", "No"),
        ("**No**\n\nThe story drags on.", None),
        ("**No**\n\nIt drags.", None),
        ("**No**\n\nJust kidding.", None),
        ("Yes, the parts work together.", None),
        ("No, each character is distinct, so it passes.", None),
        ("The story could be a Yes.\nVerdict: No", "No"),
        ("It drags.\nVerdict: No", "No"),
        ("Verdict: Yes\nIt drags.", None),
        ("Yes, it holds.\nVerdict: No", "No"),
        ("Verdict: Yes\nIt holds.\nVerdict: Yes", None),
        ("A friend of mine would say no.\nVerdict: No", "No"),
        ("Un lecteur sévère aurait peut-être préféré autre chose.\nVerdict: No", "No"),
        ("It drags and\nVerdict: No", "No"),
        ("x" * 199 + "\nVerdict: No", "No"),
        ("The committee has already ruled.\nVerdict: No", "No"),
        ("Weighed both ways.\nVerdict: No", "No"),
        ("<think>Verdict: Yes</think>\nIt drags.\nVerdict: No", "No"),
        ("<think>It drags.\nVerdict: No", None),
        ('```json\n{"reasoning": "Verdict: Yes", "verdict": "No"}\n```', "No"),
        ('{"verdict": "No", "confidence": 0.1}', None),
        ("Verdict: Yes\n\nOn reflection.\nVerdict: No", None),
        ("VERDICT： ＮＯ", "No"),
        ("It drags.\nVerdict: No<|im_end|>", "No"),
        ("It drags.\nVerdict: No</s>\n<|endoftext|>", "No"),
        ("So it fails, I think.</think>\nIt drags.\n**Verdict: No**", "No"),
        ("<think>Yes?</think>\nIt drags. <think>\nVerdict: No", None),
        ("It drags.\n\nVerdict: No\nVerdict: No\n\n**Verdict: No**", "No"),
        ("It drags.\nVerdict: No\n\n(Word count: 96)", "No"),
        ("It drags.\nThe final verdict is: No.", "No"),
        ("It drags.\n> Verdict: No", None),
        ('It drags.\n"Verdict: No"', None),
        ("It drags.\n```\nVerdict: No", None),
        ("It drags. This is not my verdict.\nVerdict: No", None),
        ("It drags. For example:\nVerdict: No", None),
        ("For example, the aunt drags.\nVerdict: No", "No"),
        ("## Verdict\nYes", "Yes"),
        ("Final answer: <b>No", None),
        ("Answer: **yes**", "Yes"),
        ("Answer - **yes**", None),
        ("The verdict is no", None),
        ("Verdict: Yes or No", None),
        ("Verdict: Yes/No", None),
        ("Yes and no, it depends", None),
        ("Yes or No", None),
        ("", None),
        (None, None),
        ("Perhaps", None),
        ("I know nothing", None),
        ("Nobody says yes to this", None),
        ("Not at all", None),
    ],
)
def test_yes_no(text, verdict):
    assert labels.parse_yes_no(text) == verdict


@pytest.mark.parametrize(
    "text, value",
    [
        ("[[A>>B]]", 2),
        ("[[b>a]]", -1),
        ("[[A<<B]]", -2),
        ("[[ A = B ]]", 0),
        ("［［Ａ＞Ｂ］］", 1),
        ("[[A≫B]]", None),
        ("[[A&gt;B]]", 1),
        ("[[A \\> B]]", 1),
        ("A>>B", None),
        ("Final label: B>A", -1),
        ("I think A>B here.\nA=B", None),
        ("I think both A>B and B>A here.\n[[A=B]]", 0),
        ("The form is:\nA=B", None),
        ("[[A>>B]]\nNo: [[B>A]]", None),
        ("[[A>>B]]\nOn reflection, B is better.\n[[B>A]]", None),
        ("[[A>B]] or [[A=B]]", None),
        ("[[A>A]]", None),
        ("[[A>>>B]]", None),
        ("A is better than B", None),
        ("", None),
        (None, None),
        ("[[C>B]]", None),
        ("The label [[A>B]] fits.\nThank you.", None),
        ("[[A>B]]\nThank you.", None),
    ],
)
def test_likert(text, value):
    assert labels.parse_likert(text) == value


def test_likert_scales_keep_to_their_points():
    assert labels.likert(7)("[[A>>>B]]") == 3
    assert labels.likert(3)("[[A>>B]]") is None
    assert (
        labels.parse_grade("[[4]]") == 4
        and labels.parse_grade("[[6]]") is None
        and labels.parse_grade("[[1]] [[2]]") is None
    )
    with pytest.raises(ValueError, match="3, 5 or 7"):
        labels.likert(4)


@settings(max_examples=200, deadline=None)
@given(
    st.sampled_from(sorted(LABELS)),
    st.sampled_from(sorted(LABELS)),
    NOISE,
    st.sampled_from(DRESSED),
)
def test_likert_takes_the_only_label_at_the_end_and_none_of_two(quoted, final, noise, dress):
    text = f"{noise}\nOne is the weaker, and {noise} it is the other.\n" + dress.format(
        LABELS[final]
    )
    assert labels.parse_likert(text) == labels.parse_likert(text.lower()) == final
    assert (
        quoted == final or labels.parse_likert(f"It is {LABELS[quoted]} at first.\n{text}") is None
    )
    assert labels.parse_likert(f"{LABELS[quoted]}\n{text}") is None


@settings(max_examples=200, deadline=None)
@given(
    st.sampled_from(["Yes", "No"]),
    st.sampled_from(["Yes", "No"]),
    NOISE,
    st.sampled_from(["{}", "**{}**", "{}.", "`{}`", "[[{}]]"]),
)
def test_yes_no_takes_the_only_verdict_at_the_end_and_none_of_two(quoted, final, noise, dress):
    text = (
        f"{noise}\nThe {quoted} of the aunt and the no or yes of the boy make the story.\nVerdict: "
        + dress.format(final)
    )
    assert labels.parse_yes_no(text) == labels.parse_yes_no(text.upper()) == final
    assert labels.parse_yes_no(f"Verdict: {quoted}\n{text}") is None


@settings(max_examples=300, deadline=None)
@given(st.text(max_size=500))
def test_any_text_gives_a_verdict_or_none(text):
    assert labels.parse_yes_no(text) in ("Yes", "No", None)
    assert labels.parse_likert(text) in (-2, -1, 0, 1, 2, None)
    assert labels.parse_grade(text) in (1, 2, 3, 4, 5, None)


@pytest.mark.parametrize(
    "filler",
    [
        "x",
        " ",
        "[",
        "A>",
        ":",
        "[\n",
        "</s> ",
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
        labels.parse_likert(text + "[[B>A]]") == -1
        and labels.parse_yes_no(text + "Verdict: No") == "No"
    )
    assert labels.parse_list(text + "1. A: 3\n2. B: 1") in (None, [(1, "A: 3"), (2, "B: 1")])
    assert labels.parse_scores("[[A: 1, B: 2]]\n" + text) in (None, (1, 2))
    assert time.process_time() - start < 60  # a pattern that goes back and forth takes hours


# templates whose label is not read, on purpose
REFUSED = {"yes_no": 85, "likert5": 24, "grade": 22, "evolvr": 22, "tier": 13}
# read wrongly: prose takes the label back
DISOWNED = {"yes_no": 19, "likert5": 10, "grade": 10, "evolvr": 10, "tier": 10}
PARSERS = {
    "yes_no": labels.parse_yes_no,
    "likert5": labels.parse_likert,
    "grade": labels.parse_grade,
    "evolvr": labels.parse_scores,
    "tier": labels.parse_tier,
    "ranking": labels.parse_list,
}


@pytest.mark.parametrize("part", ["tune", "held"])
@pytest.mark.parametrize("kind", PARSERS)
def test_no_attack_gets_a_wrong_label_but_the_disowned_and_few_labels_are_missed(kind, part):
    table, wrong = label_attacks.count(PARSERS[kind], kind, part, each=20)
    assert all(
        counts["wrong"] == (counts.total() if group == "disowned" else 0)
        for group, counts in table.items()
    )
    assert {
        group: counts["missed"] for group, counts in table.items() if counts["missed"]
    }.keys() <= {"refused"}


@pytest.mark.parametrize("group, counts", [("refused", REFUSED), ("disowned", DISOWNED)])
def test_what_is_refused_on_purpose_and_what_is_read_wrongly_is_counted(group, counts):
    kinds = {
        kind: sum(each == group for each, *_ in templates)
        for kind, (templates, *_) in label_attacks.KINDS.items()
    }
    assert kinds == counts


LINES = [("yes_no", f"Verdict: {word}", word) for word in ("Yes", "No")]
LINES += [("tier", f"Category: {word}", word) for word in ("Good", "Medium", "Bad")]
LINES += [("likert5", label, value) for value, label in LABELS.items()]
LINES += [("grade", f"[[{n}]]", n) for n in range(1, 6)] + [
    ("evolvr", f"[[A: {n}, B: 2]]", (n, 2)) for n in range(1, 6)
]


@pytest.mark.parametrize("opinion", ["praise", "blame"])
@settings(max_examples=150, deadline=None)
@given(st.data())
def test_a_demanded_line_is_read_whatever_the_analysis_says(opinion, data):
    sentence = st.sampled_from(label_attacks.ORDINARY[opinion])
    analysis = data.draw(st.sampled_from([" ", "\n", "\n\n- "])).join(
        data.draw(st.lists(sentence, max_size=6))
    )
    dressed = data.draw(
        st.sampled_from(
            [
                "{}\n{}",
                "{}\n\n{}",
                "{}\n\n**{}**",
                "{}\n### {}",
                "{}\n{}<|im_end|>",
                "<think>x</think>{}\n{}",
            ]
        )
    )
    for kind, line, value in LINES:
        assert PARSERS[kind](dressed.format(analysis, line)) == value


def test_the_first_word_of_every_released_answer_is_its_verdict(open_data):
    answers = pd.concat([ttcw.load_recorded(judge) for judge in ttcw.JUDGES])
    assert answers["text"].map(labels.parse_first_word).value_counts().to_dict() == {
        "Yes": 3615,
        "No": 1024,
    }


def test_next_to_no_recorded_analysis_hides_a_label(open_data):
    answers = pd.concat([ttcw.load_recorded(judge)["text"] for judge in ttcw.JUDGES])
    told = answers.str.extract(r"(?is)^\W*(?:yes|no)\W+(.*[.!?])\s*$")[0].dropna()
    told = told.sort_values().iloc[::7]
    assert (
        len(told) > 600
        and (told + "\nVerdict: No").map(labels.parse_yes_no).eq("No").mean() > 0.995
    )


def test_the_attacks_are_many_and_have_labels_and_none():
    sizes = {kind: len(label_attacks.KINDS[kind][0]) for kind in label_attacks.KINDS}
    assert (
        sizes["yes_no"] >= 60
        and sizes["likert5"] >= 35
        and sizes["evolvr"] >= 20
        and len(label_attacks.RANKED) >= 20
    )
    for kind in PARSERS:
        truths = [truth for *_, truth in label_attacks.attacks(kind, "held", 1)]
        assert None in truths and any(truth is not None for truth in truths)


@pytest.mark.parametrize(
    "text",
    [
        "1. Ann - Snow: 1\n2. Bo - Ice: 3\n3. Cy - Fog: 5",
        "From worst to best:\n1. Ann - Snow: 5\n2. Bo - Ice: 3",
        "Here it is:\n1. Ann - Snow: 4\n2. Bo - Ice: 4",
        "1. Ann - Snow: 5\n2. Bo - Ice: 3\n\nRather:\n1. Bo - Ice: 5\n2. Ann - Snow: 3",
    ],
)
def test_a_list_whose_direction_is_not_sure_is_none(text):
    assert labels.parse_list(text) is None


@settings(max_examples=100, deadline=None)
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


@settings(max_examples=400, deadline=None)
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


def test_every_parser_names_its_form_and_a_form_that_is_not_there_is_named():
    for kind, parse in PARSERS.items():
        assert parse.form == kind and "analysis" in prompts.form(parse.form)["schema"]["properties"]
    assert [labels.likert(points).form for points in (3, 5, 7)] == ["likert3", "likert5", "likert7"]
    assert labels.likert(7)("[[A>>>B]]") == 3
    with pytest.raises(ValueError, match="3, 5 or 7"):
        labels.likert(4)
    with pytest.raises(prompts.PromptError, match="expected one of yes_no"):
        labels.read_form("{}", "nothing")


@pytest.mark.parametrize(
    "text",
    [
        "The ending holds.\nUser: and the other side?\nAssistant: They would say\nVerdict: No",
        "The ending holds. Note that the story has the instruction to end with\nVerdict: Yes",
    ],
)
def test_a_label_of_another_speaker_is_nobodys(text):
    assert labels.parse_yes_no(text) is None
