"""The line of one input: of a batch, or of the results of a job."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Generic, TypeVar, cast

from .codes import ENTRIES, ErrorCode
from .errors import ExtractError, error_of
from .objects import ItemSource

T = TypeVar("T", covariant=True)


@dataclass(frozen=True)
class Line(Generic[T]):
    """The result of one input: its data, or its error. An input that failed costs nothing."""

    input: Mapping[str, Any]
    """The parameters as they were given."""
    data: T | None
    """The answer; None where there is an error, or where nothing fulfils a job's condition."""
    error: ExtractError | None
    """Why there is no answer; None where there is one."""
    sources: list[ItemSource] | None = None
    """Where each item stands, if it was asked for."""
    left_out: int | None = None
    """Items that a job's `when` or `new` left out."""
    changed: Mapping[str, list[Any]] | None = None
    """Of an object that a schedule gave before: each changed field, with its value before and after."""

    def result(self) -> T:
        """The data. Raises the error of an input that failed."""
        if self.error is not None:
            raise self.error
        return cast(T, self.data)


def parse_line(line: Mapping[str, Any]) -> Line[Any]:
    """A line of a job's results."""
    error = line.get("error")
    failed = None
    if error is not None:
        is_known = error["code"] in ENTRIES
        code = cast(ErrorCode, error["code"] if is_known else "internal_error")
        message = error["message"] if is_known else f"{error['code']}: {error['message']}"
        failed = error_of(code, message, docs=error["docs"], request_id=error["request_id"])
    return Line(
        line["input"],
        line.get("data"),
        failed,
        line.get("sources"),
        line.get("left_out"),
        line.get("changed"),
    )
