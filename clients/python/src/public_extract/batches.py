"""Many inputs of one endpoint, some at once, each with its line in the order of the inputs."""

from collections.abc import AsyncIterable, Iterable, Mapping
from typing import Any, TypedDict

from ._server import Server
from .errors import AuthenticationError, BillingError, ExtractError, PermissionDeniedError
from .lines import Line

DEFAULT_CONCURRENCY = 8

Inputs = Iterable[Mapping[str, Any]]
AsyncInputs = AsyncIterable[Mapping[str, Any]] | Inputs


class BatchOptions(TypedDict, total=False):
    """Parameters of every call whose input does not name them, and how many are under way at once."""

    fresh: bool
    demo: bool
    sources: bool
    concurrency: int


_ENDING = (AuthenticationError, BillingError, PermissionDeniedError)
"""What is wrong for every input, and so ends a batch."""


async def line_of(
    server: Server, endpoint: str, given: Mapping[str, Any], options: BatchOptions
) -> Line[Any]:
    """The line of one input. A refusal of the platform that says when to come back is waited for."""
    params: dict[str, Any] = {**options, **given}
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
        return Line(given, None, error)
    return Line(given, body["data"], None, body.get("sources"))
