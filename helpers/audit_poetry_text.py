"""Check the numbers in the running text of the poetry-ranking paper, and put its whole audit together."""

from helpers import audit_poetry, audit_poetry_anova, audit_poetry_icc
from helpers.audit import Printed, check_claim, check_count, check_same
from helpers.audit_poetry_facts import COUNTS, SAME, extremes, facts
from helpers.ledger import agrees, line

SETTING = "a setting or a count of this paper's own plan; no other printed number can confirm it"
NEEDS_MODEL = "success of calls to the 2024 models; the answers are not released"
NO_SECOND = "said once; no other printed number can confirm it"


def special(printed, known):
    """Return lines of the text that need more than a look at one other place."""
    one, solved = printed.grid("Table 2"), audit_poetry.solve_confusions(printed)
    exact = (
        solved.sort_values("p agrees", ascending=False, kind="stable")
        .drop_duplicates("model")
        .set_index("model")["rho"]
    )
    pair = exact[["Claude-3-Opus", "GPT-4-2024-04-09"]]
    both = ("text", "6", "Claude-3-Opus and GPT-4-2024-04-09 SRC")
    (a, b), (c, d) = extremes()
    seen = {end: ("text", "7.3", f"observed appearances of a poem, {end}") for end in ("lower", "upper")}
    worst = max(printed.grid(table)["p-value"].max() for table in ("Table 4", "Table 6"))
    ids = {int(key[1].rpartition(" ")[2]) for key in printed.keys("Table 7")}
    methods = len({key[1].split(" / ")[0] for key in printed.keys("Table 7")})
    count = {
        ("7.3", "expected appearances of a poem"): (100 * 5 / 30, "n p with the printed n and p"),
        ("7.3", "binomial selection probability p"): (5 / known["tier"], "poems drawn over poems in a tier"),
        ("7.3", "poems drawn from each category"): (known["subset"] / known["tiers"], "subset size over tiers"),
        ("7.3.1", "Bonferroni-corrected alpha"): (0.05 / known["criteria"], "0.05 over five criteria"),
        ("8", "total evaluations"): (
            known["models"] * methods * known["runs"] * known["criteria"],
            "the printed product (two scorings share one output, so 100 calls)",
        ),
        ("A.1", "criteria besides the template one"): (known["criteria"] - 1, "criteria less one"),
        ("7", "rank score for second listed poem"): (known["first"] - 1, "one less than the first"),
    }
    count[("7", "scoring methods")] = count[("8", "scoring ways in the product")] = (
        methods,
        "matrices of Table 7: one a scoring",
    )
    lines = [check_count(printed, ("text", *key), *found) for key, found in count.items()]
    lines += [
        check_claim(
            printed,
            both,
            all(agrees(printed.text(*both), rho) for rho in pair),
            pair.max(),
            "larger of the two correlations recomputed from the counts of Table 2; both must round to it",
        ),
        check_claim(
            printed,
            ("text", "6", "models with uneven category distribution"),
            known["uneven"] == len(one),
            known["uneven"],
            "models whose counts differ from 30/30/30 at p < 0.05 (chi-square)",
        ),
        check_claim(
            printed,
            seen["lower"],
            a <= printed.number(*seen["lower"]) <= b,
            None,
            f"the smallest of 90 binomial counts lies in {a} to {b} with probability 0.99",
        ),
        check_claim(
            printed,
            seen["upper"],
            c <= printed.number(*seen["upper"]) <= d,
            None,
            f"the largest of 90 binomial counts lies in {c} to {d} with probability 0.99",
        ),
    ]
    lines += [
        check_claim(
            printed,
            ("text", f"{table} caption", "bound far above all p-values"),
            worst < 0.01,
            worst,
            "largest p of the table, which must lie below the bound",
        )
        for table in ("Table 4", "Table 6")
    ]
    for i, tier in enumerate("ABC"):
        low, high = i * known["tier"] + 1, (i + 1) * known["tier"]
        inside = sum(low <= number <= high for number in ids) == known["subset"] / known["tiers"]
        for end, value in (("first", low), ("last", high)):
            lines.append(
                check_claim(
                    printed,
                    ("text", "Table 7 caption", f"poem ids of category {tier}, {end}"),
                    inside
                    and agrees(printed.text("text", "Table 7 caption", f"poem ids of category {tier}, {end}"), value),
                    value,
                    "thirty ids a category; five ids of the matrix fall in it",
                )
            )
        lines.append(
            check_count(
                printed,
                ("text", "4", f"rank code for category {tier}"),
                i + 1,
                "place of the tier (input of every SRC)",
            )
        )
    return lines


def text(printed):
    """Lines of every number in running text: from tables, a second mention, or unverifiable with the reason."""
    known, done = facts(printed), special(printed, facts(printed))
    keys = {(item["row"], item["column"]) for item in done}
    for _, row, column in printed.keys("text"):
        key = ("text", row, column)
        if (row, column) in keys:
            continue
        if (row, column) in SAME:
            done.append(check_same(printed, key, SAME[row, column]))
        elif column in COUNTS or (column == "poems per prompt" and row in ("7.2", "7.3")):
            name = COUNTS.get(column, "poems" if row == "7.2" else "subset")
            done.append(check_count(printed, key, known[name], f"from the tables: {name}"))
        else:
            why = NEEDS_MODEL if "success" in column else NO_SECOND if row == "9" else SETTING
            done.append(line(printed.paper, *key, None, "none", why))
    return done


def audit(printed=None):
    """Return the ledger lines of the whole paper: one for each number that `data/published/poetry.csv` holds."""
    printed = printed or Printed("poetry")
    parts = [
        audit_poetry.correlations,
        audit_poetry.classification,
        audit_poetry.figures,
        audit_poetry_anova.anova,
        audit_poetry_icc.matrices,
        audit_poetry_icc.reliability,
        text,
    ]
    return [item for part in parts for item in part(printed)]
