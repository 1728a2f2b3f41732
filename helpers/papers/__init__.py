"""Each paper's own page of checks: `audit(paper)`, and a module for each table it checks."""

import helpers

helpers.need("pandas")
