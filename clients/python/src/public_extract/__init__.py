"""Public pages of four platforms as data, from a server of `extract`. Begin with `Client` or `AsyncClient`."""

from ._version import VERSION as __version__
from .answers import (
    Answer,
    AsyncListing,
    AsyncPage,
    AsyncSourcedPage,
    Listing,
    Page,
    SourcedAnswer,
    SourcedPage,
)
from .async_client import AsyncClient
from .client import Client
from .codes import ErrorCode, ErrorType
from .endpoints import Endpoint
from .errors import (
    AuthenticationError,
    BillingError,
    ConflictError,
    ExtractError,
    GoneError,
    InternalError,
    InvalidRequestError,
    NotFoundError,
    PermissionDeniedError,
    PlatformError,
    RateLimitError,
)
from .frames import to_dataframe
from .lines import Line
from .webhooks import WEBHOOK_TOLERANCE, verify_webhook

__all__ = [
    "Answer", "AsyncClient", "AsyncListing", "AsyncPage", "AsyncSourcedPage", "AuthenticationError",
    "BillingError", "Client", "ConflictError", "Endpoint", "ErrorCode", "ErrorType", "ExtractError",
    "GoneError", "InternalError", "InvalidRequestError", "Line", "Listing", "NotFoundError", "Page",
    "PermissionDeniedError", "PlatformError", "RateLimitError", "SourcedAnswer", "SourcedPage",
    "WEBHOOK_TOLERANCE", "__version__", "to_dataframe", "verify_webhook",
]
