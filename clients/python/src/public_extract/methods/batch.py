# Written by `npm run generate` from the table of endpoints: change that, and not this file.
"""Many inputs of one endpoint."""

from collections.abc import AsyncIterable, AsyncIterator, Iterable, Iterator, Mapping
from typing import Any, Literal, overload

from ..batches import DEFAULT_CONCURRENCY
from ..endpoints import Endpoint
from ..lines import Line
from ..objects import (
    MapsPhoto,
    MapsPlace,
    MapsPlaceDetail,
    MapsReview,
    PhotosocialComment,
    PhotosocialPost,
    PhotosocialProfile,
    PronetworkCompany,
    PronetworkJob,
    PronetworkPost,
    PronetworkProfile,
    ShortvideoComment,
    ShortvideoProfile,
    ShortvideoVideo,
)


class Batch:
    """Many inputs of one endpoint."""

    def _lines(
        self,
        endpoint: Endpoint,
        inputs: Iterable[Mapping[str, Any]],
        common: Mapping[str, object],
        concurrency: int,
    ) -> Iterator[Line[Any]]:
        raise NotImplementedError

    @overload
    def batch(
        self,
        endpoint: Literal["maps/places"],
        inputs: Iterable[Mapping[str, Any]],
        *,
        fresh: bool = False,
        demo: bool = False,
        sources: bool = False,
        concurrency: int = DEFAULT_CONCURRENCY,
    ) -> Iterator[Line[list[MapsPlace]]]: ...

    @overload
    def batch(
        self,
        endpoint: Literal["maps/place"],
        inputs: Iterable[Mapping[str, Any]],
        *,
        fresh: bool = False,
        demo: bool = False,
        sources: bool = False,
        concurrency: int = DEFAULT_CONCURRENCY,
    ) -> Iterator[Line[MapsPlaceDetail]]: ...

    @overload
    def batch(
        self,
        endpoint: Literal["maps/reviews"],
        inputs: Iterable[Mapping[str, Any]],
        *,
        fresh: bool = False,
        demo: bool = False,
        sources: bool = False,
        concurrency: int = DEFAULT_CONCURRENCY,
    ) -> Iterator[Line[list[MapsReview]]]: ...

    @overload
    def batch(
        self,
        endpoint: Literal["maps/photos"],
        inputs: Iterable[Mapping[str, Any]],
        *,
        fresh: bool = False,
        demo: bool = False,
        sources: bool = False,
        concurrency: int = DEFAULT_CONCURRENCY,
    ) -> Iterator[Line[list[MapsPhoto]]]: ...

    @overload
    def batch(
        self,
        endpoint: Literal["pronetwork/profile"],
        inputs: Iterable[Mapping[str, Any]],
        *,
        fresh: bool = False,
        demo: bool = False,
        sources: bool = False,
        concurrency: int = DEFAULT_CONCURRENCY,
    ) -> Iterator[Line[PronetworkProfile]]: ...

    @overload
    def batch(
        self,
        endpoint: Literal["pronetwork/company"],
        inputs: Iterable[Mapping[str, Any]],
        *,
        fresh: bool = False,
        demo: bool = False,
        sources: bool = False,
        concurrency: int = DEFAULT_CONCURRENCY,
    ) -> Iterator[Line[PronetworkCompany]]: ...

    @overload
    def batch(
        self,
        endpoint: Literal["pronetwork/posts"],
        inputs: Iterable[Mapping[str, Any]],
        *,
        fresh: bool = False,
        demo: bool = False,
        sources: bool = False,
        concurrency: int = DEFAULT_CONCURRENCY,
    ) -> Iterator[Line[list[PronetworkPost]]]: ...

    @overload
    def batch(
        self,
        endpoint: Literal["pronetwork/jobs"],
        inputs: Iterable[Mapping[str, Any]],
        *,
        fresh: bool = False,
        demo: bool = False,
        sources: bool = False,
        concurrency: int = DEFAULT_CONCURRENCY,
    ) -> Iterator[Line[list[PronetworkJob]]]: ...

    @overload
    def batch(
        self,
        endpoint: Literal["photosocial/profile"],
        inputs: Iterable[Mapping[str, Any]],
        *,
        fresh: bool = False,
        demo: bool = False,
        sources: bool = False,
        concurrency: int = DEFAULT_CONCURRENCY,
    ) -> Iterator[Line[PhotosocialProfile]]: ...

    @overload
    def batch(
        self,
        endpoint: Literal["photosocial/posts"],
        inputs: Iterable[Mapping[str, Any]],
        *,
        fresh: bool = False,
        demo: bool = False,
        sources: bool = False,
        concurrency: int = DEFAULT_CONCURRENCY,
    ) -> Iterator[Line[list[PhotosocialPost]]]: ...

    @overload
    def batch(
        self,
        endpoint: Literal["photosocial/post"],
        inputs: Iterable[Mapping[str, Any]],
        *,
        fresh: bool = False,
        demo: bool = False,
        sources: bool = False,
        concurrency: int = DEFAULT_CONCURRENCY,
    ) -> Iterator[Line[PhotosocialPost]]: ...

    @overload
    def batch(
        self,
        endpoint: Literal["photosocial/comments"],
        inputs: Iterable[Mapping[str, Any]],
        *,
        fresh: bool = False,
        demo: bool = False,
        sources: bool = False,
        concurrency: int = DEFAULT_CONCURRENCY,
    ) -> Iterator[Line[list[PhotosocialComment]]]: ...

    @overload
    def batch(
        self,
        endpoint: Literal["photosocial/hashtag"],
        inputs: Iterable[Mapping[str, Any]],
        *,
        fresh: bool = False,
        demo: bool = False,
        sources: bool = False,
        concurrency: int = DEFAULT_CONCURRENCY,
    ) -> Iterator[Line[list[PhotosocialPost]]]: ...

    @overload
    def batch(
        self,
        endpoint: Literal["shortvideo/profile"],
        inputs: Iterable[Mapping[str, Any]],
        *,
        fresh: bool = False,
        demo: bool = False,
        sources: bool = False,
        concurrency: int = DEFAULT_CONCURRENCY,
    ) -> Iterator[Line[ShortvideoProfile]]: ...

    @overload
    def batch(
        self,
        endpoint: Literal["shortvideo/videos"],
        inputs: Iterable[Mapping[str, Any]],
        *,
        fresh: bool = False,
        demo: bool = False,
        sources: bool = False,
        concurrency: int = DEFAULT_CONCURRENCY,
    ) -> Iterator[Line[list[ShortvideoVideo]]]: ...

    @overload
    def batch(
        self,
        endpoint: Literal["shortvideo/video"],
        inputs: Iterable[Mapping[str, Any]],
        *,
        fresh: bool = False,
        demo: bool = False,
        sources: bool = False,
        concurrency: int = DEFAULT_CONCURRENCY,
    ) -> Iterator[Line[ShortvideoVideo]]: ...

    @overload
    def batch(
        self,
        endpoint: Literal["shortvideo/comments"],
        inputs: Iterable[Mapping[str, Any]],
        *,
        fresh: bool = False,
        demo: bool = False,
        sources: bool = False,
        concurrency: int = DEFAULT_CONCURRENCY,
    ) -> Iterator[Line[list[ShortvideoComment]]]: ...

    @overload
    def batch(
        self,
        endpoint: Literal["shortvideo/search"],
        inputs: Iterable[Mapping[str, Any]],
        *,
        fresh: bool = False,
        demo: bool = False,
        sources: bool = False,
        concurrency: int = DEFAULT_CONCURRENCY,
    ) -> Iterator[Line[list[ShortvideoVideo]]]: ...

    def batch(
        self,
        endpoint: Endpoint,
        inputs: Iterable[Mapping[str, Any]],
        *,
        fresh: bool = False,
        demo: bool = False,
        sources: bool = False,
        concurrency: int = DEFAULT_CONCURRENCY,
    ) -> Iterator[Line[Any]]:
        """
        Asks one endpoint about many inputs, some at once, and gives a line for each in their order. An
        input that fails is a line with its `error`, and free. A refusal that says when to come back is
        waited for, up to the `max_wait` of the client. Leaving the loop ends the calls under way. A key
        or a balance that does not suffice raises its error and ends the batch.

        endpoint: The endpoint to ask, such as `maps/place`.

        inputs: The parameters of each call. Inputs are taken as they are needed.

        fresh, demo, sources: Parameters of every call whose input does not name them.

        concurrency: Calls at once.
        """
        common = {"fresh": fresh, "demo": demo, "sources": sources}
        return self._lines(endpoint, inputs, common, concurrency)


