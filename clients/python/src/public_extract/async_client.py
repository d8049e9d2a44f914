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
    A server's endpoints as coroutines, over asyncio's own streams. A call that is cancelled ends at the server, too, and
    is refunded. The client holds nothing open between calls.

    base_url: Address of the server; `/v1` may be left out. `EXTRACT_BASE_URL` when left out.
    api_key: `xt_live_…`; `EXTRACT_API_KEY` when left out. Without one the server answers demo calls alone.
    timeout: Seconds that one try of a call may take.
    max_wait: Seconds that a call waits in all when the server says `Retry-After`.

    Raises `InvalidRequestError` for an address or a key that is none.
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
            async for given in _each(inputs):
                running.append(asyncio.create_task(line_of(self._server, endpoint, given, options)))
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
        fail are refunded. A connection that breaks off makes no second job.
        """
        return await jobs.submit(self._server, endpoint, inputs, options)

    async def wait(
        self, job_id: str, on_progress: Callable[[Job], object] | None = None, *, poll: float = 2.0
    ) -> Job:
        """
        Waits until a job has finished, and gives it as it ended.

        on_progress: Called with the job as it is now, and after each change.
        poll: Seconds between two looks.
        """
        async for job in jobs.states(self._server, job_id, poll):
            if on_progress is not None:
                on_progress(job)
        return job

    def results(self, job_id: str, *, wait: bool = True, first: int = 0) -> AsyncIterator[Line[Any]]:
        """
        The lines of a job in the order of its inputs, as they come. A connection that breaks off is made again, and no
        line comes twice.

        wait: Follows a running job to its end; False gives the lines that are ready.
        first: Begins with the line of this input, counted from 0.
        """
        return jobs.results(self._server, job_id, wait, first)

    async def download(self, job_id: str, path: str | PathLike[str], format: FileFormat) -> None:
        """Saves the results of a finished job as a file to open. It is there whole or not at all."""
        await jobs.download(self._server, f"jobs/{job_id}/results", Path(path), {"format": format})
