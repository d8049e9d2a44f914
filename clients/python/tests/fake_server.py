"""A server on its own socket that sends the bytes that a test specifies."""

from __future__ import annotations

import json
import socket
import threading
from collections.abc import Callable, Iterable
from contextlib import suppress
from types import TracebackType

Reply = bytes | Callable[[socket.socket, str], None]
"""The bytes sent on one connection before it is closed, or a function of the connection and its request."""


def response(status: int, body: bytes | object, headers: dict[str, str] | None = None) -> bytes:
    sent = body if isinstance(body, bytes) else json.dumps(body).encode()
    fields = {"Content-Type": "application/json", "Content-Length": str(len(sent)), **(headers or {})}
    lines = [f"HTTP/1.1 {status} Said", *(f"{name}: {value}" for name, value in fields.items()), "", ""]
    return "\r\n".join(lines).encode() + sent


def answer(data: object, next_cursor: str | None = None, **more: object) -> bytes:
    meta = {
        "request_id": "req_1",
        "credits_charged": 1,
        "credits_remaining": 9,
        "cached": False,
        "fetched_at": "2026-11-25T12:00:00.000Z",
        "next_cursor": next_cursor,
    }
    return response(200, {"data": data, "meta": meta, **more})


def error(status: int, code: str, headers: dict[str, str] | None = None) -> bytes:
    said = {
        "type": "said",
        "code": code,
        "message": "No.",
        "docs": f"https://docs.test/docs/errors/{code}",
        "request_id": "req_2",
    }
    return response(status, {"error": said}, headers)


class FakeServer:
    """Sends the replies in order, one per connection, and repeats the last one."""

    def __init__(self, *replies: Reply) -> None:
        self._replies = replies
        self._socket = socket.create_server(("127.0.0.1", 0))
        self.port: int = self._socket.getsockname()[1]
        self.url = f"http://127.0.0.1:{self.port}"
        self.requests: list[str] = []
        self._closed = threading.Event()
        threading.Thread(target=self._serve, daemon=True).start()

    def _serve(self) -> None:
        while not self._closed.is_set():
            try:
                connection, _ = self._socket.accept()
            except OSError:
                return
            threading.Thread(target=self._answer, args=[connection], daemon=True).start()

    def _answer(self, connection: socket.socket) -> None:
        with connection, suppress(OSError):
            request = read_request(connection)
            self.requests.append(request)
            reply = self._replies[min(len(self.requests), len(self._replies)) - 1]
            if callable(reply):
                reply(connection, request)
            else:
                connection.sendall(reply)

    @property
    def lines(self) -> list[str]:
        """The first line of each request."""
        return [request.split("\r\n", 1)[0] for request in self.requests]

    def __enter__(self) -> FakeServer:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, cause: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._closed.set()
        self._socket.close()


def read_request(connection: socket.socket) -> str:
    """Returns the head and body of a request."""
    text = b""
    while b"\r\n\r\n" not in text:
        piece = connection.recv(65536)
        if piece == b"":
            return text.decode()
        text += piece
    head, _, body = text.partition(b"\r\n\r\n")
    lengths = [line.split(b":")[1] for line in head.split(b"\r\n") if line.lower().startswith(b"content-length:")]
    while len(body) < int(lengths[0] if lengths else 0):
        body += connection.recv(65536)
    return (head + b"\r\n\r\n" + body).decode()


def chunks(pieces: Iterable[bytes], ends: bool = True) -> bytes:
    """A response in chunks, complete or cut off."""
    head = b"HTTP/1.1 200 OK\r\nContent-Type: application/x-ndjson\r\nTransfer-Encoding: chunked\r\n\r\n"
    body = b"".join(b"%x\r\n%s\r\n" % (len(piece), piece) for piece in pieces)
    return head + body + (b"0\r\n\r\n" if ends else b"")
