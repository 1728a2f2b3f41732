"""HANNA's loader and its simulation: values by hand, one clear error for each kind of damage."""

import json
import re

import numpy as np
import pandas as pd
import pytest

from helpers.evolvr import agreement, ask, load, raters
from helpers.evolvr.simulate import simulate_hanna
from helpers.sources.files import DataError
from helpers.sources.public import ROOT, available, locate

AGREEMENT = [0.504, 0.484, 0.570, 0.547, 0.565, 0.607]
CELLS, SHEETS = simulate_hanna(AGREEMENT, np.random.default_rng(0))
WORDS = pd.DataFrame({"words": CELLS["Text length ¤§"].to_numpy()})
DATA = load.to_ratings(SHEETS, WORDS, "simulated")
OPEN = pytest.mark.skipif(not available("hanna"), reason="the open data are not on this machine")


def test_a_simulation_is_calibrated_and_has_the_form_of_the_open_files():
    assert list(SHEETS) == [*load.SHEET, *load.ASPECTS] and len(SHEETS) == 3 * 1056
    mixed = load.to_ratings(SHEETS.sample(frac=1, random_state=0), WORDS, "simulated")
    pd.testing.assert_frame_equal(mixed.ratings, DATA.ratings)
    arrays, who = load.rating_array(DATA)
    assert arrays.shape == (6, 1056, 3) and who[7].tolist() == SHEETS.loc[21:23, "rater"].tolist()
    assert DATA.items[["writer", "group"]].to_numpy().tolist() == [list(key) for key in CELLS.index]
    assert list(DATA.items) == ["item", "group", "writer", "words"] and len(DATA.ratings) == 19_008
    assert arrays[2, 5].tolist() == SHEETS.loc[15:17, "Empathy"].tolist()
    assert agreement.agreement_index(arrays) == pytest.approx(AGREEMENT, abs=0.06), "clipped"
    assert all(len(set(three)) == 3 for three in who)
    shares = pd.Series(who.ravel()).value_counts(normalize=True)
    assert set(shares.index[:3]) == {"r01", "r02", "r03"} and shares["r08"] < 0.05 < shares["r04"]
    # metrics and language models see the quality, and the latter are milder by half a point
    means = arrays.mean(axis=2)
    rated = CELLS[[f"ChatGPT {code} 3" for code in load.ASPECTS.values()]].to_numpy().T
    assert 0.1 < (rated - means).mean() < 0.7
    assert 0.2 < np.corrcoef(rated[1], means[1])[0, 1] < 0.5
    length = CELLS["Text length ¤§"]
    assert 0.1 < np.corrcoef(length, means.mean(axis=0))[0, 1] < 0.5 and length.std() > 1.5


def test_what_language_models_rated_and_predictions_are_scores():
    scores = load.llm_scores(CELLS)
    assert len(scores) == 1056 * 5 * 6 * 4 and scores["judge"].unique().tolist() == load.LLMS
    part = scores.query("judge == 'ChatGPT' and aspect == 'Coherence' and repeat == 3")
    assert part.set_index("item")["score"].tolist() == CELLS["ChatGPT CH 3"].tolist()
    table = load.to_scores({"a": np.arange(12.0).reshape(2, 6), "b": np.zeros((2, 6))})
    assert list(table) == ["judge", "item", "aspect", "score"] and len(table) == 24
    assert table.loc[7].tolist() == ["a", 1, "Coherence", 7.0]


def test_features_fill_gaps_with_the_median_of_their_column():
    gaps = CELLS.assign(**{"BLEU": 1.0, "ChatGPT AVG 1": 2.0})
    gaps.iloc[3, 1] = np.nan
    groups = load.features(gaps)
    assert [x.shape for x in groups.values()] == [(1056, n) for n in (18, 138)]
    found, second = groups["18 reference-free"], CELLS.columns[1]
    assert found[3, 1] == np.nanmedian(gaps[second]) and found[4, 1] == gaps.iloc[4, 1]
    assert (found[:, 0] == CELLS["Text length ¤§"]).all()
    both = np.hstack([found, CELLS[list(CELLS)[18:]]])
    assert (groups["reference-free and LLM"] == both).all()
    with pytest.raises(DataError, match="17 metrics, 120 LLM ratings"):
        load.features(CELLS.drop(columns="Metric 3 ¤§"))


