# Written by `npm run generate` from the table of endpoints: change that, and not this file.
"""The account of the key, its jobs and schedules."""

from typing import Literal

from .._calls import AsyncCalls, Calls
from ..answers import AsyncListing, Listing
from ..objects import Account, ApiKey, Job, NewSharedLink, NewWebhookSecret, Schedule, ScheduleChange, ScheduleRun, SharedLink, UsageRow, WebhookDelivery, WebhookSecret


class ServiceMethods(Calls):
    """The account of the key, its jobs and schedules. All of it is free."""

    def get_account(self) -> Account:
        """The account of the key, its balance and what the key may do."""
        return self._operate(Account, "GET", "account")

    def list_keys(self) -> list[ApiKey]:
        """
        The API keys of the account, oldest first, including revoked ones.

        Secrets are never shown again. You create and revoke keys on the dashboard.
        """
        return self._operate(list[ApiKey], "GET", "keys")

    def list_usage(self, *, limit: int | None = None, cursor: str | None = None, from_: str | None = None, to: str | None = None, endpoint: str | None = None, job_id: str | None = None) -> Listing[UsageRow]:
        """
        The usage ledger, newest calls first.

        One row for each call. A failed call shows a charge of 0 and the refund. With filters, a page
        before the last one may have fewer rows than `limit`, or none, because a long history is searched
        in parts.

        limit: Rows a page.
        cursor: `meta.next_cursor` of the previous page.
        from_: Calls from this day or time on (ISO 8601).
        to: Calls before this day or time (ISO 8601).
        endpoint: Only calls of this endpoint, such as `maps/place`.
        job_id: Only calls of this job.
        """
        return self._listing("usage", {"limit": limit, "cursor": cursor, "from": from_, "to": to, "endpoint": endpoint, "job_id": job_id})

    def list_jobs(self, *, limit: int | None = None, cursor: str | None = None) -> Listing[Job]:
        """
        The jobs of the account, newest first.

        limit: Jobs a page.
        cursor: `meta.next_cursor` of the previous page.
        """
        return self._listing("jobs", {"limit": limit, "cursor": cursor})

    def get_job(self, id: str) -> Job:
        """A job."""
        return self._operate(Job, "GET", f"jobs/{id}")

    def cancel_job(self, id: str) -> Job:
        """Cancel a job: inputs that have not run become error lines and are refunded."""
        return self._operate(Job, "POST", f"jobs/{id}/cancel")

    def get_job_webhook(self, id: str) -> WebhookDelivery:
        """The delivery attempts of a job’s webhook."""
        return self._operate(WebhookDelivery, "GET", f"jobs/{id}/webhook")

    def redeliver_job_webhook(self, id: str) -> Job:
        """Send the webhook of a finished job again."""
        return self._operate(Job, "POST", f"jobs/{id}/webhook/redeliver")

    def list_schedules(self, *, limit: int | None = None, cursor: str | None = None) -> Listing[Schedule]:
        """
        The schedules of the account, newest first.

        limit: Schedules a page.
        cursor: `meta.next_cursor` of the previous page.
        """
        return self._listing("schedules", {"limit": limit, "cursor": cursor})

    def get_schedule(self, id: str) -> Schedule:
        """A schedule."""
        return self._operate(Schedule, "GET", f"schedules/{id}")

    def pause_schedule(self, id: str) -> Schedule:
        """Pause a schedule: no further jobs until it is resumed; running jobs continue."""
        return self._operate(Schedule, "POST", f"schedules/{id}/pause")

    def resume_schedule(self, id: str) -> Schedule:
        """Resume a schedule with its next run; missed runs are not made up."""
        return self._operate(Schedule, "POST", f"schedules/{id}/resume")

    def run_schedule(self, id: str) -> Schedule:
        """Run a schedule now, in addition to its times; refused while a run is in progress."""
        return self._operate(Schedule, "POST", f"schedules/{id}/run")

    def list_schedule_runs(self, id: str, *, limit: int | None = None, cursor: str | None = None) -> Listing[ScheduleRun]:
        """
        The runs of a schedule, newest first, with missed ones.

        limit: Schedules a page.
        cursor: `meta.next_cursor` of the previous page.
        """
        return self._listing(f"schedules/{id}/runs", {"limit": limit, "cursor": cursor})

    def list_schedule_changes(self, id: str, *, limit: int | None = None, cursor: str | None = None, since: str | None = None, field: str | None = None) -> Listing[ScheduleChange]:
        """
        The changes that a schedule with `history` recorded, oldest first.

        limit: Changes a page.
        cursor: `meta.next_cursor` of the previous page.
        since: Changes read at this time or later: `2026-11-01` or `2026-11-01T06:00:00Z`.
        field: Only changes of this field, such as `rating`.
        """
        return self._listing(f"schedules/{id}/changes", {"limit": limit, "cursor": cursor, "since": since, "field": field})

    def end_schedule(self, id: str) -> Schedule:
        """End a schedule for good and delete its inputs and its history; running jobs continue."""
        return self._operate(Schedule, "POST", f"schedules/{id}/end")

    def get_webhook_secret(self) -> WebhookSecret:
        """When the signing secret was created; never the secret itself."""
        return self._operate(WebhookSecret, "GET", "webhooks/secret")

    def rotate_webhook_secret(self) -> NewWebhookSecret:
        """Create a signing secret, shown once; the previous one stays valid for a day, or until the next
        one."""
        return self._operate(NewWebhookSecret, "POST", "webhooks/secret")

    def list_job_links(self, id: str) -> list[SharedLink]:
        """
        The shared links to a job, newest first.

        Their URLs are never shown again.
        """
        return self._operate(list[SharedLink], "GET", f"jobs/{id}/links")

    def create_job_link(self, id: str, kind: Literal["feed", "table"]) -> NewSharedLink:
        """
        Create a link that reads a job without a key.

        A job has tables: its results as CSV, from its end until the results expire. Anyone with the URL
        can read it, and nothing else. The URL is shown once.

        kind: `table`: the rows of the last results as CSV. `feed`: what changed, as Atom and JSON Feed.
        """
        return self._operate(NewSharedLink, "POST", f"jobs/{id}/links", {"kind": kind})

    def revoke_job_link(self, id: str, link: str) -> SharedLink:
        """Revoke a link to a job: the next read fails."""
        return self._operate(SharedLink, "POST", f"jobs/{id}/links/{link}/revoke")

    def list_schedule_links(self, id: str) -> list[SharedLink]:
        """
        The shared links to a schedule, newest first.

        Their URLs are never shown again.
        """
        return self._operate(list[SharedLink], "GET", f"schedules/{id}/links")

    def create_schedule_link(self, id: str, kind: Literal["feed", "table"]) -> NewSharedLink:
        """
        Create a link that reads a schedule without a key.

        A table has the results of the newest finished run; a feed lists changes, for a schedule with
        `history`. Anyone with the URL can read it, and nothing else. The URL is shown once.

        kind: `table`: the rows of the last results as CSV. `feed`: what changed, as Atom and JSON Feed.
        """
        return self._operate(NewSharedLink, "POST", f"schedules/{id}/links", {"kind": kind})

    def revoke_schedule_link(self, id: str, link: str) -> SharedLink:
        """Revoke a link to a schedule: the next read fails."""
        return self._operate(SharedLink, "POST", f"schedules/{id}/links/{link}/revoke")


