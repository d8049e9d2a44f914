# Written by `npm run generate` from the table of endpoints: change that, and not this file.
"""Which fields are times."""

TIMES = frozenset({
    "at", "create_time", "created_at", "expires_at", "fetched_at", "finished_at", "last_read_at", "last_used_at",
    "listed_at", "monthly_credits_reset_at", "next_attempt_at", "next_run_at", "planned_at", "previous_until",
    "publish_time", "published_at", "results_expire_at", "revoked_at", "timestamp",
})
"""Fields of objects, sources and answers that hold a time (ISO 8601 UTC)."""
