# Written by `npm run generate` from the table of endpoints: change that, and not this file.
"""What the service says of itself."""

from __future__ import annotations

from typing import Any, Literal, NotRequired, TypedDict


class ItemSourceAuthor(TypedDict):
    id: str | None
    """The platform’s ID of the author."""
    handle: str | None
    """Handle, without @."""
    name: str | None
    """Name that the page shows."""
    url: str | None
    """Public page of the author."""


class ItemSource(TypedDict):
    id: str | None
    """The platform’s ID of the item."""
    url: str | None
    """Public URL at which a person sees the item."""
    author: ItemSourceAuthor | None
    """Who published it; null for places and profiles, and if the page does not say."""
    position: int
    """Position in the list, from 1, counted over all its pages."""
    fetched_at: str
    """When the page was fetched."""
    route: str | None
    """The place that it was read from, as `coverage.routes` names it."""


class CoverageRoutes(TypedDict):
    route: str
    """The route that was tried."""
    outcome: Literal["answered", "missing_parameter", "conflicting_parameters", "invalid_parameter", "unknown_parameter", "renamed_parameter", "invalid_url", "invalid_cursor", "cursor_expired", "invalid_body", "too_many_inputs", "webhook_url_not_https", "webhook_url_not_allowed", "idempotency_mismatch", "method_not_allowed", "body_too_large", "missing_api_key", "invalid_api_key", "revoked_api_key", "email_not_verified", "platform_not_allowed", "fresh_not_available", "disposable_email", "key_limit_reached", "storage_full", "insufficient_credits", "profile_not_found", "company_not_found", "place_not_found", "post_not_found", "video_not_found", "hashtag_not_found", "job_not_found", "archive_not_found", "schedule_not_found", "link_not_found", "endpoint_not_found", "account_private", "subject_suppressed", "job_not_finished", "job_already_finished", "schedule_ended", "idempotency_in_progress", "results_expired", "rate_limited", "platform_blocked", "platform_login_required", "platform_restricted", "platform_rate_limited", "platform_unavailable", "platform_timeout", "platform_changed", "internal_error", "job_cancelled"]
    """answered, or the code of its error."""


class Coverage(TypedDict):
    given: int
    """Items so far, over all pages of this list up to this one; 1 for an object."""
    total: int | None
    """Items of the complete list, by the platform’s own count."""
    ended: Literal["more", "end", "visitors", "repeated", "refused", "unknown"]
    """more: there is a next page. end: the platform says that the list ends here. visitors: it shows
    visitors no more. repeated: it returned the same page again. refused: it refused the rest. unknown:
    it does not say."""
    ignored: list[str]
    """Parameters without effect."""
    rounded: list[str]
    """Fields whose numbers are rounded here, although the endpoint can return exact ones."""
    routes: list[CoverageRoutes]
    """The routes that were tried, in order."""


class AccountApiKey(TypedDict):
    """The key of this request."""
    id: str
    """ID of the key, `key_…`."""
    name: str
    """Name."""
    platforms: list[Literal["maps", "pronetwork", "photosocial", "shortvideo"]] | None
    """Platforms it may call; null for all of them."""
    expires_at: str | None
    """When it expires; null for never."""
    monthly_credits: int | None
    """Credits it may spend in a calendar month (UTC); null for no limit."""
    monthly_credits_used: int
    """Credits it has spent this month, minus refunds."""
    monthly_credits_reset_at: str
    """When the next month begins."""


class Account(TypedDict):
    id: str
    """ID of the account, `acct_…`."""
    email: str
    """E-mail address, in lower case."""
    is_verified: bool
    """The address is confirmed."""
    created_at: str
    """When the account was created."""
    credits_remaining: int
    """Balance."""
    credits_kind: Literal["trial", "bought"]
    """`bought` once a pack has been bought, which `fresh=true` requires; `trial` before that."""
    api_key: AccountApiKey
    """The key of this request."""


class ApiKey(TypedDict):
    id: str
    """ID of the key, `key_…`."""
    account: str
    """ID of its account."""
    name: str
    """Name."""
    platforms: list[Literal["maps", "pronetwork", "photosocial", "shortvideo"]] | None
    """Platforms it may call; null for all of them."""
    created_at: str
    """When the key was created."""
    revoked_at: str | None
    """When it was revoked; null if it has not been."""
    last_four: str | None
    """The last four characters of its secret; null for keys created before these were stored."""
    expires_at: str | None
    """When it expires; null for never."""
    last_used_at: str | None
    """When it was last used, to the minute."""
    monthly_credits: int | None
    """Credits it may spend in a calendar month (UTC); null for no limit."""
    monthly_credits_used: int
    """Credits it has spent this month, minus refunds."""
    monthly_credits_reset_at: str
    """When the next month begins."""