class AsyncBatch:
    """Many inputs of one endpoint."""

    def _lines(
        self,
        endpoint: Endpoint,
        inputs: AsyncIterable[Mapping[str, Any]] | Iterable[Mapping[str, Any]],
        common: Mapping[str, object],
        concurrency: int,
    ) -> AsyncIterator[Line[Any]]:
        raise NotImplementedError

    @overload
    def batch(
        self,
        endpoint: Literal["maps/places"],
        inputs: AsyncIterable[Mapping[str, Any]] | Iterable[Mapping[str, Any]],
        *,
        fresh: bool = False,
        demo: bool = False,
        sources: bool = False,
        concurrency: int = DEFAULT_CONCURRENCY,
    ) -> AsyncIterator[Line[list[MapsPlace]]]: ...

    @overload
    def batch(
        self,
        endpoint: Literal["maps/place"],
        inputs: AsyncIterable[Mapping[str, Any]] | Iterable[Mapping[str, Any]],
        *,
        fresh: bool = False,
        demo: bool = False,
        sources: bool = False,
        concurrency: int = DEFAULT_CONCURRENCY,
    ) -> AsyncIterator[Line[MapsPlaceDetail]]: ...

    @overload
    def batch(
        self,
        endpoint: Literal["maps/reviews"],
        inputs: AsyncIterable[Mapping[str, Any]] | Iterable[Mapping[str, Any]],
        *,
        fresh: bool = False,
        demo: bool = False,
        sources: bool = False,
        concurrency: int = DEFAULT_CONCURRENCY,
    ) -> AsyncIterator[Line[list[MapsReview]]]: ...

    @overload
    def batch(
        self,
        endpoint: Literal["maps/photos"],
        inputs: AsyncIterable[Mapping[str, Any]] | Iterable[Mapping[str, Any]],
        *,
        fresh: bool = False,
        demo: bool = False,
        sources: bool = False,
        concurrency: int = DEFAULT_CONCURRENCY,
    ) -> AsyncIterator[Line[list[MapsPhoto]]]: ...

    @overload
    def batch(
        self,
        endpoint: Literal["pronetwork/profile"],
        inputs: AsyncIterable[Mapping[str, Any]] | Iterable[Mapping[str, Any]],
        *,
        fresh: bool = False,
        demo: bool = False,
        sources: bool = False,
        concurrency: int = DEFAULT_CONCURRENCY,
    ) -> AsyncIterator[Line[PronetworkProfile]]: ...

    @overload
    def batch(
        self,
        endpoint: Literal["pronetwork/company"],
        inputs: AsyncIterable[Mapping[str, Any]] | Iterable[Mapping[str, Any]],
        *,
        fresh: bool = False,
        demo: bool = False,
        sources: bool = False,
        concurrency: int = DEFAULT_CONCURRENCY,
    ) -> AsyncIterator[Line[PronetworkCompany]]: ...

    @overload
    def batch(
        self,
        endpoint: Literal["pronetwork/posts"],
        inputs: AsyncIterable[Mapping[str, Any]] | Iterable[Mapping[str, Any]],
        *,
        fresh: bool = False,
        demo: bool = False,
        sources: bool = False,
        concurrency: int = DEFAULT_CONCURRENCY,
    ) -> AsyncIterator[Line[list[PronetworkPost]]]: ...

    @overload
    def batch(
        self,
        endpoint: Literal["pronetwork/jobs"],
        inputs: AsyncIterable[Mapping[str, Any]] | Iterable[Mapping[str, Any]],
        *,
        fresh: bool = False,
        demo: bool = False,
        sources: bool = False,
        concurrency: int = DEFAULT_CONCURRENCY,
    ) -> AsyncIterator[Line[list[PronetworkJob]]]: ...

    @overload
    def batch(
        self,
        endpoint: Literal["photosocial/profile"],
        inputs: AsyncIterable[Mapping[str, Any]] | Iterable[Mapping[str, Any]],
        *,
        fresh: bool = False,
        demo: bool = False,
        sources: bool = False,
        concurrency: int = DEFAULT_CONCURRENCY,
    ) -> AsyncIterator[Line[PhotosocialProfile]]: ...

    @overload
    def batch(
        self,
        endpoint: Literal["photosocial/posts"],
        inputs: AsyncIterable[Mapping[str, Any]] | Iterable[Mapping[str, Any]],
        *,
        fresh: bool = False,
        demo: bool = False,
        sources: bool = False,
        concurrency: int = DEFAULT_CONCURRENCY,
    ) -> AsyncIterator[Line[list[PhotosocialPost]]]: ...

    @overload
    def batch(
        self,
        endpoint: Literal["photosocial/post"],
        inputs: AsyncIterable[Mapping[str, Any]] | Iterable[Mapping[str, Any]],
        *,
        fresh: bool = False,
        demo: bool = False,
        sources: bool = False,
        concurrency: int = DEFAULT_CONCURRENCY,
    ) -> AsyncIterator[Line[PhotosocialPost]]: ...

    @overload
    def batch(
        self,
        endpoint: Literal["photosocial/comments"],
        inputs: AsyncIterable[Mapping[str, Any]] | Iterable[Mapping[str, Any]],
        *,
        fresh: bool = False,
        demo: bool = False,
        sources: bool = False,
        concurrency: int = DEFAULT_CONCURRENCY,
    ) -> AsyncIterator[Line[list[PhotosocialComment]]]: ...

    @overload
    def batch(
        self,
        endpoint: Literal["photosocial/hashtag"],
        inputs: AsyncIterable[Mapping[str, Any]] | Iterable[Mapping[str, Any]],
        *,
        fresh: bool = False,
        demo: bool = False,
        sources: bool = False,
        concurrency: int = DEFAULT_CONCURRENCY,
    ) -> AsyncIterator[Line[list[PhotosocialPost]]]: ...

    @overload
    def batch(
        self,
        endpoint: Literal["shortvideo/profile"],
        inputs: AsyncIterable[Mapping[str, Any]] | Iterable[Mapping[str, Any]],
        *,
        fresh: bool = False,
        demo: bool = False,
        sources: bool = False,
        concurrency: int = DEFAULT_CONCURRENCY,
    ) -> AsyncIterator[Line[ShortvideoProfile]]: ...

    @overload
    def batch(
        self,
        endpoint: Literal["shortvideo/videos"],
        inputs: AsyncIterable[Mapping[str, Any]] | Iterable[Mapping[str, Any]],
        *,
        fresh: bool = False,
        demo: bool = False,
        sources: bool = False,
        concurrency: int = DEFAULT_CONCURRENCY,
    ) -> AsyncIterator[Line[list[ShortvideoVideo]]]: ...

    @overload
    def batch(
        self,
        endpoint: Literal["shortvideo/video"],
        inputs: AsyncIterable[Mapping[str, Any]] | Iterable[Mapping[str, Any]],
        *,
        fresh: bool = False,
        demo: bool = False,
        sources: bool = False,
        concurrency: int = DEFAULT_CONCURRENCY,
    ) -> AsyncIterator[Line[ShortvideoVideo]]: ...

    @overload
    def batch(
        self,
        endpoint: Literal["shortvideo/comments"],
        inputs: AsyncIterable[Mapping[str, Any]] | Iterable[Mapping[str, Any]],
        *,
        fresh: bool = False,
        demo: bool = False,
        sources: bool = False,
        concurrency: int = DEFAULT_CONCURRENCY,
    ) -> AsyncIterator[Line[list[ShortvideoComment]]]: ...

    @overload
    def batch(
        self,
        endpoint: Literal["shortvideo/search"],
        inputs: AsyncIterable[Mapping[str, Any]] | Iterable[Mapping[str, Any]],
        *,
        fresh: bool = False,
        demo: bool = False,
        sources: bool = False,
        concurrency: int = DEFAULT_CONCURRENCY,
    ) -> AsyncIterator[Line[list[ShortvideoVideo]]]: ...

    def batch(
        self,
        endpoint: Endpoint,
        inputs: AsyncIterable[Mapping[str, Any]] | Iterable[Mapping[str, Any]],
        *,
        fresh: bool = False,
        demo: bool = False,
        sources: bool = False,
        concurrency: int = DEFAULT_CONCURRENCY,
    ) -> AsyncIterator[Line[Any]]:
        """
        Asks one endpoint about many inputs, some at once, and gives a line for each in their order. An
        input that fails is a line with its `error`, and free. A refusal that says when to come back is
        waited for, up to the `max_wait` of the client. Leaving the loop ends the calls under way. A key
        or a balance that does not suffice raises its error and ends the batch.

        endpoint: The endpoint to ask, such as `maps/place`.

        inputs: The parameters of each call. Inputs are taken as they are needed.

        fresh, demo, sources: Parameters of every call whose input does not name them.

        concurrency: Calls at once.
        """
        common = {"fresh": fresh, "demo": demo, "sources": sources}
        return self._lines(endpoint, inputs, common, concurrency)
