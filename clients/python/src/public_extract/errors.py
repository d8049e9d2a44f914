# Written by `npm run generate` from the table of endpoints: change that, and not this file.
"""A class of errors for each type. All are an `ExtractError`."""

from typing import Literal

from ._base_error import ExtractError as ExtractError
from .codes import ENTRIES, ErrorCode, ErrorType


class InvalidRequestError(ExtractError):
    """
    An error of type `invalid_request`.

    `missing_parameter`: A required parameter is missing. Add it; where one of two parameters is
    required, give exactly one.
    `conflicting_parameters`: Two parameters exclude each other. Leave one of them out.
    `invalid_parameter`: A parameter has a value it cannot have. Correct the value and try again.
    `unknown_parameter`: The endpoint has no such parameter. Remove it or correct its name; the page of
    the endpoint lists its parameters.
    `renamed_parameter`: The parameter has a new name. Use the new name.
    `invalid_url`: The URL is not a page of that platform and kind. Copy the URL of the page from the
    platform itself.
    `invalid_cursor`: The cursor does not belong to this call. Pass meta.next_cursor of the previous page
    unchanged, with the same parameters.
    `cursor_expired`: The cursor is older than 24 hours. Start again at the first page.
    `invalid_body`: The request body is not valid. Send the documented JSON object.
    `too_many_inputs`: A job takes at most 10,000 inputs. Split the inputs into several jobs.
    `webhook_url_not_https`: A webhook URL must use https. Use an https URL.
    `webhook_url_not_allowed`: The webhook URL points to an address that is not public. Use a public
    address, or ask the operator to allow this one.
    `idempotency_mismatch`: The idempotency key was used with another body. Use a new key for a new
    request.
    `method_not_allowed`: The path does not support this method. Use the method that the Allow header
    names.
    `body_too_large`: The request body is too large. Send a smaller body, or split the job.
    """

    type: Literal["invalid_request"]
    code: Literal[
        "missing_parameter",
        "conflicting_parameters",
        "invalid_parameter",
        "unknown_parameter",
        "renamed_parameter",
        "invalid_url",
        "invalid_cursor",
        "cursor_expired",
        "invalid_body",
        "too_many_inputs",
        "webhook_url_not_https",
        "webhook_url_not_allowed",
        "idempotency_mismatch",
        "method_not_allowed",
        "body_too_large",
    ]


class AuthenticationError(ExtractError):
    """
    An error of type `authentication`.

    `missing_api_key`: No API key was given. Send the header “Authorization: Bearer <API_KEY>”, or call
    with demo=true.
    `invalid_api_key`: The API key is unknown. Check the key for typos, or create a new one.
    `revoked_api_key`: The API key was revoked. Use another key, or create a new one.
    """

    type: Literal["authentication"]
    code: Literal[
        "missing_api_key",
        "invalid_api_key",
        "revoked_api_key",
    ]


class PermissionDeniedError(ExtractError):
    """
    An error of type `permission`.

    `email_not_verified`: The e-mail address of the account is not confirmed. Click the link in the
    confirmation e-mail.
    `platform_not_allowed`: The API key may not call this platform. Use a key without that restriction.
    `fresh_not_available`: Only accounts that have bought credits can use fresh=true. Leave out fresh to
    use the cache, or buy a pack.
    `disposable_email`: Disposable e-mail addresses cannot have an account. Use a permanent e-mail
    address.
    `key_limit_reached`: The account has ten active keys. Revoke a key that you no longer use.
    `storage_full`: The account’s storage for results and inputs is full. Wait until older results are
    deleted, at the `results_expire_at` of their job, or end schedules that you do not need.
    """

    type: Literal["permission"]
    code: Literal[
        "email_not_verified",
        "platform_not_allowed",
        "fresh_not_available",
        "disposable_email",
        "key_limit_reached",
        "storage_full",
    ]


class BillingError(ExtractError):
    """
    An error of type `billing`.

    `insufficient_credits`: The balance does not cover the price. Add credits and try again.
    """

    type: Literal["billing"]
    code: Literal[
        "insufficient_credits",
    ]


