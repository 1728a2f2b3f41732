"""Running it all: notebooks headless, the whole compendium, sweeps, the report."""

import helpers

helpers.need("pandas", "nbformat", "papermill")
