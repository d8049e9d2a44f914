import { type ErrorCode, ExtractError, type RefusedScope } from './extract-error.js';

interface PageCondition {
  /** The kind of page, whatever the platform. */
  readonly condition: string;
  /** The same on every platform. */
  readonly code: ErrorCode;
  /** What it refuses; by default the subject. */
  readonly scope?: RefusedScope;
}

/**
 * The only table of outcomes: a page without its data → its code, the same on all platforms. No row is “not found”,
 * because a page without data proves nothing missing. That takes a statement of the platform: status 404 or 410, its
 * own words or code, a null document, oEmbed. No row is an empty list either.
 */
export const outcomes = {
  subject_without_data: {
    condition:
      'The page names the subject but contains none of its data. If an endpoint can answer from the page’s head, it does.',
    code: 'platform_restricted',
  },
  error_route: {
    condition:
      'The platform’s own error page, with status 200, replaces one subject. Existing subjects get it, too. After five different subjects in a row it counts as a shell.',
    code: 'platform_restricted',
  },
  shell: {
    condition: 'The page names no subject and contains no data: an empty body, or only the frame of a page.',
    code: 'platform_blocked',
  },
  login_wall: {
    condition:
      'The request ended at a login or sign-up page, or the page asks for a login instead of showing its data.',
    code: 'platform_login_required',
  },
  challenge: {
    condition:
      'The page asks for a captcha, a security check or a script challenge; status 403 counts as one.',
    code: 'platform_blocked',
    // Shown for every subject, including missing ones (2026-07).
    scope: 'surface',
  },
  unknown_layout: {
    condition: 'The page contains data under unknown names, or unknown elements.',
    code: 'platform_changed',
  },
  error_page: {
    condition: 'The platform returns a server error: a status of 500 or more, or its own code for one.',
    code: 'platform_unavailable',
  },
  slow_down: {
    condition: 'The platform limits the rate: status 429, or its own message or page for it.',
    code: 'platform_rate_limited',
  },
} as const satisfies Record<string, PageCondition>;

export type Outcome = keyof typeof outcomes;

/** The platform's error page for a subject. Final for that subject, and no refusal of others. */
export class ErrorRoute extends ExtractError {
  readonly subject: string;

  constructor(subject: string) {
    super(
      outcomes.error_route.code,
      'The platform shows the same error page for missing and for restricted subjects. Check the spelling.',
    );
    this.subject = subject;
  }
}

/** Returns the error of a condition. The message says what was received. */
export function refusal(outcome: Outcome, message: string): ExtractError {
  const { code, scope = 'subject' }: PageCondition = outcomes[outcome];
  return new ExtractError(code, message, { scope });
}
