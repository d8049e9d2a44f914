"""Creates and follows jobs, and reads their results, through restarts of the server."""

import asyncio
import json
import re
import uuid
from collections.abc import AsyncGenerator, Iterable, Mapping, Sequence
from contextlib import aclosing
from pathlib import Path
from time import monotonic
from typing import Any, Literal, cast

from ._connection import NeverConnected
from ._http import Broken
from ._server import Server
from .endpoints import Endpoint
from .errors import ExtractError, error_of
from .lines import Line, parse_line
from .objects import Job
from .steps import StepOptions

FileFormat = Literal["csv", "xlsx", "sqlite", "parquet"]
_LONGEST_PAUSE = 30.0
"""Maximum seconds between two attempts to continue following a job."""
_TRIES = 8
"""Maximum consecutive attempts without a result."""
_STABLE = 30.0
"""Seconds after which a broken connection does not count: jobs may pause for hours, and proxies close idle ones."""


class JobOptions(StepOptions, total=False):
    """Options of a job, and the steps that process its results."""

    name: str | None
    """Name of the job in lists."""
    webhook_url: str | None
    """https URL to which the finished job is posted."""
    schedule: str | None
    """Repeats the job: `6h`, `monday 08:00`, or five cron fields."""
    timezone: str | None
    """Time zone of the schedule, such as `Europe/Berlin`; UTC by default."""
    sources: bool
    """Adds `sources` to every line."""
    notify: Sequence[str]
    """Receivers of the items of each run of the schedule: URLs of webhooks and chats, or your own e-mail address."""
    idempotency_key: str | None
    """The same key and body within 24 hours return the same job. A new key by default."""


async def submit(
    server: Server,
    endpoint: Endpoint,
    inputs: Iterable[Mapping[str, object]],
    options: JobOptions,
) -> Job:
    chosen: dict[str, object] = {**options, "notify": list(options.get("notify", ())) or None}
    idempotency_key = options.get("idempotency_key")
    chosen.pop("idempotency_key", None)
    fields = {name: value for name, value in chosen.items() if value is not None and value is not False}
    body: dict[str, object] = {"endpoint": endpoint, "inputs": [dict(one) for one in inputs], **fields}
    if idempotency_key is not None and re.fullmatch(r"[\x20-\x7e\xa0-\xff]*", idempotency_key) is None:
        raise error_of("invalid_parameter", "idempotency_key must be a line of Latin letters, digits and signs.")
    # The key makes the request safe to repeat: the server creates one job.
    headers = {"Idempotency-Key": idempotency_key or str(uuid.uuid4())}
    answer = await server.call("POST", "jobs", body=body, headers=headers, repeatable=True)
    return cast(Job, answer["data"])


class _Attempts:
    """Consecutive failed attempts and the pauses between them, long enough for a restart of the server."""

    failed = 0

    async def pause(self, error: ExtractError) -> None:
        """Waits before the next attempt. Raises the error of the last attempt, or one that is not retryable."""
        self.failed += 1
        if self.failed == _TRIES or not error.retryable:
            raise error
        await asyncio.sleep(max(error.retry_after or 0, min(_LONGEST_PAUSE, 0.5 * 2 ** (self.failed - 1))))


async def states(server: Server, job_id: str, poll: float) -> AsyncGenerator[Job, None]:
    """Yields the job now and after each change, until it has finished, through restarts of the server."""
    last: Job | None = None
    tries = _Attempts()
    while True:
        try:
            answer = await server.call("GET", f"jobs/{job_id}", repeatable=True)
        except ExtractError as error:
            await tries.pause(error)
            continue
        tries.failed = 0
        job = cast(Job, answer["data"])
        if job != last:
            yield job
        if job["status"] in ("done", "cancelled"):
            return
        last = job
        await asyncio.sleep(poll)


async def _lines(pieces: AsyncGenerator[bytes, None]) -> AsyncGenerator[bytes, None]:
    """Yields complete lines; drops text after the last line feed."""
    parts: list[bytes] = []
    async with aclosing(pieces):
        async for piece in pieces:
            *ends, rest = piece.split(b"\n")
            for line in ends:
                yield b"".join([*parts, line])
                parts = []
            parts.append(rest)


async def results(
    server: Server, job_id: str, wait: bool, first: int
) -> AsyncGenerator[Line[Any], None]:
    """
    Yields the lines in input order. After a broken connection or a restart of the server, it continues after the last
    complete line.
    """
    index, tries = first, _Attempts()
    while True:
        began = monotonic()
        query = {"wait": wait, "from": index or None}
        try:
            async with aclosing(_lines(server.stream(f"jobs/{job_id}/results", query))) as lines:
                async for line in lines:
                    index, tries.failed = index + 1, 0
                    yield parse_line(json.loads(line))
            return
        except (Broken, NeverConnected, TimeoutError) as cause:
            error = server.fault(cause)
            if isinstance(cause, Broken) and monotonic() - began >= _STABLE:
                tries.failed = 0
        except ExtractError as refusal:
            # A rate limit, or a gateway in front of a server that is starting.
            error = refusal
        await tries.pause(error)


async def download(server: Server, at: str, path: Path, query: dict[str, str]) -> None:
    """Writes a temporary file next to the target, and renames it once it is complete."""
    part = path.with_name(path.name + ".part")
    try:
        with part.open("wb") as file:
            async with aclosing(server.stream(at, query)) as pieces:
                async for piece in pieces:
                    file.write(piece)
        part.replace(path)
    except (Broken, NeverConnected, TimeoutError) as cause:
        raise server.fault(cause) from cause
    finally:
        part.unlink(missing_ok=True)
