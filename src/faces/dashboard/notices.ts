/**
 * The notices that a page can show about the form that led to it. Pages carry the code in their address, never the
 * text.
 */
const notices = {
  welcome: 'Welcome. Your address is confirmed and your trial credits are here.',
  'signed-out': 'You are signed out.',
  'not-taken':
    'You were signed out in the meantime, so the form was not taken and nothing has changed. Sign in and send it again.',
  'key-limited': 'The limit is set. It applies from the next call on.',
  'key-revoked': 'The key is revoked. Calls with it fail from now on.',
  'job-sent': 'The job is accepted. It runs on the server: you can close this page.',
  'job-cancelled': 'The job is cancelled. Inputs that had not run are refunded.',
  'schedule-paused': 'The schedule is paused. Running jobs continue.',
  'schedule-resumed': 'The schedule continues with its next run.',
  'schedule-run': 'The schedule runs now. Its other times stay as they are.',
  'schedule-ended': 'The schedule has ended. Running jobs continue.',
  'link-revoked': 'The link is revoked. Its URL no longer works.',
  'webhook-again': 'The webhook is being sent again.',
  'session-ended': 'The session has ended.',
  'sessions-ended': 'All other sessions have ended.',
  'alert-set': 'You will get an e-mail when the balance falls below this number.',
  'alert-due': 'Your balance is already below this number: the e-mail is on its way.',
  'alert-off': 'The balance alert is off.',
  'order-withdrawn': 'The order is withdrawn.',
  'buyer-set': 'Your next receipts will show these details.',
  'account-deleted': 'The account is deleted.',
  'credits-added': 'The credits are added, with a receipt.',
  'left-out': 'The subject is left out. Every server follows within two seconds.',
  'left-out-no-more': 'The subject is left out no longer.',
} as const;

export type NoticeCode = keyof typeof notices;

/** The notice of a code from outside; null for none and for what is none. */
export function noticeOf(code: unknown): { readonly kind: 'done' | 'problem'; readonly text: string } | null {
  if (typeof code !== 'string' || !Object.hasOwn(notices, code)) return null;
  return { kind: code === 'not-taken' ? 'problem' : 'done', text: notices[code as NoticeCode] };
}