def published():
    """A made-up annotations file in the published form: worker W0 rates all stories, the others
    fewer."""
    table = SHEETS.assign(Prompt="p", Story="s", Human="h")
    slots = zip(table["story"], table["slot"])
    table["Worker ID"] = [f"W{0 if slot == 1 else slot + 7 * (story % 2)}" for story, slot in slots]
    names = {"story": "Story ID", "system": "Model", "seconds": "Work time in seconds"}
    return table.rename(columns=names).drop(columns=["rater", "slot", "prompt"])


def test_raters_get_pseudonyms_in_order_of_their_sheets(tmp_path):
    published().to_csv(tmp_path / "a.csv", index=False)
    table = load.read_annotations(tmp_path / "a.csv")
    counts = table["rater"].value_counts().sort_index()
    assert counts.to_dict() == {"r01": 1056, "r02": 528, "r03": 528, "r04": 528, "r05": 528}
    assert table.loc[:5, "rater"].tolist() == ["r01", "r02", "r03", "r01", "r04", "r05"]
    assert not table.astype(str).apply(lambda column: column.str.contains("W\\d")).any(axis=None)
    same = ["story", "prompt", "system", "slot", *load.ASPECTS]
    pd.testing.assert_frame_equal(table[same], SHEETS[same], check_dtype=False)


def first(table, column, value):
    return table.assign(**{column: [value, *table[column].iloc[1:]]})


@pytest.mark.parametrize(
    "damage, words",
    [
        (lambda t: t.drop(columns="Worker ID"), "column 'Worker ID' is missing"),
        (lambda t: t.iloc[1:], "1056 stories, 3 sheets of each"),
        (lambda t: t.assign(**{"Story ID": t["Story ID"] + 1}), "1056 stories, 3 sheets of each"),
        (lambda t: first(t, "Surprise", 0), "row 1: Surprise is 0; expected 1, 2, 3, 4 or 5"),
        (lambda t: first(t, "Relevance", 2.5), "row 1: Relevance is 2.5"),
        (lambda t: first(t, "Complexity", np.nan), "row 1: Complexity is nan"),
    ],
)
def test_damaged_annotations_are_one_clear_error(tmp_path, damage, words):
    damage(published()).to_csv(tmp_path / "a.csv", index=False)
    with pytest.raises(DataError, match=words):
        load.read_annotations(tmp_path / "a.csv")


def write_cells(path, **columns):
    pd.DataFrame({"Model": ["X", "Y"], **columns}).to_csv(path, index=False)
    return path


def test_cells_are_lists_of_numbers_by_prompt(tmp_path):
    up, down = list(range(96)), list(range(95, -1, -1))
    cells = [str(up), json.dumps(down).replace("95", "nan")]
    found = load.read_cells(write_cells(tmp_path / "c.csv", BLEU=cells))
    assert found.loc[("X", 7), "BLEU"] == 7 and found.loc[("Y", 7), "BLEU"] == 88
    assert np.isnan(found.loc[("Y", 0), "BLEU"]) and found.shape == (192, 1)


@pytest.mark.parametrize("cell", ["", "[1, 2]", "nonsense", "{}", str(["a"] * 96)])
def test_a_cell_that_is_not_96_numbers_names_its_place(tmp_path, cell):
    path = write_cells(tmp_path / "c.csv", BLEU=[str([1.0] * 96), cell])
    with pytest.raises(DataError, match="row 'Y', column 'BLEU': expected 96 numbers"):
        load.read_cells(path)


def test_a_writer_twice_or_no_writers_is_refused(tmp_path):
    with pytest.raises(DataError, match="row 2: Model is 'X'; expected one row per system"):
        load.read_cells(write_cells(tmp_path / "c.csv", Model=["X", "X"]))
    (tmp_path / "d.csv").write_text("BLEU\n1\n")
    with pytest.raises(DataError, match="'Model' is missing"):
        load.read_cells(tmp_path / "d.csv")


def test_load_says_that_a_simulation_is_one_also_without_any_data(no_data):
    data, cells, line = load.load("auto", np.random.default_rng(0))
    assert data.source == "simulated" and "simulated" in line
    pd.testing.assert_frame_equal(data.ratings, DATA.ratings)
    pd.testing.assert_frame_equal(data.items, DATA.items)
    pd.testing.assert_frame_equal(cells, CELLS)