class NotFoundError(ExtractError):
    """
    An error of type `not_found`.

    `profile_not_found`: No account matches. Check the name; the account may have been renamed, removed
    or banned.
    `company_not_found`: No company matches. Check the name in the URL of the company page.
    `place_not_found`: No place matches. Check the ID; places are merged and removed.
    `post_not_found`: No post matches. The post may have been removed; check the URL.
    `video_not_found`: No video matches, or it is withheld at this location. Check the ID; the video may
    have been removed.
    `hashtag_not_found`: No hashtag matches. Check the spelling, without the leading #.
    `job_not_found`: No job matches. Check the ID, and that the key belongs to the account that created
    the job.
    `archive_not_found`: The job has no archive. Jobs keep none any more; `extract batch --archive` keeps
    one on your machine.
    `schedule_not_found`: No schedule matches. Check the ID, and that the key belongs to the account that
    created the schedule.
    `link_not_found`: No shared link matches. It was revoked, or its job or schedule is gone. Ask its
    owner for a new one.
    `endpoint_not_found`: There is no such endpoint. The documentation lists the endpoints.
    `account_private`: The page exists but is not public. Only public pages can be read; waiting does not
    help.
    `subject_suppressed`: This subject is on the operator’s suppression list. It is not asked for and not
    given; `extract suppress list` shows who is left out.
    """

    type: Literal["not_found"]
    code: Literal[
        "profile_not_found",
        "company_not_found",
        "place_not_found",
        "post_not_found",
        "video_not_found",
        "hashtag_not_found",
        "job_not_found",
        "archive_not_found",
        "schedule_not_found",
        "link_not_found",
        "endpoint_not_found",
        "account_private",
        "subject_suppressed",
    ]


class ConflictError(ExtractError):
    """
    An error of type `conflict`.

    `job_not_finished`: The job has not finished. Wait for the job to finish.
    `job_already_finished`: The job has already finished. Download its results.
    `schedule_ended`: The schedule has ended. Create a new one: a job with `schedule`.
    `idempotency_in_progress`: A request with this idempotency key is still in progress. Try again in a
    moment.
    `job_cancelled`: The job was cancelled before this input ran. Send the input in a new job; its
    credits were refunded.
    """

    type: Literal["conflict"]
    code: Literal[
        "job_not_finished",
        "job_already_finished",
        "schedule_ended",
        "idempotency_in_progress",
        "job_cancelled",
    ]


class GoneError(ExtractError):
    """
    An error of type `gone`.

    `results_expired`: The results were deleted: they are kept until the `results_expire_at` of their
    job. Run the job again.
    """

    type: Literal["gone"]
    code: Literal[
        "results_expired",
    ]


class RateLimitError(ExtractError):
    """
    An error of type `rate_limit`.

    `rate_limited`: Too many requests. Wait for the seconds given in Retry-After.
    """

    type: Literal["rate_limit"]
    code: Literal[
        "rate_limited",
    ]


class PlatformError(ExtractError):
    """
    An error of type `platform`.

    `platform_blocked`: The platform refused to serve the page to this visitor. Wait a few minutes and
    send fewer requests.
    `platform_login_required`: The platform shows this page only to signed-in users. Only logged-out
    pages can be read; try again later, as platforms vary in what they show.
    `platform_restricted`: The platform restricts this page by country, age or visitor. It cannot be read
    from here without signing in; waiting does not help.
    `platform_rate_limited`: The platform asks for fewer requests. Wait a few minutes and send fewer
    requests.
    `platform_unavailable`: The platform could not be reached, or failed. Try again in a moment.
    `platform_timeout`: The platform did not answer in time. Try again in a moment.
    `platform_changed`: The page layout has changed; required data is missing. Keep the page with
    --save-pages and report it.
    """

    type: Literal["platform"]
    code: Literal[
        "platform_blocked",
        "platform_login_required",
        "platform_restricted",
        "platform_rate_limited",
        "platform_unavailable",
        "platform_timeout",
        "platform_changed",
    ]


class InternalError(ExtractError):
    """
    An error of type `internal`.

    `internal_error`: An unexpected error occurred. Report it with the request ID.
    """

    type: Literal["internal"]
    code: Literal[
        "internal_error",
    ]

_CLASSES: dict[ErrorType, type[ExtractError]] = {
    "invalid_request": InvalidRequestError,
    "authentication": AuthenticationError,
    "permission": PermissionDeniedError,
    "billing": BillingError,
    "not_found": NotFoundError,
    "conflict": ConflictError,
    "gone": GoneError,
    "rate_limit": RateLimitError,
    "platform": PlatformError,
    "internal": InternalError,
}


def error_of(
    code: ErrorCode,
    message: str,
    *,
    docs: str = "",
    request_id: str = "",
    retry_after: float | None = None,
) -> ExtractError:
    """The error of a code, in the class of its type."""
    chosen = _CLASSES[ENTRIES[code][0]]
    return chosen(code, message, docs=docs, request_id=request_id, retry_after=retry_after)
