# Written by `npm run generate` from the table of endpoints: change that, and not this file.
"""The endpoints of shortvideo."""

from typing import Any, Literal, Unpack, overload

from .._calls import AsyncCalls, Calls
from ..answers import Answer, AsyncPage, AsyncSourcedPage, Page, SourcedAnswer, SourcedPage
from ..objects import ShortvideoComment, ShortvideoProfile, ShortvideoVideo
from .params import ById, ByUrl, ByUsername, PageById, PageByUrl, PageByUsername, ShortvideoSearchParams


class ShortvideoMethods(Calls):
    """Endpoints of shortvideo."""

    @overload
    def get_shortvideo_profile(self, *, sources: Literal[True], **params: Unpack[ByUsername]) -> SourcedAnswer[ShortvideoProfile]: ...
    @overload
    def get_shortvideo_profile(self, *, sources: bool = False, **params: Unpack[ByUsername]) -> Answer[ShortvideoProfile]: ...
    @overload
    def get_shortvideo_profile(self, *, sources: Literal[True], **params: Unpack[ByUrl]) -> SourcedAnswer[ShortvideoProfile]: ...
    @overload
    def get_shortvideo_profile(self, *, sources: bool = False, **params: Unpack[ByUrl]) -> Answer[ShortvideoProfile]: ...
    def get_shortvideo_profile(self, *, sources: bool = False, **params: Any) -> Answer[ShortvideoProfile]:
        """
        TikTok profile: name, bio, link, picture and counts.

        Reads the public profile page, whose counts are exact. TikTok shows many visitors a waiting page
        instead. The answer then comes from embed pages, which have everything except the link in the
        bio, and round counts from 10,000 up; it is cached for minutes only. An account that shows no
        videos there cannot be answered without its page. A banned account looks like one that never
        existed: both are profile_not_found, if the profile page says so, or an embed page and the
        platform’s oEmbed answer both do.

        Give exactly one of `username` and `url`. Costs 3 credits. Answers are cached for 12 h.

        username: Handle without the leading @; case does not matter; a string of 1 to 2,048 characters.
        url: URL of the profile page, or a short link to it; a string of 1 to 8,192 characters.
        """
        return self._object("shortvideo/profile", {**params, "sources": sources})

    @overload
    def get_shortvideo_videos(self, *, sources: Literal[True], **params: Unpack[PageByUsername]) -> SourcedPage[ShortvideoVideo]: ...
    @overload
    def get_shortvideo_videos(self, *, sources: bool = False, **params: Unpack[PageByUsername]) -> Page[ShortvideoVideo]: ...
    @overload
    def get_shortvideo_videos(self, *, sources: Literal[True], **params: Unpack[PageByUrl]) -> SourcedPage[ShortvideoVideo]: ...
    @overload
    def get_shortvideo_videos(self, *, sources: bool = False, **params: Unpack[PageByUrl]) -> Page[ShortvideoVideo]: ...
    def get_shortvideo_videos(self, *, sources: bool = False, **params: Any) -> Page[ShortvideoVideo]:
        """
        TikTok videos: the newest of one account.

        Without a browser, you get the newest 8 to 13 videos and photo posts, pinned ones first, and no
        further page. With a browser, the account’s page is scrolled, and you get the list as far as
        visitors can see it. The details of each of these videos come from its embed page, one request
        for each video; favorites_count comes from its own page, as long as TikTok serves that. If a page
        is refused, what the list lacks is null, and the answer is cached for minutes only. Counts are as
        published: exact below 10,000, then in hundreds. URLs of covers and files are signed and expire.
        You get an empty list only if the profile page says that there are no videos.

        Give exactly one of `username` and `url`. Costs 3 credits. Answers are cached for 3 h.

        username: Handle without the leading @; case does not matter; a string of 1 to 2,048 characters.
        url: URL of the profile page, or a short link to it; a string of 1 to 8,192 characters.
        limit: Items per page; a whole number from 1 to 30; 30 by default.
        cursor: `meta.next_cursor` of the previous page; a string of 1 to 4,096 characters.
        """
        return self._page("shortvideo/videos", {**params, "sources": sources})

    @overload
    def get_shortvideo_video(self, *, sources: Literal[True], **params: Unpack[ByUrl]) -> SourcedAnswer[ShortvideoVideo]: ...
    @overload
    def get_shortvideo_video(self, *, sources: bool = False, **params: Unpack[ByUrl]) -> Answer[ShortvideoVideo]: ...
    @overload
    def get_shortvideo_video(self, *, sources: Literal[True], **params: Unpack[ById]) -> SourcedAnswer[ShortvideoVideo]: ...
    @overload
    def get_shortvideo_video(self, *, sources: bool = False, **params: Unpack[ById]) -> Answer[ShortvideoVideo]: ...
    def get_shortvideo_video(self, *, sources: bool = False, **params: Any) -> Answer[ShortvideoVideo]:
        """
        TikTok video: caption, time, counts, hashtags, sound, file; photo posts, too.

        Reads the public video page. TikTok shows many visitors a waiting page instead. The answer then
        comes from the embed page, which has everything except favorites_count and the length of the
        sound. A photo post has no duration and no play_url. Counts are as published: exact below 10,000,
        then in hundreds. URLs of covers and files are signed and expire. The file that the video page
        names is served only with the cookies of the page; expect a refusal without them. The embed
        page’s file needs none. A video that does not exist according to its pages is video_not_found if
        one says that it was deleted, or if the platform’s oEmbed answer does not know it, either. If
        they show that it is only withheld, it is platform_restricted, or account_private if only its
        author or friends may see it; if oEmbed cannot be read, platform_unavailable.

        Give exactly one of `url` and `id`. Costs 2 credits. Answers are cached for 3 h.

        url: URL of the video or photo post in any form, or a short link to it; a string of 1 to 8,192
        characters.
        id: ID of the video; a string of 1 to 2,048 characters.
        """
        return self._object("shortvideo/video", {**params, "sources": sources})

    @overload
    def get_shortvideo_comments(self, *, sources: Literal[True], **params: Unpack[PageByUrl]) -> SourcedPage[ShortvideoComment]: ...
    @overload
    def get_shortvideo_comments(self, *, sources: bool = False, **params: Unpack[PageByUrl]) -> Page[ShortvideoComment]: ...
    @overload
    def get_shortvideo_comments(self, *, sources: Literal[True], **params: Unpack[PageById]) -> SourcedPage[ShortvideoComment]: ...
    @overload
    def get_shortvideo_comments(self, *, sources: bool = False, **params: Unpack[PageById]) -> Page[ShortvideoComment]: ...
    def get_shortvideo_comments(self, *, sources: bool = False, **params: Any) -> Page[ShortvideoComment]:
        """
        TikTok comments: on a video, a page at a time.

        Requests the same list as the video page, without a signature: the platform answers some visitors
        and refuses others, and a refusal is platform_blocked, never an empty list. If the list is
        refused, the video page is read: its form for phones has the first ten comments, without a next
        page; such an answer is cached for minutes only. With a browser, the page itself requests the
        list. Comments come in the platform’s order. A reply that the list includes follows its comment,
        with parent_comment_id set; other replies are only counted, in reply_count. TikTok shows visitors
        a part of long lists, such as 150 of 540 comments. A page may have fewer than limit. You get an
        empty list only if the video’s own page or its embed page also says that there are no comments.

        Give exactly one of `url` and `id`. Costs 3 credits. Answers are cached for 1 h.

        url: URL of the video or photo post in any form, or a short link to it; a string of 1 to 8,192
        characters.
        id: ID of the video; a string of 1 to 2,048 characters.
        limit: Items per page; a whole number from 1 to 50; 50 by default.
        cursor: `meta.next_cursor` of the previous page; a string of 1 to 4,096 characters.
        """
        return self._page("shortvideo/comments", {**params, "sources": sources})

    @overload
    def search_shortvideo_videos(self, *, sources: Literal[True], **params: Unpack[ShortvideoSearchParams]) -> SourcedPage[ShortvideoVideo]: ...
    @overload
    def search_shortvideo_videos(self, *, sources: bool = False, **params: Unpack[ShortvideoSearchParams]) -> Page[ShortvideoVideo]: ...
    def search_shortvideo_videos(self, *, sources: bool = False, **params: Any) -> Page[ShortvideoVideo]:
        """
        TikTok search: videos for a hashtag, a word or a phrase.

        The platform offers keyword search only to signed-in users. For one word, with or without #, you
        get the public list of that hashtag: about ten videos, on one page. The details of each come from
        its embed page, one request for each video; favorites_count comes from its own page, as long as
        TikTok serves that. If a page is refused, what the list lacks is null, and the answer is cached
        for minutes only. For a phrase, you get the videos of TikTok’s page for these words
        (tiktok.com/discover/…): its ranking for the United States, up to about 150 videos, neither the
        newest nor a search. Without such a page the error is platform_login_required, and free. With a
        browser, the search page is then opened, and you get what it lists for visitors. Counts are as
        published: exact below 10,000, then in hundreds. URLs of covers and files are signed and expire.

        Costs 4 credits. Answers are cached for 3 h.

        query: A hashtag, a word or a phrase; case does not matter; a string of 1 to 2,048 characters.
        limit: Items per page; a whole number from 1 to 30; 30 by default.
        cursor: `meta.next_cursor` of the previous page; a string of 1 to 4,096 characters.
        """
        return self._page("shortvideo/search", {**params, "sources": sources})


