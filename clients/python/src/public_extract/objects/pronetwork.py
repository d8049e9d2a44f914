# Written by `npm run generate` from the table of endpoints: change that, and not this file.
"""Objects of pronetwork."""

from __future__ import annotations

from typing import Literal, TypedDict


class PronetworkProfileCurrentCompany(TypedDict):
    name: str
    """Name."""
    url: str | None
    """URL of the company page."""


class PronetworkProfileExperience(TypedDict):
    """A position."""
    title: str | None
    """Job title; null if the page hides it."""
    company: str | None
    """Name of the company."""
    company_url: str | None
    """URL of the company or school page."""
    location: str | None
    """Location."""
    start_date: str | None
    """As precise as the page: "2019" or "2019-04"."""
    end_date: str | None
    """As precise as the page; null for a current position."""
    is_current: bool | None
    """Whether the position is current; null if the page shows no dates."""
    description: str | None
    """What the person wrote about it."""


class PronetworkProfileEducation(TypedDict):
    """A school, with what was studied and when."""
    school: str | None
    """Name of the school."""
    school_url: str | None
    """URL of the school page."""
    degree: str | None
    """Degree."""
    field_of_study: str | None
    """Field of study."""
    start_date: str | None
    """As precise as the page."""
    end_date: str | None
    """As precise as the page."""


class PronetworkProfile(TypedDict):
    full_name: str
    """Name."""
    headline: str | None
    """Line below the name."""
    about: str | None
    """About text; ends in “…” if the page truncates it (2026)."""
    location: str | None
    """Location as the page words it."""
    follower_count: int | None
    """Followers: exact if the page has the number, otherwise rounded as shown."""
    connection_count: int | None
    """Connections; 500 means 500 or more."""
    current_company: PronetworkProfileCurrentCompany | None
    """Company named at the top of the page."""
    experience: list[PronetworkProfileExperience]
    """Positions in the page’s order; several at one company are listed separately."""
    education: list[PronetworkProfileEducation]
    """Schools in the page’s order."""
    skills: list[str] | None
    """Skills; null for the many pages that show none."""


class PronetworkCompany(TypedDict):
    name: str
    """Name."""
    tagline: str | None
    """Line below the name."""
    description: str | None
    """Full About text."""
    website: str | None
    """Website."""
    industry: str | None
    """Industry."""
    company_size: str | None
    """Size as the page words it, such as "1,001-5,000 employees"."""
    employees_on_pronetwork: int | None
    """Members who name the company as their employer."""
    headquarters: str | None
    """Location of the headquarters."""
    company_type: str | None
    """Type as the page words it, such as "Public Company"."""
    founded: int | None
    """Year it was founded."""
    specialties: list[str] | None
    """Specialties; empty if the company lists none, null if the page does not show them."""
    follower_count: int | None
    """Followers, exact."""


class PronetworkPostImages(TypedDict):
    url: str
    """Signed URL; expires."""
    width: int | None
    """Pixels."""
    height: int | None
    """Pixels."""


class PronetworkPostVideo(TypedDict):
    url: str | None
    """Signed URL of the best file; expires."""
    thumbnail_url: str | None
    """Cover."""
    duration: float | None
    """Seconds."""


class PronetworkPostDocument(TypedDict):
    title: str | None
    """Title."""
    url: str | None
    """Signed URL of its list of pages; expires."""
    page_count: int | None
    """Pages."""


class PronetworkPostArticle(TypedDict):
    title: str | None
    """Title."""
    url: str
    """URL."""
    thumbnail_url: str | None
    """Picture."""


class PronetworkPostReactionBreakdown(TypedDict):
    kind: str
    """LIKE, EMPATHY, PRAISE, INTEREST, APPRECIATION, ENTERTAINMENT, …"""
    count: int | None
    """Reactions of this kind; the platform does not show the number."""


class PronetworkPost(TypedDict):
    text: str | None
    """Full text; for a repost without text, the text of the original."""
    images: list[PronetworkPostImages]
    """Pictures."""
    video: PronetworkPostVideo | None
    """Video hosted by the platform."""
    document: PronetworkPostDocument | None
    """Document shown page by page."""
    article: PronetworkPostArticle | None
    """Article, page or external video that the post links to."""
    published_at: str | None
    """When it was published, to the millisecond. A repost has its own time."""
    reaction_count: int | None
    """Reactions of all kinds."""
    reaction_breakdown: list[PronetworkPostReactionBreakdown] | None
    """Up to three kinds, the most frequent first."""
    comment_count: int | None
    """Comments."""
    repost_count: int | None
    """Reposts; not shown to logged-out visitors."""


class PronetworkJobCompany(TypedDict):
    name: str
    """Name."""
    url: str | None
    """URL of the company page; null if there is none."""


class PronetworkJobSalary(TypedDict):
    text: str
    """As the page words it."""
    currency: str | None
    """Three-letter code."""
    min: float | None
    """Lower end."""
    max: float | None
    """Upper end."""
    period: Literal["hour", "day", "week", "month", "year"] | None
    """Pay period."""


class PronetworkJob(TypedDict):
    title: str
    """Title."""
    company: PronetworkJobCompany | None
    """Who is hiring."""
    location: str | None
    """Location."""
    workplace_type: Literal["on-site", "hybrid", "remote"] | None
    """As the job states it; null if it does not."""
    employment_type: str | None
    """As the page words it, such as "Full-time"."""
    seniority_level: str | None
    """As the page words it, such as "Mid-Senior level"."""
    salary: PronetworkJobSalary | None
    """Pay, if shown."""
    listed_at: str | None
    """When it was listed; midnight UTC if the page has only the day."""
    description: str | None
    """Description as plain text."""
