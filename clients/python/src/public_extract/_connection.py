"""Opens a connection to a server, directly or through the proxy of the environment."""

import asyncio
import base64
import socket
import ssl
import urllib.parse
import urllib.request
from dataclasses import dataclass

_MAX_HEAD_BYTES = 64 * 1024
"""Maximum size of a response's head, and of the bytes that a reader buffers before it pauses the socket."""


class NeverConnected(Exception):
    """No request was sent, so nothing was charged, and the call can be repeated."""


@dataclass(frozen=True)
class Connection:
    """An open connection, and the form of a request on it."""

    reader: asyncio.StreamReader
    writer: asyncio.StreamWriter
    target: str
    """The request target: a path, or a complete URL for a proxy."""
    headers: dict[str, str]
    """Headers that the proxy requires with each request."""


def _proxy_of(url: urllib.parse.SplitResult) -> urllib.parse.SplitResult | None:
    """The proxy that `HTTP_PROXY`, `HTTPS_PROXY` and `NO_PROXY` name for a URL."""
    host = url.hostname or ""
    if urllib.request.proxy_bypass(host):
        return None
    address = urllib.request.getproxies().get(url.scheme)
    if not address:
        return None
    proxy = urllib.parse.urlsplit(address if "://" in address else f"http://{address}")
    if proxy.scheme not in ("http", "https") or proxy.hostname is None:
        raise NeverConnected(f"{url.scheme.upper()}_PROXY must be the http or https URL of a proxy")
    return proxy


def _credentials(proxy: urllib.parse.SplitResult) -> dict[str, str]:
    if proxy.username is None:
        return {}
    pair = f"{urllib.parse.unquote(proxy.username)}:{urllib.parse.unquote(proxy.password or '')}"
    return {"Proxy-Authorization": "Basic " + base64.b64encode(pair.encode()).decode("ascii")}


def _port(url: urllib.parse.SplitResult) -> int:
    return url.port or (443 if url.scheme == "https" else 80)


async def _connect(
    url: urllib.parse.SplitResult,
) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
    context = ssl.create_default_context() if url.scheme == "https" else None
    try:
        reader, writer = await asyncio.open_connection(
            url.hostname, _port(url), ssl=context, limit=_MAX_HEAD_BYTES
        )
    except OSError as cause:
        raise NeverConnected(cause.strerror or str(cause)) from cause
    # Detects a server that disappeared while nothing is sent: results may take hours.
    connected = writer.get_extra_info("socket")
    if connected is not None:
        connected.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
    return reader, writer


async def _tunnel(
    url: urllib.parse.SplitResult,
    proxy: urllib.parse.SplitResult,
    reader: asyncio.StreamReader,
    writer: asyncio.StreamWriter,
) -> None:
    """Opens a tunnel to the server through a proxy, and encrypts it."""
    host = f"[{url.hostname}]" if ":" in (url.hostname or "") else url.hostname
    authority = f"{host}:{_port(url)}"
    headers = {"Host": authority, **_credentials(proxy)}
    lines = [f"CONNECT {authority} HTTP/1.1", *(f"{name}: {value}" for name, value in headers.items())]
    writer.write("\r\n".join([*lines, "", ""]).encode("ascii"))
    try:
        head = await reader.readuntil(b"\r\n\r\n")
    except (OSError, asyncio.IncompleteReadError, asyncio.LimitOverrunError) as cause:
        raise NeverConnected("the proxy closed the connection") from cause
    parts = head.split(b" ", 2)
    if len(parts) < 2 or parts[1] != b"200":
        status = head.split(b"\r\n", 1)[0].decode("latin-1")
        raise NeverConnected(f"the proxy {proxy.hostname} answered “{status}”")
    try:
        await writer.start_tls(ssl.create_default_context(), server_hostname=url.hostname)
    except OSError as cause:
        raise NeverConnected(cause.strerror or str(cause)) from cause


async def connect(url: urllib.parse.SplitResult) -> Connection:
    """Opens a connection for one request. Raises `NeverConnected`."""
    path = urllib.parse.urlunsplit(("", "", url.path or "/", url.query, ""))
    proxy = _proxy_of(url)
    if proxy is None:
        return Connection(*await _connect(url), path, {})
    reader, writer = await _connect(proxy)
    if url.scheme == "http":
        return Connection(reader, writer, f"http://{url.netloc}{path}", _credentials(proxy))
    try:
        await _tunnel(url, proxy, reader, writer)
    except BaseException:
        writer.close()
        raise
    return Connection(reader, writer, path, {})
