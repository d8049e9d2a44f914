# Written by `npm run generate` from the table of endpoints: change that, and not this file.
"""A class of errors for each type. All are an `ExtractError`."""

from typing import Literal

from ._base_error import ExtractError as ExtractError
from .codes import ENTRIES, ErrorCode, ErrorType, AuthenticationErrorCode, BillingErrorCode, ConflictErrorCode, GoneErrorCode, InternalErrorCode, InvalidRequestErrorCode, NotFoundErrorCode, PermissionDeniedErrorCode, PlatformErrorCode, RateLimitErrorCode


class InvalidRequestError(ExtractError):
    """
    An error of type `invalid_request`.

    `missing_parameter`: A required parameter is missing.
    `conflicting_parameters`: Two parameters cannot be combined.
    `invalid_parameter`: A parameter has an invalid value.
    `unknown_parameter`: The endpoint has no such parameter.
    `renamed_parameter`: The parameter has a new name.
    `invalid_url`: The URL is not a page of that platform and kind.
    `invalid_cursor`: The cursor does not belong to this call.
    `cursor_expired`: The cursor is older than 24 hours.
    `invalid_body`: The request body is not valid.
    `too_many_inputs`: A job takes at most 10,000 inputs.
    `webhook_url_not_https`: A webhook URL must use https.
    `webhook_url_not_allowed`: The webhook URL points to an address that is not public.
    `idempotency_mismatch`: The idempotency key was used with another body.
    `method_not_allowed`: The path does not support this method.
    `body_too_large`: The request body is too large.
    """

    type: Literal["invalid_request"]
    code: InvalidRequestErrorCode


class AuthenticationError(ExtractError):
    """
    An error of type `authentication`.

    `missing_api_key`: The API key is missing.
    `invalid_api_key`: The API key is unknown.
    `revoked_api_key`: The API key was revoked.
    """

    type: Literal["authentication"]
    code: AuthenticationErrorCode


class PermissionDeniedError(ExtractError):
    """
    An error of type `permission`.

    `email_not_verified`: The e-mail address of the account is not confirmed.
    `platform_not_allowed`: The API key may not call this platform.
    `fresh_not_available`: Only accounts that have bought credits can use fresh=true.
    `disposable_email`: Disposable e-mail addresses cannot have an account.
    `key_limit_reached`: The account has ten active keys.
    `storage_full`: The account’s storage for results and inputs is full.
    """

    type: Literal["permission"]
    code: PermissionDeniedErrorCode


class BillingError(ExtractError):
    """
    An error of type `billing`.

    `insufficient_credits`: The balance does not cover the price.
    """

    type: Literal["billing"]
    code: BillingErrorCode


class NotFoundError(ExtractError):
    """
    An error of type `not_found`.

    `profile_not_found`: No account matches.
    `company_not_found`: No company matches.
    `place_not_found`: No place matches.
    `post_not_found`: No post matches.
    `video_not_found`: No video matches, or it is not available at this location.
    `hashtag_not_found`: No hashtag matches.
    `job_not_found`: No job matches.
    `archive_not_found`: The job has no archive.
    `schedule_not_found`: No schedule matches.
    `link_not_found`: No shared link matches.
    `endpoint_not_found`: There is no such endpoint.
    `account_private`: The page exists but is not public.
    `subject_suppressed`: This subject is on the operator’s suppression list.
    """

    type: Literal["not_found"]
    code: NotFoundErrorCode


class ConflictError(ExtractError):
    """
    An error of type `conflict`.

    `job_not_finished`: The job has not finished.
    `job_already_finished`: The job has already finished.
    `schedule_ended`: The schedule has ended.
    `idempotency_in_progress`: A request with this idempotency key is still in progress.
    `job_cancelled`: The job was cancelled before this input ran.
    """

    type: Literal["conflict"]
    code: ConflictErrorCode


class GoneError(ExtractError):
    """
    An error of type `gone`.

    `results_expired`: The results were deleted: they are stored until the `results_expire_at` of their
    job.
    """

    type: Literal["gone"]
    code: GoneErrorCode


class RateLimitError(ExtractError):
    """
    An error of type `rate_limit`.

    `rate_limited`: Too many requests.
    """

    type: Literal["rate_limit"]
    code: RateLimitErrorCode


class PlatformError(ExtractError):
    """
    An error of type `platform`.

    `platform_blocked`: The platform refused to serve the page to this visitor.
    `platform_login_required`: The platform only shows this page to signed-in users.
    `platform_restricted`: The platform restricts this page by country, age or visitor.
    `platform_rate_limited`: The platform limits the rate of requests.
    `platform_unavailable`: The platform could not be reached, or failed.
    `platform_timeout`: The platform did not respond in time.
    `platform_changed`: The page layout has changed; required data is missing.
    """

    type: Literal["platform"]
    code: PlatformErrorCode


class InternalError(ExtractError):
    """
    An error of type `internal`.

    `internal_error`: An unexpected error occurred.
    """

    type: Literal["internal"]
    code: InternalErrorCode

_CLASSES: dict[ErrorType, type[ExtractError]] = {
    "invalid_request": InvalidRequestError, "authentication": AuthenticationError,
    "permission": PermissionDeniedError, "billing": BillingError, "not_found": NotFoundError,
    "conflict": ConflictError, "gone": GoneError, "rate_limit": RateLimitError, "platform": PlatformError,
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
    """Returns the error of a code, in the class of its type."""
    chosen = _CLASSES[ENTRIES[code][0]]
    return chosen(code, message, docs=docs, request_id=request_id, retry_after=retry_after)
