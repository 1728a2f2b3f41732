"""Each paper's own page of checks, `audit(paper)`: its tables, its text."""

import helpers

helpers.need("pandas")
