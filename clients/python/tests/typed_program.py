"""Input for a type checker; it is never run."""

from typing import Literal, assert_type

from public_extract import (
    Answer,
    AsyncClient,
    AsyncPage,
    Client,
    ExtractError,
    Line,
    Page,
    RateLimitError,
    SourcedAnswer,
    SourcedPage,
)
from public_extract.objects import Job, MapsPlaceDetail, ShortvideoProfile, ShortvideoVideo


def calls(client: Client, unknown: bool) -> None:
    profile = client.get_shortvideo_profile(username="nasa")
    assert_type(profile, Answer[ShortvideoProfile])
    assert_type(profile.data["follower_count"], int)
    assert_type(client.get_shortvideo_profile(username="nasa", sources=unknown), Answer[ShortvideoProfile])
    sourced = client.get_shortvideo_profile(url="https://…", sources=True)
    assert_type(sourced, SourcedAnswer[ShortvideoProfile])
    assert_type(sourced.sources[0]["url"], str | None)
    assert_type(client.get_shortvideo_videos(username="nasa"), Page[ShortvideoVideo])
    pages = client.get_shortvideo_videos(username="nasa", sources=True)
    assert_type(pages, SourcedPage[ShortvideoVideo])
    for page in pages.paginate():
        assert_type(page, SourcedPage[ShortvideoVideo])
    for video in pages.items():
        assert_type(video, ShortvideoVideo)
    for line in client.batch("maps/place", [{"place_id": "ChIJ"}]):
        assert_type(line, Line[MapsPlaceDetail])
        assert_type(line.result(), MapsPlaceDetail)
    assert_type(client.batch("shortvideo/videos", [{"username": "nasa"}]).__next__().result(), list[ShortvideoVideo])
    assert_type(client.submit("maps/place", [{"place_id": "ChIJ"}]), Job)


async def async_calls(client: AsyncClient) -> None:
    assert_type(await client.get_shortvideo_profile(username="nasa"), Answer[ShortvideoProfile])
    page = await client.get_shortvideo_videos(username="nasa")
    assert_type(page, AsyncPage[ShortvideoVideo])
    async for video in page.items():
        assert_type(video, ShortvideoVideo)
    async for line in client.batch("maps/place", [{"place_id": "ChIJ"}]):
        assert_type(line, Line[MapsPlaceDetail])


def errors(error: ExtractError) -> None:
    if isinstance(error, RateLimitError):
        assert_type(error.code, Literal["rate_limited"])


def mistakes(client: Client) -> None:
    # Each of these is an error: a checker that accepts one reports its comment as unused.
    client.get_shortvideo_profile()  # type: ignore[call-overload]
    client.get_shortvideo_profile(username="nasa", url="https://…")  # type: ignore[call-overload]
    client.get_shortvideo_profile(user="nasa")  # type: ignore[call-overload]
    client.get_place_reviews(place_id="ChIJ", sort="best")  # type: ignore[call-overload]
    client.get_shortvideo_profile(username="nasa").data["followers"]  # type: ignore[typeddict-item]
    client.get_shortvideo_profile(username="nasa").sources  # type: ignore[attr-defined]
    client.batch("maps/plaza", [])  # type: ignore[call-overload]
    client.submit("maps/plaza", [])  # type: ignore[arg-type]
