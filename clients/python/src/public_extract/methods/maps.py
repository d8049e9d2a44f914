# Written by `npm run generate` from the table of endpoints: change that, and not this file.
"""The endpoints of maps."""

from typing import Any, Literal, Unpack, overload

from .._calls import AsyncCalls, Calls
from ..answers import Answer, AsyncPage, AsyncSourcedPage, Page, SourcedAnswer, SourcedPage
from ..objects import MapsPhoto, MapsPlace, MapsPlaceDetail, MapsReview
from .params import MapsPlaceByPlaceId, MapsPlaceByUrl, MapsPlacesParams, MapsReviewsByPlaceId, MapsReviewsByUrl, PageByPlaceId, PageByUrl


class MapsMethods(Calls):
    """Endpoints of maps."""

    @overload
    def search_places(self, *, sources: Literal[True], **params: Unpack[MapsPlacesParams]) -> SourcedPage[MapsPlace]: ...
    @overload
    def search_places(self, *, sources: bool = False, **params: Unpack[MapsPlacesParams]) -> Page[MapsPlace]: ...
    def search_places(self, *, sources: bool = False, **params: Any) -> Page[MapsPlace]:
        """
        Google Maps search: places with address, rating, phone, website, hours.

        Uses the platform’s own search. With `lat` and `lng`, places farther away than `radius_m` are
        omitted, so a page may have fewer than `limit`: continue while there is a cursor. Without them,
        the platform picks the region from the query, the country and the location of the request.
        Results end after 20 to 300 places.

        The platform sometimes serves slim rows, without rating counts or with one day of hours. They are
        requested once more; what is still missing is null.

        Costs 3 credits. Answers are cached for 24 h.

        query: What to search for, such as “coffee in Athens”; a string of 1 to 2,048 characters.
        lat: Latitude of the centre of the area; requires lng; a number from -90 to 90.
        lng: Longitude of the centre of the area; requires lat; a number from -180 to 180.
        radius_m: Radius of the area in metres, with lat and lng; a whole number from 100 to 50000; 5000
        by default.
        country: Country for the format of phone numbers and addresses; a two-letter code.
        language: Language of names, categories and hours; a two-letter code; en by default.
        limit: Items per page; a whole number from 1 to 20; 20 by default.
        cursor: `meta.next_cursor` of the previous page; a string of 1 to 4,096 characters.
        """
        return self._page("maps/places", {**params, "sources": sources})

    @overload
    def get_place(self, *, sources: Literal[True], **params: Unpack[MapsPlaceByPlaceId]) -> SourcedAnswer[MapsPlaceDetail]: ...
    @overload
    def get_place(self, *, sources: bool = False, **params: Unpack[MapsPlaceByPlaceId]) -> Answer[MapsPlaceDetail]: ...
    @overload
    def get_place(self, *, sources: Literal[True], **params: Unpack[MapsPlaceByUrl]) -> SourcedAnswer[MapsPlaceDetail]: ...
    @overload
    def get_place(self, *, sources: bool = False, **params: Unpack[MapsPlaceByUrl]) -> Answer[MapsPlaceDetail]: ...
    def get_place(self, *, sources: bool = False, **params: Any) -> Answer[MapsPlaceDetail]:
        """
        Google Maps place: hours, ratings by stars, busy hours, the About tab.

        Reads the place’s page. `place_id` and most URLs need no extra request; a short link, or a URL
        with only a cid, needs one.

        The platform sometimes serves a slim page: a rating without its count, one day of hours, no busy
        hours. It is requested again, immediately and after three seconds. Then the ratings are counted
        by the call behind the page’s histogram, and the place is searched by its name and address. What
        is still missing is null, and the answer is cached only briefly. The price level is null if the
        page shows a price range.

        Give exactly one of `place_id` and `url`. Costs 3 credits. Answers are cached for 24 h.

        place_id: Place ID: ChIJ…; a string of 1 to 2,048 characters.
        url: URL of the place’s page, or a short link to it; a string of 1 to 8,192 characters.
        language: Language of names, categories and hours; a two-letter code; en by default.
        """
        return self._object("maps/place", {**params, "sources": sources})

    @overload
    def get_place_reviews(self, *, sources: Literal[True], **params: Unpack[MapsReviewsByPlaceId]) -> SourcedPage[MapsReview]: ...
    @overload
    def get_place_reviews(self, *, sources: bool = False, **params: Unpack[MapsReviewsByPlaceId]) -> Page[MapsReview]: ...
    @overload
    def get_place_reviews(self, *, sources: Literal[True], **params: Unpack[MapsReviewsByUrl]) -> SourcedPage[MapsReview]: ...
    @overload
    def get_place_reviews(self, *, sources: bool = False, **params: Unpack[MapsReviewsByUrl]) -> Page[MapsReview]: ...
    def get_place_reviews(self, *, sources: bool = False, **params: Any) -> Page[MapsReview]:
        """
        Google Maps reviews: of a place, with authors, photos and the owner’s replies.

        Reads the review list of the search results, up to 60 reviews a request; further calls continue
        in them, so a page may have fewer than `limit` while there is a cursor. Sort orders other than
        `newest` end after about 800 reviews, and `coverage` says so. If the platform refuses the list,
        up to eight of the most relevant reviews come from the place’s page.

        The list gives the time of a review to the second, but only the age of an owner’s reply, so
        `owner_response.publish_time` is null there. So are the sizes of photos.

        Give exactly one of `place_id` and `url`. Costs 3 credits. Answers are cached for 6 h.

        place_id: Place ID: ChIJ…; a string of 1 to 2,048 characters.
        url: URL of the place’s page, or a short link to it; a string of 1 to 8,192 characters.
        sort: Order of the reviews; one of relevant, newest, highest, lowest; relevant by default.
        limit: Items per page; a whole number from 1 to 20; 20 by default.
        cursor: `meta.next_cursor` of the previous page; a string of 1 to 4,096 characters.
        """
        return self._page("maps/reviews", {**params, "sources": sources})

    @overload
    def get_place_photos(self, *, sources: Literal[True], **params: Unpack[PageByPlaceId]) -> SourcedPage[MapsPhoto]: ...
    @overload
    def get_place_photos(self, *, sources: bool = False, **params: Unpack[PageByPlaceId]) -> Page[MapsPhoto]: ...
    @overload
    def get_place_photos(self, *, sources: Literal[True], **params: Unpack[PageByUrl]) -> SourcedPage[MapsPhoto]: ...
    @overload
    def get_place_photos(self, *, sources: bool = False, **params: Unpack[PageByUrl]) -> Page[MapsPhoto]: ...
    def get_place_photos(self, *, sources: bool = False, **params: Any) -> Page[MapsPhoto]:
        """
        Google Maps photos: of a place, with sizes in pixels.

        The first 20 or so come from the place’s page, later ones from the gallery, which the platform
        often closes to logged-out visitors: the list then ends, and `coverage` says how many of the
        photos you got. Street View is omitted; for a video you get its still image.

        The gallery does not say who took a photo, so `uploader` is usually null.

        Give exactly one of `place_id` and `url`. Costs 2 credits. Answers are cached for 24 h.

        place_id: Place ID: ChIJ…; a string of 1 to 2,048 characters.
        url: URL of the place’s page, or a short link to it; a string of 1 to 8,192 characters.
        limit: Items per page; a whole number from 1 to 20; 20 by default.
        cursor: `meta.next_cursor` of the previous page; a string of 1 to 4,096 characters.
        """
        return self._page("maps/photos", {**params, "sources": sources})