class UsageRowApiKey(TypedDict):
    id: str
    """ID of the key."""
    name: str
    """Name."""


class UsageRow(TypedDict):
    id: str
    """Request ID, or the ID of the job and the index of the input."""
    created_at: str
    """When the call was made."""
    endpoint: str
    """Endpoint, such as `maps/place`."""
    status: Literal["ok", "failed"]
    """How the call ended."""
    error_code: str | None
    """Code of the error; null for a call that succeeded or was aborted."""
    credits_charged: int
    """The cost of the call; 0 for one that failed."""
    credits_refunded: int
    """Credits refunded."""
    cached: bool
    """Answered from the cache."""
    api_key: UsageRowApiKey | None
    """The key that made the call."""
    job_id: str | None
    """The job that made the call; null if none did."""
    duration_ms: int | None
    """Duration in milliseconds; null if unknown."""


class JobWebhook(TypedDict):
    """Present if the job has a webhook."""
    url: str
    """The address to which the finished job is sent, or its results are written."""
    state: Literal["pending", "delivered", "failed"]
    """State of the delivery."""


class Job(TypedDict):
    id: str
    """ID of the job, `job_…`."""
    name: NotRequired[str]
    """Name of the job; present if it has one."""
    endpoint: str
    """The endpoint called for each input, such as `maps/place`."""
    sources: NotRequired[Literal[True]]
    """Adds `sources` to every line: the ID, link, author, position and reading time of each item."""
    history: NotRequired[Literal[True]]
    """Keeps what each run of the schedule read, and what changed: `GET /v1/schedules/{id}/changes`. It
    includes what `when` and `new` omit from the lines."""
    new: NotRequired[Literal[True]]
    """Omits, and counts in `left_out`, what an earlier job of the schedule returned: items of a list by
    their ID, and objects in which only counts changed. `removed` of a line has the IDs of items that
    disappeared from a list that was read to its end."""
    when: NotRequired[str]
    """A condition in CEL over the fields of an item and its `source`, such as `rating <= 2`. Other items
    are omitted, and counted in `left_out` of the line."""
    status: Literal["queued", "running", "done", "cancelled"]
    """`queued` until the first input runs; `done` or `cancelled` at the end."""
    total: int
    """Number of inputs."""
    completed: int
    """Inputs that were answered."""
    failed: int
    """Inputs that failed; the rest of `total` has not run yet."""
    credits_reserved: int
    """Credits reserved when the job was created."""
    credits_refunded: int
    """Credits refunded so far."""
    results_url: str
    """Path of the results."""
    results_expire_at: str | None
    """When the results are deleted; null until the job has finished."""
    webhook: NotRequired[JobWebhook]
    """Present if the job has a webhook."""
    schedule: NotRequired[str]
    """ID of the schedule that created it; present if one did."""
    created_at: str
    """When the job was created."""
    finished_at: str | None
    """When it finished; null until then."""


class ScheduleLastRun(TypedDict):
    """The latest run."""
    at: str
    """When it ran."""
    job: str | None
    """The job it created; null if it could not create one."""
    error: str | None
    """Error code if it could not create a job; otherwise null."""


class Schedule(TypedDict):
    id: str
    """ID of the schedule, `sched_…`."""
    name: NotRequired[str]
    """Name of its jobs; present if they have one."""
    endpoint: str
    """The endpoint called for each input."""
    sources: NotRequired[Literal[True]]
    """Adds `sources` to every line: the ID, link, author, position and reading time of each item."""
    history: NotRequired[Literal[True]]
    """Keeps what each run of the schedule read, and what changed: `GET /v1/schedules/{id}/changes`. It
    includes what `when` and `new` omit from the lines."""
    new: NotRequired[Literal[True]]
    """Omits, and counts in `left_out`, what an earlier job of the schedule returned: items of a list by
    their ID, and objects in which only counts changed. `removed` of a line has the IDs of items that
    disappeared from a list that was read to its end."""
    when: NotRequired[str]
    """A condition in CEL over the fields of an item and its `source`, such as `rating <= 2`. Other items
    are omitted, and counted in `left_out` of the line."""
    every: str
    """When it runs: an interval such as `6h`, days and a time such as `monday 08:00`, or five cron fields."""
    timezone: str
    """Time zone of its times, with its summer time, such as `Europe/Berlin`."""
    notify: NotRequired[list[str]]
    """Alert targets of each run, such as `slack: hooks.slack.com/…`; present if there are any."""
    status: Literal["active", "paused", "ended"]
    """`paused` until it is resumed; `ended` for good."""
    total: int
    """Number of inputs in each run."""
    credits_per_run: int
    """Credits reserved by each run."""
    runs_in_30_days: int
    """Runs in the next 30 days; 0 if it is not active."""
    credits_in_30_days: int
    """Credits reserved by these runs."""
    webhook_url: str | None
    """Where each finished job is sent; null for nowhere."""
    next_run_at: str | None
    """When the next job is created; null if it is not active."""
    last_run: ScheduleLastRun
    """The latest run."""
    created_at: str
    """When it was created, with its first job."""


