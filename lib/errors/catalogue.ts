/**
 * Everything that can go wrong, by name: code → class, status, meaning, what to do.
 *
 *   invalid_request ─ the call itself is wrong            exit 2
 *   authentication, permission, billing ─ who may call     exit 3
 *   not_found, gone ─ the thing asked for is not there     exit 4
 *   platform ─ the platform refused, failed or changed     exit 5
 *   rate_limit ─ our own limit                             exit 6
 *   conflict ─ the state of a job or a key forbids it      exit 2
 *   internal ─ a fault of ours                             exit 1
 */
export type ErrorType =
  | 'invalid_request'
  | 'authentication'
  | 'permission'
  | 'billing'
  | 'not_found'
  | 'gone'
  | 'platform'
  | 'rate_limit'
  | 'conflict'
  | 'internal';

/** The catalogue entry of a code. */
export interface CatalogueEntry {
  /** Class of the error. */
  readonly type: ErrorType;
  /** HTTP status of a response with this code. */
  readonly status: number;
  /** One sentence about what happened: the default message. */
  readonly summary: string;
  /** What the caller should do next. */
  readonly next: string;
}

const entry = <Type extends ErrorType>(
  type: Type,
  status: number,
  summary: string,
  next: string,
): CatalogueEntry & { readonly type: Type } => ({
  type,
  status,
  summary,
  next,
});

/** code → class, status, meaning, what to do. Codes are stable; the texts may change. */
export const catalogue = {
  missing_parameter: entry(
    'invalid_request',
    400,
    'A required parameter is missing.',
    'Add it; if one of two parameters is required, pass exactly one.',
  ),
  conflicting_parameters: entry(
    'invalid_request',
    400,
    'Two parameters cannot be combined.',
    'Remove one of them.',
  ),
  invalid_parameter: entry(
    'invalid_request',
    400,
    'A parameter has an invalid value.',
    'Correct the value and try again.',
  ),
  unknown_parameter: entry(
    'invalid_request',
    400,
    'The endpoint has no such parameter.',
    'Remove it or correct its name; the endpoint’s page lists its parameters.',
  ),
  renamed_parameter: entry('invalid_request', 400, 'The parameter has a new name.', 'Use the new name.'),
  invalid_url: entry(
    'invalid_request',
    400,
    'The URL is not a page of that platform and kind.',
    'Copy the URL of the page from the platform itself.',
  ),
  invalid_cursor: entry(
    'invalid_request',
    400,
    'The cursor does not belong to this call.',
    'Pass meta.next_cursor of the previous page unchanged, with the same parameters.',
  ),
  cursor_expired: entry(
    'invalid_request',
    400,
    'The cursor is older than 24 hours.',
    'Start again from the first page.',
  ),
  invalid_body: entry(
    'invalid_request',
    400,
    'The request body is not valid.',
    'Send the documented JSON object.',
  ),
  too_many_inputs: entry(
    'invalid_request',
    400,
    'A job takes at most 10,000 inputs.',
    'Split the inputs into several jobs.',
  ),
  webhook_url_not_https: entry('invalid_request', 400, 'A webhook URL must use https.', 'Use an https URL.'),
  webhook_url_not_allowed: entry(
    'invalid_request',
    400,
    'The webhook URL points to an address that is not public.',
    'Use a public address, or ask the operator to allow this one.',
  ),
  idempotency_mismatch: entry(
    'invalid_request',
    400,
    'The idempotency key was used with another body.',
    'Use a new key for a new request.',
  ),
  method_not_allowed: entry(
    'invalid_request',
    405,
    'The path does not support this method.',
    'Use a method listed in the Allow header.',
  ),
  body_too_large: entry(
    'invalid_request',
    413,
    'The request body is too large.',
    'Send a smaller body, or split the job.',
  ),
  missing_api_key: entry(
    'authentication',
    401,
    'The API key is missing.',
    'Send the header “Authorization: Bearer <API_KEY>”, or call with demo=true.',
  ),
  invalid_api_key: entry(
    'authentication',
    401,
    'The API key is unknown.',
    'Check the key for typos, or create a new one.',
  ),
  revoked_api_key: entry(
    'authentication',
    401,
    'The API key was revoked.',
    'Use another key, or create a new one.',
  ),
  email_not_verified: entry(
    'permission',
    403,
    'The e-mail address of the account is not confirmed.',
    'Click the link in the confirmation e-mail.',
  ),
  platform_not_allowed: entry(
    'permission',
    403,
    'The API key may not call this platform.',
    'Use a key without that restriction.',
  ),
  fresh_not_available: entry(
    'permission',
    403,
    'Only accounts that have bought credits can use fresh=true.',
    'Omit fresh to use the cache, or buy a pack.',
  ),
  disposable_email: entry(
    'permission',
    403,
    'Disposable e-mail addresses cannot have an account.',
    'Use a permanent e-mail address.',
  ),
  key_limit_reached: entry(
    'permission',
    403,
    'The account has ten active keys.',
    'Revoke a key that you no longer use.',
  ),
  storage_full: entry(
    'permission',
    403,
    'The account’s storage for results and inputs is full.',
    'Wait until older results are deleted, at the `results_expire_at` of their job, or end schedules that you do not need.',
  ),
  insufficient_credits: entry(
    'billing',
    403,
    'The balance does not cover the price.',
    'Add credits and try again.',
  ),
  profile_not_found: entry(
    'not_found',
    404,
    'No account matches.',
    'Check the name; the account may have been renamed, removed or banned.',
  ),
  company_not_found: entry(
    'not_found',
    404,
    'No company matches.',
    'Check the name in the URL of the company page.',
  ),
  place_not_found: entry(
    'not_found',
    404,
    'No place matches.',
    'Check the ID; places are merged and removed.',
  ),
  post_not_found: entry(
    'not_found',
    404,
    'No post matches.',
    'The post may have been removed; check the URL.',
  ),
  video_not_found: entry(
    'not_found',
    404,
    'No video matches, or it is not available at this location.',
    'Check the ID; the video may have been removed.',
  ),
  hashtag_not_found: entry(
    'not_found',
    404,
    'No hashtag matches.',
    'Check the spelling, without the leading #.',
  ),
  job_not_found: entry(
    'not_found',
    404,
    'No job matches.',
    'Check the ID, and that the key belongs to the account that created the job.',
  ),
  archive_not_found: entry(
    'not_found',
    404,
    'The job has no archive.',
    'Jobs no longer store one; `extract batch --archive` does on your machine.',
  ),
  schedule_not_found: entry(
    'not_found',
    404,
    'No schedule matches.',
    'Check the ID, and that the key belongs to the account that created the schedule.',
  ),
  link_not_found: entry(
    'not_found',
    404,
    'No shared link matches.',
    'It was revoked, or its job or schedule was deleted. Ask its owner for a new one.',
  ),
  endpoint_not_found: entry(
    'not_found',
    404,
    'There is no such endpoint.',
    'The documentation lists the endpoints.',
  ),
  account_private: entry(
    'not_found',
    404,
    'The page exists but is not public.',
    'Only public pages can be read; waiting does not help.',
  ),
  subject_suppressed: entry(
    'not_found',
    404,
    'This subject is on the operator’s suppression list.',
    'Its pages are not requested and its data is not returned; `extract suppress list` shows all suppressed subjects.',
  ),
  job_not_finished: entry('conflict', 409, 'The job has not finished.', 'Wait for the job to finish.'),
  job_already_finished: entry('conflict', 409, 'The job has already finished.', 'Download its results.'),
  schedule_ended: entry(
    'conflict',
    409,
    'The schedule has ended.',
    'Create a new one: a job with `schedule`.',
  ),
  idempotency_in_progress: entry(
    'conflict',
    409,
    'A request with this idempotency key is still in progress.',
    'Try again in a moment.',
  ),
  results_expired: entry(
    'gone',
    410,
    'The results were deleted: they are stored until the `results_expire_at` of their job.',
    'Run the job again.',
  ),
  rate_limited: entry(
    'rate_limit',
    429,
    'Too many requests.',
    'Wait for the number of seconds in Retry-After.',
  ),
  platform_blocked: entry(
    'platform',
    502,
    'The platform refused to serve the page to this visitor.',
    'Wait a few minutes and send fewer requests.',
  ),
  platform_login_required: entry(
    'platform',
    502,
    'The platform only shows this page to signed-in users.',
    'Only logged-out pages can be read; try again later, because platforms vary in what they show.',
  ),
  platform_restricted: entry(
    'platform',
    502,
    'The platform restricts this page by country, age or visitor.',
    'It cannot be read from here without signing in; waiting does not help.',
  ),
  platform_rate_limited: entry(
    'platform',
    502,
    'The platform limits the rate of requests.',
    'Wait a few minutes and send fewer requests.',
  ),
  platform_unavailable: entry(
    'platform',
    502,
    'The platform could not be reached, or failed.',
    'Try again in a moment.',
  ),
  platform_timeout: entry('platform', 502, 'The platform did not respond in time.', 'Try again in a moment.'),
  platform_changed: entry(
    'platform',
    502,
    'The page layout has changed; required data is missing.',
    'Save the page with --save-pages and report it.',
  ),
  internal_error: entry('internal', 500, 'An unexpected error occurred.', 'Report it with the request ID.'),
  job_cancelled: entry(
    'conflict',
    409,
    'The job was cancelled before this input ran.',
    'Send the input in a new job; its credits were refunded.',
  ),
} as const satisfies Record<string, CatalogueEntry>;

