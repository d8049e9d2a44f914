# Written by `npm run generate` from the table of endpoints: change that, and not this file.
"""The endpoints of photosocial."""

from typing import Any, Literal, Unpack, overload

from .._calls import AsyncCalls, Calls
from ..answers import Answer, AsyncPage, AsyncSourcedPage, Page, SourcedAnswer, SourcedPage
from ..objects import PhotosocialComment, PhotosocialPost, PhotosocialProfile
from .params import ByShortcode, ByUrl, ByUsername, PageByShortcode, PageByUrl, PageByUsername, PhotosocialHashtagParams


class PhotosocialMethods(Calls):
    """Endpoints of photosocial."""

    @overload
    def get_photosocial_profile(self, *, sources: Literal[True], **params: Unpack[ByUsername]) -> SourcedAnswer[PhotosocialProfile]: ...
    @overload
    def get_photosocial_profile(self, *, sources: bool = False, **params: Unpack[ByUsername]) -> Answer[PhotosocialProfile]: ...
    @overload
    def get_photosocial_profile(self, *, sources: Literal[True], **params: Unpack[ByUrl]) -> SourcedAnswer[PhotosocialProfile]: ...
    @overload
    def get_photosocial_profile(self, *, sources: bool = False, **params: Unpack[ByUrl]) -> Answer[PhotosocialProfile]: ...
    def get_photosocial_profile(self, *, sources: bool = False, **params: Any) -> Answer[PhotosocialProfile]:
        """
        Instagram profile: name, bio, links, exact counts, verified, private, category.

        Reads the page for embedding on other sites, which has the exact counts of followers and posts,
        and adds bio, links, verified and follows from the profile page. Logged-out visitors rarely see
        whether it is a business account, its category and its contact buttons; these are otherwise null.
        A private account still has a profile. If only the head of the page describes the account, the
        answer is brief: name, bio and counts as in the head, rounded from 10,000 up, and bio_links is
        null. Such an answer is cached for minutes only.

        Give exactly one of `username` and `url`. Costs 3 credits. Answers are cached for 12 h.

        username: Handle without the leading @; case does not matter; a string of 1 to 2,048 characters.
        url: URL of the profile page, or a share link to it; a string of 1 to 8,192 characters.
        """
        return self._object("photosocial/profile", {**params, "sources": sources})

    @overload
    def get_photosocial_posts(self, *, sources: Literal[True], **params: Unpack[PageByUsername]) -> SourcedPage[PhotosocialPost]: ...
    @overload
    def get_photosocial_posts(self, *, sources: bool = False, **params: Unpack[PageByUsername]) -> Page[PhotosocialPost]: ...
    @overload
    def get_photosocial_posts(self, *, sources: Literal[True], **params: Unpack[PageByUrl]) -> SourcedPage[PhotosocialPost]: ...
    @overload
    def get_photosocial_posts(self, *, sources: bool = False, **params: Unpack[PageByUrl]) -> Page[PhotosocialPost]: ...
    def get_photosocial_posts(self, *, sources: bool = False, **params: Any) -> Page[PhotosocialPost]:
        """
        Instagram posts: by one account, pinned first, then newest.

        Reads the list that the profile page requests: twelve posts without their times and counts. Those
        come from the page for embedding on other sites (the newest six posts), from one further answer
        if Instagram grants it (all posts), and otherwise from each post’s own data; what is refused
        everywhere is null. Posts after the first twelve are often shown only to signed-in users: the
        list then ends, and `coverage` says so. A private account is account_private.

        Give exactly one of `username` and `url`. Costs 3 credits. Answers are cached for 3 h.

        username: Handle without the leading @; case does not matter; a string of 1 to 2,048 characters.
        url: URL of the profile page, or a share link to it; a string of 1 to 8,192 characters.
        limit: Items per page; a whole number from 1 to 24; 24 by default.
        cursor: `meta.next_cursor` of the previous page; a string of 1 to 4,096 characters.
        """
        return self._page("photosocial/posts", {**params, "sources": sources})

    @overload
    def get_photosocial_post(self, *, sources: Literal[True], **params: Unpack[ByUrl]) -> SourcedAnswer[PhotosocialPost]: ...
    @overload
    def get_photosocial_post(self, *, sources: bool = False, **params: Unpack[ByUrl]) -> Answer[PhotosocialPost]: ...
    @overload
    def get_photosocial_post(self, *, sources: Literal[True], **params: Unpack[ByShortcode]) -> SourcedAnswer[PhotosocialPost]: ...
    @overload
    def get_photosocial_post(self, *, sources: bool = False, **params: Unpack[ByShortcode]) -> Answer[PhotosocialPost]: ...
    def get_photosocial_post(self, *, sources: bool = False, **params: Any) -> Answer[PhotosocialPost]:
        """
        Instagram post or reel: caption, time, file, carousel, likes, comments, hashtags, mentions.

        Reads the data that the post’s page requests, the page itself, or the page for embedding on other
        sites, which lacks the time. A removed post and a post of a private account look the same: both
        are post_not_found. If the owner hides the likes, like_count is null. The view count is rarely
        shown. If only the head of the page describes the post, the answer is brief: account, caption and
        counts as in the head, rounded from 10,000 up, without the time; a carousel has only its first
        picture, and children is null. Such an answer is cached for minutes only.

        Give exactly one of `url` and `shortcode`. Costs 2 credits. Answers are cached for 3 h.

        url: URL of the post: /p/, /reel/ or /tv/, with or without the account before it, or a share
        link; a string of 1 to 8,192 characters.
        shortcode: Code of the post in its URL; case matters; a string of 1 to 2,048 characters.
        """
        return self._object("photosocial/post", {**params, "sources": sources})

    @overload
    def get_photosocial_comments(self, *, sources: Literal[True], **params: Unpack[PageByUrl]) -> SourcedPage[PhotosocialComment]: ...
    @overload
    def get_photosocial_comments(self, *, sources: bool = False, **params: Unpack[PageByUrl]) -> Page[PhotosocialComment]: ...
    @overload
    def get_photosocial_comments(self, *, sources: Literal[True], **params: Unpack[PageByShortcode]) -> SourcedPage[PhotosocialComment]: ...
    @overload
    def get_photosocial_comments(self, *, sources: bool = False, **params: Unpack[PageByShortcode]) -> Page[PhotosocialComment]: ...
    def get_photosocial_comments(self, *, sources: bool = False, **params: Any) -> Page[PhotosocialComment]:
        """
        Instagram comments: on one post or reel, as far as logged-out visitors can see them.

        Reads the comments of the post’s page and the list behind its “more”. The platform shows
        logged-out visitors four to fifteen comments at a time and often stops long before the last one:
        `coverage` says how many the post has. Replies and their number are not shown at all (2026). If
        the platform withholds the comments, the call fails: you never get an empty list.

        Give exactly one of `url` and `shortcode`. Costs 3 credits. Answers are cached for 1 h.

        url: URL of the post: /p/, /reel/ or /tv/, with or without the account before it, or a share
        link; a string of 1 to 8,192 characters.
        shortcode: Code of the post in its URL; case matters; a string of 1 to 2,048 characters.
        limit: Items per page; a whole number from 1 to 50; 50 by default.
        cursor: `meta.next_cursor` of the previous page; a string of 1 to 4,096 characters.
        """
        return self._page("photosocial/comments", {**params, "sources": sources})

    @overload
    def get_photosocial_hashtag(self, *, sources: Literal[True], **params: Unpack[PhotosocialHashtagParams]) -> SourcedPage[PhotosocialPost]: ...
    @overload
    def get_photosocial_hashtag(self, *, sources: bool = False, **params: Unpack[PhotosocialHashtagParams]) -> Page[PhotosocialPost]: ...
    def get_photosocial_hashtag(self, *, sources: bool = False, **params: Any) -> Page[PhotosocialPost]:
        """
        Instagram hashtag: its top public posts, as shown to logged-out visitors.

        Reads Instagram’s page for a hashtag or words: public posts, mostly reels, ranked by the
        platform. It is not a search, and has neither the newest posts nor all of them (2026). Without
        such a page the error is hashtag_not_found. There is no total. The list has view counts, but no
        times, likes or comment counts; these come from each post’s own data, and are null if that is
        refused.

        Costs 4 credits. Answers are cached for 1 h.

        tag: Hashtag without the leading #, or the words of a topic, in any script; case does not matter;
        a string of 1 to 2,048 characters.
        limit: Items per page; a whole number from 1 to 24; 24 by default.
        cursor: `meta.next_cursor` of the previous page; a string of 1 to 4,096 characters.
        """
        return self._page("photosocial/hashtag", {**params, "sources": sources})