def test_a_judge_is_asked_prompt_by_prompt_and_its_answers_are_scores(monkeypatch):
    told = SHEETS[SHEETS["slot"].eq(1) & SHEETS["story"].lt(48)]
    told = told.assign(prompt=told["story"] % 12, system="w" + (told["story"] // 12).astype(str))
    told = told.assign(prompt_text=" A wish. ", text=[" word" * (1 + n % 7) for n in range(48)])
    requests = ask.requests(told)
    assert requests["item"][:2].tolist() == ["0/relevance", "0/coherence"]
    assert len(requests) == 48 * 7 and requests["item"][7] == "12/relevance"
    assert "A wish." in requests["shared"][0] + requests["prompt"][0]
    assert [ask.reader.parse(text) for text in ("4", "6", "I say 2 or 3")] == ["4", None, None]
    assert ask.reader.choices == {str(grade): grade for grade in range(1, 6)}

    def answer(requests, judge, reader):
        score = np.resize([3.2, np.nan, 4.1], len(requests))
        return requests[["item"]].assign(score=score, status="ok", verdict="3")

    monkeypatch.setattr(ask.judges, "ask", answer)
    found = ask.ask("recorded/one", told)
    assert list(found) == ["judge", "item", "aspect", "score", "verdict"]
    assert len(found) == 48 * 7 * 2 / 3 and found["judge"].eq("recorded/one").all()
    first = found[found["item"] == 0]
    assert first["aspect"].tolist() == ["Relevance", "Empathy", "Surprise", "Complexity"] + (
        ["Overall quality"]
    )
    assert first["score"].tolist() == [3.2, 4.1, 3.2, 4.1, 3.2]


@OPEN
def test_both_open_files_hold_the_same_ratings_of_the_same_stories():
    data, cells, _ = load.load("open", None)
    arrays, who = load.rating_array(data)
    for number, (aspect, code) in enumerate(load.ASPECTS.items()):
        slots = cells[[f"Human {slot} {code}" for slot in (1, 2, 3)]].to_numpy()
        assert (arrays[number] == slots).all()
        assert arrays[number].mean(axis=1) == pytest.approx(cells[aspect].to_numpy())
    assert [list(key) for key in cells.index] == data.items[["writer", "group"]].values.tolist()
    share = pd.Series(who.ravel()).value_counts().iloc[:3].sum() / who.size
    assert share == pytest.approx(0.79, abs=0.005) and len(np.unique(who)) == 22
    texts = load.load_texts()
    assert data.items["words"].tolist() == texts["text"].str.split().str.len().tolist()
    assert len(data.items.select_dtypes("number").columns) == 13
    assert texts["story"].tolist() == list(range(1056)) and texts["prompt_text"].nunique() == 96
    assert (texts["text"] == texts["human"]).sum() == 96 == texts["system"].eq("Human").sum()


@OPEN
def test_no_worker_id_is_shown_or_kept():
    raw = pd.read_csv(locate(load.SHEETS)[0], usecols=["Worker ID", "Assignment ID"])
    ids = set(raw.to_numpy().ravel())
    assert not ids & set(load.read_annotations().select_dtypes("str").to_numpy().ravel())
    kinds = (".ipynb", ".json", ".jsonl", ".csv", ".py", ".yaml", ".md")
    kept = [
        path
        for folder in ("notebooks", "outputs", "data", "teaching")
        for path in (ROOT / folder).rglob("*.*")
        if path.suffix in kinds and "class" not in path.parts  # it hands on the data themselves
    ]
    words = set().union(*(re.findall(r"\w+", path.read_text(encoding="utf8")) for path in kept))
    assert len(kept) > 30 and not ids & words


def test_an_aspect_of_a_third_party_is_refused_wherever_ratings_are_used():
    added = DATA.ratings[DATA.ratings["aspect"] == "Empathy"].assign(aspect="Feeling")
    more = DATA._replace(ratings=pd.concat([DATA.ratings, added]))
    fewer = DATA._replace(ratings=DATA.ratings[DATA.ratings["aspect"] != "Surprise"])
    for use in (load.rating_array, raters.variances, raters.ceilings, raters.about_pairs):
        with pytest.raises(DataError, match="expected Relevance.*not among them: 'Feeling'; rate"):
            use(more)
        with pytest.raises(DataError, match="missing: 'Surprise'"):
            use(fewer)
