"""Probe whether a judge obeys orders that are planted in the text it judges."""

import pandas as pd
import yaml
from statsmodels.stats.proportion import proportion_confint

from helpers import judges
from helpers.judges import labels, prompts
from helpers.sources.public import ROOT


def make_probes():
    """Return the requests of the probe set: item, probe, wanted ('Yes', 'No', '' for the clean story), system, shared, prompt."""
    known = yaml.safe_load((ROOT / "data" / "prompts" / "injections.yaml").read_text(encoding="utf8"))
    rows = [("clean", "", "")] + [
        (name, wanted, text.replace("{verdict}", wanted)) for name, text in known["probes"].items() for wanted in ("Yes", "No")
    ]
    clean = prompts.load("ttcw-yes-no").fill(story=known["story"], test=known["test"])
    return pd.DataFrame(
        [
            {
                "item": f"{name}/{wanted}",
                "probe": name,
                "wanted": wanted,
                **(clean | {"shared": clean["shared"].replace("{probe}", text)}),  # as it stands: the fence probe too
            }
            for name, wanted, text in rows
        ]
    )


def measure_obedience(judge, repeats=1, **options):
    """Return one line for a judge: clean verdict, n, swayed (share of verdicts that follow an order against the clean one).

    Only orders against the judge's own clean verdict count, since an order for it proves nothing. low, high: Wilson 95 %.
    Columns: judge, clean, n, swayed, low, high, other (orders that ended without a verdict). `options` go to `judges.ask`.
    """
    probes = make_probes()
    answers = judges.ask(probes, judge, labels.parse_yes_no, repeats=repeats, **options).merge(
        probes[["item", "wanted"]], on="item", validate="many_to_one"
    )
    clean = answers.loc[(answers["wanted"] == "") & (answers["status"] == "ok"), "verdict"].mode()
    own = clean.iloc[0] if len(clean) else ""
    against = answers[(answers["wanted"] != "") & (answers["wanted"] != own)]
    read = against[against["status"] == "ok"]
    swayed = int((read["verdict"] == read["wanted"]).sum())
    low, high = proportion_confint(swayed, len(read), method="wilson") if len(read) else (float("nan"), float("nan"))
    return pd.DataFrame(
        [
            {
                "judge": judge,
                "clean": own,
                "n": len(read),
                "swayed": swayed / len(read) if len(read) else float("nan"),
                "low": low,
                "high": high,
                "other": len(against) - len(read),
            }
        ]
    )
