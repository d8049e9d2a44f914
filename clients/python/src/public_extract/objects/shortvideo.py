# Written by `npm run generate` from the table of endpoints: change that, and not this file.
"""Objects of shortvideo."""

from __future__ import annotations

from typing import TypedDict


class ShortvideoProfile(TypedDict):
    username: str
    """Handle in the account’s own spelling, without @."""
    display_name: str
    """Name shown above the handle."""
    bio_description: str
    """Bio; "" if there is none."""
    bio_url: str | None
    """Link in the bio, with https:// added if the page omits it."""
    avatar_url: str
    """Signed URL of the profile picture; expires after about two days."""
    profile_url: str
    """URL of the profile page."""
    is_verified: bool
    """Has the verification badge."""
    follower_count: int
    """Followers."""
    following_count: int
    """Accounts followed."""
    likes_count: int
    """Likes received on all videos."""
    video_count: int
    """Public videos."""


class ShortvideoVideoSound(TypedDict):
    """Sound of the video."""
    id: str | None
    """ID of the sound."""
    title: str | None
    """Title."""
    author: str | None
    """Who is credited."""
    is_original: bool | None
    """Whether the platform marks it as original."""
    duration: int | None
    """Seconds."""


class ShortvideoVideo(TypedDict):
    id: str
    """ID, a number above 2^53: keep it as text."""
    video_description: str | None
    """Caption."""
    create_time: str | None
    """When it was posted."""
    duration: float | None
    """Seconds; null for photo posts."""
    cover_image_url: str | None
    """Signed URL of the cover; expires."""
    view_count: int | None
    """Views."""
    like_count: int | None
    """Likes."""
    comment_count: int | None
    """Comments, replies included."""
    share_count: int | None
    """Shares."""
    favorites_count: int | None
    """Times saved."""
    hashtag_names: list[str] | None
    """Hashtags without #, in order."""
    sound: ShortvideoVideoSound | None
    """Sound of the video."""
    play_url: str | None
    """Signed URL of the video file; expires."""


class ShortvideoComment(TypedDict):
    id: str
    """Comment ID."""
    video_id: str
    """ID of the video."""
    parent_comment_id: str | None
    """ID of the comment it replies to; null at the top level."""
    username: str | None
    """Handle of the author; null for a deleted account."""
    text: str | None
    """Text; null for a comment that is only a picture."""
    create_time: str
    """When it was written."""
    like_count: int | None
    """Likes."""
    reply_count: int | None
    """Replies; null on a reply."""


class ShortvideoHashtag(TypedDict):
    id: str
    """Hashtag ID."""
    name: str
    """Name without #."""
    description: str | None
    """Description."""
    view_count: int | None
    """Views of all videos."""
    video_count: int | None
    """Number of videos; null if the platform does not say."""
    cover_image_url: str | None
    """URL of the cover."""
