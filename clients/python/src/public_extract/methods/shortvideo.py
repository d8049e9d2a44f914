# Written by `npm run generate` from the table of endpoints: change that, and not this file.
"""The endpoints of shortvideo."""

from typing import Literal, overload

from .._calls import AsyncCalls, Calls
from ..answers import Answer, AsyncPage, AsyncSourcedPage, Page, SourcedAnswer, SourcedPage
from ..objects import ShortvideoComment, ShortvideoProfile, ShortvideoVideo


class ShortvideoMethods(Calls):
    """Endpoints of shortvideo."""

    @overload
    def get_shortvideo_profile(
        self,
        *,
        username: str,
        fresh: bool = False,
        demo: bool = False,
        sources: Literal[True],
        timeout: float | None = None,
    ) -> SourcedAnswer[ShortvideoProfile]: ...

    @overload
    def get_shortvideo_profile(
        self,
        *,
        username: str,
        fresh: bool = False,
        demo: bool = False,
        sources: bool = False,
        timeout: float | None = None,
    ) -> Answer[ShortvideoProfile]: ...

    @overload
    def get_shortvideo_profile(
        self,
        *,
        url: str,
        fresh: bool = False,
        demo: bool = False,
        sources: Literal[True],
        timeout: float | None = None,
    ) -> SourcedAnswer[ShortvideoProfile]: ...

    @overload
    def get_shortvideo_profile(
        self,
        *,
        url: str,
        fresh: bool = False,
        demo: bool = False,
        sources: bool = False,
        timeout: float | None = None,
    ) -> Answer[ShortvideoProfile]: ...

    def get_shortvideo_profile(
        self,
        *,
        username: str | None = None,
        url: str | None = None,
        fresh: bool = False,
        demo: bool = False,
        sources: bool = False,
        timeout: float | None = None,
    ) -> Answer[ShortvideoProfile]:
        """
        TikTok profile: name, bio, link, picture and counts.

        Reads the public profile page, whose counts are exact. TikTok shows many visitors a waiting page
        in its place. Then the pages are read that it makes for other sites to embed: they have
        everything but the link in the bio, and round counts from 10,000 up; such an answer is cached for
        minutes only. An account that shows no videos there cannot be answered without its page. A banned
        account looks like one that never existed: both are profile_not_found, if the profile page says
        so, or an embed page and the platform’s oEmbed answer both do.

        Give exactly one of `username` and `url`.

        Costs 3 credits. Answers are cached for 12 h.

        username: Handle without the leading @; case does not matter; a string of 1 to 2,048 characters.

        url: URL of the profile page, or a short link to it; a string of 1 to 8,192 characters.

        fresh: Skip the cache and fetch now; charged as usual; true or false; false when left out.

        demo: Return sample data: no network, no key, no charge; true or false; false when left out.

        sources: Add to each item its ID, URL, author, position and time of reading; true or false; false
        when left out.

        timeout: Seconds that one try may take; those of the client when left out.
        """
        params = {
            "username": username,
            "url": url,
            "fresh": fresh,
            "demo": demo,
            "sources": sources,
        }
        return self._object("shortvideo/profile", params, timeout)

    @overload
    def get_shortvideo_videos(
        self,
        *,
        username: str,
        limit: int | None = None,
        cursor: str | None = None,
        fresh: bool = False,
        demo: bool = False,
        sources: Literal[True],
        timeout: float | None = None,
    ) -> SourcedPage[ShortvideoVideo]: ...

    @overload
    def get_shortvideo_videos(
        self,
        *,
        username: str,
        limit: int | None = None,
        cursor: str | None = None,
        fresh: bool = False,
        demo: bool = False,
        sources: bool = False,
        timeout: float | None = None,
    ) -> Page[ShortvideoVideo]: ...

    @overload
    def get_shortvideo_videos(
        self,
        *,
        url: str,
        limit: int | None = None,
        cursor: str | None = None,
        fresh: bool = False,
        demo: bool = False,
        sources: Literal[True],
        timeout: float | None = None,
    ) -> SourcedPage[ShortvideoVideo]: ...

    @overload
    def get_shortvideo_videos(
        self,
        *,
        url: str,
        limit: int | None = None,
        cursor: str | None = None,
        fresh: bool = False,
        demo: bool = False,
        sources: bool = False,
        timeout: float | None = None,
    ) -> Page[ShortvideoVideo]: ...

    def get_shortvideo_videos(
        self,
        *,
        username: str | None = None,
        url: str | None = None,
        limit: int | None = None,
        cursor: str | None = None,
        fresh: bool = False,
        demo: bool = False,
        sources: bool = False,
        timeout: float | None = None,
    ) -> Page[ShortvideoVideo]:
        """
        TikTok videos: the newest of one account.

        Without a browser, you get the newest 8 to 13 videos and photo posts, pinned ones first, and no
        further page. With a browser, the account’s page is scrolled, and you get the whole list, as far
        as visitors can see it. The details of each of these videos come from its embed page, one request
        for each video; favorites_count comes from its own page, as long as TikTok serves that. If a page
        is refused, what the list lacks is null, and the answer is cached for minutes only. Counts are as
        published: exact below 10,000, then in hundreds. URLs of covers and files are signed and expire.
        You get an empty list only if the profile page says that there are no videos.

        Give exactly one of `username` and `url`.

        Costs 3 credits. Answers are cached for 3 h.

        username: Handle without the leading @; case does not matter; a string of 1 to 2,048 characters.

        url: URL of the profile page, or a short link to it; a string of 1 to 8,192 characters.

        limit: Items per page; a whole number from 1 to 30; 30 when left out.

        cursor: `meta.next_cursor` of the previous page; a string of 1 to 4,096 characters.

        fresh: Skip the cache and fetch now; charged as usual; true or false; false when left out.

        demo: Return sample data: no network, no key, no charge; true or false; false when left out.

        sources: Add to each item its ID, URL, author, position and time of reading; true or false; false
        when left out.

        timeout: Seconds that one try may take; those of the client when left out.
        """
        params = {
            "username": username,
            "url": url,
            "limit": limit,
            "cursor": cursor,
            "fresh": fresh,
            "demo": demo,
            "sources": sources,
        }
        return self._page("shortvideo/videos", params, timeout)

    @overload
    def get_shortvideo_video(
        self,
        *,
        url: str,
        fresh: bool = False,
        demo: bool = False,
        sources: Literal[True],
        timeout: float | None = None,
    ) -> SourcedAnswer[ShortvideoVideo]: ...

    @overload
    def get_shortvideo_video(
        self,
        *,
        url: str,
        fresh: bool = False,
        demo: bool = False,
        sources: bool = False,
        timeout: float | None = None,
    ) -> Answer[ShortvideoVideo]: ...

    @overload
    def get_shortvideo_video(
        self,
        *,
        id: str,
        fresh: bool = False,
        demo: bool = False,
        sources: Literal[True],
        timeout: float | None = None,
    ) -> SourcedAnswer[ShortvideoVideo]: ...

    @overload
    def get_shortvideo_video(
        self,
        *,
        id: str,
        fresh: bool = False,
        demo: bool = False,
        sources: bool = False,
        timeout: float | None = None,
    ) -> Answer[ShortvideoVideo]: ...

    def get_shortvideo_video(
        self,
        *,
        url: str | None = None,
        id: str | None = None,
        fresh: bool = False,
        demo: bool = False,
        sources: bool = False,
        timeout: float | None = None,
    ) -> Answer[ShortvideoVideo]:
        """
        TikTok video: caption, time, counts, hashtags, sound, file; photo posts, too.

        Reads the public video page. TikTok shows many visitors a waiting page in its place. Then the
        page is read that it makes for other sites to embed, which has everything but favorites_count and
        the length of the sound. A photo post has no duration and no play_url. Counts are as published:
        exact below 10,000, then in hundreds. URLs of covers and files are signed and expire. The file
        that the video page names is served only with the cookies of the page; expect a refusal without
        them. That of the embed page needs none. A video that does not exist according to its pages is
        video_not_found if one says that it was deleted, or the platform’s oEmbed answer knows none,
        either. If they show that it is only withheld, it is platform_restricted, or account_private
        where only its author or friends may see it; if oEmbed cannot be read, platform_unavailable.

        Give exactly one of `url` and `id`.

        Costs 2 credits. Answers are cached for 3 h.

        url: URL of the video or photo post in any form, or a short link to it; a string of 1 to 8,192
        characters.

        id: ID of the video; a string of 1 to 2,048 characters.

        fresh: Skip the cache and fetch now; charged as usual; true or false; false when left out.

        demo: Return sample data: no network, no key, no charge; true or false; false when left out.

        sources: Add to each item its ID, URL, author, position and time of reading; true or false; false
        when left out.

        timeout: Seconds that one try may take; those of the client when left out.
        """
        params = {
            "url": url,
            "id": id,
            "fresh": fresh,
            "demo": demo,
            "sources": sources,
        }
        return self._object("shortvideo/video", params, timeout)

    @overload
    def get_shortvideo_comments(
        self,
        *,
        url: str,
        limit: int | None = None,
        cursor: str | None = None,
        fresh: bool = False,
        demo: bool = False,
        sources: Literal[True],
        timeout: float | None = None,
    ) -> SourcedPage[ShortvideoComment]: ...

    @overload
    def get_shortvideo_comments(
        self,
        *,
        url: str,
        limit: int | None = None,
        cursor: str | None = None,
        fresh: bool = False,
        demo: bool = False,
        sources: bool = False,
        timeout: float | None = None,
    ) -> Page[ShortvideoComment]: ...

    @overload
    def get_shortvideo_comments(
        self,
        *,
        id: str,
        limit: int | None = None,
        cursor: str | None = None,
        fresh: bool = False,
        demo: bool = False,
        sources: Literal[True],
        timeout: float | None = None,
    ) -> SourcedPage[ShortvideoComment]: ...

    @overload
    def get_shortvideo_comments(
        self,
        *,
        id: str,
        limit: int | None = None,
        cursor: str | None = None,
        fresh: bool = False,
        demo: bool = False,
        sources: bool = False,
        timeout: float | None = None,
    ) -> Page[ShortvideoComment]: ...

    def get_shortvideo_comments(
        self,
        *,
        url: str | None = None,
        id: str | None = None,
        limit: int | None = None,
        cursor: str | None = None,
        fresh: bool = False,
        demo: bool = False,
        sources: bool = False,
        timeout: float | None = None,
    ) -> Page[ShortvideoComment]:
        """
        TikTok comments: on a video, a page at a time.

        Requests the list that the video page requests, without a signature: the platform answers some
        visitors and refuses others, and a refusal is platform_blocked, never an empty list. Where the
        list is refused, the video page is read: the pages that the platform makes for phones hold the
        first ten comments, without a next page; such an answer is cached for minutes only. With a
        browser, the page itself requests the list. Comments come in the platform’s order. A reply that
        the list includes follows its comment, with parent_comment_id set; other replies are only
        counted, in reply_count. TikTok shows visitors a part of long lists, such as 150 of 540 comments.
        A page may hold fewer than limit. You get an empty list only if the video’s own page or its embed
        page also says that there are no comments.

        Give exactly one of `url` and `id`.

        Costs 3 credits. Answers are cached for 1 h.

        url: URL of the video or photo post in any form, or a short link to it; a string of 1 to 8,192
        characters.

        id: ID of the video; a string of 1 to 2,048 characters.

        limit: Items per page; a whole number from 1 to 50; 50 when left out.

        cursor: `meta.next_cursor` of the previous page; a string of 1 to 4,096 characters.

        fresh: Skip the cache and fetch now; charged as usual; true or false; false when left out.

        demo: Return sample data: no network, no key, no charge; true or false; false when left out.

        sources: Add to each item its ID, URL, author, position and time of reading; true or false; false
        when left out.

        timeout: Seconds that one try may take; those of the client when left out.
        """
        params = {
            "url": url,
            "id": id,
            "limit": limit,
            "cursor": cursor,
            "fresh": fresh,
            "demo": demo,
            "sources": sources,
        }
        return self._page("shortvideo/comments", params, timeout)

    @overload
    def search_shortvideo_videos(
        self,
        *,
        query: str,
        limit: int | None = None,
        cursor: str | None = None,
        fresh: bool = False,
        demo: bool = False,
        sources: Literal[True],
        timeout: float | None = None,
    ) -> SourcedPage[ShortvideoVideo]: ...

    @overload
    def search_shortvideo_videos(
        self,
        *,
        query: str,
        limit: int | None = None,
        cursor: str | None = None,
        fresh: bool = False,
        demo: bool = False,
        sources: bool = False,
        timeout: float | None = None,
    ) -> Page[ShortvideoVideo]: ...

    def search_shortvideo_videos(
        self,
        *,
        query: str,
        limit: int | None = None,
        cursor: str | None = None,
        fresh: bool = False,
        demo: bool = False,
        sources: bool = False,
        timeout: float | None = None,
    ) -> Page[ShortvideoVideo]:
        """
        TikTok search: videos for a hashtag, a word or a phrase.

        The platform offers keyword search only to signed-in users. For one word, with or without #, you
        get the public list of that hashtag: about ten videos, on one page. The details of each come from
        its embed page, one request for each video; favorites_count comes from its own page, as long as
        TikTok serves that. If a page is refused, what the list lacks is null, and the answer is cached
        for minutes only. For a phrase, you get the videos of the page that TikTok keeps for these words
        (tiktok.com/discover/…): what it ranks for them in the United States, up to about 150, not the
        newest, and not a search. Where it keeps no such page, the answer is platform_login_required, and
        free. With a browser, the search page is opened then, and you get what it lists for visitors.
        Counts are as published: exact below 10,000, then in hundreds. URLs of covers and files are
        signed and expire.

        Costs 4 credits. Answers are cached for 3 h.

        query: A hashtag, a word or a phrase; case does not matter; a string of 1 to 2,048 characters.

        limit: Items per page; a whole number from 1 to 30; 30 when left out.

        cursor: `meta.next_cursor` of the previous page; a string of 1 to 4,096 characters.

        fresh: Skip the cache and fetch now; charged as usual; true or false; false when left out.

        demo: Return sample data: no network, no key, no charge; true or false; false when left out.

        sources: Add to each item its ID, URL, author, position and time of reading; true or false; false
        when left out.

        timeout: Seconds that one try may take; those of the client when left out.
        """
        params = {
            "query": query,
            "limit": limit,
            "cursor": cursor,
            "fresh": fresh,
            "demo": demo,
            "sources": sources,
        }
        return self._page("shortvideo/search", params, timeout)


