import { ExtractError } from '../../../lib/errors/extract-error.js';
import type { Clock } from '../../../lib/runtime/clock.js';
import { signWebhook } from '../../../lib/webhook.js';
import type { Mailer } from '../accounts/mail/mailer.js';
import type { AttemptOutcome, Sender } from '../jobs/webhooks/sender.js';
import { type Digest, digestOf } from './digest.js';
import { discordMessage } from './kinds/discord.js';
import { noticeMail } from './kinds/mail.js';
import { mattermostMessage } from './kinds/mattermost.js';
import type { Message } from './kinds/message.js';
import { ntfyMessage } from './kinds/ntfy.js';
import { slackMessage } from './kinds/slack.js';
import { teamsMessage } from './kinds/teams.js';
import type { Notice } from './notice.js';
import type { Target } from './target.js';

/** The services and secrets that sending needs. */
export interface NoticeCarriers {
  readonly sender: Sender;
  /** Null if no target is a person. */
  readonly mailer: Mailer | null;
  /** Secrets that sign webhooks; empty for none. */
  readonly secrets: readonly string[];
  readonly clock: Pick<Clock, 'now'>;
}

const chats: Readonly<
  Record<Exclude<Target['kind'], 'mail' | 'webhook'>, (digest: Digest, address: string) => Message>
> = {
  slack: slackMessage,
  discord: discordMessage,
  teams: teamsMessage,
  mattermost: mattermostMessage,
  ntfy: ntfyMessage,
};

async function sendMail(
  mailer: Mailer | null,
  address: string,
  notice: Notice,
  signal: AbortSignal,
): Promise<AttemptOutcome> {
  if (mailer === null) return { status: null, error: 'No mail server is configured.', again: false };
  let abort = () => {};
  const aborted = new Promise<never>((_, reject) => {
    abort = () => reject(signal.reason);
  });
  signal.addEventListener('abort', abort, { once: true });
  try {
    // An unresponsive mail server must not keep a program from stopping.
    await Promise.race([mailer.send(noticeMail(address, digestOf(notice))), aborted]);
    return { status: null, error: null, again: false };
  } catch (cause) {
    if (signal.aborted) throw signal.reason;
    if (!(cause instanceof ExtractError)) throw cause;
    // The reasons concern the operator's settings, and are in the operator's log.
    return { status: null, error: 'The e-mail could not be sent.', again: true };
  } finally {
    signal.removeEventListener('abort', abort);
  }
}

/** Makes one attempt to notify one target. Rejects only with the signal's reason, and for a bug of this program. */
export async function sendNotice(
  { sender, mailer, secrets, clock }: NoticeCarriers,
  { kind, address }: Target,
  notice: Notice,
  signal: AbortSignal,
): Promise<AttemptOutcome> {
  if (kind === 'mail') return sendMail(mailer, address, notice, signal);
  if (kind !== 'webhook') {
    const { url = address, body } = chats[kind](digestOf(notice), address);
    return sender.send({ url, body, headers: {} }, signal);
  }
  // A webhook is read by a program, which gets everything known about the items.
  const { id, ...about } = notice;
  const body = JSON.stringify({ type: 'alert', id, ...about });
  const signature =
    secrets.length === 0
      ? {}
      : { 'extract-signature': signWebhook(secrets, Math.floor(clock.now() / 1000), body) };
  return sender.send({ url: address, body, headers: { ...signature, 'extract-delivery': id } }, signal);
}
