# Written by `npm run generate` from the table of endpoints: change that, and not this file.
"""Every code of an error."""

from typing import Literal, Union

ErrorType = Literal[
    "invalid_request", "authentication", "permission", "billing", "not_found", "conflict", "gone", "rate_limit",
    "platform", "internal",
]

InvalidRequestErrorCode = Literal[
    "missing_parameter", "conflicting_parameters", "invalid_parameter", "unknown_parameter", "renamed_parameter",
    "invalid_url", "invalid_cursor", "cursor_expired", "invalid_body", "too_many_inputs", "webhook_url_not_https",
    "webhook_url_not_allowed", "idempotency_mismatch", "method_not_allowed", "body_too_large",
]

AuthenticationErrorCode = Literal["missing_api_key", "invalid_api_key", "revoked_api_key"]

PermissionDeniedErrorCode = Literal[
    "email_not_verified", "platform_not_allowed", "fresh_not_available", "disposable_email", "key_limit_reached",
    "storage_full",
]

BillingErrorCode = Literal["insufficient_credits"]

NotFoundErrorCode = Literal[
    "profile_not_found", "company_not_found", "place_not_found", "post_not_found", "video_not_found",
    "hashtag_not_found", "job_not_found", "archive_not_found", "schedule_not_found", "link_not_found",
    "endpoint_not_found", "account_private", "subject_suppressed",
]

ConflictErrorCode = Literal[
    "job_not_finished", "job_already_finished", "schedule_ended", "idempotency_in_progress", "job_cancelled",
]

GoneErrorCode = Literal["results_expired"]

RateLimitErrorCode = Literal["rate_limited"]

PlatformErrorCode = Literal[
    "platform_blocked", "platform_login_required", "platform_restricted", "platform_rate_limited",
    "platform_unavailable", "platform_timeout", "platform_changed",
]

InternalErrorCode = Literal["internal_error"]

ErrorCode = Union[
    InvalidRequestErrorCode, AuthenticationErrorCode, PermissionDeniedErrorCode, BillingErrorCode,
    NotFoundErrorCode, ConflictErrorCode, GoneErrorCode, RateLimitErrorCode, PlatformErrorCode, InternalErrorCode,
]

ENTRIES: dict[str, tuple[ErrorType, int, bool]] = {
    "missing_parameter": ("invalid_request", 400, False),
    "conflicting_parameters": ("invalid_request", 400, False),
    "invalid_parameter": ("invalid_request", 400, False), "unknown_parameter": ("invalid_request", 400, False),
    "renamed_parameter": ("invalid_request", 400, False), "invalid_url": ("invalid_request", 400, False),
    "invalid_cursor": ("invalid_request", 400, False), "cursor_expired": ("invalid_request", 400, False),
    "invalid_body": ("invalid_request", 400, False), "too_many_inputs": ("invalid_request", 400, False),
    "webhook_url_not_https": ("invalid_request", 400, False),
    "webhook_url_not_allowed": ("invalid_request", 400, False),
    "idempotency_mismatch": ("invalid_request", 400, False),
    "method_not_allowed": ("invalid_request", 405, False), "body_too_large": ("invalid_request", 413, False),
    "missing_api_key": ("authentication", 401, False), "invalid_api_key": ("authentication", 401, False),
    "revoked_api_key": ("authentication", 401, False), "email_not_verified": ("permission", 403, False),
    "platform_not_allowed": ("permission", 403, False), "fresh_not_available": ("permission", 403, False),
    "disposable_email": ("permission", 403, False), "key_limit_reached": ("permission", 403, False),
    "storage_full": ("permission", 403, False), "insufficient_credits": ("billing", 403, False),
    "profile_not_found": ("not_found", 404, False), "company_not_found": ("not_found", 404, False),
    "place_not_found": ("not_found", 404, False), "post_not_found": ("not_found", 404, False),
    "video_not_found": ("not_found", 404, False), "hashtag_not_found": ("not_found", 404, False),
    "job_not_found": ("not_found", 404, False), "archive_not_found": ("not_found", 404, False),
    "schedule_not_found": ("not_found", 404, False), "link_not_found": ("not_found", 404, False),
    "endpoint_not_found": ("not_found", 404, False), "account_private": ("not_found", 404, False),
    "subject_suppressed": ("not_found", 404, False), "job_not_finished": ("conflict", 409, False),
    "job_already_finished": ("conflict", 409, False), "schedule_ended": ("conflict", 409, False),
    "idempotency_in_progress": ("conflict", 409, True), "results_expired": ("gone", 410, False),
    "rate_limited": ("rate_limit", 429, True), "platform_blocked": ("platform", 502, True),
    "platform_login_required": ("platform", 502, True), "platform_restricted": ("platform", 502, False),
    "platform_rate_limited": ("platform", 502, True), "platform_unavailable": ("platform", 502, True),
    "platform_timeout": ("platform", 502, True), "platform_changed": ("platform", 502, False),
    "internal_error": ("internal", 500, True), "job_cancelled": ("conflict", 409, False),
}

"""Code → its type, its HTTP status, and whether the same call may succeed later."""
