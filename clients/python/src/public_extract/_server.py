"""Calls to a server: its address and key, retries, waits, and errors."""

import asyncio
import json
import os
import re
import time
import urllib.parse
from collections.abc import AsyncGenerator, Mapping
from contextlib import aclosing
from decimal import Decimal
from email.utils import parsedate_to_datetime
from math import isfinite
from typing import Any, cast

from ._connection import NeverConnected
from ._http import Broken, Response, send
from ._version import VERSION
from .codes import ENTRIES, ErrorCode
from .errors import ExtractError, error_of

DEFAULT_TIMEOUT = 210.0
"""Maximum seconds of one attempt: the time limit of a call at the server, plus the transfer."""
DEFAULT_MAX_WAIT = 180.0
"""Maximum seconds that a call waits after rate limits (429), over all its attempts."""
_RETRY_DELAYS = (0.5, 1.0)
"""Seconds before each retry of a call that reached no server, or is free."""
_MAX_BYTES = 64 * 1024 * 1024


def _address(text: str | None) -> str:
    """Returns the address of the API with its version, which is optional, and without a trailing slash."""
    try:
        url = urllib.parse.urlsplit(text or "")
        port = url.port
    except ValueError:
        url, port = urllib.parse.urlsplit(""), None
    if url.scheme not in ("http", "https") or not url.hostname or url.query or url.fragment or port == 0:
        raise error_of(
            "invalid_parameter",
            "base_url (or EXTRACT_BASE_URL) must be the http or https URL of a server, such as"
            " https://extract.example.com/v1.",
        )
    if url.username is not None or url.password is not None:
        raise error_of(
            "invalid_parameter", "base_url must not contain a name or password; set the key in api_key."
        )
    path = url.path.rstrip("/")
    return f"{url.scheme}://{url.netloc}{path if path.endswith('/v1') else path + '/v1'}"


def _retry_after(response: Response) -> float | None:
    """Returns the seconds of `Retry-After`, a number or a date; None without the header."""
    value = response.headers.get("Retry-After")
    if value is None:
        return None
    if re.fullmatch(r"[0-9]{1,9}", value.strip()):
        return float(value)
    try:
        return max(0.0, parsedate_to_datetime(str(value)).timestamp() - time.time())
    except ValueError:
        return None


def _query(params: Mapping[str, object]) -> str:
    texts: list[tuple[str, str]] = []
    for name, value in params.items():
        if value is None or value is False:
            continue
        if not isinstance(value, (str, int, float)) or (isinstance(value, float) and not isfinite(value)):
            raise error_of(
                "invalid_parameter", f"The parameter {name} must be a text, a number, or True or False."
            )
        text = "true" if value is True else str(value)
        # The API's numbers have no exponent, but `str` writes one for coordinates near 0.
        texts.append((name, format(Decimal(text), "f") if isinstance(value, float) else text))
    try:
        return urllib.parse.urlencode(texts)
    except UnicodeEncodeError as cause:
        raise error_of("invalid_parameter", f"A parameter holds half a character: {cause.object!a}.") from cause


def _json(body: object) -> bytes:
    try:
        return json.dumps(body, allow_nan=False).encode()
    except (TypeError, ValueError) as cause:
        # Tables have NaN, and their own types, for unknown values.
        raise error_of(
            "invalid_parameter",
            f"What is sent must be texts, numbers, True, False, lists or objects ({cause}): leave out what is unknown.",
        ) from cause