/** Every code of the catalogue. Codes are stable; branch on them. */
export type ErrorCode = keyof typeof catalogue;

const passing = new Set<ErrorCode>([
  ...(['rate_limited', 'idempotency_in_progress', 'internal_error'] as const),
  ...(['platform_blocked', 'platform_login_required', 'platform_rate_limited'] as const),
  ...(['platform_unavailable', 'platform_timeout'] as const),
]);

export const isRetryable = (code: ErrorCode): boolean => passing.has(code);

/** Errors of plain requests after which a browser may succeed. */
const inBrowser = new Set<string>([
  ...(['platform_blocked', 'platform_login_required', 'platform_rate_limited'] as const),
  ...(['platform_restricted', 'platform_changed'] as const),
] satisfies readonly ErrorCode[]);

/** Returns true if a browser may receive the page of a call that failed like this without one. */
export const mayPassInBrowser = (code: string): boolean => inBrowser.has(code);

export function isErrorCode(text: string): text is ErrorCode {
  return Object.hasOwn(catalogue, text);
}

/** Type of error → exit status of the command line. 0 means success, 7 a batch with failed lines, 130 interrupted. */
export const exitStatus: Readonly<Record<ErrorType, number>> = {
  internal: 1,
  invalid_request: 2,
  conflict: 2,
  authentication: 3,
  permission: 3,
  billing: 3,
  not_found: 4,
  gone: 4,
  platform: 5,
  rate_limit: 6,
};
