# Written by `npm run generate` from the table of endpoints: change that, and not this file.
"""Objects of maps."""

from __future__ import annotations

from typing import Literal, TypedDict


class MapsPlaceLocation(TypedDict):
    lat: float
    """Degrees north."""
    lng: float
    """Degrees east."""


class MapsPlaceOpeningHoursPeriodsOpen(TypedDict):
    """When it opens."""
    day: int
    """Day of the week, 0 is Sunday."""
    time: str
    """Local time of the place, HHMM."""


class MapsPlaceOpeningHoursPeriodsClose(TypedDict):
    """A moment of the week."""
    day: int
    """Day of the week, 0 is Sunday."""
    time: str
    """Local time of the place, HHMM."""


class MapsPlaceOpeningHoursPeriods(TypedDict):
    open: MapsPlaceOpeningHoursPeriodsOpen
    """When it opens."""
    close: MapsPlaceOpeningHoursPeriodsClose | None
    """When it closes, possibly the next day; null if it never closes."""


class MapsPlaceOpeningHours(TypedDict):
    """The week’s hours as the page shows them; holiday hours replace the usual ones."""
    open_now: bool | None
    """Whether it was open when the page was read."""
    periods: list[MapsPlaceOpeningHoursPeriods]
    """Opening times, starting with Sunday. A place open around the clock has one, without a close."""
    weekday_text: list[str]
    """One line for each day as the page words it, starting with Monday."""


class MapsPlace(TypedDict):
    place_id: str
    """Place ID: ChIJ…."""
    name: str
    """Name, in the requested language if the platform has one."""
    categories: list[str]
    """Categories as the page words them, the main one first."""
    formatted_address: str | None
    """Address without the name; may begin with a plus code."""
    location: MapsPlaceLocation | None
    """Coordinates."""
    rating: float | None
    """Average rating, 1 to 5."""
    user_ratings_total: int | None
    """Number of ratings; also null when the platform served a slim page."""
    phone: str | None
    """First phone number as the page shows it."""
    website: str | None
    """URL of the place’s own website."""
    opening_hours: MapsPlaceOpeningHours | None
    """The week’s hours as the page shows them; holiday hours replace the usual ones."""
    business_status: Literal["OPERATIONAL", "CLOSED_TEMPORARILY", "CLOSED_PERMANENTLY"] | None
    """Whether it is in business; null if the page does not say."""

MapsPlaceDetailRatingDistribution = TypedDict(
    "MapsPlaceDetailRatingDistribution",
    {
        # Ratings with 1 star.
        "1": int,
        # Ratings with 2 stars.
        "2": int,
        # Ratings with 3 stars.
        "3": int,
        # Ratings with 4 stars.
        "4": int,
        # Ratings with 5 stars.
        "5": int,
    },
)


class MapsPlaceDetailPopularTimesHours(TypedDict):
    hour: int
    """Hour of the day."""
    busyness_percent: int
    """Percentage of the busiest hour of the week."""


class MapsPlaceDetailPopularTimes(TypedDict):
    day: int
    """Day of the week, 0 is Sunday."""
    hours: list[MapsPlaceDetailPopularTimesHours]
    """Hours for which the page has a figure."""


class MapsPlaceDetailAboutAttributes(TypedDict):
    name: str
    """What it is, as the page words it."""
    available: bool | None
    """Whether the place has it."""


class MapsPlaceDetailAbout(TypedDict):
    section: str
    """Title as the page words it."""
    attributes: list[MapsPlaceDetailAboutAttributes]
    """In the page’s order."""


class MapsPlaceDetail(TypedDict):
    place_id: str
    """Place ID: ChIJ…."""
    name: str
    """Name, in the requested language if the platform has one."""
    categories: list[str]
    """Categories as the page words them, the main one first."""
    formatted_address: str | None
    """Address without the name; may begin with a plus code."""
    location: MapsPlaceLocation | None
    """Coordinates."""
    rating: float | None
    """Average rating, 1 to 5."""
    user_ratings_total: int | None
    """Number of ratings; also null when the platform served a slim page."""
    phone: str | None
    """First phone number as the page shows it."""
    website: str | None
    """URL of the place’s own website."""
    opening_hours: MapsPlaceOpeningHours | None
    """The week’s hours as the page shows them; holiday hours replace the usual ones."""
    business_status: Literal["OPERATIONAL", "CLOSED_TEMPORARILY", "CLOSED_PERMANENTLY"] | None
    """Whether it is in business; null if the page does not say."""
    rating_distribution: MapsPlaceDetailRatingDistribution | None
    """Number of ratings by stars."""
    price_level: int | None
    """1 (cheap) to 4 (expensive); null if the page shows a price range instead."""
    phone_numbers: list[str]
    """Every phone number as the page shows it."""
    popular_times: list[MapsPlaceDetailPopularTimes] | None
    """How busy it usually is; null for the many places without these figures."""
    about: list[MapsPlaceDetailAbout] | None
    """The About tab."""
    is_claimed: bool | None
    """Whether an owner has claimed the listing."""


class MapsReviewAuthor(TypedDict):
    """Who wrote it."""
    name: str
    """Display name."""
    profile_url: str | None
    """URL of the contributor’s page."""
    photo_url: str | None
    """URL of the profile picture."""
    is_local_guide: bool | None
    """Has the local guide badge."""
    review_count: int | None
    """Total reviews written."""


class MapsReviewPhotos(TypedDict):
    url: str
    """URL of the full-size picture."""
    width: int | None
    """Pixels; null if the page does not say."""
    height: int | None
    """Pixels; null if the page does not say."""


class MapsReviewOwnerResponse(TypedDict):
    text: str
    """Text of the reply."""
    publish_time: str | None
    """When it was written; null if the page only says how long ago."""


class MapsReview(TypedDict):
    rating: float
    """1 to 5; ratings on the scale of a partner site are converted."""
    text: str | None
    """Text of the review; null for a rating without text."""
    language: str | None
    """Language the text was written in."""
    publish_time: str
    """When it was written."""
    author: MapsReviewAuthor
    """Who wrote it."""
    photos: list[MapsReviewPhotos]
    """Pictures, in order."""
    owner_response: MapsReviewOwnerResponse | None
    """The owner’s reply."""


class MapsPhotoUploader(TypedDict):
    name: str
    """Display name."""
    profile_url: str | None
    """URL of the contributor’s page."""


class MapsPhoto(TypedDict):
    url: str
    """URL of the full-size picture, on the platform’s own servers."""
    width: int | None
    """Pixels."""
    height: int | None
    """Pixels."""
    uploader: MapsPhotoUploader | None
    """Who uploaded it; null if the gallery does not say."""
