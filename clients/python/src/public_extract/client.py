"""The blocking client."""

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping
from concurrent.futures import Future
from os import PathLike
from pathlib import Path
from typing import Any, Unpack

from . import _loop, jobs
from ._server import DEFAULT_MAX_WAIT, DEFAULT_TIMEOUT
from .async_client import AsyncClient
from .batches import DEFAULT_CONCURRENCY, BatchOptions, Inputs, line_of
from .endpoints import Endpoint
from .jobs import FileFormat, JobOptions
from .lines import Line
from .methods import Methods
from .objects import Job


class Client(Methods):
    """
    A server's endpoints as methods that block until the answer arrives. Notebooks and threads may share a client. No
    connection stays open between calls.

    base_url: Address of the server, with or without `/v1`; `EXTRACT_BASE_URL` by default.
    api_key: `xt_live_…`; `EXTRACT_API_KEY` by default. Without a key the server only answers demo calls.
    timeout: Maximum seconds of one attempt of a call.
    max_wait: Maximum seconds that a call waits in total for `Retry-After`.

    Raises `InvalidRequestError` for an invalid address or key.
    """

    _async_client: AsyncClient

    def __init__(
        self,
        base_url: str | None = None,
        api_key: str | None = None,
        *,
        timeout: float = DEFAULT_TIMEOUT,
        max_wait: float = DEFAULT_MAX_WAIT,
    ) -> None:
        self._async_client = AsyncClient(base_url, api_key, timeout=timeout, max_wait=max_wait)
        self._server = self._async_client._server

    def _lines(
        self, endpoint: Endpoint, inputs: Inputs, options: BatchOptions
    ) -> Iterator[Line[Any]]:
        concurrency = options.get("concurrency", DEFAULT_CONCURRENCY)
        # Inputs are read in the caller's thread, because a database cursor may not be used in another.
        running: deque[Future[Line[Any]]] = deque()
        try:
            for item in inputs:
                running.append(_loop.begin(line_of(self._server, endpoint, item, options)))
                if len(running) >= concurrency:
                    yield running.popleft().result()
            while running:
                yield running.popleft().result()
        finally:
            for one in running:
                one.cancel()

    def submit(
        self, endpoint: Endpoint, inputs: Iterable[Mapping[str, object]], **options: Unpack[JobOptions]
    ) -> Job:
        """
        Creates a job that calls one endpoint for up to 10,000 inputs. The price of all inputs is reserved; inputs that
        fail are refunded. A broken connection never creates a second job.
        """
        return _loop.run(jobs.submit(self._server, endpoint, inputs, options))

    def wait(
        self, job_id: str, on_progress: Callable[[Job], object] | None = None, *, poll: float = 2.0
    ) -> Job:
        """
        Waits until a job has finished, and returns it.

        on_progress: Called with the current job, and after each change.
        poll: Seconds between two requests for its state.
        """
        for job in _loop.iterate(jobs.states(self._server, job_id, poll)):
            if on_progress is not None:
                on_progress(job)
        return job

    def results(self, job_id: str, *, wait: bool = True, first: int = 0) -> Iterator[Line[Any]]:
        """
        Yields the lines of a job in input order, as they become ready. Reconnects after a broken connection; no line
        occurs twice.

        wait: Follows a running job to its end; False returns only the lines that are ready.
        first: Index of the first input to return, from 0.
        """
        return _loop.iterate(jobs.results(self._server, job_id, wait, first))

    def download(self, job_id: str, path: str | PathLike[str], format: FileFormat) -> None:
        """Saves the results of a finished job as a file, which is complete or absent."""
        _loop.run(jobs.download(self._server, f"jobs/{job_id}/results", Path(path), {"format": format}))
