# Written by `npm run generate` from the table of endpoints: change that, and not this file.
"""Objects of photosocial."""

from __future__ import annotations

from typing import Literal, TypedDict


class PhotosocialProfileBioLinks(TypedDict):
    title: str | None
    """Title of the link."""
    url: str
    """URL of the link."""


class PhotosocialProfileContactButtons(TypedDict):
    type: str
    """What the button does: `email`, `call`, `text`, `directions`, or the platform’s own word."""
    value: str | None
    """The e-mail address, phone number or place behind it."""


class PhotosocialProfile(TypedDict):
    username: str
    """Handle, lower case, without @."""
    name: str | None
    """Display name."""
    biography: str | None
    """Bio; null if there is none."""
    bio_links: list[PhotosocialProfileBioLinks] | None
    """Links in the bio, in order; null if the page does not say them."""
    followers_count: int | None
    """Followers."""
    follows_count: int | None
    """Accounts followed."""
    media_count: int | None
    """Number of posts, from the page’s description where that is exact (below 10,000) or from the embed
    page."""
    is_verified: bool | None
    """Has the verification badge."""
    is_private: bool | None
    """Only followers can see its posts."""
    is_business_account: bool | None
    """Whether it is a business account; rarely shown to logged-out visitors."""
    category: str | None
    """Category shown under the name; null when the account hides it."""
    contact_buttons: list[PhotosocialProfileContactButtons] | None
    """Business contact buttons; rarely shown to logged-out visitors."""


class PhotosocialPostChildren(TypedDict):
    media_type: Literal["IMAGE", "VIDEO", "CAROUSEL_ALBUM"]
    """A picture, a video (reels included), or a carousel of either."""
    media_url: str | None
    """Signed URL of the picture or video; expires after one to four days."""


class PhotosocialPost(TypedDict):
    shortcode: str
    """Code of the post in its URL."""
    permalink: str
    """URL of the post."""
    media_type: Literal["IMAGE", "VIDEO", "CAROUSEL_ALBUM"]
    """A picture, a video (reels included), or a carousel of either."""
    caption: str | None
    """Caption; null if there is none or it is unknown; hashtags is then null, too."""
    timestamp: str | None
    """When it was posted."""
    media_url: str | None
    """Signed URL of the picture or video; expires after one to four days."""
    children: list[PhotosocialPostChildren] | None
    """Pictures and videos of a carousel, in order; empty for any other post, null if the page does not list
    them."""
    like_count: int | None
    """Likes; null when the owner hides them."""
    comments_count: int | None
    """Comments, replies included."""
    view_count: int | None
    """Plays of a video; sometimes shown in lists, never on the page of the video."""
    hashtags: list[str] | None
    """Hashtags in the caption: lower case, without #, no duplicates, in order; null if the caption is
    unknown."""
    mentions: list[str] | None
    """Handles mentioned in the caption: lower case, without @, no duplicates, in order; null if the caption
    is unknown."""
    is_paid_partnership: bool | None
    """Has the paid-partnership label; null if the page does not say."""
    username: str | None
    """Handle of the owner."""


class PhotosocialComment(TypedDict):
    username: str
    """Handle of the author."""
    text: str | None
    """Text; null for a comment without text, such as a picture or a sticker."""
    timestamp: str
    """When it was written."""
    like_count: int | None
    """Likes."""
    reply_count: int | None
    """Number of replies; null if the page does not say. Logged-out visitors have not been shown it since
    2026."""
    parent_id: str | None
    """ID of the comment it replies to; null at the top level."""
