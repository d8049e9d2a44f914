"""Runs the code of a notebook, cell after cell in one namespace; with `--print`, prints it as a module."""

import json
import sys
from pathlib import Path

file = sys.argv[-1]
notebook = json.loads(Path(file).read_text(encoding="utf-8"))
cells = ["".join(cell["source"]) for cell in notebook["cells"] if cell["cell_type"] == "code"]
if sys.argv[1] == "--print":
    print("\n\n".join(cells))
else:
    names: dict[str, object] = {"__name__": "__main__"}
    for number, text in enumerate(cells):
        exec(compile(text, f"{file}, cell {number}", "exec"), names)
