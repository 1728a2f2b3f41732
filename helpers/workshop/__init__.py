"""Running it all: notebooks headless, the whole compendium, sweeps, the report."""
