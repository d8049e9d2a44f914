# Written by `npm run generate` from the table of endpoints: change that, and not this file.
"""Many inputs of one endpoint."""

from collections.abc import AsyncIterator, Iterator
from typing import Any, Literal, Unpack, overload

from .._params import Spelled
from ..batches import AsyncInputs, BatchOptions, Inputs
from ..endpoints import Endpoint
from ..lines import Line
from ..objects import MapsPhoto, MapsPlace, MapsPlaceDetail, MapsReview, PhotosocialComment, PhotosocialPost, PhotosocialProfile, PronetworkCompany, PronetworkJob, PronetworkPost, PronetworkProfile, ShortvideoComment, ShortvideoProfile, ShortvideoVideo


class Batch(Spelled):
    """Many inputs of one endpoint."""

    def _lines(self, endpoint: Endpoint, inputs: Inputs, options: BatchOptions) -> Iterator[Line[Any]]:
        raise NotImplementedError

    @overload
    def batch(self, endpoint: Literal["maps/places"], inputs: Inputs, **options: Unpack[BatchOptions]) -> Iterator[Line[list[MapsPlace]]]: ...
    @overload
    def batch(self, endpoint: Literal["maps/place"], inputs: Inputs, **options: Unpack[BatchOptions]) -> Iterator[Line[MapsPlaceDetail]]: ...
    @overload
    def batch(self, endpoint: Literal["maps/reviews"], inputs: Inputs, **options: Unpack[BatchOptions]) -> Iterator[Line[list[MapsReview]]]: ...
    @overload
    def batch(self, endpoint: Literal["maps/photos"], inputs: Inputs, **options: Unpack[BatchOptions]) -> Iterator[Line[list[MapsPhoto]]]: ...
    @overload
    def batch(self, endpoint: Literal["pronetwork/profile"], inputs: Inputs, **options: Unpack[BatchOptions]) -> Iterator[Line[PronetworkProfile]]: ...
    @overload
    def batch(self, endpoint: Literal["pronetwork/company"], inputs: Inputs, **options: Unpack[BatchOptions]) -> Iterator[Line[PronetworkCompany]]: ...
    @overload
    def batch(self, endpoint: Literal["pronetwork/posts"], inputs: Inputs, **options: Unpack[BatchOptions]) -> Iterator[Line[list[PronetworkPost]]]: ...
    @overload
    def batch(self, endpoint: Literal["pronetwork/jobs"], inputs: Inputs, **options: Unpack[BatchOptions]) -> Iterator[Line[list[PronetworkJob]]]: ...
    @overload
    def batch(self, endpoint: Literal["photosocial/profile"], inputs: Inputs, **options: Unpack[BatchOptions]) -> Iterator[Line[PhotosocialProfile]]: ...
    @overload
    def batch(self, endpoint: Literal["photosocial/posts", "photosocial/hashtag"], inputs: Inputs, **options: Unpack[BatchOptions]) -> Iterator[Line[list[PhotosocialPost]]]: ...
    @overload
    def batch(self, endpoint: Literal["photosocial/post"], inputs: Inputs, **options: Unpack[BatchOptions]) -> Iterator[Line[PhotosocialPost]]: ...
    @overload
    def batch(self, endpoint: Literal["photosocial/comments"], inputs: Inputs, **options: Unpack[BatchOptions]) -> Iterator[Line[list[PhotosocialComment]]]: ...
    @overload
    def batch(self, endpoint: Literal["shortvideo/profile"], inputs: Inputs, **options: Unpack[BatchOptions]) -> Iterator[Line[ShortvideoProfile]]: ...
    @overload
    def batch(self, endpoint: Literal["shortvideo/videos", "shortvideo/search"], inputs: Inputs, **options: Unpack[BatchOptions]) -> Iterator[Line[list[ShortvideoVideo]]]: ...
    @overload
    def batch(self, endpoint: Literal["shortvideo/video"], inputs: Inputs, **options: Unpack[BatchOptions]) -> Iterator[Line[ShortvideoVideo]]: ...
    @overload
    def batch(self, endpoint: Literal["shortvideo/comments"], inputs: Inputs, **options: Unpack[BatchOptions]) -> Iterator[Line[list[ShortvideoComment]]]: ...
    def batch(self, endpoint: Endpoint, inputs: Inputs, **options: Unpack[BatchOptions]) -> Iterator[Line[Any]]:
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
        return self._lines(endpoint, inputs, options)


