"""Jobs: made, followed, and their results read, which a server that dies in between does not lose."""

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
"""Seconds between two tries to go on following a job, at most."""
_TRIES = 8
"""Tries in a row that bring nothing."""
_STOOD = 30.0
"""Seconds after which a silent connection that broke off is no such try: a job may rest for hours, and proxies cut it off."""


class JobOptions(StepOptions, total=False):
    """How a job runs, and what is done with its results."""

    name: str | None
    """Name of the job in lists."""
    webhook_url: str | None
    """https URL that the finished job is sent to."""
    schedule: str | None
    """Repeats the job: `6h`, `monday 08:00`, or five cron fields."""
    timezone: str | None
    """Where the times of the schedule are, with its summer time: `Europe/Berlin`. UTC when left out."""
    sources: bool
    """Adds `sources` to every line."""
    notify: Sequence[str]
    """Who is told what each run of the schedule found: URLs of webhooks and chats, or your own e-mail address."""
    idempotency_key: str | None
    """The same key and body within 24 hours give the same job. Made anew when left out."""


async def submit(
    server: Server,
    endpoint: Endpoint,
    inputs: Iterable[Mapping[str, object]],
    options: JobOptions,
) -> Job:
    chosen: dict[str, object] = {**options, "notify": list(options.get("notify", ())) or None}
    idempotency_key = options.get("idempotency_key")
    chosen.pop("idempotency_key", None)
    given = {name: value for name, value in chosen.items() if value is not None and value is not False}
    body: dict[str, object] = {"endpoint": endpoint, "inputs": [dict(one) for one in inputs], **given}
    if idempotency_key is not None and re.fullmatch(r"[\x20-\x7e\xa0-\xff]*", idempotency_key) is None:
        raise error_of("invalid_parameter", "idempotency_key must be a line of Latin letters, digits and signs.")
    # With the key the server makes one job of it, however often it is sent.
    headers = {"Idempotency-Key": idempotency_key or str(uuid.uuid4())}
    answer = await server.call("POST", "jobs", body=body, headers=headers, repeatable=True)
    return cast(Job, answer["data"])


class _Tries:
    """Tries in a row that failed, and the pauses behind them: a server that restarts is away for a while."""

    failed = 0

    async def pause(self, error: ExtractError) -> None:
        """Waits for the next try. Raises the error of the last one, and one that will not pass."""
        self.failed += 1
        if self.failed == _TRIES or not error.retryable:
            raise error
        await asyncio.sleep(max(error.retry_after or 0, min(_LONGEST_PAUSE, 0.5 * 2 ** (self.failed - 1))))


async def states(server: Server, job_id: str, poll: float) -> AsyncGenerator[Job, None]:
    """The job now and after each of its changes, until it has finished, whatever restarts in between."""
    last: Job | None = None
    tries = _Tries()
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
    """Whole lines. What was cut off before its end is no line."""
    parts: list[bytes] = []
    async with aclosing(pieces):
        async for piece in pieces:
            *whole, rest = piece.split(b"\n")
            for line in whole:
                yield b"".join([*parts, line])
                parts = []
            parts.append(rest)


async def results(
    server: Server, job_id: str, wait: bool, first: int
) -> AsyncGenerator[Line[Any], None]:
    """
    The lines in the order of the inputs. Where the connection breaks off, or the server restarts, the reading goes on
    behind the last whole line.
    """
    given, tries = first, _Tries()
    while True:
        began = monotonic()
        query = {"wait": wait, "from": given or None}
        try:
            async with aclosing(_lines(server.stream(f"jobs/{job_id}/results", query))) as lines:
                async for line in lines:
                    given, tries.failed = given + 1, 0
                    yield parse_line(json.loads(line))
            return
        except (Broken, NeverConnected, TimeoutError) as cause:
            error = server.fault(cause)
            if isinstance(cause, Broken) and monotonic() - began >= _STOOD:
                tries.failed = 0
        except ExtractError as refusal:
            # A limit of requests, or a gateway before a server that starts.
            error = refusal
        await tries.pause(error)


async def download(server: Server, at: str, path: Path, query: dict[str, str]) -> None:
    """Writes the file beside its place and moves it there when it is whole."""
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