class AsyncShortvideoMethods(AsyncCalls):
    """Endpoints of shortvideo."""

    @overload
    async def get_shortvideo_profile(
        self,
        *,
        username: str,
        fresh: bool = False,
        demo: bool = False,
        sources: Literal[True],
        timeout: float | None = None,
    ) -> SourcedAnswer[ShortvideoProfile]: ...

    @overload
    async def get_shortvideo_profile(
        self,
        *,
        username: str,
        fresh: bool = False,
        demo: bool = False,
        sources: bool = False,
        timeout: float | None = None,
    ) -> Answer[ShortvideoProfile]: ...

    @overload
    async def get_shortvideo_profile(
        self,
        *,
        url: str,
        fresh: bool = False,
        demo: bool = False,
        sources: Literal[True],
        timeout: float | None = None,
    ) -> SourcedAnswer[ShortvideoProfile]: ...

    @overload
    async def get_shortvideo_profile(
        self,
        *,
        url: str,
        fresh: bool = False,
        demo: bool = False,
        sources: bool = False,
        timeout: float | None = None,
    ) -> Answer[ShortvideoProfile]: ...

    async def get_shortvideo_profile(
        self,
        *,
        username: str | None = None,
        url: str | None = None,
        fresh: bool = False,
        demo: bool = False,
        sources: bool = False,
        timeout: float | None = None,
    ) -> Answer[ShortvideoProfile]:
        """
        TikTok profile: name, bio, link, picture and counts.

        Reads the public profile page, whose counts are exact. TikTok shows many visitors a waiting page
        in its place. Then the pages are read that it makes for other sites to embed: they have
        everything but the link in the bio, and round counts from 10,000 up; such an answer is cached for
        minutes only. An account that shows no videos there cannot be answered without its page. A banned
        account looks like one that never existed: both are profile_not_found, if the profile page says
        so, or an embed page and the platform’s oEmbed answer both do.

        Give exactly one of `username` and `url`.

        Costs 3 credits. Answers are cached for 12 h.

        username: Handle without the leading @; case does not matter; a string of 1 to 2,048 characters.

        url: URL of the profile page, or a short link to it; a string of 1 to 8,192 characters.

        fresh: Skip the cache and fetch now; charged as usual; true or false; false when left out.

        demo: Return sample data: no network, no key, no charge; true or false; false when left out.

        sources: Add to each item its ID, URL, author, position and time of reading; true or false; false
        when left out.

        timeout: Seconds that one try may take; those of the client when left out.
        """
        params = {
            "username": username,
            "url": url,
            "fresh": fresh,
            "demo": demo,
            "sources": sources,
        }
        return await self._object("shortvideo/profile", params, timeout)

    @overload
    async def get_shortvideo_videos(
        self,
        *,
        username: str,
        limit: int | None = None,
        cursor: str | None = None,
        fresh: bool = False,
        demo: bool = False,
        sources: Literal[True],
        timeout: float | None = None,
    ) -> AsyncSourcedPage[ShortvideoVideo]: ...

    @overload
    async def get_shortvideo_videos(
        self,
        *,
        username: str,
        limit: int | None = None,
        cursor: str | None = None,
        fresh: bool = False,
        demo: bool = False,
        sources: bool = False,
        timeout: float | None = None,
    ) -> AsyncPage[ShortvideoVideo]: ...

    @overload
    async def get_shortvideo_videos(
        self,
        *,
        url: str,
        limit: int | None = None,
        cursor: str | None = None,
        fresh: bool = False,
        demo: bool = False,
        sources: Literal[True],
        timeout: float | None = None,
    ) -> AsyncSourcedPage[ShortvideoVideo]: ...

    @overload
    async def get_shortvideo_videos(
        self,
        *,
        url: str,
        limit: int | None = None,
        cursor: str | None = None,
        fresh: bool = False,
        demo: bool = False,
        sources: bool = False,
        timeout: float | None = None,
    ) -> AsyncPage[ShortvideoVideo]: ...

    async def get_shortvideo_videos(
        self,
        *,
        username: str | None = None,
        url: str | None = None,
        limit: int | None = None,
        cursor: str | None = None,
        fresh: bool = False,
        demo: bool = False,
        sources: bool = False,
        timeout: float | None = None,
    ) -> AsyncPage[ShortvideoVideo]:
        """
        TikTok videos: the newest of one account.

        Without a browser, you get the newest 8 to 13 videos and photo posts, pinned ones first, and no
        further page. With a browser, the account’s page is scrolled, and you get the whole list, as far
        as visitors can see it. The details of each of these videos come from its embed page, one request
        for each video; favorites_count comes from its own page, as long as TikTok serves that. If a page
        is refused, what the list lacks is null, and the answer is cached for minutes only. Counts are as
        published: exact below 10,000, then in hundreds. URLs of covers and files are signed and expire.
        You get an empty list only if the profile page says that there are no videos.

        Give exactly one of `username` and `url`.

        Costs 3 credits. Answers are cached for 3 h.

        username: Handle without the leading @; case does not matter; a string of 1 to 2,048 characters.

        url: URL of the profile page, or a short link to it; a string of 1 to 8,192 characters.

        limit: Items per page; a whole number from 1 to 30; 30 when left out.

        cursor: `meta.next_cursor` of the previous page; a string of 1 to 4,096 characters.

        fresh: Skip the cache and fetch now; charged as usual; true or false; false when left out.

        demo: Return sample data: no network, no key, no charge; true or false; false when left out.

        sources: Add to each item its ID, URL, author, position and time of reading; true or false; false
        when left out.

        timeout: Seconds that one try may take; those of the client when left out.
        """
        params = {
            "username": username,
            "url": url,
            "limit": limit,
            "cursor": cursor,
            "fresh": fresh,
            "demo": demo,
            "sources": sources,
        }
        return await self._page("shortvideo/videos", params, timeout)

    @overload
    async def get_shortvideo_video(
        self,
        *,
        url: str,
        fresh: bool = False,
        demo: bool = False,
        sources: Literal[True],
        timeout: float | None = None,
    ) -> SourcedAnswer[ShortvideoVideo]: ...

    @overload
    async def get_shortvideo_video(
        self,
        *,
        url: str,
        fresh: bool = False,
        demo: bool = False,
        sources: bool = False,
        timeout: float | None = None,
    ) -> Answer[ShortvideoVideo]: ...

    @overload
    async def get_shortvideo_video(
        self,
        *,
        id: str,
        fresh: bool = False,
        demo: bool = False,
        sources: Literal[True],
        timeout: float | None = None,
    ) -> SourcedAnswer[ShortvideoVideo]: ...

    @overload
    async def get_shortvideo_video(
        self,
        *,
        id: str,
        fresh: bool = False,
        demo: bool = False,
        sources: bool = False,
        timeout: float | None = None,
    ) -> Answer[ShortvideoVideo]: ...

    async def get_shortvideo_video(
        self,
        *,
        url: str | None = None,
        id: str | None = None,
        fresh: bool = False,
        demo: bool = False,
        sources: bool = False,
        timeout: float | None = None,
    ) -> Answer[ShortvideoVideo]:
        """
        TikTok video: caption, time, counts, hashtags, sound, file; photo posts, too.

        Reads the public video page. TikTok shows many visitors a waiting page in its place. Then the
        page is read that it makes for other sites to embed, which has everything but favorites_count and
        the length of the sound. A photo post has no duration and no play_url. Counts are as published:
        exact below 10,000, then in hundreds. URLs of covers and files are signed and expire. The file
        that the video page names is served only with the cookies of the page; expect a refusal without
        them. That of the embed page needs none. A video that does not exist according to its pages is
        video_not_found if one says that it was deleted, or the platform’s oEmbed answer knows none,
        either. If they show that it is only withheld, it is platform_restricted, or account_private
        where only its author or friends may see it; if oEmbed cannot be read, platform_unavailable.

        Give exactly one of `url` and `id`.

        Costs 2 credits. Answers are cached for 3 h.

        url: URL of the video or photo post in any form, or a short link to it; a string of 1 to 8,192
        characters.

        id: ID of the video; a string of 1 to 2,048 characters.

        fresh: Skip the cache and fetch now; charged as usual; true or false; false when left out.

        demo: Return sample data: no network, no key, no charge; true or false; false when left out.

        sources: Add to each item its ID, URL, author, position and time of reading; true or false; false
        when left out.

        timeout: Seconds that one try may take; those of the client when left out.
        """
        params = {
            "url": url,
            "id": id,
            "fresh": fresh,
            "demo": demo,
            "sources": sources,
        }
        return await self._object("shortvideo/video", params, timeout)

    @overload
    async def get_shortvideo_comments(
        self,
        *,
        url: str,
        limit: int | None = None,
        cursor: str | None = None,
        fresh: bool = False,
        demo: bool = False,
        sources: Literal[True],
        timeout: float | None = None,
    ) -> AsyncSourcedPage[ShortvideoComment]: ...

    @overload
    async def get_shortvideo_comments(
        self,
        *,
        url: str,
        limit: int | None = None,
        cursor: str | None = None,
        fresh: bool = False,
        demo: bool = False,
        sources: bool = False,
        timeout: float | None = None,
    ) -> AsyncPage[ShortvideoComment]: ...

    @overload
    async def get_shortvideo_comments(
        self,
        *,
        id: str,
        limit: int | None = None,
        cursor: str | None = None,
        fresh: bool = False,
        demo: bool = False,
        sources: Literal[True],
        timeout: float | None = None,
    ) -> AsyncSourcedPage[ShortvideoComment]: ...

    @overload
    async def get_shortvideo_comments(
        self,
        *,
        id: str,
        limit: int | None = None,
        cursor: str | None = None,
        fresh: bool = False,
        demo: bool = False,
        sources: bool = False,
        timeout: float | None = None,
    ) -> AsyncPage[ShortvideoComment]: ...

    async def get_shortvideo_comments(
        self,
        *,
        url: str | None = None,
        id: str | None = None,
        limit: int | None = None,
        cursor: str | None = None,
        fresh: bool = False,
        demo: bool = False,
        sources: bool = False,
        timeout: float | None = None,
    ) -> AsyncPage[ShortvideoComment]:
        """
        TikTok comments: on a video, a page at a time.

        Requests the list that the video page requests, without a signature: the platform answers some
        visitors and refuses others, and a refusal is platform_blocked, never an empty list. Where the
        list is refused, the video page is read: the pages that the platform makes for phones hold the
        first ten comments, without a next page; such an answer is cached for minutes only. With a
        browser, the page itself requests the list. Comments come in the platform’s order. A reply that
        the list includes follows its comment, with parent_comment_id set; other replies are only
        counted, in reply_count. TikTok shows visitors a part of long lists, such as 150 of 540 comments.
        A page may hold fewer than limit. You get an empty list only if the video’s own page or its embed
        page also says that there are no comments.

        Give exactly one of `url` and `id`.

        Costs 3 credits. Answers are cached for 1 h.

        url: URL of the video or photo post in any form, or a short link to it; a string of 1 to 8,192
        characters.

        id: ID of the video; a string of 1 to 2,048 characters.

        limit: Items per page; a whole number from 1 to 50; 50 when left out.

        cursor: `meta.next_cursor` of the previous page; a string of 1 to 4,096 characters.

        fresh: Skip the cache and fetch now; charged as usual; true or false; false when left out.

        demo: Return sample data: no network, no key, no charge; true or false; false when left out.

        sources: Add to each item its ID, URL, author, position and time of reading; true or false; false
        when left out.

        timeout: Seconds that one try may take; those of the client when left out.
        """
        params = {
            "url": url,
            "id": id,
            "limit": limit,
            "cursor": cursor,
            "fresh": fresh,
            "demo": demo,
            "sources": sources,
        }
        return await self._page("shortvideo/comments", params, timeout)

    @overload
    async def search_shortvideo_videos(
        self,
        *,
        query: str,
        limit: int | None = None,
        cursor: str | None = None,
        fresh: bool = False,
        demo: bool = False,
        sources: Literal[True],
        timeout: float | None = None,
    ) -> AsyncSourcedPage[ShortvideoVideo]: ...

    @overload
    async def search_shortvideo_videos(
        self,
        *,
        query: str,
        limit: int | None = None,
        cursor: str | None = None,
        fresh: bool = False,
        demo: bool = False,
        sources: bool = False,
        timeout: float | None = None,
    ) -> AsyncPage[ShortvideoVideo]: ...

    async def search_shortvideo_videos(
        self,
        *,
        query: str,
        limit: int | None = None,
        cursor: str | None = None,
        fresh: bool = False,
        demo: bool = False,
        sources: bool = False,
        timeout: float | None = None,
    ) -> AsyncPage[ShortvideoVideo]:
        """
        TikTok search: videos for a hashtag, a word or a phrase.

        The platform offers keyword search only to signed-in users. For one word, with or without #, you
        get the public list of that hashtag: about ten videos, on one page. The details of each come from
        its embed page, one request for each video; favorites_count comes from its own page, as long as
        TikTok serves that. If a page is refused, what the list lacks is null, and the answer is cached
        for minutes only. For a phrase, you get the videos of the page that TikTok keeps for these words
        (tiktok.com/discover/…): what it ranks for them in the United States, up to about 150, not the
        newest, and not a search. Where it keeps no such page, the answer is platform_login_required, and
        free. With a browser, the search page is opened then, and you get what it lists for visitors.
        Counts are as published: exact below 10,000, then in hundreds. URLs of covers and files are
        signed and expire.

        Costs 4 credits. Answers are cached for 3 h.

        query: A hashtag, a word or a phrase; case does not matter; a string of 1 to 2,048 characters.

        limit: Items per page; a whole number from 1 to 30; 30 when left out.

        cursor: `meta.next_cursor` of the previous page; a string of 1 to 4,096 characters.

        fresh: Skip the cache and fetch now; charged as usual; true or false; false when left out.

        demo: Return sample data: no network, no key, no charge; true or false; false when left out.

        sources: Add to each item its ID, URL, author, position and time of reading; true or false; false
        when left out.

        timeout: Seconds that one try may take; those of the client when left out.
        """
        params = {
            "query": query,
            "limit": limit,
            "cursor": cursor,
            "fresh": fresh,
            "demo": demo,
            "sources": sources,
        }
        return await self._page("shortvideo/search", params, timeout)
