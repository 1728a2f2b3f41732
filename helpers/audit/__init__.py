"""What every paper's page of checks uses: checks, verdicts, the ledger, and what shows them.

checks: a printed number against what was computed · facts: what running text states · attainable:
what numbers can be at all · ledger: a verdict on each number · explain: what it says of a number ·
overview: all papers together.
"""

import helpers

helpers.need("pandas")
