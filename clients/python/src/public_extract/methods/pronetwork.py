# Written by `npm run generate` from the table of endpoints: change that, and not this file.
"""The endpoints of pronetwork."""

from typing import Any, Literal, Unpack, overload

from .._calls import AsyncCalls, Calls
from ..answers import Answer, AsyncPage, AsyncSourcedPage, Page, SourcedAnswer, SourcedPage
from ..objects import PronetworkCompany, PronetworkJob, PronetworkPost, PronetworkProfile
from .params import ByUrl, ByVanityName, PageByCompanyUrl, PageByProfileUrl, PronetworkJobsParams


class PronetworkMethods(Calls):
    """Endpoints of pronetwork."""

    @overload
    def get_pronetwork_profile(self, *, sources: Literal[True], **params: Unpack[ByUrl]) -> SourcedAnswer[PronetworkProfile]: ...
    @overload
    def get_pronetwork_profile(self, *, sources: bool = False, **params: Unpack[ByUrl]) -> Answer[PronetworkProfile]: ...
    @overload
    def get_pronetwork_profile(self, *, sources: Literal[True], **params: Unpack[ByVanityName]) -> SourcedAnswer[PronetworkProfile]: ...
    @overload
    def get_pronetwork_profile(self, *, sources: bool = False, **params: Unpack[ByVanityName]) -> Answer[PronetworkProfile]: ...
    def get_pronetwork_profile(self, *, sources: bool = False, **params: Any) -> Answer[PronetworkProfile]:
        """
        LinkedIn profile: headline, about, counts, experience, education and skills.

        Reads the public profile page, as a logged-out visitor sees it. People choose what that includes,
        and the platform hides some titles behind asterisks: those are null. A profile that is not public
        looks like one that never existed: both are profile_not_found.

        Since 2025-11, about 2% of public profiles have shown experience and education to logged-out
        visitors; before, 50 to 64% did. The others show at most the current company and the school, so
        an empty list or null there is what the page says. Values that the page masks but that its
        structured data contains are included.

        follower_count is exact if the page has the number, otherwise rounded as shown ("41M" is
        41000000). A connection_count of 500 means 500 or more. Many profiles show no skills: null.

        Give exactly one of `url` and `vanity_name`. Costs 10 credits. Answers are cached for 12 h.

        url: URL of the profile page, on any of the platform’s hosts; a string of 1 to 8,192 characters.
        vanity_name: The part of the profile’s URL after /in/; a string of 1 to 2,048 characters.
        """
        return self._object("pronetwork/profile", {**params, "sources": sources})

    @overload
    def get_pronetwork_company(self, *, sources: Literal[True], **params: Unpack[ByUrl]) -> SourcedAnswer[PronetworkCompany]: ...
    @overload
    def get_pronetwork_company(self, *, sources: bool = False, **params: Unpack[ByUrl]) -> Answer[PronetworkCompany]: ...
    @overload
    def get_pronetwork_company(self, *, sources: Literal[True], **params: Unpack[ByVanityName]) -> SourcedAnswer[PronetworkCompany]: ...
    @overload
    def get_pronetwork_company(self, *, sources: bool = False, **params: Unpack[ByVanityName]) -> Answer[PronetworkCompany]: ...
    def get_pronetwork_company(self, *, sources: bool = False, **params: Any) -> Answer[PronetworkCompany]:
        """
        LinkedIn company: description, size, industry, headquarters and exact followers.

        Reads the public page of a company, a school or a showcase. Any row of its “About us” may be
        missing: null.

        employees_on_pronetwork counts the members who name the company as their employer; company_size
        is the company’s own statement. Identify a company by the name in its URL. Its number, and its
        complete name as LinkedIn writes it (“Ember & Clay”), work if the company has an open job, which
        names its page.

        Give exactly one of `url` and `vanity_name`. Costs 6 credits. Answers are cached for 24 h.

        url: URL of the company page, on any of the platform’s hosts; a string of 1 to 8,192 characters.
        vanity_name: The part of the company’s URL after /company/: its name, or its number. Words with
        blanks are its name as LinkedIn writes it; a string of 1 to 2,048 characters.
        """
        return self._object("pronetwork/company", {**params, "sources": sources})

    @overload
    def get_pronetwork_posts(self, *, sources: Literal[True], **params: Unpack[PageByProfileUrl]) -> SourcedPage[PronetworkPost]: ...
    @overload
    def get_pronetwork_posts(self, *, sources: bool = False, **params: Unpack[PageByProfileUrl]) -> Page[PronetworkPost]: ...
    @overload
    def get_pronetwork_posts(self, *, sources: Literal[True], **params: Unpack[PageByCompanyUrl]) -> SourcedPage[PronetworkPost]: ...
    @overload
    def get_pronetwork_posts(self, *, sources: bool = False, **params: Unpack[PageByCompanyUrl]) -> Page[PronetworkPost]: ...
    def get_pronetwork_posts(self, *, sources: bool = False, **params: Any) -> Page[PronetworkPost]:
        """
        LinkedIn posts: by a person or a company, newest first.

        For a company: the newest posts on its page, ten at a time. Visitors see at most about seventy,
        of some accounts ten. For a person: the nine to eighteen posts on the profile, on one page,
        without posts that the person only liked or commented on. For a page that hides its posts from
        logged-out visitors, the list is empty.

        Some profiles truncate posts and omit their counts. Such posts, the files of videos, and pictures
        after the fifth come from each post's own page: at most `limit` of them, at the platform's pace.
        If such a page is refused, you get what the list has.

        published_at is exact. A company's repost has its own time; a person's plain repost has the time
        of the original. Logged-out visitors cannot see the number of reposts, or of reactions of each
        kind.

        Give exactly one of `profile_url` and `company_url`. Costs 6 credits. Answers are cached for 3 h.

        profile_url: URL of a profile page; a string of 1 to 8,192 characters.
        company_url: URL of a company, school or showcase page; a string of 1 to 8,192 characters.
        limit: Items per page; a whole number from 1 to 20; 20 by default.
        cursor: `meta.next_cursor` of the previous page; a string of 1 to 4,096 characters.
        """
        return self._page("pronetwork/posts", {**params, "sources": sources})

    @overload
    def search_pronetwork_jobs(self, *, sources: Literal[True], **params: Unpack[PronetworkJobsParams]) -> SourcedPage[PronetworkJob]: ...
    @overload
    def search_pronetwork_jobs(self, *, sources: bool = False, **params: Unpack[PronetworkJobsParams]) -> Page[PronetworkJob]: ...
    def search_pronetwork_jobs(self, *, sources: bool = False, **params: Any) -> Page[PronetworkJob]:
        """
        LinkedIn jobs: by query, location, workplace and age, with their descriptions.

        Reads the job list for logged-out visitors, ten jobs at a time, a thousand at most. `location` is
        looked up among the platform's own places first ("Berlin" becomes "Berlin, Germany"). Jobs
        unrelated to `query`, which the platform lists if no job matches, are not returned: the search
        page is read, and you get an empty list only if it says that nothing matches.

        Description, seniority, employment type and pay come from each job's own page, which is read for
        every job at the platform's pace: use a smaller `limit` if time matters. If such a page is
        refused, those fields are null.

        workplace_type is the job’s own statement, and null for most: the platform ignores this filter
        for logged-out visitors, so jobs of other kinds are returned, too, and so are jobs older than
        posted_within_days if the platform lists them. `coverage.ignored` names the filters without
        effect. Few jobs show their pay.

        Costs 4 credits. Answers are cached for 3 h.

        query: What to search for: a title, a skill, a company; a string of 1 to 2,048 characters.
        location: Location, as the platform writes it; a string of 1 to 2,048 characters.
        workplace_type: Only jobs of this kind; one of on-site, hybrid, remote.
        posted_within_days: Only jobs listed in the last N days; a whole number from 1 to 90.
        limit: Items per page; a whole number from 1 to 25; 25 by default.
        cursor: `meta.next_cursor` of the previous page; a string of 1 to 4,096 characters.
        """
        return self._page("pronetwork/jobs", {**params, "sources": sources})


