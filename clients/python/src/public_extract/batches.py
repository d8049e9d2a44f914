"""Calls for many inputs of one endpoint, some of them concurrent, with a line for each in input order."""

from collections.abc import AsyncIterable, Iterable, Mapping
from typing import Any, TypedDict

from ._server import Server
from .errors import AuthenticationError, BillingError, ExtractError, PermissionDeniedError
from .lines import Line

DEFAULT_CONCURRENCY = 8

Inputs = Iterable[Mapping[str, Any]]
AsyncInputs = AsyncIterable[Mapping[str, Any]] | Inputs


class BatchOptions(TypedDict, total=False):
    """Parameters of every call whose input does not set them, and the number of concurrent calls."""

    fresh: bool
    demo: bool
    sources: bool
    concurrency: int


_ENDING = (AuthenticationError, BillingError, PermissionDeniedError)
"""Errors that concern every input, and therefore end a batch."""


async def line_of(
    server: Server, endpoint: str, item: Mapping[str, Any], options: BatchOptions
) -> Line[Any]:
    """Returns the line of one input. Waits after a platform's refusal that says when to retry."""
    params: dict[str, Any] = {**options, **item}
    params.pop("concurrency", None)
    try:
        body = await server.call(
            "GET",
            endpoint,
            query=params,
            repeatable=params.get("demo") is True,
            waits_for_platform=True,
        )
    except _ENDING:
        raise
    except ExtractError as error:
        return Line(item, None, error)
    return Line(item, body["data"], None, body.get("sources"))
