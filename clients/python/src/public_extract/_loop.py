"""The event loop of the blocking client: one for all clients of a process, in a separate thread."""

import asyncio
import os
import threading
from collections.abc import AsyncGenerator, Coroutine, Iterator
from concurrent.futures import Future
from typing import Any, TypeVar

T = TypeVar("T")

_lock = threading.Lock()
_started: tuple[int, asyncio.AbstractEventLoop] | None = None


def _loop() -> asyncio.AbstractEventLoop:
    """
    Runs in a thread, because notebooks already run a loop in the main thread, and a loop cannot be entered twice. A
    forked process has none of its parent's threads, so it starts another.
    """
    global _started
    with _lock:
        if _started is None or _started[0] != os.getpid():
            loop = asyncio.new_event_loop()
            threading.Thread(target=loop.run_forever, name="public-extract", daemon=True).start()
            _started = (os.getpid(), loop)
        return _started[1]


def begin(work: Coroutine[Any, Any, T]) -> "Future[T]":
    """Starts work on the loop."""
    return asyncio.run_coroutine_threadsafe(work, _loop())


def run(work: Coroutine[Any, Any, T]) -> T:
    """Runs work to its end. An interrupted wait (Ctrl-C) ends the work, too."""
    future = begin(work)
    try:
        return future.result()
    except BaseException:
        future.cancel()
        raise


_END = object()


def iterate(items: AsyncGenerator[T, None]) -> Iterator[T]:
    """Yields the items in the caller's thread, each fetched on demand. Leaving early cancels running work."""

    async def following() -> T | object:
        return await anext(items, _END)

    async def close() -> None:
        await items.aclose()

    try:
        while (item := run(following())) is not _END:
            yield item  # type: ignore[misc]
    finally:
        run(close())
