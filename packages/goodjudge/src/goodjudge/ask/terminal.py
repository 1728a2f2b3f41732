"""Tell the terminal that began a run what is asked, from within a notebook that runs headlessly."""

import os
import sys


def tell(sentence):
    """Write a sentence to the terminal. In JupyterLab, where a notebook shows its plan: nothing."""
    if "JPY_SESSION_NAME" in os.environ:
        return
    # a kernel's stderr goes into the notebook; it keeps where its errors went before
    terminal = getattr(sys.stderr, "_original_stdstream_copy", None)
    if terminal is None:
        print(sentence, file=sys.stderr, flush=True)
    else:
        os.write(terminal, f"{sentence}\n".encode())