class Server:
    """A server with the API. No connection stays open between calls."""

    def __init__(
        self, base_url: str | None, api_key: str | None, timeout: float, max_wait: float
    ) -> None:
        self._base = _address(os.environ.get("EXTRACT_BASE_URL") if base_url is None else base_url)
        self._docs = self._base.removesuffix("/v1")
        self.timeout = timeout
        self.max_wait = max_wait
        key = os.environ.get("EXTRACT_API_KEY") or None if api_key is None else api_key
        if key is not None and re.fullmatch(r"[\x21-\x7e]+", key) is None:
            raise error_of("invalid_parameter", "api_key must start with xt_live_.")
        self._headers = {
            "User-Agent": f"public-extract-python/{VERSION}",
            **({} if key is None else {"Authorization": f"Bearer {key}"}),
        }

    async def call(
        self,
        method: str,
        path: str,
        *,
        query: Mapping[str, object] = {},
        body: object = None,
        headers: Mapping[str, str] = {},
        repeatable: bool = False,
        waits_for_platform: bool = False,
        timeout: float | None = None,
    ) -> dict[str, Any]:
        """
        Makes one call. After a 429 it is sent again when `Retry-After` has passed, up to `max_wait` seconds in total;
        with `waits_for_platform` also after a platform's refusal that says when to retry, because it was free. A call
        that reached no server is tried three times, and so is a `repeatable` one whose connection broke. No other call
        is repeated, because it may have been charged. Raises the server's error, or `platform_unavailable` or
        `platform_timeout` if there was no answer.
        """
        delays = iter(_RETRY_DELAYS)
        waited = 0.0
        while True:
            try:
                async with asyncio.timeout(self.timeout if timeout is None else timeout):
                    response = await self._send(method, path, query, body, headers)
                    text = await response.read(_MAX_BYTES)
            except (NeverConnected, Broken, TimeoutError) as cause:
                may_repeat = repeatable or isinstance(cause, NeverConnected)
                delay = next(delays, None) if may_repeat else None
                if delay is None:
                    raise self.fault(cause) from cause
                await asyncio.sleep(delay)
                continue
            if 200 <= response.status < 300:
                return self._success(text)
            error = self._error(response, text)
            waits = response.status == 429 or (
                waits_for_platform and error.retryable and error.retry_after is not None
            )
            seconds = max(1.0, error.retry_after or 1.0)
            if not waits or waited + seconds > self.max_wait:
                raise error
            await asyncio.sleep(seconds)
            waited += seconds

    async def stream(self, path: str, query: Mapping[str, object]) -> AsyncGenerator[bytes, None]:
        """Yields the bytes of a long answer. Raises `Broken` if it breaks off, otherwise as `call` does."""
        async with asyncio.timeout(self.timeout):
            response = await self._send("GET", path, query, None, {})
            if response.status != 200:
                raise self._error(response, await response.read(_MAX_BYTES))
        async with aclosing(response.pieces) as pieces:
            async for piece in pieces:
                yield piece

    async def _send(
        self,
        method: str,
        path: str,
        query: Mapping[str, object],
        body: object,
        headers: Mapping[str, str],
    ) -> Response:
        text = _query(query)
        url = f"{self._base}/{path}" + (f"?{text}" if text else "")
        fields = {"Accept": "application/json", **self._headers, **headers}
        if body is None:
            return await send(method, url, fields, b"" if method == "POST" else None)
        return await send(method, url, {**fields, "Content-Type": "application/json"}, _json(body))

    def _success(self, text: bytes) -> dict[str, Any]:
        try:
            body = json.loads(text)
        except ValueError:
            body = None
        if isinstance(body, dict) and "data" in body and isinstance(body.get("meta"), dict):
            return body
        raise self._stranger(200, None)

    def _error(self, response: Response, text: bytes) -> ExtractError:
        """Returns the server's error. A response without the contract's object comes from a proxy in between."""
        retry_after = _retry_after(response)
        try:
            error = json.loads(text)["error"]
            code, message, docs, request_id = (
                error[key] for key in ("code", "message", "docs", "request_id")
            )
        except (ValueError, TypeError, LookupError):
            return self._stranger(response.status, retry_after)
        if not all(isinstance(one, str) for one in (code, message, docs, request_id)):
            return self._stranger(response.status, retry_after)
        if code not in ENTRIES:
            # From a later version of the server.
            code, message = "internal_error", f"{code}: {message}"
        return error_of(
            cast(ErrorCode, code), message, docs=docs, request_id=request_id, retry_after=retry_after
        )

    def _stranger(self, status: int, retry_after: float | None) -> ExtractError:
        return self._own(
            "platform_unavailable",
            f"{self._docs} answered with status {status}, but not like the API. Check the address.",
            retry_after,
        )

    def fault(self, cause: BaseException) -> ExtractError:
        """Returns the error for a request without an answer."""
        if isinstance(cause, TimeoutError):
            return self._own("platform_timeout", f"The server at {self._docs} did not answer in time.")
        return self._own(
            "platform_unavailable",
            f"The server at {self._docs} could not be reached, or the connection broke ({cause}).",
        )

    def _own(self, code: ErrorCode, message: str, retry_after: float | None = None) -> ExtractError:
        return error_of(
            code, message, docs=f"{self._docs}/docs/errors/{code}", retry_after=retry_after
        )
