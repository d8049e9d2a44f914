"""The error that every class of error is made of."""

from .codes import ENTRIES, ErrorCode, ErrorType


class ExtractError(Exception):
    """The only error that the calls of this package raise. `code` is stable and is what to branch on."""

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
    """The same as `meta.request_id`; empty where no server answered."""
    retryable: bool
    """True where the same call may succeed later: after `retry_after` seconds if there are any, else in a minute or so."""
    retry_after: float | None
    """Seconds after which another try makes sense, where that is known."""

    def __init__(
        self,
        code: ErrorCode,
        message: str,
        *,
        docs: str = "",
        request_id: str = "",
        retry_after: float | None = None,
    ) -> None:
        # What is copied to another process is made anew of these two, and of the attributes.
        super().__init__(code, message)
        self.code = code
        self.message = message
        self.docs = docs
        self.request_id = request_id
        self.retry_after = retry_after
        self.type, self.status, self.retryable = ENTRIES[code]

    def __str__(self) -> str:
        return f"{self.code}: {self.message}"
