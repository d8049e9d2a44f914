"""The base of the generated methods: each makes one request and wraps its answer in a class."""

from collections.abc import Mapping
from typing import Any, TypeVar, cast

from . import _loop
from ._params import Spelled
from ._server import Server
from .answers import (
    Answer,
    AsyncListing,
    AsyncPage,
    AsyncSourcedPage,
    Listing,
    Page,
    SourcedAnswer,
    SourcedPage,
)


T = TypeVar("T")


def _answer(body: dict[str, Any]) -> Answer[Any]:
    if "sources" in body:
        return SourcedAnswer(body["data"], body["meta"], body["sources"])
    return Answer(body["data"], body["meta"])


class AsyncCalls(Spelled):
    """The calls of `AsyncClient`."""

    _server: Server

    async def _ask(self, path: str, params: Mapping[str, Any]) -> dict[str, Any]:
        query = {**params}
        timeout = query.pop("timeout", None)
        repeatable = params.get("demo") is True
        return await self._server.call("GET", path, query=query, repeatable=repeatable, timeout=timeout)

    async def _object(self, path: str, params: Mapping[str, Any]) -> Answer[Any]:
        return _answer(await self._ask(path, params))

    async def _page(self, path: str, params: Mapping[str, Any]) -> AsyncPage[Any]:
        async def follow(cursor: str) -> AsyncPage[Any]:
            return await self._page(path, {**params, "cursor": cursor})

        body = await self._ask(path, params)
        data, meta = body["data"], body["meta"]
        if "sources" in body:
            return AsyncSourcedPage(data, meta["next_cursor"], follow, meta, body["sources"])
        return AsyncPage(data, meta["next_cursor"], follow, meta)

    async def _operate(self, kind: type[T], method: str, path: str, body: object = None) -> T:
        answer = await self._server.call(method, path, body=body, repeatable=method == "GET")
        return cast(T, answer["data"])

    async def _listing(self, path: str, params: Mapping[str, Any]) -> AsyncListing[Any]:
        async def follow(cursor: str) -> AsyncListing[Any]:
            return await self._listing(path, {**params, "cursor": cursor})

        body = await self._server.call("GET", path, query=params, repeatable=True)
        return AsyncListing(body["data"], body["meta"]["next_cursor"], follow)


class Calls(Spelled):
    """The calls of `Client`, which run the calls of `AsyncClient` to their end."""

    _async_client: AsyncCalls

    def _object(self, path: str, params: Mapping[str, Any]) -> Answer[Any]:
        return _loop.run(self._async_client._object(path, params))

    def _page(self, path: str, params: Mapping[str, Any]) -> Page[Any]:
        def follow(cursor: str) -> Page[Any]:
            return self._page(path, {**params, "cursor": cursor})

        page = _loop.run(self._async_client._page(path, params))
        if isinstance(page, AsyncSourcedPage):
            return SourcedPage(page.data, page.next_cursor, follow, page.meta, page.sources)
        return Page(page.data, page.next_cursor, follow, page.meta)

    def _operate(self, kind: type[T], method: str, path: str, body: object = None) -> T:
        return _loop.run(self._async_client._operate(kind, method, path, body))

    def _listing(self, path: str, params: Mapping[str, Any]) -> Listing[Any]:
        def follow(cursor: str) -> Listing[Any]:
            return self._listing(path, {**params, "cursor": cursor})

        page = _loop.run(self._async_client._listing(path, params))
        return Listing(page.data, page.next_cursor, follow)
