"""The base class of every error."""

from .codes import ENTRIES, ErrorCode, ErrorType


class ExtractError(Exception):
    """The only error that the calls of this package raise. `code` is stable, so branch on it."""

    code: ErrorCode
    """Stable; branch on it."""
    type: ErrorType
    """Class of the error."""
    status: int
    """HTTP status that goes with the code."""
    message: str
    """What went wrong and what to do next. The wording may change."""
    docs: str
    """URL of the page that explains the code."""
    request_id: str
    """The same as `meta.request_id`; empty if no server answered."""
    retryable: bool
    """True if the same call may succeed later: after `retry_after` seconds, or in about a minute if it is None."""
    retry_after: float | None
    """Seconds to wait before the next attempt; None if unknown."""

    def __init__(
        self,
        code: ErrorCode,
        message: str,
        *,
        docs: str = "",
        request_id: str = "",
        retry_after: float | None = None,
    ) -> None:
        # A copy in another process is created from these two and the attributes.
        super().__init__(code, message)
        self.code = code
        self.message = message
        self.docs = docs
        self.request_id = request_id
        self.retry_after = retry_after
        self.type, self.status, self.retryable = ENTRIES[code]

    def __str__(self) -> str:
        return f"{self.code}: {self.message}"
