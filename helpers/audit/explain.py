"""Tell one printed number's story: python -m helpers.audit.explain ttcw "Table 5" "Average"."""

import argparse
from difflib import get_close_matches

import pandas as pd

from helpers.sources.public import ROOT

BASIS = {
    "raw": "from public raw data",
    "code": "from the authors' released code",
    "printed": "from other printed numbers",
    "none": "nothing that we have",
}


def tell(line):
    """Return in plain sentences what one line of the ledger, a dict, says."""
    where = ", ".join(line[name] for name in ("table", "row", "column"))
    if line["verdict"] == "blank":
        return f"{where}: the paper leaves this cell blank."
    caught = f"{float(line['strength'] or 0):.0%}"
    cause = line["cause"].partition(": ")[2]
    parts = {
        f" We have {line['computed']} beside it.": line["computed"],
        f" Basis: {BASIS[line['basis']]}. How: {line['how']}. Verdict: {line['verdict']}.": True,
        f" Of one-digit typos in such numbers, this audit catches {caught}.": line["strength"],
        f" Cause, shared with other lines: {cause}.": cause,
        f" Checked in notebook {line['notebook']}.": True,
    }
    told = "".join(sentence for sentence, applies in parts.items() if applies)
    return f"{where}: the paper prints {line['value']}.{told}"


def main():
    """Print the stories of all numbers in a table's row; SystemExit with near names for none."""
    parser = argparse.ArgumentParser(description=__doc__)
    for name in ("paper", "table", "row"):
        parser.add_argument(name)
    asked = vars(parser.parse_args())
    lines = pd.read_csv(ROOT / "outputs" / "ledger.csv", dtype=str, keep_default_na=False)
    place = "the ledger"
    for name, wanted in asked.items():
        known = list(dict.fromkeys(lines[name]))
        if wanted not in known:
            near = get_close_matches(wanted, known, 3, 0.3) or known[:3]
            raise SystemExit(f"No {name} {wanted!r} in {place}; try: {'; '.join(near)}.")
        lines, place = lines[lines[name] == wanted], f"{wanted} of {place}"
    print("\n\n".join(map(tell, lines.to_dict("records"))))


if __name__ == "__main__":
    main()