class AsyncBatch(Spelled):
    """Many inputs of one endpoint."""

    def _lines(self, endpoint: Endpoint, inputs: AsyncInputs, options: BatchOptions) -> AsyncIterator[Line[Any]]:
        raise NotImplementedError

    @overload
    def batch(self, endpoint: Literal["maps/places"], inputs: AsyncInputs, **options: Unpack[BatchOptions]) -> AsyncIterator[Line[list[MapsPlace]]]: ...
    @overload
    def batch(self, endpoint: Literal["maps/place"], inputs: AsyncInputs, **options: Unpack[BatchOptions]) -> AsyncIterator[Line[MapsPlaceDetail]]: ...
    @overload
    def batch(self, endpoint: Literal["maps/reviews"], inputs: AsyncInputs, **options: Unpack[BatchOptions]) -> AsyncIterator[Line[list[MapsReview]]]: ...
    @overload
    def batch(self, endpoint: Literal["maps/photos"], inputs: AsyncInputs, **options: Unpack[BatchOptions]) -> AsyncIterator[Line[list[MapsPhoto]]]: ...
    @overload
    def batch(self, endpoint: Literal["pronetwork/profile"], inputs: AsyncInputs, **options: Unpack[BatchOptions]) -> AsyncIterator[Line[PronetworkProfile]]: ...
    @overload
    def batch(self, endpoint: Literal["pronetwork/company"], inputs: AsyncInputs, **options: Unpack[BatchOptions]) -> AsyncIterator[Line[PronetworkCompany]]: ...
    @overload
    def batch(self, endpoint: Literal["pronetwork/posts"], inputs: AsyncInputs, **options: Unpack[BatchOptions]) -> AsyncIterator[Line[list[PronetworkPost]]]: ...
    @overload
    def batch(self, endpoint: Literal["pronetwork/jobs"], inputs: AsyncInputs, **options: Unpack[BatchOptions]) -> AsyncIterator[Line[list[PronetworkJob]]]: ...
    @overload
    def batch(self, endpoint: Literal["photosocial/profile"], inputs: AsyncInputs, **options: Unpack[BatchOptions]) -> AsyncIterator[Line[PhotosocialProfile]]: ...
    @overload
    def batch(self, endpoint: Literal["photosocial/posts", "photosocial/hashtag"], inputs: AsyncInputs, **options: Unpack[BatchOptions]) -> AsyncIterator[Line[list[PhotosocialPost]]]: ...
    @overload
    def batch(self, endpoint: Literal["photosocial/post"], inputs: AsyncInputs, **options: Unpack[BatchOptions]) -> AsyncIterator[Line[PhotosocialPost]]: ...
    @overload
    def batch(self, endpoint: Literal["photosocial/comments"], inputs: AsyncInputs, **options: Unpack[BatchOptions]) -> AsyncIterator[Line[list[PhotosocialComment]]]: ...
    @overload
    def batch(self, endpoint: Literal["shortvideo/profile"], inputs: AsyncInputs, **options: Unpack[BatchOptions]) -> AsyncIterator[Line[ShortvideoProfile]]: ...
    @overload
    def batch(self, endpoint: Literal["shortvideo/videos", "shortvideo/search"], inputs: AsyncInputs, **options: Unpack[BatchOptions]) -> AsyncIterator[Line[list[ShortvideoVideo]]]: ...
    @overload
    def batch(self, endpoint: Literal["shortvideo/video"], inputs: AsyncInputs, **options: Unpack[BatchOptions]) -> AsyncIterator[Line[ShortvideoVideo]]: ...
    @overload
    def batch(self, endpoint: Literal["shortvideo/comments"], inputs: AsyncInputs, **options: Unpack[BatchOptions]) -> AsyncIterator[Line[list[ShortvideoComment]]]: ...
    def batch(self, endpoint: Endpoint, inputs: AsyncInputs, **options: Unpack[BatchOptions]) -> AsyncIterator[Line[Any]]:
        """Many inputs of one endpoint. As in `Client`."""
        return self._lines(endpoint, inputs, options)
