"""Running it all: notebooks headless, the whole compendium, sweeps, readers' cards and pages."""

import helpers

helpers.need("pandas", "nbformat", "papermill")
