"""HTTP/1.1 over asyncio's streams: sends a request, and streams the body of its response."""

import asyncio
import http.client
import io
import urllib.parse
from collections.abc import AsyncGenerator, Mapping
from contextlib import aclosing
from dataclasses import dataclass
from email.message import Message

from ._connection import connect

_PIECE_BYTES = 64 * 1024


class Broken(Exception):
    """The connection broke, or the response is not HTTP. The request may have been answered and charged."""


@dataclass(frozen=True)
class Response:
    """The head of a response."""

    status: int
    headers: Message
    pieces: AsyncGenerator[bytes, None]
    """The body. Raises `Broken` if the connection ends before the body."""

    async def read(self, max_bytes: int) -> bytes:
        """Returns the complete body. Raises `Broken` if it is larger."""
        parts: list[bytes] = []
        size = 0
        async with aclosing(self.pieces) as pieces:
            async for piece in pieces:
                size += len(piece)
                if size > max_bytes:
                    raise Broken(f"the answer is larger than {max_bytes} bytes")
                parts.append(piece)
        return b"".join(parts)


async def _exactly(reader: asyncio.StreamReader, size: int) -> AsyncGenerator[bytes, None]:
    left = size
    while left > 0:
        piece = await reader.read(min(left, _PIECE_BYTES))
        if piece == b"":
            raise Broken(f"the connection ended {left} bytes before the answer did")
        left -= len(piece)
        yield piece


async def _chunked(reader: asyncio.StreamReader) -> AsyncGenerator[bytes, None]:
    while True:
        line = await reader.readuntil(b"\r\n")
        size = int(line.split(b";", 1)[0], 16)
        if size < 0:
            raise Broken("a piece has no size")
        if size == 0:
            while await reader.readuntil(b"\r\n") != b"\r\n":
                pass
            return
        async for piece in _exactly(reader, size):
            yield piece
        await reader.readexactly(2)


async def _to_the_end(reader: asyncio.StreamReader) -> AsyncGenerator[bytes, None]:
    while piece := await reader.read(_PIECE_BYTES):
        yield piece


def _body(reader: asyncio.StreamReader, headers: Message) -> AsyncGenerator[bytes, None]:
    if (headers.get("Transfer-Encoding") or "").lower() == "chunked":
        return _chunked(reader)
    length = headers.get("Content-Length")
    return _to_the_end(reader) if length is None else _exactly(reader, int(length))


async def _closing(
    pieces: AsyncGenerator[bytes, None], writer: asyncio.StreamWriter
) -> AsyncGenerator[bytes, None]:
    """Yields the pieces, and closes the connection even if the reader stops or is cancelled."""
    try:
        async with aclosing(pieces):
            async for piece in pieces:
                yield piece
    except (OSError, EOFError, ValueError, asyncio.LimitOverrunError) as cause:
        raise Broken(str(cause) or type(cause).__name__) from cause
    finally:
        writer.close()


async def _head(reader: asyncio.StreamReader) -> tuple[int, Message]:
    while True:
        text = await reader.readuntil(b"\r\n\r\n")
        first, _, rest = text.partition(b"\r\n")
        version, _, status = first.partition(b" ")
        if not version.startswith(b"HTTP/1."):
            raise Broken("the answer is no HTTP/1.1")
        code = int(status[:3])
        # A 1xx response is provisional.
        if code >= 200:
            return code, http.client.parse_headers(io.BytesIO(rest))


async def send(method: str, url: str, headers: Mapping[str, str], body: bytes | None = None) -> Response:
    """
    Sends a request and returns the head of its response. Each request opens a new connection: a server may close an
    idle one just as a request is sent, and it would be unknown whether the call was charged. Raises `NeverConnected`
    and `Broken`.
    """
    parts = urllib.parse.urlsplit(url)
    connection = await connect(parts)
    reader, writer = connection.reader, connection.writer
    fields = {
        "Host": parts.netloc,
        **headers,
        **connection.headers,
        **({} if body is None else {"Content-Length": str(len(body))}),
        "Connection": "close",
    }
    lines = [f"{method} {connection.target} HTTP/1.1", *(f"{name}: {value}" for name, value in fields.items())]
    try:
        writer.write("\r\n".join([*lines, "", ""]).encode("latin-1") + (body or b""))
        await writer.drain()
        status, received = await _head(reader)
        return Response(status, received, _closing(_body(reader, received), writer))
    except (OSError, EOFError, ValueError, asyncio.LimitOverrunError) as cause:
        writer.close()
        raise Broken(str(cause) or type(cause).__name__) from cause
    except BaseException:
        writer.close()
        raise
