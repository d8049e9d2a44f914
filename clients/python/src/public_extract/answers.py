"""The results of calls: answers, and pages of lists."""

from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Generic, Self, TypeVar

from .frames import Engine, source_cells, to_dataframe
from .objects import ItemSource, Meta

T = TypeVar("T", bound=Mapping[str, Any], covariant=True)
Item = TypeVar("Item", bound=Mapping[str, Any], covariant=True)


def _with_sources(data: Any, sources: list[ItemSource]) -> list[dict[str, Any]]:
    rows = data if isinstance(data, list) else [data]
    return [{**row, **source_cells(source)} for row, source in zip(rows, sources, strict=True)]


@dataclass(frozen=True)
class Answer(Generic[T]):
    """An answer of an endpoint that returns one object."""

    data: T
    """The object."""
    meta: Meta
    """What the call cost, and how old the answer is."""

    def to_dataframe(self, engine: Engine | None = None) -> Any:
        """Returns the object as a table of one row: see `public_extract.to_dataframe`."""
        return to_dataframe([self.data], engine)


@dataclass(frozen=True)
class SourcedAnswer(Answer[T]):
    """An answer with its source."""

    sources: list[ItemSource]
    """The source of the object: one entry."""

    def to_dataframe(self, engine: Engine | None = None) -> Any:
        """Returns the object as a table of one row, with columns for its source: `source_url` and so on."""
        return to_dataframe(_with_sources(self.data, self.sources), engine)


@dataclass(frozen=True)
class Listing(Generic[Item]):
    """A page of an account's jobs, schedules or calls."""

    data: list[Item]
    """The items of the page."""
    next_cursor: str | None
    """Cursor of the next page; None on the last one."""
    _follow: Callable[[str], Any] = field(repr=False, compare=False)

    def paginate(self) -> Iterator[Self]:
        """Yields this page and all that follow, each fetched on demand."""
        page, used = self, set[str]()
        while True:
            yield page
            # A repeated cursor ends the listing, so that no page occurs twice.
            if page.next_cursor is None or page.next_cursor in used:
                return
            used.add(page.next_cursor)
            page = self._follow(page.next_cursor)

    def items(self) -> Iterator[Item]:
        """Yields the items of this page and of all that follow."""
        for page in self.paginate():
            yield from page.data

    def to_dataframe(self, engine: Engine | None = None) -> Any:
        """Returns the items of this page as a table: see `public_extract.to_dataframe`."""
        return to_dataframe(self.data, engine)


@dataclass(frozen=True)
class Page(Listing[Item]):
    """A page of an endpoint's list. Each page costs one call."""

    meta: Meta
    """What the call cost, and how old the answer is."""


@dataclass(frozen=True)
class SourcedPage(Page[Item]):
    """A page with the sources of its items."""

    sources: list[ItemSource]
    """The source of each item, in order."""

    def to_dataframe(self, engine: Engine | None = None) -> Any:
        """Returns the items of this page as a table, with columns for their sources: `source_url` and so on."""
        return to_dataframe(_with_sources(self.data, self.sources), engine)


@dataclass(frozen=True)
class AsyncListing(Generic[Item]):
    """A page of an account's jobs, schedules or calls."""

    data: list[Item]
    """The items of the page."""
    next_cursor: str | None
    """Cursor of the next page; None on the last one."""
    _follow: Callable[[str], Awaitable[Any]] = field(repr=False, compare=False)

    async def paginate(self) -> AsyncIterator[Self]:
        """Yields this page and all that follow, each fetched on demand."""
        page, used = self, set[str]()
        while True:
            yield page
            if page.next_cursor is None or page.next_cursor in used:
                return
            used.add(page.next_cursor)
            page = await self._follow(page.next_cursor)

    async def items(self) -> AsyncIterator[Item]:
        """Yields the items of this page and of all that follow."""
        async for page in self.paginate():
            for item in page.data:
                yield item

    def to_dataframe(self, engine: Engine | None = None) -> Any:
        """Returns the items of this page as a table: see `public_extract.to_dataframe`."""
        return to_dataframe(self.data, engine)


@dataclass(frozen=True)
class AsyncPage(AsyncListing[Item]):
    """A page of an endpoint's list. Each page costs one call."""

    meta: Meta
    """What the call cost, and how old the answer is."""


@dataclass(frozen=True)
class AsyncSourcedPage(AsyncPage[Item]):
    """A page with the sources of its items."""

    sources: list[ItemSource]
    """The source of each item, in order."""

    def to_dataframe(self, engine: Engine | None = None) -> Any:
        """Returns the items of this page as a table, with columns for their sources: `source_url` and so on."""
        return to_dataframe(_with_sources(self.data, self.sources), engine)
