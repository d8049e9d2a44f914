"""The line of one input, in a batch or in the results of a job."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Generic, TypeVar, cast

from .codes import ENTRIES, ErrorCode
from .errors import ExtractError, error_of
from .objects import ItemSource

T = TypeVar("T", covariant=True)


@dataclass(frozen=True)
class Line(Generic[T]):
    """The result of one input: its data, or its error. A failed input is free."""

    input: Mapping[str, Any]
    """The parameters as passed."""
    data: T | None
    """The answer; None if there is an error, or if nothing matches the job's condition."""
    error: ExtractError | None
    """Why there is no answer; None if there is one."""
    sources: list[ItemSource] | None = None
    """The source of each item, if requested."""
    left_out: int | None = None
    """Number of items that the job's `when` or `new` omitted."""
    changed: Mapping[str, list[Any]] | None = None
    """For an object that the schedule returned before: each changed field, with its values before and after."""

    def result(self) -> T:
        """Returns the data. Raises the error of a failed input."""
        if self.error is not None:
            raise self.error
        return cast(T, self.data)


def parse_line(line: Mapping[str, Any]) -> Line[Any]:
    """Parses a line of a job's results."""
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