class AsyncPronetworkMethods(AsyncCalls):
    """Endpoints of pronetwork."""

    @overload
    async def get_pronetwork_profile(self, *, sources: Literal[True], **params: Unpack[ByUrl]) -> SourcedAnswer[PronetworkProfile]: ...
    @overload
    async def get_pronetwork_profile(self, *, sources: bool = False, **params: Unpack[ByUrl]) -> Answer[PronetworkProfile]: ...
    @overload
    async def get_pronetwork_profile(self, *, sources: Literal[True], **params: Unpack[ByVanityName]) -> SourcedAnswer[PronetworkProfile]: ...
    @overload
    async def get_pronetwork_profile(self, *, sources: bool = False, **params: Unpack[ByVanityName]) -> Answer[PronetworkProfile]: ...
    async def get_pronetwork_profile(self, *, sources: bool = False, **params: Any) -> Answer[PronetworkProfile]:
        """LinkedIn profile: headline, about, counts, experience, education and skills. As in `Client`."""
        return await self._object("pronetwork/profile", {**params, "sources": sources})

    @overload
    async def get_pronetwork_company(self, *, sources: Literal[True], **params: Unpack[ByUrl]) -> SourcedAnswer[PronetworkCompany]: ...
    @overload
    async def get_pronetwork_company(self, *, sources: bool = False, **params: Unpack[ByUrl]) -> Answer[PronetworkCompany]: ...
    @overload
    async def get_pronetwork_company(self, *, sources: Literal[True], **params: Unpack[ByVanityName]) -> SourcedAnswer[PronetworkCompany]: ...
    @overload
    async def get_pronetwork_company(self, *, sources: bool = False, **params: Unpack[ByVanityName]) -> Answer[PronetworkCompany]: ...
    async def get_pronetwork_company(self, *, sources: bool = False, **params: Any) -> Answer[PronetworkCompany]:
        """LinkedIn company: description, size, industry, headquarters and exact followers. As in `Client`."""
        return await self._object("pronetwork/company", {**params, "sources": sources})

    @overload
    async def get_pronetwork_posts(self, *, sources: Literal[True], **params: Unpack[PageByProfileUrl]) -> AsyncSourcedPage[PronetworkPost]: ...
    @overload
    async def get_pronetwork_posts(self, *, sources: bool = False, **params: Unpack[PageByProfileUrl]) -> AsyncPage[PronetworkPost]: ...
    @overload
    async def get_pronetwork_posts(self, *, sources: Literal[True], **params: Unpack[PageByCompanyUrl]) -> AsyncSourcedPage[PronetworkPost]: ...
    @overload
    async def get_pronetwork_posts(self, *, sources: bool = False, **params: Unpack[PageByCompanyUrl]) -> AsyncPage[PronetworkPost]: ...
    async def get_pronetwork_posts(self, *, sources: bool = False, **params: Any) -> AsyncPage[PronetworkPost]:
        """LinkedIn posts: by a person or a company, newest first. As in `Client`."""
        return await self._page("pronetwork/posts", {**params, "sources": sources})

    @overload
    async def search_pronetwork_jobs(self, *, sources: Literal[True], **params: Unpack[PronetworkJobsParams]) -> AsyncSourcedPage[PronetworkJob]: ...
    @overload
    async def search_pronetwork_jobs(self, *, sources: bool = False, **params: Unpack[PronetworkJobsParams]) -> AsyncPage[PronetworkJob]: ...
    async def search_pronetwork_jobs(self, *, sources: bool = False, **params: Any) -> AsyncPage[PronetworkJob]:
        """LinkedIn jobs: by query, location, workplace and age, with their descriptions. As in `Client`."""
        return await self._page("pronetwork/jobs", {**params, "sources": sources})
