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
    A server's endpoints as methods. Each blocks until its answer is there; notebooks and threads may share a client,
    which holds nothing open between calls.

    base_url: Address of the server; `/v1` may be left out. `EXTRACT_BASE_URL` when left out.
    api_key: `xt_live_…`; `EXTRACT_API_KEY` when left out. Without one the server answers demo calls alone.
    timeout: Seconds that one try of a call may take.
    max_wait: Seconds that a call waits in all when the server says `Retry-After`.

    Raises `InvalidRequestError` for an address or a key that is none.
    """

    _asked: AsyncClient

    def __init__(
        self,
        base_url: str | None = None,
        api_key: str | None = None,
        *,
        timeout: float = DEFAULT_TIMEOUT,
        max_wait: float = DEFAULT_MAX_WAIT,
    ) -> None:
        self._asked = AsyncClient(base_url, api_key, timeout=timeout, max_wait=max_wait)
        self._server = self._asked._server

    def _lines(
        self, endpoint: Endpoint, inputs: Inputs, options: BatchOptions
    ) -> Iterator[Line[Any]]:
        concurrency = options.get("concurrency", DEFAULT_CONCURRENCY)
        # Inputs are taken in the caller's thread: a cursor of a database may not be read in another.
        running: deque[Future[Line[Any]]] = deque()
        try:
            for given in inputs:
                running.append(_loop.begin(line_of(self._server, endpoint, given, options)))
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
        fail are refunded. A connection that breaks off makes no second job.
        """
        return _loop.run(jobs.submit(self._server, endpoint, inputs, options))

    def wait(
        self, job_id: str, on_progress: Callable[[Job], object] | None = None, *, poll: float = 2.0
    ) -> Job:
        """
        Waits until a job has finished, and gives it as it ended.

        on_progress: Called with the job as it is now, and after each change.
        poll: Seconds between two looks.
        """
        for job in _loop.iterate(jobs.states(self._server, job_id, poll)):
            if on_progress is not None:
                on_progress(job)
        return job

    def results(self, job_id: str, *, wait: bool = True, first: int = 0) -> Iterator[Line[Any]]:
        """
        The lines of a job in the order of its inputs, as they come. A connection that breaks off is made again, and no
        line comes twice.

        wait: Follows a running job to its end; False gives the lines that are ready.
        first: Begins with the line of this input, counted from 0.
        """
        return _loop.iterate(jobs.results(self._server, job_id, wait, first))

    def download(self, job_id: str, path: str | PathLike[str], format: FileFormat) -> None:
        """Saves the results of a finished job as a file to open. It is there whole or not at all."""
        _loop.run(jobs.download(self._server, f"jobs/{job_id}/results", Path(path), {"format": format}))
