"""Converts objects to a table of the installed package: pandas, polars or pyarrow."""

import importlib
import importlib.util
from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import Any, Literal

from ._times import TIMES
from .objects import ItemSource

Engine = Literal["pandas", "polars", "pyarrow"]

_ENGINES: tuple[Engine, ...] = ("pandas", "polars", "pyarrow")


def source_cells(source: ItemSource) -> dict[str, Any]:
    """Returns the cells of a source, in columns named as in the files that the command writes."""
    author = source["author"]
    return {
        "source_id": source["id"],
        "source_url": source["url"],
        "author_handle": None if author is None else author["handle"],
        "author_name": None if author is None else author["name"],
        "position": source["position"],
        "fetched_at": source["fetched_at"],
    }


def _is_time(column: str) -> bool:
    return column.rpartition(".")[2] in TIMES


def _cell(name: str, value: Any) -> Any:
    """Returns the value of a cell: a time as a `datetime`, anything else unchanged."""
    if not isinstance(value, str) or not _is_time(name):
        return value
    try:
        return datetime.fromisoformat(value)
    except ValueError:
        return value


def _flat(row: Mapping[str, Any], prefix: str = "") -> dict[str, Any]:
    """Converts `author: {name}` to `author.name`, as in the tables of the command; lists stay lists."""
    cells: dict[str, Any] = {}
    for name, value in row.items():
        if isinstance(value, Mapping):
            cells.update(_flat(value, f"{prefix}{name}."))
        else:
            cells[f"{prefix}{name}"] = _cell(name, value)
    return cells


def _columns(rows: list[dict[str, Any]]) -> list[str]:
    """Returns all columns in order. An object that is null in one row has no column in addition to its fields."""
    names = dict.fromkeys(name for row in rows for name in row)
    prefixes = {name[:at] for name in names for at, letter in enumerate(name) if letter == "."}
    return [name for name in names if name not in prefixes]


def to_dataframe(rows: Iterable[Mapping[str, Any]], engine: Engine | None = None) -> Any:
    """
    Returns the objects as a table with a row for each: a pandas or polars `DataFrame`, or a pyarrow `Table`. Nested
    fields become columns (`author.name`), lists stay lists, times are datetimes in UTC, and unknown values are missing
    values: a column of counts stays an integer column (`Int64` in pandas). Columns are named as in the files that the
    command writes.

    rows: Objects, such as `page.data` or `page.items()`.
    engine: The package; by default the first of pandas, polars and pyarrow that is installed.

    Raises `ImportError` if it is not installed.
    """
    chosen = engine or next((name for name in _ENGINES if importlib.util.find_spec(name)), None)
    if chosen is None:
        raise ImportError("A table needs pandas, polars or pyarrow: pip install pandas")
    flat = [_flat(row) for row in rows]
    columns = _columns(flat)
    complete_rows = [{name: row.get(name) for name in columns} for row in flat]
    package: Any = importlib.import_module(chosen)
    if chosen == "pandas":
        table = package.DataFrame(complete_rows, columns=columns).convert_dtypes()
        for name in filter(_is_time, columns):
            if not any(isinstance(row[name], str) for row in complete_rows):
                table[name] = package.to_datetime(table[name], utc=True)
        return table
    if chosen == "polars":
        return package.from_dicts(complete_rows, infer_schema_length=None) if complete_rows else package.DataFrame()
    return package.Table.from_pylist(complete_rows)
