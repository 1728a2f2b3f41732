"""The functions that the notebooks share."""

import sys

# jsonschema compiles this package's grammar when notebooks are first read (0.8 s each run), for a
# format no notebook uses
sys.modules.setdefault("rfc3987_syntax", None)