class AsyncMapsMethods(AsyncCalls):
    """Endpoints of maps."""

    @overload
    async def search_places(self, *, sources: Literal[True], **params: Unpack[MapsPlacesParams]) -> AsyncSourcedPage[MapsPlace]: ...
    @overload
    async def search_places(self, *, sources: bool = False, **params: Unpack[MapsPlacesParams]) -> AsyncPage[MapsPlace]: ...
    async def search_places(self, *, sources: bool = False, **params: Any) -> AsyncPage[MapsPlace]:
        """Google Maps search: places with address, rating, phone, website, hours. As in `Client`."""
        return await self._page("maps/places", {**params, "sources": sources})

    @overload
    async def get_place(self, *, sources: Literal[True], **params: Unpack[MapsPlaceByPlaceId]) -> SourcedAnswer[MapsPlaceDetail]: ...
    @overload
    async def get_place(self, *, sources: bool = False, **params: Unpack[MapsPlaceByPlaceId]) -> Answer[MapsPlaceDetail]: ...
    @overload
    async def get_place(self, *, sources: Literal[True], **params: Unpack[MapsPlaceByUrl]) -> SourcedAnswer[MapsPlaceDetail]: ...
    @overload
    async def get_place(self, *, sources: bool = False, **params: Unpack[MapsPlaceByUrl]) -> Answer[MapsPlaceDetail]: ...
    async def get_place(self, *, sources: bool = False, **params: Any) -> Answer[MapsPlaceDetail]:
        """Google Maps place: hours, ratings by stars, busy hours, the About tab. As in `Client`."""
        return await self._object("maps/place", {**params, "sources": sources})

    @overload
    async def get_place_reviews(self, *, sources: Literal[True], **params: Unpack[MapsReviewsByPlaceId]) -> AsyncSourcedPage[MapsReview]: ...
    @overload
    async def get_place_reviews(self, *, sources: bool = False, **params: Unpack[MapsReviewsByPlaceId]) -> AsyncPage[MapsReview]: ...
    @overload
    async def get_place_reviews(self, *, sources: Literal[True], **params: Unpack[MapsReviewsByUrl]) -> AsyncSourcedPage[MapsReview]: ...
    @overload
    async def get_place_reviews(self, *, sources: bool = False, **params: Unpack[MapsReviewsByUrl]) -> AsyncPage[MapsReview]: ...
    async def get_place_reviews(self, *, sources: bool = False, **params: Any) -> AsyncPage[MapsReview]:
        """Google Maps reviews: of a place, with authors, photos and the owner’s replies. As in `Client`."""
        return await self._page("maps/reviews", {**params, "sources": sources})

    @overload
    async def get_place_photos(self, *, sources: Literal[True], **params: Unpack[PageByPlaceId]) -> AsyncSourcedPage[MapsPhoto]: ...
    @overload
    async def get_place_photos(self, *, sources: bool = False, **params: Unpack[PageByPlaceId]) -> AsyncPage[MapsPhoto]: ...
    @overload
    async def get_place_photos(self, *, sources: Literal[True], **params: Unpack[PageByUrl]) -> AsyncSourcedPage[MapsPhoto]: ...
    @overload
    async def get_place_photos(self, *, sources: bool = False, **params: Unpack[PageByUrl]) -> AsyncPage[MapsPhoto]: ...
    async def get_place_photos(self, *, sources: bool = False, **params: Any) -> AsyncPage[MapsPhoto]:
        """Google Maps photos: of a place, with sizes in pixels. As in `Client`."""
        return await self._page("maps/photos", {**params, "sources": sources})
