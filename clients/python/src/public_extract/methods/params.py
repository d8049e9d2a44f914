# Written by `npm run generate` from the table of endpoints: change that, and not this file.
"""What the endpoints take."""

from typing import Literal, Required

from .._params import PageParams, Params


class MapsPlacesParams(PageParams, total=False):
    query: Required[str]
    lat: float | None
    lng: float | None
    radius_m: int | None
    country: str | None
    language: str | None


class MapsPlaceParams(Params, total=False):
    language: str | None


class MapsPlaceByPlaceId(MapsPlaceParams, total=False):
    place_id: Required[str]


class MapsPlaceByUrl(MapsPlaceParams, total=False):
    url: Required[str]


class MapsReviewsParams(PageParams, total=False):
    sort: Literal["relevant", "newest", "highest", "lowest"] | None


class MapsReviewsByPlaceId(MapsReviewsParams, total=False):
    place_id: Required[str]


class MapsReviewsByUrl(MapsReviewsParams, total=False):
    url: Required[str]


class PageByPlaceId(PageParams, total=False):
    place_id: Required[str]


class PageByUrl(PageParams, total=False):
    url: Required[str]


class ByUrl(Params, total=False):
    url: Required[str]


class ByVanityName(Params, total=False):
    vanity_name: Required[str]


class PageByProfileUrl(PageParams, total=False):
    profile_url: Required[str]


class PageByCompanyUrl(PageParams, total=False):
    company_url: Required[str]


class PronetworkJobsParams(PageParams, total=False):
    query: Required[str]
    location: str | None
    workplace_type: Literal["on-site", "hybrid", "remote"] | None
    posted_within_days: int | None


class ByUsername(Params, total=False):
    username: Required[str]


class PageByUsername(PageParams, total=False):
    username: Required[str]


class ByShortcode(Params, total=False):
    shortcode: Required[str]


class PageByShortcode(PageParams, total=False):
    shortcode: Required[str]


class PhotosocialHashtagParams(PageParams, total=False):
    tag: Required[str]


class ById(Params, total=False):
    id: Required[str]


class PageById(PageParams, total=False):
    id: Required[str]


class ShortvideoSearchParams(PageParams, total=False):
    query: Required[str]
