import type { Config } from '../../../../lib/config.js';
import { ExtractError } from '../../../../lib/errors/extract-error.js';
import { type Clock, systemClock } from '../../../../lib/runtime/clock.js';
import { readHostingConfig } from '../../../config/hosting-config.js';
import { readWebhookSecret } from '../../../config/program-config.js';
import type { Mailer } from '../../../service/accounts/mail/mailer.js';
import { createSender } from '../../../service/jobs/webhooks/sender.js';
import { Targets } from '../../../service/jobs/webhooks/targets.js';
import type { Notice } from '../../../service/notify/notice.js';
import { sendNotice } from '../../../service/notify/send-notice.js';
import { maxTargets, parseTarget, shownTarget, type Target } from '../../../service/notify/target.js';
import { printable } from '../printable.js';
import { retried } from './retried.js';

/** A command may send to any host its machine can reach, including the ranges that a server blocks. */
export const everywhere = new Targets(['0.0.0.0/0', '::/0']);

/** Throws `missing_parameter` if a target is an email address and no mail server is configured. */
async function openMailer(targets: readonly Target[], clock: Clock): Promise<Mailer | null> {
  if (!targets.some(({ kind }) => kind === 'mail')) return null;
  const { mail } = readHostingConfig();
  if (mail === undefined) {
    throw new ExtractError(
      'missing_parameter',
      'Alerts by e-mail need a mail server: set EXTRACT_SMTP_URL and EXTRACT_MAIL_FROM.',
    );
  }
  const { SmtpMailer } = await import('../../../service/accounts/mail/smtp-mailer.js');
  return new SmtpMailer({ ...mail, clock });
}

function targetsOf(texts: readonly string[]): readonly Target[] {
  if (texts.length <= maxTargets) return texts.map(parseTarget);
  throw new ExtractError('invalid_parameter', `At most ${maxTargets} alert targets are allowed.`);
}

/** Opens the notifier of a command. Rejects, before any request, if a target cannot be notified. */
export async function openNotifier(
  texts: readonly string[],
  write: (text: string) => Promise<void>,
  proxy: Config,
) {
  const clock = systemClock;
  const sender = createSender({ targets: everywhere, clock, proxy });
  const targets = targetsOf(texts);
  const mailer = await openMailer(targets, clock);
  const secret = readWebhookSecret();
  const carriers = { sender, mailer, clock, secrets: secret === undefined ? [] : [secret] };
  return {
    /** Notifies each target, with retries, and reports those that failed. */
    async send(notice: Notice, signal: AbortSignal): Promise<void> {
      await Promise.all(
        targets.map(async (target) => {
          const fault = await retried(() => sendNotice(carriers, target, notice, signal), clock, signal);
          if (fault !== null) {
            await write(`The alert was not accepted (${shownTarget(target)}): ${printable(fault)}\n`);
          }
        }),
      );
    },
    async close() {
      await sender.close();
      await mailer?.close();
    },
  };
}