class AsyncServiceMethods(AsyncCalls):
    """The account of the key, its jobs and schedules. All of it is free."""

    async def get_account(self) -> Account:
        """The account of the key, its balance and what the key may do. As in `Client`."""
        return await self._operate(Account, "GET", "account")

    async def list_keys(self) -> list[ApiKey]:
        """The API keys of the account, oldest first, including revoked ones. As in `Client`."""
        return await self._operate(list[ApiKey], "GET", "keys")

    async def list_usage(self, *, limit: int | None = None, cursor: str | None = None, from_: str | None = None, to: str | None = None, endpoint: str | None = None, job_id: str | None = None) -> AsyncListing[UsageRow]:
        """The usage ledger, newest calls first. As in `Client`."""
        return await self._listing("usage", {"limit": limit, "cursor": cursor, "from": from_, "to": to, "endpoint": endpoint, "job_id": job_id})

    async def list_jobs(self, *, limit: int | None = None, cursor: str | None = None) -> AsyncListing[Job]:
        """The jobs of the account, newest first. As in `Client`."""
        return await self._listing("jobs", {"limit": limit, "cursor": cursor})

    async def get_job(self, id: str) -> Job:
        """A job. As in `Client`."""
        return await self._operate(Job, "GET", f"jobs/{id}")

    async def cancel_job(self, id: str) -> Job:
        """Cancel a job: inputs that have not run become error lines and are refunded. As in `Client`."""
        return await self._operate(Job, "POST", f"jobs/{id}/cancel")

    async def get_job_webhook(self, id: str) -> WebhookDelivery:
        """The delivery attempts of a job’s webhook. As in `Client`."""
        return await self._operate(WebhookDelivery, "GET", f"jobs/{id}/webhook")

    async def redeliver_job_webhook(self, id: str) -> Job:
        """Send the webhook of a finished job again. As in `Client`."""
        return await self._operate(Job, "POST", f"jobs/{id}/webhook/redeliver")

    async def list_schedules(self, *, limit: int | None = None, cursor: str | None = None) -> AsyncListing[Schedule]:
        """The schedules of the account, newest first. As in `Client`."""
        return await self._listing("schedules", {"limit": limit, "cursor": cursor})

    async def get_schedule(self, id: str) -> Schedule:
        """A schedule. As in `Client`."""
        return await self._operate(Schedule, "GET", f"schedules/{id}")

    async def pause_schedule(self, id: str) -> Schedule:
        """Pause a schedule: no further jobs until it is resumed; running jobs continue. As in `Client`."""
        return await self._operate(Schedule, "POST", f"schedules/{id}/pause")

    async def resume_schedule(self, id: str) -> Schedule:
        """Resume a schedule with its next run; missed runs are not made up. As in `Client`."""
        return await self._operate(Schedule, "POST", f"schedules/{id}/resume")

    async def run_schedule(self, id: str) -> Schedule:
        """Run a schedule now, in addition to its times; refused while a run is in progress. As in `Client`."""
        return await self._operate(Schedule, "POST", f"schedules/{id}/run")

    async def list_schedule_runs(self, id: str, *, limit: int | None = None, cursor: str | None = None) -> AsyncListing[ScheduleRun]:
        """The runs of a schedule, newest first, with missed ones. As in `Client`."""
        return await self._listing(f"schedules/{id}/runs", {"limit": limit, "cursor": cursor})

    async def list_schedule_changes(self, id: str, *, limit: int | None = None, cursor: str | None = None, since: str | None = None, field: str | None = None) -> AsyncListing[ScheduleChange]:
        """The changes that a schedule with `history` recorded, oldest first. As in `Client`."""
        return await self._listing(f"schedules/{id}/changes", {"limit": limit, "cursor": cursor, "since": since, "field": field})

    async def end_schedule(self, id: str) -> Schedule:
        """End a schedule for good and delete its inputs and its history; running jobs continue. As in
        `Client`."""
        return await self._operate(Schedule, "POST", f"schedules/{id}/end")

    async def get_webhook_secret(self) -> WebhookSecret:
        """When the signing secret was created; never the secret itself. As in `Client`."""
        return await self._operate(WebhookSecret, "GET", "webhooks/secret")

    async def rotate_webhook_secret(self) -> NewWebhookSecret:
        """Create a signing secret, shown once; the previous one stays valid for a day, or until the next
        one. As in `Client`."""
        return await self._operate(NewWebhookSecret, "POST", "webhooks/secret")

    async def list_job_links(self, id: str) -> list[SharedLink]:
        """The shared links to a job, newest first. As in `Client`."""
        return await self._operate(list[SharedLink], "GET", f"jobs/{id}/links")

    async def create_job_link(self, id: str, kind: Literal["feed", "table"]) -> NewSharedLink:
        """Create a link that reads a job without a key. As in `Client`."""
        return await self._operate(NewSharedLink, "POST", f"jobs/{id}/links", {"kind": kind})

    async def revoke_job_link(self, id: str, link: str) -> SharedLink:
        """Revoke a link to a job: the next read fails. As in `Client`."""
        return await self._operate(SharedLink, "POST", f"jobs/{id}/links/{link}/revoke")

    async def list_schedule_links(self, id: str) -> list[SharedLink]:
        """The shared links to a schedule, newest first. As in `Client`."""
        return await self._operate(list[SharedLink], "GET", f"schedules/{id}/links")

    async def create_schedule_link(self, id: str, kind: Literal["feed", "table"]) -> NewSharedLink:
        """Create a link that reads a schedule without a key. As in `Client`."""
        return await self._operate(NewSharedLink, "POST", f"schedules/{id}/links", {"kind": kind})

    async def revoke_schedule_link(self, id: str, link: str) -> SharedLink:
        """Revoke a link to a schedule: the next read fails. As in `Client`."""
        return await self._operate(SharedLink, "POST", f"schedules/{id}/links/{link}/revoke")