class AsyncShortvideoMethods(AsyncCalls):
    """Endpoints of shortvideo."""

    @overload
    async def get_shortvideo_profile(self, *, sources: Literal[True], **params: Unpack[ByUsername]) -> SourcedAnswer[ShortvideoProfile]: ...
    @overload
    async def get_shortvideo_profile(self, *, sources: bool = False, **params: Unpack[ByUsername]) -> Answer[ShortvideoProfile]: ...
    @overload
    async def get_shortvideo_profile(self, *, sources: Literal[True], **params: Unpack[ByUrl]) -> SourcedAnswer[ShortvideoProfile]: ...
    @overload
    async def get_shortvideo_profile(self, *, sources: bool = False, **params: Unpack[ByUrl]) -> Answer[ShortvideoProfile]: ...
    async def get_shortvideo_profile(self, *, sources: bool = False, **params: Any) -> Answer[ShortvideoProfile]:
        """TikTok profile: name, bio, link, picture and counts. As in `Client`."""
        return await self._object("shortvideo/profile", {**params, "sources": sources})

    @overload
    async def get_shortvideo_videos(self, *, sources: Literal[True], **params: Unpack[PageByUsername]) -> AsyncSourcedPage[ShortvideoVideo]: ...
    @overload
    async def get_shortvideo_videos(self, *, sources: bool = False, **params: Unpack[PageByUsername]) -> AsyncPage[ShortvideoVideo]: ...
    @overload
    async def get_shortvideo_videos(self, *, sources: Literal[True], **params: Unpack[PageByUrl]) -> AsyncSourcedPage[ShortvideoVideo]: ...
    @overload
    async def get_shortvideo_videos(self, *, sources: bool = False, **params: Unpack[PageByUrl]) -> AsyncPage[ShortvideoVideo]: ...
    async def get_shortvideo_videos(self, *, sources: bool = False, **params: Any) -> AsyncPage[ShortvideoVideo]:
        """TikTok videos: the newest of one account. As in `Client`."""
        return await self._page("shortvideo/videos", {**params, "sources": sources})

    @overload
    async def get_shortvideo_video(self, *, sources: Literal[True], **params: Unpack[ByUrl]) -> SourcedAnswer[ShortvideoVideo]: ...
    @overload
    async def get_shortvideo_video(self, *, sources: bool = False, **params: Unpack[ByUrl]) -> Answer[ShortvideoVideo]: ...
    @overload
    async def get_shortvideo_video(self, *, sources: Literal[True], **params: Unpack[ById]) -> SourcedAnswer[ShortvideoVideo]: ...
    @overload
    async def get_shortvideo_video(self, *, sources: bool = False, **params: Unpack[ById]) -> Answer[ShortvideoVideo]: ...
    async def get_shortvideo_video(self, *, sources: bool = False, **params: Any) -> Answer[ShortvideoVideo]:
        """TikTok video: caption, time, counts, hashtags, sound, file; photo posts, too. As in `Client`."""
        return await self._object("shortvideo/video", {**params, "sources": sources})

    @overload
    async def get_shortvideo_comments(self, *, sources: Literal[True], **params: Unpack[PageByUrl]) -> AsyncSourcedPage[ShortvideoComment]: ...
    @overload
    async def get_shortvideo_comments(self, *, sources: bool = False, **params: Unpack[PageByUrl]) -> AsyncPage[ShortvideoComment]: ...
    @overload
    async def get_shortvideo_comments(self, *, sources: Literal[True], **params: Unpack[PageById]) -> AsyncSourcedPage[ShortvideoComment]: ...
    @overload
    async def get_shortvideo_comments(self, *, sources: bool = False, **params: Unpack[PageById]) -> AsyncPage[ShortvideoComment]: ...
    async def get_shortvideo_comments(self, *, sources: bool = False, **params: Any) -> AsyncPage[ShortvideoComment]:
        """TikTok comments: on a video, a page at a time. As in `Client`."""
        return await self._page("shortvideo/comments", {**params, "sources": sources})

    @overload
    async def search_shortvideo_videos(self, *, sources: Literal[True], **params: Unpack[ShortvideoSearchParams]) -> AsyncSourcedPage[ShortvideoVideo]: ...
    @overload
    async def search_shortvideo_videos(self, *, sources: bool = False, **params: Unpack[ShortvideoSearchParams]) -> AsyncPage[ShortvideoVideo]: ...
    async def search_shortvideo_videos(self, *, sources: bool = False, **params: Any) -> AsyncPage[ShortvideoVideo]:
        """TikTok search: videos for a hashtag, a word or a phrase. As in `Client`."""
        return await self._page("shortvideo/search", {**params, "sources": sources})