class AsyncPhotosocialMethods(AsyncCalls):
    """Endpoints of photosocial."""

    @overload
    async def get_photosocial_profile(self, *, sources: Literal[True], **params: Unpack[ByUsername]) -> SourcedAnswer[PhotosocialProfile]: ...
    @overload
    async def get_photosocial_profile(self, *, sources: bool = False, **params: Unpack[ByUsername]) -> Answer[PhotosocialProfile]: ...
    @overload
    async def get_photosocial_profile(self, *, sources: Literal[True], **params: Unpack[ByUrl]) -> SourcedAnswer[PhotosocialProfile]: ...
    @overload
    async def get_photosocial_profile(self, *, sources: bool = False, **params: Unpack[ByUrl]) -> Answer[PhotosocialProfile]: ...
    async def get_photosocial_profile(self, *, sources: bool = False, **params: Any) -> Answer[PhotosocialProfile]:
        """Instagram profile: name, bio, links, exact counts, verified, private, category. As in `Client`."""
        return await self._object("photosocial/profile", {**params, "sources": sources})

    @overload
    async def get_photosocial_posts(self, *, sources: Literal[True], **params: Unpack[PageByUsername]) -> AsyncSourcedPage[PhotosocialPost]: ...
    @overload
    async def get_photosocial_posts(self, *, sources: bool = False, **params: Unpack[PageByUsername]) -> AsyncPage[PhotosocialPost]: ...
    @overload
    async def get_photosocial_posts(self, *, sources: Literal[True], **params: Unpack[PageByUrl]) -> AsyncSourcedPage[PhotosocialPost]: ...
    @overload
    async def get_photosocial_posts(self, *, sources: bool = False, **params: Unpack[PageByUrl]) -> AsyncPage[PhotosocialPost]: ...
    async def get_photosocial_posts(self, *, sources: bool = False, **params: Any) -> AsyncPage[PhotosocialPost]:
        """Instagram posts: by one account, pinned first, then newest. As in `Client`."""
        return await self._page("photosocial/posts", {**params, "sources": sources})

    @overload
    async def get_photosocial_post(self, *, sources: Literal[True], **params: Unpack[ByUrl]) -> SourcedAnswer[PhotosocialPost]: ...
    @overload
    async def get_photosocial_post(self, *, sources: bool = False, **params: Unpack[ByUrl]) -> Answer[PhotosocialPost]: ...
    @overload
    async def get_photosocial_post(self, *, sources: Literal[True], **params: Unpack[ByShortcode]) -> SourcedAnswer[PhotosocialPost]: ...
    @overload
    async def get_photosocial_post(self, *, sources: bool = False, **params: Unpack[ByShortcode]) -> Answer[PhotosocialPost]: ...
    async def get_photosocial_post(self, *, sources: bool = False, **params: Any) -> Answer[PhotosocialPost]:
        """Instagram post or reel: caption, time, file, carousel, likes, comments, hashtags, mentions. As in
        `Client`."""
        return await self._object("photosocial/post", {**params, "sources": sources})

    @overload
    async def get_photosocial_comments(self, *, sources: Literal[True], **params: Unpack[PageByUrl]) -> AsyncSourcedPage[PhotosocialComment]: ...
    @overload
    async def get_photosocial_comments(self, *, sources: bool = False, **params: Unpack[PageByUrl]) -> AsyncPage[PhotosocialComment]: ...
    @overload
    async def get_photosocial_comments(self, *, sources: Literal[True], **params: Unpack[PageByShortcode]) -> AsyncSourcedPage[PhotosocialComment]: ...
    @overload
    async def get_photosocial_comments(self, *, sources: bool = False, **params: Unpack[PageByShortcode]) -> AsyncPage[PhotosocialComment]: ...
    async def get_photosocial_comments(self, *, sources: bool = False, **params: Any) -> AsyncPage[PhotosocialComment]:
        """Instagram comments: on one post or reel, as far as logged-out visitors can see them. As in
        `Client`."""
        return await self._page("photosocial/comments", {**params, "sources": sources})

    @overload
    async def get_photosocial_hashtag(self, *, sources: Literal[True], **params: Unpack[PhotosocialHashtagParams]) -> AsyncSourcedPage[PhotosocialPost]: ...
    @overload
    async def get_photosocial_hashtag(self, *, sources: bool = False, **params: Unpack[PhotosocialHashtagParams]) -> AsyncPage[PhotosocialPost]: ...
    async def get_photosocial_hashtag(self, *, sources: bool = False, **params: Any) -> AsyncPage[PhotosocialPost]:
        """Instagram hashtag: its top public posts, as shown to logged-out visitors. As in `Client`."""
        return await self._page("photosocial/hashtag", {**params, "sources": sources})
