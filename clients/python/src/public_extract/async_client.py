"""The client for asyncio."""

import asyncio
from collections import deque
from collections.abc import AsyncIterable, AsyncIterator, Callable, Iterable, Mapping
from os import PathLike
from pathlib import Path
from typing import Any, Unpack

from . import jobs
from ._server import DEFAULT_MAX_WAIT, DEFAULT_TIMEOUT, Server
from .batches import DEFAULT_CONCURRENCY, AsyncInputs, BatchOptions, line_of
from .endpoints import Endpoint
from .jobs import FileFormat, JobOptions
from .lines import Line
from .methods import AsyncMethods
from .objects import Job


async def _each(inputs: AsyncIterable[Mapping[str, Any]] | Iterable[Mapping[str, Any]]) -> AsyncIterator[
    Mapping[str, Any]
]:
    if isinstance(inputs, AsyncIterable):
        async for one in inputs:
            yield one
    else:
        for one in inputs:
            yield one


class AsyncClient(AsyncMethods):
    """
    A server's endpoints as coroutines, over asyncio's own streams. A cancelled call ends at the server, too, and is
    refunded. No connection stays open between calls.

    base_url: Address of the server, with or without `/v1`; `EXTRACT_BASE_URL` by default.
    api_key: `xt_live_…`; `EXTRACT_API_KEY` by default. Without a key the server only answers demo calls.
    timeout: Maximum seconds of one attempt of a call.
    max_wait: Maximum seconds that a call waits in total for `Retry-After`.

    Raises `InvalidRequestError` for an invalid address or key.
    """

    def __init__(
        self,
        base_url: str | None = None,
        api_key: str | None = None,
        *,
        timeout: float = DEFAULT_TIMEOUT,
        max_wait: float = DEFAULT_MAX_WAIT,
    ) -> None:
        self._server = Server(base_url, api_key, timeout, max_wait)

    async def _lines(
        self, endpoint: Endpoint, inputs: AsyncInputs, options: BatchOptions
    ) -> AsyncIterator[Line[Any]]:
        concurrency = options.get("concurrency", DEFAULT_CONCURRENCY)
        running: deque[asyncio.Task[Line[Any]]] = deque()
        try:
            async for item in _each(inputs):
                running.append(asyncio.create_task(line_of(self._server, endpoint, item, options)))
                if len(running) >= concurrency:
                    yield await running.popleft()
            while running:
                yield await running.popleft()
        finally:
            for one in running:
                one.cancel()
            await asyncio.gather(*running, return_exceptions=True)

    async def submit(
        self, endpoint: Endpoint, inputs: Iterable[Mapping[str, object]], **options: Unpack[JobOptions]
    ) -> Job:
        """
        Creates a job that calls one endpoint for up to 10,000 inputs. The price of all inputs is reserved; inputs that
        fail are refunded. A broken connection never creates a second job.
        """
        return await jobs.submit(self._server, endpoint, inputs, options)

    async def wait(
        self, job_id: str, on_progress: Callable[[Job], object] | None = None, *, poll: float = 2.0
    ) -> Job:
        """
        Waits until a job has finished, and returns it.

        on_progress: Called with the current job, and after each change.
        poll: Seconds between two requests for its state.
        """
        async for job in jobs.states(self._server, job_id, poll):
            if on_progress is not None:
                on_progress(job)
        return job

    def results(self, job_id: str, *, wait: bool = True, first: int = 0) -> AsyncIterator[Line[Any]]:
        """
        Yields the lines of a job in input order, as they become ready. Reconnects after a broken connection; no line
        occurs twice.

        wait: Follows a running job to its end; False returns only the lines that are ready.
        first: Index of the first input to return, from 0.
        """
        return jobs.results(self._server, job_id, wait, first)

    async def download(self, job_id: str, path: str | PathLike[str], format: FileFormat) -> None:
        """Saves the results of a finished job as a file, which is complete or absent."""
        await jobs.download(self._server, f"jobs/{job_id}/results", Path(path), {"format": format})