class ScheduleRunAlerts(TypedDict):
    target: str
    """The target; of a URL only the host."""
    state: Literal["pending", "delivered", "failed"]
    """State of the alert."""
    attempts: int
    """Attempts so far."""
    error: str | None
    """Why the last attempt failed; null if it did not."""
    next_attempt_at: str | None
    """When the next attempt is due; null if none is."""


class ScheduleRun(TypedDict):
    number: int
    """Counts from 1 over the life of the schedule."""
    at: str
    """When it ran."""
    planned_at: str
    """When it was due; earlier than `at` if the run before it or the server was not ready."""
    missed: int
    """Scheduled times missed between `planned_at` and `at`; this run makes up for them."""
    job: str | None
    """The job it created; null if it could not create one."""
    error: str | None
    """Error code if it could not create a job; otherwise null."""
    alerts: list[ScheduleRunAlerts]
    """The alerts about it, in the order of `notify`; empty if there was nothing to report."""


class ScheduleChange(TypedDict):
    number: int
    """Increases over the life of the schedule, with gaps."""
    event: Literal["first", "new", "removed", "returned", "changed"]
    """`first`: read for the first time, possibly older; `new`, `removed`, `returned`: in a list that was
    read before; `changed`: a field has another value."""
    object: str
    """Kind of the item, such as `shortvideo_profile`."""
    id: str
    """ID of the item on its platform."""
    url: str | None
    """Its public page; null if unknown."""
    subject: str
    """The input that returned it, such as `nasa`."""
    endpoint: str
    """The endpoint that read it."""
    field: str | None
    """The field that changed; null for the other events."""
    before: Any
    """Value of the field before; null for the other events."""
    after: Any
    """Value of the field now; null for the other events."""
    fetched_at: str
    """When it was read."""
    run: str
    """The job that read it."""


class WebhookDeliveryAttempts(TypedDict):
    number: int
    """Counts from 1."""
    at: str
    """When it was created."""
    status: int | None
    """HTTP status of the response; null if there was none."""
    error: str | None
    """What went wrong; null if it was accepted."""


class WebhookDelivery(TypedDict):
    id: str
    """`whd_…`: the `Extract-Delivery` header of every attempt."""
    url: str
    """The address to which it is sent."""
    state: Literal["pending", "delivered", "failed"]
    """State of the delivery."""
    attempts: list[WebhookDeliveryAttempts]
    """Oldest first."""
    next_attempt_at: str | None
    """When the next attempt is due; null if none is."""


class WebhookSecret(TypedDict):
    created_at: str | None
    """When the secret was created; null if there is none yet."""
    previous_until: str | None
    """When deliveries stop being signed with the previous secret as well; null if they are not."""


class NewWebhookSecret(TypedDict):
    created_at: str | None
    """When the secret was created; null if there is none yet."""
    previous_until: str | None
    """When deliveries stop being signed with the previous secret as well; null if they are not."""
    secret: str
    """The secret, `whsec_…`. It is not shown again. The first one has also signed earlier deliveries."""


class SharedLink(TypedDict):
    id: str
    """ID of the link, `link_…`."""
    kind: Literal["feed", "table"]
    """`table`: the rows of the last results as CSV. `feed`: what changed, as Atom and JSON Feed."""
    prefix: str
    """The first characters of its token, to tell links apart."""
    created_at: str
    """When it was created."""
    last_read_at: str | None
    """When it was last read, to the minute; null if it never was."""


class NewSharedLink(TypedDict):
    id: str
    """ID of the link, `link_…`."""
    kind: Literal["feed", "table"]
    """`table`: the rows of the last results as CSV. `feed`: what changed, as Atom and JSON Feed."""
    prefix: str
    """The first characters of its token, to tell links apart."""
    created_at: str
    """When it was created."""
    last_read_at: str | None
    """When it was last read, to the minute; null if it never was."""
    urls: list[str]
    """Its URLs, not shown again: one ending in `.csv` for a table, one in `.atom` and one in `.json` for a
    feed."""


class Meta(TypedDict):
    request_id: str
    """ID of the request. Quote it when you ask for help."""
    credits_charged: int
    """Price of the call; 0 for a demo call."""
    credits_remaining: int
    """Balance after the call; 0 for a demo call without a key."""
    cached: bool
    """Served from the cache; the price is the same."""
    fetched_at: str
    """When the data was fetched; for a cached answer, when it was first fetched."""
    next_cursor: str | None
    """Pass it as `cursor` for the next page; null on the last page."""
