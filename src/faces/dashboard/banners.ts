/** The notices about a submitted form. Addresses contain the code, never the text. */
const banners = {
  welcome: 'Welcome. Your address is confirmed and your trial credits are here.',
  'signed-out': 'You are signed out.',
  'not-taken':
    'You were signed out in the meantime, so the form was not submitted and nothing has changed. Sign in and submit it again.',
  'key-created-before':
    'This key was created when you first submitted the form. Its secret is not shown again: if you have no copy, revoke the key and create another.',
  'key-limited': 'The limit is set. It applies from the next call.',
  'key-revoked': 'The key is revoked. Calls with it now fail.',
  'key-ended': 'This key has been revoked or has expired: there is nothing to change.',
  'job-sent': 'The job is running on the server. You can close this page.',
  'job-cancelled': 'The job is cancelled. Inputs that had not run are refunded.',
  'schedule-paused': 'The schedule is paused. Running jobs continue.',
  'schedule-resumed': 'The schedule is resumed, and continues with its next run.',
  'schedule-run': 'The schedule runs now. Its timetable does not change.',
  'schedule-busy': 'A run is in progress, so no other was started.',
  'schedule-on-pause': 'The schedule is paused, so no run was started. Resume it first.',
  'schedule-ended': 'The schedule has ended. Running jobs continue.',
  'link-created-before':
    'This link was created when you first submitted the form. Its URL is not shown again: if you have no copy, revoke the link and create another.',
  'link-revoked': 'The link is revoked. Its URL no longer works.',
  'webhook-again': 'The webhook is being sent again.',
  'session-ended': 'The session has ended.',
  'sessions-ended': 'All other sessions have ended.',
  'secret-created-before':
    'The secret was created when you first submitted the form. It is not shown again: if you have no copy, create another.',
  'alert-set': 'You will get an e-mail when the balance falls below this number.',
  'alert-due': 'Your balance is already below this number: the e-mail is on its way.',
  'alert-off': 'The balance alert is off.',
  'order-withdrawn': 'The order is withdrawn.',
  'buyer-set': 'Your next receipts will show these details.',
  'account-deleted': 'The account is deleted.',
  'credits-added': 'The credits are added, with a receipt.',
  'left-out': 'The subject is suppressed on every server within two seconds.',
  'left-out-no-more': 'The subject is no longer suppressed.',
} as const;

export type BannerCode = keyof typeof banners;

export interface Banner {
  readonly kind: 'done' | 'note' | 'problem';
  readonly text: string;
}

/** Notices about actions that did not happen, or not yet. */
const kinds: Partial<Record<BannerCode, 'note' | 'problem'>> = {
  'not-taken': 'problem',
  'key-created-before': 'note',
  'key-ended': 'note',
  'schedule-busy': 'note',
  'schedule-on-pause': 'note',
  'link-created-before': 'note',
  'secret-created-before': 'note',
};

/** Returns the notice for an untrusted code; null if there is none. */
export function bannerOf(code: unknown): Banner | null {
  if (typeof code !== 'string' || !Object.hasOwn(banners, code)) return null;
  const bannerCode = code as BannerCode;
  return { kind: kinds[bannerCode] ?? 'done', text: banners[bannerCode] };
}
