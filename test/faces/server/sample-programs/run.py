"""Runs samples as Python runs a program of their text, one after the other: each line of the input is a text, and each
line that comes out what it wrote, or its failure."""

import contextlib
import io
import json
import sys
import traceback

for line in sys.stdin:
    written = io.StringIO()
    failure = None
    try:
        with contextlib.redirect_stdout(written):
            exec(compile(json.loads(line), "sample", "exec"), {"__name__": "__main__"})
    except BaseException:
        failure = traceback.format_exc()
    print(json.dumps({"out": written.getvalue(), "failure": failure}), flush=True)
