"""Objects as a table of the package that the user has: pandas, polars or pyarrow."""

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
    """The cells of a source, in columns named as in the files that the command writes."""
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
    """The value of a cell: a time as a `datetime`, all else as it is."""
    if not isinstance(value, str) or not _is_time(name):
        return value
    try:
        return datetime.fromisoformat(value)
    except ValueError:
        return value


def _flat(row: Mapping[str, Any], prefix: str = "") -> dict[str, Any]:
    """`author: {name}` becomes `author.name`, as in the tables of the command; lists stay lists."""
    cells: dict[str, Any] = {}
    for name, value in row.items():
        if isinstance(value, Mapping):
            cells.update(_flat(value, f"{prefix}{name}."))
        else:
            cells[f"{prefix}{name}"] = _cell(name, value)
    return cells


def _columns(rows: list[dict[str, Any]]) -> list[str]:
    """All columns in their order. An object that is null in one row has no column of its own beside its fields."""
    names = dict.fromkeys(name for row in rows for name in row)
    prefixes = {name[:at] for name in names for at, letter in enumerate(name) if letter == "."}
    return [name for name in names if name not in prefixes]


def to_dataframe(rows: Iterable[Mapping[str, Any]], engine: Engine | None = None) -> Any:
    """
    The objects as a table, a row each: a pandas or polars `DataFrame`, or a pyarrow `Table`. Fields of nested objects
    become columns of their own (`author.name`), lists stay lists, times are datetimes in UTC, and what is unknown is a
    missing value: a column of counts stays whole numbers (`Int64` in pandas). Columns are named as in the files that
    the command writes.

    rows: Objects, such as `page.data` or `page.items()`.
    engine: The package; the first of pandas, polars and pyarrow that is installed when left out.

    Raises `ImportError` where it is not installed.
    """
    chosen = engine or next((name for name in _ENGINES if importlib.util.find_spec(name)), None)
    if chosen is None:
        raise ImportError("A table needs pandas, polars or pyarrow: pip install pandas")
    flat = [_flat(row) for row in rows]
    columns = _columns(flat)
    whole = [{name: row.get(name) for name in columns} for row in flat]
    package: Any = importlib.import_module(chosen)
    if chosen == "pandas":
        table = package.DataFrame(whole, columns=columns).convert_dtypes()
        for name in filter(_is_time, columns):
            if not any(isinstance(row[name], str) for row in whole):
                table[name] = package.to_datetime(table[name], utc=True)
        return table
    if chosen == "polars":
        return package.from_dicts(whole, infer_schema_length=None) if whole else package.DataFrame()
    return package.Table.from_pylist(whole)
