"""`python -m goodjudge`: the command."""

import sys

from goodjudge.cli import main

sys.exit(main())
